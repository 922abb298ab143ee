//! The phase packet: what every phase of a task is told, assembled once; only what the phases leave behind may change in it.
//!
//! One value with two encodings: Markdown for prompts and JSON for programs.

mod fold;
mod layout;
mod text;

mod read;
mod rules;

mod against;
mod receipt;
mod test_type;
mod update;

#[cfg(test)]
mod tests;

pub use against::{Mode, against};
pub use layout::{MAX_LINES, MAX_TEXT, MAX_TITLE};
pub use read::{Form, Read, is_phase, read, validate};
pub use receipt::{Weighed, receipt};
pub use test_type::TestFiles;
pub use update::{Refusal, Update};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the JSON form.
pub const SCHEMA: &str = "activate.phase.v1";

/// The status of a phase that has not begun.
pub const PENDING: &str = "pending";

/// First words of a status that say that its phase is over. Whatever else it says, the next phase has to wait.
pub const DONE_WORDS: [&str; 6] = ["done", "complete", "completed", "passed", "approved", "skipped"];

/// What every phase of a task is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhasePacket {
    /// Name and version of this form: `activate.phase.v1`.
    pub schema: String,
    /// The task and the part of it at hand; never changed.
    pub task: Task,
    /// What is to be built; never changed.
    pub feature: Feature,
    /// What the phases left behind, changed between them.
    pub accumulated_state: Accumulated,
}

/// A task and the part of it at hand.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Id of the parent task.
    pub task_id: String,
    /// Id of the subtask at hand; none for a task without parts.
    pub subtask_id: Option<String>,
    /// Title of the parent task.
    pub parent_title: String,
    /// Description of the parent task.
    pub parent_description: String,
    /// How the parent task is to be tested.
    pub parent_test_strategy: Option<String>,
}

/// What is to be built.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// The feature in the user's words.
    pub description: String,
    /// Which tests are to be written.
    pub test_type: TestType,
    /// Who said so.
    pub type_source: TypeSource,
    /// What must be left alone; follows from the ids.
    pub scope_restriction: String,
}

/// Which tests are to be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TestType {
    /// Tests of one part by itself.
    #[default]
    Unit,
    /// Tests of parts together.
    Integration,
    /// Tests of both sorts.
    Both,
}

/// Who said which tests are to be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TypeSource {
    /// A directive of the project.
    Directive,
    /// The task.
    TaskMaster,
    /// The tests that the repository has.
    Heuristics,
    /// The user.
    #[default]
    User,
}

/// What the phases left behind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accumulated {
    /// Repository paths that each phase changed, in the order in which they were told; none while the phase is pending.
    pub changed_files: ByPhase<Option<Vec<String>>>,
    /// How far each phase is.
    pub phase_history: ByPhase<History>,
    /// The exact command that runs the tests of the feature; set from RED on.
    pub test_command: Option<String>,
    /// Repository path of these tests; set from RED on.
    pub test_file: Option<String>,
    /// What these tests are to show; set from RED on, for GREEN.
    pub test_intent: Option<String>,
}

/// How far a phase is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// `pending`, or what was reported; `done` and its like at its beginning say that the phase is over.
    pub status: String,
    /// Whether the orchestrator saw for itself; only RED, GREEN and REFACTOR have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orchestrator_verified: Option<bool>,
}

impl Default for History {
    fn default() -> Self {
        Self { status: PENDING.to_owned(), orchestrator_verified: None }
    }
}

/// A phase; the order is that in which they are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Tests that fail are written.
    Red,
    /// They are made to pass.
    Green,
    /// The code is made simpler.
    Refactor,
    /// The code is reviewed.
    CodeReview,
    /// The architecture is reviewed.
    ArchReview,
    /// The change is documented.
    Docs,
}

/// Something for each phase.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "each is for the phase of its name")]
pub struct ByPhase<T> {
    pub red: T,
    pub green: T,
    pub refactor: T,
    pub code_review: T,
    pub arch_review: T,
    pub docs: T,
}

/// How far a status says that its phase is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It has not begun.
    Pending,
    /// It has begun and is not over.
    Begun,
    /// It is over.
    Done,
}

impl PhasePacket {
    /// The packet of a task before its first phase.
    pub fn new(task: Task, description: String, test_type: TestType, type_source: TypeSource) -> Self {
        let scope_restriction = scope(&task.task_id, task.subtask_id.as_deref());
        let feature = Feature { description, test_type, type_source, scope_restriction };
        let mut accumulated_state = Accumulated::default();
        for phase in Phase::ALL.into_iter().filter(|phase| phase.is_verified()) {
            accumulated_state.phase_history.get_mut(phase).orchestrator_verified = Some(false);
        }
        Self { schema: SCHEMA.to_owned(), task, feature, accumulated_state }
    }

    /// One JSON object, indented, with a line feed at the end.
    pub fn json(&self) -> String {
        super::json(self)
    }

    /// How far a phase is.
    pub fn progress(&self, phase: Phase) -> Progress {
        progress(&self.accumulated_state.phase_history.get(phase).status)
    }

    /// The last phase that has begun.
    pub fn current(&self) -> Option<Phase> {
        Phase::ALL.into_iter().rev().find(|phase| self.progress(*phase) != Progress::Pending)
    }
}

/// The sentence that says what must be left alone.
fn scope(task_id: &str, subtask_id: Option<&str>) -> String {
    match subtask_id {
        Some(id) => format!("Work ONLY on subtask {id}. Do NOT implement other subtasks."),
        None => format!("Work ONLY on task {task_id}. Do NOT implement other tasks."),
    }
}

/// How far a status says that its phase is, by its first word in any case.
pub fn progress(status: &str) -> Progress {
    let status = status.trim_start();
    let first = status.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if first.eq_ignore_ascii_case(PENDING) {
        Progress::Pending
    } else if DONE_WORDS.iter().any(|word| first.eq_ignore_ascii_case(word)) {
        Progress::Done
    } else {
        Progress::Begun
    }
}

impl Phase {
    /// All, in their order.
    pub const ALL: [Self; 6] = [Self::Red, Self::Green, Self::Refactor, Self::CodeReview, Self::ArchReview, Self::Docs];

    /// Its name in packets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => "RED",
            Self::Green => "GREEN",
            Self::Refactor => "REFACTOR",
            Self::CodeReview => "CODE_REVIEW",
            Self::ArchReview => "ARCH_REVIEW",
            Self::Docs => "DOCS",
        }
    }

    /// The phase of a name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.name().eq_ignore_ascii_case(name))
    }

    /// The phase that must be verified before this one begins: tests must be seen to pass before code is made simpler under them. Of other
    /// phases the format asks for no more than that they are done.
    pub const fn waits_for_verified(self) -> Option<Self> {
        match self {
            Self::Refactor => Some(Self::Green),
            _ => None,
        }
    }

    /// Whether the orchestrator verifies it: tests can be run, reviews cannot.
    pub const fn is_verified(self) -> bool {
        matches!(self, Self::Red | Self::Green | Self::Refactor)
    }
}

impl<T> ByPhase<T> {
    /// That of a phase.
    pub const fn get(&self, phase: Phase) -> &T {
        match phase {
            Phase::Red => &self.red,
            Phase::Green => &self.green,
            Phase::Refactor => &self.refactor,
            Phase::CodeReview => &self.code_review,
            Phase::ArchReview => &self.arch_review,
            Phase::Docs => &self.docs,
        }
    }

    /// That of a phase, to be changed.
    pub const fn get_mut(&mut self, phase: Phase) -> &mut T {
        match phase {
            Phase::Red => &mut self.red,
            Phase::Green => &mut self.green,
            Phase::Refactor => &mut self.refactor,
            Phase::CodeReview => &mut self.code_review,
            Phase::ArchReview => &mut self.arch_review,
            Phase::Docs => &mut self.docs,
        }
    }
}

impl TestType {
    /// All.
    pub const ALL: [Self; 3] = [Self::Unit, Self::Integration, Self::Both];

    /// Its name in packets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::Integration => "integration",
            Self::Both => "both",
        }
    }
}

impl TypeSource {
    /// All.
    pub const ALL: [Self; 4] = [Self::Directive, Self::TaskMaster, Self::Heuristics, Self::User];

    /// Its name in packets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Directive => "directive",
            Self::TaskMaster => "task-master",
            Self::Heuristics => "heuristics",
            Self::User => "user",
        }
    }
}
