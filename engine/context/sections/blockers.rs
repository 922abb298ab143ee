//! Section 1: what blocks all other work.
//!
//! Comes first whatever its scores. Must not judge whether a diagnostic is right.

use super::{Draft, Entry, Safe, Section, View, given, more};
use crate::activation::SYNTAX_ITEMS;
use crate::context::fill::{End, Group, Step};
use crate::context::pieces::About;
use crate::context::redact::Trust;
use crate::context::state::{TestState, diagnostic};
use activate_rules::atoms::{ItemId, Severity};
use activate_rules::items::ItemKind;

const ERRORS: usize = 0;
const TESTS: usize = 1;
/// Entries of each list that are kept while the other has more, and while it has any.
const MANY: usize = 20;
const FEW: usize = 3;

/// Retries from which the last fix was wrong.
const WRONG_FIX: u32 = 2;
/// Retries from which the reader is to stop.
const GIVE_UP: u32 = 3;

pub(super) fn draft(view: &View<'_>) -> Draft {
    let mut errors =
        Group::new(view.counter, "CURRENT BUILD/LINT ERRORS (must address):", diagnostics(view), more("diagnostics"));
    errors.footer = Some(view.counter.line(Safe::fixed("  This blocks all other work: fix it first.")));
    let state = view.state;
    let failing = state.test_state == TestState::Failing || !state.failing_tests.is_empty();
    let retry = retry(state.tdd_retry_count);
    let mut tests = retry.map(|line| given(view, "tdd_retry", None, "  {}", &line)).into_iter().collect::<Vec<_>>();
    tests.extend(
        view.placed(&[ItemKind::FailingTest], &state.failing_tests)
            .map(|(item, test)| given(view, "failing_test", Some(item), "  - {}", test)),
    );
    let tests = if failing {
        let mut group = Group::new(view.counter, "TEST STATE: FAILING", tests, more("failing tests"));
        if group.entries.is_empty() {
            group.entries.push(given(view, "test_state", None, "  ({})", "which tests fail was not said"));
        }
        group
    } else {
        Group::plain(view.counter, tests, more("failing tests"))
    };
    let mut draft = Draft::new(Section::Blockers, vec![errors, tests]);
    // Neither list starves the other.
    draft.steps = vec![
        Step::Drop(ERRORS, End::Last, MANY),
        Step::Drop(TESTS, End::Last, MANY),
        Step::Drop(ERRORS, End::Last, FEW),
        Step::Drop(TESTS, End::Last, FEW),
    ];
    draft
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

/// The diagnostics of tools, and the parser's as far as they concern the task: errors first, then by the rank of the file.
fn diagnostics(view: &View<'_>) -> Vec<Entry> {
    let kinds = [ItemKind::Error, ItemKind::Warning, ItemKind::Note];
    let mut found: Vec<((Severity, usize, u32), Entry)> = Vec::new();
    for (item, text) in view.placed(&kinds, &view.state.current_diagnostics) {
        let parts = diagnostic(text);
        let mut entry = given(view, "diagnostic", Some(item), "  {}", text);
        if !parts.path.is_empty() {
            entry.about.path = Some(Safe::name(parts.path));
            entry.about.lines = Some((parts.line, parts.line));
        }
        entry.about.trust = Some(Trust::Log);
        found.push(((parts.severity, view.rank_of(parts.path), parts.line), entry));
    }
    let syntax = view.base.diagnostics().zip(SYNTAX_ITEMS..);
    for (row, _) in syntax.filter(|(_, number)| view.is_placed(ItemId(*number))) {
        let path = Safe::name(view.base.path(row.file));
        let line = Safe::format("  error:{}:{}: {} (syntax)", &[&path, &Safe::number(row.line), &Safe::line(row.message)]);
        let about = About {
            kind: "diagnostic",
            path: Some(path),
            lines: Some((row.line, row.line)),
            trust: Some(Trust::Trusted),
            ..About::default()
        };
        let rank = view.rank_of(view.base.path(row.file));
        found.push(((Severity::Error, rank, row.line), Entry::line(view.counter, about, line)));
    }
    found.sort_by_key(|(key, _)| *key);
    found.into_iter().map(|(_, entry)| entry).collect()
}
