//! Where the hunks of a change stand among the lines of a file, and which side of the change the file has.

use super::patch::{FileChange, Hunk, Sign};
use rustc_hash::FxHashMap;

/// The most lines that are compared to find the hunks of a patch: a repetitive file would take hours.
const MAX_COMPARED: usize = 20_000_000;

/// A line that the file does not have.
const NO_LINE: u32 = u32::MAX;

/// Finds hunks in files, with one bound for all of a patch.
pub(super) struct Finder {
    /// How many lines may still be compared.
    left: usize,
}

/// Where the hunks of a change stand in a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fit {
    /// Whether the file is as it was before the change.
    pub(super) is_old: bool,
    /// Where each hunk begins, from 0; none where it does not stand.
    pub(super) places: Vec<Option<usize>>,
    /// How many lines of this side stand there.
    pub(super) n_lines: usize,
}

impl Finder {
    pub(super) fn new() -> Self {
        Self { left: MAX_COMPARED }
    }

    /// Whether the bound is reached: what is not found since may stand somewhere.
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Where the hunks of a change stand in the lines of its file. Of a new file there is no side before, of a deleted one none after.
    pub(super) fn fit(&mut self, lines: &[&str], change: &FileChange) -> Fit {
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let lines: Vec<u32> = lines.iter().zip(0..).map(|(line, at)| *numbers.entry(line).or_insert(at)).collect();
        let mut side = |is_old: bool| {
            let places = self.places(&lines, &numbers, &change.hunks, is_old);
            let found = change.hunks.iter().zip(&places).filter(|(_, place)| place.is_some());
            let n_lines = found.map(|(hunk, _)| hunk.side(is_old).count()).sum();
            Fit { is_old, places, n_lines }
        };
        match (&change.old, &change.new) {
            (None, _) => side(false),
            (_, None) => side(true),
            _ => {
                let (new, old) = (side(false), side(true));
                if old.rank() > new.rank() { old } else { new }
            }
        }
    }

    /// Where the lines of one side of each hunk stand, each behind the one before.
    fn places(&mut self, lines: &[u32], numbers: &FxHashMap<&str, u32>, hunks: &[Hunk], is_old: bool) -> Vec<Option<usize>> {
        let mut from = 0;
        // How far the hunks before were from where they say they are.
        let mut drift: i64 = 0;
        let place = |hunk: &Hunk| {
            let wanted: Vec<u32> = hunk.side(is_old).map(|line| numbers.get(line).copied().unwrap_or(NO_LINE)).collect();
            let named = i64::from(if is_old { hunk.old_first } else { hunk.new_first }) - 1;
            let last = lines.len().checked_sub(wanted.len()).filter(|last| *last >= from && !wanted.contains(&NO_LINE))?;
            let at = if hunk.lines.iter().any(|line| line.sign == Sign::Kept) {
                // A patch may name any line.
                let expected = usize::try_from(named + drift).unwrap_or_default().clamp(from, last);
                self.nearest(lines, &wanted, (from, last), expected)?
            } else {
                // Without lines around it nothing but its number says where it stands.
                let at = usize::try_from(named + drift).ok().filter(|at| (from..=last).contains(at))?;
                self.stands(lines, &wanted, at).then_some(at)?
            };
            drift = at as i64 - named;
            from = at + wanted.len();
            Some(at)
        };
        hunks.iter().map(place).collect()
    }

    /// The place of some lines that is nearest to the expected one.
    fn nearest(&mut self, lines: &[u32], wanted: &[u32], (first, last): (usize, usize), expected: usize) -> Option<usize> {
        let farthest = (expected - first).max(last - expected);
        for away in 0..=farthest {
            let below = Some(expected + away).filter(|at| *at <= last);
            let above = expected.checked_sub(away).filter(|at| *at >= first && away > 0);
            for at in [below, above].into_iter().flatten() {
                if self.stands(lines, wanted, at) {
                    return Some(at);
                }
            }
            if self.is_spent() {
                return None;
            }
        }
        None
    }

    /// Whether some lines stand at a place. Every line that is compared counts, the one that differs among them.
    fn stands(&mut self, lines: &[u32], wanted: &[u32], at: usize) -> bool {
        let n_alike = lines[at..].iter().zip(wanted).take(self.left).take_while(|(one, other)| one == other).count();
        self.left = self.left.saturating_sub(n_alike + 1);
        n_alike == wanted.len()
    }
}

impl Fit {
    /// Whether every hunk stands in the file, by lines that prove it.
    pub(super) fn is_proved(&self) -> bool {
        self.n_lines > 0 && self.places.iter().all(Option::is_some)
    }

    /// A side on which all stands explains the file; of two, as where lines are only added, the one that more lines speak for.
    fn rank(&self) -> (bool, usize, usize) {
        let n_placed = self.places.iter().flatten().count();
        (n_placed == self.places.len(), self.n_lines, n_placed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Patch;

    #[test]
    fn lines_that_repeat_make_no_work_without_end() {
        let file = "a\n".repeat(200_000);
        let lines: Vec<&str> = file.lines().collect();
        let head = "--- a/x.txt\n+++ b/x.txt\n";
        let hunk = format!("@@ -1,100000 +1,100000 @@\n{}-x\n+y\n", " a\n".repeat(99_999));
        // Lines that the file has are compared one by one.
        let repeating = format!("@@ -1,100001 +1,100001 @@\n{}-b\n+b\n a\n", " a\n".repeat(99_999));
        let with_b = format!("{file}b\n");
        let lines_with_b: Vec<&str> = with_b.lines().collect();
        for (patch, lines, is_spent) in [(&hunk, &lines, false), (&repeating, &lines_with_b, true)] {
            let patch = Patch::parse(&format!("{head}{patch}"));
            let mut finder = Finder::new();
            assert_eq!(finder.fit(lines, &patch.files[0]).places, [None]);
            assert_eq!(finder.is_spent(), is_spent);
            // Nothing more is tried by another file of the patch.
            let left = finder.left;
            finder.fit(lines, &patch.files[0]);
            assert!(!is_spent || finder.left == left);
        }
        let mut finder = Finder { left: 10 };
        assert!(!finder.stands(&[1; 100], &[1; 50], 0), "what is not compared to its end is not found");
        assert!(finder.is_spent());
    }
}
