//! The definitions with a name.

use super::{Column, FactBase, Traits};
use activate_grammars::Level;
use activate_rules::atoms::NodeId;
use std::cmp::Ordering;

impl FactBase {
    /// Symbols by lower-cased name, in the order of nodes: all whose name equals `name` but for case.
    pub fn symbols_named(&self, name: &str) -> Vec<NodeId> {
        self.each_named(name).collect()
    }

    /// [`FactBase::symbols_named`] without a list of them: a name may have thousands.
    pub(crate) fn each_named(&self, name: &str) -> impl Iterator<Item = NodeId> + '_ {
        let wanted = name.to_lowercase();
        let order = self.u32s(Column::SymbolByName);
        let compare = |row: u32| compare_lowercase(self.string_bytes(self.at(Column::SymbolName, row)), &wanted);
        let start = order.partition_point(|row| compare(*row).is_lt());
        let length = order[start..].partition_point(|row| compare(*row).is_eq());
        order[start..start + length].iter().map(|row| NodeId(self.n_files + row))
    }

    /// Whether a node only declares what another of these defines, in languages where both may stand in different files: the name and what holds
    /// it are the same, and one has no body.
    pub fn declares_one_of(&self, node: NodeId, nodes: &[NodeId]) -> bool {
        let of = |node: NodeId| {
            let symbol = self.symbol(node)?;
            self.rules_of(symbol.file).filter(|language| language.level() == Level::ByName)?;
            let around = symbol.local_id.rsplit_once('.').map_or("", |(around, _)| around);
            let has_body = !symbol.traits.has(Traits::BODILESS);
            Some((symbol.name, around.rsplit('.').next().unwrap_or(around), has_body))
        };
        let Some((name, around, false)) = of(node) else { return false };
        nodes.iter().any(|other| of(*other) == Some((name, around, true)))
    }
}

/// A name in lower case beside a text that is. Names are asked for by the thousand, so that most are compared without a copy.
pub(super) fn compare_lowercase(name: &[u8], lowercase: &str) -> Ordering {
    if name.is_ascii() {
        return name.iter().map(u8::to_ascii_lowercase).cmp(lowercase.bytes());
    }
    // What is damaged reads as empty everywhere.
    std::str::from_utf8(name).unwrap_or_default().to_lowercase().as_str().cmp(lowercase)
}
