//! Tracebacks of Python, outside of all tests: `Traceback (most recent call last):`, frames, and the error in the last line if it was not cut
//! off.
//!
//! Must not take a mention of an error for one: it is known by its frames alone.

use super::frames::{is_foreign_path, kept};
use super::input::Line;
use super::report::MAX_NOTES;
use super::{Diagnostic, Frame, LineReader, Note, Place, Report, Severity};
use std::mem;

/// Who says it.
const TOOL: &str = "python";

/// What stands above the frames; those of a group of errors say so before it.
const HEAD: &str = "Traceback (most recent call last):";
const GROUP: &str = "Exception Group ";

/// What stands between two errors of one chain, the first of which led to the second.
pub(super) const CHAINS: [&str; 2] =
    ["During handling of the above exception, another", "The above exception was the direct cause of the following"];

/// What a frame is made of.
const FILE: &str = "File \"";
const LINE: &str = "\", line ";
const FUNCTION: &str = ", in ";

/// What is said of a frame without a function, of frames whose error was cut off, and of frames that no head calls a traceback.
const NO_FUNCTION: &str = "called from here";
const NO_ERROR: &str = "a traceback whose error was cut off";
const NO_HEAD: &str = "frames without an error";

/// The fewest frames that are some without a head: who names one place can write it alike.
const MIN_FRAMES: usize = 2;

/// How errors of a group are drawn beside each other.
const GROUP_LETTERS: [char; 4] = ['|', '+', '-', ' '];

/// What names of errors end with, where no head says that one comes.
const ERRORS: [&str; 5] = ["Error", "Exception", "Warning", "Exit", "Interrupt"];

/// The most frames of one error, and the most errors of a chain: the last ones, as those inside of both say most.
const MAX_FRAMES: usize = 256;
const MAX_CHAIN: usize = 8;
/// The most lines between two frames: source with its marks, and how often a line was repeated.
const MAX_BETWEEN: u32 = 12;

/// An error of a chain.
#[derive(Debug, Default)]
struct Part {
    message: String,
    /// Whether nothing says that an error was raised: loggers write frames too.
    is_unsaid: bool,
    /// Outermost first, as they are written.
    frames: Vec<Frame>,
}

/// Reads them.
#[derive(Debug, Default)]
pub(super) struct Python {
    /// The errors that are whole.
    chain: Vec<Part>,
    /// The error whose frames are read, whether a head stands above it, and how far it is indented.
    open: Option<(Part, bool, usize)>,
    /// How many lines stand below its last frame.
    n_between: u32,
    /// Whether a line said that the next error belongs to the chain.
    is_chained: bool,
}

impl LineReader for Python {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        let inner = text.trim_start_matches(GROUP_LETTERS);
        let indent = text.len() - inner.len();
        if inner.strip_prefix(GROUP).unwrap_or(inner) == HEAD {
            self.begin(true, indent, report);
            return true;
        }
        if let Some(frame) = frame(inner) {
            // A member of a group can stand between frames of another error; a frame that is indented less is of none that is read.
            let is_inside = self.open.as_ref().is_some_and(|(.., around)| indent > *around);
            if !is_inside {
                self.begin(false, indent.saturating_sub(2), report);
            }
            self.n_between = 0;
            let Some((part, has_head, _)) = &mut self.open else { return false };
            if part.frames.len() == MAX_FRAMES {
                part.frames.remove(0);
            }
            part.frames.push(frame);
            return is_some(part, *has_head);
        }
        if let Some((part, has_head, around)) = &mut self.open {
            self.n_between += 1;
            let is_below = indent > *around || inner.is_empty() && !part.frames.is_empty();
            if is_below && self.n_between <= MAX_BETWEEN {
                return is_some(part, *has_head);
            }
            if !part.frames.is_empty() && !is_below && is_error(inner, *has_head) {
                let part = self.open.take().map(|(part, ..)| part).unwrap_or_default();
                self.chain.push(Part { message: inner.to_owned(), ..part });
                return true;
            }
            self.cut_off();
        }
        if CHAINS.iter().any(|start| inner.starts_with(start)) && !self.chain.is_empty() {
            self.is_chained = true;
            return true;
        }
        if !inner.is_empty() {
            self.end(report);
        }
        false
    }

    fn end(&mut self, report: &mut Report) {
        self.cut_off();
        self.is_chained = false;
        if let Some(found) = diagnostic(mem::take(&mut self.chain)) {
            report.diagnostic(found);
        }
    }
}

impl Python {
    /// Ends an error of which nothing but frames was read.
    fn cut_off(&mut self) {
        let Some((part, has_head, _)) = self.open.take() else { return };
        if !part.frames.is_empty() && is_some(&part, has_head) {
            let message = if has_head { NO_ERROR } else { NO_HEAD };
            self.chain.push(Part { message: message.to_owned(), is_unsaid: !has_head, ..part });
        }
    }

    /// Begins with the frames of an error, the next of the chain or one of its own.
    fn begin(&mut self, has_head: bool, indent: usize, report: &mut Report) {
        if !self.is_chained {
            self.end(report);
        }
        self.is_chained = false;
        self.cut_off();
        if self.chain.len() >= MAX_CHAIN {
            self.chain.remove(0);
        }
        self.n_between = 0;
        self.open = Some((Part::default(), has_head, indent));
    }
}

/// Whether frames are those of a traceback so far: without a head, the first one may only be a place that somebody names.
fn is_some(part: &Part, has_head: bool) -> bool {
    has_head || part.frames.len() >= MIN_FRAMES
}

/// `File "price.py", line 7, in main`; where syntax is broken, nothing follows the line.
pub(super) fn frame(text: &str) -> Option<Frame> {
    let (path, rest) = text.strip_prefix(FILE)?.rsplit_once(LINE)?;
    let (number, function) = rest.split_once(FUNCTION).unwrap_or((rest, ""));
    let line: u32 = number.parse().ok()?;
    let is_nowhere = path.starts_with('<');
    let function = if function.starts_with('<') { "" } else { function };
    let place = (!is_nowhere && !path.is_empty()).then(|| Place::at(path, line, 0));
    Some(Frame { function: function.to_owned(), place, is_built: false })
}

/// Whether a line is the error that ends a traceback: `shop.price.TooHeavy: 32 kg`. Below a head any name is one.
fn is_error(text: &str, has_head: bool) -> bool {
    let name = text.split(':').next().unwrap_or_default();
    let is_part = |part: &str| part.starts_with(|c: char| c.is_alphabetic() || c == '_') && part.chars().all(is_of_name);
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_known =
        ERRORS.iter().any(|end| last.ends_with(end)) || text.len() > name.len() && last.starts_with(char::is_uppercase);
    name.split('.').all(is_part) && (has_head || is_known)
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// What a chain of errors says: the last one ended the program, those before led to it.
fn diagnostic(chain: Vec<Part>) -> Option<Diagnostic> {
    let mut notes: Vec<Note> = Vec::new();
    let mut frames: Vec<Frame> = Vec::new();
    let (mut message, mut place) = (String::new(), None);
    let severity = if chain.last().is_some_and(|part| part.is_unsaid) { Severity::Note } else { Severity::Error };
    for (number, part) in chain.into_iter().rev().enumerate() {
        let is_own = |frame: &&Frame| frame.place.as_ref().is_some_and(|place| !is_foreign_path(&place.path));
        let mut own: Vec<Frame> = part.frames.iter().rev().filter(is_own).cloned().collect();
        let first = if own.is_empty() { None } else { own.remove(0).place };
        if number == 0 {
            (message, place) = (part.message, first);
        } else {
            notes.push(Note { message: part.message, place: first });
        }
        let called = |function: String| if function.is_empty() { NO_FUNCTION.to_owned() } else { function };
        notes.extend(own.into_iter().map(|frame| Note { message: called(frame.function), place: frame.place }));
        frames.extend(part.frames.into_iter().rev());
    }
    notes.truncate(MAX_NOTES);
    (!message.is_empty()).then(|| Diagnostic {
        tool: TOOL.to_owned(),
        severity,
        place,
        message,
        notes,
        frames: kept(frames, None),
        ..Diagnostic::default()
    })
}
