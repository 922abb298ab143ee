//! What a name means: `file#Type.method` or any end of it, letter by letter.
//!
//! Nothing is guessed: what several definitions have is refused with these, and what none has with what is nearest.

use super::desk::is_of_tests;
use activate_grammars::facts::Traits;
use activate_rules::atoms::NodeId;
use error::{Error, ErrorKind, Result};
use index::base::{FactBase, FileFlags};
use std::collections::BTreeMap;

/// The most candidates that are listed.
const MAX_LISTED: usize = 10;
/// The longest name.
const MAX_NAME: usize = 1_000;
/// The most containers around a definition.
const MAX_LEVELS: usize = 64;
/// Names of files and folders that no path of modules says.
const SILENT: [&str; 5] = ["src", "lib", "mod", "index", "main"];
/// Segments that say where a path of modules starts, not where it leads.
const ANCHORS: [&str; 3] = ["crate", "self", "super"];
/// Files that seldom hold what a name means.
const SIDE: [u8; 5] = [FileFlags::TEST, FileFlags::GENERATED, FileFlags::VENDORED, FileFlags::EXAMPLE, FileFlags::DOCUMENT];

/// What a name means: a file, or the declarations of one definition.
pub(crate) struct Named {
    /// The nodes, in their order.
    pub(crate) nodes: Vec<NodeId>,
}

/// Finds what a name means.
pub(crate) fn named(base: &FactBase, text: &str) -> Result<Named> {
    let text = text.trim().trim_matches('`');
    if text.is_empty() || text.len() > MAX_NAME {
        let message = "give a name, such as `ValidateToken`, `KeySet.Find` or `auth/login.go#ValidateToken`";
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    if let Some(node) = base.node_at(text) {
        return Ok(Named { nodes: if base.is_file(node) { vec![node] } else { declarations(base, node) } });
    }
    if let Some((path, local)) = text.split_once('#') {
        let files = files_ending(base, path);
        let inside = files.iter().flat_map(|file| base.symbols_of(*file).map(NodeId));
        let wanted = segments(local);
        let found = inside
            .filter(|node| base.symbol(*node).is_some_and(|row| row.local_id == local) || is_end(base, *node, &wanted, false));
        return one(base, text, found.collect());
    }
    if let Some((path, line)) = text.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse::<u32>().ok()?))) {
        let files = files_ending(base, path);
        let around = files.iter().filter_map(|file| base.symbol_at(*file, line)).collect();
        return one(base, text, around);
    }
    let files = files_ending(base, text);
    if !files.is_empty() {
        return one(base, text, files);
    }
    let wanted = segments(text);
    let Some(last) = wanted.last() else { return one(base, text, Vec::new()) };
    let mut found: Vec<NodeId> = spelled(base, text);
    if found.is_empty() {
        found = spelled(base, last).into_iter().filter(|node| is_end(base, *node, &wanted, true)).collect();
    }
    one(base, text, found)
}

/// The definitions with exactly this name.
fn spelled(base: &FactBase, name: &str) -> Vec<NodeId> {
    let is_exact = |node: &NodeId| base.symbol(*node).is_some_and(|row| row.name == name);
    base.symbols_named(name).into_iter().filter(is_exact).collect()
}

/// The files whose path ends with whole components like this.
pub(crate) fn files_ending(base: &FactBase, path: &str) -> Vec<NodeId> {
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

/// All declarations of a definition in its file: overloads, and those of other builds.
fn declarations(base: &FactBase, node: NodeId) -> Vec<NodeId> {
    let Some(row) = base.symbol(node) else { return vec![node] };
    let same = |other: &NodeId| base.symbol(*other).is_some_and(|other| other.local_id == row.local_id);
    base.symbols_of(row.file).map(NodeId).filter(same).collect()
}

/// The one that is meant: of several one of the program before those of tests, of others and of other builds.
fn one(base: &FactBase, text: &str, found: Vec<NodeId>) -> Result<Named> {
    let mut groups: BTreeMap<(NodeId, &str), Vec<NodeId>> = BTreeMap::new();
    for node in found {
        let local = base.symbol(node).map_or("", |row| row.local_id);
        groups.entry((base.file_of(node), local)).or_default().push(node);
    }
    let mut groups: Vec<Vec<NodeId>> = groups.into_values().collect();
    for is_likely in [is_plain, is_of_usual_build] {
        if groups.iter().any(|nodes| is_likely(base, nodes[0])) {
            groups.retain(|nodes| is_likely(base, nodes[0]));
        }
    }
    match groups.len() {
        0 => Err(unknown(base, text)),
        1 => Ok(Named { nodes: groups.pop().unwrap_or_default() }),
        n => {
            let ids: Vec<String> = groups.iter().take(MAX_LISTED).map(|nodes| format!("`{}`", base.id(nodes[0]))).collect();
            let more = if n > MAX_LISTED { format!(" and {} more", n - MAX_LISTED) } else { String::new() };
            let message = format!("`{text}` may be any of {n}: {}{more}; say which of them is meant", ids.join(", "));
            Err(Error::new(ErrorKind::NothingFound, message))
        }
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

/// That nothing has a name, with what is nearest.
fn unknown(base: &FactBase, text: &str) -> Error {
    let folder = format!("{}/", text.trim_end_matches('/'));
    if base.files().any(|file| base.path(file).starts_with(&folder)) {
        let message =
            format!("`{text}` is a folder; give one of its files or definitions, which `activate outline {text}` lists");
        return Error::new(ErrorKind::NothingFound, message);
    }
    let message = match intent::locate(base, text) {
        Err(error) => error.message,
        Ok(near) => {
            let near: Vec<String> = near.iter().take(MAX_LISTED).map(|node| format!("`{}`", base.id(*node))).collect();
            format!("nothing is named `{text}` letter by letter; the nearest are {}", near.join(", "))
        }
    };
    Error::new(ErrorKind::NothingFound, message)
}
