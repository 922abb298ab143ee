//! The commands that run tests, as few as there can be. Says how tests are run and never runs one.

use super::desk::Desk;
use activate_rules::atoms::NodeId;
use index::base::Runner;
use redact::Safe;
use std::collections::BTreeMap;

/// The most commands, and tests named in one.
const MAX_COMMANDS: usize = 20;
const MAX_NAMES: usize = 12;

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
