//! Takes the endings of English off words, so that "tokens", "validated" and "parsing" meet `token`, `validate` and `parse`.
//!
//! A few rules of our own instead of a full stemmer: identifiers are short and technical, and what matters is that all forms of one word
//! end up alike, not that the result is a word. Must not know which words exist.

use std::borrow::Cow;

/// Endings with what takes their place; the first that fits counts, so longer ones stand before those that end them.
const ENDINGS: [(&str, &str); 13] = [
    ("ies", "y"),
    ("ations", "at"),
    ("ation", "at"),
    ("ings", ""),
    ("ing", ""),
    ("edly", ""),
    ("ed", ""),
    ("ers", ""),
    ("er", ""),
    ("es", ""),
    ("s", ""),
    ("ly", ""),
    ("e", ""),
];

/// Endings before which the last letter is often doubled: `skipped` is `skip`.
const DOUBLING: [&str; 5] = ["ings", "ing", "ed", "ers", "er"];

/// Fewest bytes that an ending leaves: less is no stem.
const MIN_STEM: usize = 3;

/// The stem of a lower-cased word; a word with other than ASCII letters is its own.
pub fn stem(word: &str) -> Cow<'_, str> {
    let fits = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.len() >= MIN_STEM);
    let found = ENDINGS.iter().find_map(|(ending, instead)| Some((fits(ending)?, *ending, *instead)));
    let Some((stem, ending, instead)) = found.filter(|_| word.is_ascii()) else { return Cow::Borrowed(word) };
    let mut letters = stem.bytes().rev();
    let is_doubled = letters.next().is_some_and(|last| Some(last) == letters.next());
    let stem = if is_doubled && stem.len() > MIN_STEM && DOUBLING.contains(&ending) { &stem[..stem.len() - 1] } else { stem };
    if instead.is_empty() { Cow::Borrowed(stem) } else { Cow::Owned(format!("{stem}{instead}")) }
}

/// What all words with this stem begin with.
pub(super) fn beginning(stem: &str) -> &str {
    stem.strip_suffix('y').unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_meet_and_other_words_do_not() {
        let alike = [
            "token tokens",
            "validate validates validated validating validation validations",
            "flush flushes flushed flushing",
            "skip skips skipped skipping",
            "entry entries",
            "parse parses parsed parsing parser parsers",
            "header headers",
            "retry retries",
            "cache caches cached caching",
        ];
        for words in alike {
            let stems: Vec<_> = words.split(' ').map(stem).collect();
            assert!(stems.iter().all(|other| *other == stems[0]), "{words}: {stems:?}");
            for (word, stem) in words.split(' ').zip(&stems) {
                assert!(word.starts_with(beginning(stem)), "{word} {stem}");
            }
        }
        for (one, other) in [("pass", "path"), ("string", "stripe"), ("user", "use"), ("as", "a"), ("größe", "größ")] {
            assert_ne!(stem(one), stem(other));
        }
    }
}
