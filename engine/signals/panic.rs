//! A panic or an error with its stack trace, outside of all tests: what a program of Rust, Go or JavaScript says when it stops.
//!
//! Must not take a mention of an error for one: Go and JavaScript are known by their frames alone.

use super::failure::{failure, serving};
use super::frames::{self, is_foreign_path};
use super::input::Line;
use super::output::Output;
use super::{Diagnostic, Frame, LineReader, Note, Report, Severity};
use std::mem;

/// Who says it.
pub(super) const TOOL: &str = "panic";

/// The most lines of a message before its frames.
const MAX_MESSAGE_LINES: u32 = 40;

/// What is said of a panic without a message.
const NO_MESSAGE: &str = "panicked";

/// What is said of a frame without a function.
const NO_FUNCTION: &str = "called from here";

/// What begins one.
const RUST: &str = "thread '";
const RUST_PANICKED: &str = " panicked at ";
const GO: [&str; 2] = ["panic: ", "fatal error: "];
const GOROUTINE: &str = "goroutine ";
const JAVASCRIPT: &str = "Uncaught ";

/// What Node.js and Bun say last when an error ends them, followed by their version. Else it was caught and written.
const JAVASCRIPT_ENDS: [&str; 2] = ["Node.js v", "Bun v"];

/// What the frames of Rust begin with, and what ends them.
const BACKTRACE: &str = "stack backtrace:";
const NOTE: &str = "note: ";

/// The language that a trace is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Rust,
    Go,
    JavaScript,
}

/// A trace that is being read.
#[derive(Debug)]
struct Trace {
    language: Language,
    output: Output,
    n_lines: u32,
    /// An empty line ended the message of Rust; frames may follow all the same.
    is_paused: bool,
    has_frames: bool,
    /// The program stops with it; of JavaScript that may be said only behind.
    is_stop: bool,
}

/// Reads them.
#[derive(Default)]
pub(super) struct Panic {
    trace: Option<Trace>,
    /// What JavaScript wrote last, of which the next lines may say that it was the end.
    written: Option<Diagnostic>,
    /// A mark below a line of code stands above, with which an error is told that stops a program.
    is_below_code: bool,
}

impl LineReader for Panic {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        let is_below_code = self.is_below_code;
        self.is_below_code = is_mark(text) || is_below_code && text.is_empty();
        let is_of_dump = is_goroutine(text) && self.trace.as_ref().is_some_and(|trace| trace.language == Language::Go);
        if let Some(language) = language(text).filter(|_| !is_of_dump) {
            self.end(report);
            let mut output = Output::default();
            output.line(text);
            let is_stop = language != Language::JavaScript || is_below_code || text.starts_with(JAVASCRIPT);
            let has_frames = is_goroutine(text);
            self.trace = Some(Trace { language, output, n_lines: 0, is_paused: false, has_frames, is_stop });
            return language == Language::Rust || has_frames;
        }
        if let Some(trace) = &mut self.trace {
            let is_of_trace = trace.line(text);
            if is_of_trace.is_some() {
                return is_of_trace.unwrap_or_default();
            }
            self.end_trace(report);
        }
        if let Some(written) = &mut self.written
            && !text.is_empty()
        {
            if JAVASCRIPT_ENDS.iter().any(|start| text.starts_with(start)) {
                written.severity = Severity::Error;
            }
            self.end(report);
        }
        false
    }

    fn end(&mut self, report: &mut Report) {
        self.end_trace(report);
        self.written.take().into_iter().for_each(|written| report.diagnostic(written));
    }
}

impl Panic {
    fn end_trace(&mut self, report: &mut Report) {
        let Some(trace) = mem::take(&mut self.trace) else { return };
        if trace.language != Language::Rust && !trace.has_frames {
            return;
        }
        let text = trace.output.text();
        let mut failure = failure(&text, "");
        if failure.message.is_empty() {
            let head = text.lines().next().filter(|line| is_goroutine(line));
            head.map_or(NO_MESSAGE, |head| head.trim_end_matches(':')).clone_into(&mut failure.message);
        }
        let is_first = |place| failure.place == place;
        let notes = failure.frames.iter().filter(|frame| !is_first(frame.place.clone()) && !is_of_others(frame)).cloned();
        let name = |function: String| if function.is_empty() { NO_FUNCTION.to_owned() } else { function };
        let found = Diagnostic {
            tool: TOOL.to_owned(),
            severity: if trace.is_stop { Severity::Error } else { Severity::Note },
            code: String::new(),
            message: failure.message,
            notes: notes.map(|frame| Note { message: name(frame.function), place: frame.place }).collect(),
            place: failure.place.clone(),
            frames: failure.frames,
        };
        if trace.is_stop { report.diagnostic(found) } else { self.written = Some(found) }
    }
}

impl Trace {
    /// Takes in a line: whether it is one of the trace for sure, or nothing if the trace is over.
    fn line(&mut self, text: &str) -> Option<bool> {
        self.n_lines += 1;
        let inner = text.trim();
        let is_sure = match self.language {
            Language::Rust => self.rust_line(inner)?,
            Language::Go => self.go_line(text, inner)?,
            Language::JavaScript => self.javascript_line(text, inner)?,
        };
        self.output.line(text);
        (self.has_frames || self.n_lines <= MAX_MESSAGE_LINES).then_some(is_sure)
    }

    fn rust_line(&mut self, inner: &str) -> Option<bool> {
        if inner == BACKTRACE {
            self.has_frames = true;
        } else if inner.starts_with(NOTE) {
            return (!self.has_frames || inner.contains("RUST_BACKTRACE")).then_some(true);
        } else if self.has_frames {
            return frames::read(inner, "", true, true).map(|_| true);
        } else if inner.is_empty() {
            self.is_paused = self.n_lines > 1;
        }
        Some(!self.is_paused)
    }

    fn go_line(&mut self, text: &str, inner: &str) -> Option<bool> {
        if is_goroutine(inner) {
            self.has_frames = true;
        } else if self.has_frames {
            let is_of_trace = inner.is_empty() || text.starts_with(['\t', ' ']) || inner.ends_with(')');
            return (is_of_trace || ["created by ", "exit status ", "..."].iter().any(|start| inner.starts_with(start)))
                .then_some(true);
        }
        Some(self.has_frames)
    }

    fn javascript_line(&mut self, text: &str, inner: &str) -> Option<bool> {
        if matches!(frames::read(inner, "", true, false), Some(frames::FrameLine::Whole(_))) {
            self.has_frames = true;
        } else if self.has_frames && !text.starts_with([' ', '\t', '}']) {
            return None;
        }
        Some(self.has_frames)
    }
}

/// Whether a frame is one of an installed package: what it says is shown only where the package is one of the repository.
fn is_of_others(frame: &Frame) -> bool {
    frame.place.as_ref().is_some_and(|place| is_foreign_path(&place.path))
}

/// Whether a line stands above the frames of a goroutine.
fn is_goroutine(text: &str) -> bool {
    text.starts_with(GOROUTINE) && text.ends_with("]:")
}

/// Whether a line only points at code in the line above.
fn is_mark(text: &str) -> bool {
    let inner = text.trim_start();
    !inner.is_empty() && inner.bytes().all(|byte| byte == b'^')
}

/// The language of a trace that begins with a line.
fn language(text: &str) -> Option<Language> {
    if text.trim_start().starts_with(RUST) && text.contains(RUST_PANICKED) {
        return Some(Language::Rust);
    }
    if GO.iter().any(|start| text.starts_with(start)) || serving(text).is_some() || is_goroutine(text) {
        return Some(Language::Go);
    }
    let name = text.strip_prefix(JAVASCRIPT).unwrap_or(text).split([':', ' ']).next().unwrap_or_default();
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && (name.ends_with("Error") || name.ends_with("Exception"))).then_some(Language::JavaScript)
}
