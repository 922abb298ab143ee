//! What the questions have in common: which fleet, who asks, how rows are written, and what must be said beside them.

use super::super::terminal::write_result;
use super::super::{Outcome, Terminal};
use super::answer::{Answer, LIMIT, Row};
use super::opened::Opened;
use super::options::{AccessOptions, StoreOptions};
use clap::{Args, ValueEnum};
use error::{Problem, Result};
use std::path::PathBuf;

/// Which fleet is asked, and how its rows are written.
#[derive(Debug, Args)]
pub(super) struct QuestionOptions {
    /// How rows are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Rows that are shown at most; 0 for all
    #[arg(long, value_name = "N", default_value_t = LIMIT)]
    limit: usize,
    #[command(flatten)]
    pub(super) fleet: FleetOptions,
}

/// Which fleet is asked, and by whom.
#[derive(Debug, Args)]
pub(super) struct FleetOptions {
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    access: AccessOptions,
    /// Folder of the cache [default: activate in the user's cache folder]
    #[arg(long, value_name = "DIR", help_heading = "Fleet")]
    cache: Option<PathBuf>,
    /// Write no warnings to stderr
    #[arg(long, help_heading = "Fleet")]
    quiet: bool,
}

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Lines to read
    Text,
    /// One JSON object a line
    Jsonl,
}

impl FleetOptions {
    /// The fleet as whoever asks may see it. What could not be read is warned of.
    pub(super) fn open(&self, terminal: &Terminal) -> Result<Opened> {
        let sees = self.access.sees()?;
        let (manifest, store) = self.store.open()?;
        let opened = Opened::new(manifest, store, self.cache.clone(), &sees).map_err(|error| self.store.store.unknown(error))?;
        terminal.learn(&opened.masker);
        self.warn(terminal, &[&opened.fleet.problems[..], &opened.fleet.unread].concat());
        Ok(opened)
    }

    pub(super) fn warn(&self, terminal: &Terminal, problems: &[Problem]) {
        if !self.quiet {
            terminal.warn_first(problems, "");
        }
    }
}

impl QuestionOptions {
    /// Rows that are shown at most; 0 for all.
    pub(super) const fn limit(&self) -> usize {
        self.limit
    }

    /// Writes what was found.
    pub(super) fn write<R: Row>(&self, terminal: &Terminal, opened: &Opened, answer: &Answer<R>) -> Result<Outcome> {
        self.fleet.warn(terminal, &[&opened.fleet.shards.problems()[..], &answer.problems].concat());
        let text = match self.format {
            Format::Jsonl => {
                // Lines of JSON have no place for it.
                for note in answer.rest(self.limit).iter().chain(&answer.beside).filter(|_| !self.fleet.quiet) {
                    terminal.note(&format!("warning: {note}"));
                }
                answer.json_lines(self.limit)?
            }
            Format::Text => answer.text(&opened.masker, self.limit),
        };
        write_result(|stdout| stdout.write_all(text.as_bytes()))?;
        Ok(if answer.rows.is_empty() { Outcome::NothingFound } else { Outcome::Answered })
    }
}
