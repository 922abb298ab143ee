//! The session of an agent: its turns, what was sent and found in them, and what holds for all of them. Kept as one JSON file.
//!
//! Counts turns, never time. Must not know a repository, a clock or how anything is shown; only [`store`] touches the disk. What is
//! written has its secrets masked: see [`Session::checked_json`].

mod turn;

mod sent;

mod knowledge;

mod campaign;

mod outcome;

mod rows;

mod runs;

mod history;

mod validate;

mod masks;

pub mod store;

pub use campaign::{Campaign, Phase, Status, Task};
pub use history::MAX_HISTORY;
pub use knowledge::{CERTAIN, KnowledgeAtom, SpecialistHint, Tool};
pub use outcome::{Learnt, LinkOutcome, MIN_SAMPLES, Outcome};
pub use sent::{Sent, SentEntry};
pub use turn::{FailingTest, Finding, ShardResult, TestName, TestRun, Turn};

use error::{Error, ErrorKind, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The word at the beginning of a session file, without its version.
pub const FORM: &str = "activate.session-file";

/// The most bytes of a session file: the packets of the newest turns have a few hundred thousand each at the most.
pub const MAX_BYTES: usize = 16 << 20;
/// The most entries of one list.
pub const MAX_ENTRIES: usize = 5_000;
/// The most bytes of one text.
pub const MAX_TEXT: usize = 16 << 10;

/// How many of the newest turns are whole.
pub const WHOLE_TURNS: u32 = 3;
/// For how many turns actions, results and changes are kept; by the default weights all of them are cold before.
pub const KEPT_TURNS: u32 = 10;
/// The most packets of one turn that are kept, the newest.
pub const MAX_SENT: usize = 4;

/// The session of an agent.
///
/// No list has more than 5,000 entries and no text more than 16,384 bytes; the whole has at most 16 MiB. Lists stand oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Name and version of this form.
    pub schema: Form,
    /// The number of the current turn; 0 before the first.
    pub turn: u32,
    /// The turns that still count, ascending by number.
    #[serde(default)]
    #[schemars(length(max = 5_000))]
    pub turns: Vec<Turn>,
    /// Older turns, one a line, at most 2,000 characters in all: `turn 4: fix ValidateToken; edited a.go; 1 test failed (TestX)`.
    #[serde(default)]
    #[schemars(length(max = 5_000))]
    pub history: Vec<String>,
    /// The number of the newest finding; 0 before the first.
    #[serde(default)]
    pub n_findings: u32,
    /// Alerts about dangerous patterns, one sentence each, e.g. `Changes under internal/core need explicit permission`.
    #[serde(default)]
    #[schemars(length(max = 5_000))]
    pub safety_warnings: Vec<String>,
    /// Actions that must not be taken, one sentence each, e.g. `rm -rf is forbidden`.
    #[serde(default)]
    #[schemars(length(max = 5_000))]
    pub blocked_actions: Vec<String>,
    /// The larger goal that turns serve.
    #[serde(default)]
    pub campaign: Campaign,
    /// Facts of the domain.
    #[serde(default)]
    #[schemars(length(max = 5_000))]
    pub knowledge: Vec<KnowledgeAtom>,
    /// Suggestions.
    #[serde(default)]
    #[schemars(length(max = 5_000))]
    pub hints: Vec<SpecialistHint>,
    /// Tools that exist already.
    #[serde(default)]
    #[schemars(length(max = 5_000))]
    pub tools: Vec<Tool>,
    /// How many files packets showed and how many of them were edited, by the way they came in, by name: the sum of all outcomes.
    #[serde(default)]
    #[schemars(length(max = 5_000))]
    pub links: Vec<LinkOutcome>,
}

/// Name and version of the form of a session file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Form {
    /// The form that this version writes and reads.
    #[default]
    #[serde(rename = "activate.session-file.v1")]
    V1,
}

impl Session {
    /// Reads a session from JSON.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] with line and column for a text that is not JSON, has another schema or an unknown or wrong field, and with the
    /// place in words for what is out of bounds or contradicts itself.
    pub fn parse(json: &str) -> Result<Self> {
        let refused = |why: String| Error::new(ErrorKind::BadInput, why);
        if json.len() > MAX_BYTES {
            return Err(refused(format!("it has {} bytes, more than {MAX_BYTES}", json.len())));
        }
        // A list would be taken for the fields in their order.
        if !json.trim_start().starts_with('{') {
            return Err(refused("line 1 column 1: expected an object, `{`".to_owned()));
        }
        let session: Self = serde_json::from_str(json).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let message = error.to_string();
            let message = message.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&message);
            refused(format!("line {line} column {column}: {message}"))
        })?;
        session.validate()?;
        Ok(session)
    }

    /// The session as JSON, indented, with a line feed at the end, and with its secrets: [`Session::checked_json`] is what may be written.
    fn json(&self) -> String {
        // Writing strings and numbers to memory cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The current turn; the one numbered 0 is made when something is noted before the first.
    pub fn current(&mut self) -> &mut Turn {
        if self.turns.last().is_none_or(|turn| turn.number != self.turn) {
            self.turns.push(Turn::new(self.turn, ""));
        }
        let last = self.turns.len() - 1;
        &mut self.turns[last]
    }

    /// How many turns ago a turn was.
    pub fn turns_ago(&self, turn: &Turn) -> u32 {
        self.turn.saturating_sub(turn.number)
    }

    /// Notes that the agent changed a file.
    pub fn touch(&mut self, path: String) {
        let touched = &mut self.current().touched;
        if !touched.contains(&path) {
            touched.push(path);
        }
    }

    /// Notes a packet that was sent. Of a turn's packets the newest are kept, of a packet's entries the first 5,000.
    pub fn record_sent(&mut self, mut sent: Sent) {
        sent.entries.truncate(MAX_ENTRIES);
        let packets = &mut self.current().sent;
        packets.push(sent);
        packets.drain(..packets.len().saturating_sub(MAX_SENT));
    }

    /// Notes a finding and gives its number; one that is open with the same words keeps its own.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] after as many findings as can be counted.
    pub fn add_finding(&mut self, text: impl Into<String>) -> Result<u32> {
        let text = text.into();
        if let Some(known) = self.findings().find(|finding| !finding.resolved && finding.text == text) {
            return Ok(known.number);
        }
        let Some(number) = self.n_findings.checked_add(1) else {
            return Err(Error::new(ErrorKind::BadInput, "the session has as many findings as can be counted; begin a new one"));
        };
        self.n_findings = number;
        self.current().findings.push(Finding { number, text, resolved: false });
        Ok(number)
    }

    /// Notes that a finding is resolved; it may be already.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a number that no finding has, with those that have one.
    pub fn resolve(&mut self, number: u32) -> Result<()> {
        let mut findings = self.turns.iter_mut().flat_map(|turn| &mut turn.findings);
        if let Some(finding) = findings.find(|finding| finding.number == number) {
            finding.resolved = true;
            return Ok(());
        }
        // Turns forget what was resolved in time.
        if (1..=self.n_findings).contains(&number) {
            return Ok(());
        }
        let open: Vec<String> = self.findings().filter(|found| !found.resolved).map(|found| found.number.to_string()).collect();
        let open = if open.is_empty() { "none is open".to_owned() } else { format!("open are {}", open.join(", ")) };
        Err(Error::new(ErrorKind::BadInput, format!("there is no finding {number}; {open}")))
    }

    /// All findings that are known, oldest turn first.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.turns.iter().flat_map(|turn| &turn.findings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_schema_is_the_generated_one() {
        let written = serde_json::to_string_pretty(&schemars::schema_for!(Session)).expect("a schema is JSON") + "\n";
        expect_test::expect_file!["../packets/schema/session-file.schema.json"].assert_eq(&written);
    }

    #[test]
    fn a_session_comes_back_as_it_was() {
        let mut session = Session::default();
        session.begin("fix a").unwrap();
        session.record_tests(2, [TestName::default()], ["TestA".into()]);
        session.record_diagnostics(["error:a.go:1:x".to_owned()]);
        session.touch("a.go".to_owned());
        session.touch("a.go".to_owned());
        session.add_finding("[X] y").unwrap();
        session.record_sent(Sent { pack_id: "1".into(), entries: vec![SentEntry::default()] });
        session.record_outcome(&["a.go".to_owned()]).unwrap();
        session.knowledge.push(KnowledgeAtom { text: "x".into(), confidence: CERTAIN, ..KnowledgeAtom::default() });
        assert_eq!(session.turns[0].touched, ["a.go"]);
        assert_eq!(Session::parse(&session.json()).unwrap(), session);
        let least = r#"{"schema": "activate.session-file.v1", "turn": 0}"#;
        assert_eq!(Session::parse(least).unwrap(), Session::default());
        assert!(Session::default().json().contains(FORM));
    }

    #[test]
    fn findings_have_numbers_that_stay_and_can_be_resolved_once_and_again() {
        let mut session = Session::default();
        assert_eq!(session.add_finding("a").unwrap(), 1);
        session.begin("x").unwrap();
        assert_eq!(session.add_finding("a").unwrap(), 1, "it is open");
        session.resolve(1).unwrap();
        assert_eq!(session.add_finding("a").unwrap(), 2, "it came back");
        for turn in 0..9 {
            session.begin(format!("{turn}")).unwrap();
        }
        session.resolve(1).unwrap();
        assert_eq!(session.resolve(3).unwrap_err().to_string(), "there is no finding 3; open are 2");
        session.resolve(2).unwrap();
        assert_eq!(session.resolve(0).unwrap_err().to_string(), "there is no finding 0; none is open");
    }
}
