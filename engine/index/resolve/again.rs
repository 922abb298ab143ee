//! Files whose bodies changed, resolved again with the tables of the last time.
//!
//! The tables follow from the outlines of all files. As long as these stay, what changed files use is found in the old tables, what other
//! files use has not changed, and nobody need look at all files.

use super::facts::unless_lost;
use super::implements::declared;
use super::index::Index;
use super::sites::{OfFile, resolve_file};
use super::{FileId, Link, Relation, SourceFile, Sym, is_file, load_projects};
use activate_grammars::project::Manifest;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What is kept of a resolved repository.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptTables<'a, I> {
    #[serde(borrow)]
    pub(super) manifests: Vec<(&'a str, &'a str)>,
    pub(super) index: I,
}

/// What changed files lead to.
pub struct Again {
    /// What the sites of each changed file give, in the order asked for.
    pub files: Vec<OfFile>,
    /// The types that stand in changed files or whose supertypes are written there, with the links to all of their supertypes.
    pub declared: BTreeMap<u32, Vec<Link>>,
}

impl Again {
    /// Whether a link from a type is among those that are declared.
    pub fn declares(&self, from: u32, to: u32, relation: Relation) -> bool {
        let links = self.declared.get(&from);
        links.is_some_and(|links| links.iter().any(|link| (link.to, link.relation) == (to, relation)))
    }
}

/// The tables as bytes.
pub(super) fn keep(index: &Index<'_>, manifests: &[Manifest<'_>]) -> Vec<u8> {
    let manifests = manifests.iter().map(|manifest| (manifest.path, manifest.text)).collect();
    let bytes = postcard::to_allocvec(&KeptTables { manifests, index });
    debug_assert!(bytes.is_ok(), "tables are lists and maps of known length");
    bytes.unwrap_or_default()
}

/// Resolves the files at the places `changed`, whose facts are at hand. `tables` is what [`super::resolve`] gave for files with the same
/// paths and outlines; none if it is no such thing, or facts of other files cannot be read.
pub fn again(tables: &[u8], files: &[SourceFile<'_>], changed: &[u32]) -> Option<Again> {
    let KeptTables { manifests, index } = postcard::from_bytes::<KeptTables<'_, Index<'_>>>(tables).ok()?;
    let manifests: Vec<Manifest<'_>> = manifests.iter().map(|(path, text)| Manifest { path, text }).collect();
    let projects = load_projects(&manifests, &|path| is_file(files, path));
    let index = Index::open(index, files, &projects);
    unless_lost(|| {
        let types: BTreeSet<Sym> = changed.iter().flat_map(|file| types_of(&index, FileId(*file))).collect();
        let supers = types.iter().filter_map(|of| Some((*of, index.supers.get(of)?)));
        let declared =
            supers.map(|(of, supers)| (of.0, supers.iter().map(|above| declared(&index, of, above)).collect())).collect();
        Again { files: changed.par_iter().map(|file| resolve_file(&index, FileId(*file))).collect(), declared }
    })
}

/// The types of a file, and those whose supertypes it writes down.
fn types_of(index: &Index<'_>, file: FileId) -> impl Iterator<Item = Sym> {
    let written = index.facts(file).supers.iter().filter_map(move |above| index.container_type(file, above.container));
    let symbols = index.first_symbol[file.0 as usize]..index.first_symbol[file.0 as usize + 1];
    written.chain(symbols.map(Sym))
}
