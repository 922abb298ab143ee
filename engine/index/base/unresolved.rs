//! What the resolver could not resolve: names that some definition has, with the files that use them and what for is not known.

use super::{Column, FactBase};
use activate_rules::atoms::NodeId;

/// Numbers in a row: name, file, uses.
const COLUMNS: usize = 3;

/// Uses of a name in one file about which nothing could be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnresolvedRow<'a> {
    /// The name, which some definition of the repository has.
    pub name: &'a str,
    /// The file with the uses.
    pub file: NodeId,
    /// How many they are.
    pub n_uses: u32,
}

impl FactBase {
    /// Every unresolved use, by name in byte order, then path.
    pub fn unresolved(&self) -> impl Iterator<Item = UnresolvedRow<'_>> {
        self.unresolved_rows().iter().map(|row| self.unresolved_row(row))
    }

    /// The unresolved uses of one name, by path.
    pub fn unresolved_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = UnresolvedRow<'a>> {
        let rows = self.unresolved_rows();
        let start = rows.partition_point(|row| self.unresolved_row(row).name < name);
        rows[start..].iter().map(|row| self.unresolved_row(row)).take_while(move |row| row.name == name)
    }

    fn unresolved_rows(&self) -> &[[u32; COLUMNS]] {
        bytemuck::try_cast_slice(self.bytes(Column::UnresolvedRows)).unwrap_or_default()
    }

    fn unresolved_row(&self, &[name, file, n_uses]: &[u32; COLUMNS]) -> UnresolvedRow<'_> {
        UnresolvedRow { name: self.string(name), file: NodeId(file), n_uses }
    }
}
