//! The lines of the text form in their order, and what is known of each field: the one table that printer, reader and rules share.

use super::Phase;

/// The line before the packet.
pub(super) const START: &str = "--- Context Packet ---";
/// The line behind it.
pub(super) const END: &str = "--- End Context Packet ---";
/// The title, by which a packet without its delimiters is still known.
pub(super) const TITLE: &str = "## Context Packet";

/// The most characters of an id: those of trackers have ten.
const MAX_ID: usize = 100;
/// The most characters of a title: a line.
pub const MAX_TITLE: usize = 500;
/// The most characters of a text: some pages, which every phase reads again.
pub const MAX_TEXT: usize = 8_000;
/// The most characters of a status or a command: some lines.
pub const MAX_LINES: usize = 2_000;
/// The most characters of a path, as everywhere.
const MAX_PATH: usize = 4_096;

/// A line of the text form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// A line that is always the same; with the rule that its lack breaks.
    Fixed(&'static str, &'static str),
    /// A line with a value.
    Value(Field),
}

/// A field of the packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    TaskId,
    SubtaskId,
    ParentTitle,
    ParentDescription,
    ParentTestStrategy,
    Description,
    TestType,
    TypeSource,
    ScopeRestriction,
    ChangedFiles(Phase),
    PhaseHistory(Phase),
    TestCommand,
    TestFile,
    TestIntent,
}

const DELIMITER: &str = "delimiter";
const STRUCTURE: &str = "structure";

/// All lines in their order.
pub(super) const ROWS: [Row; 35] = {
    use Field::{ChangedFiles, PhaseHistory};
    use Phase::{ArchReview, CodeReview, Docs, Green, Red, Refactor};
    use Row::{Fixed, Value};
    [
        Fixed(START, DELIMITER),
        Fixed(TITLE, STRUCTURE),
        Fixed("", STRUCTURE),
        Fixed("### Task", STRUCTURE),
        Value(Field::TaskId),
        Value(Field::SubtaskId),
        Value(Field::ParentTitle),
        Value(Field::ParentDescription),
        Value(Field::ParentTestStrategy),
        Fixed("", STRUCTURE),
        Fixed("### Feature", STRUCTURE),
        Value(Field::Description),
        Value(Field::TestType),
        Value(Field::TypeSource),
        Value(Field::ScopeRestriction),
        Fixed("", STRUCTURE),
        Fixed("### Accumulated State (updated by orchestrator between phases)", STRUCTURE),
        Fixed("- Changed files:", STRUCTURE),
        Value(ChangedFiles(Red)),
        Value(ChangedFiles(Green)),
        Value(ChangedFiles(Refactor)),
        Value(ChangedFiles(CodeReview)),
        Value(ChangedFiles(ArchReview)),
        Value(ChangedFiles(Docs)),
        Fixed("- Phase history:", STRUCTURE),
        Value(PhaseHistory(Red)),
        Value(PhaseHistory(Green)),
        Value(PhaseHistory(Refactor)),
        Value(PhaseHistory(CodeReview)),
        Value(PhaseHistory(ArchReview)),
        Value(PhaseHistory(Docs)),
        Value(Field::TestCommand),
        Value(Field::TestFile),
        Value(Field::TestIntent),
        Fixed(END, DELIMITER),
    ]
};

/// What is known of a field.
pub(super) struct About {
    /// What its line begins with, without the space before the value.
    pub(super) label: &'static str,
    /// Its place in the JSON form; for a field of phases that of all of them.
    json: &'static str,
    /// The rule that is broken where it differs and must not.
    pub(super) changed: &'static str,
    /// The most characters of a text in it.
    pub(super) max: usize,
}

impl Field {
    /// All, in their order.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().filter_map(|row| match row {
            Row::Value(field) => Some(*field),
            Row::Fixed(..) => None,
        })
    }

    /// Whether it never changes.
    pub(super) const fn is_constant(self) -> bool {
        matches!(
            self,
            Self::TaskId
                | Self::SubtaskId
                | Self::ParentTitle
                | Self::ParentDescription
                | Self::ParentTestStrategy
                | Self::Description
                | Self::TestType
                | Self::TypeSource
                | Self::ScopeRestriction
        )
    }

    /// Its place in the JSON form: `accumulated_state.phase_history.RED`.
    pub(super) fn json_place(self) -> String {
        let place = self.about().json;
        match self {
            Self::ChangedFiles(phase) | Self::PhaseHistory(phase) => format!("{place}.{}", phase.name()),
            _ => place.to_owned(),
        }
    }

    /// What is known of it.
    pub(super) const fn about(self) -> About {
        const fn about(label: &'static str, json: &'static str, changed: &'static str, max: usize) -> About {
            About { label, json, changed, max }
        }
        match self {
            Self::TaskId => about("- Task ID:", "task.task_id", "changed-task-id", MAX_ID),
            Self::SubtaskId => about("- Subtask ID:", "task.subtask_id", "changed-subtask-id", MAX_ID),
            Self::ParentTitle => about("- Parent title:", "task.parent_title", "changed-parent-title", MAX_TITLE),
            Self::ParentDescription => {
                about("- Parent description:", "task.parent_description", "changed-parent-description", MAX_TEXT)
            }
            Self::ParentTestStrategy => {
                about("- Parent testStrategy:", "task.parent_test_strategy", "changed-parent-test-strategy", MAX_TEXT)
            }
            Self::Description => about("- Description:", "feature.description", "changed-description", MAX_TEXT),
            Self::TestType => about("- Test type:", "feature.test_type", "changed-test-type", MAX_ID),
            Self::TypeSource => about("- Type source:", "feature.type_source", "changed-type-source", MAX_ID),
            Self::ScopeRestriction => {
                about("- Scope restriction:", "feature.scope_restriction", "changed-scope-restriction", MAX_TITLE)
            }
            Self::ChangedFiles(phase) => about(phase_label(phase), "accumulated_state.changed_files", "changed-files", MAX_PATH),
            Self::PhaseHistory(phase) => {
                about(phase_label(phase), "accumulated_state.phase_history", "changed-history", MAX_LINES)
            }
            Self::TestCommand => about("- Test command:", "accumulated_state.test_command", "changed-test-command", MAX_LINES),
            Self::TestFile => about("- Test file:", "accumulated_state.test_file", "changed-test-file", MAX_PATH),
            Self::TestIntent => about("- TestIntent:", "accumulated_state.test_intent", "changed-test-intent", MAX_TEXT),
        }
    }
}

/// What the line of a phase begins with, in both lists.
const fn phase_label(phase: Phase) -> &'static str {
    match phase {
        Phase::Red => "  - RED:",
        Phase::Green => "  - GREEN:",
        Phase::Refactor => "  - REFACTOR:",
        Phase::CodeReview => "  - CODE_REVIEW:",
        Phase::ArchReview => "  - ARCH_REVIEW:",
        Phase::Docs => "  - DOCS:",
    }
}
