//! Reads the value that follows a name and its sign: a literal, a bare word, the rest of a line.

use super::judge::{How, is_secret};
use super::lists;
use super::literal::{self, Quote, literal_at};
use super::name::Class;
use super::place::{Before, Format, Holds};
use super::reader::{Reader, trimmed};
use super::sign::{Link, Sign};
use super::span::MaskSpan;
use super::value::{is_drawn, is_mixed};
use super::wrappers;
use aho_corasick::AhoCorasick;
use std::ops::Range;
use std::sync::LazyLock;

/// Longest bare value in a file of any kind.
const MAX_BARE: usize = 384;
/// Characters that open a block or a list and have no value behind them: `|2-`.
const MAX_BLOCK_HEAD: usize = 4;
/// How far behind a value the literal is looked for that stands in for it.
const MAX_FALLBACK: usize = 128;
/// Shortest letters alone that are no word of a heading.
const MIN_MIXED: usize = 8;

impl Reader<'_> {
    /// Adds the value that follows a sign.
    pub(super) fn value(self, sign: &Sign, before: Before<'_>, class: Class, spans: &mut Vec<MaskSpan>) {
        let at = sign.at;
        let limit = self.limit(at);
        let is_bare = sign.link == Link::Element || self.holds.is_raw() && self.text.get(at) == Some(&b'`');
        if let Some((quote, length)) = literal_at(self.text, at).filter(|_| !is_bare) {
            if let Some(line) = self.unquoted(at, length, quote, before) {
                return self.add(line, class, How::Setting, spans);
            }
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
        if let Some(numbers) = wrappers::bytes(self.text, at) {
            return self.push(numbers, spans);
        }
        if let Some(inner) = wrappers::before_literal(&self.text[at..limit]).map(|skip| at + skip)
            && let Some((quote, length)) = literal_at(self.text, inner)
        {
            if wrappers::is_joining(self.text, inner) {
                return lists::joined(self, inner, class, spans);
            }
            return self.literal(inner + length, quote, class, How::Literal, spans);
        }
        if let Some(value) = heredoc(self.text, at, limit) {
            return self.add(value, class, How::Setting, spans);
        }
        if let Some(at) = nested(self.text, at, limit).filter(|_| sign.link == Link::Element) {
            let end = self.text[at..limit.max(at)].iter().position(|b| *b == b'<').map_or(limit.max(at), |length| at + length);
            return self.add(trimmed(self.text, at..end), class, How::Setting, spans);
        }
        let below = || literal::line_end(self.text, at, limit) <= at + MAX_BLOCK_HEAD;
        let is_list = match self.text.get(at) {
            None | Some(b'\n' | b'\r') => true,
            Some(b'|' | b'>') => below(),
            Some(b'[') => below() || self.text[at + 1..limit].trim_ascii_start().first().is_some_and(|b| b"\"'`&{".contains(b)),
            _ => false,
        };
        // `{{ .Values.password | quote }}`
        if sign.link == Link::Spoken && matches!(self.text.get(at), Some(b'|' | b'>' | b'[')) {
            return;
        }
        if is_list {
            return lists::find(self, at, before, class, spans);
        }
        if sign.link == Link::Element && self.text[at..].starts_with(CDATA) {
            let start = at + CDATA.len();
            let end = self.text[start..limit.max(start)]
                .windows(3)
                .position(|three| three == b"]]>")
                .map_or(start, |length| start + length);
            return self.add(trimmed(self.text, start..end), class, How::Setting, spans);
        }
        if sign.link == Link::Element {
            let end = self.text[at..limit].iter().position(|b| *b == b'<').map_or(limit, |length| at + length);
            return self.add(trimmed(self.text, at..end), class, How::Setting, spans);
        }
        self.bare(sign, before, class, limit, spans);
    }

    /// The rest of a line that begins with a quote and is no literal: `"a` in a file in which a quote is a character like others.
    fn unquoted(self, at: usize, length: usize, quote: Quote, before: Before<'_>) -> Option<Range<usize>> {
        let Holds::Lines(format) = self.holds else { return None };
        if format == Format::Shell || !before.is_head() || !matches!(quote, Quote::Mark { backslashes: 0, .. }) {
            return None;
        }
        let limit = self.limit(at);
        let line = literal::rest(self.text, at, limit, format);
        let ends = match literal::closed(self.text, at + length, limit, quote.raw(true)) {
            Some((_, after)) => after >= line.end || self.text[after..].first().is_none_or(|b| b" \t\r\n,;:)}]".contains(b)),
            // A literal of YAML can go on below.
            None => format == Format::Yaml,
        };
        (!ends).then_some(line)
    }

    fn bare(self, sign: &Sign, before: Before<'_>, class: Class, limit: usize, spans: &mut Vec<MaskSpan>) {
        let limit = if self.is_credentials { limit } else { limit.min(sign.at + MAX_BARE) };
        let word = literal::word(self.text, sign.at, limit);
        let is_line = before.is_head() && !before.bytes().iter().any(|b| matches!(b, b'"' | b'\'' | b'`'));
        let line = match self.holds {
            Holds::Lines(format) if is_line && format != Format::Shell => literal::rest(self.text, sign.at, limit, format),
            _ if is_line || self.is_credentials => literal::setting(self.text, sign.at, limit),
            _ => word.clone(),
        };
        // `Password validation` is a heading.
        let is_heading = |word: &Range<usize>| {
            let head = self.text[..sign.at].rsplit(|b| *b == b'\n').next().unwrap_or_default().trim_ascii_start();
            head.first().is_some_and(u8::is_ascii_uppercase)
                && self.text[word.clone()].iter().all(u8::is_ascii_alphabetic)
                && !is_mixed(&self.text[word.clone()], MIN_MIXED)
        };
        let how = match sign.link {
            // A comment speaks as any text does.
            Link::Spoken if self.is_credentials => {
                return Reader { is_credentials: false, ..self }.bare(sign, before, class, self.limit(sign.at), spans);
            }
            _ if self.is_credentials => How::Credential,
            Link::Flag => How::Flag,
            Link::Spoken if self.holds == Holds::Code && !before.is_text() => return,
            Link::Spoken if !is_line || line.len() > word.len() || self.holds == Holds::Code || is_heading(&word) => How::Spoken,
            _ if self.holds == Holds::Code && !before.is_text() => How::Code,
            _ => {
                if is_line {
                    How::Setting
                } else {
                    How::Bare
                }
            }
        };
        if how != How::Credential && matches!(class, Class::Password | Class::Token | Class::Key) {
            self.fallback(word.end, class, spans);
        }
        match how {
            How::Setting if self.text[line.clone()].contains(&b' ') => {
                // Of a line of no known format it is not known where a value of several words ends.
                let is_known = matches!(self.holds, Holds::Lines(format) if format != Format::Shell);
                let value = &self.text[line.clone()];
                let is_whole = is_secret(value, class, How::Setting) && (is_known || !is_drawn(value, 0));
                self.add(if is_whole { line } else { word }, class, if is_whole { How::Setting } else { How::Bare }, spans);
            }
            How::Credential | How::Setting => self.add(line, class, how, spans),
            _ => {
                // `Password=two words;Database=x`
                let end = self.text[sign.at..limit].iter().position(|b| matches!(b, b';' | b'\n' | b'"' | b'\''));
                let field = end.filter(|end| self.text[sign.at + end] == b';').map(|end| sign.at..sign.at + end);
                let is_phrase = |field: &Range<usize>| {
                    let value = &self.text[field.clone()];
                    value.contains(&b' ') && is_secret(value, class, How::Setting) && !value.contains(&b'(')
                };
                match field.filter(|field| how != How::Code && is_phrase(field)) {
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

/// Where the text of the element begins that holds the value of the one around it: `<Password>\n  <Value>…`.
fn nested(text: &[u8], at: usize, limit: usize) -> Option<usize> {
    let open = at + text[at..limit].iter().take_while(|b| b.is_ascii_whitespace()).count();
    NESTED
        .iter()
        .find(|tag| text.get(open..open + tag.len()).is_some_and(|found| found.eq_ignore_ascii_case(tag)))
        .map(|tag| open + tag.len())
}

const NESTED: [&[u8]; 3] = [b"<value>", b"<plaintext>", b"<string>"];

const CDATA: &[u8] = b"<![CDATA[";
/// Characters of the word that ends a text of several lines.
const MAX_END: usize = 40;

/// The lines of a text that a word ends: `<<~EOS`, `$(cat <<'EOF'`.
fn heredoc(text: &[u8], at: usize, limit: usize) -> Option<Range<usize>> {
    let head = &text[at..literal::line_end(text, at, limit)];
    let head = head.strip_prefix(b"$(cat ").unwrap_or(head);
    let rest = head.strip_prefix(b"<<")?.trim_ascii();
    let rest = rest.strip_prefix(b"-").or_else(|| rest.strip_prefix(b"~")).unwrap_or(rest);
    let end: Vec<u8> = rest.iter().copied().filter(|b| !matches!(b, b'"' | b'\'')).collect();
    if end.is_empty() || end.len() > MAX_END || !end.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_') {
        return None;
    }
    let start = literal::line_end(text, at, limit) + 1;
    let mut from = start;
    while from < limit {
        let to = literal::line_end(text, from, limit);
        if text[from..to].trim_ascii() == end {
            return Some(trimmed(text, start..from.max(start)));
        }
        from = to + 1;
    }
    None
}

/// What stands between a lookup and the literal that is taken where it fails.
static FALLBACKS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::new([
        " || ",
        " ?? ",
        " or ",
        " ?: ",
        " else ",
        " : ",
        "unwrap_or(",
        "unwrap_or_else(|_| ",
        "rElse(",
        "fallback=",
        "default=",
    ])
    .expect("a few short patterns")
});
