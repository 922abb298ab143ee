//! Tests that run the program itself: no call leads from them to its code.
//!
//! Says only that there are such tests.

use super::gaps::within_reach;
use crate::base::{FactBase, FileFlags, SymbolKind, Traits};
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Why a list of tests that leaves such tests out is not complete.
pub(super) const UNFOLLOWED_RUNS: &str = "tests that run the program are not followed";

/// Where programs begin.
const ENTRY: &str = "main";

/// Whether tests that are not `listed` run a program whose code has the subject; `reach` are the files that reach it by imports.
pub(super) fn has_unlisted_runs(base: &FactBase, reach: &FxHashSet<NodeId>, listed: &FxHashSet<NodeId>) -> bool {
    let is_runner = |file: &NodeId| {
        let flags = base.flags(*file);
        flags.has(FileFlags::RUNS_PROGRAM | FileFlags::TEST) && !flags.has(FileFlags::VENDORED)
    };
    let runners: Vec<NodeId> = base.files().filter(is_runner).collect();
    if runners.is_empty() {
        return false;
    }
    let programs: Vec<NodeId> = reach.iter().copied().filter(|file| is_program(base, *file)).collect();
    let runners: BTreeSet<NodeId> =
        runners.into_iter().filter(|runner| programs.iter().any(|program| may_run(base, *runner, *program))).collect();
    // What runs the program may be a helper of the tests.
    let users = within_reach(base, runners.clone());
    let is_test = |node: &NodeId| base.traits(*node).is_some_and(|traits| traits.has(Traits::TEST));
    let tests: Vec<NodeId> = users.iter().flat_map(|file| base.symbols_of(*file).map(NodeId)).filter(is_test).collect();
    // Where a macro makes the tests none of them is known.
    !runners.is_empty() && (tests.is_empty() || tests.iter().any(|test| !listed.contains(test)))
}

fn is_program(base: &FactBase, file: NodeId) -> bool {
    let flags = base.flags(file);
    let is_aside = [FileFlags::TEST, FileFlags::EXAMPLE, FileFlags::VENDORED].iter().any(|flag| flags.has(*flag));
    let is_entry = |node: u32| {
        let node = NodeId(node);
        base.kind(node) == Some(SymbolKind::Function) && base.container(node).is_none() && base.name(node) == Some(ENTRY)
    };
    !is_aside && (base.symbols_of(file).any(is_entry) || is_script(base, file))
}

/// Whether a file can be run by itself and no other file but tests imports it.
fn is_script(base: &FactBase, file: NodeId) -> bool {
    let is_runnable = modules(base, file) == Some(ModuleModel::File);
    let mut importers = base.links().row(file).filter(|(_, link)| link.kind() == LinkKind::ImportedBy);
    is_runnable && importers.all(|(from, _)| base.flags(base.file_of(from)).has(FileFlags::TEST))
}

fn modules(base: &FactBase, file: NodeId) -> Option<ModuleModel> {
    activate_grammars::language_of(base.path(file)).map(|(_, language)| language.scope.modules)
}

/// Whether a test can run a program: of its own package, or of any where packages are folders and a test names what it builds.
fn may_run(base: &FactBase, test: NodeId, program: NodeId) -> bool {
    let by_folder = modules(base, test) == Some(ModuleModel::Folder);
    base.language(test) == base.language(program) && (by_folder || base.package_of(test) == base.package_of(program))
}
