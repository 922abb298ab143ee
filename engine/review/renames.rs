//! Which of the files that went and came are one file that was moved.

use rustc_hash::{FxHashMap, FxHasher};
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::hash::Hasher;

/// The part of the lines of the larger file, in thousandths, that the other must have: git's own half, so that a diff reads alike.
const LEAST_ALIKE: usize = 500;
/// The most lines that are compared in all.
const MAX_STEPS: usize = 50_000_000;
/// The fewest lines that tell files apart.
const LEAST_LINES: usize = 4;

/// Pairs by place in both lists: of a file that went and one that came.
pub(super) type Pairs = Vec<(usize, usize)>;

/// The path of a file and the id of its content, where that is known.
pub(super) type Known<'k> = (&'k str, Option<&'k str>);

/// Files of the same content, given in the order of paths: those of the same name first, each in one pair.
///
/// The `empty` content says nothing, so that only a file of the same name can have it.
pub(super) fn equal(gone: &[Known<'_>], came: &[Known<'_>], empty: &str) -> Pairs {
    let mut pairs = Vec::new();
    let mut is_paired = (vec![false; gone.len()], vec![false; came.len()]);
    for is_named in [true, false] {
        let mut left: FxHashMap<(&str, &str), VecDeque<usize>> = FxHashMap::default();
        for (at, (path, id)) in gone.iter().enumerate() {
            if let Some(id) = id.filter(|_| !is_paired.0[at]) {
                left.entry((id, if is_named { name(path) } else { "" })).or_default().push_back(at);
            }
        }
        for (at_new, (path, id)) in came.iter().enumerate() {
            let Some(id) = id.filter(|id| !is_paired.1[at_new] && (is_named || *id != empty)) else { continue };
            if let Some(at_old) = left.get_mut(&(id, if is_named { name(path) } else { "" })).and_then(VecDeque::pop_front) {
                (is_paired.0[at_old], is_paired.1[at_new]) = (true, true);
                pairs.push((at_old, at_new));
            }
        }
    }
    pairs
}

/// Files of which one has much of the lines of the other, the likest first, those of the same name first among equals, each in one pair;
/// and whether some were not compared.
pub(super) fn alike(gone: &[(&str, Lines)], came: &[(&str, Lines)]) -> (Pairs, bool) {
    let mut pairs = Vec::new();
    let mut n_steps = 0;
    let mut is_cut = false;
    for (at_old, (old_path, old)) in gone.iter().enumerate() {
        for (at_new, (new_path, new)) in came.iter().enumerate() {
            if n_steps > MAX_STEPS {
                is_cut = true;
                break;
            }
            let (alike, steps) = old.alike(new);
            n_steps += steps;
            if alike >= LEAST_ALIKE {
                pairs.push((Reverse(alike), name(old_path) != name(new_path), at_old, at_new));
            }
        }
    }
    pairs.sort_unstable();
    let mut is_paired = (vec![false; gone.len()], vec![false; came.len()]);
    let mut chosen: Pairs = Vec::new();
    for (_, _, at_old, at_new) in pairs {
        if !is_paired.0[at_old] && !is_paired.1[at_new] {
            (is_paired.0[at_old], is_paired.1[at_new]) = (true, true);
            chosen.push((at_old, at_new));
        }
    }
    (chosen, is_cut)
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The lines of a text that are not blank, each as a number, sorted.
pub(super) struct Lines(Vec<u64>);

impl Lines {
    pub(super) fn of(text: &[u8]) -> Self {
        let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
        let number = |line: &[u8]| {
            let mut hasher = FxHasher::default();
            hasher.write(line);
            hasher.finish()
        };
        let mut lines: Vec<u64> = lines.map(number).collect();
        lines.sort_unstable();
        Self(lines)
    }

    /// Which part of their lines two texts share, in thousandths of those of the larger, and how many were compared for it.
    fn alike(&self, other: &Self) -> (usize, usize) {
        let (mut one, mut other) = (self.0.as_slice(), other.0.as_slice());
        let (least, most) = (one.len().min(other.len()), one.len().max(other.len()));
        if least < LEAST_LINES || least * 1000 / most < LEAST_ALIKE {
            return (0, 1);
        }
        let mut n_shared = 0;
        while let (Some(first), Some(second)) = (one.first(), other.first()) {
            n_shared += usize::from(first == second);
            let (is_one, is_other) = (first <= second, second <= first);
            (one, other) = (&one[usize::from(is_one)..], &other[usize::from(is_other)..]);
        }
        (n_shared * 1000 / most, least + most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likest(gone: &[(&'static str, &str)], came: &[(&'static str, &str)]) -> Pairs {
        let lines = |files: &[(&'static str, &str)]| -> Vec<(&'static str, Lines)> {
            files.iter().map(|(path, text)| (*path, Lines::of(text.replace(' ', "\n").as_bytes()))).collect()
        };
        alike(&lines(gone), &lines(came)).0
    }

    #[test]
    fn the_likest_files_are_one_and_little_says_nothing() {
        let (a, b, c) = ("1 2 3 4 5", "1 2 3 4 6", "x y z v w");
        assert_eq!(likest(&[("b", b), ("a", a), ("c", c)], &[("a2", a), ("few", "1 2"), ("c2", c)]), [(1, 0), (2, 2)]);
        assert_eq!(likest(&[("b", b)], &[("a", a)]), [(0, 0)]);
        assert_eq!(likest(&[("b", "1 2")], &[("a", "1 3")]), []);
        // Among equals the name decides, then the order.
        assert_eq!(likest(&[("x/a", a), ("x/b", a)], &[("y/b", a), ("y/c", a)]), [(1, 0), (0, 1)]);
    }

    #[test]
    fn equal_files_are_paired_by_name_then_in_order_and_empty_ones_by_name_alone() {
        let gone = [("src/a", "1"), ("src/b", "1"), ("src/c", "2"), ("src/empty", "0"), ("src/none", "0")];
        let came = [("dst/b", "1"), ("dst/d", "1"), ("dst/e", "1"), ("dst/empty", "0"), ("dst/other", "0")];
        let known = |files: [(&'static str, &'static str); 5]| files.map(|(path, id)| (path, Some(id)));
        let (mut gone, mut came) = (known(gone), known(came));
        (gone[2].1, came[2].1) = (None, None);
        assert_eq!(equal(&gone, &came, "0"), [(1, 0), (3, 3), (0, 1)]);
    }
}
