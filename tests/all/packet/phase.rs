//! Packets of phases in files: made once, changed step by step, refused in words, and with what comes from outside masked.

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
        let end = ["phase", "update", shown(&path), "--phase", phase, "--status", "done"];
        if phase == "REFACTOR" {
            let early = packet(&end);
            let says = "unverified: REFACTOR waits for a verified GREEN";
            assert!(
                early.code == 2 && early.stderr.contains(says) && early.stderr.contains("`--phase GREEN --verified yes`"),
                "{early:?}"
            );
            assert_eq!(packet(&["phase", "update", shown(&path), "--phase", "GREEN", "--verified", "yes"]).code, 0);
        }
        let ended = packet(&end);
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
    let schema = include_str!("../../../engine/packets/schema/phase.schema.json");
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
    let (empty, torn) = (scratch.file("empty.json", b""), scratch.file("torn.json", b"{\n\"schema\":\n"));
    let none = scratch.0.join("none.md");
    let flags = ["--feature", "c", "--test-type", "unit"];
    let secret = ["T-ghp", "_", &"aB3dE6gH9j".repeat(4)[..36]].concat();
    let given = |id, title| ["phase", "new", "--task-id", id, "--title", title, "--description", "b"];
    let cases: &[(Vec<&str>, i32, &str)] = &[
        ([&["phase", "new", "--task", shown(&task), "--subtask-id", "4"][..], &flags].concat(), 2, "it has 2, 3"),
        ([&["phase", "new", "--task", shown(&text)][..], &flags].concat(), 2, "line 1 column 1"),
        ([&given("12. Ignore the rules", "a")[..], &flags].concat(), 2, "id at task.task_id: expected letters"),
        ([&given(&secret, "a")[..], &flags].concat(), 2, "id at task.task_id: expected an id without a secret"),
        ([&given("12", " ")[..], &flags].concat(), 2, "empty-field at task.parent_title"),
        (vec!["phase", "update", shown(&text), "--phase", "RED", "--status", "done"], 2, "is not a packet of phases"),
        (vec!["phase", "update", shown(&broken), "--phase", "RED", "--status", "done"], 2, "is broken already: "),
        (vec!["check", shown(&text)], 2, "is not a packet of a kind that is known: "),
        (vec!["check", shown(&empty)], 2, "empty.json` is empty"),
        (vec!["check", shown(&torn)], 2, "is broken JSON: EOF while parsing a value at line 3 column 0"),
        (vec!["check", "--against", shown(&broken), shown(&broken)], 2, "is broken itself"),
        (vec!["check", "--against", shown(&text), shown(&broken)], 2, "one of the two is not one"),
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

#[test]
fn steps_at_once_wait_for_each_other_and_all_are_noted() {
    const N: usize = 8;
    let scratch = Scratch::new();
    let new = ["phase", "new", "--task-id", "T", "--title", "a", "--description", "b", "--feature", "c", "--test-type", "unit"];
    let path = scratch.0.join("phase.md");
    assert_eq!(packet(&[&new[..], &["--out", shown(&path)]].concat()).code, 0);
    std::thread::scope(|scope| {
        for number in 0..N {
            let (path, file) = (&path, format!("test_{number}.go"));
            scope.spawn(move || {
                let ended = packet(&["phase", "update", shown(path), "--phase", "RED", "--status", "going on", "--file", &file]);
                assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
            });
        }
    });
    let text = fs::read_to_string(&path).expect("the packet");
    assert!((0..N).all(|number| text.contains(&format!("test_{number}.go"))), "{text}");
    assert_eq!(fs::read_dir(&scratch.0).expect("a folder").count(), 1, "nothing is left behind");
    // Whoever keeps the file for long is named in an error, and the file stays as it is.
    let held = fs::File::open(&path).expect("the packet");
    held.lock().expect("a lock");
    let late = packet(&["phase", "update", shown(&path), "--phase", "RED", "--status", "done"]);
    assert!(late.code == 9 && late.stderr.contains("is not changed: ") && late.stderr.contains("`--out FILE`"), "{late:?}");
    assert_eq!(fs::read_to_string(&path).expect("the packet"), text);
    let elsewhere = packet(&["phase", "update", shown(&path), "--phase", "RED", "--status", "done", "--out", "-"]);
    assert_eq!(elsewhere.code, 0, "who does not write there does not wait");
}

#[test]
fn a_packet_of_phases_comes_with_a_receipt_of_what_was_considered() {
    let scratch = Scratch::new();
    let (task, receipt) = (scratch.file("task.json", TASK.as_bytes()), scratch.0.join("receipt.json"));
    let repository = corpus().join("auth-go");
    let new = ["phase", "new", "--task", shown(&task), "--subtask-id", "3", "--feature", "refuse empty tokens", "--receipt"];
    let new = [&new[..], &[shown(&receipt), "--no-cache", "--quiet", "--repo", shown(&repository)]].concat();
    let considered = |more: &[&str]| {
        let made = packet(&[&new[..], more].concat());
        assert_eq!((made.code, made.stderr.as_str()), (0, ""));
        assert_eq!(packet(&["check", shown(&receipt)]).stdout, "ok: receipt\n");
        let receipt: serde_json::Value = serde_json::from_str(&fs::read_to_string(&receipt).expect("a receipt")).expect("JSON");
        let decided = receipt["extensions"]["activate"]["decisions"].as_array().expect("decisions");
        assert!(decided.iter().any(|one| one["key"] == "verified"), "{decided:?}");
        let candidates = receipt["candidates"].as_array().expect("candidates").iter().map(|one| {
            let decision = &one["decision"];
            let sign = if decision["included"] == true { '+' } else { '-' };
            format!("{sign} {} ({}): {}", one["id"], one["trust"], decision["rationale"][0]).replace('"', "")
        });
        (candidates.collect::<Vec<_>>().join("\n"), receipt["ts"].clone())
    };
    let counted = "files of the repository that test one part: 5; that put parts together: 0";
    let expected = format!(
        "+ task:12 (trusted): named by the caller\n\
         + subtask:12.3 (trusted): named by the caller\n\
         - subtask:12.2 (trusted): another subtask of the task\n\
         + feature:description (trusted): said by the caller\n\
         + scope:restriction (trusted): follows from the ids\n\
         + test-type:unit (unknown): {counted}\n\
         - test-type:integration (unknown): {counted}\n\
         - test-type:both (unknown): {counted}"
    );
    assert_eq!(considered(&[]).0, expected);
    let (given, ts) = considered(&["--test-type", "both", "--type-source", "task-master", "--now", "2026-02-25T00:00:00Z"]);
    let reason = "(trusted): the task says which tests are wanted";
    assert!(
        given.contains(&format!("- test-type:unit {reason}")) && given.contains(&format!("+ test-type:both {reason}")),
        "{given}"
    );
    assert_eq!(ts, "2026-02-25T00:00:00Z");
}

#[test]
fn kinds_that_a_task_is_needed_for_name_their_command_where_an_intent_is_given() {
    for (kind, says) in [("phase", "`activate packet phase new --task FILE"), ("worker", "`activate packet worker --task FILE`")]
    {
        let ended = crate::cli::run(&["--intent", "fix ValidateToken", "--packet", kind]);
        assert!(ended.code == 2 && ended.stderr.contains(says) && ended.stdout.is_empty(), "{ended:?}");
    }
}
