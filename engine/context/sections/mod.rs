//! The eight sections: what each says, one file a section, in the order of the packet.
//!
//! A renderer turns its part of the sources into groups of entries and names the order in which they are cut.

mod affected;
mod blockers;
mod campaign;
mod code;
mod custom;
mod expert;
mod failure;
mod follow_on;
mod found;
mod impact;
mod neighbourhood;
mod outline;
mod past;
mod peers;
mod review;
mod supervisor;
mod tests_to_run;
mod toolbox;

pub use affected::affected_by;
pub(super) use neighbourhood::pins;

use super::fill::{Cut, Draft, WHY};
use super::pieces::{About, Entry};
use super::state::SessionItem;
use super::view::View;
use activate_rules::atoms::{Energy, ItemId};
use activate_rules::sections::Section;
use found::Shown;
use redact::{Safe, Trust};

/// Makes a section with everything it could say.
type Renderer = fn(&View<'_>) -> Draft;

/// Who makes which section.
const RENDERERS: [(Section, Renderer); Section::COUNT] = [
    (Section::Blockers, blockers::draft),
    (Section::Supervisor, supervisor::draft),
    (Section::Neighbourhood, neighbourhood::draft),
    (Section::Past, past::draft),
    (Section::Campaign, campaign::draft),
    (Section::Peers, peers::draft),
    (Section::Expert, expert::draft),
    (Section::Toolbox, toolbox::draft),
];

/// All sections with everything they could say.
pub(super) fn drafts(view: &View<'_>) -> [Draft; Section::COUNT] {
    let mut drafts = RENDERERS.map(|(section, renderer)| {
        let draft = renderer(view);
        debug_assert_eq!(draft.section, section);
        draft
    });
    custom::add(view, &mut drafts);
    if let Some(of) = view.sources.repository {
        let name = view.masker.name(of);
        for draft in &mut drafts {
            draft.of_repository(view.counter, &name);
        }
    }
    drafts
}

/// A note for entries that the caller gave and has.
const fn more(noun: &'static str) -> Cut {
    Cut { indent: "  ", noun, how: "" }
}

/// A note for nodes, which can be asked about.
const fn more_nodes(noun: &'static str) -> Cut {
    Cut { indent: "  ", noun, how: WHY }
}

/// An entry of one line that the caller gave.
fn given(view: &View<'_>, kind: &'static str, item: Option<&SessionItem>, sentence: &'static str, text: &str) -> Entry {
    let score = item.and_then(|item| score(view, item.id));
    let about = About { kind, score, trust: Some(Trust::Trusted), ..About::default() };
    Entry::line(view.counter, about, Safe::format(sentence, &[&view.masker.line(text)]))
}

/// What is known of something that a file of the repository says.
fn stated<T>(view: &View<'_>, kind: &'static str, shown: &Shown<'_, T>) -> About {
    let (file, line) = (shown.item.file, shown.item.line);
    About {
        kind,
        path: Some(view.path(file)),
        lines: Some((line, line)),
        score: score(view, shown.id),
        trust: Some(view.trust(file)),
        ..About::default()
    }
}

/// What the policy says an item scores.
fn score(view: &View<'_>, item: ItemId) -> Option<Energy> {
    let derived = &view.activation.derived.items;
    derived.binary_search_by_key(&item, |(id, _)| *id).ok().map(|at| derived[at].1)
}
