//! Pins: they are in every kind whatever the budget and whom the caller trusts, packet and receipt say the same of them, and too many are
//! refused.

use super::{ENGINES, INTENTS, request};
use crate::replay::Replayed;
use engine::{CacheChoice, Engine, Options, Request};
use error::ErrorKind;
use packets::answer::{Kind, PacketSpec, answer};
use packets::context_pack::TrustPolicy;
use packets::manifest::PackBudgets;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// What a packet or its receipt says of something: its name, layer, importance and trust.
type Said = (String, String, String, String);

fn said(of: &Value, name: &str) -> Said {
    let text = |field: &str| of[field].as_str().unwrap_or_default().to_owned();
    (text(name), text("layer"), text("importance"), text("trust"))
}

/// The list of that name.
fn list<'a>(of: &'a Value, name: &str) -> &'a [Value] {
    of[name].as_array().map_or(&[], Vec::as_slice)
}

/// The places of a packet that say that the caller named them.
fn pinned(packet: &Value) -> BTreeSet<String> {
    let place = |path: &Value, lines: &Value| format!("{}:{}-{}", path.as_str().unwrap_or_default(), lines[0], lines[1]);
    let items = list(packet, "sections").iter().flat_map(|section| list(section, "items"));
    let items = items.filter(|item| item["kind"] == "pin").map(|item| place(&item["path"], &item["lines"]));
    let entries = list(packet, "file_entries").iter().filter(|entry| entry["tier"] == "pinned" && entry["trust"] == "trusted");
    let entries = entries.map(|entry| place(&entry["path"], &entry["range"]));
    let bullets = list(packet, "items").iter().filter(|item| item["type"] == "pin" && item["trust"] == "trusted");
    items.chain(entries).chain(bullets.filter_map(|item| Some(item["recordRef"].as_str()?.to_owned()))).collect()
}

#[test]
fn pins_are_in_every_kind_and_its_receipt_whatever_the_budget_and_whom_the_caller_trusts() {
    let replayed = Replayed::new("auth-go");
    fs::create_dir(replayed.path().join("docs")).expect("a folder");
    fs::write(replayed.path().join("docs/PRD.md"), "# PRD: tokens\n").expect("written");
    let options = Options { cache: CacheChoice::Off, ..Options::default() };
    let engine = Engine::open_with(replayed.path(), options).expect("a repository");
    let pins = ["internal/auth/keys.go:1-12", "internal/apikey/*.go", "PRD"].map(str::to_owned).to_vec();
    let n_lines = |path: &str| fs::read_to_string(replayed.path().join(path)).expect("a file").lines().count();
    let whole = ["internal/apikey/apikey.go", "internal/apikey/apikey_test.go", "docs/PRD.md"];
    let mut expected: BTreeSet<String> = whole.iter().map(|path| format!("{path}:1-{}", n_lines(path))).collect();
    expected.insert("internal/auth/keys.go:1-12".to_owned());
    for kind in Kind::ALL {
        for trust in [TrustPolicy::Prefer, TrustPolicy::Require, TrustPolicy::Any] {
            for tokens in [3_000, 6_000, 60_000] {
                let budgets = PackBudgets { max_files: 4, max_lines: 600, ..PackBudgets::default() };
                let wanted = PacketSpec { tokens, budgets, trust, max_items: 4, receipt: true, ..PacketSpec::new(kind) };
                let activation = engine.activate(&Request { pins: pins.clone(), ..request(0, &wanted) }).expect("an answer");
                let packet = answer(&activation, &wanted).expect("a packet");
                let json: Value = serde_json::from_str(&packet.json).expect("JSON");
                assert_eq!(pinned(&json), expected, "{} {trust:?} {tokens}", kind.name());
                let receipt: Value = serde_json::from_str(&packet.receipt.expect("a receipt").json()).expect("JSON");
                let candidates = list(&receipt, "candidates").iter();
                let named = candidates.filter(|one| one["decision"]["reason"][0] == "pin" && one["decision"]["included"] == true);
                let named: Vec<Said> = named.map(|one| said(one, "id")).collect();
                assert!(named.iter().all(|one| one.2 == "must_remember" && one.3 == "trusted"), "{named:?}");
                assert_eq!(named.into_iter().map(|one| one.0).collect::<BTreeSet<_>>(), expected, "{}", kind.name());
            }
        }
    }
}

#[test]
fn pins_that_alone_are_too_many_are_refused_with_what_to_raise() {
    let (_, engine) = &ENGINES[0];
    let lines = PackBudgets { max_lines: 5, ..PackBudgets::default() };
    let refused = [
        (PacketSpec { budgets: lines, ..PacketSpec::new(Kind::Manifest) }, "the pins alone are 3 files with 79 lines"),
        (PacketSpec { budgets: lines, ..PacketSpec::new(Kind::Hydrated) }, "the pins alone are 3 files with 79 lines"),
        (PacketSpec { tokens: 300, ..PacketSpec::new(Kind::Hydrated) }, "the pins and what stands around them need"),
        (PacketSpec { tokens: 300, ..PacketSpec::new(Kind::Session) }, "title and pins need"),
        (PacketSpec { tokens: 20, ..PacketSpec::new(Kind::ContextPack) }, "the pins need"),
        (
            PacketSpec { max_items: 2, ..PacketSpec::new(Kind::ContextPack) },
            "the pins are 3 items, more than the 2 of `--max-items`",
        ),
    ];
    let pins = vec!["internal/auth/keys.go:1-12".to_owned(), "internal/apikey/*.go".to_owned()];
    for (wanted, why) in refused {
        let activation = engine.activate(&Request { pins: pins.clone(), ..request(0, &wanted) }).expect("an answer");
        let error = answer(&activation, &wanted).expect_err("too small");
        assert_eq!(error.kind, ErrorKind::BudgetTooSmall);
        assert!(error.to_string().contains(why), "{}: {error}", wanted.kind.name());
    }
    for (pin, why) in [("docs/*.nothing", "there is no such file"), ("PRD", "there is no such file")] {
        let error = engine.activate(&Request { pins: vec![pin.to_owned()], ..Request::new("x") }).err().expect("no such file");
        assert!(error.to_string().contains(why), "{pin}: {error}");
    }
}

#[test]
fn a_pin_of_any_length_leaves_room_for_the_rest_of_a_context_pack() {
    let replayed = Replayed::new("auth-go");
    let long =
        "A line of a document that is very long, so that no session packet of the usual size has room for it.\n".repeat(2_000);
    fs::write(replayed.path().join("long.md"), long).expect("written");
    let options = Options { cache: CacheChoice::Off, ..Options::default() };
    let engine = Engine::open_with(replayed.path(), options).expect("a repository");
    let pack = |pins: Vec<String>| -> Value {
        let activation = engine.activate(&Request { pins, ..Request::new(INTENTS[0].1) }).expect("an answer");
        serde_json::from_str(&answer(&activation, &PacketSpec::new(Kind::ContextPack)).expect("a pack").json).expect("JSON")
    };
    let (without, with) = (pack(Vec::new()), pack(vec!["long.md".to_owned()]));
    assert_eq!(with["items"][0]["recordRef"], "long.md:1-2000");
    assert_eq!(with["items"][1], without["items"][0]);
}

#[test]
fn packet_and_receipt_say_the_same_of_all_that_is_included() {
    let pins = ["internal/auth/keys.go:1-12", "Cargo.toml", "package.json", "README.md:1-3"];
    for (number, (replayed, engine)) in ENGINES.iter().enumerate() {
        let pin = pins[number].split(':').next().unwrap_or_default();
        assert!(replayed.path().join(pin).is_file(), "{pin}");
        for max_items in [5, 12, 100] {
            let wanted = PacketSpec { receipt: true, max_items, ..PacketSpec::new(Kind::ContextPack) };
            let asked = Request { pins: vec![pins[number].to_owned()], ..request(number, &wanted) };
            let packet = answer(&engine.activate(&asked).expect("an answer"), &wanted).expect("a packet");
            let json: Value = serde_json::from_str(&packet.json).expect("JSON");
            let receipt: Value = serde_json::from_str(&packet.receipt.expect("a receipt").json()).expect("JSON");
            let candidates = list(&receipt, "candidates");
            let included = candidates.iter().filter(|one| one["decision"]["included"] == true);
            let included: BTreeSet<Said> = included.map(|one| said(one, "id")).collect();
            let items: BTreeSet<Said> = list(&json, "items").iter().map(|item| said(item, "recordRef")).collect();
            assert_eq!(items, included, "{}", INTENTS[number].0);
            let stopped = |limit: &str| {
                let is_stopped = |one: &&Value| list(&one["decision"], "reason").iter().any(|word| word == limit);
                candidates.iter().filter(is_stopped).count()
            };
            // What was within the most items can still be too long.
            let n_within = items.len() + stopped("budget-tokens");
            assert_eq!(stopped("max-items") > 0, n_within == max_items as usize, "the cap that stopped others is named");
        }
    }
}

#[test]
fn packs_of_places_pin_what_agents_are_told_as_far_as_there_is_room_and_nobody_forbids_it() {
    let replayed = Replayed::new("auth-go");
    let write =
        |path: &str, n_lines: usize| fs::write(replayed.path().join(path), "Be kind.\n".repeat(n_lines)).expect("written");
    write("PRD.md", 3);
    write("AGENTS.md", 4);
    write(".cursorrules", 2_000);
    let options = Options { cache: CacheChoice::Off, ..Options::default() };
    let engine = Engine::open_with(replayed.path(), options).expect("a repository");
    for kind in [Kind::Manifest, Kind::Hydrated] {
        let made = |auto_pins: bool, pins: &[&str]| -> Value {
            let wanted = PacketSpec { auto_pins, ..PacketSpec::new(kind) };
            let pins = pins.iter().map(|pin| (*pin).to_owned()).collect();
            let activation = engine.activate(&Request { pins, ..request(0, &wanted) }).expect("an answer");
            serde_json::from_str(&answer(&activation, &wanted).expect("a packet").json).expect("JSON")
        };
        let entries = |packet: &Value| -> Vec<[String; 3]> {
            let pins = list(packet, "file_entries").iter().filter(|entry| entry["tier"] == "pinned");
            pins.map(|entry| ["path", "trust", "why"].map(|name| entry[name].as_str().unwrap_or_default().to_owned())).collect()
        };
        let own = |path: &str| [path, "untracked", "requirements, or what agents are told here"].map(str::to_owned);
        let packet = made(true, &[]);
        assert_eq!(entries(&packet), [own("PRD.md"), own("AGENTS.md")], "{packet:#}");
        assert_eq!(packet["pinned_sources"], serde_json::json!(["PRD.md", "AGENTS.md"]));
        assert!(packet["problems"].to_string().contains("the pack has no room for its 2000 lines"), "{packet:#}");
        let packet = made(false, &[]);
        assert_eq!((entries(&packet).len(), list(&packet, "pinned_sources").len()), (0, 0));
        // What the caller names counts as named.
        let packet = made(true, &["PRD"]);
        assert_eq!(packet["pinned_sources"], serde_json::json!(["PRD", "AGENTS.md"]));
        assert_eq!(entries(&packet).iter().map(|entry| entry[1].as_str()).collect::<Vec<_>>(), ["trusted", "untracked"]);
    }
}
