//! What past commits say: which files did commits with messages like the intent touch, and which files change at all.
//!
//! Must not know git: commits are given with their index.

use super::evidence::CueHits;
use super::factors::{HALF_AGE_SECONDS, MAX_LIKE_COMMITS, RECENT_COMMITS, WHOLE};
use super::words::Words;
use activate_rules::atoms::{Cue, NodeId};
use index::base::FactBase;
use index::history::PastCommits;
use index::text::Hit;
use std::collections::BTreeMap;

/// Adds what commits say that are like the intent, each file by its best commit, relative to the best file and to how much of the intent
/// the best commit has.
pub(super) fn add_like(base: &FactBase, past: &PastCommits, words: &Words<'_>, cue_hits: &mut CueHits<'_>) {
    let Some(messages) = past.messages() else { return };
    let terms = messages.with_forms(words.plain());
    let like = past.like(&messages, &terms, MAX_LIKE_COMMITS);
    let numbers: Vec<u32> = like.iter().map(|hit| hit.doc).collect();
    let said = messages.explain(&numbers, &terms, &index::history::weights());

    let mut by_file: BTreeMap<NodeId, (u64, usize)> = BTreeMap::new();
    for (hit, place) in like.iter().zip(0..) {
        let strength = strength(past, *hit);
        for (path, _) in past.touched(hit.doc) {
            let Some(file) = base.file_at(path.as_str()) else { continue };
            let best = by_file.entry(file).or_insert((0, place));
            if strength > best.0 {
                *best = (strength, place);
            }
        }
    }
    let most = by_file.values().map(|(strength, _)| *strength).max().unwrap_or_default().max(1);
    let heard = said.iter().map(|contributions| contributions.iter().map(|part| part.term.as_str()));
    let coverage = heard.map(|heard| words.part_of_known(heard)).max().unwrap_or_default();
    for (file, (strength, place)) in by_file {
        let said: Vec<&str> = said[place].iter().map(|contribution| contribution.term.as_str()).collect();
        cue_hits.add(file, Cue::History, (strength * u64::from(coverage) / most) as u32, &said);
    }
}

/// What a commit says of each of its files: a commit over many says less about each, and an old one less than a new one.
fn strength(past: &PastCommits, hit: Hit) -> u64 {
    let n_files = past.touched(hit.doc).len().max(1) as u64;
    let aged = hit.score.max(0) as u64 * HALF_AGE_SECONDS / (HALF_AGE_SECONDS + past.age(hit.doc));
    // Thousandths keep the root's fraction.
    aged * u64::from(WHOLE) / (n_files * u64::from(WHOLE).pow(2)).isqrt()
}

/// Adds to every file that something speaks for how lately it was changed, the one changed last `whole`: work goes on where it went on.
pub(super) fn add_recent(base: &FactBase, past: &PastCommits, whole: u32, cue_hits: &mut CueHits<'_>) {
    for file in cue_hits.files() {
        if let Some(newest) = past.touching(base.path(file)).first() {
            cue_hits.add(file, Cue::Recent, whole * RECENT_COMMITS / (RECENT_COMMITS + newest), &[]);
        }
    }
}
