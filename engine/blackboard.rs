//! What the agents of one process know together.

use crate::{Engine, Error, ErrorKind, Packet, Request, Result};
use repo::RepoPath;

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
    /// [`ErrorKind::BadInput`] with the place in the text that is wrong.
    pub fn from_json(json: &str) -> Result<Self> {
        Ok(Self(engine::blackboard::Blackboard::of(session::Session::parse(json)?)))
    }

    /// Begins a turn: earlier turns are remembered, and fade.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a turn that a session cannot hold.
    pub fn begin(&self, intent: impl Into<String>) -> Result<()> {
        self.0.change(|session| session.begin(intent))
    }

    /// Notes what compilers, linters and test runners print now, in place of what they printed before: what they no longer report counts as fixed.
    pub fn tool_output(&self, output: &str) {
        let mut report = signals::Report::default();
        signals::read_text(output, "the tools' output", &mut report);
        self.0.report(report);
    }

    /// Adds what a reviewer or tester found: `[CATEGORY] text (source)`. Gives its number.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a text that a session cannot hold.
    pub fn finding(&self, text: impl Into<String>) -> Result<u32> {
        self.0.change(|session| session.add_finding(text))
    }

    /// Notes that an agent changed a file: a path relative to the root, with `/`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a path that leads out of the repository or is not relative.
    pub fn touched(&self, path: &str) -> Result<()> {
        let path =
            RepoPath::typed(path).map_err(|why| Error::new(ErrorKind::BadInput, format!("`{path}` was not noted: {why}")))?;
        self.0.change(|session| session.touch(path.to_string()));
        Ok(())
    }

    /// Notes that a packet was sent: a session that goes on from [`Blackboard::to_json`] knows it.
    pub fn sent(&self, packet: &Packet) {
        self.0.change(|session| session.record_sent(packet.sent.clone()));
    }

    /// The session as the JSON of a session file, for [`Blackboard::from_json`] and for `activate --session`. The secrets that `engine` knows of
    /// its repository are masked.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a session that could not be read again: too long, or with a text that cannot be masked.
    pub fn to_json(&self, engine: &Engine) -> Result<String> {
        self.0.session().checked_json(&engine.0.masker())
    }

    /// A request for a task with all that is known now. Without words, for the task of the current turn.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a campaign whose tasks wait for each other.
    pub fn request(&self, intent: impl Into<String>) -> Result<Request> {
        self.0.request(intent).map(Request)
    }
}
