//! Names under which files pass definitions on that have other names where they stand: `export { a as b } from "./c"`, `pub use c::a as b`.
//!
//! Only what is one definition, or one file, has an alias.

use super::index::{DEFAULT, Index};
use super::{End, FileId, Item, ModuleId};
use activate_grammars::facts::ImportKind;
use rayon::prelude::*;

/// Another name of a definition or a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alias {
    /// The name.
    pub name: String,
    /// What it means.
    pub of: End,
    /// The file that gives it, by its place in path order.
    pub file: u32,
}

/// The aliases that all files give, by name.
pub(super) fn aliases(index: &Index<'_>) -> Vec<Alias> {
    let of_file = |file: u32| of_file(index, FileId(file));
    let mut aliases: Vec<Alias> = (0..index.files.len() as u32).into_par_iter().flat_map_iter(of_file).collect();
    aliases.sort_unstable();
    aliases.dedup();
    aliases
}

/// The aliases that a file gives.
fn of_file(index: &Index<'_>, file: FileId) -> Vec<Alias> {
    let facts = index.facts(file);
    let mut aliases = Vec::new();
    for (import, items) in facts.imports.iter().zip(&index.import_targets[file.0 as usize]) {
        let named = import.exported && matches!(import.kind, ImportKind::Item | ImportKind::Default | ImportKind::Module);
        let Some(local) = import.local.filter(|_| named) else { continue };
        let name = facts.names.get(local);
        if name == DEFAULT {
            continue;
        }
        let ends = ends(index, items).into_iter().filter(|of| own_name(index, *of) != Some(name));
        aliases.extend(ends.map(|of| Alias { name: name.to_owned(), of, file: file.0 }));
    }
    aliases
}

/// The one definition that an import brings, with all of its declarations, or the one file; nothing where it brings several or what is not
/// of the repository.
fn ends(index: &Index<'_>, items: &[Item]) -> Vec<End> {
    if items.contains(&Item::Foreign) {
        return Vec::new();
    }
    let symbols = || items.iter().filter_map(|item| if let Item::Symbol(sym) = item { Some(*sym) } else { None });
    let Some(first) = symbols().next() else {
        return match items {
            [Item::Module(module)] => file_of(index, *module).map(|file| End::File(file.0)).into_iter().collect(),
            _ => Vec::new(),
        };
    };
    // Overloads and merged declarations are one definition.
    let place = |sym| {
        let (file, symbol) = index.symbol(sym);
        (file, symbol.name, symbol.container)
    };
    let is_one = symbols().all(|sym| place(sym) == place(first));
    if is_one { symbols().map(|sym| End::Symbol(sym.0)).collect() } else { Vec::new() }
}

/// The file that is a module, and the only one.
fn file_of(index: &Index<'_>, module: ModuleId) -> Option<FileId> {
    <[FileId; 1]>::try_from(index.files_of(module)).ok().map(|[file]| file)
}

/// The name that a definition has where it stands.
fn own_name<'i>(index: &Index<'i>, of: End) -> Option<&'i str> {
    let End::Symbol(sym) = of else { return None };
    let (file, symbol) = index.symbol(super::Sym(sym));
    Some(index.facts(file).names.get(symbol.name))
}
