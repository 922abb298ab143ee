//! Tells lines of stack traces, panics and backtraces from sentences, and takes out of them what concerns a reader.
//!
//! Reads form only: must not know which files or functions exist.

use super::place::position;

/// A line of a stack trace. What it does not hold is furniture: addresses, numbers of threads, functions whose place stands beside.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TraceLine<'t> {
    /// The frame.
    pub frame: Option<Frame<'t>>,
    /// A test's or thread's name, or a place: names something, but is not a sentence.
    pub named: &'t str,
    /// What is said before and after: the words of whoever wrote it, or the message of the error.
    pub said: [&'t str; 2],
}

/// A frame of a stack trace.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame<'t> {
    /// With its place.
    Place {
        /// The path as written.
        path: &'t str,
        /// The line.
        line: u32,
    },
    /// Without one: the function alone, as written.
    Function(&'t str),
}

/// Where a Rust program says it stopped.
const PANICKED: &str = "panicked at ";

/// How the thread is named before that.
const THREAD: &str = "thread '";

/// How the offset ends a frame of Go.
pub(super) const OFFSET: &str = " +0x";

/// How the address stands behind a frame where a server of Go recovered from a panic and wrote it itself: `tree.go:756 (0x7f1c0e)`.
const ADDRESS: &str = " (0x";

/// What begins a line that only surrounds the frames.
const FURNITURE: [&str; 7] = [
    "stack backtrace:",
    "note: run with `RUST_BACKTRACE",
    "note: Some details are omitted",
    "[signal ",
    "runtime stack:",
    "...additional frames elided",
    "Traceback (most recent call last)",
];

/// What ends the trace of a program that was run by another.
const EXIT: &str = "exit status ";

/// What stands before the message of an error and says only that there is one.
const ALARMS: [&str; 4] = ["panic:", "fatal error:", "Uncaught", "Caused by:"];

/// Functions of a frame that need no place to be known as such.
const NOWHERE: [&str; 3] = ["<anonymous>", "native", "index "];

/// Most words of a function in front of its place: `async Object.handle [as run]`.
const MAX_FUNCTION_WORDS: usize = 4;

/// Reads a line; `next` is the one below, and `is_inside` says that the text above holds lines of a trace.
pub fn read<'t>(line: &'t str, next: &str, is_inside: bool) -> Option<TraceLine<'t>> {
    let (inner, next) = (inner(line), inner(next));
    panic_line(inner)
        .or_else(|| go_line(inner, next, is_inside))
        .or_else(|| at_line(inner))
        .or_else(|| numbered_line(inner, next, is_inside))
        .or_else(|| python_line(inner))
        .or_else(|| is_furniture(inner, is_inside).then(TraceLine::default))
}

/// The words of a sentence beside a trace: without the alarm before the message, without addresses and other numbers.
pub fn words_of(line: &str) -> impl Iterator<Item = &str> {
    let line = inner(line);
    let message = ALARMS.iter().find_map(|alarm| line.strip_prefix(alarm)).unwrap_or(line);
    message.split_whitespace().filter(|word| !word.contains("0x") && word.contains(char::is_alphabetic))
}

/// The function of a frame as a path of names: without closures, hashes, and the traits that its type implements.
pub fn function_path(written: &str) -> String {
    let mut rest = written.trim();
    let mut path: Vec<&str> = Vec::new();
    if rest.starts_with('<')
        && let Some(end) = closing(rest)
    {
        let inside = &rest[1..end];
        let of_impl = inside.strip_prefix("impl ").and_then(|inside| inside.split_once(" for ")).map(|(_, owner)| owner);
        let owner = of_impl.unwrap_or_else(|| inside.split(" as ").next().unwrap_or_default());
        path.push(owner.trim_start_matches(['&', '*']).trim_start_matches("mut ").trim_start_matches("dyn "));
        rest = &rest[end + 1..];
    }
    let is_hash = |part: &str| {
        part.len() == 17 && part.strip_prefix('h').is_some_and(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    path.extend(
        rest.split("::").map(|part| part.split('{').next().unwrap_or_default()).filter(|part| !part.is_empty() && !is_hash(part)),
    );
    path.join("::")
}

/// A line without the marks of a quotation and the space around it.
fn inner(line: &str) -> &str {
    line.trim_start_matches(|c: char| c == '>' || c.is_whitespace()).trim_end()
}

/// `thread 'name' panicked at src/x.rs:10:5:`, also with the message in quotes before the place, also inside a sentence.
fn panic_line(line: &str) -> Option<TraceLine<'_>> {
    let (before, rest) = line.split_once(PANICKED)?;
    let (message, place) = match rest.strip_prefix('\'') {
        Some(quoted) => quoted.rsplit_once("', ")?,
        None => ("", rest),
    };
    let (place, after) = place.split_once(char::is_whitespace).unwrap_or((place, ""));
    let (path, line) = position(place.trim_end_matches([':', ',', '.']))?;
    let (before, thread) = before.split_once(THREAD).unwrap_or((before, ""));
    let named = thread.split('\'').next().unwrap_or_default();
    Some(TraceLine {
        frame: Some(Frame::Place { path, line }),
        named,
        said: [before, if message.is_empty() { after } else { message }],
    })
}

/// `/srv/x.go:47 +0x3b`, the function above it, and the head of a goroutine.
fn go_line<'t>(line: &'t str, next: &str, is_inside: bool) -> Option<TraceLine<'t>> {
    if is_go_place(line, is_inside) {
        return Some(TraceLine { frame: place_in(line), ..TraceLine::default() });
    }
    let is_function = line.ends_with(')') || line.starts_with("created by ");
    let is_head = line.starts_with("goroutine ") && line.ends_with("]:");
    (is_function && is_go_place(next, is_inside) || is_head).then(TraceLine::default)
}

/// Whether a line is the place of a frame: it ends with an offset, or is nothing else, as for functions that were inlined.
fn is_go_place(line: &str, is_inside: bool) -> bool {
    let address = line.strip_suffix(')').and_then(|line| line.rsplit_once(ADDRESS));
    let offset = line.rsplit_once(OFFSET).or(address).map(|(_, offset)| offset);
    let is_frame = offset
        .map_or(is_inside && !line.contains(char::is_whitespace), |offset| offset.bytes().all(|byte| byte.is_ascii_hexdigit()));
    is_frame && place_in(line).is_some()
}

/// `at f (x.ts:8:27)`, `at ./src/x.rs:10:5`, `at Server.emit (node:events:519:28)`.
fn at_line(line: &str) -> Option<TraceLine<'_>> {
    let rest = line.strip_prefix("at ").or_else(|| line.strip_prefix("❯ "))?;
    let rest = rest.trim_start();
    let (function, place) = match rest.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((function, place)) => (function, place),
        None => rest.rsplit_once(' ').unwrap_or(("", rest)),
    };
    let frame = place_in(place);
    let is_place = frame.is_some() || place.starts_with("node:") || NOWHERE.iter().any(|start| place.starts_with(start));
    (is_place && function.split_whitespace().count() <= MAX_FUNCTION_WORDS).then(|| TraceLine { frame, ..TraceLine::default() })
}

/// `3: auth::main`, `12:  0x55d0c0 - core::panicking::panic_fmt`. A list of things to do is numbered alike, but says more than a name,
/// or one without its path.
fn numbered_line<'t>(line: &'t str, next: &str, is_inside: bool) -> Option<TraceLine<'t>> {
    let function = numbered(line)?;
    if at_line(next).is_some() {
        return Some(TraceLine::default());
    }
    let of_type = if function.starts_with('<') { closing(function).map_or(0, |end| end + 1) } else { 0 };
    let is_name = !function.is_empty() && !function[of_type..].contains(char::is_whitespace);
    let is_path = |function: &str| function.contains("::");
    let is_frame = is_name && (is_inside || is_path(function) || numbered(next).is_some_and(is_path));
    is_frame.then(|| TraceLine { frame: Some(Frame::Function(function)), ..TraceLine::default() })
}

/// What follows the number of a line, and the address behind it.
pub(super) fn numbered(line: &str) -> Option<&str> {
    let (number, rest) = line.split_once(": ")?;
    number.parse::<u32>().ok()?;
    let rest = rest.trim_start();
    Some(rest.split_once(" - ").filter(|(address, _)| address.starts_with("0x")).map_or(rest, |(_, function)| function))
}

/// `File "x.py", line 10, in f`: the innermost comes last, so that it counts as a place like any other.
fn python_line(line: &str) -> Option<TraceLine<'_>> {
    let is_place = line.starts_with("File \"") && line.contains("\", line ");
    is_place.then(|| TraceLine { named: line, ..TraceLine::default() })
}

fn is_furniture(line: &str, is_inside: bool) -> bool {
    let is_exit = line.strip_prefix(EXIT).is_some_and(|code| code.parse::<i32>().is_ok());
    is_inside && is_exit || FURNITURE.iter().any(|start| line.starts_with(start))
}

/// The first position among the words of a frame.
fn place_in(text: &str) -> Option<Frame<'_>> {
    let words = text.split([' ', '\t', '(', ')', ',']).filter(|word| !word.is_empty());
    words.map(|word| word.trim_end_matches(':')).find_map(position).map(|(path, line)| Frame::Place { path, line })
}

/// Where the bracket closes with which a text begins.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' if depth == 1 => return Some(at),
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}
