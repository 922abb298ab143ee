//! Section 7: what an expert of the domain knows, and what the guides of the repository say of the code at hand.

use super::found::{Shown, hints};
use super::{Draft, Safe, Section, View, given, more, stated};
use crate::fill::{Compression, End, Group, Step};
use crate::pieces::{Entry, Piece};
use activate_rules::items::ItemKind;
use intent::guides::Hint;
use std::cmp::Reverse;

const ATOMS: usize = 0;

const HEADING: &str = "DOMAIN KNOWLEDGE:";

/// The most hints of the repository that are shown: a guide has dozens, and few are about one task.
const MAX_FOUND: usize = 8;

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
    let n_given = entries.len() - n_atoms;
    entries.extend(found(view));
    let hints = entries.split_off(n_atoms);
    let (atoms, mut hints) = if entries.is_empty() {
        (Group::default(), Group::new(view.counter, HEADING, hints, more("hints")))
    } else {
        (Group::new(view.counter, HEADING, entries, more("atoms")), Group::plain(view.counter, hints, more("hints")))
    };
    hints.keep(n_given + MAX_FOUND);
    let mut draft = Draft::new(Section::Expert, vec![atoms, hints]);
    draft.compression = vec![(Compression::Atoms, Step::Drop(ATOMS, End::Last, 0))];
    draft
}

/// The hints of the repository, each with its place.
fn found(view: &View<'_>) -> Vec<Entry> {
    let entry = |shown: Shown<'_, Hint>| {
        let path = view.path(shown.item.file);
        let place = Safe::format("{}:{}", &[&path, &Safe::number(shown.item.line)]);
        let line = Safe::format("  - HINT: {} ({})", &[&view.masker.line(&shown.what.text), &place]);
        let about = stated(view, "hint", &shown);
        Entry::new(about, vec![view.counter.form(vec![Piece::Line(line)])])
    };
    hints(view).into_iter().map(entry).collect()
}
