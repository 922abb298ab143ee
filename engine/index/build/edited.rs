//! What edits do to columns: rows that others take the place of, and starts that move on. The rest stays and is not even read.

use crate::base::{Column, FactBase};
use cache::Piece;
use std::collections::BTreeMap;
use std::ops::Range;

/// A section in pieces of what it was.
pub type Part = (&'static str, Vec<Piece>);

/// Bytes of a column, and what takes their place.
type Replaced = (Range<usize>, Vec<u8>);

const NUMBER: usize = size_of::<u32>();

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

    /// Puts bytes in the place of others. Those of one column do not overlap.
    fn replace_bytes(&mut self, column: Column, old: Range<usize>, new: Vec<u8>) {
        if self.base.bytes(column).get(old.clone()) != Some(&new) {
            self.replaced.entry(column as usize).or_default().push((old, new));
        }
    }

    /// Puts numbers in the place of others.
    pub(super) fn replace(&mut self, column: Column, old: Range<usize>, new: impl IntoIterator<Item = u32>) {
        let new = new.into_iter().flat_map(u32::to_le_bytes).collect();
        self.replace_bytes(column, old.start * NUMBER..old.end * NUMBER, new);
    }

    /// The same in a column of single bytes.
    pub(super) fn replace_u8s(&mut self, column: Column, old: Range<usize>, new: Vec<u8>) {
        self.replace_bytes(column, old, new);
    }

    /// Puts a number in the place of another.
    pub(super) fn set_u32(&mut self, column: Column, index: usize, value: u32) {
        self.replace(column, index..index + 1, [value]);
    }

    /// The same in a column of larger numbers.
    pub(super) fn set_u64(&mut self, column: Column, index: usize, value: u64) {
        self.replace_bytes(column, index * size_of::<u64>()..(index + 1) * size_of::<u64>(), value.to_le_bytes().to_vec());
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
