//! A panic or an error that somebody tells in a sentence, with the place where it came from.
//!
//! Goes by the form alone. Without a place it is a mention like others.

use super::frames::{is_foreign_path, is_go};
use super::panic::TOOL;
use super::place::looks_like_path;
use super::{Diagnostic, Frame, Place, Severity};

/// What stands before the place and the message of a panic of Rust, and before that where somebody tells all of the line.
const RUST: &str = "panicked at ";
const RUST_THREAD: &str = "thread '";
/// What Rust says below, and Go above its frames.
const BELOW: [&str; 2] = [" note: ", " goroutine "];
/// What Go alone writes into its frames.
const OF_GO: [&str; 2] = [" goroutine ", " +0x"];
/// What stands before the message of a panic of Go.
const GO: [&str; 2] = ["panic: ", "fatal error: "];
/// How the names of errors of JavaScript end.
const JAVASCRIPT: [&str; 2] = ["Error: ", "Exception: "];
/// What stands between a message and its place.
const BETWEEN: [&str; 2] = ["at", "in"];
/// Quotes around what is told, and what ends them.
const QUOTES: [(char, char); 3] = [('"', '"'), ('`', '`'), ('“', '”')];

/// What a line tells.
pub(super) fn told(line: &str) -> Option<Diagnostic> {
    let (message, frames) = rust(line).or_else(|| go(line)).or_else(|| javascript(line))?;
    let place = frames.iter().filter_map(|frame| frame.place.as_ref()).find(|place| !is_foreign_path(&place.path)).cloned();
    place.is_some().then(|| Diagnostic {
        tool: TOOL.to_owned(),
        severity: Severity::Error,
        code: String::new(),
        message,
        place,
        notes: Vec::new(),
        frames,
    })
}

/// `panicked at src/x.rs:12:5: index out of bounds`, or `panicked at 'index out of bounds', src/x.rs:12:5` as Rust said it up to 1.72.
fn rust(line: &str) -> Option<(String, Vec<Frame>)> {
    let at = line.find(RUST)?;
    let start = line[..at].rfind(RUST_THREAD).unwrap_or(at);
    let said = above(within(&line[..start], &line[at + RUST.len()..]));
    let (place, message) = match said.strip_prefix('\'').and_then(|quoted| quoted.rsplit_once("', ")) {
        Some((message, rest)) => (rest.split_whitespace().next()?, message),
        None => said.split_once(' ').unwrap_or((said, "")),
    };
    let place = place_of(place).filter(|place| place.column > 0)?;
    let message = if message.trim().is_empty() { "panicked" } else { message.trim() };
    Some((message.to_owned(), vec![Frame { place: Some(place), ..Frame::default() }]))
}

/// `panic: index out of range goroutine 1 [running]: main.f(...) /x/main.go:8 +0x1d`, or with the place alone behind it where the line or a
/// quote begins so: people write `do not panic: it is in main.go:8` too.
fn go(line: &str) -> Option<(String, Vec<Frame>)> {
    let (start, mark) = GO.iter().find_map(|mark| Some((line.find(mark)?, mark)))?;
    let before = &line[..start];
    let said = within(before, &line[start + mark.len()..]);
    let (message, frames) = framed(said, |place| is_go(&place.path))?;
    let is_first = before.trim().is_empty() || QUOTES.iter().any(|(open, _)| before.ends_with(*open));
    // Go names functions with their packages.
    let is_trace = || OF_GO.iter().any(|mark| said.contains(mark)) || frames.iter().any(|frame| frame.function.contains('.'));
    (is_first || is_trace()).then_some((message, frames))
}

/// `TypeError: x is not a function at f (src/x.ts:8:27)`, which has columns: a sentence about an error has none.
fn javascript(line: &str) -> Option<(String, Vec<Frame>)> {
    let at = JAVASCRIPT.iter().filter_map(|mark| line.find(mark)).min()?;
    let name = line[..at].rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let start = at - name.len();
    framed(within(&line[..start], &line[start..]), |place| place.column > 0)
}

/// The message of a text that ends with frames, and these.
fn framed(said: &str, is_frame: impl Fn(&Place) -> bool) -> Option<(String, Vec<Frame>)> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let mut frames = Vec::new();
    let mut n_of_message = words.len();
    for (at, word) in words.iter().enumerate() {
        let Some(place) = place_of(word).filter(|place| is_frame(place)) else { continue };
        let before = at.checked_sub(1).and_then(|before| words.get(before)).copied().unwrap_or_default();
        // `f (src/x.ts:8:27)`, `main.f(...) /x/main.go:8`.
        let has_function = at > 0 && (word.starts_with('(') || before.ends_with(')')) && !BETWEEN.contains(&before);
        let function = if has_function { before.split('(').next().unwrap_or_default() } else { "" };
        n_of_message = n_of_message.min(at - usize::from(has_function));
        frames.push(Frame { function: function.to_owned(), place: Some(place), is_built: false });
    }
    let message = words.get(..n_of_message).unwrap_or_default();
    let message = message.split_last().filter(|(last, _)| BETWEEN.contains(last)).map_or(message, |(_, rest)| rest);
    let message = message.join(" ");
    let message = above(&message).trim_end_matches([',', ':']);
    (!frames.is_empty() && !message.is_empty()).then(|| (message.to_owned(), frames))
}

/// What stands before the lines that a program writes below its message.
fn above(said: &str) -> &str {
    BELOW.iter().fold(said, |said, mark| said.split(mark).next().unwrap_or(said))
}

/// What is told up to the end of the quotes that begin before it, where some do.
fn within<'t>(before: &str, said: &'t str) -> &'t str {
    let end = QUOTES.iter().find(|(open, _)| before.ends_with(*open)).and_then(|(_, close)| said.rfind(*close));
    end.map_or(said, |end| &said[..end])
}

/// The place that a word is, without the marks around it.
fn place_of(word: &str) -> Option<Place> {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '/' | '.' | '~' | '@'));
    Place::written(word.trim_end_matches('.')).filter(|place| looks_like_path(&place.path))
}

#[cfg(test)]
mod tests {
    use super::told;

    fn shown(line: &str) -> String {
        let Some(found) = told(line) else { return "nothing".to_owned() };
        let frame = |frame: &super::Frame| {
            let place = frame.place.as_ref().expect("a place");
            format!("{}@{}:{}", frame.function, place.path, place.line)
        };
        let frames: Vec<String> = found.frames.iter().map(frame).collect();
        format!("{} <- {}", found.message, frames.join(" <- "))
    }

    #[test]
    fn what_stops_a_program_is_read_inside_of_a_sentence() {
        let rust = "index out of bounds <- @src/x.rs:12";
        for line in [
            "it fails with thread 'main' panicked at src/x.rs:12:5: index out of bounds",
            "It says \"thread 'main' (77) panicked at src/x.rs:12:5: index out of bounds\" when I log in.",
            "thread 'main' panicked at 'index out of bounds', src/x.rs:12:5",
            "why has it panicked at 'index out of bounds', src/x.rs:12:5, since the release?",
            "panicked at ./src/x.rs:12:5: index out of bounds note: run with `RUST_BACKTRACE=1` to display a backtrace",
        ] {
            assert_eq!(shown(line), rust, "{line}");
        }
        for (line, expected) in [
            (
                "I get panic: runtime error: index out of range [5] with length 3 goroutine 1 [running]: main.pick(...) /app/cart/main.go:8 +0x1d",
                "runtime error: index out of range [5] with length 3 <- main.pick@/app/cart/main.go:8",
            ),
            ("`panic: boom at cart/main.go:8` since today", "boom <- @cart/main.go:8"),
            ("panic: boom at cart/main.go:8", "boom <- @cart/main.go:8"),
            ("it says panic: boom main.pick(...) cart/main.go:8", "boom <- main.pick@cart/main.go:8"),
            (
                "fails with TypeError: Cannot read properties of undefined (reading 'id') at login (src/auth/login.ts:12:5) at src/main.ts:3:1.",
                "TypeError: Cannot read properties of undefined (reading 'id') <- login@src/auth/login.ts:12 <- @src/main.ts:3",
            ),
        ] {
            assert_eq!(shown(line), expected, "{line}");
        }
    }

    #[test]
    fn a_mention_of_an_error_is_none() {
        for line in [
            "Find out why it panicked at startup",
            "the thread 'main' panicked at noon: see src/x.rs:12:5",
            "Do not panic: the fix is simple",
            "Do not panic: the fix is in cart/main.go:8",
            "Do not panic: the fix (cart/main.go:8) is simple",
            "panic: (cart/main.go:8)",
            "TypeError: (src/x.ts:8:27)",
            "AuthError: it is raised in src/auth.ts:40",
            "Rename AuthError: users do not get it",
            "…Error: é",
            "TypeError: x at react (node_modules/react/index.js:3:4)",
        ] {
            assert_eq!(shown(line), "nothing", "{line}");
        }
    }
}
