//! What a change reaches in all repositories, as a dataflow over the tables of the shards: nothing is loaded but what is on the way.
//!
//! ```text
//! reached(n, 0)     :- asked(n).
//! reached(m, d + 1) :- reached(n, d), uses(m, n), d < depth.     inside of a shard, or between two
//! ```
//!
//! The least depth counts; of several ways of the same depth the first in the order of repositories, nodes and lines.

use crate::left_out::{LeftOut, Telling};
use crate::rules::{Link, Node, UseKind};
use crate::run::{PAUSE, Workers};
use crate::shards::{Shard, Shards, Shared};
use differential_dataflow::input::Input as _;
use differential_dataflow::operators::Iterate as _;
use differential_dataflow::{AsCollection as _, consolidation};
use error::{Problem, Result};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use timely::dataflow::ProbeHandle;
use timely::dataflow::operators::Exchange as _;
use xxhash_rust::xxh3::xxh3_64;

/// How something is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Way {
    /// How many uses there are on the way.
    pub depth: u32,
    /// What it uses.
    pub through: Node,
    /// The line of the use.
    pub line: u32,
    /// What the use does.
    pub kind: UseKind,
}

/// What uses a node, in its own repository and in others, each with the line and what it does. What only imports it is none of these.
/// Where a definition uses it, its file is not told to mention it on the same line.
fn users(shards: &Shards, node: Node) -> impl Iterator<Item = (Node, u32, UseKind)> {
    let id = |node: Node| shards.of(node.0).map_or("", |shard| shard.id(node.1));
    let mut users: Vec<(Node, u32, UseKind)> = named_by(shards, node).filter(|(.., kind)| *kind != UseKind::Import).collect();
    let mentions = users.iter().filter(|(.., kind)| *kind == UseKind::Reference).map(|(from, ..)| (from.0, id(*from)));
    let files: BTreeSet<(u64, &str)> = mentions.filter(|(_, id)| !id.contains('#')).collect();
    if !files.is_empty() {
        let inside = users.iter().filter_map(|(from, line, _)| Some((from.0, id(*from).split_once('#')?.0, *line)));
        let told: BTreeSet<_> = inside.filter(|(repository, path, _)| files.contains(&(*repository, *path))).collect();
        users.retain(|(from, line, kind)| *kind != UseKind::Reference || !told.contains(&(from.0, id(*from), *line)));
    }
    users.into_iter()
}

/// What names a node.
fn named_by(shards: &Shards, node: Node) -> impl Iterator<Item = (Node, u32, UseKind)> {
    shards.of(node.0).into_iter().flat_map(move |shard| named_in(shards, shard, node))
}

fn named_in<'s>(shards: &'s Shards, shard: &'s Shard, node: Node) -> impl Iterator<Item = (Node, u32, UseKind)> + 's {
    let inner = shard.links_to(node.1).filter(|(.., is_sure)| *is_sure);
    let inner = inner.filter_map(move |(from, line, kind, _)| Some(((node.0, from), line, UseKind::of(kind)?)));
    // Who may see a repository and not another never hears of the other.
    let between = shards.links.to(node).filter(|link| link.n_meant == 1 && shards.of(link.of.from.0).is_some());
    let between = between.map(|link| (link.of.from, link.of.line, link.of.kind));
    inner.chain(between).filter(move |(from, ..)| *from != node)
}

/// The lines on which others import a node, in order.
pub fn importers(shards: &Shards, node: Node) -> BTreeSet<(Node, u32)> {
    let imports = named_by(shards, node).filter(|(.., kind)| *kind == UseKind::Import);
    imports.map(|(from, line, _)| (from, line)).collect()
}

/// The lines on which each of its users uses a node, in order, each with what is done there.
pub fn lines_of_users(shards: &Shards, node: Node) -> BTreeMap<Node, BTreeMap<u32, UseKind>> {
    let mut lines: BTreeMap<Node, BTreeMap<u32, UseKind>> = BTreeMap::new();
    for (from, line, kind) in users(shards, node) {
        let known = lines.entry(from).or_default().entry(line).or_insert(kind);
        *known = kind.min(*known);
    }
    lines
}

/// The lines that may use a node or something else that the reader may see: nobody can tell which.
pub fn unsure_users(shards: &Shards, node: Node) -> BTreeSet<(Node, u32)> {
    let inner = shards.of(node.0).into_iter().flat_map(|shard| shard.links_to(node.1)).filter(|(.., is_sure)| !is_sure);
    let inner = inner.filter_map(|(from, line, kind, _)| Some(((node.0, from), line, UseKind::of(kind)?)));
    let sees = |node: Node| shards.of(node.0).is_some();
    // Who sees one of several that may be meant never hears that there are others.
    let is_told = |link: &Link| {
        let others = || shards.links.from(link.of.from).filter(|other| other.of == link.of && other.to != node);
        link.n_meant > 1 && sees(link.of.from) && others().any(|other| sees(other.to))
    };
    let between = shards.links.to(node).filter(is_told).map(|link| (link.of.from, link.of.line, link.of.kind));
    let uses = inner.chain(between).filter(|(from, _, kind)| *from != node && *kind != UseKind::Import);
    uses.map(|(from, line, _)| (from, line)).collect()
}

/// What a change reaches.
#[derive(Debug, Default)]
pub struct Impact {
    /// By repository and node.
    pub reached: Vec<(Node, Way)>,
    /// What other processes could not read: the answer lacks what is in it.
    pub problems: Vec<Problem>,
}

/// Everything that a change of some nodes reaches within so many uses; on the first of several processes.
///
/// # Errors
///
/// [`ErrorKind::Storage`](error::ErrorKind::Storage) where the workers cannot begin, or a worker or another process ends early;
/// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) where another process has another question.
pub fn impact(shards: &Shared, asked: &[Node], depth: u32, workers: &Workers) -> Result<Impact> {
    let (shards, asked) = (Arc::clone(shards), asked.to_vec());
    let key = xxh3_64(format!("impact {} {asked:?} {depth}", shards.stands_for()).as_bytes());
    let n_threads = workers.n_threads.max(1);
    let found = workers.run(key, move |worker, ended| {
        let probe = ProbeHandle::new();
        let found = Rc::<RefCell<Vec<((Node, Way), isize)>>>::default();
        let (out, read) = (Rc::clone(&found), Arc::clone(&shards));
        let mut input = worker.dataflow::<u32, _, _>(|scope| {
            let (input, asked) = scope.new_collection::<(Node, Way), isize>();
            let reached = asked.clone().iterate(|inner_scope, reached| {
                let asked = asked.enter(inner_scope);
                // One worker opens the tables of a shard, whoever asks for it.
                let at_home = reached.inner.exchange(|((node, _), _, _)| node.0).as_collection();
                let further = at_home.flat_map(move |(node, way): (Node, Way)| {
                    let next: Vec<_> = if way.depth < depth { users(&read, node).collect() } else { Vec::new() };
                    next.into_iter()
                        .map(move |(from, line, kind)| (from, Way { depth: way.depth + 1, through: node, line, kind }))
                });
                further.concat(asked).reduce(|_, ways, out| out.push((*ways[0].0, 1)))
            });
            let all = reached.inner.exchange(|_| 0).as_collection();
            all.inspect(move |(row, _, diff)| out.borrow_mut().push((*row, *diff))).probe_with(&probe);
            input
        });
        let mut telling = Telling::new(worker);
        if worker.index() == 0 {
            for node in &asked {
                input.insert((*node, Way { depth: 0, through: *node, line: 0, kind: UseKind::Reference }));
            }
        }
        input.close();
        worker.step_or_park_while(Some(PAUSE), || !probe.done() && !ended.is_so());
        // What the first process could not read it knows; each of the others tells it once.
        let process = worker.index() / n_threads;
        if process > 0 && worker.index() % n_threads == 0 {
            for problem in shards.problems() {
                telling.tell((format!("process {process}"), false, problem.message));
            }
        }
        let lacks = telling.heard(worker, ended);
        let mut found = std::mem::take(&mut *found.borrow_mut());
        consolidation::consolidate(&mut found);
        (found, lacks)
    })?;
    let (rows, lacks): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let mut reached: Vec<(Node, Way)> = rows.into_iter().flatten().map(|(row, _)| row).collect();
    reached.sort_unstable_by_key(|(node, way)| (*node, *way));
    Ok(Impact { reached, problems: LeftOut::of(lacks.iter().flatten()).problems })
}
