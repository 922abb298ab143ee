//! Nodes by what people call them: ids, and lines of files.

use super::{Column, FactBase};
use activate_rules::atoms::NodeId;

impl FactBase {
    /// The canonical id of a node: a path, `path#Container.name`, or the name of a package.
    pub fn id(&self, node: NodeId) -> String {
        if let Some(symbol) = self.symbol(node) {
            return format!("{}#{}", self.path(node), symbol.local_id);
        }
        if self.is_file(node) { self.path(node).to_owned() } else { self.package(node).to_owned() }
    }

    /// The name of a package from outside.
    pub fn package(&self, node: NodeId) -> &str {
        let row = node.0.checked_sub(self.n_files + self.n_symbols);
        row.map_or("", |row| self.string(self.at(Column::PackageName, row)))
    }

    /// The node with a canonical id.
    pub fn node_at(&self, id: &str) -> Option<NodeId> {
        if let Some((path, local)) = id.split_once('#') {
            let file = self.file_at(path)?;
            return self
                .symbols_of(file)
                .map(NodeId)
                .find(|node| self.symbol(*node).is_some_and(|symbol| symbol.local_id == local));
        }
        self.file_at(id)
    }

    /// The innermost symbol around a line of a file.
    pub fn symbol_at(&self, file: NodeId, line: u32) -> Option<NodeId> {
        let around = self
            .symbols_of(file)
            .map(NodeId)
            .filter_map(|node| self.symbol(node))
            .filter(|symbol| symbol.lines.0 <= line && line <= symbol.lines.1);
        around.min_by_key(|symbol| (symbol.lines.1 - symbol.lines.0, symbol.node)).map(|symbol| symbol.node)
    }

    /// The first symbol that begins below a line of a file, at most `reach` lines away: what a comment there most likely belongs to.
    pub fn symbol_below(&self, file: NodeId, line: u32, reach: u32) -> Option<NodeId> {
        let below = self.symbols_of(file).map(NodeId).filter_map(|node| self.symbol(node));
        let below = below.filter(|symbol| line < symbol.lines.0 && symbol.lines.0 - line <= reach);
        below.min_by_key(|symbol| (symbol.lines.0, symbol.node)).map(|symbol| symbol.node)
    }
}
