//! What is known of the language of a file.

use super::{Column, FactBase, FileFlags, SymbolKind};
use activate_grammars::{Language, Level};
use activate_rules::atoms::NodeId;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

impl FactBase {
    /// The name of the language of a file, if it is known.
    pub fn language(&self, file: NodeId) -> Option<&'static str> {
        self.rules_of(file).map(|language| language.name)
    }

    /// The language of a file, if it is known.
    pub(crate) fn rules_of(&self, file: NodeId) -> Option<&'static Language> {
        let number = *self.bytes(Column::FileLanguage).get(file.0 as usize)?;
        activate_grammars::LANGUAGES.get(number as usize).copied()
    }

    /// A method with the others of its name in its type, in the order of the source, where a language tells such methods apart by what they are
    /// given; else the node alone.
    pub fn overloads(&self, node: NodeId) -> Vec<NodeId> {
        let alone = vec![node];
        let file = self.file_of(node);
        let has_overloads = self.rules_of(file).is_some_and(|language| language.scope.overloads);
        let around = self.container(node);
        if !has_overloads || around.is_none() || self.kind(node) != Some(SymbolKind::Method) {
            return alone;
        }
        let name = self.name(node);
        let is_one = |other: &NodeId| {
            self.kind(*other) == Some(SymbolKind::Method) && self.container(*other) == around && self.name(*other) == name
        };
        self.symbols_of(file).map(NodeId).filter(is_one).collect()
    }

    /// The overloads of each of some nodes that have any, by their first: found in one pass over each file.
    pub fn all_overloads(&self, nodes: impl IntoIterator<Item = NodeId>) -> BTreeMap<NodeId, Vec<NodeId>> {
        let files: BTreeSet<NodeId> = nodes.into_iter().map(|node| self.file_of(node)).collect();
        let has_overloads = |file: &NodeId| self.rules_of(*file).is_some_and(|language| language.scope.overloads);
        let mut found: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for file in files.into_iter().filter(has_overloads) {
            let mut firsts: FxHashMap<(NodeId, &str), NodeId> = FxHashMap::default();
            for method in self.symbols_of(file).map(NodeId).filter(|node| self.kind(*node) == Some(SymbolKind::Method)) {
                #[cfg(test)]
                work::add(1);
                let Some(place) = self.container(method).zip(self.name(method)) else { continue };
                found.entry(*firsts.entry(place).or_insert(method)).or_default().push(method);
            }
        }
        found
    }

    /// How much is known of what a file of a known language uses.
    pub fn level(&self, file: NodeId) -> Option<Level> {
        let language = self.rules_of(file)?;
        let is_vendored = self.flags(file).has(FileFlags::VENDORED) && language.is_vendored(self.path(file));
        Some(if is_vendored { Level::ByName } else { language.level() })
    }
}
