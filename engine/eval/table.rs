//! The table from which an order is learnt: for each case the source files, or the passages, that were compared, with the features of each.

use super::ask::{Ready, changed_lines, split_symbol};
use super::cases::Case;
use super::rows::Evaluation;
use super::run::{Place, each_case};
use super::sources::is_source;
use activate_rules::atoms::NodeId;
use activate_rules::columns::column_names;
use activate_rules::features::Feature;
use activate_rules::passage_features::PassageFeature;
use context::activation::compared;
use engine::{Activation, Request};
use error::{Error, ErrorKind, Result};
use index::base::SymbolRow;
use review::{Diff, FileChange, Patch};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::Arc;

/// What is compared in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// The source files that a task may change.
    Files,
    /// The same where one gold file of the case is edited already, as its commit does: each in turn, the one that stands first in the answer first.
    /// Cases with a single gold file are left out.
    Next,
    /// The passages of the likely files.
    Passages,
}

impl Question {
    /// What stands before the columns of features: of a file whether it is gold, and its place in the answer, 0 where it has none; of a passage how many
    /// of its lines the commit changes, 1 where a gold symbol begins in it or it is a part of one, its lines and bytes.
    const fn before(self) -> &'static [&'static str] {
        match self {
            Self::Files | Self::Next => &["gold", "answer"],
            Self::Passages => &["gold", "symbol", "of lines", "bytes"],
        }
    }

    /// The names of all columns.
    fn columns(self) -> Vec<String> {
        let before = self.before().iter().map(|name| (*name).to_owned());
        match self {
            Self::Files | Self::Next => before.chain(column_names::<Feature>()).collect(),
            Self::Passages => before.chain(column_names::<PassageFeature>()).collect(),
        }
    }
}

/// What was compared in a case.
pub struct Compared {
    /// What the table says of the case.
    pub case: CaseRow,
    /// For each what stands before its columns, and these.
    rows: Vec<i32>,
}

/// A case in the head of the table.
#[derive(Debug, Clone, Serialize)]
pub struct CaseRow {
    id: String,
    repo: String,
    language: String,
    /// Source files that the commit changed, but for one that is edited already; of passages, the lines that it changed in them.
    n_gold: usize,
    /// Rows of the table.
    n_rows: usize,
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

/// Compares the files or passages of each case, in the order of the cases; `done` is called after each.
///
/// # Errors
///
/// As [`evaluate`](crate::evaluate).
pub fn features(
    cases: &[Case],
    evaluation: &Evaluation,
    question: Question,
    place: Place<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Compared>> {
    let compared = each_case(cases, place, |case, folder, last: &mut Option<Ready>| {
        if question == Question::Next && case.gold.len() < 2 {
            done();
            return Vec::new();
        }
        let opened = Ready::open(folder, case, evaluation, last.as_ref()).map(|ready| last.insert(ready));
        let rows = opened.and_then(|ready| match question {
            Question::Files => ready.file_rows(case, evaluation),
            Question::Next => ready.next_rows(case, evaluation),
            Question::Passages => ready.passage_rows(case, evaluation),
        });
        done();
        match rows {
            Ok(rows) => rows.into_iter().map(|rows| Compared::new(case, question, rows, None)).collect(),
            Err(error) => vec![Compared::new(case, question, Rows::default(), Some(error.to_string()))],
        }
    })?;
    Ok(compared.into_iter().flatten().collect())
}

impl Compared {
    fn new(case: &Case, question: Question, rows: Rows, problem: Option<String>) -> Self {
        let Rows { edited, n_gold, values } = rows;
        let n_rows = values.len() / question.columns().len();
        let (id, repo, language) = (case.id.clone(), case.repo.clone(), case.language.clone());
        Self { case: CaseRow { id, repo, language, n_gold, n_rows, edited, problem }, rows: values }
    }
}

/// Writes the table: one line of JSON, then the rows of all cases.
///
/// # Errors
///
/// That it cannot be written.
pub fn write_table(question: Question, compared: &[Compared], out: &mut dyn Write) -> io::Result<()> {
    let head = Head { columns: question.columns(), cases: compared.iter().map(|compared| &compared.case).collect() };
    serde_json::to_writer(&mut *out, &head)?;
    out.write_all(b"\n")?;
    for compared in compared {
        let bytes: Vec<u8> = compared.rows.iter().flat_map(|value| value.to_le_bytes()).collect();
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// The rows of a case.
#[derive(Default)]
struct Rows {
    /// The gold file that is edited already.
    edited: Option<String>,
    /// How much is looked for.
    n_gold: usize,
    values: Vec<i32>,
}

impl Ready {
    fn file_rows(&self, case: &Case, evaluation: &Evaluation) -> Result<Vec<Rows>> {
        let values = file_values(case, &self.activate(&request(case, evaluation, None))?, None);
        Ok(vec![Rows { edited: None, n_gold: case.gold.len(), values }])
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
            let values = file_values(case, &activation, Some(path));
            Ok(Rows { edited: Some(path.clone()), n_gold: case.gold.len() - 1, values })
        };
        gold.into_iter().map(edited).collect()
    }

    /// The passages that were compared.
    fn passage_rows(&self, case: &Case, evaluation: &Evaluation) -> Result<Vec<Rows>> {
        let changed = changed_lines(&self.engine, case);
        let activation = self.activate(&request(case, evaluation, None))?;
        let base = &activation.snapshot.base;
        if activation.found.passages.iter().all(|passage| passage.columns.is_none()) {
            return Err(Error::new(
                ErrorKind::BadInput,
                format!("no passages of {} are compared: nothing learnt is asked for, or something fails", case.id),
            ));
        }
        let mut values = Vec::new();
        for passage in &activation.found.passages {
            let (path, (first, last)) = (base.path(passage.file), passage.lines);
            let gold = case.gold.iter().zip(&changed).find(|(gold, _)| *gold == path);
            let n_gold = gold.map_or(0, |(_, lines)| lines.iter().filter(|line| (first..=last).contains(line)).count());
            let is_gold = |row: SymbolRow<'_>| {
                let is_named = |gold: &String| split_symbol(gold) == (path, row.name);
                passage.is_of(&row) && case.gold_symbols.iter().any(is_named)
            };
            let is_symbol = base.symbols_of(passage.file).filter_map(|node| base.symbol(NodeId(node))).any(is_gold);
            let n_lines = last.saturating_sub(first) + 1;
            if let Some(columns) = passage.columns.as_deref() {
                values.extend([n_gold as i32, is_symbol.into(), n_lines as i32, passage.n_bytes as i32]);
                values.extend(columns);
            }
        }
        Ok(vec![Rows { edited: None, n_gold: changed.iter().map(Vec::len).sum(), values }])
    }
}

/// What is asked for a case, where something is edited already.
fn request(case: &Case, evaluation: &Evaluation, edits: Option<Diff>) -> Request {
    Request { weights: evaluation.weights.clone(), edits, ..Request::new(case.text(evaluation.with_body)) }
}

/// The rows of the files that were compared, but for the one that is edited already.
fn file_values(case: &Case, activation: &Activation<'_>, edited: Option<&str>) -> Vec<i32> {
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
