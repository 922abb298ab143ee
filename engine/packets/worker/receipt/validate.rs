//! Which rules the receipt of a worker's packet breaks: its form, one entry for each slot, and a source of each entry that is known.
//!
//! Any JSON can be checked: what is not a packet breaks rules, and unknown fields are allowed.

use super::{SCHEMA, source};
use crate::decisions;
use crate::validate::{Found, Violation, names, object};
use crate::worker::SLOTS;
use serde_json::{Map, Value};

#[cfg(test)]
mod tests;

/// The fields of a receipt, of a slot and of an entry.
const TOP: [&str; 5] = ["schema", "receiptId", "task", "slots", "redactions"];
const SLOT: [&str; 5] = ["slot", "entries", "nEntriesCut", "nLinesCut", "notes"];
const ENTRY: [&str; 2] = ["name", "source"];
/// Fields that would hold content, which a receipt must not.
const CONTENT: [&str; 4] = ["text", "content", "contents", "filesContent"];
/// The slots whose entries are files of the repository.
const OF_FILES: [&str; 3] = ["files", "filesContent", "testsSlice"];

/// Whether a text is the receipt of a worker's packet, of this version or of another.
pub fn is_receipt(text: &str) -> bool {
    names(text, "schema", SCHEMA)
}

/// The rules that a receipt breaks, in its order.
pub fn validate(text: &str) -> Vec<Violation> {
    let Some(receipt) = object(text) else { return Vec::new() };
    let mut found = Found::default();
    found.missing(&receipt, &TOP, "the receipt");
    found.form(&receipt, "schema", SCHEMA);
    found.id("receipt-id", text, &receipt, &["receiptId"]);
    if receipt.get("task").and_then(Value::as_str).is_none_or(str::is_empty) {
        found.add("task", "task", "expected the id of a task");
    }
    let mut slots = Vec::new();
    found.each(&receipt, "slots", ["slots-array", "slot-object"], &SLOT, |found, place, slot| {
        slots.push(slot.get("slot").and_then(Value::as_str).unwrap_or_default());
        check_slot(found, place, slot);
    });
    if slots != SLOTS {
        found.add("ten-slots", "slots", format!("expected one for each of {}, in this order", SLOTS.join(", ")));
    }
    found.numbers("redactions", "redactions", receipt.get("redactions"));
    decisions::check(&mut found, "", &receipt);
    found.0
}

fn check_slot(found: &mut Found, place: &str, slot: &Map<String, Value>) {
    check_content(found, place, slot);
    let is_of_files = slot.get("slot").and_then(Value::as_str).is_some_and(|name| OF_FILES.contains(&name));
    for name in ["nEntriesCut", "nLinesCut"] {
        if slot.get(name).is_some_and(|n| !n.is_u64()) {
            found.add("count", format!("{place}.{name}"), "expected a whole number");
        }
    }
    let is_texts = |value: &Value| value.as_array().is_some_and(|list| list.iter().all(Value::is_string));
    if slot.get("notes").is_some_and(|notes| !is_texts(notes)) {
        found.add("notes", format!("{place}.notes"), "expected an array of texts");
    }
    let mut entries = Found::default();
    entries.each(slot, "entries", ["entries-array", "entry-object"], &ENTRY, |found, place, entry| {
        check_content(found, place, entry);
        found.word("source", place, entry, "source", &source::ALL);
        match entry.get("name").and_then(Value::as_str) {
            None | Some("") => found.add("name", format!("{place}.name"), "expected a text that is not empty"),
            Some(path) if is_of_files => found.path(&format!("{place}.name"), path),
            Some(_) => {}
        }
    });
    let of_slot = |violation: Violation| Violation { place: format!("{place}.{}", violation.place), ..violation };
    found.0.extend(entries.0.into_iter().map(of_slot));
}

fn check_content(found: &mut Found, place: &str, object: &Map<String, Value>) {
    if let Some(field) = CONTENT.iter().find(|field| object.contains_key(**field)) {
        found.add("content", format!("{place}.{field}"), "a receipt holds no content");
    }
}
