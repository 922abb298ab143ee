//! The tests of a package of Go, until all of them are known: a test fails with each of its subtests, and only these say why.

use super::failure::{Failure, failure};
use super::{Report, Status, TestResult};
use rustc_hash::FxHashSet;
use std::mem;

/// Who runs the tests.
pub(super) const RUNNER: &str = "go test";

/// The most tests of a package that are kept until its end, and as many again that failed.
const MAX_TESTS: usize = 10_000;

/// The most levels of subtests that are looked at, in names of so many bytes at most.
const MAX_LEVELS: usize = 32;
const MAX_NAME_BYTES: usize = 1 << 10;

/// What functions begin with that are tests, and the one around all of them.
pub(super) const TESTS: [&str; 4] = ["Test", "Example", "Fuzz", "Benchmark"];
pub(super) const MAIN: &str = "TestMain";

/// What stands before the tests that run when there is no more time.
const RUNNING: &str = "running tests:\n";

/// What stands behind a package that could not be built; its errors stand above.
pub(super) const NOT_BUILT: [&str; 2] = ["[build failed]", "[setup failed]"];

/// What is said of a test, or a package, that fails without a word.
const DIED: &str = "the package failed before its tests ended";

/// Tests of a package.
#[derive(Debug, Default)]
pub(super) struct Package {
    tests: Vec<Test>,
    n_failed: usize,
    /// The names of those that passed while the package is not known, and how many more did.
    passed: Vec<String>,
    n_passed: u32,
}

#[derive(Debug)]
struct Test {
    result: TestResult,
    /// It ended with a panic, which a subtest may have caused.
    is_panic: bool,
}

impl Package {
    /// Adds a test with its output. Where the package is not known yet, `path` is empty.
    pub(super) fn add(&mut self, path: &str, name: &str, status: Status, output: &str, report: &mut Report) {
        let failure = if status == Status::Passed { Failure::default() } else { failure(output, path) };
        let result = TestResult {
            runner: RUNNER.to_owned(),
            suite: path.to_owned(),
            name: name.to_owned(),
            place: failure.place,
            status,
            message: failure.message,
            frames: failure.frames,
        };
        self.add_result(result, failure.is_panic, report);
    }

    /// Adds a test, or the package itself, that did not end before the package did.
    pub(super) fn add_unfinished(&mut self, path: &str, name: &str, output: &str, report: &mut Report) {
        let is_mute = failure(output, "").message.is_empty();
        self.add(path, name, Status::Failed, if is_mute { DIED } else { output }, report);
    }

    /// Adds the result of a test, and whether it ended with a panic.
    pub(super) fn add_result(&mut self, result: TestResult, is_panic: bool, report: &mut Report) {
        let is_failed = result.status == Status::Failed;
        if result.status == Status::Passed {
            if !result.suite.is_empty() {
                report.test(result);
            } else if self.passed.len() < MAX_TESTS {
                self.passed.push(result.name);
            } else {
                self.n_passed = self.n_passed.saturating_add(1);
            }
        } else if self.tests.len() < MAX_TESTS || is_failed && self.n_failed < MAX_TESTS {
            self.tests.push(Test { result, is_panic });
        } else {
            report.n_left_out += 1;
        }
        self.n_failed += usize::from(is_failed);
    }

    /// Whether a test failed.
    pub(super) fn has_failed(&self) -> bool {
        self.n_failed > 0
    }

    /// Whether nothing is known of any test.
    pub(super) fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.passed.is_empty()
    }

    /// Gives out all tests, as those of this package.
    pub(super) fn give_out(&mut self, path: &str, report: &mut Report) {
        let mut package = mem::take(self);
        package.passed.iter().for_each(|name| report.passed_called(RUNNER, path, name));
        if package.n_passed > 0 {
            report.passed(RUNNER, path, package.n_passed);
        }
        for Test { result, .. } in package.tests.iter_mut().filter(|test| test.result.suite.is_empty()) {
            path.clone_into(&mut result.suite);
            let places = result.frames.iter_mut().filter_map(|frame| frame.place.as_mut());
            places.chain(&mut result.place).for_each(|place| path.clone_into(&mut place.folder));
        }
        package.explain();
        package.tests.into_iter().for_each(|test| report.test(test.result));
    }

    /// Leaves out tests that failed by their subtests alone. A panic ends all the tests around it, and is told of the outermost: it is the
    /// last subtest without a message that had it.
    fn explain(&mut self) {
        let is_failed = |test: &&Test| test.result.status == Status::Failed;
        let parents: FxHashSet<String> =
            self.tests.iter().filter(is_failed).flat_map(|test| ancestors(&test.result.name)).map(str::to_owned).collect();
        let is_mute = |test: &Test| is_failed(&test) && test.result.message.is_empty();
        let is_panic = |test: &Test| test.is_panic && is_failed(&test) && parents.contains(&test.result.name);
        if let Some(at) = self.tests.iter().rposition(is_panic) {
            let start = format!("{}/", self.tests[at].result.name);
            let is_leaf =
                |test: &Test| is_mute(test) && test.result.name.starts_with(&start) && !parents.contains(&test.result.name);
            if let Some(leaf) = self.tests.iter().rposition(is_leaf) {
                let of_parent = mem::take(&mut self.tests[at].result);
                let result = &mut self.tests[leaf].result;
                (result.message, result.place, result.frames) = (of_parent.message, of_parent.place, of_parent.frames);
                self.tests[at].result.name = of_parent.name;
            }
        }
        self.tests.retain(|test| !(is_mute(test) && parents.contains(&test.result.name)));
    }
}

/// The names of the tests that hold a subtest.
fn ancestors(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('/').take(MAX_LEVELS).filter(|_| name.len() <= MAX_NAME_BYTES).map(|(at, _)| &name[..at])
}

/// The test in which a program panicked, or that ran when there was no more time.
pub(super) fn panicked_test(text: &str) -> Option<&str> {
    if let Some((_, running)) = text.split_once(RUNNING) {
        return running.lines().next()?.trim().split(" (").next();
    }
    text.lines().find_map(test_of_function)
}

/// `TestToken` of `example.com/auth.TestToken.func1()`.
fn test_of_function(line: &str) -> Option<&str> {
    let function = line.strip_suffix(')').or_else(|| line.strip_prefix("created by "))?;
    let name = function.rsplit('/').next()?.split(['.', '(', ' ']).nth(1)?;
    (TESTS.iter().any(|start| name.starts_with(start)) && name != MAIN).then_some(name)
}
