//! `activate fleet impact` and `callers`: what uses a definition, in all repositories.

use super::super::{Command, Outcome, Terminal, options_of};
use super::answer::{Answer, Row, Shown, n_shown};
use super::opened::Opened;
use super::question::QuestionOptions;
use super::workers::WorkerOptions;
use clap::Args;
use error::Result;
use fleet::{Impact, Node, Shards, UseKind, Way, Workers, find, impact, importers, lines_of_users, unsure_users};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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
    /// Where else it uses it; by `callers` in the same way.
    other_lines: Vec<u32>,
    /// Whether it is the first of its depth, where depths are told apart.
    #[serde(skip)]
    is_first: bool,
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
    let answer = reached(&opened, &options.target, options.depth, &options.workers.workers()?, options.question.limit())?;
    if options.workers.is_first() { options.question.write(terminal, &opened, &answer) } else { Ok(Outcome::Answered) }
}

/// A place that is reached, of which nothing is read yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    node: Node,
    way: Way,
}

/// What a change of a target reaches within so many uses: so many rows at most, 0 for all.
pub(super) fn reached(opened: &Opened, target: &str, depth: u32, workers: &Workers, limit: usize) -> Result<Answer<Reached>> {
    let shards = &opened.fleet.shards;
    let targets = find(shards, target)?;
    let Impact { reached, problems } = impact(shards, &targets, depth, workers)?;
    let mut lines = LinesOf::default();
    let found = reached.into_iter().filter(|(node, way)| way.depth > 0 && shards.of(node.0).is_some());
    let mut uses: Vec<Use> = found.map(|(node, way)| Use { node, way }).collect();
    if depth == 1 {
        // Of several definitions each has its users.
        let callers: BTreeSet<Node> = uses.iter().map(|of| of.node).collect();
        uses = targets.iter().flat_map(|target| lines.first(shards, *target)).filter(|of| callers.contains(&of.node)).collect();
        // Nothing goes on from an import, and a new name changes it too.
        for target in &targets {
            let import = |(node, line)| Use { node, way: Way { depth, through: *target, line, kind: UseKind::Import } };
            uses.extend(importers(shards, *target).into_iter().map(import));
        }
        // What stands within the target is no use of it. Of Go it is not known which line imports a package of the same repository.
        uses.retain(|of| {
            let is_inner = of.way.kind == UseKind::Import && of.node.0 == of.way.through.0;
            targets.binary_search(&of.node).is_err() && !(is_inner && is_go(path(shards, of.node)))
        });
    }
    // As somebody reads them: file by file, line by line.
    let named = |node: Node| shards.of(node.0).map(|shard| (shard.name.as_str(), shard.id(node.1)));
    let order = |of: &Use| {
        let (repository, id) = named(of.node).unwrap_or_default();
        let path = id.split('#').next().unwrap_or(id);
        (of.way.depth, repository, path, of.way.line, id, named(of.way.through))
    };
    uses.sort_by(|one, other| order(one).cmp(&order(other)));
    let mut rows: Vec<Reached> = Vec::new();
    for of in &uses[..n_shown(uses.len(), limit)] {
        let Use { node, way } = *of;
        let (Some(mut what), Some(through)) = (Shown::of(opened, node), Shown::of(opened, way.through)) else { continue };
        what.line = way.line;
        let other_lines = match way.kind {
            UseKind::Import => Vec::new(),
            kind => lines.others(shards, *of, (depth == 1).then_some(kind)),
        };
        let is_first = depth > 1 && rows.last().is_none_or(|row| row.depth != way.depth);
        rows.push(Reached {
            depth: way.depth,
            what,
            uses: way.kind.word(),
            through: named_through(&through, way.kind),
            other_lines,
            is_first,
        });
    }
    let about = targets.iter().take(n_shown(targets.len(), limit)).filter_map(|target| Shown::of(opened, *target));
    let about = about.map(|target| format!("{} ({}), line {}", target.whole(), target.kind, target.line)).collect();
    let repositories: BTreeSet<u64> = uses.iter().map(|of| of.node.0).collect();
    let mut unsure: BTreeSet<(Node, u32)> = targets.iter().flat_map(|target| unsure_users(shards, *target)).collect();
    let known: BTreeSet<(u64, &str, u32)> = targets.iter().flat_map(|target| lines.known(shards, *target)).collect();
    unsure.retain(|(from, line)| !targets.contains(from) && !known.contains(&(from.0, path(shards, *from), *line)));
    let unsure = match unsure.len() {
        0 => None,
        n => Some(format!("{n} more {} may mean it or something else", many(n, "line", "lines"))),
    };
    let (n_rows, n) = (uses.len(), repositories.len());
    let places: BTreeSet<Node> = uses.iter().map(|of| of.node).collect();
    let noun = if places.len() < n_rows { "uses" } else { "places" };
    let what = if n_rows == 1 { noun.trim_end_matches('s') } else { noun };
    let sum = match (n_rows, &unsure) {
        (0, None) => "nothing is known to use it".to_owned(),
        (0, Some(_)) => "no use of it is sure".to_owned(),
        _ => format!("{n_rows} {what} in {n} {}", many(n, "repository", "repositories")),
    };
    Ok(Answer { about, n_about: targets.len(), sum: Some(sum), beside: unsure, n_rows, rows, noun, problems })
}

/// The lines on which definitions are used, by definition and by who uses it; read when they are first asked for.
#[derive(Default)]
struct LinesOf(BTreeMap<Node, BTreeMap<Node, BTreeMap<u32, UseKind>>>);

impl LinesOf {
    fn of(&mut self, shards: &Shards, target: Node) -> &BTreeMap<Node, BTreeMap<u32, UseKind>> {
        self.0.entry(target).or_insert_with(|| lines_of_users(shards, target))
    }

    /// The first use of each kind of a target by each of its users.
    fn first(&mut self, shards: &Shards, target: Node) -> Vec<Use> {
        let mut first: BTreeMap<(Node, UseKind), u32> = BTreeMap::new();
        for (node, lines) in self.of(shards, target) {
            for (line, kind) in lines {
                first.entry((*node, *kind)).or_insert(*line);
            }
        }
        let of = |((node, kind), line)| Use { node, way: Way { depth: 1, through: target, line, kind } };
        first.into_iter().map(of).collect()
    }

    /// The lines on which a target is known to be used, by repository and path.
    fn known<'s>(&mut self, shards: &'s Shards, target: Node) -> BTreeSet<(u64, &'s str, u32)> {
        let users = self.of(shards, target).iter();
        users.flat_map(|(user, lines)| lines.keys().map(|line| (user.0, path(shards, *user), *line))).collect()
    }

    /// The other lines on which somebody uses the same, of one kind or of all.
    fn others(&mut self, shards: &Shards, of: Use, kind: Option<UseKind>) -> Vec<u32> {
        let lines = self.of(shards, of.way.through).get(&of.node).into_iter().flatten();
        let others = lines.filter(|(line, of_line)| **line != of.way.line && kind.is_none_or(|kind| **of_line == kind));
        others.map(|(line, _)| *line).collect()
    }
}

fn is_go(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "go")
}

/// What is used, as a row names it. What imports a package of Go means its folder, which stands behind its first file.
fn named_through(through: &Shown, kind: UseKind) -> String {
    let is_package = kind == UseKind::Import && through.local().is_empty() && is_go(&through.path);
    let folder = through.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    match (is_package, folder) {
        (false, _) => through.whole(),
        (true, "") => through.repository.clone(),
        (true, folder) => format!("{}/{folder}", through.repository),
    }
}

/// The path of the file of a node within its repository.
fn path(shards: &Shards, node: Node) -> &str {
    let id = shards.of(node.0).map_or("", |shard| shard.id(node.1));
    id.split('#').next().unwrap_or(id)
}

const fn many(n: usize, one: &'static str, several: &'static str) -> &'static str {
    if n == 1 { one } else { several }
}
