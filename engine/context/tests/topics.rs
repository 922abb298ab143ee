//! Which places a topic touches, and what enters because of it.

use super::fixture::{Fixture, Scene};
use super::under;
use crate::state::{KnowledgeAtom, SessionState, SpecialistHint, Tool, TouchedFile};
use intent::failures::Failures;
use redact::Masker;

fn fixture() -> Fixture {
    Fixture::new(&[
        ("go.mod", "module example.com/shop\n\ngo 1.22\n\nrequire github.com/golang-jwt/jwt/v4 v4.5.0\n"),
        ("Makefile", "all:\n"),
        ("internal/auth/hash.go", "package auth\n\nimport \"golang.org/x/crypto/bcrypt\"\n\nvar Cost = bcrypt.DefaultCost\n"),
        ("internal/auth/keys/keys.go", "package keys\n\nfunc loadKey() {}\n"),
        ("internal/auth/token.go", "package auth\n\nimport \"github.com/golang-jwt/jwt/v4\"\n\nfunc Sign(c jwt.Claims) {}\n"),
        ("internal/store/Auth.test.ts", "export const store = 1;\n"),
        ("internal/store/store.go", "package store\n\nfunc Open() {}\n"),
    ])
}

/// The ids of what a topic touches, in order.
fn touched(fixture: &Fixture, topic: &str) -> Vec<String> {
    let atom = KnowledgeAtom { text: "x".into(), topic: Some(topic.into()), ..KnowledgeAtom::default() };
    let state = SessionState { knowledge_atoms: vec![atom], ..SessionState::default() };
    state.task_facts(&fixture.base, &Failures::default()).about.iter().map(|(_, node)| fixture.base.id(*node)).collect()
}

#[test]
fn a_word_touches_what_is_called_so_the_nearest_first() {
    let fixture = fixture();
    let auth = ["internal/store/Auth.test.ts", "internal/auth/hash.go", "internal/auth/token.go", "internal/auth/keys/keys.go"];
    for (topic, places) in [
        ("auth", &auth[..]),
        ("AUTH", &auth),
        ("loadKey", &["internal/auth/keys/keys.go#loadKey"]),
        // Only definitions are told apart by the case of letters.
        ("loadkey", &[]),
        ("makefile", &["Makefile"]),
        ("auth.test", &["internal/store/Auth.test.ts"]),
        ("hash.go", &["internal/auth/hash.go"]),
        ("store", &["internal/store/Auth.test.ts#store", "internal/store/store.go", "internal/store/Auth.test.ts"]),
        ("bcrypt", &["golang.org/x/crypto/bcrypt"]),
        ("jwt", &["github.com/golang-jwt/jwt/v4"]),
        ("v4", &[]),
        ("ash", &[]),
        ("password hashing", &[]),
    ] {
        assert_eq!(touched(&fixture, topic), places, "{topic}");
    }
}

#[test]
fn a_path_touches_a_file_a_folder_or_a_package() {
    let fixture = fixture();
    for (topic, places) in [
        ("internal/auth/hash.go", &["internal/auth/hash.go"][..]),
        ("internal/auth", &["internal/auth/hash.go", "internal/auth/keys/keys.go", "internal/auth/token.go"]),
        ("./internal/auth/keys/", &["internal/auth/keys/keys.go"]),
        ("internal/aut", &[]),
        ("golang-jwt/jwt", &["github.com/golang-jwt/jwt/v4"]),
        ("/", &[]),
    ] {
        assert_eq!(touched(&fixture, topic), places, "{topic}");
    }
}

#[test]
fn a_topic_of_everything_touches_a_bounded_number_of_places() {
    let files: Vec<(String, String)> =
        (0..500).map(|n| (format!("src/a{n}.go"), format!("package src\n\nfunc f{n}() {{}}\n"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let fixture = Fixture::new(&files);
    assert_eq!((touched(&fixture, "src").len(), touched(&fixture, "src/").len()), (128, 128));
}

#[test]
fn what_has_a_topic_enters_when_the_task_touches_it() {
    let fixture = fixture();
    let mut scene = Scene::new(&fixture, "fix Open in store.go");
    let tool = |name: &str, topic: Option<&str>| Tool { name: name.into(), topic: topic.map(Into::into), ..Tool::default() };
    scene.state.available_tools = vec![tool("plain", None), tool("shelf", Some("store")), tool("locksmith", Some("auth/keys"))];
    let hint =
        |text: &str, topic: &str| SpecialistHint { text: text.into(), topic: Some(topic.into()), ..SpecialistHint::default() };
    scene.state.specialist_hints = vec![hint("use the shelf", "Store"), hint("salt", "bcrypt")];
    let context = scene.real_context();
    let tools: Vec<&str> = under(&context, "AVAILABLE TOOLS (use instead of creating new ones):")
        .into_iter()
        .filter(|line| line.contains(": "))
        .collect();
    assert_eq!((tools.len(), &tools[0][..11], &tools[2][..11]), (5, "  - plain: ", "  - shelf: "), "{tools:?}");
    assert_eq!(under(&context, "DOMAIN KNOWLEDGE:"), ["  - HINT: use the shelf"]);
    let mut other = Scene::new(&fixture, "change Cost in hash.go");
    other.state = scene.state;
    assert_eq!(under(&other.real_context(), "DOMAIN KNOWLEDGE:"), ["  - HINT: salt"], "hash.go imports it");
}

#[test]
fn a_file_that_the_session_changed_is_where_it_works() {
    let fixture = fixture();
    let touched = |turns_ago| {
        let file = TouchedFile { path: "./internal/auth/keys/keys.go".into(), turns_ago };
        let gone = TouchedFile { path: "gone.go".into(), turns_ago: 0 };
        let mut scene = Scene::new(&fixture, "fix Open in store.go");
        scene.state.files_touched = vec![gone, file];
        let context = scene.real_context();
        let mut items = context.sections.iter().flat_map(|section| &section.items).map(|item| &item.about);
        let keys = items.find(|about| {
            about.kind == "likely_file" && about.id == Some(Masker::knowing_nothing().name("internal/auth/keys/keys.go"))
        });
        keys.map(|about| (about.score.unwrap().0, about.reason.clone().unwrap().as_str().to_owned()))
    };
    let changed = |score| Some((score, "changed in this session".to_owned()));
    assert_eq!([touched(0), touched(2), touched(5)], [changed(50_000), changed(30_000), None]);
}
