//! Finds secrets by the name they are assigned to: `datadog_api_key: 9e99…`, `const CLIENT_SECRET: &str = "…"`.
//!
//! Reads every language that writes name, sign, value on one line. Must not know file names or any provider's shape.

use super::MaskSpan;
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// What a value must look like to be taken for a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Floor {
    /// As if drawn at random: in ordinary files names like `token` have all kinds of values.
    Random,
    /// Anything but a reference: in a file of credentials the name is enough.
    AnyValue,
}

/// Shortest value taken for random.
const MIN_RANDOM: usize = 16;
/// Longest name, and the longest value in a file of any kind; in a file of credentials a value is as long as its line.
const MAX_NAME: usize = 128;
const MAX_VALUE: usize = 512;
/// Characters of a sign: `=`, `:=`, `===`.
const MAX_SIGNS: usize = 3;
/// How far a type may push the equals sign from the name: `: Option<&'static str> = `.
const MAX_TYPE: usize = 40;
/// A random text changes between upper case, lower case and digit at least at every fourth character on average (hexadecimal at every
/// second); words, versions and dates do not.
const CHANGES_PER: usize = 4;

/// Words whose presence makes a name worth reading; what counts is decided by [`is_secret_name`].
static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(["key", "token", "secret", "passw", "passphrase", "pwd", "_pass", "_pat", "auth", "credential", "_salt"])
        .expect("a few short patterns")
});

/// Ends of a name, without separators and in lower case, whose value is secret.
const SECRET_ENDS: [&str; 13] = [
    "key",
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "pass",
    "pat",
    "salt",
    "credential",
    "credentials",
    "auth",
];
/// What may follow such an end.
const TAILS: [&str; 8] = ["base", "data", "value", "prod", "production", "dev", "test", "staging"];
/// Parts that make a name harmless: its value is public or names something.
const HARMLESS: [&str; 16] = [
    "public",
    "pubkey",
    "sitekey",
    "publishable",
    "primarykey",
    "foreignkey",
    "sortkey",
    "partitionkey",
    "cachekey",
    "hashkey",
    "idempotency",
    "nexttoken",
    "pagetoken",
    "continuationtoken",
    "synctoken",
    "hostkey",
];

/// Adds random values assigned to secret names.
pub(super) fn find(text: &[u8], spans: &mut Vec<MaskSpan>) {
    find_with(text, Floor::Random, spans);
}

/// Adds values above `floor` assigned to secret names.
pub(super) fn find_with(text: &[u8], floor: Floor, spans: &mut Vec<MaskSpan>) {
    let mut done = 0;
    for word in WORDS.find_iter(text) {
        if word.end() <= done {
            continue;
        }
        let name = name_around(text, word.start(), word.end());
        done = name.end;
        if !is_secret_name(&text[name.start..name.end], floor) {
            continue;
        }
        let Some((start, end)) = value_after(text, name.end, floor) else { continue };
        let value = &text[start..end];
        let is_quoted = matches!(text[start - 1], b'"' | b'\'' | b'`');
        let is_secret = match floor {
            Floor::Random if !is_quoted && is_path(value) => false,
            Floor::Random => {
                is_random(value, MIN_RANDOM) || (is_password_name(&text[name.clone()]) && is_password(value, is_quoted))
            }
            Floor::AnyValue => !is_reference(value),
        };
        if is_secret {
            let kind = if floor == Floor::Random { "assigned-secret" } else { "credential" };
            spans.push(MaskSpan { start, end, kind });
            done = done.max(end);
        }
    }
}

/// The identifier around a word: letters, digits, `_`, `-`, `.`.
fn name_around(text: &[u8], start: usize, end: usize) -> std::ops::Range<usize> {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let before = text[start.saturating_sub(MAX_NAME)..start].iter().rev().take_while(|b| is_name(b)).count();
    let after = text[end..text.len().min(end + MAX_NAME)].iter().take_while(|b| is_name(b)).count();
    start - before..end + after
}

fn is_secret_name(name: &[u8], floor: Floor) -> bool {
    let bare: String = name.iter().filter(|b| b.is_ascii_alphanumeric()).map(|b| char::from(b.to_ascii_lowercase())).collect();
    let bare = bare.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = TAILS.iter().find_map(|tail| bare.strip_suffix(tail)).unwrap_or(bare);
    // A name that is only `key` can be the key of anything.
    let says_enough = !(floor == Floor::Random && matches!(stem, "key" | "auth" | "pat"));
    says_enough && SECRET_ENDS.iter().any(|end| stem.ends_with(end)) && !HARMLESS.iter().any(|part| bare.contains(part))
}

/// The value after the name that ends at `at`: behind a closing quote, a type and the sign.
fn value_after(text: &[u8], at: usize, floor: Floor) -> Option<(usize, usize)> {
    let longest = if floor == Floor::AnyValue { text.len() } else { MAX_NAME + MAX_VALUE };
    let line = &text[at..text.len().min(at.saturating_add(longest))];
    let line = &line[..line.iter().position(|b| *b == b'\n').unwrap_or(line.len())];
    let count = |from: usize, wanted: &[u8]| line[from..].iter().take_while(|b| wanted.contains(b)).count();
    let mut i = count(0, b"\\\"'`])");
    i += count(i, b" \t");
    let typed = line[i..].windows(3).take(MAX_TYPE).position(|window| window == b" = ");
    let is_type = |b: &u8| b.is_ascii_alphanumeric() || b": &'<>_?|.[]".contains(b);
    if let Some(sign) = typed.filter(|sign| line[i..i + sign].iter().all(is_type)) {
        i += sign + 3;
    } else {
        let signs = count(i, b":=>");
        let calls = if signs == 0 { count(i, b"(,") } else { 0 };
        i += signs + calls;
        // `setPassword("…")`, `define('DB_PASSWORD', '…')`: what is not quoted there is a variable.
        let is_literal = || matches!(line[i..].trim_ascii_start().first(), Some(b'"' | b'\''));
        if !matches!(signs + calls, 1..=MAX_SIGNS) || (calls > 0 && !is_literal()) {
            return None;
        }
    }
    i += count(i, b" \t");
    if matches!(line.get(i), Some(b'b' | b'r' | b'f' | b'u' | b'@' | b'$')) && matches!(line.get(i + 1), Some(b'"' | b'\'')) {
        i += 1;
    }
    i += count(i, b"\\");
    let rest = &line[i..];
    let length = match rest.first()? {
        quote @ (b'"' | b'\'' | b'`') => {
            i += 1;
            rest[1..].iter().position(|b| b == quote || *b == b'\\')?
        }
        _ if floor == Floor::AnyValue => {
            let comment = rest.windows(2).position(|pair| matches!(pair, b" #" | b" ;")).unwrap_or(rest.len());
            rest[..comment].trim_ascii_end().strip_suffix(b",").unwrap_or(rest[..comment].trim_ascii_end()).len()
        }
        _ => rest.iter().position(|b| b.is_ascii_whitespace() || b",;)}]&\"'`<>|\\".contains(b)).unwrap_or(rest.len()),
    };
    Some((at + i, at + i + length))
}

/// Whether a value looks drawn at random.
fn is_random(value: &[u8], min: usize) -> bool {
    if !(min..MAX_VALUE).contains(&value.len())
        || value.iter().any(|b| !b.is_ascii_alphanumeric() && !b"_-+/=.~!@#%^&*:$?".contains(b))
    {
        return false;
    }
    let class = |b: &u8| match b {
        b'a'..=b'z' => Some(0),
        b'A'..=b'Z' => Some(1),
        b'0'..=b'9' => Some(2),
        _ => None,
    };
    let classes: Vec<u8> = value.iter().filter_map(class).collect();
    let changes = classes.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let n_digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    n_digits >= 2
        && n_digits < classes.len()
        && changes * CHANGES_PER >= value.len()
        && super::rules::entropy(value) >= MIN_ENTROPY
}

/// Names in a row: what code writes where a value could stand, `win32api.RegEnumKey`.
fn is_path(value: &[u8]) -> bool {
    let is_name = |part: &[u8]| {
        part.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
            && part.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    value.contains(&b'.') && value.split(|b| *b == b'.').all(is_name)
}

fn is_password_name(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    [&b"password"[..], b"passwd", b"passphrase", b"pwd", b"pass"].iter().any(|end| name.ends_with(end))
}

/// Whether a value can be the password that a name promises: one word with a letter and a digit. Without quotes it must also have what no
/// name in code has.
fn is_password(value: &[u8], is_quoted: bool) -> bool {
    let has = |wanted: fn(&u8) -> bool| value.iter().any(wanted);
    (MIN_PASSWORD..=MAX_PASSWORD).contains(&value.len())
        && value.iter().all(u8::is_ascii_graphic)
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && !has(|b| b"(){}<>[]|".contains(b))
        && (is_quoted || has(|b| b"-!#%^&*?+@~".contains(b)) || is_random(value, MIN_RANDOM_PASSWORD))
        && !is_reference(value)
}

const MIN_PASSWORD: usize = 8;
/// Without quotes; shorter ones look like names in code.
const MIN_RANDOM_PASSWORD: usize = 12;
const MAX_PASSWORD: usize = 128;

/// Bits a byte; random hexadecimal of 16 digits has 3 and more.
const MIN_ENTROPY: f64 = 2.8;

/// Whether a value names a secret, or is none, instead of being one.
fn is_reference(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let Some((&first, rest)) = value.split_first() else { return true };
    let wraps = |open: &[u8], close: &[u8]| value.starts_with(open) && value.ends_with(close);
    rest.iter().all(|b| *b == first)
        || wraps(b"${", b"}")
        || wraps(b"{{", b"}}")
        || wraps(b"$(", b")")
        || wraps(b"<", b">")
        || wraps(b"%", b"%")
        || matches!(first, b'{' | b'[' | b'|' | b'>' | b'&')
        || [&b"true"[..], b"false", b"null", b"none", b"nil"].iter().any(|word| value.eq_ignore_ascii_case(word))
        || [&b"var."[..], b"local.", b"data.", b"module.", b"env."].iter().any(|prefix| value.starts_with(prefix))
}
