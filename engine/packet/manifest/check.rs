//! Which rules a manifest or hydrated pack breaks: its form, its own budgets, and that pins are in it.
//!
//! Total over any JSON. Must not repeat content.

use super::SCHEMA;
use crate::context::tokens::Tokenizer;
use crate::packet::check::{Found, Violation, names, object};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The fields of a pack and of an entry.
const TOP: [&str; 12] = [
    "schema",
    "pack_id",
    "task_id",
    "run_id",
    "mode",
    "pinned_sources",
    "file_entries",
    "signals",
    "budgets",
    "used",
    "redaction_stats",
    "problems",
];
const ENTRY: [&str; 7] = ["path", "why", "range", "hash", "score", "tier", "tokens"];
/// Digits of a hash and of an id.
const HASH: usize = 32;

/// Whether a text is a pack, of this version or of another.
pub fn is_pack(text: &str) -> bool {
    names(text, "schema", SCHEMA)
}

/// The rules that a pack breaks, in its order.
pub fn check(text: &str) -> Vec<Violation> {
    let Some(pack) = object(text) else { return Vec::new() };
    let mut found = Found::default();
    found.missing(&pack, &TOP, "the pack");
    found.form(&pack, "schema", SCHEMA);
    if !pack.get("pack_id").is_some_and(is_hash) {
        found.add("pack-id", "pack_id", format!("expected {HASH} hexadecimal digits"));
    }
    let mode = pack.get("mode").and_then(Value::as_str);
    if !matches!(mode, Some("manifest" | "hydrated")) {
        found.add("mode", "mode", "expected `manifest` or `hydrated`");
    }
    let (mut files, mut n_lines, mut n_pinned) = (BTreeSet::new(), 0, 0);
    found.each(&pack, "file_entries", ["entries-array", "entry-object"], &ENTRY, |found, place, entry| {
        if entry.get("why").and_then(Value::as_str).is_none_or(str::is_empty) {
            found.add("why", format!("{place}.why"), "every entry says why it is there");
        }
        if !entry.get("hash").is_some_and(is_hash) {
            found.add("hash", format!("{place}.hash"), format!("expected {HASH} hexadecimal digits"));
        }
        match lines(entry) {
            Some((0, 0)) => {}
            Some((first, last)) if 0 < first && first <= last => n_lines += last + 1 - first,
            _ => found.add("range", format!("{place}.range"), "expected first and last line, counted from 1"),
        }
        files.extend(entry.get("path").and_then(Value::as_str));
        n_pinned += usize::from(entry.get("tier").and_then(Value::as_str) == Some("pinned"));
        if (mode == Some("hydrated")) != entry.get("text").is_some_and(Value::is_string) {
            found.add("text", format!("{place}.text"), "a hydrated pack has the text of every entry, a manifest has none");
        }
    });
    let budget = |name: &str| pack.get("budgets").and_then(|budgets| budgets.get(name)).and_then(Value::as_u64);
    let n_tokens = u64::from(Tokenizer::default().count(text).0);
    for (name, n) in [("max_files", files.len() as u64), ("max_lines", n_lines), ("max_tokens", n_tokens)] {
        match budget(name) {
            None => found.add("budget", format!("budgets.{name}"), "expected a whole number"),
            Some(most) if n > most => found.add("over-budget", format!("budgets.{name}"), format!("{n} of at most {most}")),
            Some(_) => {}
        }
    }
    let n_pins = pack.get("pinned_sources").and_then(Value::as_array).map_or(0, Vec::len);
    if n_pins > 0 && n_pinned == 0 {
        found.add("pins", "pinned_sources", format!("{n_pins} pins, of which none is among the entries"));
    }
    found.0
}

fn is_hash(value: &Value) -> bool {
    value.as_str().is_some_and(|hash| hash.len() == HASH && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn lines(entry: &Map<String, Value>) -> Option<(u64, u64)> {
    let range = entry.get("range")?.as_array()?;
    match range.as_slice() {
        [first, last] => Some((first.as_u64()?, last.as_u64()?)),
        _ => None,
    }
}
