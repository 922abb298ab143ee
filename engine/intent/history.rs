//! What past commits say: which files did commits with messages like the intent touch, and which files change at all.
//!
//! Must not know git: commits are given with their index.

use super::Like;
use super::bounds::{MAX_LIKE_COMMITS, WHOLE};
use super::evidence::CueHits;
use super::words::Words;
use activate_rules::atoms::{Cue, NodeId};
use index::base::FactBase;
use index::history::PastCommits;
use index::text::Hit;
use std::collections::BTreeMap;

const SECONDS_A_DAY: u64 = 24 * 60 * 60;

/// Adds what commits say that are like the intent, each file by its best commit, relative to the best file and to how much of the intent
/// the best commit has.
pub(super) fn add_like(base: &FactBase, past: &PastCommits, words: &Words<'_>, cue_hits: &mut CueHits<'_>) -> Vec<Like> {
    let Some(messages) = past.messages() else { return Vec::new() };
    let weights = &cue_hits.reading().history;
    let terms = messages.with_forms(words.plain());
    let like = past.like(&messages, &terms, weights, MAX_LIKE_COMMITS);
    let numbers: Vec<u32> = like.iter().map(|hit| hit.doc).collect();
    let said = messages.explain(&numbers, &terms, &index::history::field_weights(weights));

    let mut by_file: BTreeMap<NodeId, (u64, usize)> = BTreeMap::new();
    let mut sums: BTreeMap<NodeId, (u64, u32)> = BTreeMap::new();
    for (hit, place) in like.iter().zip(0..) {
        let strength = strength(past, *hit, weights.half_age_days);
        for (path, _) in past.touched(hit.doc) {
            let Some(file) = base.file_at(path.as_str()) else { continue };
            let (sum, n) = sums.entry(file).or_default();
            *sum += strength;
            *n += 1;
            let best = by_file.entry(file).or_insert((0, place));
            if strength > best.0 {
                *best = (strength, place);
            }
        }
    }
    let most = by_file.values().map(|(strength, _)| *strength).max().unwrap_or_default().max(1);
    let terms = said.iter().map(|contributions| contributions.iter().map(|part| part.term.as_str()));
    let coverage = terms.map(|terms| words.part_of_known(terms)).max().unwrap_or_default();
    for (file, (strength, place)) in by_file {
        let said: Vec<&str> = said[place].iter().map(|contribution| contribution.term.as_str()).collect();
        cue_hits.add(file, Cue::History, (strength * u64::from(coverage) / most) as u32, &said);
    }
    sums.into_iter().map(|(file, (sum, n))| Like { file, sum: (sum * u64::from(WHOLE) / most) as u32, n }).collect()
}

/// What a commit says of each of its files: a commit over many says less about each, and an old one less than a new one.
fn strength(past: &PastCommits, hit: Hit, half_age_days: u32) -> u64 {
    let half_age = u64::from(half_age_days.max(1)) * SECONDS_A_DAY;
    let n_files = past.touched(hit.doc).len().max(1) as u64;
    let aged = hit.score.max(0) as u64 * half_age / (half_age + past.age(hit.doc));
    // Thousandths keep the root's fraction.
    aged * u64::from(WHOLE) / (n_files * u64::from(WHOLE).pow(2)).isqrt()
}

/// Adds to every file that something speaks for how lately it was changed, the one changed last `whole`: work goes on where it went on.
pub(super) fn add_recent(base: &FactBase, past: &PastCommits, whole: u32, cue_hits: &mut CueHits<'_>) {
    let recent = u64::from(cue_hits.reading().history.recent_commits.max(1));
    for file in cue_hits.files() {
        if let Some(newest) = past.touching(base.path(file)).first() {
            cue_hits.add(file, Cue::Recent, (u64::from(whole) * recent / (recent + u64::from(*newest))) as u32, &[]);
        }
    }
}
