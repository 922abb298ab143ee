//! `activate fleet list`: the repositories of a fleet and what is known of each.

use super::super::terminal::write_result;
use super::super::{Command, Outcome, Terminal, options_of};
use super::answer::json;
use super::options::{AccessOptions, StoreOptions};
use super::question::Format;
use clap::Args;
use error::Result;
use fleet::manifest::{Manifest, Place, Repository};
use fleet::store::{Current, Store};
use serde::Serialize;

pub(super) const COMMAND: Command = Command {
    name: "list",
    about: "List the repositories of the fleet, and what is known of each",
    details: "\
A line a repository: its name, `known`, `empty`, `missing`, `unreadable`, `damaged`, `new` or `changed`, the commit that is known, its files and lines,
and where it comes from. `new` is what `activate fleet sync` has not seen yet, and `changed` what the manifest says otherwise since then.",
    options: ListOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

#[derive(Debug, Args)]
struct ListOptions {
    /// How rows are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    access: AccessOptions,
}

/// A repository as it stands.
#[derive(Debug, Clone, Serialize)]
struct Listed<'l> {
    name: String,
    state: &'static str,
    commit: Option<&'l str>,
    n_files: u64,
    n_lines: u64,
    place: String,
    owners: Vec<String>,
    why: Option<String>,
}

impl Listed<'_> {
    fn line(&self, width: usize) -> String {
        let Self { name, state, commit, n_files, n_lines, place, why, .. } = self;
        let commit = commit.and_then(|commit| commit.get(..10)).unwrap_or("-");
        let why = why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
        format!("{name:width$}  {state:<10} {commit:<10} {n_files:>6} files {n_lines:>8} lines  {place}{why}")
    }
}

fn run(options: &ListOptions, terminal: &Terminal) -> Result<Outcome> {
    let sees = options.access.sees()?;
    let (manifest, store) = options.store.open()?;
    let current = store.current()?;
    let shown = manifest.repositories.iter().filter(|repository| sees(&repository.name));
    let rows: Vec<Listed<'_>> = shown.map(|repository| listed(repository, &manifest, &store, &current)).collect();
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or_default();
    let line = |row: &Listed<'_>| match options.format {
        Format::Text => Ok(terminal.line(&row.line(width))),
        // The text as a whole is masked there, and each field here.
        Format::Jsonl => json(&Listed {
            name: terminal.line(&row.name),
            place: terminal.line(&row.place),
            owners: row.owners.iter().map(|owner| terminal.line(owner)).collect(),
            why: row.why.as_deref().map(|why| terminal.line(why)),
            ..row.clone()
        }),
    };
    let lines: Vec<String> = rows.iter().map(line).collect::<Result<_>>()?;
    write_result(|stdout| lines.iter().try_for_each(|line| writeln!(stdout, "{line}")))?;
    if let Some(lacking) = options.store.store.lacking() {
        terminal.note(&format!("warning: {lacking}"));
    }
    if rows.is_empty() {
        let may = if manifest.repositories.is_empty() { "" } else { " that may be seen" };
        terminal.note(&format!("the manifest lists no repository{may}"));
    }
    Ok(if rows.is_empty() { Outcome::NothingFound } else { Outcome::Answered })
}

fn listed<'l>(repository: &'l Repository, manifest: &Manifest, store: &Store, current: &'l Current) -> Listed<'l> {
    let known = current.repositories.get(&repository.name);
    let is_changed = known.is_some_and(|known| fleet::is_changed(repository, known));
    let shard = known.and_then(|known| known.shard.as_deref());
    let is_damaged = shard.is_some_and(|shard| store.checked(shard).is_err());
    let state = match known {
        None => "new",
        Some(_) if is_damaged => "damaged",
        Some(_) if is_changed => "changed",
        Some(known) => known.state.word(),
    };
    let place = match &repository.place {
        Place::Url(url) => url.clone(),
        Place::Path(path) => path.strip_prefix(manifest.folder()).unwrap_or(path).display().to_string(),
    };
    Listed {
        name: repository.name.clone(),
        state,
        commit: known.and_then(|known| known.commit.as_deref()),
        n_files: known.map_or(0, |known| known.n_files),
        n_lines: known.map_or(0, |known| known.n_lines),
        place,
        owners: repository.owners.clone(),
        why: known.filter(|_| !is_changed).and_then(|known| known.why.clone()),
    }
}
