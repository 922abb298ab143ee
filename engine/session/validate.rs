//! Whether a session is within its bounds and agrees with itself: what is read must be, and what is written.

use super::{CERTAIN, MAX_BYTES, MAX_ENTRIES, MAX_TEXT, Session};
use error::{Error, ErrorKind, Result};
use redact::Masker;
use rustc_hash::FxHashSet;
use serde_json::Value;

impl Session {
    /// Says what is out of bounds or contradicts itself, if anything is.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] with the name of the field.
    pub fn validate(&self) -> Result<()> {
        let refused = |why: String| Err(Error::new(ErrorKind::BadInput, why));
        // Numbers and strings can be written.
        let value = serde_json::to_value(self).unwrap_or_default();
        if let Some(why) = too_much("session", &value) {
            return refused(why);
        }
        if let Some(why) = self.contradiction() {
            return refused(why);
        }
        self.campaign.order().map(drop)
    }

    /// What contradicts itself.
    fn contradiction(&self) -> Option<String> {
        let follows = |pair: &[super::Turn]| pair[0].number < pair[1].number;
        if !self.turns.windows(2).all(follows) {
            return Some("`turns` do not stand in the order of their numbers".to_owned());
        }
        if self.turns.last().is_some_and(|turn| turn.number > self.turn) {
            return Some(format!("`turns` has a turn after the current one, which is {}", self.turn));
        }
        let mut numbers = FxHashSet::default();
        for finding in self.findings() {
            if finding.number > self.n_findings || finding.number == 0 || !numbers.insert(finding.number) {
                return Some(format!("a finding has the number {}, which is taken or was not given out", finding.number));
            }
        }
        let phase = self.campaign.current_phase.as_ref();
        let is_known = |name: &String| self.campaign.phases.iter().any(|phase| phase.name == *name);
        if let Some(name) = phase.filter(|name| !is_known(name)) {
            return Some(format!("`campaign` has no phase `{name}`, which is to be the current one"));
        }
        None
    }
}

impl Session {
    /// The session as JSON with its secrets masked, if it may be written.
    ///
    /// # Errors
    ///
    /// As [`Session::validate`], and for more bytes than can be read again.
    pub fn checked_json(&self, masker: &Masker) -> Result<String> {
        self.validate()?;
        let unusable =
            |error: serde_json::Error| Error::new(ErrorKind::BadInput, format!("its secrets cannot be masked: {error}"));
        let hidden = self.masked(masker).map_err(unusable)?;
        // A mask may be longer than what it hides, and equal where names were not.
        hidden.validate()?;
        let json = hidden.json();
        if json.len() > MAX_BYTES {
            let message = format!("it would have {} bytes, more than {MAX_BYTES}; begin a new session", json.len());
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        Ok(json)
    }
}

/// What in a value exceeds the bounds. The shape is that of [`Session`], so the recursion is as deep as its types are.
fn too_much(name: &str, value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.len() > MAX_TEXT => {
            Some(format!("`{name}` holds a text of {} bytes, more than {MAX_TEXT}", text.len()))
        }
        Value::Array(list) if list.len() > MAX_ENTRIES => {
            Some(format!("`{name}` has {} entries, more than {MAX_ENTRIES}", list.len()))
        }
        Value::Array(list) => list.iter().find_map(|entry| too_much(name, entry)),
        Value::Object(fields) => fields.iter().find_map(|(field, entry)| too_much(field, entry)),
        Value::Number(number) if name == "confidence" && number.as_u64().is_some_and(|n| n > u64::from(CERTAIN)) => {
            Some(format!("`{name}` is {number}, not from 0 to {CERTAIN}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let error = |rest: &str| {
            let json = format!("{{\n  \"schema\": \"activate.session-file.v1\",\n  \"turn\": 3{rest}\n}}");
            Session::parse(&json).unwrap_err().to_string()
        };
        assert_eq!(
            Session::parse("{\n  \"schema\": \"activate.session-file.v2\", \"turns\": 7}").unwrap_err().to_string(),
            "line 2 column 38: unknown variant `activate.session-file.v2`, expected `activate.session-file.v1`"
        );
        assert!(Session::parse("[1]").unwrap_err().to_string().starts_with("line 1 column 1: expected an object"));
        assert!(Session::parse("{").unwrap_err().to_string().starts_with("line 1 column 1: EOF"));
        assert!(Session::parse("{}").unwrap_err().to_string().contains("missing field `schema`"));
        assert!(error(",\n  \"trun\": 1").starts_with("line 4 column 8: unknown field `trun`"));
        assert!(error(r#", "turns": [{"number": 1, "x": 2}]"#).contains("unknown field `x`"));
        assert!(error(r#", "turns": [{"number": -1}]"#).starts_with("line 3 column"));
        assert!(error("} {").contains("trailing characters"));
        for (rest, says) in [
            (r#", "turns": [{"number": 4}]"#, "a turn after the current one, which is 3"),
            (r#", "turns": [{"number": 2}, {"number": 2}]"#, "order of their numbers"),
            (r#", "turns": [{"number": 2, "findings": [{"number": 1, "text": "x"}]}]"#, "a finding has the number 1"),
            (r#", "campaign": {"current_phase": "II"}"#, "no phase `II`"),
            (r#", "campaign": {"tasks": [{"id": "A", "name": "a", "after": ["A"]}]}"#, "`A` wait for each other"),
            (r#", "knowledge": [{"text": "x", "confidence": 1001}]"#, "1001, not from 0 to 1000"),
        ] {
            assert!(error(rest).contains(says), "{rest}: {}", error(rest));
        }
    }

    #[test]
    fn what_is_too_large_is_neither_read_nor_written() {
        let mut session = Session { safety_warnings: vec!["x".repeat(MAX_TEXT + 1)], ..Session::default() };
        assert!(
            session
                .checked_json(&Masker::knowing_nothing())
                .unwrap_err()
                .message
                .contains("`safety_warnings` holds a text of 16385 bytes")
        );
        assert!(Session::parse(&session.json()).unwrap_err().message.contains("16385"));
        session.safety_warnings = vec![String::new(); MAX_ENTRIES + 1];
        assert!(session.checked_json(&Masker::knowing_nothing()).unwrap_err().message.contains("5001 entries"));
        session.safety_warnings = vec!["x".repeat(MAX_TEXT); 2_000];
        assert!(session.checked_json(&Masker::knowing_nothing()).unwrap_err().message.contains("begin a new session"));
        assert!(Session::parse(&session.json()).unwrap_err().message.contains("more than 16777216"));
    }
}
