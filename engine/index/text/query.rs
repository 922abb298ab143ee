//! Turns the text of an intent into the words to look for.
//!
//! Must not know the index: a word that no file has costs nothing.

use super::languages::{is_stop_word_of, language};
use super::scripts::Script;
use super::words::{Form, MAX_WORD, for_each_word, next_run};
use activate_rules::weights::QueryWeights;
use rustc_hash::FxHashMap;

/// A word to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryTerm {
    /// The word as the index has it.
    pub text: String,
    /// Other words of the index that count as this one.
    pub forms: Vec<String>,
    /// How much it counts, in thousandths.
    pub weight: u32,
}

/// A word of prose, by which the weights of a query are measured.
const PLAIN: u32 = 1000;

/// Words that a query has at most; an intent may be a whole report, and its beginning says what it is about.
const MAX_TERMS: usize = 256;

/// The words of an intent, in order of appearance, each once with its greatest weight.
///
/// Stop words are left out unless there are no others, those of another language only where the text is in it. Words joined by a hyphen
/// count as words and as one name.
pub fn query_terms(intent: &str) -> Vec<QueryTerm> {
    weighted_terms(&[(intent, PLAIN)], &QueryWeights::default())
}

/// [`query_terms`] of several texts, each with what its words count, in thousandths: a word of several texts counts as in the best.
pub fn weighted_terms(texts: &[(&str, u32)], weights: &QueryWeights) -> Vec<QueryTerm> {
    let said: Vec<&str> = texts.iter().filter(|(_, share)| *share > 0).map(|(text, _)| *text).collect();
    let language = language(&said.join("\n"));
    let is_stop_word = |word: &str| is_stop_word(word) || language.is_some_and(|language| is_stop_word_of(language, word));
    let terms = gather_all(texts, weights, is_stop_word);
    if terms.is_empty() { gather_all(texts, weights, |_| false) } else { terms }
}

fn gather_all(texts: &[(&str, u32)], weights: &QueryWeights, is_stop_word: impl Fn(&str) -> bool) -> Vec<QueryTerm> {
    let mut gathered = Gathered::default();
    for (text, share) in texts.iter().filter(|(_, share)| *share > 0) {
        gathered.share = *share;
        gather(text, weights, &is_stop_word, &mut gathered);
    }
    gathered.terms
}

#[derive(Default)]
struct Gathered {
    /// What words of the text count that is read, in thousandths.
    share: u32,
    terms: Vec<QueryTerm>,
    places: FxHashMap<String, usize>,
}

impl Gathered {
    fn add(&mut self, text: &str, weight: u32) {
        let weight = (u64::from(weight) * u64::from(self.share) / u64::from(PLAIN)).min(u32::MAX.into()) as u32;
        if let Some(&place) = self.places.get(text) {
            let known = &mut self.terms[place].weight;
            *known = weight.max(*known);
        } else if self.terms.len() < MAX_TERMS {
            self.places.insert(text.to_owned(), self.terms.len());
            self.terms.push(QueryTerm { text: text.to_owned(), forms: Vec::new(), weight });
        }
    }
}

fn gather(intent: &str, weights: &QueryWeights, is_stop_word: impl Fn(&str) -> bool, gathered: &mut Gathered) {
    let text = intent.as_bytes();
    let mut at = 0;
    // The name that hyphens have joined so far, and the word before this one; empty where nothing may be joined.
    let (mut chain, mut before) = (String::new(), String::new());
    while gathered.terms.len() < MAX_TERMS
        && let Some((start, end)) = next_run(text, at)
    {
        let gap = &text[at..start];
        at = end;
        let mut word = String::new();
        for_each_word(&text[start..end], |text, form| {
            let weight = match form {
                Form::Plain => PLAIN,
                Form::Whole => weights.whole,
                Form::Part => weights.part,
            };
            if !is_stop_word(text) {
                gathered.add(text, weight);
            }
            // Pairs of letters are not names that hyphens and blanks join.
            if form != Form::Part && text.chars().next().is_some_and(|letter| Script::of(letter) == Script::Spaced) {
                text.clone_into(&mut word);
            }
        });
        if word.is_empty() {
            // Too long to be a word as a whole, or none, so nothing is joined to it either.
            chain.clear();
        } else if gap == b"-" && !chain.is_empty() && chain.len() + word.len() <= MAX_WORD {
            chain.push_str(&word);
            gathered.add(&chain, weights.whole);
        } else {
            if gap == b" " && !before.is_empty() && !is_stop_word(&word) {
                gathered.add(&format!("{before}{word}"), weights.pair);
            }
            chain.clone_from(&word);
        }
        before = if is_stop_word(&word) { String::new() } else { word };
    }
}

/// Whether a word says how something is put and not what.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Words that say how the intent is put and not where: those of grammar, and those that most tasks begin with. Sorted.
#[rustfmt::skip]
const STOP_WORDS: [&str; 107] = [
    "add", "added", "adding", "adds", "allow", "allows", "an", "and", "are", "as", "at", "be", "been", "being", "but",
    "by", "can", "chore", "could", "describe", "describes", "did", "do", "does", "explain", "explained", "explains",
    "feat", "fix", "fixed", "fixes", "fixing", "for", "from", "had", "has", "have", "he", "her", "his", "how", "if",
    "in", "into", "is", "it", "its", "make", "makes", "me", "my", "no", "not", "of", "on", "or", "our", "out", "perf",
    "please", "refactor", "remove", "removed", "removes", "removing", "she", "should", "so", "some", "such",
    "support", "supports", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "to", "too", "up", "us", "use", "uses", "using", "via", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "why", "will", "with", "without", "would", "you", "your",
];

#[cfg(test)]
mod tests {
    #[test]
    fn stop_words_are_sorted_for_the_search_among_them() {
        assert!(super::STOP_WORDS.is_sorted());
    }
}
