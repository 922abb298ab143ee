//! `activate fleet list`: the repositories of a fleet and what is known of each.

use super::super::terminal::write_result;
use super::super::{Command, Outcome, Terminal, options_of};
use super::options::{AccessOptions, StoreOptions};
use clap::Args;
use error::Result;
use fleet::manifest::{Manifest, Place, Repository};
use fleet::store::{Current, Store};

pub(super) const COMMAND: Command = Command {
    name: "list",
    about: "List the repositories of the fleet, and what is known of each",
    details: "\
A line a repository: its name, `known`, `empty`, `gone`, `unreadable`, `damaged` or `new`, the commit that is known, its files and lines, and where
it comes from. `new` is what `activate fleet sync` has not seen yet.",
    options: ListOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

#[derive(Debug, Args)]
struct ListOptions {
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    access: AccessOptions,
}

fn run(options: &ListOptions, terminal: &Terminal) -> Result<Outcome> {
    let sees = options.access.sees()?;
    let (manifest, store) = options.store.open()?;
    let current = store.current()?;
    let shown: Vec<&Repository> = manifest.repositories.iter().filter(|repository| sees(&repository.name)).collect();
    let width = shown.iter().map(|repository| repository.name.len()).max().unwrap_or_default();
    let lines = lines(&shown, width, &manifest, &store, &current);
    write_result(|stdout| lines.iter().try_for_each(|line| writeln!(stdout, "{}", terminal.line(line))))?;
    Ok(Outcome::Answered)
}

fn lines(shown: &[&Repository], width: usize, manifest: &Manifest, store: &Store, current: &Current) -> Vec<String> {
    let line = |repository: &&Repository| {
        let known = current.repositories.get(&repository.name);
        let shard = known.and_then(|known| known.shard.as_deref());
        let is_damaged = shard.is_some_and(|shard| store.checked(shard).is_err());
        let state = match known {
            None => "new",
            Some(_) if is_damaged => "damaged",
            Some(known) => known.state.word(),
        };
        let commit = known.and_then(|known| known.commit.as_deref()).and_then(|commit| commit.get(..10)).unwrap_or("-");
        let (n_files, n_lines) = known.map_or((0, 0), |known| (known.n_files, known.n_lines));
        let place = match &repository.place {
            Place::Url(url) => url.clone(),
            Place::Path(path) => path.strip_prefix(manifest.folder()).unwrap_or(path).display().to_string(),
        };
        let why = known.and_then(|known| known.why.as_ref()).map(|why| format!(" ({why})")).unwrap_or_default();
        let name = &repository.name;
        format!("{name:width$}  {state:<10} {commit:<10} {n_files:>6} files {n_lines:>8} lines  {place}{why}")
    };
    shown.iter().map(line).collect()
}
