//! Every rule of a packet by itself: a packet that breaks it is refused by that name, at that place.

use super::*;
use std::collections::BTreeSet;

/// The rules that a text breaks, as `rule at place`.
fn broken(text: &str) -> Vec<String> {
    validate(&redact::Masker::knowing_nothing(), text)
        .into_iter()
        .map(|violation| format!("{} at {}", violation.rule, violation.place))
        .collect()
}

/// A text with one piece replaced, which must be there.
fn edited(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from:?} is not in\n{text}");
    text.replacen(from, to, 1)
}

/// A made-up token, written so that no scanner reports this file.
fn token() -> String {
    ["ghp", "_", &"a1B2c3D4e5".repeat(4)[..36]].concat()
}

#[test]
fn each_rule_of_the_text_form_has_a_name_and_a_place() {
    let text = &states()[2].text();
    let secret = token();
    let secret_title = format!("title: {secret}\n");
    let long = format!("{}\n", "x".repeat(MAX_LINES + 1));
    let many = format!("GREEN: {}\n", (0..2_001).map(|number| format!("f{number}")).collect::<Vec<_>>().join(", "));
    let cases: &[(&str, &str, &[&str])] = &[
        ("--- Context Packet ---\n", "", &["delimiter at line 1"]),
        ("\n--- End Context Packet ---\n", "\n", &["delimiter at line 35"]),
        ("\n--- End Context Packet ---\n", "\n--- End Context Packet ---\n--- Context Packet ---\n", &["delimiter at line 36"]),
        ("## Context Packet\n", "", &["structure at line 2"]),
        ("\n\n### Feature", "\n### Feature", &["structure at line 10"]),
        ("### Feature\n", "", &["structure at line 11"]),
        ("### Feature\n", "### Feature\n### Feature\n", &["structure at line 12"]),
        ("- Parent title", "\n- Parent title", &["unknown-line at line 7"]),
        ("- Task ID: 12\n", "", &["missing-field at task.task_id"]),
        ("  - DOCS: pending\n", "", &["missing-field at accumulated_state.changed_files.DOCS"]),
        ("- Task ID: 12\n", "- Task ID: 12\n- Task ID: 12\n", &["duplicate-field at line 6"]),
        ("- Test command", "Hello\n- Test command", &["unknown-line at line 32"]),
        ("- Test command", "\n- Test command", &["unknown-line at line 32"]),
        ("- Task ID: 12\n- Subtask ID: 12.3\n", "- Subtask ID: 12.3\n- Task ID: 12\n", &["order at line 6"]),
        ("- Task ID: 12\n", "- Task ID: 12\r\n", &["line-end at line 5"]),
        ("- Task ID: 12\n", "- Task ID:\n", &["empty-field at line 5"]),
        ("- Task ID: 12\n", "- Task ID: \n", &["empty-field at line 5"]),
        ("title: Signed tokens\n", "title: Signed tokens \n", &["escape at line 7"]),
        ("title: Signed tokens\n", "title: Signed\ttokens\n", &["escape at line 7"]),
        ("title: Signed tokens\n", "title: Signed␛{61}tokens\n", &["escape at line 7"]),
        ("Test type: unit", "Test type: Unit", &["test-type at line 13"]),
        ("Test type: unit", "Test type: unit | both", &["test-type at line 13"]),
        ("source: heuristics", "source: me", &["type-source at line 14"]),
        ("ID: 12.3", "ID: 12.3 and 12.4", &["id at line 6", "scope-restriction at line 15"]),
        ("on subtask 12.3", "on subtask 12.4", &["scope-restriction at line 15"]),
        ("Do NOT implement", "You may implement", &["scope-restriction at line 15"]),
        ("ID: 12.3", "ID: none", &["scope-restriction at line 15"]),
        ("title: Signed tokens\n", "title: ␛{d}\n", &["empty-field at line 7", "hidden-character at line 7"]),
        ("title: Signed tokens\n", "title: a\u{202e}b\n", &["hidden-character at line 7"]),
        ("title: Signed tokens\n", &secret_title, &["secret at line 7"]),
        ("pending (orchestrator-verified: no)\n", &long, &["verified at line 28"]),
        ("  - RED: internal", "  - RED: /internal", &["file-path at line 19"]),
        ("  - RED: internal", "  - RED: ../internal", &["file-path at line 19"]),
        ("  - RED: internal", "  - RED: a␊b, internal", &["file-path at line 19"]),
        ("  - RED: internal", "  - RED: , internal", &["empty-field at line 19", "file-path at line 19"]),
        ("  - RED: internal", "  - RED: a, a, internal", &["duplicate-file at line 19"]),
        ("  - REFACTOR: pending\n", "  - REFACTOR: a.go\n", &["files-before-phase at line 21"]),
        ("GREEN: internal/auth/login.go, internal/auth/errors␛{2c} old.go\n", &many, &["too-many-files at line 20"]),
        ("Test file: internal", "Test file: /internal", &["file-path at line 33"]),
        (
            "- RED: done: 1 test fails as it should (orchestrator-verified: yes)",
            "- RED: failed (orchestrator-verified: no)",
            &["phase-order at line 27"],
        ),
        (
            "REFACTOR: pending (orchestrator-verified: no)",
            "REFACTOR: pending (orchestrator-verified: yes)",
            &["verified at line 28"],
        ),
        ("REFACTOR: pending (orchestrator-verified: no)", "REFACTOR: pending", &["verified at line 28"]),
    ];
    for (from, to, rules) in cases {
        let text = edited(text, from, to);
        assert_eq!(broken(&text), *rules, "{from:?} -> {to:?}");
    }
    let status = edited(text, "DOCS: pending\n- Test", "DOCS: pending (orchestrator-verified: yes)\n- Test");
    assert_eq!(broken(&status), ["status at line 31"]);
    let long = edited(text, "Test command: go", &format!("Test command: {}", "x".repeat(MAX_LINES)));
    assert_eq!(broken(&long), ["too-long at line 32"]);
    let early = edited(&new_packet().text(), "Test command: pending", "Test command: go test");
    assert_eq!(broken(&early), ["test-fields-before-red at line 32"]);
    for violation in validate(&redact::Masker::knowing_nothing(), &edited(text, "title: Signed tokens\n", &secret_title)) {
        assert!(!violation.message.contains(&secret));
    }
}

#[test]
fn each_rule_of_the_json_form_has_a_name_and_a_place() {
    let json = &states()[2].json();
    let cases: &[(&str, &str, &[&str])] = &[
        ("activate.phase.v1", "activate.phase.v2", &["schema at schema"]),
        ("{\n  \"schema\"", "{ \"schema\"", &["json-form at packet"]),
        ("  \"parent_title\": \"Signed tokens\",\n", "", &["missing-field at line 8 column 3"]),
        ("\"parent_title\"", "\"title\"", &["unknown-field at line 6 column 11"]),
        ("\"task_id\": \"12\",", "\"task_id\": \"12\", \"task_id\": \"13\",", &["duplicate-field at line 4 column 30"]),
        ("\"unit\"", "\"units\"", &["test-type at line 12 column 24"]),
        ("\"heuristics\"", "\"guess\"", &["type-source at line 13 column 26"]),
        ("\"task_id\": \"12\"", "\"task_id\": 12", &["value at line 4 column 17"]),
        ("\"task_id\": \"12\",", "\"task_id\": \"12\"", &["json at line 5 column 5"]),
        ("\"task_id\": \"12\"", "\"task_id\": \"12 \"", &["id at task.task_id"]),
        ("Signed tokens", "a\u{202e}", &["hidden-character at task.parent_title"]),
        (
            "\"status\": \"done\",\n        \"orchestrator_verified\": true",
            "\"status\": \"done\"",
            &["verified at accumulated_state.phase_history.GREEN"],
        ),
    ];
    for (from, to, rules) in cases {
        let text = edited(json, from, to);
        assert!(is_phase(&text));
        assert_eq!(broken(&text), *rules, "{from:?} -> {to:?}");
    }
    assert!(!is_phase("{}") && !is_phase("") && !is_phase("{\"schema\": \"activate.session.v1\"}"));
    let late = format!("{{\"a\": \"{}\", \"schema\": \"activate.phase.v1\"}}", "x".repeat(1_000));
    assert!(is_phase(&late));
}

#[test]
fn no_line_can_be_lost_doubled_or_moved() {
    let text = states()[4].text();
    let lines: Vec<&str> = text.lines().collect();
    let joined = |lines: &[&str]| lines.join("\n") + "\n";
    let mut rules = BTreeSet::new();
    for at in 0..lines.len() {
        let mut lost = lines.clone();
        lost.remove(at);
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at]);
        let mut moved = lines.clone();
        moved.swap(at, (at + 1) % lines.len());
        for (text, what) in [(lost, "lost"), (doubled, "doubled"), (moved, "moved")] {
            let found = validate(&redact::Masker::knowing_nothing(), &joined(&text));
            assert!(!found.is_empty(), "line {} {what}", at + 1);
            rules.extend(found.into_iter().map(|violation| violation.rule));
        }
    }
    assert!(["delimiter", "duplicate-field", "missing-field", "order", "structure"].iter().all(|rule| rules.contains(rule)));
}

#[test]
fn a_text_that_is_no_packet_is_refused_in_few_words() {
    let found = validate(&redact::Masker::knowing_nothing(), &format!("--- Context Packet ---\n{}", "x\n".repeat(10_000)));
    assert_eq!(found.len(), 101);
    assert_eq!(found.last().unwrap().rule, "more");
}
