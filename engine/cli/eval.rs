//! `activate eval`: how good the answers are on changes of the past.
//!
//! Reads and writes the files that flags name.

use super::Command;
use super::cases::{CaseOptions, bytes};
use super::exit::Outcome;
use super::progress::{Stage, Watch};
use super::terminal::{Terminal, write_result};
use clap::{Args, ValueEnum};
use error::{Error, ErrorKind, Result};
use eval::{BUDGETS, Case, EvalReport, Evaluation, Question, Row, evaluate, features, fingerprint, write_table};
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub(super) const COMMAND: Command = Command {
    name: "eval",
    about: "Measure how good answers are: ask for changes of the past, and look for what they changed",
    details: DETAILS,
    options: EvalOptions::augment_args,
    run: |matches, terminal| run(&super::options_of(matches)?, terminal),
};

const DETAILS: &str = "\
A case is a commit: its subject is asked of its parent, and the source files that it changed are to be found. Repositories are read from
git's objects; no work tree is touched.

Figures: acc@k, all gold files within the first k source files; r@k, the share of them; mrr, one by the rank of the best; others, the share
of the gold files other than the best within ten, for changes of several files. any@k and all@k: the same for functions and types. l2k: the
share of changed lines that a text of 2,000 tokens shows; c2k: that the best chunks of thirty lines show, found by plain text search, in as many
tokens. b2k: the share of gold files that it names; s2k: of gold symbols whose file and name it shows; g2k: of its tokens that are code of gold
files; t2k: how many it has. bm25 is plain text search over files on the same cases.";

#[derive(Debug, Args)]
pub(super) struct EvalOptions {
    #[command(flatten)]
    cases: CaseOptions,
    /// Write the cases of the history as JSON lines, and do not run them
    #[arg(long, requires = "repo")]
    mine_only: bool,
    /// Write the table from which an order is learnt, and do not answer: a line of JSON, then the features of each file compared
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mine_only", "out"])]
    features: Option<PathBuf>,
    /// Write the same table of what is still to change: one file of each case is edited already, as the commit does, and the others are looked for
    #[arg(long, value_name = "FILE", conflicts_with_all = ["features", "mine_only", "out"])]
    next: Option<PathBuf>,
    /// Write the same table of the passages of the likely files: how many of the lines of each the commit changes
    #[arg(long, value_name = "FILE", conflicts_with_all = ["features", "next", "mine_only", "out"])]
    passages: Option<PathBuf>,
    /// Add the result of each case to this file, as JSON lines, and do not run cases whose answer it has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write to stderr how long the run took
    #[arg(long)]
    timings: bool,
    /// Write no warnings and no progress to stderr
    #[arg(long)]
    quiet: bool,
}

/// How the report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables
    Text,
    /// One object (engine/packets/schema/eval.schema.json)
    Json,
}

fn run(options: &EvalOptions, terminal: &Terminal) -> Result<Outcome> {
    let cases = options.cases.cases(terminal, options.quiet)?;
    if options.mine_only {
        write_result(|stdout| {
            cases.iter().try_for_each(|case| writeln!(stdout, "{}", serde_json::to_string(case).unwrap_or_default()))
        })?;
        return Ok(Outcome::Answered);
    }
    let evaluation = options.cases.evaluation(&BUDGETS, options.cases.work.clone())?;
    let tables = [(Question::Files, &options.features), (Question::Next, &options.next), (Question::Passages, &options.passages)];
    if let Some((question, path)) = tables.into_iter().find_map(|(question, path)| Some((question, path.as_ref()?))) {
        return write_features(path, question, &cases, &evaluation, options);
    }
    let out = options.out.as_deref().map(|path| Out::open(path, terminal, options.quiet)).transpose()?;
    let watch = Watch::start(options.timings, !options.quiet);
    let known = out.as_ref().map(|out| out.known.clone()).unwrap_or_default();
    let todo: Vec<Case> = cases.iter().filter(|case| !known.contains_key(&fingerprint(&evaluation, case))).cloned().collect();
    watch.count(Stage::Cases, cases.len() - todo.len(), cases.len());
    let n_done = Mutex::new(cases.len() - todo.len());
    let failed = Mutex::new(None);
    let done = |row: &Row| {
        let mut n_done = n_done.lock().unwrap_or_else(PoisonError::into_inner);
        *n_done += 1;
        watch.count(Stage::Cases, *n_done, cases.len());
        if let Some(Err(error)) = out.as_ref().map(|out| out.add(row)) {
            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    };
    let rows = evaluate(&todo, &evaluation, &|repo| options.cases.place(repo), &done)?;
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut rows: FxHashMap<String, Row> = rows.into_iter().map(|row| (row.fingerprint.clone(), row)).chain(known).collect();
    let rows = cases.iter().filter_map(|case| rows.remove(&fingerprint(&evaluation, case))).collect();
    let report = EvalReport::new(rows);
    watch.clear();
    let output = if options.format == Format::Json { report.json() } else { report.text() };
    write_result(|stdout| stdout.write_all(output.as_bytes()))?;
    if report.all.n_failed > 0 && !options.quiet {
        terminal.note(&format!("warning: {} cases have no answer and count as nothing found", report.all.n_failed));
    }
    watch.finish_cases(cases.len(), todo.len());
    Ok(Outcome::Answered)
}

/// Writes the table of features.
fn write_features(
    path: &Path,
    question: Question,
    cases: &[Case],
    evaluation: &Evaluation,
    options: &EvalOptions,
) -> Result<Outcome> {
    let failed =
        |error: io::Error| Error::new(ErrorKind::Storage, format!("`{}` cannot be written", path.display())).because(error);
    let mut file = io::BufWriter::new(File::create(path).map_err(failed)?);
    let watch = Watch::start(options.timings, !options.quiet);
    let n_done = Mutex::new(0);
    let done = || {
        let mut n_done = n_done.lock().unwrap_or_else(PoisonError::into_inner);
        *n_done += 1;
        watch.count(Stage::Cases, *n_done, cases.len());
    };
    // Texts are not looked at.
    let evaluation = Evaluation { budgets: Vec::new(), ..evaluation.clone() };
    let compared = features(cases, &evaluation, question, &|repo| options.cases.place(repo), &done)?;
    write_table(question, &compared, &mut file).and_then(|()| file.flush()).map_err(failed)?;
    watch.clear();
    watch.finish_cases(cases.len(), cases.len());
    Ok(Outcome::Answered)
}

/// A file of results that is added to.
struct Out {
    file: Mutex<File>,
    path: PathBuf,
    /// The rows with an answer that it had, by fingerprint: what failed is tried again.
    known: FxHashMap<String, Row>,
}

impl Out {
    /// Opens or makes the file. A last line that does not end is what an interrupted run leaves: a whole result is ended, another is taken
    /// off, so that the next begins on a line of its own.
    fn open(path: &Path, terminal: &Terminal, is_quiet: bool) -> Result<Self> {
        let failed =
            |error: io::Error| Error::new(ErrorKind::Storage, format!("`{}` cannot be written", path.display())).because(error);
        let mut file = File::options().create(true).append(true).open(path).map_err(failed)?;
        let bytes = bytes(path)?;
        let mut known = FxHashMap::default();
        let (mut n_rows, mut start) = (0, 0);
        for (line, number) in bytes.split_inclusive(|byte| *byte == b'\n').zip(1_usize..) {
            let is_ended = line.ends_with(b"\n");
            match serde_json::from_slice::<Row>(line) {
                Ok(row) => {
                    n_rows += 1;
                    if row.problem.is_none() {
                        known.insert(row.fingerprint.clone(), row);
                    }
                    if !is_ended {
                        file.write_all(b"\n").map_err(failed)?;
                    }
                }
                Err(_) if line.trim_ascii().is_empty() && is_ended => {}
                // A file without a result may be another one that was named by mistake.
                Err(_) if !is_ended && (n_rows > 0 || BEGINNING.starts_with(line) || line.starts_with(BEGINNING)) => {
                    file.set_len(start).map_err(failed)?;
                    if !is_quiet {
                        let path = path.display();
                        terminal.note(&format!(
                            "warning: `{path}` line {number} does not end: it is taken off, and its case runs again"
                        ));
                    }
                }
                Err(error) => {
                    let message = format!("`{}` line {number}: this is not a result: {error}", path.display());
                    return Err(Error::new(ErrorKind::BadInput, message));
                }
            }
            start += line.len() as u64;
        }
        Ok(Self { file: Mutex::new(file), path: path.to_owned(), known })
    }

    fn add(&self, row: &Row) -> Result<()> {
        let failed =
            |error| Error::new(ErrorKind::Storage, format!("`{}` cannot be written", self.path.display())).because(error);
        let line = serde_json::to_string(row).unwrap_or_default() + "\n";
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes()).map_err(failed)
    }
}

/// What every result begins with.
const BEGINNING: &[u8] = b"{\"id\":";
