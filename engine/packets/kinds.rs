//! The kinds of packets that can be checked, and which of them a text is.

use crate::validate::{Violation, is_hash};
use crate::{context_pack, manifest, phase, receipt, session, worker};
use redact::{Masker, by_rules};
use serde_json::Value;

/// A kind of packet that can be checked.
pub struct Kind {
    /// How it is called.
    pub name: &'static str,
    /// Whether a text is one, right or not.
    pub is: fn(text: &str) -> bool,
    /// The rules that it breaks, in the order of the packet.
    pub validate: fn(masker: &Masker, text: &str) -> Vec<Violation>,
}

/// The kinds that can be checked.
pub const KINDS: [Kind; 7] = [
    Kind { name: "phase", is: phase::is_phase, validate: phase::validate },
    Kind {
        name: "worker",
        is: worker::is_worker,
        validate: |masker, text| worker::validate(masker, text, worker::Given::default()),
    },
    Kind {
        name: "worker-receipt",
        is: worker::receipt::validate::is_receipt,
        validate: |_, text| worker::receipt::validate::validate(text),
    },
    Kind {
        name: "context-pack",
        is: context_pack::validate::is_pack,
        validate: |_, text| context_pack::validate::validate(text),
    },
    Kind { name: "receipt", is: receipt::validate::is_receipt, validate: |_, text| receipt::validate::validate(text) },
    Kind { name: "pack", is: manifest::validate::is_pack, validate: |_, text| manifest::validate::validate(text) },
    Kind { name: "session", is: session::is_packet, validate: |_, text| session::validate(text) },
];

impl Kind {
    /// The rules that a packet of the kind breaks, and where it holds what is a secret.
    pub fn violations(&self, masker: &Masker, text: &str) -> Vec<Violation> {
        let mut violations = (self.validate)(masker, text);
        let value = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap_or_else(|_| Value::from(text));
        secrets(&value, "", &mut violations);
        violations
    }
}

/// Adds the texts in which secrets stand. What was parsed is at most 128 levels deep.
fn secrets(value: &Value, place: &str, violations: &mut Vec<Violation>) {
    match value {
        Value::String(text) if !by_rules::find("", text.as_bytes()).is_empty() => violations.push(Violation {
            rule: "secret",
            place: place.to_owned(),
            message: "expected a text without a secret".to_owned(),
        }),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, entry)| secrets(entry, &format!("{place}[{at}]"), violations));
        }
        Value::Object(fields) => fields.iter().for_each(|(name, field)| {
            let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
            secrets(field, &place, violations);
        }),
        _ => {}
    }
}

/// The kind of packet that a text is; none where it is not a packet.
pub fn kind_of(text: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| (kind.is)(text))
}

/// What begins the text for people of a manifest or hydrated pack, before its id.
const PACK_TEXT: &str = "pack ";
/// What can be done about a text that is for people.
const ASK_JSON: &str =
    "texts for people cannot be checked, other than packets of phases: ask for the packet with `--format json`";

/// Why a text is not a packet of a kind that is known.
pub fn why_none(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let is_json = text.trim_start().starts_with(['{', '[']);
    if text.trim().is_empty() {
        return "is empty".to_owned();
    }
    if let Some(error) = serde_json::from_str::<Value>(text).err().filter(|_| is_json) {
        return format!("is broken JSON: {error}");
    }
    let id = text.strip_prefix(PACK_TEXT).and_then(|rest| rest.split_once(':')).map(|(id, _)| Value::from(id));
    if id.as_ref().is_some_and(is_hash) {
        return format!("is a manifest or hydrated pack as text for people; {ASK_JSON}");
    }
    let names = KINDS.map(|kind| kind.name).join(", ");
    let more = if is_json { String::new() } else { format!("; {ASK_JSON}") };
    format!("is not a packet of a kind that is known: {names}{more}")
}

#[cfg(test)]
mod tests {
    use super::why_none;

    #[test]
    fn what_is_no_packet_is_told_apart() {
        let pack = format!("pack {}: 1 of 40 files", "a".repeat(32));
        for (text, why) in [
            ("", "is empty"),
            ("\u{feff} \n", "is empty"),
            ("{", "is broken JSON: EOF while parsing an object at line 1 column 1"),
            ("{\n \"schema\": \"activate.pack.v1\",\n", "EOF while parsing a value at line 3 column 0"),
            ("{\n \"schema\": x}", "expected value at line 2 column 12"),
            ("{} {}", "trailing characters at line 1 column 4"),
            (&"[".repeat(100_000), "recursion limit exceeded at line 1 column 128"),
            (&pack, "is a manifest or hydrated pack as text for people; texts for people cannot be checked"),
            ("- [a.go] a", "is not a packet of a kind that is known: phase, worker, "),
            ("- [a.go] a", "`--format json`"),
            ("[1]", "is not a packet of a kind that is known: "),
        ] {
            assert!(why_none(text).contains(why), "{text:.40}: {}", why_none(text));
        }
        assert!(!why_none("[1]").contains("--format"));
    }
}
