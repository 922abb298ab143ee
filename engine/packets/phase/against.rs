//! Proves that a packet came back as it was sent, but for what may change between phases.
//!
//! Every forbidden change has a name.

use super::layout::Field;
use super::read::Read;
use super::rules::unverified_before;
use super::{Phase, PhasePacket, Progress};
use crate::validate::Violation;

/// What may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// What an update may change: files, history and test fields, and these only as an update would.
    Updated,
    /// Nothing: a subagent hands back what it was given.
    Identical,
}

/// The rules that `returned` breaks by itself, and then those that it breaks as a later state of `original`, which breaks none.
pub fn against(original: &Read<'_>, returned: &Read<'_>, mode: Mode) -> Vec<Violation> {
    let mut found = returned.violations.clone();
    let (Some(before), Some(after)) = (&original.packet, &returned.packet) else { return found };
    for field in Field::all() {
        let place = returned.place(field).unwrap_or_else(|| field.json_place());
        let mut add =
            |rule: &'static str, message: &str| found.push(Violation { rule, place: place.clone(), message: message.to_owned() });
        if mode == Mode::Identical || field.is_constant() {
            if original.line(field) != returned.line(field) {
                add(field.about().changed, "this is not what the original says; expected the same bytes");
            }
            continue;
        }
        match field {
            Field::ChangedFiles(phase) => files(before, after, phase, &mut add),
            Field::PhaseHistory(phase) => history(before, after, phase, &mut add),
            _ => {
                let is_unset = |packet: &PhasePacket| packet.line(field) == super::PENDING;
                if !is_unset(before) && is_unset(after) {
                    add(removed(field), "the original has a value here; it may be replaced, not taken away");
                }
            }
        }
    }
    // Two forms of one packet have no bytes in common.
    if found.is_empty() && mode == Mode::Identical && original.form == returned.form && original.block != returned.block {
        let message = "the bytes differ from those of the original; expected none to".to_owned();
        found.push(Violation { rule: "changed-bytes", place: "packet".to_owned(), message });
    }
    found
}

/// The rule that is broken where a test field loses its value.
const fn removed(field: Field) -> &'static str {
    match field {
        Field::TestCommand => "removed-test-command",
        Field::TestFile => "removed-test-file",
        _ => "removed-test-intent",
    }
}

/// Files are only appended, and only to the last phase that has begun and to those behind it.
fn files(before: &PhasePacket, after: &PhasePacket, phase: Phase, add: &mut impl FnMut(&'static str, &str)) {
    let list = |packet: &PhasePacket| packet.accumulated_state.changed_files.get(phase).clone();
    let (Some(old), new) = (list(before), list(after)) else {
        if list(after).is_some() && is_closed(before, phase) {
            add("late-file", "files were added to a phase that another one has followed");
        }
        return;
    };
    let new_files = new.as_deref().unwrap_or_default();
    let is_kept = old.iter().all(|path| new_files.contains(path));
    if !is_kept || new.is_none() {
        add("removed-file", "a file of the original is missing; files are appended, never taken away");
    } else if !new_files.starts_with(&old) {
        add("changed-files", "the files of the original stand in another order; new ones go to the end");
    } else if new_files.len() > old.len() && is_closed(before, phase) {
        add("late-file", "files were added to a phase that another one has followed");
    }
}

/// The history of a phase that another has followed stays; what has begun does not become pending again.
fn history(before: &PhasePacket, after: &PhasePacket, phase: Phase, add: &mut impl FnMut(&'static str, &str)) {
    let entry = |packet: &PhasePacket| packet.accumulated_state.phase_history.get(phase).clone();
    if before.progress(phase) != Progress::Pending && after.progress(phase) == Progress::Pending {
        add("removed-phase", "the phase has begun in the original and is pending or missing here");
    } else if entry(before) != entry(after) && is_closed(before, phase) {
        add("changed-history", "the phase was followed by another in the original; its history stays as it is");
    }
    let begins = before.progress(phase) == Progress::Pending && after.progress(phase) != Progress::Pending;
    if let Some(why) = unverified_before(after, phase).filter(|_| begins) {
        add("unverified", &why);
    }
}

/// Whether a phase is behind that which is current.
fn is_closed(packet: &PhasePacket, phase: Phase) -> bool {
    packet.current().is_some_and(|current| phase < current)
}
