//! What the rules look up instead of loading: links, tests and containment of the whole repository, and the strength of every link.
//!
//! Nothing here changes during a run, since the rules take it for fact, but for the pruning table, which only ever saves work. Nothing here
//! costs time in the size of the repository.

use crate::atoms::{Hops, Millionths, NodeId};
use crate::best::PruningTable;
use crate::links::{Confidence, KINDS, LinkAttribute, LinkTable, Rows, row_range};
use crate::weights::Weights;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// The parts of a repository that do not depend on the task, as flat arrays.
#[derive(Debug, Clone, Copy, Default)]
pub struct Graph<'a> {
    /// All links in both directions.
    pub links: LinkTable<'a>,
    /// Links that are added for one task, both directions, sorted: who changed with whom, and what rules of the user say.
    pub added: &'a [(NodeId, NodeId, LinkAttribute)],
    /// The tests of each node.
    pub tests: Rows<'a>,
    /// Tests that rules of the user add for one task, each behind what it tests, sorted.
    pub added_tests: &'a [(NodeId, NodeId)],
    /// The file of each symbol; every other node stands for itself, as does one past the end.
    pub file_of: &'a [u32],
    /// Where the symbols of each file start: those of file `n` are the nodes `member_starts[n]..member_starts[n + 1]`.
    pub member_starts: &'a [u32],
}

impl<'a> Graph<'a> {
    /// The links out of `from`, those of the code before those that are added.
    pub fn row(&self, from: NodeId) -> impl Iterator<Item = (NodeId, LinkAttribute)> + use<'a> {
        let added = part(self.added, |row| row.0, from);
        self.links.row(from).chain(added.iter().map(|&(_, to, link)| (to, link)))
    }
}

/// The rows about a node in a list that is sorted by node.
fn part<T>(rows: &[T], node_of: impl Fn(&T) -> NodeId, node: NodeId) -> &[T] {
    let start = rows.partition_point(|row| node_of(row) < node);
    let length = rows[start..].partition_point(|row| node_of(row) == node);
    &rows[start..start + length]
}

/// A graph with the numbers of one run.
#[derive(Debug)]
pub struct PolicyContext<'a> {
    /// The repository.
    pub graph: Graph<'a>,
    /// The numbers of the policy.
    pub weights: &'a Weights,
    /// The most links between a seed and what it reaches.
    pub depth: Hops,
    /// The strength of each kind of link at each confidence, without damping.
    strengths: [[Millionths; Confidence::ALL.len()]; KINDS.len()],
}

impl<'a> PolicyContext<'a> {
    /// Prepares a run over `graph`; `depth` is usually `weights.depth`.
    pub fn new(graph: Graph<'a>, weights: &'a Weights, depth: Hops) -> Self {
        let strengths = KINDS.map(|row| {
            let weight = (row.weight)(&weights.links);
            std::array::from_fn(|level| {
                let confidence = Confidence::ALL[level];
                weight.times(weights.confidence.of(confidence)).divided_by(confidence.n_candidates())
            })
        });
        Self { graph, weights, depth, strengths }
    }

    /// What a link passes on: weight x confidence / candidates / damping.
    pub fn strength(&self, link: LinkAttribute) -> Millionths {
        link.damped(self.strengths[link.kind_index()][link.confidence_index()])
    }

    /// Where the links out of `from` lead, and how strong each is.
    pub fn links(&self, from: NodeId) -> impl Iterator<Item = (NodeId, Millionths)> {
        self.graph.row(from).map(|(to, link)| (to, self.strength(link)))
    }

    /// Whether `node` is a package from outside: these follow the symbols.
    pub fn is_outside(&self, node: NodeId) -> bool {
        self.graph.member_starts.last().is_some_and(|&end| node.0 >= end)
    }

    /// The tests of `subject`.
    pub fn tests_of(&self, subject: NodeId) -> impl Iterator<Item = NodeId> + 'a {
        let added = part(self.graph.added_tests, |row| row.0, subject);
        self.graph.tests.row(subject).chain(added.iter().map(|&(_, test)| test))
    }

    /// The file that `node` stands in; a file stands in itself.
    pub fn file_of(&self, node: NodeId) -> NodeId {
        self.graph.file_of.get(node.0 as usize).map_or(node, |&file| NodeId(file))
    }

    /// The file that holds `symbol`; none for a file, which nothing holds.
    pub fn holder(&self, symbol: NodeId) -> Option<NodeId> {
        // The second test keeps a damaged table from forming chains, along which scores would climb.
        Some(self.file_of(symbol)).filter(|&file| file != symbol && self.file_of(file) == file)
    }

    /// The symbols of `file`.
    pub fn members_of(&self, file: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
        let members = row_range(self.graph.member_starts, file).unwrap_or_default();
        let n_nodes = self.graph.file_of.len();
        (members.start.min(n_nodes)..members.end.min(n_nodes)).map(|node| NodeId(node as u32))
    }
}

/// The context while the rules run.
#[derive(Debug)]
pub struct RunContext<'a> {
    /// What does not change.
    pub policy: &'a PolicyContext<'a>,
    /// The greatest energies so far.
    pub best: &'a PruningTable,
}

impl<'a> Deref for RunContext<'a> {
    type Target = PolicyContext<'a>;

    fn deref(&self) -> &PolicyContext<'a> {
        self.policy
    }
}

/// A borrowed value that a relation can hold: equal to itself alone.
#[derive(Debug)]
pub struct ByAddress<'a, T>(pub &'a T);

// By hand, since deriving these would ask the same of `T`.
impl<T> Clone for ByAddress<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ByAddress<'_, T> {}

impl<T> PartialEq for ByAddress<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl<T> Eq for ByAddress<'_, T> {}

impl<T> Hash for ByAddress<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

impl<T> Deref for ByAddress<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}
