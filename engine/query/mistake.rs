//! What is wrong with a program, and where.

use super::ast::Place;
use std::fmt;

/// A mistake in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Where.
    pub place: Place,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Mistake {
    pub(super) fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, message: message.into() }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "line {}, column {}: {}", self.place.line, self.place.column, self.message)
    }
}

/// The word of a list that is most like one that is not in it, if one is near enough to be meant.
pub(super) fn nearest<'w>(word: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let near = words.into_iter().map(|other| (distance(word, other), other)).min()?;
    (near.0 <= word.len().max(3) / 3).then_some(near.1)
}

/// How many letters must change for one word to be the other; long words are far from everything.
fn distance(one: &str, other: &str) -> usize {
    const MAX_WORD: usize = 64;
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().take(MAX_WORD + 1).collect(), other.chars().collect());
    if one.len() > MAX_WORD {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, with) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != with);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}
