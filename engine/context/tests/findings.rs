//! Which findings and results enter by the places that they name, and what becomes of those that name nothing that is there.

use super::fixture::{Fixture, Scene};
use super::under;
use crate::state::{SessionState, ShardOutput};
use intent::failures::Failures;

fn fixture() -> Fixture {
    Fixture::new(&[
        ("go.mod", "module example.com/shop\n\ngo 1.22\n"),
        ("internal/auth/keys/keys.go", "package keys\n\nfunc LoadKey() {}\n"),
        ("internal/auth/token.go", "package auth\n\nfunc SignToken() {}\n"),
        ("internal/store/doc.go", "// Package store keeps things.\npackage store\n"),
        ("internal/store/store.go", "package store\n\nfunc Open() {}\n\nfunc Close() {}\n"),
        ("internal/web/doc.go", "// Package web shows things.\npackage web\n"),
    ])
}

/// The state with a text as a finding and as another shard's result.
fn state(text: &str) -> SessionState {
    let result = ShardOutput { shard: "reviewer".into(), success: true, task: text.into(), ..ShardOutput::default() };
    SessionState { recent_findings: vec![text.into()], prior_shard_outputs: vec![result], ..SessionState::default() }
}

#[test]
fn a_finding_is_about_the_line_the_file_or_the_folder_that_it_names() {
    let fixture = fixture();
    for (text, places) in [
        ("see internal/store/store.go:5:1", &["internal/store/store.go#Close"][..]),
        ("see internal/store/store.go:5", &["internal/store/store.go#Close"]),
        ("see ./internal/store/store.go:2:7", &["internal/store/store.go"]),
        ("see internal/auth", &["internal/auth/keys/keys.go", "internal/auth/token.go"]),
        (
            "see internal/auth/, SignToken",
            &["internal/auth/token.go#SignToken", "internal/auth/keys/keys.go", "internal/auth/token.go"],
        ),
        ("see internal/gone", &[]),
        // Without its folder only where one file has the name.
        ("see store.go:5", &["internal/store/store.go#Close"]),
        ("see doc.go:1", &[]),
        ("at 10:30 it failed", &[]),
    ] {
        let facts = state(text).task_facts(&fixture.base, &Failures::default());
        let found: Vec<String> = facts.about.iter().map(|(_, node)| fixture.base.id(*node)).collect();
        assert_eq!(found, [places, places].concat(), "{text}");
    }
}

#[test]
fn names_without_a_folder_are_looked_up_together() {
    // Looking at each file for each name would take minutes.
    const N_FILES: usize = 4_000;
    const N_TEXTS: usize = 5_000;
    let paths: Vec<String> = (0..N_FILES).map(|n| format!("part{n}/own{n}.go")).collect();
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "package part\n")).collect();
    let fixture = Fixture::new(&files);
    let texts = |list: &str| -> Vec<String> {
        let places = |text: usize| (0..4).map(move |n| format!("{list}{text}x{n}.go:3 gone{n}/{list}{text}.go:3"));
        let words = |text: usize| places(text).collect::<Vec<_>>().join(" ");
        (1..N_TEXTS).map(words).chain(["in own7.go:1".to_owned()]).collect()
    };
    let state = SessionState {
        recent_findings: texts("a"),
        safety_warnings: texts("b"),
        blocked_actions: texts("c"),
        code_dom_warnings: texts("d"),
        ..SessionState::default()
    };
    let facts = state.task_facts(&fixture.base, &Failures::default());
    let found: Vec<String> = facts.about.iter().map(|(_, node)| fixture.base.id(*node)).collect();
    assert_eq!((facts.items.len(), found), (4 * N_TEXTS, vec!["part7/own7.go".to_owned(); 4]));
}

#[test]
fn a_finding_that_names_nothing_that_is_there_concerns_every_task() {
    let fixture = fixture();
    for (text, is_shown) in [
        ("too long: internal/store/store.go:5:1", true),
        ("too long: internal/store", true),
        ("too long: internal/gone", true),
        ("too long: internal/gone.go:27:5", true),
        ("too long: ClosingReport", true),
        ("too long: ClosingReport in internal/auth/token.go", false),
        ("too long: internal/auth/token.go:3:6", false),
        ("too long: internal/auth", false),
        ("too long: SignToken", false),
    ] {
        let mut scene = Scene::new(&fixture, "fix Open in store.go");
        scene.state = state(text);
        let context = scene.real_context();
        let shown = ["RECENT FINDINGS TO ADDRESS:", "PRIOR SHARD RESULTS:"].map(|title| !under(&context, title).is_empty());
        assert_eq!(shown, [is_shown; 2], "{text}");
    }
}

#[test]
fn a_finding_about_more_places_than_are_looked_at_concerns_every_task() {
    let files: Vec<(String, String)> =
        (0..300).map(|n| (format!("src/a{n}.go"), format!("package src\n\nfunc f{n}() {{}}\n"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let facts = state("see src/").task_facts(&Fixture::new(&files).base, &Failures::default());
    assert_eq!((facts.about.len(), facts.always_on.len()), (2 * 128, 2));
}
