//! What a change reaches in all repositories, as a dataflow over the tables of the shards: nothing is loaded but what is on the way.
//!
//! ```text
//! reached(n, 0)     :- asked(n).
//! reached(m, d + 1) :- reached(n, d), uses(m, n), d < depth.     inside of a shard, or between two
//! ```
//!
//! The least depth counts; of several ways of the same depth the first in the order of repositories, nodes and lines.

use crate::rules::{Node, UseKind};
use crate::run::Workers;
use crate::shards::{Shard, Shards, Shared};
use differential_dataflow::input::Input as _;
use differential_dataflow::operators::Iterate as _;
use differential_dataflow::{AsCollection as _, consolidation};
use error::Result;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
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
fn users(shards: &Shards, node: Node) -> impl Iterator<Item = (Node, u32, UseKind)> {
    named_by(shards, node).filter(|(.., kind)| *kind != UseKind::Import)
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

/// The lines on which each of its users uses a node, in order.
pub fn lines_of_users(shards: &Shards, node: Node) -> BTreeMap<Node, BTreeSet<u32>> {
    let mut lines: BTreeMap<Node, BTreeSet<u32>> = BTreeMap::new();
    for (from, line, _) in users(shards, node) {
        lines.entry(from).or_default().insert(line);
    }
    lines
}

/// Everything that a change of some nodes reaches within so many uses, by repository and node; on the first of several processes.
///
/// # Errors
///
/// [`ErrorKind::Storage`](error::ErrorKind::Storage) where the workers cannot begin, or a worker or another process ends early;
/// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) where another process has another question.
pub fn impact(shards: &Shared, asked: &[Node], depth: u32, workers: &Workers) -> Result<Vec<(Node, Way)>> {
    let (shards, asked) = (Arc::clone(shards), asked.to_vec());
    let key = xxh3_64(format!("impact {} {asked:?} {depth}", shards.stands_for()).as_bytes());
    let found = workers.run(key, move |worker, ended| {
        let found = Rc::<RefCell<Vec<((Node, Way), isize)>>>::default();
        let (out, shards) = (Rc::clone(&found), Arc::clone(&shards));
        let mut input = worker.dataflow::<u32, _, _>(|scope| {
            let (input, asked) = scope.new_collection::<(Node, Way), isize>();
            let reached = asked.clone().iterate(|inner_scope, reached| {
                let asked = asked.enter(inner_scope);
                // One worker opens the tables of a shard, whoever asks for it.
                let at_home = reached.inner.exchange(|((node, _), _, _)| node.0).as_collection();
                let further = at_home.flat_map(move |(node, way): (Node, Way)| {
                    let next: Vec<_> = if way.depth < depth { users(&shards, node).collect() } else { Vec::new() };
                    next.into_iter()
                        .map(move |(from, line, kind)| (from, Way { depth: way.depth + 1, through: node, line, kind }))
                });
                further.concat(asked).reduce(|_, ways, out| out.push((*ways[0].0, 1)))
            });
            let all = reached.inner.exchange(|_| 0).as_collection();
            all.inspect(move |(row, _, diff)| out.borrow_mut().push((*row, *diff)));
            input
        });
        if worker.index() == 0 {
            for node in &asked {
                input.insert((*node, Way { depth: 0, through: *node, line: 0, kind: UseKind::Reference }));
            }
        }
        input.close();
        ended.finish(worker);
        let mut found = std::mem::take(&mut *found.borrow_mut());
        consolidation::consolidate(&mut found);
        found
    })?;
    let mut all: Vec<(Node, Way)> = found.into_iter().flatten().map(|(row, _)| row).collect();
    all.sort_unstable_by_key(|(node, way)| (*node, *way));
    Ok(all)
}
