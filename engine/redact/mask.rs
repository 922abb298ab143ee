//! What stands in a text in the place of a secret: puts it there, finds it again.

use super::span::MaskSpan;
use regex::bytes::{Regex, RegexBuilder};
use std::ops::Range;
use std::sync::LazyLock;

/// Where masks stand in `text` already.
pub(super) fn masks_in(text: &[u8]) -> Vec<Range<usize>> {
    static MASK: LazyLock<Regex> =
        LazyLock::new(|| RegexBuilder::new(r"\[REDACTED:[a-z0-9-]{1,64}\]").unicode(false).build().expect("a short pattern"));
    MASK.find_iter(text).map(|mask| mask.range()).collect()
}

/// Whether a text is `text` with more of it masked.
pub fn fits(masked: &str, text: &str) -> bool {
    let masks = masks_in(masked.as_bytes());
    let Some(first) = masks.first() else { return masked == text };
    let Some(mut rest) = text.strip_prefix(&masked[..first.start]) else { return false };
    for (mask, next) in masks.iter().zip(&masks[1..]) {
        let piece = &masked[mask.end..next.start];
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(&masked[masks[masks.len() - 1].end..])
}

/// A text in which nothing stands where a mask stood.
pub fn without_masks(text: &str) -> String {
    let masks = masks_in(text.as_bytes());
    let mut rest = 0;
    let mut kept = String::with_capacity(text.len());
    for mask in masks {
        kept.push_str(&text[rest..mask.start]);
        rest = mask.end;
    }
    kept + &text[rest..]
}

/// Widens a span so that it cuts no mask in two: what a mask says is not text to look into.
pub(super) fn around_masks(mut span: MaskSpan, masks: &[Range<usize>]) -> MaskSpan {
    let after_start = masks.partition_point(|mask| mask.end <= span.start);
    if let Some(mask) = masks.get(after_start) {
        span.start = span.start.min(mask.start);
    }
    let before_end = masks.partition_point(|mask| mask.start < span.end);
    if let Some(mask) = before_end.checked_sub(1).map(|last| &masks[last]) {
        span.end = span.end.max(mask.end);
    }
    span
}

/// Whether a value is one mask and nothing else.
pub(super) fn is_mask(value: &[u8]) -> bool {
    masks_in(value).first().is_some_and(|mask| *mask == (0..value.len()))
}

/// Whether this range of a text is the kind that a mask says.
pub(super) fn is_kind(text: &[u8], range: &Range<usize>) -> bool {
    text[..range.start].ends_with(OPEN.as_bytes()) && text.get(range.end) == Some(&b']')
}

/// Whether a value holds a mask.
pub(super) fn holds_mask(value: &[u8]) -> bool {
    value.windows(OPEN.len()).any(|window| window == OPEN.as_bytes())
}

const OPEN: &str = "[REDACTED:";

/// Sorts the spans and joins those that overlap; a joined span has the kind of its first part, of two that start together the longer.
pub(super) fn merge(mut spans: Vec<MaskSpan>) -> Vec<MaskSpan> {
    spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end), span.kind));
    let mut merged: Vec<MaskSpan> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

/// A text with its masks in place.
pub(super) struct Masked {
    pub(super) bytes: Vec<u8>,
    /// Where the replacement of each span lies.
    places: Vec<Range<usize>>,
}

impl Masked {
    /// Replaces every span by `[REDACTED:kind]` and the line feeds it held, so that line numbers stay right.
    pub(super) fn new(text: &[u8], spans: &[MaskSpan]) -> Self {
        let mut masked = Self { bytes: Vec::with_capacity(text.len()), places: Vec::with_capacity(spans.len()) };
        let mut copied = 0;
        for span in spans {
            // Spans can come from a cache: one that does not fit hides what it touches and never panics.
            let (start, end) = (span.start.clamp(copied, text.len()), span.end.clamp(copied, text.len()));
            masked.bytes.extend_from_slice(&text[copied..start]);
            let from = masked.bytes.len();
            masked.bytes.extend_from_slice(OPEN.as_bytes());
            masked.bytes.extend_from_slice(span.kind.as_bytes());
            masked.bytes.push(b']');
            masked.bytes.extend(text[start..end].iter().filter(|b| **b == b'\n'));
            masked.places.push(from..masked.bytes.len());
            copied = end.max(start);
        }
        masked.bytes.extend_from_slice(&text[copied..]);
        masked
    }

    /// Moves a span of the masked text back to the original; where it touches a mask it takes the whole of what that hides.
    pub(super) fn original(&self, spans: &[MaskSpan], span: &MaskSpan) -> MaskSpan {
        let after = |i: usize, at: usize| if i == 0 { at } else { spans[i - 1].end + (at - self.places[i - 1].end) };
        let i = self.places.partition_point(|place| place.end <= span.start);
        let start = match self.places.get(i) {
            Some(place) if place.start <= span.start => spans[i].start,
            _ => after(i, span.start),
        };
        let i = self.places.partition_point(|place| place.start < span.end);
        let end = match i.checked_sub(1).map(|i| (&self.places[i], spans[i].end)) {
            Some((place, end)) if span.end <= place.end => end,
            _ => after(i, span.end),
        };
        MaskSpan { start, end, kind: span.kind }
    }
}

/// Replaces the spans of a text; each mask keeps the line feeds of what it hides.
pub fn apply(text: &[u8], spans: &[MaskSpan]) -> Vec<u8> {
    Masked::new(text, spans).bytes
}
