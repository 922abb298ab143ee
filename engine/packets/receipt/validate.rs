//! Which rules a receipt breaks: its form, that its counts add up, and that all that was included says where it comes from and why.
//!
//! Any JSON can be checked: what is not a packet breaks rules, and unknown fields are allowed.

use super::{KIND, LANES, OURS};
use crate::decisions;
use crate::validate::{Found, Violation, is_hash, names, object};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

#[cfg(test)]
mod tests;

/// The fields of a receipt and of a candidate.
const TOP: [&str; 9] = ["kind", "ts", "version", "query", "budgets", "lanes", "candidates", "output", "timing"];
const CANDIDATE: [&str; 7] = ["id", "layer", "importance", "trust", "scores", "decision", "citations"];
/// Fields that would hold content, which a receipt must not.
const CONTENT: [&str; 3] = ["text", "content", "bundle_text"];
/// What some fields of a candidate can be.
const WORDS: [(&str, &[&str]); 3] = [
    ("layer", &["L0", "L1", "L2"]),
    ("importance", &["must_remember", "nice_to_have", "ignore"]),
    ("trust", &["trusted", "unknown", "untrusted"]),
];
/// The scores of a candidate that every receipt has.
const SCORES: [&str; 3] = ["rrf", "fts", "semantic"];

/// Where the id of a receipt of ours stands.
const RECEIPT_ID: [&str; 3] = ["extensions", "activate", "receipt_id"];

/// Whether a text is a receipt, of this version or of another.
pub fn is_receipt(text: &str) -> bool {
    names(text, "kind", KIND)
}

/// What the candidates of a receipt have, by word.
#[derive(Default)]
struct Counted<'a> {
    ids: BTreeSet<&'a str>,
    n_included: u64,
    n_excluded: u64,
    n_full: u64,
    n_cited: u64,
    n_reasoned: u64,
    by_trust: BTreeMap<&'a str, u64>,
    by_importance: BTreeMap<&'a str, u64>,
    by_limit: BTreeMap<&'a str, u64>,
    by_lane: BTreeMap<&'a str, u64>,
}

/// The rules that a receipt breaks, in its order.
pub fn validate(text: &str) -> Vec<Violation> {
    let Some(receipt) = object(text) else { return Vec::new() };
    let mut found = Found::default();
    found.missing(&receipt, &TOP, "the receipt");
    found.form(&receipt, "kind", KIND);
    check_content(&mut found, "the receipt", &receipt);
    let mut counted = Counted::default();
    found.each(&receipt, "candidates", ["candidates-array", "candidate-object"], &CANDIDATE, |found, place, candidate| {
        check_candidate(found, place, candidate, &mut counted);
    });
    check_output(&mut found, receipt.get("output"), &counted);
    let own = receipt.get("extensions").and_then(|extensions| extensions.get("activate"));
    let producer = receipt.get("version").and_then(|version| version.get("openclaw_mem")).and_then(Value::as_str);
    // Receipts of others have no id.
    if own.is_some() || producer.is_some_and(|name| name.starts_with(OURS)) {
        check_own(&mut found, own.unwrap_or(&Value::Null), &counted);
        found.id("receipt-id", text, &receipt, &RECEIPT_ID);
    }
    found.0
}

fn check_content(found: &mut Found, place: &str, object: &Map<String, Value>) {
    if let Some(field) = CONTENT.iter().find(|field| object.contains_key(**field)) {
        found.add("content", format!("{place}.{field}"), "a receipt holds no content");
    }
}

fn check_candidate<'a>(found: &mut Found, place: &str, candidate: &'a Map<String, Value>, counted: &mut Counted<'a>) {
    check_content(found, place, candidate);
    let word = |field: &str| candidate.get(field).and_then(Value::as_str).unwrap_or_default();
    match word("id") {
        "" => found.add("id", format!("{place}.id"), "expected a text that is not empty"),
        id if !counted.ids.insert(id) => found.add("id-twice", format!("{place}.id"), "another candidate has the same"),
        id => found.reference(&format!("{place}.id"), id),
    }
    for (field, words) in WORDS {
        found.word(field, place, candidate, field, words);
    }
    check_scores(found, place, candidate.get("scores"));
    let decided = |field: &str| candidate.get("decision").and_then(|decision| decision.get(field));
    let texts = |field: &str| -> Vec<&'a str> {
        let list = decided(field).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).filter(|text| !text.is_empty()).collect()
    };
    let Some(is_included) = decided("included").and_then(Value::as_bool) else {
        return found.add("included", format!("{place}.decision.included"), "expected true or false");
    };
    let add = |counts: &mut BTreeMap<&'a str, u64>, word: &'a str| *counts.entry(word).or_default() += 1;
    add(&mut counted.by_lane, lane(&texts("reason"), word("importance")));
    if !is_included {
        counted.n_excluded += 1;
        match texts("reason").last() {
            Some(limit) => add(&mut counted.by_limit, limit),
            None => {
                found.add("limit", format!("{place}.decision.reason"), "what is not included names the limit that stopped it");
            }
        }
        return;
    }
    counted.n_included += 1;
    counted.n_full += u64::from(word("layer") == "L2");
    add(&mut counted.by_trust, word("trust"));
    add(&mut counted.by_importance, word("importance"));
    match candidate.get("citations").and_then(|citations| citations.get("recordRef")).and_then(Value::as_str) {
        None | Some("") => found.add("citation", format!("{place}.citations.recordRef"), "what is included must be cited"),
        Some(cited) => {
            counted.n_cited += 1;
            if cited != word("id") {
                found.add("citation", format!("{place}.citations.recordRef"), "expected the candidate's id");
            }
        }
    }
    if texts("rationale").is_empty() {
        found.add("rationale", format!("{place}.decision.rationale"), "what is included must have a reason");
    } else {
        counted.n_reasoned += 1;
    }
}

fn check_scores(found: &mut Found, place: &str, scores: Option<&Value>) {
    let Some(scores) = scores.and_then(Value::as_object) else {
        return found.add("scores", format!("{place}.scores"), "expected an object of numbers");
    };
    found.missing(scores, &SCORES, &format!("{place}.scores"));
    for (name, _) in scores.iter().filter(|(_, score)| !score.is_number()) {
        // The name is shown only where it is one of ours.
        let known = SCORES.iter().chain(&["activation"]).find(|known| *known == name).map_or("*", |known| *known);
        found.add("scores", format!("{place}.scores.{known}"), "expected a number");
    }
}

/// Where a candidate was found: its own lane, or else by its importance.
fn lane<'a>(reason: &[&'a str], importance: &str) -> &'a str {
    let own = reason.iter().find(|word| LANES.contains(*word)).copied();
    own.unwrap_or(match importance {
        "must_remember" => LANES[0],
        "nice_to_have" => LANES[1],
        _ => LANES[2],
    })
}

fn check_output(found: &mut Found, output: Option<&Value>, counted: &Counted<'_>) {
    let part = |name: &str| output.and_then(|output| output.get(name));
    let counts = [
        ("includedCount", counted.n_included),
        ("excludedCount", counted.n_excluded),
        ("l2IncludedCount", counted.n_full),
        ("citationsCount", counted.n_cited),
    ];
    for (name, n) in counts {
        found.count("count", &format!("output.{name}"), part(name), n);
    }
    let coverage = |name: &str| part("coverage").and_then(|coverage| coverage.get(name));
    let (n_unreasoned, n_uncited) = (counted.n_included - counted.n_reasoned, counted.n_included - counted.n_cited);
    let missing = [
        ("rationaleMissingCount", "allIncludedHaveRationale", n_unreasoned),
        ("citationMissingCount", "allIncludedHaveCitations", n_uncited),
    ];
    for (name, all, n) in missing {
        found.count("coverage", &format!("output.coverage.{name}"), coverage(name), n);
        if coverage(all).and_then(Value::as_bool) != Some(n == 0) {
            found.add("coverage", format!("output.coverage.{all}"), format!("expected {}, as it is counted", n == 0));
        }
    }
}

/// What only our receipts say.
fn check_own(found: &mut Found, own: &Value, counted: &Counted<'_>) {
    const PLACE: &str = "extensions.activate";
    if !own.get("pack_id").is_some_and(is_hash) {
        found.add("pack-id", format!("{PLACE}.pack_id"), "expected 32 hexadecimal digits");
    }
    for (name, by) in
        [("by_trust", &counted.by_trust), ("by_importance", &counted.by_importance), ("by_limit", &counted.by_limit)]
    {
        found.counts("count", &format!("{PLACE}.{name}"), own.get(name), by);
    }
    for name in LANES {
        let (n, place) = (counted.by_lane.get(name).copied().unwrap_or_default(), format!("{PLACE}.by_lane.{name}"));
        let said = own.get("by_lane").and_then(|by| by.get(name)).map_or(Some(0), Value::as_u64);
        // What was too cold to be considered is counted, and is no candidate.
        if name == LANES[2] && said < Some(n) {
            found.add("count", place, format!("expected at least {n}, as it is counted"));
        } else if name != LANES[2] && said != Some(n) {
            found.add("count", place, format!("expected {n}, as it is counted"));
        }
    }
    found.numbers("redactions", &format!("{PLACE}.redactions"), own.get("redactions"));
    if let Some(own) = own.as_object() {
        decisions::check(found, PLACE, own);
    }
}
