//! Writes and reads the few encodings that text facts and index sections share.
//!
//! Must not trust what it reads: every read checks bounds and gives `None` where bytes are missing or senseless.

use super::{Counts, N_FIELDS};

/// A nibble that says that the number follows in a byte of its own.
const LONG: u8 = 15;

/// Set in the first byte of counts when each is 1, which spares the counts themselves: most words stand once.
const ALL_ONCE: u8 = 1 << N_FIELDS;

/// Writes a number in 7-bit groups, lowest first.
pub(super) fn put_varint(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// How many bytes [`put_varint`] writes.
pub(super) fn varint_len(number: u32) -> usize {
    (u32::BITS - (number | 1).leading_zeros()).div_ceil(7) as usize
}

/// Writes a term as what it shares with the one before, and the rest; both are at most 255 bytes long.
pub(super) fn put_term(out: &mut Vec<u8>, before: &[u8], term: &[u8]) {
    let shared = before.iter().zip(term).take_while(|(a, b)| a == b).count();
    let (shared, rest) = (shared as u8, &term[shared..]);
    let n_rest = rest.len() as u8;
    out.push(shared.min(LONG) | n_rest.min(LONG) << 4);
    for number in [shared, n_rest] {
        if number >= LONG {
            out.push(number);
        }
    }
    out.extend_from_slice(rest);
}

/// Writes which fields count something, then the counts of those unless all are 1.
pub(super) fn put_counts(out: &mut Vec<u8>, counts: Counts) {
    let counted = counts.iter().filter(|&&n| n > 0);
    let all_once = counted.clone().all(|&n| n == 1);
    out.push(super::FieldSet::of(counts).0 | if all_once { ALL_ONCE } else { 0 });
    if !all_once {
        out.extend(counted);
    }
}

/// A place in bytes from which values are read one after the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    left: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    /// What has not been read.
    pub(super) fn left(&self) -> &'a [u8] {
        self.left
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&byte, left) = self.left.split_first()?;
        self.left = left;
        Some(byte)
    }

    pub(super) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, left) = self.left.split_at_checked(n)?;
        self.left = left;
        Some(taken)
    }

    /// Reads what [`put_varint`] wrote.
    pub(super) fn varint(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..u32::BITS).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Reads what [`put_term`] wrote; `term` holds the term before and then the one read.
    pub(super) fn term(&mut self, term: &mut Vec<u8>) -> Option<()> {
        let head = self.byte()?;
        let shared = self.nibble(head & LONG)?;
        let n_rest = self.nibble(head >> 4)?;
        let rest = self.take(n_rest)?;
        if shared > term.len() {
            return None;
        }
        term.truncate(shared);
        term.extend_from_slice(rest);
        Some(())
    }

    /// Reads a term that was written after an empty one.
    pub(super) fn first_term(&mut self) -> Option<&'a [u8]> {
        let head = self.byte()?;
        let n_rest = self.nibble(head >> 4)?;
        self.take(n_rest)
    }

    fn nibble(&mut self, nibble: u8) -> Option<usize> {
        if nibble == LONG { self.byte().map(usize::from) } else { Some(usize::from(nibble)) }
    }

    /// Reads what [`put_counts`] wrote.
    pub(super) fn counts(&mut self) -> Option<Counts> {
        let head = self.byte()?;
        let mut counts = Counts::default();
        for (field, count) in counts.iter_mut().enumerate() {
            if head & (1 << field) != 0 {
                *count = if head & ALL_ONCE != 0 { 1 } else { self.byte()? };
            }
        }
        Some(counts)
    }
}

/// The little-endian number at `index` in a row of such numbers.
pub(super) fn u32_at(bytes: &[u8], index: usize) -> Option<u32> {
    let start = index.checked_mul(4)?;
    let bytes = bytes.get(start..start.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}
