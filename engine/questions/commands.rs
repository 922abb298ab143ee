//! The commands that run tests, as few as there can be. Says how tests are run and never runs one.

use super::answer::Answer;
use super::desk::Desk;
use activate_rules::atoms::NodeId;
use index::base::Runner;
use redact::Safe;
use std::collections::BTreeMap;

/// The most commands, and tests named in one.
const MAX_COMMANDS: usize = 20;
const MAX_NAMES: usize = 12;

/// The most tests that may run any of many methods for which commands are given.
const MAX_ANY: usize = 24;

/// Keeps the tests that are to be run: those that surely run it, and where there are none, a few of those that may run any of many. Gives how many
/// of these are left out.
pub(crate) fn keep_sure<T>(tests: &mut Vec<T>, is_any: impl Fn(&T) -> bool) -> usize {
    let n_any = tests.iter().filter(|test| is_any(test)).count();
    let n_kept = if n_any == tests.len() { MAX_ANY.min(n_any) } else { 0 };
    let mut n_more = n_kept;
    tests.retain(|test| {
        let is_kept = !is_any(test) || n_more > 0;
        n_more -= usize::from(is_any(test) && n_more > 0);
        is_kept
    });
    n_any - n_kept
}

/// Says of how many tests that may run any of many no command is given.
pub(crate) fn add_without(answer: &mut Answer, n: usize) {
    answer.add_aside(n, "test that may run it is in no command", "tests that may run it are in no command");
}

/// The commands that run these tests and files of tests, and how many more there are.
pub(crate) fn commands(desk: &Desk<'_>, tests: &[NodeId]) -> (Vec<Safe>, usize) {
    let base = desk.base;
    let mut by_runner: BTreeMap<Runner, Vec<NodeId>> = BTreeMap::new();
    for test in tests {
        let file = base.file_of(*test);
        let Some(runner) = desk.base.runner(file) else { continue };
        // A test that cannot be named is run with its file.
        let node = if shown(desk, &runner, &[*test]).is_some() { *test } else { file };
        let of_runner = by_runner.entry(runner).or_default();
        if !of_runner.contains(&node) {
            of_runner.push(node);
        }
    }
    let mut commands = Vec::new();
    for (runner, tests) in by_runner {
        let (files, named): (Vec<NodeId>, Vec<NodeId>) = tests.into_iter().partition(|test| base.is_file(*test));
        let named: Vec<NodeId> = named.into_iter().filter(|test| !files.contains(&base.file_of(*test))).collect();
        for some in files.chunks(MAX_NAMES).chain(named.chunks(MAX_NAMES)) {
            match shown(desk, &runner, some) {
                Some(command) => commands.push(command),
                // Some tools take one name at a time.
                None => commands.extend(some.iter().filter_map(|one| shown(desk, &runner, &[*one]))),
            }
        }
    }
    commands.sort();
    commands.dedup();
    let most = MAX_COMMANDS.min(desk.limit());
    let n_left = commands.len().saturating_sub(most);
    commands.truncate(most);
    (commands, n_left)
}

/// A command that can be shown as it is: what is masked in it would run something else.
pub(crate) fn shown(desk: &Desk<'_>, runner: &Runner, tests: &[NodeId]) -> Option<Safe> {
    let command = desk.base.test_command(runner, tests)?;
    let safe = desk.masker.name(&command);
    (safe.as_str() == command).then_some(safe)
}
