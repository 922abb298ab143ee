//! What may notice a change: all that depends on what changes, the closest first, with the tests among it and their commands.

use super::answer::{Answer, Row};
use super::commands::{add_without, commands, keep_sure};
use super::desk::Desk;
use super::draw::Drawing;
use super::name::named;
use super::outside::{add_entries, add_handed, add_loaded, add_routes, exports};
use super::uses::{about, not_code};
use super::written::{add_inner, add_unread};
use activate_grammars::language_of;
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use engine::Reviewed;
use error::{Problem, Result};
use index::base::{Dependence, Uses};
use index::completeness::{Completeness, State, Subject, dependents_of_change};
use redact::Safe;
use review::{ChangedFile, ChangedKind, Diff};
use rustc_hash::FxHashSet;

/// What may notice a change of a definition or file.
pub(crate) fn of_name(desk: &Desk<'_>, name: &str) -> Result<Answer> {
    let nodes = named(desk.base, name)?.nodes;
    Ok(reached(desk, about(desk, &nodes), &targets(desk, &nodes), &at_large(desk, &nodes), None))
}

/// What changes where these do: of a file all that it defines.
pub(crate) fn targets(desk: &Desk<'_>, nodes: &[NodeId]) -> Vec<NodeId> {
    if nodes.iter().any(|node| desk.base.is_file(*node)) { desk.with_parts(nodes) } else { nodes.to_vec() }
}

/// The files among these.
pub(crate) fn at_large(desk: &Desk<'_>, nodes: &[NodeId]) -> FxHashSet<NodeId> {
    nodes.iter().copied().filter(|node| desk.base.is_file(*node)).collect()
}

/// What may notice a change that was made.
pub(crate) fn of_change(desk: &Desk<'_>, diff: &Diff) -> Result<Answer> {
    // A text in which nothing changes is no patch.
    let reviewed = match diff {
        Diff::Patch(_) => desk.engine.review(desk.snapshot, diff)?,
        Diff::WorkTree | Diff::Range(_) => desk.engine.review_if_any(desk.snapshot, diff)?,
    };
    let desk = desk.with_masker(reviewed.masker.clone());
    let review = &reviewed.review;
    let at_large = review.files.iter().filter(|file| file.is_at_large).filter_map(|file| file.file).collect();
    let name = desk.masker.name(&review.name);
    let mut answer = if review.files.is_empty() {
        nothing_changed(&desk, name, &reviewed)
    } else {
        reached(&desk, vec![name], &reviewed.targets, &at_large, Some(&reviewed))
    };
    answer.problems.extend(reviewed.problems.iter().map(|problem: &Problem| desk.masker.line(&problem.to_string())));
    Ok(answer)
}

fn nothing_changed(desk: &Desk<'_>, name: Safe, reviewed: &Reviewed) -> Answer {
    let mut known = Completeness { state: State::Complete, reasons: Vec::new() };
    add_unread_changes(reviewed, &mut known);
    let mut answer = desk.answer("impact", vec![name], Vec::new(), &known);
    answer.nothing = none_changed(reviewed.n_left_out);
    answer.drawing = Some(Drawing::default());
    answer
}

/// What there is to say of a change that has no files, but for so many parts that were left out.
pub(crate) fn none_changed(n_left_out: usize) -> &'static str {
    if n_left_out == 0 { "nothing changed" } else { "no file that could be compared changed" }
}

/// Notes what of a change is not known: what was left out of it, and source with no lines that could be compared.
pub(crate) fn add_unread_changes(reviewed: &Reviewed, known: &mut Completeness) {
    let is_large = |file: &&ChangedFile| file.kind == ChangedKind::Large && language_of(&file.path).is_some();
    for file in reviewed.review.files.iter().filter(is_large) {
        known.lacks(format!("what changes in {} is not known, as it is too large", file.path));
    }
    match reviewed.n_left_out {
        0 => {}
        1 => known.lacks("1 part of the change is left out".to_owned()),
        n => known.lacks(format!("{n} parts of the change are left out")),
    }
}

fn reached(
    desk: &Desk<'_>,
    about: Vec<Safe>,
    targets: &[NodeId],
    at_large: &FxHashSet<NodeId>,
    reviewed: Option<&Reviewed>,
) -> Answer {
    let base = desk.base;
    let Noticing { all, mut known } = noticing(desk, targets, at_large);
    // Of a change the parts that change are targets themselves.
    let entered = reviewed.map_or_else(|| desk.with_parts(targets), |_| targets.to_vec());
    add_entries(desk, &entered, &mut known);
    if let Some(reviewed) = reviewed {
        add_unread_changes(reviewed, &mut known);
    }
    // Who only imports the file, or stands beside it by its name, is counted.
    let (all, mut beside): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, way)| !is_beside(way, at_large));
    let using: FxHashSet<NodeId> = all.iter().map(|(node, _)| base.file_of(*node)).collect();
    beside.retain(|(node, _)| !using.contains(&base.file_of(*node)));
    let mut rows = Vec::new();
    for removed in reviewed.iter().flat_map(|reviewed| &reviewed.review.removed) {
        rows.extend(removed.uses.iter().map(|(file, line)| {
            let around = base.symbol_at(*file, *line).unwrap_or(*file);
            Row {
                depth: Some(1),
                line: *line,
                of: Some(desk.masker.name(&removed.name)),
                how: Some("removed"),
                ..desk.row(around)
            }
        }));
    }
    let is_one = targets.len() == 1;
    let mut drawn: Vec<(u32, NodeId, NodeId)> = Vec::new();
    for (node, way) in &all {
        drawn.push((way.through.len() as u32 + 1, *node, way.through.first().copied().unwrap_or(way.target)));
        rows.push(row(desk, *node, way, is_one));
    }
    drawn.sort_unstable();
    let mut drawing = Drawing::default();
    for (_, from, to) in drawn.iter().take(desk.limit()) {
        drawing.add(desk.id(*from), desk.id(*to));
    }
    let tests = all.iter().filter(|(node, _)| base.test_around(*node) == Some(*node));
    let mut tests: Vec<(NodeId, &Dependence)> = tests.map(|(node, way)| (*node, way)).collect();
    tests.sort_by_key(|(node, way)| (way.type_distance, way.through.len(), *node));
    let n_without = keep_sure(&mut tests, |(_, way)| way.is_wide());
    let n_far = tests.len().saturating_sub(desk.limit());
    let tests: Vec<NodeId> = tests.into_iter().take(desk.limit()).map(|(test, _)| test).collect();
    let mut answer = desk.sorted("impact", about, rows, &known);
    answer.add_commands(commands(desk, &tests));
    add_without(&mut answer, n_without);
    answer.add_aside(n_far, "test more that is farther away may notice", "tests more that are farther away may notice");
    let n_named = beside.iter().filter(|(_, way)| way.uses == Uses::NamedAfter).count();
    answer.add_aside(
        beside.len() - n_named,
        "file imports a file of it, with no known use of it",
        "files import a file of it, with no known use of it",
    );
    answer.add_aside(
        n_named,
        "test file is named after a file of it, with no known use of it",
        "test files are named after a file of it, with no known use of it",
    );
    answer.asides.extend(exports(desk, targets));
    answer.drawing = Some(drawing);
    answer
}

/// Whether something has no use of what changes, but of its file, where nothing `at_large` of that changes.
pub(crate) fn is_beside(way: &Dependence, at_large: &FxHashSet<NodeId>) -> bool {
    match way.uses {
        Uses::Link(LinkKind::Imports) => !at_large.contains(way.through.first().unwrap_or(&way.target)),
        Uses::NamedAfter => true,
        Uses::Link(_) | Uses::Passes => false,
    }
}

/// What may notice a change of some definitions and files.
pub(crate) struct Noticing {
    /// Each with how it depends on one of them, in the order of nodes.
    pub(crate) all: Vec<(NodeId, Dependence)>,
    /// How much of what there is that has.
    pub(crate) known: Completeness,
}

/// What may notice a change of these, where `at_large` are the files of which something changes that is of no definition.
pub(crate) fn noticing(desk: &Desk<'_>, targets: &[NodeId], at_large: &FxHashSet<NodeId>) -> Noticing {
    let base = desk.base;
    let dependents = dependents_of_change(base, targets, |file| at_large.contains(&file));
    let all = dependents.all();
    let known = completeness(desk, targets, &all, &|node| dependents.has(node));
    Noticing { all, known }
}

/// The list has what uses the targets, and what uses that, as far as it is followed: it is complete where the callers of each of them are.
fn completeness(
    desk: &Desk<'_>,
    targets: &[NodeId],
    all: &[(NodeId, Dependence)],
    is_met: &dyn Fn(NodeId) -> bool,
) -> Completeness {
    let base = desk.base;
    let (definitions, files): (Vec<NodeId>, Vec<NodeId>) = targets.iter().partition(|node| base.is_symbol(**node));
    let mut nodes = desk.with_parts(&definitions);
    nodes.extend(all.iter().map(|(node, _)| *node).filter(|node| base.is_symbol(*node)));
    let code: Vec<NodeId> = nodes.iter().copied().filter(|node| base.test_around(*node).is_none()).collect();
    nodes.extend(files);
    let subject = Subject::without_parts(base, &nodes, &desk.snapshot.unseen);
    let mut known = subject.map_or_else(not_code, |subject| subject.of_way(is_met));
    let met: FxHashSet<NodeId> = nodes.iter().copied().collect();
    add_unread(desk, &nodes, &mut known, &|around| !met.contains(&around));
    add_handed(desk, &code, &mut known);
    add_loaded(desk, &code, &mut known);
    add_inner(desk, &code, &mut known);
    add_routes(desk, targets, &code, &mut known);
    known
}

/// What may notice a change, with how it does.
pub(crate) fn row(desk: &Desk<'_>, node: NodeId, way: &Dependence, is_one: bool) -> Row {
    let base = desk.base;
    let next = way.through.first().copied().unwrap_or(way.target);
    let mut row = desk.row(node).sure(way.confidence);
    if let Some(promise) = way.promise {
        row = row.promised(desk, promise);
    }
    row.depth = Some(way.through.len() as u32 + 1);
    match way.uses {
        Uses::Link(kind) => {
            let line = base.link_line(node, kind, next);
            row.line = line.filter(|_| kind != LinkKind::Implements).unwrap_or(row.line);
            row = row.by(kind);
            if kind == LinkKind::ServedBy {
                row.route = desk.route(node, next, None);
            }
        }
        Uses::NamedAfter => row.how = Some("named_after"),
        Uses::Passes => {}
    }
    row.through = way.through.iter().map(|node| desk.local(*node)).collect();
    row.of = (!is_one).then(|| desk.local(way.target));
    row.kind = desk.is_test(node).then_some("test");
    row
}
