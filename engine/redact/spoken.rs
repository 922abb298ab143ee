//! Finds values in prose, at some distance from the name: ``the root password of db1 is `…` ``, `Password for the app: …`, `user bob password …`.
//!
//! What a sentence may hold besides is judged strictly: words, names of algorithms and paths are no values.

use super::judge::is_said;
use super::literal::line_end;
use super::name::Class;
use super::place::{Before, Holds};
use super::reader::Reader;
use super::span::MaskSpan;
use std::ops::Range;

/// How far behind its name a value is looked for, and how many places are tried.
const MAX_BEHIND: usize = 96;
const MAX_PLACES: usize = 4;
/// What a value stands behind.
const MARKS: [&[u8]; 10] = [b"<code>", b"`", b"\"", b"'", b": ", b" is ", b" to ", b"= ", b" - ", "→ ".as_bytes()];

/// Adds the first value behind the name in `name` that its sentence may mean.
pub(super) fn value_behind(reader: Reader<'_>, name: Range<usize>, before: Before<'_>, class: Class, spans: &mut Vec<MaskSpan>) {
    let is_prose = match reader.holds {
        Holds::Settings => true,
        Holds::Lines(_) | Holds::Code => before.is_text(),
    };
    if !is_prose || !matches!(class, Class::Password | Class::Token) {
        return;
    }
    let text = reader.text;
    let end = line_end(text, name.end, text.len().min(name.end + MAX_BEHIND));
    let places = (name.end..end).filter_map(|at| {
        let mark = MARKS.iter().find(|mark| text[at..end].starts_with(mark))?;
        // What an attribute of its own says: `secureTextEntry="YES" id="…"`.
        if matches!(mark, [b'"' | b'\'']) && text[..at].ends_with(b"=") {
            return None;
        }
        Some(at + mark.len())
    });
    let direct = text[name.end..end].first().filter(|b| **b == b' ').map(|_| name.end + 1);
    for start in direct.into_iter().chain(places).take(MAX_PLACES) {
        let value = word(text, start, text.len().min(start + MAX_BEHIND));
        if is_said(&text[value.clone()], class) {
            return reader.push(value, spans);
        }
    }
}

/// The word at `start`, without the marks around it and the stop behind it.
fn word(text: &[u8], start: usize, limit: usize) -> Range<usize> {
    let is_mark = |b: &u8| matches!(b, b'`' | b'"' | b'\'' | b'*' | b' ');
    let start = start + text[start..limit].iter().take_while(|b| is_mark(b)).count();
    let is_end = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'`' | b'"' | b'<' | b'>' | b'|' | b';' | b'\\' | b'(' | b')');
    let length = text[start..limit].iter().position(is_end).unwrap_or(limit - start);
    let stops = text[start..start + length].iter().rev().take_while(|b| matches!(b, b',' | b'.' | b':' | b'\'' | b'*')).count();
    start..start + length - stops
}
