//! Texts of strangers on one line, so that none of them can look like a line of the packet; and back.
//!
//! A line feed stands as `␊`, any other character that acts as `␛{hex}`. Backslashes stay, so that commands can be copied as they are.
//! Every text has exactly one folded form.

use std::fmt::Write as _;

/// Stands for a line feed.
const LINE_FEED: char = '␊';
/// Begins an escape: `␛{2c}`.
const ESCAPE: char = '␛';
/// The most digits of an escape: characters end at 10ffff.
const MAX_DIGITS: usize = 6;

/// Words that stand for the lack of a text.
pub(super) const UNSET: [&str; 2] = ["none", super::PENDING];

/// What a text stands in, which says what else would be misread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A field that always has a text.
    Field,
    /// A field for which a word says that it has none.
    Optional,
    /// A list, in which commas separate.
    List,
}

/// A text on one line.
pub(super) fn fold(text: &str, place: Place) -> String {
    let is_unset_word = place != Place::Field && UNSET.contains(&text);
    let last = text.char_indices().next_back().map(|(at, _)| at);
    let mut folded = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let is_first = at == 0;
        // Spaces at the ends are what editors take away unseen.
        let is_edge_space = c == ' ' && (is_first || Some(at) == last);
        if c == '\n' {
            folded.push(LINE_FEED);
        } else if acts(c) || is_edge_space || (is_first && is_unset_word) || (place == Place::List && c == ',') {
            // Writing to a string cannot fail.
            let _ = write!(folded, "{ESCAPE}{{{:x}}}", u32::from(c));
        } else {
            folded.push(c);
        }
    }
    folded
}

/// The text of a folded form; none where it is not the form that [`fold`] gives.
pub(super) fn unfold(folded: &str, place: Place) -> Option<String> {
    let mut text = String::with_capacity(folded.len());
    let mut rest = folded;
    while let Some(c) = rest.chars().next() {
        rest = rest.strip_prefix(c).unwrap_or_default();
        match c {
            LINE_FEED => text.push('\n'),
            ESCAPE => {
                let (digits, after) = rest.strip_prefix('{')?.split_once('}')?;
                let number = (digits.len() <= MAX_DIGITS).then(|| u32::from_str_radix(digits, 16).ok())??;
                text.push(char::from_u32(number)?);
                rest = after;
            }
            c => text.push(c),
        }
    }
    (fold(&text, place) == folded).then_some(text)
}

/// Whether a character ends a line for some reader, or is one of ours.
fn acts(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | LINE_FEED | ESCAPE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_one_line_and_comes_back() {
        for (text, folded) in [
            ("a\n### Task\n- b", "a␊### Task␊- b"),
            (r"go test -run '^TestA\b' ./...", r"go test -run '^TestA\b' ./..."),
            ("a\r\n\u{2028}\u{85}␊␛{a}", "a␛{d}␊␛{2028}␛{85}␛{240a}␛{241b}{a}"),
            (" a ", "␛{20}a␛{20}"),
            (" ", "␛{20}"),
            ("", ""),
        ] {
            for place in [Place::Field, Place::Optional, Place::List] {
                assert_eq!(fold(text, place), folded);
                assert_eq!(unfold(folded, place).as_deref(), Some(text));
            }
        }
        for (text, place, folded) in [
            ("none", Place::Field, "none"),
            ("none", Place::Optional, "␛{6e}one"),
            ("pending", Place::List, "␛{70}ending"),
            ("a,b", Place::List, "a␛{2c}b"),
            ("a,b", Place::Optional, "a,b"),
        ] {
            assert_eq!(fold(text, place), folded);
            assert_eq!(unfold(folded, place).as_deref(), Some(text));
        }
    }

    #[test]
    fn other_spellings_are_none() {
        for folded in
            ["␛{61}", "␛", "␛{", "␛{}", "␛{d800}", "␛{0d}", "␛{D}", "␛{+d}", "␛{1000000000}", "a\rb", "a ", "a\u{2028}", "a\tb"]
        {
            assert_eq!(unfold(folded, Place::Optional), None, "{folded:?}");
        }
    }
}
