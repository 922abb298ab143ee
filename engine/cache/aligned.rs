//! A zeroed buffer in memory that starts where a mapped file's sections may start.

use std::ops::{Deref, DerefMut};

/// What the start of every entry of a pack is a multiple of, in bytes: the alignment of the widest plain number, `u128`.
pub(super) const ALIGNMENT: usize = 16;

/// Bytes whose first one lies at a multiple of [`ALIGNMENT`].
#[derive(Debug)]
pub(super) struct AlignedBytes {
    /// Never grows, so that its bytes stay where they were when `start` was chosen.
    bytes: Box<[u8]>,
    start: usize,
    length: usize,
}

impl AlignedBytes {
    /// `length` zero bytes.
    pub(super) fn zeroed(length: usize) -> Self {
        let bytes = vec![0; length + ALIGNMENT].into_boxed_slice();
        let misplaced = bytes.as_ptr().addr() % ALIGNMENT;
        Self { bytes, start: (ALIGNMENT - misplaced) % ALIGNMENT, length }
    }
}

impl Deref for AlignedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..][..self.length]
    }
}

impl DerefMut for AlignedBytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..][..self.length]
    }
}
