//! Plain text search over chunks of thirty lines: what a packet of code has to beat.
//!
//! Okapi BM25 over the words of each chunk and of its path; the best chunks until the budget is spent, at four characters a token. An index
//! of its own, so that a mistake in the engine's cannot flatter it.

use super::baseline::parts;
use super::sources::is_source;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lines of a chunk.
const N_LINES: usize = 30;
/// Characters that stand for a token, and tokens of the line that names a chunk.
const CHARACTERS: usize = 4;
const HEADER: usize = 12;
/// How soon more of the same word counts for less, and how much long chunks are held against them.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// How often a word of the path counts.
const IN_PATH: f64 = 1.5;

/// Words that say nothing about a place.
const STOP: &str = "the a an of to in is it and or for on with that this be as are not by from at if should when can will has have was but which";

/// A chunk of a file.
struct Chunk {
    first: u32,
    last: u32,
    tokens: usize,
    words: FxHashMap<String, u32>,
    n_words: u32,
}

/// The chunks of source files, kept by content from one commit to the next.
#[derive(Default)]
pub(super) struct Chunks {
    known: FxHashMap<u128, Arc<Vec<Chunk>>>,
}

impl Chunks {
    /// How many of the `changed` lines of each gold file stand in the best chunks, by budget. `files` are path and hash of the content, and
    /// `read` gives a content.
    pub(super) fn shown(
        &mut self,
        intent: &str,
        files: &[(&str, u128)],
        read: &dyn Fn(&str) -> Vec<u8>,
        gold: &BTreeMap<&str, &[u32]>,
        budgets: &[u32],
    ) -> BTreeMap<u32, u32> {
        let sources: Vec<(&str, u128)> = files.iter().copied().filter(|(path, _)| is_source(path)).collect();
        let mut known = FxHashMap::default();
        for (path, hash) in &sources {
            let chunks = self.known.get(hash).map_or_else(|| Arc::new(cut(&String::from_utf8_lossy(&read(path)))), Arc::clone);
            known.insert(*hash, chunks);
        }
        // What this commit does not hold is not needed for the next.
        self.known = known;
        let docs: Vec<(&str, &Chunk)> =
            sources.iter().flat_map(|(path, hash)| self.known[hash].iter().map(move |chunk| (*path, chunk))).collect();
        let ranked = rank(intent, &docs);
        let of_budget = |budget: &u32| {
            let (mut left, mut n_shown) = (*budget as usize, 0);
            for (path, chunk) in &ranked {
                if chunk.tokens <= left {
                    left -= chunk.tokens;
                    let lines = gold.get(path).copied().unwrap_or_default();
                    n_shown += lines.iter().filter(|line| (chunk.first..=chunk.last).contains(line)).count();
                }
            }
            (*budget, n_shown as u32)
        };
        budgets.iter().map(of_budget).collect()
    }
}

/// The chunks that have words of the intent, best first, then by path and line.
fn rank<'c>(intent: &str, docs: &[(&'c str, &'c Chunk)]) -> Vec<(&'c str, &'c Chunk)> {
    let mut query = Vec::new();
    words(intent, &mut |word| query.push(word.to_owned()));
    query.sort_unstable();
    query.dedup();
    let in_paths: FxHashMap<&str, FxHashSet<String>> = docs.iter().map(|(path, _)| (*path, set(path))).collect();
    let average = docs.iter().map(|(_, chunk)| f64::from(chunk.n_words)).sum::<f64>() / docs.len().max(1) as f64;
    let average = if average > 0.0 { average } else { 1.0 };
    let mut scores = vec![0.0_f64; docs.len()];
    for word in &query {
        let times = |(path, chunk): &(&str, &Chunk)| {
            let anywhere = chunk.words.get(word).copied().unwrap_or_default();
            f64::from(anywhere) + if in_paths[path].contains(word) { IN_PATH } else { 0.0 }
        };
        let found: Vec<f64> = docs.iter().map(times).collect();
        let n_found = found.iter().filter(|times| **times > 0.0).count() as f64;
        let rare = (1.0 + (docs.len() as f64 - n_found + 0.5) / (n_found + 0.5)).ln();
        for ((score, times), (_, chunk)) in scores.iter_mut().zip(&found).zip(docs).filter(|((_, times), _)| **times > 0.0) {
            *score += rare * times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * f64::from(chunk.n_words) / average));
        }
    }
    let mut ranked: Vec<usize> = (0..docs.len()).filter(|at| scores[*at] > 0.0).collect();
    ranked.sort_by(|one, other| {
        let place = |at: usize| (docs[at].0, docs[at].1.first);
        scores[*other].total_cmp(&scores[*one]).then(place(*one).cmp(&place(*other)))
    });
    ranked.into_iter().map(|at| docs[at]).collect()
}

fn cut(text: &str) -> Vec<Chunk> {
    let lines: Vec<&str> = text.split('\n').collect();
    let chunk = |(number, lines): (usize, &[&str])| {
        let text = lines.join("\n");
        let (mut counts, mut n_words) = (FxHashMap::default(), 0);
        words(&text, &mut |word| {
            *counts.entry(word.to_owned()).or_default() += 1;
            n_words += 1;
        });
        let first = number * N_LINES + 1;
        let tokens = text.chars().count() / CHARACTERS + HEADER;
        Chunk { first: first as u32, last: (first + lines.len() - 1) as u32, tokens, words: counts, n_words }
    };
    lines.chunks(N_LINES).enumerate().map(chunk).collect()
}

fn set(text: &str) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    words(text, &mut |word| {
        found.insert(word.to_owned());
    });
    found
}

/// Gives every identifier and number of more than one character, and the parts of those that have several, in lower case.
fn words(text: &str, take: &mut dyn FnMut(&str)) {
    let mut give = |word: &str| {
        let word = word.to_ascii_lowercase();
        if word.len() > 1 && !STOP.split(' ').any(|stop| stop == word) {
            take(&word);
        }
    };
    let bytes = text.as_bytes();
    let run = |from: usize, is: fn(&u8) -> bool| from + bytes[from..].iter().take_while(|byte| is(byte)).count();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            byte if byte.is_ascii_alphabetic() || byte == b'_' => run(at, |byte| byte.is_ascii_alphanumeric() || *byte == b'_'),
            byte if byte.is_ascii_digit() => run(at, u8::is_ascii_digit),
            _ => {
                at += 1;
                continue;
            }
        };
        // An identifier of one letter is none.
        if end - at > 1 || bytes[at].is_ascii_digit() {
            let word = &text[at..end];
            give(word);
            let parts = parts(word.as_bytes());
            if parts.len() > 1 {
                for (from, to) in parts {
                    give(&word[from..to]);
                }
            }
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_chunks_are_shown_until_the_budget_is_spent() {
        let body = |word: &str| format!("{word}\n").repeat(40);
        let texts = [("a/router.go", body("x1 y1")), ("b.go", body("router")), ("c_test.go", body("router"))];
        let read =
            |path: &str| texts.iter().find(|(other, _)| *other == path).map(|(_, text)| text.clone().into_bytes()).unwrap();
        let files = [("a/router.go", 1), ("b.go", 2), ("c_test.go", 3)];
        let lines: Vec<u32> = (1..=40).collect();
        let gold = BTreeMap::from([("b.go", lines.as_slice()), ("c_test.go", lines.as_slice())]);
        // A chunk of b.go has 209 characters, 64 tokens: one fits, then both, and what a path says comes last. Tests are not source.
        let shown = Chunks::default().shown("the Router", &files, &read, &gold, &[60, 64, 100, 4_000]);
        assert_eq!(shown, BTreeMap::from([(60, 10), (64, 30), (100, 40), (4_000, 40)]));
    }
}
