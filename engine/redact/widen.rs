//! Widens what was found to the end of a long value: detectors read so far and no further, and a key in base64 goes on for lines.

use super::literal::line_end;
use super::span::MaskSpan;
use super::value::is_random;

/// From this length on what goes on behind a find belongs to it.
const MIN_LONG: usize = 256;
/// Characters of a line of base64, as programs break it, and how many of a line are looked at.
const MIN_LINE: usize = 40;
const MAX_LINE: usize = 256;

/// Widens each of the spans found in `text`.
pub(super) fn widen(text: &[u8], spans: &mut [MaskSpan]) {
    // Several detectors find one value.
    let mut last = (0, 0);
    spans.sort_unstable_by_key(|span| span.end);
    for span in spans {
        if span.end <= last.0 && span.end >= last.1 {
            span.end = last.0;
            continue;
        }
        let found = span.end;
        if span.end - span.start >= MIN_LONG {
            span.end = run_end(text, span.end);
        }
        if span.end - span.start >= MIN_LINE {
            span.end = lines_end(text, span.start, span.end);
        }
        last = (span.end, found);
    }
}

const fn is_base64(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'_' | b'-' | b'=')
}

/// The end of the run of base64 around the byte before `at`.
fn run_end(text: &[u8], at: usize) -> usize {
    if at == 0 || !is_base64(text[at - 1]) {
        return at;
    }
    at + text[at..].iter().take_while(|b| is_base64(**b)).count()
}

/// The end of the lines of base64 of which one ends at `end`, if what follows there is nothing but the end of the line.
fn lines_end(text: &[u8], start: usize, end: usize) -> usize {
    let from = text[start..end].iter().rposition(|b| !is_base64(*b)).map_or(start, |before| start + before + 1);
    let width = end - from;
    if !(MIN_LINE..=MAX_LINE).contains(&width) || !is_random(&text[from..end], MIN_LINE) {
        return end;
    }
    let (mut end, mut at) = (end, end);
    loop {
        let feed = line_end(text, at, text.len().min(at + MAX_LINE));
        let next = feed + 1;
        let is_over = !text[at..feed].iter().all(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\\'));
        if is_over || text.get(feed) != Some(&b'\n') || next >= text.len() {
            return end;
        }
        let line = &text[next..line_end(text, next, text.len().min(next + MAX_LINE))];
        let indent = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let length = line[indent..].iter().take_while(|b| is_base64(**b)).count();
        // The last line is the shorter one; a word of prose is no line of base64.
        let is_last = length < width;
        let behind = line.get(indent + length).copied().unwrap_or(b'\n');
        let is_part = length > 0
            && length <= width
            && matches!(behind, b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'<' | b' ' | b'\t' | b'\\')
            && (!is_last || !matches!(behind, b' ' | b'\t') && ends_base64(&line[indent..indent + length]));
        if !is_part {
            return end;
        }
        end = next + indent + length;
        at = end;
        if is_last {
            return end;
        }
    }
}

/// Whether a short line is the end of base64 instead of a word or the name of an entry.
fn ends_base64(line: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| usize::from(line.iter().any(is));
    let n_kinds = has(u8::is_ascii_digit) + has(u8::is_ascii_uppercase) + has(u8::is_ascii_lowercase);
    line.ends_with(b"=") || n_kinds == 3 || n_kinds == 2 && line.len() < MIN_LINE / 4 && line.iter().any(u8::is_ascii_digit)
}
