//! What the questions have in common: which fleet, who asks, how rows are written, and what must be said beside them.

use super::super::Terminal;
use super::super::terminal::write_result;
use super::options::{AccessOptions, StoreOptions};
use clap::{Args, ValueEnum};
use engine::{CacheChoice, Engine};
use error::{Error, ErrorKind, Problem, Result};
use fleet::manifest::Place;
use fleet::{Fleet, Node, Shard};
use index::snapshot::DEFAULT_MEMORY;
use redact::{Masker, Safe};
use serde::Serialize;
use std::path::PathBuf;

/// Which fleet is asked, and how its rows are written.
#[derive(Debug, Args)]
pub(super) struct QuestionOptions {
    /// How rows are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Rows that are shown at most; 0 for all
    #[arg(long, value_name = "N", default_value_t = 100)]
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
    pub(super) fn open(&self, terminal: &Terminal) -> Result<Fleet> {
        let sees = self.access.sees()?;
        let (manifest, store) = self.store.open()?;
        let fleet = Fleet::open(manifest, &store, &sees)?;
        self.warn(terminal, &fleet.problems);
        Ok(fleet)
    }

    pub(super) fn warn(&self, terminal: &Terminal, problems: &[Problem]) {
        if !self.quiet {
            terminal.warn(problems);
        }
    }

    /// Opens the repository of a shard at its commit, with the files that the shard was made of.
    pub(super) fn engine(&self, fleet: &Fleet, shard: &Shard) -> Result<Engine> {
        let gone = || Error::new(ErrorKind::NoRepository, format!("{} is not in the manifest any more", shard.name));
        let repository = fleet.manifest.find(&shard.name).ok_or_else(gone)?;
        let folder = match &repository.place {
            Place::Path(path) => path.clone(),
            Place::Url(_) => {
                let (_, store) = self.store.open()?;
                store.git_folder(&shard.name)
            }
        };
        let commit = fleet.commit(&shard.name).ok_or_else(gone)?;
        let cache = self.cache.clone().or_else(cache::Cache::default_folder);
        let options = engine::Options {
            exclude: fleet.excluded(&shard.name)?,
            n_threads: 1,
            cache: cache.map_or(CacheChoice::Off, CacheChoice::Folder),
            memory: Some(DEFAULT_MEMORY),
            ..engine::Options::default()
        };
        Engine::open_at(folder, commit, options)
    }
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
    pub(super) fn of(fleet: &Fleet, masker: &Masker, node: Node) -> Option<Self> {
        let shard = fleet.shards.of(node.0)?;
        let safe = |text: &str| masker.name(text).as_str().to_owned();
        let id = shard.id(node.1);
        let path = id.split('#').next().unwrap_or(id);
        Some(Self {
            repository: safe(&shard.name),
            id: safe(id),
            path: safe(path),
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

impl QuestionOptions {
    /// How many of so many rows are shown.
    pub(super) fn shown(&self, n_rows: usize) -> usize {
        if self.limit == 0 { n_rows } else { n_rows.min(self.limit) }
    }

    /// Writes rows as JSON lines, or lines with a last one that says how many are missing.
    pub(super) fn write<T: Serialize>(&self, terminal: &Terminal, rows: &[T], lines: &[String]) -> Result<()> {
        let n_shown = self.shown(rows.len());
        write_result(|stdout| match self.format {
            Format::Jsonl => rows[..n_shown].iter().try_for_each(|row| {
                serde_json::to_writer(&mut *stdout, row)?;
                writeln!(stdout)
            }),
            Format::Text => lines.iter().try_for_each(|line| writeln!(stdout, "{}", terminal.line(line))),
        })
    }

    /// What to say of rows that are not shown.
    pub(super) fn rest(&self, n_rows: usize, noun: &str) -> Option<String> {
        let n_more = n_rows - self.shown(n_rows);
        (n_more > 0).then(|| format!("+{n_more} more {noun}: `--limit 0` shows all"))
    }
}

/// A text of a repository that may be shown.
pub(super) fn safe(masker: &Masker, text: &str) -> String {
    let safe: Safe = masker.name(text);
    safe.as_str().to_owned()
}
