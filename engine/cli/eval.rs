//! `activate eval`: how good the answers are on changes of the past.
//!
//! Reads and writes the files that flags name. Must not judge an answer.

use super::Command;
use super::exit::Outcome;
use super::input::{self, Source};
use super::progress::{Stage, Watch};
use super::terminal::{note, write_result};
use crate::engine::{CacheChoice, Options};
use crate::error::{Error, ErrorKind, Result};
use crate::eval::{Case, EvalReport, Evaluation, Row, evaluate, fingerprint, mine, read_cases, spread_cases};
use crate::repo::{Alternates, Repo};
use clap::builder::{PathBufValueParser, TypedValueParser as _};
use clap::{Args, ValueEnum};
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub(super) const COMMAND: Command = Command {
    name: "eval",
    about: "Measure how good answers are: ask for changes of the past, and look for what they changed",
    details: DETAILS,
    options: EvalOptions::augment_args,
    run: |matches| run(&super::options_of(matches)?),
};

const DETAILS: &str = "\
A case is a commit: its subject is asked of its parent, and the source files that it changed are to be found. Repositories are read from
git's objects; no work tree is touched.

Figures: acc@k, all gold files within the first k source files; r@k, the share of them; mrr, one by the rank of the best; others, the share
of the gold files other than the best within ten, for changes of several files. any@k and all@k: the same for functions and types. b2k: the
share of gold files that a text of 2,000 tokens names; s2k: of gold symbols whose file and name it shows; l2k: of the changed lines that it
shows. bm25 is plain text search on the same cases.";

/// The most cases that are taken from a history.
const MAX_CASES: i64 = 10_000;

/// The most bytes of a file of cases or of results: a case has one or two thousand.
const MAX_LINES_BYTES: u64 = 256 << 20;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags without a value are given or not")]
pub(super) struct EvalOptions {
    /// Repository whose history gives the cases, bare or not
    #[arg(long, value_name = "DIR", required_unless_present = "cases", requires = "commits")]
    repo: Option<PathBuf>,
    /// How many cases are taken from the history
    #[arg(long, value_name = "N", requires = "repo", value_parser = clap::value_parser!(u32).range(1..=MAX_CASES))]
    commits: Option<u32>,
    /// Write the cases of the history as JSON lines, and do not run them
    #[arg(long, requires = "repo")]
    mine_only: bool,
    /// Cases as JSON lines; can be given more than once
    #[arg(long, value_name = "FILE", requires = "repos", conflicts_with = "repo")]
    cases: Vec<PathBuf>,
    /// Folder with the repositories of the cases: DIR/owner/name, DIR/owner+name, DIR/owner+name/repo or DIR/name, bare or not
    #[arg(long, value_name = "DIR", requires = "cases")]
    repos: Option<PathBuf>,
    /// At most so many cases of each repository, spread over time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Numbers of the policy that differ from the default, as JSON, in thousandths
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(Source::File))]
    weights: Option<Source>,
    /// Ask with the first paragraph of the commit's body too
    #[arg(long)]
    with_body: bool,
    /// Make no texts, which take most of the time
    #[arg(long)]
    no_text: bool,
    /// Keep what is known of each case's repository in this folder, for the next run
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
    /// Add the result of each case to this file, as JSON lines, and do not run cases whose result it has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Read git objects of the folders that .git/objects/info/alternates names
    #[arg(long)]
    follow_alternates: bool,
    /// Worker threads of each of the two repositories that are worked on at once; 0 for one a core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256))]
    threads: u16,
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
    /// One object (engine/packet/schema/eval.schema.json)
    Json,
}

fn run(options: &EvalOptions) -> Result<Outcome> {
    let cases = options.cases()?;
    if options.mine_only {
        write_result(|stdout| {
            cases.iter().try_for_each(|case| writeln!(stdout, "{}", serde_json::to_string(case).unwrap_or_default()))
        })?;
        return Ok(Outcome::Answered);
    }
    let evaluation = options.evaluation()?;
    let out = options.out.as_deref().map(Out::open).transpose()?;
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
    let rows = evaluate(&todo, &evaluation, &|repo| options.place(repo), &done)?;
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
        note(&format!("warning: {} cases have no answer and count as nothing found", report.all.n_failed));
    }
    watch.finish_cases(cases.len(), todo.len());
    Ok(Outcome::Answered)
}

impl EvalOptions {
    fn cases(&self) -> Result<Vec<Case>> {
        let mut cases = Vec::new();
        if let (Some(folder), Some(n_cases)) = (&self.repo, self.commits) {
            let repo = Repo::open_at(folder, "HEAD", self.alternates())?;
            if let (Some(git), _) = repo.git(self.alternates()) {
                cases = mine(&git, &name_of(folder), n_cases as usize)?;
            }
        }
        for path in &self.cases {
            let name = path.display().to_string();
            cases.extend(read_cases(&name, &text(path)?)?);
        }
        if let Some(limit) = self.limit {
            cases = spread_cases(cases, limit as usize);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        cases.retain(|case| seen.insert(case.id.clone()));
        if cases.is_empty() {
            let message = match &self.repo {
                Some(repo) => format!("the history of `{}` has no commit that makes a case", repo.display()),
                None => "there is no case in the files that `--cases` names".to_owned(),
            };
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        Ok(cases)
    }

    fn evaluation(&self) -> Result<Evaluation> {
        let weights = self.weights.as_ref().map(input::weights).transpose()?.unwrap_or_default();
        let cache = self.work.clone().map_or(CacheChoice::Off, CacheChoice::Folder);
        let options =
            Options { n_threads: usize::from(self.threads), cache, alternates: self.alternates(), ..Options::default() };
        Ok(Evaluation { weights, with_body: self.with_body, with_text: !self.no_text, options })
    }

    fn alternates(&self) -> Alternates {
        if self.follow_alternates { Alternates::Follow } else { Alternates::Refuse }
    }

    /// The folder of a repository of the cases.
    fn place(&self, repo: &str) -> Result<PathBuf> {
        if let Some(folder) = &self.repo {
            return Ok(folder.clone());
        }
        let Some(repos) = &self.repos else { return Err(Error::new(ErrorKind::BadInput, "`--repos DIR` is missing")) };
        let plus = repo.replace('/', "+");
        let name = repo.rsplit('/').next().unwrap_or(repo);
        let places = [repos.join(&plus).join("repo"), repos.join(repo), repos.join(&plus), repos.join(name)];
        // A name from a file of cases must not lead out of the folder.
        let is_plain = !repo.is_empty() && repo.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
        places.into_iter().find(|place| is_plain && place.is_dir()).ok_or_else(|| {
            let message = format!(
                "there is no repository `{repo}` in `{}`; looked for `{plus}/repo`, `{repo}`, `{plus}` and `{name}`",
                repos.display()
            );
            Error::new(ErrorKind::NoRepository, message)
        })
    }
}

/// What a repository is called, from where it lies: as [`EvalOptions::place`] finds it again.
fn name_of(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = |folder: &Path| folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let above = folder.parent().map(name).unwrap_or_default();
    let own = name(&folder);
    let name = if own == "repo" && above.contains('+') { above } else { own };
    name.replace('+', "/")
}

/// The text of a file of lines.
fn text(path: &Path) -> Result<String> {
    let unreadable = |error| Error::new(ErrorKind::UnreadableFile, format!("`{}` cannot be read", path.display())).because(error);
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_LINES_BYTES + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_LINES_BYTES {
        return Err(Error::new(ErrorKind::BadInput, format!("`{}` is larger than {MAX_LINES_BYTES} bytes", path.display())));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A file of results that is added to.
struct Out {
    file: Mutex<File>,
    path: PathBuf,
    /// The rows that it had, by fingerprint.
    known: FxHashMap<String, Row>,
}

impl Out {
    /// Opens or makes the file. A last line without its end is what an interrupted run leaves: it is passed over and ended.
    fn open(path: &Path) -> Result<Self> {
        let failed =
            |error: io::Error| Error::new(ErrorKind::Storage, format!("`{}` cannot be written", path.display())).because(error);
        let mut file = File::options().create(true).append(true).open(path).map_err(failed)?;
        let text = text(path)?;
        let mut known = FxHashMap::default();
        for (line, number) in text.lines().zip(1_usize..) {
            match serde_json::from_str::<Row>(line) {
                Ok(row) => _ = known.insert(row.fingerprint.clone(), row),
                Err(_) if line.trim().is_empty() || is_torn(line) => {}
                Err(error) => {
                    let message = format!("`{}` line {number}: this is no result: {error}", path.display());
                    return Err(Error::new(ErrorKind::BadInput, message));
                }
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(failed)?;
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

/// Whether a line is the beginning of a result.
fn is_torn(line: &str) -> bool {
    line.starts_with("{\"id\":") && serde_json::from_str::<serde_json::Value>(line).is_err_and(|error| error.is_eof())
}
