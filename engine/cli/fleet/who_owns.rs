//! `activate fleet who-owns`: the owners of files and definitions.

use super::super::{Command, Outcome, Terminal, options_of};
use super::answer::{Answer, Row};
use super::impact::MAX_DEPTH;
use super::opened::Opened;
use super::question::QuestionOptions;
use clap::Args;
use error::Result;
use fleet::{Owner, find, impact};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const COMMAND: Command = Command {
    name: "who-owns",
    about: "Show who owns definitions or files, or what a change of them reaches",
    details: "\
Owners are those of the last pattern of a repository's CODEOWNERS that matches the file, perhaps nobody; where none matches, those that the
manifest names.

Example:
    activate fleet who-owns shop/api/src/orders.ts
    activate fleet who-owns 'example.org/kit/client#Client.Get' --reached 1",
    options: OwnsOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

#[derive(Debug, Args)]
struct OwnsOptions {
    /// What is owned: see `activate fleet impact`
    #[arg(value_name = "TARGET", required = true)]
    targets: Vec<String>,
    /// Ask who owns what uses them, with so many uses on the way
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=MAX_DEPTH))]
    reached: u32,
    #[command(flatten)]
    question: QuestionOptions,
}

/// The most files of an owner that a row shows as text, and of how many bytes in all, so that no path is cut.
const MAX_PATHS: usize = 20;
const MAX_BYTES: usize = 240;

/// An owner with what is owned.
#[derive(Debug, Serialize)]
pub(super) struct Owned {
    owner: String,
    repository: String,
    /// What says so: a file with its line, or the manifest.
    by: String,
    paths: Vec<String>,
}

impl Row for Owned {
    fn line(&self) -> String {
        let Self { owner, repository, by, paths } = self;
        let mut n_bytes = 0;
        let fits = |path: &&String| {
            n_bytes += repository.len() + path.len();
            n_bytes <= MAX_BYTES
        };
        let n_shown = paths.iter().take(MAX_PATHS).take_while(fits).count().max(1).min(paths.len());
        let shown = paths[..n_shown].join(&format!(", {repository}/"));
        let n_more = paths.len() - n_shown;
        let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
        format!("{owner}: {repository}/{shown}{more} ({by})")
    }
}

fn run(options: &OwnsOptions, terminal: &Terminal) -> Result<Outcome> {
    let opened = options.question.fleet.open(terminal)?;
    options.question.write(terminal, &opened, &owned(&opened, &options.targets, options.reached)?)
}

/// Who owns targets, or what uses them with so many uses on the way.
pub(super) fn owned(opened: &Opened, targets: &[String], reached: u32) -> Result<Answer<Owned>> {
    let fleet = &opened.fleet;
    let mut nodes = Vec::new();
    for target in targets {
        nodes.extend(find(&fleet.shards, target)?);
    }
    if reached > 0 {
        let reached = impact(&fleet.shards, &nodes, reached, &fleet::Workers::threads(1))?;
        nodes = reached.reached.into_iter().filter(|(_, way)| way.depth > 0).map(|(node, _)| node).collect();
    }
    let mut files: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for node in &nodes {
        let Some(shard) = fleet.shards.of(node.0) else { continue };
        let id = shard.id(node.1);
        files.entry(&shard.name).or_default().insert(id.split('#').next().unwrap_or(id));
    }
    let mut owned: BTreeMap<(String, String, String), Vec<String>> = BTreeMap::new();
    for (repository, paths) in files {
        let mut all = fleet.shards.named(repository)?.owners(&paths)?;
        let of_manifest = fleet.manifest.find(repository).map(|of| of.owners.clone()).unwrap_or_default();
        let unowned: Vec<&str> = paths.into_iter().filter(|path| !all.iter().any(|owner| owner.path == *path)).collect();
        for path in unowned {
            let row = |owner: &str, by: &str| Owner { path: path.to_owned(), owner: owner.to_owned(), by: by.to_owned() };
            all.extend(of_manifest.iter().map(|owner| row(owner, "the manifest")));
            if of_manifest.is_empty() {
                all.push(row("", "neither CODEOWNERS nor the manifest says"));
            }
        }
        for Owner { path, owner, by } in all {
            let name = if owner.is_empty() { "nobody" } else { &*owner };
            let key = (opened.safe(name), opened.safe(repository), opened.safe(&by));
            owned.entry(key).or_default().push(opened.safe(&path));
        }
    }
    let rows: Vec<Owned> =
        owned.into_iter().map(|((owner, repository, by), paths)| Owned { owner, repository, by, paths }).collect();
    let what = if targets.len() == 1 { "it" } else { "them" };
    let sum = (rows.is_empty() && reached > 0).then(|| format!("no use of {what} is known that is sure"));
    Ok(Answer {
        about: Vec::new(),
        n_about: 0,
        sum,
        beside: None,
        n_rows: rows.len(),
        rows,
        noun: "owners",
        problems: Vec::new(),
    })
}
