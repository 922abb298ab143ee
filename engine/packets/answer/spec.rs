//! What is wanted of a packet: its kind, how much it may hold, what the caller calls it.

use crate::context_pack::{ContextPackBudgets, TrustPolicy};
use crate::manifest::{Mode, PackBudgets, Part};
use context::budget::{Budget, CEILING, DEFAULT, LINE_NUMBERS};
use serde::{Deserialize, Serialize};
use tokens::{Tokenizer, Tokens};

/// The kind of a packet that is made from an activation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Eight sections.
    #[default]
    Session,
    /// Few short items with references.
    ContextPack,
    /// Places for whoever reads by itself.
    Manifest,
    /// The same with their text.
    Hydrated,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Session, Self::ContextPack, Self::Manifest, Self::Hydrated];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::ContextPack => "context-pack",
            Self::Manifest => "manifest",
            Self::Hydrated => "hydrated",
        }
    }

    /// The most tokens where nobody says.
    pub fn default_tokens(self) -> u32 {
        match self {
            Self::ContextPack => ContextPackBudgets::default().budget_tokens,
            Self::Session => DEFAULT.0,
            Self::Manifest | Self::Hydrated => CEILING.0,
        }
    }
}

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PacketSpec {
    /// The kind of packet.
    pub kind: Kind,
    /// The most tokens of what is written, or of `bundle_text` of a context pack.
    pub tokens: u32,
    /// Who counts.
    pub tokenizer: Tokenizer,
    /// Every how many lines of code have their numbers; none do at 0.
    #[serde(default = "line_numbers")]
    pub line_numbers: u32,
    /// The most items of a context pack.
    pub max_items: u32,
    /// What a manifest may point at. Its depth and seeds are those of the request.
    pub budgets: PackBudgets,
    /// Parts that a manifest has beside what is active.
    pub include: Vec<Part>,
    /// Parts that a manifest leaves out.
    pub drop: Vec<Part>,
    /// Whether a manifest pins the requirements and what agents are told by itself.
    #[serde(default = "auto_pins")]
    pub auto_pins: bool,
    /// What a context pack does about what strangers wrote.
    pub trust: TrustPolicy,
    /// What the caller limits the task to: its own words.
    pub scope: Option<String>,
    /// The caller's names.
    pub names: Names,
    /// The time as the caller gives it; that of the last commit if none.
    pub now: Option<String>,
    /// Whether a receipt is wanted.
    pub receipt: bool,
}

impl PacketSpec {
    /// A packet of a kind, with everything else as it is by default.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            tokens: kind.default_tokens(),
            tokenizer: Tokenizer::default(),
            line_numbers: LINE_NUMBERS,
            max_items: ContextPackBudgets::default().max_items,
            budgets: PackBudgets::default(),
            include: Vec::new(),
            drop: Vec::new(),
            auto_pins: true,
            trust: TrustPolicy::default(),
            scope: None,
            names: Names::default(),
            now: None,
            receipt: false,
        }
    }

    /// What a session packet may hold.
    pub fn budget(&self) -> Budget {
        Budget { total: Tokens(self.tokens), tokenizer: self.tokenizer, line_numbers: self.line_numbers }
    }
}

fn line_numbers() -> u32 {
    LINE_NUMBERS
}

fn auto_pins() -> bool {
    true
}

/// What the caller calls the pack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// The task.
    pub task_id: Option<String>,
    /// The run.
    pub run_id: Option<String>,
}

/// How a pack is made.
#[derive(Debug, Clone)]
pub struct How<'a> {
    /// Whether it holds text.
    pub mode: Mode,
    /// Its names.
    pub names: &'a Names,
    /// Parts that are added.
    pub include: &'a [Part],
    /// Parts that are left out.
    pub drop: &'a [Part],
    /// Whether it pins the requirements and what agents are told by itself.
    pub auto_pins: bool,
    /// What it may hold.
    pub budgets: PackBudgets,
    /// Who counts.
    pub tokenizer: Tokenizer,
}
