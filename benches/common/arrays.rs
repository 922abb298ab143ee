//! Links of a graph in flat rows, from both ends, as relations of numbers that questions are asked about.

use activate_rules::atoms::NodeId;
use activate_rules::context::Graph;
use activate_rules::links::LinkKind;
use query::{Column, Facts, Flow, Relation, Value, Words};
use std::borrow::Cow;

const LINK: &[Column] = &[Column::number("from"), Column::number("to")];

const RELATIONS: [Relation; 2] = [
    Relation { name: "calls", columns: LINK, says: "from calls to" },
    Relation { name: "imports", columns: LINK, says: "from imports to" },
];

/// For each node those that it is linked to, one behind the other.
pub(crate) struct Ends {
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl Ends {
    fn of(n_nodes: u32, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let starts = (0..=n_nodes).map(|node| pairs.partition_point(|pair| pair.0 < node) as u32).collect();
        Self { starts, nodes: pairs.iter().map(|pair| pair.1).collect() }
    }

    /// Those of one node; none for a number that is no node.
    pub(crate) fn row(&self, node: u32) -> &[u32] {
        match self.starts.get(node as usize..).unwrap_or_default() {
            [start, end, ..] => &self.nodes[*start as usize..*end as usize],
            _ => &[],
        }
    }
}

/// Links of one kind.
pub(crate) struct Links {
    pub(crate) onward: Ends,
    pub(crate) back: Ends,
}

impl Links {
    fn of(graph: &Graph<'_>, n_nodes: u32, kind: LinkKind) -> Self {
        let row = |from: u32| graph.row(NodeId(from)).filter(|(_, link)| link.kind() == kind).map(move |(to, _)| (from, to.0));
        let pairs: Vec<(u32, u32)> = (0..n_nodes).flat_map(row).collect();
        let back = pairs.iter().map(|(from, to)| (*to, *from)).collect();
        Self { onward: Ends::of(n_nodes, pairs), back: Ends::of(n_nodes, back) }
    }

    /// All of them.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let n_nodes = self.onward.starts.len() as u32 - 1;
        (0..n_nodes).flat_map(|from| self.onward.row(from).iter().map(move |to| (from, *to)))
    }
}

/// The links of a graph.
pub(crate) struct Arrays {
    pub(crate) calls: Links,
    pub(crate) imports: Links,
}

impl Arrays {
    /// Those that a graph has.
    pub(crate) fn of(graph: &Graph<'_>) -> Self {
        let n_nodes = graph.links.starts.len() as u32 - 1;
        Self { calls: Links::of(graph, n_nodes, LinkKind::Calls), imports: Links::of(graph, n_nodes, LinkKind::Imports) }
    }

    /// The node that most others call, of those that at most so many do.
    pub(crate) fn called(&self, at_most: usize) -> u32 {
        let n_nodes = self.calls.back.starts.len() as u32 - 1;
        let n_callers = |node: &u32| self.calls.back.row(*node).len();
        (0..n_nodes).filter(|node| n_callers(node) <= at_most).max_by_key(n_callers).unwrap_or_default()
    }

    fn links(&self, relation: usize) -> &Links {
        [&self.calls, &self.imports][relation]
    }
}

impl Facts for Arrays {
    fn relations(&self) -> &[Relation] {
        &RELATIONS
    }

    fn finds(&self, _: usize, bound: &[bool]) -> bool {
        bound.contains(&true)
    }

    fn rows(&self, relation: usize, bound: &[Option<Value>], _: &Words, take: &mut dyn FnMut(&[Value]) -> Flow) -> Flow {
        let links = self.links(relation);
        match (bound[0], bound[1]) {
            (Some(from), Some(to)) => {
                let is_there = links.onward.row(from).binary_search(&to).is_ok();
                if is_there { take(&[from, to]) } else { Flow::Continue(()) }
            }
            (Some(from), None) => links.onward.row(from).iter().try_for_each(|to| take(&[from, *to])),
            (None, Some(to)) => links.back.row(to).iter().try_for_each(|from| take(&[*from, to])),
            (None, None) => links.pairs().try_for_each(|(from, to)| take(&[from, to])),
        }
    }

    fn n_rows(&self, relation: usize) -> usize {
        self.links(relation).onward.nodes.len()
    }

    fn node(&self, _: &str) -> Option<Value> {
        None
    }

    fn missing(&self, _: &str, _: &Words) -> Value {
        Value::MAX
    }

    fn node_text(&self, _: Value) -> Cow<'_, str> {
        "".into()
    }

    fn like(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}
