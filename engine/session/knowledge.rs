//! What a session knows beyond its turns: facts of the domain, suggestions, and tools that exist.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The greatest confidence, and that of a fact that does not state one.
pub const CERTAIN: u16 = 1000;

/// A fact of the domain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeAtom {
    /// The fact, one sentence, e.g. `bcrypt cost must be at least 12`.
    pub text: String,
    /// What it is about: a path, a symbol or a word; it is shown when the task touches it.
    #[serde(default)]
    pub topic: Option<String>,
    /// How sure it is, in thousandths from 0 to 1000; the least sure is left out first.
    #[serde(default = "certain")]
    #[schemars(range(min = 0, max = 1000))]
    pub confidence: u16,
    /// Whether it is shown whatever the task is.
    #[serde(default)]
    pub always: bool,
}

/// A suggestion for this task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecialistHint {
    /// The suggestion, one sentence, e.g. `The auth service signs with RS256, not HS256`.
    pub text: String,
    /// Code to follow, e.g. `See internal/auth/keys.go for loading keys`.
    #[serde(default)]
    pub exemplars: Vec<String>,
    /// Mistakes to avoid, e.g. `Never store tokens in localStorage`.
    #[serde(default)]
    pub anti_patterns: Vec<String>,
    /// What it is about: a path, a symbol or a word. A hint without a topic is shown whatever the task is.
    #[serde(default)]
    pub topic: Option<String>,
}

/// A tool that exists already.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it does, one sentence.
    pub description: String,
    /// Where its program lies.
    pub binary_path: String,
    /// What it is about: a path, a symbol or a word. A tool without a topic is shown whatever the task is.
    #[serde(default)]
    pub topic: Option<String>,
}

/// The confidence of a fact that does not state one.
const fn certain() -> u16 {
    CERTAIN
}
