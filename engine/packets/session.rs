//! Which rules a session packet breaks: its form, and its budgets in total and by section.
//!
//! Any JSON can be checked: what is not a packet breaks rules.

use crate::validate::{Found, Violation, n_tokens, names, object};
use activate_rules::sections::Section;
use context::packet::hash;
use context::packet::session::SCHEMA;
use redact::draft_of;
use serde_json::Value;

#[cfg(test)]
mod tests;

/// The fields of a packet, of a section and of an item; what later programs write besides is let through.
const TOP: [&str; 12] =
    ["schema", "pack_id", "intent", "files", "symbols", "n_cold", "tokens", "budget", "since", "sections", "text", "problems"];
const SECTION: [&str; 6] = ["name", "tokens", "budget", "items", "lists", "n_cut"];
const ITEM: [&str; 9] = ["kind", "trust", "id", "path", "lines", "score", "tier", "reason", "text"];

/// Whether a text is a session packet, of this version or of another.
pub fn is_packet(text: &str) -> bool {
    names(text, "schema", SCHEMA)
}

/// The rules that a packet breaks, in its order.
pub fn validate(text: &str) -> Vec<Violation> {
    let Some(packet) = object(text) else { return Vec::new() };
    let mut found = Found::default();
    found.missing(&packet, &TOP, "the packet");
    found.form(&packet, "schema", SCHEMA);
    let number = |value: &Value, name: &str| value.get(name).and_then(Value::as_u64);
    let whole = Value::Object(packet.clone());
    match packet.get("text").and_then(Value::as_str) {
        None => found.add("text", "text", "expected a text"),
        Some(text) => {
            found.id_is("pack-id", "pack_id", packet.get("pack_id"), || Some(hash(&draft_of(text))));
            let n = n_tokens(text);
            if let Some(budget) = number(&whole, "budget").filter(|budget| n.iter().all(|n| n > budget)) {
                found.add("over-budget", "text", format!("{} tokens, more than the budget of {budget}", n[0]));
            }
            if number(&whole, "tokens").is_none_or(|tokens| !n.contains(&tokens)) {
                found.add("tokens", "tokens", format!("expected {}, which the text has", n[0]));
            }
        }
    }
    let Some(sections) = packet.get("sections").and_then(Value::as_array) else {
        found.add("sections-array", "sections", "expected an array");
        return found.0;
    };
    let mut last = None;
    for (at, section) in sections.iter().enumerate() {
        let place = format!("sections[{at}]");
        let Some(fields) = section.as_object() else {
            found.add("section-object", place, "expected an object");
            continue;
        };
        found.missing(fields, &SECTION, &place);
        let name = section.get("name").and_then(Value::as_str);
        let order = name.and_then(|name| Section::ALL.iter().position(|known| known.name() == name));
        if order.is_none() || order <= last {
            let names: Vec<&str> = Section::ALL.iter().map(|section| section.name()).collect();
            found.add("section-order", format!("{place}.name"), format!("expected names in the order {}", names.join(", ")));
        }
        last = order.or(last);
        if number(section, "tokens").zip(number(section, "budget")).is_none_or(|(tokens, budget)| tokens > budget) {
            found.add("section-over-budget", format!("{place}.tokens"), "expected at most the section's budget");
        }
        let items = section.get("items").and_then(Value::as_array);
        for (number, item) in items.into_iter().flatten().enumerate() {
            let place = format!("{place}.items[{number}]");
            match item.as_object() {
                Some(fields) => found.missing(fields, &ITEM, &place),
                None => found.add("item-object", place, "expected an object"),
            }
        }
    }
    found.0
}
