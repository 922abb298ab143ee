//! The text of jest: a block for each test that failed, below the name of its file.

use super::failure::{Failure, failure};
use super::input::Line;
use super::jest_json::BETWEEN;
use super::output::Output;
use super::vitest::n_passed;
use super::{LineReader, Place, Report, Status, TestResult};
use std::mem;

/// Who runs the tests.
pub(super) const RUNNER: &str = "jest";

/// How a file of tests went.
const FILES: [&str; 2] = ["FAIL ", "PASS "];

/// What stands before the name of a test, above what is told of it.
const TEST: &str = "  ● ";

/// Names that are not names of tests.
const CONSOLE: &str = "Console";
const WHOLE_FILE: &str = "Test suite failed to run";

/// Between the titles of a test.
const TITLES: &str = " › ";

/// What the last lines begin with.
const FILE_COUNTS: &str = "Test Suites: ";
const COUNTS: &str = "Tests: ";

/// The most lines of a title: a longer one is a text whose writer left out the empty line.
const MAX_TITLE_LINES: usize = 8;

/// How what is told of a test is indented.
const INDENT: &str = "    ";

/// What lines of the list of tests begin with.
const LISTED: [&str; 4] = ["✓ ", "✕ ", "○ ", "✎ "];

/// Reads it.
#[derive(Default)]
pub(super) struct Jest {
    file: String,
    name: Option<String>,
    /// In how many lines above the name stands; 0 where something else does.
    n_named_above: usize,
    output: Output,
}

impl LineReader for Jest {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        // A title may have several lines.
        let is_title = (1..MAX_TITLE_LINES).contains(&self.n_named_above) && !text.is_empty() && !text.starts_with(INDENT);
        if let Some(file) = FILES.iter().find_map(|start| text.strip_prefix(start)).and_then(file) {
            self.end(report);
            file.clone_into(&mut self.file);
        } else if let Some(counts) = text.strip_prefix(COUNTS) {
            report.passed(RUNNER, "", n_passed(counts, ", "));
        } else if let Some(name) = text.strip_prefix(TEST).filter(|_| !self.file.is_empty()) {
            self.finish(report);
            self.name = Some(name.to_owned());
            self.n_named_above = 1;
            return true;
        } else if text.starts_with(FILE_COUNTS) {
            self.end(report);
        } else if let Some(name) = self.name.as_mut().filter(|_| is_title) {
            self.n_named_above += 1;
            name.push('\n');
            name.push_str(text);
        } else if self.name.is_some() && (text.is_empty() || text.starts_with(INDENT)) {
            self.n_named_above = 0;
            self.output.line(text.strip_prefix(INDENT).unwrap_or_default());
        } else {
            self.finish(report);
            return !self.file.is_empty() && LISTED.iter().any(|start| text.trim_start().starts_with(start));
        }
        true
    }

    fn end(&mut self, report: &mut Report) {
        self.finish(report);
        self.file.clear();
    }
}

impl Jest {
    fn finish(&mut self, report: &mut Report) {
        let output = mem::take(&mut self.output).text();
        let Some(name) = self.name.take().filter(|name| name != CONSOLE) else { return };
        let is_whole_file = name == WHOLE_FILE;
        let failure = if is_whole_file { of_suite(&output) } else { failure(&output, "") };
        report.test(TestResult {
            runner: RUNNER.to_owned(),
            suite: self.file.clone(),
            name: if is_whole_file { self.file.clone() } else { name.replace(TITLES, BETWEEN) },
            place: failure.place.or_else(|| Some(Place::at(&self.file, 0, 0))),
            status: Status::Failed,
            message: failure.message,
            frames: failure.frames,
        });
    }
}

/// Whether a text says why a file of tests could not be run.
pub(super) fn is_of_suite(text: &str) -> bool {
    text.trim_start().trim_start_matches(TEST.trim_start()).starts_with(WHOLE_FILE)
}

/// Why a file of tests could not be run. Where its syntax is broken, the message names the place: `SyntaxError: path: message (3:32)`.
pub(super) fn of_suite(text: &str) -> Failure {
    let text = text.trim_start().trim_start_matches(TEST.trim_start()).trim_start_matches(WHOLE_FILE);
    let mut failure = failure(text, "");
    let first = failure.message.lines().next().unwrap_or_default();
    let place = first.strip_prefix("SyntaxError: ").and_then(|rest| {
        let (path, message) = rest.split_once(": ")?;
        let (_, position) = message.strip_suffix(')')?.rsplit_once('(')?;
        // Its columns are from 0.
        Place::written(&format!("{path}:{position}")).map(|place| Place { column: place.column + 1, ..place })
    });
    failure.place = place.or(failure.place);
    failure
}

/// The file in `server server/rides.test.js (5.1 s)`, behind the name of a project.
fn file(text: &str) -> Option<&str> {
    let text = text.rsplit_once(" (").filter(|(_, time)| time.ends_with("s)")).map_or(text, |(file, _)| file).trim();
    let path = text.rsplit(' ').next()?;
    let is_path = path.contains('.') && !path.ends_with('.') && !text.contains('\t');
    is_path.then_some(path)
}
