//! Which of the files that went and came are one file that was moved.
//!
//! Must not know paths beyond their order, nor where contents come from.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The part of the lines of the larger file, in thousandths, that the other must have: git's own half, so that a diff reads alike.
const LEAST_ALIKE: usize = 500;
/// The most files of each kind that are compared with all of the other.
const MAX_COMPARED: usize = 64;
/// The fewest lines that tell files apart.
const LEAST_LINES: usize = 4;

/// Pairs of a file that went and one that came, by place in both lists: the likest first, each in one pair.
pub(super) fn renames(gone: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (at_old, old) in gone.iter().enumerate().take(MAX_COMPARED) {
        for (at_new, new) in new.iter().enumerate().take(MAX_COMPARED) {
            let alike = alike(old, new);
            if alike >= LEAST_ALIKE {
                pairs.push((Reverse(alike), at_old, at_new));
            }
        }
    }
    pairs.sort_unstable();
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for (_, at_old, at_new) in pairs {
        if !chosen.iter().any(|(old, new)| *old == at_old || *new == at_new) {
            chosen.push((at_old, at_new));
        }
    }
    chosen
}

/// Which part of their lines two texts share, in thousandths of those of the larger.
fn alike(one: &[u8], other: &[u8]) -> usize {
    if one == other && !one.is_empty() {
        return 1001;
    }
    let lines = |text: &[u8]| text.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
    let (n_one, n_other) = (lines(one), lines(other));
    let (least, most) = (n_one.min(n_other), n_one.max(n_other));
    if least < LEAST_LINES || least * 1000 / most < LEAST_ALIKE {
        return 0;
    }
    let mut counts: FxHashMap<&[u8], usize> = FxHashMap::default();
    for line in one.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()) {
        *counts.entry(line).or_default() += 1;
    }
    let mut n_shared = 0;
    for line in other.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
        if let Some(left) = counts.get_mut(line).filter(|left| **left > 0) {
            *left -= 1;
            n_shared += 1;
        }
    }
    n_shared * 1000 / most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likest_files_are_one_and_little_says_nothing() {
        let (a, b, c) = (b"1\n2\n3\n4\n5\n".as_slice(), b"1\n2\n3\n4\n6\n".as_slice(), b"x\ny\nz\nv\nw\n".as_slice());
        assert_eq!(renames(&[b, a, c], &[a, b"1\n2\n", c]), [(1, 0), (2, 2)]);
        assert_eq!(renames(&[b], &[a]), [(0, 0)]);
        assert_eq!(renames(&[b"1\n2\n"], &[b"1\n3\n"]), []);
    }
}
