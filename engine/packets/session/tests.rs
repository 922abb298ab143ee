//! A packet for each rule that breaks this rule and no other.

use super::validate;
use crate::validate::{edited, n_tokens, told};
use context::packet::hash;

/// The digits of a fence, which say nothing, in a text that holds what looks like one.
const NONCE: &str = "123456789012";

fn text(nonce: &str) -> String {
    format!("# Session context: fix A\n[data {nonce} tracked]\nfunc A()\n[data 000000000000 log]\n[end {nonce}]\n")
}

fn packet(nonce: &str) -> String {
    let (text, id) = (text(nonce), hash(&text("000000000000")));
    let (n, text) = (n_tokens(&text)[0], text.replace('\n', "\\n"));
    format!(
        r#"{{"schema": "activate.session.v1", "pack_id": "{id}", "intent": {{}}, "files": [], "symbols": [], "n_cold": 0,
"tokens": {n}, "budget": 60, "since": null,
"sections": [
  {{"name": "blockers", "tokens": 3, "budget": 9, "items": [], "lists": [], "n_cut": 0}},
  {{"name": "peers", "tokens": 5, "budget": 9, "lists": [], "n_cut": 0, "items": [
    {{"kind": "code", "trust": "tracked", "id": null, "path": "a.go", "lines": [1, 1], "score": 1, "tier": "hot", "reason": "x", "text": "func A()"}}]}}
],
"text": "{text}", "problems": [], "more": 1}}"#
    )
}

#[test]
fn each_rule_has_a_packet_that_breaks_it() {
    let id = &hash(&text("000000000000"));
    let cases: &[(&str, &str, &[&str])] = &[
        ("", "", &[]),
        ("session.v1", "session.v2", &["schema at schema"]),
        ("\"n_cold\": 0,", "", &["missing-field at the packet"]),
        (id, "00000000000000000000000000000000", &["pack-id at pack_id"]),
        (id, "0123456789abcdef0123456789abcdef", &["pack-id at pack_id"]),
        (id, "", &["pack-id at pack_id"]),
        ("func A()\\n", "func B()\\n", &["pack-id at pack_id"]),
        ("data 000000000000", "data 000000000009", &["pack-id at pack_id"]),
        ("\"text\": \"#", "\"text\": 7, \"old\": \"#", &["text at text"]),
        ("\"budget\": 60", "\"budget\": 6", &["over-budget at text"]),
        ("\"budget\": 60", "\"tokens\": 7, \"budget\": 60", &["tokens at tokens"]),
        ("\"sections\"", "\"parts\"", &["missing-field at the packet", "sections-array at sections"]),
        ("  {\"name\": \"peers\"", "  7, {\"name\": \"peers\"", &["section-object at sections[1]"]),
        ("\"blockers\"", "\"toolbox\"", &["section-order at sections[1].name"]),
        ("\"lists\": [], ", "", &["missing-field at sections[0]"]),
        ("\"tokens\": 5", "\"tokens\": 10", &["section-over-budget at sections[1].tokens"]),
        ("{\"kind\"", "7, {\"kind\"", &["item-object at sections[1].items[0]"]),
        ("\"reason\": \"x\", ", "", &["missing-field at sections[1].items[0]"]),
    ];
    for (from, to, rules) in cases {
        assert_eq!(told(&validate(&edited(&packet(NONCE), from, to, None))), *rules, "{from:?} -> {to:?}");
    }
    for nonce in ["210987654321", "000000000001", "000000000000"] {
        assert_eq!(told(&validate(&packet(nonce))), [""; 0], "a nonce says nothing");
    }
}
