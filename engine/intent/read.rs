//! Reads an intent: mentions, then places, names, and words, each with what the ones before have found.
//!
//! How much anything counts stands in the weights of the policy.

use super::blocks::headline;
use super::bounds::WHOLE;
use super::certainty::judge;
use super::chains::add_chains;
use super::evidence::{CueHits, FileKinds};
use super::failure_terms::failure_terms;
use super::found_places::FoundPlaces;
use super::history::{add_like, add_recent};
use super::mentions::{Mentions, mentions};
use super::names::Names;
use super::places::Places;
use super::reading::Reading;
use super::symbols::{add_definitions, add_names, add_nearest};
use super::verb::verb;
use super::words::Words;
use super::{Certainty, How, Intent, Target};
use crate::failures::Failures;
use activate_rules::atoms::{Cue, NodeId, Thousandths};
use activate_rules::weights::{ReadingWeights, Verb, Weights};
use index::base::FactBase;
use index::history::PastCommits;
use index::text::FieldWeights;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// What asks for a thing to be made, or to be made to work.
const MAKE: &str = "make ";

/// Words that ask for repair and do not say of what: whoever says no others means what fails. Sorted.
#[rustfmt::skip]
const REPAIR_WORDS: [&str; 46] = [
    "a", "again", "all", "and", "any", "are", "broken", "bug", "bugs", "build", "builds", "check", "checks", "ci", "clippy", "compile",
    "compiler", "error", "errors", "everything", "fail", "failed", "failing", "fails", "failure", "failures", "fix", "get", "green", "issue",
    "issues", "lint", "make", "mend", "pass", "passing", "please", "repair", "resolve", "suite", "test", "tests", "the", "these", "warnings", "what",
];

/// Whether a text has no verb of a task and names nothing, whatever its words are found in: `yes, go on`.
pub fn asks_nothing(text: &str) -> bool {
    let mentions = mentions(text, &[], &ReadingWeights::default());
    // `ok` alone could be a name, and does not look like one.
    let said = text.trim().trim_end_matches(['.', '!', '?']);
    let is_joined = |said: &str| said.chars().skip(1).any(char::is_uppercase) && said.chars().any(char::is_lowercase);
    let is_word = mentions.is_one_word && said.chars().all(char::is_alphabetic) && !is_joined(said);
    let names_nothing = mentions.found.is_empty() && mentions.scopes.is_empty() && !mentions.has_trace();
    (names_nothing || is_word) && verb(&mentions.prose, false) == Verb::Other
}

/// Reads `text` against the fact base and past commits.
///
/// Looks at the first 256 kB and at a bounded number of mentions, so that the time does not depend on who wrote the text.
pub fn read(base: &FactBase, text: &str, weights: &Weights, past: &PastCommits) -> Intent {
    read_with(base, text, &[], &Failures::default(), weights, past)
}

/// [`read`], beside what fails: its names, and what its messages quote, speak for what the text does not name. `is_read` says of each line of
/// the text whether the failures are read of it: see [`signals::pasted`].
pub fn read_with(
    base: &FactBase,
    text: &str,
    is_read: &[bool],
    failures: &Failures,
    weights: &Weights,
    past: &PastCommits,
) -> Intent {
    let mentions = mentions(text, is_read, &weights.reading);
    let mentions = if !failures.is_empty() && asks_for_repair(&mentions) { Mentions::default() } else { mentions };
    let reported = mentions_of(failures, &weights.reading);
    let has_trace = mentions.has_trace() || failures.is_failing();
    let failed = failures.nodes();
    let places = Places::new(base);
    let names = Names::new(base, &places, &weights.reading.names);
    let mut reading = Reading::new(base, &places, &names, &weights.reading);
    reading.read(&mentions);
    reading.read_report(&reported, &failed);
    let Reading { mut targets, ambiguous, unknown, setting, stale, suspects, .. } = reading;
    // A single word that names something is not a verb.
    let is_name = mentions.is_one_word && !(targets.is_empty() && ambiguous.is_empty());
    let verb = if is_name { Verb::Other } else { verb(&mentions.prose, has_trace) };
    // "Make TestX pass": something that fails is not a new thing to be made.
    let is_made = mentions.prose.trim_start().get(..MAKE.len()).is_some_and(|start| start.eq_ignore_ascii_case(MAKE));
    let verb = if verb == Verb::Add && is_made && failures.is_failing() { Verb::Fix } else { verb };
    let weights = &weights.for_verb(verb);
    targets.sort_by_key(|target| Reverse(target.share));
    let is_place = |target: &&Target| matches!(target.how, How::Path | How::PathLine | How::Frame);
    let found_places: Vec<&str> = targets.iter().filter(is_place).map(|target| target.text.as_str()).collect();
    let without = FoundPlaces::new(&found_places);
    let mut said: Vec<(String, u32)> = mentions.said.iter().map(|(text, weight)| (without.removed_from(text), *weight)).collect();
    said.push((failure_terms(base, failures, &reported.prose), WHOLE));
    let said: Vec<(&str, u32)> = said.iter().map(|(text, weight)| (text.as_str(), *weight)).collect();
    let words = Words::new(
        base,
        &weights.reading,
        &said,
        mentions.is_long,
        found_places.into_iter().chain(setting.folders.iter().map(String::as_str)),
    );

    let wanted = wanted(&words, has_trace);
    let mut cue_hits = CueHits::new(base, weights, wanted);
    words.add_text(&FieldWeights::from(&weights.text), &mut cue_hits);
    words.add_paths(&mut cue_hits);
    let like = add_like(base, past, &words, &mut cue_hits);
    add_names(&names, &words, &mut cue_hits);
    words.add_folders(&setting.folders, &mut cue_hits);
    for (node, strength, name) in &suspects {
        cue_hits.add(*node, Cue::Failure, *strength, &[name]);
        cue_hits.add(base.file_of(*node), Cue::Failure, *strength, &[name]);
    }
    add_chains(base, text, is_read, &mut cue_hits);
    if has_trace || verb == Verb::Fix {
        let is_place =
            |target: &&Target| matches!(target.how, How::PathLine | How::Frame | How::Exact | How::Qualified | How::Alias);
        add_tested(&places, targets.iter().filter(is_place).map(|target| target.node).chain(failed), &mut cue_hits);
    }
    add_nearest(&names, &unknown, &mut cue_hits);
    let recent = if mentions.is_long { weights.reading.history.recent_beside_long.get() } else { WHOLE };
    add_recent(base, past, recent, &mut cue_hits);
    let best_files = cue_hits.best_files(weights);
    let n_named = targets.iter().map(|target| base.file_of(target.node)).collect::<FxHashSet<_>>().len();
    let mut files: Vec<NodeId> = targets.iter().map(|target| base.file_of(target.node)).chain(best_files).collect();
    let mut known = FxHashSet::default();
    files.retain(|file| known.insert(*file));
    add_definitions(base, &words, &files, n_named, &mut cue_hits);

    let (mut certainty, mut advice) = judge(base, weights, &targets, &ambiguous, &unknown, &cue_hits, &words);
    // What fails is known to the line; what else the words point at is asked for beside it.
    if failures.has_place() && targets.is_empty() && ambiguous.is_empty() {
        (certainty, advice) = (Certainty::Strong, Vec::new());
    }
    if certainty == Certainty::None && mentions.is_one_word && text.contains("://") {
        advice.push("Links are not followed: paste the text that stands there.".to_owned());
    }
    advice.extend(stale);
    if mentions.is_cut {
        advice.push("The text is long: not all of it was looked at for names. State the task first.".to_owned());
    }
    let terms = words.telling();
    let sure = Thousandths::new(weights.reading.names.sure());
    let (text, headline, cue_hits) = (text.to_owned(), headline(text, is_read), cue_hits.into_list());
    Intent { text, headline, verb, targets, cue_hits, wanted, terms, files, like, certainty, advice, ambiguous, unknown, sure }
}

/// Adds the files that the test files among the targets are named after: what fails in a test is mostly wrong in what it tests.
fn add_tested(places: &Places<'_>, targets: impl Iterator<Item = NodeId>, cue_hits: &mut CueHits<'_>) {
    for target in targets {
        for (file, stem) in places.tested_by(target) {
            cue_hits.add(file, Cue::Failure, WHOLE, &[&stem]);
        }
    }
}

/// Whether a text asks for what fails to be repaired and names nothing: also one without words.
fn asks_for_repair(mentions: &Mentions) -> bool {
    let texts = mentions.said.iter().map(|(text, _)| text.as_str());
    let mut words = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric())).filter(|word| !word.is_empty());
    words.all(|word| REPAIR_WORDS.binary_search(&word.to_lowercase().as_str()).is_ok())
}

/// What failures mention.
fn mentions_of(failures: &Failures, weights: &ReadingWeights) -> Mentions {
    if failures.is_empty() { Mentions::default() } else { mentions(failures.text(), &[], weights) }
}

/// Which kinds of files words of the text ask for; what its verb asks for stands with the weights.
fn wanted(words: &Words<'_>, has_trace: bool) -> FileKinds {
    let has = |list: &[&str]| list.iter().any(|word| words.has_exactly(word));
    FileKinds {
        // A report is full of tests, and asks for what they test.
        tests: !has_trace && has(&["test", "tests", "testing", "spec", "fixture", "fixtures", "e2e"]),
        documents: has(&["readme", "changelog", "docs", "documentation", "guide", "markdown"]),
        examples: has(&["example", "examples", "sample", "samples", "demo"]),
    }
}
