//! Finds a value that stands beside its name as a field of its own: `{"name": "DB_PASSWORD", "value": "…"}`, `<add key="Password"
//! value="…"/>`, `variable "db_password" { default = "…" }`.

use super::judge::How;
use super::literal::{line_end, skip_blanks};
use super::name::Class;
use super::place::Before;
use super::reader::{Reader, trimmed};
use super::sign::sign_after;
use super::span::MaskSpan;
use regex::bytes::{Regex, RegexBuilder};
use std::ops::Range;
use std::sync::LazyLock;

/// How far a record reaches.
const MAX_BEFORE: usize = 96;
const MAX_AFTER: usize = 320;

/// A field that names what the record is about, and ends where its value begins.
static NAMING: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r#"(?i)\b(?:[a-z_]{0,12}name|[a-z_]{0,12}key|id|env|variable|parameter|property|setting)["'\\&quot;]{0,8}\s{0,3}(?:=>|[:=])\s{0,3}["'\\&quot;]{0,8}(?:[A-Za-z0-9_./-]{0,64}[/:.])?$"#,
    )
});

/// The field that holds the value.
static VALUE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(r"(?i)\b(?:(?:[a-z]{0,12}_?)?value|val|default|defaultvalue|content|string|plaintext|secretstring|envdefault|s)\b")
});

/// Another name of the same kind: the record is over.
static NEXT: LazyLock<Regex> =
    LazyLock::new(|| compiled(r#"(?i)\n\s{0,40}-\s|\bname["']?\s{0,3}[:=]|</|/>|\n\s{0,40}\}|\}\s{0,3},"#));

fn compiled(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).unicode(false).build().expect("a short pattern")
}

/// A value that stands before its name: `{"value": "…", "key": "password"}`, `- value: …` above `name: DB_PASSWORD`.
static EARLIER: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r#"(?i)(?:["']value["']\s{0,3}[:=]\s{0,3}["']([^"'\n]{6,256})["']\s{0,3},\s{0,40}["'](?:key|name|id)["']\s{0,3}[:=]\s{0,3}["']|-\s{1,3}value:\s{1,3}["']?([^\s"'\n]{6,256})["']?[ \t]{0,3}\n\s{0,40}name:\s{0,3}["']?)$"#,
    )
});

/// Adds the value of the field right before the one that names the record.
fn before_name(reader: Reader<'_>, name: usize, class: Class, spans: &mut Vec<MaskSpan>) {
    let from = name.saturating_sub(MAX_AFTER);
    if let Some(groups) = EARLIER.captures(&reader.text[from..name])
        && let Some(value) = groups.get(1).or_else(|| groups.get(2))
    {
        reader.add(from + value.start()..from + value.end(), class, How::Literal, spans);
    }
}

/// Lines of a parameter.
const MAX_LINES: usize = 8;

/// The default of a parameter in YAML, on a line below its name: `Default: …`.
fn default_below(text: &[u8], name: Range<usize>) -> Option<Range<usize>> {
    let indent = |line: &[u8]| line.iter().take_while(|b| **b == b' ').count();
    let depth = Before::new(text, name.start).indent();
    let mut at = line_end(text, name.end, name.end + MAX_BEFORE);
    if text.get(name.end) != Some(&b':') || !text[name.end + 1..at].trim_ascii().is_empty() {
        return None;
    }
    for _ in 0..MAX_LINES {
        let start = at + 1;
        let end = line_end(text, start, start + MAX_AFTER);
        let line = text.get(start..end)?;
        let inner = indent(line);
        if inner <= depth {
            return None;
        }
        if let Some(value) = line[inner..].strip_prefix(b"Default:") {
            let value = trimmed(text, end - value.len()..end);
            let inner = &text[value.clone()];
            let is_quoted = inner.len() > 2 && matches!(inner[0], b'"' | b'\'') && inner.last() == inner.first();
            return Some(if is_quoted { value.start + 1..value.end - 1 } else { value });
        }
        at = end;
    }
    None
}

/// Adds the value of the name in `name` if a field near it holds one.
pub(super) fn value_elsewhere(reader: Reader<'_>, name: Range<usize>, class: Class, spans: &mut Vec<MaskSpan>) {
    if matches!(class, Class::WeakPassword | Class::WeakToken) {
        return;
    }
    let text = reader.text;
    let before = &text[name.start.saturating_sub(MAX_BEFORE)..name.start];
    let limit = text.len().min(name.end + MAX_AFTER);
    let quotes = text[name.end..limit].iter().take_while(|b| matches!(b, b'"' | b'\'' | b'\\' | b'`' | b']' | b')')).count();
    let mut at = name.end + quotes;
    let blanks = text[at..limit].iter().take_while(|b| matches!(b, b' ' | b'\t' | b':' | b'=' | b'>')).count();
    // `"adminPassword": {`, `variable "db_password" {`.
    let is_block = text.get(at + blanks) == Some(&b'{');
    // `add_argument("--password", default="…")`
    let is_option = text[name.clone()].starts_with(b"--") && matches!(before.last(), Some(b'"' | b'\''));
    if is_block {
        at += blanks + 1;
    } else if NAMING.is_match(before) {
        before_name(reader, name.start, class, spans);
    } else if let Some(default) = default_below(text, name.clone()) {
        return reader.add(default, class, How::Setting, spans);
    } else if !is_option {
        return;
    }
    let over = NEXT.find(&text[at..limit]).map_or(limit, |next| at + next.start().max(1));
    for field in VALUE.find_iter(&text[at..over]) {
        let range = at + field.start()..at + field.end();
        let place = Before::new(text, range.start);
        if let Some(sign) = sign_after(text, range.clone(), place, reader.holds)
            && skip_blanks(text, range.end, limit) < limit
        {
            let n_before = spans.len();
            reader.value(&sign, place, class, spans);
            if spans.len() > n_before {
                return;
            }
        }
    }
}
