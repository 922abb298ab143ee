//! Resolved links and dependencies to the rows that the policy walks.

use super::columns::{Columns, Strings};
use super::{FileInput, Layout};
use crate::base::Column;
use crate::resolve::{Dependency, End, Link, Relation, Resolved, Target};
use crate::serves::{self, Code, Names};
use activate_grammars::facts::{Container, SymbolId};
use activate_rules::links::{Confidence, LinkAttribute, LinkKind, damping};
use rayon::prelude::*;

/// A link in one direction, while rows are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) kind: LinkKind,
    pub(super) to: u32,
    pub(super) confidence: Confidence,
    pub(super) line: u32,
}

/// Adds sites and tests, and gives the links of sites and containers, each in one direction.
pub(super) fn add(
    columns: &mut Columns,
    strings: &mut Strings,
    files: &[FileInput<'_>],
    resolved: &mut Resolved,
    layout: &Layout,
) -> Vec<Edge> {
    let held = contains(files, resolved, layout);
    let served = serves::find(&Code { files, resolved, first_symbol: &layout.first_symbol, names: Names::default() });
    add_routes(columns, strings, &served);
    // Millions of them are made and turned over, so that each list makes room for the next.
    let (links, dependencies) = (std::mem::take(&mut resolved.links), std::mem::take(&mut resolved.dependencies));
    let mut sites: Vec<Edge> = Vec::with_capacity(links.len() + dependencies.len());
    sites.extend(dependencies.into_iter().filter_map(|dependency| of_dependency(&dependency, layout)));
    sites.extend(served.links.iter().map(of_request));
    sites.par_sort_unstable();
    let n_dependencies = sites.len();
    // Links come in the order of nodes.
    sites.extend(links.into_iter().map(|link| of_link(link, layout)));
    sort_rows(&mut sites[n_dependencies..]);
    merge(&mut sites, n_dependencies);
    add_sites(columns, &sites);
    super::tests::add(columns, files, &sites, layout);
    sites.reserve_exact(held.len());
    sites.extend(held);
    sites
}

/// A link of the resolver, between nodes.
pub(super) fn of_link(link: Link, layout: &Layout) -> Edge {
    let from = match link.from {
        End::File(file) => file,
        End::Symbol(place) => layout.symbol(place),
    };
    let kind = kind(link.relation);
    Edge { from, kind, to: layout.symbol(link.to), confidence: link.confidence, line: link.line }
}

/// The kind of link that a relation is.
pub(super) fn kind(relation: Relation) -> LinkKind {
    match relation {
        Relation::Calls => LinkKind::Calls,
        Relation::References => LinkKind::References,
        Relation::Implements => LinkKind::Implements,
        Relation::Extends => LinkKind::Extends,
    }
}

/// A dependency of the resolver, between nodes; none where no node stands for what it leads to.
pub(super) fn of_dependency(dependency: &Dependency, layout: &Layout) -> Option<Edge> {
    let to = match &dependency.to {
        Target::File(file) => *file,
        Target::Package(name) => layout.package(name)?,
    };
    let Dependency { from, confidence, line, .. } = *dependency;
    Some(Edge { from, kind: LinkKind::Imports, to, confidence, line })
}

/// A request and what serves it.
fn of_request(link: &serves::Link) -> Edge {
    let serves::Link { from, line, to, confidence, .. } = *link;
    Edge { from, kind: LinkKind::ServedBy, to, confidence, line }
}

/// Adds the rows of routes and of what asks for them.
fn add_routes(columns: &mut Columns, strings: &mut Strings, found: &serves::Found) {
    for serves::Served { handler, file, line, text } in &found.routes {
        columns.put_u32s(Column::RouteRows, [*handler, *file, *line, strings.add(text)]);
    }
    for serves::Link { from, line, to, text, .. } in &found.links {
        columns.put_u32s(Column::ServedRows, [*from, *line, *to, strings.add(text)]);
    }
    // Columns are there where they are empty, too: they take the place of older ones.
    columns.touch(Column::RouteRows);
    columns.touch(Column::ServedRows);
}

/// The columns that have a number for each site.
pub(super) const SITE_COLUMNS: [Column; 4] = [Column::SiteFrom, Column::SiteLine, Column::SiteTo, Column::SiteAttribute];

/// Adds the rows of sites, which are in order.
pub(super) fn add_sites(columns: &mut Columns, sites: &[Edge]) {
    let attribute = |site: &Edge| LinkAttribute::new(site.kind, site.confidence, 1).bits();
    columns.put_u32s(Column::SiteFrom, sites.iter().map(|site| site.from));
    columns.put_u32s(Column::SiteLine, sites.iter().map(|site| site.line));
    columns.put_u32s(Column::SiteTo, sites.iter().map(|site| site.to));
    columns.put_u32s(Column::SiteAttribute, sites.iter().map(attribute));
}

/// Who holds whom: files their outermost symbols, types their members.
fn contains(files: &[FileInput<'_>], resolved: &Resolved, layout: &Layout) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (number, file) in files.iter().enumerate() {
        for (place, symbol) in file.record.facts.symbols.iter().enumerate() {
            let node = layout.symbol_in(number, SymbolId(place as u32));
            let member_of = resolved.containers.get(layout.first_symbol[number] as usize + place).copied().flatten();
            let from = match (member_of, symbol.container) {
                (Some(of), _) => layout.symbol(of),
                (None, Container::Symbol(around)) => layout.symbol_in(number, around),
                (None, _) => number as u32,
            };
            edges.push(Edge { from, kind: LinkKind::Contains, to: node, confidence: Confidence::Exact, line: symbol.name_line });
        }
    }
    edges
}

impl Edge {
    /// The link as its other end has it.
    pub(super) fn reversed(self) -> Self {
        Self { from: self.to, kind: self.kind.reverse(), to: self.from, ..self }
    }
}

/// Puts links in the order of rows, the surest and first of each kind between two nodes.
pub(super) fn settle(edges: &mut Vec<Edge>) {
    edges.retain(|edge| edge.from != edge.to);
    edges.sort_unstable();
    drop_doubles(edges);
}

/// Keeps the first of each kind between two nodes.
fn drop_doubles(edges: &mut Vec<Edge>) {
    edges.dedup_by(|later, earlier| (later.from, later.kind, later.to) == (earlier.from, earlier.kind, earlier.to));
}

/// Sorts the edges of each node, which stand together.
fn sort_rows(edges: &mut [Edge]) {
    edges.par_chunk_by_mut(|edge, next| edge.from == next.from).for_each(<[Edge]>::sort_unstable);
}

/// Merges two sorted parts, the first of which ends at `end` and has nodes from the beginning of the second alone.
fn merge(edges: &mut [Edge], end: usize) {
    let last = edges[..end].last().map_or(0, |edge| edge.from);
    let n_beside = edges[end..].partition_point(|edge| edge.from <= last);
    edges[..end + n_beside].par_sort();
}

/// Edges in both directions, by the node that they start from, in order; those from a node to itself are left out.
fn by_node(edges: Vec<Edge>, n_nodes: u32) -> Vec<Edge> {
    let mut starts = vec![0_usize; n_nodes as usize + 1];
    let others = || edges.iter().filter(|edge| edge.from != edge.to);
    for node in others().flat_map(|edge| [edge.from, edge.to]) {
        starts[node as usize + 1] += 1;
    }
    for node in 0..n_nodes as usize {
        starts[node + 1] += starts[node];
    }
    let Some(any) = edges.first().copied() else { return Vec::new() };
    let mut rows = vec![any; starts[n_nodes as usize]];
    for edge in others().flat_map(|edge| [*edge, edge.reversed()]) {
        let place = &mut starts[edge.from as usize];
        rows[*place] = edge;
        *place += 1;
    }
    drop(edges);
    sort_rows(&mut rows);
    rows
}

/// Adds links in both directions, the surest and first of each kind between two nodes, with damping by fan-out.
pub(super) fn add_rows(columns: &mut Columns, edges: Vec<Edge>, n_nodes: u32) {
    let mut rows = by_node(edges, n_nodes);
    drop_doubles(&mut rows);
    let mut starts: Vec<u32> = Vec::with_capacity(n_nodes as usize + 1);
    let mut at = 0;
    for node in 0..n_nodes {
        starts.push(at as u32);
        at += rows[at..].iter().take_while(|edge| edge.from == node).count();
    }
    starts.push(at as u32);
    columns.put_u32s(Column::LinkStarts, starts);
    for column in ROW_COLUMNS {
        columns.reserve_u32s(column, rows.len());
    }
    put_rows(columns, &rows);
}

/// The columns that have a number for each link.
pub(super) const ROW_COLUMNS: [Column; 3] = [Column::LinkTargets, Column::LinkAttributes, Column::LinkLines];

/// Adds the links of nodes, which are in order.
pub(super) fn put_rows(columns: &mut Columns, edges: &[Edge]) {
    columns.put_u32s(Column::LinkTargets, edges.iter().map(|edge| edge.to));
    columns.put_u32s(Column::LinkLines, edges.iter().map(|edge| edge.line));
    let attributes = edges.chunk_by(|edge, next| (edge.from, edge.kind) == (next.from, next.kind)).flat_map(|of_kind| {
        let damping = damping(of_kind.len() as u32);
        of_kind.iter().map(move |edge| LinkAttribute::new(edge.kind, edge.confidence, damping).bits())
    });
    columns.put_u32s(Column::LinkAttributes, attributes);
}
