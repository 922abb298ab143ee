//! Fills examples with made-up characters, and runs the cases of what is masked and what is kept.

use super::by_rules;
use super::mask::apply;
use regex::Regex;
use serde::Deserialize;

/// Fills `<alnum:36>` with characters of the class, others for each seed, so that no example is a token before the test runs. What is no
/// class stays.
pub(super) fn fill(example: &str, seed: u64) -> String {
    let mut filled = String::new();
    let mut drawn = 0x9e37_79b9_7f4a_7c15_u64 ^ seed.wrapping_mul(0xd134_2543_de82_ef95);
    let mut rest = example;
    while let Some(open) = rest.find('<') {
        let (before, after) = rest.split_at(open);
        filled.push_str(before);
        let slot = after[1..].split_once('>').and_then(|(inner, rest)| {
            let (class, length) = inner.split_once(':')?;
            Some((characters(class)?, length.parse::<usize>().ok()?, rest))
        });
        let Some((set, length, behind)) = slot else {
            filled.push('<');
            rest = &after[1..];
            continue;
        };
        for _ in 0..length {
            drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            filled.push(char::from(set[(drawn >> 33) as usize % set.len()]));
        }
        rest = behind;
    }
    filled + rest
}

fn characters(class: &str) -> Option<&'static [u8]> {
    Some(match class {
        "hex" => b"0123456789abcdef",
        "digit" => b"0123456789",
        "lower" => b"abcdefghijklmnopqrstuvwxyz0123456789",
        "upper" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "alnum" => b"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "word" => b"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-",
        "django" => b"abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)",
        "wif" => b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
        "signs" => b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#%&()*+,-./:;=?@[]^_{|}~",
        "same" => b"x",
        _ => return None,
    })
}

#[derive(Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    about: String,
    files: Vec<String>,
    texts: Vec<String>,
}

/// Fillings of each case.
const SEEDS: u64 = 8;

#[test]
fn secrets_are_masked_where_they_stand_and_nothing_else_is() {
    let cases: Cases = toml::from_str(include_str!("cases.toml")).expect("the cases are read");
    let enclosed = Regex::new("(?s)«([^»]*)»").expect("a short pattern");
    let masked = Regex::new(r"\[REDACTED:[a-z0-9-]+\]").expect("a short pattern");
    let mut wrong = Vec::new();
    for case in &cases.cases {
        for (file, text) in case.files.iter().flat_map(|file| case.texts.iter().map(move |text| (file, text))) {
            for seed in 0..SEEDS {
                let filled = fill(text, seed);
                let plain = filled.replace(['«', '»'], "");
                let spans = by_rules::find(file, plain.as_bytes());
                let found = String::from_utf8(apply(plain.as_bytes(), &spans)).expect("masks lie between characters");
                if masked.replace_all(&found, "«»") != enclosed.replace_all(&filled, "«»") {
                    wrong.push(format!("{}, {file:?}:\n{plain}gives\n{found}", case.about));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} cases\n{}", wrong.len(), wrong.join("\n"));
}
