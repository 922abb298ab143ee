//! The JSON lines of Rust's harness of tests, and of nextest, which writes them with the name of the binary.

use super::failure::failure;
use super::input::Line;
use super::json::read_line;
use super::lenient::Text;
use super::{LineReader, Report, Status, TestResult, libtest, nextest};
use serde::Deserialize;

/// What a line of another tool's JSON does not hold.
const MARKS: [&str; 2] = ["\"type\":", "\"event\":"];

/// An event.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Event {
    #[serde(rename = "type")]
    kind: Text,
    #[serde(rename = "event")]
    what: Text,
    name: Text,
    stdout: Text,
    message: Text,
    reason: Text,
}

/// Reads them.
#[derive(Default)]
pub(super) struct LibtestJson {
    /// The binary, if cargo names it between.
    suite: String,
    /// Its file, whose hash tells it from that of another package.
    binary: String,
}

impl LineReader for LibtestJson {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        if let Some((suite, binary)) = libtest::suite(&line.text) {
            suite.clone_into(&mut self.suite);
            binary.clone_into(&mut self.binary);
            return false;
        }
        if !line.text.trim_start().starts_with('{') || !MARKS.iter().all(|mark| line.text.contains(mark)) {
            return false;
        }
        let Some(event) = read_line::<Event>(line, report) else { return true };
        let status = match event.what.0.as_str() {
            "ok" => Status::Passed,
            "failed" | "timeout" => Status::Failed,
            "ignored" => Status::Skipped,
            _ => return true,
        };
        if event.kind.0 == "test" || event.kind.0 == "bench" {
            self.add(&event, status, report);
        } else {
            report.understood();
        }
        true
    }

    fn end(&mut self, _: &mut Report) {}
}

impl LibtestJson {
    fn add(&self, event: &Event, status: Status, report: &mut Report) {
        let (runner, suite, name) = match event.name.0.split_once('$') {
            Some((binary, name)) => (nextest::RUNNER, binary_id(binary), without_attempt(name)),
            None => (libtest::RUNNER, self.suite.as_str(), event.name.0.as_str()),
        };
        let mut output = event.stdout.0.clone();
        if status == Status::Failed && !event.message.0.is_empty() {
            // In text it stands so below the output: `note: test did not panic as expected`.
            output = format!("{output}\nnote: {}", event.message.0);
        }
        let failure = failure(&output, "");
        let mut messages: Vec<&str> = vec![&failure.message, &event.reason.0];
        if status == Status::Skipped {
            messages.push(&event.message.0);
        }
        messages.retain(|message| !message.is_empty());
        let test = TestResult {
            runner: runner.to_owned(),
            suite: suite.to_owned(),
            name: name.to_owned(),
            place: libtest::example(name).or_else(|| failure.place.clone()),
            status,
            message: messages.join("\n"),
            frames: failure.frames,
        };
        report.test_of(&self.binary, test);
    }
}

/// `auth` for the tests of a library, which come as `auth::auth`; `auth::api` as it is.
fn binary_id(written: &str) -> &str {
    written
        .split_once("::")
        .filter(|(package, binary)| package.replace('-', "_") == binary.replace('-', "_"))
        .map_or(written, |(package, _)| package)
}

/// A name without the number of the run, where tests are tried again: `tests::empty#2`.
fn without_attempt(name: &str) -> &str {
    let attempt = name.rsplit_once('#').filter(|(_, number)| number.parse::<u32>().is_ok());
    attempt.map_or(name, |(name, _)| name)
}
