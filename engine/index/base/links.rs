//! Links and the sites that they come from.

use super::{Column, FactBase, SiteRow};
use activate_rules::atoms::NodeId;
use activate_rules::context::Graph;
use activate_rules::links::{LinkAttribute, LinkKind, LinkTable, Rows};
use std::ops::Range;

/// Where each link leads, what it is, and the line of its first site.
const LINK_COLUMNS: [Column; 3] = [Column::LinkTargets, Column::LinkAttributes, Column::LinkLines];

impl FactBase {
    /// Links, tests and members for the policy.
    pub fn graph(&self) -> Graph<'_> {
        Graph {
            links: self.links(),
            added: &[],
            added_tests: &[],
            tests: Rows { starts: self.u32s(Column::TestStarts), targets: self.u32s(Column::TestTargets) },
            file_of: self.u32s(Column::NodeFile),
            member_starts: self.u32s(Column::FileMembers),
        }
    }

    /// All links, both directions.
    pub fn links(&self) -> LinkTable<'_> {
        LinkTable {
            starts: self.u32s(Column::LinkStarts),
            targets: self.u32s(Column::LinkTargets),
            attributes: self.u32s(Column::LinkAttributes),
        }
    }

    /// The line of the first site behind a link, in the file of the node where the relation starts, whichever way the link is walked.
    pub fn link_line(&self, from: NodeId, kind: LinkKind, to: NodeId) -> Option<u32> {
        self.line_of(from, kind, to).or_else(|| self.line_of(to, kind.reverse(), from))
    }

    /// The same as far as the link has it in this direction.
    fn line_of(&self, from: NodeId, kind: LinkKind, to: NodeId) -> Option<u32> {
        let range = self.range(Column::LinkStarts, from.0);
        let [targets, attributes, lines] = LINK_COLUMNS.map(|column| self.u32s_in(column, range.clone()));
        for ((target, attribute), line) in targets.iter().zip(attributes).zip(lines) {
            if *target == to.0 && LinkAttribute::from_bits(*attribute)?.kind() == kind {
                return Some(*line).filter(|line| *line > 0);
            }
        }
        None
    }

    /// Every resolved site, in the order of nodes, then lines.
    pub fn sites(&self) -> impl Iterator<Item = SiteRow> + '_ {
        self.sites_in(0..self.u32s(Column::SiteFrom).len())
    }

    /// The resolved sites of a node, in the order of their lines.
    pub fn sites_from(&self, node: NodeId) -> impl Iterator<Item = SiteRow> + '_ {
        let from = self.u32s(Column::SiteFrom);
        let first = from.partition_point(|other| *other < node.0);
        self.sites_in(first..first + from[first..].partition_point(|other| *other == node.0))
    }

    /// The resolved sites in some rows.
    pub(crate) fn sites_in(&self, rows: Range<usize>) -> impl Iterator<Item = SiteRow> + '_ {
        let columns = [Column::SiteFrom, Column::SiteLine, Column::SiteTo, Column::SiteAttribute].map(|column| self.u32s(column));
        rows.filter_map(move |at| {
            let [from, line, to, attribute] = columns;
            let attribute = LinkAttribute::from_bits(*attribute.get(at)?)?;
            let (from, line, to) = (NodeId(*from.get(at)?), *line.get(at)?, NodeId(*to.get(at)?));
            Some(SiteRow { from, kind: attribute.kind(), line, to, confidence: attribute.confidence() })
        })
    }

    /// The links of a node, either way, each with its first site.
    pub fn links_of(&self, node: NodeId) -> impl Iterator<Item = SiteRow> + '_ {
        let range = self.range(Column::LinkStarts, node.0);
        let [targets, attributes, lines] = LINK_COLUMNS.map(|column| self.u32s_in(column, range.clone()));
        targets.iter().zip(attributes).zip(lines).filter_map(move |((to, attribute), line)| {
            let attribute = LinkAttribute::from_bits(*attribute)?;
            Some(SiteRow { from: node, kind: attribute.kind(), line: *line, to: NodeId(*to), confidence: attribute.confidence() })
        })
    }
}
