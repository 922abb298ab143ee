//! The JSON report of jest, which vitest writes as well.

use super::failure::{Failure, failure};
use super::input::{Head, Input};
use super::json::read_values;
use super::lenient::{Each, EachFilled, Fill, InPlace, List, Number, Object, Text};
use super::{Place, Report, Status, TestResult, jest, vitest};
use serde::Deserialize;
use serde::de::{DeserializeSeed as _, MapAccess};
use std::mem;

/// The most tests of one file that are kept until its name is known, which jest writes behind them, and as many again that failed.
const MAX_TESTS: usize = 10_000;

/// What jest counts and vitest does not.
const OF_JEST: &str = "numRuntimeErrorTestSuites";

/// Between the titles of a test.
pub(super) const BETWEEN: &str = " > ";

/// Whether an object is such a report.
pub(super) fn recognise(head: &Head) -> bool {
    head.has(&["testResults"]) || head.has(&["numTotalTests", "numFailedTests"])
}

/// Reads it.
pub(super) fn read(input: &mut Input<'_>, report: &mut Report) {
    read_values(
        input,
        report,
        |_| false,
        |json, report| {
            let mut run = Run { runner: vitest::RUNNER, report };
            let read = InPlace(&mut run).deserialize(json);
            report.understood();
            read
        },
    );
}

/// A run.
struct Run<'r> {
    runner: &'static str,
    report: &'r mut Report,
}

impl Fill for Run<'_> {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        match name {
            OF_JEST => {
                self.runner = jest::RUNNER;
                Ok(false)
            }
            "testResults" => {
                let (runner, report) = (self.runner, &mut *self.report);
                members.next_value_seed(EachFilled::new(|file: File| file.give_out(runner, report)))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// A file of tests.
#[derive(Default)]
struct File {
    name: Text,
    message: Text,
    status: Text,
    tests: Vec<TestResult>,
    /// The names of those that passed, and how many more did.
    passed: Vec<String>,
    n_passed: u32,
    n_left_out: u32,
}

/// A test.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Test {
    ancestor_titles: List<Text>,
    title: Text,
    full_name: Text,
    status: Text,
    failure_messages: List<Text>,
    location: Object<Location>,
}

/// Where a test stands in its file.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Location {
    line: Number,
    column: Number,
}

impl Fill for File {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, members: &mut A) -> Result<bool, A::Error> {
        match name {
            "name" => self.name = members.next_value()?,
            "message" => self.message = members.next_value()?,
            "status" => self.status = members.next_value()?,
            "assertionResults" => members.next_value_seed(Each::new(|Object(test)| self.add(test)))?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl File {
    fn add(&mut self, test: Test) {
        let status = match test.status.0.as_str() {
            "passed" | "focused" => Status::Passed,
            "failed" => Status::Failed,
            _ => Status::Skipped,
        };
        let (n_kept, room) = match status {
            Status::Passed => (self.passed.len(), MAX_TESTS),
            Status::Skipped => (self.tests.len(), MAX_TESTS),
            Status::Failed => (self.tests.len(), 2 * MAX_TESTS),
        };
        if n_kept >= room {
            *(if status == Status::Passed { &mut self.n_passed } else { &mut self.n_left_out }) += 1;
            return;
        }
        let titles: Vec<String> = test.ancestor_titles.0.into_iter().map(|title| title.0).chain([test.title.0]).collect();
        let name = titles.iter().map(String::as_str).filter(|title| !title.is_empty()).collect::<Vec<_>>().join(BETWEEN);
        let name = if name.is_empty() { test.full_name.0 } else { name };
        if status == Status::Passed {
            self.passed.push(name);
            return;
        }
        let Location { line, column } = test.location.0;
        let stands = Some(Place::at("", line.0, column.0)).filter(|_| line.0 > 0);
        let failure = test.failure_messages.0.iter().map(|message| failure(&message.0, "")).reduce(joined).unwrap_or_default();
        self.tests.push(TestResult {
            name,
            place: failure.place.or(stands),
            status,
            message: failure.message,
            frames: failure.frames,
            ..TestResult::default()
        });
    }

    fn give_out(mut self, runner: &str, report: &mut Report) {
        let suite = Place::at(&self.name.0, 0, 0);
        self.passed.iter().for_each(|name| report.passed_called(runner, &suite.path, name));
        report.passed(runner, &suite.path, self.n_passed);
        report.n_left_out += self.n_left_out;
        if self.status.0 == "failed" && self.tests.iter().all(|test| test.status != Status::Failed) {
            let failure = jest::of_suite(&self.message.0);
            self.tests.push(TestResult {
                name: suite.path.clone(),
                place: failure.place,
                status: Status::Failed,
                message: failure.message,
                frames: failure.frames,
                ..TestResult::default()
            });
        }
        for mut test in mem::take(&mut self.tests) {
            let place = test.place.get_or_insert_with(|| suite.clone());
            if place.path.is_empty() {
                suite.path.clone_into(&mut place.path);
            }
            test.place = test.place.filter(|place| !place.path.is_empty());
            report.test(TestResult { runner: runner.to_owned(), suite: suite.path.clone(), ..test });
        }
    }
}

/// Two failures of one test.
pub(super) fn joined(mut first: Failure, second: Failure) -> Failure {
    first.message = [first.message.as_str(), &second.message].join("\n");
    first.place = first.place.or(second.place);
    first.frames.extend(second.frames);
    first
}
