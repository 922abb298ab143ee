//! A pack as it is kept: what it says, what was asked for it, and the places that it points at with their hashes.
//!
//! Masked before it is made. Must not read or write anything.

use super::manifest::{Mode, PackBudgets, Part};
use serde::{Deserialize, Serialize};

/// A pack that can be shown again, changed and read from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredPack {
    /// Its id.
    pub pack_id: String,
    /// What was asked.
    pub asked: Asked,
    /// The places that can be read from it.
    pub places: Vec<StoredPlace>,
    /// The pack as JSON, as it was sent.
    pub packet: String,
}

/// What was asked for a pack: enough to make it anew.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// What is to be done.
    pub intent: String,
    /// The kind of pack; none for a context pack, which points at nothing that could be expanded.
    pub mode: Option<Mode>,
    /// What it may hold.
    pub budgets: PackBudgets,
    /// Parts that are added.
    pub include: Vec<Part>,
    /// Parts that are left out.
    pub drop: Vec<Part>,
    /// What must be in it.
    pub pins: Vec<String>,
    /// What tools said: `severity:file:line:message`.
    pub diagnostics: Vec<String>,
    /// Tests that fail.
    pub failing_tests: Vec<String>,
    /// The caller's name for the task.
    pub task_id: Option<String>,
    /// The caller's name for the run.
    pub run_id: Option<String>,
}

/// A place that a pack points at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredPlace {
    /// The name by which it is asked for, beside its path.
    pub reference: String,
    /// Repository path.
    pub path: String,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// Hash of the whole file in 32 hexadecimal digits.
    pub hash: String,
}
