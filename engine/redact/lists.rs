//! Reads values that stand on the lines below their name, and lists of values.
//!
//! Block texts of YAML, items behind `-`, arrays, a literal on the next line. Must not read further than a list of secrets reaches.

use super::judge::{How, is_secret};
use super::literal::{self, closed, line_end, literal_at, skip_blanks};
use super::name::Class;
use super::place::{Before, Holds};
use super::reader::{Reader, trimmed};
use super::span::MaskSpan;
use std::ops::Range;

/// Values of one list, and bytes of all; a longer list is data.
const MAX_ITEMS: usize = 64;
const MAX_BYTES: usize = 8 << 10;

/// Adds the values that follow at `at`: an array, a block, or whatever stands below.
pub(super) fn find(reader: Reader<'_>, at: usize, before: Before<'_>, class: Class, spans: &mut Vec<MaskSpan>) {
    let limit = reader.text.len().min(at.saturating_add(MAX_BYTES));
    if reader.text.get(at) == Some(&b'[') {
        return array(reader, at + 1, limit, class, spans);
    }
    let head_end = line_end(reader.text, at, limit);
    let is_block = matches!(reader.text.get(at), Some(b'|' | b'>'));
    if is_block && reader.text[at..head_end].trim_ascii().len() > 3 {
        return;
    }
    below(reader, head_end + 1, limit, before, class, is_block, spans);
}

/// Literals between square brackets.
fn array(reader: Reader<'_>, from: usize, limit: usize, class: Class, spans: &mut Vec<MaskSpan>) {
    let (items, end) = literals(reader, from, limit);
    if reader.text[end..].trim_ascii_start().starts_with(b"].join(") {
        return whole(reader, items, class, spans);
    }
    for item in items {
        reader.add(item, class, How::Literal, spans);
    }
}

/// Whether a list of PHP with keys begins at `at`: `["corp" => "…"]`.
pub(super) fn is_map(text: &[u8], at: usize) -> bool {
    let limit = text.len().min(at.saturating_add(MAX_KEY));
    let start = skip_blanks(text, at + 1, limit);
    text.get(at) == Some(&b'[')
        && literal_at(text, start)
            .and_then(|(quote, length)| closed(text, start + length, limit, quote))
            .is_some_and(|(_, after)| text[skip_blanks(text, after, limit)..].starts_with(b"=>"))
}

/// Longest key of such a list.
const MAX_KEY: usize = 96;

/// Values of entries between braces: `PASSWORDS = {"bob": "…", "eve": "…"}`.
pub(super) fn entries(reader: Reader<'_>, from: usize, class: Class, spans: &mut Vec<MaskSpan>) {
    let text = reader.text;
    let limit = text.len().min(from.saturating_add(MAX_BYTES));
    let skip = |at: usize| at + text[at..limit].iter().take_while(|b| b.is_ascii_whitespace() || **b == b',').count();
    let literal = |at: usize| {
        let (quote, length) = literal_at(text, at)?;
        closed(text, at + length, limit, quote).map(|(end, after)| (at + length..end, after))
    };
    let mut at = skip(from);
    for _ in 0..MAX_ITEMS {
        let Some((_, after)) = literal(at) else { return };
        let sign = skip_blanks(text, after, limit);
        let length = if text[sign..limit].starts_with(b"=>") { 2 } else { 1 };
        let value = skip_blanks(text, sign + length, limit);
        let (true, Some((range, after))) = (matches!(text.get(sign), Some(b':' | b'=')), literal(value)) else { return };
        // What stands there may be a label as well.
        reader.add(range, class, How::Argument, spans);
        at = skip(after);
    }
}

/// Literals with commas between them that are put together to one value: `concat!("a", "b")`.
pub(super) fn joined(reader: Reader<'_>, from: usize, class: Class, spans: &mut Vec<MaskSpan>) {
    let limit = reader.text.len().min(from.saturating_add(MAX_BYTES));
    whole(reader, literals(reader, from, limit).0, class, spans);
}

/// Adds all parts of a value that is a secret.
fn whole(reader: Reader<'_>, items: Vec<Range<usize>>, class: Class, spans: &mut Vec<MaskSpan>) {
    let value: Vec<u8> = items.iter().flat_map(|item| &reader.text[item.clone()]).copied().collect();
    if is_secret(&value, class, How::Literal) {
        for item in items {
            reader.push(item, spans);
        }
    }
}

/// Literals with commas and blanks between them, and where they end.
fn literals(reader: Reader<'_>, from: usize, limit: usize) -> (Vec<Range<usize>>, usize) {
    let mut items = Vec::new();
    let mut at = from;
    while items.len() < MAX_ITEMS {
        let next = at + reader.text[at..limit].iter().take_while(|b| b.is_ascii_whitespace() || **b == b',').count();
        let Some((quote, length)) = literal_at(reader.text, next) else { break };
        let Some((end, after)) = closed(reader.text, next + length, limit, quote) else { break };
        items.push(next + length..end);
        at = after;
    }
    (items, at)
}

/// Lines that stand deeper than the name, or a literal on the next line of code.
fn below(
    reader: Reader<'_>,
    from: usize,
    limit: usize,
    before: Before<'_>,
    class: Class,
    is_block: bool,
    spans: &mut Vec<MaskSpan>,
) {
    let mut at = from;
    let mut items = Vec::new();
    while at < limit && items.len() < MAX_ITEMS {
        let end = line_end(reader.text, at, limit);
        let start = skip_blanks(reader.text, at, end);
        let line = trimmed(reader.text, start..end);
        let is_item = reader.text[line.clone()].starts_with(b"- ");
        let depth = start - at;
        // A blank line before the first.
        if line.is_empty() && items.is_empty() && at == from {
            at = end + 1;
            continue;
        }
        if line.is_empty() || depth < before.indent() || (depth == before.indent() && !is_item) {
            break;
        }
        items.push((line, is_item));
        at = end + 1;
    }
    let Some((first, is_list)) = items.first().cloned() else { return };
    if is_block {
        let last = items.last().map_or(first.end, |(line, _)| line.end);
        return reader.add(first.start..last, class, How::Setting, spans);
    }
    for (line, is_item) in items {
        if is_item != is_list {
            break;
        }
        let start = if is_item { skip_blanks(reader.text, line.start + 2, line.end) } else { line.start };
        if let Some((quote, length)) = literal_at(reader.text, start) {
            // `"name": …` below is an entry of its own.
            let is_value = closed(reader.text, start + length, line.end, quote).is_some_and(|(_, after)| {
                !matches!(reader.text.get(skip_blanks(reader.text, after, line.end)), Some(b':' | b'='))
            });
            if is_value {
                reader.literal(start + length, quote, class, How::Literal, spans);
            }
        } else if reader.holds != Holds::Code {
            let value = literal::setting(reader.text, start, line.end);
            let is_value = !reader.text[value.clone()].iter().any(|b| matches!(b, b' ' | b':' | b'=' | b'{'));
            if is_value || reader.is_credentials && is_item && !reader.text[value.clone()].contains(&b':') {
                reader.add(value, class, How::Setting, spans);
            }
        }
        if !is_item {
            break;
        }
    }
}
