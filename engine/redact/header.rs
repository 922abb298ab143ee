//! Finds what headers of requests carry: `Authorization: Basic …`, `Bearer …`, `Cookie: session=…`, in any language that writes them.
//!
//! Must not know headers that are named after a key: they are names with values, found by [`super::assigned`].

use super::encodings::decoded;
use super::literal::{closed, line_end, literal_at, skip_blanks};
use super::span::MaskSpan;
use super::value::{Makeup, is_path, is_random, is_stand_in};
use aho_corasick::AhoCorasick;
use std::ops::Range;
use std::sync::LazyLock;

const CREDENTIAL: &str = "http-credential";
const COOKIE: &str = "session-cookie";

/// Longest header read.
const MAX_HEADER: usize = 4_096;
/// Shortest credential behind a scheme, one in a parameter or without a scheme, and the value of a cookie with a telling name.
const MIN_CREDENTIAL: usize = 8;
const MIN_TOKEN: usize = 16;
const MIN_COOKIE: usize = 8;
/// Marks between a name and its value: `"]: "`, `", "`.
const MAX_MARKS: usize = 8;

const AUTHORIZATION: usize = 0;
const COOKIES: usize = 1;
static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(["authorization", "cookie", "bearer", "basic "])
        .expect("four short patterns")
});

/// Adds what headers in `text` carry.
pub(super) fn find(text: &[u8], spans: &mut Vec<MaskSpan>) {
    let mut done = 0;
    for name in NAMES.find_iter(text) {
        if name.start() < done {
            continue;
        }
        match name.pattern().as_usize() {
            AUTHORIZATION | COOKIES => {
                let Some(value) = value_after(text, name.end()) else { continue };
                let n_before = spans.len();
                if name.pattern().as_usize() == AUTHORIZATION {
                    authorization(text, value, spans);
                } else {
                    cookies(text, value, spans);
                }
                done = spans[n_before..].iter().map(|span| span.end).fold(done, usize::max);
            }
            _ => {
                let is_word = name.start().checked_sub(1).is_none_or(|before| !text[before].is_ascii_alphanumeric());
                let start = skip_blanks(text, name.end(), name.end() + MAX_MARKS);
                let credential = word(text, start..text.len().min(start + MAX_HEADER));
                let is_basic = name.pattern().as_usize() > COOKIES + 1;
                let value = &text[credential.clone()];
                if is_word
                    && start > name.end() - usize::from(is_basic)
                    && (is_basic && holds_pair(value) || !is_basic && is_token(value))
                {
                    push(credential, CREDENTIAL, spans);
                }
            }
        }
    }
}

/// The value of a header whose name ends at `at`: to its closing quote, or to the end of the line.
fn value_after(text: &[u8], at: usize) -> Option<Range<usize>> {
    let limit = text.len().min(at + MAX_HEADER);
    let is_mark = |b: &&u8| matches!(b, b'"' | b'\'' | b'`' | b']' | b')' | b'\\' | b' ' | b'\t');
    let closers = text[at..limit].iter().take(MAX_MARKS).take_while(is_mark).count();
    let signs = text[at + closers..limit].iter().take(2).take_while(|b| matches!(b, b':' | b'=' | b',' | b'(' | b'>')).count();
    let start = skip_blanks(text, at + closers + signs, limit);
    // What is given to a function and is no literal is a variable.
    let is_argument = text[at + closers..].starts_with(b"(") || text[at + closers..].starts_with(b",");
    if signs == 0 || (is_argument && literal_at(text, start).is_none()) {
        return None;
    }
    let end = line_end(text, start, limit);
    if let Some((quote, length)) = literal_at(text, start) {
        let from = start + length;
        return Some(from..closed(text, from, limit, quote).map_or(end, |(to, _)| to));
    }
    // `-H "Authorization: …"`: the quote opened before the name closes the value.
    let close = text[start..end].iter().position(|b| matches!(b, b'"' | b'\'' | b'`')).map_or(end, |length| start + length);
    let is_list = text[start..close].contains(&b'=');
    Some(start..if is_list { end } else { close })
}

fn authorization(text: &[u8], value: Range<usize>, spans: &mut Vec<MaskSpan>) {
    let start = skip_blanks(text, value.start, value.end);
    let scheme = word(text, start..value.end);
    let rest = skip_blanks(text, scheme.end, value.end);
    let credential = word(text, rest..value.end);
    let is_scheme = text[scheme.clone()].iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if credential.is_empty() || !is_scheme {
        if is_token(&text[scheme.clone()]) {
            push(scheme, CREDENTIAL, spans);
        }
        return;
    }
    if text[rest..value.end].contains(&b'=') && text[credential.clone()].iter().any(|b| matches!(b, b'=' | b',')) {
        let n_before = spans.len();
        let mut at = rest;
        for parameter in text[rest..value.end].split_inclusive(|b| matches!(b, b',' | b' ' | b';')) {
            let sign = parameter.iter().position(|b| *b == b'=').map_or(0, |sign| sign + 1);
            let quotes = parameter[sign..].iter().take_while(|b| matches!(b, b'"' | b'\\')).count();
            let inner = word(text, at + sign + quotes..at + parameter.len());
            at += parameter.len();
            if is_random(&text[inner.clone()], MIN_TOKEN) {
                push(inner, CREDENTIAL, spans);
            }
        }
        if spans.len() > n_before {
            return;
        }
    }
    let value = &text[credential.clone()];
    if is_token(value) || holds_pair(value) || is_plain_credential(value) {
        push(credential, CREDENTIAL, spans);
    }
}

fn cookies(text: &[u8], value: Range<usize>, spans: &mut Vec<MaskSpan>) {
    let mut at = value.start;
    for pair in text[value].split(|b| *b == b';') {
        let from = at;
        at += pair.len() + 1;
        let Some(sign) = pair.iter().position(|b| *b == b'=') else { continue };
        let name = pair[..sign].to_ascii_lowercase();
        let is_telling = ["sess", "sid", "auth", "token", "jwt", "csrf", "xsrf", "remember", "login"]
            .iter()
            .any(|part| name.windows(part.len()).any(|window| window == part.as_bytes()));
        let inner = word(text, from + sign + 1..from + pair.len());
        let value = &text[inner.clone()];
        let makeup = Makeup::of(value);
        let is_named =
            is_telling && value.len() >= MIN_COOKIE && makeup.letters && makeup.digits && !makeup.brackets && !is_stand_in(value);
        if is_named || is_token(value) {
            push(inner, COOKIE, spans);
        }
    }
}

/// The first word of a range, without marks around it.
fn word(text: &[u8], range: Range<usize>) -> Range<usize> {
    let length = text[range.clone()]
        .iter()
        .position(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|' | b'['));
    let mut end = range.start + length.unwrap_or(range.len());
    while end > range.start && matches!(text[end - 1], b',' | b';' | b')' | b'.') {
        end -= 1;
    }
    range.start..end
}

fn is_token(value: &[u8]) -> bool {
    is_random(value, MIN_TOKEN) && !is_stand_in(value) && !is_path(value)
}

/// `user:password` in base64.
fn holds_pair(value: &[u8]) -> bool {
    value.len() >= MIN_CREDENTIAL
        && decoded(value).is_some_and(|plain| plain.contains(&b':') && plain.iter().all(|b| b.is_ascii_graphic() || *b == b' '))
}

/// A short credential behind a scheme; what code builds one from has brackets or is a name.
fn is_plain_credential(value: &[u8]) -> bool {
    let makeup = Makeup::of(value);
    value.len() >= MIN_CREDENTIAL
        && makeup.letters
        && makeup.digits
        && !makeup.brackets
        && !is_stand_in(value)
        && !is_path(value)
        && (makeup.signs || is_random(value, MIN_CREDENTIAL))
}

fn push(range: Range<usize>, kind: &'static str, spans: &mut Vec<MaskSpan>) {
    if !range.is_empty() {
        spans.push(MaskSpan { start: range.start, end: range.end, kind });
    }
}
