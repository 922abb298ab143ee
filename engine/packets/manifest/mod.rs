//! The pack for tools that read by themselves: a manifest of places with why, hash and signals; hydrated, with their text.
//!
//! Every text of a repository is a [`Safe`]. Must not choose or cut: the places are chosen in `choose.rs`.

mod choose;

pub mod validate;

pub use choose::{Choice, Part, Place, PlaceTier, Wish, choose, n_lines};

use context::packet::resolution::IntentResolution;
use context::packet::session::{Points, ProblemPacket};
use redact::Safe;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the form below.
pub const SCHEMA: &str = "activate.pack.v1";

/// How much a pack may point at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackBudgets {
    /// The most files.
    pub max_files: u32,
    /// The most lines of all entries together.
    pub max_lines: u32,
    /// The most links between a seed and what it reaches.
    pub depth: u8,
    /// The most places at which words of the intent let activation start.
    pub topk: u32,
    /// The most tokens of the whole packet as it is written.
    pub max_tokens: u32,
}

impl Default for PackBudgets {
    /// As the packs' specification has them; tokens as a session packet.
    fn default() -> Self {
        let max_tokens = context::budget::CEILING.0;
        Self { max_files: 40, max_lines: 1_800, depth: 2, topk: 20, max_tokens }
    }
}

/// Whether a pack points at places or holds their text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It points at places, for whoever can read.
    Manifest,
    /// It holds their text as well.
    Hydrated,
}

/// A manifest or hydrated pack.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PackPacket {
    /// Name and version of this form: `activate.pack.v1`.
    pub schema: &'static str,
    /// Hash of the content in 32 hexadecimal digits.
    pub pack_id: String,
    /// The caller's name for the task.
    #[schemars(with = "Option<String>")]
    pub task_id: Option<Safe>,
    /// The caller's name for the run.
    #[schemars(with = "Option<String>")]
    pub run_id: Option<Safe>,
    /// Whether the entries hold their text.
    pub mode: Mode,
    /// What is to be done.
    #[schemars(with = "String")]
    pub intent: Safe,
    /// How sure it is what that is about; at most five of each list.
    pub aim: IntentResolution,
    /// What is in whatever the budget is, as the caller named it.
    #[schemars(with = "Vec<String>")]
    pub pinned_sources: Vec<Safe>,
    /// Places of files: pins first, then the best file first and its lines in order.
    pub file_entries: Vec<FileEntry>,
    /// What is known beside the code.
    pub signals: Signals,
    /// What held.
    pub budgets: PackBudgets,
    /// How much of the budgets is used, and what they left out.
    pub used: Used,
    /// Masked values in the lines of all entries, by kind.
    #[schemars(with = "BTreeMap<String, u32>")]
    pub redaction_stats: BTreeMap<Safe, u32>,
    /// What this pack does not know.
    pub problems: Vec<ProblemPacket>,
}

/// A place of a file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileEntry {
    /// Repository path.
    #[schemars(with = "String")]
    pub path: Safe,
    /// Why it is here.
    #[schemars(with = "String")]
    pub why: Safe,
    /// First and last line, from 1.
    pub range: (u32, u32),
    /// Hash of the whole file in 32 hexadecimal digits: another one means that the lines may be others.
    pub hash: String,
    /// Score in points; none for a pin.
    pub score: Option<Points>,
    /// `pinned`, `hot`, `warm`, or `linked` for tests and documents that were asked for.
    pub tier: &'static str,
    /// `trusted` for a pin, which the caller named; else where the text comes from: `tracked`, `untracked` or `generated`.
    pub trust: &'static str,
    /// Tokens of the lines.
    pub tokens: u32,
    /// The lines, redacted; hydrated packs only.
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Safe>,
}

/// What is known beside the code.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Signals {
    /// Tests that fail.
    #[schemars(with = "Vec<String>")]
    pub failing_tests: Vec<Safe>,
    /// What tools say: `severity:file:line:message`.
    #[schemars(with = "Vec<String>")]
    pub logs: Vec<Safe>,
    /// Files that differ from the last commit: how they differ, then the path.
    #[schemars(with = "Vec<String>")]
    pub diff_summary: Vec<Safe>,
    /// Commits that changed what is active, newest first.
    #[schemars(with = "Vec<String>")]
    pub recent_commits: Vec<Safe>,
    /// How many further signals were left out.
    pub n_left_out: u32,
}

/// How much of the budgets is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Used {
    /// Files of the entries.
    pub files: u32,
    /// Lines of the entries.
    pub lines: u32,
    /// Tokens of the lines.
    pub tokens: u32,
    /// Places that were active and did not fit.
    pub n_left_out: u32,
}

impl PackPacket {
    /// One JSON object, indented, with a line feed at the end.
    pub fn json(&self) -> String {
        super::json(self)
    }
}

impl FileEntry {
    /// The entry as a line for people: place, tier, score, tokens and why.
    pub fn line(&self) -> Safe {
        let (first, last) = self.range;
        let score = self.score.map_or_else(Safe::default, |score| Safe::format(" {}", &[&Safe::thousandths(score.0)]));
        let parts = [
            &self.path,
            &Safe::number(first),
            &Safe::number(last),
            &Safe::fixed(self.tier),
            &score,
            &Safe::number(self.tokens),
            &self.why,
        ];
        Safe::format("{}:{}-{} {}{} ({} tokens): {}", &parts)
    }
}
