//! What a question found, and how it is written: the same bytes for a command and for a tool of the server.

use super::super::terminal::line_of;
use super::opened::Opened;
use error::{Error, ErrorKind, Problem, Result};
use fleet::Node;
use redact::Masker;
use serde::Serialize;

/// Rows that are shown where nobody says how many.
pub(super) const LIMIT: usize = 100;

/// Something that was found.
pub(super) trait Row: Serialize {
    /// It as a line.
    fn line(&self) -> String;

    /// What stands above the first row of a group.
    fn heading(&self) -> Option<String> {
        None
    }
}

/// What a question found.
pub(super) struct Answer<R> {
    /// What it is about, a line each: those that may be shown.
    pub(super) about: Vec<String>,
    /// How much it is about.
    pub(super) n_about: usize,
    /// What is said above the rows, or in their place.
    pub(super) sum: Option<String>,
    /// What must be said beside it, whatever rows are shown.
    pub(super) beside: Option<String>,
    /// Those that may be shown, the first ones of all.
    pub(super) rows: Vec<R>,
    /// How many there are.
    pub(super) n_rows: usize,
    /// What rows are called.
    pub(super) noun: &'static str,
    /// What was left out.
    pub(super) problems: Vec<Problem>,
}

impl<R: Row> Answer<R> {
    /// Lines with so many rows at most, 0 for all, and how many are missing.
    pub(super) fn text(&self, masker: &Masker, limit: usize) -> String {
        let mut text = String::new();
        let mut say = |line: &str| {
            text.push_str(&line_of(masker, line));
            text.push('\n');
        };
        for line in self.about.iter().take(n_shown(self.about.len(), limit)) {
            say(line);
        }
        for line in rest(self.n_about, "definitions that are meant", limit).iter().chain(&self.sum).chain(&self.beside) {
            say(line);
        }
        for row in &self.rows[..n_shown(self.rows.len(), limit)] {
            if let Some(heading) = row.heading() {
                say(&heading);
            }
            say(&row.line());
        }
        if let Some(line) = self.rest(limit) {
            say(&line);
        }
        text
    }

    /// What to say of rows that are not shown.
    pub(super) fn rest(&self, limit: usize) -> Option<String> {
        rest(self.n_rows, self.noun, limit)
    }

    /// The same as JSON, a row a line.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where a row cannot be written.
    pub(super) fn json_lines(&self, limit: usize) -> Result<String> {
        let mut text = String::new();
        for row in &self.rows[..n_shown(self.rows.len(), limit)] {
            text += &json(row)?;
            text.push('\n');
        }
        Ok(text)
    }
}

/// A row as a line of JSON.
///
/// # Errors
///
/// [`ErrorKind::Storage`] where it cannot be written.
pub(super) fn json(row: &impl Serialize) -> Result<String> {
    let failed = |error| Error::new(ErrorKind::Storage, "a row cannot be written as JSON").because(error);
    serde_json::to_string(row).map_err(failed)
}

fn rest(n_all: usize, noun: &str, limit: usize) -> Option<String> {
    let n_more = n_all - n_shown(n_all, limit);
    (n_more > 0).then(|| format!("+{n_more} more {noun}, beyond the limit of {limit}"))
}

/// How many of so many rows are shown.
pub(super) fn n_shown(n_rows: usize, limit: usize) -> usize {
    if limit == 0 { n_rows } else { n_rows.min(limit) }
}

/// A node as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Shown {
    pub(super) repository: String,
    pub(super) id: String,
    #[serde(skip)]
    pub(super) path: String,
    pub(super) kind: String,
    pub(super) line: u32,
}

impl Shown {
    pub(super) fn of(opened: &Opened, node: Node) -> Option<Self> {
        let shard = opened.fleet.shards.of(node.0)?;
        let id = shard.id(node.1);
        let path = id.split('#').next().unwrap_or(id);
        Some(Self {
            repository: opened.safe(&shard.name),
            id: opened.safe(id),
            path: opened.safe(path),
            kind: shard.kind(node.1).to_owned(),
            line: shard.line(node.1),
        })
    }

    /// The name within its file; of a file nothing.
    pub(super) fn local(&self) -> &str {
        self.id.split_once('#').map_or("", |(_, local)| local)
    }

    pub(super) fn whole(&self) -> String {
        format!("{}/{}", self.repository, self.id)
    }
}
