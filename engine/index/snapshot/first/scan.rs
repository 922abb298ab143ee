//! Looks for words in the bytes of files, as a text search does: nothing is parsed and nothing is kept.

use super::beginnings::Beginnings;
use crate::text::{beginning, end_of_run, stem};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// How soon more of the same word in a file counts for less, and how much long files are held against them: as of Okapi BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Words to look for, in any of their forms.
pub(super) struct Words {
    /// The stem of each, a word that has it, and how much it counts.
    stems: Vec<(String, String, f64)>,
    /// What the forms of words begin with.
    beginnings: Beginnings,
    /// Finds pairs of letters of text without blanks, with the number of the word that each is; none where there are none.
    unspaced: Option<(AhoCorasick, Vec<u32>)>,
    /// The words by their stems.
    numbers: FxHashMap<String, u32>,
}

/// How often words stand in a file, by their number; only those that do.
pub(super) type Found = BTreeMap<u32, u32>;

impl Words {
    /// These words, each with what it counts; of those with one stem the greatest counts.
    pub(super) fn new(words: impl IntoIterator<Item = (String, f64)>) -> Self {
        let mut by_stem: BTreeMap<String, (String, f64)> = BTreeMap::new();
        for (word, weight) in words {
            let (_, known) = by_stem.entry(stem(&word).into_owned()).or_insert((word, weight));
            *known = known.max(weight);
        }
        let stems: Vec<(String, String, f64)> = by_stem.into_iter().map(|(stem, (word, weight))| (stem, word, weight)).collect();
        let numbers: FxHashMap<String, u32> = stems.iter().zip(0..).map(|((stem, ..), number)| (stem.clone(), number)).collect();
        let (ascii, others): (Vec<&str>, Vec<&str>) =
            stems.iter().map(|(stem, ..)| stem.as_str()).partition(|stem| stem.is_ascii());
        let beginnings = Beginnings::of(ascii.into_iter().map(|stem| beginning(stem).as_bytes()));
        let finder = || AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(&others).ok();
        let unspaced = if others.is_empty() { None } else { finder() };
        let unspaced = unspaced.map(|finder| (finder, others.iter().map(|stem| numbers[*stem]).collect()));
        Self { stems, beginnings, unspaced, numbers }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.stems.len()
    }

    /// How often each stands in a text: as a name or word of its own, or as a part of a name.
    pub(super) fn find(&self, text: &[u8]) -> Found {
        let mut found = Found::new();
        if let Some((finder, numbers)) = &self.unspaced {
            // Of text without blanks any two letters are a word.
            for place in finder.find_overlapping_iter(text) {
                *found.entry(numbers[place.pattern().as_usize()]).or_default() += 1;
            }
        }
        // Names come again and again in a text.
        let mut known: FxHashMap<&[u8], Option<u32>> = FxHashMap::default();
        self.beginnings.find(
            text,
            |at| is_start(text, at),
            |at| {
                let mut number = |word| *known.entry(word).or_insert_with(|| self.numbers.get(&*stem(&plain(word))).copied());
                // `skip_logs` is the word `skiplogs` too.
                let [part, whole] = words_at(text, at).map(|word| word.and_then(&mut number));
                for number in part.into_iter().chain(whole.filter(|whole| part != Some(*whole))) {
                    *found.entry(number).or_default() += 1;
                }
            },
        );
        found
    }

    /// Words with how often they were found.
    pub(super) fn of<'w>(&'w self, found: &Found) -> Vec<(&'w str, u32)> {
        found.iter().map(|(number, n)| (self.stems[*number as usize].1.as_str(), *n)).collect()
    }

    /// What each file scores by the words that were found in it: Okapi BM25, lengths in bytes.
    pub(super) fn scores(&self, files: &[(Found, u64)]) -> Vec<f64> {
        let n_files = files.len() as f64;
        let mut n_with = vec![0_u32; self.stems.len()];
        for number in files.iter().flat_map(|(found, _)| found.keys()) {
            n_with[*number as usize] += 1;
        }
        let rarity = |n_with: u32| (1.0 + (n_files - f64::from(n_with) + 0.5) / (f64::from(n_with) + 0.5)).ln();
        let rarities: Vec<f64> = n_with.into_iter().map(rarity).collect();
        let average = files.iter().map(|(_, size)| *size as f64).sum::<f64>() / n_files.max(1.0);
        let score = |(found, size): &(Found, u64)| {
            let length = K1 * (1.0 - B + B * *size as f64 / average.max(1.0));
            let of = |(number, n): (&u32, &u32)| {
                let n = f64::from(*n);
                self.stems[*number as usize].2 * rarities[*number as usize] * n * (K1 + 1.0) / (n + length)
            };
            found.iter().map(of).sum()
        };
        files.iter().map(score).collect()
    }
}

/// A name as its word is written: in small letters, without separators.
fn plain(name: &[u8]) -> String {
    let mut plain = String::from_utf8_lossy(name).replace('_', "");
    plain.make_ascii_lowercase();
    plain
}

/// Whether words for secrets stand in a text with values behind them: `db_password: x`.
pub(super) fn gives_secrets(text: &[u8]) -> bool {
    static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let words = ["password", "passwd", "secret", "token", "api_key", "apikey", "access_key", "private_key", "credential"];
        AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(words).ok()
    });
    let has_value = |end: usize| {
        let behind = text[end..]
            .iter()
            .find(|byte| !matches!(byte, b' ' | b'"' | b'\'') && !byte.is_ascii_alphanumeric() && **byte != b'_');
        matches!(behind, Some(b'=' | b':'))
    };
    WORDS.iter().any(|words| words.find_iter(text).any(|place| has_value(place.end())))
}

/// The words of a text that begin at a byte where one begins: the part of a name, and the whole name if the name begins there.
fn words_at(text: &[u8], at: usize) -> [Option<&[u8]>; 2] {
    let part = (at + 1..text.len()).find(|end| !is_in_word(text[*end]) || is_start(text, *end)).unwrap_or(text.len());
    let is_first = at.checked_sub(1).is_none_or(|before| text[before] != b'_' && !is_in_word(text[before]));
    let whole = Some(end_of_run(text, at)).filter(|end| is_first && *end > part);
    [Some(&text[at..part]), whole.map(|end| &text[at..end])]
}

/// Letters and digits; a byte beyond ASCII counts as one.
fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// Whether a name or a part of one begins at a byte: `Server` in `HTTPServer`, `logs` in `skip_logs`.
fn is_start(text: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| text[before]) else { return true };
    let is_next_lower = || text.get(at + 1).is_some_and(u8::is_ascii_lowercase);
    !is_in_word(before)
        || text[at].is_ascii_uppercase() && (!before.is_ascii_uppercase() || is_next_lower())
        || before.is_ascii_digit() != text[at].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn words_are_found_in_all_their_forms_and_as_parts_of_names() {
        let words = Words::new(["preemption", "server", "skiplogs", "id", "\u{767b}\u{5f55}"].map(|word| (word.to_owned(), 1.0)));
        let count = |text: &str| -> Vec<(String, u32)> {
            words.find(text.as_bytes()).into_iter().map(|(number, n)| (words.stems[number as usize].0.clone(), n)).collect()
        };
        let of = |word: &str, n| vec![(crate::text::stem(word).into_owned(), n)];
        assert_eq!(count("Preemption preemptions PREEMPTION nonpreemption"), of("preemption", 3));
        assert_eq!(count("HTTPServer serve_http servers observer"), of("server", 2));
        assert_eq!(count("SkipLogs skiplogs"), of("skiplogs", 2));
        assert_eq!(count("\u{4fee}\u{767b}\u{5f55}\u{9519}"), of("\u{767b}\u{5f55}", 1));
        assert_eq!(count("idea userID valid user_id2 id"), of("id", 3));
        assert_eq!(count("\u{fc}ber"), []);
        let words = Words::new(crate::text::query_terms("skip_logs").into_iter().map(|term| (term.text, 1.0)));
        let found = words.find(b"skip_logs SKIP_LOGS noskip_logs skip");
        assert_eq!(words.of(&found), [("logs", 3), ("skip", 3), ("skiplogs", 2)]);
    }

    #[test]
    fn settings_that_give_secrets_are_known_by_words_with_values() {
        for text in ["db_password: x", "\"ApiKey\" : \"x\"", "export TOKEN_FOR_CI=x"] {
            assert!(super::gives_secrets(text.as_bytes()), "{text}");
        }
        for text in ["the password is not here", "tokens, and more: x", "secret"] {
            assert!(!super::gives_secrets(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn rare_words_and_short_files_score_more() {
        let words = Words::new(["rare", "often"].map(|word| (word.to_owned(), 1.0)));
        let files = ["rare", "often", "often", "often rare", ""].map(|text| (words.find(text.as_bytes()), text.len() as u64));
        let scores = words.scores(&files);
        assert!(scores[3] > scores[1] && scores[0] > scores[1], "{scores:?}");
        assert!(scores[1].to_bits() == scores[2].to_bits() && scores[4] <= 0.0, "{scores:?}");
    }
}
