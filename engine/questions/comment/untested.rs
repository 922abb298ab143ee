//! What of a change, and of what uses it directly, surely no test calls, with the tests that stand nearest.
//!
//! A test that is there and not seen makes the sentence wrong, so only what is sure is told, and the rest counted.

use super::gather::Reached;
use crate::commands::shown;
use crate::desk::Desk;
use crate::written::add_unread;
use activate_rules::atoms::NodeId;
use index::base::{Dependents, FactBase, FileFlags, Reach, Reaching, SymbolKind, TestMap};
use index::completeness::{Completeness, State, Subject};
use redact::Safe;
use rustc_hash::FxHashSet;

/// The most definitions whose tests are looked for.
const MAX_ASKED: usize = 60;

/// The most definitions that use one: with more, nobody knows what runs it.
const MAX_USERS: usize = 200;

/// The most characters of a command.
const MAX_COMMAND: usize = 160;

/// What no test runs.
#[derive(Default)]
pub(super) struct Untested {
    /// Where that is sure, in the order in which it is told.
    pub(super) sure: Vec<Unrun>,
    /// How many more there are where no test is known, and one may be there.
    pub(super) n_unsure: usize,
}

/// A definition that no test runs.
pub(super) struct Unrun {
    pub(super) path: Safe,
    pub(super) line: u32,
    pub(super) name: Safe,
    /// What it uses that changes; none where it changes itself.
    pub(super) next: Option<Safe>,
    /// Runs the tests that stand nearest.
    pub(super) command: Option<Safe>,
}

/// What no test reaches: of `changed` first, then of what uses it directly.
pub(super) fn untested(desk: &Desk<'_>, changed: &[NodeId], reached: &[Reached]) -> Untested {
    let map = TestMap::new(desk.base);
    let changed = changed.iter().map(|node| (*node, None));
    let users = reached.iter().filter(|reached| reached.is_direct && reached.place.how.is_none());
    let users = users.map(|reached| (reached.ids.0, Some(reached.next.clone())));
    let runs = changed.chain(users).filter(|(node, _)| is_run(desk, *node)).take(MAX_ASKED);
    let mut untested = Untested::default();
    for (node, next) in runs {
        let ways = map.reaching(node);
        if ways.iter().any(|way| way.reach != Reach::SamePackage) {
            continue;
        }
        if !is_sure(desk, node, &ways) {
            untested.n_unsure += 1;
            continue;
        }
        let (place, name) = (desk.row(node), desk.local(node));
        untested.sure.push(Unrun { path: place.path, line: place.line, name, next, command: nearest(desk, node) });
    }
    untested
}

/// Whether no test can run it unseen: all places are known that use it or what uses it, none of their names is written where code is not read,
/// no test starts the program that has it, and no other file with tests has its name, as it may behind a macro.
fn is_sure(desk: &Desk<'_>, node: NodeId, beside: &[Reaching]) -> bool {
    let base = desk.base;
    if stands_in_tests(desk, node) {
        return false;
    }
    let Some(nodes) = with_users(base, node) else { return false };
    let named = base.tests_of(base.file_of(node)).into_iter().map(|(test, _)| test);
    // Of tests beside it the places above say that they do not use it.
    let listed: FxHashSet<NodeId> =
        beside.iter().map(|way| way.test).chain(named).flat_map(|test| [test, base.file_of(test)]).collect();
    let whole = |subject: &Subject<'_>| subject.of_places().state == State::Complete;
    let alone = |subject: &Subject<'_>| subject.of_tests(&listed).state == State::Complete;
    let unseen = &desk.snapshot.unseen;
    let is_known = Subject::new(base, &nodes, unseen).is_some_and(|subject| whole(&subject))
        && Subject::new(base, &[node], unseen).is_some_and(|subject| alone(&subject));
    let mut read = Completeness { state: State::Complete, reasons: Vec::new() };
    if is_known {
        add_unread(desk, &nodes, &mut read, &|_| true);
    }
    is_known && read.state == State::Complete
}

/// A definition and all that uses it, however far away; none where they are too many.
fn with_users(base: &FactBase, node: NodeId) -> Option<Vec<NodeId>> {
    let mut nodes = vec![node];
    loop {
        // They are followed a few calls at a time.
        let mut wider = nodes.clone();
        wider.extend(Dependents::new(base, &nodes, |_, _| false).all().into_iter().map(|(user, _)| user));
        wider.sort_unstable();
        wider.dedup();
        match wider.len() {
            n_all if n_all > MAX_USERS => return None,
            n_all if n_all == nodes.len() => return Some(wider),
            _ => nodes = wider,
        }
    }
}

/// Whether another file that holds tests has the word.
fn stands_in_tests(desk: &Desk<'_>, node: NodeId) -> bool {
    let base = desk.base;
    let (Some(row), Ok(index)) = (base.symbol(node), base.text()) else { return true };
    // As the index of words has names: in lower case and without what parts their words.
    let word = row.name.to_lowercase().replace('_', "");
    let with = index.lookup(&word).map(|posting| NodeId(posting.doc)).filter(|file| *file != row.file);
    with.into_iter().any(|file| base.flags(file).has(FileFlags::TEST) || base.runner(file).is_some())
}

/// Whether a definition is run, and meant to be by tests of this repository.
fn is_run(desk: &Desk<'_>, node: NodeId) -> bool {
    let base = desk.base;
    let flags = base.flags(base.file_of(node));
    let is_aside = [FileFlags::GENERATED, FileFlags::VENDORED, FileFlags::EXAMPLE].iter().any(|flag| flags.has(*flag));
    base.symbol(node).is_some_and(|row| matches!(row.kind, SymbolKind::Function | SymbolKind::Method)) && !is_aside
}

/// The command for the tests of its own file, else for the first file of tests in its folder or below.
fn nearest(desk: &Desk<'_>, node: NodeId) -> Option<Safe> {
    let base = desk.base;
    let own = base.file_of(node);
    let folder = base.path(own).rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_below = |file: &NodeId| {
        let path = base.path(*file).strip_prefix(folder);
        path.is_some_and(|rest| folder.is_empty() || rest.starts_with('/')) && base.language(*file) == base.language(own)
    };
    let files = std::iter::once(own).chain(base.files().filter(is_below));
    let command = |file: NodeId| shown(desk, &desk.base.runner(file)?, &[file]);
    files.filter_map(command).find(|command| command.as_str().len() <= MAX_COMMAND)
}
