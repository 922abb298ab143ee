//! A section that is read in parts: what lies in one piece of what it was is read from there, so that a large one need not be made for a few parts.

use super::aligned::AlignedBytes;
use super::pieces::Pieces;
use std::ops::Range;
use std::sync::OnceLock;

/// A section that is no longer what the pack has.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) pieces: Pieces,
    bytes: OnceLock<AlignedBytes>,
}

impl Changed {
    pub(super) fn of(pieces: Pieces) -> Self {
        Self { pieces, bytes: OnceLock::new() }
    }

    /// The section, from what it was.
    pub(super) fn bytes(&self, before: &[u8]) -> &[u8] {
        self.bytes.get_or_init(|| self.pieces.apply(before))
    }
}

/// A section, to be read in parts.
#[derive(Debug, Clone, Copy, Default)]
pub struct View<'a> {
    /// What it was when the pack was written.
    before: &'a [u8],
    changed: Option<&'a Changed>,
}

impl<'a> View<'a> {
    pub(super) fn of(before: &'a [u8], changed: Option<&'a Changed>) -> Self {
        Self { before, changed }
    }

    /// How many bytes it has.
    pub fn len(self) -> usize {
        self.changed.map_or(self.before.len(), |changed| changed.pieces.length())
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All of it.
    pub fn bytes(self) -> &'a [u8] {
        self.changed.map_or(self.before, |changed| changed.bytes(self.before))
    }

    /// A part of it; none where it does not reach so far.
    pub fn get(self, part: Range<usize>) -> Option<&'a [u8]> {
        if part.start > part.end || part.end > self.len() {
            return None;
        }
        match self.changed {
            Some(_) if part.is_empty() => Some(&[]),
            Some(changed) if changed.bytes.get().is_none() => {
                changed.pieces.part(self.before, &part).or_else(|| changed.bytes(self.before).get(part))
            }
            _ => self.bytes().get(part),
        }
    }
}

impl<'a> From<&'a [u8]> for View<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::of(bytes, None)
    }
}
