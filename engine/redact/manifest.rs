//! Finds the data of Kubernetes secrets, in YAML and JSON, whatever its keys are called.
//!
//! Every value goes, every key stays.

use super::literal::{closed, line_end, literal_at, quote_at, skip_blanks};
use super::reader::trimmed;
use super::span::MaskSpan;
use super::value::is_reference;
use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};
use std::ops::Range;
use std::sync::LazyLock;

const KIND: &str = "kubernetes-secret";

/// Longest value of an object between braces; objects in YAML end with their indentation.
const MAX_OBJECT: usize = 1 << 20;

static WORD: LazyLock<AhoCorasick> = LazyLock::new(|| AhoCorasick::new(["Secret"]).expect("a short pattern"));
/// `kind: Secret` on a line of its own, behind the dash of a list or the mark of a diff.
static LINE: LazyLock<Regex> =
    LazyLock::new(|| compiled(r#"(?m)^([ \t+-]*)["']?kind["']?:[ \t]*["']?Secret["']?[ \t]*(?:#.*)?$"#));
static FIELD: LazyLock<Regex> = LazyLock::new(|| compiled(r#"[{,]\s*["']?kind["']?\s*:\s*["']?Secret["']?\s*[,}]"#));
static DATA: LazyLock<Regex> = LazyLock::new(|| compiled(r#"(?m)^([ \t+-]*)["']?(?:data|stringData)["']?:[ \t]*"#));
static DATA_FIELD: LazyLock<Regex> = LazyLock::new(|| compiled(r#"["'](?:data|stringData)["']\s*:\s*\{"#));

fn compiled(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).unicode(false).crlf(true).build().expect("a short pattern")
}

/// Adds the values of every secret object in `text`.
pub(super) fn find(text: &[u8], spans: &mut Vec<MaskSpan>) {
    if WORD.find(text).is_none() {
        return;
    }
    for document in documents(text) {
        let mut done = document.start;
        for kind in FIELD.find_iter(&text[document.clone()]) {
            let at = document.start + kind.start();
            if at >= done {
                done = object(text, at, done, &document, spans);
            }
        }
        let mut done = document.start;
        for kind in LINE.captures_iter(&text[document.clone()]) {
            let (Some(whole), Some(indent)) = (kind.get(0), kind.get(1)) else { continue };
            if document.start + whole.start() < done {
                continue;
            }
            let object = block(text, document.start + whole.start(), document.clone(), done);
            for data in DATA.captures_iter(&text[object.clone()]) {
                let (Some(key), Some(depth)) = (data.get(0), data.get(1)) else { continue };
                let at = object.start + key.end();
                if depth.len() != indent.len() {
                    continue;
                }
                if text.get(at) == Some(&b'{') {
                    braces(text, at, object.end, spans);
                } else {
                    lines(text, at, object.end, indent.len(), spans);
                }
            }
            done = object.end;
        }
    }
}

/// The lines around the one that starts at `line` that belong to the same object: up to an item of a list or a line less deep.
fn block(text: &[u8], line: usize, document: Range<usize>, done: usize) -> Range<usize> {
    // Blanks before the first word, and with the dash of an item: a mark of a diff is none.
    let depths = |from: usize| {
        let end = line_end(text, from, document.end);
        let row = &text[from..end];
        let mark = usize::from(matches!(row, [b'+', ..]) || matches!(row, [b'-', next, ..] if !matches!(next, b' ' | b'-')));
        let blanks = row[mark..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let item = row[mark + blanks..].iter().take_while(|b| matches!(b, b' ' | b'-')).count();
        (!row[mark..].trim_ascii().is_empty()).then_some((blanks, blanks + item))
    };
    let (_, depth) = depths(line).unwrap_or_default();
    let mut start = line;
    while start > done.max(document.start) && depths(start).is_none_or(|(blanks, _)| blanks >= depth) {
        start = text[document.start..start - 1]
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(document.start, |feed| document.start + feed + 1);
        if depths(start).is_some_and(|(_, depth_here)| depth_here < depth) {
            start = line_end(text, start, document.end) + 1;
            break;
        }
    }
    let mut end = line_end(text, line, document.end);
    while end < document.end {
        let next = end + 1;
        if depths(next).is_some_and(|(blanks, _)| blanks < depth) {
            break;
        }
        end = line_end(text, next, document.end).max(next).min(document.end);
    }
    start..end
}

/// The values of the object between braces that has a field at `kind`, which begins no earlier than at `from`; where it ends.
fn object(text: &[u8], kind: usize, from: usize, document: &Range<usize>, spans: &mut Vec<MaskSpan>) -> usize {
    let from = from.max(document.start).max(kind.saturating_sub(MAX_OBJECT));
    let mut depth = 0_usize;
    let mut start = kind;
    for (i, b) in text[from..=kind].iter().enumerate().rev() {
        match b {
            b'}' => depth += 1,
            b'{' if depth == 0 => {
                start = from + i;
                break;
            }
            b'{' => depth -= 1,
            _ => {}
        }
    }
    let mut end = kind + 1;
    let mut depth = 1_usize;
    for (i, b) in text[kind + 1..document.end.min(kind + MAX_OBJECT)].iter().enumerate() {
        depth = match b {
            b'{' => depth + 1,
            b'}' => depth - 1,
            _ => depth,
        };
        end = kind + 2 + i;
        if depth == 0 {
            break;
        }
    }
    let mut done = start;
    #[cfg(test)]
    work::add(end - start);
    for data in DATA_FIELD.find_iter(&text[start..end]) {
        let at = start + data.end() - 1;
        if at >= done {
            done = braces(text, at, end, spans);
        }
    }
    end
}

/// The documents of a file: between lines of three dashes.
fn documents(text: &[u8]) -> Vec<Range<usize>> {
    let mut documents = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < text.len() {
        let end = line_end(text, at, text.len());
        if text[at..end].starts_with(b"---") {
            documents.push(start..at);
            start = end;
        }
        at = end + 1;
    }
    documents.push(start..text.len());
    documents
}

/// Entries on the lines below, each deeper than `indent`: to the end of the block.
fn lines(text: &[u8], at: usize, limit: usize, indent: usize, spans: &mut Vec<MaskSpan>) -> usize {
    let mut from = line_end(text, at, limit) + 1;
    // How deep the keys stand: what is deeper belongs to the value above.
    let mut keys = None;
    let mut is_open = false;
    while from < limit {
        let end = line_end(text, from, limit);
        let start = from + text[from..end].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'+' | b'-')).count();
        let line = &text[start..end];
        if line.trim_ascii().is_empty() || line.starts_with(b"#") {
            from = end + 1;
            continue;
        }
        let depth = start - from;
        if depth <= indent {
            break;
        }
        let is_key = depth <= *keys.get_or_insert(depth);
        let name =
            line.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'"' | b'\'')).count();
        let has_colon =
            name > 0 && line.get(name) == Some(&b':') && matches!(line.get(name + 1), None | Some(b' ' | b'\r' | b'\t'));
        if is_key && has_colon {
            let value = skip_blanks(text, start + name + 1, end);
            is_open = matches!(text[value..end].trim_ascii().first(), None | Some(b'|' | b'>' | b'"' | b'\''));
            if !matches!(text.get(value), Some(b'|' | b'>')) {
                push(text, value..end, spans);
            }
        } else if is_key || !is_open {
            break;
        } else {
            push(text, start..end, spans);
        }
        from = end + 1;
    }
    from.min(limit)
}

/// Entries between braces: every quoted or bare text behind a colon.
fn braces(text: &[u8], at: usize, limit: usize, spans: &mut Vec<MaskSpan>) -> usize {
    let limit = limit.min(at + MAX_OBJECT);
    #[cfg(test)]
    work::add(limit - at);
    let mut i = at + 1;
    let mut is_value = false;
    while i < limit && text[i] != b'}' {
        if let Some((quote, length)) = quote_at(text, i).and_then(|_| literal_at(text, i)) {
            let Some((end, after)) = closed(text, i + length, limit, quote) else { return limit };
            if is_value {
                push(text, i + length..end, spans);
            }
            i = after;
            continue;
        }
        match text[i] {
            b':' => is_value = true,
            b',' | b'{' => is_value = false,
            b if is_value && !b.is_ascii_whitespace() => {
                let length = text[i..limit].iter().position(|b| matches!(b, b',' | b'}' | b'\n')).unwrap_or(limit - i);
                push(text, i..i + length, spans);
                i += length;
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    i
}

fn push(text: &[u8], range: Range<usize>, spans: &mut Vec<MaskSpan>) {
    let range = trimmed(text, range);
    let value = &text[range.clone()];
    let is_quoted = value.len() >= 2 && matches!(value[0], b'"' | b'\'') && value.last() == value.first();
    let range = if is_quoted { range.start + 1..range.end - 1 } else { range };
    if !range.is_empty() && !is_reference(&text[range.clone()]) {
        spans.push(MaskSpan { start: range.start, end: range.end, kind: KIND });
    }
}
