//! Runs cases, repositories side by side, and gives a row for each.

use super::ask::Ready;
use super::baseline::Baseline;
use super::cases::Case;
use super::chunks::Chunks;
use super::rows::{Evaluation, Row, Share};
use error::Result;
use redact::Masker;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// How many repositories are worked on at once: each holds a fact base and the words of its files.
pub(super) const N_WORKERS: usize = 2;

/// Where a repository is.
pub type Place<'a> = &'a (dyn Fn(&str) -> Result<PathBuf> + Sync);

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
    each_case(cases, place, |case, folder, last: &mut LastCase| {
        let row = row(case, evaluation, folder, &mut last.ready, &mut last.searches);
        done(&row);
        row
    })
}

/// What is kept from one case of a repository for the next.
#[derive(Default)]
struct LastCase {
    ready: Option<Ready>,
    searches: (Baseline, Chunks),
}

/// Works on all cases, repositories side by side, and gives what comes out in the order of the cases; what is kept from one case to the next
/// is that of one repository.
pub(super) fn each_case<L: Default, T: Send>(
    cases: &[Case],
    place: Place<'_>,
    work_on: impl Fn(&Case, &Path, &mut L) -> T + Sync,
) -> Result<Vec<T>> {
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
    let results: Mutex<Vec<Option<T>>> = Mutex::new(cases.iter().map(|_| None).collect());
    let next = || work.lock().unwrap_or_else(PoisonError::into_inner).pop();
    std::thread::scope(|scope| {
        for _ in 0..N_WORKERS {
            scope.spawn(|| {
                while let Some((folder, of_repo)) = next() {
                    let mut last = L::default();
                    for at in of_repo {
                        let result = work_on(&cases[at], &folder, &mut last);
                        results.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(result);
                    }
                }
            });
        }
    });
    Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect())
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
