//! Manifest and hydrated packs of few tokens: never more than they may have, never empty without a reason, and the more room the more places.

use super::{ENGINES, INTENTS, request};
use engine::{Activation, CacheChoice, Engine, Options, Request};
use error::ErrorKind;
use packets::answer::{Kind, PacketSpec, answer};
use packets::manifest::PackBudgets;
use serde_json::Value;
use std::path::Path;

/// A pack with its number of tokens; none where the budget is less than a pack without places.
fn pack(activation: &Activation<'_>, wanted: &PacketSpec) -> Option<(Value, u32)> {
    match answer(activation, wanted) {
        Ok(made) => {
            let n_tokens = wanted.tokenizer.count(&made.json).0;
            let pack: Value = serde_json::from_str(&made.json).expect("JSON");
            let said = pack["problems"]
                .as_array()
                .expect("problems")
                .last()
                .map_or("", |last| last["message"].as_str().expect("a text"));
            assert_eq!(
                made.problems.last().map_or("", |last| last.message.as_str()),
                said,
                "what the pack says is said beside it"
            );
            Some((pack, n_tokens))
        }
        Err(error) => {
            assert_eq!(error.kind, ErrorKind::BudgetTooSmall, "{error}");
            None
        }
    }
}

/// The tokens that a pack without places asks for; none of a pack with places.
fn asked_for(pack: &Value) -> Option<u32> {
    if !pack["file_entries"].as_array().expect("entries").is_empty() {
        return None;
    }
    let said = pack["problems"].as_array().expect("problems").last().expect("a reason")["message"].as_str().expect("a text");
    let (_, rest) = said.split_once(": give a budget of at least ").unwrap_or_else(|| panic!("{said}"));
    rest.split(' ').next().and_then(|n| n.parse().ok())
}

#[test]
fn a_pack_without_room_for_a_place_says_how_much_it_needs_and_has_one_if_it_gets_that() {
    let mut n_empty = 0;
    for (number, (_, engine)) in ENGINES.iter().enumerate() {
        for kind in [Kind::Manifest, Kind::Hydrated] {
            let activation = engine.activate(&request(number, &PacketSpec::new(kind))).expect("an answer");
            for tokens in (300..1_000).step_by(20) {
                let wanted = PacketSpec { tokens, ..PacketSpec::new(kind) };
                let name = format!("{} {} {tokens}", INTENTS[number].0, kind.name());
                let Some((made, n_tokens)) = pack(&activation, &wanted) else { continue };
                assert!(n_tokens <= tokens, "{name}");
                let Some(needed) = asked_for(&made) else { continue };
                n_empty += 1;
                assert!(needed > tokens, "{name}: {needed}");
                let (made, _) = pack(&activation, &PacketSpec { tokens: needed, ..wanted }).expect("a pack");
                assert_eq!(asked_for(&made), None, "{name}: {needed}");
            }
        }
    }
    assert!(n_empty > 8, "{n_empty}");
}

#[test]
fn a_pack_whose_files_are_too_few_says_what_to_raise() {
    let budgets = PackBudgets { max_files: 0, ..PackBudgets::default() };
    let wanted = PacketSpec { budgets, ..PacketSpec::new(Kind::Manifest) };
    let activation = ENGINES[0].1.activate(&request(0, &wanted)).expect("an answer");
    let (made, _) = pack(&activation, &wanted).expect("a pack");
    let said = made["problems"].as_array().expect("problems").last().expect("a reason")["message"].as_str().expect("a text");
    assert!(said.ends_with(" places fits in 0 files and 1800 lines: raise `--max-files` or `--max-lines`"), "{said}");
}

#[test]
fn the_more_tokens_a_hydrated_pack_may_have_the_more_it_shows() {
    let options = Options { cache: CacheChoice::Off, ..Options::default() };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/auth-go");
    let engine = Engine::open_with(&folder, options).expect("a repository");
    let activation = engine.activate(&Request::new("fix ValidateToken in internal/auth")).expect("an answer");
    let mut most = 0;
    let mut shown = Vec::new();
    for tokens in (700..=1_600).step_by(50) {
        let wanted = PacketSpec { tokens, ..PacketSpec::new(Kind::Hydrated) };
        let (made, n_tokens) = pack(&activation, &wanted).expect("a pack");
        assert!(n_tokens <= tokens && asked_for(&made).is_none(), "{tokens}: {n_tokens}");
        let best = &made["file_entries"][0];
        assert_eq!((best["path"].as_str(), best["score"].as_u64()), (Some("internal/auth/login.go"), Some(100)), "{tokens}");
        let used = made["used"]["tokens"].as_u64().expect("a number");
        // One better place can take the room of two that have a little more between them.
        assert!(used * 4 >= most * 3, "{tokens}: {used} tokens of lines after {most}");
        most = most.max(used);
        shown.push(used);
    }
    assert!(shown[0] > 0 && most > 4 * shown[0], "{shown:?}");
}
