//! Packets of every kind on repositories of the corpus: that they keep their own rules and every budget, and that nothing but the task
//! decides their bytes.
//!
//! Must not test how one kind is encoded: golden texts beside the kinds do.

mod bullets;
mod same;
mod state;
mod stored;
mod texts;

use crate::replay::{HISTORIES, Replayed};
use activate::answer::{Kind, Wanted, answer};
use activate::context::tokens::Tokenizer;
use activate::packet::check::kind_of;
use activate::packet::manifest::{PackBudgets, Part};
use activate::{CacheChoice, Engine, ErrorKind, Options, Request};
use proptest::prelude::*;
use serde_json::Value;
use std::sync::LazyLock;

/// What is asked of each repository with a history.
const INTENTS: [(&str, &str); 4] = [
    ("auth-go", "fix ValidateToken"),
    ("auth-rust", "explain how validate_token works"),
    ("auth-ts", "add a scope to claims"),
    ("polyglot", "refactor the client"),
];

/// The repositories, each once for all tests.
static ENGINES: LazyLock<Vec<(Replayed, Engine)>> = LazyLock::new(|| {
    let engine = |(name, _): (&str, &str)| {
        let replayed = Replayed::new(name);
        let options = Options { cache: CacheChoice::Off, ..Options::default() };
        let engine = Engine::open_with(replayed.path(), options).expect("a repository");
        (replayed, engine)
    };
    HISTORIES.map(engine).into_iter().collect()
});

/// A request of what is asked of a repository, as its kind limits it.
fn request(number: usize, wanted: &Wanted) -> Request {
    let is_pack = matches!(wanted.kind, Kind::Manifest | Kind::Hydrated);
    Request {
        depth: is_pack.then_some(wanted.budgets.depth),
        topk: is_pack.then_some(wanted.budgets.topk),
        ..Request::new(INTENTS[number].1)
    }
}

/// The rules that a text breaks, which must be a packet.
fn violations(text: &str) -> Vec<String> {
    let kind = kind_of(text).expect("a packet");
    (kind.check)(text)
        .iter()
        .map(|violation| format!("{} at {}: {}", violation.rule, violation.place, violation.message))
        .collect()
}

#[test]
fn every_kind_keeps_its_own_rules_and_has_a_receipt_that_adds_up() {
    for (number, (_, engine)) in ENGINES.iter().enumerate() {
        for kind in Kind::ALL {
            let wanted = Wanted { receipt: true, ..Wanted::new(kind) };
            let activation = engine.activate(&request(number, &wanted)).expect("an answer");
            let packet = answer(&activation, &wanted).expect("a packet");
            assert_eq!(violations(&packet.json), [""; 0], "{} {}", INTENTS[number].0, kind.name());
            let receipt = packet.receipt.expect("a receipt").json();
            assert_eq!(violations(&receipt), [""; 0], "{} {}", INTENTS[number].0, kind.name());
            let receipt: Value = serde_json::from_str(&receipt).expect("JSON");
            let coverage = &receipt["output"]["coverage"];
            assert_eq!(
                (&coverage["rationaleMissingCount"], &coverage["citationMissingCount"]),
                (&Value::from(0), &Value::from(0))
            );
            assert!(receipt["output"]["includedCount"].as_u64() > Some(0), "{} {}", INTENTS[number].0, kind.name());
            assert!(
                !receipt.to_string().contains("func ") && !receipt.to_string().contains("=> {"),
                "a receipt holds no content"
            );
        }
    }
}

#[test]
fn what_a_receipt_says_was_included_is_what_the_packet_has() {
    let (_, engine) = &ENGINES[0];
    let wanted = Wanted { receipt: true, max_items: 5, ..Wanted::new(Kind::ContextPack) };
    let activation = engine.activate(&request(0, &wanted)).expect("an answer");
    let packet = answer(&activation, &wanted).expect("a packet");
    let (json, receipt): (Value, Value) = (
        serde_json::from_str(&packet.json).expect("JSON"),
        serde_json::from_str(&packet.receipt.expect("a receipt").json()).expect("JSON"),
    );
    let mut items: Vec<&str> =
        json["items"].as_array().expect("items").iter().filter_map(|item| item["recordRef"].as_str()).collect();
    let candidates = receipt["candidates"].as_array().expect("candidates");
    let included = candidates.iter().filter(|one| one["decision"]["included"] == true);
    let mut included: Vec<&str> = included.filter_map(|one| one["id"].as_str()).collect();
    items.sort_unstable();
    included.sort_unstable();
    assert_eq!(items, included);
    assert_eq!(items.len(), 5);
    let stopped = candidates
        .iter()
        .filter(|one| one["decision"]["reason"].as_array().is_some_and(|words| words.iter().any(|word| word == "max-items")));
    assert!(stopped.count() > 0, "the cap that stopped the others is named");
}

/// `value` with a JSON merge patch applied.
fn patched(value: Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else { return patch.clone() };
    let mut object = if let Value::Object(object) = value { object } else { serde_json::Map::new() };
    for (key, part) in patch {
        if part.is_null() {
            object.remove(key);
        } else {
            let before = object.remove(key).unwrap_or_default();
            object.insert(key.clone(), patched(before, part));
        }
    }
    Value::Object(object)
}

#[test]
fn packs_that_the_forms_own_validator_refuses_are_refused_by_name() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openclaw");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    let pack: Value = serde_json::from_str(&read("pack.json")).expect("JSON");
    let mut n_verdicts = 0;
    for line in read("verdicts.txt").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, patch, verdict, expected] = columns[..] else { panic!("{line}") };
        let patch: Value = serde_json::from_str(patch).expect("JSON");
        let text = patched(pack.clone(), &patch).to_string();
        let rules = kind_of(&text).map_or_else(
            || "unknown".to_owned(),
            |kind| (kind.check)(&text).iter().map(|violation| violation.rule).collect::<Vec<_>>().join(" "),
        );
        assert_eq!(rules, expected, "{name}");
        // Ours may ask for more, never for less.
        assert!(verdict == "ok" || !rules.is_empty(), "{name}");
        n_verdicts += 1;
    }
    assert!(n_verdicts > 20);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn no_budget_is_exceeded_by_one_token(
        number in 0..INTENTS.len(),
        kind in prop::sample::select(Kind::ALL.to_vec()),
        tokens in prop_oneof![1..400u32, 300..6_000u32, 6_000..60_000u32],
        (max_items, max_files, max_lines, topk) in (1..30u32, 1..45u32, 1..2_000u32, 1..30u32),
        depth in 0..4u8,
        (docs, tests) in any::<(bool, bool)>(),
        cl100k in any::<bool>(),
    ) {
        let tokenizer = if cl100k { Tokenizer::Cl100k } else { Tokenizer::O200k };
        let parts = |docs: bool, tests: bool| docs.then_some(Part::Docs).into_iter().chain(tests.then_some(Part::Tests)).collect::<Vec<_>>();
        let budgets = PackBudgets { max_files, max_lines, depth, topk, ..PackBudgets::default() };
        let wanted = Wanted { tokens, tokenizer, max_items, budgets, include: parts(docs, tests), drop: parts(!docs, false), receipt: true, ..Wanted::new(kind) };
        let (_, engine) = &ENGINES[number];
        let activation = engine.activate(&request(number, &wanted)).expect("an answer");
        let packet = match answer(&activation, &wanted) {
            Ok(packet) => packet,
            Err(error) => {
                prop_assert_eq!(error.kind, ErrorKind::BudgetTooSmall, "{}", error);
                return Ok(());
            }
        };
        let json: Value = serde_json::from_str(&packet.json).expect("JSON");
        match kind {
            Kind::Session => {
                prop_assert!(tokenizer.count(&packet.text).0 <= tokens);
                let of_sections = json["sections"].as_array().expect("sections").iter().filter_map(|section| section["tokens"].as_u64());
                prop_assert!(of_sections.sum::<u64>() <= u64::from(tokens));
                for section in json["sections"].as_array().expect("sections") {
                    prop_assert!(section["tokens"].as_u64() <= section["budget"].as_u64());
                }
            }
            Kind::ContextPack => {
                prop_assert!(tokenizer.count(&packet.text).0 <= tokens);
                prop_assert!(json["items"].as_array().expect("items").len() <= max_items as usize);
            }
            Kind::Manifest | Kind::Hydrated => {
                prop_assert!(tokenizer.count(&packet.json).0 <= tokens);
                let used = &json["used"];
                prop_assert!(used["files"].as_u64() <= Some(max_files.into()) && used["lines"].as_u64() <= Some(max_lines.into()));
            }
        }
        prop_assert_eq!(violations(&packet.receipt.expect("a receipt").json()), [""; 0]);
    }
}

#[test]
fn pins_are_in_every_kind_whatever_the_budget_and_too_many_are_refused() {
    let (_, engine) = &ENGINES[0];
    let pins = vec!["internal/auth/keys.go:1-12".to_owned(), "internal/apikey/*.go".to_owned()];
    for kind in Kind::ALL {
        for tokens in [3_000, 6_000, 60_000] {
            let budgets = PackBudgets { max_files: 6, max_lines: 600, ..PackBudgets::default() };
            let wanted = Wanted { tokens, budgets, ..Wanted::new(kind) };
            let activation = engine.activate(&Request { pins: pins.clone(), ..request(0, &wanted) }).expect("an answer");
            let packet = answer(&activation, &wanted).expect("a packet");
            assert!(packet.json.contains("internal/auth/keys.go"), "{} {tokens}", kind.name());
            assert!(packet.json.contains("internal/apikey/"), "{} {tokens}", kind.name());
        }
    }
    for kind in [Kind::Manifest, Kind::Hydrated] {
        let budgets = PackBudgets { max_lines: 5, ..PackBudgets::default() };
        let wanted = Wanted { budgets, ..Wanted::new(kind) };
        let activation = engine.activate(&Request { pins: pins.clone(), ..request(0, &wanted) }).expect("an answer");
        let error = answer(&activation, &wanted).expect_err("too small");
        assert_eq!(error.kind, ErrorKind::BudgetTooSmall);
        assert!(error.to_string().contains("the pins alone are"), "{error}");
    }
    for (pin, why) in [("docs/*.nothing", "there is no such file"), ("PRD", "there is no such file"), ("**", "files, more than")]
    {
        let result = engine.activate(&Request { pins: vec![pin.to_owned()], ..Request::new("x") });
        if let Err(error) = result {
            assert!(error.to_string().contains(why), "{pin}: {error}");
        } else {
            assert_eq!(pin, "**", "only a small repository can pin all");
        }
    }
}
