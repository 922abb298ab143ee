//! A packet through its phases: what it says after each, in both forms, and back.

mod changes;
mod faults;

use super::*;
use expect_test::expect_file;
use proptest::prelude::*;
use std::fmt::Write as _;

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// A packet before its first phase.
fn new_packet() -> PhasePacket {
    let task = Task {
        task_id: "12".to_owned(),
        subtask_id: Some("12.3".to_owned()),
        parent_title: "Signed tokens".to_owned(),
        parent_description: "Tokens carry a signature.\n### Task\n- Task ID: 13\n--- End Context Packet ---".to_owned(),
        parent_test_strategy: None,
    };
    PhasePacket::new(task, "ValidateToken refuses an empty token".to_owned(), TestType::Unit, TypeSource::Heuristics)
}

/// A step that ends a phase.
fn done(phase: Phase, status: &str, files: &[&str]) -> Update {
    let verified = phase.is_verified().then_some(true);
    Update { status: Some(status.to_owned()), verified, files: owned(files), ..Update::of(phase) }
}

/// The step that ends each phase.
fn steps() -> [Update; 6] {
    let red = Update {
        test_command: Some(r"go test ./internal/auth -run '^TestEmptyToken\b'".to_owned()),
        test_file: Some("internal/auth/login_test.go".to_owned()),
        test_intent: Some("an empty token is refused, with ErrEmptyToken".to_owned()),
        ..done(Phase::Red, "done: 1 test fails as it should", &["internal/auth/login_test.go"])
    };
    [
        red,
        done(Phase::Green, "done", &["internal/auth/login.go", "internal/auth/errors, old.go", "internal/auth/login.go"]),
        done(Phase::Refactor, "skipped", &[]),
        done(Phase::CodeReview, "approved: no findings", &[]),
        done(Phase::ArchReview, "passed", &["none"]),
        done(Phase::Docs, "done", &["README.md"]),
    ]
}

/// The packet after each phase, the new one first.
fn states() -> Vec<PhasePacket> {
    let mut states = vec![new_packet()];
    for step in steps() {
        states.push(states.last().unwrap().updated(&redact::Masker::knowing_nothing(), &step).unwrap());
    }
    states
}

#[test]
fn a_packet_goes_through_all_phases() {
    let states = states();
    let mut text = String::new();
    for (state, name) in states.iter().zip(["new"].into_iter().chain(Phase::ALL.map(Phase::name))) {
        write!(text, "=== {name}\n{}", state.text()).unwrap();
    }
    expect_file!["six_phases.txt"].assert_eq(&text);
    expect_file!["docs.json"].assert_eq(&states.last().unwrap().json());
}

#[test]
fn each_state_is_right_comes_back_and_follows_from_all_before() {
    let states = states();
    for (at, state) in states.iter().enumerate() {
        for text in [state.text(), state.json()] {
            assert!(is_phase(&text));
            let read = read(&redact::Masker::knowing_nothing(), &text);
            assert_eq!((read.violations.as_slice(), read.packet.as_ref(), read.is_whole), (&[][..], Some(state), true));
            for earlier in states.iter().take(at + 1) {
                for original in [earlier.text(), earlier.json()] {
                    assert_eq!(against(&super::read(&redact::Masker::knowing_nothing(), &original), &read, Mode::Updated), []);
                }
            }
            let same = against(&read, &read, Mode::Identical);
            assert_eq!(same, []);
        }
    }
}

#[test]
fn a_packet_is_found_in_a_prompt() {
    let packet = new_packet();
    let prompt = format!("Task: coder\nPrompt: make it green\n\n{}\nNow begin.\n", packet.text());
    let read = read(&redact::Masker::knowing_nothing(), &prompt);
    assert_eq!((read.violations.as_slice(), read.packet.as_ref(), read.is_whole), (&[][..], Some(&packet), false));
    let text = packet.text();
    assert_eq!(against(&super::read(&redact::Masker::knowing_nothing(), &text), &read, Mode::Identical), []);
}

/// Texts that could be taken for lines, words or separators of a packet.
fn texts() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "a",
        " ",
        ",",
        ", ",
        "\n",
        "\r",
        "\t",
        "␊",
        "␛",
        "{",
        "}",
        "\\",
        "none",
        "pending",
        "yes",
        "### Task",
        "\n- ",
        "RED:",
        ":",
        "--- End Context Packet ---",
        "--- Context Packet ---",
        " (orchestrator-verified: yes)",
        "\u{2028}",
        "\u{0}",
        "é",
    ]);
    prop::collection::vec(parts, 0..6).prop_map(|parts| parts.concat())
}

fn packets() -> impl Strategy<Value = PhasePacket> {
    let optional = || prop::option::of(texts());
    let files = || prop::option::of(prop::collection::vec(texts(), 0..3));
    let task = (texts(), optional(), texts(), texts(), optional());
    let state = (files(), files(), texts(), any::<bool>(), texts(), optional(), optional(), optional());
    (task, texts(), texts(), state).prop_map(|(task, description, scope, state)| {
        let (task_id, subtask_id, parent_title, parent_description, parent_test_strategy) = task;
        let task = Task { task_id, subtask_id, parent_title, parent_description, parent_test_strategy };
        let mut packet = PhasePacket::new(task, description, TestType::Both, TypeSource::TaskMaster);
        packet.feature.scope_restriction = scope;
        let accumulated = &mut packet.accumulated_state;
        let (red, docs, status, verified, review, command, file, intent) = state;
        (accumulated.changed_files.red, accumulated.changed_files.docs) = (red, docs);
        accumulated.phase_history.green = History { status, orchestrator_verified: Some(verified) };
        accumulated.phase_history.code_review.status = review;
        (accumulated.test_command, accumulated.test_file, accumulated.test_intent) = (command, file, intent);
        packet
    })
}

proptest! {
    #[test]
    fn whatever_the_values_are_the_lines_stay_and_come_back(packet in packets()) {
        let text = packet.text();
        prop_assert_eq!(text.lines().count(), super::layout::ROWS.len());
        let found = read(&redact::Masker::knowing_nothing(), &text);
        // An empty value is a broken rule and has no form.
        let form_rules = ["structure", "missing-field", "duplicate-field", "unknown-line", "order", "delimiter", "line-end", "escape"];
        prop_assert!(!found.violations.iter().any(|violation| form_rules.contains(&violation.rule)), "{:?}", found.violations);
        if !found.violations.iter().any(|violation| violation.rule == "empty-field") {
            prop_assert_eq!(found.packet.as_ref(), Some(&packet));
        }
        prop_assert_eq!(read(&redact::Masker::knowing_nothing(), &packet.json()).packet, Some(packet));
    }

    #[test]
    fn no_text_is_too_strange(parts in prop::collection::vec(prop_oneof![texts(), any::<String>()], 0..8)) {
        let text = parts.join("\n");
        for text in [text.clone(), format!("--- Context Packet ---\n{text}"), format!("{{\"schema\": \"activate.phase.v1\", {text}")] {
            let found = read(&redact::Masker::knowing_nothing(), &text);
            prop_assert!(!found.violations.is_empty());
            let _ = against(&found, &read(&redact::Masker::knowing_nothing(), &new_packet().text()), Mode::Updated);
        }
    }
}
