//! The other ways a value is written: in base64, in hexadecimal digits, in an address, in JSON, in XML.

use std::fmt::Write;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Shortest run of base64 that names a value: six bytes of it, which occur by chance in no repository.
const MIN_CORE: usize = 8;
/// Bytes of one group of base64, and its characters.
const GROUP: usize = 3;
const CHARS: usize = 4;

/// Characters of a UUID.
const UUID: usize = 36;

/// Every form of a value that differs from it and is no base64, sorted.
pub(super) fn of(value: &[u8]) -> Vec<Vec<u8>> {
    let url = url(value);
    // The fields of a form have a plus for a blank.
    let form = url.replace("%20", "+").into_bytes();
    // Who writes them escapes other characters than we do: what is left is found in what that means.
    let plus = value.iter().map(|b| if *b == b' ' { b'+' } else { *b }).collect();
    let mut forms = vec![url.into_bytes(), form, plus, json(value), xml(value), hex(value), hex(value).to_ascii_uppercase()];
    // Hosts, keys of indices and snapshots change the case; hexadecimal digits have none.
    forms.extend([value.to_ascii_lowercase(), value.to_ascii_uppercase()]);
    let digits: Vec<u8> = value.iter().copied().filter(|b| *b != b'-').collect();
    if value.len() == UUID && digits.len() == UUID - 4 && digits.iter().all(u8::is_ascii_hexdigit) {
        forms.push(digits);
    }
    forms.retain(|form| form != value);
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// What base64 of any text around the value has in common with it: one run for each place the value can begin in a group.
pub(super) fn base64_cores(value: &[u8]) -> Vec<Vec<u8>> {
    let mut cores = Vec::new();
    for shift in 0..GROUP {
        // The first group that holds nothing but the value, up to the last such.
        let from = (GROUP - shift) % GROUP;
        let whole = value.len().saturating_sub(from) / GROUP * GROUP;
        let core = encode(value.get(from..from + whole).unwrap_or_default());
        if core.len() >= MIN_CORE {
            let safe: Vec<u8> = core
                .iter()
                .map(|b| {
                    if *b == b'+' {
                        b'-'
                    } else if *b == b'/' {
                        b'_'
                    } else {
                        *b
                    }
                })
                .collect();
            cores.extend([core, safe]);
        }
    }
    cores
}

/// Base64 of whole groups.
fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len() / GROUP * CHARS);
    for group in bytes.chunks_exact(GROUP) {
        let bits = u32::from(group[0]) << 16 | u32::from(group[1]) << 8 | u32::from(group[2]);
        text.extend([18, 12, 6, 0].map(|shift| STANDARD[(bits >> shift & 63) as usize]));
    }
    text
}

/// What base64 says, if the text is base64 with or without its filling.
pub(super) fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    let end = text.iter().rposition(|b| *b != b'=').map_or(0, |last| last + 1);
    if end < CHARS * 2 || text.len() - end > 2 || end % CHARS == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(end / CHARS * GROUP);
    let (mut bits, mut n_bits) = (0_u32, 0);
    for b in &text[..end] {
        let b = match b {
            b'-' => b'+',
            b'_' => b'/',
            b => *b,
        };
        let digit = STANDARD.iter().position(|letter| *letter == b)?;
        bits = bits << 6 | digit as u32;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits) as u8);
        }
    }
    Some(bytes)
}

/// In hexadecimal digits, two a byte.
fn hex(value: &[u8]) -> Vec<u8> {
    let mut text = String::with_capacity(value.len() * 2);
    for b in value {
        // Writing into a `String` does not fail.
        let _ = write!(text, "{b:02x}");
    }
    text.into_bytes()
}

/// As part of an address.
fn url(value: &[u8]) -> String {
    let mut text = String::with_capacity(value.len() * 3);
    for b in value {
        if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~') {
            text.push(char::from(*b));
        } else {
            let _ = write!(text, "%{b:02X}");
        }
    }
    text
}

/// As part of a text in JSON.
fn json(value: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len() + value.len() / 8);
    for b in value {
        if matches!(b, b'"' | b'\\') {
            text.push(b'\\');
        }
        text.push(*b);
    }
    text
}

/// As part of XML or HTML.
fn xml(value: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len() + value.len() / 8);
    for b in value {
        match b {
            b'&' => text.extend(b"&amp;"),
            b'<' => text.extend(b"&lt;"),
            b'>' => text.extend(b"&gt;"),
            b'"' => text.extend(b"&quot;"),
            b => text.push(*b),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{base64_cores, decoded, of};

    #[test]
    fn a_value_is_known_in_its_other_forms() {
        let value = b"lantern/\"8&orchid";
        let forms = [of(value), base64_cores(value)].concat();
        let has = |text: &str| forms.iter().any(|form| text.as_bytes().windows(form.len()).any(|window| window == form));
        assert!(has("user%3Alantern%2F%228%26orchid@"));
        assert!(has(r#"{"a": "lantern/\"8&orchid"}"#));
        assert!(has("<a>lantern/&quot;8&amp;orchid</a>"));
        // `x:`, `xy:` and `xyz:` before it, and something behind.
        assert!(
            ["eDpsYW50ZXJuLyI4Jm9yY2hpZCE=", "eHk6bGFudGVybi8iOCZvcmNoaWQh", "eHl6OmxhbnRlcm4vIjgmb3JjaGlkIQ=="]
                .iter()
                .all(|text| has(text))
        );
        assert_eq!(decoded(b"dXNlcjpwYXNz").as_deref(), Some(&b"user:pass"[..]));
        assert_eq!(decoded(b"dXNlcjpwYXNzMQ").as_deref(), decoded(b"dXNlcjpwYXNzMQ==").as_deref());
        assert!(decoded(b"not base64!").is_none() && decoded(b"").is_none());
        assert!(of(b"copper walnut").contains(&b"copper+walnut".to_vec()));
        assert!(of(b"plainvalue1").iter().all(|form| form.len() >= 8));
    }
}
