//! The table from which an order is learnt: for each case the source files that were compared, with the features of each.

use super::ask::Ready;
use super::cases::Case;
use super::rows::Evaluation;
use super::run::{Place, each_case};
use super::sources::is_source;
use activate_rules::features::columns;
use context::activation::compared;
use engine::{Activation, Request};
use error::{Error, ErrorKind, Result};
use review::{Diff, FileChange, Patch};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::Arc;

/// What stands before the columns of a file: whether it is gold, and its place in the answer, 0 where it has none.
const BEFORE: [&str; 2] = ["gold", "answer"];

/// The files of a case that were compared.
pub struct Compared {
    /// What the table says of the case.
    pub case: CaseRow,
    /// For each file what [`BEFORE`] names, and its columns.
    rows: Vec<i32>,
}

/// A case in the head of the table.
#[derive(Debug, Clone, Serialize)]
pub struct CaseRow {
    id: String,
    repo: String,
    language: String,
    /// Source files that the commit changed, but for one that is edited already.
    n_gold: usize,
    /// Rows of the table.
    n_files: usize,
    /// The gold file that is edited already: it is no row.
    #[serde(skip_serializing_if = "Option::is_none")]
    edited: Option<String>,
    /// Why there is none, where something went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// The head of the table.
#[derive(Serialize)]
struct Head<'a> {
    /// The name of each column; every value has four bytes, little-endian.
    columns: Vec<String>,
    /// The cases in the order of their rows.
    cases: Vec<&'a CaseRow>,
}

/// Compares the files of each case, in the order of the cases; `done` is called after each.
///
/// With `is_next` one of its gold files is edited already, as the commit does: each in turn, the one that stands first in the answer first.
/// Cases with a single gold file are left out.
///
/// # Errors
///
/// As [`evaluate`](crate::evaluate).
pub fn features(
    cases: &[Case],
    evaluation: &Evaluation,
    is_next: bool,
    place: Place<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Compared>> {
    let compared = each_case(cases, place, |case, folder, last: &mut Option<Ready>| {
        if is_next && case.gold.len() < 2 {
            done();
            return Vec::new();
        }
        let opened = Ready::open(folder, case, evaluation, last.as_ref()).map(|ready| last.insert(ready));
        let rows =
            opened.and_then(|ready| if is_next { ready.next_rows(case, evaluation) } else { ready.all_rows(case, evaluation) });
        done();
        match rows {
            Ok(rows) => rows.into_iter().map(|(edited, rows)| Compared::new(case, edited, rows, None)).collect(),
            Err(error) => vec![Compared::new(case, None, Vec::new(), Some(error.to_string()))],
        }
    })?;
    Ok(compared.into_iter().flatten().collect())
}

impl Compared {
    fn new(case: &Case, edited: Option<String>, rows: Vec<i32>, problem: Option<String>) -> Self {
        let n_files = rows.len() / (BEFORE.len() + columns().count());
        let n_gold = case.gold.len() - usize::from(edited.is_some());
        let (id, repo, language) = (case.id.clone(), case.repo.clone(), case.language.clone());
        Self { case: CaseRow { id, repo, language, n_gold, n_files, edited, problem }, rows }
    }
}

/// Writes the table: one line of JSON, then the rows of all cases.
///
/// # Errors
///
/// That it cannot be written.
pub fn write_table(compared: &[Compared], out: &mut dyn Write) -> io::Result<()> {
    let names = columns().map(|(feature, part)| format!("{} {part}", feature.name()).trim_end().to_owned());
    let names = BEFORE.map(str::to_owned).into_iter().chain(names).collect();
    let head = Head { columns: names, cases: compared.iter().map(|compared| &compared.case).collect() };
    serde_json::to_writer(&mut *out, &head)?;
    out.write_all(b"\n")?;
    for compared in compared {
        let bytes: Vec<u8> = compared.rows.iter().flat_map(|value| value.to_le_bytes()).collect();
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// What is edited already, and the rows of the other files.
type Rows = (Option<String>, Vec<i32>);

impl Ready {
    fn all_rows(&self, case: &Case, evaluation: &Evaluation) -> Result<Vec<Rows>> {
        Ok(vec![(None, rows(case, &self.activate(&request(case, evaluation, None))?, None))])
    }

    /// The rows that are left where one gold file is edited, for each of them.
    fn next_rows(&self, case: &Case, evaluation: &Evaluation) -> Result<Vec<Rows>> {
        let before = self.activate(&request(case, evaluation, None))?;
        let place = |path: &String| before.found.files.iter().position(|file| before.snapshot.base.path(file.node) == path);
        let mut gold: Vec<&String> = case.gold.iter().collect();
        gold.sort_by_key(|path| (place(path).unwrap_or(usize::MAX), *path));
        let whole = self.patch(&format!("{}..{}", case.parent, case.commit))?;
        let edited = |path: &String| -> Result<Rows> {
            let is_of = |file: &&FileChange| file.path().is_some_and(|of| of.as_str() == path);
            let files = whole.files.iter().filter(is_of).cloned().collect();
            let patch = Patch { name: whole.name.clone(), files, problems: Vec::new(), n_left_out: 0 };
            if patch.n_lines() == (0, 0) {
                return Err(Error::new(
                    ErrorKind::BadInput,
                    format!("the lines that {} changes in `{path}` are not known", case.id),
                ));
            }
            let activation = self.activate(&request(case, evaluation, Some(Diff::Patch(Arc::new(patch)))))?;
            Ok((Some(path.clone()), rows(case, &activation, Some(path))))
        };
        gold.into_iter().map(edited).collect()
    }
}

/// What is asked for a case, where something is edited already.
fn request(case: &Case, evaluation: &Evaluation, edits: Option<Diff>) -> Request {
    Request { weights: evaluation.weights.clone(), edits, ..Request::new(case.text(evaluation.with_body)) }
}

/// The rows of the files that were compared, but for the one that is edited already.
fn rows(case: &Case, activation: &Activation<'_>, edited: Option<&str>) -> Vec<i32> {
    let (base, found) = (&activation.snapshot.base, &activation.found);
    let mut rows = Vec::new();
    let compared = if edited.is_some() { found.beside_edits.clone() } else { compared(base, &activation.snapshot.past, found) };
    for (file, columns) in compared {
        let path = base.path(file);
        if is_source(path) && Some(path) != edited {
            let place = found.files.iter().position(|active| active.node == file).map_or(0, |place| place as i32 + 1);
            rows.extend([i32::from(case.gold.iter().any(|gold| gold == path)), place]);
            rows.extend(columns);
        }
    }
    rows
}
