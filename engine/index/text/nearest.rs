//! Suggests terms of the index that are spelt almost like one that is not in it.

use super::TextIndex;
use super::words::{MAX_WORD, for_each_word};

/// A term of the index close to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    /// The term as the index has it: lower-cased, without separators.
    pub term: String,
    /// Letters inserted, left out, replaced or swapped with their neighbour.
    pub distance: u32,
    /// In how many documents it stands.
    pub n_docs: u32,
}

/// The greatest distance that counts as near.
const MAX_DISTANCE: usize = 2;

/// Terms shorter than this in bytes may be one letter off only: with two, half of all short words are near.
const LONG_TERM: usize = 6;

impl TextIndex<'_> {
    /// The terms nearest to `name`, at most `limit`: least distance first, then those that share the first letter, then
    /// the most frequent, then by term. The term itself is not among them.
    ///
    /// Looks at every term of the index once, most of them only at their letters.
    pub fn nearest(&self, name: &str, limit: usize) -> Vec<Near> {
        let mut wanted = String::new();
        for_each_word(name.as_bytes(), |word, _| {
            if wanted.is_empty() {
                word.clone_into(&mut wanted);
            }
        });
        let wanted = wanted.as_bytes();
        if wanted.is_empty() {
            return Vec::new();
        }
        let most = if wanted.len() < LONG_TERM { 1 } else { MAX_DISTANCE };
        let letters = letter_set(wanted);
        let mut found = Vec::new();
        for block in 0..self.n_blocks() {
            self.for_each_in_block(block, |term, entry| {
                // One edit changes at most two letters of the set.
                let may_be_near =
                    term.len().abs_diff(wanted.len()) <= most && (letter_set(term) ^ letters).count_ones() as usize <= 2 * most;
                if !may_be_near || term == wanted {
                    return;
                }
                if let (Some(distance), Ok(text)) = (edit_distance(wanted, term, most), str::from_utf8(term)) {
                    let near = Near { term: text.to_owned(), distance: distance as u32, n_docs: entry.n_docs };
                    found.push((distance, term.first() != wanted.first(), u32::MAX - entry.n_docs, near));
                }
            });
        }
        found.sort_unstable_by(|a, b| (a.0, a.1, a.2, &a.3.term).cmp(&(b.0, b.1, b.2, &b.3.term)));
        found.into_iter().take(limit).map(|(.., near)| near).collect()
    }
}

/// One bit a byte value, modulo 64.
fn letter_set(term: &[u8]) -> u64 {
    term.iter().fold(0, |set, byte| set | 1 << (byte & 63))
}

/// Edits from one term to another, a swap of neighbours being one; `None` when more than `most` or the terms are too long.
pub fn edit_distance(from: &[u8], to: &[u8], most: usize) -> Option<usize> {
    if from.len() > MAX_WORD || to.len() > MAX_WORD {
        return None;
    }
    let mut two_above = [0; MAX_WORD + 1];
    let mut above: [usize; MAX_WORD + 1] = std::array::from_fn(|column| column);
    let mut row = [0; MAX_WORD + 1];
    for i in 1..=from.len() {
        row[0] = i;
        for j in 1..=to.len() {
            let replaced = above[j - 1] + usize::from(from[i - 1] != to[j - 1]);
            row[j] = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                row[j] = row[j].min(two_above[j - 2] + 1);
            }
        }
        if row[..=to.len()].iter().min() > Some(&most) {
            return None;
        }
        (two_above, above, row) = (above, row, two_above);
    }
    Some(above[to.len()]).filter(|&distance| distance <= most)
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    #[test]
    fn letters_are_added_left_out_changed_and_swapped() {
        for (one, other, n) in
            [("", "abc", 3), ("abc", "abc", 0), ("acb", "abc", 1), ("abcd", "abc", 1), ("ab", "abc", 1), ("kitten", "sitting", 3)]
        {
            for (from, to) in [(one, other), (other, one)] {
                assert_eq!(edit_distance(from.as_bytes(), to.as_bytes(), n), Some(n), "{from} {to}");
                assert!(n == 0 || edit_distance(from.as_bytes(), to.as_bytes(), n - 1).is_none(), "{from} {to}");
            }
        }
    }
}
