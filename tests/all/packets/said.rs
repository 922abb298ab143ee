//! What packs say beside their places: how sure they are, ids of all that they say, text of places, and names by which files are read.
//!
//! Must not look at what was chosen.

use super::{ENGINES, INTENTS, request};
use crate::cli::{Scratch, command, ended};
use crate::replay::Replayed;
use activate::answer::{Kind, Wanted, answer};
use activate::{Engine, Request};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// A packet as JSON and as text.
fn made(engine: &Engine, intent: &str, wanted: &Wanted) -> (Value, String) {
    let activation = engine.activate(&Request { intent: intent.to_owned(), ..request(0, wanted) }).expect("an answer");
    let packet = answer(&activation, wanted).expect("a packet");
    (serde_json::from_str(&packet.json).expect("JSON"), packet.text)
}

#[test]
fn every_kind_says_how_sure_it_is_what_the_task_is_about() {
    let (_, engine) = &ENGINES[0];
    for intent in [INTENTS[0].1, "zzz qqq", "fix ValidateTokn"] {
        let (session, _) = made(engine, intent, &Wanted::new(Kind::Session));
        let expected = ["certainty", "ambiguous", "unknown", "advice"].map(|field| session["intent"][field].clone());
        for kind in [Kind::ContextPack, Kind::Manifest, Kind::Hydrated] {
            let (pack, _) = made(engine, intent, &Wanted::new(kind));
            let aim = if kind == Kind::ContextPack { &pack["meta"]["aim"] } else { &pack["aim"] };
            let said = ["certainty", "ambiguous", "unknown", "advice"].map(|field| aim[field].clone());
            assert_eq!(said, expected, "{} {intent}", kind.name());
        }
        let is_plain = expected[0] == "strong" && expected[1..].iter().all(|list| *list == Value::Array(Vec::new()));
        assert!(!is_plain, "{intent} leaves something to say");
    }
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
        let (pack, _) = made(engine, intent, &Wanted { tokens, scope, ..Wanted::new(Kind::ContextPack) });
        pack["meta"]["packId"].as_str().expect("an id").to_owned()
    });
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
}

#[test]
fn a_hydrated_pack_for_people_has_the_lines_of_every_place_between_fences() {
    let (_, engine) = &ENGINES[0];
    let (pack, text) = made(engine, INTENTS[0].1, &Wanted::new(Kind::Hydrated));
    let nonce = text.split_once("\n[data ").expect("a fence").1.split(' ').next().expect("a nonce");
    let entries = pack["file_entries"].as_array().expect("entries");
    for entry in entries {
        let (trust, lines) = (entry["trust"].as_str().expect("a word"), entry["text"].as_str().expect("text"));
        assert!(text.contains(&format!("\n[data {nonce} {trust}]\n{lines}[end {nonce}]\n")), "{}", entry["path"]);
    }
    let (_, manifest) = made(engine, INTENTS[0].1, &Wanted::new(Kind::Manifest));
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
