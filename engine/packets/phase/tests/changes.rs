//! What may change in a packet and what may not: each forbidden change by its name.

use super::*;

type Change = fn(&mut PhasePacket);

/// A packet in the middle: RED and GREEN are done, REFACTOR has begun.
fn middle() -> PhasePacket {
    let refactor =
        Update { status: Some("in progress".to_owned()), files: owned(&["a.go", "b.go"]), ..Update::of(Phase::Refactor) };
    states()[2].updated(&redact::Masker::knowing_nothing(), &refactor).unwrap()
}

fn rules(before: &PhasePacket, after: &PhasePacket, mode: Mode) -> Vec<&'static str> {
    let found = |before: &str, after: &str| -> Vec<&'static str> {
        against(&read(&redact::Masker::knowing_nothing(), before), &read(&redact::Masker::knowing_nothing(), after), mode)
            .into_iter()
            .map(|violation| violation.rule)
            .collect()
    };
    let rules = found(&before.text(), &after.text());
    assert_eq!(rules, found(&before.json(), &after.json()), "both forms are judged alike");
    rules
}

fn renamed(packet: &mut PhasePacket, task_id: &str, subtask_id: Option<&str>) {
    packet.task.task_id = task_id.to_owned();
    packet.task.subtask_id = subtask_id.map(ToOwned::to_owned);
    packet.feature.scope_restriction = scope(task_id, subtask_id);
}

#[test]
fn each_forbidden_change_has_a_name() {
    let cases: &[(&[&str], Change)] = &[
        (&["changed-task-id"], |packet| packet.task.task_id.push('3')),
        (&["changed-subtask-id", "changed-scope-restriction"], |packet| renamed(packet, "12", Some("12.4"))),
        (&["changed-subtask-id", "changed-scope-restriction"], |packet| renamed(packet, "12", None)),
        (&["changed-parent-title"], |packet| packet.task.parent_title.push('.')),
        (&["changed-parent-description"], |packet| packet.task.parent_description.push('.')),
        (&["changed-parent-test-strategy"], |packet| packet.task.parent_test_strategy = Some("none".to_owned())),
        (&["changed-description"], |packet| packet.feature.description.make_ascii_uppercase()),
        (&["changed-test-type"], |packet| packet.feature.test_type = TestType::Both),
        (&["changed-type-source"], |packet| packet.feature.type_source = TypeSource::User),
        (&["scope-restriction", "changed-scope-restriction"], |packet| packet.feature.scope_restriction.push_str(" Or do.")),
        (&["removed-file"], |packet| packet.accumulated_state.changed_files.red = Some(Vec::new())),
        (&["removed-file"], |packet| packet.accumulated_state.changed_files.red = None),
        (&["removed-file"], |packet| packet.accumulated_state.changed_files.refactor = Some(owned(&["a.go", "c.go"]))),
        (&["changed-files"], |packet| packet.accumulated_state.changed_files.refactor = Some(owned(&["b.go", "a.go"]))),
        (&["late-file"], |packet| packet.accumulated_state.changed_files.red.get_or_insert_default().push("x.go".to_owned())),
        (&["changed-history"], |packet| packet.accumulated_state.phase_history.red.status.push_str(", really")),
        (&["changed-history"], |packet| packet.accumulated_state.phase_history.green.orchestrator_verified = Some(false)),
        (&["files-before-phase", "removed-phase"], |packet| {
            packet.accumulated_state.phase_history.refactor.status = PENDING.to_owned();
        }),
        (&["phase-order"], |packet| packet.accumulated_state.phase_history.docs.status = "done".to_owned()),
        (&["removed-test-command"], |packet| packet.accumulated_state.test_command = None),
        (&["removed-test-file"], |packet| packet.accumulated_state.test_file = None),
        (&["removed-test-intent"], |packet| packet.accumulated_state.test_intent = None),
    ];
    for (number, (expected, change)) in cases.iter().enumerate() {
        let (before, mut after) = (middle(), middle());
        change(&mut after);
        assert_eq!(rules(&before, &after, Mode::Updated), *expected, "case {number}");
    }
}

#[test]
fn what_an_update_may_change_a_subagent_may_not() {
    let cases: &[(&str, Change)] = &[
        ("changed-files", |packet| {
            packet.accumulated_state.changed_files.refactor.get_or_insert_default().push("c.go".to_owned());
        }),
        ("changed-history", |packet| packet.accumulated_state.phase_history.refactor.status = "done".to_owned()),
        ("changed-history", |packet| packet.accumulated_state.phase_history.refactor.orchestrator_verified = Some(true)),
        ("changed-test-command", |packet| packet.accumulated_state.test_command = Some("go test".to_owned())),
        ("changed-test-file", |packet| packet.accumulated_state.test_file = Some("a_test.go".to_owned())),
        ("changed-test-intent", |packet| packet.accumulated_state.test_intent = Some("more".to_owned())),
    ];
    for (rule, change) in cases {
        let (before, mut after) = (middle(), middle());
        change(&mut after);
        assert_eq!(rules(&before, &after, Mode::Updated), [""; 0], "{rule}");
        assert_eq!(rules(&before, &after, Mode::Identical), [*rule]);
    }
}

#[test]
fn a_line_that_is_lost_is_also_a_change() {
    let text = middle().text();
    for (line, expected) in [
        ("- Parent title: Signed tokens\n", "changed-parent-title"),
        ("  - GREEN: done (orchestrator-verified: yes)\n", "removed-phase"),
        ("  - REFACTOR: a.go, b.go\n", "removed-file"),
    ] {
        assert!(text.contains(line), "{text}");
        let returned = text.replacen(line, "", 1);
        let found: Vec<&str> = against(
            &read(&redact::Masker::knowing_nothing(), &text),
            &read(&redact::Masker::knowing_nothing(), &returned),
            Mode::Updated,
        )
        .into_iter()
        .map(|violation| violation.rule)
        .collect();
        assert_eq!(found, ["missing-field", expected]);
    }
}

#[test]
fn a_step_out_of_turn_is_refused_with_what_is_missing() {
    let status = |phase, status: &str| Update { status: Some(status.to_owned()), ..Update::of(phase) };
    let red = |change: fn(&mut Update)| {
        let mut update = status(Phase::Red, "done");
        change(&mut update);
        update
    };
    let before_red: &[(Update, &str, &str)] = &[
        (Update::of(Phase::Red), "nothing-to-change", "say how far RED is"),
        (status(Phase::Green, "done"), "phase-order", "GREEN is behind RED, which is not done"),
        (status(Phase::Refactor, "done"), "phase-order", "REFACTOR is behind RED, GREEN, which are not done"),
        (status(Phase::Red, "Pending"), "status", "no longer pending"),
        (Update { files: owned(&["a.go"]), ..Update::of(Phase::Red) }, "status", "say how far RED is"),
        (Update { test_command: Some("go test".to_owned()), ..Update::of(Phase::Red) }, "status", "say how far RED is"),
        (red(|update| update.files = owned(&["/etc/passwd"])), "file-path", "an absolute path"),
        (red(|update| update.files = owned(&["a/../../b"])), "file-path", "with `..`"),
        (red(|update| update.files = owned(&["a\nb"])), "file-path", "control"),
        (red(|update| update.test_file = Some("../a".to_owned())), "file-path", "with `..`"),
        (red(|update| update.status = Some("done (orchestrator-verified: yes)".to_owned())), "status", "in the status itself"),
        (red(|update| update.test_command = Some("x".repeat(MAX_LINES + 1))), "too-long", "at most 2000 characters"),
        (red(|update| update.status = Some(String::new())), "empty-field", "not empty"),
    ];
    let review = Update { verified: Some(true), ..status(Phase::CodeReview, "done") };
    let later: &[(PhasePacket, Update, &str, &str)] = &[
        (middle(), status(Phase::Green, "done"), "phase-back", "REFACTOR has begun, so GREEN stays as it is"),
        (middle(), status(Phase::CodeReview, "done"), "phase-order", "CODE_REVIEW is behind REFACTOR, which is not done"),
        (states()[3].clone(), review, "verified", "leave it out for CODE_REVIEW"),
    ];
    let before_red = before_red.iter().map(|(update, rule, says)| (new_packet(), update.clone(), *rule, *says));
    for (packet, update, rule, says) in before_red.chain(later.iter().cloned()) {
        let refusal = packet.updated(&redact::Masker::knowing_nothing(), &update).unwrap_err();
        assert!(refusal.rule == rule && refusal.message.contains(says), "{refusal}");
    }
}

#[test]
fn refactor_waits_for_a_green_that_the_orchestrator_has_seen() {
    let masker = redact::Masker::knowing_nothing();
    let step = |packet: &PhasePacket, phase, status: &str, verified| {
        packet.updated(&masker, &Update { status: Some(status.to_owned()), verified, ..Update::of(phase) })
    };
    let red = step(&new_packet(), Phase::Red, "done", None).unwrap();
    // The format asks for no verified RED.
    let open = step(&red, Phase::Green, "in progress", Some(true)).unwrap();
    assert_eq!(step(&open, Phase::Refactor, "done", Some(true)).unwrap_err().rule, "phase-order");
    for green in ["done", "skipped"] {
        let unseen = step(&red, Phase::Green, green, None).unwrap();
        for (status, verified) in [("in progress", None), ("skipped", Some(true))] {
            let refusal = step(&unseen, Phase::Refactor, status, verified).unwrap_err();
            let says = "REFACTOR waits for a verified GREEN, and the orchestrator has not verified it; see for yourself that its tests \
                        pass, then say so: `--phase GREEN --verified yes`";
            assert_eq!((refusal.rule, refusal.message.as_str()), ("unverified", says));
        }
        let seen = unseen.updated(&masker, &Update { verified: Some(true), ..Update::of(Phase::Green) }).unwrap();
        let refactor = step(&seen, Phase::Refactor, "in progress", None).unwrap();
        // No hand can do what the program refuses.
        let mut forced = unseen.clone();
        forced.accumulated_state.phase_history.refactor.status = "in progress".to_owned();
        assert_eq!(rules(&unseen, &forced, Mode::Updated), ["unverified"]);
        assert_eq!(rules(&unseen, &refactor, Mode::Updated), [""; 0], "both steps at once are two updates");
        // Who went on when nobody asked goes on.
        assert!(step(&forced, Phase::Refactor, "done", Some(true)).is_ok());
        let review = step(&step(&refactor, Phase::Refactor, "done", None).unwrap(), Phase::CodeReview, "done", None);
        assert!(review.is_ok(), "a review waits for no verified phase");
    }
}

#[test]
fn a_step_can_be_told_bit_by_bit() {
    let begun = Update { status: Some("in progress".to_owned()), ..Update::of(Phase::Red) };
    let packet = new_packet().updated(&redact::Masker::knowing_nothing(), &begun).unwrap();
    assert_eq!(packet.accumulated_state.changed_files.red, None, "nothing is known yet");
    let tests = Update { test_command: Some("go test".to_owned()), files: owned(&["a_test.go"]), ..Update::of(Phase::Red) };
    let packet = packet.updated(&redact::Masker::knowing_nothing(), &tests).unwrap();
    let ended = Update {
        status: Some("Done.".to_owned()),
        verified: Some(true),
        files: owned(&["b.go", "a_test.go"]),
        ..Update::of(Phase::Red)
    };
    let packet = packet.updated(&redact::Masker::knowing_nothing(), &ended).unwrap();
    let state = &packet.accumulated_state;
    assert_eq!(state.changed_files.red, Some(owned(&["a_test.go", "b.go"])));
    assert_eq!(state.phase_history.red, History { status: "Done.".to_owned(), orchestrator_verified: Some(true) });
    let again = Update { status: Some("failed: the tests pass already".to_owned()), ..Update::of(Phase::Red) };
    let history = packet.updated(&redact::Masker::knowing_nothing(), &again).unwrap().accumulated_state.phase_history.red;
    assert_eq!(history.orchestrator_verified, Some(false), "a new status is not verified by what was seen before");
}

#[test]
fn a_status_says_by_its_first_word_how_far_a_phase_is() {
    for (status, expected) in [
        ("pending", Progress::Pending),
        ("Pending review", Progress::Pending),
        ("done", Progress::Done),
        ("COMPLETED: 3 tests", Progress::Done),
        ("skipped (nothing to do)", Progress::Done),
        ("not done", Progress::Begun),
        ("almost done", Progress::Begun),
        ("failed", Progress::Begun),
        ("in progress", Progress::Begun),
        ("", Progress::Begun),
    ] {
        assert_eq!(progress(status), expected, "{status}");
    }
}
