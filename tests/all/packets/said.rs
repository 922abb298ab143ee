//! What packs say beside their places: how sure they are, ids of all that they say, text of places, and names by which files are read.

use super::{ENGINES, INTENTS, request};
use crate::cli::{Scratch, command, ended};
use crate::replay::Replayed;
use engine::{Engine, Request};
use packets::answer::{Kind, PacketSpec, answer};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// A packet as JSON and as text.
fn made(engine: &Engine, intent: &str, wanted: &PacketSpec) -> (Value, String) {
    let activation = engine.activate(&Request { intent: intent.to_owned(), ..request(0, wanted) }).expect("an answer");
    let packet = answer(&activation, wanted).expect("a packet");
    (serde_json::from_str(&packet.json).expect("JSON"), packet.text)
}

#[test]
fn every_kind_says_how_sure_it_is_what_the_task_is_about() {
    let (_, engine) = &ENGINES[0];
    for intent in [INTENTS[0].1, "zzz qqq", "fix ValidateTokn"] {
        let (session, _) = made(engine, intent, &PacketSpec::new(Kind::Session));
        let expected = ["certainty", "ambiguous", "unknown", "advice"].map(|field| session["intent"][field].clone());
        for kind in [Kind::ContextPack, Kind::Manifest, Kind::Hydrated] {
            let (pack, _) = made(engine, intent, &PacketSpec::new(kind));
            let aim = if kind == Kind::ContextPack { &pack["meta"]["aim"] } else { &pack["aim"] };
            let said = ["certainty", "ambiguous", "unknown", "advice"].map(|field| aim[field].clone());
            assert_eq!(said, expected, "{} {intent}", kind.name());
        }
        let is_plain = expected[0] == "strong" && expected[1..].iter().all(|list| *list == Value::Array(Vec::new()));
        assert!(!is_plain, "{intent} leaves something to say");
    }
}

#[test]
fn texts_for_people_say_how_sure_they_are_and_bullets_where_they_are_not() {
    const ADVICE: &str =
        "; advice: Only words point here, and not clearly: name a file, a function or a path:line, or paste the error.";
    let (_, engine) = &ENGINES[0];
    for (intent, line, is_sure) in [
        ("fix CheckToken", "certainty: strong".to_owned(), true),
        ("fix ValidateTokn", format!("certainty: weak; unknown: ValidateTokn (nearest: ValidateToken){ADVICE}"), false),
    ] {
        for kind in [Kind::Manifest, Kind::Hydrated] {
            let (_, text) = made(engine, intent, &PacketSpec::new(kind));
            assert_eq!(text.lines().nth(1), Some(line.as_str()), "{text}");
        }
        let (pack, text) = made(engine, intent, &PacketSpec::new(Kind::ContextPack));
        assert_eq!(pack["bundle_text"], text);
        let others: Vec<&str> = text.lines().filter(|line| !line.starts_with("- [")).collect();
        assert_eq!(others, if is_sure { vec![] } else { vec![line.as_str()] });
        assert_eq!(text.starts_with(&line), !is_sure, "it stands above all bullets");
    }
    // What must be in a pack comes before what is said of it.
    let wanted = PacketSpec { tokens: 30, ..PacketSpec::new(Kind::ContextPack) };
    let pins = vec!["go.mod".to_owned()];
    let activation = engine.activate(&Request { pins, ..Request::new("fix ValidateTokn") }).expect("an answer");
    let text = answer(&activation, &wanted).expect("a pack").text;
    assert!(text.starts_with("- [go.mod") && text.lines().count() == 1, "{text}");
}

#[test]
fn packs_that_say_something_else_have_other_ids() {
    let (_, engine) = &ENGINES[0];
    let packs = [
        (INTENTS[0].1, 1_200, None),
        (INTENTS[0].1, 1_201, None),
        ("please do fix ValidateToken now", 1_200, None),
        (INTENTS[0].1, 1_200, Some("internal")),
    ];
    let ids = packs.map(|(intent, tokens, scope)| {
        let scope = scope.map(str::to_owned);
        let (pack, _) = made(engine, intent, &PacketSpec { tokens, scope, ..PacketSpec::new(Kind::ContextPack) });
        pack["meta"]["packId"].as_str().expect("an id").to_owned()
    });
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
}

#[test]
fn a_hydrated_pack_for_people_has_the_lines_of_every_place_between_fences() {
    let (_, engine) = &ENGINES[0];
    let (pack, text) = made(engine, INTENTS[0].1, &PacketSpec::new(Kind::Hydrated));
    let nonce = text.split_once("\n[data ").expect("a fence").1.split(' ').next().expect("a nonce");
    let entries = pack["file_entries"].as_array().expect("entries");
    for entry in entries {
        let (trust, lines) = (entry["trust"].as_str().expect("a word"), entry["text"].as_str().expect("text"));
        assert!(text.contains(&format!("\n[data {nonce} {trust}]\n{lines}[end {nonce}]\n")), "{}", entry["path"]);
    }
    let (_, manifest) = made(engine, INTENTS[0].1, &PacketSpec::new(Kind::Manifest));
    assert!(!entries.is_empty() && !manifest.contains("[data "));
}

#[test]
fn every_file_of_a_pack_can_be_read_by_the_name_that_the_pack_shows() {
    let (scratch, replayed) = (Scratch::new(), Replayed::new("auth-go"));
    for path in ["odd#L1-L2/hash.go", "odd/t\tab.go"] {
        let path = replayed.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, "package odd\n\n// Odd is odd.\nfunc Odd() int {\n\treturn 1\n}\n").expect("written");
    }
    fs::write(replayed.path().join("go.mod"), "").expect("written");
    fs::remove_file(replayed.path().join("internal/auth/keys.go")).expect("removed");
    let (state, repo) = (scratch.0.join("state"), replayed.path());
    let run = |args: &[&str]| {
        let mut command = command(args);
        command.arg("--state").arg(&state).arg("--repo").arg(repo).args(["--no-cache", "--quiet"]);
        ended(&mut command)
    };
    let mut n_odd = 0;
    for kind in ["context-pack", "manifest"] {
        let made = run(&["--intent", "fix Odd and ValidateToken", "--packet", kind, "--pin", "go.mod", "--pin", "odd*/**"]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        let pack: Value = serde_json::from_str(&made.stdout).expect("JSON");
        let id = pack["pack_id"].as_str().or(pack["meta"]["packId"].as_str()).expect("an id");
        let items = pack["items"].as_array().into_iter().flatten().filter(|item| !item["citations"]["url"].is_null());
        let items = items.map(|item| item["recordRef"].as_str().expect("a name").to_owned());
        let entries = pack["file_entries"].as_array().into_iter().flatten();
        let entries = entries
            .map(|entry| format!("{}:{}-{}", entry["path"].as_str().expect("a path"), entry["range"][0], entry["range"][1]));
        for name in items.chain(entries) {
            let read = run(&["packet", "read", id, &name]);
            assert_eq!((read.code, read.stderr.as_str()), (0, ""), "{name}");
            assert_eq!(read.stdout.is_empty(), name.starts_with("go.mod"), "{name}");
            n_odd += usize::from(name.starts_with("odd"));
        }
    }
    assert!(n_odd >= 4, "{n_odd}");
}
