//! What a context pack makes of few items: bullets that say something, what is protected, what goes first, and whom to trust.

use super::{ENGINES, INTENTS, request};
use crate::replay::Replayed;
use context::state::SessionState;
use engine::{CacheChoice, Engine, Options, Request};
use error::{ErrorKind, Result};
use packets::answer::{Kind, PacketSpec, answer};
use packets::context_pack::TrustPolicy;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// A pack with its receipt.
struct Made {
    bundle: String,
    items: Vec<Value>,
    receipt: Value,
}

impl Made {
    fn new(engine: &Engine, request: &Request, wanted: &PacketSpec) -> Result<Self> {
        let activation = engine.activate(request)?;
        let packet = answer(&activation, &PacketSpec { receipt: true, ..wanted.clone() })?;
        let json: Value = serde_json::from_str(&packet.json).expect("JSON");
        let receipt = serde_json::from_str(&packet.receipt.expect("a receipt").json()).expect("JSON");
        Ok(Self { bundle: packet.text, items: json["items"].as_array().expect("items").clone(), receipt })
    }

    fn texts(&self) -> Vec<&str> {
        self.items.iter().filter_map(|item| item["text"].as_str()).collect()
    }

    /// The names of what was stopped by a limit.
    fn stopped(&self, limit: &str) -> Vec<&str> {
        let candidates = self.receipt["candidates"].as_array().expect("candidates").iter();
        let is_so =
            |one: &&Value| one["decision"]["reason"].as_array().is_some_and(|words| words.iter().any(|word| word == limit));
        candidates.filter(is_so).filter_map(|one| one["id"].as_str()).collect()
    }
}

#[test]
fn every_bullet_says_something_and_no_file_is_named_twice() {
    for (number, (_, engine)) in ENGINES.iter().enumerate() {
        let wanted = PacketSpec::new(Kind::ContextPack);
        let made = Made::new(engine, &request(number, &wanted), &wanted).expect("a pack");
        let name = INTENTS[number].0;
        assert!(made.items.len() >= 8, "{name}");
        for (line, item) in made.bundle.lines().filter(|line| line.starts_with("- [")).zip(&made.items) {
            let (reference, text) = (item["recordRef"].as_str().expect("a name"), item["text"].as_str().expect("a text"));
            assert_eq!(line, format!("- [{reference}] {text}"));
            assert!(!text.starts_with("- ") && text.len() > 8 && !reference.contains('~'), "{name}: {line}");
            let reason = item["citations"]["url"].is_null() || text.ends_with(')') || item["layer"] == "L0";
            assert!(reason, "{name}: {line}");
        }
        let is_file = |item: &&Value| item["recordRef"] == item["citations"]["url"] || item["type"] == "impacted_file";
        let files: Vec<&str> = made.items.iter().filter(is_file).filter_map(|item| item["citations"]["url"].as_str()).collect();
        assert_eq!(files.len(), files.iter().collect::<BTreeSet<_>>().len(), "{name}: {files:?}");
        let hot = made.items.iter().filter(|item| item["layer"] == "L1" && item["importance"] == "must_remember");
        for code in hot.filter_map(|item| item["citations"]["url"].as_str()?.split('#').next()) {
            assert!(!files.contains(&code), "{name}: {code} is named beside its code");
        }
    }
}

/// A session of some turns, with more to say of each than the smallest packet has room for.
fn session() -> SessionState {
    let account = "which took a while and touched more than was thought at first; ".repeat(4);
    SessionState {
        recent_actions: (1..=5).map(|turn| format!("/step {turn} of internal/auth/login.go {account}")).collect(),
        compressed_history: [1, 2, 3, 4, 5, 6].map(|turn| format!("turn {turn}: looked at internal/auth")).join("\n"),
        ..SessionState::default()
    }
}

#[test]
fn the_last_steps_of_the_session_are_in_a_pack_of_every_budget_that_a_session_packet_can_have() {
    let (_, engine) = &ENGINES[0];
    let request = Request { state: session(), ..Request::new(INTENTS[0].1) };
    let mut n_budgets = 0;
    for tokens in (20..400).step_by(5).chain([600, 1_200, 6_000]) {
        let made = Made::new(engine, &request, &PacketSpec { tokens, max_items: 4, ..PacketSpec::new(Kind::ContextPack) });
        let session =
            answer(&engine.activate(&request).expect("an answer"), &PacketSpec { tokens, ..PacketSpec::new(Kind::Session) });
        if session.is_err() {
            continue;
        }
        n_budgets += 1;
        let made = made.unwrap_or_else(|error| panic!("{tokens}: {error}"));
        let texts = made.texts();
        let [.., before, last] = texts[..] else { panic!("{tokens}: {texts:?}") };
        assert!(before.starts_with("/step 4 of") && last.starts_with("/step 5 of"), "{tokens}: {texts:?}");
        assert!(!texts.iter().any(|text| text.starts_with("/step 3") && tokens < 400), "only the last two are protected");
    }
    assert!(n_budgets > 20, "{n_budgets}");
    let error =
        Made::new(engine, &request, &PacketSpec { max_items: 1, ..PacketSpec::new(Kind::ContextPack) }).err().expect("no room");
    assert_eq!(error.kind, ErrorKind::BudgetTooSmall);
}

#[test]
fn summaries_of_older_turns_go_first_and_of_them_the_oldest() {
    let (_, engine) = &ENGINES[0];
    let request = Request { state: session(), ..Request::new(INTENTS[0].1) };
    let mut seen = BTreeSet::new();
    for tokens in (100..6_000).step_by(50) {
        let made = Made::new(engine, &request, &PacketSpec { tokens, max_items: 200, ..PacketSpec::new(Kind::ContextPack) });
        let made = made.expect("a pack");
        let summaries: Vec<&str> = made.texts().into_iter().filter(|text| text.starts_with("turn ")).collect();
        let newest: Vec<String> = (1..=6).map(|turn| format!("turn {turn}: looked at internal/auth")).collect();
        assert_eq!(summaries, newest[6 - summaries.len()..], "{tokens}");
        let stopped = made.stopped("budget-tokens");
        let others = stopped.iter().filter(|name| !name.starts_with("history:")).count();
        assert!(summaries.is_empty() || others == 0, "{tokens}: {stopped:?} went before a summary");
        seen.insert(summaries.len());
    }
    assert!(seen.len() > 3 && seen.contains(&0) && seen.contains(&6), "{seen:?}");
}

#[test]
fn what_strangers_wrote_comes_last_is_refused_or_counts_as_all_else() {
    let replayed = Replayed::new("auth-go");
    let text = "package auth\n\n// Probe tries a token.\nfunc Probe(raw string, keys *KeySet) bool {\n\treturn CheckToken(raw, keys)\n}\n";
    fs::write(replayed.path().join("internal/auth/probe.go"), text).expect("written");
    let options = Options { cache: CacheChoice::Off, ..Options::default() };
    let engine = Engine::open_with(replayed.path(), options).expect("a repository");
    let request = Request::new("fix Probe in internal/auth/probe.go");
    let make = |trust, max_items| {
        Made::new(&engine, &request, &PacketSpec { trust, max_items, ..PacketSpec::new(Kind::ContextPack) }).expect("a pack")
    };
    let probe = "internal/auth/probe.go#Probe";
    let has = |made: &Made| made.items.iter().any(|item| item["recordRef"] == probe);
    let fail_open = |made: &Made| made.receipt["extensions"]["activate"]["fail_open"].as_array().expect("a list").clone();

    let any = make(TrustPolicy::Any, 3);
    assert_eq!((&any.items[0]["recordRef"], &any.items[0]["trust"]), (&Value::from(probe), &Value::from("untrusted")));
    assert_eq!(fail_open(&any), [] as [Value; 0]);
    let require = make(TrustPolicy::Require, 12);
    assert!(!has(&require) && require.items.iter().all(|item| item["trust"] != "untrusted"));
    assert!(require.stopped("trust").contains(&probe));
    // There are three others of its importance, so that it does not enter; of twelve there are not.
    let few = make(TrustPolicy::Prefer, 3);
    assert!(!has(&few) && few.items.len() == 3 && fail_open(&few).is_empty(), "{}", few.bundle);
    assert!(few.stopped("max-items").contains(&probe));
    let prefer = make(TrustPolicy::Prefer, 100);
    let untrusted = prefer.items.iter().filter(|item| item["trust"] == "untrusted").filter_map(|item| item["recordRef"].as_str());
    // A hundred items have room for all.
    let expected: Vec<Value> = untrusted
        .map(|name| format!("{name} is untrusted and was included: all else that says something is in the pack too").into())
        .collect();
    assert!(has(&prefer) && !expected.is_empty());
    let n_left = prefer.stopped("budget-tokens").len() + prefer.stopped("max-items").len();
    assert!(n_left > 0 || fail_open(&prefer) == expected, "{:?}", fail_open(&prefer));
    let four = make(TrustPolicy::Prefer, 12);
    let event = format!("{probe} is untrusted and was included: what was left out for it is trusted, but less important");
    assert!(has(&four) && fail_open(&four).contains(&event.into()), "{:?}", fail_open(&four));
}

#[test]
fn where_git_knows_no_file_a_receipt_says_so_once() {
    let scratch = crate::cli::Scratch::new();
    fs::write(scratch.0.join("a.go"), "package a\n\n// Probe tries.\nfunc Probe() int {\n\treturn 1\n}\n").expect("written");
    let options = Options { cache: CacheChoice::Off, ..Options::default() };
    let engine = Engine::open_with(&scratch.0, options).expect("a folder");
    let made = Made::new(&engine, &Request::new("fix Probe"), &PacketSpec::new(Kind::ContextPack)).expect("a pack");
    let events = made.receipt["extensions"]["activate"]["fail_open"].as_array().expect("a list");
    let n = made.items.iter().filter(|item| item["trust"] == "untrusted").count();
    let expected =
        format!("{n} untrusted items were included: without a commit of git no file is known to be the repository's own");
    assert!(n > 0 && *events == [Value::from(expected)], "{events:?}");
}
