//! Finds the byte ranges of a whole text that hide a secret, and replaces them.
//!
//! Joins what the detectors find; must not know how any of them works, nor what becomes of the text.

use super::{assigned, escape, key_block, named_file, rules};
use aho_corasick::{AhoCorasick, MatchKind};
use regex::bytes::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

/// One range of bytes to mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaskSpan {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What is hidden, in kebab case: `github-token`. Says nothing about the value.
    pub kind: &'static str,
}

/// Rounds of looking again at what is left after masking; a second round rarely finds anything, a fourth never did.
const MAX_ROUNDS: usize = 8;

/// A change to the detectors that their rules do not show. Part of [`version`].
const DETECTORS: u64 = 1;

/// Names what [`Masks::find`] finds: spans kept under another version are found anew.
pub fn version() -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(rules::BUILT_IN.as_bytes(), DETECTORS)
}

/// The ranges of one text that must not leave.
#[derive(Debug, Clone, Copy)]
pub struct Masks;

impl Masks {
    /// Finds the ranges to mask in a whole file or message, sorted, apart from each other, never empty.
    ///
    /// `name` is the file's path, empty for text that is no file: it decides how some files are read. Masking what is left masks nothing
    /// more.
    pub fn find(name: &str, text: &[u8]) -> Vec<MaskSpan> {
        let mut spans = once(name, text);
        for _ in 1..MAX_ROUNDS {
            if spans.is_empty() {
                break;
            }
            // A mask can uncover a match: a token that had no border where the masked one began.
            let masked = Masked::new(text, &spans);
            let more = once(name, &masked.bytes);
            if more.is_empty() {
                break;
            }
            let placed: Vec<_> = more.iter().map(|span| masked.original(&spans, span)).collect();
            spans = merge(spans.into_iter().chain(placed).collect());
        }
        spans
    }
}

/// What every detector says about `text`, joined.
fn once(name: &str, text: &[u8]) -> Vec<MaskSpan> {
    let mut spans = Vec::new();
    key_block::find(text, &mut spans);
    rules::built_in().find(name, text, &mut spans);
    assigned::find(text, &mut spans);
    named_file::find(name, text, &mut spans);
    mentions(text, &mut spans);
    if !spans.is_empty() {
        let masks = masks_in(text);
        for span in &mut spans {
            *span = around_masks(*span, &masks);
        }
    }
    spans.retain(|span| span.start < span.end && !is_mask(text[span.start..span.end].trim_ascii()));
    merge(spans)
}

/// Shortest and longest value looked for elsewhere in the text: a short one is also a word, a long one is a key block.
const MENTION: RangeInclusive<usize> = 12..=512;

/// Values looked for: a file of more is a list of values, each masked where it stands.
const MAX_MENTIONED: usize = 1_000;

/// Adds every other place of a value that is masked somewhere: a log repeats in the clear what its first line assigned.
fn mentions(text: &[u8], spans: &mut Vec<MaskSpan>) {
    let mut values: BTreeMap<&[u8], &'static str> = BTreeMap::new();
    for span in spans.iter().filter(|span| MENTION.contains(&span.end.saturating_sub(span.start))) {
        let value = &text[span.start..span.end];
        if value.iter().any(u8::is_ascii_digit) && !value.contains(&b'\n') && !is_mask(value) {
            let kind = values.entry(value).or_insert(span.kind);
            *kind = span.kind.min(*kind);
        }
    }
    if values.is_empty() {
        return;
    }
    let searched = values.keys().take(MAX_MENTIONED);
    let Ok(search) = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(searched) else { return };
    let kinds: Vec<&'static str> = values.values().copied().collect();
    let found = search.find_iter(text);
    spans.extend(found.map(|at| MaskSpan { start: at.start(), end: at.end(), kind: kinds[at.pattern().as_usize()] }));
}

/// Where masks stand in `text` already.
fn masks_in(text: &[u8]) -> Vec<Range<usize>> {
    static MASK: LazyLock<Regex> =
        LazyLock::new(|| RegexBuilder::new(r"\[REDACTED:[a-z0-9-]{1,64}\]").unicode(false).build().expect("a short pattern"));
    MASK.find_iter(text).map(|mask| mask.range()).collect()
}

/// Widens a span so that it cuts no mask in two: what a mask says is not text to look into.
fn around_masks(mut span: MaskSpan, masks: &[Range<usize>]) -> MaskSpan {
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
fn is_mask(value: &[u8]) -> bool {
    masks_in(value).first().is_some_and(|mask| *mask == (0..value.len()))
}

const OPEN: &str = "[REDACTED:";

/// Sorts the spans and joins those that overlap; a joined span has the kind of its first part, of two that start together the longer.
fn merge(mut spans: Vec<MaskSpan>) -> Vec<MaskSpan> {
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
struct Masked {
    bytes: Vec<u8>,
    /// Where the replacement of each span lies.
    places: Vec<Range<usize>>,
}

impl Masked {
    /// Replaces every span by `[REDACTED:kind]` and the line feeds it held, so that line numbers stay right.
    fn new(text: &[u8], spans: &[MaskSpan]) -> Self {
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
    fn original(&self, spans: &[MaskSpan], span: &MaskSpan) -> MaskSpan {
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

/// Masks a short text: a message, a diagnostic, a path. `name` as for [`Masks::find`].
pub fn text<'a>(name: &str, text: &'a str) -> Cow<'a, str> {
    let spans = Masks::find(name, text.as_bytes());
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(escape::utf8(&apply(text.as_bytes(), &spans)).into_owned())
}
