//! The rules that hold for the values of a packet, whichever form it has.

use super::layout::Field;
use super::text::VERIFIED_MARK;
use super::{DONE_WORDS, Phase, PhasePacket, Progress, scope};
use redact::{Masker, escape, without_masks};
use repo::RepoPath;

/// The most files of a phase: more is not a step but a sweep.
const MAX_FILES: usize = 2_000;

/// The rules that hold between fields.
pub(super) const BETWEEN_FIELDS: [&str; 4] = ["scope-restriction", "files-before-phase", "phase-order", "test-fields-before-red"];

/// The rules that are broken, by the order of their fields: field, rule, and what is wrong and expected.
pub(super) fn broken(masker: &Masker, packet: &PhasePacket) -> Vec<(Field, &'static str, String)> {
    let mut found = Vec::new();
    for field in Field::all() {
        let mut add = |rule: &'static str, message: String| found.push((field, rule, message));
        for text in texts(packet, field).into_iter().take(MAX_FILES) {
            of_text(masker, text, field, &mut add);
        }
        of_field(packet, field, &mut add);
    }
    found
}

/// The texts of a field.
fn texts(packet: &PhasePacket, field: Field) -> Vec<&str> {
    let (task, feature, state) = (&packet.task, &packet.feature, &packet.accumulated_state);
    match field {
        Field::TaskId => vec![&task.task_id],
        Field::SubtaskId => task.subtask_id.as_deref().into_iter().collect(),
        Field::ParentTitle => vec![&task.parent_title],
        Field::ParentDescription => vec![&task.parent_description],
        Field::ParentTestStrategy => task.parent_test_strategy.as_deref().into_iter().collect(),
        Field::Description => vec![&feature.description],
        // Not a text but one of a few words.
        Field::TestType | Field::TypeSource => Vec::new(),
        Field::ScopeRestriction => vec![&feature.scope_restriction],
        Field::ChangedFiles(phase) => state.changed_files.get(phase).iter().flatten().map(String::as_str).collect(),
        Field::PhaseHistory(phase) => vec![&state.phase_history.get(phase).status],
        Field::TestCommand => state.test_command.as_deref().into_iter().collect(),
        Field::TestFile => state.test_file.as_deref().into_iter().collect(),
        Field::TestIntent => state.test_intent.as_deref().into_iter().collect(),
    }
}

/// What holds for every text.
fn of_text(masker: &Masker, text: &str, field: Field, add: &mut impl FnMut(&'static str, String)) {
    let max = field.about().max;
    if text.trim().is_empty() {
        add("empty-field", "expected a text that is not empty".to_owned());
    }
    if text.chars().nth(max).is_some() {
        add("too-long", format!("expected at most {max} characters"));
        // Nothing else is looked for in what is far too long.
        return;
    }
    if escape::text(text) != text {
        add("hidden-character", "expected no control, invisible or reordering character".to_owned());
    }
    if masker.text("", text) != text {
        add("secret", "expected no secret; this looks like one".to_owned());
    }
}

/// What holds for a field.
fn of_field(packet: &PhasePacket, field: Field, add: &mut impl FnMut(&'static str, String)) {
    let state = &packet.accumulated_state;
    match field {
        Field::TaskId => of_id(&packet.task.task_id, add),
        Field::SubtaskId => {
            if let Some(id) = &packet.task.subtask_id {
                of_id(id, add);
            }
        }
        Field::ScopeRestriction => {
            let task = &packet.task;
            if packet.feature.scope_restriction != scope(&task.task_id, task.subtask_id.as_deref()) {
                let what = if task.subtask_id.is_some() { "subtask" } else { "task" };
                let message = format!(
                    "expected `{}` with the id of the {what} above",
                    scope("ID", task.subtask_id.as_deref().map(|_| "ID"))
                );
                add("scope-restriction", message);
            }
        }
        Field::ChangedFiles(phase) => of_files(packet, phase, add),
        Field::PhaseHistory(phase) => of_history(packet, phase, add),
        Field::TestCommand | Field::TestFile | Field::TestIntent => {
            let text = match field {
                Field::TestCommand => &state.test_command,
                Field::TestFile => &state.test_file,
                _ => &state.test_intent,
            };
            if text.is_some() && packet.progress(Phase::Red) == Progress::Pending {
                add("test-fields-before-red", "expected `pending` until RED has begun".to_owned());
            }
            if let Some(path) = text.as_deref().filter(|_| field == Field::TestFile) {
                of_path(path, add);
            }
        }
        _ => {}
    }
}

/// An id stands in the sentence of the scope, so it must be a word and nothing that could go on as a sentence.
fn of_id(id: &str, add: &mut impl FnMut(&'static str, String)) {
    if without_masks(id) != id {
        return add("id", "expected an id without a secret; what looked like one was masked in it".to_owned());
    }
    let is_word = id.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '#' | ':' | '/'));
    if !is_word || super::fold::UNSET.contains(&id) {
        add("id", "expected letters, digits and `.`, `_`, `-`, `#`, `:`, `/`, and not `none` or `pending`".to_owned());
    }
}

fn of_path(path: &str, add: &mut impl FnMut(&'static str, String)) {
    if let Err(why) = RepoPath::new(path) {
        add("file-path", format!("expected the path of a file from the root of the repository; this is {why}"));
    } else if escape::name(path) != path {
        add("file-path", "expected a path without control, invisible or reordering characters".to_owned());
    }
}

fn of_files(packet: &PhasePacket, phase: Phase, add: &mut impl FnMut(&'static str, String)) {
    let Some(files) = packet.accumulated_state.changed_files.get(phase) else { return };
    if packet.progress(phase) == Progress::Pending {
        add("files-before-phase", format!("expected `pending`, for {} has not begun", phase.name()));
    }
    if files.len() > MAX_FILES {
        add("too-many-files", format!("expected at most {MAX_FILES} files"));
        return;
    }
    let mut sorted: Vec<&String> = files.iter().collect();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| matches!(pair, [first, second] if first == second)) {
        add("duplicate-file", "expected each file once".to_owned());
    }
    for path in files {
        of_path(path, add);
    }
}

fn of_history(packet: &PhasePacket, phase: Phase, add: &mut impl FnMut(&'static str, String)) {
    let history = packet.accumulated_state.phase_history.get(phase);
    let progress = packet.progress(phase);
    if history.status.contains(VERIFIED_MARK) {
        add("status", format!("expected no `{VERIFIED_MARK}` in the status itself"));
    }
    match history.orchestrator_verified {
        None if phase.is_verified() => add("verified", format!("expected whether the orchestrator verified {}", phase.name())),
        Some(_) if !phase.is_verified() => {
            add("verified", format!("expected nothing: only RED, GREEN and REFACTOR are verified, not {}", phase.name()));
        }
        Some(true) if progress == Progress::Pending => {
            add("verified", format!("expected `no`, for {} has not begun", phase.name()));
        }
        _ => {}
    }
    let missing = not_done_before(packet, phase);
    if progress != Progress::Pending && !missing.is_empty() {
        add("phase-order", format!("{} has begun and is behind {}", phase.name(), waiting_for(&missing)));
    }
}

/// The phases before one that are not done.
pub(super) fn not_done_before(packet: &PhasePacket, phase: Phase) -> Vec<Phase> {
    Phase::ALL.into_iter().filter(|before| *before < phase && packet.progress(*before) != Progress::Done).collect()
}

/// Why a phase cannot begin for lack of a verified one before it: what is made simpler must be seen to pass before.
pub(super) fn unverified_before(packet: &PhasePacket, phase: Phase) -> Option<String> {
    let waits_for = phase.waits_for_verified()?;
    let is_verified = packet.accumulated_state.phase_history.get(waits_for).orchestrator_verified == Some(true);
    let (name, before) = (phase.name(), waits_for.name());
    (!is_verified).then(|| {
        format!(
            "{name} waits for a verified {before}, and the orchestrator has not verified it; see for yourself that its tests pass, then \
             say so: `--phase {before} --verified yes`"
        )
    })
}

/// What has to happen to these phases first.
pub(super) fn waiting_for(phases: &[Phase]) -> String {
    let names: Vec<&str> = phases.iter().map(|phase| phase.name()).collect();
    let (is, words) = (if names.len() == 1 { "is" } else { "are" }, DONE_WORDS.join(", "));
    format!("{}, which {is} not done; the status of a phase that is done begins with one of {words}", names.join(", "))
}
