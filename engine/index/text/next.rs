//! Makes the index of documents of which most stand in an index before: others may have come between them, changed or gone.
//!
//! The old dictionary is read once from end to end, with the terms of new documents merged in. Nothing is asked of the words of the documents
//! that stay or go.

use super::FIELDS;
use super::bytes::{Reader, put_counts, put_varint};
use super::file::TextFacts;
use super::index::{Entry, TextIndex};
use super::patch::{Changed, Edit, Edits, Part, patch_slots};
use super::sections::{BY_DOC, BY_SLOT, Dictionary, Lengths, Section};
use super::slots::{EMPTY, runs};
use cache::Piece;
use std::ops::Range;

/// A document of the next index.
#[derive(Debug, Clone, Copy)]
pub enum Doc<'a> {
    /// One of the index before.
    Old(u32),
    /// A new or changed one, by its words.
    New(&'a TextFacts),
}

/// A document of the index before that the next one does not have.
const GONE: u32 = u32::MAX;

/// One part in so many that a section may grow before it is moved in memory: a few documents change less.
const SPARE: usize = 16;

/// One part in so many of all documents is the most that may be empty slots besides a few: what is kept as pieces gives none back.
const EMPTY_SHARE: usize = 8;
const MIN_EMPTY: usize = 64;

/// The room that a section is given which grows from an old one.
fn room_of(n_bytes: usize) -> usize {
    n_bytes + n_bytes / SPARE
}

/// The sections of the index of `docs`, exactly those that a build from the words of all of them would give.
///
/// `None` where old documents are not in their order, each at most once, or the index is damaged: then only a build from all words helps.
pub fn next(index: &TextIndex<'_>, docs: &[Doc<'_>]) -> Option<Vec<Section>> {
    let mut places = vec![GONE; index.n_slots() as usize];
    let mut lengths: Vec<Lengths> = Vec::with_capacity(docs.len());
    let mut new: Vec<Changed<'_>> = Vec::new();
    let nothing = TextFacts::default();
    let mut next_old = 0;
    for (doc, number) in docs.iter().zip(0..) {
        match doc {
            Doc::Old(old) => {
                *places.get_mut(index.slots.slot(*old)? as usize).filter(|_| *old >= next_old)? = number;
                next_old = old + 1;
                lengths.push(FIELDS.map(|field| index.length(*old, field)));
            }
            Doc::New(words) => {
                new.push(Changed { doc: number, old: &nothing, new: words });
                lengths.push(words.lengths());
            }
        }
    }
    let edits = Edits::of(&new);
    let mut edits = edits.by_term().peekable();
    let mut dictionary = Dictionary::with_room(room_of(index.blocks.len()), room_of(index.terms.len()));
    let mut postings = Vec::with_capacity(room_of(index.postings.len()));
    let mut put = |term: &[u8], entry: &Entry<'_>, edits: &[Edit]| {
        let start = postings.len();
        let n_docs = renumbered(entry, &places, edits, &mut postings)?;
        if n_docs > 0 {
            dictionary.add(term, n_docs, (postings.len() - start) as u32);
        }
        Some(())
    };
    index.for_each_entry(|term, entry| {
        while let Some((new, edits)) = edits.next_if(|&(other, _)| other < term) {
            put(new, &Entry::default(), edits)?;
        }
        let edits = edits.next_if(|&(other, _)| other == term).map_or(&[][..], |(_, edits)| edits);
        put(term, &entry, edits)
    })?;
    for (new, edits) in edits {
        put(new, &Entry::default(), edits)?;
    }
    Some(dictionary.finish(postings, &lengths))
}

/// The same, as pieces of what the sections were: new documents get new slots, those of documents that went stay empty. `words` gives the words
/// of an old document.
///
/// `None` also where that is not to be had, and where so much came and went that all are better written again.
pub fn next_parts(index: &TextIndex<'_>, docs: &[Doc<'_>], words: &dyn Fn(u32) -> Option<TextFacts>) -> Option<Vec<Part>> {
    let mut slots = NextSlots { index, docs: vec![EMPTY; index.n_slots() as usize], changes: Vec::new() };
    let (mut next_old, mut came) = (0, Vec::new());
    for (doc, number) in docs.iter().zip(0..) {
        match doc {
            Doc::Old(old) if *old >= next_old => {
                slots.settle(next_old..*old, &mut came)?;
                *slots.docs.get_mut(index.slots.slot(*old)? as usize)? = number;
                next_old = old + 1;
            }
            Doc::Old(_) => return None,
            Doc::New(words) => came.push((number, *words)),
        }
    }
    slots.settle(next_old..index.n_docs(), &mut came)?;
    let NextSlots { docs: by_slot, mut changes, .. } = slots;
    changes.sort_unstable_by_key(|(slot, ..)| *slot);
    let nothing = TextFacts::default();
    let words = |old: &Option<u32>| old.map_or_else(|| Some(TextFacts::default()), words);
    let old: Option<Vec<TextFacts>> = changes.iter().map(|(_, old, _)| words(old)).collect();
    let old = old?;
    let both = changes.iter().zip(&old);
    let changed: Vec<Changed<'_>> =
        both.map(|((slot, _, new), old)| Changed { doc: *slot, old, new: new.unwrap_or(&nothing) }).collect();
    if by_slot.len() > docs.len() + docs.len() / EMPTY_SHARE + MIN_EMPTY {
        return None;
    }
    let mut parts = patch_slots(index, &changed, docs.len() as u32)?;
    let (by_slot, by_doc) = runs(&by_slot)?;
    parts.extend([(BY_SLOT, vec![Piece::New(by_slot)]), (BY_DOC, vec![Piece::New(by_doc)])]);
    Some(parts)
}

/// Slots of the next index while its documents are gone through.
struct NextSlots<'i, 'd> {
    index: &'i TextIndex<'i>,
    /// The document of each slot.
    docs: Vec<u32>,
    /// Slots with other words than before, with the document that was there and the words that are.
    changes: Vec<(u32, Option<u32>, Option<&'d TextFacts>)>,
}

impl<'d> NextSlots<'_, 'd> {
    /// Gives slots to what came where these documents went: theirs, as long as there are any.
    fn settle(&mut self, gone: Range<u32>, came: &mut Vec<(u32, &'d TextFacts)>) -> Option<()> {
        let mut came = came.drain(..);
        for old in gone {
            let (slot, new) = (self.index.slots.slot(old)?, came.next());
            if let Some((doc, _)) = new {
                *self.docs.get_mut(slot as usize)? = doc;
            }
            self.changes.push((slot, Some(old), new.map(|(_, words)| words)));
        }
        for (doc, words) in came {
            self.changes.push((self.docs.len() as u32, None, Some(words)));
            self.docs.push(doc);
        }
        Some(())
    }
}

/// Writes the postings of a term with the numbers that documents have in the next index, and those of new documents between them; gives how
/// many there are.
fn renumbered(entry: &Entry<'_>, places: &[u32], edits: &[Edit], out: &mut Vec<u8>) -> Option<u32> {
    let mut reader = Reader::new(entry.postings);
    let (mut n_docs, mut next_doc) = (0, 0);
    let mut put_gap = |out: &mut Vec<u8>, doc: u32| {
        put_varint(out, doc - next_doc);
        next_doc = doc + 1;
        n_docs += 1;
    };
    let mut edits = edits.iter().filter_map(|edit| Some((edit.doc, edit.new?))).peekable();
    let mut old = 0_u32;
    let mut next = || {
        old = old.checked_add(reader.varint()?)?;
        let counts = reader.left();
        reader.counts()?;
        let counts = &counts[..counts.len() - reader.left().len()];
        let doc = *places.get(old as usize)?;
        old += 1;
        Some((doc, counts))
    };
    let all: Option<Vec<(u32, &[u8])>> = (0..entry.n_docs).map(|_| next()).collect();
    let mut all = all?;
    if !all.is_sorted_by_key(|(doc, _)| *doc) {
        all.sort_unstable_by_key(|(doc, _)| *doc);
    }
    for (doc, counts) in all {
        if doc == GONE {
            continue;
        }
        while let Some((doc, counts)) = edits.next_if(|(new, _)| *new < doc) {
            put_gap(out, doc);
            put_counts(out, counts);
        }
        put_gap(out, doc);
        out.extend_from_slice(counts);
    }
    for (doc, counts) in edits {
        put_gap(out, doc);
        put_counts(out, counts);
    }
    reader.left().is_empty().then_some(n_docs)
}
