//! Reads an intent beside a change: what changes is what is meant, and the words say what for.

use super::blocks::without_patch;
use super::read::read_with;
use super::{Certainty, Intent, Target};
use crate::failures::Failures;
use activate_rules::atoms::NodeId;
use activate_rules::weights::{Verb, Weights};
use index::base::FactBase;
use index::history::PastCommits;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// Words that ask for a review and do not say of what: whoever says no others means the change. Sorted.
#[rustfmt::skip]
const REVIEW_WORDS: [&str; 45] = [
    "a", "all", "and", "at", "branch", "change", "changed", "changes", "check", "code", "commit", "commits", "diff", "do", "for", "give", "have",
    "i", "in", "is", "it", "look", "me", "my", "of", "our", "patch", "please", "pr", "pull", "request", "review", "set", "take", "that", "the",
    "these", "this", "to", "we", "what", "with", "work", "you", "your",
];

/// Reads `text` beside a change that touches `changed`, the greatest share first.
pub fn read_changed(
    base: &FactBase,
    text: &str,
    is_read: &[bool],
    changed: Vec<Target>,
    failures: &Failures,
    weights: &Weights,
    past: &PastCommits,
) -> Intent {
    let is_review = asks_for_review(&without_patch(text, is_read));
    let mut intent = read_with(base, if is_review { "" } else { text }, is_read, failures, weights, past);
    if is_review {
        (intent.text, intent.verb) = (text.to_owned(), Verb::Review);
        intent.advice.clear();
    } else if intent.verb == Verb::Other {
        // Whoever shows a change and does not say what for wants it looked at.
        intent.verb = Verb::Review;
    }
    if changed.is_empty() {
        return intent;
    }
    for target in changed {
        match intent.targets.iter_mut().find(|known| known.node == target.node) {
            Some(known) if known.share < target.share => *known = target,
            Some(_) => {}
            None => intent.targets.push(target),
        }
    }
    intent.targets.sort_by_key(|target| Reverse(target.share));
    let of_targets: Vec<NodeId> = intent.targets.iter().map(|target| base.file_of(target.node)).collect();
    let mut known = FxHashSet::default();
    intent.files = of_targets.into_iter().chain(intent.files).filter(|file| known.insert(*file)).collect();
    intent.certainty = Certainty::Strong;
    intent
}

/// Whether a text asks for a review and names nothing: also one without words.
pub fn asks_for_review(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.all(|word| REVIEW_WORDS.binary_search(&word.to_lowercase().as_str()).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_names_nothing_but_the_change() {
        assert!(REVIEW_WORDS.is_sorted());
        for (text, is_review) in [
            ("", true),
            ("Review the change", true),
            ("please review this PR", true),
            ("review the cache", false),
            ("fix login", false),
        ] {
            assert_eq!(asks_for_review(text), is_review, "{text}");
        }
    }
}
