//! Makes characters visible that would otherwise act, hide or reorder: controls, bidirectional marks, zero-width and tag characters.
//!
//! The last step before text leaves. Must not know secrets: masks are found on the original bytes, before any character is replaced.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes running text: line feeds and tabs stay, a carriage return before a line feed goes, every other hidden character turns to
/// `\u{202e}`.
pub fn text(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'), true)
}

/// Escapes a name or another short label: as [`text`], and also line ends, tabs and variation selectors, for a name is one line.
pub fn name(name: &str) -> Cow<'_, str> {
    escaped(name, |c| is_hidden(c) || is_variation(c), false)
}

/// Turns bytes to text; each byte that is not UTF-8 stands as `\xff`. Escapes nothing else.
pub fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    Cow::Owned(text)
}

fn escaped(text: &str, hidden: impl Fn(char) -> bool, line_ends: bool) -> Cow<'_, str> {
    // Nearly all text is printable ASCII: bytes are cheaper to look at than characters.
    let is_plain = |b: u8| matches!(b, b' '..=b'~') || (line_ends && matches!(b, b'\n' | b'\t'));
    if text.bytes().all(is_plain) || !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut visible = String::with_capacity(text.len() + text.len() / 8);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if line_ends && c == '\r' && chars.peek() == Some(&'\n') {
            continue;
        }
        if hidden(c) {
            let _ = write!(visible, "\\u{{{:x}}}", u32::from(c));
        } else {
            visible.push(c);
        }
    }
    Cow::Owned(visible)
}

/// Whether a reader cannot see the character or it changes how others are shown.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' // C0, DEL, C1
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
        // Line and paragraph separators: a line to some readers, none to others.
        | '\u{2028}' | '\u{2029}'
        | '\u{e0000}'..='\u{e007f}')
}

/// Variation selectors: two names that differ in one look the same. Running text keeps them, emoji need them.
fn is_variation(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::{name, text, utf8};
    use std::borrow::Cow;

    #[test]
    fn hidden_characters_become_visible() {
        assert_eq!(text("a\u{202e}b\u{0}\u{7f}\u{85}\u{e0041}"), r"a\u{202e}b\u{0}\u{7f}\u{85}\u{e0041}");
        assert_eq!(text("tab\tline\r\nlone\rcr"), "tab\tline\nlone\\u{d}cr");
        assert_eq!(name("a\n\tb\u{fe0f}"), r"a\u{a}\u{9}b\u{fe0f}");
        assert_eq!(text("ключ «é» ❤\u{fe0f}"), "ключ «é» ❤\u{fe0f}");
    }

    #[test]
    fn ordinary_text_is_not_copied() {
        assert!(matches!(text("fn main() {\n\tlet é = 1;\n}\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_shown() {
        assert_eq!(utf8(b"a\xff\xc3(\xe2\x82"), r"a\xff\xc3(\xe2\x82");
    }
}
