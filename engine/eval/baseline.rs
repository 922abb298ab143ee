//! Plain text search as the measure of what the rest is worth: Okapi BM25 over the words of source files and their paths.
//!
//! An index of its own, so that a mistake in the engine's cannot flatter it.

use super::sources::language;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How soon more of the same word counts for less.
const K1: f64 = 1.2;
/// How much long files are held against them.
const B: f64 = 0.75;
/// How often a word of the path counts.
const PATH_TIMES: u32 = 3;
/// Characters of a file that are read.
const MAX_CHARACTERS: usize = 1_000_000;

/// Words that say nothing about a place.
const STOP: &str = "a an and are as at be by can do does for from has have if in into is it its of on or our so that the their then there \
                    this to was we when where which will with without not no use using via should would make makes fix fixes fixed add \
                    adds added feat chore refactor perf support allow";

/// The words of a text with how often each occurs, by word.
type Counts = Vec<(u32, u32)>;

/// The words of source files, kept by content from one commit to the next.
#[derive(Default)]
pub(super) struct Baseline {
    words: FxHashMap<String, u32>,
    known: FxHashMap<u128, Arc<Counts>>,
}

impl Baseline {
    /// Paths in which words of the intent occur, best first. `files` are path and hash of the content, and `read` gives a content.
    pub(super) fn rank(&mut self, intent: &str, files: &[(&str, u128)], read: &dyn Fn(&str) -> Vec<u8>) -> Vec<String> {
        let sources: Vec<(&str, u128)> = files.iter().copied().filter(|(path, _)| language(path).is_some()).collect();
        let mut docs = Vec::with_capacity(sources.len());
        let mut known = FxHashMap::default();
        for (path, hash) in &sources {
            let counts = if let Some(counts) = self.known.get(hash) {
                Arc::clone(counts)
            } else {
                Arc::new(self.count(&String::from_utf8_lossy(&read(path)), 1))
            };
            known.insert(*hash, Arc::clone(&counts));
            let in_path = self.count(path, PATH_TIMES);
            docs.push((counts, in_path));
        }
        // What this commit does not hold is not needed for the next.
        self.known = known;
        let length = |counts: &Counts| counts.iter().map(|(_, n)| f64::from(*n)).sum::<f64>();
        let lengths: Vec<f64> = docs.iter().map(|(counts, in_path)| length(counts) + length(in_path)).collect();
        let average = lengths.iter().sum::<f64>() / docs.len().max(1) as f64;
        let mut scores = vec![0.0_f64; docs.len()];
        for word in query(intent) {
            let Some(word) = self.words.get(&word) else { continue };
            let of = |counts: &Counts| counts.binary_search_by_key(word, |(word, _)| *word).map_or(0, |at| counts[at].1);
            let found: Vec<f64> = docs.iter().map(|(counts, in_path)| f64::from(of(counts) + of(in_path))).collect();
            let n_found = found.iter().filter(|n| **n > 0.0).count() as f64;
            let rare = (1.0 + (docs.len() as f64 - n_found + 0.5) / (n_found + 0.5)).ln();
            for ((score, n), length) in scores.iter_mut().zip(&found).zip(&lengths) {
                if *n > 0.0 {
                    *score += rare * n * (K1 + 1.0) / (n + K1 * (1.0 - B + B * length / average));
                }
            }
        }
        let mut ranked: Vec<(f64, &str)> =
            scores.into_iter().zip(&sources).filter(|(score, _)| *score > 0.0).map(|(score, (path, _))| (score, *path)).collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
        ranked.into_iter().map(|(_, path)| path.to_owned()).collect()
    }

    fn count(&mut self, text: &str, times: u32) -> Counts {
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        let end = text.char_indices().nth(MAX_CHARACTERS).map_or(text.len(), |(at, _)| at);
        terms(&text[..end], &mut |term| {
            let next = self.words.len() as u32;
            let word = match self.words.get(term) {
                Some(word) => *word,
                None => *self.words.entry(term.to_owned()).or_insert(next),
            };
            *counts.entry(word).or_default() += times;
        });
        let mut counts: Counts = counts.into_iter().collect();
        counts.sort_unstable();
        counts
    }
}

/// The words of an intent that are looked for, in alphabetical order.
fn query(intent: &str) -> Vec<String> {
    let stop: FxHashSet<&str> = STOP.split_whitespace().collect();
    let mut words = Vec::new();
    terms(intent, &mut |term| {
        if !stop.contains(term) {
            words.push(term.to_owned());
        }
    });
    words.sort_unstable();
    words.dedup();
    words
}

/// Gives every identifier of more than one part, and every part of more than one letter, in lower case.
fn terms(text: &str, take: &mut dyn FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut lower = String::new();
    while at < bytes.len() {
        let is_word: fn(u8) -> bool = match bytes[at] {
            byte if byte.is_ascii_alphabetic() || byte == b'_' => |byte| byte.is_ascii_alphanumeric() || byte == b'_',
            byte if byte.is_ascii_digit() => |byte| byte.is_ascii_digit(),
            _ => {
                at += 1;
                continue;
            }
        };
        let end = at + bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
        let word = &text[at..end];
        lower.clear();
        lower.push_str(word);
        lower.make_ascii_lowercase();
        let parts = parts(word.as_bytes());
        if parts.len() > 1 {
            take(&lower);
        }
        for (start, end) in parts {
            if end - start > 1 {
                take(&lower[start..end]);
            }
        }
        at = end;
    }
}

/// Where the parts of a name begin and end: `parseHTTPHeader_v2` has parse, HTTP, Header, v, 2.
pub(super) fn parts(word: &[u8]) -> Vec<(usize, usize)> {
    let run = |from: usize, is: fn(&u8) -> bool| from + word[from..].iter().take_while(|byte| is(byte)).count();
    let mut parts = Vec::new();
    let mut at = 0;
    while at < word.len() {
        let end = match word[at] {
            byte if byte.is_ascii_digit() => run(at, u8::is_ascii_digit),
            byte if byte.is_ascii_lowercase() => run(at, u8::is_ascii_lowercase),
            byte if byte.is_ascii_uppercase() => {
                let capitals = run(at, u8::is_ascii_uppercase);
                let before_lower = word.get(capitals).is_some_and(u8::is_ascii_lowercase);
                match capitals - at {
                    1 if before_lower => run(capitals, u8::is_ascii_lowercase),
                    // The last capital begins the next part.
                    _ if before_lower => capitals - 1,
                    _ => capitals,
                }
            }
            _ => {
                at += 1;
                continue;
            }
        };
        parts.push((at, end));
        at = end;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_terms(text: &str) -> String {
        let mut found = Vec::new();
        terms(text, &mut |term| found.push(term.to_owned()));
        found.join(" ")
    }

    #[test]
    fn names_are_words_and_so_are_their_parts() {
        for (text, expected) in [
            ("parseHTTPHeader", "parsehttpheader parse http header"),
            ("snake_case x1 a", "snake_case snake case x1"),
            ("_private 404 IDs", "private 404 ids ds"),
            ("HTTP2Server", "http2server http server"),
            ("9abc é_foo", "abc foo"),
        ] {
            assert_eq!(all_terms(text), expected, "{text}");
        }
    }

    #[test]
    fn rare_words_short_files_and_paths_come_first() {
        let files = [("a/router.go", 1), ("b.go", 2), ("c.go", 3), ("d.md", 4)];
        let read = |path: &str| {
            let text = match path {
                "a/router.go" => "func handle() {}",
                "b.go" => "router router",
                "c.go" => "router and a lot of other words that make the file long",
                _ => "router",
            };
            text.as_bytes().to_vec()
        };
        let mut baseline = Baseline::default();
        assert_eq!(baseline.rank("fix the router", &files, &read), ["a/router.go", "b.go", "c.go"]);
        // The second time nothing is read.
        assert_eq!(baseline.rank("handle", &files, &|_| Vec::new()), ["a/router.go"]);
        assert!(baseline.rank("fix the", &files, &read).is_empty());
    }
}
