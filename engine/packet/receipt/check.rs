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
    found.form(&receipt, "kind", KIND);
    let (mut n_included, mut n_excluded) = (0, 0);
    found.each(&receipt, "candidates", ["candidates-array", "candidate-object"], &CANDIDATE, |found, place, candidate| {
        if let Some(field) = CONTENT.iter().find(|field| candidate.contains_key(**field)) {
            found.add("content", format!("{place}.{field}"), "a receipt holds no content");
        }
        let decided = |field: &str| candidate.get("decision").and_then(|decision| decision.get(field));
        if decided("included").and_then(Value::as_bool) != Some(true) {
            n_excluded += 1;
            return;
        }
        n_included += 1;
        let cited = candidate.get("citations").and_then(|citations| citations.get("recordRef"));
        if cited.and_then(Value::as_str).is_none_or(str::is_empty) {
            found.add("citation", format!("{place}.citations.recordRef"), "what is included must be cited");
        }
        let rationale = decided("rationale").and_then(Value::as_array);
        if !rationale.is_some_and(|lines| lines.iter().any(|line| line.as_str().is_some_and(|line| !line.is_empty()))) {
            found.add("rationale", format!("{place}.decision.rationale"), "what is included must have a reason");
        }
    });
    let counts = [("includedCount", n_included), ("excludedCount", n_excluded)];
    for (name, n) in counts {
        if receipt.get("output").and_then(|output| output.get(name)).and_then(Value::as_u64) != Some(n) {
            found.add("count", format!("output.{name}"), format!("expected {n}, as the candidates have it"));
        }
    }
    found.0
}
