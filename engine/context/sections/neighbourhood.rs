//! Section 3: the code around the task, from what is likely meant to how to test it.
//!
//! Goes deep before it goes wide: a whole function that matters is worth more than ten signatures. Must not know how many tokens there are.

use super::impact::{dependencies, impacted, notes, subject};
use super::outline::outlines;
use super::tests_to_run::tests_to_run;
use super::{Draft, Entry, Safe, Section, View, more, more_nodes};
use crate::activation::{Active, MAX_DEEP_FILES, Reason, Role};
use crate::context::excerpt::{Excerpt, Resolution, file_entry};
use crate::context::fill::{Cut, End, Group, Step};
use crate::context::pieces::{About, Form, Piece};
use crate::context::reason::reason;
use crate::context::redact::LongLines;
use crate::context::view::{Pin, is_share, points};
use crate::facts::base::{FactBase, SymbolKind};
use crate::facts::completeness::{Completeness, Subject};
use activate_rules::atoms::{Energy, Millionths, NodeId};
use activate_rules::facts::Derived;
use activate_rules::links::LinkKind;
use rustc_hash::FxHashSet;

/// The share of the best score, in thousandths, under which nothing is shown: what is three times less than the best rarely serves the task.
pub(super) const STOP_SHARE: i64 = 300;
/// The share of the best score, in thousandths, from which code is shown with its body, and with its signature; below, one line names it.
pub(super) const WHOLE_SHARE: i64 = 600;
const SIGNATURE_SHARE: i64 = 450;
/// The most pieces of code with their bodies, those in which something fails aside, and of all.
const MAX_WHOLE: usize = 12;
const MAX_EXCERPTS: usize = 40;
/// The most likely files.
const MAX_LIKELY: usize = 20;

/// Thousandths of the section's budget that the likely files may have, but for the first few: they are what is least to be said.
const LIKELY_PART: u32 = 150;
const LEAST_LIKELY: usize = 3;
/// Thousandths of the section's budget that outlines may have.
const OUTLINE_PART: u32 = 350;
/// Thousandths of the section's budget that each other list may have where the section does not fit.
const LIST_PART: u32 = 100;

/// The whole, in thousandths.
const WHOLE: i64 = 1000;

const LIKELY: usize = 0;
const TARGET: usize = 1;
const OUTLINES: usize = 2;
const RELATED: usize = 3;
const IMPACTED: usize = 4;
const DEPENDENCIES: usize = 5;
const NOTES: usize = 6;
const TESTS: usize = 7;

pub(super) fn draft(view: &View<'_>) -> Draft {
    let counter = view.counter;
    let code_cut = |noun| Cut { indent: "", noun, how: "activate why PATH" };
    let (impacted, impacted_files) = impacted(view);
    let (tests, listed_tests) = tests_to_run(view);
    let (nodes, left_out) = subject(view);
    let (base, unseen) = (view.base, view.sources.unseen);
    let mut lists = Lists::default();
    // Code is read and cut to size while somebody else looks for what the lists lack.
    let code = rayon::in_place_scope(|scope| {
        scope.spawn(|_| lists = Lists::new(base, &nodes, unseen, left_out.as_ref(), &impacted_files, &listed_tests));
        code(view)
    });
    let Lists { using, used, tested } = lists;
    let groups = vec![
        Group::new(counter, "LIKELY FILES (most likely first):", likely(view), more_nodes("files")),
        Group::new(counter, "TARGET CODE:", code.target, code_cut("pieces of target code")),
        Group::new(counter, "OUTLINE OF LIKELY FILES (name and line):", outlines(view), more("files")),
        Group::new(counter, "RELATED CODE:", code.related, code_cut("pieces of related code")),
        Group::new(counter, "IMPACTED FILES (may need updates):", impacted, more_nodes("files")).stating(
            counter,
            "impacted_file",
            using,
        ),
        Group::new(counter, "DEPENDENCY CONTEXT:", dependencies(view), more("dependencies")).stating(counter, "dependency", used),
        Group::new(counter, "CODE CONTEXT:", notes(view, &code.files), more("notes")),
        Group::new(counter, "TESTS TO RUN:", tests, more_nodes("commands")).stating(counter, "test_command", tested),
    ];
    let mut draft = Draft::new(Section::Neighbourhood, groups);
    draft.caps = vec![(LIKELY, LIKELY_PART, LEAST_LIKELY), (OUTLINES, OUTLINE_PART, 1)];
    draft.steps = vec![
        Step::OneHop(IMPACTED),
        Step::Cap(DEPENDENCIES, LIST_PART),
        Step::Cap(NOTES, LIST_PART),
        Step::Cap(IMPACTED, LIST_PART),
        Step::Cap(TESTS, LIST_PART),
        Step::Shrink(RELATED, 0),
        Step::Shrink(OUTLINES, 0),
        Step::Drop(RELATED, End::Last, 5),
        Step::Shrink(TARGET, 1),
        Step::Drop(RELATED, End::Last, 0),
        Step::Drop(TARGET, End::Last, 1),
        Step::Drop(OUTLINES, End::Last, 1),
        Step::Drop(DEPENDENCIES, End::Last, 0),
        Step::Drop(NOTES, End::Last, 1),
        Step::Drop(IMPACTED, End::Last, 3),
        Step::Shrink(TARGET, 0),
        // So little room is left that notes of lists compete with the names of files.
        Step::Remove(TESTS),
        Step::Remove(NOTES),
        Step::Remove(DEPENDENCIES),
        Step::Remove(IMPACTED),
        Step::Remove(RELATED),
        Step::Remove(OUTLINES),
        Step::Shrink(LIKELY, 0),
        Step::Drop(LIKELY, End::Last, 1),
        Step::Silence(TARGET),
        Step::Silence(LIKELY),
    ];
    draft
}

/// How complete each list is, where it is about code.
#[derive(Default)]
struct Lists {
    using: Option<Completeness>,
    used: Option<Completeness>,
    tested: Option<Completeness>,
}

impl Lists {
    fn new(
        base: &FactBase,
        nodes: &[NodeId],
        unseen: &[String],
        left_out: Option<&String>,
        impacted: &FxHashSet<NodeId>,
        tests: &FxHashSet<NodeId>,
    ) -> Self {
        let subject = Subject::new(base, nodes, unseen);
        let state = |of: &dyn Fn(&Subject<'_>) -> Completeness| {
            let mut completeness = subject.as_ref().map(of)?;
            if let Some(reason) = left_out {
                completeness.lacks(reason.clone());
            }
            Some(completeness)
        };
        Self {
            using: state(&|subject| subject.of_users(Some(impacted))),
            used: state(&|subject| subject.of_dependencies()),
            tested: state(&|subject| subject.of_tests(tests)),
        }
    }
}

/// The files that are most likely meant: path, score, reason.
fn likely(view: &View<'_>) -> Vec<Entry> {
    likely_files(view).map(|file| file_line(view, "likely_file", file)).collect()
}

/// The files that are listed as likely, best first.
pub(super) fn likely_files<'a>(view: &View<'a>) -> impl Iterator<Item = &'a Active> {
    let files = &view.activation.files;
    let best = files.iter().map(|file| file.score).max().unwrap_or_default();
    files.iter().filter(move |file| is_share(file.score, best, STOP_SHARE)).take(MAX_LIKELY)
}

/// `  - path (score, reason)`, or without the reason.
fn file_line(view: &View<'_>, kind: &'static str, file: &Active) -> Entry {
    let (path, why) = (Safe::name(view.base.path(file.node)), reason(view, file));
    let score = points(file.score);
    let line = Safe::format("  - {} ({}, {})", &[&path, &score, &why]);
    let short = Safe::format("  - {} ({})", &[&path, &score]);
    let about = About {
        kind,
        id: Some(path.clone()),
        path: Some(path),
        score: Some(file.score),
        tier: Some(file.tier),
        reason: Some(why),
        trust: Some(view.trust(file.node)),
        hops: file.hops,
        ..About::default()
    };
    Entry::new(about, vec![view.counter.line(line), view.counter.line(short)])
}

/// Code to show.
#[derive(Default)]
struct Code {
    /// What is meant, best first.
    target: Vec<Entry>,
    /// What stands around it, best first.
    related: Vec<Entry>,
    /// The files they are from, best first; a file can be there twice.
    files: Vec<NodeId>,
}

/// The code that is meant and the code around it.
fn code(view: &View<'_>) -> Code {
    let share = Share::new(view);
    let mut chosen: Vec<(bool, Excerpt<'_>)> = Vec::new();
    let mut n_whole = 0;
    let shown = view.activation.symbols.iter().filter(|active| is_shown(view, active));
    for active in shown.filter(|active| share.is(active, STOP_SHARE)) {
        if chosen.len() == MAX_EXCERPTS {
            break;
        }
        // Where something fails, what is around it is no substitute for it.
        let is_failing = active.reason == Reason::Failure;
        let resolution = if (n_whole < MAX_WHOLE || is_failing) && share.is(active, WHOLE_SHARE) {
            Resolution::Body
        } else if share.is(active, SIGNATURE_SHARE) {
            Resolution::Signature
        } else {
            Resolution::Line
        };
        let Some(mut excerpt) = Excerpt::new(view, active, resolution) else { continue };
        // What lies in a body that is shown is shown; a type around code that is shown needs no body of its own.
        if chosen.iter().any(|(_, other)| other.resolution == Resolution::Body && other.covers(&excerpt)) {
            continue;
        }
        if resolution == Resolution::Body && chosen.iter().any(|(_, other)| excerpt.covers(other)) {
            excerpt.resolution = Resolution::Signature;
        }
        n_whole += usize::from(excerpt.resolution == Resolution::Body && !is_failing);
        chosen.push((is_meant(view, active), excerpt));
    }
    let merged = merged(chosen);
    let mut code = Code::default();
    for (is_target, excerpt) in &merged {
        if *is_target { &mut code.target } else { &mut code.related }.push(excerpt.entry(view));
        code.files.push(excerpt.file);
    }
    // A file that is meant and has no code that is, such as a document, is shown itself.
    let has_code = |file: &Active| merged.iter().any(|(_, excerpt)| excerpt.file == file.node);
    let files = view.activation.files.iter().filter(|file| file.role == Role::Target && share.is(file, STOP_SHARE));
    for file in files.take(MAX_DEEP_FILES).filter(|file| !has_code(file)) {
        code.target.push(file_entry(view, file));
        code.files.push(file.node);
    }
    code
}

/// Compares nodes with the best of their kind, by score or by standing: either is reason enough to show code.
struct Share<'v> {
    derived: &'v Derived,
    score: Energy,
    standing: Millionths,
}

impl<'v> Share<'v> {
    fn new(view: &View<'v>) -> Self {
        let derived = &view.activation.derived;
        let standing = view.activation.symbols.iter().map(|active| derived.standing(active.node)).max();
        Self { derived, score: view.best(), standing: standing.unwrap_or_default() }
    }

    /// Whether a node has this many thousandths of the best.
    fn is(&self, active: &Active, part: i64) -> bool {
        let standing = i64::from(self.derived.standing(active.node).get());
        is_share(active.score, self.score, part) || standing * WHOLE >= i64::from(self.standing.get()) * part
    }
}

/// Whether code is what the task means: that is said of it, or of its file as a whole.
fn is_meant(view: &View<'_>, active: &Active) -> bool {
    let file = match active.reason {
        Reason::Link { kind: LinkKind::ContainedBy, via, .. } => Some(via),
        Reason::StandsIn(file) => Some(file),
        _ => None,
    };
    let is_whole = |file: &Active| file.role == Role::Target && matches!(file.reason, Reason::Words(_) | Reason::Named(_));
    active.role == Role::Target || file.and_then(|file| view.active(file)).is_some_and(is_whole)
}

/// The excerpts, with what belongs together in one piece at the place of its best part.
fn merged(mut excerpts: Vec<(bool, Excerpt<'_>)>) -> Vec<(bool, Excerpt<'_>)> {
    let mut place = 0;
    while place < excerpts.len() {
        let (before, after) = excerpts.split_at_mut(place + 1);
        let Some((is_target, excerpt)) = before.last_mut() else { break };
        let next = after.iter().position(|(other, next)| other == is_target && excerpt.merge(next));
        match next {
            // What grew may touch what it did not touch before.
            Some(next) => drop(excerpts.remove(place + 1 + next)),
            None => place += 1,
        }
    }
    excerpts
}

/// Whether the code of a symbol is shown: tests have a list of their own unless they are meant or fail, modules hold what is shown itself.
fn is_shown(view: &View<'_>, active: &Active) -> bool {
    let kind = view.base.symbol(active.node).map(|symbol| symbol.kind);
    let is_wanted = active.role != Role::Test || matches!(active.reason, Reason::Named(_) | Reason::Failure);
    let is_deep = match active.reason {
        Reason::StandsIn(file) => {
            let deep = view.activation.files.iter().take(MAX_DEEP_FILES);
            deep.filter(|file| file.role == Role::Target).any(|listed| listed.node == file)
        }
        _ => true,
    };
    is_wanted && is_deep && kind.is_some_and(|kind| kind != SymbolKind::Module)
}

/// The pinned code in full; it stands above everything else in the section.
pub(in crate::context) fn pins(view: &View<'_>) -> Vec<(About, Form)> {
    let shown = |pin: &Pin| {
        let text = view.text(pin.file)?;
        let (first, last) = pin.lines.unwrap_or((1, text.n_lines()));
        let last = last.min(text.n_lines());
        let path = Safe::name(view.base.path(pin.file));
        let header = Safe::format("{}:{}-{} (pinned)", &[&path, &Safe::number(first), &Safe::number(last)]);
        let code = Safe::code(&text, first..=last, LongLines::Whole);
        let trust = view.trust(pin.file);
        let about = About {
            kind: "pin",
            id: Some(path.clone()),
            path: Some(path),
            lines: Some((first, last)),
            reason: Some(Safe::fixed("pinned")),
            trust: Some(trust),
            ..About::default()
        };
        Some((about, view.counter.form(vec![Piece::Line(Safe::default()), Piece::Line(header), Piece::Fenced(trust, code)])))
    };
    view.sources.pins.iter().filter_map(shown).collect()
}
