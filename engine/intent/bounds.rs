//! Bounds of reading an intent, and the arithmetic of strengths. What ranks stands in `activate-rules`, in the weights of reading.

use super::blocks::Kind;
pub use activate_rules::columns::log2;
use activate_rules::weights::BlockWeights;

/// Most bytes of an intent that are looked at: the longest issue threads stay far below, a pasted log need not.
pub(super) const MAX_TEXT: usize = 256 * 1024;

/// Most places and names taken from one text: a trace has some dozens, and whoever names hundreds points at nothing.
pub(super) const MAX_MENTIONS: usize = 400;

/// Longest mention in bytes: a path with a line is shorter, encoded data is not.
pub(super) const MAX_MENTION_BYTES: usize = 512;

/// Most definitions of one name that share its energy; of more, only those that something else in the text picks.
pub(super) const MAX_SHARED: usize = 8;

/// Most candidates reported for one ambiguous name.
pub(super) const MAX_CANDIDATES: usize = 12;

/// Most unknown names reported: each costs a look at every word of the index.
pub(super) const MAX_UNKNOWN: usize = 6;

/// Most names suggested for an unknown one.
pub(super) const MAX_NEAREST: usize = 3;

/// Most folders that a text can single out.
pub(super) const MAX_FOLDERS: usize = 8;

/// What words of a kind of block count, in thousandths of those of a title.
pub(super) const fn weight_of(kind: Kind, weights: &BlockWeights) -> u32 {
    match kind {
        Kind::Title => weights.title.get(),
        Kind::Heading => weights.heading.get(),
        Kind::Prose => weights.prose.get(),
        Kind::Code | Kind::Shell => weights.code.get(),
        Kind::Output | Kind::Diff => weights.output.get(),
        // Says nothing of the task.
        Kind::Environment | Kind::Boilerplate => 0,
    }
}

/// The whole, in thousandths.
pub(super) const WHOLE: u32 = 1000;

/// Files that words may speak for; beyond them lie chance hits.
pub(super) const MAX_TEXT_FILES: usize = 100;

/// Hits looked at before weakening reorders them.
pub(super) const MAX_TEXT_HITS: usize = 300;

/// Files in which definitions are searched for words of the text.
pub(super) const MAX_SYMBOL_FILES: usize = 30;

/// Most definitions of one file that words speak for.
pub(super) const MAX_SYMBOLS_PER_FILE: usize = 20;

/// Files whose definitions speak for themselves by their size, though no word does.
pub(super) const MAX_SIZED_FILES: usize = 10;

/// The logarithm of the lines of a definition that is as long as any: 256.
pub(super) const LOG_OF_LONG: u64 = 8;

/// Words beyond the first ones say too little about what is asked to be held against an answer.
pub(super) const MAX_COVERAGE_WORDS: usize = 24;

/// Commits like the intent that speak for their files.
pub(super) const MAX_LIKE_COMMITS: usize = 200;

/// How rare something is that `n` of `of` have: 1000 for one alone, 0 for all.
pub(super) fn rarity(n: u32, of: u32) -> u32 {
    let whole = log2(u64::from(of) + 1);
    let common = log2(u64::from(n.max(1))).min(whole);
    ((whole - common) * u64::from(WHOLE) / whole.max(1)) as u32
}

/// A strength that `k` nodes have in common: whole for one, falling with the logarithm.
pub(super) fn among(strength: u32, k: usize) -> u32 {
    (u64::from(strength) * u64::from(WHOLE) / (u64::from(WHOLE) + log2(k as u64))) as u32
}

/// A part of a strength, both in thousandths.
pub(super) fn part(strength: u32, of: u32) -> u32 {
    (u64::from(strength) * u64::from(of) / u64::from(WHOLE)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rarity_falls_from_one_alone_to_all() {
        assert_eq!([rarity(1, 100), rarity(101, 100), rarity(0, 100), rarity(u32::MAX, 1)], [1000, 0, 1000, 0]);
        assert!(rarity(2, 100) > rarity(3, 100));
        assert_eq!([among(1000, 1), among(1000, 2), among(1000, 8)], [1000, 500, 250]);
        assert_eq!(log2(u64::MAX) / 1000, 63);
    }
}
