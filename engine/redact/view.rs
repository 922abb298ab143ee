//! The text that detectors read: without what splits a name from its value and shows nothing.
//!
//! Drops terminal sequences, raw or written as escapes, byte order marks, zero-width characters, and the zero bytes that make ASCII of
//! UTF-16. Spans are moved back to the bytes of the original.

use super::span::MaskSpan;
use aho_corasick::AhoCorasick;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A text as detectors read it.
pub(super) struct View<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    /// Where runs of kept bytes begin: here and in the original. Empty where everything is kept.
    runs: Vec<(usize, usize)>,
}

/// What begins a terminal sequence.
const SEQUENCES: [&[u8]; 8] = [b"\x1b", b"\xc2\x9b", b"\\u001b[", b"\\u001B[", b"\\x1b[", b"\\x1B[", b"\\033[", b"\\e["];
/// What is dropped as it stands: the bytes that make UTF-16 of ASCII, and characters that show nothing written as escapes.
const DROPPED: [&[u8]; 8] = [b"\0", b"\xff\xfe", b"\xfe\xff", b"\\u00ad", b"\\u00AD", b"\\u200b", b"\\u200B", b"&shy;"];
/// Characters that show nothing: soft hyphens, marks of direction, joiners, selectors of a form, tags.
const UNSEEN: [std::ops::RangeInclusive<char>; 9] = [
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{180b}'..='\u{180e}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{e0000}'..='\u{e007f}',
];

/// The first two bytes of these: a few patterns are found much faster than two hundred.
const HEADS: [&[u8]; 8] =
    [b"\xc2\xad", b"\xcd\x8f", b"\xe1\xa0", b"\xe2\x80", b"\xe2\x81", b"\xef\xb8", b"\xef\xbb", b"\xf3\xa0"];

/// What is dropped, or begins what is dropped.
static HIDDEN: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let patterns = SEQUENCES.iter().chain(&DROPPED).chain(&HEADS);
    AhoCorasick::new(patterns).expect("a few short patterns")
});
const ESCAPE: u8 = 0x1b;
const BELL: u8 = 7;
/// A terminal sequence is no longer; what is longer is text.
const MAX_SEQUENCE: usize = 64;

impl<'a> View<'a> {
    /// Without what shows nothing: a name and its value stand beside each other.
    pub(super) fn joined(text: &'a [u8]) -> Self {
        Self::of(text, false)
    }

    /// With a blank for each of what shows nothing: a token behind a colour has the border that it shows.
    pub(super) fn parted(text: &'a [u8]) -> Self {
        Self::of(text, true)
    }

    /// Whether there was nothing to drop.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.bytes, Cow::Borrowed(_))
    }

    fn of(text: &'a [u8], with_blanks: bool) -> Self {
        let mut bytes = Vec::new();
        let mut runs = Vec::new();
        let mut from = 0;
        for found in HIDDEN.find_iter(text) {
            if found.start() < from {
                continue;
            }
            let end = match found.pattern().as_usize() {
                pattern if pattern < SEQUENCES.len() => sequence_end(text, found.end()),
                pattern if pattern < SEQUENCES.len() + DROPPED.len() => found.end(),
                _ => match unseen_end(text, found.start()) {
                    Some(end) => end,
                    None => continue,
                },
            };
            if found.start() > from {
                runs.push((bytes.len(), from));
                bytes.extend_from_slice(&text[from..found.start()]);
            }
            if with_blanks && text[found.start()] != 0 {
                runs.push((bytes.len(), found.start()));
                bytes.push(b' ');
            }
            from = end;
        }
        if from == 0 {
            return Self { bytes: Cow::Borrowed(text), runs };
        }
        if from < text.len() {
            runs.push((bytes.len(), from));
            bytes.extend_from_slice(&text[from..]);
        }
        Self { bytes: Cow::Owned(bytes), runs }
    }

    /// The span in the original: what was dropped inside it goes with it, what was dropped around it stays.
    pub(super) fn original(&self, span: MaskSpan) -> MaskSpan {
        if self.runs.is_empty() || span.start >= span.end {
            return span;
        }
        let place = |at: usize| {
            let after = self.runs.partition_point(|(view, _)| *view <= at);
            let (view, original) = after.checked_sub(1).and_then(|run| self.runs.get(run)).copied().unwrap_or_default();
            original + (at - view)
        };
        MaskSpan { start: place(span.start), end: place(span.end - 1) + 1, kind: span.kind }
    }
}

/// Where the character ends that begins at `at`, if it shows nothing.
fn unseen_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + 4)];
    let character = rest.utf8_chunks().next()?.valid().chars().next()?;
    UNSEEN.iter().any(|range| range.contains(&character)).then(|| at + character.len_utf8())
}

/// Where the terminal sequence ends whose opening ends at `at`: a colour or a move of the cursor. Of others only the opening is dropped,
/// for they can hold text, an address for example.
fn sequence_end(text: &[u8], at: usize) -> usize {
    let rest = &text[at..text.len().min(at + MAX_SEQUENCE)];
    let rest = if matches!(text[at - 1], b'[' | 0x9b) {
        rest
    } else {
        match rest {
            [b'[', parameters @ ..] => parameters,
            [b'(' | b')', b'A' | b'B' | b'0', ..] => return at + 2,
            // The end of a link, and a string that ends.
            [b']', b'8', b';', b';', ESCAPE, b'\\', ..] => return at + 6,
            [b']', b'8', b';', b';', BELL, ..] => return at + 5,
            [b'\\', ..] => return at + 1,
            _ => return at,
        }
    };
    let length = rest.iter().take_while(|b| matches!(b, b'0'..=b'9' | b';' | b':' | b'?')).count();
    let is_final = match rest.get(length) {
        Some(b'm' | b'K' | b'J' | b'H' | b'A'..=b'D' | b'G') => true,
        Some(b'h' | b'l') => rest.first() == Some(&b'?'),
        _ => false,
    };
    if is_final { at + (text.len().min(at + MAX_SEQUENCE) - at - rest.len()) + length + 1 } else { at }
}

#[cfg(test)]
mod tests {
    use super::{MaskSpan, View};

    #[test]
    fn what_shows_nothing_is_not_read_and_spans_go_back() {
        for (text, expected) in [
            (&b"a\x1b[1;31mb\x1b[0m=c"[..], &b"ab=c"[..]),
            (b"a\x1b]8;;x\x07b\x1b(Bc\x1b[Rd", b"a]8;;x\x07bc[Rd"),
            (br"a\u001b[31mb\x1b[0mc\033[md", b"abcd"),
            (b"\xef\xbb\xbfa\xe2\x80\x8bb", b"ab"),
            (b"\xff\xfea\0b\0\n\0", b"ab\n"),
            (b"\xfe\xff\0a\0b", b"ab"),
            ("a\u{ad}b\u{200f}c\u{fe0f}d\u{e0041}e\u{2019}f".as_bytes(), "abcde\u{2019}f".as_bytes()),
            (b"a\xe2\x80", b"a\xe2\x80"),
            (b"plain", b"plain"),
            (b"end\x1b", b"end"),
        ] {
            let view = View::joined(text);
            assert_eq!(&*view.bytes, expected, "{text:?}");
            let parted = View::parted(text);
            assert_eq!(parted.bytes.iter().filter(|b| **b != b' ').count(), expected.len());
            for start in 0..view.bytes.len() {
                for end in start + 1..=view.bytes.len() {
                    let span = view.original(MaskSpan { start, end, kind: "x" });
                    assert_eq!(text[span.start], view.bytes[start]);
                    assert_eq!(text[span.end - 1], view.bytes[end - 1]);
                }
            }
        }
    }
}
