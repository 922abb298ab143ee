//! What rules of the user say, in the sections that they name.

use super::{View, more, score};
use crate::activation::{Custom, CustomItem};
use crate::fill::{Draft, Group};
use crate::pieces::{About, Entry};
use crate::reason::name;
use crate::worth::Worths;
use activate_rules::atoms::{Energy, NodeId, Thousandths};
use redact::{Safe, Trust};

/// The most lines of rules in a section.
const MAX_SHOWN: usize = 50;

/// The most nodes that a line names.
const MAX_NAMED: usize = 3;

/// The points of what is said beside an exact target.
const EXACT: Energy = Energy::points(100);

/// Puts what rules say in front of the sections that they name, the most important first.
pub(super) fn add(view: &View<'_>, drafts: &mut [Draft]) {
    let items = &view.activation.custom.items;
    if items.is_empty() {
        return;
    }
    let mut placed: Vec<(usize, &CustomItem)> = items.iter().enumerate().collect();
    placed.retain(|(place, _)| view.is_placed(Custom::item(*place)));
    placed.sort_by_key(|(place, item)| (std::cmp::Reverse(item.score), *place));
    for draft in drafts {
        let of_section = placed.iter().filter(|(_, item)| item.section == draft.section);
        // What a rule says of several is said once.
        let mut lines: Vec<(&CustomItem, usize, Vec<NodeId>)> = Vec::new();
        for (place, item) in of_section {
            match lines.iter_mut().find(|(said, ..)| said.text == item.text) {
                Some((.., about)) if about.contains(&item.about) => {}
                Some((.., about)) => about.push(item.about),
                None => lines.push((item, *place, vec![item.about])),
            }
        }
        let entries: Vec<Entry> = lines.iter().map(|(item, place, about)| entry(view, *place, item, about)).collect();
        if !entries.is_empty() {
            draft.is_found = false;
            let mut group = Group::new(view.counter, "RULES:", entries, more("notes of rules"));
            group.keep(MAX_SHOWN);
            draft.prepend(group);
        }
    }
}

fn entry(view: &View<'_>, place: usize, item: &CustomItem, nodes: &[NodeId]) -> Entry {
    let file = view.base.file_of(item.about);
    let rule = view.masker.name(view.activation.custom.place(item.rule));
    let about = About {
        kind: "rule",
        id: Some(view.id(item.about)),
        path: Some(view.path(file)),
        score: score(view, Custom::item(place)),
        reason: Some(Safe::format("rule {}", &[&rule])),
        // A rule may pass on what the repository says, wherever that is from.
        trust: Some(Trust::Untracked),
        ..About::default()
    };
    let part = Thousandths::new((item.score.0.max(0).cast_unsigned()) / (EXACT.0.cast_unsigned() / 1000));
    let mut names: Vec<Safe> = nodes.iter().take(MAX_NAMED).map(|node| name(view, *node)).collect();
    if let Some(n_more @ 1..) = nodes.len().checked_sub(MAX_NAMED) {
        names.push(Safe::format("{} more", &[&Safe::number(n_more as i64)]));
    }
    let names = Safe::join(&names, ", ");
    let line = Safe::format("  - {} (for {}; rule {})", &[&view.masker.line(&item.text), &names, &rule]);
    Entry::line(view.counter, about, line).worth(Worths::all().part(part))
}
