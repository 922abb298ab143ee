//! What a session file may hold: the secrets in every text of a session are masked when it is written, whoever put them there.

use super::Session;
use redact::Masker;

/// Fields that hold what this program made of hashes and names: digits without a text, which must stay as they are to be compared.
const NO_TEXT: [&str; 4] = ["schema", "pack_id", "hash", "content"];

impl Session {
    /// The session with its secrets masked. Masking it again changes nothing.
    pub(super) fn masked(&self, masker: &Masker) -> serde_json::Result<Self> {
        let mut value = serde_json::to_value(self)?;
        masker.json(&mut value, &NO_TEXT);
        serde_json::from_value(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_ENTRIES, Sent, SentEntry, TestName};

    #[test]
    fn every_text_is_masked_once_and_hashes_stay() {
        let token = ["ghp", "_", &"a1B2c3D4e5".repeat(4)[..36]].concat();
        let hash = "0123456789abcdef0123456789abcdef";
        let text = |place: &str| format!("{place} says {token}");
        let mut session = Session::default();
        session.begin(text("intent")).unwrap();
        session.add_finding(text("finding")).unwrap();
        session.record_tests(0, [], [TestName { suite: text("suite"), name: text("test"), ..TestName::default() }]);
        session.record_diagnostics([text("diagnostic")]);
        session.touch(format!("a/{token}.go"));
        session.safety_warnings.push(format!("password = \"{}\"", "x9Kq2LmP7vRt4Zsd"));
        session.campaign.goal = text("goal");
        let entry = SentEntry {
            key: text("key"),
            hash: hash.into(),
            content: Some(hash.into()),
            path: Some(format!("{token}.go")),
            ..SentEntry::default()
        };
        session.record_sent(Sent { pack_id: hash.into(), entries: vec![entry] });
        let json = session.checked_json(&Masker::knowing_nothing()).unwrap();
        assert!(!json.contains(&token) && !json.contains("x9Kq2LmP7vRt4Zsd"), "{json}");
        assert_eq!((json.matches("[REDACTED:").count(), json.matches(hash).count()), (10, 3), "{json}");
        let read = Session::parse(&json).unwrap();
        assert_eq!(read.checked_json(&Masker::knowing_nothing()).unwrap(), json);
        assert_eq!(read.turns[0].findings[0].number, 1);
    }

    #[test]
    fn what_has_no_secret_stays_as_it_is() {
        let mut session = Session::default();
        session.begin("fix ValidateToken").unwrap();
        session.current().sent.push(Sent {
            pack_id: "1".into(),
            entries: (0..MAX_ENTRIES).map(|n| SentEntry { key: format!("code a/{n}.go#F"), ..SentEntry::default() }).collect(),
        });
        assert_eq!(session.masked(&Masker::knowing_nothing()).unwrap(), session);
    }
}
