//! The fact base before an edit, as what resolving can take over from.

use super::FileInput;
use crate::base::{Column, FactBase, N_COUNTS, SiteRow};
use crate::resolve::{self, Dependency, End, Link, Relation, Sites, Tally, Target};
use activate_grammars::FileFacts;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use std::ops::Range;

/// A fact base of before.
pub struct Before<'b> {
    /// The base.
    pub base: &'b FactBase,
    /// For each file the one of the base with the same path and content.
    pub same: Vec<Option<NodeId>>,
    /// The facts of a file of the base, if they can be read.
    pub facts: &'b (dyn Fn(NodeId) -> Option<FileFacts> + Sync),
}

impl Before<'_> {
    /// What `work` gives with it as the resolver takes it.
    pub(super) fn with<T>(&self, files: &[FileInput<'_>], work: impl FnOnce(&resolve::Before<'_>) -> T) -> T {
        let base = self.base;
        let with_path: Vec<Option<u32>> = files.iter().map(|file| base.file_at(file.path).map(|file| file.0)).collect();
        let same: Vec<Option<u32>> = self.same.iter().map(|file| file.map(|file| file.0)).collect();
        let reads = |file: u32| base.u32s(Column::ReadFiles).get(base.range(Column::ReadStarts, file)).unwrap_or_default();
        work(&resolve::Before {
            tables: base.tables(),
            with_path: &with_path,
            same: &same,
            path: &|file| base.path(NodeId(file)),
            facts: &|file| (self.facts)(NodeId(file)),
            reads: &reads,
            sites: &|file| self.sites(NodeId(file)),
        })
    }

    /// What the sites of a file of the base gave, with the numbers that files and symbols have there.
    fn sites(&self, file: NodeId) -> Sites {
        let base = self.base;
        let symbols = base.symbols_of(file);
        let mut sites = Sites { tally: self.tally(file), ..Sites::default() };
        let rows = |nodes: Range<u32>| {
            let all = base.u32s(Column::SiteFrom);
            all.partition_point(|from| *from < nodes.start)..all.partition_point(|from| *from < nodes.end)
        };
        let of_file = base.sites_in(rows(file.0..file.0 + 1)).chain(base.sites_in(rows(symbols)));
        for SiteRow { from, kind, line, to, confidence } in of_file {
            let relation = match kind {
                LinkKind::Calls => Relation::Calls,
                LinkKind::References => Relation::References,
                LinkKind::Imports => {
                    let to = if base.is_file(to) { Target::File(to.0) } else { Target::Package(base.package(to).to_owned()) };
                    sites.dependencies.push(Dependency { from: file.0, to, confidence, line });
                    continue;
                }
                // What declarations say is found out again.
                _ => continue,
            };
            let place = |node: NodeId| node.0.checked_sub(base.n_files());
            let from = place(from).map_or(End::File(from.0), End::Symbol);
            sites.links.extend(place(to).map(|to| Link { from, relation, line, to, confidence }));
        }
        sites
    }

    fn tally(&self, file: NodeId) -> Tally {
        let first = file.0 as usize * N_COUNTS;
        let counts = self.base.u32s(Column::FileTally).get(first..first + N_COUNTS).unwrap_or_default();
        let Ok([resolved, foreign, local, unresolved, open_imports, passed_on]) = <[u32; N_COUNTS]>::try_from(counts) else {
            return Tally::default();
        };
        Tally { resolved, foreign, local, unresolved, open_imports, passed_on }
    }
}
