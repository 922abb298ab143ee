//! `activate fleet cycles`, `needs` and `unused`: what holds between the packages of a fleet.

use super::super::{Command, Outcome, Terminal, options_of};
use super::answer::{Answer, Row, Shown};
use super::opened::Opened;
use super::question::QuestionOptions;
use clap::Args;
use error::Result;
use fleet::catalog::{Need, Package, needs};
use fleet::{Node, UseKind};
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

/// A package that needs another.
#[derive(Debug, Serialize)]
pub(super) struct Needed {
    from: ShownPackage,
    to: ShownPackage,
    in_cycle: bool,
    /// Whether only such are asked for.
    #[serde(skip)]
    only_cycles: bool,
}

impl Row for Needed {
    fn line(&self) -> String {
        let Self { from, to, .. } = self;
        let cycle = if self.in_cycle && !self.only_cycles { ", in a cycle" } else { "" };
        format!("{} ({}) needs {} ({}){cycle}", from.name, from.repository, to.name, to.repository)
    }
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
    let opened = options.question.fleet.open(terminal)?;
    options.question.write(terminal, &opened, &needed(&opened, only_cycles)?)
}

/// Which packages need which others of other repositories.
pub(super) fn needed(opened: &Opened, only_cycles: bool) -> Result<Answer<Needed>> {
    let sees = |name: &str| opened.fleet.shards.named(name).is_ok();
    let shown = |package: &Package| ShownPackage {
        repository: opened.safe(&package.repository),
        registry: opened.safe(&package.registry),
        name: opened.safe(&package.name),
        version: opened.safe(&package.version),
    };
    let all = needs(&opened.fleet.derived, &sees)?;
    // Packages of one repository may need each other as they like.
    let is_meant = |need: &&Need| need.from.repository != need.to.repository && (need.in_cycle || !only_cycles);
    let row = |need: &Need| Needed { from: shown(&need.from), to: shown(&need.to), in_cycle: need.in_cycle, only_cycles };
    let rows: Vec<Needed> = all.iter().filter(is_meant).map(row).collect();
    let none = if only_cycles { "no cycle" } else { "no package of the fleet needs another" };
    let sum = rows.is_empty().then(|| none.to_owned());
    Ok(Answer { about: Vec::new(), n_about: 0, sum, beside: None, n_rows: rows.len(), rows, noun: "rows", problems: Vec::new() })
}

impl Row for Shown {
    fn line(&self) -> String {
        format!("{}/{}:{} {} {}", self.repository, self.path, self.line, self.kind, self.local())
    }
}

fn run_unused(options: &UnusedOptions, terminal: &Terminal) -> Result<Outcome> {
    let opened = options.question.fleet.open(terminal)?;
    options.question.write(terminal, &opened, &unused(&opened, &options.repository)?)
}

/// What a repository lets others use and no other does.
pub(super) fn unused(opened: &Opened, repository: &str) -> Result<Answer<Shown>> {
    let fleet = &opened.fleet;
    let shard = fleet.shards.named(repository)?;
    let nodes = fleet.shards.links.unused(shard.key)?;
    // Who uses a method of a type uses the type, whether it names it or not.
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut meant: BTreeSet<u32> = BTreeSet::new();
    for link in fleet.shards.links.to_repository(shard.key) {
        meant.insert(link.to.1);
        let mut id = shard.id(link.to.1);
        while let Some((around, _)) = id.rsplit_once('.').filter(|(around, _)| around.contains('#')) {
            used.insert(around);
            id = around;
        }
    }
    // A method that takes the place of one of another repository is called by way of that one.
    let stands_in = |node: u32| {
        let mut links = fleet.shards.links.from((shard.key, node)).filter(|link| fleet.shards.of(link.to.0).is_some());
        !matches!(shard.kind(node), "type" | "interface") && links.any(|link| link.of.kind == UseKind::Implement)
    };
    // Who uses a method that implements another uses both.
    let is_implemented = |node: u32| shard.links_to(node).any(|(from, _, kind, _)| kind == "implements" && meant.contains(&from));
    // What Python itself calls is named by nobody.
    let is_of_python = |id: &str| {
        let path = id.split('#').next().unwrap_or(id);
        let name = id.rsplit(['#', '.']).next().unwrap_or(id);
        [".py", ".pyi"].iter().any(|end| path.ends_with(end)) && name.len() > 4 && name.starts_with("__") && name.ends_with("__")
    };
    // Who makes a value of a type uses its constructor: the type says whether anybody does.
    let is_constructor = |id: &str| {
        let (of, name) = id.rsplit_once('.').filter(|(of, _)| of.contains('#')).unwrap_or(("", ""));
        name == "constructor" || !name.is_empty() && of.rsplit(['#', '.']).next() == Some(name)
    };
    let is_unused = |node: &&Node| {
        let id = shard.id(node.1);
        !used.contains(id) && !is_implemented(node.1) && !stands_in(node.1) && !is_of_python(id) && !is_constructor(id)
    };
    let mut rows: Vec<Shown> = nodes.iter().filter(is_unused).filter_map(|node| Shown::of(opened, *node)).collect();
    rows.sort();
    let is_visible = |node: u32| shard.is_visible(node);
    let has_visible = (0..shard.n_nodes().unwrap_or_default() as u32).any(is_visible);
    let none = if has_visible {
        "other repositories use all of it, but for tests, what is used without its name and what they cannot import"
    } else {
        "it has nothing that others could use"
    };
    let sum = rows.is_empty().then(|| none.to_owned());
    Ok(Answer {
        about: Vec::new(),
        n_about: 0,
        sum,
        beside: None,
        n_rows: rows.len(),
        rows,
        noun: "definitions",
        problems: Vec::new(),
    })
}
