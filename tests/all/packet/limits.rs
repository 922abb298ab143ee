//! Whatever a plan or a task holds, no packet of a worker or of phases has one line, entry or character more than its kind allows.
//!
//! Counts for itself: must not ask the checkers for numbers.

use crate::replay::corpus;
use engine::{CacheChoice, Engine, Options};
use error::ErrorKind;
use packets::phase::{self, MAX_TEXT, MAX_TITLE, Phase, PhasePacket, Task as PhaseTask, TestType, TypeSource, Update};
use packets::worker::plan::Plan;
use packets::worker::task::Task;
use packets::worker::{Derived, Given, Sources, WorkerPacket, validate};
use proptest::prelude::*;
use redact::Masker;
use repo::RepoPath;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The limits as the format states them: lines of digests, bytes and entries of slices.
const MAX_SCARS: usize = 30;
const MAX_CRITERIA: usize = 50;
const MAX_SLICE_BYTES: usize = 64 << 10;
const MAX_TESTS: usize = 100;
const MAX_DEPENDENCIES: usize = 100;
const MAX_CONTENT: usize = 16 << 20;
/// What a status may have.
const MAX_STATUS: usize = 2_000;

/// Files that tasks are about: some exist in one repository, some in none.
const FILES: [&str; 6] = [
    "internal/auth/login.go",
    "internal/session/session.go",
    "src/auth/login.rs",
    "src/auth/login.ts",
    "internal/auth/none.go",
    "new.md",
];

/// Lines of plans: of every form that is looked for, and those that end or hide one.
const LINES: [&str; 16] = [
    "",
    "plain words",
    "## Heading",
    "# Top",
    "## Active Prevention Rules",
    "**Current Phase Goal:** ship",
    "| S-1 | internal/auth/ | Verify the call |",
    "|---|---|---|",
    "| AC-3 | a row |",
    "- **AC-3**: an item",
    "  indented",
    "---",
    "```",
    "internal/auth/login.go decides",
    "a\u{2028}b\u{85}c\u{b}d\re",
    "password = \"hunter2hunter2\"",
];

static ENGINES: LazyLock<Vec<Engine>> = LazyLock::new(|| {
    let options = || Options { cache: CacheChoice::Off, ..Options::default() };
    let open = |name: &str| Engine::open_with(corpus().join(name), options()).expect("a repository");
    ["auth-go", "auth-rust", "auth-ts"].map(open).into_iter().collect()
});

fn lines(max: usize) -> impl Strategy<Value = String> {
    let line = prop_oneof![8 => prop::sample::select(LINES.to_vec()).prop_map(str::to_owned), 1 => "[ -~]{0,120}"];
    let alike = (prop::sample::select(LINES.to_vec()), 0..max).prop_map(|(line, n)| vec![line.to_owned(); n]);
    prop_oneof![3 => prop::collection::vec(line, 0..max), 1 => alike].prop_map(|lines| lines.join("\n"))
}

/// Entries of a list in a plan, each about a file, with texts of many lengths.
fn entries(name: &'static str) -> impl Strategy<Value = String> {
    let entry = (prop::sample::select(FILES.to_vec()), 0..3_000usize, 0..40usize);
    prop::collection::vec(entry, 0..60).prop_map(move |entries| {
        let entry = |(number, (file, n_bytes, n_names)): (usize, (&str, usize, usize))| {
            let names: Vec<String> = (0..n_names).map(|name| format!("name{name}")).collect();
            json!({"id": format!("m{number}"), "path": file, "file": file, "text": "x ".repeat(n_bytes / 2), "exports": names})
        };
        let list: Vec<Value> = entries.into_iter().enumerate().map(entry).collect();
        json!({name: list}).to_string()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_packet_of_a_worker_has_no_line_and_no_entry_too_many(
        number in 0..3usize,
        files in prop::sample::subsequence(FILES.to_vec(), 1..FILES.len()),
        state_lines in 40..=150usize,
        rules in 0..60usize,
        n_given in 0..9usize,
        (state, scars, criteria, log, boundaries) in (lines(400), lines(60), lines(120), lines(80), lines(80)),
        (modules, contracts) in (entries("modules"), entries("contracts")),
    ) {
        let task = json!({"id": "T1", "filesModified": files, "acceptanceCriteria": ["AC-3", "AC-4"], "tddMode": "hard", "riskTier": "low"});
        let task = Task::parse(&Masker::knowing_nothing(), &task.to_string()).expect("a task");
        let rule = |number: usize| format!("| S-{number} | internal/ | never {number} |\n");
        let table: String = (0..rules).map(rule).collect();
        let texts = [
            ("SCARS.md", format!("{scars}\n## Active Prevention Rules\n| Rule | To | What |\n|---|---|---|\n{table}")),
            ("STATE.md", state),
            ("ACCEPTANCE_MASTER.md", format!("AC-3: one\n{criteria}\n## AC-4\n{criteria}")),
            ("DECISION_LOG.md", log),
            ("PLAN.md", format!("## Boundaries\n\n**DO NOT CHANGE:**\n- internal/x.go\n{boundaries}")),
            ("modules.json", modules),
            ("api_contracts.json", contracts),
        ];
        // Of what is not given, facts know something or nothing.
        let given = texts.into_iter().take(n_given).map(|(name, text)| (name, text.into_bytes()));
        let plan = Plan::new(&Masker::knowing_nothing(), given).expect("a plan");
        let engine = &ENGINES[number];
        let snapshot = engine.snapshot().expect("facts");
        let facts = Derived::new(&snapshot.base);
        let read = |path: &RepoPath| Ok(engine.read_text(&snapshot, path.as_str()).ok());
        let sources = Sources { masker: &Masker::knowing_nothing(), task: &task, plan: &plan, facts: &facts, read: &read, state_lines };
        let (packet, _) = WorkerPacket::new(&sources).expect("a packet");
        let broken = validate(&Masker::knowing_nothing(), &packet.json(), Given { task: Some(&task), plan: Some(&plan) });
        prop_assert!(broken.is_empty(), "{:?}", broken);

        let packet: Value = serde_json::from_str(&packet.json()).expect("JSON");
        let n_lines = |slot: &str| packet[slot].as_str().expect("a text").split('\n').count();
        prop_assert!(n_lines("scarsDigest") <= MAX_SCARS, "{}", packet["scarsDigest"]);
        prop_assert!(n_lines("acceptanceCriteria") <= MAX_CRITERIA, "{}", packet["acceptanceCriteria"]);
        prop_assert!(n_lines("stateDigest") <= state_lines, "{}", packet["stateDigest"]);
        prop_assert_eq!(&packet["files"], &json!(files));
        prop_assert_eq!(packet["filesContent"].as_object().expect("an object").len(), files.len());
        prop_assert!(packet["testsSlice"].as_array().expect("a list").len() <= MAX_TESTS);
        prop_assert!(packet["dependencySymbols"].as_object().expect("an object").len() <= MAX_DEPENDENCIES);
        for list in [&packet["architectureSlice"]["modules"], &packet["contractsSlice"]["contracts"]] {
            prop_assert!(list.to_string().len() <= MAX_SLICE_BYTES + list.as_array().expect("a list").len() + 2);
        }
    }

    #[test]
    fn no_text_of_a_packet_of_phases_has_a_character_too_many(
        (title, text, status) in (MAX_TITLE - 2..MAX_TITLE + 3, MAX_TEXT - 2..MAX_TEXT + 3, MAX_STATUS - 2..MAX_STATUS + 3),
        letter in prop::sample::select(vec!['a', 'é', '語']),
    ) {
        let of = |n: usize| letter.to_string().repeat(n);
        let task = PhaseTask { task_id: "T".to_owned(), parent_title: of(title), parent_description: of(text), ..PhaseTask::default() };
        let packet = PhasePacket::new(task, "feature".to_owned(), TestType::Unit, TypeSource::User);
        let broken: Vec<&str> = phase::read(&Masker::knowing_nothing(), &packet.json()).violations.iter().map(|broken| broken.rule).collect();
        let n_over = usize::from(title > MAX_TITLE) + usize::from(text > MAX_TEXT);
        prop_assert_eq!(broken, vec!["too-long"; n_over]);
        let step = packet.updated(&Masker::knowing_nothing(), &Update { status: Some(format!("done {}", of(status - "done ".len()))), ..Update::of(Phase::Red) });
        prop_assert_eq!(step.is_ok(), n_over == 0 && status <= MAX_STATUS);
    }
}

#[test]
fn files_of_a_task_fill_a_packet_to_the_last_byte_and_one_more_is_refused() {
    let task = r#"{"id": "T1", "filesModified": ["a.txt", "b.txt"], "tddMode": "skip", "riskTier": "low"}"#;
    let (task, plan) = (Task::parse(&Masker::knowing_nothing(), task).expect("a task"), Plan::default());
    let snapshot = ENGINES[0].snapshot().expect("facts");
    let facts = Derived::new(&snapshot.base);
    let made = |n_bytes: usize| {
        let line = "twelve bytes\n";
        let text =
            |n: usize| Masker::knowing_nothing().file("", &line.as_bytes().iter().copied().cycle().take(n).collect::<Vec<_>>());
        let read = |path: &RepoPath| Ok(Some(text(if path.as_str() == "a.txt" { n_bytes - 12 } else { 12 })));
        WorkerPacket::new(&Sources {
            masker: &Masker::knowing_nothing(),
            task: &task,
            plan: &plan,
            facts: &facts,
            read: &read,
            state_lines: 80,
        })
    };
    assert!(made(MAX_CONTENT).is_ok());
    let refused = made(MAX_CONTENT + 1).expect_err("too large");
    assert!(refused.kind == ErrorKind::BadInput && refused.message.contains("split the task"), "{refused}");
}
