//! How sure an answer can be, and what would make it surer.
//!
//! Must not change what was found.

use super::evidence::Parts;
use super::factors::{CLEAR_COVERAGE, CLEAR_EVIDENCE, CLEAR_MARGIN, CLEAR_WORDS, WHOLE};
use super::read::SURE;
use super::words::Words;
use super::{Ambiguity, Certainty, Target, Unknown};
use crate::facts::base::FactBase;
use activate_rules::atoms::Thousandths;
use activate_rules::weights::Weights;

/// Candidates that a sentence names.
const N_NAMED: usize = 3;

/// The certainty of a reading, with sentences for the reader.
pub(super) fn judge(
    base: &FactBase,
    weights: &Weights,
    targets: &[Target],
    ambiguous: &[Ambiguity],
    unknown: &[Unknown],
    parts: &Parts<'_>,
    words: &Words<'_>,
) -> (Certainty, Vec<String>) {
    let mut advice: Vec<String> = unknown.iter().map(unknown_name).collect();
    // Said of names that stay open: one that the rest of the text picks needs nothing more.
    let is_open = |name: &str| !targets.iter().any(|target| target.text == name && target.confidence.get() >= SURE);
    advice.extend(ambiguous.iter().filter(|ambiguity| is_open(&ambiguity.name)).map(|ambiguity| shared_name(base, ambiguity)));
    if targets.iter().any(|target| target.confidence.get() >= SURE) {
        return (Certainty::Strong, advice);
    }
    if !targets.is_empty() {
        return (Certainty::Weak, advice);
    }
    if parts.is_empty() {
        advice.push(nothing(base, words));
        return (Certainty::None, advice);
    }
    if is_clear(base, weights, parts, words) {
        return (Certainty::Strong, advice);
    }
    advice.push("Only words point here, and not clearly: name a file, a function or a path:line, or paste the error.".to_owned());
    (Certainty::Weak, advice)
}

/// Whether the best file stands well before the second, has most of the words, more than one that tells files apart, and more than
/// words of its text.
fn is_clear(base: &FactBase, weights: &Weights, parts: &Parts<'_>, words: &Words<'_>) -> bool {
    let mut files = parts.ranked(weights).into_iter().filter(|(node, _)| base.is_file(*node));
    let Some((first, evidence)) = files.next() else { return false };
    let (most, second) = (evidence.get(), files.next().map_or(0, |(_, evidence)| evidence.get()));
    let margin = u64::from(most - second) * u64::from(WHOLE) / u64::from(most.max(1));
    margin >= u64::from(CLEAR_MARGIN)
        && evidence >= Thousandths::new(CLEAR_EVIDENCE).times(Thousandths::new(WHOLE))
        && words.coverage() >= CLEAR_COVERAGE
        && words.n_informative(first) >= CLEAR_WORDS
}

fn unknown_name(unknown: &Unknown) -> String {
    let name = &unknown.name;
    if unknown.nearest.is_empty() {
        format!("Nothing here is named {name}.")
    } else {
        format!("Nothing here is named {name}; nearest: {}.", unknown.nearest.join(", "))
    }
}

fn shared_name(base: &FactBase, ambiguity: &Ambiguity) -> String {
    let (name, n) = (&ambiguity.name, ambiguity.candidates.len());
    let named: Vec<String> = ambiguity.candidates.iter().take(N_NAMED).map(|node| base.id(*node)).collect();
    let more = if n > N_NAMED { " and others" } else { "" };
    format!("{name} may be {}{more}: add the path or the type.", named.join(", "))
}

fn nothing(base: &FactBase, words: &Words<'_>) -> String {
    let (known, foreign): (Vec<&String>, Vec<&String>) =
        words.singles.iter().partition(|word| words.index.as_ref().is_some_and(|index| index.document_frequency(word) > 0));
    let list = |words: &[&String]| words.iter().take(N_NAMED * 2).map(|word| word.as_str()).collect::<Vec<_>>().join(", ");
    let tried = format!("Nothing was found: paths, names, scopes, text and history of {} files were tried", base.n_files());
    match (known.is_empty(), foreign.is_empty()) {
        (_, true) => format!("{tried}. Say which file, function or behaviour is meant."),
        (true, false) => format!("{tried}; no file has any of: {}.", list(&foreign)),
        (false, false) => format!("{tried}; no file has: {}; too little is said by: {}.", list(&foreign), list(&known)),
    }
}
