//! Removes terminal control sequences from logs and messages, before redaction: a colour between a name and its value hides the value.
//!
//! Must not know secrets. Control characters that start no sequence are left for [`super::escape`].

use std::borrow::Cow;

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';
/// One-character forms of `ESC [`, `ESC ]`, `ESC P`, `ESC \` and the other string openers.
const CSI: char = '\u{9b}';
const STRING_TERMINATOR: char = '\u{9c}';

/// Drops CSI, OSC (hyperlinks keep their text), DCS, SOS, PM, APC and two-character escape sequences.
///
/// A string sequence without its terminator ends with its line, so that it cannot swallow the rest of a log.
pub fn strip(text: &str) -> Cow<'_, str> {
    if !text.contains(opens) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(opens) {
        kept.push_str(&rest[..at]);
        rest = after_sequence(&rest[at..]);
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

fn opens(c: char) -> bool {
    matches!(c, ESCAPE | CSI | '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}')
}

/// What follows the sequence that `text` starts with.
fn after_sequence(text: &str) -> &str {
    let mut chars = text.chars();
    match chars.next() {
        Some(CSI) => after_control(chars.as_str()),
        Some(ESCAPE) => match chars.clone().next() {
            Some('[') => after_control(&chars.as_str()[1..]),
            Some(']' | 'P' | 'X' | '^' | '_') => after_string(&chars.as_str()[1..]),
            _ => after_short(chars.as_str()),
        },
        _ => after_string(chars.as_str()),
    }
}

/// Skips parameters and intermediates, then the final character if there is one.
fn after_control(text: &str) -> &str {
    let rest = text.trim_start_matches(|c| matches!(c, ' '..='?'));
    rest.strip_prefix(|c| matches!(c, '@'..='~')).unwrap_or(rest)
}

/// Skips to behind the string terminator, or to the end of the line.
fn after_string(text: &str) -> &str {
    let Some(end) = text.find([BELL, STRING_TERMINATOR, ESCAPE, '\n']) else { return "" };
    let rest = &text[end..];
    if rest.starts_with('\n') {
        return rest;
    }
    rest.strip_prefix("\u{1b}\\").or_else(|| rest.strip_prefix([BELL, STRING_TERMINATOR])).unwrap_or(rest)
}

/// Skips the intermediates and the final character of an escape of no other form.
fn after_short(text: &str) -> &str {
    let rest = text.trim_start_matches(|c| matches!(c, ' '..='/'));
    rest.strip_prefix(|c| matches!(c, '0'..='~')).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::strip;

    #[test]
    fn sequences_go_and_text_stays() {
        for (text, expected) in [
            ("plain", "plain"),
            ("\u{1b}[1mNPM_SECRET\u{1b}[0m=\u{1b}[33mabc\u{1b}[0m", "NPM_SECRET=abc"),
            ("\u{1b}[38;2;1;2;3mred\u{9b}0m", "red"),
            ("\u{1b}]8;;https://a.example\u{1b}\\label\u{1b}]8;;\u{7}", "label"),
            ("\u{1b}P1$r0m\u{1b}\\after", "after"),
            ("\u{1b}]0;title without end\nnext line", "\nnext line"),
            ("\u{1b}(Bascii\u{1b}=", "ascii"),
            ("cut \u{1b}", "cut "),
            ("cut \u{1b}[1", "cut "),
        ] {
            assert_eq!(strip(text), expected, "{text:?}");
        }
    }
}
