//! Finds passwords and tokens in the user part of an address: `postgres://app:…@db/shop`, `https://…@git.example/a.git`.
//!
//! Must not know query parameters: they are names with values, found by [`super::assigned`] and by rules.

use super::span::MaskSpan;
use super::value::{Makeup, is_random, is_stand_in};
use aho_corasick::AhoCorasick;
use std::ops::Range;
use std::sync::LazyLock;

const KIND: &str = "url-password";

/// How far an address is read.
const MAX_URL: usize = 768;
/// Shortest password with a digit or a sign, and of letters alone.
const MIN_MIXED: usize = 4;
const MIN_LETTERS: usize = 8;
/// Shortest user name that is a token.
const MIN_TOKEN: usize = 16;
/// Digits behind a word of manuals that do not make it a secret here: `user:pass123@`.
const MAX_COUNT: usize = 3;

/// Hosts whose addresses hold a key that pages are made to show.
const PUBLISHED: [&[u8]; 2] = [b".sentry.io/", b"@sentry.io/"];

static MARK: LazyLock<AhoCorasick> = LazyLock::new(|| AhoCorasick::new(["://", ":\\/\\/"]).expect("two short patterns"));

/// Adds the secrets of every address in `text`.
pub(super) fn find(text: &[u8], spans: &mut Vec<MaskSpan>) {
    for mark in MARK.find_iter(text) {
        let has_scheme = mark.start().checked_sub(1).is_some_and(|last| text[last].is_ascii_alphanumeric());
        if !has_scheme {
            continue;
        }
        let start = mark.end();
        let rest = &text[start..text.len().min(start + MAX_URL)];
        let is_end =
            |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|' | 0..=31 | 127);
        let url = &rest[..rest.iter().position(is_end).unwrap_or(rest.len())];
        #[cfg(test)]
        work::add(url.len());
        let Some(host) = user_end(url) else { continue };
        let user = &url[..host];
        let add = |range: Range<usize>, spans: &mut Vec<MaskSpan>| {
            spans.push(MaskSpan { start: start + range.start, end: start + range.end, kind: KIND });
        };
        let colon = user.iter().position(|b| *b == b':').unwrap_or(host);
        let is_published = PUBLISHED.iter().any(|host| url[user.len()..].windows(host.len()).any(|window| window == *host));
        if is_random(&user[..colon], MIN_TOKEN) && !is_stand_in(&user[..colon]) && !is_published {
            add(0..colon, spans);
        }
        if colon < host && is_password(&user[..colon], &user[colon + 1..]) {
            add(colon + 1..host, spans);
        }
    }
}

/// Where the user part of an address ends, without its `@`.
fn user_end(url: &[u8]) -> Option<usize> {
    let authority = url.iter().position(|b| matches!(b, b'/' | b'?' | b'#')).unwrap_or(url.len());
    if let Some(at) = url[..authority].iter().rposition(|b| *b == b'@') {
        return Some(at);
    }
    // A password that should have been encoded: `app:p/w#d@host`. A port is none.
    let colon = url[..authority].iter().position(|b| *b == b':')?;
    let at = url.iter().rposition(|b| *b == b'@')?;
    let host = &url[at + 1..];
    let host = &host[..host.iter().position(|b| matches!(b, b'/' | b'?' | b':')).unwrap_or(host.len())];
    let is_host = host.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-')) && !host.is_empty();
    let password = &url[colon + 1..at];
    let makeup = Makeup::of(password);
    let is_port = url[colon + 1..authority].iter().all(u8::is_ascii_digit);
    (is_host && !is_port && makeup.letters && makeup.digits && password.iter().filter(|b| **b == b'/').count() <= 2).then_some(at)
}

fn is_password(user: &[u8], password: &[u8]) -> bool {
    let n_counted = password.iter().rev().take(MAX_COUNT).take_while(|b| b.is_ascii_digit()).count();
    if password == user || is_stand_in(password) || super::placeholders::is_made_up(&password[..password.len() - n_counted]) {
        return false;
    }
    let makeup = Makeup::of(password);
    if makeup.brackets && !makeup.digits {
        return false;
    }
    if makeup.digits || makeup.signs { password.len() >= MIN_MIXED } else { password.len() >= MIN_LETTERS && !makeup.foreign }
}
