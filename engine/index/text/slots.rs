//! Which document stands in which slot: postings and lengths name documents by slots, and these stay where documents come and go.
//!
//! In an index that was built whole, slots are documents. Later a new document has a slot behind all others, and that of one that went stays
//! empty: so what comes or goes changes its own terms and nothing of the postings of others.

use super::bytes::u32_at;

/// Bytes of a run: three numbers.
const RUN: usize = 12;

/// More runs than these are better built whole.
const MAX_RUNS: usize = 1_024;

/// A slot without a document.
pub(super) const EMPTY: u32 = u32::MAX;

/// Slots and documents as runs: so many consecutive slots have consecutive documents. Nothing where all slots are documents.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slots<'a> {
    /// First slot, its document, how many; in order of slots.
    by_slot: &'a [u8],
    /// First document, its slot, how many; in order of documents.
    by_doc: &'a [u8],
}

impl<'a> Slots<'a> {
    /// Reads what [`runs`] gave; none where these are no whole runs.
    pub(super) fn open(by_slot: &'a [u8], by_doc: &'a [u8]) -> Option<Self> {
        let are_runs = by_slot.len() == by_doc.len() && by_slot.len().is_multiple_of(RUN);
        are_runs.then_some(Self { by_slot, by_doc })
    }

    /// Whether slots are documents.
    pub(super) fn are_docs(&self) -> bool {
        self.by_slot.is_empty()
    }

    /// The document in a slot.
    pub(super) fn doc(&self, slot: u32) -> Option<u32> {
        if self.are_docs() { Some(slot) } else { find(self.by_slot, slot) }
    }

    /// The slot of a document.
    pub(super) fn slot(&self, doc: u32) -> Option<u32> {
        if self.are_docs() { Some(doc) } else { find(self.by_doc, doc) }
    }
}

/// What the run says of a number.
fn find(runs: &[u8], number: u32) -> Option<u32> {
    let first = |run: usize| u32_at(runs, 3 * run).unwrap_or(u32::MAX);
    let (mut low, mut high) = (0, runs.len() / RUN);
    while low < high {
        let middle = low.midpoint(high);
        if first(middle) <= number {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let run = low.checked_sub(1)?;
    let place = number.checked_sub(first(run))?;
    if place < u32_at(runs, 3 * run + 2)? { u32_at(runs, 3 * run + 1)?.checked_add(place) } else { None }
}

/// The runs of slots that have these documents, by slot and by document; none where they are too many or no slot has one.
pub(super) fn runs(docs: &[u32]) -> Option<(Vec<u8>, Vec<u8>)> {
    if docs.iter().zip(0..).all(|(doc, slot)| *doc == slot) {
        return Some(Default::default());
    }
    let mut runs: Vec<[u32; 3]> = Vec::new();
    for (doc, slot) in docs.iter().zip(0..).filter(|(doc, _)| **doc != EMPTY) {
        match runs.last_mut() {
            Some([first, to, length]) if *first + *length == slot && *to + *length == *doc => *length += 1,
            _ => runs.push([slot, *doc, 1]),
        }
    }
    let mut by_doc: Vec<[u32; 3]> = runs.iter().map(|[slot, doc, length]| [*doc, *slot, *length]).collect();
    by_doc.sort_unstable();
    let bytes = |runs: &[[u32; 3]]| runs.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    (1..=MAX_RUNS).contains(&runs.len()).then(|| (bytes(&runs), bytes(&by_doc)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_document_is_found_in_its_slot() {
        // The third document went, one came in front of all, and one before the last.
        let docs = [1, 2, EMPTY, 3, 5, 0, 4];
        let (by_slot, by_doc) = runs(&docs).expect("few runs");
        let slots = Slots::open(&by_slot, &by_doc).expect("runs");
        let found: Vec<Option<u32>> = (0..8).map(|slot| slots.doc(slot)).collect();
        assert_eq!(found, [Some(1), Some(2), None, Some(3), Some(5), Some(0), Some(4), None]);
        let found: Vec<Option<u32>> = (0..7).map(|doc| slots.slot(doc)).collect();
        assert_eq!(found, [Some(5), Some(0), Some(1), Some(3), Some(6), Some(4), None]);
        assert_eq!(runs(&[0, 1, 2]), Some((Vec::new(), Vec::new())));
        assert!(runs(&[EMPTY]).is_none());
        assert!(runs(&(0..4_000).rev().collect::<Vec<u32>>()).is_none());
        assert!(Slots::open(&by_slot, &by_doc[..RUN]).is_none() && Slots::open(&by_slot[1..], &by_doc[1..]).is_none());
    }
}
