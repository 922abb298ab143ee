//! What a file names in a line, by the links that were found for it.

use super::Code;
use crate::resolve::{End, Link, Relation};
use activate_grammars::FileFacts;
use activate_grammars::facts::{Container, ImportKind, SymbolId, Traits};
use activate_rules::links::Confidence;

/// The most definitions around one.
const MAX_AROUND: usize = 64;

impl Code<'_> {
    pub(super) fn facts(&self, file: u32) -> &FileFacts {
        &self.files[file as usize].record.facts
    }

    /// The place of a symbol of a file among all.
    pub(super) fn place(&self, file: u32, symbol: SymbolId) -> u32 {
        self.first_symbol[file as usize] + symbol.0
    }

    /// The node of a definition of a file, or of the file.
    pub(super) fn node(&self, file: u32, symbol: Option<SymbolId>) -> u32 {
        symbol.map_or(file, |symbol| self.files.len() as u32 + self.place(file, symbol))
    }

    /// A definition of a file and what stands around it, from the inside.
    pub(super) fn around(&self, file: u32, symbol: Option<SymbolId>) -> impl Iterator<Item = SymbolId> {
        let symbols = &self.facts(file).symbols;
        let above = |id: &SymbolId| match symbols[id.0 as usize].container {
            Container::Symbol(outer) => Some(outer),
            Container::File | Container::Owner(_) => None,
        };
        std::iter::successors(symbol, above).take(MAX_AROUND)
    }

    pub(super) fn traits(&self, file: u32, symbol: SymbolId) -> Traits {
        self.facts(file).symbols[symbol.0 as usize].traits
    }

    /// The file and the symbol at a place.
    pub(super) fn symbol(&self, place: u32) -> (u32, SymbolId) {
        let file = self.first_symbol.partition_point(|first| *first <= place).saturating_sub(1);
        (file as u32, SymbolId(place - self.first_symbol[file]))
    }

    /// The definitions that a name means in a line, each with how sure that is; of a definition `from`, or of the file.
    pub(super) fn named(&self, file: u32, from: Option<SymbolId>, line: u32, name: &str) -> Vec<(u32, Confidence)> {
        let from = from.map_or(End::File(file), |id| End::Symbol(self.place(file, id)));
        let in_line = |link: &Link| link.line == line && self.is_called(file, link.to, name);
        let mut found = self.links_in(from, in_line);
        if found.is_empty() {
            // What the value of a variable names belongs to the variable.
            let symbols = self.facts(file).symbols.iter().zip(0..);
            let around = symbols.filter(|(symbol, _)| symbol.lines.0 <= line && line <= symbol.lines.1);
            found = around.flat_map(|(_, id)| self.links_in(End::Symbol(self.place(file, SymbolId(id))), in_line)).collect();
            found.sort_unstable();
            found.dedup_by_key(|(to, _)| *to);
        }
        if found.is_empty() {
            // The name may stand in another line of the call.
            found = self.links_in(from, |link| self.is_called(file, link.to, name));
            found.truncate(usize::from(found.len() == 1));
        }
        found
    }

    fn links_in(&self, from: End, is_meant: impl Fn(&Link) -> bool) -> Vec<(u32, Confidence)> {
        let links = &self.resolved.links;
        let start = links.partition_point(|link| link.from < from);
        let of_node = links[start..].iter().take_while(|link| link.from == from);
        let uses = of_node.filter(|link| matches!(link.relation, Relation::Calls | Relation::References));
        let mut found: Vec<(u32, Confidence)> =
            uses.filter(|link| is_meant(link)).map(|link| (link.to, link.confidence)).collect();
        found.sort_unstable();
        found.dedup_by_key(|(to, _)| *to);
        found
    }

    /// Whether a file means a symbol by a name: its own, or the one that an import gives it.
    fn is_called(&self, file: u32, place: u32, name: &str) -> bool {
        let (of, id) = self.symbol(place);
        let facts = self.facts(of);
        let symbol = &facts.symbols[id.0 as usize];
        if facts.names.get(symbol.name) == name {
            return true;
        }
        let here = self.facts(file);
        let is_meant = |import: &activate_grammars::facts::Import| match import.kind {
            ImportKind::Default => symbol.traits.has(Traits::DEFAULT),
            _ => import.item.is_some_and(|item| here.names.get(item) == facts.names.get(symbol.name)),
        };
        let named = here.imports.iter().filter(|import| import.local.is_some_and(|local| here.names.get(local) == name));
        named.into_iter().any(is_meant)
    }

    /// The file of the module that a file knows by a name.
    pub(super) fn module(&self, file: u32, name: &str) -> Option<u32> {
        let facts = self.facts(file);
        let import = facts.imports.iter().find(|import| import.local.is_some_and(|local| facts.names.get(local) == name))?;
        let dependencies = &self.resolved.dependencies;
        let start = dependencies.partition_point(|dependency| dependency.from < file);
        let of_file = dependencies[start..].iter().take_while(|dependency| dependency.from == file);
        let mut there =
            of_file.filter(|dependency| dependency.line == import.line).filter_map(|dependency| match dependency.to {
                crate::resolve::Target::File(to) => Some(to),
                crate::resolve::Target::Package(_) => None,
            });
        there.next().filter(|_| there.next().is_none())
    }
}
