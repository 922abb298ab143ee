//! The commands that run the tests of a change, the closest first, few and short enough to be read.

use crate::commands::shown;
use crate::desk::Desk;
use activate_grammars::language_of;
use activate_rules::atoms::NodeId;
use index::base::{FactBase, Reach, Reaching, Runner, SymbolKind, SymbolRow, TestMap, Traits};
use redact::Safe;
use review::Review;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The most tests and files that one command names: with more tests it runs their files.
const MAX_NAMES: usize = 6;

/// The most bytes of a command that names tests, and of any.
const MAX_NAMED: usize = 200;
const MAX_COMMAND: usize = 400;

/// The most definitions whose tests are looked for.
const MAX_ASKED: usize = 60;

/// The most tests of a definition that may run any of many.
const MAX_ANY: usize = 3;

/// Commands, and how many tests they run.
#[derive(Default)]
pub(super) struct Runs {
    pub(super) commands: Vec<Safe>,
    /// Tests that no command can be shown for.
    pub(super) n_without: usize,
}

/// The commands for tests that change, that run what changes, and that may notice it (each with how far it is away).
pub(super) fn runs(desk: &Desk<'_>, review: &Review, changed: &[NodeId], noticing: &[(NodeId, u32)]) -> Runs {
    let base = desk.base;
    let mut tests: FxHashMap<NodeId, u32> = FxHashMap::default();
    let mut add = |test: NodeId, distance: u32| {
        let known = tests.entry(test).or_insert(distance);
        *known = distance.min(*known);
    };
    for node in changed {
        if let Some(test) = base.test_around(*node) {
            add(test, 0);
        }
    }
    for (file, line) in review.removed.iter().flat_map(|removed| &removed.uses) {
        if let Some(test) = base.test_around(base.symbol_at(*file, *line).unwrap_or(*file)) {
            add(test, 0);
        }
    }
    let map = TestMap::new(base);
    for node in changed.iter().take(MAX_ASKED) {
        let (any, sure): (Vec<Reaching>, Vec<Reaching>) = map
            .reaching(*node)
            .into_iter()
            .filter(|way| way.reach != Reach::SamePackage)
            .partition(|way| way.reach == Reach::AnyOf);
        // Tests that may run any of many are run where none is known to run it.
        let n_any = if sure.is_empty() { MAX_ANY } else { 0 };
        for way in sure.iter().chain(any.iter().take(n_any)) {
            add(way.test, way.n_calls.max(1));
        }
    }
    for (node, distance) in noticing {
        if let Some(test) = base.test_around(*node) {
            add(test, *distance);
        }
    }
    of(desk, &tests)
}

fn of(desk: &Desk<'_>, tests: &FxHashMap<NodeId, u32>) -> Runs {
    let mut ordered: Vec<(u32, NodeId)> = tests.iter().map(|(test, distance)| (*distance, *test)).collect();
    ordered.sort_unstable();
    let mut runs = Runs::default();
    let mut by_runner: BTreeMap<Runner, Vec<(u32, NodeId)>> = BTreeMap::new();
    for (distance, test) in ordered {
        match desk.base.runner(desk.base.file_of(test)) {
            Some(runner) => by_runner.entry(runner).or_default().push((distance, test)),
            // A helper of tests is none. Of a file with the name of one the tests may not be known.
            None if desk.base.is_file(test) && !has_tests(desk.base, test) && !is_named_as_test(desk.base.path(test)) => {}
            None => runs.n_without += 1,
        }
    }
    let mut commands: Vec<(u32, Safe)> = Vec::new();
    for (runner, tests) in &by_runner {
        // Those of one file are run together, and apart from the file's others only where they are few.
        let mut files: Vec<(NodeId, Vec<(u32, NodeId)>)> = Vec::new();
        for test in tests {
            let file = desk.base.file_of(test.1);
            match files.iter_mut().find(|(known, _)| *known == file) {
                Some((_, of_file)) => of_file.push(*test),
                None => files.push((file, vec![*test])),
            }
        }
        let named: Vec<NodeId> = tests.iter().map(|(_, test)| *test).collect();
        let nearest = tests.first().map_or(0, |(distance, _)| *distance);
        let is_few = named.len() <= MAX_NAMES && !named.iter().any(|test| desk.base.is_file(*test));
        match shown(desk, runner, &named).filter(|command| is_few && command.as_str().len() <= MAX_NAMED) {
            Some(command) => commands.push((nearest, command)),
            None => of_files(desk, runner, &files, &mut commands, &mut runs.n_without),
        }
    }
    commands.sort();
    let mut known = FxHashSet::default();
    runs.commands = commands.into_iter().map(|(_, command)| command).filter(|command| known.insert(command.clone())).collect();
    runs
}

fn has_tests(base: &FactBase, file: NodeId) -> bool {
    let is_test = |row: SymbolRow<'_>| row.kind == SymbolKind::Test || row.traits.has(Traits::TEST);
    base.symbols_of(file).any(|node| base.symbol(NodeId(node)).is_some_and(is_test))
}

/// Whether a file is one of tests by its name, wherever it stands.
fn is_named_as_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    language_of(path).is_some_and(|(_, language)| (language.is_test_path)(name))
}

/// Commands that run whole files, several at a time where a tool takes that.
fn of_files(
    desk: &Desk<'_>,
    runner: &Runner,
    files: &[(NodeId, Vec<(u32, NodeId)>)],
    commands: &mut Vec<(u32, Safe)>,
    n_without: &mut usize,
) {
    let is_short = |command: &Safe| command.as_str().len() <= MAX_COMMAND;
    for some in files.chunks(MAX_NAMES) {
        let nearest = |of: &[(NodeId, Vec<(u32, NodeId)>)]| {
            of.iter().flat_map(|(_, tests)| tests.iter().map(|(distance, _)| *distance)).min().unwrap_or(0)
        };
        let nodes: Vec<NodeId> = some.iter().map(|(file, _)| *file).collect();
        if let Some(command) = shown(desk, runner, &nodes).filter(is_short) {
            commands.push((nearest(some), command));
            continue;
        }
        for (at, file) in nodes.iter().enumerate() {
            match shown(desk, runner, &[*file]).filter(is_short) {
                Some(command) => commands.push((nearest(&some[at..=at]), command)),
                None => *n_without += some[at].1.len(),
            }
        }
    }
}
