//! The packages of a repository, as others know them: what its manifests name.

use super::{Column, FactBase};
use activate_grammars::project::Registry;

/// A package of the repository, as others know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedRow<'a> {
    /// Where others get it from.
    pub registry: Registry,
    /// Its name there.
    pub name: &'a str,
    /// The folder of its manifest.
    pub folder: &'a str,
}

impl FactBase {
    /// The packages of the repository, as others know them.
    pub fn published(&self) -> impl Iterator<Item = PublishedRow<'_>> {
        self.bytes(Column::PublishedRegistry).iter().zip(0..).filter_map(|(registry, row)| {
            Some(PublishedRow {
                registry: *Registry::ALL.get(usize::from(*registry))?,
                name: self.string(self.at(Column::PublishedName, row)),
                folder: self.string(self.at(Column::PublishedFolder, row)),
            })
        })
    }
}
