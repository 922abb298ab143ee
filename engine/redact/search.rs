//! Looks for thousands of patterns at once.
//!
//! An automaton of all patterns has a state for every byte of each: for the 2,000 values of a large repository, in every form they are written
//! in, it took a third of a warm request to build. One of their beginnings is built in a tenth of that, and what follows a beginning is compared.

use aho_corasick::AhoCorasick;
use std::ops::Range;

/// The bytes of a pattern that the automaton knows.
const BEGINNING: usize = 6;

/// Patterns to be found.
#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    /// In order.
    patterns: Vec<Vec<u8>>,
    beginnings: Option<AhoCorasick>,
    /// The patterns of each beginning.
    ranges: Vec<Range<usize>>,
    /// For each pattern the longest of the others that it begins with.
    within: Vec<Option<usize>>,
}

impl Search {
    /// For these patterns, which come in order and once each.
    pub(super) fn new(patterns: Vec<Vec<u8>>) -> Self {
        let beginning = |pattern: &Vec<u8>| pattern[..pattern.len().min(BEGINNING)].to_vec();
        let groups = patterns.chunk_by(|one, other| beginning(one) == beginning(other));
        let (mut beginnings, mut ranges, mut start) = (Vec::new(), Vec::new(), 0);
        for group in groups {
            beginnings.push(beginning(&group[0]));
            ranges.push(start..start + group.len());
            start += group.len();
        }
        // Within the numbers of their callers it always builds; where it does not, nothing is found.
        let beginnings = AhoCorasick::new(beginnings).ok().filter(|_| !patterns.is_empty());
        let mut within: Vec<Option<usize>> = Vec::with_capacity(patterns.len());
        for at in 0..patterns.len() {
            // In order, what a pattern begins with stands before it, and the one before it begins with that too.
            let mut other = at.checked_sub(1);
            while let Some(known) = other.filter(|other| !patterns[at].starts_with(&patterns[*other])) {
                other = within[known];
            }
            within.push(other);
        }
        Self { patterns, beginnings, ranges, within }
    }

    /// The patterns, by their numbers.
    pub(super) fn patterns(&self) -> impl Iterator<Item = &[u8]> {
        self.patterns.iter().map(Vec::as_slice)
    }

    /// Whether there is nothing to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Every place of a pattern, from left to right and without overlaps, the longest of those that begin at one byte: the number of the
    /// pattern, its first byte and the one behind it.
    pub(super) fn find(&self, text: &[u8]) -> Vec<(usize, usize, usize)> {
        let mut found: Vec<(usize, usize, usize)> = self.all(text).collect();
        // Beginnings that are shorter than others end before them.
        found.sort_unstable_by_key(|(_, start, end)| (*start, std::cmp::Reverse(*end)));
        let mut last = 0;
        found.retain(|(_, start, end)| {
            let is_free = *start >= last;
            last = if is_free { *end } else { last };
            is_free
        });
        found
    }

    /// Whether a pattern stands in a text.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        self.all(text).next().is_some()
    }

    /// Every byte at which a pattern begins, with the longest of one beginning.
    fn all<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = (usize, usize, usize)> + 'a {
        let begin = self.beginnings.iter().flat_map(move |search| search.find_overlapping_iter(text));
        begin.filter_map(move |found| {
            let range = self.ranges.get(found.pattern().as_usize())?.clone();
            let rest = &text[found.start()..];
            // The last pattern that is not behind the text in order begins with all patterns that the text begins with.
            let n_before = self.patterns[range.clone()].partition_point(|pattern| pattern.as_slice() <= rest);
            let mut at = (range.start + n_before).checked_sub(1).filter(|at| range.contains(at));
            while let Some(other) = at.filter(|at| !rest.starts_with(&self.patterns[*at])) {
                at = self.within[other].filter(|at| range.contains(at));
            }
            at.map(|at| (at, found.start(), found.start() + self.patterns[at].len()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aho_corasick::MatchKind;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_found_is_what_an_automaton_of_all_patterns_finds(
            patterns in prop::collection::btree_set("[ab]{1,10}", 0..20),
            text in "[abc]{0,200}",
        ) {
            let patterns: Vec<Vec<u8>> = patterns.into_iter().map(String::into_bytes).collect();
            let rival = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&patterns).unwrap();
            let expected: Vec<_> = rival.find_iter(&text).map(|found| (found.pattern().as_usize(), found.start(), found.end())).collect();
            let search = Search::new(patterns);
            prop_assert_eq!(search.is_in(text.as_bytes()), !expected.is_empty());
            prop_assert_eq!(search.find(text.as_bytes()), expected);
        }
    }
}
