//! The names of tests that passed, so that a later run can tell a test that passed from one that was not run; and of which suites tests
//! passed that have no name.

use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The most tests that are kept; all but the largest test suites are smaller.
const MAX_TESTS: usize = 20_000;
/// The most suites that are kept of which tests without a name passed; a report of more says of the rest less than it could.
const MAX_SUITES: usize = 20_000;
/// The most bytes of names, of tests and of suites each.
const MAX_BYTES: usize = 4 << 20;

/// Tests that passed, in the order in which they were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Passed {
    /// Suite and name. Tests of one suite follow each other, so that most share its text.
    names: Vec<(Arc<str>, Box<str>)>,
    n_bytes: usize,
    /// Runner and suite of those without a name, each once.
    unnamed: Vec<(Arc<str>, Arc<str>)>,
    known: FxHashSet<(Arc<str>, Arc<str>)>,
    n_suite_bytes: usize,
}

impl Passed {
    /// Adds a test; where there is no more room for its name, it counts as one of its suite.
    pub(super) fn push(&mut self, runner: &str, suite: &str, name: &str) {
        let last = self.names.last().map(|(last, _)| last).filter(|last| ***last == *suite);
        let n_bytes = self.n_bytes + name.len() + last.map_or(suite.len(), |_| 0);
        if self.names.len() < MAX_TESTS && n_bytes <= MAX_BYTES {
            let suite = last.map_or_else(|| Arc::from(suite), Arc::clone);
            self.names.push((suite, name.into()));
            self.n_bytes = n_bytes;
        } else {
            self.push_unnamed(runner, suite);
        }
    }

    /// Adds tests of a suite that have no name, as long as there is room.
    pub(super) fn push_unnamed(&mut self, runner: &str, suite: &str) {
        let of: (Arc<str>, Arc<str>) = (Arc::from(runner), Arc::from(suite));
        let n_bytes = self.n_suite_bytes + runner.len() + suite.len();
        if self.unnamed.len() < MAX_SUITES && n_bytes <= MAX_BYTES && self.known.insert(of.clone()) {
            self.unnamed.push(of);
            self.n_suite_bytes = n_bytes;
        }
    }

    /// Adds those of another source.
    pub(super) fn add(&mut self, other: &Self) {
        other.names().for_each(|(suite, name)| self.push("", suite, name));
        other.unnamed().for_each(|(runner, suite)| self.push_unnamed(runner, suite));
    }

    /// Suite and name of each that has one.
    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.names.iter().map(|(suite, name)| (&**suite, &**name))
    }

    /// Runner and suite of those that have none.
    pub(super) fn unnamed(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.unnamed.iter().map(|(runner, suite)| (&**runner, &**suite))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_within_bounds_and_the_rest_is_of_its_suite() {
        let mut passed = Passed::default();
        (0..MAX_TESTS + 7).for_each(|number| passed.push("runner", "suite", &number.to_string()));
        assert_eq!(passed.names().len(), MAX_TESTS);
        assert!(passed.unnamed().eq([("runner", "suite")]));
        let mut long = Passed::default();
        let name = "x".repeat(1 << 10);
        (0..MAX_TESTS).for_each(|_| long.push("", "", &name));
        assert_eq!(long.names().len(), MAX_BYTES >> 10);
        passed.add(&long);
        assert_eq!(passed.names().len(), MAX_TESTS);
        let mut many = Passed::default();
        (0..MAX_SUITES + 7).for_each(|number| many.push_unnamed("", &number.to_string()));
        assert_eq!(many.unnamed().len(), MAX_SUITES);
        (0..MAX_SUITES).for_each(|number| long.push_unnamed("", &format!("{number}{name}")));
        assert!(long.unnamed().len() < MAX_BYTES >> 10);
    }
}
