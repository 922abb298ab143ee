//! `activate fleet cycles`, `needs` and `unused`: what holds between the packages of a fleet.

use super::super::{Command, Outcome, Terminal, options_of};
use super::question::{QuestionOptions, Shown, safe};
use clap::Args;
use error::Result;
use fleet::Node;
use fleet::catalog::{Need, Package, needs};
use serde::Serialize;
use std::collections::BTreeSet;

pub(super) const CYCLES: Command = Command {
    name: "cycles",
    about: "Show packages that need each other across repositories, by way of others perhaps",
    details: "\
Example:
    activate fleet cycles",
    options: PackagesOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, true, terminal),
};

pub(super) const NEEDS: Command = Command {
    name: "needs",
    about: "Show which packages of the fleet need which others, as their manifests say",
    details: "\
Example:
    activate fleet needs --format jsonl",
    options: PackagesOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, false, terminal),
};

pub(super) const UNUSED: Command = Command {
    name: "unused",
    about: "Show what a repository lets others use and no other repository of the fleet does",
    details: "\
Uses within the repository do not count, and those of repositories outside of the fleet are not known.

Example:
    activate fleet unused shop/kit",
    options: UnusedOptions::augment_args,
    run: |matches, terminal| run_unused(&options_of(matches)?, terminal),
};

#[derive(Debug, Args)]
struct PackagesOptions {
    #[command(flatten)]
    question: QuestionOptions,
}

#[derive(Debug, Args)]
struct UnusedOptions {
    /// The repository, by its name in the manifest
    #[arg(value_name = "REPOSITORY")]
    repository: String,
    #[command(flatten)]
    question: QuestionOptions,
}

#[derive(Debug, Serialize)]
struct Row {
    from: ShownPackage,
    to: ShownPackage,
    in_cycle: bool,
}

/// A package as it is shown.
#[derive(Debug, Serialize)]
struct ShownPackage {
    repository: String,
    registry: String,
    name: String,
    version: String,
}

fn run(options: &PackagesOptions, only_cycles: bool, terminal: &Terminal) -> Result<Outcome> {
    let fleet = options.question.fleet.open(terminal)?;
    let masker = fleet.masker();
    let sees = |name: &str| fleet.shards.named(name).is_ok();
    let shown = |package: &Package| ShownPackage {
        repository: safe(&masker, &package.repository),
        registry: safe(&masker, &package.registry),
        name: safe(&masker, &package.name),
        version: safe(&masker, &package.version),
    };
    let all = needs(&fleet.derived, &sees)?;
    // Packages of one repository may need each other as they like.
    let is_meant = |need: &&Need| need.from.repository != need.to.repository && (need.in_cycle || !only_cycles);
    let row = |need: &Need| Row { from: shown(&need.from), to: shown(&need.to), in_cycle: need.in_cycle };
    let rows: Vec<Row> = all.iter().filter(is_meant).map(row).collect();
    let line = |Row { from, to, in_cycle }: &Row| {
        let cycle = if *in_cycle && !only_cycles { ", in a cycle" } else { "" };
        format!("{} ({}) needs {} ({}){cycle}", from.name, from.repository, to.name, to.repository)
    };
    let mut lines: Vec<String> = rows[..options.question.shown(rows.len())].iter().map(line).collect();
    lines.extend(options.question.rest(rows.len(), "rows"));
    if rows.is_empty() {
        lines.push(if only_cycles { "no cycle" } else { "no package of the fleet needs another" }.to_owned());
    }
    options.question.write(terminal, &rows, &lines)?;
    Ok(if rows.is_empty() { Outcome::NothingFound } else { Outcome::Answered })
}

fn run_unused(options: &UnusedOptions, terminal: &Terminal) -> Result<Outcome> {
    let fleet = options.question.fleet.open(terminal)?;
    let masker = fleet.masker();
    let shard = fleet.shards.named(&options.repository)?;
    let nodes = fleet::unused(&fleet.derived, shard.key)?;
    // Who uses a method of a type uses the type, whether it names it or not.
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for link in fleet.shards.links.to_repository(shard.key) {
        let mut id = shard.id(link.to.1);
        while let Some((around, _)) = id.rsplit_once('.').filter(|(around, _)| around.contains('#')) {
            used.insert(around);
            id = around;
        }
    }
    let is_unused = |node: &&Node| !used.contains(shard.id(node.1));
    let mut rows: Vec<Shown> = nodes.iter().filter(is_unused).filter_map(|node| Shown::of(&fleet, &masker, *node)).collect();
    rows.sort();
    let shown = &rows[..options.question.shown(rows.len())];
    let mut lines: Vec<String> =
        shown.iter().map(|row| format!("{}/{}:{} {} {}", row.repository, row.path, row.line, row.kind, row.local())).collect();
    lines.extend(options.question.rest(rows.len(), "definitions"));
    if rows.is_empty() {
        lines.push("other repositories use all of it".to_owned());
    }
    options.question.write(terminal, &rows, &lines)?;
    Ok(if rows.is_empty() { Outcome::NothingFound } else { Outcome::Answered })
}
