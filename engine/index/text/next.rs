//! Makes the index of documents of which most stand in an index before: others may have come between them, changed or gone.
//!
//! The old dictionary is read once from end to end, with the terms of new documents merged in. Nothing is asked of the words of the documents
//! that stay or go.

use super::FIELDS;
use super::bytes::{Reader, put_counts, put_varint};
use super::file::TextFacts;
use super::index::{Entry, TextIndex};
use super::patch::{Changed, Edit, Edits};
use super::sections::{Dictionary, Lengths, Section};

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

/// The room that a section is given which grows from an old one.
fn room_of(section: &[u8]) -> usize {
    section.len() + section.len() / SPARE
}

/// The sections of the index of `docs`, exactly those that a build from the words of all of them would give.
///
/// `None` where old documents are not in their order, each at most once, or the index is damaged: then only a build from all words helps.
pub fn next(index: &TextIndex<'_>, docs: &[Doc<'_>]) -> Option<Vec<Section>> {
    let mut places = vec![GONE; index.n_docs() as usize];
    let mut lengths: Vec<Lengths> = Vec::with_capacity(docs.len());
    let mut new: Vec<Changed<'_>> = Vec::new();
    let nothing = TextFacts::default();
    let mut next_old = 0;
    for (doc, number) in docs.iter().zip(0..) {
        match doc {
            Doc::Old(old) => {
                *places.get_mut(*old as usize).filter(|_| *old >= next_old)? = number;
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
    let mut dictionary = Dictionary::with_room(room_of(index.blocks), room_of(index.terms));
    let mut postings = Vec::with_capacity(room_of(index.postings));
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
    for _ in 0..entry.n_docs {
        old = old.checked_add(reader.varint()?)?;
        let counts = reader.left();
        reader.counts()?;
        let counts = &counts[..counts.len() - reader.left().len()];
        let doc = *places.get(old as usize)?;
        old += 1;
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
