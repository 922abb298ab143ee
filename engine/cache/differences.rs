//! Finds the pieces of a section that make another one: what an edit leaves of megabytes is found again, however it moved.

use super::pieces::{Piece, Pieces};
use super::renumbering::{NUMBER, Renumbering};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// What a section holds, for whoever looks for what of it was there before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Bytes that say the same wherever they stand.
    Bytes,
    /// Little-endian 32-bit numbers, which are moved on where what they name has another number now.
    Numbers(Renumbering),
    /// Numbers that say where rows of something begin, of one list or of several in turn: each moves on by what came in before it.
    Starts {
        /// How many lists: one or two.
        lists: usize,
    },
}

/// Bytes that two sections have alike at the least where one is found again in the other: more than the head of a piece takes.
const WINDOW_BYTES: usize = 32;

/// How far behind a difference both go on as they were, tried first.
const NEAR: usize = 256;

/// Units that are compared in the time in which one place is searched.
const COMPARED_AT_ONCE: usize = 16;

/// How many units are looked at to see what goes on longest.
const LOOKED_AHEAD: usize = 1 << 14;

/// How many places are searched for where both go on, one after the other.
const SEARCHED: [usize; 4] = [1 << 10, 1 << 14, 1 << 18, usize::MAX];

/// From so many places on, not every one of them is looked up, but one a window.
const MANY_PLACES: usize = 1 << 14;

/// The most places that are searched in all: two texts that have little in common are given up.
const MAX_SEARCHED: usize = 1 << 25;

/// A part of the one that is a part of the other: where it begins there, where it began, and how long it is.
type Run = (usize, usize, usize);

/// The pieces of `before` that make `after`, if they take at most `most` bytes to be stored.
pub(super) fn between(before: &[u8], after: &[u8], content: &Content, most: usize) -> Option<Pieces> {
    let none = Renumbering::default;
    let (renumbering, pieces) = match content {
        Content::Numbers(renumbering) if are_numbers(before) && are_numbers(after) => {
            let mut moved = before.to_vec();
            renumbering.apply(&mut moved, 0);
            let runs = runs(moved.as_chunks::<NUMBER>().0, after.as_chunks::<NUMBER>().0, most)?;
            (renumbering.clone(), kept(&runs, after, NUMBER, |_| [0; 2]))
        }
        Content::Starts { lists: lists @ 1..=2 } if are_numbers(before) && are_numbers(after) => {
            (none(), of_starts(before, after, *lists, most)?)
        }
        _ => (none(), kept(&runs(before, after, most)?, after, 1, |_| [0; 2])),
    };
    Pieces::of(renumbering, pieces, before.len()).filter(|pieces| pieces.cost() <= most)
}

fn are_numbers(bytes: &[u8]) -> bool {
    bytes.len().is_multiple_of(NUMBER)
}

/// The pieces of numbers that move on by what came in before them: those between which there is as much as before.
fn of_starts(before: &[u8], after: &[u8], lists: usize, most: usize) -> Option<Vec<Piece>> {
    let number = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes.as_chunks::<NUMBER>().0[at]);
    let steps = |bytes: &[u8]| -> Vec<u32> {
        let n_steps = (bytes.len() / NUMBER).saturating_sub(lists);
        (0..n_steps).map(|at| number(bytes, at + lists).wrapping_sub(number(bytes, at))).collect()
    };
    let (mut all, mut done): (Vec<Run>, (usize, usize)) = (Vec::new(), (0, 0));
    for (new, old, length) in runs(&steps(before), &steps(after), most)? {
        // The first numbers of a run may be the last of the one before it.
        let covered = done.0.saturating_sub(new).max(done.1.saturating_sub(old));
        if let Some(length) = (length + lists).checked_sub(covered).filter(|length| *length > 0) {
            all.push((new + covered, old + covered, length));
            done = (new + covered + length, old + covered + length);
        }
    }
    Some(kept(&all, after, NUMBER, |(new, old, length)| {
        let add = |list: usize| number(after, new + list).wrapping_sub(number(before, old + list));
        if length > 1 { [0, lists - 1].map(add) } else { [add(0); 2] }
    }))
}

/// The pieces of runs of units of so many bytes, with what is new between them.
fn kept(runs: &[Run], after: &[u8], unit: usize, add: impl Fn(Run) -> [u32; 2]) -> Vec<Piece> {
    let (mut pieces, mut done) = (Vec::new(), 0);
    for (new, old, length) in runs {
        pieces.push(Piece::New(after[done..new * unit].to_vec()));
        pieces.push(Piece::Kept { bytes: old * unit..(old + length) * unit, add: add((*new, *old, *length)) });
        done = (new + length) * unit;
    }
    pieces.push(Piece::New(after[done..].to_vec()));
    pieces
}

/// What two lists have alike, in order; none where more is not alike than `most` bytes hold.
fn runs<T: Copy + Eq + Hash>(before: &[T], after: &[T], most: usize) -> Option<Vec<Run>> {
    let (mut runs, mut n_searched, mut n_new) = (Vec::new(), 0, 0);
    let (mut old, mut new) = (0, 0);
    loop {
        let length = n_alike(&before[old..], &after[new..]);
        if length > 0 {
            runs.push((new, old, length));
        }
        (old, new) = (old + length, new + length);
        if old == before.len() || new == after.len() {
            return Some(runs);
        }
        let Some((from, to)) = next(&before[old..], &after[new..], &mut n_searched) else {
            // What is left is new.
            return (n_new + size_of_val(&after[new..]) <= most).then_some(runs);
        };
        n_new += size_of_val(&after[new..new + to]) + size_of::<Piece>() / 2;
        if n_new > most {
            return None;
        }
        (old, new) = (old + from, new + to);
    }
}

/// How many units two lists begin with alike.
fn n_alike<T: Eq>(one: &[T], other: &[T]) -> usize {
    const AT_ONCE: usize = 1024;
    let blocks = one.chunks(AT_ONCE).zip(other.chunks(AT_ONCE));
    let mut alike = blocks.take_while(|(one, other)| one == other).map(|(block, _)| block.len()).sum::<usize>();
    alike += one[alike..].iter().zip(&other[alike..]).take_while(|(one, other)| one == other).count();
    alike
}

/// Where two lists that begin differently are alike again, for a window at the least.
fn next<T: Copy + Eq + Hash>(before: &[T], after: &[T], n_searched: &mut usize) -> Option<(usize, usize)> {
    let window = WINDOW_BYTES / size_of::<T>();
    let at =
        |list: &'_ [T], place: usize| -> Option<Range<usize>> { (place + window <= list.len()).then_some(place..place + window) };
    let is_alike =
        |old: usize, new: usize| at(before, old).zip(at(after, new)).is_some_and(|(old, new)| before[old] == after[new]);
    // Numbers that repeat are alike wherever they are put beside each other: of what is near, what goes on longest is right.
    let replaced = (1..=NEAR).find(|by| is_alike(*by, *by)).map(|by| (by, by));
    let came_or_went = (1..=NEAR).flat_map(|by| [(0, by), (by, 0)]).filter(|(old, new)| is_alike(*old, *new));
    let most = before.len().min(after.len()).min(LOOKED_AHEAD);
    let mut best: Option<(usize, (usize, usize))> = None;
    for (old, new) in replaced.into_iter().chain(came_or_went) {
        let length = n_alike(&before[old..before.len().min(old + most)], &after[new..]);
        *n_searched += length / COMPARED_AT_ONCE;
        if best.is_none_or(|(longest, _)| longest < length) {
            best = Some((length, (old, new)));
        }
        if length == most || *n_searched > MAX_SEARCHED {
            break;
        }
    }
    if let Some((_, place)) = best {
        return (*n_searched <= MAX_SEARCHED).then_some(place);
    }
    for n_places in SEARCHED {
        let (n_old, n_new) = (before.len().min(n_places), after.len().min(n_places));
        *n_searched += n_old + n_new;
        if *n_searched > MAX_SEARCHED {
            return None;
        }
        let every = if n_places > MANY_PLACES { window } else { 1 };
        let mut places: FxHashMap<u64, usize> = FxHashMap::default();
        for old in (0..n_old).step_by(every) {
            if let Some(part) = at(before, old) {
                places.entry(hash(&before[part])).or_insert(old);
            }
        }
        let found = (0..n_new).find_map(|new| {
            let old = *places.get(&hash(&after[at(after, new)?]))?;
            is_alike(old, new).then_some((old, new))
        });
        if let Some((mut old, mut new)) = found {
            while old > 0 && new > 0 && before[old - 1] == after[new - 1] {
                (old, new) = (old - 1, new - 1);
            }
            return Some((old, new));
        }
        if n_places >= before.len().max(after.len()) {
            break;
        }
    }
    None
}

fn hash<T: Hash>(window: &[T]) -> u64 {
    let mut hasher = FxHasher::default();
    for unit in window {
        unit.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
        numbers.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// What the pieces cost that make one section from another, after it is certain that they do.
    fn cost(before: &[u8], after: &[u8], content: &Content) -> usize {
        let pieces = between(before, after, content, usize::MAX).expect("pieces");
        assert_eq!(*pieces.apply(before), *after);
        assert!(between(before, after, content, pieces.cost() - 1).is_none());
        pieces.cost()
    }

    #[test]
    fn what_moved_is_found_again() {
        // Rows that refer to one another by their numbers; one comes in at 300, one goes at 700.
        let refers = |number: u32| number.wrapping_mul(2_654_435_761) % 1_000;
        let before: Vec<u32> = (0..1_000).map(refers).collect();
        let moved = |number: u32| number + u32::from(number >= 300) - u32::from(number > 700);
        let rows = |numbers: &[u32]| -> Vec<u32> { numbers.iter().map(|number| moved(*number)).collect() };
        let mut after = rows(&before[..300]);
        after.push(7);
        after.extend(rows(&before[300..700]));
        after.extend(rows(&before[701..]));
        let content = Content::Numbers(Renumbering::of_all(vec![(300, 1), (701, 0)]));
        let (before, after) = (bytes(before), bytes(after));
        assert!(cost(&before, &after, &content) < 500, "{}", cost(&before, &after, &content));
        assert!(between(&before, &after, &Content::Numbers(Renumbering::default()), before.len() / 2).is_none());
    }

    #[test]
    fn starts_move_on_by_what_came_in_before_them() {
        let starts = |lengths: &[u32], first: u32| -> Vec<u32> {
            let mut sum = first;
            [first]
                .into_iter()
                .chain(lengths.iter().map(|length| {
                    sum += length;
                    sum
                }))
                .collect()
        };
        let mut lengths: Vec<u32> = (0..2_000_u32).map(|at| at.wrapping_mul(2_654_435_761) % 7).collect();
        let before = starts(&lengths, 0);
        lengths[500] += 3;
        lengths.insert(1_200, 9);
        let after = starts(&lengths, 0);
        assert!(cost(&bytes(before.clone()), &bytes(after.clone()), &Content::Starts { lists: 1 }) < 250);
        let pairs = |starts: &[u32], other: u32| bytes(starts.iter().flat_map(|start| [*start, start * 3 + other]));
        assert!(cost(&pairs(&before, 0), &pairs(&after, 1), &Content::Starts { lists: 2 }) < 300);
    }

    #[test]
    fn a_number_more_in_a_run_of_the_same_moves_what_is_behind() {
        let runs = |longer: u32| (0..500_u32).flat_map(move |run| std::iter::repeat_n(run, 40 + usize::from(run == longer)));
        let (before, after) = (bytes(runs(u32::MAX)), bytes(runs(20)));
        assert!(cost(&before, &after, &Content::Numbers(Renumbering::default())) < 150);
        assert!(cost(&after, &before, &Content::Numbers(Renumbering::default())) < 150);
    }

    #[test]
    fn any_two_texts_are_made_one_from_the_other() {
        let mut seed = 1_u64;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below.max(1)
        };
        for _ in 0..300 {
            let mut text: Vec<u8> = (0..next(60) * 4).map(|_| next(3) as u8).collect();
            text = text.repeat(1 + next(3));
            let before = text.clone();
            for _ in 0..next(4) {
                let at = next(text.len() / 4 + 1) * 4;
                let new: Vec<u8> = (0..next(20) * 4).map(|_| next(3) as u8).collect();
                text.splice(at..(at + next(12) * 4).min(text.len()), new);
            }
            let renumbering = Renumbering::of_all(vec![(next(9) as u32, next(3) as u32), (9, 0)]);
            for content in
                [Content::Bytes, Content::Numbers(renumbering), Content::Starts { lists: 1 }, Content::Starts { lists: 2 }]
            {
                let pieces = between(&before, &text, &content, usize::MAX).expect("pieces");
                assert_eq!(*pieces.apply(&before), *text, "{content:?}");
            }
        }
    }
}
