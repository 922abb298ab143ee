//! The definitions with a name.
//!
//! Must not know why anyone asks.

use super::{Column, FactBase};
use activate_rules::atoms::NodeId;
use std::cmp::Ordering;

impl FactBase {
    /// Symbols by lower-cased name, in the order of nodes: all whose name equals `name` but for case.
    pub fn symbols_named(&self, name: &str) -> Vec<NodeId> {
        let wanted = name.to_lowercase();
        let order = self.u32s(Column::SymbolByName);
        let compare = |row: u32| compare_lowercase(self.string(self.at(Column::SymbolName, row)), &wanted);
        let start = order.partition_point(|row| compare(*row).is_lt());
        order[start..].iter().take_while(|row| compare(**row).is_eq()).map(|row| NodeId(self.n_files + row)).collect()
    }
}

/// A name in lower case beside a text that is. Names are asked for by the thousand, so that most are compared without a copy.
fn compare_lowercase(name: &str, lowercase: &str) -> Ordering {
    if name.is_ascii() {
        return name.bytes().map(|byte| byte.to_ascii_lowercase()).cmp(lowercase.bytes());
    }
    name.to_lowercase().as_str().cmp(lowercase)
}
