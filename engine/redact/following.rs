//! Reads the value that follows a name and its sign: a literal, a bare word, the rest of a line.

use super::judge::{How, is_secret};
use super::lists;
use super::literal::{self, literal_at};
use super::name::Class;
use super::place::{Before, Holds};
use super::reader::{Reader, trimmed};
use super::sign::{Link, Sign};
use super::span::MaskSpan;
use aho_corasick::AhoCorasick;
use std::ops::Range;
use std::sync::LazyLock;

/// Longest bare value in a file of any kind.
const MAX_BARE: usize = 384;
/// How far behind a value the literal is looked for that stands in for it.
const MAX_FALLBACK: usize = 128;

impl Reader<'_> {
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
        let line = at..literal::line_end(self.text, at, self.text.len().min(at + MAX_FALLBACK));
        if let Some(start) = FALLBACKS.find(&self.text[line]).map(|sign| at + sign.end())
            && let Some((quote, length)) = literal_at(self.text, start)
        {
            self.literal(start + length, quote, class, How::Argument, spans);
        }
    }
}

/// What stands between a lookup and the literal that is taken where it fails.
static FALLBACKS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::new([" || ", " ?? ", " or ", " ?: ", "unwrap_or(", "unwrap_or_else(|_| ", "rElse(", "fallback=", "default="])
        .expect("a few short patterns")
});

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
