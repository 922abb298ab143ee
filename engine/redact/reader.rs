//! A text in which names are given values, and what becomes of a value: how far it is read, how it is put together, whether it is a secret.

use super::judge::{How, is_secret};
use super::literal::{self, Quote, closed, literal_at, quote_at, skip_blanks};
use super::name::Class;
use super::place::Holds;
use super::span::MaskSpan;
use std::ops::Range;

const ASSIGNED: &str = "assigned-secret";
const CREDENTIAL: &str = "credential";

/// Longest value in a file of any kind, and in a file of credentials.
const MAX_VALUE: usize = 2_048;
const MAX_CREDENTIAL: usize = 16 << 10;
/// Literals put together to one value.
const MAX_PIECES: usize = 256;

/// A text and how to read it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) text: &'a [u8],
    pub(super) holds: Holds,
    /// In a file of credentials the name is enough.
    pub(super) is_credentials: bool,
}

impl Reader<'_> {
    /// Adds a literal whose value begins at `start`, with those that are put together with it.
    pub(super) fn literal(self, start: usize, quote: Quote, class: Class, how: How, spans: &mut Vec<MaskSpan>) {
        let limit = self.limit(start);
        let quote = quote.raw(self.holds.is_raw());
        // Where a backslash means nothing, one can stand before the closing mark.
        let again = |quote| match quote {
            Quote::Mark { mark, backslashes: 0 } => closed(self.text, start, limit, Quote::Raw(mark)),
            _ => None,
        };
        let Some((end, mut next)) = closed(self.text, start, limit, quote).or_else(|| again(quote)) else {
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
        // A line of a shell goes on behind a backslash.
        let whole = if whole.windows(2).any(|pair| pair == b"\\\n") {
            String::from_utf8_lossy(&whole).replace("\\\n", "").into_bytes()
        } else {
            whole
        };
        if (pieces.len() > 1 || whole.len() < end - start) && is_secret(&whole, class, how) {
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
        if is_secret(&self.text[range.clone()], class, how) {
            self.push(range, spans);
        }
    }

    pub(super) fn push(self, range: Range<usize>, spans: &mut Vec<MaskSpan>) {
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

/// The range without blanks at its ends.
pub(super) fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let value = &text[range.clone()];
    let from = range.start + (value.len() - value.trim_ascii_start().len());
    from..(from + value.trim_ascii().len())
}

/// Blanks and line ends between two literals of one value.
const MAX_GAP: usize = 160;

/// The literal that is put together with the one that ends at `at`: where its value starts, and its quote.
fn joined(text: &[u8], at: usize, holds: Holds) -> Option<(usize, Quote)> {
    let limit = text.len().min(at + MAX_GAP);
    let skip = |at: usize| at + text[at..limit].iter().take_while(|b| b.is_ascii_whitespace() || **b == b'\\').count();
    if let Some(call) = [&b").append("[..], b").concat("].iter().find(|call| text[at..].starts_with(call)) {
        return literal_at(text, at + call.len()).map(|(quote, length)| (at + call.len() + length, quote));
    }
    let sign = skip(at);
    let has_sign = match text.get(sign)? {
        b'+' | b'.' | b'&' => 1,
        _ => 0,
    };
    let next = skip(sign + has_sign + usize::from(has_sign == 1 && text.get(sign..sign + 2) == Some(b"..")));
    if next >= limit || (has_sign == 0 && (holds != Holds::Code || next == at)) {
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
