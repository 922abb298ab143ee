//! Where something is edited already: the files that likely have to change too, each with what of the edits speaks for it.

use super::{Entry, View, more_nodes};
use crate::fill::Group;
use crate::pieces::About;
use crate::worth::Worths;
use activate_rules::atoms::NodeId;
use activate_rules::features::{Feature, value};
use redact::Safe;

/// The most files that are named.
const MAX_FILES: usize = 5;

/// The most reasons that are told of a file.
const MAX_REASONS: usize = 2;

/// The part of the words of edited lines, by rarity, from which a file is said to have them, in thousandths.
const MANY_WORDS: i32 = 300;

/// What names begin with in common from which they are said to be alike, in thousandths of the longer one.
const ALIKE: i32 = 600;

/// The list; none where nothing is edited.
pub(super) fn group(view: &View<'_>) -> Option<Group> {
    let least = i64::from(view.activation.weights.still_to_change);
    let likely = view.activation.follow_on.iter().filter(|(_, score)| *score >= least).take(MAX_FILES);
    let entries: Vec<Entry> = likely.map(|&(file, _)| entry(view, file)).collect();
    (!entries.is_empty()).then(|| Group::new(view.counter, "STILL TO CHANGE (likely):", entries, more_nodes("files")))
}

fn entry(view: &View<'_>, file: NodeId) -> Entry {
    let path = view.path(file);
    let why = Safe::join(&reasons(view, file), "; ");
    let about = About {
        kind: "follow_on",
        id: Some(path.clone()),
        path: Some(path.clone()),
        score: view.active(file).map(|active| active.score),
        reason: Some(why.clone()),
        trust: Some(view.trust(file)),
        ..About::default()
    };
    // Each is worth what the first of the likely files is: there are few, and their lines are short.
    let worth = Worths::all().part(view.activation.weights.packing.likely);
    Entry::line(view.counter, about, Safe::format("  - {} ({})", &[&path, &why])).worth(worth)
}

/// What of the edits speaks for a file, what says most first; words of the task where they do not.
fn reasons(view: &View<'_>, file: NodeId) -> Vec<Safe> {
    let compared = &view.activation.beside_edits;
    let columns = compared.binary_search_by_key(&file, |(node, _)| *node).ok().map(|at| &compared[at].1);
    let of = |feature: Feature| columns.map_or(0, |columns| value(columns, feature));
    let mut reasons = Vec::new();
    if of(Feature::UsesEdited) > 0 {
        reasons.push(Safe::fixed("uses or imports an edited file"));
    }
    if let Some(one_in) = 1000_i32.checked_div(of(Feature::EditedWith)) {
        let ratio = Safe::number(i64::from(one_in));
        reasons.push(match one_in {
            1 => Safe::fixed("nearly always changes with an edited file"),
            _ => Safe::format("changes with an edited file once in {} times", &[&ratio]),
        });
    }
    if of(Feature::EditedName) >= ALIKE {
        reasons.push(Safe::fixed("named like an edited file"));
    }
    if of(Feature::UsedByEdited) > 0 {
        reasons.push(Safe::fixed("an edited file uses it"));
    }
    if of(Feature::EditedCoverage) >= MANY_WORDS {
        reasons.push(Safe::fixed("has words of edited lines"));
    }
    if reasons.is_empty() {
        reasons.push(Safe::fixed("words of the task"));
    }
    reasons.truncate(MAX_REASONS);
    reasons
}
