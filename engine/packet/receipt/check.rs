//! Which rules a receipt breaks: its form, that its counts add up, and that all that was included says where it comes from and why.
//!
//! Total over any JSON.

use super::KIND;
use crate::packet::check::{Found, Violation, names, object};
use serde_json::Value;

/// The fields of a receipt and of a candidate.
const TOP: [&str; 9] = ["kind", "ts", "version", "query", "budgets", "lanes", "candidates", "output", "timing"];
const CANDIDATE: [&str; 7] = ["id", "layer", "importance", "trust", "scores", "decision", "citations"];
/// Fields that would hold content, which a receipt must not.
const CONTENT: [&str; 3] = ["text", "content", "bundle_text"];

/// Whether a text is a receipt, of this version or of another.
pub fn is_receipt(text: &str) -> bool {
    names(text, "kind", KIND)
}

/// The rules that a receipt breaks, in its order.
pub fn check(text: &str) -> Vec<Violation> {
    let Some(receipt) = object(text) else { return Vec::new() };
    let mut found = Found::default();
    found.missing(&receipt, &TOP, "the receipt");
    if receipt.get("kind").and_then(Value::as_str) != Some(KIND) {
        found.add("kind", "kind", format!("expected `{KIND}`"));
    }
    let Some(candidates) = receipt.get("candidates").and_then(Value::as_array) else {
        found.add("candidates-array", "candidates", "expected an array".to_owned());
        return found.0;
    };
    let mut n_included = 0;
    for (number, candidate) in candidates.iter().enumerate() {
        let place = format!("candidates[{number}]");
        let missing: Vec<&str> = CANDIDATE.iter().copied().filter(|field| candidate.get(field).is_none()).collect();
        if !missing.is_empty() {
            found.add("missing-field", &place, format!("lacks {}", missing.join(", ")));
        }
        if let Some(field) = CONTENT.iter().find(|field| candidate.get(field).is_some()) {
            found.add("content", format!("{place}.{field}"), "a receipt holds no content".to_owned());
        }
        if candidate.pointer("/decision/included").and_then(Value::as_bool) != Some(true) {
            continue;
        }
        n_included += 1;
        if candidate.pointer("/citations/recordRef").and_then(Value::as_str).is_none_or(str::is_empty) {
            found.add("citation", format!("{place}.citations.recordRef"), "what is included must be cited".to_owned());
        }
        let rationale = candidate.pointer("/decision/rationale").and_then(Value::as_array);
        if !rationale.is_some_and(|lines| lines.iter().any(|line| line.as_str().is_some_and(|line| !line.is_empty()))) {
            found.add("rationale", format!("{place}.decision.rationale"), "what is included must have a reason".to_owned());
        }
    }
    let counts = [("includedCount", n_included), ("excludedCount", candidates.len() - n_included)];
    for (name, n) in counts {
        if receipt.get("output").and_then(|output| output.get(name)).and_then(Value::as_u64) != Some(n as u64) {
            found.add("count", format!("output.{name}"), format!("expected {n}, as the candidates have it"));
        }
    }
    found.0
}
