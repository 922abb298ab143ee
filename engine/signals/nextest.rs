//! The text of `cargo nextest run`: a line for each test, and below it what the test wrote.

use super::failure::failure;
use super::input::Line;
use super::output::Output;
use super::{LineReader, Report, Status, TestResult};
use rustc_hash::FxHashMap;
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

/// How a test ended, in full and as short as behind the number of a try; signals are named besides.
const PASSED: [&str; 4] = ["PASS", "LEAK", "TIMEOUT-PASS", "TMPASS"];
const SKIPPED: &str = "SKIP";
const FAILED: [&str; 10] = ["FAIL", "LEAK-FAIL", "LKFAIL", "FL+LK", "FLKY-FL", "XFAIL", "TIMEOUT", "TMT", "ABORT", "+"];
const SIGNAL: &str = "SIG";
/// What stands before one: behind the first a number, and then also the short name of a signal.
const TRY: &str = "TRY";
const SETUP: &str = "SETUP";
/// What stands above the failed tests, which are repeated below it.
const SUMMARY: &str = "Summary";

/// How a test ended of which nothing more is to be said.
const MUTE: &str = FAILED[0];

/// The most tests that wait: the output of one that failed may come only with the repetition at the end.
const MAX_WAITING: usize = 10_000;

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
    /// Those that did not pass, in order, each with whether there was an output; and where each stands, by binary and name.
    waiting: Vec<(TestResult, bool)>,
    numbers: FxHashMap<(String, String), usize>,
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
        self.give_out(report);
    }
}

impl Nextest {
    fn verdict(&mut self, how: &str, suite: &str, name: &str, report: &mut Report) {
        if how.split(' ').any(|word| NO_VERDICTS.contains(&word)) || name.is_empty() {
            return;
        }
        // `TRY 2 FAIL`, `SETUP PASS`, `FAIL + LEAK`
        let (first, last) = (how.split(' ').next().unwrap_or_default(), how.rsplit(' ').next().unwrap_or_default());
        let last = if FAILED.contains(&first) { first } else { last };
        let status = match last {
            _ if PASSED.contains(&last) => Status::Passed,
            SKIPPED => Status::Skipped,
            _ => Status::Failed,
        };
        let (runner, suite, name) = (RUNNER.to_owned(), suite.to_owned(), name.to_owned());
        let test = TestResult { runner, suite, name, status, ..TestResult::default() };
        if status == Status::Failed {
            self.failed = Some(Failed { test, how: last.to_owned(), output: Output::default(), is_indented: true });
        } else if status == Status::Skipped {
            self.wait(test, false, report);
        } else {
            report.test(test);
        }
    }

    fn finish(&mut self, report: &mut Report) {
        let Some(failed) = mem::take(&mut self.failed) else { return };
        let has_output = !failed.output.is_empty();
        let failure = failure(&failed.output.text(), "");
        let message = if failure.message.is_empty() && failed.how != MUTE { failed.how } else { failure.message.clone() };
        let test = TestResult { message, place: failure.place.clone(), frames: failure.frames, ..failed.test };
        self.wait(test, has_output, report);
    }

    fn wait(&mut self, test: TestResult, has_output: bool, report: &mut Report) {
        let key = (test.suite.clone(), test.name.clone());
        match self.numbers.get(&key).and_then(|number| self.waiting.get_mut(*number)) {
            Some((known, has_known))
                if test.status == Status::Failed && (has_output && !*has_known || known.status == Status::Skipped) =>
            {
                (*known, *has_known) = (test, has_output);
            }
            Some(_) => {}
            None => {
                if self.waiting.len() == MAX_WAITING {
                    self.give_out(report);
                }
                self.numbers.insert(key, self.waiting.len());
                self.waiting.push((test, has_output));
            }
        }
    }

    fn give_out(&mut self, report: &mut Report) {
        self.numbers.clear();
        self.waiting.drain(..).for_each(|(test, _)| report.test(test));
    }
}

/// How it went, binary and name of `FAIL [   0.003s] ( 1/10) auth::api tests::left`. What is not a verdict has no name.
fn status_line(text: &str) -> Option<(&str, &str, &str)> {
    let (how, rest) = text.split_once(" [")?;
    let how = how.trim_start();
    let (time, rest) = rest.split_once(']')?;
    if !is_time(time) {
        return None;
    }
    if how == SUMMARY {
        return Some((how, "", ""));
    }
    let rest = rest.trim_start();
    let rest = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest.trim_start());
    let (suite, name) = rest.split_once(' ').unwrap_or(("", rest));
    is_verdict(how).then_some((how, suite, name))
}

/// Whether it is `   0.003s`, `>  1.000s`, or blank as of a test that was not run.
fn is_time(text: &str) -> bool {
    let text = text.trim_start_matches(['>', ' ']);
    let seconds = text.strip_suffix('s').and_then(|seconds| seconds.split_once('.'));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    text.is_empty() || seconds.is_some_and(|(whole, part)| is_number(whole) && is_number(part))
}

/// Whether words say how a test went; other programs write times in brackets too.
fn is_verdict(how: &str) -> bool {
    let (first, rest) = how.split_once(' ').unwrap_or((how, ""));
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-' || byte == b'+');
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/');
    let is_known = |word: &str| {
        [SKIPPED, SIGNAL].contains(&word)
            || [&PASSED[..], &FAILED, &NO_VERDICTS].iter().any(|words| words.contains(&word))
            || word.strip_prefix(SIGNAL).is_some_and(is_word)
            || is_number(word)
    };
    match first {
        TRY => rest
            .split_once(' ')
            .is_some_and(|(number, how)| is_number(number) && how.split(' ').all(|word| is_word(word) || is_number(word))),
        SETUP => is_known(rest),
        _ => !is_number(first) && how.split(' ').all(is_known),
    }
}
