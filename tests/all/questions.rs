//! The daily questions as commands: how their words are told from those of an intent, what they end with, and that errors say what was meant.
//!
//! Must not test what an answer holds: the tests of the crate do.

use crate::cli::{Ended, run};
use crate::replay::corpus;

const NAMES: [&str; 8] = ["callers", "callees", "impact", "tests", "outline", "find", "cycles", "unused"];

/// Runs on a repository, with nothing kept.
fn on_go(args: &[&str]) -> Ended {
    let go = corpus().join("auth-go");
    run(&[args, &["--repo", go.to_str().expect("text"), "--no-cache", "--no-state", "--quiet"]].concat())
}

#[test]
fn each_answers_with_places_and_how_complete_they_are() {
    for name in NAMES {
        let words: &[&str] = match name {
            "cycles" | "unused" => &[],
            "outline" => &["internal/auth"],
            "find" => &["expired", "token"],
            _ => &["login.go#parseToken"],
        };
        let answer = on_go(&[&[name], words].concat());
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{name}");
        let last = answer.stdout.lines().last().unwrap_or_default();
        assert!(last.starts_with("(complete") || last.starts_with("(incomplete: "), "{name}: {}", answer.stdout);
        let json = on_go(&[&[name], words, &["--format", "json"]].concat()).stdout;
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json["question"], name);
    }
    let drawn = |format| on_go(&["callers", "login.go#parseToken", "--format", format]).stdout;
    assert!(drawn("mermaid").starts_with("flowchart LR\n") && drawn("dot").starts_with("digraph answer {\n"));
    let found = on_go(&["find", "zzzqqq"]);
    assert_eq!((found.code, found.stdout.lines().next()), (3, Some("none found")), "{}", found.stderr);
}

#[test]
fn a_change_is_given_as_to_the_main_command() {
    let change = on_go(&["impact", "--diff", "nobody..HEAD"]);
    assert!(change.code == 2 && !change.stderr.contains("internal error"), "{}", change.stderr);
    let patch = "--- a/internal/auth/login.go\n+++ b/internal/auth/login.go\n@@ -53,1 +53,1 @@\n-\tparts, err := jwt.Split(raw)\n\
                 +\tparts, err := jwt.Split(raw + \"\")\n";
    let go = corpus().join("auth-go");
    let args = ["impact", "--diff", "-", "--repo", go.to_str().expect("text"), "--no-cache", "--quiet"];
    let answer = crate::cli::run_with(patch.as_bytes(), &args);
    assert!(answer.code == 0 && answer.stdout.contains("internal/auth/login.go:37 ValidateToken"), "{answer:?}");
    assert_eq!(on_go(&["impact", "login.go#parseToken", "--diff"]).code, 2);
}

#[test]
fn names_of_commands_are_no_intents_and_intents_that_begin_like_them_are() {
    for name in NAMES {
        // Quoted, it is words; behind `--` too.
        let quoted = on_go(&[&format!("{name} of ValidateToken")]);
        assert!(quoted.code == 0 && quoted.stdout.starts_with("# Session context: "), "{name}: {quoted:?}");
        let wrong = [&name[1..], "ValidateToken"];
        let answer = on_go(&wrong);
        assert!(answer.code == 2 && answer.stderr.contains(&format!("did you mean `{name}`?")), "{wrong:?}: {}", answer.stderr);
    }
    let several = on_go(&["callers", "ValidateToken"]);
    assert!(
        several.code == 3 && several.stderr.contains("may be any of 2: `internal/apikey/apikey.go#ValidateToken`"),
        "{several:?}"
    );
    let rows = on_go(&["find", "token", "--limit", "0"]);
    assert!(rows.code == 2 && rows.stderr.contains("write a number of rows from 1 to 100000"), "{}", rows.stderr);
    assert_eq!(on_go(&["find", "token", "--limit", "0.02k"]), on_go(&["find", "token", "--limit", "20"]));
}
