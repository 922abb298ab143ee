//! Section 3: the code around the task, from what is likely meant to how to test it.
//!
//! Goes deep before it goes wide: a whole function that matters is worth more than ten signatures. Must not know how many tokens there are.

use super::code::{STOP_SHARE, code};
use super::impact::{dependencies, impacted, notes, subject};
use super::outline::outlines;
use super::tests_to_run::tests_to_run;
use super::{Draft, Entry, Safe, Section, View, more, more_nodes};
use crate::activation::Active;
use crate::context::fill::{Cut, End, Group, Step};
use crate::context::pieces::{About, Form, Piece};
use crate::context::reason::reason;
use crate::context::redact::LongLines;
use crate::context::view::{Pin, is_share, points};
use crate::facts::base::FactBase;
use crate::facts::completeness::{Completeness, Subject};
use activate_rules::atoms::NodeId;
use rustc_hash::FxHashSet;

/// The most likely files.
const MAX_LIKELY: usize = 20;

/// Thousandths of the section's budget that the likely files may have, but for the first few: they are what is least to be said.
const LIKELY_PART: u32 = 150;
const LEAST_LIKELY: usize = 3;
/// Thousandths of the section's budget that outlines may have.
const OUTLINE_PART: u32 = 350;
/// Thousandths of the section's budget that each other list may have where the section does not fit.
const LIST_PART: u32 = 100;

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
