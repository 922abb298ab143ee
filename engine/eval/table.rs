//! The table from which an order is learnt: for each case the source files that were compared, with the features of each.

use super::ask::Ready;
use super::cases::Case;
use super::rows::Evaluation;
use super::run::{Place, each_case};
use super::sources::is_source;
use activate_rules::features::{columns, compare};
use context::activation::features as features_of;
use engine::Request;
use error::Result;
use serde::Serialize;
use std::io::{self, Write};

/// What stands before the columns of a file: whether it is gold, its place in the answer (0 where it has none), and whether it is certain.
const BEFORE: [&str; 3] = ["gold", "place", "certain"];

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
    /// Source files that the commit changed.
    n_gold: usize,
    /// Rows of the table.
    n_files: usize,
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
/// # Errors
///
/// As [`evaluate`](crate::evaluate).
pub fn features(cases: &[Case], evaluation: &Evaluation, place: Place<'_>, done: &(dyn Fn() + Sync)) -> Result<Vec<Compared>> {
    each_case(cases, place, |case, folder, last: &mut Option<Ready>| {
        let opened = Ready::open(folder, case, evaluation, last.as_ref());
        let rows = opened.and_then(|ready| last.insert(ready).compared(case, evaluation));
        done();
        let (rows, problem) = rows.map_or_else(|error| (Vec::new(), Some(error.to_string())), |rows| (rows, None));
        let n_files = rows.len() / (BEFORE.len() + columns().count());
        let (id, repo, language) = (case.id.clone(), case.repo.clone(), case.language.clone());
        Compared { case: CaseRow { id, repo, language, n_gold: case.gold.len(), n_files, problem }, rows }
    })
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

impl Ready {
    /// The rows of a case.
    fn compared(&self, case: &Case, evaluation: &Evaluation) -> Result<Vec<i32>> {
        let request = Request { weights: evaluation.weights.clone(), ..Request::new(case.text(evaluation.with_body)) };
        let activation = self.activate(&request)?;
        let (base, found) = (&activation.snapshot.base, &activation.found);
        let mut rows = Vec::new();
        for (file, columns) in compare(&features_of(base, &activation.snapshot.past, found)) {
            let path = base.path(file);
            if is_source(path) {
                let place = found.files.iter().position(|active| active.node == file).map_or(0, |place| place as i32 + 1);
                let is_certain = found.derived.certain.binary_search(&file).is_ok();
                rows.extend([i32::from(case.gold.iter().any(|gold| gold == path)), place, i32::from(is_certain)]);
                rows.extend(columns);
            }
        }
        Ok(rows)
    }
}
