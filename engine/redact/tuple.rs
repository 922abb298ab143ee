//! Finds the value of one name among several that are set at once: `user, password = "bob", "…"`.

use super::literal::{Quote, closed, line_end, literal_at, skip_blanks};
use super::place::Before;
use std::ops::Range;

/// Names set at once, and characters of a line.
const MAX_NAMES: usize = 8;
const MAX_LINE: usize = 400;

/// Where the value of `name` begins, behind its quote.
pub(super) fn value_of(text: &[u8], name: Range<usize>, before: Before<'_>) -> Option<(usize, Quote)> {
    let is_list = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b',' | b' ' | b'\t');
    let head = before.bytes();
    if !head.iter().all(is_list) {
        return None;
    }
    let end = line_end(text, name.end, name.end + MAX_LINE);
    let names = text[name.end..end].iter().take_while(|b| is_list(b)).count();
    let sign = name.end + names;
    let sign = if text.get(sign) == Some(&b':') { sign + 1 } else { sign };
    let n_before = head.iter().filter(|b| **b == b',').count();
    let n_behind = text[name.end..sign].iter().filter(|b| **b == b',').count();
    if text.get(sign) != Some(&b'=') || text.get(sign + 1) == Some(&b'=') || !(1..MAX_NAMES).contains(&(n_before + n_behind)) {
        return None;
    }
    let mut at = skip_blanks(text, sign + 1, end);
    for number in 0..=n_before {
        let (quote, length) = literal_at(text, at)?;
        if number == n_before {
            return Some((at + length, quote));
        }
        let (_, after) = closed(text, at + length, end, quote)?;
        let comma = skip_blanks(text, after, end);
        at = skip_blanks(text, comma + 1, end);
        if text.get(comma) != Some(&b',') {
            return None;
        }
    }
    None
}
