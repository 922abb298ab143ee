//! What was read of what tools say: merged, in order, within bounds.

use super::input::Input;
use super::passed::Passed;
use super::{Diagnostic, Place, Severity, Status, TestResult};
use error::Problem;
use redact::ansi::strip;
use redact::by_rules;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::fmt;
use std::hash::{BuildHasher as _, Hash};
use std::sync::Arc;

/// The stage of these problems.
const STAGE: &str = "signals";
/// The most diagnostics that are kept; nobody mends ten thousand at once.
const MAX_DIAGNOSTICS: usize = 10_000;
/// How many of these may be no errors, so that they cannot crowd out those that are.
const MAX_MILD: usize = 8_000;
/// The most bytes of what they say; with three thousand for each there is a lot to read.
const MAX_DIAGNOSTIC_BYTES: usize = 32 << 20;
/// The most tests that are kept that did not pass.
const MAX_TESTS: usize = 10_000;
/// How many of these may be skipped ones, so that they cannot crowd out those that failed.
const MAX_SKIPPED: usize = 2_000;
/// The most diagnostics and tests that are told from those that come again; all of the largest repositories are fewer.
const MAX_SEEN: usize = 1_000_000;
/// The most parts that could not be read that are named, and the most sources.
const MAX_UNREADABLE: usize = 20;
/// The most bytes of a message, and of each of its notes: a screen full.
pub(super) const MAX_MESSAGE_BYTES: usize = 4 << 10;
/// With what a note begins that says where the macro is used in which a diagnostic is: the name follows.
pub(super) const MACRO_USE: &str = "in this use of `";
/// How the text of the compiler says it.
const MACRO_USE_IN_TEXT: &str = "in this macro invocation";
/// The most notes of a diagnostic, and frames of a failure.
pub(super) const MAX_NOTES: usize = 16;
pub(super) const MAX_FRAMES: usize = 64;
/// The most bytes of a name or a path.
const MAX_NAME_BYTES: usize = 1 << 10;

/// What tools say of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Diagnostics, each once, in the order in which they were read.
    pub diagnostics: Vec<Diagnostic>,
    /// Tests that failed or were skipped, each once, in the order in which they were read.
    pub tests: Vec<TestResult>,
    /// How many tests passed, at least: of a package of Go of which nothing but `ok` is said, one.
    pub n_passed: u32,
    passed: Arc<Passed>,
    /// What could not be read.
    pub unreadable: Vec<Unreadable>,
    /// How many further diagnostics, tests and parts that could not be read were left out, since there are too many.
    pub n_left_out: u32,
    /// Sources that say something, but nothing in a form that is known.
    pub silent: Vec<String>,
    /// Sources that say nothing at all and should: see [`Report::should_say_something`].
    pub empty: Vec<String>,
    /// What was read into this report, the first of its sources, in order.
    pub sources: Vec<String>,
    name: String,
    /// How many diagnostics and tests there were before the source that was read last.
    before: (usize, usize),
    is_blank: bool,
    seen: FxHashSet<u64>,
    n_mild: usize,
    n_bytes: usize,
    n_skipped: usize,
    is_understood: bool,
}

/// A part of a source that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The source.
    pub name: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// What is wrong, and what is expected.
    pub why: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} line {} column {}: {}", self.name, self.line, self.column, self.why)
    }
}

impl Report {
    /// A report of what was read before.
    pub fn of(diagnostics: Vec<Diagnostic>, tests: Vec<TestResult>) -> Self {
        Self { diagnostics, tests, ..Self::default() }
    }

    /// Whether anything was found to be wrong.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty() && self.tests.is_empty()
    }

    /// What could not be read, was left out or not understood.
    pub fn problems(&self) -> Vec<Problem> {
        let problem = |message: String| Problem::new(STAGE, message);
        let mut problems: Vec<Problem> = self.unreadable.iter().map(|part| problem(part.to_string())).collect();
        problems.extend(
            self.silent.iter().map(|name| problem(format!("{name}: no diagnostic and no result of a test was recognised in it"))),
        );
        problems.extend(self.empty.iter().map(|name| problem(format!("{name}: empty: nothing to read"))));
        if self.n_left_out > 0 {
            problems.push(problem(format!(
                "{} more diagnostics, tests or faults were left out: there are too many",
                self.n_left_out
            )));
        }
        problems
    }

    /// Says in which folder below the root of the repository the tools ran: for all that is in the report so far and does not say so.
    pub fn ran_in(&mut self, folder: &str) {
        for Diagnostic { place, notes, frames, .. } in &mut self.diagnostics {
            let notes = notes.iter_mut().filter_map(|note| note.place.as_mut());
            let frames = frames.iter_mut().filter_map(|frame| frame.place.as_mut());
            notes.chain(frames).chain(place).for_each(|place| place.run_in(folder));
        }
        for test in &mut self.tests {
            let frames = test.frames.iter_mut().filter_map(|frame| frame.place.as_mut());
            frames.chain(&mut test.place).for_each(|place| place.run_in(folder));
        }
    }

    /// Says when the source that was read last was written, in nanoseconds since 1970: for what it was the first to say.
    pub fn written_at(&mut self, ns: i64) {
        let (n_diagnostics, n_tests) = self.before;
        let diagnostics = self.diagnostics.iter_mut().skip(n_diagnostics);
        let of_diagnostics = diagnostics.flat_map(|diagnostic| {
            diagnostic.frames.iter_mut().filter_map(|frame| frame.place.as_mut()).chain(&mut diagnostic.place)
        });
        let tests = self.tests.iter_mut().skip(n_tests);
        let of_tests =
            tests.flat_map(|test| test.frames.iter_mut().filter_map(|frame| frame.place.as_mut()).chain(&mut test.place));
        of_diagnostics.chain(of_tests).for_each(|place| place.written_ns = Some(ns));
    }

    /// Says that the source that was read last is there to say something: that it is empty is a problem then. A tool that was run and finds
    /// nothing may well be silent.
    pub fn should_say_something(&mut self) {
        if self.is_blank {
            self.empty.push(self.name.clone());
        }
    }

    /// Adds what another report says, as if its sources had been read after those of this one; which they are is not kept.
    pub fn add(&mut self, other: Self) {
        other.diagnostics.into_iter().for_each(|diagnostic| self.diagnostic(diagnostic));
        // Which binary a test is of is not kept; its number among those of one name and file stands for it.
        let mut n_same: FxHashMap<u64, u32> = FxHashMap::default();
        for test in other.tests {
            let path = test.place.as_ref().map(|place| &place.path);
            let same = FxBuildHasher.hash_one((test.status as u8, &test.runner, &test.suite, &test.name, path));
            let number = n_same.entry(same).or_default();
            *number += 1;
            self.test_of((path.cloned(), *number), test);
        }
        self.n_passed = self.n_passed.saturating_add(other.n_passed);
        Arc::make_mut(&mut self.passed).add(&other.passed);
        let n_room = MAX_UNREADABLE.saturating_sub(self.unreadable.len());
        let n_over = other.unreadable.len().saturating_sub(n_room) as u32;
        self.unreadable.extend(other.unreadable.into_iter().take(n_room));
        self.n_left_out = self.n_left_out.saturating_add(other.n_left_out).saturating_add(n_over);
        self.silent.extend(other.silent);
        self.empty.extend(other.empty);
    }

    /// The tests that failed.
    pub fn failed(&self) -> impl Iterator<Item = &TestResult> {
        self.tests.iter().filter(|test| test.status == Status::Failed)
    }

    /// The tests that passed and are named, the suite and the name of each. The rest of those that passed was only counted, or there are too
    /// many.
    pub fn passed_by_name(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.passed.names()
    }

    /// The runner and the suite of tests that passed and are not named, each once. A total of several suites has none.
    pub fn passed_unnamed(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.passed.unnamed()
    }

    /// Begins with a source.
    pub(super) fn start(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        self.before = (self.diagnostics.len(), self.tests.len());
        self.is_understood = false;
        if self.sources.len() < MAX_UNREADABLE && !self.sources.iter().any(|known| known == name) {
            self.sources.push(name.to_owned());
        }
    }

    /// Adds a diagnostic, unless it is known: builds repeat them for each of their targets.
    pub(super) fn diagnostic(&mut self, mut diagnostic: Diagnostic) {
        self.understood();
        diagnostic.message = message(&diagnostic.message);
        for text in [&mut diagnostic.tool, &mut diagnostic.code] {
            *text = name(text);
        }
        let here = diagnostic.place.as_ref().map(|place| (&place.path, place.line));
        diagnostic.notes.retain_mut(|note| {
            note.message = message(&note.message);
            note.place.take_if(|place| !is_bounded(place) || here == Some((&place.path, place.line)));
            !note.message.is_empty()
        });
        diagnostic.frames.retain(|frame| frame.place.as_ref().is_none_or(is_bounded));
        diagnostic.frames.truncate(MAX_FRAMES);
        diagnostic.frames.iter_mut().for_each(|frame| frame.function = name(&frame.function));
        diagnostic.notes.dedup();
        diagnostic.notes.truncate(MAX_NOTES);
        if diagnostic.message.is_empty() || !diagnostic.place.iter().all(is_bounded) {
            self.left_out(1);
            return;
        }
        // A macro says the same of each of its uses, at the place in the macro; a note tells the uses apart. The places of other notes
        // differ between the forms in which a tool writes one message.
        let uses = diagnostic
            .notes
            .iter()
            .filter(|note| [MACRO_USE, MACRO_USE_IN_TEXT].iter().any(|use_of| note.message.starts_with(use_of)));
        let places = diagnostic.place.iter().chain(uses.filter_map(|note| note.place.as_ref()));
        let places: Vec<_> = places.map(|place| (&place.ran_in, &place.path, place.line, place.column)).collect();
        let words = unqualified(&diagnostic.message);
        let hash = FxBuildHasher.hash_one((&diagnostic.tool, diagnostic.severity as u8, &diagnostic.code, places, words));
        let is_error = diagnostic.severity == Severity::Error;
        let n_bytes = diagnostic.message.len() + diagnostic.notes.iter().map(|note| note.message.len()).sum::<usize>();
        let is_full = self.diagnostics.len() == MAX_DIAGNOSTICS || !is_error && self.n_mild == MAX_MILD;
        if is_full || self.n_bytes + n_bytes > MAX_DIAGNOSTIC_BYTES {
            self.left_out(u32::from(!self.seen.contains(&hash)));
        } else if self.seen.insert(hash) {
            self.n_bytes += n_bytes;
            self.n_mild += usize::from(!is_error);
            self.diagnostics.push(diagnostic);
        }
    }

    /// Adds the result of a test; what failed once has failed, also where a runner tried it again.
    pub(super) fn test(&mut self, test: TestResult) {
        self.test_of((), test);
    }

    /// Adds the result of a test of a program, whose suite can have the same name as that of another.
    pub(super) fn test_of(&mut self, program: impl Hash, mut test: TestResult) {
        self.understood();
        test.message = message(&test.message);
        test.place = test.place.filter(is_bounded);
        test.frames.retain(|frame| test.status == Status::Failed && frame.place.as_ref().is_none_or(is_bounded));
        test.frames.truncate(MAX_FRAMES);
        let functions = test.frames.iter_mut().map(|frame| &mut frame.function);
        for text in [&mut test.runner, &mut test.suite, &mut test.name].into_iter().chain(functions) {
            *text = name(text);
        }
        // Names are unique within a suite; where none is named, tests of several may have the same.
        let path = test.place.as_ref().filter(|_| test.suite.is_empty()).map(|place| &place.path);
        if test.name.is_empty() || !self.is_new(&(test.status as u8, &test.runner, &test.suite, program, &test.name, path)) {
            return;
        }
        let is_skipped = test.status == Status::Skipped;
        if test.status == Status::Passed {
            self.passed_called(&test.runner, &test.suite, &test.name);
        } else if self.tests.len() < MAX_TESTS && !(is_skipped && self.n_skipped == MAX_SKIPPED) {
            self.n_skipped += usize::from(is_skipped);
            self.tests.push(test);
        } else {
            self.left_out(1);
        }
    }

    /// Counts tests of a suite that passed and are not named, or of several where it is empty. None of them says that the source was
    /// understood and nothing is wrong.
    pub(super) fn passed(&mut self, runner: &str, suite: &str, n_tests: u32) {
        self.understood();
        if n_tests > 0 {
            self.n_passed = self.n_passed.saturating_add(n_tests);
            Arc::make_mut(&mut self.passed).push_unnamed(&name(runner), &name(suite));
        }
    }

    /// Adds a test that passed, known or not.
    pub(super) fn passed_called(&mut self, runner: &str, suite: &str, test: &str) {
        self.understood();
        self.n_passed = self.n_passed.saturating_add(1);
        Arc::make_mut(&mut self.passed).push(&name(runner), &name(suite), &name(test));
    }

    /// Counts what is left out, since there is too much of it or it is too long.
    pub(super) fn left_out(&mut self, n_parts: u32) {
        self.n_left_out = self.n_left_out.saturating_add(n_parts);
    }

    /// Says that the form of the source is known, so that nothing is wrong if nothing is found; what another source said already is found.
    pub(super) fn understood(&mut self) {
        self.is_understood = true;
    }

    /// Says what could not be read, and where.
    pub(super) fn unreadable(&mut self, line: u32, column: u32, why: impl Into<String>) {
        if self.unreadable.len() < MAX_UNREADABLE {
            self.unreadable.push(Unreadable { name: self.name.clone(), line, column, why: why.into() });
        } else {
            self.left_out(1);
        }
    }

    /// Ends with a source: says what was left out of it, and whether nothing was found in it at all.
    pub(super) fn finish(&mut self, input: &mut Input<'_>) {
        if let Some((line, why)) = input.cut() {
            self.unreadable(line, 1, why);
        }
        self.is_blank = input.is_blank();
        if !self.is_understood && !self.is_blank && self.unreadable.iter().all(|part| part.name != self.name) {
            self.silent.push(self.name.clone());
        }
    }

    fn is_new(&mut self, key: &impl Hash) -> bool {
        let key = FxBuildHasher.hash_one(key);
        if self.seen.len() < MAX_SEEN { self.seen.insert(key) } else { !self.seen.contains(&key) }
    }
}

fn is_bounded(place: &Place) -> bool {
    place.path.len() <= MAX_NAME_BYTES && place.folder.len() <= MAX_NAME_BYTES
}

/// A message without the paths before names: `auth::Token` and `Token` are the same to two targets of a build.
fn unqualified(message: &str) -> String {
    let mut kept = String::with_capacity(message.len());
    for (number, part) in message.split("::").enumerate() {
        if number > 0 && part.starts_with(|first: char| first.is_alphanumeric() || first == '_') {
            kept.truncate(kept.trim_end_matches(|last: char| last.is_alphanumeric() || last == '_').len());
        }
        kept.push_str(part);
    }
    kept
}

/// A message without colours and space around it, cut to what is kept.
fn message(text: &str) -> String {
    kept(strip(text).trim(), MAX_MESSAGE_BYTES)
}

fn name(text: &str) -> String {
    kept(strip(text).trim(), MAX_NAME_BYTES)
}

/// The beginning of a text. What is cut is masked before: the rest of a secret is not known for one.
fn kept(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    // Far enough that what is cut here is not shown.
    let beginning = up_to(text, most.saturating_mul(MASKED_PARTS));
    format!("{}…", up_to(&by_rules::hide(beginning), most))
}

/// How many times more than what is kept of a text is looked through for secrets.
const MASKED_PARTS: usize = 8;

fn up_to(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    /// What a build that ran in a folder said.
    fn ran(folder: &str, text: &str) -> Report {
        let mut report = Report::default();
        read(text.as_bytes(), "`build`", None, &mut report).expect("a text can be read");
        report.ran_in(folder);
        report
    }

    #[test]
    fn reports_are_added_with_the_folders_their_tools_ran_in() {
        let said = "main.go:3:1: undefined: x\n";
        let mut all = ran("api", said);
        all.add(ran("web", said));
        all.add(ran("web", said));
        all.add(ran("", "/src/main.go:3:1: undefined: x\n"));
        let places = all.diagnostics.iter().filter_map(|diagnostic| diagnostic.place.as_ref());
        let paths: Vec<String> = places.map(|place| place.from_root().into_owned()).collect();
        assert_eq!(paths, ["api/main.go", "web/main.go", "/src/main.go"], "the same of the same place is kept once");
        // What is known stays.
        all.ran_in("elsewhere");
        assert_eq!(all.diagnostics[0].place.as_ref().and_then(|place| place.ran_in.as_deref()), Some("api"));
    }

    #[test]
    fn tests_of_one_name_are_told_apart_by_their_programs() {
        let failed = |package: &str, hash: &str| {
            format!(
                "     Running tests/it.rs (target/debug/deps/it-{hash})\n\nrunning 3 tests\ntest fine ... ok\ntest off ... ignored\n\
                 test smoke ... FAILED\n\nfailures:\n\n---- smoke stdout ----\n\nthread 'smoke' (7) panicked at {package}/tests/it.rs:3:5:\nno\n\n\
                 failures:\n    smoke\n\ntest result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out\n\n"
            )
        };
        let text = failed("a", "0123456789abcdef") + &failed("b", "fedcba9876543210");
        let one = ran("", &text.repeat(2));
        let mut added = Report::default();
        added.add(one.clone());
        added.add(one.clone());
        for (report, n_passed) in [(&one, 2), (&added, 4)] {
            let paths: Vec<&str> = report.failed().flat_map(|test| &test.place).map(|place| place.path.as_str()).collect();
            assert_eq!((paths, report.tests.len(), report.n_passed), (vec!["a/tests/it.rs", "b/tests/it.rs"], 4, n_passed));
            assert!(report.tests.iter().all(|test| test.suite == "it"));
        }
    }

    #[test]
    fn what_is_added_stays_within_bounds_and_is_counted() {
        let mut all = Report::default();
        for number in 0..3_u32 {
            let lines: Vec<String> = (1..=4_000).map(|line| format!("m{number}/a.go:{line}:1: undefined: x\n")).collect();
            let mut one = ran("", &lines.concat());
            one.unreadable = vec![Unreadable { name: String::new(), line: 1, column: 1, why: String::new() }; 15];
            one.n_passed = u32::MAX / 2;
            all.add(one);
        }
        assert_eq!((all.diagnostics.len(), all.unreadable.len()), (MAX_DIAGNOSTICS, MAX_UNREADABLE));
        assert_eq!((all.n_left_out, all.n_passed), (2_000 + 25, u32::MAX));
    }
}
