//! `activate redact`, and rules of the user's own: what they add, and that no repository has a say.

use super::{Scratch, command, run_with};
use crate::secrets::token;
use std::process::Stdio;

#[test]
fn secrets_of_a_text_are_masked_as_its_name_tells() {
    let secret = token("redact");
    let masked = run_with(format!("before {secret} after\n").as_bytes(), &["redact"]);
    assert_eq!((masked.code, masked.stderr.as_str()), (0, ""));
    assert!(masked.stdout.starts_with("before [REDACTED:") && masked.stdout.ends_with("] after\n"), "{}", masked.stdout);
    let env = run_with(b"COLOUR=blue-green\n", &["redact", "--name", "deploy/.env"]);
    assert_eq!(env.stdout, "COLOUR=[REDACTED:env-value]\n");
    let plain = run_with(b"COLOUR=blue-green\n", &["redact", "--name", "colours.ini"]);
    assert_eq!(plain.stdout, "COLOUR=blue-green\n");
}

#[test]
fn rules_of_the_user_add_to_the_built_in_ones_and_those_of_a_repository_do_nothing() {
    let scratch = Scratch::new();
    let own = "[[rules]]\nid = 'ticket'\nregex = '''TICKET-\\d{6}'''\nkeywords = ['ticket-']\n";
    let rules = scratch.file("config/activate/redaction.toml", own.as_bytes());
    let by_flag = run_with(b"see TICKET-123456\n", &["redact", "--rules", rules.to_str().expect("a path")]);
    assert_eq!((by_flag.code, by_flag.stdout.as_str()), (0, "see [REDACTED:ticket]\n"));

    // A repository that would allow everything, and a file with a secret and a ticket.
    let secret = token("repository");
    scratch.file("repo/.gitleaks.toml", b"[allowlist]\nregexes = ['.*']\n");
    scratch.file(
        "repo/main.go",
        format!("package main\n\nfunc Open() string {{\n\treturn \"TICKET-123456 with {secret}\"\n}}\n").as_bytes(),
    );
    let repo = scratch.0.join("repo");
    let mut asked =
        command(&["--intent", "fix Open", "--no-cache", "--quiet", "--no-state", "--repo", repo.to_str().expect("a path")]);
    let output =
        asked.env("XDG_CONFIG_HOME", scratch.0.join("config")).stderr(Stdio::piped()).output().expect("the command runs");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("[REDACTED:ticket] with [REDACTED:"), "{text}");
    assert!(!text.contains(&secret) && !text.contains("TICKET-123456"));

    for (rules, why) in [("[[rules]]\nid = 'x'\nregex = '('\n", "rule x"), ("[[rules]\n", "line 1"), ("colour = 1\n", "colour")] {
        let file = scratch.file("bad.toml", rules.as_bytes());
        let refused = run_with(b"x", &["redact", "--rules", file.to_str().expect("a path")]);
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{rules}");
        assert!(refused.stderr.contains(why), "{rules}: {}", refused.stderr);
    }
}
