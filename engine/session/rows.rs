//! Rows of failing tests: which of them a test goes on with, however much of its suite its report says, and which of them end with tests
//! that passed without a name.
//!
//! A log that was cut has no suite, and a file of tests is written from the root of the disk, of the repository, or of a package.

use super::turn::{FailingTest, TestName, TestRun};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most tests of one name whose suites are compared; what more share says nothing without the suite itself.
const MAX_NAMESAKES: usize = 64;

/// The rows of a run.
pub(super) struct Rows<'r> {
    list: Vec<&'r FailingTest>,
    /// By suite and name.
    exact: FxHashMap<(&'r str, &'r str), usize>,
    by_name: FxHashMap<&'r str, Vec<usize>>,
}

impl<'r> Rows<'r> {
    pub(super) fn of(run: Option<&'r TestRun>) -> Self {
        let mut rows = Self { list: Vec::new(), exact: FxHashMap::default(), by_name: FxHashMap::default() };
        for row in run.into_iter().flat_map(TestRun::rows) {
            let key = (row.suite.as_str(), row.name.as_str());
            if !rows.exact.contains_key(&key) {
                rows.exact.insert(key, rows.list.len());
                rows.by_name.entry(key.1).or_default().push(rows.list.len());
                rows.list.push(row);
            }
        }
        rows
    }

    /// The number of the row of a test: that of its suite, else the only one whose suite may be the same.
    pub(super) fn find(&self, test: &TestName) -> Option<usize> {
        if let Some(exact) = self.exact.get(&(test.suite.as_str(), test.name.as_str())) {
            return Some(*exact);
        }
        let named = self.by_name.get(test.name.as_str()).filter(|named| named.len() <= MAX_NAMESAKES)?;
        let may_be = |number: &&usize| self.list.get(**number).is_some_and(|row| may_be_suite(row, test));
        let mut found = named.iter().filter(may_be);
        found.next().filter(|_| found.next().is_none()).copied()
    }

    /// The number of the row that stands for a suite that came to no test, which is called like it: one that did has run.
    pub(super) fn find_whole(&self, suite: &str) -> Option<usize> {
        self.exact.get(&(suite, suite)).copied()
    }

    /// How often the test of a row failed until now.
    pub(super) fn in_a_row(&self, number: usize) -> u32 {
        self.list.get(number).map_or(0, |row| row.in_a_row)
    }

    /// All of them, in the order of their numbers.
    pub(super) fn all(&self) -> &[&'r FailingTest] {
        &self.list
    }
}

/// Where tests passed that have no name.
#[derive(Default)]
pub(super) struct Unnamed {
    /// Runners that said how many passed, and not of which suite.
    totals: FxHashSet<String>,
    /// Runners that said of which.
    runners: FxHashSet<String>,
    /// The suites, by what stands behind their last slash.
    suites: FxHashMap<String, Vec<String>>,
}

impl Unnamed {
    pub(super) fn add(&mut self, TestName { runner, suite, .. }: TestName) {
        if suite.is_empty() {
            self.totals.insert(runner);
        } else {
            self.runners.insert(runner);
            self.suites.entry(end_of(&suite).to_owned()).or_default().push(suite);
        }
    }

    /// Whether a test that does not fail is most likely one of them.
    pub(super) fn may_hold(&self, row: &FailingTest) -> bool {
        let is_of = |runners: &FxHashSet<String>| {
            runners.contains(&row.runner) || runners.contains("") || row.runner.is_empty() && !runners.is_empty()
        };
        let suites = || self.suites.get(end_of(&row.suite)).into_iter().flatten();
        is_of(&self.totals) || row.suite.is_empty() && is_of(&self.runners) || suites().any(|suite| is_same(suite, &row.suite))
    }
}

/// Whether a row can be that of a test of its name.
fn may_be_suite(row: &FailingTest, test: &TestName) -> bool {
    let is_same_runner = || row.runner == test.runner || row.runner.is_empty() || test.runner.is_empty();
    if row.suite.is_empty() || test.suite.is_empty() { is_same_runner() } else { is_same(&row.suite, &test.suite) }
}

/// Whether two suites are one: alike, or files of which one says more of where it is.
fn is_same(a: &str, b: &str) -> bool {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let is_file = || end_of(short).trim_start_matches('.').contains('.');
    long.strip_suffix(short).is_some_and(|above| above.is_empty() || above.ends_with('/') && is_file())
}

/// What stands behind the last slash.
fn end_of(suite: &str) -> &str {
    suite.rsplit('/').next().unwrap_or_default()
}
