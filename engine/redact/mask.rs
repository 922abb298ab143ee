//! Finds the byte ranges of a whole text that hide a secret, and replaces them.
//!
//! Joins what the detectors find; must not know how any of them works, nor what becomes of the text.

use super::known::with_known;
use super::known_secrets::{Gathered, KnownSecrets};
use super::redactor::Redactor;
use super::view::View;
use regex::bytes::{Regex, RegexBuilder};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{LazyLock, Mutex, PoisonError};

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

/// The name of a kind that was kept: the same for as long as the process runs.
pub fn kind(name: &str) -> &'static str {
    static KINDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kinds = KINDS.lock().unwrap_or_else(PoisonError::into_inner);
    match kinds.get(name) {
        Some(kind) => kind,
        None if kinds.len() == MAX_KINDS || name.len() > MAX_KIND_BYTES => OTHER,
        None => {
            let kind: &'static str = Box::leak(name.into());
            kinds.insert(kind);
            kind
        }
    }
}

/// The most kinds that are named, and the most bytes of a name: there are some hundred, and each name stays in memory.
const MAX_KINDS: usize = 4_096;
const MAX_KIND_BYTES: usize = 64;
/// What stands for a kind without a name.
const OTHER: &str = "secret";

/// Rounds of looking again at what is left after masking; a second round rarely finds anything, a fourth never did.
const MAX_ROUNDS: usize = 8;

/// Names what [`Masks::find`] finds: spans kept under another version are found anew.
pub fn version() -> u64 {
    Redactor::active().version()
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
        Self::find_with(&KnownSecrets::default(), name, text)
    }

    /// As [`Self::find`], with every place of the values that other texts gave away.
    pub fn find_with(values: &KnownSecrets, name: &str, text: &[u8]) -> Vec<MaskSpan> {
        Redactor::active().find(values, name, text)
    }

    /// Masks what [`Self::find`] finds in a text that is kept: what other texts give away is not known yet, or not for long.
    pub fn hide(text: &str) -> Cow<'_, str> {
        Redactor::active().text(&KnownSecrets::default(), "", text)
    }
}

/// Masks a short text: a message, a diagnostic, a path; also the values that this thread knows. `name` as for [`Masks::find`].
pub fn text<'a>(name: &str, text: &'a str) -> Cow<'a, str> {
    with_known(|values| Redactor::active().text(values, name, text))
}

/// Masks every text of a value but those of the fields named `except`. The shape is that of one of our types, so the recursion is as deep as
/// these are.
pub fn json(value: &mut Value, except: &[&str]) {
    fn mask(name: &str, value: &mut Value, except: &[&str]) {
        match value {
            Value::String(held) if !except.contains(&name) => {
                if let Cow::Owned(masked) = text("", held) {
                    *held = masked;
                }
            }
            Value::Array(list) => list.iter_mut().for_each(|entry| mask(name, entry, except)),
            Value::Object(fields) => fields.iter_mut().for_each(|(field, entry)| mask(field, entry, except)),
            _ => {}
        }
    }
    mask("", value, except);
}

/// Joins what `detect` and `values` find in `text`, again and again until masking finds nothing more.
pub(super) fn find(text: &[u8], values: &KnownSecrets, detect: impl Fn(&[u8], &mut Vec<MaskSpan>)) -> Vec<MaskSpan> {
    let mut spans = once(text, values, &detect);
    for _ in 1..MAX_ROUNDS {
        if spans.is_empty() {
            break;
        }
        // A mask can uncover a match: a token that had no border where the masked one began.
        let masked = Masked::new(text, &spans);
        let more = once(&masked.bytes, values, &detect);
        if more.is_empty() {
            break;
        }
        let placed: Vec<_> = more.iter().map(|span| masked.original(&spans, span)).collect();
        spans = merge(spans.into_iter().chain(placed).collect());
    }
    spans
}

/// What every detector says about `text`, joined.
fn once(text: &[u8], values: &KnownSecrets, detect: impl Fn(&[u8], &mut Vec<MaskSpan>)) -> Vec<MaskSpan> {
    let joined = View::joined(text);
    let mut spans = in_view(&joined, values, &detect);
    if !joined.is_plain() {
        spans.extend(in_view(&View::parted(text), values, &detect));
    }
    merge(spans.into_iter().map(|span| whole_characters(text, span)).collect())
}

/// What every detector says about a view, moved back to the original.
fn in_view(view: &View<'_>, values: &KnownSecrets, detect: impl Fn(&[u8], &mut Vec<MaskSpan>)) -> Vec<MaskSpan> {
    let bytes = &*view.bytes;
    let mut spans = Vec::new();
    detect(bytes, &mut spans);
    values.find(bytes, &mut spans);
    if spans.is_empty() {
        return spans;
    }
    // A log repeats in the clear what its first line assigned.
    let mut gathered = Gathered::default();
    gathered.add(bytes, &spans);
    gathered.build().find(bytes, &mut spans);
    let masks = masks_in(bytes);
    for span in &mut spans {
        *span = around_masks(*span, &masks);
    }
    spans.retain(|span| span.start < span.end && !is_mask(bytes[span.start..span.end].trim_ascii()));
    spans.into_iter().map(|span| view.original(span)).collect()
}

/// Widens a span so that it cuts no character in two; in what is no UTF-8 by three bytes at most.
fn whole_characters(text: &[u8], mut span: MaskSpan) -> MaskSpan {
    let is_inside = |at: usize| text.get(at).is_some_and(|b| matches!(b, 0x80..=0xbf));
    for _ in 0..MAX_CHARACTER {
        span.start -= usize::from(span.start > 0 && is_inside(span.start));
        span.end += usize::from(is_inside(span.end));
    }
    span
}

/// Bytes of a character after its first.
const MAX_CHARACTER: usize = 3;

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
