//! Sees through what is written around a value: functions that make a secret of a literal, and lists of bytes.

use super::literal::skip_blanks;
use std::ops::Range;

/// Wrappers around one literal, and characters of each.
const MAX_LEVELS: usize = 4;
const MAX_PATH: usize = 64;

/// Last names of functions that make a value of a literal; any other may look one up by the name it is given.
const MAKERS: [&str; 57] = [
    "a2b_hex",
    "atob",
    "b64decode",
    "base64_decode",
    "byte",
    "bytearray",
    "bytes",
    "c_str",
    "charfield",
    "concat",
    "cstring",
    "decode",
    "decode64",
    "decode_from_slice",
    "decode_to_vec",
    "decodebase64",
    "decodehex",
    "decodestring",
    "encode",
    "encodetobytes",
    "field",
    "from",
    "from_base64",
    "from_hex",
    "from_slice",
    "from_str",
    "from_utf8",
    "frombase64",
    "frombase64string",
    "fromhex",
    "fromhexstring",
    "fromstring",
    "getbytes",
    "hex",
    "hex2bin",
    "of",
    "ok",
    "parse",
    "parsehex",
    "parsehexbinary",
    "parsekey",
    "secret",
    "secretstr",
    "secretstring",
    "securestring",
    "some",
    "sprintf",
    "standard_b64decode",
    "str",
    "string",
    "stringbuilder",
    "stringfield",
    "textfield",
    "tobytes",
    "uint8",
    "unhexlify",
    "urlsafe_b64decode",
];

/// Words before a wrapper.
const PREFIXES: [&[u8]; 7] =
    [b"new ", b"await ", b"try ", b"ConvertTo-SecureString -String ", b"ConvertTo-SecureString ", b"&", b"*"];

/// Names of the argument that is the value.
const KEYWORDS: [&[u8]; 4] = [b"default=", b"default = ", b"default: ", b"value="];
/// A list of one value.
const LIST: &[u8] = b"[]string{";

/// Characters of the wrappers that `text` begins with, before the literal they hold: `hex::decode(`, `Some(String::from(`. None where there
/// is no wrapper, or one that is not known.
pub(super) fn before_literal(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    for _ in 0..MAX_LEVELS {
        let start = at;
        while let Some(prefix) = PREFIXES.iter().find(|prefix| text[at..].starts_with(prefix)) {
            at += prefix.len();
        }
        match path(&text[at..]) {
            Some(length) => at += length,
            None if at > start && start == 0 => return Some(at),
            None => break,
        }
        at = skip_space(text, at);
        if let Some(keyword) = KEYWORDS.iter().find(|keyword| text[at..].starts_with(keyword)) {
            at += keyword.len();
        }
    }
    (at > 0).then_some(at)
}

/// Characters of a path with the bracket that opens behind it: `base64.StdEncoding.DecodeString(`, `Base64.getDecoder().decode(`, `(`.
fn path(text: &[u8]) -> Option<usize> {
    if text.starts_with(LIST) {
        return Some(LIST.len());
    }
    let mut at = 0;
    let mut last = at..at;
    while at < MAX_PATH {
        match text.get(at)? {
            b if b.is_ascii_alphanumeric() || *b == b'_' => at += 1,
            b'.' | b':' | b'!' | b'[' | b']' => {
                if text[at] != b'!' {
                    last.start = at + 1;
                }
                at += 1;
            }
            b'(' => {
                last.end = at;
                // A call without arguments in the middle of the path.
                if text[at..].starts_with(b"().") {
                    at += 3;
                    last.start = at;
                    continue;
                }
                let name = text[last.start.min(at)..at].to_ascii_lowercase();
                let name = name.strip_suffix(b"!").unwrap_or(&name);
                let is_maker = name.is_empty() || std::str::from_utf8(name).is_ok_and(|name| MAKERS.binary_search(&name).is_ok());
                return is_maker.then_some(at + 1);
            }
            _ => return None,
        }
    }
    None
}

/// Whether the wrapper that ends at `at` puts its arguments together.
pub(super) fn is_joining(text: &[u8], at: usize) -> bool {
    let before = text[at.saturating_sub(MAX_PATH)..at].trim_ascii_end();
    [&b"concat!("[..], b"concat(", b"CONCAT("].iter().any(|end| before.ends_with(end))
}

/// Characters of a type or constructor before a list of bytes: `[u8; 32] = `, `new Uint8Array(`.
const MAX_TYPE: usize = 64;
/// Bytes of a key, and the fewest that differ.
const BYTES: std::ops::RangeInclusive<usize> = 16..=4_096;
const MIN_OTHERS: usize = 10;

/// The numbers of a list of bytes that begins at `at`, behind its type: `[0x1f, 0x2b, …]`, `[]byte{31, 43, …}`.
pub(super) fn bytes(text: &[u8], at: usize) -> Option<Range<usize>> {
    let head = &text[at..text.len().min(at + MAX_TYPE)];
    let is_type = |b: &u8| b.is_ascii_alphanumeric() || b"_[]{}(<>&!:.;*= ,'\"\n\t".contains(b);
    let open = head.iter().enumerate().take_while(|(_, b)| is_type(b));
    let mut opens = open.filter(|(_, b)| matches!(b, b'[' | b'{' | b'(')).map(|(i, _)| at + i + 1);
    opens.find_map(|open| numbers(text, skip_space(text, open)))
}

fn numbers(text: &[u8], start: usize) -> Option<Range<usize>> {
    let mut at = start;
    let mut end = start;
    let mut seen = [false; 256];
    let (mut n, mut n_steps, mut last) = (0, 0, 0);
    while n < *BYTES.end() {
        let Some((value, length)) = number(&text[at..text.len().min(at + 12)]) else { break };
        n_steps += usize::from(value.abs_diff(last) <= 1);
        last = value;
        seen[usize::from(value)] = true;
        n += 1;
        end = at + length;
        at = skip_space(text, end);
        if text.get(at) != Some(&b',') {
            break;
        }
        at = skip_space(text, at + 1);
    }
    let closes = matches!(text.get(skip_space(text, end)), Some(b']' | b'}' | b')' | b','));
    let n_others = seen.iter().filter(|seen| **seen).count();
    (closes && BYTES.contains(&n) && n_others >= MIN_OTHERS && n_others * 3 >= n.min(192) && n_steps * 3 < n)
        .then_some(start..end)
}

/// One byte, and its length: `31`, `-7`, `0x1F`, `0x1fu8`, `(byte) 0x1f`.
fn number(text: &[u8]) -> Option<(u8, usize)> {
    let cast = [&b"(byte) "[..], b"(byte)"].iter().find(|cast| text.starts_with(cast)).map_or(0, |cast| cast.len());
    let rest = &text[cast..];
    let sign = usize::from(rest.first() == Some(&b'-'));
    let is_hex = rest[sign..].starts_with(b"0x") || rest[sign..].starts_with(b"0X");
    let from = sign + if is_hex { 2 } else { 0 };
    let is_digit = |b: &&u8| if is_hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let digits = rest.get(from..)?.iter().take(4).take_while(is_digit).count();
    let number = std::str::from_utf8(rest.get(from..from + digits)?).ok()?;
    let value = u16::from_str_radix(number, if is_hex { 16 } else { 10 }).ok().filter(|value| *value < 256)? as u8;
    let suffix = usize::from(rest[from + digits..].starts_with(b"u8")) * 2;
    Some((value, cast + from + digits + suffix))
}

/// Behind blanks and line ends.
fn skip_space(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while text.get(at).is_some_and(|b| matches!(b, b'\n' | b'\r')) || skip_blanks(text, at, text.len()) > at {
        at = skip_blanks(text, at, text.len()) + usize::from(text.get(at).is_some_and(|b| matches!(b, b'\n' | b'\r')));
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{MAKERS, before_literal, bytes};

    #[test]
    fn wrappers_that_make_a_value_are_seen_through() {
        assert!(MAKERS.is_sorted());
        for text in [
            "hex!(",
            "hex::decode(",
            "base64.StdEncoding.DecodeString(",
            "bytes.fromhex(",
            "Base64.getDecoder().decode(",
            "Some(String::from(",
            "new SecretString(Buffer.from(",
            "[]byte(",
            "(",
            "ConvertTo-SecureString -String ",
        ] {
            assert_eq!(before_literal(format!("{text}\"x\")").as_bytes()), Some(text.len()), "{text}");
        }
        for text in ["os.Getenv(", "lookup(", "config.get(", "x"] {
            assert_eq!(before_literal(format!("{text}\"x\")").as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn lists_of_bytes_are_told_from_lists_of_numbers() {
        let drawn = "153, 253, 175, 229, 147, 37, 60, 214, 84, 175, 77, 12, 9, 201, 33, 78";
        for text in [
            format!("[{drawn}]"),
            format!("[u8; 16] = [\n  {drawn},\n];"),
            format!("[]byte{{{drawn}}}"),
            format!("bytes([{drawn}])"),
        ] {
            let found = bytes(text.as_bytes(), 0).map(|range| &text[range]);
            assert_eq!(found, Some(drawn), "{text}");
        }
        for text in ["[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]", "[0; 32]", "[16, 24, 32]", "[300, 200]"] {
            assert_eq!(bytes(text.as_bytes(), 0), None, "{text}");
        }
    }
}
