//! Packets of every kind on repositories of the corpus: that they keep their own rules and every budget, and that nothing but the task
//! decides their bytes.
//!
//! Must not test how one kind is encoded: golden texts beside the kinds do.

mod benchmarks;
mod bullets;
mod pins;
mod room;
mod said;
mod same;
mod state;
mod stored;
mod texts;

use crate::replay::{HISTORIES, Replayed};
use engine::{CacheChoice, Engine, Options, Request};
use error::ErrorKind;
use packets::answer::{Kind, PacketSpec, answer};
use packets::kinds::kind_of;
use packets::manifest::{PackBudgets, Part};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use tokens::Tokenizer;

/// What is asked of each repository with a history.
const INTENTS: [(&str, &str); 4] = [
    ("auth-go", "fix ValidateToken"),
    ("auth-rust", "explain how validate_token works"),
    ("auth-ts", "add a scope to claims"),
    ("polyglot", "refactor the client"),
];

/// Tokens that are enough for a packet of any kind without pins.
const ENOUGH: u32 = 600;

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
fn request(number: usize, wanted: &PacketSpec) -> Request {
    let is_pack = matches!(wanted.kind, Kind::Manifest | Kind::Hydrated);
    Request {
        depth: is_pack.then_some(wanted.budgets.depth),
        topk: is_pack.then_some(wanted.budgets.topk),
        ..Request::new(INTENTS[number].1)
    }
}

/// How many there are in a list.
fn len(list: &Value) -> usize {
    list.as_array().expect("a list").len()
}

/// The rules that a text breaks, which must be a packet.
fn violations(text: &str) -> Vec<String> {
    let kind = kind_of(text).expect("a packet");
    (kind.validate)(&redact::Masker::knowing_nothing(), text)
        .iter()
        .map(|violation| format!("{} at {}: {}", violation.rule, violation.place, violation.message))
        .collect()
}

#[test]
fn every_kind_keeps_its_own_rules_and_has_a_receipt_that_adds_up() {
    for (number, (_, engine)) in ENGINES.iter().enumerate() {
        for kind in Kind::ALL {
            let wanted = PacketSpec { receipt: true, ..PacketSpec::new(kind) };
            let activation = engine.activate(&request(number, &wanted)).expect("an answer");
            let packet = answer(&activation, &wanted).expect("a packet");
            assert_eq!(violations(&packet.json), [""; 0], "{} {}", INTENTS[number].0, kind.name());
            let receipt = packet.receipt.expect("a receipt").json();
            assert_eq!(violations(&receipt), [""; 0], "{} {}", INTENTS[number].0, kind.name());
            let receipt: Value = serde_json::from_str(&receipt).expect("JSON");
            let packet: Value = serde_json::from_str(&packet.json).expect("JSON");
            let n_items = match kind {
                Kind::Session => {
                    packet["sections"].as_array().expect("sections").iter().map(|section| len(&section["items"])).sum()
                }
                Kind::ContextPack => len(&packet["items"]),
                Kind::Manifest | Kind::Hydrated => len(&packet["file_entries"]),
            };
            assert!(len(&receipt["extensions"]["activate"]["decisions"]) >= 4, "{} says what was decided for it", kind.name());
            let output = &receipt["output"];
            for count in [&output["includedCount"], &output["citationsCount"]] {
                assert_eq!(count.as_u64(), Some(n_items as u64), "{} {}", INTENTS[number].0, kind.name());
            }
            let n_stopped = len(&receipt["candidates"]) - n_items;
            assert_eq!(output["excludedCount"].as_u64(), Some(n_stopped as u64));
            assert!(n_items > 0 && (n_stopped > 0 || kind != Kind::ContextPack), "{} {}", INTENTS[number].0, kind.name());
            for (count, cap) in [("includedCount", "maxItems"), ("l2IncludedCount", "maxL2Items")] {
                assert!(output[count].as_u64() <= receipt["budgets"][cap].as_u64(), "{} {count}", kind.name());
            }
            assert!(
                !receipt.to_string().contains("func ") && !receipt.to_string().contains("=> {"),
                "a receipt holds no content"
            );
        }
    }
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
            |kind| {
                (kind.validate)(&redact::Masker::knowing_nothing(), &text)
                    .iter()
                    .map(|violation| violation.rule)
                    .collect::<Vec<_>>()
                    .join(" ")
            },
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
        let wanted = PacketSpec { tokens, tokenizer, max_items, budgets, include: parts(docs, tests), drop: parts(!docs, false), receipt: true, ..PacketSpec::new(kind) };
        let (_, engine) = &ENGINES[number];
        let activation = engine.activate(&request(number, &wanted)).expect("an answer");
        let packet = match answer(&activation, &wanted) {
            Ok(packet) => packet,
            Err(error) => {
                prop_assert_eq!(error.kind, ErrorKind::BudgetTooSmall, "{}", error);
                prop_assert!(tokens < ENOUGH, "{}: {}", tokens, error);
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
                let entries = json["file_entries"].as_array().expect("entries");
                let files: BTreeSet<&str> = entries.iter().filter_map(|entry| entry["path"].as_str()).collect();
                let line = |entry: &Value, at: usize| entry["range"][at].as_u64().expect("a line");
                let lines: BTreeSet<(&str, u64)> = entries
                    .iter()
                    .flat_map(|entry| (line(entry, 0)..=line(entry, 1)).map(|line| (entry["path"].as_str().unwrap_or_default(), line)))
                    .collect();
                let n_tokens: u64 = entries.iter().filter_map(|entry| entry["tokens"].as_u64()).sum();
                let used = [&json["used"]["files"], &json["used"]["lines"], &json["used"]["tokens"]].map(Value::as_u64);
                prop_assert_eq!(used, [Some(files.len() as u64), Some(lines.len() as u64), Some(n_tokens)]);
                prop_assert!(files.len() <= max_files as usize && lines.len() <= max_lines as usize);
            }
        }
        prop_assert_eq!(violations(&packet.receipt.expect("a receipt").json()), [""; 0]);
    }
}
