//! The text of `vitest run`: below its list of tests, a block for each that failed.

use super::failure::failure;
use super::input::Line;
use super::marks::is_of_others;
use super::output::Output;
use super::{LineReader, Place, Report, Status, TestResult};

/// Who runs the tests.
pub(super) const RUNNER: &str = "vitest";

/// What stands before the name of a failed test.
const FAILED: &str = "FAIL  ";

/// What a block ends with.
const RULE: &str = "⎯⎯⎯";

/// What a rule says above an error that no test caught; which file it comes from stands below it, in front of advice.
const UNCAUGHT: [&str; 4] = ["Unhandled Rejection", "Uncaught Exception", "Unhandled Error", "Startup Error"];
const ORIGIN: &str = "This error originated in \"";
const ADVICE: [&str; 2] = [ORIGIN, "The latest test that might've caused the error is "];

/// The most tests that failed in the same way.
const MAX_TESTS: usize = 1_000;

/// What the last lines begin with: how many tests there were.
const COUNTS: [&str; 2] = ["Test Files  ", "Tests  "];

/// What lines of the list of tests begin with.
const LISTED: [&str; 4] = ["✓ ", "× ", "↓ ", "❯ "];

/// What stands above what a test writes to the console, up to an empty line.
const WRITTEN: [&str; 2] = ["stdout | ", "stderr | "];

/// Reads it.
#[derive(Default)]
pub(super) struct Vitest {
    /// Whether what a test writes comes.
    is_written: bool,
    /// File and name of the tests whose failure comes: those that fail alike stand together.
    failed: Vec<(String, String)>,
    /// What is said of the error that no test caught, if it comes, and whether its advice does.
    uncaught: Option<&'static str>,
    is_advice: bool,
    output: Output,
}

impl LineReader for Vitest {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        let inner = text.trim_start();
        self.is_written = !text.is_empty() && self.is_written || WRITTEN.iter().any(|start| text.starts_with(start));
        if self.is_written {
            return true;
        }
        if let Some(failed) = inner.strip_prefix(FAILED).and_then(test) {
            if !self.output.is_empty() {
                self.end(report);
            }
            if self.failed.len() < MAX_TESTS {
                self.failed.push(failed);
            } else {
                report.left_out(1);
            }
            return true;
        }
        if inner.starts_with(RULE) {
            self.end(report);
            let said = inner.trim_matches(['⎯', ' ']);
            self.uncaught = UNCAUGHT.into_iter().find(|kind| *kind == said);
            self.failed.extend(self.uncaught.map(|kind| (String::new(), kind.to_owned())));
            return true;
        }
        if let Some(counts) = COUNTS.iter().find_map(|start| inner.strip_prefix(start)).filter(|_| text.starts_with(' ')) {
            self.end(report);
            if inner.starts_with(COUNTS[1]) {
                report.passed(RUNNER, "", n_passed(counts, " | "));
            }
            return true;
        }
        if is_of_others(text) {
            self.end(report);
        } else if !self.failed.is_empty() {
            if self.uncaught.is_some() {
                self.is_advice |= ADVICE.iter().any(|start| inner.starts_with(start));
                if let Some((file, _)) = inner.strip_prefix(ORIGIN).and_then(|rest| rest.split_once('"')) {
                    self.failed = vec![(file.to_owned(), file.to_owned())];
                }
            }
            if !self.is_advice {
                self.output.line(text);
            }
            return true;
        }
        text.starts_with(' ') && LISTED.iter().any(|start| inner.starts_with(start))
    }

    fn end(&mut self, report: &mut Report) {
        let output = std::mem::take(&mut self.output);
        if self.failed.is_empty() {
            return;
        }
        let failure = failure(&output.text(), "");
        // A file can have several errors that no test caught, and be a failed test itself.
        let apart = self.uncaught.take().map(|kind| (kind, failure.place.clone(), failure.message.clone()));
        self.is_advice = false;
        for (suite, name) in self.failed.drain(..) {
            let of_suite = (!suite.is_empty()).then(|| Place::at(&suite, 0, 0));
            let test = TestResult {
                runner: RUNNER.to_owned(),
                place: failure.place.clone().or(of_suite),
                suite,
                name,
                status: Status::Failed,
                message: failure.message.clone(),
                frames: failure.frames.clone(),
            };
            report.test_of(&apart, test);
        }
    }
}

/// File and name of `src/x.test.ts > login > rejects`, and of `|unit| src/x.test.ts [ src/x.test.ts ]`, a file that could not be run. With
/// colours the project stands before two spaces.
fn test(text: &str) -> Option<(String, String)> {
    let text = text.strip_prefix('|').and_then(|rest| rest.split_once("| ")).map_or(text, |(_, rest)| rest).trim();
    if let Some((path, name)) = text.split_once(" > ") {
        let path = path.rsplit("  ").next().unwrap_or(path);
        return Some((path.to_owned(), name.to_owned()));
    }
    let (path, again) = text.split_once(" [ ")?;
    let path = path.rsplit("  ").next().unwrap_or(path);
    again.ends_with(" ]").then(|| (path.to_owned(), path.to_owned()))
}

/// The number before `passed` in `3 failed | 4 passed | 1 skipped (8)`.
pub(super) fn n_passed(counts: &str, between: &str) -> u32 {
    let number = |part: &str| part.trim().split_once(" passed").and_then(|(number, _)| number.parse().ok());
    counts.split(between).find_map(number).unwrap_or_default()
}
