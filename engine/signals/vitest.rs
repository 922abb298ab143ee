//! The text of `vitest run`: below its list of tests, a block for each that failed.
//!
//! Must not read the list, which says less.

use super::failure::failure;
use super::input::Line;
use super::output::Output;
use super::{LineReader, Place, Report, Status, TestResult};

/// Who runs the tests.
pub(super) const RUNNER: &str = "vitest";

/// What stands before the name of a failed test.
const FAILED: &str = "FAIL  ";

/// What a block ends with.
const RULE: &str = "⎯⎯⎯";

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
            }
            return true;
        }
        if inner.starts_with(RULE) {
            self.end(report);
            return true;
        }
        if let Some(counts) = COUNTS.iter().find_map(|start| inner.strip_prefix(start)).filter(|_| text.starts_with(' ')) {
            self.end(report);
            if inner.starts_with(COUNTS[1]) {
                report.passed(n_passed(counts, " | "));
            }
            return true;
        }
        if !self.failed.is_empty() {
            self.output.line(text);
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
        for (suite, name) in self.failed.drain(..) {
            report.test(TestResult {
                runner: RUNNER.to_owned(),
                place: failure.place.clone().or_else(|| Some(Place::at(&suite, 0, 0))),
                suite,
                name,
                status: Status::Failed,
                message: failure.message.clone(),
                frames: failure.frames.clone(),
            });
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
