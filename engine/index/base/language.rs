//! What is known of the language of a file.

use super::{Column, FactBase, FileFlags, SymbolKind};
use activate_grammars::{Language, Level};
use activate_rules::atoms::NodeId;

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

    /// How much is known of what a file of a known language uses.
    pub fn level(&self, file: NodeId) -> Option<Level> {
        let language = self.rules_of(file)?;
        let is_vendored = self.flags(file).has(FileFlags::VENDORED) && language.is_vendored(self.path(file));
        Some(if is_vendored { Level::ByName } else { language.level() })
    }
}
