//! What holds for every text: masks do not depend on where a text is cut, lines keep their numbers, nothing panics.

use super::by_rules;
use super::entropy::entropy;
use super::known_secrets::Gathered;
use super::mask::apply;
use super::masker::Masker;
use super::redactor::Redactor;
use super::safe::{LongLines, Safe};
use proptest::prelude::*;

fn redacted(name: &str, text: &str) -> String {
    String::from_utf8(apply(text.as_bytes(), &by_rules::find(name, text.as_bytes()))).expect("masks lie between characters")
}

/// Scraps of what detectors look for, to be put together in any order.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop_oneof![
        prop::sample::select(vec![
            "\n",
            "\n",
            "\r\n",
            " ",
            "\t",
            "=",
            ":",
            " = ",
            "\"",
            "'",
            "`",
            "\\",
            "\\n",
            "#",
            " #",
            "+",
            "-",
            "/",
            "@",
            "://",
            "[",
            "]",
            "-----BEGIN RSA PRIVATE KEY-----",
            "-----END RSA PRIVATE KEY-----",
            "---- BEGIN SSH2 PRIVATE KEY ----",
            "Private-Lines: 2",
            "Private-MAC: ",
            "Proc-Type: 4,ENCRYPTED",
            "api_key",
            "secret",
            "token",
            "export ",
            "password",
            "login",
            "auth",
            "ghp_",
            "AKIA",
            "sk-",
            "sk-ant-api03-",
            "[REDACTED:private-key]",
            "[REDACTED:",
            "é",
            "ключ",
            "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRV",
            "hooks.slack.com/services/",
            "eyJ",
            ".",
            "Q~",
            "kind: Secret\n",
            "data:\n  ",
            "{\"kind\":\"Secret\",\"data\":{",
            "}",
            "\u{1b}[1m",
            "\u{1b}]",
            "\\u001b[3",
            "\0",
            "\u{feff}",
            "://a:",
            "Authorization: ",
            "Bearer ",
            "Basic ",
            "Cookie: sid=",
            "name: ",
            "value: ",
            "<password>",
            "&quot;",
            "|\n  ",
            "- ",
            "-----END PRIVATE KEY-----",
            " is ",
            "--password ",
            "hunter2!x",
            "IDENTIFIED BY '",
            "|password|\n",
            "|---|",
            "|",
            "insert into a (b, password) values ('b', '",
            "'), (",
            "passwords = {'a': '",
            "', 'b': '",
            "a, password = 'a', '",
            "password = <<EOF\n",
            "EOF\n",
            "<![CDATA[",
            "]]>",
            "password = [[",
            "%q{",
            "? password\n: ",
            "- --password\n- ",
            "{\"value\": \"",
            "\", \"key\": \"password",
            "Password:\n  Type: String\n  Default: ",
            "пароль",
            "\u{ad}",
            "\u{fe0f}",
            "\u{a0}",
            "：",
            "{{ \"",
            "\" | b64enc }}",
        ])
        .prop_map(str::to_owned),
        "[A-Za-z0-9+/]{1,70}",
        "[0-9a-f]{32,40}",
    ];
    prop::collection::vec(scrap, 0..24).prop_map(|scraps| scraps.concat())
}

fn file_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a.rs",
        ".env",
        ".envrc",
        ".netrc",
        ".pgpass",
        ".htpasswd",
        ".npmrc",
        ".git-credentials",
        "master.key",
        "a.tfvars",
        "a.yaml",
        "",
    ])
}

/// Secrets as their makers write them.
fn secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "ghp_[A-Za-z0-9]{36}",
        "glpat-[A-Za-z0-9_]{20}",
        "AKIA[A-Z2-7]{16}",
        "npm_[A-Za-z0-9]{36}",
        "sk-ant-api03-[A-Za-z0-9_-]{93}AA",
        "xoxb-[0-9]{12}-[0-9]{12}-[A-Za-z0-9]{24}",
    ]
    .prop_filter("a text of few characters is a drawing of a token", |secret| entropy(secret.as_bytes()) > 3.2)
}

/// A failure is told whole and becomes a case of its own; no files of seeds are kept.
fn properties() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) }
}

proptest! {
    #![proptest_config(properties())]

    #[test]
    fn masking_twice_is_masking_once(name in file_name(), text in scraps()) {
        let once = redacted(name, &text);
        prop_assert_eq!(redacted(name, &once), once);
    }

    #[test]
    fn lines_keep_their_numbers(name in file_name(), text in scraps()) {
        prop_assert_eq!(redacted(name, &text).matches('\n').count(), text.matches('\n').count());
    }

    #[test]
    fn spans_are_sorted_and_apart(name in file_name(), text in scraps()) {
        let spans = by_rules::find(name, text.as_bytes());
        prop_assert!(spans.iter().all(|span| span.start < span.end && span.end <= text.len()));
        prop_assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }

    #[test]
    fn a_planted_token_is_gone(before in scraps(), secret in secret(), after in scraps()) {
        let text = format!("{before} {secret} {after}");
        prop_assert!(!redacted("a.rs", &text).contains(&secret));
        prop_assert!(!text_of(&text).contains(&secret));
    }

    #[test]
    fn a_planted_key_is_gone(before in scraps(), lines in prop::collection::vec("[A-Za-z0-9+/]{64}", 1..6), after in scraps(), closed: bool) {
        let footer = if closed { "-----END PRIVATE KEY-----" } else { "" };
        let masked = redacted("a.rs", &format!("{before}\n-----BEGIN PRIVATE KEY-----\n{}\n{footer}\n{after}", lines.join("\n")));
        for line in &lines {
            prop_assert!(!masked.contains(line.as_str()), "{masked}");
        }
    }

    #[test]
    fn an_assigned_value_shows_in_no_window(
        before in scraps(), name in prop::sample::select(vec!["password: ", "DB_PASSWORD=", "api_key = "]), value in "[A-Za-z0-9]{4}[0-9][A-Z][a-z][0-9][A-Z0-9a-z]{12}",
        after in scraps(), first in 1_u32..6, n in 0_u32..4,
    ) {
        prop_assume!(super::value::is_random(value.as_bytes(), 16));
        let file = Masker::knowing_nothing().file("a.yaml", format!("{before}\n{name}{value}\n{after}").as_bytes());
        prop_assert!(!file.as_str().contains(&value));
        let window = Safe::code(&file, first..=first + n, LongLines::Whole);
        prop_assert!(!window.as_str().contains(&value));
        let whole = Safe::code(&file, 1..=u32::MAX, LongLines::Whole);
        prop_assert!(whole.as_str().contains(window.as_str().trim_end_matches('\n')));
    }

    #[test]
    fn nothing_panics_and_nothing_is_lost(name in file_name(), bytes in prop::collection::vec(any::<u8>(), 0..400), scrap in scraps()) {
        let text = [&bytes[..], scrap.as_bytes(), &bytes[..bytes.len() / 2]].concat();
        let spans = by_rules::find(name, &text);
        let once = apply(&text, &spans);
        prop_assert_eq!(apply(&once, &by_rules::find(name, &once)), once.clone());
        prop_assert_eq!(once.iter().filter(|b| **b == b'\n').count(), text.iter().filter(|b| **b == b'\n').count());
        let mut gathered = Gathered::default();
        gathered.add(&text, &spans);
        let values = gathered.build();
        prop_assert!(Redactor::built_in().find(&values, name, &text).len() <= text.len());
    }

    #[test]
    fn no_value_of_an_environment_file_is_left(value in "[!-~]{8,40}", before in "[A-Z]{1,5}=[a-z]{0,9}\n") {
        // A comment sign or an open quote at the start changes what the value is, not that it goes.
        let masked = redacted(".env", &format!("{before}KEY={value}\nEND=1\n"));
        prop_assert!(!masked.contains(&value), "{masked}");
    }
}

fn text_of(message: &str) -> String {
    Masker::knowing_nothing().text("", message).into_owned()
}
