//! Finds tokens of providers that no rule knows: a prefix of letters, a separator, and characters drawn at random.
//!
//! What looks so and is none has a place or a shape of its own: hashes are hexadecimal, names of built files stand in paths, identifiers of
//! clouds and test cases are words.

use super::span::MaskSpan;
use super::value::{is_odd, is_random};

const KIND: &str = "token";

/// Characters of a whole token, and of what was drawn.
const LENGTH: std::ops::RangeInclusive<usize> = 23..=400;
const MIN_DRAWN: usize = 20;
/// Characters of a prefix, parts of it, and characters of each; so many hexadecimal digits are a number.
const PREFIX: std::ops::RangeInclusive<usize> = 2..=24;
const MAX_PARTS: usize = 4;
const MAX_WORD: usize = 12;
const MIN_HEX: usize = 8;
/// Share of neighbours, in percent, that no word has: what was drawn has 65, give or take 8.
const ODD: usize = 48;

/// Words of a prefix that promise a secret, behind which hexadecimal digits are one too.
const TELLING: [&str; 25] = [
    "api", "apikey", "sdk", "auth", "key", "live", "pat", "prod", "pk", "priv", "rk", "sec", "secret", "signkey", "sk", "tok",
    "token", "e2b", "fc", "sess", "oauth", "access", "refresh", "bearer", "hook",
];

/// Words of a prefix that promise something else.
const HARMLESS: [&str; 49] = [
    "arn", "sha1", "sha256", "sha384", "sha512", "md5", "blake3", "h1", "ami", "vpc", "subnet", "sg", "rtb", "igw", "eni", "vol",
    "snap", "pod", "node", "gke", "eks", "chunk", "module", "css", "sc", "svelte", "jsx", "v", "data", "id", "img", "image",
    "file", "font", "test", "case", "xn", "cus", "evt", "acct", "price", "commit", "build", "hash", "digest", "etag", "trace",
    "span", "req",
];

/// Adds what looks like a token wherever it stands.
pub(super) fn find(text: &[u8], spans: &mut Vec<MaskSpan>) {
    let mut at = 0;
    while at < text.len() {
        // Whoever is long enough has a character at every so many steps.
        let probe = at + LENGTH.start() - 1;
        if !text.get(probe).copied().is_some_and(is_part) {
            at = probe + 1;
            continue;
        }
        let start = text[at..probe].iter().rposition(|b| !is_part(*b)).map_or(at, |before| at + before + 1);
        let end = probe + text[probe..].iter().take_while(|b| is_part(**b)).count();
        at = end + 1;
        if LENGTH.contains(&(end - start)) && is_free(text, start, end) && is_token(&text[start..end]) {
            spans.push(MaskSpan { start, end, kind: KIND });
        }
    }
}

const fn is_part(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// Whether a word stands by itself: not in a path, an address, a number, a base64 text or the name of a file.
fn is_free(text: &[u8], start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).and_then(|at| text.get(at)).copied().unwrap_or(b' ');
    let after = text.get(end).copied().unwrap_or(b' ');
    let next = text.get(end + 1).copied().unwrap_or(b' ');
    let goes_on = match after {
        // The name of a file, the name of a value; padding ends.
        b'.' | b'=' => next.is_ascii_alphanumeric(),
        // An escaped line end or quote is no part of a path.
        b'\\' => !matches!(next, b'n' | b'r' | b't' | b'"' | b'\'' | b'\\'),
        b'/' | b'+' | b'%' | b'(' => true,
        _ => false,
    };
    !goes_on && !matches!(before, b'/' | b'\\' | b'+' | b'%' | b'#' | b'.' | b'~' | b'@')
}

/// Whether a word is a prefix of letters and something drawn at random.
fn is_token(word: &[u8]) -> bool {
    if PUBLISHED.iter().any(|start| word.starts_with(start)) {
        return false;
    }
    let mut at = 0;
    let mut is_telling = false;
    let mut is_capital = true;
    for part in word.split(|b| matches!(b, b'_' | b'-')).take(MAX_PARTS + 1) {
        let known = |list: &[&str]| list.iter().any(|word| part.eq_ignore_ascii_case(word.as_bytes()));
        if known(&HARMLESS) {
            return false;
        }
        if !part.is_empty() && !is_word(part) {
            break;
        }
        is_telling |= known(&TELLING);
        is_capital &= part.iter().all(|b| !b.is_ascii_lowercase());
        at += part.len() + 1;
    }
    let drawn = word.get(at..).unwrap_or_default();
    // Identifiers of what GitHub has: `PVTI_lADO…`.
    let is_node = is_capital && NODES.iter().any(|node| drawn.starts_with(node));
    PREFIX.contains(&at.saturating_sub(1)) && drawn.len() >= MIN_DRAWN && !is_node && is_drawn(drawn, is_telling)
}

/// Beginnings of keys that are made to stand in pages: Stripe's publishable ones.
const PUBLISHED: [&[u8]; 2] = [b"pk_live_", b"pk_test_"];

/// Beginnings of identifiers that GitHub gives.
const NODES: [&[u8]; 4] = [b"kwD", b"lAD", b"lAH", b"lAC"];

/// Whether a part is a word of a prefix: `pcsk`, `SK`, `e2b`, `v1`. Base64 has capitals among small letters.
fn is_word(part: &[u8]) -> bool {
    let is_small = part.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let is_capital = part.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let n_digits = part.iter().filter(|b| b.is_ascii_digit()).count();
    let is_hex = part.len() >= MIN_HEX && part.iter().all(u8::is_ascii_hexdigit);
    part.len() <= MAX_WORD && part[0].is_ascii_alphabetic() && (is_small || is_capital) && n_digits < 3 && !is_hex
}

/// Whether what stands behind a prefix was drawn: letters and digits mixed as in no word and no hash.
fn is_drawn(drawn: &[u8], is_telling: bool) -> bool {
    let longest = drawn.split(|b| matches!(b, b'_' | b'-')).max_by_key(|run| run.len()).unwrap_or_default();
    let n_numbers = drawn.split(|b| !b.is_ascii_digit()).filter(|number| !number.is_empty()).count();
    if longest.iter().all(u8::is_ascii_hexdigit) {
        // A hash or an identifier, unless the prefix says that it is a key.
        return is_telling && longest.len() >= MIN_DRAWN && is_random(drawn, MIN_DRAWN);
    }
    let has = |is: fn(&u8) -> bool| drawn.iter().any(is);
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    longest.len() * 2 > drawn.len()
        && n_numbers >= if is_mixed { 2 } else { 3 }
        && (is_mixed || has(u8::is_ascii_lowercase) || is_telling)
        && is_random(drawn, MIN_DRAWN)
        && is_odd(longest, ODD)
}

#[cfg(test)]
mod tests {
    use super::find;

    fn found(text: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        find(text.as_bytes(), &mut spans);
        spans.iter().map(|span| &text[span.start..span.end]).collect()
    }

    #[test]
    fn tokens_of_any_provider_are_told_from_names_and_hashes() {
        for text in [
            "pcsk_4RPAfqoQB7xoFcSvTAxRzmaZsV2",
            "signkey-prod-8Mj7zdnbMjAdTdlzC5T4uUhf7kvmlP7HVDct",
            "nvapi-zWkpAePcEJIukB4geqNfngAFTCloiADN5RpVI2XQ",
            "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",
            "fc-a7f572c2ffa6041f12bc9dc7715543d7",
        ] {
            assert_eq!(found(&format!("use \"{text}\" here")), [text]);
        }
        for text in [
            "sha512-4RPAfqoQB7xoFcSvTAxRzmaZsV2",
            "pk_live_4RPAfqoQB7xoFcSvTAxRzmaZsV2",
            "web-frontend-deployment-7d4b9c6f5d-x2k8p",
            "gke-prod-default-pool-3f2a9c1b-v8zq",
            "TestParse_WhenInputHas_2_Tokens_ReturnsError",
            "req-3f2504e0-4f89-41d3-9a0c-0305e82c3301",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "foo-876a2c7ce06ac26a51b60fe96fb950aa7a59710e",
            "a/assets_4RPAfqoQB7xoFcSvTAxRzmaZsV2",
            "index_4RPAfqoQB7xoFcSvTAxRzmaZsV2.js",
            "subnet-0a1b2c3d4e5f678904RPAf",
            "flipt-io__flipt-05d7234fa582df632f70a7cd10194d61bd7043b9",
            "XCN_OID_PKCS_12_pbeWithSHA1And40BitRC2",
            "PVTI_lAHOAA3WC84AW6WNzgJ8rnQ",
        ] {
            assert_eq!(found(&format!("use \"{text}\" here")), [""; 0], "{text}");
        }
    }
}
