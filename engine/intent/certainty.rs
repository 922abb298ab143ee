//! How sure an answer can be, and what would make it surer.

use super::bounds::WHOLE;
use super::evidence::CueHits;
use super::words::Words;
use super::{Ambiguity, Certainty, ONLY_WORDS, Target, Unknown};
use activate_rules::atoms::Thousandths;
use activate_rules::weights::Weights;
use index::base::FactBase;
use index::text::for_each_word;
use rustc_hash::FxHashSet;

/// Words that a sentence lists.
const MAX_LISTED: usize = 6;

/// The certainty of a reading, with sentences for the reader.
pub(super) fn judge(
    base: &FactBase,
    weights: &Weights,
    targets: &[Target],
    ambiguous: &[Ambiguity],
    unknown: &[Unknown],
    cue_hits: &CueHits<'_>,
    words: &Words<'_>,
) -> (Certainty, Vec<String>) {
    let mut advice = Vec::new();
    let sure = weights.reading.names.sure();
    // Which names these are, and what is nearest to unknown ones, stands beside the advice.
    let is_open = ambiguous.iter().any(|ambiguity| !is_settled(targets, &ambiguity.name, sure));
    if is_open {
        advice.push("Add the path or the type to each ambiguous name.".to_owned());
    }
    if targets.iter().any(|target| target.confidence.get() >= sure) {
        return (Certainty::Strong, advice);
    }
    if is_open || !targets.is_empty() {
        return (Certainty::Weak, advice);
    }
    if cue_hits.is_empty() {
        advice.push(nothing(base, words, unknown));
        return (Certainty::None, advice);
    }
    if is_clear(base, weights, cue_hits, words) {
        return (Certainty::Strong, advice);
    }
    advice.push(ONLY_WORDS.to_owned());
    (Certainty::Weak, advice)
}

/// Whether the best file stands well before the second, has most of the words, more than one that tells files apart, and more than
/// words of its text.
fn is_clear(base: &FactBase, weights: &Weights, cue_hits: &CueHits<'_>, words: &Words<'_>) -> bool {
    let mut files = cue_hits.ranked(weights).into_iter().filter(|(node, _)| base.is_file(*node));
    let Some((first, evidence)) = files.next() else { return false };
    let (most, second) = (evidence.get(), files.next().map_or(0, |(_, evidence)| evidence.get()));
    let margin = u64::from(most - second) * u64::from(WHOLE) / u64::from(most.max(1));
    let clear = &weights.reading.clear;
    margin >= u64::from(clear.margin.get())
        && evidence >= clear.evidence.times(Thousandths::new(WHOLE))
        && words.coverage() >= clear.coverage.get()
        && words.n_informative(first) >= clear.words as usize
}

/// Whether the rest of the text picks one of the definitions of a name.
pub(super) fn is_settled(targets: &[Target], name: &str, sure: u32) -> bool {
    targets.iter().any(|target| target.text == name && target.confidence.get() >= sure)
}

fn nothing(base: &FactBase, words: &Words<'_>, unknown: &[Unknown]) -> String {
    // Unknown names are listed by themselves.
    let mut listed = FxHashSet::default();
    for unknown in unknown {
        for_each_word(unknown.name.as_bytes(), |word, _| {
            listed.insert(word.to_owned());
        });
    }
    let is_known = |word: &&String| words.index.as_ref().is_some_and(|index| index.document_frequency(word) > 0);
    let (known, foreign): (Vec<&String>, Vec<&String>) =
        words.singles.iter().filter(|word| !listed.contains(*word)).partition(is_known);
    let list = |words: &[&String]| words.iter().take(MAX_LISTED).map(|word| word.as_str()).collect::<Vec<_>>().join(", ");
    let tried = format!("Nothing was found: paths, names, scopes, text and history of {} files were tried", base.n_files());
    match (known.is_empty(), foreign.is_empty()) {
        (_, true) => format!("{tried}. Say which file, function or behaviour is meant."),
        (true, false) => format!("{tried}; no file has any of: {}.", list(&foreign)),
        (false, false) => format!("{tried}; no file has: {}; too little is said by: {}.", list(&foreign), list(&known)),
    }
}
