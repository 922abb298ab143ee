//! Where each entry of a worker's packet comes from, and what was cut: beside the packet, since that has exactly ten slots.
//!
//! Holds no content and no secret.

pub mod validate;

use crate::decisions::{self, Decided};
use redact::{Masker, Safe};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the form below.
pub const SCHEMA: &str = "activate.worker-receipt.v1";

/// What begins a mask.
const MASK: &str = "[REDACTED:";

/// The receipt of a worker's packet.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct WorkerReceipt {
    /// Name and version of this form: `activate.worker-receipt.v1`.
    pub schema: &'static str,
    /// Hash of the whole receipt in 32 hexadecimal digits.
    #[serde(rename = "receiptId")]
    pub receipt_id: String,
    /// The task's id.
    #[schemars(with = "String")]
    pub task: Safe,
    /// One for each of the ten slots, in the order of the packet.
    pub slots: Vec<SlotReceipt>,
    /// How many masks the packet holds, by kind of secret.
    pub redactions: BTreeMap<String, u32>,
    /// What was decided where the documents that the kind comes from are silent.
    pub decisions: &'static [Decided],
}

/// Where a slot comes from.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct SlotReceipt {
    /// The slot.
    pub slot: &'static str,
    /// What is in it, in its order.
    pub entries: Vec<EntryReceipt>,
    /// Entries that a limit left out.
    pub n_entries_cut: u32,
    /// Lines, or names within entries, that a limit left out.
    pub n_lines_cut: u32,
    /// What whoever plans should know of it.
    #[schemars(with = "Vec<String>")]
    pub notes: Vec<Safe>,
}

/// Where an entry comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EntryReceipt {
    /// What it is called: a path, the id of a module, contract or criterion, the title of a section.
    #[schemars(with = "String")]
    pub name: Safe,
    /// `task`, `repository`, `plan: FILE` or `derived: FACTS`.
    pub source: &'static str,
}

/// Where entries come from.
pub(super) mod source {
    pub(in super::super) const TASK: &str = "task";
    pub(in super::super) const REPOSITORY: &str = "repository";
    pub(in super::super) const NEW_FILE: &str = "repository: no such file yet";
    pub(in super::super) const MODULES: &str = "plan: modules.json";
    pub(in super::super) const ARCHITECTURE: &str = "plan: ARCHITECTURE.md";
    pub(in super::super) const CONTRACTS: &str = "plan: api_contracts.json";
    pub(in super::super) const SYMBOLS: &str = "plan: symbols.json";
    pub(in super::super) const TEST_MAP: &str = "plan: test_map.json";
    pub(in super::super) const SCARS: &str = "plan: SCARS.md";
    pub(in super::super) const ACCEPTANCE: &str = "plan: ACCEPTANCE_MASTER.md";
    pub(in super::super) const STATE: &str = "plan: STATE.md";
    pub(in super::super) const DECISIONS: &str = "plan: DECISION_LOG.md";
    pub(in super::super) const PLAN: &str = "plan: PLAN.md";
    pub(in super::super) const RULE: &str = "rule of the format";
    pub(in super::super) const PACKAGES: &str = "derived: packages";
    pub(in super::super) const USES: &str = "derived: uses";
    pub(in super::super) const TESTS: &str = "derived: tests";
    /// All of them.
    pub(super) const ALL: [&str; 17] = [
        TASK,
        REPOSITORY,
        NEW_FILE,
        MODULES,
        ARCHITECTURE,
        CONTRACTS,
        SYMBOLS,
        TEST_MAP,
        SCARS,
        ACCEPTANCE,
        STATE,
        DECISIONS,
        PLAN,
        RULE,
        PACKAGES,
        USES,
        TESTS,
    ];
}

/// The receipt of a slot that is being filled, with what masks the names and notes in it.
#[derive(Debug)]
pub(super) struct SlotDraft<'m> {
    pub(super) masker: &'m Masker,
    pub(super) receipt: SlotReceipt,
}

impl<'m> SlotDraft<'m> {
    pub(super) fn of(masker: &'m Masker, slot: &'static str) -> Self {
        Self { masker, receipt: SlotReceipt { slot, ..SlotReceipt::default() } }
    }

    pub(super) fn add(&mut self, name: &str, source: &'static str) {
        self.receipt.entries.push(EntryReceipt { name: self.masker.name(name), source });
    }

    pub(super) fn note(&mut self, note: impl AsRef<str>) {
        self.receipt.notes.push(self.masker.line(note.as_ref()));
    }

    /// Says that a limit left out entries.
    pub(super) fn cut_entries(&mut self, number: usize) {
        self.receipt.n_entries_cut += number as u32;
    }

    /// Says that a limit left out lines, or names within entries.
    pub(super) fn cut_lines(&mut self, number: usize) {
        self.receipt.n_lines_cut += number as u32;
    }
}

impl WorkerReceipt {
    /// The receipt of the packet of a task.
    pub(super) fn new(task: Safe, slots: Vec<SlotReceipt>, redactions: BTreeMap<String, u32>) -> Self {
        let mut receipt =
            Self { schema: SCHEMA, receipt_id: String::new(), task, slots, redactions, decisions: decisions::of("worker") };
        context::packet::identify(&mut receipt, |receipt| &mut receipt.receipt_id);
        receipt
    }

    /// One JSON object, indented, with a line feed at the end.
    pub fn json(&self) -> String {
        context::packet::json(self)
    }
}

/// The masks of a text by kind. A file that quotes a mask counts as masked.
pub(super) fn redactions(text: &str) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    for (at, _) in text.match_indices(MASK) {
        let kind = text[at + MASK.len()..].split(']').next().unwrap_or_default();
        if !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
            *found.entry(kind.to_owned()).or_default() += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_counted_by_kind() {
        let text = "a [REDACTED:jwt] b [REDACTED:jwt][REDACTED:github-token] [REDACTED: [REDACTED:X]";
        let expected = BTreeMap::from([("github-token".to_owned(), 1), ("jwt".to_owned(), 2)]);
        assert_eq!(redactions(text), expected);
    }
}
