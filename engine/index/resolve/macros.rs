//! What calls of macros mean: by the text above them, by crates, by what roots pass on.

use super::imports::Seen;
use super::index::{Def, Index, MAX_DEFINITIONS};
use super::sites::{Meaning, by_traits, candidates};
use super::{FileId, Item, Name, Sym};
use activate_grammars::facts::{Expr, ExprId, ImportKind, Site, Traits};
use activate_rules::links::Confidence;

/// Macros of the standard library that give what their argument holds. Other crates had them before.
const TAKING: [&str; 2] = ["ready", "try"];

/// A macro that no path leads to: the last one above in the same file, else the only ones of that name in the crate.
pub(super) fn by_text(index: &Index<'_>, file: FileId, name: Name, site: &Site) -> Meaning {
    let known = index.macros.get(&(index.root_of(file), name)).map_or(&[][..], Vec::as_slice);
    // They stand in the order of files and lines.
    let n_before = known.partition_point(|sym| {
        let (of, symbol) = index.symbol(*sym);
        (of, symbol.lines.0) <= (file, site.line)
    });
    let above = known[..n_before].last().copied().filter(|sym| index.symbol(*sym).0 == file);
    match (above, known.len()) {
        (Some(sym), _) => Meaning::Symbols(vec![(sym, Confidence::Exact)]),
        (None, 0) => of_crates(index, file, name),
        (None, n) if n > MAX_DEFINITIONS => Meaning::Unresolved,
        (None, _) => candidates(index, known.to_vec(), Confidence::Qualified),
    }
}

/// Whether a macro gives what its argument holds when nothing went wrong: by its rules, or by the name that the standard library's have.
pub(super) fn takes_out(index: &Index<'_>, file: FileId, callee: ExprId) -> bool {
    let facts = index.facts(file);
    let (Expr::Name(name) | Expr::Scoped(_, name)) = facts.exprs[callee.0 as usize] else { return false };
    let known = index.macros.get(&(index.root_of(file), index.name(file, name)));
    let by_rules = |known: &Vec<Sym>| known.iter().all(|sym| index.symbol(*sym).1.traits.has(Traits::TAKES_OUT));
    known.map_or_else(|| TAKING.contains(&facts.names.get(name)), by_rules)
}

/// A macro of the crate that a path leads to, where the root does not say that it has it: what passes the definition on may add that.
pub(super) fn of_root(index: &Index<'_>, path: &[Item], name: Name) -> Meaning {
    let [Item::Module(module)] = path else { return Meaning::Unresolved };
    let is_root = index.modules[module.0 as usize].root == Some(*module);
    let known = index.macros.get(&(*module, name)).filter(|known| is_root && known.len() <= MAX_DEFINITIONS);
    known.map_or(Meaning::Unresolved, |known| candidates(index, known.clone(), Confidence::Qualified))
}

/// A macro that a crate passes to all of another one: `extern crate` at its root, with `#[macro_use]`.
fn of_crates(index: &Index<'_>, file: FileId, name: Name) -> Meaning {
    let root = index.modules[index.root_of(file).0 as usize].file.filter(|_| by_traits(index, file));
    let mut found = Vec::new();
    if let Some(root) = root {
        let imports = (0..).zip(&index.facts(root).imports).filter(|(_, import)| import.kind == ImportKind::Module);
        let items = imports.flat_map(|(place, _)| index.import_items(root, place, &mut Seen::default()));
        let modules = items.filter_map(|item| if let Item::Module(module) = item { Some(module) } else { None });
        let definitions = modules.flat_map(|module| index.definitions(module, name));
        found.extend(definitions.filter_map(|def| if let Def::Symbol(sym) = def { Some(*sym) } else { None }));
    }
    found.retain(|sym| index.glance(*sym).1.traits.has(Traits::AT_ROOT));
    // Which of the crates pass their macros on is not told.
    if found.is_empty() { Meaning::Unresolved } else { candidates(index, found, Confidence::Unique) }
}
