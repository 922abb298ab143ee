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
    /// Reads what [`runs`] gave for so many documents; none where each document does not stand in one slot, and that where it says.
    pub(super) fn open(by_slot: &'a [u8], by_doc: &'a [u8], n_docs: u32) -> Option<Self> {
        let n_runs = by_slot.len() / RUN;
        let are_runs = by_slot.len() == by_doc.len() && by_slot.len().is_multiple_of(RUN) && n_runs <= MAX_RUNS;
        let run = |runs: &[u8], at: usize| Some([u32_at(runs, 3 * at)?, u32_at(runs, 3 * at + 1)?, u32_at(runs, 3 * at + 2)?]);
        let (mut next_slot, mut next_doc, mut n_in_slots) = (0_u32, 0_u32, 0_u32);
        for at in 0..if are_runs { n_runs } else { 0 } {
            let ([slot, in_slot, length], [doc, _, n_of_doc]) = (run(by_slot, at)?, run(by_doc, at)?);
            // Documents follow one another without a gap, slots may have some.
            let follows = length > 0 && slot >= next_slot && doc == next_doc;
            (next_slot, next_doc) = (slot.checked_add(length)?, doc.checked_add(n_of_doc)?);
            // Both ends of a run stand in one run of the other list.
            let is_one = |by: u32| find(by_doc, in_slot.checked_add(by)?).filter(|found| *found == slot + by);
            (follows && is_one(0).is_some() && is_one(length - 1).is_some()).then_some(())?;
            n_in_slots = n_in_slots.checked_add(length)?;
        }
        (are_runs && (n_runs == 0 || [next_doc, n_in_slots] == [n_docs; 2])).then_some(Self { by_slot, by_doc })
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
        let slots = Slots::open(&by_slot, &by_doc, 6).expect("runs");
        let found: Vec<Option<u32>> = (0..8).map(|slot| slots.doc(slot)).collect();
        assert_eq!(found, [Some(1), Some(2), None, Some(3), Some(5), Some(0), Some(4), None]);
        let found: Vec<Option<u32>> = (0..7).map(|doc| slots.slot(doc)).collect();
        assert_eq!(found, [Some(5), Some(0), Some(1), Some(3), Some(6), Some(4), None]);
        assert_eq!(runs(&[0, 1, 2]), Some((Vec::new(), Vec::new())));
        assert!(runs(&[EMPTY]).is_none());
        assert!(runs(&(0..4_000).rev().collect::<Vec<u32>>()).is_none());
        assert!(Slots::open(&by_slot, &by_doc[..RUN], 6).is_none() && Slots::open(&by_slot[1..], &by_doc[1..], 6).is_none());
        assert!(Slots::open(&by_slot, &by_doc, 7).is_none());
        for at in (0..by_slot.len()).step_by(4) {
            let mut damaged = [by_slot.clone(), by_doc.clone()];
            for (list, bytes) in damaged.iter_mut().enumerate() {
                bytes[at] ^= 1;
                let [one, other] = if list == 0 { [&bytes[..], &by_doc] } else { [&by_slot, &bytes[..]] };
                let opened = Slots::open(one, other, 6);
                // What is taken has each document once.
                let mut docs: Vec<u32> = (0..9).filter_map(|slot| opened?.doc(slot)).collect();
                docs.sort_unstable();
                assert!(docs.is_sorted_by(|one, next| one < next), "{docs:?}");
            }
        }
    }
}
