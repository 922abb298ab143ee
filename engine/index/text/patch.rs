//! Makes the index of changed documents out of the index before, without the words of those that stayed as they were.
//!
//! The old dictionary is read once from end to end, with the changed terms merged in. Postings in which nothing changed,
//! nearly all of them, are copied as bytes.

use super::bytes::{put_counts, put_varint};
use super::file::TextFacts;
use super::index::{Entry, TextIndex};
use super::intern::Terms;
use super::sections::{Dictionary, Lengths, Section};
use super::{Counts, FIELDS};

/// A document whose words changed.
#[derive(Debug, Clone, Copy)]
pub struct Changed<'a> {
    /// The document.
    pub doc: u32,
    /// Its words when the index was built.
    pub old: &'a TextFacts,
    /// Its words now.
    pub new: &'a TextFacts,
}

/// One part in so many that a section may grow before it is moved in memory: a few documents change less.
const SPARE: usize = 16;

/// The room that a section is given which grows from an old one.
pub(super) fn room_of(section: &[u8]) -> usize {
    section.len() + section.len() / SPARE
}

/// The sections of an index of which some documents have changed, exactly those that a build from the words of all
/// documents would give.
///
/// Changes are in the order of their documents, each of which stands there once.
///
/// `None` when they are not, when a change's old words do not fit the index, or when the index is damaged: then only a
/// build from all words helps. Old words fit when the document has their lengths and, of the terms that the change
/// touches, exactly their counts; terms that old and new words have alike are not looked up. Damage is seen in the
/// dictionary and in the postings of terms that the change touches; other postings are not read.
pub fn patch(index: &TextIndex<'_>, changes: &[Changed<'_>]) -> Option<Vec<Section>> {
    let lengths = patched_lengths(index, changes)?;
    let edits = Edits::of(changes);
    let mut edits = edits.by_term().peekable();
    let mut out = Patched::with_room_of(index);
    index.for_each_entry(|term, entry| {
        while let Some((new, edits)) = edits.next_if(|&(other, _)| other < term) {
            out.edit(index, new, &Entry::default(), edits)?;
        }
        match edits.next_if(|&(other, _)| other == term) {
            Some((_, edits)) => out.edit(index, term, &entry, edits)?,
            None => out.copy(term, &entry),
        }
        Some(())
    })?;
    for (new, edits) in edits {
        out.edit(index, new, &Entry::default(), edits)?;
    }
    Some(out.dictionary.finish(out.postings, &lengths))
}

/// The lengths of all documents after the changes.
fn patched_lengths(index: &TextIndex<'_>, changes: &[Changed<'_>]) -> Option<Vec<Lengths>> {
    if !changes.is_sorted_by(|change, next| change.doc < next.doc) {
        return None;
    }
    let mut lengths: Vec<Lengths> = (0..index.n_docs).map(|doc| FIELDS.map(|field| index.length(doc, field))).collect();
    for change in changes {
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
    pub(super) fn by_term(&self) -> impl Iterator<Item = (&[u8], &[Edit])> {
        let terms = self.all.chunk_by(|edit, next| edit.term == next.term);
        terms.map(|edits| (self.terms.get(self.order[edits[0].term as usize].1), edits))
    }
}

/// The sections while they are written.
struct Patched {
    dictionary: Dictionary,
    postings: Vec<u8>,
}

impl Patched {
    fn with_room_of(index: &TextIndex<'_>) -> Self {
        let dictionary = Dictionary::with_room(room_of(index.blocks), room_of(index.terms));
        Self { dictionary, postings: Vec::with_capacity(room_of(index.postings)) }
    }

    /// Adds a term as it was.
    fn copy(&mut self, term: &[u8], entry: &Entry<'_>) {
        self.postings.extend_from_slice(entry.postings);
        self.dictionary.add(term, entry.n_docs, entry.postings.len() as u32);
    }

    /// Adds a term with its edits made, or leaves it out when no document has it any more.
    fn edit(&mut self, index: &TextIndex<'_>, term: &[u8], entry: &Entry<'_>, edits: &[Edit]) -> Option<()> {
        let start = self.postings.len();
        let (mut n_docs, mut next_doc) = (0, 0);
        let mut put = |doc, counts| {
            if let Some(counts) = counts {
                put_varint(&mut self.postings, doc - next_doc);
                put_counts(&mut self.postings, counts);
                n_docs += 1;
                next_doc = doc + 1;
            }
        };
        let mut edits = edits.iter().peekable();
        let mut n_read = 0;
        for posting in index.postings(entry) {
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
            self.dictionary.add(term, n_docs, (self.postings.len() - start) as u32);
        }
        Some(())
    }
}

impl Edit {
    /// Something where the index has the counts that the edit takes for the old ones.
    fn fits(&self, counts: Option<Counts>) -> Option<()> {
        (self.old == counts).then_some(())
    }
}
