//! The folders of a repository as modules, folded so that all fit a screen, with what they use of each other.

use super::model::Module;
use super::nodes::Nodes;
use activate_rules::atoms::{Energy, NodeId};
use activate_rules::links::LinkKind;
use engine::Activation;
use index::base::FactBase;
use redact::Safe;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The most modules: as many rows as a screen has.
const MAX_MODULES: usize = 28;
/// The most nodes of a module that are named, and the most other modules.
const MAX_NODES: usize = 8;
const MAX_USES: usize = 5;

/// A folder with all below it.
#[derive(Debug, Default, Clone)]
struct Folder<'a> {
    n_files: u32,
    n_active: u32,
    folders: BTreeSet<&'a str>,
    /// Files that stand in it directly.
    has_files: bool,
}

/// The modules of a repository, in the order of their paths.
pub(super) fn collect(activation: &Activation<'_>, nodes: &Nodes) -> Vec<Module> {
    let base = &activation.snapshot.base;
    let mut active: FxHashMap<NodeId, (u32, Energy)> = FxHashMap::default();
    for of in activation.found.files.iter().chain(&activation.found.symbols) {
        let (n, best) = active.entry(base.file_of(of.node)).or_default();
        (*n, *best) = (*n + 1, (*best).max(of.score));
    }
    let parts = unfolded(base, &active);
    // The closest folder above a file that is a module.
    let module_of = |file: NodeId| {
        let mut path = folder_of(base.path(file));
        loop {
            if let Some(at) = parts.get(path) {
                return *at;
            }
            if path.is_empty() {
                return 0;
            }
            path = folder_of(path);
        }
    };
    let mut modules = vec![Module::default(); parts.len().max(1)];
    for (path, at) in &parts {
        modules[*at].path = if path.is_empty() { Safe::fixed("(root)") } else { activation.masker().name(path) };
    }
    let of_file: FxHashMap<NodeId, usize> = base.files().map(|file| (file, module_of(file))).collect();
    for (file, at) in &of_file {
        let module = &mut modules[*at];
        module.n_files += 1;
        module.n_symbols += base.symbols_of(*file).len() as u32;
        module.n_lines = module.n_lines.saturating_add(base.n_lines(*file));
        let (n, best) = active.get(file).copied().unwrap_or_default();
        module.n_active += n;
        module.best = module.best.max(best);
    }
    add_uses(base, &of_file, &mut modules);
    let mut listed: Vec<(usize, NodeId)> = nodes.at.iter().map(|(node, at)| (*at, *node)).collect();
    listed.sort_unstable();
    for (at, node) in listed {
        let file = base.file_of(node);
        if let Some(module) = of_file.get(&file)
            && modules[*module].nodes.len() < MAX_NODES
        {
            modules[*module].nodes.push(at);
        }
    }
    modules
}

/// Adds who uses whom, by the links between files of different modules.
fn add_uses(base: &FactBase, of_file: &FxHashMap<NodeId, usize>, modules: &mut [Module]) {
    let uses = |kind: LinkKind| {
        matches!(kind, LinkKind::Imports | LinkKind::Calls | LinkKind::References | LinkKind::Implements | LinkKind::Extends)
    };
    let mut counts: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for node in (0..base.n_nodes()).map(NodeId) {
        let Some(from) = of_file.get(&base.file_of(node)) else { continue };
        for (to, _) in base.links().row(node).filter(|(_, link)| uses(link.kind())) {
            if let Some(to) = of_file.get(&base.file_of(to)).filter(|to| *to != from) {
                *counts.entry((*from, *to)).or_default() += 1;
            }
        }
    }
    for ((from, to), n) in counts {
        modules[from].uses.push((to, n));
        modules[to].used_by.push((from, n));
    }
    for module in modules {
        for list in [&mut module.uses, &mut module.used_by] {
            list.sort_by_key(|(module, n)| (Reverse(*n), *module));
            list.truncate(MAX_USES);
        }
    }
}

/// The folders that are modules, each with its place: the hottest are unfolded first, then the largest, until there is no more room.
fn unfolded<'a>(base: &'a FactBase, active: &FxHashMap<NodeId, (u32, Energy)>) -> BTreeMap<&'a str, usize> {
    let mut folders: BTreeMap<&str, Folder<'_>> = BTreeMap::new();
    folders.entry("").or_default();
    for file in base.files() {
        let n_active = active.get(&file).map_or(0, |(n, _)| *n);
        let mut path = folder_of(base.path(file));
        folders.entry(path).or_default().has_files = true;
        loop {
            let folder = folders.entry(path).or_default();
            folder.n_files += 1;
            folder.n_active += n_active;
            if path.is_empty() {
                break;
            }
            let above = folder_of(path);
            folders.entry(above).or_default().folders.insert(path);
            path = above;
        }
    }
    let mut shown: BTreeSet<&str> = BTreeSet::from([""]);
    loop {
        let rows = |path: &&str| folders.get(path).map_or(0, |folder| folder.folders.len());
        let weight = |path: &&str| folders.get(path).map_or((0, 0), |folder| (folder.n_active, folder.n_files));
        let fits = |path: &&&str| {
            let n = rows(path);
            let is_closed = !folders[**path].folders.iter().any(|below| shown.contains(below));
            n > 0 && is_closed && shown.len() - usize::from(!folders[**path].has_files) + n <= MAX_MODULES
        };
        let Some(path) = shown.iter().filter(fits).max_by_key(|path| (weight(path), Reverse(**path))).copied() else { break };
        shown.extend(folders[path].folders.iter().copied());
    }
    // A folder without files of its own whose folders are shown has nothing to say.
    let is_bare = |path: &&str| {
        folders.get(path).is_some_and(|folder| !folder.has_files && folder.folders.iter().any(|below| shown.contains(below)))
    };
    shown.iter().filter(|path| !is_bare(path)).enumerate().map(|(at, path)| (*path, at)).collect()
}

/// The folder that a path stands in; empty at the root.
fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}
