//! What edits do to columns: rows that others take the place of, and starts that move on. The rest stays.

use crate::base::{Column, FactBase};
use cache::Piece;
use std::collections::BTreeMap;
use std::ops::Range;

/// A section in pieces of what it was.
pub type Part = (&'static str, Vec<Piece>);

/// Bytes of a column, and what takes their place.
type Replaced = (Range<usize>, Vec<u8>);

const NUMBER: usize = size_of::<u32>();

/// Bytes that stay between two changes and are worth a piece of their own: more than the heads of two pieces take.
const WORTH_KEEPING: usize = 48;

/// What becomes of the columns of a base.
pub(super) struct Edited<'b> {
    base: &'b FactBase,
    /// By column, in any order.
    replaced: BTreeMap<usize, Vec<Replaced>>,
    /// By column of starts, rows and by how many each is longer; numbers wrap.
    grown: BTreeMap<usize, Vec<(u32, u32)>>,
}

impl<'b> Edited<'b> {
    pub(super) fn new(base: &'b FactBase) -> Self {
        Self { base, replaced: BTreeMap::new(), grown: BTreeMap::new() }
    }

    /// Puts bytes in the place of others. Those of one column do not overlap. What is the same stays: a row of a hub has one link of thousands
    /// that moved.
    pub(super) fn replace_bytes(&mut self, column: Column, old: Range<usize>, new: &[u8]) {
        let Some(before) = self.base.bytes(column).get(old.clone()) else {
            // What does not fit has all built again.
            self.replaced.entry(column as usize).or_default().push((old, new.to_vec()));
            return;
        };
        for (gone, came) in differences(before, new) {
            let replaced = (old.start + gone.start..old.start + gone.end, new[came].to_vec());
            // A column where nothing changes is not named: an empty one is no section.
            self.replaced.entry(column as usize).or_default().push(replaced);
        }
    }

    /// Puts numbers in the place of others.
    pub(super) fn replace(&mut self, column: Column, old: Range<usize>, new: impl IntoIterator<Item = u32>) {
        let new: Vec<u8> = new.into_iter().flat_map(u32::to_le_bytes).collect();
        self.replace_bytes(column, old.start * NUMBER..old.end * NUMBER, &new);
    }

    /// Puts a number in the place of another.
    pub(super) fn set_u32(&mut self, column: Column, index: usize, value: u32) {
        self.replace(column, index..index + 1, [value]);
    }

    /// The same in a column of larger numbers.
    pub(super) fn set_u64(&mut self, column: Column, index: usize, value: u64) {
        self.replace_bytes(column, index * size_of::<u64>()..(index + 1) * size_of::<u64>(), &value.to_le_bytes());
    }

    /// Says how long a row is now, so that those behind it start elsewhere.
    pub(super) fn set_length(&mut self, starts: Column, row: u32, old: usize, new: usize) {
        if old != new {
            self.grown.entry(starts as usize).or_default().push((row, (new as u32).wrapping_sub(old as u32)));
        }
    }

    /// The columns that are not what they were.
    pub(super) fn finish(self) -> Vec<Part> {
        let base = self.base;
        let replaced = self.replaced.into_iter().map(|(column, mut replaced)| {
            let column = Column::ALL[column];
            // Of what goes in at one place, the order stays.
            replaced.sort_by_key(|(old, _)| (old.start, old.end));
            let (mut pieces, mut done) = (Vec::new(), 0);
            for (old, new) in replaced {
                pieces.push(Piece::same(done..old.start));
                pieces.push(Piece::New(new));
                done = old.end;
            }
            pieces.push(Piece::same(done..base.bytes(column).len()));
            (column.name(), pieces)
        });
        let grown = self.grown.into_iter().map(|(column, mut grown)| {
            let column = Column::ALL[column];
            grown.sort_unstable();
            let (mut pieces, mut done, mut moved) = (Vec::new(), 0, 0_u32);
            let kept = |rows: Range<usize>, moved| Piece::Kept { bytes: rows.start * NUMBER..rows.end * NUMBER, add: [moved; 2] };
            for (row, by) in grown {
                let next = row as usize + 1;
                pieces.push(kept(done..next, moved));
                (done, moved) = (next, moved.wrapping_add(by));
            }
            pieces.push(kept(done..base.u32s(column).len(), moved));
            (column.name(), pieces)
        });
        replaced.chain(grown).collect()
    }
}

/// Where two texts of whole numbers differ: each a part of the first and what stands in its place in the second, in order.
fn differences(before: &[u8], after: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    let same = |pairs: &mut dyn Iterator<Item = (&[u8], &[u8])>| pairs.take_while(|(one, other)| one == other).count() * NUMBER;
    let start = same(&mut before.chunks_exact(NUMBER).zip(after.chunks_exact(NUMBER)));
    let (old, new) = (&before[start..], &after[start..]);
    let end = same(&mut old.rchunks_exact(NUMBER).zip(new.rchunks_exact(NUMBER)));
    let (old, new) = (start..before.len() - end, start..after.len() - end);
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    if old.len() != new.len() {
        return vec![(old, new)];
    }
    let mut all: Vec<Range<usize>> = Vec::new();
    for at in old.step_by(NUMBER) {
        let number = at..(at + NUMBER).min(after.len() - end);
        match all.last_mut() {
            _ if before[number.clone()] == after[number.clone()] => {}
            Some(last) if number.start - last.end <= WORTH_KEEPING => last.end = number.end,
            _ => all.push(number),
        }
    }
    all.into_iter().map(|range| (range.clone(), range)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The differences of two lists of numbers, as ranges of bytes.
    fn differences_of(before: &[u32], after: &[u32]) -> String {
        let bytes = |numbers: &[u32]| -> Vec<u8> { numbers.iter().copied().flat_map(u32::to_le_bytes).collect() };
        let (before, after) = (bytes(before), bytes(after));
        let all = differences(&before, &after);
        let (mut made, mut done): (Vec<u8>, usize) = (Vec::new(), 0);
        for (old, new) in &all {
            made.extend(&before[done..old.start]);
            made.extend(&after[new.clone()]);
            done = old.end;
        }
        made.extend(&before[done..]);
        assert_eq!(made, after);
        all.iter().map(|(old, new)| format!("{old:?} {new:?}")).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn only_what_differs_takes_the_place_of_what_was() {
        assert_eq!(differences_of(&[1, 2, 3], &[1, 2, 3]), "");
        assert_eq!(differences_of(&[1, 2, 3], &[1, 9, 3]), "4..8 4..8");
        assert_eq!(differences_of(&[1, 2, 3], &[1, 3]), "4..8 4..4");
        assert_eq!(differences_of(&[1, 3], &[1, 2, 3]), "4..4 4..8");
        assert_eq!(differences_of(&[7, 7], &[7, 7, 7]), "8..8 8..12");
        assert_eq!(differences_of(&[], &[5]), "0..0 0..4");
        assert_eq!(differences_of(&[1, 2, 3, 4], &[9, 2, 3, 9]), "0..16 0..16", "a short run is not worth a piece of its own");
        let (mut before, mut after) = ([0; 40], [0; 40]);
        (before[3], after[30]) = (1, 1);
        assert_eq!(differences_of(&before, &after), "12..16 12..16, 120..124 120..124");
    }
}
