//! The only way in which a packet changes: one step of one phase.
//!
//! A phase can be changed while it is the last that has begun, or where it is the next. Going back is refused: what a later phase finds and
//! mends belongs to that phase.

use super::rules::{broken, not_done_before, unverified_before, waiting_for};
use super::{Phase, PhasePacket, Progress};
use redact::Masker;
use std::fmt;

/// A step of a phase. What is not given stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The phase.
    pub phase: Phase,
    /// How far it is.
    pub status: Option<String>,
    /// Whether the orchestrator saw for itself. A new status without it is not verified.
    pub verified: Option<bool>,
    /// Repository paths that it changed; those that are known already are left out.
    pub files: Vec<String>,
    /// The exact command that runs the tests of the feature.
    pub test_command: Option<String>,
    /// Repository path of these tests.
    pub test_file: Option<String>,
    /// What these tests are to show.
    pub test_intent: Option<String>,
}

/// Why a packet is not changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Name of the rule that the change would break.
    pub rule: &'static str,
    /// What is wrong, and what is missing.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.rule, self.message)
    }
}

impl Update {
    /// One that changes nothing yet.
    pub fn of(phase: Phase) -> Self {
        Self { phase, status: None, verified: None, files: Vec::new(), test_command: None, test_file: None, test_intent: None }
    }

    fn is_empty(&self) -> bool {
        let texts = [&self.status, &self.test_command, &self.test_file, &self.test_intent];
        texts.into_iter().all(Option::is_none) && self.verified.is_none() && self.files.is_empty()
    }
}

impl PhasePacket {
    /// The packet after a step.
    ///
    /// # Errors
    ///
    /// The first rule that the step breaks, with what is missing.
    pub fn updated(&self, masker: &Masker, update: &Update) -> Result<Self, Refusal> {
        let refused = |rule, message: String| Err(Refusal { rule, message });
        let (phase, name) = (update.phase, update.phase.name());
        if update.is_empty() {
            return refused("nothing-to-change", format!("say how far {name} is, which files it changed, or what the tests are"));
        }
        if let Some(later) = self.current().filter(|current| *current > phase) {
            let later = later.name();
            let message = format!("{later} has begun, so {name} stays as it is; note under {later} what is changed now");
            return refused("phase-back", message);
        }
        let missing = not_done_before(self, phase);
        if !missing.is_empty() {
            return refused("phase-order", format!("{name} is behind {}", waiting_for(&missing)));
        }
        // One that went on before goes on: what is behind it can no longer be changed.
        let begins = self.progress(phase) == Progress::Pending;
        if let Some(why) = unverified_before(self, phase).filter(|_| begins) {
            return refused("unverified", why);
        }
        if update.verified.is_some() && !phase.is_verified() {
            return refused("verified", format!("only RED, GREEN and REFACTOR are verified; leave it out for {name}"));
        }
        let mut packet = self.clone();
        let state = &mut packet.accumulated_state;
        let history = state.phase_history.get_mut(phase);
        if let Some(status) = &update.status {
            history.status.clone_from(status);
            history.orchestrator_verified = phase.is_verified().then_some(false);
        }
        if update.verified.is_some() {
            history.orchestrator_verified = update.verified;
        }
        let progress = super::progress(&history.status);
        if progress == Progress::Pending {
            return refused("status", format!("say how far {name} is: it has begun and is no longer pending"));
        }
        let files = state.changed_files.get_mut(phase);
        if progress == Progress::Done || !update.files.is_empty() {
            let files = files.get_or_insert_default();
            for path in &update.files {
                if !files.contains(path) {
                    files.push(path.clone());
                }
            }
        }
        for (field, text) in [
            (&mut state.test_command, &update.test_command),
            (&mut state.test_file, &update.test_file),
            (&mut state.test_intent, &update.test_intent),
        ] {
            if text.is_some() {
                field.clone_from(text);
            }
        }
        match broken(masker, &packet).into_iter().next() {
            Some((field, rule, message)) => refused(rule, format!("`{}`: {message}", field.json_place())),
            None => Ok(packet),
        }
    }
}
