//! What the checkers of packets share: the form of a broken rule, and which kind of packet a text is.
//!
//! Must not know the rules of a kind, nor read a file.

use super::{context_pack, manifest, phase, receipt, session, worker};
use serde::Serialize;
use serde_json::{Map, Value};

/// A rule that a packet breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// Name of the rule, kebab case: `files-equal-task`.
    pub rule: &'static str,
    /// Where: a slot, field or line, e.g. `items[3].citations.recordRef`, `line 12`.
    pub place: String,
    /// What is wrong, and what is expected.
    pub message: String,
}

/// A kind of packet that can be checked.
pub struct Kind {
    /// How it is called.
    pub name: &'static str,
    /// Whether a text is one, right or not.
    pub is: fn(text: &str) -> bool,
    /// The rules that it breaks, in the order of the packet.
    pub check: fn(text: &str) -> Vec<Violation>,
}

/// The kinds that can be checked.
pub const KINDS: [Kind; 6] = [
    Kind { name: "phase", is: phase::is_phase, check: phase::check },
    Kind { name: "worker", is: worker::is_worker, check: |text| worker::check(text, worker::Given::default()) },
    Kind { name: "context-pack", is: context_pack::check::is_pack, check: context_pack::check::check },
    Kind { name: "receipt", is: receipt::check::is_receipt, check: receipt::check::check },
    Kind { name: "pack", is: manifest::check::is_pack, check: manifest::check::check },
    Kind { name: "session", is: session::check::is_packet, check: session::check::check },
];

/// The JSON object that a text is.
pub(super) fn object(text: &str) -> Option<Map<String, Value>> {
    let text = text.trim_start_matches('\u{feff}');
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}

/// Whether a text is a JSON object that names a form in one of its fields: this version of it or another.
pub(super) fn names(text: &str, field: &str, form: &str) -> bool {
    let stem = form.rsplit_once('.').map_or(form, |(stem, _)| stem);
    let named = object(text).and_then(|object| object.get(field)?.as_str().map(str::to_owned));
    named.is_some_and(|name| name.rsplit_once('.').is_some_and(|(start, _)| start == stem))
}

/// The rules that an object breaks while they are found.
#[derive(Default)]
pub(super) struct Found(pub(super) Vec<Violation>);

impl Found {
    pub(super) fn add(&mut self, rule: &'static str, place: impl Into<String>, message: impl Into<String>) {
        self.0.push(Violation { rule, place: place.into(), message: message.into() });
    }

    /// Says whether an object names another form than this version of it.
    pub(super) fn form(&mut self, object: &Map<String, Value>, field: &'static str, form: &str) {
        if object.get(field).and_then(Value::as_str) != Some(form) {
            self.add(field, field, format!("expected `{form}`"));
        }
    }

    /// Checks each object of an array, with its place. Says by the first of two rules that it is no array, by the second what in it is no
    /// object, and which of these fields each lacks.
    pub(super) fn each<'a>(
        &mut self,
        object: &'a Map<String, Value>,
        field: &str,
        [no_array, no_object]: [&'static str; 2],
        fields: &[&str],
        mut check: impl FnMut(&mut Self, &str, &'a Map<String, Value>),
    ) {
        let Some(list) = object.get(field).and_then(Value::as_array) else {
            return self.add(no_array, field, "expected an array");
        };
        for (number, one) in list.iter().enumerate() {
            let place = format!("{field}[{number}]");
            match one.as_object() {
                Some(one) => {
                    self.missing(one, fields, &place);
                    check(self, &place, one);
                }
                None => self.add(no_object, place, "expected an object"),
            }
        }
    }

    /// Says which of these fields an object lacks.
    pub(super) fn missing(&mut self, object: &Map<String, Value>, fields: &[&str], place: &str) {
        let missing: Vec<&str> = fields.iter().copied().filter(|field| !object.contains_key(*field)).collect();
        if !missing.is_empty() {
            self.add("missing-field", place, format!("lacks {}", missing.join(", ")));
        }
    }
}

/// The kind of packet that a text is; none where it is no packet.
pub fn kind_of(text: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| (kind.is)(text))
}
