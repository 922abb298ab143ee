//! Names of tests as runners write them, to the tests of the repository.
//!
//! A runner writes a path of names: `TestToken/empty`, `auth::tests::empty`, `login > rejects empty tokens`. Its last part that is a test
//! of the repository is meant, where the parts before it, the suite and the place agree.

use super::Spot;
use super::places::Locator;
use activate_rules::atoms::NodeId;
use index::base::{FactBase, SymbolKind, SymbolRow, Traits};
use signals::{Place, TestResult};

/// The most tests that one name may mean; a name that more share says nothing.
const MAX_NAMESAKES: usize = 4;

/// What stands between the parts of a test's name, by runner; the one of Go last, since titles have slashes.
const BETWEEN: [&str; 4] = [" > ", " › ", "::", "/"];

/// How files end that are called like the class in them.
const CLASS_FILES: [&str; 4] = [".java", ".kt", ".groovy", ".scala"];

/// The tests that a result means, in path order.
pub(super) fn find<'l>(locator: &Locator<'l>, result: &'l TestResult, spot: Option<Spot>) -> Vec<NodeId> {
    let base = locator.base;
    if let Some(tests) = in_class(locator, result, spot) {
        return tests;
    }
    let suite = locator.file(&result.suite);
    let mut best: Vec<NodeId> = Vec::new();
    for parts in readings(&result.name) {
        // A case of a table, a title with its values filled in: the innermost part that is there is the test.
        let agreeing = |at: usize| {
            let mut tests = tests_called(base, parts[at])?;
            let is_there = |test: &NodeId| {
                let file = Some(base.file_of(*test));
                at == 0 || n_around(base, *test, &parts[..at]) > 0 || file == suite || file == spot.map(|spot| spot.file)
            };
            tests.retain(is_there);
            (!tests.is_empty()).then_some((tests, at))
        };
        let Some((mut tests, at)) = (0..parts.len()).rev().find_map(agreeing) else { continue };
        let (outer, inner) = (&parts[..at], &parts[at + 1..]);
        let n_parts = |test: &NodeId| n_around(base, *test, outer);
        keep_most(&mut tests, n_parts);
        let in_file = |file: Option<NodeId>| move |test: &NodeId| usize::from(file == Some(base.file_of(*test)));
        keep_most(&mut tests, in_file(suite));
        keep_most(&mut tests, in_file(spot.map(|spot| spot.file)));
        keep_most(&mut tests, |test| n_of_suite(base, *test, &result.suite));
        for test in &mut tests {
            *test = innermost(base, *test, inner);
        }
        if best.is_empty() || tests.len() < best.len() {
            best = tests;
        }
        if best.len() == 1 {
            break;
        }
    }
    if best.len() <= MAX_NAMESAKES { best } else { Vec::new() }
}

/// The tests that a result of Java means: its suite is a class, whose package and outermost name say its file. Nothing where there is no such
/// file.
fn in_class(locator: &Locator<'_>, result: &TestResult, spot: Option<Spot>) -> Option<Vec<NodeId>> {
    let base = locator.base;
    let (package, class) = result.suite.rsplit_once('.').unwrap_or(("", &result.suite));
    let outer = class.split('$').next().filter(|outer| outer.starts_with(char::is_uppercase))?;
    let ran_in = result.place.as_ref().map_or("", |place| locator.ran_in(place));
    let package = package.replace('.', "/");
    let file = CLASS_FILES.iter().find_map(|end| {
        let name = format!("{outer}{end}");
        if package.is_empty() { locator.only_ending(&name) } else { locator.in_package(&package, &name, ran_in) }
    });
    let is_of_java = !package.is_empty() && result.place.as_ref().is_some_and(Place::is_in_package);
    if file.is_none() && !is_of_java {
        return None;
    }
    // Runners write parameters, values and numbers of cases behind the name of a method.
    let plain = |name| str::split(name, ['(', '{', '[']).next().unwrap_or_default();
    let parts: Vec<&str> = class.split('$').chain(result.name.split(BETWEEN[0]).map(plain)).collect();
    let called = |file: NodeId| {
        (0..parts.len()).rev().find_map(|at| {
            let mut tests = tests_called(base, parts[at])?;
            tests.retain(|test| base.file_of(*test) == file);
            keep_most(&mut tests, |test| n_around(base, *test, &parts[..at]));
            keep_most(&mut tests, |test| usize::from(spot.and_then(|spot| spot.symbol) == Some(*test)));
            (!tests.is_empty() && tests.len() <= MAX_NAMESAKES).then_some(tests)
        })
    };
    // One that is inherited stands where it failed, if that is known.
    let inherited = || spot.filter(|spot| file != Some(spot.file)).and_then(|spot| called(spot.file));
    Some(file.and_then(called).or_else(inherited).unwrap_or_default())
}

/// The ways to take a name apart, the whole of it first, and at last without the case that pytest names in brackets behind it.
fn readings(name: &str) -> Vec<Vec<&str>> {
    let of_test = name.split_once('[').filter(|(test, _)| name.ends_with(']') && !test.is_empty()).map(|(test, _)| test);
    let mut readings = Vec::new();
    for name in [Some(name), of_test].into_iter().flatten() {
        readings.push(vec![name]);
        readings.extend(BETWEEN.iter().filter(|between| name.contains(**between)).map(|between| name.split(between).collect()));
    }
    readings
}

/// The tests with exactly this name.
fn tests_called(base: &FactBase, name: &str) -> Option<Vec<NodeId>> {
    let is_test = |node: &NodeId| {
        base.symbol(*node)
            .is_some_and(|symbol| symbol.name == name && (symbol.kind == SymbolKind::Test || symbol.traits.has(Traits::TEST)))
    };
    let found: Vec<NodeId> = base.symbols_named(name).into_iter().filter(is_test).collect();
    (!found.is_empty()).then_some(found)
}

/// The test within a test that these parts lead to, as far as there are any: runners write spaces of titles as underscores.
fn innermost(base: &FactBase, test: NodeId, parts: &[&str]) -> NodeId {
    let plain = |name: &str| name.replace('_', " ");
    let mut inner = test;
    for part in parts {
        let members = base.symbols_of(base.file_of(inner)).filter_map(|node| base.symbol(NodeId(node)));
        let is_part = |row: &SymbolRow<'_>| row.container == Some(inner) && plain(row.name) == plain(part);
        let Some(member) = members.into_iter().find(is_part) else { break };
        inner = member.node;
    }
    inner
}

/// Keeps those with the greatest number.
fn keep_most(tests: &mut Vec<NodeId>, number: impl Fn(&NodeId) -> usize) {
    let most = tests.iter().map(&number).max();
    tests.retain(|test| Some(number(test)) == most);
}

/// How much these parts say of what is around a test: a container says more than a file or folder that is called alike.
fn n_around(base: &FactBase, test: NodeId, parts: &[&str]) -> usize {
    let Some(symbol) = base.symbol(test) else { return 0 };
    let containers = symbol.local_id.strip_suffix(symbol.name).unwrap_or_default().trim_end_matches('.');
    let is_container = |part: &str| containers == part || containers.split('.').any(|name| name == part);
    let is_of_path = |part: &str| {
        base.path(test).split('/').any(|name| name == part || name.split_once('.').is_some_and(|(stem, _)| stem == part))
    };
    parts.iter().map(|part| if is_container(part) { 2 } else { usize::from(is_of_path(part)) }).sum()
}

/// How much of a test's folder a suite names: the number of its components from the end, where a package ends like the folder, and whether
/// a component of the folder is a word of it, where it is a binary.
fn n_of_suite(base: &FactBase, test: NodeId, suite: &str) -> usize {
    let folder = base.path(test).rsplit_once('/').map_or("", |(folder, _)| folder);
    let parts = folder.rsplit('/').zip(suite.rsplit('/'));
    let n_alike = parts.take_while(|(ours, theirs)| !ours.is_empty() && ours == theirs).count();
    let plain = |name: &str| name.replace('-', "_");
    let words: Vec<String> = suite.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).map(plain).collect();
    n_alike * 2 + usize::from(folder.split('/').any(|name| !name.is_empty() && words.contains(&plain(name))))
}
