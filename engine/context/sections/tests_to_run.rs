//! The tests to run, each with the exact command, for a shell at the root of the repository.
//!
//! Says how to run tests and never runs one.

use super::affected::Affected;
use super::code::STOP_SHARE;
use super::{Entry, Safe, View};
use crate::activation::{Active, Reason, Role};
use crate::pieces::About;
use crate::reason::{name, reason, short_reason, through};
use crate::view::is_share;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use index::base::{FileFlags, Reach, Reaching, Runner, SymbolKind, SymbolRow, TestMap, Traits};
use redact::Masker;
use review::Removed;
use rustc_hash::FxHashSet;
use signals::Severity;

/// The most commands, and tests named in one: with more, the command runs all of its file or package.
const MAX_COMMANDS: usize = 4;
const MAX_NAMES: usize = 6;
/// The most targets whose tests are looked for beyond those that are active, and the most tests that each brings.
const MAX_TARGETS: usize = 4;
const MAX_ADDED: usize = 3;
/// The most targets of a change whose tests are looked for.
const MAX_CHANGED: usize = 12;
/// The most files of tests that are named though no command runs them.
const MAX_UNRUN: usize = 2;
/// The most words of the intent that are tried as the name of a test: a report of thousands of failures is cut.
const MAX_REPORTED: usize = 1_000;

/// A test to run, or a file of tests.
#[derive(Debug, Clone)]
struct Test<'a> {
    node: NodeId,
    why: Why<'a>,
}

impl Test<'_> {
    fn fails(&self) -> bool {
        match self.why {
            Why::Fails => true,
            Why::Active(active) => matches!(active.reason, Reason::Failure(Severity::Error)),
            Why::Changed | Why::Breaks(_) | Why::Reaches(..) => false,
        }
    }

    /// Whether it only stands in the package of a target.
    fn is_beside(&self) -> bool {
        matches!(&self.why, Why::Reaches(way, _) if way.reach == Reach::SamePackage)
    }

    /// Whether the task says that it fails, or names or changes it.
    fn is_meant(&self) -> bool {
        match self.why {
            Why::Changed | Why::Breaks(_) => true,
            Why::Active(active) if matches!(active.reason, Reason::Named(_)) => true,
            _ => self.fails(),
        }
    }
}

/// Why a test is to be run.
#[derive(Debug, Clone)]
enum Why<'a> {
    /// It fails now.
    Fails,
    /// The diff changes it.
    Changed,
    /// It uses this, which the diff takes away.
    Breaks(&'a Removed),
    /// The task activates it.
    Active(&'a Active),
    /// It reaches this target, though the task does not activate it.
    Reaches(Reaching, NodeId),
}

/// A target with the tests that reach it.
type Reached = (NodeId, Vec<Reaching>);

/// What is known of the tests.
#[derive(Clone, Copy)]
struct Known<'k> {
    view: &'k View<'k>,
    affected: &'k Affected<'k>,
    reached: &'k [Reached],
}

/// The tests that one runner runs, those that are meant apart from others.
type Command<'a> = ((bool, Runner), Vec<Test<'a>>);

/// The commands, those of tests that fail or are named first, then the closest to what the task names, then best first, and tests that no command runs;
/// and all of these tests, with their files.
pub(super) fn tests_to_run(view: &View<'_>, affected: &Affected<'_>) -> (Vec<Entry>, FxHashSet<NodeId>) {
    let map = TestMap::new(view.base);
    let reached: Vec<Reached> = targets(view).into_iter().map(|target| (target, reaching(view, &map, target))).collect();
    let mut tests: Vec<Test<'_>> = failing(view).into_iter().map(|node| Test { node, why: Why::Fails }).collect();
    tests.extend(changed(view).into_iter().map(|node| Test { node, why: Why::Changed }));
    tests.extend(broken(view));
    let is_way = |way: &Reaching| way.reach != Reach::SamePackage || view.sources.review.is_none();
    let is_reached = |node: NodeId| reached.iter().any(|(_, ways)| ways.iter().any(|way| way.test == node && is_way(way)));
    let is_about = |test: &Test<'_>| test.is_meant() || is_reached(test.node) || is_affected(view, affected, test);
    tests.extend(benchmarks(view).into_iter().map(|(file, active)| Test { node: file, why: Why::Active(active) }));
    let active = active_tests(view).into_iter().map(|active| Test { node: active.node, why: Why::Active(active) });
    tests.extend(active.filter(is_about));
    tests.extend(missing(view, &reached, &tests));
    if view.sources.review.is_some() && tests.iter().any(|test| !test.is_beside()) {
        // Tests that are known to reach a part of the change say more of it than others of its packages.
        tests.retain(|test| !test.is_beside());
    }
    if tests.iter().any(Test::is_meant) {
        // Beside a test that is meant, one that only has words of the intent says nothing.
        tests.retain(|test| !matches!(test.why, Why::Active(active) if is_by_words(view, active)));
    }
    tests.sort_by_key(|test| distance(test, &reached));
    let mut commands: Vec<Command<'_>> = Vec::new();
    let mut unrun: Vec<(NodeId, Vec<Test<'_>>)> = Vec::new();
    let mut seen = FxHashSet::default();
    let reports: Vec<(String, Test<'_>)> = tests.iter().filter_map(|test| Some((reported(view, test)?, test.clone()))).collect();
    seen.extend(reports.iter().map(|(_, test)| test.node));
    for test in tests {
        let file = view.base.file_of(test.node);
        if !seen.insert(test.node) {
            continue;
        }
        let Some(runner) = view.base.runner(file).filter(|runner| runs(view, runner, test.node)) else {
            match unrun.iter().position(|(known, _)| *known == file) {
                Some(place) => unrun[place].1.push(test),
                None if unrun.len() < MAX_UNRUN && has_tests(view, file) => unrun.push((file, vec![test])),
                None => {}
            }
            continue;
        };
        // A test that cannot be named is run with its file.
        let node = if shown(view, &runner, &[test.node]).is_some() { test.node } else { file };
        let test = Test { node, ..test };
        let key = (test.is_meant(), runner);
        match commands.iter().position(|(known, _)| *known == key) {
            Some(place) => commands[place].1.push(test),
            None if commands.len() < MAX_COMMANDS => commands.push((key, vec![test])),
            None => {}
        }
    }
    let mut run = FxHashSet::default();
    for ((_, runner), tests) in &commands {
        let nodes: Vec<NodeId> = tests.iter().map(|test| test.node).collect();
        let whole = |node: &NodeId| view.base.is_file(*node) || !is_named(view, runner, &nodes);
        let files = nodes.iter().filter(|node| whole(node)).map(|node| view.base.file_of(*node));
        run.extend(files.flat_map(|file| view.base.symbols_of(file).map(NodeId)));
        run.extend(nodes.iter().flat_map(|node| [*node, view.base.file_of(*node)]));
    }
    run.extend(reports.iter().map(|(_, test)| test.node));
    let reports = reports.iter().filter_map(|(command, test)| Some((plain(view.masker, command)?, std::slice::from_ref(test))));
    let commands = commands.iter().filter_map(|((_, runner), tests)| Some((command(view, runner, tests)?, tests.as_slice())));
    let known = Known { view, affected, reached: &reached };
    let lines = reports.chain(commands);
    // Once all of a package or file is run, a part of it is.
    let mut given: Vec<Safe> = Vec::new();
    let is_new = |(command, tests): &(Safe, &[Test<'_>])| {
        let whole = tests.first().and_then(|test| whole(view, test));
        let is_given = given.iter().any(|other| other == command || Some(other) == whole.as_ref());
        given.push(command.clone());
        !is_given
    };
    let lines: Vec<(Safe, &[Test<'_>])> = lines.filter(is_new).collect();
    let mut entries: Vec<Entry> =
        lines.iter().filter_map(|(command, tests)| entry(&known, "test_command", command, tests, None)).collect();
    for (file, tests) in &unrun {
        run.extend(tests.iter().take(MAX_NAMES).flat_map(|test| [test.node, *file]));
        entries.extend(unrun_entry(&known, *file, tests));
    }
    (entries, run)
}

/// The tests that reach a target, the closest first. Whoever names a method that has overloads means all of them.
fn reaching(view: &View<'_>, map: &TestMap<'_>, target: NodeId) -> Vec<Reaching> {
    let mut ways: Vec<Reaching> = view.base.overloads(target).into_iter().flat_map(|each| map.reaching(each)).collect();
    if ways.iter().any(|way| way.reach != Reach::SamePackage) {
        ways.retain(|way| way.reach != Reach::SamePackage);
    }
    ways.sort_by_key(|way| (way.reach == Reach::AnyOf, way.type_distance, way.n_calls, way.reach, way.confidence));
    let mut seen = FxHashSet::default();
    ways.retain(|way| seen.insert(way.test));
    ways
}

/// Tests of a file that no manifest says how to run.
fn unrun_entry(known: &Known<'_>, file: NodeId, tests: &[Test<'_>]) -> Option<Entry> {
    let view = known.view;
    let mut names: Vec<Safe> =
        tests.iter().filter(|test| test.node != file).take(MAX_NAMES).map(|test| name(view, test.node)).collect();
    if tests.len() > MAX_NAMES {
        names.push(Safe::fixed("…"));
    }
    let path = view.path(file);
    let what = if names.is_empty() { path } else { Safe::format("{} in {}", &[&Safe::join(&names, ", "), &path]) };
    let reason = match view.base.lacks_command(file) {
        Some(why) => Safe::format("no command, since {}", &[&view.masker.line(why)]),
        None => Safe::format("no command without {}", &[&Safe::fixed(view.base.runs_by(file)?)]),
    };
    entry(known, "test", &what, tests, Some(reason))
}

/// A line that says what to run, why that, and why it is not a command.
fn entry(known: &Known<'_>, kind: &'static str, what: &Safe, tests: &[Test<'_>], lack: Option<Safe>) -> Option<Entry> {
    let Known { view, affected, reached } = *known;
    let first = tests.first()?;
    let active = tests.iter().find_map(|test| if let Why::Active(active) = test.why { Some(active) } else { None });
    let why = match &first.why {
        Why::Fails => Safe::fixed("fails now"),
        Why::Changed => Safe::fixed("changed in the diff"),
        Why::Breaks(gone) => Safe::format("uses {}, which goes", &[&view.masker.name(&gone.name)]),
        Why::Active(_) if first.fails() => Safe::fixed("fails now"),
        Why::Active(active) => {
            // A way to a target says more than what lies on it.
            let ways = reached.iter().flat_map(|(target, ways)| ways.iter().map(move |way| (*target, way)));
            let way = ways.min_by_key(|(_, way)| (way.test != first.node, way.n_calls)).filter(|(_, way)| way.test == first.node);
            let way = way.filter(|(_, way)| matches!(way.reach, Reach::Transitive | Reach::AnyOf));
            let why = || affected.why(view, active).filter(|_| view.sources.review.is_some() && !first.is_meant());
            way.map_or_else(|| why().unwrap_or_else(|| reason(view, active)), |(target, way)| phrase(view, way, target))
        }
        Why::Reaches(way, target) => phrase(view, way, *target),
    };
    let said = short_reason(view.masker, &why);
    let said = lack.as_ref().map_or(said.clone(), |lack| Safe::format("{}; {}", &[lack, &said]));
    let why = lack.map_or(why.clone(), |lack| Safe::format("{}; {}", &[&lack, &why]));
    let about = About {
        kind,
        id: Some(view.id(first.node)),
        path: Some(view.path(first.node)),
        score: active.map(|active| active.score),
        tier: active.map(|active| active.tier),
        reason: Some(why.clone()),
        trust: Some(view.trust(view.base.file_of(first.node))),
        hops: active.map(|active| active.hops).unwrap_or_default(),
        summary: view.sources.traced.then(|| what.clone()),
        ..About::default()
    };
    let line = match view.sources.repository {
        Some(of) if kind == "test_command" => Safe::format("  - in {}: {} ({})", &[&view.masker.name(of), what, &said]),
        _ => Safe::format("  - {} ({})", &[what, &said]),
    };
    Some(Entry::line(view.counter, about, line))
}

/// How a test reaches a target.
fn phrase(view: &View<'_>, way: &Reaching, target: NodeId) -> Safe {
    let named = name(view, target);
    match way.reach {
        Reach::Direct => Safe::format("tests {}", &[&named]),
        Reach::Transitive => through(view, target, &way.through),
        Reach::AnyOf => any_of(view, way, target),
        Reach::NamedAfter => Safe::format("named after {}", &[&named]),
        Reach::SamePackage => Safe::format("same package as {}, which no test is known to reach", &[&named]),
    }
}

/// That a test calls a method of an interface that the target, or what it reaches that by, fulfils: `calls Call.execute, which 6 implement`.
fn any_of(view: &View<'_>, way: &Reaching, target: NodeId) -> Safe {
    let Some(promise) = way.promise else { return through(view, target, &way.through) };
    let (method, n_kin) = (name(view, promise.method), Safe::number(promise.n_kin));
    if way.through.first() == Some(&promise.method) {
        Safe::format("calls {}, which {} implement", &[&method, &n_kin])
    } else {
        Safe::format("leads to {}, which {} implement", &[&method, &n_kin])
    }
}

/// What the task names.
fn targets(view: &View<'_>) -> Vec<NodeId> {
    let active = view.activation.symbols.iter().chain(&view.activation.files);
    let named = active.filter(|active| active.role == Role::Target && matches!(active.reason, Reason::Named(_)));
    let most = if view.sources.review.is_some() { MAX_CHANGED } else { MAX_TARGETS };
    named.map(|active| active.node).take(most).collect()
}

/// How far a test is from what the task names: what fails now or is named, then what tests it, then what reaches it, by calls, then others.
fn distance(test: &Test<'_>, reached: &[Reached]) -> (bool, bool, u32, u32, Reach) {
    let ways = reached.iter().flat_map(|(_, ways)| ways).filter(|way| way.test == test.node && way.reach != Reach::SamePackage);
    // A test that may run any of many comes after those that surely run it, however far away.
    let key = |way: &Reaching| (way.reach == Reach::AnyOf, way.type_distance, way.n_calls.max(1), way.reach);
    let (is_any, type_distance, n_calls, reach) = ways.map(key).min().unwrap_or((true, u32::MAX, u32::MAX, Reach::SamePackage));
    (!test.is_meant(), is_any, type_distance, n_calls, reach)
}

/// The closest tests of targets, where none of those that are as close is there so far; of a named file, only where there is no test so far.
fn missing<'a>(view: &View<'_>, reached: &[Reached], tests: &[Test<'_>]) -> Vec<Test<'a>> {
    let listed: FxHashSet<NodeId> = tests.iter().map(|test| test.node).collect();
    let is_missing = |(target, ways): &&Reached| {
        let closest = ways.first().map(|way| way.reach);
        let is_reached = ways.iter().any(|way| Some(way.reach) == closest && listed.contains(&way.test));
        !is_reached && (listed.is_empty() || !view.base.is_file(*target))
    };
    let added = reached.iter().filter(is_missing).flat_map(|(target, ways)| {
        let ways = ways.iter().take(MAX_ADDED);
        ways.map(|way| Test { node: way.test, why: Why::Reaches(way.clone(), *target) })
    });
    added.collect()
}

/// The tests that fail, as far as they are found.
fn failing(view: &View<'_>) -> Vec<NodeId> {
    view.failures.tests.iter().flat_map(|test| test.tests.iter().copied()).collect()
}

/// Active tests, best first; files of tests where no test of them is active.
fn active_tests<'a>(view: &View<'a>) -> Vec<&'a Active> {
    let best = view.best();
    let is_near = |active: &&Active| is_share(active.score, best, STOP_SHARE);
    // A rule hides the code of a test, not that it is to be run.
    let all = |list: &'a [Active]| list.iter().chain(&view.activation.hidden).filter(is_near);
    let symbols = all(&view.activation.symbols);
    let tests: Vec<&Active> = symbols.filter(|active| view.base.symbol(active.node).is_some_and(|row| is_test(&row))).collect();
    let files_of_tests: FxHashSet<NodeId> = tests.iter().map(|active| view.base.file_of(active.node)).collect();
    let is_named_test = |file: &Active| {
        matches!(file.reason, Reason::Named(_) | Reason::Failure(_)) && view.base.flags(file.node).has(FileFlags::TEST)
    };
    let is_test_file = |file: &&Active| file.role == Role::Test && has_tests(view, file.node) || is_named_test(file);
    let files = all(&view.activation.files).filter(|active| view.base.is_file(active.node)).filter(is_test_file);
    tests.into_iter().chain(files.filter(|file| !files_of_tests.contains(&file.node))).collect()
}

/// Files of benchmarks that no attribute marks, where the task names one of them or what stands in it.
fn benchmarks<'a>(view: &View<'a>) -> Vec<(NodeId, &'a Active)> {
    let active = view.activation.symbols.iter().chain(&view.activation.files);
    let named = active.filter(|active| active.role == Role::Target && matches!(active.reason, Reason::Named(_)));
    let of_benchmarks = named.take(MAX_TARGETS).filter_map(|active| {
        let file = view.base.file_of(active.node);
        let is_measured = view.base.runner(file).is_some_and(|runner| runner.naming.measures());
        (is_measured && !has_tests(view, file)).then_some((file, active))
    });
    of_benchmarks.collect()
}

/// The tests that a diff changes, in its order; a file of tests where it changes what stands in none of them.
fn changed(view: &View<'_>) -> Vec<NodeId> {
    let mut seen = FxHashSet::default();
    let mut tests = Vec::new();
    for changed in view.sources.review.into_iter().flat_map(|review| &review.files) {
        let Some(file) = changed.file else { continue };
        let of_pieces = changed.pieces.iter().filter_map(|piece| view.base.test_around(piece.definition?));
        let of_pieces: Vec<NodeId> = of_pieces.filter(|test| seen.insert(*test)).collect();
        if of_pieces.is_empty() && view.base.flags(file).has(FileFlags::TEST) && has_tests(view, file) {
            tests.push(file);
        }
        tests.extend(of_pieces);
    }
    tests
}

/// The tests that use what a diff takes away; a file of tests where what uses it stands in none of them.
fn broken<'a>(view: &View<'a>) -> Vec<Test<'a>> {
    let gone = view.sources.review.into_iter().flat_map(|review| &review.removed);
    let uses = gone.flat_map(|gone| gone.uses.iter().map(move |(file, line)| (gone, *file, *line)));
    let of_tests = uses.filter(|(_, file, _)| view.base.flags(*file).has(FileFlags::TEST) && has_tests(view, *file));
    let test = |(gone, file, line): (&'a Removed, NodeId, u32)| {
        let around = view.base.symbol_at(file, line).and_then(|node| view.base.test_around(node));
        Test { node: around.unwrap_or(file), why: Why::Breaks(gone) }
    };
    of_tests.map(test).collect()
}

/// Whether an active test says something of what is meant: not where all that speaks for it is something that the target uses as well.
fn is_affected(view: &View<'_>, affected: &Affected<'_>, test: &Test<'_>) -> bool {
    let Why::Active(active) = test.why else { return true };
    let by_place = match active.reason {
        Reason::Words(_) | Reason::Touched | Reason::Failure(_) => return true,
        Reason::StandsIn(_) | Reason::Link { kind: LinkKind::ContainedBy | LinkKind::Contains, .. } => true,
        _ => false,
    };
    by_place && (view.sources.review.is_none() || is_by_words(view, active)) || affected.why(view, active).is_some()
}

/// Whether nothing but words of the intent speaks for a node, or for what holds it.
fn is_by_words(view: &View<'_>, active: &Active) -> bool {
    let by_words = |node: NodeId| view.active(node).is_some_and(|around| matches!(around.reason, Reason::Words(_)));
    match active.reason {
        Reason::Words(_) => true,
        Reason::StandsIn(around) | Reason::Link { kind: LinkKind::ContainedBy, via: around, .. } => by_words(around),
        _ => false,
    }
}

/// The command for a test of a file that the task names, where a report in the intent has the test's whole path and the file has its name,
/// though no definition of it: a macro makes such tests.
fn reported(view: &View<'_>, test: &Test<'_>) -> Option<String> {
    let file = test.node;
    if !test.is_meant() || !view.base.is_file(file) {
        return None;
    }
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let words = view.activation.intent.text.split(|c: char| !is_name(c) && !matches!(c, ':' | '/' | '.' | '-'));
    let words = words.map(|word| word.trim_matches(|c| !is_name(c))).filter(|word| word.contains(|c| !is_name(c)));
    words.take(MAX_REPORTED).find_map(|path| {
        let (name, command) = view.base.reported_test(file, path)?;
        view.text(file)?.as_str().split(|c| !is_name(c)).any(|word| word == name).then_some(command)
    })
}

fn has_tests(view: &View<'_>, file: NodeId) -> bool {
    view.base.symbols_of(file).any(|node| view.base.symbol(NodeId(node)).is_some_and(|row| is_test(&row)))
}

fn is_test(row: &SymbolRow<'_>) -> bool {
    row.kind == SymbolKind::Test || row.traits.has(Traits::TEST)
}

/// The command for these tests; for all of their files where they are too many.
fn command(view: &View<'_>, runner: &Runner, tests: &[Test<'_>]) -> Option<Safe> {
    let nodes: Vec<NodeId> = tests.iter().map(|test| test.node).collect();
    let mut files: Vec<NodeId> = nodes.iter().map(|node| view.base.file_of(*node)).collect();
    files.dedup();
    let named = if is_named(view, runner, &nodes) { shown(view, runner, &nodes) } else { None };
    named.or_else(|| shown(view, runner, &files)).or_else(|| plain(view.masker, &runner.line("")))
}

/// Whether a runner of the file of a test runs it: one of benchmarks runs no tests.
fn runs(view: &View<'_>, runner: &Runner, test: NodeId) -> bool {
    let traits = || view.base.symbol(test).map(|row| row.traits);
    let is_bench = || traits().is_none_or(|traits| traits.has(Traits::BENCH) || traits.has(Traits::GROUP));
    !runner.naming.measures() || is_bench()
}

/// The command that runs all of the file of a test.
fn whole(view: &View<'_>, test: &Test<'_>) -> Option<Safe> {
    let file = view.base.file_of(test.node);
    shown(view, &view.base.runner(file)?, &[file])
}

/// Whether a command names these tests, not all of their files.
fn is_named(view: &View<'_>, runner: &Runner, nodes: &[NodeId]) -> bool {
    nodes.len() <= MAX_NAMES && shown(view, runner, nodes).is_some()
}

fn shown(view: &View<'_>, runner: &Runner, tests: &[NodeId]) -> Option<Safe> {
    plain(view.masker, &view.base.test_command(runner, tests)?)
}

/// A command that can be shown as it is: with its secrets masked or its hidden characters made visible it would be another one.
fn plain(masker: &Masker, command: &str) -> Option<Safe> {
    Some(masker.name(command)).filter(|safe| safe.as_str() == command)
}
