//! The kinds of session items: which section each belongs to, and whether it enters by itself.

use crate::atoms::named;
use crate::sections::Section;

named! {
    /// What a session item is.
    pub enum ItemKind {
        /// An error of a tool.
        Error = "error",
        /// A warning of a tool.
        Warning = "warning",
        /// A remark of a tool.
        Note = "note",
        /// A failing test.
        FailingTest = "failing_test",
        /// The state of the tests as a whole.
        TestState = "test_state",
        /// What a reviewer or tester found.
        Finding = "finding",
        /// An alert about a dangerous pattern.
        SafetyWarning = "safety_warning",
        /// An action that must not be taken.
        BlockedAction = "blocked_action",
        /// What is special about a piece of code: generated, unsafe, deprecated.
        CodeNote = "code_note",
        /// The current branch.
        Branch = "branch",
        /// An uncommitted change.
        WorkingChange = "working_change",
        /// A past commit.
        Commit = "commit",
        /// A compressed earlier turn.
        History = "history",
        /// Phase, goal, dependency or requirement of the campaign.
        Campaign = "campaign",
        /// The result of another shard.
        ShardResult = "shard_result",
        /// A recent action of the session.
        Action = "action",
        /// A fact of the domain.
        Knowledge = "knowledge",
        /// A suggestion for this task.
        Hint = "hint",
        /// Code to follow.
        Exemplar = "exemplar",
        /// A mistake to avoid.
        AntiPattern = "anti_pattern",
        /// A tool that exists already.
        Tool = "tool",
    }
}

impl ItemKind {
    /// The section that shows such items.
    pub const fn section(self) -> Section {
        match self {
            Self::Error | Self::Warning | Self::Note | Self::FailingTest | Self::TestState => Section::Blockers,
            Self::Finding | Self::SafetyWarning | Self::BlockedAction => Section::Supervisor,
            Self::CodeNote => Section::Neighbourhood,
            Self::Branch | Self::WorkingChange | Self::Commit | Self::History => Section::Past,
            Self::Campaign => Section::Campaign,
            Self::ShardResult | Self::Action => Section::Peers,
            Self::Knowledge | Self::Hint | Self::Exemplar | Self::AntiPattern => Section::Expert,
            Self::Tool => Section::Toolbox,
        }
    }

    /// Whether such an item enters without touching an active node: what holds for the session as a whole does.
    pub const fn always_on(self) -> bool {
        match self {
            Self::Error
            | Self::Warning
            | Self::FailingTest
            | Self::TestState
            | Self::SafetyWarning
            | Self::BlockedAction
            | Self::Branch
            | Self::WorkingChange
            | Self::History
            | Self::Campaign
            | Self::Action => true,
            Self::Note
            | Self::Finding
            | Self::CodeNote
            | Self::Commit
            | Self::ShardResult
            | Self::Knowledge
            | Self::Hint
            | Self::Exemplar
            | Self::AntiPattern
            | Self::Tool => false,
        }
    }
}
