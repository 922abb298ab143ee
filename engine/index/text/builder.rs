//! Folds the text facts of all files into the sections of one index.
//!
//! Must not know paths or where sections are stored: a document is the number of its turn.
//!
//! Postings arrive file by file and leave term by term. They wait in one log of a few bytes each, which two passes
//! turn over: one measures each term's postings, one writes them to their place. So the memory is that of the log and
//! of the result, whatever the number of terms.

use super::bytes::{Reader, put_counts, put_varint, varint_len};
use super::file::TextFacts;
use super::intern::Terms;
use super::sections::{Dictionary, Lengths, Section};

/// Gathers the text facts of files into an index; documents are numbered from 0 in the order they are added.
#[derive(Default)]
pub struct IndexBuilder {
    terms: Terms,
    log: Vec<LogPart>,
    lengths: Vec<Lengths>,
}

/// Some documents' entries in the log. Parts neither move nor are copied while the log grows.
struct LogPart {
    /// For each document in turn, each of its terms as number and counts.
    bytes: Vec<u8>,
    /// The first document.
    first: u32,
    /// For each document where its entries end.
    ends: Vec<usize>,
}

/// Bytes of a part of the log that is full: large beside a document, small beside the log.
const PART_BYTES: usize = 1 << 20;

/// What the first pass over the log learns of a term.
#[derive(Clone, Copy, Default)]
struct Extent {
    n_docs: u32,
    n_bytes: u32,
    /// The lowest document that the next posting can name.
    next_doc: u32,
}

impl IndexBuilder {
    /// Adds the next document and gives its number.
    pub fn add(&mut self, facts: &TextFacts) -> u32 {
        let doc = self.lengths.len() as u32;
        if self.log.last().is_none_or(|part| part.bytes.len() >= PART_BYTES) {
            self.log.push(LogPart { bytes: Vec::with_capacity(PART_BYTES), first: doc, ends: Vec::new() });
        }
        if let Some(part) = self.log.last_mut() {
            facts.for_each(|term, counts| {
                put_varint(&mut part.bytes, self.terms.id(term));
                put_counts(&mut part.bytes, counts);
            });
            part.ends.push(part.bytes.len());
        }
        self.lengths.push(facts.lengths());
        doc
    }

    /// The sections of the index, which depend on the documents and their order alone.
    pub fn finish(self) -> Vec<Section> {
        let mut extents = vec![Extent::default(); self.terms.len()];
        self.for_each_posting(|term, doc, counts| {
            let extent = &mut extents[term as usize];
            // Damaged facts may name a term twice; the first counts.
            if let Some(gap) = doc.checked_sub(extent.next_doc) {
                extent.n_docs += 1;
                extent.n_bytes += (varint_len(gap) + counts.len()) as u32;
                extent.next_doc = doc + 1;
            }
        });
        let mut order = Vec::new();
        self.terms.sort_into(&mut order);
        let (mut dictionary, mut starts) = (Dictionary::default(), vec![0; extents.len()]);
        for (_, id) in order {
            let Extent { n_docs, n_bytes, .. } = extents[id as usize];
            starts[id as usize] = dictionary.add(self.terms.get(id), n_docs, n_bytes);
        }

        let mut postings = vec![0; dictionary.n_bytes()];
        let mut next_docs = vec![0; extents.len()];
        drop(extents);
        let mut posting = Vec::new();
        self.for_each_posting(|term, doc, counts| {
            let term = term as usize;
            if let Some(gap) = u32::checked_sub(doc, next_docs[term]) {
                posting.clear();
                put_varint(&mut posting, gap);
                posting.extend_from_slice(counts);
                let start = starts[term];
                postings[start..start + posting.len()].copy_from_slice(&posting);
                starts[term] += posting.len();
                next_docs[term] = doc + 1;
            }
        });
        dictionary.finish(postings, &self.lengths)
    }

    /// Calls `each` with the term, document and encoded counts of every entry of the log.
    fn for_each_posting(&self, mut each: impl FnMut(u32, u32, &[u8])) {
        self.log.iter().for_each(|part| part.for_each_posting(&mut each));
    }
}

impl LogPart {
    fn for_each_posting(&self, each: &mut impl FnMut(u32, u32, &[u8])) {
        let mut reader = Reader::new(&self.bytes);
        for (doc, &end) in (self.first..).zip(&self.ends) {
            while reader.left().len() > self.bytes.len() - end {
                let Some(term) = reader.varint() else { return };
                let counts = reader.left();
                if reader.counts().is_none() {
                    return;
                }
                each(term, doc, &counts[..counts.len() - reader.left().len()]);
            }
        }
    }
}
