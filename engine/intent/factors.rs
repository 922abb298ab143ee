//! Every number of reading an intent, in one place, with its unit and why it has this value.
//!
//! They say how strongly words speak, before the policy weighs the cue; the policy's own numbers stand in `activate-rules`. All are first
//! values that the evaluation has yet to judge. Must not know the text or the fact base.

use super::blocks::Kind;

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

/// Words of a text from which on it says so much that a single word of it says little: more than subjects of commits have, fewer than
/// most reports.
pub(super) const LONG_TEXT: usize = 40;

/// What a recent change still says for a file beside a long text, in thousandths: the more is said, the less has to be guessed. On 58 issue
/// texts of three repositories the whole put the best file lower (mean reciprocal rank .704) than a half (.721) (2026-11-23).
pub(super) const RECENT_BESIDE_LONG: u32 = 500;

/// What words of each kind of block count, in thousandths of those of a title. On 136 issue texts of eight repositories these were as good
/// as any within noise; what a program or a form says counted as much as a sentence cost .02 of the mean reciprocal rank (2026-11-23).
pub(super) const fn weight_of(kind: Kind) -> u32 {
    match kind {
        Kind::Title => WHOLE,
        Kind::Heading => 700,
        Kind::Prose => 800,
        // Uses what is asked about, beside much else.
        Kind::Code | Kind::Shell => 500,
        // Says what happened in words of any program.
        Kind::Output | Kind::Diff => 300,
        // Says nothing of the task.
        Kind::Environment | Kind::Boilerplate => 0,
    }
}

/// The whole, in thousandths.
pub(super) const WHOLE: u32 = 1000;

/// What each outer frame of a stack loses against the one inside it, in thousandths: the innermost comes first, all stay hot.
pub(super) const FRAME_STEP: u32 = 50;

/// The least share of a frame, in thousandths.
pub(super) const FRAME_LEAST: u32 = 500;

/// The share of a name that is found only when case and separators are ignored, in thousandths.
pub(super) const BUT_FOR_CASE: u32 = 900;

/// The strength of a name behind something of which nothing is known, a variable or a field, in thousandths: short of sure, since any type
/// may have a member of that name.
pub(super) const UNKNOWN_QUALIFIER: u32 = 800;

/// The strength of a type whose member its file does not have, in thousandths: one that is to be written, or a chance name.
pub(super) const NEW_MEMBER: u32 = 800;

/// The part of a name's strength that is left where a scope names folders and no definition of that name is in them, in thousandths.
pub(super) const OUT_OF_SCOPE: u32 = 800;

/// How sure a definition is that only other words of the text pick among several, in thousandths.
pub(super) const PICKED: u32 = 900;

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

/// What words say of a type or the like, in thousandths of what they say of a function.
pub(super) const PART_OF_TYPE: u32 = 800;

/// What words say of a constant, variable or module, in thousandths of what they say of a function.
pub(super) const PART_OF_VALUE: u32 = 500;

/// The least strength of a part that is kept, in thousandths: weaker ones change no score.
pub(super) const LEAST_STRENGTH: u32 = 50;

/// How strongly a plain word speaks for the definition of that name, in thousandths: names are often ordinary words.
pub(super) const PLAIN_NAME: u32 = 500;

/// How strongly a word of several parts speaks for the definition of that name, in thousandths.
pub(super) const COMPOUND_NAME: u32 = 900;

/// How strongly the words of a file's name speak when the text has all of them, in thousandths.
pub(super) const STEM: u32 = 600;

/// How strongly a part of the words of a file's name speaks, in thousandths, before the part.
pub(super) const PART_OF_STEM: u32 = 300;

/// How strongly a folder's name speaks for a file in it, in thousandths.
pub(super) const FOLDER: u32 = 300;

/// The part of a definition's strength that does not depend on how well its file fits, in thousandths.
pub(super) const OWN_SYMBOL: u32 = 500;

/// The part from which words alone can be called clear, in thousandths.
pub(super) const CLEAR_COVERAGE: u32 = 600;

/// How far the second file must be behind the first for words to be called clear, in thousandths of the first.
pub(super) const CLEAR_MARGIN: u32 = 250;

/// Informative words that the first file must have for words to be called clear: one may be a chance hit, two agree on something.
///
/// Measured with the subjects of 883 past commits of seven repositories, without their history (2026-11): with this and the next two
/// numbers the commit had changed the first file in 89 of 100 answers that were called clear; without them in 63.
pub(super) const CLEAR_WORDS: usize = 2;

/// The rarity from which a word is informative, in thousandths: of 100 files at most 16 have it, of 1,000 at most 63.
pub(super) const INFORMATIVE: u32 = 400;

/// The evidence that the first file must have for words to be called clear, in thousandths: the best text always has the whole weight
/// of its cue, 450, so that a name, a path, a folder or the history has to say the same.
pub(super) const CLEAR_EVIDENCE: u32 = 600;

/// The part of a file's words that stand in strings from which on it is data, in thousandths. First value: code has under a third, messages
/// of errors and all.
pub(super) const DATA_SHARE: u64 = 650;

/// The part of a file's lines up to which functions may have them in data, in thousandths: one that looks something up. What defines the
/// options of a program in a function is code, full of strings as it is.
pub(super) const MAX_DOING: u32 = 200;

/// Fewest words in strings that make a file data: a short list is code like other code.
pub(super) const MIN_DATA_WORDS: u64 = 60;

/// The rarity below which a word says nothing of where: of 60 files at least 41 have it, of 400 at least 220.
pub(super) const EVERYWHERE: u32 = 100;

/// Words beyond the first ones say too little about what is asked to be held against an answer.
pub(super) const MAX_COVERAGE_WORDS: usize = 24;

/// Commits like the intent that speak for their files.
pub(super) const MAX_LIKE_COMMITS: usize = 200;

/// The age at which a commit counts half, in seconds before the newest one: a year.
pub(super) const HALF_AGE_SECONDS: u64 = 365 * 24 * 60 * 60;

/// The number of commits since its last change at which a file is half as recent as the one changed last.
pub(super) const RECENT_COMMITS: u32 = 20;

/// The logarithm to base 2 in thousandths, straight lines between the powers of two: monotone and the same everywhere.
pub fn log2(n: u64) -> u64 {
    let n = n.max(1);
    let power = n.ilog2();
    let rest = (u128::from(n - (1 << power)) * u128::from(WHOLE)) >> power;
    u64::from(power) * u64::from(WHOLE) + rest as u64
}

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
