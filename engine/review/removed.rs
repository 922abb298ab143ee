//! Definitions that a change takes away, and where their names are used all the same.
//!
//! Knows a use by the syntax of its place, not by text: what a comment or a string says is none. Must not show anything.

use super::locate::Placed;
use crate::facts::base::{FactBase, FileFlags, SymbolRow};
use crate::facts::extract::extract;
use activate_grammars::facts::{Container, Expr, FileFacts, Symbol, SymbolKind, Traits};
use activate_grammars::language_of;
use activate_rules::atoms::NodeId;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The most definitions whose uses are looked for.
const MAX_DEFINITIONS: usize = 60;
/// The most files that are read for the uses of one.
const MAX_FILES: usize = 60;
/// The most uses that are kept of one; more are counted.
const MAX_USES: usize = 12;
/// The shortest name that says something, in bytes.
const MIN_NAME: usize = 3;

/// A definition that goes and is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// Its name, with the type that it belongs to: `Store.Close`.
    pub name: String,
    /// What it was: `function`, `method` and so on.
    pub kind: &'static str,
    /// The file that had it.
    pub path: String,
    /// The line of it there, before the change.
    pub line: u32,
    /// The first places where its name is used, by path and line.
    pub uses: Vec<(NodeId, u32)>,
    /// How many there are in the files that were looked at.
    pub n_uses: usize,
}

/// What is asked of the repository.
pub(crate) struct Asked<'a> {
    pub(crate) base: &'a FactBase,
    /// The content of a file.
    pub(crate) read: &'a (dyn Fn(NodeId) -> Option<Vec<u8>> + Sync),
}

/// A definition of one side of a file.
struct Definition {
    name: String,
    /// The type that it belongs to.
    of: Option<String>,
    kind: SymbolKind,
    line: u32,
    traits: Traits,
}

/// The definitions that go and are used, those with most uses first.
pub(crate) fn removed(asked: &Asked<'_>, placed: &[Placed]) -> Vec<Removed> {
    let is_code = |file: &&Placed| file.is_whole && language_of(&file.path).is_some();
    let sides = |file: &Placed| {
        let old_path = file.from.as_deref().unwrap_or(&file.path);
        let of = |path: &str, text: &str| definitions(&extract(path, Some(text.as_bytes())).facts);
        (of(old_path, &file.old), of(&file.path, &file.new))
    };
    let code: Vec<&Placed> = placed.iter().filter(is_code).collect();
    let sides: Vec<(Vec<Definition>, Vec<Definition>)> = code.par_iter().map(|file| sides(file)).collect();
    // What another file of the change has now was moved.
    let kept: FxHashSet<&str> = sides.iter().flat_map(|(_, new)| new).map(|definition| definition.name.as_str()).collect();
    let changed: FxHashMap<NodeId, &Placed> = placed.iter().filter_map(|file| Some((file.file?, file))).collect();
    let mut gone: Vec<(&Placed, &Definition)> = Vec::new();
    for (file, (old, _)) in code.iter().zip(&sides) {
        let is_gone = |definition: &&Definition| {
            let is_test = definition.kind == SymbolKind::Test || definition.traits.has(Traits::TEST);
            let is_named = definition.name.len() >= MIN_NAME && !definition.name.contains(char::is_whitespace);
            let is_own = !definition.traits.has(Traits::NESTED) && definition.kind != SymbolKind::Module;
            is_named && is_own && !is_test && !kept.contains(definition.name.as_str())
        };
        gone.extend(old.iter().filter(is_gone).map(|definition| (*file, definition)));
    }
    // Who defines it still is who is meant.
    let is_defined = |name: &str| {
        let named = asked.base.symbols_named(name).into_iter().filter_map(|node| asked.base.symbol(node));
        let is_told = |row: &SymbolRow<'_>| changed.get(&row.file).is_some_and(|file| file.is_whole);
        named.into_iter().any(|row| row.name == name && !is_told(&row))
    };
    gone.retain(|(_, definition)| !is_defined(&definition.name));
    gone.dedup_by(|one, other| one.1.name == other.1.name && one.1.of == other.1.of);
    gone.truncate(MAX_DEFINITIONS);
    let found = |(file, definition): &(&Placed, &Definition)| {
        let uses = uses(asked, file, definition, &changed);
        let n_uses = uses.len();
        let name = definition.of.as_ref().map_or_else(|| definition.name.clone(), |of| format!("{of}.{}", definition.name));
        Removed {
            name,
            kind: definition.kind.word(),
            path: file.from.clone().unwrap_or_else(|| file.path.clone()),
            line: definition.line,
            uses: uses.into_iter().take(MAX_USES).collect(),
            n_uses,
        }
    };
    let mut removed: Vec<Removed> = gone.par_iter().map(found).filter(|removed| removed.n_uses > 0).collect();
    removed
        .sort_by(|one, other| (Reverse(one.n_uses), &one.path, one.line).cmp(&(Reverse(other.n_uses), &other.path, other.line)));
    removed
}

/// The definitions of a file with the types that they belong to.
fn definitions(facts: &FileFacts) -> Vec<Definition> {
    let of = |symbol: &Symbol| match symbol.container {
        Container::File => None,
        Container::Symbol(of) => facts.symbols.get(of.0 as usize).map(|of| facts.names.get(of.name).to_owned()),
        Container::Owner(of) => facts.owners.get(of as usize).and_then(|owner| named(facts, owner.of.0 as usize)),
    };
    let definition = |symbol: &Symbol| Definition {
        name: facts.names.get(symbol.name).to_owned(),
        of: of(symbol),
        kind: symbol.kind,
        line: symbol.name_line,
        traits: symbol.traits,
    };
    facts.symbols.iter().map(definition).collect()
}

/// The name that an expression ends with, through pointers and arguments of types.
fn named(facts: &FileFacts, expr: usize) -> Option<String> {
    let mut expr = expr;
    // Expressions may run in circles only where they are damaged.
    for _ in 0..8 {
        expr = match facts.exprs.get(expr)? {
            Expr::Name(name) | Expr::Member(_, name) | Expr::Scoped(_, name) => return Some(facts.names.get(*name).to_owned()),
            Expr::Pointer(of) | Expr::Apply(of, _) | Expr::Instance(of) | Expr::Deref(of) => of.0 as usize,
            _ => return None,
        };
    }
    None
}

/// Where the name of a definition is used after the change, by path and line.
fn uses(asked: &Asked<'_>, gone: &Placed, definition: &Definition, changed: &FxHashMap<NodeId, &Placed>) -> Vec<(NodeId, u32)> {
    let base = asked.base;
    let Ok(index) = base.text() else { return Vec::new() };
    let language = language_of(&gone.path).map(|(number, _)| number);
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let home = folder(&gone.path);
    let files_with = |word: &str| -> FxHashSet<u32> { index.lookup(&plain(word)).map(|posting| posting.doc).collect() };
    let with_type: Option<FxHashSet<u32>> = definition.of.as_deref().map(files_with);
    let is_package_private = language_of(&gone.path).is_some_and(|(_, language)| language.name == "go")
        && definition.name.starts_with(|c: char| !c.is_uppercase());
    let may_use = |file: &NodeId| {
        let path = base.path(*file);
        let is_near = folder(path) == home;
        // A member is called on something of its type: who never names that mostly means a namesake.
        let is_known = with_type.as_ref().is_none_or(|with_type| is_near || with_type.contains(&file.0));
        let is_code = language_of(path).map(|(number, _)| number) == language;
        is_code && is_known && (is_near || !is_package_private) && !base.flags(*file).has(FileFlags::VENDORED)
    };
    let mut files: Vec<NodeId> = index.lookup(&plain(&definition.name)).map(|posting| NodeId(posting.doc)).collect();
    files.retain(|file| base.is_file(*file) && may_use(file));
    files.sort_by_key(|file| (folder(base.path(*file)) != home, *file));
    files.truncate(MAX_FILES);
    let of_file = |file: &NodeId| {
        let path = base.path(*file);
        let text = match changed.get(file) {
            Some(placed) if placed.is_old => placed.new.clone().into_bytes(),
            _ => (asked.read)(*file).unwrap_or_default(),
        };
        let facts = extract(path, Some(&text)).facts;
        let is_use = |expr: usize| match facts.exprs.get(expr) {
            Some(Expr::Name(name)) => definition.of.is_none() && facts.names.get(*name) == definition.name,
            // What is no member is one of a package or module at most.
            Some(Expr::Member(of, name)) => {
                let is_package = matches!(facts.exprs.get(of.0 as usize), Some(Expr::Name(_)));
                facts.names.get(*name) == definition.name && (definition.of.is_some() || is_package)
            }
            Some(Expr::Scoped(_, name)) => facts.names.get(*name) == definition.name,
            _ => false,
        };
        let lines = facts.sites.iter().filter(|site| is_use(site.expr.0 as usize)).map(|site| site.line);
        lines.collect::<BTreeSet<u32>>().into_iter().map(|line| (*file, line)).collect::<Vec<_>>()
    };
    let mut uses: Vec<(NodeId, u32)> = files.iter().flat_map(of_file).collect();
    uses.sort_by_key(|(file, line)| (base.flags(*file).has(FileFlags::TEST), *file, *line));
    uses
}

/// A name as the index of words has it: in lower case and without what parts its words.
fn plain(name: &str) -> String {
    name.to_lowercase().replace('_', "")
}
