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

/// Whether tests that are not listed run a program whose code has the subject; `reach` are the files that reach it by imports, and `may_lead` says
/// whether where a program begins may lead to it.
pub(super) fn has_unlisted_runs(
    base: &FactBase,
    reach: &FxHashSet<NodeId>,
    is_listed: &dyn Fn(NodeId) -> bool,
    may_lead: &dyn Fn(NodeId) -> bool,
) -> bool {
    let is_runner = |file: &NodeId| {
        let flags = base.flags(*file);
        flags.has(FileFlags::RUNS_PROGRAM | FileFlags::TEST) && !flags.has(FileFlags::VENDORED)
    };
    let runners: Vec<NodeId> = base.files().filter(is_runner).collect();
    if runners.is_empty() {
        return false;
    }
    let programs: Vec<NodeId> = reach.iter().copied().filter(|file| entry(base, *file).is_some_and(may_lead)).collect();
    let runners: BTreeSet<NodeId> =
        runners.into_iter().filter(|runner| programs.iter().any(|program| may_run(base, *runner, *program))).collect();
    // What runs the program may be a helper of the tests.
    let users = within_reach(base, runners.clone());
    let is_test = |node: &NodeId| base.traits(*node).is_some_and(|traits| traits.has(Traits::TEST));
    let tests: Vec<NodeId> = users.iter().flat_map(|file| base.symbols_of(*file).map(NodeId)).filter(is_test).collect();
    // Where a macro makes the tests none of them is known.
    !runners.is_empty() && (tests.is_empty() || tests.iter().any(|test| !is_listed(*test)))
}

/// Where the program begins that a file is, if it is one.
fn entry(base: &FactBase, file: NodeId) -> Option<NodeId> {
    let flags = base.flags(file);
    if [FileFlags::TEST, FileFlags::EXAMPLE, FileFlags::VENDORED].iter().any(|flag| flags.has(*flag)) {
        return None;
    }
    let is_entry = |node: &NodeId| {
        base.kind(*node) == Some(SymbolKind::Function) && base.container(*node).is_none() && base.name(*node) == Some(ENTRY)
    };
    // Where a file is a module, it can be run by itself: one that does something when it is loaded is meant to be.
    let by_file = || base.rules_of(file).is_some_and(|language| language.scope.modules == ModuleModel::File);
    let does_something = || base.links().row(file).any(|(_, link)| matches!(link.kind(), LinkKind::Calls | LinkKind::References));
    let main = base.symbols_of(file).map(NodeId).find(is_entry);
    if by_file() { does_something().then_some(file) } else { main }
}

/// Whether a test can run a program: of its own package, or of any where packages are folders and a test names what it builds.
fn may_run(base: &FactBase, test: NodeId, program: NodeId) -> bool {
    let language = activate_grammars::language_of(base.path(test)).map(|(_, language)| language);
    let by_folder = language.is_some_and(|language| language.scope.modules == ModuleModel::Folder);
    base.language(test) == base.language(program) && (by_folder || base.package_of(test) == base.package_of(program))
}
