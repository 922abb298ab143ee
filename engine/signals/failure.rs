//! Takes apart the text of a failure: its message, and the frames of the repository's code, innermost first.
//!
//! Knows the panics of Rust and Go, what Go's tests log, and the errors of JavaScript and of Java; of any other text all is message. Must not know
//! runners, but for the lines that they write between.

use super::frames::{self, FrameLine, go_root, is_cut, is_foreign_path, is_go, kept, own_frames};
use super::java;
use super::output::Output;
use super::{Frame, Place};
use redact::ansi::strip;

/// The most panics of one text that are kept, the last ones: a test may catch thousands.
const MAX_PARTS: usize = 8;
/// The most bytes of one message; nobody reads more.
const MAX_MESSAGE_BYTES: usize = 4 << 10;
/// The most frames of one panic, those of runtimes among them.
const MAX_FRAMES: usize = 256;

/// Where a Rust program says it stopped.
const PANICKED: &str = "panicked at ";
/// What a test of Rust says that was expected to panic.
const EXPECTED_PANIC: [&str; 2] = ["note: test did not panic", "note: panic did not contain"];
/// What comes before the numbered frames of Rust.
const BACKTRACE: &str = "stack backtrace:";
/// What Rust says below a message or its frames.
const RUST_NOTES: [&str; 2] = ["note: run with `RUST_BACKTRACE", "note: Some details are omitted"];
/// What Go writes before the message of a panic.
const GO_PANICS: [&str; 2] = ["panic: ", "fatal error: "];
/// What its servers write before a panic that they catch, with the address of the client.
const GO_SERVING: &str = "http: panic serving ";
/// What it writes behind, where somebody caught it and panicked again.
const GO_RECOVERED: &str = " [recovered";
/// What Go's harness logs of a test with a data race.
const GO_RACE: &str = "race detected during execution of test";
/// How what a test logs is indented.
const GO_INDENT: &str = "    ";
/// The function around all tests of a package, which waits for them.
const GO_MAIN: &str = ".TestMain";
/// What stands before a place in the assertions of Go's testify.
const GO_TRACE: &str = "Error Trace:";
/// What stands before the cause of an error of JavaScript.
const CAUSES: [&str; 3] = ["Caused by: ", "[cause]: ", "Cause:"];
/// What stands before an error that a Rust program returns.
const RETURNED: &str = "Error: ";
/// What runners write between, and after what one of them lists names.
const RUNNERS: [&str; 8] =
    ["=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME ", "--- FAIL: ", "FAIL\t", "running ", "test result: "];
const LIST: &str = "failures:";
/// What stands before why Go could not run a package.
const NOT_RUN: &str = " [";

/// What a text says of a failure.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Failure {
    /// What failed, without frames.
    pub(super) message: String,
    /// Where it says that it failed, or its first frame.
    pub(super) place: Option<Place>,
    /// The frames, innermost first.
    pub(super) frames: Vec<Frame>,
    /// Whether a panic, a log or a frame was found; else the message is all of the text.
    pub(super) is_known: bool,
    /// Whether a program of Go ended with it.
    pub(super) is_panic: bool,
}

/// Takes a text apart. `folder` is from where its paths may be meant.
pub(super) fn failure(text: &str, folder: &str) -> Failure {
    if let Some(failure) = java::failure(text) {
        return failure;
    }
    let mut output = Output::default();
    output.push(&strip(text));
    let text = output.text();
    let mut reader = Reader { folder, ..Reader::default() };
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        reader.line(line, lines.peek().copied().unwrap_or_default());
    }
    reader.finish()
}

/// A panic, or what a test logged, or an error.
#[derive(Debug, Default)]
struct Part {
    message: String,
    /// Where it says that it stopped.
    place: Option<Place>,
    frames: Vec<Frame>,
    /// Whether the goroutine with code of the repository was found: dumps have thousands behind it.
    is_found: bool,
    /// The frames of the first goroutine with code of packages, which counts where none has code of the repository.
    built: Option<Vec<Frame>>,
}

/// What the next line can be.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Anything: what a program writes, or the message of an error.
    #[default]
    Outside,
    /// More of a message.
    Message,
    /// More of the cause of an error, whose source may be shown.
    Cause,
    /// More of a message in quotes, whose place stands behind it.
    Quoted,
    /// More of what a test logged, if it stands further to the right than this many letters.
    Log(usize),
    /// More frames.
    Frames,
    /// Nothing of this failure: other threads, and lists of names.
    Beside,
}

#[derive(Default)]
struct Reader<'t> {
    folder: &'t str,
    state: State,
    parts: Vec<Part>,
    /// What was written outside of panics and logs.
    outside: String,
    is_numbered: bool,
    is_go_panic: bool,
    go_root: Option<String>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str, next: &str) {
        let inner = line.trim();
        let starts = |starts: &[&str]| starts.iter().any(|start| inner.starts_with(start));
        if let Some(said) = panicked(inner) {
            self.panic(said);
        } else if self.state == State::Quoted {
            self.quoted(line);
        } else if starts(&EXPECTED_PANIC) {
            let (message, place) = inner.split_once(" at ").unwrap_or((inner, ""));
            self.begin(message.trim_start_matches("note: "), Place::written(place));
        } else if let Some(message) = GO_PANICS.iter().find_map(|start| inner.strip_prefix(start)) {
            self.go_panic(message.split(GO_RECOVERED).next().unwrap_or_default());
        } else if let Some(message) = serving(inner) {
            self.begin(message, None);
        } else if let Some(message) = CAUSES.iter().find_map(|start| inner.strip_prefix(start)) {
            self.begin(message.trim(), None);
            self.state = State::Cause;
        } else if inner == BACKTRACE || starts(&RUST_NOTES) {
            (self.is_numbered, self.state) = (inner == BACKTRACE, State::Frames);
        } else if inner.starts_with("goroutine ") && inner.ends_with(':') {
            self.goroutine();
        } else if starts(&RUNNERS) || inner.starts_with("test ") && inner.ends_with(" ... FAILED") {
            self.state = State::Outside;
            if let Some((_, why)) = inner.split_once(NOT_RUN).filter(|_| inner.starts_with("FAIL")) {
                self.outside.push_str(why.trim_end_matches(']'));
            }
        } else if inner == LIST {
            self.state = State::Beside;
        } else if self.is_logged(line) {
            self.text(line);
        } else if let Some(frame) = frames::read(line, next, !self.parts.is_empty(), self.is_numbered) {
            self.frame(frame);
        } else if let Some((indent, place, message)) = log(line) {
            self.log(indent, place, message);
        } else {
            self.text(line);
        }
    }

    /// Begins with a message.
    fn begin(&mut self, message: &str, place: Option<Place>) {
        if self.parts.len() == MAX_PARTS {
            self.parts.remove(0);
        }
        let place = place.map(|place| place.within(self.folder));
        self.parts.push(Part { message: message.to_owned(), place, ..Part::default() });
        self.state = State::Message;
        self.is_numbered = false;
    }

    /// Begins with a panic of Rust: what follows `panicked at`.
    fn panic(&mut self, said: &str) {
        let Some(quoted) = said.strip_prefix('\'') else {
            return self.begin("", Place::written(said.trim_end_matches(':')));
        };
        self.begin("", None);
        self.state = State::Quoted;
        self.quoted(quoted);
    }

    fn quoted(&mut self, line: &str) {
        let end = line.rsplit_once("', ").and_then(|(message, place)| Some((message, Place::written(place)?)));
        let Some((message, place)) = end else { return self.message(line) };
        self.message(message);
        if let Some(part) = self.parts.last_mut() {
            part.place = Some(place);
        }
        self.state = State::Frames;
    }

    fn go_panic(&mut self, message: &str) {
        self.is_go_panic = true;
        match self.parts.last() {
            // It is said again for everyone who caught it.
            Some(part) if self.state == State::Message && part.message.ends_with(message) => {}
            Some(_) if self.state == State::Message => self.message(message),
            _ => self.begin(message, None),
        }
    }

    /// Begins with the frames of another goroutine: the first with code of the repository is the one that failed, or that hangs.
    fn goroutine(&mut self) {
        self.error();
        let has_own = self.parts.last().is_some_and(|part| part.frames.iter().any(|frame| self.is_own(frame)));
        let root = self.go_root.as_deref();
        let is_found = self.parts.last_mut().is_some_and(|part| {
            part.is_found = part.is_found || has_own;
            if !part.is_found {
                let frames = std::mem::take(&mut part.frames);
                part.built =
                    part.built.take().or_else(|| Some(frames).filter(|frames| !kept(frames.iter().cloned(), root).is_empty()));
            }
            part.is_found
        });
        self.state = if is_found { State::Beside } else { State::Frames };
    }

    /// Whether a frame of Go is one of the repository's code.
    fn is_own(&self, frame: &Frame) -> bool {
        #[cfg(test)]
        work::add(1);
        !is_cut(frame, self.go_root.as_deref()) && !frame.function.ends_with(GO_MAIN)
    }

    /// Makes what was written so far the message of an error, if there is none.
    fn error(&mut self) {
        if self.parts.is_empty() {
            let message = std::mem::take(&mut self.outside);
            self.begin(&message, None);
        }
    }

    fn frame(&mut self, line: FrameLine<'_>) {
        if self.state == State::Beside || line == FrameLine::Furniture {
            return;
        }
        self.error();
        self.state = State::Frames;
        match line {
            FrameLine::Whole(frame) => self.push(frame),
            FrameLine::Function(function) => self.push(Frame { function: function.to_owned(), ..Frame::default() }),
            FrameLine::Place(place) => {
                let frame = self.parts.last_mut().and_then(|part| part.frames.last_mut());
                match frame.filter(|frame| frame.place.is_none()) {
                    Some(frame) => frame.place = Some(place.within(self.folder)),
                    None => self.push(Frame { place: Some(place), ..Frame::default() }),
                }
                let frame = self.parts.last().and_then(|part| part.frames.last());
                self.go_root = self.go_root.take().or_else(|| go_root(frame?).map(str::to_owned));
            }
            FrameLine::Furniture => {}
        }
    }

    fn push(&mut self, mut frame: Frame) {
        frame.place = frame.place.map(|place| place.within(self.folder));
        if let Some(part) = self.parts.last_mut().filter(|part| part.frames.len() < MAX_FRAMES) {
            part.frames.push(frame);
        }
    }

    /// Adds what a test of Go logged: the last is where it gave up.
    fn log(&mut self, indent: usize, place: Place, message: &str) {
        if matches!(self.state, State::Log(_)) {
            self.message(message);
        } else {
            self.begin(message, None);
        }
        self.state = State::Log(indent);
        // Races are logged by the harness itself.
        if let Some(part) = self.parts.last_mut().filter(|_| message != GO_RACE) {
            part.frames.truncate(MAX_FRAMES - 1);
            part.frames.insert(0, Frame { place: Some(place.within(self.folder)), ..Frame::default() });
        }
    }

    /// Whether a line goes on with what was logged above.
    fn is_logged(&self, line: &str) -> bool {
        let State::Log(indent) = self.state else { return false };
        line.trim().is_empty() || line.len() - line.trim_start().len() > indent
    }

    fn text(&mut self, line: &str) {
        match self.state {
            State::Message => self.message(line),
            State::Cause if !is_excerpt(line) => self.message(line.trim_start()),
            State::Log(indent) if self.is_logged(line) => {
                let place = line.trim().trim_start_matches(GO_TRACE).trim();
                match Place::written(place).filter(|place| is_go(&place.path)) {
                    Some(place) => self.push(Frame { place: Some(place), ..Frame::default() }),
                    None => self.message(line.get(indent..).unwrap_or_default()),
                }
            }
            State::Outside | State::Log(_) if !is_excerpt(line) => {
                self.outside.push_str(line);
                self.outside.push('\n');
            }
            _ => {}
        }
    }

    fn message(&mut self, line: &str) {
        if let Some(part) = self.parts.last_mut().filter(|part| part.message.len() < MAX_MESSAGE_BYTES) {
            if !part.message.is_empty() {
                part.message.push('\n');
            }
            part.message.push_str(line.trim_end());
        }
    }

    fn finish(self) -> Failure {
        let mut failure = Failure { is_known: !self.parts.is_empty(), is_panic: self.is_go_panic, ..Failure::default() };
        let mut messages: Vec<&str> = Vec::new();
        // The last ends a test; those before may have been caught, or be its cause.
        for part in self.parts.iter().rev() {
            let message = part.message.trim();
            if !message.is_empty() && !messages.contains(&message) {
                messages.push(message);
            }
            let place = part.place.as_ref().filter(|place| !is_foreign_path(&place.path));
            failure.place = failure.place.take().or_else(|| place.cloned());
            let is_found = part.is_found || part.frames.iter().any(|frame| self.is_own(frame));
            let frames = if is_found { &part.frames } else { part.built.as_ref().unwrap_or(&part.frames) };
            for frame in own_frames(frames, part.place.as_ref(), self.go_root.as_deref()) {
                frames::add(&mut failure.frames, frame);
            }
        }
        let first = || failure.frames.iter().filter_map(|frame| frame.place.as_ref()).find(|place| !is_foreign_path(&place.path));
        failure.place = failure.place.take().or_else(|| first().cloned());
        if messages.is_empty() {
            let outside = self.outside.trim();
            let returned = outside.rfind(&format!("\n{RETURNED}")).map_or(0, |at| at + 1);
            messages.push(&outside[returned..]);
        }
        failure.message = messages.join("\n");
        failure
    }
}

/// The message of a panic that a server of Go caught: `http: panic serving 127.0.0.1:51034: index out of range`.
pub(super) fn serving(line: &str) -> Option<&str> {
    line.split_once(GO_SERVING)?.1.split_once(": ").map(|(_, message)| message)
}

/// What follows `panicked at` in a line of Rust.
fn panicked(line: &str) -> Option<&str> {
    let (thread, said) = line.split_once(PANICKED)?;
    (thread.is_empty() || thread.starts_with("thread '")).then_some(said)
}

/// Indentation, place and message of `    login_test.go:12: want x`.
fn log(line: &str) -> Option<(usize, Place, &str)> {
    let inner = line.trim_start();
    let indent = line.len() - inner.len();
    let (place, message) = inner.split_once(": ").or_else(|| Some((inner.trim_end().strip_suffix(':')?, "")))?;
    // A test may have written before it without ending the line.
    let (indent, place) = place.rsplit_once(GO_INDENT).map_or((indent, place), |(_, place)| (GO_INDENT.len(), place));
    let place = Place::written(place).filter(|place| place.column == 0 && is_go(&place.path))?;
    (indent > 0).then_some((indent, place, message))
}

/// Whether a line shows source: `  12|  code`, `> 12 | code`, `   |  ^`.
fn is_excerpt(line: &str) -> bool {
    let behind = line.trim_start_matches([' ', '>']).trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start();
    line.starts_with([' ', '>']) && behind.starts_with('|')
}
