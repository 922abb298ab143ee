//! The names under which files pass on definitions that have other names where they stand.

use super::by_name::compare_lowercase;
use super::{Column, FactBase};
use activate_rules::atoms::NodeId;

/// Another name of a definition or a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AliasRow<'a> {
    /// The name.
    pub name: &'a str,
    /// The definition or the file that it means.
    pub of: NodeId,
    /// The file that gives it.
    pub file: NodeId,
}

impl FactBase {
    /// Every alias, by lower-cased name.
    pub fn aliases(&self) -> impl Iterator<Item = AliasRow<'_>> {
        (0..self.u32s(Column::AliasName).len() as u32).map(|row| self.alias(row))
    }

    /// The aliases whose name equals `name` but for case.
    pub fn aliases_named(&self, name: &str) -> impl Iterator<Item = AliasRow<'_>> {
        let wanted = name.to_lowercase();
        let names = self.u32s(Column::AliasName);
        let compare = |name: u32| compare_lowercase(self.string_bytes(name), &wanted);
        let start = names.partition_point(|name| compare(*name).is_lt());
        let length = names[start..].partition_point(|name| compare(*name).is_eq());
        (start as u32..(start + length) as u32).map(|row| self.alias(row))
    }

    fn alias(&self, row: u32) -> AliasRow<'_> {
        AliasRow {
            name: self.string(self.at(Column::AliasName, row)),
            of: NodeId(self.at(Column::AliasOf, row)),
            file: NodeId(self.at(Column::AliasFile, row)),
        }
    }
}
