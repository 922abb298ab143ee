//! Section 1: what blocks all other work.
//!
//! Comes first whatever its scores.

use super::{Draft, Entry, Safe, Section, View, failure, given, more};
use crate::activation::SYNTAX_ITEMS;
use crate::fill::{End, Group, Step};
use crate::pieces::{About, Form, Piece};
use activate_rules::atoms::ItemId;
use activate_rules::items::ItemKind;
use redact::Trust;
use signals::Severity;
use tokens::{JOINT, Tokens};

/// The heading of failing tests.
const FAILING: &str = "TEST STATE: FAILING";

const ERRORS: usize = 0;
const TESTS: usize = 1;
/// Entries of each list that are shown with details while there are others.
const FEW: usize = 3;

/// The most errors, and the most failing tests, of which each has its line whatever the budget is: of thousands the first ones do.
const MAX_SAID: usize = 20;

/// Retries from which the last fix was wrong.
const WRONG_FIX: u32 = 2;
/// Retries from which the reader is to stop.
const GIVE_UP: u32 = 3;

pub(super) fn draft(view: &View<'_>) -> Draft {
    let (found, n_blocking) = diagnostics(view);
    let is_blocked = n_blocking > 0;
    // A repository may live with warnings for years.
    let heading = if is_blocked { "CURRENT BUILD/LINT ERRORS (must address):" } else { "CURRENT BUILD/LINT WARNINGS:" };
    let mut errors = Group::new(view.counter, heading, found, more("diagnostics"));
    errors.footer = is_blocked.then(|| view.counter.line(Safe::fixed("  This blocks all other work: fix it first.")));
    let state = view.state;
    let failing = state.is_failing(view.failures);
    let retry = retry(state.tdd_retry_count);
    let mut tests = Vec::new();
    if let (Some(line), false) = (&retry, failing) {
        tests.push(given(view, "tdd_retry", None, "  {}", line));
    }
    let failed = view.placed(&[ItemKind::FailingTest], &view.failures.tests);
    tests.extend(failed.map(|(item, test)| failure::test(view, item, test)));
    let tests = if failing {
        let mut group = Group::new(view.counter, FAILING, tests, more("failing tests"));
        // How often it was tried must be known as soon as it is known what.
        if let Some(retry) = &retry {
            let lines = ["", FAILING].map(|line| Piece::Line(Safe::fixed(line)));
            let retry = Piece::Line(Safe::format("  {}", &[&view.masker.line(retry)]));
            group.heading = Some(view.counter.form(lines.into_iter().chain([retry]).collect()));
        }
        if group.entries.is_empty() {
            group.entries.push(given(view, "test_state", None, "  ({})", "which tests fail was not said"));
        }
        group
    } else {
        Group::plain(view.counter, tests, more("failing tests"))
    };
    // Each failing test is named and each error has its line whatever else has no room; warnings are not worth that beside a failing test.
    let (kept, other, kept_heading) = if is_blocked || !failing {
        (ERRORS, TESTS, view.counter.heading(heading))
    } else {
        (TESTS, ERRORS, view.counter.heading(FAILING))
    };
    // Errors come first.
    let mut said: Vec<Form> = errors.entries.iter().take(n_blocking.min(MAX_SAID)).filter_map(shortest).collect();
    let n_errors = said.len();
    let mut forms: Vec<Form> = tests.entries.iter().filter(|_| failing).take(MAX_SAID).filter_map(shortest).collect();
    let n_tests = forms.len();
    said.append(&mut forms);
    let headings = [(n_errors, &errors.heading, &errors.footer), (n_tests, &tests.heading, &tests.footer)];
    let headings = headings.into_iter().filter(|(n, ..)| *n > 0).flat_map(|(_, heading, footer)| [heading, footer]);
    let around: Tokens = headings.flatten().map(Form::tokens).sum();
    let least = if said.is_empty() { Tokens(0) } else { said.iter().map(Form::tokens).sum::<Tokens>() + around + JOINT };
    let mut draft = Draft::new(Section::Blockers, vec![errors, tests]);
    draft.least = least;
    draft.steps = vec![
        // What is wrong, and where, is said of all before more is said of some.
        Step::Shrink(ERRORS, FEW),
        Step::Shrink(TESTS, FEW),
        // A hundred names beside no message say less than the first of them with theirs.
        Step::Drop(ERRORS, End::Last, MAX_SAID),
        Step::Drop(TESTS, End::Last, MAX_SAID),
        Step::Shrink(ERRORS, 0),
        Step::Shrink(TESTS, 0),
        Step::Silence(ERRORS),
        Step::Silence(TESTS),
        Step::Drop(ERRORS, End::Last, 1),
        Step::Drop(TESTS, End::Last, 1),
        Step::Silence(other),
        Step::Silence(kept),
        Step::Remove(other),
        Step::Head(kept, kept_heading),
    ];
    draft
}

/// The shortest form of an entry.
fn shortest(entry: &Entry) -> Option<Form> {
    entry.forms().last().cloned()
}

/// What a number of retries means for the reader.
fn retry(n_retries: u32) -> Option<String> {
    match n_retries {
        0 => None,
        n if n >= GIVE_UP => {
            Some(format!("TDD Retry: {n} (stop: the fixes so far were wrong; ask the user before trying again)"))
        }
        n if n >= WRONG_FIX => Some(format!("TDD Retry: {n} (the last fix was wrong: fix the root cause, not symptoms)")),
        n => Some(format!("TDD Retry: {n} (fix the root cause, not symptoms)")),
    }
}

/// The diagnostics of tools, and the parser's as far as they concern the task: errors first, then by the rank of the file; and how many are
/// errors.
fn diagnostics(view: &View<'_>) -> (Vec<Entry>, usize) {
    let kinds = [ItemKind::Error, ItemKind::Warning, ItemKind::Note];
    let mut found: Vec<((Severity, usize, u32), Entry)> = Vec::new();
    for (item, located) in view.placed(&kinds, &view.failures.diagnostics) {
        let rank = located.spot.map_or(usize::MAX, |spot| view.rank(spot.file));
        let line = located.diagnostic.place.as_ref().map_or(0, |place| place.line);
        found.push(((located.diagnostic.severity, rank, line), failure::diagnostic(view, item, located)));
    }
    let syntax = view.base.diagnostics().zip(SYNTAX_ITEMS..);
    for (row, _) in syntax.filter(|(_, number)| view.is_placed(ItemId(*number))) {
        let path = view.path(row.file);
        let line = Safe::format("  error:{}:{}: {} (syntax)", &[&path, &Safe::number(row.line), &view.masker.line(row.message)]);
        let about = About {
            kind: "diagnostic",
            path: Some(path),
            lines: Some((row.line, row.line)),
            trust: Some(Trust::Trusted),
            ..About::default()
        };
        found.push(((Severity::Error, view.rank(row.file), row.line), Entry::line(view.counter, about, line)));
    }
    found.sort_by_key(|(key, _)| *key);
    let n_blocking = found.iter().take_while(|((severity, ..), _)| *severity == Severity::Error).count();
    (found.into_iter().map(|(_, entry)| entry).collect(), n_blocking)
}
