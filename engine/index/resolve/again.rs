//! Files whose bodies changed, resolved again with the tables of the last time.
//!
//! The tables follow from the outlines of all files. As long as these stay, what changed files use is found in the old tables, what other
//! files use has not changed, and nobody need look at all files.

use super::facts::unless_lost;
use super::implements::declared;
use super::index::{Index, Module, NameTable};
use super::kept::{Lists, ListsRef, as_syms, from_lists, to_lists};
use super::sites::{OfFile, resolve_file};
use super::{FileId, Link, ModuleId, Relation, SourceFile, Sym, is_file, load_projects};
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

impl<'a> KeptTables<'a, Index<'a>> {
    /// The tables that were kept; none if these are no such thing.
    pub(super) fn read(lists: ListsRef<'a>) -> Option<Self> {
        let Self { manifests, index } = from_lists(lists).ok()?;
        Some(Self { manifests, index: index.read()? })
    }
}

/// What tables that are kept begin with: what has numbers in them.
#[derive(Deserialize)]
struct Beginning<'a> {
    #[serde(borrow)]
    _manifests: Vec<(&'a str, &'a str)>,
    #[serde(borrow)]
    names: NameTable<'a>,
    #[serde(with = "as_syms")]
    _first_symbol: Vec<u32>,
    modules: Vec<Module>,
    file_scope: Vec<ModuleId>,
    file_module: Vec<ModuleId>,
    symbol_modules: BTreeMap<Sym, ModuleId>,
}

/// What has numbers in tables that are kept.
#[derive(Debug, Default)]
pub struct Numbered<'a> {
    /// Names, by number.
    pub names: Vec<&'a str>,
    /// How many modules there are.
    pub n_modules: u32,
    /// The modules of each file: that of its names, and that which others import it by.
    pub modules_of_files: Vec<[u32; 2]>,
    /// The modules of symbols that are modules.
    pub modules_of_symbols: Vec<(u32, u32)>,
}

impl<'a> Numbered<'a> {
    /// What has numbers in these tables; none if they are none.
    pub fn of(lists: ListsRef<'a>) -> Option<Self> {
        let Beginning { names, modules, file_scope, file_module, symbol_modules, .. } = from_lists(lists).ok()?;
        Some(Self {
            names: names.into_texts(),
            n_modules: modules.len() as u32,
            modules_of_files: file_scope.iter().zip(file_module).map(|(scope, module)| [scope.0, module.0]).collect(),
            modules_of_symbols: symbol_modules.into_iter().map(|(sym, module)| (sym.0, module.0)).collect(),
        })
    }
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

/// The tables as lists.
pub(super) fn keep(index: &Index<'_>, manifests: &[Manifest<'_>]) -> Lists {
    let manifests = manifests.iter().map(|manifest| (manifest.path, manifest.text)).collect();
    let lists = to_lists(&KeptTables { manifests, index });
    debug_assert!(lists.is_ok(), "tables are lists and maps of known length");
    lists.unwrap_or_default()
}

/// Resolves the files at the places `changed`, whose facts are at hand. `tables` is what [`super::resolve`] gave for files with the same
/// paths and outlines; none if it is no such thing, or facts of other files cannot be read.
pub fn again(tables: ListsRef<'_>, files: &[SourceFile<'_>], changed: &[u32]) -> Option<Again> {
    let KeptTables { manifests, index } = KeptTables::read(tables)?;
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
