//! What the validators of all kinds of packets share: the form of a broken rule, and which form a text says it has.

mod found;

pub(super) use found::{Found, is_hash, n_tokens};
#[cfg(test)]
pub(super) use found::{edited, told};

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
