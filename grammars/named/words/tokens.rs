//! A text to words and signs, comments and literals aside, each with the bracket that closes it.

use super::Words;
use crate::facts::{Zone, ZoneKind};
use std::cell::Cell;

/// How often each token may be looked at to find where definitions end, on average. Real code needs two to four.
const PATIENCE: usize = 64;

/// How deep code in texts in code is followed.
const MAX_HOLES: usize = 8;

/// Lines that begin like this are orders to the compiler.
const ORDERS: [&str; 14] = [
    "#if",
    "#else",
    "#elif",
    "#elseif",
    "#endif",
    "#region",
    "#endregion",
    "#pragma",
    "#nullable",
    "#define",
    "#undef",
    "#line",
    "#error",
    "#warning",
];

/// How deep conditions in conditions are followed.
const MAX_CONDITIONS: usize = 16;

/// How many brackets may be open around a condition whose sides are followed, and how many of them one closes.
const MAX_OPEN: usize = 64;

/// The most signs in front of the quotes of a text.
const MAX_HASHES: usize = 32;

/// The most bytes of code in a text.
const MAX_HOLE_BYTES: usize = 4 << 10;

/// What some texts begin with: the order of their bytes.
const MARK: char = '\u{feff}';

/// No token.
pub(in crate::named) const NONE: u32 = u32::MAX;

/// What a token is, where it is no sign.
pub(in crate::named) const WORD: u8 = b'a';
pub(in crate::named) const NUMBER: u8 = b'0';
pub(in crate::named) const TEXT: u8 = b'"';

/// A word, a number, a literal or one sign.
#[derive(Debug, Clone, Copy)]
pub(in crate::named) struct Token {
    /// [`WORD`], [`NUMBER`], [`TEXT`] or the sign itself.
    pub(in crate::named) kind: u8,
    pub(in crate::named) start: u32,
    pub(in crate::named) end: u32,
    pub(in crate::named) row: u32,
    /// The row of its end.
    pub(in crate::named) last_row: u32,
    /// How many brackets are open around it.
    pub(in crate::named) depth: u32,
    /// Of a bracket the other one.
    pub(in crate::named) other: u32,
}

/// A comment.
#[derive(Debug, Clone, Copy)]
pub(in crate::named) struct Comment {
    pub(in crate::named) bytes: (u32, u32),
    pub(in crate::named) rows: (u32, u32),
    /// Whether nothing stands in front of it on its line.
    pub(in crate::named) is_alone: bool,
}

/// All tokens of a text.
#[derive(Debug, Default)]
pub(in crate::named) struct Tokens {
    pub(in crate::named) all: Vec<Token>,
    pub(in crate::named) comments: Vec<Comment>,
    /// Comments and literals.
    pub(in crate::named) zones: Vec<Zone>,
    /// The indentation of each row, in bytes.
    pub(in crate::named) indents: Vec<u32>,
    /// How many more tokens may be looked at to find where definitions end: what stands in many of them is looked at many times.
    pub(in crate::named) patience: Cell<usize>,
}

impl Tokens {
    /// The tokens of a text.
    pub(in crate::named) fn read(words: &Words, text: &str) -> Self {
        let mut tokens = Self { indents: text.lines().map(indent).collect(), ..Self::default() };
        let bytes = text.as_bytes();
        let (mut at, mut row, mut open) = (if text.starts_with(MARK) { MARK.len_utf8() } else { 0 }, 0, Vec::new());
        let in_holes = Cell::new(bytes.len() * PATIENCE);
        // The brackets that were open where a condition began: each of its sides begins with these.
        let mut conditions: Vec<Vec<u32>> = Vec::new();
        while at < bytes.len() {
            let start = at;
            let byte = bytes[at];
            match byte {
                b'\n' => {
                    row += 1;
                    at += 1;
                    continue;
                }
                _ if byte.is_ascii_whitespace() => {
                    at += 1;
                    continue;
                }
                b'#' if tokens.is_first(row)
                    && (words.has_orders || ORDERS.iter().any(|order| text[at..].starts_with(order))) =>
                {
                    let order = &text[at..];
                    if order.starts_with("#if") && conditions.len() < MAX_CONDITIONS && open.len() < MAX_OPEN {
                        conditions.push(open.clone());
                    } else if order.starts_with("#el") {
                        open = conditions.last().cloned().unwrap_or(open);
                    } else if order.starts_with("#endif") {
                        conditions.pop();
                    }
                    at += line_end(&bytes[at..]);
                    // An order goes on behind a line that ends like this.
                    while bytes[..at].ends_with(b"\\") && at < bytes.len() {
                        (at, row) = (at + 1 + line_end(&bytes[at + 1..]), row + 1);
                    }
                    continue;
                }
                b'/' if bytes.get(at + 1) == Some(&b'/') => {
                    at += line_end(&bytes[at..]);
                    tokens.comment(start, at, row, row);
                    continue;
                }
                b'/' if bytes.get(at + 1) == Some(&b'*') => {
                    at = comment_end(bytes, at, words.nests_comments);
                    let last = row + newlines(&bytes[start..at]);
                    tokens.comment(start, at, row, last);
                    row = last;
                    continue;
                }
                _ => {}
            }
            let kind = if let Some(end) = literal_end(words, bytes, at, 0, &in_holes) {
                at = end;
                tokens.zones.push(Zone { start: start as u32, end: end as u32, kind: ZoneKind::Literal });
                TEXT
            } else if is_word(byte) {
                at += bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                if byte.is_ascii_digit() { NUMBER } else { WORD }
            } else if byte == b'`' && bytes[at + 1..].iter().take_while(|byte| **byte != b'\n').any(|byte| *byte == b'`') {
                at += 2 + bytes[at + 1..].iter().take_while(|byte| **byte != b'`').count();
                WORD
            } else {
                at += 1;
                byte
            };
            let last_row = row + newlines(&bytes[start..at]);
            let number = tokens.all.len() as u32;
            let mut token =
                Token { kind, start: start as u32, end: at as u32, row, last_row, depth: open.len() as u32, other: NONE };
            match kind {
                b'(' | b'[' | b'{' => open.push(number),
                b')' | b']' | b'}' => {
                    // What is not closed in between is closed here.
                    let is_closed = |other: &u32| closes(tokens.all[*other as usize].kind) == kind;
                    let opened = open.iter().rev().take(MAX_OPEN).position(is_closed);
                    if let Some(place) = opened.map(|back| open.len() - 1 - back) {
                        let other = open[place];
                        open.truncate(place);
                        (token.other, token.depth) = (other, open.len() as u32);
                        tokens.all[other as usize].other = number;
                    }
                }
                _ => {}
            }
            tokens.all.push(token);
            row = last_row;
        }
        tokens.patience = Cell::new(tokens.all.len() * PATIENCE);
        tokens
    }

    /// Whether one more token may be looked at.
    pub(in crate::named) fn may_look(&self) -> bool {
        may_look(&self.patience)
    }

    /// Whether no token stands on a row yet.
    fn is_first(&self, row: u32) -> bool {
        self.all.last().is_none_or(|token| token.last_row < row)
    }

    fn comment(&mut self, start: usize, end: usize, first: u32, last: u32) {
        let bytes = (start as u32, end as u32);
        self.comments.push(Comment { bytes, rows: (first, last), is_alone: self.is_first(first) });
        self.zones.push(Zone { start: bytes.0, end: bytes.1, kind: ZoneKind::Comment });
    }

    /// The indentation of a row.
    pub(in crate::named) fn indent(&self, row: u32) -> u32 {
        self.indents.get(row as usize).copied().unwrap_or_default()
    }
}

/// Whether there is patience left, of which this takes some.
fn may_look(patience: &Cell<usize>) -> bool {
    let left = patience.get();
    patience.set(left.saturating_sub(1));
    left > 0
}

fn indent(line: &str) -> u32 {
    line.bytes().take_while(u8::is_ascii_whitespace).count() as u32
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn newlines(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u32
}

fn line_end(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len())
}

fn closes(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

/// Where a comment ends that begins here.
fn comment_end(bytes: &[u8], start: usize, nests: bool) -> usize {
    let (mut at, mut depth) = (start + 2, 1);
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'*', Some(b'/')) => {
                (at, depth) = (at + 2, depth - 1);
                if depth == 0 {
                    return at;
                }
            }
            (b'/', Some(b'*')) if nests => (at, depth) = (at + 2, depth + 1),
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Where a literal ends that begins here, if one does.
fn literal_end(words: &Words, bytes: &[u8], start: usize, depth: usize, patience: &Cell<usize>) -> Option<usize> {
    let quotes = &words.quotes;
    let mut at = start;
    // Scala fills texts with a word in front alone.
    let has_word = start.checked_sub(1).is_some_and(|before| is_word(bytes[before]));
    let (mut is_verbatim, mut is_filled) = (false, !quotes.verbatim && (has_word || !quotes.fills_behind_words));
    while quotes.verbatim && matches!(bytes.get(at), Some(b'@' | b'$')) {
        is_verbatim |= bytes[at] == b'@';
        is_filled |= bytes[at] == b'$';
        at += 1;
    }
    let n_hashes = bytes[at..].iter().take(MAX_HASHES).take_while(|byte| **byte == b'#').count();
    at += n_hashes;
    if bytes.get(at) == Some(&b'\'') && at == start && quotes.characters {
        return character_end(bytes, at);
    }
    if bytes.get(at) != Some(&b'"') {
        return None;
    }
    let n_quotes = bytes[at..].iter().take_while(|byte| **byte == b'"').count();
    if n_quotes == 2 && (is_verbatim || n_hashes == 0) {
        return Some(at + 2);
    }
    let is_long = n_quotes >= 3 && !is_verbatim;
    // C# takes as many as open it.
    let n_closing = if is_long && quotes.verbatim {
        n_quotes
    } else if is_long {
        3
    } else {
        1
    };
    let is_raw = is_verbatim || n_hashes > 0 || is_long && quotes.hole != Some("\\(");
    at += n_closing;
    while at < bytes.len() {
        if depth > 0 && !may_look(patience) {
            return None;
        }
        let rest = &bytes[at..];
        if let Some(hole) =
            quotes.hole.filter(|hole| is_filled && n_hashes == 0 && rest.starts_with(hole.as_bytes()) && depth < MAX_HOLES)
        {
            if rest.starts_with(b"{{") {
                at += 2;
                continue;
            }
            at = hole_end(words, bytes, at + hole.len(), depth + 1, patience).unwrap_or(at + hole.len());
            continue;
        }
        match bytes[at] {
            b'\\' if !is_raw => at += 2,
            b'"' if is_verbatim && bytes.get(at + 1) == Some(&b'"') && !is_long => at += 2,
            b'"' => {
                let n = rest.iter().take_while(|byte| **byte == b'"').count();
                let has_hashes = rest[n.min(rest.len())..].iter().take_while(|byte| **byte == b'#').count() >= n_hashes;
                if n >= n_closing && has_hashes {
                    // More quotes than open it stand at the end of the text itself.
                    return Some(at + if is_long { n } else { 1 } + n_hashes);
                }
                at += if is_long { n } else { 1 };
            }
            b'\n' if !is_long && !is_verbatim => return Some(at),
            _ => at += 1,
        }
    }
    Some(bytes.len())
}

/// Where code inside of a text ends, behind its bracket; none where that is not near.
fn hole_end(words: &Words, bytes: &[u8], start: usize, depth: usize, patience: &Cell<usize>) -> Option<usize> {
    let (mut at, mut n_open) = (start, 1);
    while at < bytes.len().min(start + MAX_HOLE_BYTES) && may_look(patience) {
        match bytes[at] {
            b'(' | b'{' | b'[' => n_open += 1,
            b')' | b'}' | b']' => {
                n_open -= 1;
                if n_open == 0 {
                    return Some(at + 1);
                }
            }
            b'"' | b'\'' => {
                if let Some(end) = literal_end(words, bytes, at, depth, patience) {
                    at = end;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where one character in quotes ends.
fn character_end(bytes: &[u8], start: usize) -> Option<usize> {
    const LONGEST: usize = 12;
    let first = *bytes.get(start + 1)?;
    if first == b'\\' {
        let rest = bytes.get(start + 3..)?;
        return rest.iter().take(LONGEST).position(|byte| *byte == b'\'').map(|end| start + 4 + end);
    }
    let length = match first {
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    };
    (bytes.get(start + 1 + length) == Some(&b'\'')).then_some(start + 2 + length)
}
