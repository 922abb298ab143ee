//! What rustc and cargo write for people: `error[E0425]: ...`, ` --> path:line:column`, a picture of the code, notes and helps.
//!
//! Many programs begin a line with `error: `, so that such a line counts only with what the compiler writes below it.

use super::input::Line;
use super::report::{MAX_MESSAGE_BYTES, MAX_NOTES};
use super::{Diagnostic, LineReader, Note, Place, Report, Severity, rust};
use std::mem;

/// With what a message begins; the last two also go with one that stands above.
const LEVELS: [&str; 4] = ["error", "warning", "note", "help"];

/// What cargo does, said in lines of their own, and the column in which these words end. Right below one it is cargo that says `error: `.
const STEPS: [&str; 7] = ["Compiling", "Checking", "Documenting", "Updating", "Locking", "Downloading", "Downloaded"];
const STEP_WIDTH: usize = 12;

/// What only repeats that a macro is involved: where it is used stands in the picture.
const ORIGINATES: [&str; 2] = ["this error originates in the ", "this warning originates in the "];

/// What stands above what a program says that panics, which can look like a message, and what stands below it.
const PANIC: [&str; 2] = ["thread '", " panicked at "];
const PANIC_ENDS: [&str; 2] = ["note: run with `RUST_BACKTRACE", "stack backtrace:"];

/// The most lines of a change that are kept.
const MAX_CHANGED: usize = 8;

/// Reads messages with what stands below them.
#[derive(Default)]
pub(super) struct Rustc {
    message: Option<Message>,
    /// Whether the last line said what cargo does.
    is_below_step: bool,
    /// Whether what a program says comes that panics.
    is_in_panic: bool,
}

/// A message whose end has not come.
#[derive(Default)]
struct Message {
    diagnostic: Diagnostic,
    /// Whether something stands below it that only the compiler writes.
    is_confirmed: bool,
    /// Whether cargo says it, which draws no pictures.
    is_of_cargo: bool,
    /// Whether an empty line stands below it: causes may follow, but no words.
    is_apart: bool,
    part: Part,
    /// The line that the picture showed last.
    shown: Place,
    /// The note that is not at its end, and the lines that it pictures, each with the mark beside it.
    note: Option<Note>,
    changed: Vec<(char, String)>,
}

/// What the next line belongs to.
#[derive(Default, PartialEq)]
enum Part {
    #[default]
    Main,
    /// A note with a picture of its own.
    Note,
    /// A note of one line, which may go on in the next.
    Remark,
    /// The reasons of cargo, one a line.
    Causes,
}

/// A line below a message.
enum Below<'t> {
    Arrow(Option<Place>),
    OtherFile(Option<Place>),
    Remark(&'t str),
    /// A line of code with its number and what stands between both.
    Code(u32, char, &'t str),
    /// What points at code.
    Pointer(&'t str),
    Causes,
    Indented(&'t str),
    Blank,
    Other,
}

impl LineReader for Rustc {
    fn line(&mut self, line: &Line, report: &mut Report) -> bool {
        let text = line.text.as_str();
        let is_end = text.trim().is_empty() || is_step(text) || PANIC_ENDS.iter().any(|end| text.starts_with(end));
        self.is_in_panic = !is_end && self.is_in_panic || text.starts_with(PANIC[0]) && text.contains(PANIC[1]);
        if let Some((level, code, words)) = head(text).filter(|(_, code, _)| !self.is_in_panic || !code.is_empty()) {
            let is_part = LEVELS[2..].contains(&level);
            return match &mut self.message {
                Some(message) if is_part => message.begin_note(level, words, Part::Note),
                None if is_part => false,
                _ => {
                    self.end(report);
                    let is_of_cargo = mem::take(&mut self.is_below_step) && level == LEVELS[0];
                    let message = || Message { is_of_cargo, ..Message::new(level, code, words) };
                    self.message = (!rust::is_count(words)).then(message);
                    true
                }
            };
        }
        let Some(message) = &mut self.message else {
            self.is_below_step = is_step(text);
            return false;
        };
        match below(text) {
            Below::Blank if !message.is_confirmed => {
                message.is_apart = true;
                return false;
            }
            Below::Other if message.is_of_cargo && !message.is_confirmed && !message.is_apart && !is_step(text) => {
                message.remark(text, None);
            }
            Below::Blank | Below::Other => {
                self.end(report);
                self.is_below_step = is_step(text);
                return false;
            }
            line => message.read_below(line),
        }
        true
    }

    fn end(&mut self, report: &mut Report) {
        let Some(message) = self.message.take() else { return };
        if message.is_confirmed || message.is_of_cargo {
            report.diagnostic(message.finish());
        }
    }
}

impl Message {
    fn new(level: &str, code: &str, words: &str) -> Self {
        let diagnostic = Diagnostic {
            severity: Severity::of(level).unwrap_or_default(),
            code: code.to_owned(),
            message: words.to_owned(),
            ..Diagnostic::default()
        };
        // Nobody else writes a code so.
        Self { diagnostic, is_confirmed: !code.is_empty(), ..Self::default() }
    }

    /// Begins with a note, in a line that was read by that.
    fn begin_note(&mut self, level: &str, words: &str, part: Part) -> bool {
        self.end_note();
        self.part = part;
        if let Some(lint) = rust::lint(words) {
            if self.diagnostic.code.is_empty() {
                self.diagnostic.code = lint;
            }
        } else if !ORIGINATES.iter().any(|start| words.starts_with(start)) {
            let message = if level == "help" { format!("help: {words}") } else { words.to_owned() };
            self.note = Some(Note { message, place: None });
        }
        true
    }

    fn end_note(&mut self) {
        let changed = rust::in_one_line(self.changed.iter().map(|(_, code)| code.as_str()));
        self.changed.clear();
        let Some(mut note) = self.note.take().filter(|_| self.diagnostic.notes.len() < MAX_NOTES) else { return };
        if note.place.is_none() && !changed.is_empty() {
            note.message = format!("{}: `{changed}`", note.message);
        }
        self.diagnostic.notes.push(note);
    }

    /// A note of one line.
    fn remark(&mut self, words: &str, place: Option<Place>) {
        if self.diagnostic.notes.len() < MAX_NOTES {
            self.diagnostic.notes.push(Note { message: words.to_owned(), place });
        }
    }

    fn read_below(&mut self, line: Below<'_>) {
        self.is_confirmed |= !matches!(line, Below::Indented(_));
        match line {
            Below::Arrow(place) => {
                self.shown = place.clone().unwrap_or_default();
                match &mut self.note {
                    _ if self.part == Part::Main => self.diagnostic.place = self.diagnostic.place.take().or(place),
                    Some(note) => note.place = place,
                    None => {}
                }
            }
            Below::OtherFile(place) => {
                self.shown = place.unwrap_or_default();
                let main = self.diagnostic.place.as_mut().filter(|place| self.part == Part::Main && rust::is_of_library(place));
                if let Some(place) = main {
                    place.clone_from(&self.shown);
                }
            }
            Below::Remark(words) => {
                let (level, words) = words.split_once(": ").unwrap_or(("", words));
                self.begin_note(level, words, Part::Remark);
            }
            Below::Code(number, mark, code) => {
                if number != self.shown.line {
                    (self.shown.line, self.shown.end_line, self.shown.column) = (number, number, 0);
                }
                if self.part == Part::Note && mark != '-' {
                    // What changes says more than what stands around it.
                    if mark != '|' {
                        self.changed.retain(|(mark, _)| *mark != '|');
                    }
                    let is_kept = mark != '|' || self.changed.iter().all(|(mark, _)| *mark == '|');
                    if is_kept && self.changed.len() < MAX_CHANGED {
                        self.changed.push((mark, code.to_owned()));
                    }
                }
            }
            Below::Pointer(picture) if self.part == Part::Main => self.label(picture),
            Below::Indented(words) if self.part == Part::Causes => self.remark(words, None),
            Below::Indented(words) if self.part == Part::Remark => {
                if let Some(note) = self.note.as_mut().filter(|note| note.message.len() < MAX_MESSAGE_BYTES) {
                    note.message.push('\n');
                    note.message.push_str(words);
                }
            }
            Below::Causes => self.part = Part::Causes,
            Below::Pointer(_) | Below::Indented(_) | Below::Blank | Below::Other => {}
        }
    }

    /// What the picture says of the code: below `^` of the place of the message, below `-` of another.
    fn label(&mut self, picture: &str) {
        let text = picture.trim_start_matches([' ', '|', '_']);
        if let Some((_, words)) = text.rsplit_once('^') {
            let words = words.trim();
            if words.starts_with(is_word) {
                self.diagnostic.notes.insert(0, Note { message: words.to_owned(), place: None });
                self.diagnostic.notes.truncate(MAX_NOTES);
            }
        } else if text.starts_with('-') {
            let words = text.trim_start_matches('-').trim();
            if words.starts_with(is_word) {
                self.remark(words, Some(self.shown.clone()));
            }
        } else if text.starts_with(is_word) {
            self.remark(text, None);
        }
    }

    fn finish(mut self) -> Diagnostic {
        self.end_note();
        let mut diagnostic = self.diagnostic;
        rust::tool(&diagnostic.code).clone_into(&mut diagnostic.tool);
        diagnostic
    }
}

fn is_word(first: char) -> bool {
    first.is_alphanumeric() || first == '`'
}

/// Level, code and words of a line with which a message begins.
fn head(text: &str) -> Option<(&str, &str, &str)> {
    let level = LEVELS.iter().find(|level| text.starts_with(**level))?;
    let rest = &text[level.len()..];
    let (code, rest) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).unwrap_or(("", rest));
    Some((level, code, rest.strip_prefix(": ")?))
}

/// Whether cargo says that it does something.
fn is_step(text: &str) -> bool {
    let step = text.get(..STEP_WIDTH).unwrap_or_default().trim_start();
    STEPS.contains(&step)
}

fn below(text: &str) -> Below<'_> {
    let inside = text.trim();
    if inside.is_empty() {
        return Below::Blank;
    }
    if inside == "Caused by:" {
        return Below::Causes;
    }
    let digits = inside.len() - inside.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
    let (number, picture) = inside.split_at(digits);
    if let Ok(number) = number.parse() {
        let mut picture = picture.trim_start().chars();
        return match picture.next() {
            Some(mark @ ('|' | '+' | '~' | '-')) if matches!(picture.clone().next(), None | Some(' ')) => {
                Below::Code(number, mark, picture.as_str())
            }
            _ => Below::Other,
        };
    }
    let is_indented = text.starts_with(' ');
    if let Some(place) = inside.strip_prefix("--> ").filter(|_| is_indented) {
        Below::Arrow(Place::written(place))
    } else if let Some(place) = inside.strip_prefix("::: ").filter(|_| is_indented) {
        Below::OtherFile(Place::written(place))
    } else if let Some(words) = inside.strip_prefix("= ").filter(|_| is_indented) {
        Below::Remark(words)
    } else if let Some(picture) = inside.strip_prefix('|').filter(|_| is_indented) {
        Below::Pointer(picture)
    } else if is_indented {
        Below::Indented(inside)
    } else if inside == "..." {
        Below::Pointer("")
    } else {
        Below::Other
    }
}
