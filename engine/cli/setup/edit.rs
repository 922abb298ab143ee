//! Changes of a text as pieces that are put in the place of others: every other byte stays, and each change can be turned back.

use serde::{Deserialize, Serialize};

/// A piece of a text that is put in the place of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Edit {
    /// The first byte of what goes, or where something is inserted.
    pub(super) at: usize,
    /// What goes.
    pub(super) removed: String,
    /// What comes.
    pub(super) inserted: String,
}

impl Edit {
    /// Puts something in.
    pub(super) fn insert(at: usize, inserted: impl Into<String>) -> Self {
        Self { at, removed: String::new(), inserted: inserted.into() }
    }

    /// Puts something in the place of these bytes of `text`.
    pub(super) fn replace(text: &str, range: std::ops::Range<usize>, inserted: impl Into<String>) -> Self {
        Self { at: range.start, removed: text[range].to_owned(), inserted: inserted.into() }
    }
}

/// A text with edits made, which are in order; nothing where it does not hold what they take away.
pub(super) fn applied(text: &str, edits: &[Edit]) -> Option<String> {
    let mut made = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        made.push_str(text.get(done..edit.at)?);
        let end = edit.at.checked_add(edit.removed.len())?;
        if text.get(edit.at..end)? != edit.removed {
            return None;
        }
        made.push_str(&edit.inserted);
        done = end;
    }
    made.push_str(text.get(done..)?);
    Some(made)
}

/// The edits that turn these back.
pub(super) fn inverse(edits: &[Edit]) -> Vec<Edit> {
    let mut grown = 0;
    let mut shrunk = 0;
    let turned = edits.iter().map(|edit| {
        let at = edit.at + grown - shrunk;
        grown += edit.inserted.len();
        shrunk += edit.removed.len();
        Edit { at, removed: edit.inserted.clone(), inserted: edit.removed.clone() }
    });
    turned.collect()
}

/// The same edits for the text with `n_bytes` more before it.
pub(super) fn shifted(mut edits: Vec<Edit>, n_bytes: usize) -> Vec<Edit> {
    for edit in &mut edits {
        edit.at += n_bytes;
    }
    edits
}

/// The same edits for a text in which what was at one byte is at another; nothing where one would begin before the text.
pub(super) fn moved(edits: &[Edit], was: usize, at: usize) -> Option<Vec<Edit>> {
    edits.iter().map(|edit| Some(Edit { at: edit.at.checked_add(at)?.checked_sub(was)?, ..edit.clone() })).collect()
}

/// The mark at the beginning of some files, and what follows.
pub(super) fn without_mark(text: &str) -> (usize, &str) {
    const MARK: char = '\u{feff}';
    text.strip_prefix(MARK).map_or((0, text), |rest| (MARK.len_utf8(), rest))
}

/// How the lines of a text end.
pub(super) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Where a line of a text begins.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |feed| feed + 1)
}

/// What is wrong with a text, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// What is wrong.
    pub(super) what: String,
    /// Line and column, from one, in characters.
    pub(super) place: (usize, usize),
}

impl Fault {
    /// What is wrong at a byte of a text.
    pub(super) fn at(text: &str, at: usize, what: impl Into<String>) -> Self {
        let (_, text_of) = without_mark(text);
        let shift = text.len() - text_of.len();
        let before = text_of.get(..at.saturating_sub(shift)).unwrap_or(text_of);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start(before, before.len())..].chars().count() + 1;
        Self { what: what.into(), place: (line, column) }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "line {}, column {}: {}", self.place.0, self.place.1, self.what)
    }
}
