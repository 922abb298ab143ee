//! Reads one file: which words stand in it, in which fields and how often.
//!
//! Must not know other files, languages or scores: which bytes are comments or names it is told.

use super::bytes::{Reader, put_counts, put_term};
use super::intern::{SlotTable, Terms, hash_of};
use super::sections::Lengths;
use super::words::{Cutter, MAX_WORD, next_run};
use super::{Counts, Field, N_FIELDS};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// The words of one file, as small as they are cached.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TextFacts {
    /// Names, numbers and words in each field, repetitions included; a name of several parts is one.
    lengths: Lengths,
    /// For each distinct term, in byte order: the term, shortened by what it shares with the one before, and its counts.
    terms: Vec<u8>,
}

/// [`TextFacts`] as they are stored, for who passes over them: a list of bytes is not taken apart.
#[derive(Deserialize)]
pub struct StoredFacts<'a> {
    _lengths: Lengths,
    _terms: &'a [u8],
}

/// A stretch of bytes that belongs to a field other than the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zone {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// The field to which its words count.
    pub field: Field,
}

impl TextFacts {
    /// Words in a field, repetitions included; a name of several parts is one.
    pub fn length(&self, field: Field) -> u32 {
        self.lengths[field as usize]
    }

    /// The same for every field.
    pub(super) fn lengths(&self) -> Lengths {
        self.lengths
    }

    /// Calls `each` with every distinct term in byte order; ends early where the bytes are damaged.
    pub(super) fn for_each(&self, mut each: impl FnMut(&[u8], Counts)) {
        let mut reader = Reader::new(&self.terms);
        let mut term = Vec::new();
        while reader.term(&mut term).is_some() {
            match reader.counts() {
                Some(counts) if term.len() <= MAX_WORD => each(&term, counts),
                _ => return,
            }
        }
    }
}

/// The words of one file.
///
/// Zones and masked ranges are in bytes of `text`, each sorted and free of overlaps; zones that are not are clipped.
/// Words in masked ranges are not read. A boundary of a zone or mask ends a word.
pub fn text_facts(path: &str, text: &[u8], zones: &[Zone], masked: &[(usize, usize)]) -> TextFacts {
    bounded_text_facts(path, text, zones, masked).0
}

/// The words of a file of which only some were looked for: so often each of these stands in it, among about `n_words`.
pub fn found_facts(path: &str, found: &[(&str, u32)], n_words: u32) -> TextFacts {
    let mut facts = SCRATCH.with_borrow_mut(|scratch| scratch.read_found(path, found));
    let length = &mut facts.lengths[Field::Body as usize];
    *length = n_words.max(*length);
    facts
}

/// [`text_facts`], and whether there were more different words than are kept of a file; the first are.
pub fn bounded_text_facts(path: &str, text: &[u8], zones: &[Zone], masked: &[(usize, usize)]) -> (TextFacts, bool) {
    SCRATCH.with_borrow_mut(|scratch| (scratch.read(path, text, zones, masked), scratch.runs.is_full()))
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The most different names and words of a file, which take 50 MB while it is read: a list of all files of a large repository has fewer.
pub(crate) const MAX_WORDS: usize = 100_000;

/// Tables that one file after the other fills.
///
/// Runs are counted as they are written first and cut into terms afterwards: a file repeats its names about ten times,
/// and cutting costs more than counting.
#[derive(Default)]
struct Scratch {
    runs: Runs,
    terms: Terms,
    /// By number of the term.
    counts: Vec<Counts>,
    cutter: Cutter,
    order: Vec<(u64, u32)>,
}

#[derive(Default)]
struct Runs {
    table: SlotTable,
    distinct: Vec<Run>,
    lengths: [u32; N_FIELDS],
}

/// A name as written, and how often it stands in each field.
struct Run {
    start: u32,
    n_bytes: u32,
    counts: Counts,
}

impl Run {
    fn of<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.start as usize..][..self.n_bytes as usize]
    }
}

impl Scratch {
    fn read(&mut self, path: &str, text: &[u8], zones: &[Zone], masked: &[(usize, usize)]) -> TextFacts {
        let mut lengths = self.begin(path);
        // Runs are filed by 32-bit offsets; no file that is read comes near.
        let text = &text[..text.len().min(u32::MAX as usize)];
        self.runs.count(text, |runs, text| {
            for_each_segment(text.len(), zones, masked, |start, end, field| runs.count_words(text, start, end, field));
        });
        self.cut_runs(text);
        for (sum, n) in lengths.iter_mut().zip(self.runs.lengths) {
            *sum += n;
        }
        TextFacts { lengths, terms: self.encode() }
    }

    /// The words of a path, and of a text in which each of these stands so often.
    fn read_found(&mut self, path: &str, found: &[(&str, u32)]) -> TextFacts {
        let mut lengths = self.begin(path);
        for (word, n) in found {
            let mut counts = Counts::default();
            counts[Field::Body as usize] = u8::try_from(*n).unwrap_or(u8::MAX);
            cut_run(&mut self.cutter, &mut self.terms, &mut self.counts, word.as_bytes(), counts);
            lengths[Field::Body as usize] = lengths[Field::Body as usize].saturating_add(*n);
        }
        TextFacts { lengths, terms: self.encode() }
    }

    /// Starts with the words of a path, and gives how many there are.
    fn begin(&mut self, path: &str) -> Lengths {
        self.terms.clear();
        self.counts.clear();
        self.runs.count(path.as_bytes(), |runs, path| runs.count_words(path, 0, path.len(), Field::Path));
        self.cut_runs(path.as_bytes());
        self.runs.lengths
    }

    /// Adds the terms of all counted runs.
    fn cut_runs(&mut self, text: &[u8]) {
        let Self { runs, terms, counts, cutter, .. } = self;
        for run in &runs.distinct {
            cut_run(cutter, terms, counts, run.of(text), run.counts);
        }
    }

    fn encode(&mut self) -> Vec<u8> {
        self.terms.sort_into(&mut self.order);
        let mut out = Vec::new();
        let mut before: &[u8] = &[];
        for &(_, id) in &self.order {
            let term = self.terms.get(id);
            put_term(&mut out, before, term);
            put_counts(&mut out, self.counts[id as usize]);
            before = term;
        }
        out.shrink_to_fit();
        out
    }
}

/// Adds the terms of a run that stands in each field so often.
fn cut_run(cutter: &mut Cutter, terms: &mut Terms, counts: &mut Vec<Counts>, run: &[u8], n: Counts) {
    cutter.cut(run, |term, _| {
        let id = terms.id(term.as_bytes()) as usize;
        if id == counts.len() {
            counts.push(Counts::default());
        }
        for (sum, n) in counts[id].iter_mut().zip(n) {
            *sum = sum.saturating_add(n);
        }
    });
}

impl Runs {
    /// Whether there may have been more than are kept.
    fn is_full(&self) -> bool {
        self.distinct.len() >= MAX_WORDS
    }

    /// Starts again and lets `fill` count the words of `text`.
    fn count<'t>(&mut self, text: &'t [u8], fill: impl FnOnce(&mut Self, &'t [u8])) {
        self.table.clear();
        self.distinct.clear();
        self.lengths = [0; N_FIELDS];
        fill(self, text);
    }

    fn count_words(&mut self, text: &[u8], start: usize, end: usize, field: Field) {
        let field = field as usize;
        let segment = &text[..end];
        let mut at = start;
        while let Some((start, end)) = next_run(segment, at) {
            at = end;
            let run = &segment[start..end];
            let next = self.distinct.len() as u32;
            let known = &self.distinct;
            let same = |index: u32| known[index as usize].of(text) == run;
            let index = if self.is_full() {
                let Some(index) = self.table.find(hash_of(run), same) else { continue };
                index
            } else {
                self.table.index(hash_of(run), next, same)
            };
            if index == next {
                self.distinct.push(Run { start: start as u32, n_bytes: run.len() as u32, counts: Counts::default() });
            }
            let count = &mut self.distinct[index as usize].counts[field];
            *count = count.saturating_add(1);
            self.lengths[field] += 1;
        }
    }
}

/// Calls `each` with the stretches of a text of `n_bytes` that are not masked, in order, with their field.
fn for_each_segment(n_bytes: usize, zones: &[Zone], masked: &[(usize, usize)], mut each: impl FnMut(usize, usize, Field)) {
    let mut masks = masked.iter().copied().peekable();
    let mut unmasked = |mut from: usize, to: usize, field: Field| {
        while from < to {
            while masks.next_if(|&(_, end)| end <= from).is_some() {}
            let (start, end) = masks.peek().map_or((to, to), |&(start, end)| (start.clamp(from, to), end.max(start)));
            if start > from {
                each(from, start, field);
            }
            from = if start < to { end } else { to };
        }
    };
    let mut at = 0;
    for zone in zones {
        let start = zone.start.clamp(at, n_bytes);
        let end = zone.end.clamp(start, n_bytes);
        unmasked(at, start, Field::Body);
        unmasked(start, end, zone.field);
        at = end;
    }
    unmasked(at, n_bytes, Field::Body);
}

#[cfg(test)]
mod tests {
    use super::{found_facts, text_facts};

    #[test]
    fn words_that_were_counted_are_those_of_a_text_that_has_them_so_often() {
        let found = [("token", 3), ("skiplogs", 1), ("v2", 2), ("\u{767b}\u{5f55}", 300)];
        let text: Vec<&str> = found.iter().flat_map(|(word, n)| std::iter::repeat_n(*word, *n as usize)).collect();
        let path = "auth/token.go";
        assert_eq!(found_facts(path, &found, 1), text_facts(path, text.join(" ").as_bytes(), &[], &[]));
    }
}
