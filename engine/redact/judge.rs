//! Decides whether the value of a secret name is a secret, by what the name promises and how the value is written.
//!
//! A password is what a person chose, so no randomness is asked of it, only that it is not a word of code, of a label or of a manual.

use super::name::{self, Class};
use super::phrase::{is_phrase, is_sentence};
use super::placeholders;
use super::value::{Makeup, is_drawn, is_mixed, is_odd, is_path, is_random, is_reference, is_stand_in};

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// In a file of credentials: whatever is not a reference is the secret.
    Credential,
    /// Quoted, behind a sign.
    Literal,
    /// Quoted, behind a bracket, a comma or a blank.
    Argument,
    /// The rest of a line of settings, or the text of an element.
    Setting,
    /// A bare word behind a sign, among other text.
    Bare,
    /// The word behind a flag.
    Flag,
    /// A bare word behind a name and a blank.
    Spoken,
    /// A bare word in code: an expression, unless it cannot be one.
    Code,
}

/// Shortest password with a letter and a digit; what is shorter is an index.
const MIN_PASSWORD: usize = 6;
/// Shortest password that is less certain: words alone, or an argument.
const MIN_UNCERTAIN: usize = 8;
/// Longest password; a longer value is judged as a token.
const MAX_PASSWORD: usize = 128;
/// So much of a value is judged.
const MAX_VALUE: usize = 2_048;
/// Shortest token that looks drawn at random, and where names in code stand in the same place.
const MIN_TOKEN: usize = 10;
const MIN_TOKEN_IN_CODE: usize = 16;
/// Words of a passphrase, and letters of each.
const MIN_WORDS: usize = 4;
const WORD: std::ops::RangeInclusive<usize> = 3..=9;

/// Whether `value` is a secret.
pub(super) fn is_secret(value: &[u8], class: Class, how: How) -> bool {
    if how == How::Credential {
        return !is_reference(value);
    }
    if value.is_empty() {
        return false;
    }
    // A long value is judged by its beginning: what follows is not another sort of text.
    let value = &value[..value.len().min(MAX_VALUE)];
    if let Some(whole) = unwrapped(value) {
        return is_drawn(&whole, MIN_WRAPPED) && !is_stand_in(&whole);
    }
    let looks_secret = match class {
        Class::Token | Class::Key => is_token(value, how) || is_whole(value, class, how),
        Class::WeakToken => how == How::Literal && (is_basic(value) || is_key(value)),
        Class::Password => is_token(value, how) || is_password(value, how) || is_whole(value, class, how),
        Class::WeakPassword => match how {
            How::Literal | How::Setting | How::Flag => is_strong(value, MIN_UNCERTAIN) && is_password(value, how),
            How::Bare => is_strong(value, MIN_UNCERTAIN) && is_password(value, how) && is_no_name(value),
            _ => false,
        },
    };
    // What most values fail at is asked first.
    looks_secret
        && !is_stand_in(value)
        && !is_example(value)
        && !is_variable(value, how)
        && !is_message(value, how)
        && !is_public_number(value, class)
}

/// `hexTestECKey`, `srx2_pass`: a variable that holds a secret, where one can stand.
fn is_variable(value: &[u8], how: How) -> bool {
    matches!(how, How::Code | How::Bare | How::Spoken)
        && value.len() <= MAX_NAME
        && value.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
        && value[0].is_ascii_alphabetic()
        && value.last().is_some_and(u8::is_ascii_alphabetic)
        && has_words(value)
        && name::class(value).is_some()
}

/// Longest variable that is told from a secret.
const MAX_NAME: usize = 48;

/// Whether a name has several words: what was chosen by a person has a capital in front at most.
fn has_words(value: &[u8]) -> bool {
    value.contains(&b'_')
        || value[0].is_ascii_lowercase()
            && value.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

/// The first letter beyond ASCII: `À`. An escape of a letter: `\u00C0`.
const FIRST_FOREIGN: u16 = 0xC0;
const ESCAPE: usize = 6;

/// Letters of other scripts, escaped as `.properties` have them, and neither digits nor signs besides: a text for people.
fn is_message(value: &[u8], how: How) -> bool {
    let number = |digits: &[u8]| u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let (mut at, mut n_foreign, mut rest) = (0, 0, Vec::new());
    while at < value.len() {
        let escape = value.get(at..at + ESCAPE).filter(|escape| escape.starts_with(b"\\u"));
        if escape.and_then(|escape| number(&escape[2..])).is_some_and(|letter| letter >= FIRST_FOREIGN) {
            n_foreign += 1;
            at += ESCAPE;
        } else {
            rest.push(value[at]);
            at += 1;
        }
    }
    let makeup = Makeup::of(&rest);
    matches!(how, How::Setting | How::Bare) && n_foreign > 0 && !makeup.digits && !makeup.signs
}

/// Digits of an address of a chain, behind `0x`, and of the fingerprint of a key.
const ADDRESS: usize = 40;

/// An address of a chain; under the name of a key of anything also a fingerprint in capitals.
fn is_public_number(value: &[u8], class: Class) -> bool {
    let is_hex = |digits: &[u8]| digits.len() == ADDRESS && digits.iter().all(u8::is_ascii_hexdigit);
    value.strip_prefix(b"0x").is_some_and(is_hex)
        || class == Class::Key
            && is_hex(value)
            && value.iter().any(u8::is_ascii_uppercase)
            && !value.iter().any(u8::is_ascii_lowercase)
}

/// Whether a literal is a password where a call takes one, with nothing else that says so: what could name or address something is none.
pub(super) fn is_argument(value: &[u8]) -> bool {
    let stem = without_count(value);
    let count = value.strip_suffix(b"!").unwrap_or(value)[stem.len()..].to_vec();
    let is_count = count.len() < YEAR || count.len() == YEAR && (count.starts_with(b"19") || count.starts_with(b"20"));
    let is_counted = is_count && stem.iter().all(|b| b.is_ascii_lowercase() || b"._/:-".contains(b));
    let is_address = value.iter().all(|b| b.is_ascii_digit() || b".:/-".contains(b))
        || value.windows(3).any(|three| three == b"://")
        || value.iter().rposition(|b| *b == b'@').is_some_and(|at| value[at..].contains(&b'.') && at > 0);
    let is_letters = value.iter().all(u8::is_ascii_lowercase);
    let looks_chosen = !is_counted && is_secret(value, Class::Password, How::Argument);
    let looks_drawn =
        is_letters && value.len() >= MIN_LETTERS && is_odd(value, ODD) || !value.contains(&b'.') && is_phrase(value, true);
    // `SCRAM-SHA-512` is the name of something.
    let is_constant = value.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'))
        && !is_random(value, MIN_TOKEN_IN_CODE);
    !is_address && !is_constant && !value.starts_with(b"-") && (looks_chosen || looks_drawn) && !placeholders::is_made_up(stem)
}

/// Whether a literal is a password where nothing but one can stand: also a word with a count behind it, a name, what looks like an address.
pub(super) fn is_chosen(value: &[u8]) -> bool {
    let is_number = value.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let is_words = value.iter().all(|b| b.is_ascii_alphabetic() || b"_. -".contains(b));
    let looks_chosen = value.len() >= MIN_PASSWORD && !is_number && !is_words && !is_stand_in(value) && !is_example(value);
    looks_chosen || is_secret(value, Class::Password, How::Literal)
}

/// Whether a word of prose is the value of a name that stands before it somewhere.
pub(super) fn is_said(value: &[u8], class: Class) -> bool {
    let makeup = Makeup::of(value);
    let has = |is: fn(&u8) -> bool| value.iter().any(is);
    let n_digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    // `SCRAM-SHA-256`, `v1.2.3`, `docs/a2.md`, `next()`, `A1|B2`.
    let is_name = !has(u8::is_ascii_lowercase) && !makeup.signs && !is_random(value, MIN_TOKEN_IN_CODE)
        || value.windows(3).any(|three| three == b"://")
        || makeup.brackets
        || makeup.foreign
        || value.iter().any(|b| matches!(b, b'/' | b'\\')) && !is_random(value, MIN_KEY);
    let is_parted =
        has(|b| matches!(b, b'-' | b'_' | b'.')) && has(u8::is_ascii_uppercase) && value.len() >= MIN_TOKEN && n_digits > 1;
    let looks_chosen = value.len() >= MIN_UNCERTAIN && makeup.letters && makeup.digits && (makeup.signs || is_parted);
    let looks_drawn = is_random(value, if class == Class::Password { MIN_TOKEN } else { MIN_TOKEN_IN_CODE });
    !is_name
        && (class == Class::Password && looks_chosen || looks_drawn)
        && is_argument(value)
        && !is_example(value)
        && (looks_drawn || !is_path(value))
        // `Registration#signingX509Credentials`
        && !is_path(&value.iter().map(|b| if *b == b'#' { b'.' } else { *b }).collect::<Vec<u8>>())
}

/// Shortest letters alone that count, and the share of their neighbours, in percent, that no word has.
const MIN_LETTERS: usize = 14;
const ODD: usize = 45;

/// Whether the only argument of a call that takes a token is one.
pub(super) fn is_lone_argument(value: &[u8]) -> bool {
    is_secret(value, Class::Token, How::Argument) && !is_path(value)
}

/// Digits of a year; fewer behind a word count.
const YEAR: usize = 4;

/// A value without the digits and the mark at its end: `wrong-password1!`.
fn without_count(value: &[u8]) -> &[u8] {
    let value = value.strip_suffix(b"!").unwrap_or(value);
    &value[..value.len() - value.iter().rev().take_while(|b| b.is_ascii_digit()).count()]
}

/// Shortest value that stands on several lines.
const MIN_WRAPPED: usize = 40;

/// A value that was broken into lines without blanks in them, in one piece.
fn unwrapped(value: &[u8]) -> Option<Vec<u8>> {
    if !value.contains(&b'\n') {
        return None;
    }
    let lines = value.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
    let whole: Vec<u8> = lines.flat_map(|line| line.strip_suffix(b"\\").unwrap_or(line).trim_ascii_end()).copied().collect();
    (whole.len() >= MIN_WRAPPED && whole.iter().all(|b| b.is_ascii_alphanumeric() || b"+/=_-".contains(b))).then_some(whole)
}

/// Whether a value whose ends are certain is a secret by all of its characters, signs and blanks among them.
fn is_whole(value: &[u8], class: Class, how: How) -> bool {
    let min = match how {
        How::Literal | How::Setting | How::Flag => MIN_TOKEN,
        How::Argument => MIN_TOKEN_IN_CODE,
        _ => return false,
    };
    let is_file = value.iter().filter(|b| **b == b'/').count() > 2 && value.contains(&b'.');
    // What is not quoted and holds escapes is a part of a text in a text.
    let is_part = how == How::Setting && value.windows(2).filter(|pair| matches!(*pair, b"\\\"" | b"\\n")).count() > 1;
    if is_file || is_part {
        return false;
    }
    // A key of anything can be the name of an entry, and names are words in a row.
    let is_named = class != Class::Key;
    is_drawn(value, min)
        || is_named && (how != How::Flag || class == Class::Password) && is_phrase(value, class == Class::Password)
        || is_named && matches!(how, How::Literal | How::Setting) && is_signed(value)
}

/// Letters and digits with a sign that names and addresses do not have.
fn is_signed(value: &[u8]) -> bool {
    let makeup = Makeup::of(value);
    value.len() >= MIN_TOKEN
        && makeup.letters
        && makeup.digits
        && !makeup.blanks
        && !makeup.brackets
        && value.iter().any(|b| b"!#$^*~?".contains(b))
        && value.iter().all(|b| b.is_ascii_alphanumeric() || b"!#$^*~-_.?@+".contains(b))
}

fn is_token(value: &[u8], how: How) -> bool {
    let is_quoted = matches!(how, How::Literal | How::Argument);
    if !is_quoted && is_path(value) {
        return false;
    }
    let min = match how {
        How::Argument | How::Spoken | How::Code => MIN_TOKEN_IN_CODE,
        _ => MIN_TOKEN,
    };
    is_random(value, min)
}

fn is_password(value: &[u8], how: How) -> bool {
    let makeup = Makeup::of(value);
    if makeup.blanks {
        return matches!(how, How::Literal | How::Setting) && is_passphrase(value);
    }
    let is_bare = !matches!(how, How::Literal | How::Argument);
    if value.len() > MAX_PASSWORD
        || value.iter().any(u8::is_ascii_control)
        || is_expression(value)
        || is_label(value)
        || value.strip_suffix(b":").is_some_and(|label| label.iter().all(u8::is_ascii_alphabetic))
        || is_route(value)
        || value.windows(4).any(|four| matches!(four, b"%02x" | b"%02X"))
        || (is_bare && makeup.brackets)
        || (!makeup.signs && is_path(value) && !is_numbered(value, how))
        || value.windows(3).any(|three| three == b"://")
    {
        return false;
    }
    match how {
        How::Literal | How::Setting => is_strong(value, MIN_PASSWORD) || is_soft(value, makeup) || is_number(value),
        How::Flag | How::Bare => is_strong(value, MIN_PASSWORD),
        // `["injectPassword", "inject2faToken"]` are names.
        How::Argument => is_strong(value, MIN_UNCERTAIN) && is_no_name(value),
        How::Spoken => makeup.digits && is_strong(value, MIN_UNCERTAIN) && (makeup.signs || is_random(value, MIN_TOKEN)),
        How::Code => makeup.signs && makeup.digits && is_strong(value, MIN_UNCERTAIN),
        How::Credential => true,
    }
}

/// `ChangePasswordV2`, `LOGIN_WITH_PASSWORD_V2`, `input-password-1`: words of labels, and one digit that counts.
fn is_label(value: &[u8]) -> bool {
    let Some((_, stem)) = value.split_last().filter(|(last, _)| last.is_ascii_digit()) else { return false };
    let stem = [&b"V"[..], b"_v", b"-v", b"_V", b"_", b"-"].iter().find_map(|end| stem.strip_suffix(*end)).unwrap_or(stem);
    let is_name = stem.iter().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-' | b'/' | b'.'));
    let humps = stem.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count();
    let n_words = humps + stem.iter().filter(|b| !b.is_ascii_alphabetic()).count();
    is_name && n_words > 0 && placeholders::is_made_up(stem)
}

/// What a controller does, as routes name it.
const ACTIONS: [&[u8]; 10] =
    [b"create", b"destroy", b"edit", b"index", b"new", b"recover", b"reset", b"show", b"update", b"verify"];

/// `sessions#create`: a controller and what it does.
fn is_route(value: &[u8]) -> bool {
    let Some(at) = value.iter().position(|b| *b == b'#') else { return false };
    let controller = &value[..at];
    controller.iter().all(|b| b.is_ascii_lowercase() || matches!(b, b'_' | b'/')) && ACTIONS.contains(&&value[at + 1..])
}

/// A call, an index, an element: a name with what stands between brackets.
fn is_expression(value: &[u8]) -> bool {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || b"_.:-$ ,'/\"|".contains(b);
    [(b'(', b')'), (b'<', b'>'), (b'{', b'}'), (b'[', b']')].iter().any(|(open, close)| {
        let Some(at) = value.iter().position(|b| b == open) else { return false };
        let Some(end) = value.iter().rposition(|b| b == close).filter(|end| *end > at) else { return false };
        value[..at].iter().chain(&value[at + 1..end]).chain(&value[end + 1..]).all(is_name)
    })
}

/// Letters with a digit or a sign, or such a mixture of letters as no word has.
fn is_strong(value: &[u8], min: usize) -> bool {
    let makeup = Makeup::of(value);
    !makeup.blanks
        && makeup.letters
        && (makeup.digits && value.len() >= min
            || makeup.signs && !makeup.foreign && value.len() >= min.max(MIN_UNCERTAIN)
            || is_mixed(value, MIN_UNCERTAIN))
}

/// More than a name with one number in it.
fn is_no_name(value: &[u8]) -> bool {
    let n_digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    n_digits > 1 || Makeup::of(value).signs || is_random(value, MIN_TOKEN) || is_mixed(value, MIN_UNCERTAIN)
}

/// Letters alone that are no label: those begin with a capital or say what they are.
fn is_soft(value: &[u8], makeup: Makeup) -> bool {
    let starts_small = value.first().is_some_and(u8::is_ascii_lowercase);
    let mut parts = value.split(|b| matches!(b, b'-' | b'_'));
    let n_parts = parts.clone().count();
    makeup.letters
        && !makeup.foreign
        && !makeup.brackets
        && !makeup.inner_capitals
        && starts_small
        && value.len() >= MIN_UNCERTAIN
        && (n_parts == 1 || n_parts >= MIN_WORDS && !parts.any(is_stand_in))
        && value.iter().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_'))
}

/// More digits than names in a row have: `Amber.Falcon617`.
fn is_numbered(value: &[u8], how: How) -> bool {
    let is_file = value.iter().any(|b| matches!(b, b'/' | b'\\' | b':'));
    matches!(how, How::Literal | How::Setting | How::Flag | How::Bare)
        && !is_file
        && value.iter().filter(|b| b.is_ascii_digit()).count() >= MIN_DIGITS
}

/// Digits that names in a row do not have.
const MIN_DIGITS: usize = 3;

/// Digits alone that do not just count.
fn is_number(value: &[u8]) -> bool {
    let steps = value.windows(2).filter(|pair| pair[1].wrapping_sub(pair[0]) != 1 && pair[0] != pair[1]).count();
    (MIN_PASSWORD..=MAX_PASSWORD).contains(&value.len()) && value.iter().all(u8::is_ascii_digit) && steps * 2 >= value.len()
}

/// Small words in a row, as made for people to learn by heart, perhaps with a number, or words of which each mixes letters and digits; a
/// sentence has a capital, a mark or a short word.
fn is_passphrase(value: &[u8]) -> bool {
    let words = || value.split(|b| *b == b' ').filter(|word| !word.is_empty());
    let is_word = |word: &[u8]| WORD.contains(&word.len()) && word.iter().all(u8::is_ascii_lowercase) && !is_stand_in(word);
    let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    let is_mixed = |word: &[u8]| {
        let makeup = Makeup::of(word);
        makeup.letters && makeup.digits && !makeup.brackets
    };
    let n_words = words().filter(|word| is_word(word)).count();
    if is_sentence(words()) {
        return false;
    }
    n_words >= MIN_WORDS && words().all(|word| is_word(word) || is_number(word))
        || words().count() > 1 && words().all(is_mixed) && words().any(|word| word.len() >= MIN_PASSWORD)
}

/// `user:password` in base64, as headers and registries carry it.
fn is_basic(value: &[u8]) -> bool {
    super::encodings::decoded(value).is_some_and(|plain| plain.contains(&b':') && plain.iter().all(u8::is_ascii_graphic))
}

/// Shortest keys under a name that says nothing else: 32 bytes in base64, or as many characters.
const MIN_KEY: usize = 32;
/// Beginnings of public keys: of X.509, SSH, PEM and minisign.
const PUBLIC_KEYS: [&[u8]; 9] = [b"MI", b"MF", b"MC", b"MD", b"ME", b"AAAA", b"LS0", b"RW", b"http"];

/// A key of capitals, small letters and digits, as no hash, name or public key is written.
fn is_key(value: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| value.iter().any(is);
    value.len() >= MIN_KEY
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && value.iter().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(b))
        && is_random(value, MIN_KEY)
        && !PUBLIC_KEYS.iter().any(|start| value.starts_with(start))
}

/// A token of a manual says so: `AKIA…EXAMPLE`.
fn is_example(value: &[u8]) -> bool {
    let is_start = |b: u8| b.eq_ignore_ascii_case(&EXAMPLE[0]);
    value.windows(EXAMPLE.len()).any(|window| is_start(window[0]) && window.eq_ignore_ascii_case(EXAMPLE))
}

const EXAMPLE: &[u8] = b"example";
