//! `activate fleet impact` and `callers`: what uses a definition, in all repositories.

use super::super::{Command, Outcome, Terminal, options_of};
use super::answer::{Answer, Row, Shown};
use super::opened::Opened;
use super::question::QuestionOptions;
use super::workers::WorkerOptions;
use clap::Args;
use error::Result;
use fleet::{Node, UseKind, Workers, find, impact, importers, lines_of_users};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

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
A TARGET as for `activate fleet impact`, of which this is the first step, with the lines that import it.

Example:
    activate fleet callers 'example.org/kit/client#Client.Get'",
    options: CallersOptions::augment_args,
    run: |matches, terminal| {
        let CallersOptions { target, workers, question } = options_of(matches)?;
        run(&ImpactOptions { target, depth: 1, workers, question }, terminal)
    },
};

/// Uses on the way where nobody says how many, and the most.
pub(super) const DEPTH: u32 = 3;
pub(super) const MAX_DEPTH: i64 = 64;

/// The most other lines that a row shows as text.
const MAX_LINES: usize = 20;

#[derive(Debug, Args)]
struct ImpactOptions {
    /// What changes
    #[arg(value_name = "TARGET")]
    target: String,
    /// The most uses on the way
    #[arg(long, value_name = "N", default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH))]
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
pub(super) struct Reached {
    depth: u32,
    #[serde(flatten)]
    what: Shown,
    uses: &'static str,
    through: String,
    /// Where else it uses it.
    other_lines: Vec<u32>,
    /// Whether it is the first of its depth, where depths are told apart.
    #[serde(skip)]
    is_first: bool,
}

impl Reached {
    fn order(&self) -> (u32, &str, &str, u32, &str, &str) {
        let Shown { repository, id, path, line, .. } = &self.what;
        (self.depth, repository, path, *line, id, &self.through)
    }
}

impl Row for Reached {
    fn line(&self) -> String {
        let Self { what, uses, through, other_lines, .. } = self;
        let around = if what.local().is_empty() { String::new() } else { format!(" {}", what.local()) };
        let shown: Vec<String> = other_lines.iter().take(MAX_LINES).map(u32::to_string).collect();
        let more = match other_lines.len() {
            0 => String::new(),
            n if n > MAX_LINES => format!(", also in lines {} and {} more", shown.join(", "), n - MAX_LINES),
            n => format!(", also in {} {}", many(n, "line", "lines"), shown.join(", ")),
        };
        format!("  {}/{}:{}{around} {uses} {through}{more}", what.repository, what.path, what.line)
    }

    fn heading(&self) -> Option<String> {
        self.is_first.then(|| format!("{} {}:", self.depth, many(self.depth as usize, "step", "steps")))
    }
}

fn run(options: &ImpactOptions, terminal: &Terminal) -> Result<Outcome> {
    let opened = options.question.fleet.open(terminal)?;
    let answer = reached(&opened, &options.target, options.depth, &options.workers.workers()?)?;
    if options.workers.is_first() { options.question.write(terminal, &opened, &answer) } else { Ok(Outcome::Answered) }
}

/// What a change of a target reaches within so many uses.
pub(super) fn reached(opened: &Opened, target: &str, depth: u32, workers: &Workers) -> Result<Answer<Reached>> {
    let targets = find(&opened.fleet.shards, target)?;
    let found = impact(&opened.fleet.shards, &targets, depth, workers)?;
    let mut rows: Vec<Reached> = Vec::new();
    let mut lines: BTreeMap<Node, BTreeMap<Node, BTreeSet<u32>>> = BTreeMap::new();
    for (node, way) in found.iter().filter(|(_, way)| way.depth > 0) {
        let users = lines.entry(way.through).or_insert_with(|| lines_of_users(&opened.fleet.shards, way.through));
        let (Some(mut what), Some(through)) = (Shown::of(opened, *node), Shown::of(opened, way.through)) else { continue };
        what.line = way.line;
        let other_lines = users.get(node).into_iter().flatten().copied().filter(|line| *line != way.line).collect();
        rows.push(Reached {
            depth: way.depth,
            what,
            uses: way.kind.word(),
            through: through.whole(),
            other_lines,
            is_first: false,
        });
    }
    // Nothing goes on from an import, and a new name changes it too.
    let imports = targets.iter().filter(|_| depth == 1).flat_map(|target| {
        let importers = importers(&opened.fleet.shards, *target);
        importers.into_iter().map(move |(from, line)| (*target, from, line))
    });
    for (target, from, line) in imports {
        let (Some(mut what), Some(through)) = (Shown::of(opened, from), Shown::of(opened, target)) else { continue };
        what.line = line;
        let (uses, through) = (UseKind::Import.word(), through.whole());
        rows.push(Reached { depth: 1, what, uses, through, other_lines: Vec::new(), is_first: false });
    }
    // As somebody reads them: file by file, line by line.
    rows.sort_by(|one, other| one.order().cmp(&other.order()));
    let mut last = 0;
    for row in rows.iter_mut().filter(|_| depth > 1) {
        row.is_first = row.depth != last;
        last = row.depth;
    }
    let about = targets.iter().filter_map(|target| Shown::of(opened, *target));
    let about = about.map(|target| format!("{} ({}), line {}", target.whole(), target.kind, target.line)).collect();
    let repositories: BTreeSet<&str> = rows.iter().map(|row| row.what.repository.as_str()).collect();
    let sum = match (rows.len(), repositories.len()) {
        (0, _) => "nothing is known to use it".to_owned(),
        (n_rows, n) => format!("{n_rows} {} in {n} {}", many(n_rows, "place", "places"), many(n, "repository", "repositories")),
    };
    Ok(Answer { about, sum: Some(sum), rows, noun: "places", problems: Vec::new() })
}

const fn many(n: usize, one: &'static str, several: &'static str) -> &'static str {
    if n == 1 { one } else { several }
}
