//! Makes the index of changed documents out of the index before, without the words of those that stayed as they were.
//!
//! Blocks of terms that nothing touches, nearly all of them, are not read.

use super::bytes::{put_counts, put_varint};
use super::file::TextFacts;
use super::index::{BLOCK_ROW, Entry, TextIndex};
use super::intern::Terms;
use super::sections::{BLOCKS, Dictionary, LENGTHS, Lengths, POSTINGS, TERMS, TOTALS, begins_block, rows, totals};
use super::{Counts, FIELDS};
use cache::Piece;
use std::iter::Peekable;

/// A section as pieces of what it was.
pub(super) type Part = (&'static str, Vec<Piece>);

/// A document whose words changed.
#[derive(Debug, Clone, Copy)]
pub struct Changed<'a> {
    /// The document, or its slot.
    pub doc: u32,
    /// Its words when the index was built.
    pub old: &'a TextFacts,
    /// Its words now.
    pub new: &'a TextFacts,
}

/// The sections of an index of which some documents have changed, as pieces of what they were: they answer as those that a build from the words of
/// all documents would give, to the byte where slots are documents.
///
/// Changes are in the order of their documents, each of which stands there once.
///
/// `None` when they are not, when a change's old words do not fit the index, or when what is read of the index is damaged: then only a
/// build from all words helps. Old words fit when the document has their lengths and, of the terms that the change
/// touches, exactly their counts; terms that old and new words have alike are not looked up. Only blocks of terms that the change touches are
/// read.
pub fn patch(index: &TextIndex<'_>, changes: &[Changed<'_>]) -> Option<Vec<Part>> {
    if !changes.is_sorted_by(|change, next| change.doc < next.doc) {
        return None;
    }
    let mut slots = changes.to_vec();
    for change in &mut slots {
        change.doc = index.slots.slot(change.doc)?;
    }
    slots.sort_unstable_by_key(|change| change.doc);
    patch_slots(index, &slots, index.n_docs)
}

/// The same by slots, which may be new ones behind all others; `n_docs` is how many have a document afterwards.
pub(super) fn patch_slots(index: &TextIndex<'_>, changes: &[Changed<'_>], n_docs: u32) -> Option<Vec<Part>> {
    let lengths = patched_lengths(index, changes)?;
    let edits = Edits::of(changes);
    let mut edits = edits.by_term().peekable();
    let mut out = Patched { n_terms: index.n_terms, ..Patched::default() };
    while let Some((term, _)) = edits.peek() {
        out.edit_blocks(index, index.block_of(term), &mut edits)?;
    }
    out.keep_up_to(index, index.n_blocks())?;
    let totals = vec![Piece::New(totals(&lengths, n_docs as usize, out.n_terms as usize))];
    let lengths = put_lengths(changes, index.n_slots() as usize);
    Some(vec![(TOTALS, totals), (BLOCKS, out.blocks), (TERMS, out.terms), (POSTINGS, out.postings), (LENGTHS, lengths)])
}

/// The pieces of the section of lengths, which had so many slots.
fn put_lengths(changes: &[Changed<'_>], n_slots: usize) -> Vec<Piece> {
    let (mut pieces, mut done) = (Vec::new(), 0);
    for change in changes {
        let slot = (change.doc as usize).min(n_slots);
        pieces.push(Piece::same(done * size_of::<Lengths>()..slot * size_of::<Lengths>()));
        pieces.push(Piece::New(rows(&[change.new.lengths()])));
        done = (slot + 1).min(n_slots);
    }
    pieces.push(Piece::same(done * size_of::<Lengths>()..n_slots * size_of::<Lengths>()));
    pieces
}

/// The lengths of all slots after the changes.
fn patched_lengths(index: &TextIndex<'_>, changes: &[Changed<'_>]) -> Option<Vec<Lengths>> {
    if !changes.is_sorted_by(|change, next| change.doc < next.doc) {
        return None;
    }
    let mut lengths: Vec<Lengths> = (0..index.n_slots()).map(|slot| FIELDS.map(|field| index.length_in(slot, field))).collect();
    for change in changes {
        if change.doc as usize == lengths.len() {
            lengths.push(Lengths::default());
        }
        let lengths = lengths.get_mut(change.doc as usize)?;
        if *lengths != change.old.lengths() {
            return None;
        }
        *lengths = change.new.lengths();
    }
    Some(lengths)
}

/// How often a term stands in a document, before and after a change that makes a difference; `None` if it does not.
pub(super) struct Edit {
    /// The term's place among all of the changes, in byte order.
    term: u32,
    pub(super) doc: u32,
    old: Option<Counts>,
    pub(super) new: Option<Counts>,
}

/// A term with its edits, which are in the order of documents.
pub(super) type TermEdits<'e> = (&'e [u8], &'e [Edit]);

/// What changes do to postings.
pub(super) struct Edits {
    terms: Terms,
    /// The terms' numbers, in byte order of the terms.
    order: Vec<(u64, u32)>,
    /// In order of term and document, one for both.
    all: Vec<Edit>,
}

impl Edits {
    pub(super) fn of(changes: &[Changed<'_>]) -> Self {
        let (mut terms, mut order, mut all) = (Terms::default(), Vec::new(), Vec::new());
        for &Changed { doc, old, new } in changes {
            old.for_each(|term, counts| all.push(Edit { term: terms.id(term), doc, old: Some(counts), new: None }));
            new.for_each(|term, counts| all.push(Edit { term: terms.id(term), doc, old: None, new: Some(counts) }));
        }
        terms.sort_into(&mut order);
        let mut places = vec![0; terms.len()];
        for (&(_, id), place) in order.iter().zip(0..) {
            places[id as usize] = place;
        }
        for edit in &mut all {
            edit.term = places[edit.term as usize];
        }
        // Damaged facts may name a term twice; the first counts, so the sort must be stable.
        all.sort_by_key(|edit| (edit.term, edit.doc));
        all.dedup_by(|edit, first| {
            let is_same = (edit.term, edit.doc) == (first.term, first.doc);
            if is_same {
                first.old = first.old.or(edit.old);
                first.new = first.new.or(edit.new);
            }
            is_same
        });
        all.retain(|edit| edit.old != edit.new);
        Self { terms, order, all }
    }

    /// Each term with its edits, in byte order.
    pub(super) fn by_term(&self) -> impl Iterator<Item = TermEdits<'_>> {
        let terms = self.all.chunk_by(|edit, next| edit.term == next.term);
        terms.map(|edits| (self.terms.get(self.order[edits[0].term as usize].1), edits))
    }
}

/// The sections while they are put together.
#[derive(Default)]
struct Patched {
    blocks: Vec<Piece>,
    terms: Vec<Piece>,
    postings: Vec<Piece>,
    n_terms: u32,
    /// Blocks of the index before that are done.
    done: usize,
    /// How much further behind terms and postings are than they were; numbers wrap.
    moved: [u32; 2],
}

impl Patched {
    /// Takes over the blocks up to this one.
    fn keep_up_to(&mut self, index: &TextIndex<'_>, block: usize) -> Option<()> {
        let (from, to) = (index.block_start(self.done)?, index.block_start(block)?);
        self.blocks.push(Piece::Kept { bytes: self.done * BLOCK_ROW..block * BLOCK_ROW, add: self.moved });
        self.terms.push(Piece::same(from.0..to.0));
        self.postings.push(Piece::same(from.1..to.1));
        self.done = block;
        Some(())
    }

    /// Writes again the blocks from `block` on that edits touch, up to the next one that begins where it does in any case.
    fn edit_blocks<'e>(
        &mut self,
        index: &TextIndex<'_>,
        block: usize,
        edits: &mut Peekable<impl Iterator<Item = TermEdits<'e>>>,
    ) -> Option<()> {
        // Where the first term of a block goes, its others may join the block before.
        let goes = edits
            .peek()
            .is_some_and(|(term, edits)| index.first_term(block) == Some(*term) && edits.iter().all(|edit| edit.new.is_none()));
        let first = if goes && block > self.done { block - 1 } else { block };
        self.keep_up_to(index, first)?;
        let mut again = Again { read: index.block_start(first)?.1, ..Again::default() };
        let (mut end, mut n_old, mut before) = (first, 0, Vec::new());
        while end < index.n_blocks() {
            index.for_each_entry_of(end, &mut before, |term, entry| {
                n_old += 1;
                while let Some((new, edits)) = edits.next_if(|&(other, _)| other < term) {
                    again.edit(index, new, &Entry::default(), edits)?;
                }
                match edits.next_if(|&(other, _)| other == term) {
                    Some((_, edits)) => again.edit(index, term, &entry, edits)?,
                    None => again.copy(term, &entry),
                }
                Some(())
            })?;
            end += 1;
            let Some(next) = index.first_term(end) else { break };
            while let Some((new, edits)) = edits.next_if(|&(other, _)| other < next) {
                again.edit(index, new, &Entry::default(), edits)?;
            }
            if begins_block(next) && edits.peek().is_none_or(|(term, _)| index.block_of(term) != end) {
                break;
            }
        }
        if end == index.n_blocks() {
            for (new, edits) in edits {
                again.edit(index, new, &Entry::default(), edits)?;
            }
        }
        self.put(index, end, n_old, again)
    }

    /// Puts blocks in the place of those up to `end`, which had so many terms.
    fn put(&mut self, index: &TextIndex<'_>, end: usize, n_old: u32, again: Again) -> Option<()> {
        let (from, to) = (index.block_start(self.done)?, index.block_start(end)?);
        let Again { dictionary, postings, .. } = again;
        self.n_terms = (self.n_terms + dictionary.n_terms() as u32).checked_sub(n_old)?;
        let (mut blocks, terms) = dictionary.into_parts();
        let starts = [from.0 as u32, from.1 as u32].into_iter().zip(self.moved).map(|(start, moved)| start.wrapping_add(moved));
        for (number, start) in blocks.as_chunks_mut().0.iter_mut().zip(starts.cycle()) {
            *number = u32::from_le_bytes(*number).wrapping_add(start).to_le_bytes();
        }
        let n_postings: usize = postings.iter().map(Piece::length).sum();
        let grown = [(terms.len(), to.0 - from.0), (n_postings, to.1 - from.1)];
        self.moved = [0, 1].map(|at| self.moved[at].wrapping_add((grown[at].0 as u32).wrapping_sub(grown[at].1 as u32)));
        self.blocks.push(Piece::New(blocks));
        self.terms.push(Piece::New(terms));
        self.postings.extend(postings);
        self.done = end;
        Some(())
    }
}

/// Blocks that are written again.
#[derive(Default)]
struct Again {
    dictionary: Dictionary,
    postings: Vec<Piece>,
    /// Where the postings of the next entry of the index begin.
    read: usize,
}

impl Again {
    /// Adds a term as it was.
    fn copy(&mut self, term: &[u8], entry: &Entry<'_>) {
        let end = self.read + entry.postings.len();
        self.postings.push(Piece::same(self.read..end));
        self.read = end;
        self.dictionary.add(term, entry.n_docs, entry.postings.len() as u32);
    }

    /// Adds a term with its edits made, or leaves it out when no document has it any more.
    fn edit(&mut self, index: &TextIndex<'_>, term: &[u8], entry: &Entry<'_>, edits: &[Edit]) -> Option<()> {
        let mut postings = Vec::with_capacity(entry.postings.len());
        let (mut n_docs, mut next_doc) = (0, 0);
        let mut put = |doc, counts| {
            if let Some(counts) = counts {
                put_varint(&mut postings, doc - next_doc);
                put_counts(&mut postings, counts);
                n_docs += 1;
                next_doc = doc + 1;
            }
        };
        let mut edits = edits.iter().peekable();
        let mut n_read = 0;
        for posting in index.in_slots(entry) {
            while let Some(edit) = edits.next_if(|edit| edit.doc < posting.doc) {
                edit.fits(None)?;
                put(edit.doc, edit.new);
            }
            let counts = Some(posting.counts);
            match edits.next_if(|edit| edit.doc == posting.doc) {
                Some(edit) => {
                    edit.fits(counts)?;
                    put(edit.doc, edit.new);
                }
                None => put(posting.doc, counts),
            }
            n_read += 1;
        }
        for edit in edits {
            edit.fits(None)?;
            put(edit.doc, edit.new);
        }
        if n_read != entry.n_docs {
            return None;
        }
        if n_docs > 0 {
            self.dictionary.add(term, n_docs, postings.len() as u32);
        }
        self.put_postings(entry, &postings);
        Some(())
    }

    /// Adds postings of which most before and behind an edit are those that the entry had.
    fn put_postings(&mut self, entry: &Entry<'_>, postings: &[u8]) {
        let same = |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(one, other)| one == other).count();
        let start = same(&mut entry.postings.iter().zip(postings));
        let (old, new) = (&entry.postings[start..], &postings[start..]);
        let end = same(&mut old.iter().rev().zip(new.iter().rev()));
        let behind = self.read + entry.postings.len();
        self.postings.push(Piece::same(self.read..self.read + start));
        self.postings.push(Piece::New(new[..new.len() - end].to_vec()));
        self.postings.push(Piece::same(behind - end..behind));
        self.read = behind;
    }
}

impl Edit {
    /// Something where the index has the counts that the edit takes for the old ones.
    fn fits(&self, counts: Option<Counts>) -> Option<()> {
        (self.old == counts).then_some(())
    }
}
