//! `activate fleet who-owns`: the owners of files and definitions.

use super::super::{Command, Outcome, Terminal, options_of};
use super::question::{QuestionOptions, Shown, safe};
use clap::Args;
use error::Result;
use fleet::owners::Owners;
use fleet::{find, impact};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const COMMAND: Command = Command {
    name: "who-owns",
    about: "Show who owns definitions or files, or what a change of them reaches",
    details: "\
Owners are those of the last pattern of a repository's CODEOWNERS that matches the file; where none does, those that the manifest names.

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
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=64))]
    reached: u32,
    #[command(flatten)]
    question: QuestionOptions,
}

/// An owner with what is owned.
#[derive(Debug, Serialize)]
struct Row {
    owner: String,
    repository: String,
    /// What says so: a file with its line, or the manifest.
    by: String,
    paths: Vec<String>,
}

fn run(options: &OwnsOptions, terminal: &Terminal) -> Result<Outcome> {
    let fleet = options.question.fleet.open(terminal)?;
    let mut nodes = Vec::new();
    for target in &options.targets {
        nodes.extend(find(&fleet.shards, target)?);
    }
    if options.reached > 0 {
        let reached = impact(&fleet.shards, &nodes, options.reached, &fleet::Workers::threads(1))?;
        nodes = reached.into_iter().filter(|(_, way)| way.depth > 0).map(|(node, _)| node).collect();
    }
    let masker = fleet.masker();
    let mut files: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for node in &nodes {
        let (Some(shard), Some(shown)) = (fleet.shards.of(node.0), Shown::of(&fleet, &masker, *node)) else { continue };
        files.entry(&shard.name).or_default().insert(shown.path);
    }
    let mut owned: BTreeMap<(String, String, String), Vec<String>> = BTreeMap::new();
    for (repository, paths) in files {
        let shard = fleet.shards.named(repository)?;
        let (owners, problems) = Owners::read(&options.question.fleet.engine(&fleet, shard)?);
        options.question.fleet.warn(terminal, &problems);
        let of_manifest = fleet.manifest.find(repository).map(|of| of.owners.clone()).unwrap_or_default();
        for path in paths {
            let mut found: Vec<(String, String)> =
                owners.of(&path).iter().map(|owner| (owner.name.to_owned(), format!("{}:{}", owners.path, owner.line))).collect();
            if found.is_empty() {
                found = of_manifest.iter().map(|owner| (owner.clone(), "the manifest".to_owned())).collect();
            }
            if found.is_empty() {
                found.push(("nobody".to_owned(), "no pattern".to_owned()));
            }
            for (owner, by) in found {
                let key = (safe(&masker, &owner), safe(&masker, repository), safe(&masker, &by));
                owned.entry(key).or_default().push(path.clone());
            }
        }
    }
    let rows: Vec<Row> = owned.into_iter().map(|((owner, repository, by), paths)| Row { owner, repository, by, paths }).collect();
    let mut lines: Vec<String> = Vec::new();
    for Row { owner, repository, by, paths } in &rows[..options.question.shown(rows.len())] {
        lines.push(format!("{owner}: {repository}/{} ({by})", paths.join(&format!(", {repository}/"))));
    }
    lines.extend(options.question.rest(rows.len(), "owners"));
    options.question.write(terminal, &rows, &lines)?;
    Ok(if rows.is_empty() { Outcome::NothingFound } else { Outcome::Answered })
}
