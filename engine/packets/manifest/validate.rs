//! Which rules a manifest or hydrated pack breaks: its form, what it says of itself counted again, its own budgets, and that pins are in it.
//!
//! Any JSON can be checked: what is not a packet breaks rules, and unknown fields are allowed.

use super::SCHEMA;
use crate::validate::{Found, Violation, is_hash, n_tokens, names, object};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

#[cfg(test)]
mod tests;

/// The fields of a pack and of an entry.
const TOP: [&str; 13] = [
    "schema",
    "pack_id",
    "task_id",
    "run_id",
    "mode",
    "intent",
    "pinned_sources",
    "file_entries",
    "signals",
    "budgets",
    "used",
    "redaction_stats",
    "problems",
];
const ENTRY: [&str; 8] = ["path", "why", "range", "hash", "score", "tier", "trust", "tokens"];
/// What some fields of an entry can be.
const WORDS: [(&str, &[&str]); 2] =
    [("tier", &["pinned", "hot", "warm", "cold", "linked"]), ("trust", &["trusted", "tracked", "untracked", "generated"])];
/// The lists of signals.
const SIGNALS: [&str; 4] = ["failing_tests", "logs", "diff_summary", "recent_commits"];
/// Budgets that nothing is counted for.
const DEPTHS: [&str; 2] = ["depth", "topk"];

/// Whether a text is a pack, of this version or of another.
pub fn is_pack(text: &str) -> bool {
    names(text, "schema", SCHEMA)
}

/// What the entries of a pack have.
#[derive(Default)]
struct Counted<'a> {
    files: BTreeSet<&'a str>,
    places: BTreeSet<(&'a str, (u64, u64))>,
    n_lines: u64,
    n_tokens: u64,
    n_pinned: usize,
}

/// The rules that a pack breaks, in its order.
pub fn validate(text: &str) -> Vec<Violation> {
    let Some(pack) = object(text) else { return Vec::new() };
    let mut found = Found::default();
    found.missing(&pack, &TOP, "the pack");
    found.form(&pack, "schema", SCHEMA);
    found.id("pack-id", text, &pack, &["pack_id"]);
    let mode = pack.get("mode").and_then(Value::as_str);
    if !matches!(mode, Some("manifest" | "hydrated")) {
        found.add("mode", "mode", "expected `manifest` or `hydrated`");
    }
    if pack.get("intent").is_some_and(|intent| !intent.is_string()) {
        found.add("intent", "intent", "expected a text");
    }
    let mut counted = Counted::default();
    found.each(&pack, "file_entries", ["entries-array", "entry-object"], &ENTRY, |found, place, entry| {
        check_entry(found, place, entry, mode == Some("hydrated"), &mut counted);
    });
    check_signals(&mut found, pack.get("signals"));
    check_budgets(&mut found, &pack, text, &counted);
    found.numbers("redaction-stats", "redaction_stats", pack.get("redaction_stats"));
    let n_pins = pack.get("pinned_sources").and_then(Value::as_array).map_or(0, Vec::len);
    if n_pins > 0 && counted.n_pinned == 0 {
        found.add("pins", "pinned_sources", format!("{n_pins} pins, of which none is among the entries"));
    }
    found.0
}

fn check_entry<'a>(found: &mut Found, place: &str, entry: &'a Map<String, Value>, is_hydrated: bool, counted: &mut Counted<'a>) {
    match entry.get("path").and_then(Value::as_str) {
        Some(path) => found.path(&format!("{place}.path"), path),
        None => found.add("path", format!("{place}.path"), "expected a text"),
    }
    if entry.get("why").and_then(Value::as_str).is_none_or(str::is_empty) {
        found.add("why", format!("{place}.why"), "every entry says why it is there");
    }
    if !entry.get("hash").is_some_and(is_hash) {
        found.add("hash", format!("{place}.hash"), "expected 32 hexadecimal digits");
    }
    if entry.get("score").is_some_and(|score| !score.is_number() && !score.is_null()) {
        found.add("score", format!("{place}.score"), "expected a number, or null for what has none");
    }
    for (field, words) in WORDS {
        found.word(field, place, entry, field, words);
    }
    let lines = lines(entry);
    match lines {
        Some((0, 0)) => {}
        Some((first, last)) if 0 < first && first <= last && u32::try_from(last).is_ok() => counted.n_lines += last + 1 - first,
        _ => found.add("range", format!("{place}.range"), "expected first and last line, counted from 1"),
    }
    let path = entry.get("path").and_then(Value::as_str);
    if let Some(path) = path {
        counted.files.insert(path);
    }
    if path.zip(lines).is_some_and(|one| !counted.places.insert(one)) {
        found.add("entry-twice", place, "another entry is the same place");
    }
    counted.n_pinned += usize::from(entry.get("tier").and_then(Value::as_str) == Some("pinned"));
    let text = entry.get("text").filter(|text| text.is_string());
    if is_hydrated != text.is_some() {
        found.add("text", format!("{place}.text"), "a hydrated pack has the text of every entry, a manifest has none");
    }
    let tokens = entry.get("tokens").and_then(Value::as_u64).filter(|tokens| u32::try_from(*tokens).is_ok());
    counted.n_tokens = counted.n_tokens.saturating_add(tokens.unwrap_or_default());
    match (tokens, text.and_then(Value::as_str).map(n_tokens)) {
        (None, _) => found.add("tokens", format!("{place}.tokens"), "expected a whole number"),
        (Some(tokens), Some(n)) if !n.contains(&tokens) => {
            found.add("tokens", format!("{place}.tokens"), format!("expected {}, which the text has", n[0]));
        }
        _ => {}
    }
}

fn check_signals(found: &mut Found, signals: Option<&Value>) {
    let is_texts = |value: &Value| value.as_array().is_some_and(|list| list.iter().all(Value::is_string));
    for name in SIGNALS {
        if !signals.and_then(|signals| signals.get(name)).is_some_and(is_texts) {
            found.add("signals", format!("signals.{name}"), "expected an array of texts");
        }
    }
}

/// What is used, and that it is no more than the budgets.
fn check_budgets(found: &mut Found, pack: &Map<String, Value>, text: &str, counted: &Counted<'_>) {
    let budget = |name: &str| pack.get("budgets").and_then(|budgets| budgets.get(name)).and_then(Value::as_u64);
    let (n_files, most_tokens) = (counted.files.len() as u64, budget("max_tokens"));
    // Either tokenizer can have counted.
    let counts = n_tokens(text);
    let n_tokens = counts.into_iter().find(|n| Some(*n) <= most_tokens).unwrap_or(counts[0]);
    for (name, n) in [("max_files", n_files), ("max_lines", counted.n_lines), ("max_tokens", n_tokens)] {
        match budget(name) {
            None => found.add("budget", format!("budgets.{name}"), "expected a whole number"),
            Some(most) if n > most => found.add("over-budget", format!("budgets.{name}"), format!("{n} of at most {most}")),
            Some(_) => {}
        }
    }
    for name in DEPTHS.into_iter().filter(|name| budget(name).is_none()) {
        found.add("budget", format!("budgets.{name}"), "expected a whole number");
    }
    let used = |name: &str| pack.get("used").and_then(|used| used.get(name));
    for (name, n) in [("files", n_files), ("lines", counted.n_lines), ("tokens", counted.n_tokens)] {
        found.count("used", &format!("used.{name}"), used(name), n);
    }
}

fn lines(entry: &Map<String, Value>) -> Option<(u64, u64)> {
    let range = entry.get("range")?.as_array()?;
    match range.as_slice() {
        [first, last] => Some((first.as_u64()?, last.as_u64()?)),
        _ => None,
    }
}
