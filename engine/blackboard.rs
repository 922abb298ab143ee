//! What the agents of one process know together.

use crate::{Packet, Request, Result};

/// What the agents of one process know of a task together: a tester reports what fails, a reviewer adds findings, and the coder's next request
/// holds both, in the first two sections of its packet. May be shared between threads.
#[derive(Debug, Default)]
pub struct Blackboard(engine::blackboard::Blackboard);

impl Blackboard {
    /// An empty blackboard.
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes on with a session, as the JSON of a session file (`engine/packets/schema/session-file.schema.json`).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](crate::ErrorKind::BadInput) with the place in the text that is wrong.
    pub fn from_json(json: &str) -> Result<Self> {
        Ok(Self(engine::blackboard::Blackboard::of(session::Session::parse(json)?)))
    }

    /// Begins a turn: earlier turns are remembered, and fade.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](crate::ErrorKind::BadInput) for a turn that a session cannot hold.
    pub fn begin(&self, intent: impl Into<String>) -> Result<()> {
        self.0.change(|session| session.begin(intent))
    }

    /// Notes what compilers, linters and test runners print now, in place of what they printed before: what they no longer report counts as fixed.
    ///
    /// # Errors
    ///
    /// None for a text that is in memory.
    pub fn tool_output(&self, output: &str) -> Result<()> {
        let mut report = signals::Report::default();
        signals::read(output.as_bytes(), "the tools' output", None, &mut report)?;
        self.0.report(report);
        Ok(())
    }

    /// Adds what a reviewer or tester found: `[CATEGORY] text (source)`. Gives its number.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](crate::ErrorKind::BadInput) for a text that a session cannot hold.
    pub fn finding(&self, text: impl Into<String>) -> Result<u32> {
        self.0.change(|session| session.add_finding(text))
    }

    /// Notes that an agent changed a file: a path relative to the root.
    pub fn touched(&self, path: impl Into<String>) {
        self.0.change(|session| session.touch(path.into()));
    }

    /// Notes that a packet was sent, for [`Request::since`].
    pub fn sent(&self, packet: &Packet) {
        self.0.change(|session| session.record_sent(packet.sent.clone()));
    }

    /// A request for a task with all that is known now. Without words, for the task of the current turn.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](crate::ErrorKind::BadInput) for a campaign whose tasks wait for each other.
    pub fn request(&self, intent: impl Into<String>) -> Result<Request> {
        self.0.request(intent).map(Request)
    }
}
