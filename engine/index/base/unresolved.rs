//! What the resolver could not resolve: names that some definition has, with who uses them and what for is not known.

use super::{Column, FactBase};
use activate_rules::atoms::NodeId;

/// Numbers in a row: name, file, definition around it or its file, what is known, uses.
const COLUMNS: usize = 5;

/// What is known of a use that leads to no definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lead {
    /// Nothing.
    Unknown,
    /// It takes a member of a value whose type comes from outside: only a method that stands in for one of an interface from there can be meant.
    Outside,
    /// The name is that of a local variable with a value of its own, or of a definition inside of a function, and of nothing that a pattern
    /// takes in the file.
    Local,
}

impl Lead {
    /// Every lead, by its number in rows.
    const ALL: [Self; 3] = [Self::Unknown, Self::Outside, Self::Local];
}

/// Uses of a name in one place that lead to no definition for sure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnresolvedRow<'a> {
    /// The name, which some definition of the repository has.
    pub name: &'a str,
    /// The file with the uses.
    pub file: NodeId,
    /// The definition with the uses; the file for those that stand in none.
    pub from: NodeId,
    /// What is known of them.
    pub lead: Lead,
    /// How many they are.
    pub n_uses: u32,
}

impl FactBase {
    /// Every use of which nothing could be said, a row for each name and file, by name in byte order, then path.
    pub fn unresolved(&self) -> impl Iterator<Item = UnresolvedRow<'_>> {
        let by_file = self.unresolved_rows().chunk_by(|left, right| left[..2] == right[..2]);
        by_file.filter_map(|rows| {
            let n_uses: u32 = rows.iter().filter(|row| row[3] == 0).map(|row| row[4]).sum();
            let [name, file, ..] = *rows.first()?;
            (n_uses > 0).then(|| self.unresolved_row(&[name, file, file, 0, n_uses]))
        })
    }

    /// The uses of one name that lead to no definition for sure, by place.
    pub fn unresolved_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = UnresolvedRow<'a>> {
        let rows = self.unresolved_rows();
        let start = rows.partition_point(|row| self.unresolved_row(row).name < name);
        rows[start..].iter().map(|row| self.unresolved_row(row)).take_while(move |row| row.name == name)
    }

    /// Every use that leads to no definition for sure, a row for each name, place and lead, by name in byte order, then place.
    pub fn unresolved_places(&self) -> impl Iterator<Item = UnresolvedRow<'_>> {
        self.unresolved_rows().iter().map(|row| self.unresolved_row(row))
    }

    fn unresolved_rows(&self) -> &[[u32; COLUMNS]] {
        bytemuck::try_cast_slice(self.bytes(Column::UnresolvedRows)).unwrap_or_default()
    }

    fn unresolved_row(&self, &[name, file, from, lead, n_uses]: &[u32; COLUMNS]) -> UnresolvedRow<'_> {
        let lead = Lead::ALL.get(lead as usize).copied().unwrap_or(Lead::Unknown);
        UnresolvedRow { name: self.string(name), file: NodeId(file), from: NodeId(from), lead, n_uses }
    }
}
