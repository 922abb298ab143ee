//! Which rules of the form `openclaw-mem.context-pack.v1` a text breaks: those of its own validator, and the limits that it states itself.
//!
//! Total over any JSON. Must not repeat content that could be a secret: a rule names places.

use super::SCHEMA;
use crate::context::tokens::Tokenizer;
use crate::packet::check::{Found, Violation, names, object};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The fields of a pack, of its `meta` and of an item, in the order in which they are looked for.
const TOP: [&str; 5] = ["schema", "meta", "bundle_text", "items", "notes"];
const META: [&str; 5] = ["ts", "query", "scope", "budgetTokens", "maxItems"];
const ITEM: [&str; 7] = ["recordRef", "layer", "type", "importance", "trust", "text", "citations"];
/// What some fields of an item can be.
const VALUES: [(&str, &[&str]); 3] = [
    ("layer", &["L0", "L1", "L2"]),
    ("importance", &["must_remember", "nice_to_have", "ignore"]),
    ("trust", &["trusted", "unknown", "untrusted"]),
];

/// Whether a text is a context pack, of this version or of another.
pub fn is_pack(text: &str) -> bool {
    names(text, "schema", SCHEMA)
}

/// The rules that a pack breaks, in its order.
pub fn check(text: &str) -> Vec<Violation> {
    let Some(pack) = object(text) else { return Vec::new() };
    let mut found = Found::default();
    found.missing(&pack, &TOP, "the pack");
    found.form(&pack, "schema", SCHEMA);
    let mut limits = [None, None];
    match pack.get("meta").and_then(Value::as_object) {
        None => found.add("meta-object", "meta", "expected an object"),
        Some(meta) => {
            found.missing(meta, &META, "meta");
            for (limit, name) in limits.iter_mut().zip(["budgetTokens", "maxItems"]) {
                *limit = meta.get(name).and_then(Value::as_u64).filter(|limit| *limit > 0);
                if limit.is_none() {
                    found.add("positive-limit", format!("meta.{name}"), "expected a whole number above 0");
                }
            }
        }
    }
    let [budget, max_items] = limits;
    match pack.get("bundle_text").and_then(Value::as_str) {
        None => found.add("bundle-text", "bundle_text", "expected a text"),
        Some(text) => {
            let n = u64::from(Tokenizer::default().count(text).0);
            if let Some(budget) = budget.filter(|budget| n > *budget) {
                found.add("over-budget", "bundle_text", format!("{n} tokens, more than the {budget} of meta.budgetTokens"));
            }
        }
    }
    let n_items = pack.get("items").and_then(Value::as_array).map_or(0, Vec::len);
    if let Some(max) = max_items.filter(|max| n_items as u64 > *max) {
        found.add("too-many-items", "items", format!("{n_items} items, more than the {max} of meta.maxItems"));
    }
    let mut seen = BTreeSet::new();
    found.each(&pack, "items", ["items-array", "item-object"], &ITEM, |found, place, item| {
        check_item(found, place, item, &mut seen);
    });
    if !pack.get("notes").and_then(|notes| notes.get("how_to_use")).is_some_and(Value::is_array) {
        found.add("how-to-use", "notes.how_to_use", "expected an array");
    }
    found.0
}

/// Checks an item; `seen` are the references before it.
fn check_item<'a>(found: &mut Found, place: &str, item: &'a Map<String, Value>, seen: &mut BTreeSet<&'a str>) {
    let text = |field: &str| item.get(field).and_then(Value::as_str);
    match item.get("recordRef").and_then(Value::as_str).filter(|reference| !reference.is_empty()) {
        None => found.add("record-ref", format!("{place}.recordRef"), "expected a text that is not empty"),
        Some(reference) if !seen.insert(reference) => {
            found.add("record-ref-twice", format!("{place}.recordRef"), "another item has the same");
        }
        Some(_) => {}
    }
    if text("text").is_none() {
        found.add("item-text", format!("{place}.text"), "expected a text");
    }
    for (field, values) in VALUES {
        if item.contains_key(field) && !text(field).is_some_and(|value| values.contains(&value)) {
            found.add("item-value", format!("{place}.{field}"), format!("expected one of {}", values.join(", ")));
        }
    }
    let Some(citations) = item.get("citations").and_then(Value::as_object) else {
        return found.add("citations-object", format!("{place}.citations"), "expected an object");
    };
    if citations.get("recordRef").and_then(Value::as_str).is_none_or(str::is_empty) {
        found.add("citation", format!("{place}.citations.recordRef"), "expected a text that is not empty");
    }
}
