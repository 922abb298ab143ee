//! The rules that an object breaks while they are found, and what rules of several kinds ask: forms, words, numbers, paths, ids.
//!
//! Any JSON can be checked: what is not a packet breaks rules.

use super::Violation;
use crate::worker::Json;
use crate::{ID_DIGITS, hash, json};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use tokens::Tokenizer;

/// The rules that an object breaks while they are found.
#[derive(Default)]
pub(crate) struct Found(pub(crate) Vec<Violation>);

impl Found {
    pub(crate) fn add(&mut self, rule: &'static str, place: impl Into<String>, message: impl Into<String>) {
        self.0.push(Violation { rule, place: place.into(), message: message.into() });
    }

    /// Says whether an object names another form than this version of it.
    pub(crate) fn form(&mut self, object: &Map<String, Value>, field: &'static str, form: &str) {
        if object.get(field).and_then(Value::as_str) != Some(form) {
            self.add(field, field, format!("expected `{form}`"));
        }
    }

    /// Checks each object of an array, with its place. Says by the first of two rules that it is not an array, by the second what in it is no
    /// object, and which of these fields each lacks.
    pub(crate) fn each<'a>(
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
    pub(crate) fn missing(&mut self, object: &Map<String, Value>, fields: &[&str], place: &str) {
        let missing: Vec<&str> = fields.iter().copied().filter(|field| !object.contains_key(*field)).collect();
        if !missing.is_empty() {
            self.add("missing-field", place, format!("lacks {}", missing.join(", ")));
        }
    }

    /// Whether a field is there and is none of these words.
    pub(crate) fn word(&mut self, rule: &'static str, place: &str, object: &Map<String, Value>, field: &str, words: &[&str]) {
        if object.get(field).is_some_and(|value| !value.as_str().is_some_and(|word| words.contains(&word))) {
            self.add(rule, format!("{place}.{field}"), format!("expected one of {}", words.join(", ")));
        }
    }

    /// Says whether a field is another number than was counted.
    pub(crate) fn count(&mut self, rule: &'static str, place: &str, value: Option<&Value>, n: u64) {
        if value.and_then(Value::as_u64) != Some(n) {
            self.add(rule, place, format!("expected {n}, as it is counted"));
        }
    }

    /// Says whether an object has another number for a word than was counted; a word without a number has none.
    pub(crate) fn counts(&mut self, rule: &'static str, place: &str, value: Option<&Value>, counted: &BTreeMap<&str, u64>) {
        let Some(object) = value.and_then(Value::as_object) else {
            return self.add(rule, place, "expected an object with a number for each word");
        };
        for (word, n) in counted {
            if object.get(*word).map_or(Some(0), Value::as_u64) != Some(*n) {
                self.add(rule, format!("{place}.{word}"), format!("expected {n}, as it is counted"));
            }
        }
        if object.keys().any(|word| !counted.contains_key(word.as_str())) {
            self.add(rule, place, "it counts what there is none of");
        }
    }

    /// Says of a field that is there whether it is not an object of whole numbers.
    pub(crate) fn numbers(&mut self, rule: &'static str, place: &str, value: Option<&Value>) {
        let is_counts = |value: &Value| value.as_object().is_some_and(|counts| counts.values().all(Value::is_u64));
        if value.is_some_and(|value| !is_counts(value)) {
            self.add(rule, place, "expected an object of whole numbers");
        }
    }

    /// Says of a packet whether the id at this place is not the hash of all that it says.
    pub(crate) fn id(&mut self, rule: &'static str, text: &str, packet: &Map<String, Value>, place: &[&str]) {
        let mut names = place.iter();
        let first = names.next().and_then(|name| packet.get(*name));
        let id = names.try_fold(first, |value, name| Some(value?.get(name))).flatten();
        self.id_is(rule, &place.join("."), id, || id_of(text, place));
    }

    /// The same for an id that must be this hash.
    pub(crate) fn id_is(
        &mut self,
        rule: &'static str,
        place: &str,
        id: Option<&Value>,
        expected: impl FnOnce() -> Option<String>,
    ) {
        match id.filter(|id| is_hash(id)) {
            None => self.add(rule, place, format!("expected {ID_DIGITS} hexadecimal digits, the hash of what it says")),
            Some(id) if id.as_str() != expected().as_deref() => {
                self.add(rule, place, "it is not the hash of what this says, which was changed since it was made");
            }
            Some(_) => {}
        }
    }

    /// Says whether a path leads out of the repository, or names nothing.
    pub(crate) fn path(&mut self, place: &str, path: &str) {
        if let Some(why) = no_path(path) {
            self.add("path", place, format!("expected the path of a file from the root of the repository; this is {why}"));
        }
    }

    /// The same for a reference that is a place: a path, a path with lines, or a symbol of a path. Others have their kind before a colon.
    pub(crate) fn reference(&mut self, place: &str, reference: &str) {
        let path = reference.split_once('#').map_or(reference, |(path, _)| path);
        let is_lines = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let path = path.rsplit_once(':').filter(|(_, lines)| is_lines(lines)).map_or(path, |(path, _)| path);
        if !path.contains(':') {
            self.path(place, path);
        }
    }
}

/// Why a text is not a path of a file of a repository. Hidden characters of a path are written out where it is shown.
fn no_path(path: &str) -> Option<&'static str> {
    let has = |wanted: &[&str]| path.split('/').any(|part| wanted.contains(&part));
    if path.is_empty() {
        Some("empty")
    } else if path.starts_with('/') {
        Some("an absolute path")
    } else if has(&[".."]) {
        Some("a path with `..`")
    } else if has(&["", "."]) {
        Some("a path with an empty or `.` component")
    } else if has(&[".git"]) {
        Some("git's own data")
    } else {
        None
    }
}

/// Whether a value is a hash.
pub(crate) fn is_hash(value: &Value) -> bool {
    value.as_str().is_some_and(|hash| hash.len() == ID_DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The tokens of a text: either tokenizer can have counted.
pub(crate) fn n_tokens(text: &str) -> [u64; 2] {
    [Tokenizer::O200k, Tokenizer::Cl100k].map(|tokenizer| u64::from(tokenizer.count(text).0))
}

/// The id that a packet has by its content: the hash of it as it is written, zeros in the place of the id, which stands at this place.
pub(crate) fn id_of(text: &str, place: &[&str]) -> Option<String> {
    let mut packet = Json::parse(text.trim_start_matches('\u{feff}')).ok()?;
    let id = place.iter().try_fold(&mut packet, |json, name| match json {
        Json::Object(fields) => fields.iter_mut().find(|(field, _)| field == name).map(|(_, value)| value),
        _ => None,
    })?;
    *id = Json::Text("0".repeat(ID_DIGITS));
    Some(hash(&json(&packet)))
}

/// A text with one part of it replaced, which must be there, and the id at this place made that of the new content.
#[cfg(test)]
pub(crate) fn edited(text: &str, from: &str, to: &str, id_at: Option<&[&str]>) -> String {
    let text = text.replacen(from, to, 1);
    assert!(from.is_empty() || text.contains(to), "{from}");
    let Some(place) = id_at else { return text };
    let (value, id): (Value, _) = (serde_json::from_str(&text).expect("JSON"), id_of(&text, place).expect("an id"));
    let old = place.iter().try_fold(&value, |value, name| value.get(name)).and_then(Value::as_str).expect("an id");
    text.replacen(old, &id, 1)
}

/// The rules that are broken, each with its place.
#[cfg(test)]
pub(crate) fn told(violations: &[Violation]) -> Vec<String> {
    violations.iter().map(|violation| format!("{} at {}", violation.rule, violation.place)).collect()
}
