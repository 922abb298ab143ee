//! Runs cases, repositories side by side, and gives a row for each.
//!
//! Must not judge the figures, nor write anything.

use super::ask::Ready;
use super::baseline::Baseline;
use super::cases::{Case, Tier};
use super::chunks::Chunks;
use activate_rules::weights::Weights;
use engine::Options;
use error::Result;
use redact::Masker;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The budgets of the texts that are looked at, in tokens: from one passage to the default.
pub const BUDGETS: [u32; 5] = [500, 1_000, 2_000, 4_000, 8_000];

/// How many repositories are worked on at once: each holds a fact base and the words of its files.
pub(super) const N_WORKERS: usize = 2;

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

/// Where a repository is.
pub type Place<'a> = &'a (dyn Fn(&str) -> Result<PathBuf> + Sync);

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

/// Stands for all that a case's row depends on: the build, the weights, what is made, and the case.
pub fn fingerprint(evaluation: &Evaluation, case: &Case) -> String {
    let Evaluation { weights, with_body, budgets, options } = evaluation;
    // Numbers and texts can be written.
    let parts = (env!("ACTIVATE_SOURCES_HASH"), weights, with_body, budgets, &options.exclude, case);
    let text = serde_json::to_string(&parts).unwrap_or_default();
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
}

/// Runs all cases, repositories side by side, and gives their rows in the order of the cases; `done` is handed each row as it comes.
///
/// What goes wrong with a case stands in its row. Fails where a repository cannot be found.
///
/// # Errors
///
/// That a folder for work trees cannot be made; what goes wrong with one case stands in its row.
pub fn evaluate(cases: &[Case], evaluation: &Evaluation, place: Place<'_>, done: &(dyn Fn(&Row) + Sync)) -> Result<Vec<Row>> {
    let mut by_repo: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate() {
        by_repo.entry(&case.repo).or_default().push(at);
    }
    let mut work = Vec::new();
    for (repo, mut of_repo) in by_repo {
        // In order of time, neighbours share most of their files.
        of_repo.sort_by(|one, other| cases[*one].date.cmp(&cases[*other].date).then(one.cmp(other)));
        work.push((place(repo)?, of_repo));
    }
    // Large ones first, so that both workers end at about the same time.
    work.sort_by_key(|(_, of_repo)| of_repo.len());
    let work = Mutex::new(work);
    let rows = Mutex::new(vec![None; cases.len()]);
    let next = || work.lock().unwrap_or_else(PoisonError::into_inner).pop();
    std::thread::scope(|scope| {
        for _ in 0..N_WORKERS {
            scope.spawn(|| {
                while let Some((folder, of_repo)) = next() {
                    let (mut baseline, mut last) = ((Baseline::default(), Chunks::default()), None);
                    for at in of_repo {
                        let row = row(&cases[at], evaluation, &folder, &mut last, &mut baseline);
                        done(&row);
                        rows.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(row);
                    }
                }
            });
        }
    });
    Ok(rows.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect())
}

/// The row of a case; `last` is the case before it of the same repository, and then this one.
fn row(
    case: &Case,
    evaluation: &Evaluation,
    folder: &Path,
    last: &mut Option<Ready>,
    (baseline, chunks): &mut (Baseline, Chunks),
) -> Row {
    let mut row = Row::unanswered(case, &evaluation.budgets, fingerprint(evaluation, case));
    let opened = Ready::open(folder, case, evaluation, last.as_ref());
    let answered = opened.and_then(|ready| {
        let ready = last.insert(ready);
        let chunks = ready.chunks(case, &case.text(evaluation.with_body), &evaluation.budgets, chunks);
        for (budget, shown) in &mut row.shown {
            shown.lines.of = ready.n_changed();
            shown.chunk_lines = Share { hits: chunks.get(budget).copied().unwrap_or_default(), of: ready.n_changed() };
        }
        row.baseline = ready.baseline(case, &case.text(evaluation.with_body), baseline);
        if evaluation.with_body && !case.body.is_empty() {
            let subject = Evaluation { with_body: false, budgets: Vec::new(), ..evaluation.clone() };
            row.subject_ranks = Some(ready.answer(&row, case, &subject, &evaluation.weights)?.ranks);
        }
        ready.answer(&row, case, evaluation, &evaluation.weights)
    });
    // What the repository and the case give away is known as soon as it was opened, this time or for an earlier case.
    let masker = last.as_ref().map_or_else(Masker::knowing_nothing, |ready| ready.masker(&case.text(evaluation.with_body)));
    answered.unwrap_or_else(|error| Row { problem: Some(error.to_string()), ..row }).safe(&masker)
}
