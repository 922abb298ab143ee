//! What `tsc` writes, with `--pretty` and without: `path(line,column): error TS2322: message`, `path:line:column - error TS2322: message`.
//!
//! Compilers of Microsoft share the first form, with codes of their own.

use super::input::Line;
use super::place::{is_of_path, looks_like_path};
use super::report::MAX_NOTES;
use super::{Diagnostic, LineReader, Note, Place, Report, Severity};

/// How codes of TypeScript begin; of the others nobody knows by the code alone which compiler it was.
const CODE: &str = "TS";
const NAME: &str = "tsc";

/// How far places are indented that belong to a message, and what is said of them.
const PLACE_INDENT: &str = "  ";
const WORDS_INDENT: &str = "    ";

/// Reads messages with what stands below them.
#[derive(Default)]
pub(super) struct Tsc {
    message: Option<Message>,
}

/// A message whose end has not come.
struct Message {
    diagnostic: Diagnostic,
    /// Whether pictures of the code may follow.
    is_pretty: bool,
    /// Whether the words are at their end.
    is_said: bool,
    /// A place that belongs to it, of which nothing is said yet.
    related: Option<Place>,
}

impl LineReader for Tsc {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        if let Some(found) = message(&line.text) {
            self.end(report);
            self.message = Some(found);
            return true;
        }
        let is_read = self.message.as_mut().is_some_and(|message| message.below(&line.text));
        if !is_read {
            self.end(report);
        }
        is_read
    }

    fn end(&mut self, report: &mut Report) {
        self.message.take().into_iter().for_each(|message| report.diagnostic(message.diagnostic));
    }
}

impl Message {
    /// Reads a line below it; whether it belongs to it.
    fn below(&mut self, text: &str) -> bool {
        let words = text.trim();
        if words.is_empty() {
            self.is_said = true;
            return self.is_pretty;
        }
        let is_indented = text.starts_with(PLACE_INDENT);
        if !self.is_said {
            if is_indented {
                self.note(words, None);
            }
            return is_indented;
        }
        let is_picture = words.starts_with(|first: char| first.is_ascii_digit()) || words.trim_matches('~').is_empty();
        if is_picture || !is_indented {
            return is_picture;
        }
        if text.starts_with(WORDS_INDENT) {
            if let Some(place) = self.related.take() {
                self.note(words, Some(place));
            }
        } else {
            self.related = Place::written(words);
        }
        true
    }

    fn note(&mut self, message: &str, place: Option<Place>) {
        if self.diagnostic.notes.len() < MAX_NOTES {
            self.diagnostic.notes.push(Note { message: message.to_owned(), place });
        }
    }
}

/// The message that a line begins.
fn message(text: &str) -> Option<Message> {
    let plain = || {
        let (front, words) = text.split_once("): ")?;
        let (path, position) = front.rsplit_once('(')?;
        let mut numbers = position.split(',').map(|number| number.parse().ok());
        let (line, column) = (numbers.next()??, numbers.next().unwrap_or(Some(0))?);
        // A code of the compiler says enough for the path to be any; runners of several packages write the name of one before it.
        let path = if code(words).is_some_and(|code| code.starts_with(CODE)) {
            path.rsplit(": ").next().filter(|path| looks_like_path(&path.replace(|letter| !is_of_path(letter), "_")))?
        } else {
            Some(path).filter(|path| looks_like_path(path))?
        };
        Some((Some(Place::at(path, line, column)), words, false))
    };
    let pretty = || {
        let (front, words) = text.split_once(" - ")?;
        let path = front.split(':').next().unwrap_or_default();
        Some((Some(Place::written(front).filter(|_| looks_like_path(path))?), words, true))
    };
    let (place, words, is_pretty) = plain().or_else(pretty).unwrap_or((None, text, true));
    let (grade, words) = words.split_once(": ")?;
    let severity = Severity::of(grade.rsplit_once(' ')?.0)?;
    let code = code(grade)?;
    let tool = if code.starts_with(CODE) { NAME } else { "" };
    // The name of the project ends what the others say.
    let words = words.strip_suffix("proj]").and_then(|words| words.rsplit_once(" [")).map_or(words, |(words, _)| words);
    (place.is_some() || !tool.is_empty()).then(|| Message {
        diagnostic: Diagnostic {
            tool: tool.to_owned(),
            severity,
            code: code.to_owned(),
            place,
            message: words.to_owned(),
            notes: Vec::new(),
            frames: Vec::new(),
        },
        is_pretty,
        is_said: false,
        related: None,
    })
}

/// The code in `error TS2322: message`.
fn code(words: &str) -> Option<&str> {
    let (_, code) = words.split(": ").next()?.rsplit_once(' ')?;
    let digits = code.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let is_code = !digits.is_empty() && digits.len() < code.len() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_code.then_some(code)
}
