//! The links of a fact base as a graph that petgraph's algorithms can walk, without a copy.
//!
//! Must not know scores or the task: which links there are and how strong they are is all.

use activate_rules::atoms::{Millionths, NodeId};
use activate_rules::context::PolicyContext;
use activate_rules::links::{LinkAttribute, LinkKind, LinkTable};
use index::base::FactBase;
use petgraph::Directed;
use petgraph::algo::{astar, kosaraju_scc};
use petgraph::visit::{
    Data, EdgeRef, GraphBase, GraphProp, GraphRef, IntoEdgeReferences, IntoEdges, IntoNeighbors, IntoNeighborsDirected,
    IntoNodeIdentifiers, NodeCompactIndexable, NodeCount, NodeIndexable, VisitMap, Visitable,
};
use std::iter::Map;
use std::ops::Range;

/// A set of link kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindSet(u16);

impl KindSet {
    /// Every kind.
    pub const ALL: Self = Self(u16::MAX);

    /// The set of these kinds.
    pub const fn of(kinds: &[LinkKind]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < kinds.len() {
            bits |= 1 << kinds[at] as u16;
            at += 1;
        }
        Self(bits)
    }

    /// Whether the kind is in the set.
    pub const fn has(self, kind: LinkKind) -> bool {
        self.0 & (1 << kind as u16) != 0
    }

    /// The same relations seen from their other ends.
    fn reversed(self) -> Self {
        LinkKind::ALL
            .iter()
            .filter(|kind| self.has(**kind))
            .fold(Self(0), |set, kind| Self(set.0 | Self::of(&[kind.reverse()]).0))
    }
}

/// The links of some kinds among the first nodes of a fact base.
///
/// Every link stands in the table in both directions, so that the links into a node are its row in the reversed kinds.
#[derive(Debug, Clone, Copy)]
pub struct CodeGraph<'a> {
    links: LinkTable<'a>,
    kinds: KindSet,
    n_nodes: u32,
}

/// A link with its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// Where it starts.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// What it says.
    pub attribute: LinkAttribute,
}

/// The relation of which import cycles consist.
const IMPORTS: KindSet = KindSet::of(&[LinkKind::Imports]);

impl<'a> CodeGraph<'a> {
    /// The links of some kinds among all nodes.
    pub fn new(base: &'a FactBase, kinds: KindSet) -> Self {
        Self { links: base.links(), kinds, n_nodes: base.n_nodes() }
    }

    /// The imports among files.
    pub fn imports(base: &'a FactBase) -> Self {
        Self { links: base.links(), kinds: IMPORTS, n_nodes: base.n_files() }
    }

    /// Groups of nodes of which each leads to every other, by their first node, each in path order; lone nodes are left out.
    pub fn cycles(self) -> Vec<Vec<NodeId>> {
        let mut cycles = kosaraju_scc(self);
        cycles.retain(|cycle| cycle.len() > 1);
        for cycle in &mut cycles {
            cycle.sort_unstable();
        }
        cycles.sort_unstable();
        cycles
    }

    /// The links of the strongest path between two nodes, as `policy` weighs them; none if there is no path.
    ///
    /// What a path lets through is the product of its links' strengths, so that the sum of their logarithms is made least.
    pub fn strongest_path(self, policy: &PolicyContext<'_>, from: NodeId, to: NodeId) -> Option<Vec<Link>> {
        let cost = |link: Link| resistance(policy.strength(link.attribute));
        if from.0 >= self.n_nodes || to.0 >= self.n_nodes {
            return None;
        }
        let (_, nodes) = astar(self, from, |node| node == to, cost, |_| 0)?;
        let best = |(from, to): (NodeId, NodeId)| self.edges(from).filter(|link| link.to == to).min_by_key(|link| cost(*link));
        nodes.iter().copied().zip(nodes.iter().copied().skip(1)).map(best).collect()
    }

    fn row(self, node: NodeId, kinds: KindSet) -> Row<'a> {
        let at = |row: usize| self.links.starts.get(row).copied().unwrap_or_default() as usize;
        let range = if node.0 < self.n_nodes { at(node.0 as usize)..at(node.0 as usize + 1) } else { 0..0 };
        Row { graph: Self { kinds, ..self }, from: node, range }
    }
}

/// How much a link of this strength holds back: the logarithm of its inverse in thousandths of a bit, and one so that every link counts.
fn resistance(strength: Millionths) -> u64 {
    const BIT: u64 = 1000;
    let inverse = u64::from(Millionths::ONE.get()) * BIT / u64::from(strength.get().max(1));
    // The logarithm in whole bits, then the rest as a straight line between them.
    let bits = inverse.max(BIT) / BIT;
    let power = bits.ilog2();
    1 + u64::from(power) * BIT + (inverse.max(BIT) >> power).saturating_sub(BIT)
}

/// The links out of one node that the graph has.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    graph: CodeGraph<'a>,
    from: NodeId,
    range: Range<usize>,
}

impl Iterator for Row<'_> {
    type Item = Link;

    fn next(&mut self) -> Option<Link> {
        for at in self.range.by_ref() {
            let (Some(&to), Some(&bits)) = (self.graph.links.targets.get(at), self.graph.links.attributes.get(at)) else {
                // A damaged table ends where its columns end.
                self.range = 0..0;
                return None;
            };
            if let Some(attribute) = LinkAttribute::from_bits(bits)
                && self.graph.kinds.has(attribute.kind())
                && to < self.graph.n_nodes
            {
                return Some(Link { from: self.from, to: NodeId(to), attribute });
            }
        }
        None
    }
}

/// The links of all nodes.
#[derive(Debug, Clone)]
pub struct AllLinks<'a> {
    row: Row<'a>,
}

impl Iterator for AllLinks<'_> {
    type Item = Link;

    fn next(&mut self) -> Option<Link> {
        loop {
            if let Some(link) = self.row.next() {
                return Some(link);
            }
            let (graph, next) = (self.row.graph, NodeId(self.row.from.0 + 1));
            if next.0 >= graph.n_nodes {
                return None;
            }
            self.row = graph.row(next, graph.kinds);
        }
    }
}

/// The nodes that a walk has seen.
#[derive(Debug, Clone, Default)]
pub struct Seen(Vec<bool>);

impl VisitMap<NodeId> for Seen {
    fn visit(&mut self, node: NodeId) -> bool {
        self.0.get_mut(node.0 as usize).is_some_and(|seen| !std::mem::replace(seen, true))
    }

    fn is_visited(&self, node: &NodeId) -> bool {
        self.0.get(node.0 as usize).copied().unwrap_or_default()
    }

    fn unvisit(&mut self, node: NodeId) -> bool {
        self.0.get_mut(node.0 as usize).is_some_and(std::mem::take)
    }
}

impl EdgeRef for Link {
    type NodeId = NodeId;
    type EdgeId = (NodeId, NodeId, LinkAttribute);
    type Weight = LinkAttribute;

    fn source(&self) -> NodeId {
        self.from
    }

    fn target(&self) -> NodeId {
        self.to
    }

    fn weight(&self) -> &LinkAttribute {
        &self.attribute
    }

    fn id(&self) -> Self::EdgeId {
        (self.from, self.to, self.attribute)
    }
}

impl GraphBase for CodeGraph<'_> {
    type EdgeId = (NodeId, NodeId, LinkAttribute);
    type NodeId = NodeId;
}

impl GraphRef for CodeGraph<'_> {}

impl Data for CodeGraph<'_> {
    type NodeWeight = ();
    type EdgeWeight = LinkAttribute;
}

impl GraphProp for CodeGraph<'_> {
    type EdgeType = Directed;
}

impl Visitable for CodeGraph<'_> {
    type Map = Seen;

    fn visit_map(&self) -> Seen {
        Seen(vec![false; self.n_nodes as usize])
    }

    fn reset_map(&self, map: &mut Seen) {
        *map = self.visit_map();
    }
}

impl NodeCount for CodeGraph<'_> {
    fn node_count(&self) -> usize {
        self.n_nodes as usize
    }
}

impl NodeIndexable for CodeGraph<'_> {
    fn node_bound(&self) -> usize {
        self.n_nodes as usize
    }

    fn to_index(&self, node: NodeId) -> usize {
        node.0 as usize
    }

    fn from_index(&self, index: usize) -> NodeId {
        NodeId(index as u32)
    }
}

impl NodeCompactIndexable for CodeGraph<'_> {}

impl IntoNodeIdentifiers for CodeGraph<'_> {
    type NodeIdentifiers = Map<Range<u32>, fn(u32) -> NodeId>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        (0..self.n_nodes).map(NodeId)
    }
}

impl<'a> IntoNeighbors for CodeGraph<'a> {
    type Neighbors = Map<Row<'a>, fn(Link) -> NodeId>;

    fn neighbors(self, node: NodeId) -> Self::Neighbors {
        self.row(node, self.kinds).map(|link| link.to)
    }
}

impl<'a> IntoNeighborsDirected for CodeGraph<'a> {
    type NeighborsDirected = Map<Row<'a>, fn(Link) -> NodeId>;

    fn neighbors_directed(self, node: NodeId, direction: petgraph::Direction) -> Self::NeighborsDirected {
        let kinds = if direction == petgraph::Direction::Outgoing { self.kinds } else { self.kinds.reversed() };
        self.row(node, kinds).map(|link| link.to)
    }
}

impl<'a> IntoEdgeReferences for CodeGraph<'a> {
    type EdgeRef = Link;
    type EdgeReferences = AllLinks<'a>;

    fn edge_references(self) -> AllLinks<'a> {
        AllLinks { row: self.row(NodeId(0), self.kinds) }
    }
}

impl<'a> IntoEdges for CodeGraph<'a> {
    type Edges = Row<'a>;

    fn edges(self, node: NodeId) -> Row<'a> {
        self.row(node, self.kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use activate_rules::weights::Weights;
    use index::fixture::base;
    use petgraph::visit::Dfs;

    const RING: &str = "\
//- go.mod
module x.com/ring
//- a/a.go
package a
import \"x.com/ring/b\"
func A() { b.B() }
//- b/b.go
package b
import \"x.com/ring/c\"
func B() { c.C() }
//- c/c.go
package c
import \"x.com/ring/a\"
func C() { a.A() }
//- d/d.go
package d
import \"x.com/ring/a\"
func D() { a.A() }
";

    #[test]
    fn import_cycles_are_found_and_chains_are_none() {
        let base = base(RING);
        let paths = |cycle: &Vec<NodeId>| cycle.iter().map(|node| base.path(*node).to_owned()).collect::<Vec<_>>().join(" ");
        let cycles = CodeGraph::imports(&base).cycles();
        assert_eq!(cycles.iter().map(paths).collect::<Vec<_>>(), ["a/a.go b/b.go c/c.go"]);
        assert!(CodeGraph::new(&base, KindSet::of(&[LinkKind::ImportedBy])).cycles().len() == 1);
    }

    #[test]
    fn the_strongest_path_is_proved_link_by_link() {
        let base = base(RING);
        let weights = Weights::default();
        let policy = PolicyContext::new(base.graph(), &weights, weights.depth);
        let node = |id: &str| base.node_at(id).unwrap();
        let calls = CodeGraph::new(&base, KindSet::of(&[LinkKind::Calls]));
        let path = calls.strongest_path(&policy, node("d/d.go#D"), node("c/c.go#C")).unwrap();
        let steps: Vec<_> = path.iter().map(|link| (base.id(link.from), base.id(link.to))).collect();
        let step = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        assert_eq!(steps, [step("d/d.go#D", "a/a.go#A"), step("a/a.go#A", "b/b.go#B"), step("b/b.go#B", "c/c.go#C")]);
        assert_eq!(calls.strongest_path(&policy, node("a/a.go#A"), node("d/d.go#D")), None);
        assert_eq!(calls.strongest_path(&policy, node("a/a.go"), NodeId(u32::MAX)), None);
        assert!(CodeGraph::new(&base, KindSet::ALL).strongest_path(&policy, node("a/a.go#A"), node("d/d.go#D")).is_some());
    }

    #[test]
    fn walks_of_petgraph_agree_with_the_rows_of_the_table() {
        let base = base(RING);
        let graph = CodeGraph::new(&base, KindSet::ALL);
        let rows: usize = base.files().map(|file| base.links().row(file).count()).sum();
        let from_files = graph.edge_references().filter(|link| base.is_file(link.from)).count();
        assert_eq!(rows, from_files);
        let mut walk = Dfs::new(graph, NodeId(0));
        let mut n_seen = 0;
        while walk.next(graph).is_some() {
            n_seen += 1;
        }
        let n_alone = graph.node_identifiers().filter(|node| graph.neighbors(*node).next().is_none()).count();
        assert_eq!((n_seen, n_alone), (graph.node_count() - 1, 1), "go.mod alone has no links");
    }

    #[test]
    fn weaker_links_hold_back_more() {
        let strengths = [1_000_000, 999_999, 700_000, 500_000, 30_000, 1, 0];
        let resistances = strengths.map(|strength| {
            let part = activate_rules::atoms::Thousandths::ONE.ratio().divided_by(1);
            resistance(
                part.times(Millionths::share(activate_rules::atoms::Energy(strength), activate_rules::atoms::Energy(1_000_000))),
            )
        });
        assert!(resistances.is_sorted(), "{resistances:?}");
        assert_eq!([resistances[0], resistances[3]], [1, 1001]);
    }
}
