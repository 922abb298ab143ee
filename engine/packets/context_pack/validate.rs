//! Which rules of the form `openclaw-mem.context-pack.v1` a text breaks: those of its own validator, and the limits that it states itself.
//!
//! Any JSON can be checked: what is not a packet breaks rules, and unknown fields are allowed. Must not repeat content that could be a secret: a rule names places.

use super::{READ_MORE, SCHEMA};
use crate::validate::{Found, Violation, is_hash, n_tokens, names, object};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

#[cfg(test)]
mod tests;

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
pub fn validate(text: &str) -> Vec<Violation> {
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
            let n = n_tokens(text);
            if let Some(budget) = budget.filter(|budget| n.iter().all(|n| n > budget)) {
                found.add("over-budget", "bundle_text", format!("{} tokens, more than the {budget} of meta.budgetTokens", n[0]));
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
    check_bundle(&mut found, &pack);
    // Other producers name their packs as they like, or not at all.
    if is_ours(&pack) {
        found.id("pack-id", text, &pack, &["meta", "packId"]);
    }
    if !pack.get("notes").and_then(|notes| notes.get("how_to_use")).is_some_and(Value::is_array) {
        found.add("how-to-use", "notes.how_to_use", "expected an array");
    }
    found.0
}

/// The bullet of an item in `bundle_text`.
fn bullet(item: &Value) -> Option<String> {
    let text = |field: &str| item.get(field).and_then(Value::as_str);
    let reference = text("recordRef").filter(|reference| !reference.is_empty())?;
    Some(format!("- [{reference}] {}\n", text("text")?))
}

/// What is injected says what the items say: each has its bullet, and each bullet its item. Other lines may stand between them.
fn check_bundle(found: &mut Found, pack: &Map<String, Value>) {
    let (Some(text), Some(items)) =
        (pack.get("bundle_text").and_then(Value::as_str), pack.get("items").and_then(Value::as_array))
    else {
        return;
    };
    let Some(bullets) = items.iter().map(bullet).collect::<Option<Vec<String>>>() else { return };
    let text = format!("\n{}\n", text.trim_end_matches('\n'));
    for (number, bullet) in bullets.iter().enumerate() {
        if !text.contains(&format!("\n{bullet}")) {
            found.add(
                "bundle-agrees",
                format!("items[{number}]"),
                "bundle_text has no line `- [recordRef] text` with what it says",
            );
        }
    }
    let known: BTreeSet<&str> = bullets.iter().flat_map(|bullet| bullet.lines()).collect();
    if text.lines().any(|line| line.starts_with("- [") && !known.contains(line)) {
        found.add("bundle-agrees", "bundle_text", "it has a bullet that no item has");
    }
}

/// Whether a pack shows that it is ours, by what no other producer writes: an aim, the note that names our command, an id that is a hash.
fn is_ours(pack: &Map<String, Value>) -> bool {
    let of_meta = |field: &str| pack.get("meta").and_then(|meta| meta.get(field));
    let notes = pack.get("notes").and_then(|notes| notes.get("how_to_use")).and_then(Value::as_array);
    of_meta("aim").is_some()
        || notes.is_some_and(|notes| notes.iter().any(|note| note.as_str() == Some(READ_MORE)))
        || of_meta("packId").is_some_and(is_hash)
}

/// Checks an item; `seen` are the references before it.
fn check_item<'a>(found: &mut Found, place: &str, item: &'a Map<String, Value>, seen: &mut BTreeSet<&'a str>) {
    let text = |field: &str| item.get(field).and_then(Value::as_str);
    match item.get("recordRef").and_then(Value::as_str).filter(|reference| !reference.is_empty()) {
        None => found.add("record-ref", format!("{place}.recordRef"), "expected a text that is not empty"),
        Some(reference) if !seen.insert(reference) => {
            found.add("record-ref-twice", format!("{place}.recordRef"), "another item has the same");
        }
        Some(reference) => found.reference(&format!("{place}.recordRef"), reference),
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
    match citations.get("recordRef").and_then(Value::as_str) {
        None | Some("") => found.add("citation", format!("{place}.citations.recordRef"), "expected a text that is not empty"),
        Some(cited) if text("recordRef").is_some_and(|reference| !reference.is_empty() && reference != cited) => {
            found.add("citation", format!("{place}.citations.recordRef"), "expected the recordRef of the item");
        }
        Some(_) => {}
    }
    if let Some(url) = citations.get("url").and_then(Value::as_str).filter(|url| !url.contains("://")) {
        found.path(&format!("{place}.citations.url"), url.rsplit_once("#L").map_or(url, |(path, _)| path));
    }
}
