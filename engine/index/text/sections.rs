//! Writes what a new and a patched index must have alike: the names of sections, the dictionary, lengths and totals.

use super::N_FIELDS;
use super::bytes::{put_term, put_varint};
use xxhash_rust::xxh3::xxh3_64;

/// A named part of the index, as it is stored.
pub type Section = (&'static str, Vec<u8>);

/// The section of counts: documents and terms, then for each field the words in all documents and the documents with any.
pub(super) const TOTALS: &str = "text.totals";
/// The section of two numbers a block of terms: where the block begins in [`TERMS`] and where its postings in [`POSTINGS`].
pub(super) const BLOCKS: &str = "text.blocks";
/// The section of all terms in byte order, each with its document frequency and the bytes of its postings.
pub(super) const TERMS: &str = "text.terms";
/// The section of postings: for each term the slots of the documents it stands in, in order, as gaps, with counts.
pub(super) const POSTINGS: &str = "text.postings";
/// The section of document lengths: for each slot one number a field.
pub(super) const LENGTHS: &str = "text.lengths";

/// The sections of which documents stand in which slots: [`super::slots`].
pub(super) const BY_SLOT: &str = "text.by_slot";
pub(super) const BY_DOC: &str = "text.by_doc";

/// Terms in a block on average, the first of which is written in full: more is smaller, fewer is found faster.
const BLOCK_TERMS: u64 = 16;

/// Terms in a block at most: a repository can be written in which no term begins one by itself.
pub(super) const MAX_BLOCK_TERMS: usize = 64;

/// Whether a term begins a block, whatever stands before it: so blocks far from a term that comes or goes stay as they are.
pub(super) fn begins_block(term: &[u8]) -> bool {
    xxh3_64(term).is_multiple_of(BLOCK_TERMS)
}

/// Words of a document in each field, repetitions included.
pub(super) type Lengths = [u32; N_FIELDS];

/// The sections of blocks and terms while they are written.
#[derive(Default)]
pub(super) struct Dictionary {
    blocks: Vec<u8>,
    terms: Vec<u8>,
    n_terms: usize,
    n_in_block: usize,
    /// Bytes of the postings of all terms so far.
    n_bytes: usize,
    /// The term before within the block.
    before: Vec<u8>,
}

impl Dictionary {
    /// An empty one that so many bytes of blocks and of terms do not move in memory.
    pub(super) fn with_room(blocks: usize, terms: usize) -> Self {
        Self { blocks: Vec::with_capacity(blocks), terms: Vec::with_capacity(terms), ..Self::default() }
    }

    /// Adds the next term in byte order, with its documents and the bytes of its postings; gives where these begin.
    pub(super) fn add(&mut self, term: &[u8], n_docs: u32, n_bytes: u32) -> usize {
        let start = self.n_bytes;
        if self.n_terms == 0 || self.n_in_block == MAX_BLOCK_TERMS || begins_block(term) {
            put_u32(&mut self.blocks, self.terms.len() as u32);
            put_u32(&mut self.blocks, start as u32);
            self.before.clear();
            self.n_in_block = 0;
        }
        self.n_in_block += 1;
        put_term(&mut self.terms, &self.before, term);
        put_varint(&mut self.terms, n_docs);
        put_varint(&mut self.terms, n_bytes);
        self.n_terms += 1;
        self.n_bytes += n_bytes as usize;
        term.clone_into(&mut self.before);
        start
    }

    /// Bytes of the postings of all terms.
    pub(super) fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// How many terms there are.
    pub(super) fn n_terms(&self) -> usize {
        self.n_terms
    }

    /// The sections of blocks and terms.
    pub(super) fn into_parts(self) -> (Vec<u8>, Vec<u8>) {
        (self.blocks, self.terms)
    }

    /// All sections of the index, with the postings and for each document its lengths.
    pub(super) fn finish(self, postings: Vec<u8>, lengths: &[Lengths]) -> Vec<Section> {
        let totals = totals(lengths, lengths.len(), self.n_terms);
        let sections =
            [(TOTALS, totals), (BLOCKS, self.blocks), (TERMS, self.terms), (POSTINGS, postings), (LENGTHS, rows(lengths))];
        // Each slot has the document of its number.
        sections.into_iter().chain([(BY_SLOT, Vec::new()), (BY_DOC, Vec::new())]).collect()
    }
}

/// The section of counts; `lengths` are those of all slots, of which so many have a document.
pub(super) fn totals(lengths: &[Lengths], n_docs: usize, n_terms: usize) -> Vec<u8> {
    let mut out = Vec::new();
    put_u32(&mut out, n_docs as u32);
    put_u32(&mut out, n_terms as u32);
    for field in 0..N_FIELDS {
        let lengths = lengths.iter().map(|lengths| lengths[field]).filter(|&n| n > 0);
        let words: u32 = lengths.clone().fold(0, u32::saturating_add);
        put_u32(&mut out, words);
        put_u32(&mut out, lengths.count() as u32);
    }
    out
}

pub(super) fn rows(lengths: &[Lengths]) -> Vec<u8> {
    let mut out = Vec::with_capacity(size_of_val(lengths));
    for &length in lengths.iter().flatten() {
        put_u32(&mut out, length);
    }
    out
}

fn put_u32(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_le_bytes());
}
