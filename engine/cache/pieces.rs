//! A section told by what it was before: runs of bytes that stay, the numbers in them moved on, and bytes that are new.
//!
//! An edit of one file moves most of what stands behind it and changes little, so this takes kilobytes where the section takes megabytes.

use super::aligned::AlignedBytes;
use super::renumbering::{NUMBER, Renumbering};
use std::ops::Range;

/// Bytes of a piece beside those that are new, as it is stored.
const HEAD: usize = 24;

/// Where a stored piece begins that keeps nothing.
const NEW: u64 = u64::MAX;

/// A run of bytes of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Bytes of the section before.
    Kept {
        /// Where they were.
        bytes: Range<usize>,
        /// What is added to their little-endian 32-bit numbers, wrapping: the first to those at even places, the second to those at odd ones.
        add: [u32; 2],
    },
    /// Other bytes.
    New(Vec<u8>),
}

impl Piece {
    /// Bytes as they were.
    pub fn same(bytes: Range<usize>) -> Self {
        Self::Kept { bytes, add: [0; 2] }
    }

    /// How many bytes of the section it makes.
    pub fn length(&self) -> usize {
        match self {
            Self::Kept { bytes, .. } => bytes.len(),
            Self::New(bytes) => bytes.len(),
        }
    }

    /// How many bytes it takes to be stored.
    pub(super) fn cost(&self) -> usize {
        HEAD + if let Self::New(bytes) = self { bytes.len() } else { 0 }
    }

    /// Whether it can be made from a section of this length, whose numbers are moved on or not.
    fn fits(&self, length: usize, is_renumbered: bool) -> bool {
        match self {
            Self::Kept { bytes, add } => {
                let are_numbers = bytes.start.is_multiple_of(NUMBER) && bytes.len().is_multiple_of(NUMBER);
                bytes.start <= bytes.end && bytes.end <= length && (*add == [0; 2] && !is_renumbered || are_numbers)
            }
            Self::New(_) => true,
        }
    }

    /// A part of a piece that keeps bytes or of one that does not, with `add` added to its numbers as well; none where that cuts a number in two.
    fn part(&self, part: Range<usize>, add: [u32; 2]) -> Option<Self> {
        let before = part.start / NUMBER;
        let made = match self {
            Self::Kept { bytes, add: old } => {
                let sum = [0, 1].map(|at| add[at].wrapping_add(old[(before + at) % 2]));
                Self::Kept { bytes: bytes.start + part.start..bytes.start + part.end, add: sum }
            }
            Self::New(bytes) => {
                let mut bytes = bytes.get(part.clone())?.to_vec();
                move_on(&mut bytes, add);
                Self::New(bytes)
            }
        };
        let is_plain = match self {
            Self::Kept { add: old, .. } => *old == [0; 2] && add == [0; 2],
            Self::New(_) => add == [0; 2],
        };
        (is_plain || part.start.is_multiple_of(NUMBER) && part.len().is_multiple_of(NUMBER)).then_some(made)
    }
}

/// Adds to the numbers in turn.
fn move_on(bytes: &mut [u8], add: [u32; 2]) {
    if add != [0; 2] {
        for (number, add) in bytes.as_chunks_mut::<NUMBER>().0.iter_mut().zip(add.into_iter().cycle()) {
            *number = u32::from_le_bytes(*number).wrapping_add(add).to_le_bytes();
        }
    }
}

/// A section in pieces. Numbers of those that are kept are moved on first by the renumbering and then by what the piece adds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pieces {
    renumbering: Renumbering,
    list: Vec<Piece>,
    /// Where each piece ends in the section that they make.
    ends: Vec<usize>,
}

impl Pieces {
    /// Takes pieces of a section of `length` bytes; none where one does not fit or keeps bytes up to the end of one before it, so that what
    /// they make is never much longer than the section and what is new.
    pub(super) fn of(renumbering: Renumbering, pieces: Vec<Piece>, length: usize) -> Option<Self> {
        let mut end = 0;
        let is_renumbered = !renumbering.is_nothing();
        let fit = pieces.iter().all(|piece| {
            let ascends =
                if let Piece::Kept { bytes, .. } = piece { bytes.start >= std::mem::replace(&mut end, bytes.end) } else { true };
            ascends && piece.fits(length, is_renumbered)
        });
        fit.then(|| pieces.into_iter().fold(Self { renumbering, ..Self::default() }, Self::with))
    }

    /// Adds a piece, to the last one where both are one run.
    fn with(mut self, piece: Piece) -> Self {
        let end = self.length() + piece.length();
        match (self.list.last_mut(), piece) {
            (_, piece) if piece.length() == 0 => {}
            (Some(Piece::New(last)), Piece::New(bytes)) => last.extend(bytes),
            (Some(Piece::Kept { bytes: last, add }), Piece::Kept { bytes, add: next })
                if last.end == bytes.start && *add == next && (add[0] == add[1] || last.len().is_multiple_of(2 * NUMBER)) =>
            {
                last.end = bytes.end;
            }
            (_, piece) => {
                self.list.push(piece);
                self.ends.push(end);
            }
        }
        if let Some(last) = self.ends.last_mut() {
            *last = end;
        }
        self
    }

    /// Whether they make the section of this length that it was.
    pub(super) fn are_all(&self, length: usize) -> bool {
        let is_same = matches!(self.list.as_slice(), [only] if *only == Piece::same(0..length));
        is_same && self.renumbering.is_nothing() || length == 0 && self.list.is_empty()
    }

    /// How many bytes the section has.
    pub(super) fn length(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// How many bytes they take to be stored.
    pub(super) fn cost(&self) -> usize {
        self.renumbering.cost() + self.list.iter().map(Piece::cost).sum::<usize>()
    }

    /// The section, from what it was before.
    pub(super) fn apply(&self, before: &[u8]) -> AlignedBytes {
        let mut made = AlignedBytes::zeroed(self.length());
        let mut at = 0;
        for piece in &self.list {
            let to = &mut made[at..at + piece.length()];
            at += piece.length();
            match piece {
                Piece::Kept { bytes, add } => {
                    to.copy_from_slice(&before[bytes.clone()]);
                    self.renumbering.apply(to, bytes.start / NUMBER);
                    move_on(to, *add);
                }
                Piece::New(bytes) => to.copy_from_slice(bytes),
            }
        }
        made
    }

    /// A part of the section, where it lies in one piece whose bytes are as they were `before` or new.
    pub(super) fn part<'a>(&'a self, before: &'a [u8], part: &Range<usize>) -> Option<&'a [u8]> {
        let place = self.ends.partition_point(|end| *end <= part.start);
        let (piece, end) = (self.list.get(place)?, *self.ends.get(place)?);
        let start = end - piece.length();
        let bytes = match piece {
            Piece::Kept { bytes, add: [0, 0] } if self.renumbering.is_nothing() => before.get(bytes.clone())?,
            Piece::Kept { .. } => return None,
            Piece::New(bytes) => bytes,
        };
        bytes.get(part.start - start..part.end.checked_sub(start)?)
    }

    /// These pieces of what `before` makes, as pieces of what `before` is made of; none where numbers are cut in two or renumbered twice.
    pub(super) fn after(self, before: &Self) -> Option<Self> {
        if !self.renumbering.is_nothing() {
            return None;
        }
        let mut made = Self { renumbering: before.renumbering.clone(), ..Self::default() };
        let is_renumbered = !made.renumbering.is_nothing();
        for piece in self.list {
            let Piece::Kept { bytes, add } = piece else {
                made = made.with(piece);
                continue;
            };
            let mut at = bytes.start;
            let mut place = before.ends.partition_point(|end| *end <= at);
            while at < bytes.end {
                let old = before.list.get(place)?;
                let start = before.ends[place] - old.length();
                let end = before.ends[place].min(bytes.end);
                let is_even = ((at - bytes.start) / NUMBER).is_multiple_of(2);
                let add = if is_even { add } else { [add[1], add[0]] };
                if add != [0; 2] && !(at - bytes.start).is_multiple_of(NUMBER) {
                    return None;
                }
                let part = old.part(at - start..end - start, add)?;
                if is_renumbered && !part.fits(usize::MAX, true) {
                    return None;
                }
                made = made.with(part);
                (at, place) = (end, place + 1);
            }
        }
        Some(made)
    }

    /// As they are stored: how numbers are moved on, then each piece as where its bytes were, how many there are and what is added, and after
    /// that those that are new.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut stored = self.renumbering.bytes();
        stored.reserve(self.cost());
        for piece in &self.list {
            let (start, add, new) = match piece {
                Piece::Kept { bytes, add } => (bytes.start as u64, *add, &[][..]),
                Piece::New(bytes) => (NEW, [0; 2], &bytes[..]),
            };
            stored.extend(start.to_le_bytes());
            stored.extend((piece.length() as u64).to_le_bytes());
            stored.extend(add.map(u32::to_le_bytes).as_flattened());
            stored.extend(new);
        }
        stored
    }

    /// Reads what [`Pieces::bytes`] gave, of a section that had `length` bytes.
    pub(super) fn read(stored: &[u8], length: usize) -> Option<Self> {
        let (renumbering, mut stored) = Renumbering::read(stored)?;
        let mut pieces = Vec::new();
        while !stored.is_empty() {
            let (start, rest) = stored.split_first_chunk()?;
            let (n_bytes, rest) = rest.split_first_chunk()?;
            let (first, rest) = rest.split_first_chunk()?;
            let (second, rest) = rest.split_first_chunk()?;
            let (start, n_bytes) = (u64::from_le_bytes(*start), usize::try_from(u64::from_le_bytes(*n_bytes)).ok()?);
            if start == NEW {
                let (new, rest) = rest.split_at_checked(n_bytes)?;
                pieces.push(Piece::New(new.to_vec()));
                stored = rest;
            } else {
                let start = usize::try_from(start).ok()?;
                let add = [u32::from_le_bytes(*first), u32::from_le_bytes(*second)];
                pieces.push(Piece::Kept { bytes: start..start.checked_add(n_bytes)?, add });
                stored = rest;
            }
        }
        Self::of(renumbering, pieces, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(numbers: &[u32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// A list of pieces of a section of so many numbers, chosen by `seed`.
    fn chosen(seed: &mut u64, n_numbers: usize) -> Vec<Piece> {
        let mut next = |below: usize| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33) as usize % below.max(1)
        };
        let mut done = 0;
        (0..next(6))
            .map(|_| {
                let start = done + next(n_numbers + 1 - done);
                let end = start + next(n_numbers + 1 - start);
                done = end;
                match next(3) {
                    0 => Piece::New(numbers(&[next(100) as u32, 7][..=next(2)])),
                    1 => Piece::same(start * NUMBER..end * NUMBER),
                    _ => Piece::Kept { bytes: start * NUMBER..end * NUMBER, add: [next(5) as u32, u32::MAX - next(2) as u32] },
                }
            })
            .collect()
    }

    #[test]
    fn pieces_of_pieces_make_what_one_after_the_other_makes_and_are_read_as_stored() {
        let mut seed = 1;
        let before = numbers(&(0..40).collect::<Vec<u32>>());
        for round in 0..2_000 {
            let renumbering = Renumbering::of_rows(1 + round % 3).with(&[0], vec![(round % 50, round % 7), (round % 60, 1)]);
            let first = Pieces::of(renumbering, chosen(&mut seed, 40), before.len()).expect("pieces that fit");
            let between = first.apply(&before);
            let second = Pieces::of(Renumbering::default(), chosen(&mut seed, between.len() / NUMBER), between.len())
                .expect("pieces that fit");
            let both = second.clone().after(&first).expect("whole numbers");
            let made = second.apply(&between);
            assert_eq!(*both.apply(&before), *made, "round {round}: {second:?} after {first:?}");
            for start in 0..=made.len() {
                for part in [start..start + 1, start..start + 9, start..start] {
                    let read = both.part(&before, &part);
                    assert!(read.is_none() || read == made.get(part.clone()), "{part:?} of {both:?}");
                }
            }
            assert_eq!(Pieces::read(&both.bytes(), before.len()), Some(both.clone()));
            assert_eq!(both.cost(), both.bytes().len());
        }
    }

    #[test]
    fn bytes_stay_where_nothing_is_added_and_numbers_are_not_cut_in_two() {
        let first = Pieces::of(Renumbering::default(), vec![Piece::same(1..4), Piece::New(b"x".to_vec()), Piece::same(6..8)], 8)
            .expect("pieces that fit");
        assert_eq!(*first.apply(b"abcdefgh"), *b"bcdxgh");
        assert_eq!(
            Pieces::of(Renumbering::default(), vec![Piece::same(0..8), Piece::same(7..8)], 8),
            None,
            "bytes are kept once"
        );
        let same = Pieces::of(Renumbering::default(), vec![Piece::same(2..5)], 6).expect("pieces that fit");
        assert_eq!(*same.after(&first).expect("bytes").apply(b"abcdefgh"), *b"dxg");
        let moved =
            Pieces::of(Renumbering::default(), vec![Piece::Kept { bytes: 0..4, add: [1, 1] }], 6).expect("pieces that fit");
        assert_eq!(moved.after(&first), None);
    }

    #[test]
    fn what_does_not_fit_the_section_is_not_taken() {
        for (piece, fits) in [
            (Piece::same(0..8), true),
            (Piece::same(7..9), false),
            (Piece::Kept { bytes: 4..8, add: [1, 0] }, true),
            (Piece::Kept { bytes: 2..6, add: [1, 0] }, false),
            (Piece::Kept { bytes: 4..7, add: [0, 1] }, false),
        ] {
            assert_eq!(Pieces::of(Renumbering::default(), vec![piece.clone()], 8).is_some(), fits, "{piece:?}");
        }
        let stored = Pieces::of(Renumbering::default(), vec![Piece::New(b"new".to_vec()), Piece::same(2..8)], 8)
            .expect("pieces that fit")
            .bytes();
        assert!(Pieces::read(&stored, 8).is_some());
        assert!(Pieces::read(&stored, 7).is_none());
        let of_renumbering = Renumbering::default().cost();
        for end in [1, of_renumbering + 1, of_renumbering + HEAD + 2, stored.len() - 1] {
            assert_eq!(Pieces::read(&stored[..end], 8), None, "{end} bytes");
        }
        let mut endless = stored;
        endless[of_renumbering + 8..of_renumbering + 16].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(Pieces::read(&endless, 8), None);
    }
}
