//! Says which values no other text holds by chance, so that they are masked wherever they stand.

use super::literal::skip_blanks;
use super::mask::holds_mask;
use super::name::{self, Class};
use super::value::{Makeup, is_path, is_random, is_stand_in};
use super::{placeholders, url};
use std::ops::RangeInclusive;

/// Shortest and longest value remembered: a short one is also a word, a long one is a key block.
pub(super) const LENGTH: RangeInclusive<usize> = 8..=512;
/// From this length on a random value is remembered whatever it is the value of.
pub(super) const MIN_RANDOM: usize = 12;
/// From this length on words in a row are remembered if they are given to a secret name: no other text repeats them by chance.
const MIN_PHRASE: usize = 16;
/// Words of such a row, and letters of each.
const MIN_WORDS: usize = 3;
const MIN_WORD: usize = 3;
/// How far before a value its name is looked for.
const MAX_NAME: usize = 160;

/// What of a masked value is looked for elsewhere: it without its quotes, and of an address the password, which it then is.
pub(super) fn secret_part(value: &[u8]) -> (Vec<u8>, bool) {
    let is_quoted = |quote: u8| value.len() > 1 && value.first() == Some(&quote) && value.last() == Some(&quote);
    let value = if is_quoted(b'"') || is_quoted(b'\'') || is_quoted(b'`') { &value[1..value.len() - 1] } else { value };
    let mut spans = Vec::new();
    url::find(value, &mut spans);
    let password = spans.first().and_then(|span| value.get(span.start..span.end));
    (password.unwrap_or(value).to_vec(), password.is_some())
}

/// Whether no other text is likely to hold the value by chance, whatever it is the value of.
pub(super) fn is_telling(value: &[u8]) -> bool {
    let makeup = Makeup::of(value);
    is_value(value)
        && !makeup.blanks
        && !placeholders::is_made_up(without_count(value))
        && (makeup.digits || is_random(value, LENGTH.start().to_owned()))
}

/// `letmein2024`: what a placeholder would be without its number.
pub(super) fn is_counted(value: &[u8]) -> bool {
    is_value(value) && without_count(value).len() < value.len() && placeholders::is_made_up(without_count(value))
}

/// `kX9vQ2! mR7tZ4#`, `correct-horse-battery`, `Correct Horse Battery`, `correcthorsebattery`: words in a row. With dots between them, or with
/// capitals instead of anything, they are a name.
pub(super) fn is_phrase(value: &[u8]) -> bool {
    let words = || value.split(|b| matches!(b, b' ' | b'-' | b'_'));
    let is_word = |word: &[u8]| word.len() >= MIN_WORD && word.iter().all(u8::is_ascii_alphabetic);
    let is_mixed = |word: &[u8]| Makeup::of(word).digits && Makeup::of(word).letters;
    let n_mixed = words().filter(|word| is_mixed(word)).count();
    is_value(value)
        && words().all(|word| is_word(word) || word.iter().any(u8::is_ascii_digit))
        && (n_mixed > 1 && value.len() >= MIN_RANDOM
            || value.len() >= MIN_PHRASE && (words().count() >= MIN_WORDS || value.iter().all(u8::is_ascii_lowercase)))
}

/// Whether it has the length of a value to look for and nothing about its form says that it is not a value.
fn is_value(value: &[u8]) -> bool {
    LENGTH.contains(&value.len())
        && Makeup::of(value).letters
        && !value.windows(3).any(|three| three == b"://")
        && !holds_mask(value)
        && !is_stand_in(value)
        // `a::b` is code, `pa55:word` is none.
        && !(is_path(value) && (value.contains(&b'.') || !Makeup::of(value).digits))
}

fn without_count(value: &[u8]) -> &[u8] {
    &value[..value.len() - value.iter().rev().take_while(|b| b.is_ascii_digit()).count()]
}

/// What the name promises that the value which starts at `at` is given to.
pub(super) fn class_of(text: &[u8], at: usize) -> Option<Class> {
    let from = at.saturating_sub(MAX_NAME);
    let before = &text[from..at];
    let line = &before[before.iter().rposition(|b| *b == b'\n').map_or(0, |feed| feed + 1)..];
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let end = line.iter().rposition(is_name).map_or(0, |last| last + 1);
    let start = line[..end].iter().rposition(|b| !is_name(b)).map_or(0, |last| last + 1);
    if skip_blanks(line, start, end) < end { name::class(&line[start..end]) } else { None }
}

/// `session_store_v2`, `pbkdf2_sha256`: words, each with a short number at most. Of a machine's making it is the name of something.
pub(super) fn is_counted_name(value: &[u8]) -> bool {
    let mut parts = value.split(|b| *b == b'_');
    let is_word = |part: &[u8]| {
        let letters = part.iter().take_while(|b| b.is_ascii_lowercase()).count();
        letters > 0 && part.len() - letters < MIN_WORD + 1 && part[letters..].iter().all(u8::is_ascii_digit)
    };
    value.contains(&b'_') && parts.all(is_word)
}
