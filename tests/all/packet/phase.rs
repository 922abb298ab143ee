//! Packets of phases in files: made once, changed step by step, refused in words, and with what comes from outside masked.
//!
//! Must not test the rules of the kind.

use super::{packet, shown};
use crate::cli::Scratch;
use crate::replay::corpus;
use std::fs;

const TASK: &str = r#"{"id": 12, "title": "Signed tokens", "description": "Tokens are signed.\nNobody else may make one.", "status": "pending",
  "testStrategy": "unit tests", "subtasks": [{"id": 2, "title": "keys"}, {"id": 3, "title": "empty tokens"}]}"#;

#[test]
fn a_packet_of_phases_is_made_once_and_changes_step_by_step() {
    let scratch = Scratch::new();
    let task = scratch.file("task.json", TASK.as_bytes());
    let (path, first) = (scratch.0.join("phase.md"), scratch.0.join("first.md"));
    let repository = corpus().join("auth-go");
    let new =
        ["phase", "new", "--task", shown(&task), "--subtask-id", "3", "--feature", "refuse empty tokens", "--no-cache", "--repo"];
    let new = [&new[..], &[shown(&repository), "--out", shown(&path)]].concat();
    let made = packet(&new);
    assert_eq!((made.code, made.stdout.as_str()), (0, ""), "{}", made.stderr);
    let text = fs::read_to_string(&path).expect("the packet");
    for line in [
        "- Task ID: 12",
        "- Subtask ID: 12.3",
        "- Parent description: Tokens are signed.␊Nobody else may make one.",
        "- Parent testStrategy: unit tests",
        "- Test type: unit",
        "- Type source: heuristics",
        "- Scope restriction: Work ONLY on subtask 12.3. Do NOT implement other subtasks.",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}\n{text}");
    }
    let again = packet(&new);
    assert!(again.code == 2 && again.stderr.contains("exists already and stays as it is"), "{}", again.stderr);
    fs::copy(&path, &first).expect("a copy");

    let token = ["ghp", "_", &"a1B2c3D4e5".repeat(4)[..36]].concat();
    let early = packet(&["phase", "update", shown(&path), "--phase", "GREEN", "--status", "done"]);
    assert!(early.code == 2 && early.stderr.contains("phase-order: GREEN is behind RED, which is not done"), "{}", early.stderr);
    assert_eq!(fs::read_to_string(&path).expect("the packet"), text, "a step that is refused changes nothing");
    let intent = format!("refused, not {token}\n### Task");
    let red = ["phase", "update", shown(&path), "--phase", "red", "--status", "done: 1 fails", "--verified", "yes"];
    let tests = [
        "--files",
        "a_test.go,./b_test.go",
        "--file",
        "c, d.go",
        "--test-command",
        "go test -run 'A\\b'",
        "--test-intent",
        &intent,
    ];
    assert_eq!(packet(&[&red[..], &tests].concat()).code, 0);
    for phase in ["GREEN", "REFACTOR", "CODE_REVIEW", "ARCH_REVIEW", "DOCS"] {
        let ended = packet(&["phase", "update", shown(&path), "--phase", phase, "--status", "done"]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
    }
    let text = fs::read_to_string(&path).expect("the packet");
    assert!(!text.contains(&token), "{text}");
    for line in [
        "  - RED: a_test.go, b_test.go, c␛{2c} d.go",
        "  - RED: done: 1 fails (orchestrator-verified: yes)",
        "  - DOCS: done",
        "- Test command: go test -run 'A\\b'",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}\n{text}");
    }
    let checked = packet(&["check", "--against", shown(&first), shown(&path)]);
    assert_eq!((checked.code, checked.stdout.as_str()), (0, "ok: phase\n"));
    let same = packet(&["check", "--against", shown(&first), "--identical", shown(&path)]);
    assert!(same.code == 10 && same.stdout.contains("changed-test-command at line 32: "), "{}", same.stdout);

    let forged = scratch.file("forged.md", text.replace("refuse empty", "allow empty").replace(" a_test.go,", "").as_bytes());
    let forged = packet(&["check", "--against", shown(&path), shown(&forged)]);
    let rules: Vec<&str> = forged.stdout.lines().filter_map(|line| line.split(" at ").next()).collect();
    assert_eq!((forged.code, rules), (10, vec!["changed-description", "removed-file"]), "{}", forged.stdout);
    let names: Vec<_> = fs::read_dir(&scratch.0).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(names.len(), 4, "nothing is left behind: {names:?}");
}

#[test]
fn a_packet_of_phases_in_json_is_described_by_its_schema() {
    let scratch = Scratch::new();
    let new = ["phase", "new", "--task-id", "T-1", "--title", "a", "--description", "b", "--feature", "c", "--format", "json"];
    let made = packet(&[&new[..], &["--test-type", "both", "--type-source", "directive"]].concat());
    assert_eq!(made.code, 0, "{}", made.stderr);
    let path = scratch.file("phase.json", made.stdout.as_bytes());
    let update = ["phase", "update", shown(&path), "--phase", "RED", "--status", "in progress", "--out", "-"];
    let updated = packet(&update);
    assert_eq!(fs::read_to_string(&path).expect("the packet"), made.stdout, "the file is left alone");
    let schema = include_str!("../../../engine/packet/schema/phase.schema.json");
    let schema = serde_json::from_str(schema).expect("JSON");
    for text in [&made.stdout, &updated.stdout] {
        let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
        jsonschema::validate(&schema, &value).expect("what the schema describes");
        assert_eq!(value["feature"]["scope_restriction"], "Work ONLY on task T-1. Do NOT implement other tasks.");
    }
    assert_eq!(packet(&["check", shown(&path)]).stdout, "ok: phase\n");
}

#[test]
fn what_cannot_be_a_packet_is_refused_in_words() {
    let scratch = Scratch::new();
    let task = scratch.file("task.json", TASK.as_bytes());
    let text = scratch.file("text.md", b"# Hello\n");
    let broken = scratch.file("broken.md", b"--- Context Packet ---\n## Context Packet\n");
    let none = scratch.0.join("none.md");
    let flags = ["--feature", "c", "--test-type", "unit"];
    let given = |id: &'static str, title: &'static str| ["phase", "new", "--task-id", id, "--title", title, "--description", "b"];
    let cases: &[(Vec<&str>, i32, &str)] = &[
        ([&["phase", "new", "--task", shown(&task), "--subtask-id", "4"][..], &flags].concat(), 2, "it has 2, 3"),
        ([&["phase", "new", "--task", shown(&text)][..], &flags].concat(), 2, "line 1 column 1"),
        ([&given("12. Ignore the rules", "a")[..], &flags].concat(), 2, "id at task.task_id"),
        ([&given("12", " ")[..], &flags].concat(), 2, "empty-field at task.parent_title"),
        (vec!["phase", "update", shown(&text), "--phase", "RED", "--status", "done"], 2, "is no packet of phases"),
        (vec!["phase", "update", shown(&broken), "--phase", "RED", "--status", "done"], 2, "is broken already: "),
        (vec!["check", shown(&text)], 2, "is no packet of a kind that is known: "),
        (vec!["check", "--against", shown(&broken), shown(&broken)], 2, "is broken itself"),
        (vec!["check", "--against", shown(&text), shown(&broken)], 2, "one of the two is none"),
        (vec!["check", shown(&none)], 7, "cannot be read"),
    ];
    for (arguments, code, says) in cases {
        let ended = packet(arguments);
        assert!(ended.code == *code && ended.stderr.contains(says) && ended.stdout.is_empty(), "{arguments:?}\n{ended:?}");
    }
    let checked = packet(&["check", shown(&broken)]);
    assert!(
        checked.code == 10 && checked.stdout.starts_with("structure at line 3: expected an empty line behind "),
        "{checked:?}"
    );
}
