//! What a name means letter by letter: `file#Type.method` or any end of it, as each command that takes a name has it.
//!
//! Nothing is guessed. Of several definitions those of the program come before those of tests, of others and of other builds.

use activate_grammars::facts::Traits;
use activate_rules::atoms::NodeId;
use index::base::{FactBase, FileFlags, SymbolKind, SymbolRow};
use std::collections::{BTreeMap, BTreeSet};

/// The most containers around a definition.
const MAX_LEVELS: usize = 64;
/// Names of files and folders that no path of modules says.
const SILENT: [&str; 5] = ["src", "lib", "mod", "index", "main"];
/// Segments that say where a path of modules starts, not where it leads.
const ANCHORS: [&str; 3] = ["crate", "self", "super"];
/// Files that seldom hold what a name means.
const SIDE: [u32; 5] = [FileFlags::TEST, FileFlags::GENERATED, FileFlags::VENDORED, FileFlags::EXAMPLE, FileFlags::DOCUMENT];

/// What stands in front of the number of a definition that has a twin: `~2.init` is the second `init` of its file.
const TWIN: char = '~';

/// The definitions and files that a name can mean, each as its declarations in one file. One is what is meant, several are to be told.
pub fn exact(base: &FactBase, text: &str) -> Vec<Vec<NodeId>> {
    let text = text.trim();
    let text = text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).unwrap_or(text);
    if text.is_empty() {
        return Vec::new();
    }
    if let Some(node) = base.node_at(text) {
        return vec![if base.is_file(node) { vec![node] } else { declarations(base, node) }];
    }
    if let Some((path, local)) = text.split_once('#') {
        let files = files_ending(base, path);
        let inside = files.iter().flat_map(|file| base.symbols_of(*file).map(NodeId));
        return likely(base, local, inside.filter(|node| is_called(base, *node, local, false)).collect());
    }
    if let Some((path, line)) = line_in(text) {
        let files = files_ending(base, path);
        return likely(base, text, files.iter().filter_map(|file| base.symbol_at(*file, line)).collect());
    }
    let files = files_ending(base, text);
    if !files.is_empty() {
        return likely(base, text, files);
    }
    let wanted = segments(text);
    let is_number = |segment: &&str| segment.starts_with(TWIN);
    let Some(last) = wanted.iter().rev().find(|segment| !is_number(segment)) else { return Vec::new() };
    let mut found = spelled(base, text);
    if found.is_empty() {
        found = spelled(base, last).into_iter().filter(|node| is_called(base, *node, text, true)).collect();
    }
    if found.is_empty() {
        // Under another name that a file passes it on with.
        found = base.aliases_named(text).filter(|row| row.name == text).map(|row| row.of).collect();
    }
    likely(base, text, found)
}

/// The path and the line of a place.
fn line_in(text: &str) -> Option<(&str, u32)> {
    let (path, line) = text.rsplit_once(':')?;
    Some((path, line.parse().ok()?))
}

/// Whether a definition has this name within its file or an end of it, with where it stands if `with_path` says so.
fn is_called(base: &FactBase, node: NodeId, local: &str, with_path: bool) -> bool {
    let Some(row) = base.symbol(node) else { return false };
    let is_end_of_id = row.local_id.strip_suffix(local).is_some_and(|before| before.is_empty() || before.ends_with('.'));
    is_end_of_id || !local.contains(TWIN) && is_end(base, node, &segments(local), with_path)
}

/// The definitions with exactly this name.
fn spelled(base: &FactBase, name: &str) -> Vec<NodeId> {
    let is_exact = |node: &NodeId| base.symbol(*node).is_some_and(|row| row.name == name);
    base.symbols_named(name).into_iter().filter(is_exact).collect()
}

/// The files whose path ends with whole components like this.
pub fn files_ending(base: &FactBase, path: &str) -> Vec<NodeId> {
    let path = path.strip_prefix("./").unwrap_or(path);
    if path.is_empty() {
        return Vec::new();
    }
    if let Some(file) = base.file_at(path) {
        return vec![file];
    }
    let ends = |file: &NodeId| base.path(*file).strip_suffix(path).is_some_and(|before| before.ends_with('/'));
    base.files().filter(ends).collect()
}

/// The parts of a written name: `(*KeySet).Close` and `KeySet::close()` have two.
fn segments(text: &str) -> Vec<&str> {
    let parts = text.trim_end_matches("()").split(['.', ':']);
    let parts = parts.map(|part| part.trim_matches(|c: char| matches!(c, '(' | ')' | '*' | '&')));
    parts.filter(|part| !part.is_empty() && !ANCHORS.contains(part)).collect()
}

/// Whether a definition is called like this from some point outside on: its name, then what holds it, then where it stands if that may be said.
fn is_end(base: &FactBase, node: NodeId, wanted: &[&str], with_path: bool) -> bool {
    let Some(row) = base.symbol(node) else { return false };
    let mut wanted = wanted.iter().rev();
    if wanted.next().is_none_or(|last| *last != row.name) {
        return false;
    }
    let mut left = wanted.peekable();
    let mut around = row.container;
    for _ in 0..MAX_LEVELS {
        let Some(container) = around.and_then(|container| base.symbol(container)) else { break };
        match left.peek() {
            None => return true,
            Some(name) if **name == container.name => drop(left.next()),
            Some(_) => return false,
        }
        around = container.container;
    }
    if row.container.is_none() {
        // What holds it is known by its name alone, where it stands in another file.
        let holders = row.local_id.rsplit_once('.').map_or("", |(holders, _)| holders).rsplit('.');
        for holder in holders.filter(|holder| !holder.is_empty() && !holder.starts_with(TWIN)) {
            match left.peek() {
                None => return true,
                Some(name) if **name == holder => drop(left.next()),
                Some(_) => return false,
            }
        }
    }
    if left.peek().is_none() {
        return true;
    }
    if !with_path {
        return false;
    }
    let path = base.path(node);
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    // A package goes by its folder, and a module by its file.
    if left.peek().is_some_and(|name| **name == stem) {
        left.next();
    }
    for folder in folders.rsplit('/') {
        match left.peek() {
            None => return true,
            Some(name) if **name == folder => drop(left.next()),
            Some(_) if SILENT.contains(&folder) => {}
            Some(_) => return false,
        }
    }
    left.peek().is_none()
}

/// All declarations of a definition in its file: overloads, and those of other builds. A name with the number of a twin means that one alone.
fn declarations(base: &FactBase, node: NodeId) -> Vec<NodeId> {
    let Some(row) = base.symbol(node) else { return vec![node] };
    let overloads = base.overloads(node);
    if overloads.len() > 1 && !row.local_id.contains(TWIN) {
        return overloads;
    }
    let same = |other: &NodeId| base.symbol(*other).is_some_and(|other| other.local_id == row.local_id);
    base.symbols_of(row.file).map(NodeId).filter(same).collect()
}

/// Those that are likely meant, by definition: of the program before others; of twins the one that has the name itself.
fn likely(base: &FactBase, name: &str, found: Vec<NodeId>) -> Vec<Vec<NodeId>> {
    let local = |node: NodeId| base.symbol(node).map_or("", |row| row.local_id);
    let mut groups: BTreeMap<(NodeId, &str), Vec<NodeId>> = BTreeMap::new();
    for node in found {
        groups.entry((base.file_of(node), local(node))).or_default().push(node);
    }
    let mut groups: Vec<Vec<NodeId>> = groups.into_values().collect();
    // Whoever says a line or a number means one of them.
    if !name.contains(TWIN) && line_in(name).is_none() {
        join_overloads(base, &mut groups);
    }
    let has_name = |node: NodeId| base.symbol(node).is_some_and(|row| row.local_id == name);
    narrow(&mut groups, |node| is_plain(base, node));
    narrow(&mut groups, |node| is_of_usual_build(base, node));
    let firsts: Vec<NodeId> = groups.iter().map(|nodes| nodes[0]).collect();
    narrow(&mut groups, |node| !base.declares_one_of(node, &firsts));
    narrow(&mut groups, has_name);
    groups
}

/// Makes one of the overloads of a method: whoever writes their name means all of them.
fn join_overloads(base: &FactBase, groups: &mut Vec<Vec<NodeId>>) {
    let known: BTreeSet<NodeId> = groups.iter().map(|group| group[0]).collect();
    let mut overloads = base.all_overloads(known.iter().copied());
    let others: BTreeSet<NodeId> = overloads
        .iter()
        .filter(|(first, _)| known.contains(first))
        .flat_map(|(_, overloads)| overloads.iter().skip(1).copied())
        .collect();
    groups.retain(|group| !others.contains(&group[0]));
    for group in groups {
        if let Some(overloads) = overloads.remove(&group[0]).filter(|overloads| overloads.len() > 1) {
            *group = overloads;
        }
    }
}

/// Keeps those that are likely, where any is.
fn narrow(groups: &mut Vec<Vec<NodeId>>, is_likely: impl Fn(NodeId) -> bool) {
    if groups.iter().any(|nodes| is_likely(nodes[0])) {
        groups.retain(|nodes| is_likely(nodes[0]));
    }
}

/// Whether a node is of the program: not of tests, not code of others, and no local of a function.
fn is_plain(base: &FactBase, node: NodeId) -> bool {
    let flags = base.flags(base.file_of(node));
    let is_aside = base.symbol(node).is_some_and(|row| is_of_tests(&row) || row.traits.has(Traits::NESTED));
    !is_aside && !SIDE.iter().any(|flag| flags.has(*flag))
}

fn is_of_usual_build(base: &FactBase, node: NodeId) -> bool {
    base.symbol(node).is_none_or(|row| !row.traits.has(Traits::OTHER_BUILD))
}

fn is_of_tests(symbol: &SymbolRow<'_>) -> bool {
    [Traits::TEST, Traits::TEST_CODE, Traits::GROUP].iter().any(|each| symbol.traits.has(*each))
        || symbol.kind == SymbolKind::Test
}
