//! The text of javac: `Till.java:12: error: cannot find symbol`, the line with a mark below it, and what else it says; also with what ant
//! writes before it, and between the tasks of Gradle.

use super::input::Line;
use super::place::looks_like_path;
use super::report::MAX_NOTES;
use super::{Diagnostic, LineReader, Note, Place, Report, Severity};

/// Who says it.
pub(super) const TOOL: &str = "javac";

/// How files end that it compiles, and what stands behind their line.
const SOURCE: &str = ".java:";
const GRADES: [(&str, Severity); 2] = [(" error: ", Severity::Error), (" warning: ", Severity::Warning)];
/// How the name of a task of Gradle begins.
const TASK: char = ':';
/// What ant writes before each line.
const ANT: &str = "[javac] ";
/// The mark below a line of source.
const MARK: &str = "^";
/// What it says last.
const COUNTED: [&str; 4] = ["error", "errors", "warning", "warnings"];
/// What it says of several files together.
const NOTE: &str = "Note: ";
/// What it says of a name that nothing has, and what stands before that name.
const NO_SYMBOL: &str = "cannot find symbol";
const SYMBOL: &str = "symbol:";
const LOCATION: &str = "location:";

/// The most lines between a message and its mark, and of what it says behind.
const MAX_SOURCE_LINES: usize = 2;
const MAX_LINES: usize = 64;

/// A message that is being read.
#[derive(Debug)]
struct Message {
    diagnostic: Diagnostic,
    n_lines: usize,
    /// Whether the mark was read; what stands before it is source, what stands behind it words.
    is_marked: bool,
}

/// Reads it.
#[derive(Debug, Default)]
pub(super) struct Javac {
    open: Option<Message>,
}

impl LineReader for Javac {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.trim_end();
        let text = text.trim_start().strip_prefix(ANT).unwrap_or(text);
        if let Some(diagnostic) = message(text) {
            self.end(report);
            self.open = Some(Message { diagnostic, n_lines: 0, is_marked: false });
            return true;
        }
        if self.open.as_mut().is_some_and(|open| open.line(text)) {
            return true;
        }
        let is_end = self.open.is_some() && (is_count(text) || text.starts_with(NOTE));
        self.end(report);
        is_end
    }

    fn end(&mut self, report: &mut Report) {
        self.open.take().into_iter().for_each(|open| report.diagnostic(open.diagnostic));
    }
}

impl Message {
    /// Reads a line below it; whether it is one of it.
    fn line(&mut self, text: &str) -> bool {
        let words = text.trim();
        self.n_lines += 1;
        if self.n_lines > MAX_LINES || words.is_empty() {
            return false;
        }
        if self.is_marked {
            if text.starts_with(' ') {
                add_note(&mut self.diagnostic, words);
            }
            return text.starts_with(' ');
        }
        if words == MARK {
            self.is_marked = true;
            let column = text.chars().take_while(|letter| letter.is_whitespace()).count() + 1;
            if let Some(place) = &mut self.diagnostic.place {
                place.column = u32::try_from(column).unwrap_or_default();
            }
            return true;
        }
        self.n_lines <= MAX_SOURCE_LINES && !is_count(text) && !text.starts_with(NOTE)
    }
}

/// Adds what is said below a message. The name that nothing has and where it was looked for become a part of it: they are what it says.
pub(super) fn add_note(diagnostic: &mut Diagnostic, words: &str) {
    let (message, is_symbol) = (&mut diagnostic.message, diagnostic.notes.is_empty());
    let located = words.strip_prefix(LOCATION).filter(|_| is_symbol && message.starts_with(NO_SYMBOL));
    if let Some(symbol) = words.strip_prefix(SYMBOL).filter(|_| message == NO_SYMBOL) {
        *message = format!("{NO_SYMBOL}: {}", symbol.trim());
    } else if let Some(location) = located {
        *message = format!("{message}; {LOCATION} {}", location.trim());
    } else if diagnostic.notes.len() < MAX_NOTES {
        diagnostic.notes.push(Note { message: words.to_owned(), place: None });
    }
}

/// The message that a line begins.
fn message(text: &str) -> Option<Diagnostic> {
    let (stem, rest) = text.split_once(SOURCE)?;
    let (number, words) = rest.split_once(':')?;
    let (severity, words) = GRADES.iter().find_map(|(word, severity)| Some((*severity, words.strip_prefix(word)?)))?;
    // Gradle did not end the line of its task up to version 4.
    let stem = if stem.starts_with(TASK) { stem.find('/').map_or(stem, |at| &stem[at..]) } else { stem };
    let path = format!("{stem}{}", SOURCE.trim_end_matches(':'));
    let is_path = !path.starts_with(char::is_whitespace) && looks_like_path(path.rsplit(['/', '\\']).next().unwrap_or_default());
    let place = Place::at(&path, number.parse().ok().filter(|_| is_path)?, 0);
    let (code, words) = lint(words);
    Some(Diagnostic {
        tool: TOOL.to_owned(),
        severity,
        code: code.to_owned(),
        place: Some(place),
        message: words.to_owned(),
        ..Diagnostic::default()
    })
}

/// The code and the words of `[unchecked] unchecked conversion`.
pub(super) fn lint(words: &str) -> (&str, &str) {
    let coded = words.strip_prefix('[').and_then(|words| words.split_once("] "));
    let is_code = |code: &str| !code.is_empty() && code.chars().all(|c| c.is_ascii_alphanumeric() || "-_:".contains(c));
    coded.filter(|(code, _)| is_code(code)).unwrap_or(("", words))
}

/// Whether a line says how many there were: `2 errors`.
fn is_count(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(number, what)| COUNTED.contains(&what) && number.parse::<u32>().is_ok())
}
