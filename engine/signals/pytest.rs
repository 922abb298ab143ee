//! The text of pytest: a block for each test that failed, a line for each in the summary, and how many passed.
//!
//! A block names the test without its file, the summary with it, so that blocks wait for the summary. Must not take rules that people draw
//! for blocks: one counts only with what pytest writes inside.

use super::frames::{is_foreign_path, kept};
use super::input::Line;
use super::marks::is_of_others;
use super::place::looks_like_path;
use super::python;
use super::{Frame, LineReader, Place, Report, Status, TestResult};
use std::mem;

/// Who runs the tests.
const RUNNER: &str = "pytest";

/// What titles of sections and of blocks stand between, and how often at least.
const RULE: char = '=';
const BLOCK_RULE: char = '_';
const OUTPUT_RULE: char = '-';
const MIN_RULE: usize = 3;
/// The title of what a test wrote.
const CAPTURED: &str = "Captured ";
/// What stands between the frames of a block.
const BETWEEN: &str = "_ _ ";
/// What stands before the name of a test in a title, where something around it failed.
const AROUND: [&str; 4] = ["ERROR at setup of ", "ERROR at teardown of ", "ERROR collecting ", "ERROR at "];

/// What begins the lines of a message, and the line that failed.
const MESSAGE: &str = "E  ";
const FAILED_LINE: char = '>';
/// What stands before the name of a function in source, and in a short frame.
const DEFINITIONS: [&str; 2] = ["def ", "async def "];
const FUNCTION: &str = ": in ";

/// What stands between an argument of a function and its value.
const VALUE: &str = " = ";

/// How lines of the summary and of the list begin and end.
const FAILED: [&str; 2] = ["FAILED ", "ERROR "];
const REASON: &str = " - ";
const STATUSES: [&str; 6] = ["PASSED", "FAILED", "ERROR", "SKIPPED", "XFAIL", "XPASS"];
const FILE_END: &str = ".py";
const PARTS: &str = "::";

/// What the last line counts.
const COUNTED: [&str; 10] =
    ["passed", "failed", "error", "errors", "skipped", "deselected", "xfailed", "xpassed", "warning", "warnings"];

/// The most lines of a block: hidden frames apart, source and values of a hundred frames.
const MAX_LINES: u32 = 5_000;
/// The most lines of a message, frames of a block, and blocks that wait.
const MAX_MESSAGE_LINES: usize = 60;
const MAX_FRAMES: usize = 64;
const MAX_BLOCKS: usize = 1_000;

/// What is said of a test.
#[derive(Debug, Default)]
struct Block {
    /// As in the title: `TestPrice.test_zone[x]`, or a path where a file could not be read.
    title: String,
    message: Vec<String>,
    /// The messages of the errors that led to the last one, the nearest first.
    causes: Vec<String>,
    /// Outermost first.
    frames: Vec<Frame>,
    /// The first function in the source of the frame that comes.
    function: String,
    n_lines: u32,
    /// Whether what the test wrote comes.
    is_output: bool,
    /// Whether the place of the error was read, with which a block mostly ends.
    is_whole: bool,
}

/// Reads it.
#[derive(Debug, Default)]
pub(super) struct Pytest {
    open: Option<Block>,
    blocks: Vec<Block>,
}

impl LineReader for Pytest {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        if let Some(title) = titled(text, BLOCK_RULE).filter(|title| is_title(title)) {
            self.close(report);
            self.open = Some(Block { title: without_around(title).to_owned(), ..Block::default() });
            // Many draw such a line; what stands below tells.
            return false;
        }
        if let Some(counts) = counts(titled(text, RULE).unwrap_or(text)) {
            self.end(report);
            report.passed(RUNNER, "", counts);
            return true;
        }
        if titled(text, RULE).is_some() {
            self.close(report);
            return false;
        }
        if let Some((id, reason)) = summary(text) {
            self.close(report);
            self.give_out(id, reason, report);
            return true;
        }
        if listed(text) {
            self.close(report);
            report.understood();
            return true;
        }
        let Some(block) = &mut self.open else { return false };
        block.n_lines += 1;
        if is_of_others(text) || block.n_lines > MAX_LINES || block.is_over(text) {
            self.close(report);
            return false;
        }
        block.line(text)
    }

    fn end(&mut self, report: &mut Report) {
        self.close(report);
        for block in mem::take(&mut self.blocks) {
            block.give_out("", report);
        }
    }
}

impl Pytest {
    /// Ends the block that is read, if it is one.
    fn close(&mut self, report: &mut Report) {
        let Some(block) = self.open.take().filter(Block::is_known) else { return };
        if self.blocks.len() == MAX_BLOCKS {
            self.blocks.remove(0).give_out("", report);
        }
        self.blocks.push(block);
    }

    /// Gives out a test that the summary names, with what its block says.
    fn give_out(&mut self, id: &str, reason: &str, report: &mut Report) {
        let (path, name) = id.split_once(PARTS).unwrap_or((id, ""));
        let title = if name.is_empty() { path.to_owned() } else { name.replace(PARTS, ".") };
        let is_there = |block: &Block| name.is_empty() || block.is_of(path);
        let at = self.blocks.iter().position(|block| block.title == title && is_there(block));
        let block = at.or_else(|| self.blocks.iter().position(|block| block.title == title)).map(|at| self.blocks.remove(at));
        let mut block = block.unwrap_or_default();
        if block.message.is_empty() {
            block.message.push(reason.to_owned());
        }
        block.title = title;
        block.give_out(id, report);
    }
}

impl Block {
    /// Whether anything of it can only be of pytest.
    fn is_known(&self) -> bool {
        !self.message.is_empty() || !self.frames.is_empty()
    }

    /// Whether a frame of it is in a file, or it has none that says otherwise.
    fn is_of(&self, path: &str) -> bool {
        let places = self.frames.iter().filter_map(|frame| frame.place.as_ref());
        places.into_iter().any(|place| place.path.ends_with(path) || path.ends_with(&place.path))
    }

    /// Whether a line stands behind it: words that are not indented, where its end was read or nothing of it yet.
    fn is_over(&self, text: &str) -> bool {
        let is_furniture = text.is_empty()
            || text.starts_with([' ', '\t', FAILED_LINE])
            || text.starts_with(BETWEEN)
            || text.starts_with(MESSAGE.trim_end())
            || titled(text, OUTPUT_RULE).is_some()
            || is_chain(text)
            || text
                .split_once(VALUE)
                .is_some_and(|(name, _)| name.chars().all(|letter| letter.is_alphanumeric() || letter == '_'));
        (self.is_whole || !self.is_known() && self.n_lines > 1) && !self.is_output && !is_furniture && located(text).is_none()
    }

    /// Reads a line; whether it is one of it for sure.
    fn line(&mut self, text: &str) -> bool {
        if let Some(title) = titled(text, OUTPUT_RULE) {
            self.is_output = title.starts_with(CAPTURED);
            return self.is_output;
        }
        if self.is_output {
            return true;
        }
        let inner = text.trim_start();
        if self.is_known() && is_chain(inner) {
            self.causes.splice(0..0, mem::take(&mut self.message));
            self.is_whole = false;
            self.function.clear();
            return true;
        }
        if text.starts_with(MESSAGE) || text == MESSAGE.trim_end() {
            self.is_whole = false;
            if self.message.len() < MAX_MESSAGE_LINES {
                self.message.push(text.get(MESSAGE.len()..).unwrap_or_default().to_owned());
            }
            return true;
        }
        if let Some(frame) = located(text).or_else(|| python::frame(inner).map(|frame| (frame, false))) {
            let (mut frame, is_whole) = frame;
            if frame.function.is_empty() {
                frame.function = mem::take(&mut self.function);
            }
            self.function.clear();
            self.is_whole = is_whole;
            if self.frames.len() == MAX_FRAMES {
                self.frames.remove(0);
            }
            self.frames.push(frame);
            return true;
        }
        if text.starts_with(BETWEEN) {
            self.function.clear();
        } else if self.function.is_empty()
            && let Some(rest) = DEFINITIONS.iter().find_map(|start| inner.strip_prefix(start))
        {
            rest.split('(').next().unwrap_or_default().trim().clone_into(&mut self.function);
        }
        self.is_known()
    }

    /// Gives out the test. `id` is how the summary calls it, if there is one.
    fn give_out(self, id: &str, report: &mut Report) {
        let frames = kept(self.frames.into_iter().rev(), None);
        let own = frames.iter().filter_map(|frame| frame.place.as_ref()).find(|place| !is_foreign_path(&place.path));
        let (path, name) = id.split_once(PARTS).unwrap_or((id, ""));
        let is_file = self.title.ends_with(FILE_END) && self.title.contains('/') || name.is_empty() && !path.is_empty();
        let of_file = if path.is_empty() { &self.title } else { path };
        let is_named = is_file || !path.is_empty();
        report.test(TestResult {
            runner: RUNNER.to_owned(),
            suite: if is_named { of_file.to_owned() } else { String::new() },
            name: match (is_file, name) {
                (true, _) => of_file.to_owned(),
                (false, "") => self.title.replace('.', PARTS),
                (false, name) => name.to_owned(),
            },
            place: own.cloned().or_else(|| is_named.then(|| Place::at(of_file, 0, 0))),
            status: Status::Failed,
            message: message(&[self.message, self.causes].concat()),
            frames,
        });
    }
}

/// Whether a line stands between two errors of one chain.
fn is_chain(text: &str) -> bool {
    python::CHAINS.iter().any(|chain| text.starts_with(chain))
}

/// The lines of a message, without the space that all of them begin with.
fn message(lines: &[String]) -> String {
    let indent = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let least = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or_default();
    let lines: Vec<&str> = lines.iter().map(|line| line.get(least..).unwrap_or_default()).collect();
    lines.join("\n")
}

/// What stands between rules: `=== FAILURES ===`, `____ test_zone ____`.
fn titled(text: &str, rule: char) -> Option<&str> {
    let inner = text.trim_start_matches(rule);
    let (title, n_before) = (inner.trim_end_matches(rule), text.len() - inner.len());
    let is_ruled = n_before >= MIN_RULE || rule == BLOCK_RULE && n_before > 0;
    let is_title = is_ruled && title.len() < inner.len() && title.starts_with(' ') && title.ends_with(' ');
    is_title.then(|| title.trim()).filter(|title| !title.is_empty())
}

/// Whether a title is one of a test, or of a file that could not be read.
fn is_title(title: &str) -> bool {
    let name = without_around(title);
    // The values of a case may be any words.
    let name = name.split('[').next().unwrap_or_default();
    name.len() < title.len() && looks_like_path(name)
        || !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'))
}

fn without_around(title: &str) -> &str {
    AROUND.iter().find_map(|around| title.strip_prefix(around)).unwrap_or(title)
}

/// The frame in `tests/test_price.py:12: AssertionError`, `price.py:33: ` and `price.py:33: in surcharge`; whether it is the place of the
/// error.
fn located(text: &str) -> Option<(Frame, bool)> {
    let (front, behind) = text.split_once(": ").or_else(|| text.strip_suffix(':').map(|front| (front, "")))?;
    let place =
        Place::written(front).filter(|place| place.column == 0 && place.path.ends_with(FILE_END) && !front.starts_with(' '))?;
    let function = text.split_once(FUNCTION).map_or("", |(_, function)| function);
    let is_error = !behind.is_empty() && function.is_empty();
    let is_name = |word: &str| word.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
    if is_error && !is_name(behind) || !is_name(function.trim_matches(['<', '>'])) {
        return None;
    }
    let function = if function.starts_with('<') { "" } else { function };
    Some((Frame { function: function.to_owned(), place: Some(place), is_built: false }, is_error))
}

/// Name and reason in `FAILED tests/test_price.py::test_zone[x] - AssertionError: no`.
fn summary(text: &str) -> Option<(&str, &str)> {
    let rest = FAILED.iter().find_map(|start| text.strip_prefix(start))?;
    let (path, _) = rest.split_once(PARTS).unwrap_or((rest, ""));
    let path = path.split(REASON).next().unwrap_or_default().trim_end();
    if !path.ends_with(FILE_END) || path.contains(' ') {
        return None;
    }
    // Values of a case may hold what stands before the reason.
    let from =
        rest.rfind(']').filter(|_| rest.split(REASON).next().is_some_and(|name| name.contains('[') && !name.ends_with(']')));
    let at = rest[from.unwrap_or_default()..].find(REASON).map(|at| at + from.unwrap_or_default());
    Some(at.map_or((rest, ""), |at| (&rest[..at], &rest[at + REASON.len()..])))
}

/// Whether a line is one of the list: `tests/test_price.py::test_zone PASSED [ 50%]`.
fn listed(text: &str) -> bool {
    let Some((id, rest)) = text.split_once(' ') else { return false };
    let is_status = STATUSES.iter().any(|status| rest.trim_start().split(' ').next() == Some(status));
    is_status && id.split_once(PARTS).is_some_and(|(path, _)| path.ends_with(FILE_END))
}

/// How many tests passed, of `2 failed, 3 passed in 0.12s`.
fn counts(text: &str) -> Option<u32> {
    let (counts, time) = text.rsplit_once(" in ")?;
    let seconds = time.split(' ').next().and_then(|time| time.strip_suffix('s'))?;
    seconds.parse::<f32>().ok()?;
    let mut n_passed = 0_u32;
    for count in counts.split(", ") {
        let (number, what) = count.split_once(' ')?;
        let number: u32 = number.parse().ok()?;
        if !COUNTED.contains(&what) {
            return None;
        }
        n_passed = n_passed.saturating_add(if what == COUNTED[0] { number } else { 0 });
    }
    Some(n_passed)
}
