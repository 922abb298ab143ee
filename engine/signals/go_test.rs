//! The text of `go test`, with or without `-v`.

use super::go_tests::{MAIN, NOT_BUILT, Package, RUNNER, TESTS, panicked_test};
use super::input::Line;
use super::output::Outputs;
use super::{LineReader, Report, Status};
use rustc_hash::FxHashSet;
use std::mem;

/// The most tests that are known to run at once.
const MAX_TESTS: usize = 10_000;

/// What says, with `-v`, that a test begins, whose output comes, and that nobody's does.
const RUN: &str = "=== RUN ";
const GOES_ON: [&str; 2] = ["=== CONT ", "=== NAME "];
const PAUSE: &str = "=== PAUSE ";

/// How a test ended.
const VERDICTS: [(&str, Status); 3] =
    [("--- FAIL: ", Status::Failed), ("--- PASS: ", Status::Passed), ("--- SKIP: ", Status::Skipped)];

/// How a package ended.
const PACKAGES: [(&str, Status); 3] = [("FAIL\t", Status::Failed), ("ok  \t", Status::Passed), ("?   \t", Status::Skipped)];

/// What stands behind a package none of whose tests was to be run.
const NO_TESTS: &str = "[no tests to run]";

/// What a panic begins with, and what says that a test's own goroutine had it, whose verdict stands above.
const PANICS: [&str; 2] = ["panic: ", "fatal error: "];
const RECOVERED: &str = "[recovered";

/// What the frames of a panic stand below.
const GOROUTINE: &str = "goroutine ";

/// The most bytes between a panic and the first of its goroutines.
const MAX_PANIC_BYTES: usize = 8 << 10;

/// Stands for the program where no test is known to speak.
const NOBODY: &str = "";

/// Reads it.
#[derive(Default)]
pub(super) struct GoTest {
    package: Package,
    outputs: Outputs,
    /// The last verdict, whose output may follow.
    verdict: Option<(String, Status)>,
    /// Whether it is said which tests begin; those that have not ended, and the last.
    is_verbose: bool,
    begun: FxHashSet<String>,
    last: Option<String>,
    /// Whose output comes.
    speaker: Option<String>,
    /// What begins like a panic: the program's, if goroutines follow, else what a test has written.
    held: String,
    /// Whether a line of this package stands above.
    is_inside: bool,
}

impl LineReader for GoTest {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        if let Some((path, status)) = package(text) {
            let is_built = !NOT_BUILT.iter().any(|end| text.ends_with(end));
            // Without `-v` that is all that is said of tests that passed.
            let is_ok = status == Status::Passed && !text.contains(NO_TESTS);
            if is_ok && self.package.is_empty() && self.verdict.is_none() {
                report.passed(RUNNER, path, 1);
            }
            self.finish(path, status == Status::Failed && is_built, report);
        } else if let Some((name, status)) = verdict(text).filter(|(name, _)| self.is_expected(name)) {
            self.enter();
            self.end_test(report);
            self.begun.remove(name);
            self.speaker = Some(name.to_owned());
            self.verdict = Some((name.to_owned(), status));
        } else if let Some(name) = text.strip_prefix(RUN).map(str::trim) {
            self.enter();
            self.is_verbose = true;
            if self.begun.len() < MAX_TESTS {
                self.begun.insert(name.to_owned());
            }
            (self.speaker, self.last) = (Some(name.to_owned()), Some(name.to_owned()));
        } else if let Some(name) = GOES_ON.iter().find_map(|start| text.strip_prefix(start)) {
            self.enter();
            self.speaker = Some(name.trim().to_owned());
        } else if text.starts_with(PAUSE) || matches!(text, "PASS" | "FAIL") {
            self.release();
            self.speaker = None;
        } else {
            // A program that is not a test panics alike.
            return self.write(text) && self.is_inside;
        }
        true
    }

    fn end(&mut self, report: &mut Report) {
        self.finish("", false, report);
    }
}

impl GoTest {
    /// Begins with a test of a package.
    fn enter(&mut self) {
        self.release();
        if !self.is_inside {
            self.outputs.take(NOBODY);
        }
        self.is_inside = true;
    }

    /// Adds a line to the output that comes, if one does.
    fn write(&mut self, text: &str) -> bool {
        if PANICS.iter().any(|start| text.starts_with(start)) && !text.contains(RECOVERED) {
            self.release();
            self.held = format!("{text}\n");
            return true;
        }
        if text.starts_with(GOROUTINE) && !self.held.is_empty() {
            self.speaker = Some(NOBODY.to_owned());
            self.release();
        }
        if !self.held.is_empty() && self.held.len() < MAX_PANIC_BYTES {
            self.held.push_str(text);
            self.held.push('\n');
            return true;
        }
        self.release();
        let Some(speaker) = &self.speaker else { return false };
        self.outputs.line(speaker, text);
        true
    }

    /// Gives what was held to whoever speaks.
    fn release(&mut self) {
        let held = mem::take(&mut self.held);
        if let Some(speaker) = self.speaker.as_ref().filter(|_| !held.is_empty()) {
            self.outputs.push(speaker, &held);
        }
    }

    /// Whether a verdict can be one, and is not what a test has written.
    fn is_expected(&self, name: &str) -> bool {
        !self.is_verbose || self.begun.contains(name) || self.begun.len() == MAX_TESTS
    }

    /// Adds the test of the last verdict, whose output is whole.
    fn end_test(&mut self, report: &mut Report) {
        if let Some((name, status)) = self.verdict.take() {
            let text = self.outputs.take(&name);
            self.package.add("", &name, status, &text, report);
        }
    }

    /// Gives out the tests of a package, which is named behind them, or of one that is cut.
    fn finish(&mut self, path: &str, is_failed: bool, report: &mut Report) {
        self.release();
        self.end_test(report);
        let mut run = mem::take(self);
        // Who does not end in its own goroutine has no verdict.
        let open = run.last.take().filter(|name| run.begun.contains(name));
        let has_panic = run.outputs.has(NOBODY);
        let is_cut = path.is_empty() && run.is_inside && has_panic;
        if is_cut || is_failed && (has_panic || open.is_some() || !run.package.has_failed()) {
            let of_open = open.as_ref().map(|name| run.outputs.take(name)).unwrap_or_default();
            let text = [of_open, run.outputs.take(NOBODY)].concat();
            let name = panicked_test(&text).map(str::to_owned).or(open);
            let whole = if path.is_empty() { MAIN } else { path };
            run.package.add_unfinished("", &name.unwrap_or_else(|| whole.to_owned()), &text, report);
        }
        if !path.is_empty() {
            report.understood();
        }
        run.package.give_out(path, report);
    }
}

/// Name and status of `    --- FAIL: TestToken/empty (0.00s)`, also behind a line that a test did not end.
fn verdict(text: &str) -> Option<(&str, Status)> {
    let find = |(start, status): &(&str, Status)| Some((text.find(start)?, text.split_once(start)?.1, *status));
    let (at, rest, status) = VERDICTS.iter().find_map(find)?;
    let (name, time) = rest.rsplit_once(" (")?;
    let is_alone = text[..at].trim_start_matches(' ').is_empty();
    let is_glued = !text.starts_with(' ') && TESTS.iter().any(|start| name.starts_with(start)) && !name.contains(' ');
    (time.ends_with("s)") && (is_alone || is_glued)).then_some((name, status))
}

/// Path and status of `FAIL\texample.com/auth\t0.004s`.
fn package(text: &str) -> Option<(&str, Status)> {
    let (rest, status) = PACKAGES.iter().find_map(|(start, status)| Some((text.strip_prefix(start)?, *status)))?;
    Some((rest.split(['\t', ' ']).next()?, status))
}
