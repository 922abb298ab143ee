//! Finds the byte ranges of a whole text that hide a secret: joins what the detectors find, round by round.

use super::known_secrets::{Gathered, KnownSecrets};
use super::mask::{Masked, around_masks, is_mask, masks_in, merge};
use super::span::MaskSpan;
use super::view::View;
use super::widen::widen;

/// Rounds of looking again at what is left after masking; a second round rarely finds anything, a fourth never did.
const MAX_ROUNDS: usize = 8;

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

/// Whether a value stands in `text` that is known to be secret, in any view of it.
pub(super) fn holds(text: &[u8], values: &KnownSecrets) -> bool {
    let is_in = |view: &View<'_>| {
        let mut spans = Vec::new();
        values.find(&view.bytes, &mut spans);
        !spans.is_empty()
    };
    let joined = View::joined(text);
    is_in(&joined) || !joined.is_plain() && is_in(&View::parted(text))
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
    widen(bytes, &mut spans);
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

/// Widens a span so that it cuts no character in two; in what is not UTF-8 by three bytes at most.
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
