//! What Gradle writes of tests: a line for each that failed with its error below it, short or whole, and how many there were.
//!
//! Others write `a > b FAILED` too: such a line counts if a class stands first, or an error below.

use super::frames::add;
use super::input::Line;
use super::java::{self, Chain, Step, is_class};
use super::{Frame, LineReader, Place, Report, Status, TestResult};

/// Who runs the tests.
pub(super) const RUNNER: &str = "gradle";

/// What stands between the names, and how such a line ends.
const BETWEEN: &str = " > ";
const ENDS: [(&str, Status); 3] = [(" FAILED", Status::Failed), (" PASSED", Status::Passed), (" SKIPPED", Status::Skipped)];
/// What stands before the names where Gradle is told to say more: its runs and the processes of these.
const RUNS: [&str; 2] = ["Gradle Test Run ", "Gradle Test Executor "];
/// How lines of tasks begin, which end alike.
const TASKS: [&str; 2] = ["> ", ":"];
/// How what stands below is indented.
const INDENT: &str = "    ";
/// What stands between an error and its place where it is short.
const AT: &str = " at ";
const CAUSE: &str = "Caused by:";
/// What the last line counts.
const COMPLETED: [&str; 2] = [" tests completed", " test completed"];

/// The most lines of what is said of a test.
const MAX_LINES: usize = 4_000;

/// A test that failed, with what is said of it.
#[derive(Debug)]
struct Block {
    suite: String,
    name: String,
    /// Whether its class or its error says that it is one.
    is_sure: bool,
    message: Vec<String>,
    /// What is said of the places where errors of a chain are, where no frames are shown.
    places: Vec<Place>,
    chain: Option<Chain>,
    /// How far the error is indented.
    indent: usize,
    n_lines: usize,
}

/// Reads it.
#[derive(Debug, Default)]
pub(super) struct Gradle {
    open: Option<Block>,
    /// How many passed by their names since they were counted.
    n_passed: u32,
}

impl LineReader for Gradle {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        if let Some((suite, name, status)) = test(text) {
            self.end(report);
            let is_sure = is_class(suite);
            if status == Status::Failed {
                let (suite, name) = (suite.to_owned(), name.to_owned());
                let open =
                    Block { suite, name, is_sure, message: Vec::new(), places: Vec::new(), chain: None, indent: 0, n_lines: 0 };
                self.open = Some(open);
            } else if is_sure && status == Status::Passed {
                self.n_passed = self.n_passed.saturating_add(1);
                report.passed_called(RUNNER, suite, name);
            } else if is_sure {
                report.test(result(suite.to_owned(), name.to_owned(), status));
            }
            return is_sure;
        }
        if let Some(n_passed) = counted(text) {
            self.end(report);
            report.passed(RUNNER, "", n_passed.saturating_sub(self.n_passed));
            self.n_passed = 0;
            return true;
        }
        let Some(block) = &mut self.open else { return false };
        block.n_lines += 1;
        let is_inside = text.is_empty() || text.starts_with(INDENT);
        if !is_inside || block.n_lines > MAX_LINES {
            self.end(report);
            return false;
        }
        block.line(text)
    }

    fn end(&mut self, report: &mut Report) {
        let Some(block) = self.open.take().filter(|block| block.is_sure) else { return };
        let failure = block.chain.map(Chain::failure).unwrap_or_default();
        // The cause is what began it.
        let place = failure.place.or_else(|| block.places.last().cloned()).or_else(|| java::of_class(&block.suite, 0));
        let message = if failure.is_known { failure.message } else { block.message.join("\n") };
        let mut frames = failure.frames;
        for place in block.places.into_iter().rev() {
            add(&mut frames, Frame { place: Some(place), ..Frame::default() });
        }
        report.test(TestResult { place, message, frames, ..result(block.suite, block.name, Status::Failed) });
    }
}

impl Block {
    /// Reads a line below the first; whether it is one of it for sure.
    fn line(&mut self, text: &str) -> bool {
        let inner = text.trim();
        if inner.is_empty() {
            if let Some(chain) = self.chain.as_mut().filter(|chain| !chain.has_frames()) {
                chain.line(text);
            }
            return self.is_sure;
        }
        if let Some((message, place)) = short(inner, &self.suite) {
            self.is_sure = true;
            self.message.push(message);
            self.places.push(place);
            return true;
        }
        if self.message.is_empty() && self.chain.is_none() {
            self.indent = text.len() - text.trim_start().len();
            self.chain = Some(Chain::new(inner));
            return self.is_sure;
        }
        let Some(chain) = &mut self.chain else { return self.is_sure };
        // What a message has of its own stands as far to the right as it did.
        let step = chain.line(text.get(self.indent..).unwrap_or(inner));
        self.is_sure |= chain.has_frames();
        self.is_sure && step != Step::Outside
    }
}

fn result(suite: String, name: String, status: Status) -> TestResult {
    TestResult { runner: RUNNER.to_owned(), suite, name, status, ..TestResult::default() }
}

/// The class, the name and the state of `org.example.TillTest > adds() FAILED`.
fn test(text: &str) -> Option<(&str, &str, Status)> {
    let (names, status) = ENDS.iter().find_map(|(end, status)| Some((text.strip_suffix(end)?, *status)))?;
    if names.starts_with(char::is_whitespace) || TASKS.iter().any(|start| names.starts_with(start)) {
        return None;
    }
    let mut rest = names;
    for start in RUNS {
        rest = rest.split_once(BETWEEN).filter(|(run, _)| run.starts_with(start)).map_or(rest, |(_, behind)| behind);
    }
    let (suite, name) = rest.split_once(BETWEEN)?;
    Some((suite, name, status))
}

/// The error and the place of `java.lang.AssertionError at TillTest.java:15`, in the package of the class if that is its file.
fn short(text: &str, suite: &str) -> Option<(String, Place)> {
    let (error, place) = text.rsplit_once(AT)?;
    let (is_cause, error) = error.strip_prefix(CAUSE).map_or((false, error), |error| (true, error.trim()));
    let (file, line) = place.split_once(':')?;
    let line = line.parse().ok()?;
    if !java::is_file(file) || !java::is_names(error) {
        return None;
    }
    let name = suite.rsplit('.').next().unwrap_or(suite).split('$').next().unwrap_or_default();
    let is_own = file.split('.').next() == Some(name);
    let place = if is_own { java::in_package(suite, file, line) } else { Place::at(file, line, 0) };
    let message = if is_cause { format!("{CAUSE} {error}") } else { error.to_owned() };
    Some((message, place))
}

/// How many tests passed, of `4 tests completed, 2 failed, 1 skipped`.
fn counted(text: &str) -> Option<u32> {
    let mut parts = text.split(", ");
    let first = parts.next()?;
    let number = COMPLETED.iter().find_map(|end| first.strip_suffix(end))?;
    let mut n_passed: u32 = number.parse().ok()?;
    for part in parts {
        let (number, what) = part.split_once(' ')?;
        if !["failed", "skipped"].contains(&what) {
            return None;
        }
        n_passed = n_passed.saturating_sub(number.parse().ok()?);
    }
    Some(n_passed)
}
