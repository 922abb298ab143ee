//! Section 2: what reviewers found and what safety rules forbid.

use super::{Draft, Entry, Section, View, given, more};
use crate::fill::{Compression, End, Group, Step};
use crate::pieces::Form;
use activate_rules::items::ItemKind;
use tokens::{JOINT, Tokens};

const FINDINGS: usize = 0;
const SAFETY: usize = 1;
/// Lines of findings that are kept while there are many constraints.
const FEW_FINDINGS: usize = 3;

pub(super) fn draft(view: &View<'_>) -> Draft {
    let state = view.state;
    let findings: Vec<_> = view.placed(&[ItemKind::Finding], &state.recent_findings).collect();
    let summary = summary(view, findings.iter().map(|(_, text)| text.as_str()));
    let findings = findings.into_iter().map(|(item, text)| given(view, "finding", Some(item), "  - {}", text)).collect();
    let blocked = view.placed(&[ItemKind::BlockedAction], &state.blocked_actions);
    let blocked = blocked.map(|(item, text)| given(view, "blocked_action", Some(item), "  BLOCKED: {}", text));
    let warnings = view.placed(&[ItemKind::SafetyWarning], &state.safety_warnings);
    let warnings = warnings.map(|(item, text)| given(view, "safety_warning", Some(item), "  WARNING: {}", text));
    let safety: Vec<Entry> = blocked.chain(warnings).collect();
    // What must not be done is said whatever else has no room.
    let n_safety = safety.len();
    let constraints: Tokens = safety.iter().map(Entry::tokens).sum();
    let mut draft = Draft::new(
        Section::Supervisor,
        vec![
            Group::new(view.counter, "RECENT FINDINGS TO ADDRESS:", findings, more("findings")),
            Group::new(view.counter, "SAFETY CONSTRAINTS:", safety, more("constraints")),
        ],
    );
    if n_safety > 0 {
        let heading = draft.groups[SAFETY].heading.as_ref().map_or(Tokens(0), Form::tokens);
        draft.least = heading + constraints + JOINT;
    }
    draft.compression = vec![(Compression::Findings, Step::Replace(FINDINGS, summary))];
    draft.steps = vec![
        Step::Drop(FINDINGS, End::Last, FEW_FINDINGS),
        Step::Drop(FINDINGS, End::Last, 0),
        Step::Silence(FINDINGS),
        Step::Remove(FINDINGS),
    ];
    draft
}

/// One line a category, in the order in which they first occur: how many findings it has, and the first of them.
fn summary<'a>(view: &View<'_>, findings: impl Iterator<Item = &'a str>) -> Vec<Entry> {
    let mut categories: Vec<(&str, usize, &str)> = Vec::new();
    for text in findings {
        let category = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or("OTHER", |(category, _)| category);
        match categories.iter_mut().find(|(known, _, _)| *known == category) {
            Some((_, n_findings, _)) => *n_findings += 1,
            None => categories.push((category, 1, text)),
        }
    }
    let line = |(category, n_findings, first): (&str, usize, &str)| match n_findings {
        1 => first.to_owned(),
        n => format!("[{category}] {n} findings, the first: {first}"),
    };
    categories.into_iter().map(|category| given(view, "findings", None, "  - {}", &line(category))).collect()
}
