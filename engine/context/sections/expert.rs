//! Section 7: what an expert of the domain knows.
//!
//! Must not check what an atom claims.

use super::{Draft, Section, View, given, more};
use crate::context::fill::{End, Group, Step};
use crate::context::pieces::Entry;
use activate_rules::items::ItemKind;
use std::cmp::Reverse;

const HEADING: &str = "DOMAIN KNOWLEDGE:";

pub(super) fn draft(view: &View<'_>) -> Draft {
    let state = view.state;
    // The surest first, so that cutting from the end keeps it.
    let mut atoms: Vec<_> = view.placed(&[ItemKind::Knowledge], &state.knowledge_atoms).collect();
    atoms.sort_by_key(|(_, atom)| (!atom.always, Reverse(atom.confidence)));
    let mut entries: Vec<Entry> =
        atoms.into_iter().map(|(item, atom)| given(view, "knowledge", Some(item), "  - {}", &atom.text)).collect();
    let n_atoms = entries.len();
    for (item, hint) in view.placed(&[ItemKind::Hint], &state.specialist_hints) {
        entries.push(given(view, "hint", Some(item), "  - HINT: {}", &hint.text));
        let exemplars = hint.exemplars.iter().map(|text| given(view, "exemplar", Some(item), "  - EXEMPLAR: {}", text));
        entries.extend(exemplars);
        let mistakes =
            hint.anti_patterns.iter().map(|text| given(view, "anti_pattern", Some(item), "  - ANTI-PATTERN: {}", text));
        entries.extend(mistakes);
    }
    let hints = entries.split_off(n_atoms);
    let (atoms, hints) = if entries.is_empty() {
        (Group::default(), Group::new(view.counter, HEADING, hints, more("hints")))
    } else {
        (Group::new(view.counter, HEADING, entries, more("atoms")), Group::plain(view.counter, hints, more("hints")))
    };
    let mut draft = Draft::new(Section::Expert, vec![atoms, hints]);
    draft.steps = vec![Step::Drop(0, End::Last, 0)];
    draft
}
