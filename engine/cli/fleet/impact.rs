//! `activate fleet impact` and `callers`: what uses a definition, in all repositories.

use super::super::{Command, Outcome, Terminal, options_of};
use super::question::{QuestionOptions, Shown};
use super::workers::WorkerOptions;
use clap::Args;
use error::Result;
use fleet::{Fleet, Node, find, impact};
use serde::Serialize;
use std::collections::BTreeSet;

pub(super) const IMPACT: Command = Command {
    name: "impact",
    about: "Show what a change of a definition reaches in all repositories, by the number of uses on the way",
    details: "\
A TARGET is PACKAGE#Symbol, as others import the package, or REPOSITORY/path#Container.name; without `#` a file. Only uses count of which it is sure
what they mean.

Example:
    activate fleet impact 'example.org/kit/client#Client.Get'
    activate fleet impact shop/kit/src/client.ts#get --depth 2 --format jsonl",
    options: ImpactOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

pub(super) const CALLERS: Command = Command {
    name: "callers",
    about: "Show what uses a definition, in all repositories",
    details: "\
A TARGET as for `activate fleet impact`, of which this is the first step.

Example:
    activate fleet callers 'example.org/kit/client#Client.Get'",
    options: CallersOptions::augment_args,
    run: |matches, terminal| {
        let CallersOptions { target, workers, question } = options_of(matches)?;
        run(&ImpactOptions { target, depth: 1, workers, question }, terminal)
    },
};

#[derive(Debug, Args)]
struct ImpactOptions {
    /// What changes
    #[arg(value_name = "TARGET")]
    target: String,
    /// The most uses on the way
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: u32,
    #[command(flatten)]
    workers: WorkerOptions,
    #[command(flatten)]
    question: QuestionOptions,
}

#[derive(Debug, Args)]
struct CallersOptions {
    /// What is used
    #[arg(value_name = "TARGET")]
    target: String,
    #[command(flatten)]
    workers: WorkerOptions,
    #[command(flatten)]
    question: QuestionOptions,
}

/// What is reached.
#[derive(Debug, Serialize)]
struct Row {
    depth: u32,
    #[serde(flatten)]
    what: Shown,
    uses: &'static str,
    through: String,
}

fn run(options: &ImpactOptions, terminal: &Terminal) -> Result<Outcome> {
    let fleet = options.question.fleet.open(terminal)?;
    let targets = find(&fleet.shards, &options.target)?;
    let reached = impact(&fleet.shards, &targets, options.depth, &options.workers.workers()?)?;
    if !options.workers.is_first() {
        return Ok(Outcome::Answered);
    }
    let masker = fleet.masker();
    let mut rows: Vec<Row> = Vec::new();
    for (node, way) in reached.iter().filter(|(_, way)| way.depth > 0) {
        let (Some(mut what), Some(through)) = (Shown::of(&fleet, &masker, *node), Shown::of(&fleet, &masker, way.through)) else {
            continue;
        };
        what.line = way.line;
        rows.push(Row { depth: way.depth, what, uses: way.kind.word(), through: through.whole() });
    }
    rows.sort_by(|one, other| (one.depth, &one.what).cmp(&(other.depth, &other.what)));
    let lines = lines(options, &fleet, &targets, &rows);
    options.question.write(terminal, &rows, &lines)?;
    Ok(if rows.is_empty() { Outcome::NothingFound } else { Outcome::Answered })
}

fn lines(options: &ImpactOptions, fleet: &Fleet, targets: &[Node], rows: &[Row]) -> Vec<String> {
    let masker = fleet.masker();
    let mut lines: Vec<String> = Vec::new();
    for target in targets.iter().filter_map(|target| Shown::of(fleet, &masker, *target)) {
        lines.push(format!("{} ({}), line {}", target.whole(), target.kind, target.line));
    }
    let repositories: BTreeSet<&str> = rows.iter().map(|row| row.what.repository.as_str()).collect();
    lines.push(match (rows.len(), repositories.len()) {
        (0, _) => "nothing is known to use it".to_owned(),
        (n_rows, n) => format!("{n_rows} {} in {n} {}", many(n_rows, "place", "places"), many(n, "repository", "repositories")),
    });
    let mut depth = 0;
    for row in &rows[..options.question.shown(rows.len())] {
        if row.depth != depth && options.depth > 1 {
            depth = row.depth;
            lines.push(format!("{depth} {}:", many(depth as usize, "step", "steps")));
        }
        let Row { what, uses, through, .. } = row;
        let around = if what.local().is_empty() { String::new() } else { format!(" {}", what.local()) };
        lines.push(format!("  {}/{}:{}{around} {uses} {through}", what.repository, what.path, what.line));
    }
    lines.extend(options.question.rest(rows.len(), "places"));
    lines
}

const fn many(n: usize, one: &'static str, several: &'static str) -> &'static str {
    if n == 1 { one } else { several }
}
