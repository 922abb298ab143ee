//! The hook: context for good prompts, silence for all else.

use super::Bench;
use crate::cli::{command, command_keeping};
use std::fs;
use std::io::Write as _;
use std::process::{Output, Stdio};

fn hook(bench: &Bench, arguments: &[&str], event: &[u8]) -> Output {
    let mut command = command_keeping(&bench.scratch.0, &[&["hook"], arguments].concat());
    command.current_dir(&bench.scratch.0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command runs");
    // Of a long event the command reads a part.
    let _ = child.stdin.take().expect("a pipe").write_all(event);
    child.wait_with_output().expect("an end")
}

fn event(bench: &Bench, prompt: &str) -> String {
    let cwd = bench.path().join("internal");
    serde_json::json!({ "session_id": "s", "cwd": cwd, "hook_event_name": "UserPromptSubmit", "prompt": prompt, "more": [1] })
        .to_string()
}

#[test]
fn a_prompt_is_answered_with_its_context() {
    let bench = Bench::new();
    let output = hook(&bench, &[], event(&bench, "fix ValidateToken in internal/auth").as_bytes());
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    // What hosts take whole.
    assert!(output.stdout.len() < 10_000, "{}", output.stdout.len());
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    let answer = &answer["hookSpecificOutput"];
    assert_eq!(answer["hookEventName"], "UserPromptSubmit");
    let context = answer["additionalContext"].as_str().expect("a text");
    for part in ["# Session context: fix ValidateToken", "internal/auth/login.go", "[data ", "func ValidateToken("] {
        assert!(context.contains(part), "{part}\n{context}");
    }
    let short = hook(&bench, &[], event(&bench, "fix session token").as_bytes());
    assert!(String::from_utf8_lossy(&short.stdout).contains("internal/session"), "{short:?}");
    let id = context.lines().find_map(|line| line.strip_prefix("pack_id: ")).expect("an id");
    assert!(bench.says(&["ctx", "stats", id]).contains("all of them as they were"));
}

#[test]
fn whatever_goes_wrong_is_silence() {
    let bench = Bench::new();
    let none = bench.scratch.0.join("none/at/all").to_str().expect("text").to_owned();
    let nowhere = serde_json::json!({ "prompt": "fix ValidateToken", "cwd": none }).to_string();
    // What only words of the code point at, and a reply to the agent.
    let prompts = ["", "   ", "/clear", "!ls", "# note", "zzqqy", "yes, token", "thanks, the session looks good"];
    let prompts = prompts.map(|prompt| event(&bench, prompt));
    let mut events: Vec<Vec<u8>> = prompts.into_iter().map(String::into_bytes).collect();
    events.extend([&b""[..], b"{", b"[]", b"\xff\xfe", b"{\"prompt\": 1}", nowhere.as_bytes()].map(<[u8]>::to_vec));
    events.push(event(&bench, &"x".repeat(8 << 20)).into_bytes());
    events.push(event(&bench, "fix ValidateToken").replace("UserPromptSubmit", "PreToolUse").into_bytes());
    for event in events {
        let output = hook(&bench, &[], &event);
        let shown = String::from_utf8_lossy(&event[..event.len().min(80)]).into_owned();
        assert!(output.status.success() && output.stderr.is_empty() && output.stdout.is_empty(), "{shown}: {output:?}");
    }
    // Neither flags nor rules of the user's own that cannot be used are told to the model, nor is a veto cast.
    let good = event(&bench, "fix ValidateToken");
    fs::create_dir_all(bench.scratch.0.join("config/activate")).expect("a folder");
    fs::write(bench.scratch.0.join("config/activate/redaction.toml"), "[[rules]]\nid = 3\n").expect("written");
    for arguments in [&[][..], &["--no-such-flag"], &["--budget", "0"], &["--repo", &none]] {
        let output = hook(&bench, arguments, good.as_bytes());
        assert!(output.status.success() && output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}: {output:?}");
    }
}

#[test]
fn who_takes_too_long_is_not_waited_for() {
    let bench = Bench::new();
    let mut command = command(&["hook"]);
    command.current_dir(bench.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command runs");
    // An event that never ends: nor would what waits for it.
    let stdin = child.stdin.take().expect("a pipe");
    let output = child.wait_with_output().expect("an end");
    drop(stdin);
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}
