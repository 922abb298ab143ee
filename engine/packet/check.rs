//! What the checkers of packets share: the form of a broken rule, and which kind of packet a text is.
//!
//! Must not know the rules of a kind, nor read a file.

use super::{phase, worker};
use serde::Serialize;

/// A rule that a packet breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// Name of the rule, kebab case: `files-equal-task`.
    pub rule: &'static str,
    /// Where: a slot, field or line, e.g. `items[3].citations.recordRef`, `line 12`.
    pub place: String,
    /// What is wrong, and what is expected.
    pub message: String,
}

/// A kind of packet that can be checked.
pub struct Kind {
    /// How it is called.
    pub name: &'static str,
    /// Whether a text is one, right or not.
    pub is: fn(text: &str) -> bool,
    /// The rules that it breaks, in the order of the packet.
    pub check: fn(text: &str) -> Vec<Violation>,
}

/// The kinds that can be checked.
pub const KINDS: [Kind; 2] = [
    Kind { name: "phase", is: phase::is_phase, check: phase::check },
    Kind { name: "worker", is: worker::is_worker, check: |text| worker::check(text, worker::Given::default()) },
];

/// The kind of packet that a text is; none where it is no packet.
pub fn kind_of(text: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| (kind.is)(text))
}
