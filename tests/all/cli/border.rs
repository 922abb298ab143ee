//! What the built command says of the border of a packet, and of the prompt around one.

use super::{FIX, Scratch, ask, command_keeping, ended};
use serde_json::Value;

/// What `why --not` says of a target at a budget.
fn why_not(target: &str, budget: u32) -> String {
    let budget = budget.to_string();
    let answer = ask("auth-go", &[&["why", target, "--not", "--budget", &budget], &FIX[..]].concat());
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    answer.stdout
}

#[test]
fn what_stopped_a_target_is_said_with_what_came_before_it_and_the_budget_that_lets_it_in() {
    for target in ["internal/auth/login.go#parseToken", "internal/auth/middleware.go", "go.mod"] {
        let not = why_not(target, 400);
        if target == "go.mod" {
            assert!(not.contains("not in the packet at 400 tokens, nor in larger ones") && !not.contains("it enters"), "{not}");
            continue;
        }
        assert!(not.contains("not in the packet at 400 tokens: "), "{not}");
        assert!(not.contains("was stopped by section-budget: section `neighbourhood` has "), "{not}");
        assert!(not.contains("internal/auth/login.go (likely file)"), "what came before it: {not}");
        let (_, rest) = not.split_once("it enters at ").expect("a budget");
        let enters: u32 = rest.split_once(' ').expect("a number").0.parse().expect("a number");
        let (inside, outside) = (why_not(target, enters), why_not(target, enters - 100));
        assert!(inside.contains(&format!("\nin the packet at {enters} tokens: {target}")), "{inside}");
        assert!(outside.contains(&format!("it enters at {enters} tokens")), "{outside}");
        assert!(!inside.contains(&format!("it enters at {enters} tokens")), "{inside}");
    }
}

#[test]
fn a_packet_that_was_sent_is_asked_by_its_id() {
    let scratch = Scratch::new();
    let root = scratch.copy("auth-go", "repository");
    let repo = ["--repo", root.to_str().expect("text"), "--no-cache"];
    let keeping = |args: &[&str]| ended(&mut command_keeping(&scratch.0, &[args, &repo].concat()));
    let packet = keeping(&[&FIX[..], &["--budget", "400", "--format", "json"]].concat());
    let packet: Value = serde_json::from_str(&packet.stdout).expect("JSON");
    let id = packet["pack_id"].as_str().expect("an id");
    let ask = || keeping(&["why", "internal/auth/login.go#parseToken", "--not", "--pack", &id[..8]]);
    let then = ask().stdout;
    assert_eq!(
        then,
        keeping(&[&["why", "internal/auth/login.go#parseToken", "--not", "--budget", "400"], &FIX[..]].concat()).stdout
    );
    let path = root.join("internal/auth/login.go");
    let text = std::fs::read_to_string(&path).expect("a file");
    std::fs::write(&path, text.replace("func ValidateToken", "// Checks.\nfunc ValidateToken")).expect("written");
    let now = ask().stdout;
    assert!(
        now.contains(&format!("pack {id} would be different if it were made again")) && !then.contains("would be different"),
        "{now}"
    );
    let manifest = keeping(&[&FIX[..], &["--packet", "manifest"]].concat());
    let manifest: Value = serde_json::from_str(&manifest.stdout).expect("JSON");
    let refused = keeping(&["why", "go.mod", "--not", "--pack", manifest["pack_id"].as_str().expect("an id")]);
    assert!(refused.code == 2 && refused.stderr.contains("--receipt FILE"), "{}", refused.stderr);
}

#[test]
fn a_template_is_written_around_the_packet_and_has_its_own_limit() {
    let scratch = Scratch::new();
    let packet = ask("auth-go", &[&FIX[..], &["--budget", "500"]].concat()).stdout;
    let with = |content: &str, more: &[&str]| {
        let file = scratch.file("template.md", content.as_bytes());
        ask("auth-go", &[&FIX[..], &["--budget", "500", "--template", file.to_str().expect("text")], more].concat())
    };
    assert_eq!(with("You fix.\n{{session_context}}Now.\n", &[]).stdout, format!("You fix.\n{packet}Now.\n"));
    let long = format!("{}{{{{session_context}}}}", " word".repeat(30_007));
    for (content, more, code, says) in [
        ("You fix.", &[][..], 2, "write {{session_context}}"),
        ("{{session_context}}{{session_context}}", &[], 2, "twice"),
        (&long, &[], 2, "shorten it by 7"),
        ("{{session_context}}", &["--format", "json"], 2, "leave out `--format`"),
    ] {
        let refused = with(content, more);
        assert_eq!((refused.code, refused.stdout.as_str()), (code, ""), "{}", refused.stderr);
        assert!(refused.stderr.contains(says), "{}", refused.stderr);
    }
}
