//! The text of `cargo test`: what Rust's own harness of tests prints, with or without `--nocapture`, `--show-output` and `--quiet`.

use super::failure::failure;
use super::input::Line;
use super::marks::is_of_others;
use super::output::Outputs;
use super::{LineReader, Place, Report, Status, TestResult};
use rustc_hash::FxHashSet;
use std::mem;

/// Who runs the tests.
pub(super) const RUNNER: &str = "cargo test";

/// The most failed tests of one binary that are kept until its end.
const MAX_TESTS: usize = 10_000;

/// What stands behind the names of tests that are expected to fail, and of examples that are not run.
const MODES: [&str; 4] = [" - should panic", " - compile fail", " - compile", " - no run"];

/// What cargo says behind a binary whose tests failed, or that came to an end before them.
const ENDS: [&str; 2] = ["error: test failed", "error: doctest failed"];

/// What the harness says behind the tests of a binary.
const RESULT: &str = "test result: ";

/// How a program ends that ran out of stack, behind the name of the thread.
const OVERFLOW: &str = "has overflowed its stack";

/// What is said of a binary that ends before its tests.
const DIED: &str = "the program ended before its tests did";

/// Whose outputs or names are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Failed,
    Passed,
}

/// Where in the text of one binary.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Before its tests, or behind.
    #[default]
    Outside,
    /// Its tests run: their verdicts come.
    Running,
    /// What tests have written.
    Outputs(Of),
    /// Names of tests.
    Names(Of),
}

/// Reads it.
#[derive(Default)]
pub(super) struct Libtest {
    suite: String,
    /// The file of the binary, whose hash tells it from that of another package.
    binary: String,
    section: Section,
    /// A heading stands above: names follow, or it was a line of an output.
    may_list: bool,
    n_passed: u32,
    /// A test was named with its verdict, so that only failed ones can have an output.
    has_verdicts: bool,
    failed: Vec<String>,
    failed_set: FxHashSet<String>,
    /// By the name of the test, which is that of its thread.
    outputs: Outputs,
    /// Whose output comes.
    speaker: Option<String>,
    /// The test whose verdict comes behind its output.
    open: Option<String>,
}

impl LineReader for Libtest {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        if let Some((suite, binary)) = suite(text) {
            self.finish(report);
            suite.clone_into(&mut self.suite);
            binary.clone_into(&mut self.binary);
            return true;
        }
        // It stands behind the name of the test that ended the program, if that says its name first.
        let glued = test_line(text).filter(|(_, said)| self.section == Section::Running && is_end(said));
        if let Some((name, _)) = glued {
            self.open = Some(name.to_owned());
        }
        if is_end(text) || glued.is_some() {
            self.died(report);
            self.finish(report);
            return true;
        }
        if is_of_others(text) {
            (self.section, self.speaker, self.open) = (Section::Outside, None, None);
            return false;
        }
        match self.section {
            Section::Outside => self.outside(text, report),
            Section::Running => self.running(text, report),
            Section::Outputs(of) => self.output(text, of, report),
            Section::Names(of) => self.name(text, of, report),
        }
    }

    fn end(&mut self, report: &mut Report) {
        self.finish(report);
    }
}

impl Libtest {
    fn outside(&mut self, text: &str, report: &mut Report) -> bool {
        if is_start(text) {
            self.section = Section::Running;
            return true;
        }
        // The beginning may have been cut off.
        let is_verdict = test_line(text).is_some_and(|(_, said)| verdict(said).is_some());
        (is_verdict || output_of(text).is_some()) && self.running(text, report)
    }

    fn running(&mut self, text: &str, report: &mut Report) -> bool {
        let quiet = text.strip_suffix(" --- FAILED").map(|name| (name, "FAILED"));
        if let Some((name, said)) = test_line(text).or(quiet) {
            (self.section, self.speaker, self.open) = (Section::Running, None, None);
            if let Some((status, message)) = verdict(said) {
                self.verdict(name, status, message, report);
            } else {
                self.open = Some(name.to_owned());
                self.write(said);
            }
        } else if let Some((status, message)) = verdict(text).filter(|_| self.open.is_some()) {
            let name = self.open.take().unwrap_or_default();
            self.verdict(&name, status, message, report);
        } else if text.starts_with(RESULT) {
            self.result(text, report);
        } else if let Some(of) = heading(text) {
            (self.section, self.speaker, self.open) = (Section::Outputs(of), None, None);
        } else if output_of(text).is_some() {
            self.section = Section::Outputs(Of::Failed);
            return self.output(text, Of::Failed, report);
        } else {
            if let Some(thread) = thread(text).filter(|_| self.open.is_none()) {
                self.speaker = Some(thread.to_owned());
            }
            if text.contains(OVERFLOW)
                && let Some(name) = self.open.clone().or_else(|| self.speaker.clone())
            {
                self.fail(&name, report);
            }
            return self.write(text);
        }
        true
    }

    fn output(&mut self, text: &str, of: Of, report: &mut Report) -> bool {
        let is_named = |name: &&str| of == Of::Passed || self.failed_set.contains(*name) || !self.has_verdicts;
        if let Some(name) = output_of(text).filter(is_named) {
            self.speaker = Some(name.to_owned());
            if of == Of::Failed {
                self.fail(name, report);
            }
        } else if let Some(name) = listed(text).filter(|_| self.may_list).filter(is_named) {
            self.section = Section::Names(of);
            return self.name(name, of, report);
        } else {
            self.may_list = heading(text).is_some() || self.may_list && text.is_empty();
            if of == Of::Failed {
                self.write(text);
            }
        }
        true
    }

    fn name(&mut self, text: &str, of: Of, report: &mut Report) -> bool {
        if let Some(of) = heading(text) {
            (self.section, self.speaker, self.may_list) = (Section::Outputs(of), None, false);
        } else if text.starts_with(RESULT) {
            self.result(text, report);
        } else if of == Of::Failed {
            self.fail(text.trim(), report);
        }
        true
    }

    fn verdict(&mut self, name: &str, status: Status, message: &str, report: &mut Report) {
        self.has_verdicts = true;
        if status == Status::Failed {
            return self.fail(name, report);
        }
        self.n_passed += u32::from(status == Status::Passed);
        self.outputs.take(name);
        report.test_of(&self.binary, self.test(name, status, message));
    }

    fn fail(&mut self, name: &str, report: &mut Report) {
        if name.is_empty() || self.failed_set.contains(name) {
            return;
        }
        if self.failed.len() < MAX_TESTS {
            self.failed.push(name.to_owned());
            self.failed_set.insert(name.to_owned());
        } else {
            report.n_left_out += 1;
        }
    }

    /// Adds a line to the output that comes, if one does.
    fn write(&mut self, text: &str) -> bool {
        let Some(speaker) = self.open.as_ref().or(self.speaker.as_ref()) else { return false };
        self.outputs.line(speaker, text);
        true
    }

    /// Reads `test result: FAILED. 2 passed; 4 failed; ...`; with `--quiet` those that passed are counted only there.
    fn result(&mut self, text: &str, report: &mut Report) {
        let number = |part: &str| part.trim().strip_suffix(" passed")?.rsplit(' ').next()?.parse::<u32>().ok();
        let n_passed = text.split(';').find_map(number).unwrap_or_default();
        report.passed(RUNNER, &self.suite, n_passed.saturating_sub(self.n_passed));
        self.finish(report);
    }

    /// Says which test was the last, where cargo goes on before the harness has said its result.
    fn died(&mut self, report: &mut Report) {
        if self.section != Section::Running {
            return;
        }
        let name = self.open.take().or(self.speaker.take()).unwrap_or_else(|| self.suite.clone());
        if !self.outputs.has(&name) {
            self.outputs.line(&name, DIED);
        }
        self.fail(&name, report);
    }

    /// Gives out the tests of a binary that failed.
    fn finish(&mut self, report: &mut Report) {
        for name in &mem::take(&mut self.failed) {
            let failure = failure(&self.outputs.take(name), "");
            let mut test = self.test(name, Status::Failed, &failure.message);
            test.place = test.place.or_else(|| failure.place.clone());
            report.test_of(&self.binary, TestResult { frames: failure.frames, ..test });
        }
        *self = Self { suite: mem::take(&mut self.suite), binary: mem::take(&mut self.binary), ..Self::default() };
    }

    fn test(&self, name: &str, status: Status, message: &str) -> TestResult {
        TestResult {
            runner: RUNNER.to_owned(),
            suite: self.suite.clone(),
            name: name.to_owned(),
            place: example(name),
            status,
            message: message.to_owned(),
            frames: Vec::new(),
        }
    }
}

/// The name of a binary of tests and its file: `Running unittests src/lib.rs (target/debug/deps/auth-0123456789abcdef)`, `Doc-tests auth`.
pub(super) fn suite(line: &str) -> Option<(&str, &str)> {
    let inner = line.trim_start();
    if inner.len() == line.len() {
        return None;
    }
    if let Some(name) = inner.strip_prefix("Doc-tests ") {
        return Some((name, name));
    }
    let rest = inner.strip_prefix("Running ")?;
    let path = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')).map_or(rest, |(_, path)| path);
    let path = path.trim_matches('`').split(' ').next().unwrap_or_default();
    let is_binary = path.contains("/deps/") || path.contains("\\deps\\");
    let file = path.rsplit(['/', '\\']).next().filter(|_| is_binary)?;
    Some((file.rsplit_once('-').map_or(file, |(name, _)| name), file))
}

/// The place of an example in documentation: `src/lib.rs - parse (line 4)`.
pub(super) fn example(name: &str) -> Option<Place> {
    let (rest, line) = name.rsplit_once("(line ")?;
    let (path, _) = rest.split_once(" - ")?;
    Some(Place::at(path, line.strip_suffix(')')?.parse().ok()?, 0))
}

/// Whether cargo says that a binary is over.
fn is_end(text: &str) -> bool {
    ENDS.iter().any(|end| text.starts_with(end))
}

/// `running 9 tests`.
fn is_start(text: &str) -> bool {
    let count = text.strip_prefix("running ").and_then(|rest| rest.strip_suffix(" tests").or_else(|| rest.strip_suffix(" test")));
    count.is_some_and(|count| count.parse::<u32>().is_ok())
}

/// Name and what follows of `test a::b ... FAILED`.
fn test_line(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("test ")?;
    let (name, said) = rest.split_once(" ... ").or_else(|| Some((rest.strip_suffix(" ...")?, "")))?;
    let name = MODES.iter().find_map(|mode| name.strip_suffix(mode)).unwrap_or(name);
    Some((name, said))
}

/// How a test went, and why it was skipped.
fn verdict(said: &str) -> Option<(Status, &str)> {
    let said = said.split(" <").next().unwrap_or_default().trim();
    match said {
        "ok" => Some((Status::Passed, "")),
        "FAILED" | "FAILED (time limit exceeded)" => Some((Status::Failed, "")),
        _ if said.starts_with("bench:") => Some((Status::Passed, "")),
        _ => {
            let why = said.strip_prefix("ignored")?;
            (why.is_empty() || why.starts_with(", ")).then(|| (Status::Skipped, why.trim_start_matches(", ")))
        }
    }
}

fn heading(text: &str) -> Option<Of> {
    match text {
        "failures:" => Some(Of::Failed),
        "successes:" => Some(Of::Passed),
        _ => None,
    }
}

/// The name in `---- a::b stdout ----`.
fn output_of(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("---- ")?.strip_suffix(" ----")?;
    inner.strip_suffix(" stdout").or_else(|| inner.strip_suffix(" stderr"))
}

/// The name in a line of a list.
fn listed(text: &str) -> Option<&str> {
    text.strip_prefix("    ").filter(|name| !name.starts_with(' '))
}

/// The name in `thread 'a::b' (12) panicked at`.
fn thread(text: &str) -> Option<&str> {
    text.strip_prefix("thread '")?.split('\'').next()
}
