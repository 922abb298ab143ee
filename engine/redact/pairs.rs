//! Finds a value that stands beside its name as a field of its own: `{"name": "DB_PASSWORD", "value": "…"}`, `<add key="Password"
//! value="…"/>`, `variable "db_password" { default = "…" }`.

use super::literal::skip_blanks;
use super::name::Class;
use super::place::Before;
use super::reader::Reader;
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
    compiled(r"(?i)\b(?:(?:[a-z]{0,12}_?)?value|val|default|defaultvalue|content|string|plaintext|secretstring|s)\b")
});

/// Another name of the same kind: the record is over.
static NEXT: LazyLock<Regex> =
    LazyLock::new(|| compiled(r#"(?i)\n\s{0,40}-\s|\bname["']?\s{0,3}[:=]|</|/>|\n\s{0,40}\}|\}\s{0,3},"#));

fn compiled(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).unicode(false).build().expect("a short pattern")
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
    if is_block {
        at += blanks + 1;
    } else if !NAMING.is_match(before) {
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
