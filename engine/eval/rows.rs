//! What is asked of cases, and the row that each becomes.

use super::cases::Tier;
use activate_rules::weights::Weights;
use engine::Options;
use redact::Masker;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The budgets of the texts that are looked at, in tokens: from one passage to the default.
pub const BUDGETS: [u32; 5] = [500, 1_000, 2_000, 4_000, 8_000];

/// What a run does with its cases.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// The numbers of the policy.
    pub weights: Weights,
    /// Whether the body of a case is part of the intent.
    pub with_body: bool,
    /// The budgets in tokens of which texts are made and looked at: [`BUDGETS`], or none.
    pub budgets: Vec<u32>,
    /// How repositories are opened. With a cache folder the facts of each case are kept for the next run.
    pub options: Options,
}

/// A part of a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Share {
    /// How many were found.
    pub hits: u32,
    /// Of how many.
    pub of: u32,
}

/// What the text of a budget shows of the gold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Shown {
    /// Tokens of the text.
    pub tokens: u32,
    /// Gold files that are named.
    pub paths: Share,
    /// Gold symbols whose file and name stand in it.
    pub symbols: Share,
    /// Lines that the change touches and that stand in it.
    pub lines: Share,
    /// Tokens of it that are code of gold files.
    pub gold_tokens: u32,
    /// Lines that the change touches and that the best chunks of plain text search show in as many tokens.
    pub chunk_lines: Share,
}

/// What became of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Row {
    /// The case.
    pub id: String,
    /// Its repository.
    pub repo: String,
    /// Its language.
    pub language: String,
    /// `named` or `described`.
    #[schemars(with = "String")]
    pub tier: Tier,
    /// Stands for all that the row depends on.
    pub fingerprint: String,
    /// The rank of each gold file among the listed source files, from 1.
    pub ranks: Vec<Option<u32>>,
    /// The rank of each gold file where the intent is asked without the body; none where there is no body, or it was not asked for.
    #[serde(default)]
    pub subject_ranks: Option<Vec<Option<u32>>>,
    /// The rank of each gold symbol among the listed symbols of source files.
    pub symbol_ranks: Vec<Option<u32>>,
    /// How many source files are listed.
    pub n_listed: u32,
    /// How sure the answer says it is: `strong`, `weak` or `none`.
    pub certainty: String,
    /// What texts show, by budget.
    pub shown: BTreeMap<u32, Shown>,
    /// The rank of each gold file in plain text search.
    pub baseline: Vec<Option<u32>>,
    /// The first source files of the list.
    pub top: Vec<String>,
    /// Why there is no answer, if there is none: it counts as nothing found.
    pub problem: Option<String>,
}

impl Row {
    /// The row with its texts as they may be shown: names and messages of repositories, of files of cases and of results hold secrets.
    pub(super) fn safe(self, masker: &Masker) -> Self {
        let name = |text: &str| masker.name(text).to_string();
        Self {
            id: name(&self.id),
            repo: name(&self.repo),
            language: name(&self.language),
            certainty: name(&self.certainty),
            top: self.top.iter().map(|path| name(path)).collect(),
            problem: self.problem.map(|problem| masker.line(&problem).to_string()),
            ..self
        }
    }
}
