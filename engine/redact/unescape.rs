//! What a text means that is written with escapes: those of an address, of XML, of literals. Everybody escapes other characters, and in other
//! ways, so a value is looked for in what is meant as well.

use memchr::memchr3_iter;

/// What an escape stands for, in bytes, and its length, sign and all.
type Escape = (Meaning, usize);

/// A character, or a byte of one.
#[derive(Debug, Clone, Copy)]
struct Meaning {
    bytes: [u8; 4],
    n_bytes: usize,
}

impl Meaning {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.n_bytes]
    }
}

impl From<char> for Meaning {
    fn from(character: char) -> Self {
        let mut bytes = [0; 4];
        let n_bytes = character.encode_utf8(&mut bytes).len();
        Self { bytes, n_bytes }
    }
}

impl From<u8> for Meaning {
    fn from(byte: u8) -> Self {
        Self { bytes: [byte, 0, 0, 0], n_bytes: 1 }
    }
}

/// Reads the escape that a text begins with.
type Reader = fn(&[u8]) -> Option<Escape>;

/// The ways to read an escape, by its sign.
const READERS: [(u8, Reader); 3] = [(b'%', percent), (b'&', entity), (b'\\', backslash)];

/// What a value means in each of the ways to write escapes.
pub(super) fn meant(value: &[u8]) -> Vec<Vec<u8>> {
    let mut meant: Vec<Vec<u8>> = READERS.iter().map(|(sign, read)| unescaped(value, *sign, *read)).collect();
    meant.retain(|text| text != value);
    meant
}

fn unescaped(value: &[u8], sign: u8, read: Reader) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len());
    let mut rest = value;
    while let Some(first) = rest.first() {
        if let Some((meaning, length)) = read(rest).filter(|_| *first == sign) {
            text.extend(meaning.bytes());
            rest = rest.get(length..).unwrap_or_default();
        } else {
            text.push(*first);
            rest = &rest[1..];
        }
    }
    text
}

/// A text with every escape as what it means, and where its parts stand.
pub(super) struct Meant {
    pub(super) bytes: Vec<u8>,
    /// Where a part begins: here and in the original. The last is the end of both.
    parts: Vec<(usize, usize)>,
}

impl Meant {
    /// What a text means; none where nothing is escaped.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        let mut meant = Self { bytes: Vec::new(), parts: Vec::new() };
        let mut copied = 0;
        for at in memchr3_iter(b'%', b'&', b'\\', text) {
            let rest = &text[at..];
            let reader = READERS.iter().find(|(sign, _)| *sign == text[at]).filter(|_| at >= copied);
            let Some((meaning, length)) = reader.and_then(|(_, read)| read(rest)) else { continue };
            meant.copy(text, copied, at);
            meant.parts.push((meant.bytes.len(), at));
            meant.bytes.extend(meaning.bytes());
            copied = at + length;
        }
        if copied == 0 {
            return None;
        }
        meant.copy(text, copied, text.len());
        meant.parts.push((meant.bytes.len(), text.len()));
        Some(meant)
    }

    fn copy(&mut self, text: &[u8], from: usize, to: usize) {
        if from < to {
            self.parts.push((self.bytes.len(), from));
            self.bytes.extend_from_slice(&text[from..to]);
        }
    }

    /// The range in the original, with the whole of each escape.
    pub(super) fn original(&self, start: usize, end: usize) -> (usize, usize) {
        // The part in which a byte stands, and the one behind it.
        let parts = |at: usize| {
            let after = self.parts.partition_point(|(here, _)| *here <= at);
            let part = after.checked_sub(1).and_then(|part| self.parts.get(part)).copied().unwrap_or_default();
            (part, self.parts.get(after).copied().unwrap_or(part))
        };
        // An escape is longer than what it means, and goes as a whole.
        let first = |at: usize| {
            let ((here, original), next) = parts(at);
            if next.0 - here == next.1 - original { original + (at - here) } else { original }
        };
        let behind = |last: usize| {
            let ((here, original), next) = parts(last);
            if next.0 - here == next.1 - original { original + (last - here) + 1 } else { next.1 }
        };
        (first(start), behind(end.saturating_sub(1).max(start)))
    }
}

/// A number in so many digits.
fn number(text: Option<&[u8]>, radix: u32) -> Option<u32> {
    let text = std::str::from_utf8(text?).ok().filter(|text| text.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    u32::from_str_radix(text, radix).ok()
}

fn character(text: Option<&[u8]>, radix: u32) -> Option<Meaning> {
    char::from_u32(number(text, radix)?).map(Meaning::from)
}

/// A byte, of which a character can have several.
fn percent(text: &[u8]) -> Option<Escape> {
    Some((Meaning::from(number(text.get(1..3), 16)? as u8), 3))
}

fn entity(text: &[u8]) -> Option<Escape> {
    const NAMED: [(&[u8], char); 5] = [(b"&amp;", '&'), (b"&lt;", '<'), (b"&gt;", '>'), (b"&quot;", '"'), (b"&apos;", '\'')];
    if let Some((name, meant)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some(((*meant).into(), name.len()));
    }
    let (digits, end) = until(text.strip_prefix(b"&#")?, b';')?;
    let meaning = match digits.split_first()? {
        (b'x' | b'X', hex) => character(Some(hex), 16)?,
        _ => character(Some(digits), 10)?,
    };
    Some((meaning, end + 2))
}

/// The longest number of a character that is closed by a sign.
const MAX_DIGITS: usize = 8;

/// What stands before a sign that is near, and where that ends.
fn until(text: &[u8], sign: u8) -> Option<(&[u8], usize)> {
    let end = text.iter().take(MAX_DIGITS).position(|b| *b == sign)?;
    Some((&text[..end], end + 1))
}

fn backslash(text: &[u8]) -> Option<Escape> {
    let fixed =
        |digits: std::ops::Range<usize>, radix| character(text.get(digits.clone()), radix).map(|meaning| (meaning, digits.end));
    match text.get(1)? {
        b'u' if text.get(2) == Some(&b'{') => {
            let (digits, end) = until(text.get(3..)?, b'}')?;
            Some((character(Some(digits), 16)?, end + 3))
        }
        b'u' => fixed(2..6, 16).or_else(|| pair(text)),
        b'U' => fixed(2..10, 16),
        b'x' => fixed(2..4, 16),
        b'0'..=b'3' => number(text.get(1..4).filter(|digits| digits.iter().all(|b| matches!(b, b'0'..=b'7'))), 8)
            .map(|byte| (Meaning::from(byte as u8), 4)),
        b'n' => Some(('\n'.into(), 2)),
        b't' => Some(('\t'.into(), 2)),
        sign if sign.is_ascii_punctuation() => Some(((*sign).into(), 2)),
        _ => None,
    }
}

/// A character in two halves, as JSON writes those of the higher planes.
fn pair(text: &[u8]) -> Option<Escape> {
    let second = text.get(6..12).filter(|second| second.starts_with(b"\\u"))?;
    let halves = [number(text.get(2..6), 16)? as u16, number(second.get(2..), 16)? as u16];
    let character = char::decode_utf16(halves).next()?.ok()?;
    Some((character.into(), 12))
}

#[cfg(test)]
mod tests {
    use super::Meant;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_lie_in_the_original_and_hold_whole_escapes(text in r"([a-z%&\\;#xu{}0-9é]|%41|%c3|&amp;|&#65;|\\u0041|\\ud83d\\udd25|\\n){0,40}") {
            let Some(meant) = Meant::of(text.as_bytes()) else { return Ok(()) };
            for at in 0..meant.bytes.len() {
                let (from, to) = meant.original(at, at + 1);
                prop_assert!(from < to && to <= text.len());
                // What stands before and behind it means what it did, but for a character in several bytes.
                let means = |text: &[u8]| Meant::of(text).map_or_else(|| text.to_vec(), |meant| meant.bytes);
                let (before, after) = (means(&text.as_bytes()[..from]), means(&text.as_bytes()[to..]));
                prop_assert!(meant.bytes[..at].starts_with(&before) && meant.bytes[at + 1..].ends_with(&after));
                prop_assert!(before.len() + after.len() + 4 >= meant.bytes.len(), "{text}");
            }
        }
    }
}
