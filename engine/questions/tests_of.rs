//! The tests that run a definition or the definitions of a file, with their commands.

use super::answer::{Answer, Row};
use super::commands::{add_without, commands, keep_sure};
use super::desk::Desk;
use super::impact::{Noticing, at_large, noticing, targets};
use super::name::named;
use super::rows::sort;
use super::uses::about;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use error::Result;
use index::base::{Reach, Reaching, TestMap};
use redact::Safe;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The most parts of a type or file of which each is looked at.
const MAX_PARTS: usize = 500;

pub(crate) fn tests(desk: &Desk<'_>, name: &str) -> Result<Answer> {
    let base = desk.base;
    let nodes = named(base, name)?.nodes;
    let map = TestMap::new(base);
    let mut parts = desk.with_parts(&nodes);
    let n_parts = parts.len();
    parts.truncate(MAX_PARTS);
    let mut found: BTreeMap<NodeId, Reaching> = BTreeMap::new();
    // The part that each test reaches.
    let mut part_of: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    // Where each test stands among those of a part.
    let mut places: BTreeMap<NodeId, usize> = BTreeMap::new();
    let ways = parts.iter().flat_map(|part| map.reaching(*part).into_iter().enumerate().map(|(place, way)| (*part, place, way)));
    for (part, place, reaching) in ways {
        places.entry(reaching.test).and_modify(|known| *known = place.min(*known)).or_insert(place);
        let key = |way: &Reaching| (way.reach, way.n_calls, way.confidence);
        if found.get(&reaching.test).is_none_or(|known| key(&reaching) < key(known)) {
            part_of.insert(reaching.test, part);
            found.insert(reaching.test, reaching);
        }
    }
    // A test runs itself.
    for test in parts.iter().filter(|part| base.is_symbol(**part) && base.test_around(**part) == Some(**part)) {
        found.insert(*test, Reaching::of_file(*test, Reach::Direct));
    }
    // A file of tests says less than its tests.
    let with_tests: Vec<NodeId> = found.keys().filter(|test| base.is_symbol(**test)).map(|test| base.file_of(*test)).collect();
    found.retain(|test, _| !base.is_file(*test) || !with_tests.contains(test));
    let reaches = |test: &NodeId| found[test].reach.is_by_calls();
    let tests: Vec<NodeId> = found.keys().copied().filter(|test| reaches(test)).collect();
    // What is named after the file says more than what stands anywhere in its package.
    let nearest = found.values().map(|way| way.reach).filter(|reach| !reach.is_by_calls()).min();
    let is_row = |way: &&Reaching| way.reach.is_by_calls() || Some(way.reach) == nearest && tests.is_empty();
    let mut ways: Vec<&Reaching> = found.values().filter(is_row).collect();
    // What only stands in the same package comes in the order of what it shares with it.
    let by_place = tests.is_empty() && nearest == Some(Reach::SamePackage);
    if by_place {
        ways.sort_by_key(|way| places.get(&way.test));
    }
    let mut rows: Vec<Row> = ways.iter().map(|way| row(desk, way, part_of.get(&way.test).copied())).collect();
    let n_beside = found.len() - rows.len();
    if !by_place {
        sort(&mut rows);
    }
    rows.sort_by_key(|row| row.depth.is_none());
    let mut run: Vec<NodeId> = if tests.is_empty() { ways.iter().map(|way| way.test).collect() } else { tests };
    run.sort_by_key(|test| (found[test].type_distance, found[test].n_calls));
    let n_without = keep_sure(&mut run, |test| found[test].reach == Reach::AnyOf);
    run.truncate(desk.limit());
    let tests: Vec<NodeId> = found.keys().copied().collect();
    let listed: FxHashSet<NodeId> = tests.iter().flat_map(|test| [*test, base.file_of(*test)]).collect();
    // What would not be known of a change is not known of its tests.
    let Noticing { all, mut known } = noticing(desk, &targets(desk, &nodes), &at_large(desk, &nodes));
    let noticing: FxHashSet<NodeId> = all.iter().filter_map(|(node, _)| base.test_around(*node)).collect();
    let n_more = noticing.iter().filter(|test| !listed.contains(test)).count();
    if n_more > 0 {
        let (verb, plural) = if n_more == 1 { ("is", "") } else { ("are", "s") };
        known.lacks(format!("{n_more} more test{plural} that may run it {verb} in its impact"));
    }
    if n_parts > MAX_PARTS {
        known.lacks(format!("{} parts are not looked at", n_parts - MAX_PARTS));
    }
    let mut answer = desk.answer("tests", about(desk, &nodes), rows, &known);
    answer.add_commands(commands(desk, &run));
    add_without(&mut answer, n_without);
    answer.add_aside(
        n_beside,
        "file of tests stands beside it, not known to run it",
        "files of tests stand beside it, not known to run it",
    );
    Ok(answer)
}

fn row(desk: &Desk<'_>, way: &Reaching, part: Option<NodeId>) -> Row {
    let mut row = desk.row(way.test).sure(way.confidence);
    if let Some(promise) = way.promise {
        row = row.promised(desk, promise);
    }
    row.depth = way.reach.is_by_calls().then_some(way.n_calls);
    row.through = way.through.iter().map(|node| desk.local(*node)).collect();
    row.route = part.and_then(|part| route(desk, way, part));
    row.how = (!way.reach.is_by_calls()).then(|| way.reach.word());
    row
}

/// Method and path of the first step of a way that is a request.
fn route(desk: &Desk<'_>, way: &Reaching, part: NodeId) -> Option<Safe> {
    let mut user = None;
    for used in way.through.iter().copied().chain([part]) {
        let is_user = |node: NodeId| match user {
            Some(user) => node == user,
            None => desk.base.test_around(node) == Some(way.test),
        };
        let is_use = |kind| matches!(kind, LinkKind::CalledBy | LinkKind::ReferencedBy | LinkKind::Serves);
        let steps = desk.base.links().row(used).filter(|(node, link)| is_use(link.kind()) && is_user(*node));
        // A call that is as sure says more.
        let step = steps.min_by_key(|(_, link)| (link.confidence(), link.kind() == LinkKind::Serves));
        if let Some((node, _)) = step.filter(|(_, link)| link.kind() == LinkKind::Serves) {
            return desk.route(node, used, None);
        }
        user = Some(used);
    }
    None
}
