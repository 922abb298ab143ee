//! What past commits say: which files did commits with messages like the intent touch.
//!
//! Must not know git: commits are given, newest first.

use super::evidence::Parts;
use super::factors::{HALF_AGE, MAX_BODY, MAX_COMMIT_FILES, MAX_LIKE_COMMITS, WHOLE, rarity};
use super::shapes::beginning;
use super::words::Words;
use crate::facts::text::for_each_word;
use activate_rules::atoms::{Cue, NodeId};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A past commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PastCommit<'a> {
    /// The message's first paragraph.
    pub subject: &'a str,
    /// The rest of the message.
    pub body: &'a str,
    /// The files it touched that are still there.
    pub touched: &'a [NodeId],
}

/// A commit that has words of the intent, by their number among the words.
struct Like {
    age: u32,
    words: Vec<u32>,
}

/// Adds what commits say that are like the intent, newest first in `commits`; relative to the best file, and to how much of the intent
/// the best commit has, in thousandths: that part is returned.
pub(super) fn add_history(commits: &[PastCommit<'_>], words: &Words<'_>, parts: &mut Parts<'_>) -> u32 {
    let numbers: FxHashMap<&str, u32> = words.singles.iter().map(String::as_str).zip(0..).collect();
    let mut n_with = vec![0; words.singles.len()];
    let mut like = Vec::new();
    for (commit, age) in commits.iter().zip(0..) {
        if commit.touched.is_empty() || commit.touched.len() > MAX_COMMIT_FILES {
            continue;
        }
        let mut found = Vec::new();
        let body = beginning(commit.body, MAX_BODY);
        for text in [commit.subject, body] {
            for_each_word(text.as_bytes(), |word, _| {
                if let Some(number) = numbers.get(word).filter(|number| !found.contains(*number)) {
                    found.push(*number);
                }
            });
        }
        for number in &found {
            n_with[*number as usize] += 1;
        }
        if !found.is_empty() {
            like.push(Like { age, words: found });
        }
    }
    let rarities: Vec<u64> = n_with.iter().map(|n| u64::from(rarity(*n, commits.len() as u32))).collect();
    let score = |like: &Like| like.words.iter().map(|word| rarities[*word as usize]).sum::<u64>();
    let aged = |like: &Like| score(like) * u64::from(HALF_AGE) / u64::from(HALF_AGE + like.age);
    like.sort_by_key(|like| (Reverse(aged(like)), like.age));
    like.truncate(MAX_LIKE_COMMITS);

    let mut by_file: BTreeMap<NodeId, (u64, Vec<u32>)> = BTreeMap::new();
    for like in &like {
        let touched = commits[like.age as usize].touched;
        // A commit over many files says less about each; thousandths keep the root's fraction.
        let share = aged(like) * u64::from(WHOLE) / (touched.len() as u64 * u64::from(WHOLE).pow(2)).isqrt();
        for file in touched {
            let (sum, said) = by_file.entry(*file).or_default();
            *sum += share;
            said.extend(like.words.iter().filter(|word| !said.contains(word)).copied().collect::<Vec<_>>());
        }
    }
    let most = by_file.values().map(|(sum, _)| *sum).max().unwrap_or_default().max(1);
    let all: u64 = rarities.iter().sum::<u64>().max(1);
    let coverage = like.iter().map(score).max().unwrap_or_default() * u64::from(WHOLE) / all;
    for (file, (sum, said)) in by_file {
        let said: Vec<&str> = said.iter().map(|number| words.singles[*number as usize].as_str()).collect();
        parts.add(file, Cue::History, (sum * coverage / most) as u32, &said);
    }
    coverage as u32
}
