//! What there is to say of a change, as places and names that may be shown.

use super::runs::{self, Runs};
use super::untested::{self, Untested};
use crate::answer::Row;
use crate::desk::{Desk, is_of_tests};
use crate::impact::{Noticing, add_unread_changes, is_beside, noticing, row};
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use engine::Reviewed;
use index::base::{FactBase, FileFlags, Uses};
use index::completeness::State;
use redact::Safe;
use rustc_hash::FxHashSet;

/// The most problems that are told.
const MAX_PROBLEMS: usize = 2;

/// The digits of a commit's id, and of those how many are shown.
const FULL_ID: usize = 40;
const SHORT_ID: usize = 8;

/// What files are that say least of a change.
const ASIDE: [u32; 3] = [FileFlags::GENERATED, FileFlags::VENDORED, FileFlags::EXAMPLE];

/// All that a comment is made of.
pub(super) struct Found {
    /// What is compared.
    pub(super) name: Safe,
    pub(super) n_files: usize,
    /// How many parts of the change were left out.
    pub(super) n_left_out: usize,
    /// How many of the files are not parsed, so that nothing is followed from them.
    pub(super) n_other: usize,
    /// Lines that are added and removed.
    pub(super) n_lines: (u32, u32),
    /// The definitions that change, that of which most changes first.
    pub(super) changed: Vec<Safe>,
    /// Definitions that go and are used all the same.
    pub(super) removed: Vec<Gone>,
    /// What may notice the change, but for tests, in the order in which it is told.
    pub(super) reached: Vec<Reached>,
    /// How many tests are among what may notice it.
    pub(super) n_tests: usize,
    /// What no test runs.
    pub(super) untested: Untested,
    pub(super) runs: Runs,
    /// Files that usually change too.
    pub(super) partners: Vec<Partner>,
    /// How much of what there is `reached` has, and why it is not all; none where nothing that changes is code.
    pub(super) state: Option<State>,
    pub(super) reasons: Vec<Safe>,
    pub(super) problems: Vec<Safe>,
}

/// A definition that goes and is used.
pub(super) struct Gone {
    pub(super) name: Safe,
    pub(super) path: Safe,
    pub(super) line: u32,
    /// The first places that use it.
    pub(super) uses: Vec<(Safe, u32)>,
    pub(super) n_uses: usize,
}

/// What may notice a change.
pub(super) struct Reached {
    pub(super) depth: u32,
    pub(super) place: Row,
    /// What it uses: a definition that changes, or one that lies between.
    pub(super) next: Safe,
    /// The canonical ids of both, for a drawing.
    pub(super) ids: (NodeId, NodeId),
    /// Whether what it uses is what changes.
    pub(super) is_direct: bool,
    /// Whether it calls a method that too many fulfil to say which of them it runs.
    pub(super) is_any: bool,
    /// Whether it is an example, or not written here.
    pub(super) is_aside: bool,
}

/// A file that usually changes with one of the change.
pub(super) struct Partner {
    pub(super) path: Safe,
    pub(super) with: Safe,
    pub(super) n_both: u32,
    pub(super) n_all: u32,
}

pub(super) fn gather(desk: &Desk<'_>, reviewed: &Reviewed) -> Found {
    let (base, review) = (desk.base, &reviewed.review);
    let at_large: FxHashSet<NodeId> = review.files.iter().filter(|file| file.is_at_large).filter_map(|file| file.file).collect();
    // What is not code has no uses that could be followed.
    let (code, other): (Vec<NodeId>, Vec<NodeId>) =
        reviewed.targets.iter().partition(|node| base.is_symbol(**node) || base.language(**node).is_some());
    let Noticing { all, mut known } = noticing(desk, &code, &at_large);
    add_unread_changes(reviewed, &mut known);
    let is_test = |node: NodeId| desk.is_test(node) || base.symbol(node).is_some_and(|row| is_of_tests(&row));
    let mut reached = Vec::new();
    for (node, way) in all.iter().filter(|(node, _)| !is_test(*node)) {
        let next = way.through.first().copied().unwrap_or(way.target);
        // Who imports a file and names something of it is there by its uses, where it has any.
        if way.uses == Uses::Link(LinkKind::Imports) && !at_large.contains(&next) {
            continue;
        }
        reached.push(Reached {
            depth: way.through.len() as u32 + 1,
            place: row(desk, *node, way, false),
            next: desk.local(next),
            ids: (*node, next),
            is_direct: way.through.is_empty(),
            is_any: way.is_wide(),
            is_aside: ASIDE.iter().any(|flag| base.flags(base.file_of(*node)).has(*flag)),
        });
    }
    in_order(base, &mut reached, |file| review.has(file));
    let tests = all.iter().filter(|(node, way)| is_test(*node) && !way.is_wide());
    let tests: Vec<(NodeId, u32)> = tests.map(|(node, way)| (*node, way.through.len() as u32 + 1)).collect();
    let definitions: Vec<NodeId> = reviewed.targets.iter().copied().filter(|node| base.is_symbol(*node)).collect();
    let of_program: Vec<NodeId> = definitions.iter().copied().filter(|node| !is_test(*node)).collect();
    let removed = review.removed.iter().map(|removed| Gone {
        name: desk.masker.name(&removed.name),
        path: desk.masker.name(&removed.path),
        line: removed.line,
        uses: removed.uses.iter().map(|(file, line)| (desk.path(*file), *line)).collect(),
        n_uses: removed.n_uses,
    });
    let is_usual = |partner: &&index::history::Partner| partner.n_both * 2 >= partner.n_all;
    let partners = review.partners.iter().filter(is_usual).map(|partner| Partner {
        path: desk.path(partner.file),
        with: desk.path(partner.with),
        n_both: partner.n_both,
        n_all: partner.n_all,
    });
    let is_code = !code.is_empty();
    Found {
        name: desk.masker.name(&short_ids(&review.name)),
        n_files: review.files.len(),
        n_left_out: reviewed.n_left_out,
        n_other: other.len(),
        n_lines: review.n_lines(),
        changed: of_program.iter().map(|node| desk.local(*node)).collect(),
        removed: removed.collect(),
        n_tests: all.iter().filter(|(node, way)| base.test_around(*node) == Some(*node) && !is_beside(way, &at_large)).count(),
        untested: untested::untested(desk, &of_program, &reached),
        runs: runs::runs(desk, review, &definitions, &tests),
        reached,
        partners: partners.collect(),
        state: is_code.then_some(known.state),
        reasons: known.reasons.iter().filter(|_| is_code).map(|reason| desk.masker.name(reason)).collect(),
        problems: reviewed.problems.iter().take(MAX_PROBLEMS).map(|problem| desk.masker.line(&problem.to_string())).collect(),
    }
}

/// Puts the nearest first, then what is not of the change itself, code of the program before examples and what programs write, then by place.
fn in_order(base: &FactBase, reached: &mut [Reached], is_changed: impl Fn(NodeId) -> bool) {
    reached.sort_by_cached_key(|reached| {
        let file = base.file_of(reached.ids.0);
        let place = (reached.place.path.clone(), reached.place.line, reached.place.symbol.clone());
        (reached.depth, reached.is_any, reached.is_aside, is_changed(file), place, reached.ids)
    });
}

/// Ids of commits as people write them.
fn short_ids(name: &str) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    let is_id = |word: &str| word.len() >= FULL_ID && word.bytes().all(|digit| digit.is_ascii_hexdigit());
    let short = |word: &&str| if is_id(word) { word[..SHORT_ID].to_owned() } else { (*word).to_owned() };
    words.iter().map(short).collect::<Vec<_>>().join(" ")
}
