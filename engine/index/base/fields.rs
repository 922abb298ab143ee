//! Single fields of symbols, for those who ask thousands of symbols for one thing: a whole row looks up a dozen columns.

use super::{Column, FactBase, SymbolKind, Traits};
use activate_rules::atoms::NodeId;

impl FactBase {
    /// What a symbol is.
    pub(crate) fn kind(&self, symbol: NodeId) -> Option<SymbolKind> {
        SymbolKind::ALL.get(usize::from(*self.bytes(Column::SymbolKind).get(self.row(symbol)? as usize)?)).copied()
    }

    /// The properties of a symbol.
    pub(crate) fn traits(&self, symbol: NodeId) -> Option<Traits> {
        let row = self.row(symbol)? as usize;
        self.u32s_in(Column::SymbolTraits, row..row + 1).first().map(|bits| Traits(*bits))
    }

    /// The symbol around a symbol or the type it is a member of.
    pub(crate) fn container(&self, symbol: NodeId) -> Option<NodeId> {
        self.at(Column::SymbolContainer, self.row(symbol)?).checked_sub(1).map(NodeId)
    }

    /// The name of a symbol.
    pub(crate) fn name(&self, symbol: NodeId) -> Option<&str> {
        Some(self.string(self.at(Column::SymbolName, self.row(symbol)?)))
    }

    /// Where a symbol stands in the columns of symbols.
    fn row(&self, symbol: NodeId) -> Option<u32> {
        self.is_symbol(symbol).then(|| symbol.0 - self.n_files)
    }
}
