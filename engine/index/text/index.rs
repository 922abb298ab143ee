//! Reads an index where its sections lie: terms, their postings, and the lengths of documents.
//!
//! Must not copy sections, and must not trust them: damaged bytes lead to an error or to fewer results.

use super::bytes::{Reader, u32_at};
use super::sections::{BLOCKS, BY_DOC, BY_SLOT, LENGTHS, MAX_BLOCK_TERMS, POSTINGS, TERMS, TOTALS};
use super::slots::Slots;
use super::words::MAX_WORD;
use super::{Counts, Field, FieldSet, N_FIELDS};
use cache::View;
use error::{Error, ErrorKind, Result};

/// An index over sections that someone else holds.
#[derive(Debug, Clone, Copy)]
pub struct TextIndex<'a> {
    pub(super) n_docs: u32,
    pub(super) n_terms: u32,
    /// Words a document has in each field on average, over the documents that have any.
    pub(super) averages: [f64; N_FIELDS],
    pub(super) blocks: &'a [u8],
    pub(super) terms: View<'a>,
    pub(super) postings: View<'a>,
    lengths: &'a [u8],
    pub(super) slots: Slots<'a>,
}

/// A document that has the term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The document.
    pub doc: u32,
    /// How often the term stands in each field.
    pub counts: Counts,
}

impl Posting {
    /// The fields that have the term.
    pub fn fields(&self) -> FieldSet {
        FieldSet::of(self.counts)
    }
}

/// A term of the dictionary with its postings; by default one that no document has.
#[derive(Default)]
pub(super) struct Entry<'a> {
    pub(super) n_docs: u32,
    pub(super) postings: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Reads the next entry; `term` holds the term before and then that of the entry.
    fn read(terms: &mut Reader<'_>, postings: &mut Reader<'a>, term: &mut Vec<u8>) -> Option<Self> {
        terms.term(term)?;
        let n_docs = terms.varint()?;
        let n_bytes = terms.varint()? as usize;
        Some(Self { n_docs, postings: postings.take(n_bytes)? })
    }
}

/// Bytes of a block's row: two numbers.
pub(super) const BLOCK_ROW: usize = 8;

impl<'a> TextIndex<'a> {
    /// An index over the sections that [`super::IndexBuilder::finish`] gave, in any order; others are passed over.
    ///
    /// # Errors
    /// `Storage` when a section is missing or sizes do not agree. Damage within a section is met later.
    pub fn open<V: Into<View<'a>> + Copy>(sections: &[(&str, V)]) -> Result<Self> {
        let damaged = |what: &str| Error::new(ErrorKind::Storage, format!("the text index is damaged: {what}"));
        let view = |name: &str| -> Result<View<'a>> {
            let found = sections.iter().find(|(other, _)| *other == name);
            found.map(|&(_, view)| view.into()).ok_or_else(|| damaged(&format!("section {name} is missing")))
        };
        let section = |name: &str| view(name).map(View::bytes);
        let totals = section(TOTALS)?;
        let total = |index| u32_at(totals, index).ok_or_else(|| damaged(&format!("section {TOTALS} is too short")));
        let (n_docs, n_terms) = (total(0)?, total(1)?);
        let mut averages = [0.0; N_FIELDS];
        for (field, average) in averages.iter_mut().enumerate() {
            *average = f64::from(total(2 + 2 * field)?) / f64::from(total(3 + 2 * field)?.max(1));
        }
        let index = Self {
            n_docs,
            n_terms,
            averages,
            blocks: section(BLOCKS)?,
            terms: view(TERMS)?,
            postings: view(POSTINGS)?,
            lengths: section(LENGTHS)?,
            slots: Slots::open(section(BY_SLOT).unwrap_or_default(), section(BY_DOC).unwrap_or_default(), n_docs)
                .ok_or_else(|| damaged(&format!("sections {BY_SLOT} and {BY_DOC} do not fit")))?,
        };
        let fits = |n_slots: u32| if index.slots.are_docs() { n_slots == n_docs } else { n_slots >= n_docs };
        if !index.lengths.len().is_multiple_of(N_FIELDS * size_of::<u32>()) || !fits(index.n_slots()) {
            return Err(damaged(&format!("section {LENGTHS} does not fit {n_docs} documents")));
        }
        let n_blocks = index.n_blocks();
        let may_fit = (n_terms as usize).div_ceil(MAX_BLOCK_TERMS) <= n_blocks && n_blocks <= n_terms as usize;
        if index.blocks.len() != n_blocks * BLOCK_ROW || !may_fit {
            return Err(damaged(&format!("section {BLOCKS} does not fit {n_terms} terms")));
        }
        Ok(index)
    }

    /// How many documents there are.
    pub fn n_docs(&self) -> u32 {
        self.n_docs
    }

    /// How many slots there are.
    pub(super) fn n_slots(&self) -> u32 {
        (self.lengths.len() / (N_FIELDS * size_of::<u32>())) as u32
    }

    /// Words of a document in a field, repetitions included; 0 for a document that is not there.
    pub fn length(&self, doc: u32, field: Field) -> u32 {
        self.slots.slot(doc).map_or(0, |slot| self.length_in(slot, field))
    }

    /// Words of the document in a slot in a field.
    pub(super) fn length_in(&self, slot: u32, field: Field) -> u32 {
        u32_at(self.lengths, slot as usize * N_FIELDS + field as usize).unwrap_or(0)
    }

    /// The documents that have a term, in order; the term as the tokenizer gives it.
    pub fn lookup(&self, term: &str) -> Postings<'a> {
        self.postings(&self.entry(term.as_bytes()).unwrap_or_default())
    }

    /// Calls `each` with every term, in byte order: in how many documents it stands, and in how many of these in a field.
    pub fn for_each_term(&self, field: Field, mut each: impl FnMut(&[u8], u32, u32)) {
        // A damaged dictionary ends early.
        let _ = self.for_each_entry(|term, entry| {
            let n_in_field = self.in_slots(&entry).filter(|posting| posting.fields().contains(field)).count();
            each(term, entry.n_docs, n_in_field as u32);
            Some(())
        });
    }

    /// In how many documents a term stands.
    pub fn document_frequency(&self, term: &str) -> u32 {
        self.entry(term.as_bytes()).map_or(0, |entry| entry.n_docs)
    }

    pub(super) fn postings(&self, entry: &Entry<'a>) -> Postings<'a> {
        let in_slots = self.in_slots(entry);
        if self.slots.are_docs() {
            return Postings(Inner::InSlots(in_slots));
        }
        let of_doc = |posting: Posting| Some(Posting { doc: self.slots.doc(posting.doc)?, ..posting });
        let mut postings: Vec<Posting> = in_slots.filter_map(of_doc).filter(|posting| posting.doc < self.n_docs).collect();
        postings.sort_unstable_by_key(|posting| posting.doc);
        Postings(Inner::Sorted(postings.into_iter()))
    }

    /// The postings of a term with slots in the place of documents.
    pub(super) fn in_slots(&self, entry: &Entry<'a>) -> InSlots<'a> {
        InSlots { reader: Reader::new(entry.postings), next: 0, n_slots: self.n_slots() }
    }

    /// Calls `each` with the terms that begin with these bytes, in byte order, after looking at so many at most, or a block more.
    pub(super) fn for_each_from(&self, beginning: &[u8], most: usize, mut each: impl FnMut(&[u8])) {
        let mut n_terms = 0;
        for block in self.blocks_up_to(beginning).saturating_sub(1)..self.n_blocks() {
            let is_behind = self.first_term(block).is_none_or(|term| term > beginning && !term.starts_with(beginning));
            if is_behind || n_terms >= most {
                return;
            }
            self.for_each_in_block(block, |term, _| {
                n_terms += 1;
                if term.starts_with(beginning) {
                    each(term);
                }
            });
        }
    }

    /// How many blocks begin with a term up to this one.
    fn blocks_up_to(&self, term: &[u8]) -> usize {
        let (mut low, mut high) = (0, self.n_blocks());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.first_term(middle).unwrap_or_default() <= term {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The block in which a term stands or would: the first for those before it.
    pub(super) fn block_of(&self, term: &[u8]) -> usize {
        self.blocks_up_to(term).saturating_sub(1)
    }

    /// The dictionary's entry of a term.
    pub(super) fn entry(&self, term: &[u8]) -> Option<Entry<'a>> {
        let mut found = None;
        self.for_each_in_block(self.blocks_up_to(term).checked_sub(1)?, |other, entry| {
            if other == term {
                found = Some(entry);
            }
        });
        found
    }

    /// How many blocks of terms there are.
    pub(super) fn n_blocks(&self) -> usize {
        self.blocks.len() / BLOCK_ROW
    }

    /// Where the terms and the postings of a block begin; of the block behind the last one, where these end.
    pub(super) fn block_start(&self, block: usize) -> Option<(usize, usize)> {
        if block == self.n_blocks() {
            return Some((self.terms.len(), self.postings.len()));
        }
        Some((u32_at(self.blocks, 2 * block)? as usize, u32_at(self.blocks, 2 * block + 1)? as usize))
    }

    /// The terms and the postings of a block.
    fn block(&self, block: usize) -> Option<(Reader<'a>, Reader<'a>)> {
        let (from, to) = (self.block_start(block)?, self.block_start(block + 1)?);
        Some((Reader::new(self.terms.get(from.0..to.0)?), Reader::new(self.postings.get(from.1..to.1)?)))
    }

    /// Calls `each` with the terms of a block, in byte order.
    pub(super) fn for_each_in_block(&self, block: usize, mut each: impl FnMut(&[u8], Entry<'a>)) {
        let Some((mut terms, mut postings)) = self.block(block) else { return };
        let mut term = Vec::new();
        for _ in 0..MAX_BLOCK_TERMS {
            // A missing entry ends a damaged block as it ends a whole one.
            let Some(entry) = Entry::read(&mut terms, &mut postings, &mut term) else { return };
            each(&term, Entry { n_docs: entry.n_docs.min(self.n_docs), ..entry });
        }
    }

    /// Calls `each` with the terms of a block in byte order, all of them behind `before`, which then is the last one; `None` when `each` gives it
    /// or the block is damaged.
    pub(super) fn for_each_entry_of(
        &self,
        block: usize,
        before: &mut Vec<u8>,
        mut each: impl FnMut(&[u8], Entry<'a>) -> Option<()>,
    ) -> Option<()> {
        let (mut terms, mut postings) = self.block(block)?;
        let (mut term, mut n_terms) = (Vec::new(), 0);
        while !terms.left().is_empty() {
            let entry = Entry::read(&mut terms, &mut postings, &mut term)?;
            // The first of all may be empty as nothing else is.
            let is_next = *before < term || block == 0 && n_terms == 0;
            n_terms += 1;
            if !is_next || n_terms > MAX_BLOCK_TERMS || term.len() > MAX_WORD || entry.n_docs > self.n_docs {
                return None;
            }
            each(&term, entry)?;
            term.clone_into(before);
        }
        postings.left().is_empty().then_some(())
    }

    /// Calls `each` with every term in byte order; `None` when `each` gives it or the dictionary is damaged anywhere.
    pub(super) fn for_each_entry(&self, mut each: impl FnMut(&[u8], Entry<'a>) -> Option<()>) -> Option<()> {
        let (mut before, mut n_terms) = (Vec::new(), 0);
        for block in 0..self.n_blocks() {
            self.for_each_entry_of(block, &mut before, |term, entry| {
                n_terms += 1;
                each(term, entry)
            })?;
        }
        (n_terms == self.n_terms && self.block_start(0)? == (0, 0)).then_some(())
    }

    pub(super) fn first_term(&self, block: usize) -> Option<&'a [u8]> {
        let (start, end) = (self.block_start(block)?.0, self.block_start(block + 1)?.0);
        Reader::new(self.terms.get(start..end)?).first_term()
    }
}

/// The documents of one term, in order.
#[derive(Debug, Clone)]
pub struct Postings<'a>(Inner<'a>);

#[derive(Debug, Clone)]
enum Inner<'a> {
    /// Of an index whose slots are documents.
    InSlots(InSlots<'a>),
    Sorted(std::vec::IntoIter<Posting>),
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    fn next(&mut self) -> Option<Posting> {
        match &mut self.0 {
            Inner::InSlots(postings) => postings.next(),
            Inner::Sorted(postings) => postings.next(),
        }
    }
}

/// The slots of the documents of one term, in order.
#[derive(Debug, Clone)]
pub(super) struct InSlots<'a> {
    reader: Reader<'a>,
    next: u32,
    n_slots: u32,
}

impl Iterator for InSlots<'_> {
    type Item = Posting;

    fn next(&mut self) -> Option<Posting> {
        let doc = self.next.checked_add(self.reader.varint()?)?;
        let counts = self.reader.counts()?;
        if doc >= self.n_slots {
            return None;
        }
        self.next = doc + 1;
        Some(Posting { doc, counts })
    }
}
