//! What surefire and failsafe, the runners of Maven, write of tests: a block with the stack trace for each that failed, a line for each in the
//! list at the end, and how many passed.
//!
//! The list names classes without their packages and shortens messages, so that it counts only for what no block told. Forms are those of
//! 2.12 to 3.5.

use super::input::Line;
use super::java::{self, Chain, Step, is_class, is_names};
use super::maven::level;
use super::{Frame, LineReader, Place, Report, Status, TestResult};
use rustc_hash::FxHashSet;

/// Who runs the tests.
pub(super) const RUNNER: &str = "surefire";

/// What stands behind the name of a test that failed, and before how long it ran.
const MARKS: [&str; 2] = ["<<< FAILURE!", "<<< ERROR!"];
const ELAPSED: &str = "Time elapsed: ";
const BEFORE_ELAPSED: &str = "--";
/// What begins a line that counts, what it counts, and what stands before the class of which.
const COUNTED: [&str; 4] = ["Tests run: ", "Failures: ", "Errors: ", "Skipped: "];
const IN_CLASS: [&str; 2] = [" -- in ", " - in "];
const RUNNING: &str = "Running ";
/// The heads of the lists at the end, and what may stand behind one.
const LISTS: [&str; 4] = ["Failures:", "Errors:", "Failed tests:", "Tests in error:"];
/// What stands between a place and the message of an error, between the frames of a test, and before a class that inherits it.
const ERROR: &str = "\u{bb} ";
const CALLS: &str = "->";
const INHERITED: char = '>';
/// What stands before a place in the list where a test was run more than once.
const RUN: &str = "Run ";

/// The most tests that are told from those that the list names again.
const MAX_KNOWN: usize = 20_000;
/// The most lines of a block.
const MAX_LINES: usize = 4_000;

/// A test that failed, with what is said of it.
#[derive(Debug)]
struct Block {
    class: String,
    name: String,
    chain: Option<Chain>,
    n_lines: usize,
}

/// Reads it.
#[derive(Debug, Default)]
pub(super) struct Surefire {
    open: Option<Block>,
    /// The class whose tests were counted or begun last.
    class: String,
    is_list: bool,
    /// Whether lines of the list have a level before them, so that others go on with a message.
    is_marked: bool,
    /// Simple name of the outer class and name of each test that a block told.
    known: FxHashSet<(String, String)>,
    /// How many passed of the classes that were counted.
    n_passed: u32,
}

impl LineReader for Surefire {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        let (is_marked, inner) = level(text).map_or((false, text), |(_, inner)| (true, inner));
        if let Some((name, is_whole)) = failed(inner.trim_start()) {
            self.end(report);
            self.is_list = false;
            self.begin(name, is_whole);
            return true;
        }
        if let Some(class) = inner.strip_prefix(RUNNING).filter(|class| is_class(class)) {
            self.end(report);
            class.clone_into(&mut self.class);
            return is_marked;
        }
        if let Some(counts) = counts(inner.trim_start()) {
            self.end(report);
            self.count(&counts, report);
            return true;
        }
        if let Some(block) = &mut self.open {
            block.n_lines += 1;
            let is_over = is_marked || block.n_lines > MAX_LINES;
            if !is_over && block.line(text) {
                return true;
            }
            self.close(report);
        }
        if let Some(list) = LISTS.iter().find_map(|head| inner.strip_prefix(head)) {
            // Older ones name the first behind it.
            self.is_list = list.trim().is_empty() || listed(list.trim()).is_some();
            self.is_marked = is_marked;
            return self.is_list && (self.listed(list, report) || is_marked);
        }
        if self.is_list && inner.starts_with(' ') {
            return self.listed(inner, report);
        }
        // A test that was run several times is named above its runs.
        self.is_list &= inner.is_empty() || self.is_marked && (!is_marked || is_names(inner));
        false
    }

    fn end(&mut self, report: &mut Report) {
        self.close(report);
    }
}

impl Surefire {
    /// Begins with a test by its name: `org.example.TillTest.adds`, `adds(org.example.TillTest)`, or `adds` below its class.
    fn begin(&mut self, written: &str, is_whole: bool) {
        let in_parentheses =
            written.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')).filter(|(_, class)| is_class(class));
        let bare = written.split(['(', '{', '[']).next().unwrap_or(written);
        let (class, name) = if let Some((name, class)) = in_parentheses.filter(|(_, class)| class.contains('.')) {
            (class, name)
        } else if let Some(name) = written.strip_prefix(&self.class).and_then(|rest| rest.strip_prefix('.')).filter(|_| is_whole)
        {
            (self.class.as_str(), name)
        } else if let Some((class, name)) = bare.rsplit_once('.').filter(|(class, _)| is_whole && is_class(class)) {
            (class, written.get(class.len() + 1..).unwrap_or(name))
        } else if is_whole && is_class(written) {
            // What stands around its tests failed.
            (written, "")
        } else {
            (self.class.as_str(), written)
        };
        let (class, name) = (class.to_owned(), name.to_owned());
        self.open = Some(Block { class, name, chain: None, n_lines: 0 });
    }

    /// Ends the block that is read.
    fn close(&mut self, report: &mut Report) {
        let Some(block) = self.open.take() else { return };
        if self.known.len() < MAX_KNOWN {
            self.known.insert(key(&block.class, &block.name));
        }
        let failure = block.chain.map(Chain::failure).unwrap_or_default();
        let place = failure.place.or_else(|| java::of_class(&block.class, 0));
        report.test(result(block.class, block.name, place, failure.message, failure.frames));
    }

    /// Counts the tests of a class, or of all of a module, of which those of its classes are a part.
    fn count(&mut self, counts: &Counts<'_>, report: &mut Report) {
        if let Some(class) = counts.class {
            class.clone_into(&mut self.class);
            self.n_passed = self.n_passed.saturating_add(counts.n_passed);
            report.passed(RUNNER, class, counts.n_passed);
        } else if counts.is_total {
            report.passed(RUNNER, "", counts.n_passed.saturating_sub(self.n_passed));
            self.n_passed = 0;
            self.known.clear();
            self.is_list = false;
        } else {
            // Older ones say the class in a line above.
            self.n_passed = self.n_passed.saturating_add(counts.n_passed);
            report.passed(RUNNER, &self.class, counts.n_passed);
        }
    }

    /// Reads a line of the list; whether it is one.
    fn listed(&mut self, text: &str, report: &mut Report) -> bool {
        let Some(found) = listed(text.trim()) else { return false };
        if !self.known.contains(&key(found.class, found.name)) {
            let place = found.line.and_then(|line| java::of_class(found.of, line));
            report.test(result(found.class.to_owned(), found.name.to_owned(), place, found.message.to_owned(), Vec::new()));
        }
        true
    }
}

impl Block {
    /// Reads a line below the first; whether it is one of it.
    fn line(&mut self, text: &str) -> bool {
        let Some(chain) = &mut self.chain else {
            self.chain = (!text.trim().is_empty()).then(|| Chain::new(text));
            return true;
        };
        match chain.line(text) {
            Step::Inside => true,
            Step::Blank | Step::Outside => false,
        }
    }
}

fn result(suite: String, name: String, place: Option<Place>, message: String, frames: Vec<Frame>) -> TestResult {
    let name = if name.is_empty() { suite.clone() } else { name };
    TestResult { runner: RUNNER.to_owned(), suite, name, place, status: Status::Failed, message, frames }
}

/// The name of a test in the first line of its block, and whether its class stands before it.
fn failed(text: &str) -> Option<(&str, bool)> {
    let front = MARKS.iter().find_map(|mark| text.strip_suffix(mark))?;
    let (name, _) = front.rsplit_once(ELAPSED)?;
    let name = name.trim_end();
    let (name, is_new) = name.strip_suffix(BEFORE_ELAPSED).map_or((name, false), |name| (name.trim_end(), true));
    let is_whole = is_new || name.split(['(', '{', '[']).next().is_some_and(|name| name.contains('.'));
    (!name.is_empty() && !name.starts_with(COUNTED[0])).then_some((name, is_whole))
}

/// What a line counts.
struct Counts<'t> {
    n_passed: u32,
    class: Option<&'t str>,
    /// Whether it counts the tests of several classes.
    is_total: bool,
}

/// `Tests run: 7, Failures: 1, Errors: 2, Skipped: 1, Time elapsed: 0.1 s <<< FAILURE! -- in org.example.HallTest`.
fn counts(text: &str) -> Option<Counts<'_>> {
    let mut numbers = [0_u32; COUNTED.len()];
    let mut rest = text;
    for (number, what) in numbers.iter_mut().zip(COUNTED) {
        rest = rest.strip_prefix(what)?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        *number = rest[..end].parse().ok()?;
        rest = rest[end..].strip_prefix(", ").unwrap_or(&rest[end..]);
    }
    let [n_run, failures, errors, skipped] = numbers;
    let n_failed = failures.saturating_add(errors).saturating_add(skipped);
    let class = IN_CLASS.iter().find_map(|mark| rest.rsplit_once(mark)).map(|(_, class)| class.trim());
    Some(Counts { n_passed: n_run.saturating_sub(n_failed), class, is_total: rest.trim().is_empty() })
}

/// A line of the list.
#[derive(Debug, PartialEq, Eq)]
struct Listed<'t> {
    /// The class whose test it is, without its package or with it.
    class: &'t str,
    name: &'t str,
    /// The class in which the line is.
    of: &'t str,
    line: Option<u32>,
    message: &'t str,
}

/// `TillTest.adds:15 expected: <3> but was: <2>`, `TillTest>Base.adds:15->check:9 » NullPointer`, `adds(org.example.TillTest): no`.
fn listed(text: &str) -> Option<Listed<'_>> {
    let text = text.strip_prefix(RUN).and_then(|rest| Some(rest.split_once(": ")?.1)).unwrap_or(text);
    let (place, message) = text.split_once(' ').unwrap_or((text, ""));
    let message = message.trim().strip_prefix(ERROR).unwrap_or(message).trim();
    let old = place.strip_suffix(':').unwrap_or(place);
    if let Some((name, class)) =
        old.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')).filter(|(_, class)| class.contains('.'))
    {
        return is_class(class).then_some(Listed { class, name, of: class, line: None, message });
    }
    let outermost = place.split_once(CALLS).map_or(place, |(outermost, _)| outermost);
    let (path, line) = outermost.rsplit_once(':')?;
    let (class, of) = path.split_once(INHERITED).map_or((None, path), |(class, of)| (Some(class), of));
    let bare = of.split(['(', '{', '[']).next().unwrap_or(of);
    let (of, _) = bare.rsplit_once('.')?;
    let name = path.rsplit_once(INHERITED).map_or(path, |(_, path)| path).get(of.len() + 1..)?;
    let class = class.unwrap_or(of);
    let is_known = is_class(class) && is_class(of) && !name.is_empty();
    is_known.then_some(Listed { class, name, of, line: Some(line.parse().ok()?), message })
}

/// What the list and the blocks have in common of a test: the outer class without its package, and the name without parameters.
fn key(class: &str, name: &str) -> (String, String) {
    let class = class.rsplit('.').next().unwrap_or_default().split('$').next().unwrap_or_default();
    (class.to_owned(), name.split(['(', '{', '[']).next().unwrap_or_default().to_owned())
}
