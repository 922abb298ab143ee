//! Finds secrets by the name they are given to: `datadog_api_key: 9e99…`, `const CLIENT_SECRET: &str = "…"`, `<password>…</password>`.
//!
//! Reads every language that writes a name, a sign and a value.

use super::MaskSpan;
use super::judge::{How, is_secret};
use super::literal::{self, Quote, closed, literal_at, quote_at, skip_blanks};
use super::mask::is_kind;
use super::name::{self, Class};
use super::place::{Before, Holds};
use super::sign::{Link, Sign, sign_after};
use super::{lists, pairs};
use aho_corasick::AhoCorasick;
use std::ops::Range;
use std::sync::LazyLock;

const ASSIGNED: &str = "assigned-secret";
const CREDENTIAL: &str = "credential";

/// Longest name read.
const MAX_NAME: usize = 128;
/// Longest value in a file of any kind, quoted and bare, and in a file of credentials.
const MAX_VALUE: usize = 2_048;
const MAX_BARE: usize = 384;
const MAX_CREDENTIAL: usize = 16 << 10;
/// Literals put together to one value.
const MAX_PIECES: usize = 32;

/// Words whose presence makes a name worth reading; what counts is decided by [`name::class`].
static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build([
            "key",
            "token",
            "secret",
            "pass",
            "pwd",
            "_pat",
            "auth",
            "credential",
            "salt",
            "kennwort",
            "contrasena",
            "senha",
            "wachtwoord",
            "mnemonic",
            "phrase",
            "psk",
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
        ])
        .expect("a few short patterns")
});

/// A text and how to read it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) text: &'a [u8],
    pub(super) holds: Holds,
    /// In a file of credentials the name is enough.
    pub(super) is_credentials: bool,
}

/// Adds values assigned to secret names in the file `file`.
pub(super) fn find(file: &str, text: &[u8], spans: &mut Vec<MaskSpan>) {
    Reader { text, holds: Holds::of(file), is_credentials: false }.find(spans);
}

/// Adds every value of a secret name that is no reference.
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
            // What a mask says is no name: it would give the next value away to be masked, and that one the one behind it.
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
        let name = &self.text[range];
        let class = name::class(name).filter(|_| !is_result)?;
        // `JWT_SECRET` in capitals is a setting that people choose a text for; `secret` in small letters is often the name of one.
        let is_setting = class == Class::Token && name::is_capital_secret(name);
        match class {
            Class::WeakToken if self.is_credentials => Some(Class::Token),
            _ if is_setting => Some(Class::Password),
            class => Some(class),
        }
    }

    /// Adds the values of one name.
    fn values(self, range: Range<usize>, class: Class, spans: &mut Vec<MaskSpan>) {
        let before = Before::new(self.text, range.start);
        let name = &self.text[range.clone()];
        let Some(sign) = sign_after(self.text, range.clone(), before, self.holds) else {
            return pairs::value_elsewhere(self, range, class, spans);
        };
        let is_call = sign.link == Link::Argument && !sign.is_quoted_name;
        if is_call && name::asks(name) {
            return;
        }
        let n_before = spans.len();
        self.value(&sign, before, class, spans);
        if spans.len() == n_before {
            pairs::value_elsewhere(self, range, class, spans);
        }
    }

    /// Adds the value that follows a sign.
    pub(super) fn value(self, sign: &Sign, before: Before<'_>, class: Class, spans: &mut Vec<MaskSpan>) {
        let at = sign.at;
        let limit = self.limit(at);
        if let Some((quote, length)) = literal_at(self.text, at) {
            let how = match sign.link {
                Link::Argument | Link::Spoken => How::Argument,
                Link::Flag => How::Flag,
                _ => How::Literal,
            };
            return self.literal(at + length, quote, class, how, spans);
        }
        if sign.link == Link::Argument {
            return;
        }
        if let Some(inner) = sign_wrapper(&self.text[at..limit]).map(|skip| at + skip)
            && let Some((quote, length)) = literal_at(self.text, inner)
        {
            return self.literal(inner + length, quote, class, How::Literal, spans);
        }
        if self.text.get(at) == Some(&b'[') || matches!(self.text.get(at), None | Some(b'\n' | b'\r' | b'|' | b'>')) {
            return lists::find(self, at, before, class, spans);
        }
        if sign.link == Link::Element {
            let end = self.text[at..limit].iter().position(|b| *b == b'<').map_or(at, |length| at + length);
            return self.add(trimmed(self.text, at..end), class, How::Setting, spans);
        }
        self.bare(sign, before, class, limit, spans);
    }

    fn bare(self, sign: &Sign, before: Before<'_>, class: Class, limit: usize, spans: &mut Vec<MaskSpan>) {
        let limit = if self.is_credentials { limit } else { limit.min(sign.at + MAX_BARE) };
        let word = literal::word(self.text, sign.at, limit);
        let is_line = before.is_head() && !before.bytes().iter().any(|b| matches!(b, b'"' | b'\'' | b'`'));
        let line = if is_line || self.is_credentials { literal::setting(self.text, sign.at, limit) } else { word.clone() };
        let how = match sign.link {
            _ if self.is_credentials => How::Credential,
            Link::Flag => How::Flag,
            Link::Spoken if self.holds == Holds::Code && !before.is_text() => return,
            Link::Spoken if !is_line || line.len() > word.len() || self.holds == Holds::Code => How::Spoken,
            _ if self.holds == Holds::Code && !before.is_text() => How::Code,
            _ => {
                if is_line {
                    How::Setting
                } else {
                    How::Bare
                }
            }
        };
        if how != How::Credential && matches!(class, Class::Password | Class::Token) {
            self.fallback(word.end, class, spans);
        }
        match how {
            How::Setting if self.text[line.clone()].contains(&b' ') => {
                let is_phrase = class == Class::Password && is_secret(&self.text[line.clone()], class, How::Setting);
                self.add(if is_phrase { line } else { word }, class, if is_phrase { How::Setting } else { How::Bare }, spans);
            }
            How::Credential | How::Setting => self.add(line, class, how, spans),
            _ => {
                // `Password=two words;Database=x`
                let end = self.text[sign.at..limit].iter().position(|b| matches!(b, b';' | b'\n' | b'"' | b'\''));
                let field = end.filter(|end| self.text[sign.at + end] == b';').map(|end| sign.at..sign.at + end);
                let is_phrase = |field: &Range<usize>| {
                    self.text[field.clone()].contains(&b' ') && is_secret(&self.text[field.clone()], class, How::Setting)
                };
                match field.filter(is_phrase) {
                    Some(field) => self.push(field, spans),
                    None => self.add(word, class, how, spans),
                }
            }
        }
    }

    /// Adds the literal that stands in for a missing value: `process.env.DB_PASSWORD || "…"`.
    fn fallback(self, at: usize, class: Class, spans: &mut Vec<MaskSpan>) {
        let line = at..literal::line_end(self.text, at, self.text.len().min(at + MAX_NAME));
        if let Some(start) = FALLBACKS.find(&self.text[line]).map(|sign| at + sign.end())
            && let Some((quote, length)) = literal_at(self.text, start)
        {
            self.literal(start + length, quote, class, How::Argument, spans);
        }
    }

    /// Adds a literal whose value begins at `start`, with those that are put together with it.
    pub(super) fn literal(self, start: usize, quote: Quote, class: Class, how: How, spans: &mut Vec<MaskSpan>) {
        let limit = self.limit(start);
        let Some((end, mut next)) = closed(self.text, start, limit, quote) else {
            // Cut off, or a quote that closes lines below: what is left of the line is what there is of the value.
            let end = literal::line_end(self.text, start, limit);
            let rest = trimmed(self.text, start..end);
            if self.is_credentials || !self.text[rest.clone()].iter().any(|b| b" \"'`,;(){}".contains(b)) {
                self.add(rest, class, how, spans);
            }
            return;
        };
        let mut pieces = Vec::new();
        pieces.push(start..end);
        while pieces.len() < MAX_PIECES
            && let Some((from, quote)) = joined(self.text, next, self.holds)
            && let Some((to, after)) = closed(self.text, from, self.limit(from), quote)
        {
            pieces.push(from..to);
            next = after;
        }
        let how = if self.is_credentials { How::Credential } else { how };
        let whole: Vec<u8> = pieces.iter().flat_map(|piece| &self.text[piece.clone()]).copied().collect();
        if pieces.len() > 1 && is_secret(&whole, class, how) {
            for piece in pieces {
                self.push(piece, spans);
            }
        } else if matches!(quote, Quote::Triple(_)) && self.text[start..end].contains(&b'\n') {
            self.add(trimmed(self.text, start..end), class, how, spans);
        } else {
            self.add(start..end, class, how, spans);
        }
    }

    /// Adds the range if what it holds is a secret.
    pub(super) fn add(self, range: Range<usize>, class: Class, how: How, spans: &mut Vec<MaskSpan>) {
        let how = if self.is_credentials { How::Credential } else { how };
        let limit = if how == How::Credential { MAX_CREDENTIAL } else { MAX_VALUE };
        if range.len() <= limit && is_secret(&self.text[range.clone()], class, how) {
            self.push(range, spans);
        }
    }

    fn push(self, range: Range<usize>, spans: &mut Vec<MaskSpan>) {
        let kind = if self.is_credentials { CREDENTIAL } else { ASSIGNED };
        if !range.is_empty() {
            spans.push(MaskSpan { start: range.start, end: range.end, kind });
        }
    }

    /// How far a value at `at` is read.
    pub(super) fn limit(self, at: usize) -> usize {
        let longest = if self.is_credentials { MAX_CREDENTIAL } else { MAX_VALUE };
        at.saturating_add(longest).min(self.text.len())
    }
}

/// What stands between a lookup and the literal that is taken where it fails.
static FALLBACKS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::new([" || ", " ?? ", " or ", " ?: ", "unwrap_or(", "unwrap_or_else(|_| ", "rElse(", "fallback=", "default="])
        .expect("a few short patterns")
});

/// The identifier around a word: letters, digits, `_`, `-`, `.`.
fn name_around(text: &[u8], start: usize, end: usize) -> Range<usize> {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    // A word can end with the sign that made it one: `pw=`.
    let end = end - text[start..end].iter().rev().take_while(|b| !is_name(b)).count();
    let before = text[start.saturating_sub(MAX_NAME)..start].iter().rev().take_while(|b| is_name(b)).count();
    let after = text[end..text.len().min(end + MAX_NAME)].iter().take_while(|b| is_name(b)).count();
    start - before..end + after
}

/// The range without blanks at its ends.
pub(super) fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let value = &text[range.clone()];
    let from = range.start + (value.len() - value.trim_ascii_start().len());
    from..(from + value.trim_ascii().len())
}

/// Functions that make a secret of a literal; any other may look one up by the name it is given.
const WRAPPERS: [&[u8]; 22] = [
    b"String::from(",
    b"String(",
    b"new String(",
    b"Some(",
    b"Ok(",
    b"[]byte(",
    b"[]uint8(",
    b"bytes(",
    b"str(",
    b"Buffer.from(",
    b"SecretString::new(",
    b"SecretString::from(",
    b"Secret::new(",
    b"Secret(",
    b"SecretStr(",
    b"new SecureString(",
    b"SecureString(",
    b"ConvertTo-SecureString ",
    b"ConvertTo-SecureString -String ",
    b"aws.String(",
    b"Cow::from(",
    b"(",
];

/// Characters of wrappers and brackets before the literal they hold.
fn sign_wrapper(text: &[u8]) -> Option<usize> {
    WRAPPERS.iter().filter(|wrapper| text.starts_with(wrapper)).map(|wrapper| wrapper.len()).max()
}

/// Blanks and line ends between two literals of one value.
const MAX_GAP: usize = 160;

/// The literal that is put together with the one that ends at `at`: where its value starts, and its quote.
fn joined(text: &[u8], at: usize, holds: Holds) -> Option<(usize, Quote)> {
    let limit = text.len().min(at + MAX_GAP);
    let skip = |at: usize| at + text[at..limit].iter().take_while(|b| b.is_ascii_whitespace() || **b == b'\\').count();
    let sign = skip(at);
    let has_sign = match text.get(sign)? {
        b'+' | b'.' | b'&' => 1,
        _ => 0,
    };
    let next = skip(sign + has_sign + usize::from(has_sign == 1 && text.get(sign..sign + 2) == Some(b"..")));
    if next >= limit || (has_sign == 0 && (holds == Holds::Settings || next == at)) {
        return None;
    }
    let (quote, length) = if has_sign == 1 { literal_at(text, next)? } else { quote_at(text, next)? };
    // `"a": 1` on the next line is an entry of its own.
    let is_entry = has_sign == 0 && {
        let (_, after) = closed(text, next + length, text.len().min(next + MAX_VALUE), quote)?;
        matches!(text.get(skip_blanks(text, after, text.len())), Some(b':' | b'='))
    };
    (!is_entry).then_some((next + length, quote))
}
