//! What is asked.

use crate::{Packet, Result};
use context::state::SessionState;
use std::sync::Arc;

/// A task, and what else the agent knows.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Request(pub(crate) engine::Request);

impl Request {
    /// A request for a task, in the words of whoever asks: a sentence, an issue, a log, a stack trace.
    pub fn new(intent: impl Into<String>) -> Self {
        Self(engine::Request::new(intent))
    }

    /// Adds what compilers, linters and test runners printed, in any of the formats that are known; the format is recognised line by line. May be
    /// called for each of them.
    /// What no format recognises is listed in [`Answer::problems`](crate::Answer::problems).
    pub fn tool_output(mut self, output: &str) -> Self {
        signals::read_text(output, "the tools' output", Arc::make_mut(&mut self.0.report));
        self
    }

    /// Adds a test that fails: `TestName/case`.
    pub fn failing_test(mut self, name: impl Into<String>) -> Self {
        self.0.state.failing_tests.push(name.into());
        self
    }

    /// Adds what a reviewer or tester found: `[CATEGORY] text (source)`.
    pub fn finding(mut self, text: impl Into<String>) -> Self {
        self.0.state.recent_findings.push(text.into());
        self
    }

    /// Takes over what is known of the session, as the JSON that the flag `--session` takes (`engine/packets/schema/session-state.schema.json`).
    /// Replaces what was added before with [`Request::failing_test`] and [`Request::finding`].
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](crate::ErrorKind::BadInput) with the place in the text that is wrong.
    pub fn session_json(mut self, json: &str) -> Result<Self> {
        self.0.state = SessionState::parse(json)?;
        Ok(self)
    }

    /// Asks for a review of a change: a patch, a range as `main..HEAD`, one revision, or nothing for what the work tree has otherwise than the
    /// last commit.
    pub fn diff(mut self, diff: &str) -> Self {
        self.0.diff = Some(review::Diff::of(diff));
        self
    }

    /// Shows only what is new or changed since a packet was sent.
    pub fn since(mut self, packet: &Packet) -> Self {
        self.0.since = Some(packet.sent.clone());
        self
    }

    /// Shows this code whatever the task is: `path`, `path:first-last`, or a pattern of paths as `docs/*.md`.
    pub fn pin(mut self, target: impl Into<String>) -> Self {
        self.0.pins.push(target.into());
        self
    }

    /// Lets rules take part in the answer: Datalog whose heads the policy knows, as a file of the flag `--rules` has it. `name` is what the rules are
    /// called where something is said of them.
    pub fn rules(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        let rules = engine::RuleFile { name: name.into(), text: text.into(), lacks: None, is_named: true };
        self.0.rules.push(rules);
        self
    }

    /// Sets how many links energy follows from where it starts; 3 by default.
    pub const fn depth(mut self, links: u8) -> Self {
        self.0.depth = Some(links);
        self
    }

    /// Replaces numbers of the policy, as the JSON that the flag `--weights` takes: only what it names is replaced.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](crate::ErrorKind::BadInput) for a name or a value that does not exist.
    pub fn weights_json(mut self, json: &str) -> Result<Self> {
        self.0.weights = engine::read_weights(json)?;
        Ok(self)
    }
}
