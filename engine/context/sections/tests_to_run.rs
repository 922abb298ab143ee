//! The tests to run, each with the exact command, for a shell at the root of the repository.
//!
//! Says how to run tests and never runs one. Must not know manifests.

use super::neighbourhood::STOP_SHARE;
use super::test_command::{Names, Target, go, quoted, rust, script, word};
use super::{Entry, Safe, View};
use crate::activation::{Active, Role};
use crate::context::pieces::About;
use crate::context::reason::reason;
use crate::context::view::{is_share, points};
use crate::facts::base::SymbolRow;
use crate::facts::base::{SymbolKind, Traits};
use crate::facts::extract::HIDDEN;
use activate_rules::atoms::NodeId;
use rustc_hash::FxHashSet;

/// The most commands, and tests named in one: with more, the command runs all of its file or package.
const MAX_COMMANDS: usize = 12;
const MAX_NAMES: usize = 6;
/// The most symbols around a test that become part of its name.
const MAX_DEPTH: usize = 16;
/// The most definitions that the name of a failing test may have.
const MAX_NAMESAKES: usize = 4;

/// A test to run.
struct Test<'a> {
    node: NodeId,
    /// Its names from outside to inside; none for a whole file.
    names: Vec<String>,
    active: Option<&'a Active>,
}

/// The commands, those of failing tests first, then best first.
pub(super) fn tests_to_run(view: &View<'_>) -> Vec<Entry> {
    let mut commands: Vec<(Target, Vec<Test<'_>>)> = Vec::new();
    let mut seen = FxHashSet::default();
    for (node, active) in failing(view).into_iter().chain(active_tests(view)) {
        if !seen.insert(node) {
            continue;
        }
        let Some((target, names)) = target_of(view, node) else { continue };
        let test = Test { node, names, active };
        match commands.iter().position(|(known, _)| *known == target) {
            Some(place) => commands[place].1.push(test),
            None if commands.len() < MAX_COMMANDS => commands.push((target, vec![test])),
            None => {}
        }
    }
    commands.iter().filter_map(|(target, tests)| entry(view, target, tests)).collect()
}

fn entry(view: &View<'_>, target: &Target, tests: &[Test<'_>]) -> Option<Entry> {
    let first = tests.first()?;
    // A folder or name with hidden characters would be another one once they are made visible.
    let command = Safe::name(&command(target, tests));
    let active = tests.iter().find_map(|test| test.active);
    let failing = first.active.is_none_or(|active| matches!(active.reason, crate::activation::Reason::Failure));
    let why = match active {
        _ if failing => Safe::fixed("fails now"),
        Some(active) => Safe::format("{}, {}", &[&reason(view, active), &points(active.score)]),
        None => Safe::default(),
    };
    let about = About {
        kind: "test_command",
        id: Some(Safe::name(&view.base.id(first.node))),
        path: Some(Safe::name(view.base.path(first.node))),
        score: active.map(|active| active.score),
        tier: active.map(|active| active.tier),
        reason: Some(why.clone()),
        trust: Some(view.trust(view.base.file_of(first.node))),
        hops: active.map(|active| active.hops).unwrap_or_default(),
        ..About::default()
    };
    Some(Entry::line(view.counter, about, Safe::format("  - {} ({})", &[&command, &why])))
}

/// The tests that the caller says fail, as far as they are found.
fn failing<'a>(view: &View<'a>) -> Vec<(NodeId, Option<&'a Active>)> {
    let mut found = Vec::new();
    for name in &view.state.failing_tests {
        let mut levels = name.split('/');
        let outer = levels.next().unwrap_or_default();
        let outer = outer.rsplit("::").next().unwrap_or(outer);
        let tests = view.base.symbols_named(outer).into_iter();
        let tests: Vec<_> =
            tests.filter(|node| view.base.symbol(*node).is_some_and(|row| row.name == outer && is_test(&row))).collect();
        if tests.len() > MAX_NAMESAKES {
            continue;
        }
        let inner = levels.next().map(|inner| inner.replace('_', " "));
        for test in tests {
            let members = view.base.symbols_of(view.base.file_of(test)).map(NodeId);
            let subtest = inner.as_ref().and_then(|inner| {
                let mut members = members.filter_map(|node| view.base.symbol(node));
                members.find(|row| row.container == Some(test) && row.name.replace('_', " ") == *inner)
            });
            found.push((subtest.map_or(test, |row| row.node), None));
        }
    }
    found
}

/// Active tests, best first; files of tests where no test of them is active.
fn active_tests<'a>(view: &View<'a>) -> Vec<(NodeId, Option<&'a Active>)> {
    let best = view.best();
    let is_near = |active: &&Active| is_share(active.score, best, STOP_SHARE);
    let symbols = view.activation.symbols.iter().filter(is_near);
    let tests: Vec<&Active> = symbols.filter(|active| view.base.symbol(active.node).is_some_and(|row| is_test(&row))).collect();
    let files_of_tests: FxHashSet<NodeId> = tests.iter().map(|active| view.base.file_of(active.node)).collect();
    let files = view.activation.files.iter().filter(is_near).filter(|file| file.role == Role::Test);
    let files = files.filter(|file| !files_of_tests.contains(&file.node));
    tests.into_iter().chain(files).map(|active| (active.node, Some(active))).collect()
}

fn is_test(row: &SymbolRow<'_>) -> bool {
    row.kind == SymbolKind::Test || row.traits.has(Traits::TEST)
}

/// How a test is run, and its names within that.
fn target_of(view: &View<'_>, node: NodeId) -> Option<(Target, Vec<String>)> {
    let file = view.base.file_of(node);
    let names = names(view, node);
    match view.base.language(file)? {
        "go" => go(view, file).map(|target| (target, names)),
        "rust" => rust(view, file).map(|target| {
            let name = names.join("::");
            (target, if name.is_empty() { Vec::new() } else { vec![name] })
        }),
        _ => script(view, file).map(|target| {
            let title = names.join(" ");
            (target, if title.is_empty() { Vec::new() } else { vec![title] })
        }),
    }
}

/// The names of a test and of the tests and modules around it, from outside to inside.
fn names(view: &View<'_>, node: NodeId) -> Vec<String> {
    let mut names = Vec::new();
    let mut next = view.base.symbol(node);
    while let Some(row) = next.filter(|_| names.len() < MAX_DEPTH) {
        names.push(row.name.to_owned());
        next = row.container.and_then(|container| view.base.symbol(container));
    }
    names.reverse();
    names
}

/// The whole command for these tests.
fn command(target: &Target, tests: &[Test<'_>]) -> String {
    let start = if target.folder.is_empty() { String::new() } else { format!("cd {} && ", word(&target.folder)) };
    // A name that is not shown as it is would be another one.
    let is_shown = |name: &String| Safe::name(name).as_str() == name && !name.contains(HIDDEN);
    let is_plain = |test: &Test<'_>| !test.names.is_empty() && test.names.iter().all(is_shown);
    let is_filtered = tests.len() <= MAX_NAMES && tests.iter().all(is_plain);
    let filter = if is_filtered { filter(target.names, tests) } else { String::new() };
    format!("{start}{}{filter}", target.command)
}

/// The end of a command that runs these tests alone.
fn filter(names: Names, tests: &[Test<'_>]) -> String {
    match (names, tests) {
        (Names::None, _) => String::new(),
        (Names::GoPattern, [test]) => {
            let level = |name: &String| format!("^{}$", regex::escape(&name.replace(' ', "_")));
            let levels: Vec<String> = test.names.iter().map(level).collect();
            format!(" -run {}", quoted(&levels.join("/")))
        }
        (Names::GoPattern, _) => {
            let mut names: Vec<String> =
                tests.iter().filter_map(|test| test.names.first()).map(|name| regex::escape(name)).collect();
            names.sort_unstable();
            names.dedup();
            let pattern = if let [name] = names.as_slice() { format!("^{name}$") } else { format!("^({})$", names.join("|")) };
            format!(" -run {}", quoted(&pattern))
        }
        (Names::Words, _) => {
            let names = unique(tests.iter().map(|test| word(&test.names.concat())));
            if let [name] = names.as_slice() { format!(" {name}") } else { format!(" -- {}", names.join(" ")) }
        }
        (Names::Pattern(flag), _) => {
            let titles = unique(tests.iter().map(|test| regex::escape(&test.names.concat())));
            format!(" {flag} {}", quoted(&titles.join("|")))
        }
    }
}

/// The names in their order, each once: tests of several files can share one.
fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = FxHashSet::default();
    names.filter(|name| seen.insert(name.clone())).collect()
}
