//! The names of tests that passed, so that a later run can tell a test that passed from one that was not run.
//!
//! Must not count what has no name.

use std::sync::Arc;

/// The most tests that are kept; all but the largest test suites are smaller.
const MAX_TESTS: usize = 20_000;
/// The most bytes of their names.
const MAX_BYTES: usize = 4 << 20;

/// Tests that passed, in the order in which they were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Passed {
    /// Suite and name. Tests of one suite follow each other, so that most share its text.
    names: Vec<(Arc<str>, Box<str>)>,
    n_bytes: usize,
}

impl Passed {
    /// Adds a test, as long as there is room.
    pub(super) fn push(&mut self, suite: &str, name: &str) {
        let last = self.names.last().map(|(last, _)| last).filter(|last| ***last == *suite);
        let n_bytes = self.n_bytes + name.len() + last.map_or(suite.len(), |_| 0);
        if self.names.len() < MAX_TESTS && n_bytes <= MAX_BYTES {
            let suite = last.map_or_else(|| Arc::from(suite), Arc::clone);
            self.names.push((suite, name.into()));
            self.n_bytes = n_bytes;
        }
    }

    /// Adds those of another source.
    pub(super) fn add(&mut self, other: &Self) {
        other.names().for_each(|(suite, name)| self.push(suite, name));
    }

    /// Suite and name of each.
    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.names.iter().map(|(suite, name)| (&**suite, &**name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_within_bounds() {
        let mut passed = Passed::default();
        (0..MAX_TESTS + 7).for_each(|number| passed.push("suite", &number.to_string()));
        assert_eq!(passed.names().len(), MAX_TESTS);
        let mut long = Passed::default();
        let name = "x".repeat(1 << 10);
        (0..MAX_TESTS).for_each(|_| long.push("", &name));
        assert_eq!(long.names().len(), MAX_BYTES >> 10);
        passed.add(&long);
        assert_eq!(passed.names().len(), MAX_TESTS);
    }
}
