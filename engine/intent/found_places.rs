//! Places that were found, to be taken out of the words of a text.

use super::scripts::is_wide;
use aho_corasick::{AhoCorasick, Input, MatchKind};

/// Places that were found: their pieces are not words, nor are line numbers.
pub(super) struct FoundPlaces(Option<AhoCorasick>);

impl FoundPlaces {
    /// Those of them that can be told from words.
    pub(super) fn new(places: &[&str]) -> Self {
        let places: Vec<&&str> = places.iter().filter(|place| place.contains(['/', '.', ':', '\\'])).collect();
        // Too many places for a search stay words like others.
        let search = || AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(places.iter()).ok();
        Self(if places.is_empty() { None } else { search() })
    }

    /// A text without them, in one pass.
    pub(super) fn removed_from(&self, text: &str) -> String {
        let Some(search) = &self.0 else { return text.to_owned() };
        // `a.go` is not part of `schema.go`.
        let begins =
            |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() && !is_wide(c) || matches!(c, '_' | '-' | '.'));
        let mut left = String::with_capacity(text.len());
        let (mut kept, mut from) = (0, 0);
        while let Some(found) = search.find(Input::new(text).range(from..)) {
            #[cfg(test)]
            work::add(found.end() - from);
            if begins(found.start()) {
                left.push_str(&text[kept..found.start()]);
                #[cfg(test)]
                work::add(found.start() - kept);
                left.push(' ');
                (kept, from) = (found.end(), found.end());
            } else {
                // A shorter place can begin inside of what is none.
                from = found.start() + text[found.start()..].chars().next().map_or(1, char::len_utf8);
            }
        }
        left.push_str(&text[kept..]);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::FoundPlaces;

    #[test]
    fn places_are_taken_out_and_words_that_only_end_like_them_stay() {
        let out = |places: &[&str], text: &str| FoundPlaces::new(places).removed_from(text);
        let places = ["a.go", "auth/a.go", "auth/a.go:12", "login"];
        assert_eq!(out(&places, "see auth/a.go:12 and a.go, not schema.go"), "see   and  , not schema.go");
        assert_eq!(out(&places, "xauth/a.go login"), "xauth/  login");
        assert_eq!(out(&places, "请看auth/a.go的输出"), "请看 的输出");
        assert_eq!(out(&[], "a.go"), "a.go");
    }

    #[test]
    fn a_place_that_stands_everywhere_moves_no_text_twice() {
        let text = "a.go ".repeat(4_000);
        let (left, n_bytes) = work::done_by(|| FoundPlaces::new(&["a.go"]).removed_from(&text));
        assert_eq!(left.trim(), "");
        assert!((1..=2 * text.len()).contains(&(n_bytes as usize)), "{n_bytes} bytes searched and copied");
    }
}
