//! `path:line:column: error: message`, the form that gcc gave to most compilers and linters, with a code in brackets at either end.
//!
//! Text of every kind stands in logs, so that a line counts only if its path looks like one.

use super::input::Line;
use super::place::looks_like_path;
use super::report::MAX_NOTES;
use super::{Diagnostic, LineReader, Note, Place, Report, Severity};
use std::ops::RangeInclusive;

/// How far below its message a note may stand, in lines: the picture of the code is between.
const MAX_DISTANCE: u32 = 20;

/// With what paths begin that hold a colon themselves.
const DRIVE: &str = "C:";
const SCHEME: &str = "file://";

/// What stands before a message that the linter can mend.
const FIXABLE: &str = "[*] ";

/// The most bytes of a code, and how many letters and digits those of linters for Python have: `F401`, `PLR0913`.
const MAX_CODE_BYTES: usize = 64;
const MAX_CODE_LETTERS: usize = 5;
const CODE_DIGITS: RangeInclusive<usize> = 2..=5;

/// Reads such lines.
#[derive(Default)]
pub(super) struct Gcc {
    last: Option<(u32, Diagnostic)>,
}

impl LineReader for Gcc {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let found = located(&line.text).and_then(|(place, text)| diagnostic(place, text));
        let Some(found) = found else { return self.go_on(&line.text) };
        let last = self.last.as_mut().filter(|(number, _)| line.number - number <= MAX_DISTANCE);
        if let Some((number, diagnostic)) = last
            && found.severity == Severity::Note
            && found.code.is_empty()
        {
            *number = line.number;
            if diagnostic.notes.len() < MAX_NOTES {
                diagnostic.notes.push(Note { message: found.message, place: found.place });
            }
        } else {
            self.end(report);
            self.last = Some((line.number, found));
        }
        true
    }

    fn end(&mut self, report: &mut Report) {
        self.last.take().into_iter().for_each(|(_, diagnostic)| report.diagnostic(diagnostic));
    }
}

impl Gcc {
    /// Reads the words of a message that has none beside its place; whether a line has them.
    fn go_on(&mut self, text: &str) -> bool {
        let words = text.trim();
        let last =
            self.last.as_mut().filter(|(_, last)| last.message.is_empty() && text.starts_with([' ', '\t']) && !words.is_empty());
        last.map(|(_, last)| words.clone_into(&mut last.message)).is_some()
    }
}

/// The place with which a line begins, as `path:line:` or `path:line:column:`, and what follows it.
pub(super) fn located(text: &str) -> Option<(Place, &str)> {
    let is_of_drive = matches!(text.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    let start = if is_of_drive { DRIVE.len() } else { text.strip_prefix(SCHEME).map_or(0, |_| SCHEME.len()) };
    let (path, rest) = text.split_at_checked(start + text.get(start..)?.find(':')?)?;
    let (line, rest) = number(rest.strip_prefix(':')?)?;
    let rest = rest.strip_prefix(':')?;
    let with_column = || {
        let (column, rest) = number(rest)?;
        // Some name where it ends as well.
        let end =
            rest.strip_prefix('-').and_then(|rest| rest.split_once(": ")).filter(|(end, _)| !end.contains(char::is_alphabetic));
        Some((column, end.map_or_else(|| rest.strip_prefix(':'), |(_, rest)| Some(rest))?))
    };
    let (column, rest) = with_column().unwrap_or((0, rest));
    let is_path = path.starts_with(SCHEME) || !path.contains("//") && looks_like_path(&path[start..]);
    is_path.then(|| (Place::at(path, line, column), rest.trim_start()))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    Some((number.parse().ok()?, rest))
}

/// What a line says of a place. One that gives neither a column nor a severity nor a code may be anything.
fn diagnostic(place: Place, text: &str) -> Option<Diagnostic> {
    let (severity, code, text) = graded(text).map_or((None, "", text), |(severity, code, text)| (Some(severity), code, text));
    let of_start =
        || text.split_once(' ').map(|(word, text)| (word.trim_end_matches(':'), text)).filter(|(word, _)| is_numbered(word));
    // Logs name the line of their own program too, and put words in parentheses: without more only a code with more than letters is one.
    let is_sure = severity.is_some() || place.column > 0 || text.ends_with(']');
    let of_end =
        || code_at_end(text).filter(|(code, _)| is_sure || code.contains(|c: char| c.is_ascii_digit() || "-/".contains(c)));
    let (code, text) = if code.is_empty() { of_start().or_else(of_end).unwrap_or((code, text)) } else { (code, text) };
    let text = text.trim_start().trim_start_matches(FIXABLE).trim();
    let is_known = place.column > 0 || !code.is_empty();
    (severity.is_some() || is_known && !text.is_empty()).then(|| Diagnostic {
        severity: severity.unwrap_or_default(),
        code: code.to_owned(),
        place: Some(place),
        message: text.to_owned(),
        ..Diagnostic::default()
    })
}

/// Severity, code and message of `warning: text`, `error[E0425]: text` and `[error] text`.
fn graded(text: &str) -> Option<(Severity, &str, &str)> {
    if let Some((word, rest)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) {
        return Some((Severity::of(word)?, "", rest));
    }
    let (word, rest) = text.split_once(':')?;
    let (word, code) = word.strip_suffix(']').and_then(|word| word.split_once('[')).unwrap_or((word, ""));
    Some((Severity::of(word)?, code, rest))
}

/// The code that ends a message, as `[-Wunused-value]` or `(SA4006)`.
pub(super) fn code_at_end(text: &str) -> Option<(&str, &str)> {
    let of_brackets = |open: &str, close| text.strip_suffix(close)?.rsplit_once(open);
    let (message, code) = of_brackets(" [", ']').or_else(|| of_brackets(" (", ')'))?;
    let is_of_code = |c: char| c.is_ascii_alphanumeric() || "-_./,=+:@#".contains(c);
    let is_code = code.len() <= MAX_CODE_BYTES && code.contains(char::is_alphabetic) && code.chars().all(is_of_code);
    is_code.then_some((code, message))
}

/// Whether a word is a code of some letters and a number.
fn is_numbered(word: &str) -> bool {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let n_letters = word.len() - digits.len();
    (1..=MAX_CODE_LETTERS).contains(&n_letters)
        && CODE_DIGITS.contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit())
}
