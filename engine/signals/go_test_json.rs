//! The lines of `go test -json`: events of tests and packages, of several packages at once.

use super::failure::failure;
use super::go_tests::{NOT_BUILT, Package};
use super::input::Line;
use super::json::read_line;
use super::lenient::Text;
use super::output::Outputs;
use super::{LineReader, Report, Status};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::mem;

/// The most packages whose tests run at once; go runs as many as there are cores.
const MAX_PACKAGES: usize = 1_000;
/// The most tests that did not pass and wait for the ends of their packages, of all packages together. What they wrote is bounded by the text.
const MAX_TESTS: usize = 20_000;

/// What a line of another tool's JSON does not hold.
const MARKS: [&str; 2] = ["\"Action\":", "\"Package\":"];

/// An event.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Event {
    action: Text,
    package: Text,
    test: Text,
    output: Text,
    failed_build: Text,
}

/// A package whose tests run.
#[derive(Default)]
struct Run {
    package: Package,
    /// That of the package itself has no name.
    outputs: Outputs,
    /// Whether a test failed, which may be given out already.
    has_failed: bool,
}

/// Reads them.
#[derive(Default)]
pub(super) struct GoTestJson {
    runs: BTreeMap<String, Run>,
    /// How many tests wait, or waited since all were last given out before the ends of their packages.
    n_tests: usize,
}

impl LineReader for GoTestJson {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        if !line.text.trim_start().starts_with('{') || !MARKS.iter().all(|mark| line.text.contains(mark)) {
            return false;
        }
        let Some(event) = read_line::<Event>(line, report) else { return true };
        if !self.runs.contains_key(&event.package.0) && self.runs.len() == MAX_PACKAGES {
            self.end(report);
        }
        if self.n_tests == MAX_TESTS {
            self.runs.iter_mut().for_each(|(path, run)| run.package.give_out(path, report));
            self.n_tests = 0;
        }
        let run = self.runs.entry(event.package.0.clone()).or_default();
        let status = match event.action.0.as_str() {
            "output" => {
                run.outputs.push(&event.test.0, &event.output.0);
                return true;
            }
            "pass" | "bench" => Status::Passed,
            "fail" => Status::Failed,
            "skip" => Status::Skipped,
            _ => return true,
        };
        if event.test.0.is_empty() {
            let is_built = event.failed_build.0.is_empty();
            run.finish(&event.package.0, status == Status::Failed && is_built, report);
            self.runs.remove(&event.package.0);
        } else {
            run.has_failed |= status == Status::Failed;
            self.n_tests += usize::from(status != Status::Passed);
            let output = run.outputs.take(&event.test.0);
            run.package.add(&event.package.0, &event.test.0, status, &output, report);
        }
        true
    }

    fn end(&mut self, report: &mut Report) {
        for (path, mut run) in mem::take(&mut self.runs) {
            run.package.give_out(&path, report);
        }
    }
}

impl Run {
    /// Gives out the tests of a package that has ended.
    fn finish(&mut self, path: &str, is_failed: bool, report: &mut Report) {
        let output = self.outputs.take("");
        let is_built = !NOT_BUILT.iter().any(|end| output.trim_end().ends_with(end));
        if is_failed && is_built {
            // Who does not end in its own goroutine has no verdict.
            let open = self.outputs.take_all();
            let is_panic = open.iter().any(|(_, text)| failure(text, "").is_panic);
            for (name, text) in open.iter().filter(|(_, text)| !is_panic || failure(text, "").is_panic) {
                self.package.add_unfinished(path, name, text, report);
            }
            if !self.has_failed && !self.package.has_failed() {
                self.package.add_unfinished(path, path, &output, report);
            }
        }
        report.understood();
        self.package.give_out(path, report);
    }
}
