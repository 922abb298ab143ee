//! Finds secrets by the name they are given to: `datadog_api_key: 9e99…`, `const CLIENT_SECRET: &str = "…"`, `<password>…</password>`.
//!
//! Reads every language that writes a name, a sign and a value.

use super::judge::How;
use super::lists;
use super::mask::is_kind;
use super::name::{self, Class};
use super::pairs;
use super::place::{Before, Format, Holds};
use super::reader::Reader;
use super::sign::{Link, sign_after};
use super::span::MaskSpan;
use super::spoken;
use super::tuple;
use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};
use std::ops::Range;
use std::sync::LazyLock;

/// Longest name read.
const MAX_NAME: usize = 128;

/// Words whose presence makes a name worth reading; what counts is decided by [`name::class`].
static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(
            [
                "key",
                "token",
                "secret",
                "pass",
                "pwd",
                "_pat",
                "auth",
                "credential",
                "salt",
                "phrase",
                "jwt",
                "pepper",
                "bearer",
                "sessionid",
                "session_id",
                "sessid",
                "_pw",
                "pw:",
                "pw=",
                "pw\"",
                "hmac",
                "bindpw",
                "rootpw",
                "pw ",
                "Пароль",
                "mdp",
                "clave",
                "authtok",
                "keymaterial",
                "erlang_cookie",
                "totp",
            ]
            .iter()
            .chain(&name::PASSWORD_ENDS)
            .chain(&name::FOREIGN),
        )
        .expect("a few short patterns")
});

/// What makes a secret of the name `key` behind it.
static KEY_OF: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?i)(?:\b(?:api|secret|access|private|auth|client|license|encryption|signing|unseal|recovery) |["']?(?:jwt|jwt_?settings|crypt|encryption|signing|hmac|cipher)["']?\s{0,3}(?:=>|[:=])?\s{0,3}[\[{]\s{0,40}["']?)$"#;
    RegexBuilder::new(pattern).unicode(false).build().expect("a short pattern")
});

/// What stands before `passe` in the French for a password.
const OF_FRENCH: &[u8] = b"mot de ";
/// What stands before `key` where its fingerprint may follow.
const SIGNING: &[u8] = b"signing ";

/// Adds values assigned to secret names in the file `file`.
pub(super) fn find(file: &str, text: &[u8], spans: &mut Vec<MaskSpan>) {
    Reader { text, holds: Holds::of(file), is_credentials: false }.find(spans);
}

/// Adds every value of a secret name that is not a reference.
pub(super) fn find_credentials(text: &[u8], spans: &mut Vec<MaskSpan>) {
    Reader { text, holds: Holds::Settings, is_credentials: true }.find(spans);
}

impl Reader<'_> {
    fn find(self, spans: &mut Vec<MaskSpan>) {
        let mut done = 0;
        for word in WORDS.find_iter(self.text) {
            if word.end() <= done {
                continue;
            }
            let mut range = name_around(self.text, word.start(), word.end());
            range.start = range.start.max(done.min(word.start()));
            done = range.end;
            // What a mask says is not a name: it would give the next value away to be masked, and that one the one behind it.
            if is_kind(self.text, &range) {
                continue;
            }
            let Some(class) = self.class(range.clone()) else { continue };
            let n_before = spans.len();
            self.values(range, class, spans);
            done = spans[n_before..].iter().map(|span| span.end).fold(done, usize::max);
        }
    }

    fn class(self, range: Range<usize>) -> Option<Class> {
        // `PASS: TestLogin22` is the line of a test that passed.
        let is_result = self.text[range.clone()] == *b"PASS" && self.text.get(range.end) == Some(&b':');
        let start = range.start;
        // `[]token{…}`, `[]token(…)`: a type.
        let is_type = self.holds == Holds::Code
            && self.text[..start].ends_with(b"[]")
            && self.text.get(range.end).is_some_and(|b| matches!(b, b'{' | b'('));
        if self.is_in_pointer(start) || is_type {
            return None;
        }
        let name = &self.text[range];
        if name.eq_ignore_ascii_case(b"passe")
            && self.text[start.saturating_sub(OF_FRENCH.len())..start].eq_ignore_ascii_case(OF_FRENCH)
        {
            return Some(Class::Password);
        }
        let class = match name::class(name).filter(|_| !is_result)? {
            // A signing key is as often named by its fingerprint.
            Class::WeakToken if name.eq_ignore_ascii_case(b"key") && self.is_key_of_secret(start) => {
                if self.text[start.saturating_sub(SIGNING.len())..start].eq_ignore_ascii_case(SIGNING) {
                    Class::Key
                } else {
                    Class::Token
                }
            }
            class => class,
        };
        // `JWT_SECRET` in capitals is a setting that people choose a text for; `secret` in small letters is often the name of one.
        let is_setting = class == Class::Token
            && (name::is_capital_secret(name) || self.holds == Holds::Lines(Format::Ini) && name.eq_ignore_ascii_case(b"secret"));
        match class {
            Class::WeakToken if self.is_credentials => Some(Class::Token),
            _ if is_setting => Some(Class::Password),
            class => Some(class),
        }
    }

    /// Whether a name is a part of a text that says where a secret lies: `arn:aws:secretsmanager:…:secret:db-1a2b`.
    fn is_in_pointer(self, at: usize) -> bool {
        let before = &self.text[at.saturating_sub(MAX_NAME)..at];
        before.ends_with(b":")
            && before
                .rsplit(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\''))
                .next()
                .is_some_and(|word| word.starts_with(b"arn:"))
    }

    /// Whether what stands before `key` says that it is a secret: `API key`, `"Jwt": { "Key"`.
    fn is_key_of_secret(self, start: usize) -> bool {
        let behind = &self.text[start + b"key".len()..];
        let is_set =
            behind.iter().find(|b| !matches!(b, b' ' | b'*' | b'"' | b'\'' | b'`')).is_some_and(|b| matches!(b, b':' | b'='));
        let is_said = [&b" is "[..], b" for ", b" of ", b" `"].iter().any(|word| behind.starts_with(word));
        (is_said || is_set) && KEY_OF.is_match(&self.text[start.saturating_sub(MAX_NAME)..start])
    }

    /// Adds the values of one name.
    fn values(self, range: Range<usize>, class: Class, spans: &mut Vec<MaskSpan>) {
        let before = Before::new(self.text, range.start);
        let n_before = spans.len();
        self.values_beside(range.clone(), before, class, spans);
        if spans.len() == n_before {
            spoken::value_behind(self, range, before, class, spans);
        }
    }

    /// Adds the values that a sign, a bracket, a blank or a field beside it ties to the name.
    fn values_beside(self, range: Range<usize>, before: Before<'_>, class: Class, spans: &mut Vec<MaskSpan>) {
        let name = &self.text[range.clone()];
        let Some(sign) = sign_after(self.text, range.clone(), before, self.holds) else {
            if let Some((start, quote)) = tuple::value_of(self.text, range.clone(), before) {
                return self.literal(start, quote, class, How::Literal, spans);
            }
            return pairs::value_elsewhere(self, range, class, spans);
        };
        let is_set = class == Class::Password || self.text[..sign.at].trim_ascii_end().ends_with(b"=");
        if is_set
            && sign.link == Link::Assigned
            && self.text.get(sign.at) == Some(&b'{')
            && name.last().is_some_and(|b| matches!(b, b's' | b'S'))
        {
            return lists::entries(self, sign.at + 1, class, spans);
        }
        if is_set && sign.link == Link::Assigned && lists::is_map(self.text, sign.at) {
            return lists::entries(self, sign.at + 1, class, spans);
        }
        let is_call = sign.link == Link::Argument && !sign.is_quoted_name;
        if is_call && name::asks(name) {
            return;
        }
        let n_before = spans.len();
        self.value(&sign, before, class, spans);
        if spans.len() == n_before {
            match tuple::value_of(self.text, range.clone(), before) {
                Some((start, quote)) => self.literal(start, quote, class, How::Literal, spans),
                None => pairs::value_elsewhere(self, range, class, spans),
            }
        }
    }
}

/// The identifier around a word: letters, digits, `_`, `-`, `.`.
fn name_around(text: &[u8], start: usize, end: usize) -> Range<usize> {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    if !text[start..end].is_ascii() {
        return start..end;
    }
    // A word can end with the sign that made it one: `pw=`.
    let end = end - text[start..end].iter().rev().take_while(|b| !is_name(b)).count();
    let before = text[start.saturating_sub(MAX_NAME)..start].iter().rev().take_while(|b| is_name(b)).count();
    let after = text[end..text.len().min(end + MAX_NAME)].iter().take_while(|b| is_name(b)).count();
    start - before..end + after
}
