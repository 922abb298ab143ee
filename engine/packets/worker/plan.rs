//! A plan folder as its planner wrote it: five JSON files and six of Markdown, each of which may be missing.
//!
//! Pure: the bytes come from whoever may read them. Secrets are masked before anything is read in a text.

use super::json::Json;
use error::{Error, ErrorKind, Result};
use redact::{Masker, Redacted};
use std::collections::BTreeMap;

/// The most bytes of a file of a plan.
pub const MAX_BYTES: u64 = 16 << 20;

/// The most lines of a file of prose: nobody plans in more, and every line is looked at for every file of a task.
const MAX_LINES: u32 = 50_000;

/// The files of a plan.
pub const NAMES: [&str; 11] =
    [MODULES, CONTRACTS, SYMBOLS, OWNERSHIP, TEST_MAP, ARCHITECTURE, SCARS, ACCEPTANCE, STATE, PLAN, DECISIONS];

/// Those that are JSON.
const JSON: [&str; 5] = [MODULES, CONTRACTS, SYMBOLS, OWNERSHIP, TEST_MAP];

/// Which parts the repository has.
pub(super) const MODULES: &str = "modules.json";
/// What parts promise each other.
pub(super) const CONTRACTS: &str = "api_contracts.json";
/// What files export.
pub(super) const SYMBOLS: &str = "symbols.json";
/// Whose files are whose, and what they import.
pub(super) const OWNERSHIP: &str = "ownership.json";
/// Which tests are of which source.
pub(super) const TEST_MAP: &str = "test_map.json";
/// Which parts the repository has, in words.
pub(super) const ARCHITECTURE: &str = "ARCHITECTURE.md";
/// What went wrong before, and the rules made of it.
pub(super) const SCARS: &str = "SCARS.md";
/// What "done" means.
pub(super) const ACCEPTANCE: &str = "ACCEPTANCE_MASTER.md";
/// Where the work stands.
pub(super) const STATE: &str = "STATE.md";
/// What is to be done, and what must stay.
pub(super) const PLAN: &str = "PLAN.md";
/// What was decided.
pub(super) const DECISIONS: &str = "DECISION_LOG.md";

/// A plan.
#[derive(Debug, Default)]
pub struct Plan {
    texts: BTreeMap<&'static str, Redacted>,
    json: BTreeMap<&'static str, Json>,
}

impl Plan {
    /// Reads the files that a plan has, by name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] with file, line and column for one that is not UTF-8 text or no JSON.
    pub fn new(masker: &Masker, files: impl IntoIterator<Item = (&'static str, Vec<u8>)>) -> Result<Self> {
        let mut plan = Self::default();
        for (name, bytes) in files {
            let refused = |why: String| Error::new(ErrorKind::BadInput, format!("`{name}` of the plan cannot be used: {why}"));
            let text = std::str::from_utf8(&bytes).map_err(|error| {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let line = valid.split(|byte| *byte == b'\n').count();
                refused(format!("line {line} is not UTF-8 text"))
            })?;
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            let redacted = masker.file(name, text.as_bytes());
            if !JSON.contains(&name) && redacted.n_lines() > MAX_LINES {
                return Err(refused(format!("it has {} lines; the most are {MAX_LINES}", redacted.n_lines())));
            }
            if JSON.contains(&name) {
                let json = Json::parse(redacted.as_str()).map_err(|error| {
                    // A mask in the place of a number is not JSON, and what it hides must not be read instead.
                    let is_masked = Json::parse(text).is_ok();
                    let advice = if is_masked { "; a secret stands there: take it out of the plan" } else { "" };
                    refused(format!("{}{advice}", masker.line(&error.to_string())))
                })?;
                plan.json.insert(name, json);
            }
            plan.texts.insert(name, redacted);
        }
        Ok(plan)
    }

    /// Whether the plan has a file.
    pub fn has(&self, name: &str) -> bool {
        self.texts.contains_key(name)
    }

    /// A file of JSON.
    pub(super) fn json(&self, name: &str) -> Option<&Json> {
        self.json.get(name)
    }

    /// The lines of a file with secrets masked; none where it is missing.
    pub(super) fn lines(&self, name: &str) -> Vec<&str> {
        self.texts.get(name).map(|text| text.as_str().lines().collect()).unwrap_or_default()
    }
}

/// An entry of a list in a plan, which may also be written as an object with the entries by name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    /// Its name, where it stands in an object.
    pub(super) name: Option<&'a str>,
    /// What it says.
    pub(super) value: &'a Json,
}

/// The entries of a list: of an array, of the field of an object that has one of these names, else of the object itself.
pub(super) fn entries<'a>(json: Option<&'a Json>, names: &[&str]) -> Vec<Entry<'a>> {
    let Some(json) = json else { return Vec::new() };
    match json.any(names).filter(|list| matches!(list, Json::List(_) | Json::Object(_))).unwrap_or(json) {
        Json::List(items) => items.iter().map(|value| Entry { name: None, value }).collect(),
        // What is not a list and no object says something about the file, such as when it was made.
        Json::Object(fields) => fields
            .iter()
            .filter(|(name, value)| matches!(value, Json::List(_) | Json::Object(_)) || is_path(name))
            .map(|(name, value)| Entry { name: Some(name), value })
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether a text looks like a path in a repository: one line with a folder or an ending, which does not begin at the root.
pub(super) fn is_path(text: &str) -> bool {
    let is_plain = !text.is_empty() && !text.starts_with('/') && !text.contains("://") && !text.contains(char::is_whitespace);
    let name = text.rsplit('/').next().unwrap_or_default();
    is_plain && (text.contains('/') || name.trim_start_matches('.').contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(name: &'static str, text: &str) -> Result<Plan> {
        Plan::new(&Masker::knowing_nothing(), [(name, text.as_bytes().to_vec())])
    }

    #[test]
    fn lists_are_read_in_every_shape() {
        let count = |text: &str| entries(plan(MODULES, text).unwrap().json(MODULES), &["modules"]).len();
        assert_eq!(count(r#"[{"id": "a"}, {"id": "b"}]"#), 2);
        assert_eq!(count(r#"{"modules": [{"id": "a"}], "boundaries": [], "lastAnalyzed": ""}"#), 1);
        assert_eq!(count(r#"{"modules": {"a": {"path": "a/"}}}"#), 1);
        assert_eq!(count(r#"{"a": {"path": "a/"}, "lastAnalyzed": "now"}"#), 1);
        assert_eq!(count("null"), 0);
        for (text, is) in [("a/b", true), ("go.mod", true), ("auth", false), (".env", false), ("/api/x", false), ("a b.c", false)]
        {
            assert_eq!(is_path(text), is, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_said_with_its_place() {
        let message = |text: &str| plan(SYMBOLS, text).unwrap_err().message;
        assert_eq!(message("{\n \"a\": }"), "`symbols.json` of the plan cannot be used: expected value at line 2 column 7");
        assert!(
            Plan::new(&Masker::knowing_nothing(), [(STATE, vec![b'\n'; MAX_LINES as usize + 1])])
                .unwrap_err()
                .message
                .contains("it has 50001 lines")
        );
        assert!(
            Plan::new(&Masker::knowing_nothing(), [(STATE, b"a\n\xff".to_vec())])
                .unwrap_err()
                .message
                .contains("line 2 is not UTF-8 text")
        );
        let key = ["-----BEGIN RSA ", "PRIVATE KEY-----\\nMIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQC7"].concat();
        let secret = message(&format!("{{\"a\": \"{key}\",\n \"b\": 1}}"));
        assert!(secret.contains("a secret stands there") && !secret.contains("MIIE"), "{secret}");
    }

    #[test]
    fn secrets_are_masked_before_anything_is_read() {
        let token = format!("ghp_{}", "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8");
        let plan = Plan::new(
            &Masker::knowing_nothing(),
            [
                (STATE, format!("token {token}\n").into_bytes()),
                (MODULES, format!("{{\"modules\": [{{\"id\": \"{token}\"}}]}}").into_bytes()),
            ],
        );
        assert!(!format!("{:?}", plan.unwrap()).contains(&token));
    }

    #[test]
    fn types_in_contracts_are_no_secrets() {
        let text = r#"[{"requestSchema": {"email": "string", "password": "string"}, "responseSchema": {"token": "string"}}]"#;
        assert!(!format!("{:?}", plan(CONTRACTS, text).unwrap()).contains("REDACTED"));
    }
}
