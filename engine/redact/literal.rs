//! Reads the value that starts at a byte: quoted in any of the usual ways, or bare up to where it must end.

use super::place::Format;
use std::ops::Range;

/// How a quoted value opens, and so how it closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quote {
    /// A mark behind this many backslashes: text within text.
    Mark { mark: u8, backslashes: usize },
    /// Three marks: text of several lines.
    Triple(u8),
    /// A mark written as an entity of XML or HTML.
    Entity(&'static [u8]),
    /// A mark and so many hashes: `r##"…"##`.
    Hashed(usize),
    /// A mark in a text in which a backslash means nothing: `'C:\x'` in YAML, `` `…` `` in Go.
    Raw(u8),
}

impl Quote {
    /// The same in a text in which a backslash between single quotes means nothing.
    pub(super) fn raw(self, is_raw: bool) -> Self {
        match self {
            Self::Mark { mark: mark @ b'\'', backslashes: 0 } if is_raw => Self::Raw(mark),
            quote => quote,
        }
    }
}

const ENTITIES: [&[u8]; 6] = [b"&quot;", b"&apos;", b"&#34;", b"&#39;", b"&#x22;", b"\\u0022"];
/// Backslashes before one quote; more is noise.
const MAX_BACKSLASHES: usize = 15;
/// Letters that may stand before a literal: `b"…"`, `rb'…'`, `@"…"`, `L"…"`.
const MAX_PREFIX: usize = 2;

/// The quote that opens at `at`, and its length.
pub(super) fn quote_at(text: &[u8], at: usize) -> Option<(Quote, usize)> {
    let rest = text.get(at..)?;
    if let Some(entity) = ENTITIES.iter().find(|entity| rest.starts_with(entity)) {
        return Some((Quote::Entity(entity), entity.len()));
    }
    let backslashes = rest.iter().take(MAX_BACKSLASHES).take_while(|b| **b == b'\\').count();
    let mark = *rest.get(backslashes).filter(|b| matches!(b, b'"' | b'\'' | b'`'))?;
    if backslashes == 0 && mark != b'`' && rest.starts_with(&[mark; 3]) {
        return Some((Quote::Triple(mark), 3));
    }
    Some((Quote::Mark { mark, backslashes }, backslashes + 1))
}

/// Quotes of Ruby, Perl, Lua, Swift and Nix: what opens and what closes.
const OWN: [(&[u8], &[u8]); 12] = [
    (b"%q{", b"}"),
    (b"%q(", b")"),
    (b"%q[", b"]"),
    (b"%Q{", b"}"),
    (b"%Q(", b")"),
    (b"qq{", b"}"),
    (b"qq(", b")"),
    (b"q{", b"}"),
    (b"q(", b")"),
    (b"[[", b"]]"),
    (b"#\"", b"\"#"),
    (b"''", b"''"),
];

/// Where a literal opens at `at`, behind its letters: `b"…"`, `$"…"`, `r#"…"#`.
pub(super) fn literal_at(text: &[u8], at: usize) -> Option<(Quote, usize)> {
    let rest = text.get(at..)?;
    let own = OWN.iter().find(|(open, _)| rest.starts_with(open) && rest.get(open.len()).is_some_and(u8::is_ascii_alphanumeric));
    if let Some((open, close)) = own {
        return Some((Quote::Entity(close), open.len()));
    }
    let mut prefix = rest
        .iter()
        .take(MAX_PREFIX)
        .take_while(|b| matches!(b, b'b' | b'r' | b'f' | b'u' | b'R' | b'L' | b'N' | b'@' | b'$'))
        .count();
    if prefix > 0 {
        let hashes = rest[prefix..].iter().take(MAX_PREFIX).take_while(|b| **b == b'#').count();
        if hashes > 0 && rest.get(prefix + hashes) == Some(&b'"') && rest[..prefix].contains(&b'r') {
            return Some((Quote::Hashed(hashes), prefix + hashes + 1));
        }
        prefix += hashes;
    }
    (0..=prefix).rev().find_map(|skip| quote_at(text, at + skip).map(|(quote, length)| (quote, skip + length)))
}

/// Where the value of a quote ends that begins at `start`: the value's end and the end of the closing mark. Without a closing mark before
/// `limit`, or before the end of the line where the quote cannot hold one, nothing.
pub(super) fn closed(text: &[u8], start: usize, limit: usize, quote: Quote) -> Option<(usize, usize)> {
    let limit = limit.min(text.len());
    let mut i = start;
    while i < limit {
        #[cfg(test)]
        work::add(1);
        match quote {
            Quote::Entity(entity) if text[i..limit].starts_with(entity) => return Some((i, i + entity.len())),
            Quote::Triple(mark) if text[i..limit].starts_with(&[mark; 3]) => return Some((i, i + 3)),
            Quote::Hashed(n) if text[i] == b'"' && text[i + 1..limit].iter().take_while(|b| **b == b'#').count() >= n => {
                return Some((i, i + 1 + n));
            }
            Quote::Raw(mark) if text[i] == mark => {
                // `it''s` in YAML, `it'\''s` in a shell.
                let rest = &text[i + 1..limit];
                let skip = if rest.first() == Some(&mark) && i > start {
                    2
                } else if rest.starts_with(b"\\''") {
                    4
                } else {
                    0
                };
                if skip == 0 {
                    return Some((i, i + 1));
                }
                i += skip;
                continue;
            }
            Quote::Mark { mark, backslashes } => {
                let n = text[i..limit].iter().take_while(|b| **b == b'\\').count();
                match text.get(i + n).filter(|_| i + n < limit) {
                    Some(b) if *b == mark => {
                        // A mark behind more backslashes than the opening one belongs to the value.
                        let closes = if backslashes == 0 { n % 2 == 0 } else { n <= backslashes };
                        let is_doubled = n == 0 && mark == b'\'' && i > start && text.get(i + 1) == Some(&mark);
                        if is_doubled {
                            i += 2;
                            continue;
                        }
                        if closes {
                            return Some((if backslashes == 0 { i + n } else { i }, i + n + 1));
                        }
                        i += n + 1;
                    }
                    // The line goes on behind a backslash.
                    Some(b'\n') if mark != b'`' && n % 2 == 1 => i += n + 1,
                    Some(b'\n') if mark != b'`' => return None,
                    _ => i += n.max(1),
                }
                continue;
            }
            Quote::Entity(_) | Quote::Raw(_) if text[i] == b'\n' => return None,
            _ => {}
        }
        i += 1;
    }
    None
}

/// The bare word that starts at `start`, up to a blank, a quote or the end of the line; cut where another name begins behind a separator.
pub(super) fn word(text: &[u8], start: usize, limit: usize) -> Range<usize> {
    let limit = limit.min(text.len());
    let line = &text[start..limit];
    let mut length = line.len();
    for (i, b) in line.iter().enumerate() {
        let escapes = *b == b'\\'
            && line.get(i + 1).is_none_or(|next| matches!(next, b'n' | b'r' | b't' | b'"' | b'\'' | b'\\' | b'\r' | b'\n'));
        let is_entity =
            *b == b'&' && ENTITIES.iter().chain(&[&b"&lt;"[..], b"&gt;", b"&amp;"]).any(|entity| line[i..].starts_with(entity));
        if b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b'<' | b'>' | b'|') || escapes || is_entity {
            length = i;
            break;
        }
    }
    #[cfg(test)]
    work::add(length);
    let mut value = &line[..length];
    let separators = value.iter().enumerate().filter(|(_, b)| matches!(b, b'&' | b';' | b','));
    if let Some((cut, _)) = separators.into_iter().find(|(i, _)| begins_pair(&value[i + 1..])) {
        value = &value[..cut];
    }
    while let Some((b',' | b';' | b'.' | b')' | b']' | b'}' | b':', rest)) = value.split_last() {
        value = rest;
    }
    start..start + value.len()
}

/// Characters of a name behind a separator: `…;Encrypt=true`.
const MAX_PAIR_NAME: usize = 32;

fn begins_pair(rest: &[u8]) -> bool {
    let name = rest
        .iter()
        .take(MAX_PAIR_NAME)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b' '))
        .count();
    rest.is_empty() || name > 0 && matches!(rest.get(name), Some(b'=' | b':'))
}

/// The rest of the line from `start` without a comment, the blanks before it and a closing comma.
pub(super) fn setting(text: &[u8], start: usize, limit: usize) -> Range<usize> {
    let line = &text[start..limit.min(text.len())];
    let line = &line[..line.iter().position(|b| *b == b'\n').unwrap_or(line.len())];
    #[cfg(test)]
    work::add(line.len());
    let comment = line.windows(2).position(|pair| matches!(pair, b" #" | b"\t#" | b" ;" | b"\t;")).unwrap_or(line.len());
    let mut value = line[..comment].trim_ascii_end();
    while let Some((b',' | b'\\' | b';', rest)) = value.split_last() {
        value = rest.trim_ascii_end();
    }
    // `…;Encrypt=true`, `…&user=x`: the value is one of several.
    let separators = value.iter().enumerate().filter(|(_, b)| matches!(b, b'&' | b';'));
    if let Some((cut, _)) = separators.into_iter().find(|(i, _)| begins_pair(&value[i + 1..])) {
        value = &value[..cut];
    }
    start..start + value.len()
}

/// The rest of the line from `start` as a file of names and values has it: no comment, no blanks at its end, and no further than `limit`.
pub(super) fn rest(text: &[u8], start: usize, limit: usize, format: Format) -> Range<usize> {
    let limit = limit.min(text.len());
    let mut end = line_end(text, start, limit);
    while format == Format::Properties && end < limit && text[start..end].trim_ascii_end().ends_with(b"\\") {
        end = line_end(text, end + 1, limit);
    }
    #[cfg(test)]
    work::add(end - start);
    let line = &text[start..end];
    let comments: &[u8] = match format {
        Format::Properties | Format::Blank => b"",
        Format::Yaml | Format::Shell => b"#",
        Format::Ini => b"#;",
    };
    let comment = line.windows(2).position(|pair| matches!(pair[0], b' ' | b'\t') && comments.contains(&pair[1]));
    start..start + line[..comment.unwrap_or(line.len())].trim_ascii_end().len()
}

/// The end of the line that holds `at`, no further than `limit`.
pub(super) fn line_end(text: &[u8], at: usize, limit: usize) -> usize {
    let limit = limit.min(text.len());
    let at = at.min(limit);
    text[at..limit].iter().position(|b| *b == b'\n').map_or(limit, |length| at + length)
}

/// Behind the blanks at `at`.
pub(super) fn skip_blanks(text: &[u8], at: usize, limit: usize) -> usize {
    let limit = limit.min(text.len());
    let at = at.min(limit);
    at + text[at..limit].iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

#[cfg(test)]
mod tests {
    use super::{closed, literal_at, setting, word};

    #[track_caller]
    fn read(text: &str) -> Option<&str> {
        let (quote, length) = literal_at(text.as_bytes(), 0)?;
        closed(text.as_bytes(), length, text.len(), quote).map(|(end, _)| &text[length..end])
    }

    #[test]
    fn literals_end_where_their_quote_closes() {
        for (text, expected) in [
            (r#""a b" c"#, Some("a b")),
            (r#""a\"b\\" c"#, Some(r#"a\"b\\"#)),
            (r#"\"a b\" c"#, Some("a b")),
            (r#"\"a\\\"b\", c"#, Some(r#"a\\\"b"#)),
            ("'it''s' x", Some("it''s")),
            ("&quot;a&quot; b", Some("a")),
            ("\"\"\"a\nb\"\"\"", Some("a\nb")),
            ("r#\"a\"#", Some("a")),
            ("@'a'", Some("a")),
            ("\"open\n\"", None),
            ("bare", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn bare_values_end_where_another_name_begins() {
        for (text, expected) in [
            ("a;b&c rest", "a;b&c"),
            ("a;Encrypt=true", "a"),
            ("a&user=x", "a"),
            ("a, b", "a"),
            ("a\\nb", "a"),
            ("a\\b", "a\\b"),
            ("a)", "a"),
            ("a<b", "a"),
        ] {
            assert_eq!(&text[word(text.as_bytes(), 0, text.len())], expected, "{text}");
        }
        for (text, expected) in [("a b#c # d", "a b#c"), ("a;b ; c", "a;b"), ("a,\nb", "a"), ("a;Port=1", "a"), ("a \r\n", "a")] {
            assert_eq!(&text[setting(text.as_bytes(), 0, text.len())], expected, "{text}");
        }
    }
}
