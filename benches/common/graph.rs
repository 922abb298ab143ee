//! Scale-free graphs of any size, the same for the same size: a few hubs that everything uses, and a long tail.

use crate::random::Random;
use activate_rules::atoms::NodeId;
use activate_rules::context::Graph;
use activate_rules::links::{Confidence, LinkAttribute, LinkKind, LinkTable, Rows, damping};

/// Symbols in a file, as in the kubernetes tree (337,000 symbols in 14,000 files).
const SYMBOLS_PER_FILE: u32 = 24;

/// Links out of a node to others of its sort; each is there in both directions.
const LINKS_PER_NODE: u32 = 4;

/// One symbol of so many is tested.
const TESTED_PERIOD: u32 = 10;

/// One link of so many leads to any node; the others prefer what is linked to already.
const ANYWHERE_PERIOD: u32 = 4;

/// How sure links are, in turn.
const CONFIDENCES: [Confidence; 4] = [Confidence::Exact, Confidence::Qualified, Confidence::Unique, Confidence::AmongTwo];

/// A graph of files and symbols.
pub(crate) struct ScaleFree {
    starts: Vec<u32>,
    targets: Vec<u32>,
    attributes: Vec<u32>,
    test_starts: Vec<u32>,
    test_targets: Vec<u32>,
    file_of: Vec<u32>,
    member_starts: Vec<u32>,
}

impl ScaleFree {
    /// A graph of `n_nodes`: files import files, symbols call symbols, both by preferential attachment, and files contain symbols.
    pub(crate) fn new(n_nodes: u32) -> Self {
        let n_files = (n_nodes / (SYMBOLS_PER_FILE + 1)).max(1);
        let mut random = Random::new(u64::from(n_nodes));
        let file_of: Vec<u32> =
            (0..n_files).chain((n_files..n_nodes).map(|node| file_of_symbol(node, n_files, n_nodes))).collect();
        let mut links = Vec::new();
        attach(&mut links, &mut random, 0..n_files, LinkKind::Imports);
        attach(&mut links, &mut random, n_files..n_nodes, LinkKind::Calls);
        let contains = (n_files..n_nodes).map(|node| (file_of[node as usize], LinkKind::Contains, node, Confidence::Exact));
        links.extend(contains);
        let back = links.iter().map(|&(from, kind, to, confidence)| (to, kind.reverse(), from, confidence));
        let mut links: Vec<_> = links.iter().copied().chain(back).collect();
        links.sort_unstable();
        // Two sites behind one link count once, with the surer confidence, which sorts first.
        links.dedup_by_key(|link| (link.0, link.1, link.2));

        let fan_out = links.chunk_by(|first, second| (first.0, first.1) == (second.0, second.1));
        let attributes = fan_out.flat_map(|row| {
            let damping = damping(row.len() as u32);
            row.iter().map(move |&(_, kind, _, confidence)| LinkAttribute::new(kind, confidence, damping).bits())
        });
        let tested = |node: u32| node >= n_files && node.is_multiple_of(TESTED_PERIOD) && node + 1 < n_nodes;
        let tests: Vec<u32> = (0..n_nodes).filter(|node| tested(*node)).collect();
        Self {
            attributes: attributes.collect(),
            starts: rows(n_nodes, links.iter().map(|link| link.0)),
            targets: links.iter().map(|link| link.2).collect(),
            test_starts: rows(n_nodes, tests.iter().copied()),
            test_targets: tests.iter().map(|subject| subject + 1).collect(),
            member_starts: rows(n_files, file_of[n_files as usize..].iter().copied())
                .iter()
                .map(|start| start + n_files)
                .collect(),
            file_of,
        }
    }

    /// The graph as the policy takes it.
    pub(crate) fn graph(&self) -> Graph<'_> {
        Graph {
            links: LinkTable { starts: &self.starts, targets: &self.targets, attributes: &self.attributes },
            added: &[],
            added_tests: &[],
            tests: Rows { starts: &self.test_starts, targets: &self.test_targets },
            file_of: &self.file_of,
            member_starts: &self.member_starts,
        }
    }

    /// Some symbols, the same for the same numbers.
    pub(crate) fn symbols(&self, n_symbols: usize, seed: u64) -> Vec<NodeId> {
        let n_files = self.member_starts.len() as u32 - 1;
        let n_nodes = self.file_of.len() as u32;
        let mut random = Random::new(seed);
        (0..n_symbols).map(|_| NodeId(n_files + random.below(n_nodes - n_files))).collect()
    }
}

/// The file of a symbol: symbols are spread evenly, in the order of files.
fn file_of_symbol(node: u32, n_files: u32, n_nodes: u32) -> u32 {
    let (row, n_symbols) = (u64::from(node - n_files), u64::from(n_nodes - n_files));
    (row * u64::from(n_files) / n_symbols) as u32
}

/// Links every node to earlier ones, most of them to ends of earlier links: who has many gets more.
fn attach(links: &mut Vec<(u32, LinkKind, u32, Confidence)>, random: &mut Random, nodes: std::ops::Range<u32>, kind: LinkKind) {
    let mut ends: Vec<u32> = Vec::with_capacity(nodes.len() * 2 * LINKS_PER_NODE as usize);
    for node in nodes.clone().skip(1) {
        for _ in 0..LINKS_PER_NODE {
            let anywhere = ends.is_empty() || random.below(ANYWHERE_PERIOD) == 0;
            let to = if anywhere {
                nodes.start + random.below(node - nodes.start)
            } else {
                ends[random.below(ends.len() as u32) as usize]
            };
            if to != node {
                links.push((node, kind, to, CONFIDENCES[random.below(CONFIDENCES.len() as u32) as usize]));
                ends.extend([node, to]);
            }
        }
    }
}

/// Where the row of each of `n_rows` starts, and the end of the last, from the sorted rows of all entries.
fn rows(n_rows: u32, entries: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; n_rows as usize + 1];
    for row in entries {
        starts[row as usize + 1] += 1;
    }
    for row in 1..starts.len() {
        starts[row] += starts[row - 1];
    }
    starts
}
