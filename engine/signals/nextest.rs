//! The text of `cargo nextest run`: a line for each test, and below it what the test wrote.
//!
//! Must not read the harness's own text elsewhere than inside such an output.

use super::failure::failure;
use super::input::Line;
use super::output::Output;
use super::{LineReader, Report, Status, TestResult};
use std::mem;

/// Who runs the tests.
pub(super) const RUNNER: &str = "nextest";

/// How an output is indented.
const INDENT: &str = "    ";

/// What stands above an output, in front of a rule; older versions do not indent it.
const HEADINGS: [&str; 3] = ["stdout ───", "stderr ───", "output ───"];
const OLD_HEADINGS: [&str; 2] = ["--- STDOUT:", "--- STDERR:"];

/// What says that a test goes on, or that it was tried before.
const NO_VERDICTS: [&str; 6] = ["SLOW", "START", "TERMINATING", "TRMNTG", "RUNNING", "FLAKY"];

/// How a test ended of which nothing more is to be said.
const FAILED: &str = "FAIL";

/// The test whose output comes.
#[derive(Debug)]
struct Failed {
    test: TestResult,
    /// How it ended: `FAIL`, `TIMEOUT`, `SIGABRT`.
    how: String,
    output: Output,
    is_indented: bool,
}

/// Reads it.
#[derive(Default)]
pub(super) struct Nextest {
    failed: Option<Failed>,
}

impl LineReader for Nextest {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        if let Some((how, suite, name)) = status_line(text) {
            self.finish(report);
            self.verdict(how, suite, name, report);
            return true;
        }
        let Some(failed) = &mut self.failed else { return false };
        let inner = text.trim_start();
        if OLD_HEADINGS.iter().any(|heading| inner.starts_with(heading)) {
            failed.is_indented = false;
        } else if let Some(written) = text.strip_prefix(INDENT).filter(|_| failed.is_indented) {
            failed.output.line(written);
        } else if HEADINGS.iter().any(|heading| inner.starts_with(heading)) || text.is_empty() {
            failed.output.line("");
        } else if failed.is_indented || inner.starts_with("──") {
            self.finish(report);
            return false;
        } else {
            failed.output.line(text);
        }
        true
    }

    fn end(&mut self, report: &mut Report) {
        self.finish(report);
    }
}

impl Nextest {
    fn verdict(&mut self, how: &str, suite: &str, name: &str, report: &mut Report) {
        // `TRY 2 FAIL`, `SETUP PASS`
        let last = how.rsplit(' ').next().unwrap_or_default();
        if how.split(' ').any(|word| NO_VERDICTS.contains(&word)) || name.is_empty() {
            return;
        }
        let status = match last {
            "PASS" | "LEAK" => Status::Passed,
            "SKIP" => Status::Skipped,
            _ => Status::Failed,
        };
        let (runner, suite, name) = (RUNNER.to_owned(), suite.to_owned(), name.to_owned());
        let test = TestResult { runner, suite, name, status, ..TestResult::default() };
        if status == Status::Failed {
            self.failed = Some(Failed { test, how: last.to_owned(), output: Output::default(), is_indented: true });
        } else {
            report.test(test);
        }
    }

    fn finish(&mut self, report: &mut Report) {
        let Some(failed) = mem::take(&mut self.failed) else { return };
        let failure = failure(&failed.output.text(), "");
        let message = if failure.message.is_empty() && failed.how != FAILED { failed.how } else { failure.message.clone() };
        report.test(TestResult { message, place: failure.place.clone(), frames: failure.frames, ..failed.test });
    }
}

/// How it went, binary and name of `FAIL [   0.003s] ( 1/10) auth::api tests::left`. What is no verdict has no name.
fn status_line(text: &str) -> Option<(&str, &str, &str)> {
    let (how, rest) = text.split_once(" [")?;
    let how = how.trim_start();
    let (time, rest) = rest.split_once(']')?;
    let time = time.trim_start_matches(['>', ' ']).trim_end_matches('s');
    if how.is_empty() || !time.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    if how == "Summary" {
        return Some((how, "", ""));
    }
    let rest = rest.trim_start();
    let rest = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest.trim_start());
    let is_status =
        how.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || matches!(letter, ' ' | '-' | '/'));
    let (suite, name) = rest.split_once(' ').unwrap_or(("", rest));
    is_status.then_some((how, suite, name))
}
