//! The secrets known so far, in the hands of whoever makes text safe: no text is made safe without them.

use super::elsewhere::Elsewhere;
use super::known_secrets::{Gathered, KnownSecrets};
use super::redactor::Redactor;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// Masks what rules find and what is known already. Cheap to clone, so that everybody who writes has one.
///
/// It has no default: what is known has to be handed on, or the one that forgets would give a secret away.
#[derive(Debug, Clone)]
pub struct Masker(Arc<KnownSecrets>);

impl Masker {
    /// Masks these values too.
    pub fn new(known: KnownSecrets) -> Self {
        Self(Arc::new(known))
    }

    /// Masks what rules find alone: where no repository is asked, or none yet.
    pub fn knowing_nothing() -> Self {
        Self::new(KnownSecrets::default())
    }

    /// Masks these values too.
    #[must_use]
    pub fn with(&self, given: Gathered) -> Self {
        if given.is_empty() { self.clone() } else { Self::new(self.0.with(given)) }
    }

    /// Masks the secrets of other repositories too.
    #[must_use]
    pub fn with_elsewhere(&self, elsewhere: Option<&Arc<Elsewhere>>) -> Self {
        elsewhere.map_or_else(|| self.clone(), |elsewhere| Self::new(self.0.with_elsewhere(Arc::clone(elsewhere))))
    }

    /// What is known.
    pub fn known(&self) -> &KnownSecrets {
        &self.0
    }

    /// Masks a short text: a message, a diagnostic, a path. `name` as for [`by_rules::find`](super::by_rules::find).
    pub fn text<'a>(&self, name: &str, text: &'a str) -> Cow<'a, str> {
        Redactor::active().text(&self.0, name, text)
    }

    /// Masks every text of a value but those of the fields named `except`. The shape is that of one of our types, so the recursion is as deep
    /// as these are.
    pub fn json(&self, value: &mut Value, except: &[&str]) {
        self.json_field("", value, except);
    }

    fn json_field(&self, name: &str, value: &mut Value, except: &[&str]) {
        match value {
            Value::String(held) if !except.contains(&name) => {
                if let Cow::Owned(masked) = self.text("", held) {
                    *held = masked;
                }
            }
            Value::Array(list) => list.iter_mut().for_each(|entry| self.json_field(name, entry, except)),
            Value::Object(fields) => fields.iter_mut().for_each(|(field, entry)| self.json_field(field, entry, except)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_masked_in_every_text_and_no_other_masker_knows_it() {
        let nothing = Masker::knowing_nothing();
        let masker = nothing.with(Gathered::of(".env", "DB_PASSWORD=copper-walnut-5512\n"));
        let said = "logs in as copper-walnut-5512";
        let hidden = "logs in as [REDACTED:assigned-secret]";
        assert_eq!(masker.name(said).as_str(), hidden);
        assert_eq!(masker.line(said).as_str(), hidden);
        assert_eq!(masker.message(said).as_str(), hidden);
        assert_eq!(masker.file("a.md", said.as_bytes()).as_str(), hidden);
        assert_eq!(masker.plain_file("a.md", said.as_bytes()).as_str(), hidden);
        let mut value = serde_json::json!({ "a": [said], "hash": said });
        masker.json(&mut value, &["hash"]);
        assert_eq!(value, serde_json::json!({ "a": [hidden], "hash": said }));
        assert_eq!(nothing.name(said).as_str(), said);
        assert!(nothing.known().is_empty());
    }
}
