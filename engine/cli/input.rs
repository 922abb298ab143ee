//! Reads what the command line names: the intent, the session, the weights. Everything within bounds.

use super::wait::Waiting;
use activate_rules::weights::Weights;
use context::state::SessionState;
use context::template::Template;
use error::{Error, ErrorKind, Result};
use redact::Rules;
use review::{Diff, MAX_PATCH_BYTES, Patch};
use session::{self, Session};
use signals::{self, Report};
use std::ffi::OsString;
use std::fmt;
use std::fs::Metadata;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use tokens::Tokenizer;

/// The most bytes of an intent: an issue with its whole discussion has fewer, and the task stands at its beginning.
pub(super) const MAX_INTENT_BYTES: usize = 256 << 10;

/// Bytes at the beginning of a record in which its form is named: it is the first field.
const MAX_FORM_BYTES: usize = 200;

/// The most bytes of a file of weights: all weights written out are a few thousand.
const MAX_WEIGHTS_BYTES: usize = 1 << 20;

/// The most bytes of a template: more than its reserve of tokens ever has.
const MAX_TEMPLATE_BYTES: usize = 1 << 20;

/// The most bytes of a file of rules of redaction.
const MAX_RULES_BYTES: usize = 1 << 20;

/// Words before the first of them that somebody wrote.
const MIN_WORDS: usize = 2;

/// The fewest control or invalid characters for a text to be binary.
const MIN_BINARY: usize = 64;

/// The most bytes that are left out with it, so that no line or word is cut in two.
const MAX_CUT_BYTES: usize = 4 << 10;

/// The most bytes of a text to be masked.
const MAX_TEXT_BYTES: usize = 64 << 20;

/// The most bytes of a packet, or of a file that one is made from.
pub(super) const MAX_PACKET_BYTES: usize = 16 << 20;

/// An intent, and whether its end was cut off.
pub(super) struct IntentText {
    pub(super) text: String,
    pub(super) is_cut: bool,
}

/// The word that stands for stdin where a flag takes a text or a file.
pub(super) const STDIN: &str = "-";

/// A JSON text that a flag names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// What stdin holds, for `-`.
    Stdin,
    /// A file; one that is called `-` is `./-`.
    File(PathBuf),
}

impl From<OsString> for Source {
    fn from(flag: OsString) -> Self {
        if flag == STDIN { Self::Stdin } else { Self::File(flag.into()) }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => formatter.write_str("stdin"),
            Self::File(path) => write!(formatter, "`{}`", path.display()),
        }
    }
}

/// The intent of a flag: the text itself, or what stdin holds for `-`.
pub(super) fn intent(flag: &str) -> Result<IntentText> {
    let bytes = if flag == STDIN {
        let unreadable = |error| Error::new(ErrorKind::UnreadableFile, "the intent cannot be read from stdin").because(error);
        Waiting::stdin().and_then(|stdin| read_up_to(stdin, MAX_INTENT_BYTES)).map_err(unreadable)?
    } else {
        flag.as_bytes().to_vec()
    };
    let is_cut = bytes.len() > MAX_INTENT_BYTES;
    let kept = beginning(&bytes, MAX_INTENT_BYTES);
    let text = String::from_utf8_lossy(kept).into_owned();
    if text.trim().is_empty() {
        let message = "the intent is empty; say what to do, e.g. `--intent \"fix ValidateToken\"`, or pipe it to `--intent -`";
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    if is_binary(&text) {
        let message = "the intent is not text: most of it is not letters; paste what the program says, or name the file";
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    Ok(IntentText { text, is_cut })
}

/// Whether a text is a program, a picture or the like: more than one character in ten is a control character or invalid. Words in front of it
/// say something all the same.
fn is_binary(text: &str) -> bool {
    let is_none = |c: &char| *c == char::REPLACEMENT_CHARACTER || c.is_control() && !c.is_whitespace() && *c != '\u{1b}';
    let n_none = text.chars().filter(is_none).count();
    let begins_with_words = text.split(|c| is_none(&c)).next().is_some_and(|said| {
        said.split_whitespace().filter(|word| word.len() > 1 && word.chars().all(char::is_alphabetic)).count() >= MIN_WORDS
    });
    n_none >= MIN_BINARY && n_none * 10 > text.chars().count() && !begins_with_words
}

/// At most so many bytes of a text, up to the end of a line or a word near by: half a secret is not known for one.
fn beginning(bytes: &[u8], max: usize) -> &[u8] {
    let Some((kept, _)) = bytes.split_at_checked(max).filter(|(_, rest)| !rest.is_empty()) else { return bytes };
    let near = &kept[max.saturating_sub(MAX_CUT_BYTES)..];
    let end = near.iter().rposition(|byte| *byte == b'\n').or_else(|| near.iter().rposition(u8::is_ascii_whitespace));
    end.map_or(kept, |end| &kept[..kept.len() - near.len() + end])
}

/// The change of a flag: what it names, or the patch that stdin holds for `-`.
pub(super) fn diff(flag: &str) -> Result<Diff> {
    match flag.trim() {
        "" => Ok(Diff::WorkTree),
        STDIN => {
            let unreadable = |error| Error::new(ErrorKind::UnreadableFile, "the patch cannot be read from stdin").because(error);
            let bytes = Waiting::stdin().and_then(|stdin| read_up_to(stdin, MAX_PATCH_BYTES)).map_err(unreadable)?;
            let patch = Patch::parse(&String::from_utf8_lossy(&bytes));
            Ok(Diff::Patch(Arc::new(Patch { name: "patch on stdin".to_owned(), ..patch })))
        }
        range => Ok(Diff::Range(range.to_owned())),
    }
}

/// Adds what a tool wrote to a report.
pub(super) fn report(source: &Source, format: Option<&str>, report: &mut Report) -> Result<()> {
    let name = source.to_string();
    let unreadable = |error| Error::new(ErrorKind::UnreadableFile, format!("{source} cannot be read")).because(error);
    match source {
        Source::Stdin => Waiting::stdin().map_err(unreadable).and_then(|stdin| signals::read(stdin, &name, format, report)),
        Source::File(path) => Waiting::open(path).map_err(unreadable).and_then(|file| {
            let written = written_ns(&file);
            signals::read(file, &name, format, report)?;
            if let Some(ns) = written {
                report.written_at(ns);
            }
            Ok(())
        }),
    }?;
    report.should_say_something();
    Ok(())
}

/// When a file was written, in nanoseconds since 1970; a pipe has no time that says anything.
fn written_ns(file: &Waiting) -> Option<i64> {
    let data = file.metadata().filter(Metadata::is_file)?;
    let since = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

/// What a caller knows of a session.
pub(super) enum Known {
    /// The state of one request.
    State(Box<SessionState>),
    /// The record of a session.
    Session(Box<Session>),
}

/// The session state or the record of a session in a JSON text: a record begins with the name of its form.
pub(super) fn session(source: &Source) -> Result<Known> {
    let json = text(source, session::MAX_BYTES)?;
    let is_record = json.find(session::FORM).is_some_and(|at| at < MAX_FORM_BYTES);
    let known = if is_record {
        Session::parse(&json).map(|session| Known::Session(Box::new(session)))
    } else {
        SessionState::parse(&json).map(|state| Known::State(Box::new(state)))
    };
    known.map_err(|error| unusable(source, &error.message))
}

/// The weights in a JSON file; those that it does not name are as they are by default.
pub(super) fn weights(source: &Source) -> Result<Weights> {
    let json = text(source, MAX_WEIGHTS_BYTES)?;
    engine::read_weights(&json).map_err(|error| unusable(source, &error.message))
}

/// The prompt into which a packet is written.
pub(super) fn template(path: &Path, tokenizer: Tokenizer) -> Result<Template> {
    let source = Source::File(path.to_owned());
    let parsed = Template::parse(&text(&source, MAX_TEMPLATE_BYTES)?, tokenizer);
    parsed.map_err(|error| Error::new(error.kind, format!("{source}: {}", error.message)))
}

/// The error of a source with a parser's message, which ends with the place. The place goes first: the message may list every name that
/// is known, and long lines are cut.
pub(super) fn unusable(source: &Source, message: &str) -> Error {
    let (what, place) =
        message.rsplit_once(" at line ").map_or((message, String::new()), |(what, place)| (what, format!(" line {place}")));
    Error::new(ErrorKind::BadInput, format!("{source}{place}: {what}"))
}

/// The user's own rules of redaction.
pub(super) fn rules(path: &Path) -> Result<Rules> {
    let source = Source::File(path.to_owned());
    Rules::parse(&text(&source, MAX_RULES_BYTES)?, &source.to_string())
}

/// The user's own rules of redaction, where there is such a file.
pub(super) fn rules_at(path: &Path) -> Result<Option<Rules>> {
    if path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        Ok(None)
    } else {
        rules(path).map(Some)
    }
}

/// The bytes of stdin, to be masked.
pub(super) fn bytes() -> Result<Vec<u8>> {
    let unreadable = |error| Error::new(ErrorKind::UnreadableFile, "stdin cannot be read").because(error);
    let bytes = Waiting::stdin().and_then(|stdin| read_up_to(stdin, MAX_TEXT_BYTES)).map_err(unreadable)?;
    if bytes.len() > MAX_TEXT_BYTES {
        let message = format!("the text is larger than {MAX_TEXT_BYTES} bytes; a part of it could hide what gives a secret away");
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    Ok(bytes)
}

/// The text of a source of at most so many bytes.
pub(super) fn text(source: &Source, max_bytes: usize) -> Result<String> {
    let bytes = match source {
        Source::Stdin => Waiting::stdin().and_then(|stdin| read_up_to(stdin, max_bytes)),
        Source::File(path) => Waiting::open(path).and_then(|file| read_up_to(file, max_bytes)),
    };
    let unreadable = |error| Error::new(ErrorKind::UnreadableFile, format!("{source} cannot be read")).because(error);
    let bytes = bytes.map_err(unreadable)?;
    if bytes.len() > max_bytes {
        let message = format!("{source} cannot be used: it is larger than {max_bytes} bytes");
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]).into_owned();
        let line = valid.matches('\n').count() + 1;
        let column = valid.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let message = format!("{source} line {line} column {column}: this is not UTF-8 text");
        Error::new(ErrorKind::BadInput, message)
    })
}

/// All bytes of a source, but at most one more than `max`.
fn read_up_to(source: impl Read, max: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(max as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{MAX_CUT_BYTES, beginning};

    #[test]
    fn a_long_text_is_cut_between_lines_or_words() {
        let cut = |text: &str, max: usize| String::from_utf8_lossy(beginning(text.as_bytes(), max)).into_owned();
        assert_eq!(cut("fix it\npassword=abc", 16), "fix it");
        assert_eq!(cut("fix it with password=abc", 18), "fix it with");
        assert_eq!(cut("password=abc", 12), "password=abc");
        assert_eq!(cut("password=abc", 9), "password=");
        let line = "x".repeat(2 * MAX_CUT_BYTES);
        assert_eq!(cut(&format!("fix it\n{line}"), line.len()).len(), line.len());
    }
}
