//! Where a name is written that no link knows: in attributes, in macros, in orders to a compiler, in patterns and between brackets.
//!
//! What a macro makes of a name only its author knows: such a place may be a use, and is no proof of one.

use super::desk::Desk;
use super::taken::taken;
use super::tokens::{Token, Within, tokens};
use activate_grammars::facts::Traits;
use activate_grammars::language_of;
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use index::base::{SymbolKind, SymbolRow};
use index::completeness::Completeness;
use index::text::{Form, for_each_word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The most definitions whose names are looked for.
const MAX_NAMES: usize = 1_000;

/// The most files from which imports are followed to one.
const MAX_REACHING: usize = 5_000;

/// Orders of Go that give a function to somebody who does not import it.
const ORDERS: [&str; 2] = ["//export ", "//go:linkname "];

/// Links to what uses a definition.
const USED_BY: [LinkKind; 4] = [LinkKind::CalledBy, LinkKind::ReferencedBy, LinkKind::ImplementedBy, LinkKind::ExtendedBy];

/// The most definitions around one.
const MAX_AROUND: usize = 64;

/// Notes which of these definitions stand inside of a function, as far as links do not know their uses: what a function says of its own types,
/// and where it hands on a function of its own.
pub(crate) fn add_inner(desk: &Desk<'_>, nodes: &[NodeId], known: &mut Completeness) {
    let base = desk.base;
    let mut inner: BTreeSet<&str> = BTreeSet::new();
    for row in nodes.iter().filter_map(|node| base.symbol(*node)) {
        let around = std::iter::successors(Some(row), |row| row.container.and_then(|around| base.symbol(around)));
        let is_inner = around.take(MAX_AROUND).any(|row| row.traits.has(Traits::NESTED));
        if is_inner && (row.kind != SymbolKind::Function || is_handed_on(desk, &row)) {
            inner.insert(row.name);
        }
    }
    for name in inner {
        known.lacks(format!("{name} stands inside of a function, where not every use of it is known"));
    }
}

/// Whether what stands around a function writes its name elsewhere than where it is defined or called.
fn is_handed_on(desk: &Desk<'_>, row: &SymbolRow<'_>) -> bool {
    let Some(text) = desk.text(row.file) else { return true };
    let around = row.container.and_then(|around| desk.base.symbol(around)).filter(|around| around.file == row.file);
    let (first, last) = around.map_or((1, text.n_lines()), |around| around.lines);
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let hands_on = |number: u32| {
        let line = text.line(number);
        if ["//", "#", "*", "/*"].iter().any(|mark| line.trim_start().starts_with(mark)) {
            return false;
        }
        let places = line.match_indices(row.name).map(|(at, _)| (&line[..at], &line[at + row.name.len()..]));
        let whole = places.filter(|(before, behind)| !before.ends_with(is_letter) && !behind.starts_with(is_letter));
        let is_use = |(before, behind): &(&str, &str)| {
            !(behind.trim_start().starts_with('(') || before.ends_with(['.', '<']) || before.ends_with("</"))
        };
        whole.skip(usize::from(number == row.name_line)).any(|place| is_use(&place))
    };
    (first.max(1)..=last.min(text.n_lines())).any(hands_on)
}

/// Notes where the names of definitions stand that no link knows, as far as what stands around such a place is `wanted`.
pub(crate) fn add_unread(desk: &Desk<'_>, nodes: &[NodeId], known: &mut Completeness, wanted: &dyn Fn(NodeId) -> bool) {
    let base = desk.base;
    let mut rows: Vec<SymbolRow<'_>> = nodes.iter().filter_map(|node| base.symbol(*node)).collect();
    rows.retain(|row| row.kind != SymbolKind::Test && !row.traits.has(Traits::NESTED));
    if rows.len() > MAX_NAMES {
        known.lacks(format!("{} definitions are not looked for in attributes and macros", rows.len() - MAX_NAMES));
        rows.truncate(MAX_NAMES);
    }
    let whole: FxHashSet<NodeId> = nodes.iter().copied().filter(|node| base.is_file(*node)).collect();
    let mut by_file: BTreeMap<NodeId, Vec<&SymbolRow<'_>>> = BTreeMap::new();
    let mut reach: FxHashMap<NodeId, Importing> = FxHashMap::default();
    for row in &rows {
        for file in files_near(desk, row, &mut reach) {
            by_file.entry(file).or_default().push(row);
        }
    }
    if reach.values().any(|importing| importing.is_cut) {
        known.lacks(format!("names are looked for in {MAX_REACHING} of the files that lead to them"));
    }
    by_file.retain(|file, _| !whole.contains(file));
    let names: FxHashSet<&str> = rows.iter().map(|row| row.name).collect();
    let sites = base.sites().filter_map(|site| {
        let name = base.symbol(site.to)?.name;
        names.contains(name).then(|| (base.file_of(site.from), site.line, name))
    });
    let sites: FxHashSet<(NodeId, u32, &str)> = sites.collect();
    let (mut found, mut places): (BTreeSet<&str>, BTreeSet<(NodeId, u32)>) = Default::default();
    let mut unread: BTreeSet<NodeId> = BTreeSet::new();
    for (file, rows) in &by_file {
        let (in_file, is_open) = places_in(desk, *file, rows);
        if is_open {
            unread.insert(*file);
        }
        for (line, row) in in_file {
            let is_own = row.file == *file && (row.lines.0..=row.lines.1).contains(&line);
            let around = base.symbol_at(*file, line).unwrap_or(*file);
            if !is_own && !sites.contains(&(*file, line, row.name)) && wanted(around) {
                found.insert(row.name);
                places.insert((*file, line));
            }
        }
    }
    if let Some(file) = unread.first() {
        let more = if unread.len() > 1 { format!(" and {} more files", unread.len() - 1) } else { String::new() };
        known.lacks(format!("a text without an end hides what {}{more} takes", base.path(*file)));
    }
    let Some((file, line)) = places.first() else { return };
    let more = if places.len() > 1 { format!(" and {} more lines", places.len() - 1) } else { String::new() };
    let mut names = found.iter();
    let name = names.next().copied().unwrap_or_default();
    let others = if found.len() > 1 { format!(" and {} more are", found.len() - 1) } else { " is".to_owned() };
    known.lacks(format!("{name}{others} also written in {}:{line}{more}, with no known meaning", base.path(*file)));
}

/// The file of a definition, and those that import it or use the definition, as far as its name stands in them. Where a file is a module, a
/// value may come from the next.
fn files_near(desk: &Desk<'_>, row: &SymbolRow<'_>, reach: &mut FxHashMap<NodeId, Importing>) -> BTreeSet<NodeId> {
    let base = desk.base;
    let users = base.links().row(row.node).filter(|(_, link)| USED_BY.contains(&link.kind()));
    let mut near: BTreeSet<NodeId> = users.map(|(from, _)| base.file_of(from)).collect();
    let is_file = language_of(base.path(row.file)).is_some_and(|(_, language)| language.scope.modules == ModuleModel::File);
    if is_file && row.kind == SymbolKind::Method {
        near.extend(reach.entry(row.file).or_insert_with(|| reaching(desk, row.file)).files.iter());
    } else {
        let importers = base.links().row(row.file).filter(|(_, link)| link.kind() == LinkKind::ImportedBy);
        near.extend(importers.map(|(from, _)| base.file_of(from)));
    }
    near.remove(&row.file);
    if let Some(index) = base.text().ok().filter(|_| !near.is_empty()) {
        let mut word = String::new();
        for_each_word(row.name.as_bytes(), |found, form| {
            if word.is_empty() && form != Form::Part {
                found.clone_into(&mut word);
            }
        });
        // What is too short to be a word may stand anywhere.
        let with_word: FxHashSet<NodeId> = index.lookup(&word).map(|posting| NodeId(posting.doc)).collect();
        near.retain(|file| word.is_empty() || with_word.contains(file));
    }
    near.insert(row.file);
    near
}

/// The files from which a chain of imports leads to one.
struct Importing {
    files: BTreeSet<NodeId>,
    /// Whether there may be more of them.
    is_cut: bool,
}

fn reaching(desk: &Desk<'_>, file: NodeId) -> Importing {
    let mut files = BTreeSet::new();
    let mut open = vec![file];
    while files.len() < MAX_REACHING
        && let Some(file) = open.pop()
    {
        let importers = desk.base.links().row(file).filter(|(_, link)| link.kind() == LinkKind::ImportedBy);
        open.extend(importers.map(|(from, _)| desk.base.file_of(from)).filter(|from| files.insert(*from)));
    }
    Importing { files, is_cut: !open.is_empty() }
}

/// The lines of a file that write the name of one of some definitions where code is not read, and whether a text without an end hides some.
fn places_in<'r, 'a>(desk: &Desk<'_>, file: NodeId, rows: &[&'r SymbolRow<'a>]) -> (Vec<(u32, &'r SymbolRow<'a>)>, bool) {
    let Some((_, language)) = language_of(desk.base.path(file)) else { return (Vec::new(), false) };
    let Some(text) = desk.text(file) else { return (Vec::new(), false) };
    let mut by_name: FxHashMap<&str, Vec<&'r SymbolRow<'a>>> = FxHashMap::default();
    for row in rows {
        by_name.entry(row.name).or_default().push(row);
    }
    let lines = || (1..=text.n_lines()).map(|line| text.line(line));
    match language.scope.modules {
        ModuleModel::Tree => {
            let whole = lines().collect::<Vec<_>>().join("\n");
            let found = tokens(&whole).into_iter().flat_map(|token| {
                let rows = by_name.get(token.name).into_iter().flatten();
                rows.filter(|row| may_mean(desk, &token, row)).map(|row| (token.line, *row)).collect::<Vec<_>>()
            });
            (found.collect(), false)
        }
        ModuleModel::Folder => {
            let found = lines().zip(1..).flat_map(|(line, number)| {
                let order = ORDERS.iter().find_map(|order| line.strip_prefix(order));
                let name = order.and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
                by_name.get(name).into_iter().flatten().map(move |row| (number, *row)).collect::<Vec<_>>()
            });
            (found.collect(), false)
        }
        ModuleModel::File if language.scope.submodules.is_some() => {
            let found = lines().zip(1..).flat_map(|(line, number)| {
                let rows = last_names(line).filter_map(|name| by_name.get(name)).flatten();
                rows.map(move |row| (number, *row)).collect::<Vec<_>>()
            });
            (found.collect(), false)
        }
        // Who uses it is not known anyway.
        ModuleModel::Unknown | ModuleModel::Package => (Vec::new(), false),
        ModuleModel::File => {
            let whole = lines().collect::<Vec<_>>().join("\n");
            let taken = taken(&whole);
            let found = taken.names.into_iter().flat_map(|(line, name)| {
                let rows = by_name.get(name).into_iter().flatten();
                // What a module defines is taken so from outside of it alone, a method from wherever a value has it.
                let may_mean =
                    |row: &&&SymbolRow<'_>| row.kind == SymbolKind::Method || row.file != file && row.container.is_none();
                rows.filter(may_mean).map(|row| (line, *row)).collect::<Vec<_>>()
            });
            (found.collect(), taken.is_open)
        }
    }
}

/// The last names of paths that stand alone between quotes of a line: `getattr(a, "run")`, `patch("a.b.run")`.
fn last_names(line: &str) -> impl Iterator<Item = &str> {
    let is_path = |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    line.split(['"', '\'']).skip(1).step_by(2).filter(is_path).map(|path| path.rsplit('.').next().unwrap_or(path))
}

/// Whether a name where code is not read may mean a definition. Members and paths in arguments of macros are read as code is.
fn may_mean(desk: &Desk<'_>, token: &Token<'_>, row: &SymbolRow<'_>) -> bool {
    let is_method = row.kind == SymbolKind::Method;
    if token.within == Within::Format {
        return matches!(row.kind, SymbolKind::Constant | SymbolKind::Variable);
    }
    match (token.path, token.is_member) {
        (_, true) => is_method && token.within == Within::Body,
        (Some(_), _) if token.within == Within::Macro => false,
        (Some(of), _) => {
            let around = row.container.and_then(|container| desk.base.symbol(container)).map(|row| row.name);
            if is_method { around == Some(of) || of == "Self" || of.is_empty() } else { !of.starts_with(char::is_uppercase) }
        }
        (None, _) => !is_method,
    }
}
