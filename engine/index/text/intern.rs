//! Gives byte strings small numbers, fast and without an allocation each.
//!
//! Numbers follow the order of arrival, so nothing that leaves the program may depend on them.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The hash under which a string is filed, another in every process.
///
/// Names come from strangers: under a known hash a file of a megabyte could be written whose names all collide.
/// No order and no output depends on it.
pub(super) fn hash_of(bytes: &[u8]) -> u32 {
    static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));
    xxh3_64_with_seed(bytes, *SEED) as u32
}

/// A hash table from strings kept elsewhere to their numbers; clearing it costs nothing.
pub(super) struct SlotTable {
    slots: Vec<Slot>,
    /// Slots of other epochs are free.
    epoch: u32,
    n_used: usize,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    epoch: u32,
    hash: u32,
    index: u32,
}

/// Slots of a new table: enough for an ordinary source file, and a power of two as the mask needs it.
const FIRST_SLOTS: usize = 4096;

impl Default for SlotTable {
    fn default() -> Self {
        Self { slots: vec![Slot::default(); FIRST_SLOTS], epoch: 1, n_used: 0 }
    }
}

impl SlotTable {
    /// Forgets all entries.
    pub(super) fn clear(&mut self) {
        self.n_used = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.slots.fill(Slot::default());
            self.epoch = 1;
        }
    }

    /// The index filed under `hash` that `same` accepts.
    pub(super) fn find(&self, hash: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.epoch != self.epoch {
                return None;
            }
            if slot.hash == hash && same(slot.index) {
                return Some(slot.index);
            }
            at = (at + 1) & mask;
        }
    }

    /// The index filed under `hash` that `same` accepts; if there is none, files and gives `next`.
    pub(super) fn index(&mut self, hash: u32, next: u32, same: impl Fn(u32) -> bool) -> u32 {
        // At most half full, so that probes stay short.
        if self.n_used * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.epoch != self.epoch {
                self.slots[at] = Slot { epoch: self.epoch, hash, index: next };
                self.n_used += 1;
                return next;
            }
            if slot.hash == hash && same(slot.index) {
                return slot.index;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let n_slots = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); n_slots]);
        let mask = n_slots - 1;
        for slot in old.into_iter().filter(|slot| slot.epoch == self.epoch) {
            let mut at = slot.hash as usize & mask;
            while self.slots[at].epoch == self.epoch {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

/// Distinct terms, numbered from 0 in order of arrival.
pub(super) struct Terms {
    table: SlotTable,
    bytes: Vec<u8>,
    /// Where each term begins in `bytes`, and after the last one its end.
    bounds: Vec<u32>,
}

impl Default for Terms {
    fn default() -> Self {
        Self { table: SlotTable::default(), bytes: Vec::new(), bounds: vec![0] }
    }
}

impl Terms {
    /// The number of the term, new or known.
    pub(super) fn id(&mut self, term: &[u8]) -> u32 {
        let next = self.len() as u32;
        let (bytes, bounds) = (&self.bytes, &self.bounds);
        let id = self.table.index(hash_of(term), next, |id| term_at(bytes, bounds, id) == term);
        if id == next {
            self.bytes.extend_from_slice(term);
            self.bounds.push(self.bytes.len() as u32);
        }
        id
    }

    /// The term of a number that [`Self::id`] gave.
    pub(super) fn get(&self, id: u32) -> &[u8] {
        term_at(&self.bytes, &self.bounds, id)
    }

    /// How many terms there are.
    pub(super) fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Forgets all terms and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.bytes.clear();
        self.bounds.truncate(1);
    }

    /// Writes the numbers of all terms into `order`, in byte order of the terms, each behind its sort key.
    pub(super) fn sort_into(&self, order: &mut Vec<(u64, u32)>) {
        order.clear();
        order.extend((0..self.len() as u32).map(|id| (leading_bytes(self.get(id)), id)));
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| self.get(a.1).cmp(self.get(b.1))));
    }
}

fn term_at<'t>(bytes: &'t [u8], bounds: &[u32], id: u32) -> &'t [u8] {
    &bytes[bounds[id as usize] as usize..bounds[id as usize + 1] as usize]
}

/// The first eight bytes as a number that sorts like them: most comparisons end here, without a look at the term.
fn leading_bytes(term: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let n = term.len().min(bytes.len());
    bytes[..n].copy_from_slice(&term[..n]);
    u64::from_be_bytes(bytes)
}
