//! Cuts a text to words and words to tokens, as the published tokenizers do.
//!
//! Gives numbers of tokens and not the tokens: nobody here wants those.

use super::vocabulary::Vocabulary;
use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

/// A tokenizer: how words are cut, and their tokens.
pub(super) struct Encoding {
    /// What a word is, apart from white space.
    pattern: &'static str,
    /// What a word is, once it was asked. A match of [`FOLLOWED`] has one character too many. None if the pattern is not a pattern, which a
    /// test rules out.
    words: OnceLock<Option<Regex>>,
    /// Says the same of most words for less.
    common_word_end: fn(&str) -> Option<usize>,
    vocabulary: Vocabulary<'static>,
}

/// The place of the pattern that stands for `\s+(?!\S)`, white space up to the last before a word: the engine looks at nothing ahead of a
/// match, so that the pattern takes one more character of white space, and at the end of a text the words themselves.
const FOLLOWED: usize = 1;
const FOLLOWED_PATTERN: &str = r"\s+\s";
const SPACE_PATTERN: &str = r"\s+";

impl Encoding {
    /// An encoding that cuts words by a pattern, white space before others and at the end apart.
    pub(super) fn new(pattern: &'static str, common_word_end: fn(&str) -> Option<usize>, vocabulary: &'static [u8]) -> Self {
        Self { pattern, words: OnceLock::new(), common_word_end, vocabulary: Vocabulary::open(vocabulary) }
    }

    /// The number of tokens of a text.
    pub(super) fn count(&self, text: &str) -> usize {
        // Its lists are used again: most texts are single lines.
        thread_local!(static MERGE: RefCell<Merge> = RefCell::default());
        MERGE.with_borrow_mut(|merge| self.count_with(text, merge))
    }

    fn count_with(&self, text: &str, merge: &mut Merge) -> usize {
        let (mut rest, mut n_tokens) = (text, 0);
        while !rest.is_empty() {
            // What is not a word for the pattern is one as a whole.
            let (word, after) = rest.split_at(self.word_end(rest).unwrap_or(rest.len()));
            n_tokens += merge.count(word.as_bytes(), &self.vocabulary);
            rest = after;
        }
        n_tokens
    }

    /// Where the first word of a text ends.
    fn word_end(&self, text: &str) -> Option<usize> {
        (self.common_word_end)(text).or_else(|| self.pattern_word_end(text))
    }

    /// The same, as the pattern says.
    pub(super) fn pattern_word_end(&self, text: &str) -> Option<usize> {
        let words = self.words.get_or_init(|| {
            let words = format!(r"{}|\s+$", self.pattern);
            Regex::new_many(&[&words, FOLLOWED_PATTERN, SPACE_PATTERN]).ok()
        });
        let found = words.as_ref()?.find(Input::new(text).anchored(Anchored::Yes))?;
        let word = &text[..found.end()];
        let last = word.chars().next_back().filter(|_| found.pattern().as_usize() == FOLLOWED);
        Some(word.len() - last.map_or(0, char::len_utf8)).filter(|end| *end > 0)
    }
}

/// Joins the bytes of a word to tokens: always the two neighbours that make the token of the lowest rank, of several the first two.
#[derive(Default)]
struct Merge {
    /// Where the part that begins at a byte ends; 0 where none begins.
    ends: Vec<usize>,
    /// Where the part before the one that begins at a byte begins.
    before: Vec<usize>,
    /// Neighbours that make a token: its rank, where it begins and ends.
    pairs: BinaryHeap<Reverse<(u32, usize, usize)>>,
}

impl Merge {
    /// The number of tokens of a word.
    fn count(&mut self, word: &[u8], vocabulary: &Vocabulary<'_>) -> usize {
        if word.len() < 2 || vocabulary.rank(word).is_some() {
            return word.len().min(1);
        }
        self.ends.clear();
        self.ends.extend(1..=word.len());
        self.before.clear();
        self.before.extend((0..word.len()).map(|at| at.saturating_sub(1)));
        self.pairs.clear();
        for at in 0..word.len() - 1 {
            self.add_pair(word, at, vocabulary);
        }
        let mut n_parts = word.len();
        while let Some(Reverse((_, start, end))) = self.pairs.pop() {
            let middle = self.ends[start];
            // Parts only grow, so that two parts here are the two that were meant.
            if middle == 0 || middle >= end || self.ends[middle] != end {
                continue;
            }
            self.ends[start] = end;
            self.ends[middle] = 0;
            n_parts -= 1;
            if let Some(before) = self.before.get_mut(end) {
                *before = start;
            }
            self.add_pair(word, start, vocabulary);
            if start > 0 {
                self.add_pair(word, self.before[start], vocabulary);
            }
        }
        n_parts
    }

    /// Remembers the part that begins at a byte and the next one, if they make a token.
    fn add_pair(&mut self, word: &[u8], start: usize, vocabulary: &Vocabulary<'_>) {
        let Some(end) = self.ends.get(self.ends[start]).copied() else { return };
        if let Some(rank) = vocabulary.rank(&word[start..end]) {
            self.pairs.push(Reverse((rank, start, end)));
        }
    }
}
