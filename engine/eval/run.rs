//! Runs cases: opens each repository at a case's parent, asks the engine, and looks where the gold stands in the answer.
//!
//! Must not judge the figures, nor write anything.

use super::baseline::Baseline;
use super::cases::{Case, Tier};
use super::shown::{names_path, names_symbol, shown_lines};
use super::sources::is_source;
use crate::context::budget::Budget;
use crate::context::tokens::{Tokenizer, Tokens};
use crate::engine::{Engine, Options};
use crate::error::{Problem, Result};
use crate::facts::intent::Certainty;
use crate::repo::RepoPath;
use crate::request::{Activation, Request};
use crate::snapshot::Snapshot;
use activate_rules::weights::Weights;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The budgets of the texts that are looked at, in tokens: a short one, a usual one, and one with room for whole functions.
pub const BUDGETS: [u32; 3] = [2_000, 8_000, 20_000];

/// How many repositories are worked on at once: each holds a fact base and the words of its files.
const N_WORKERS: usize = 2;

/// Counts changes of what rows say, so that rows of another build are not taken for this one's.
const ROW_VERSION: u32 = 1;

/// What a run does with its cases.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// The numbers of the policy.
    pub weights: Weights,
    /// Whether the body of a case is part of the intent.
    pub with_body: bool,
    /// Whether texts are made and looked at.
    pub with_text: bool,
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

/// The most files that a row names.
const MAX_TOP: usize = 10;

/// Stands for all that a case's row depends on: the build, the weights, what is made, and the case.
pub fn fingerprint(evaluation: &Evaluation, case: &Case) -> String {
    let parts = (ROW_VERSION, env!("ACTIVATE_SOURCES_HASH"), &evaluation.weights, evaluation.with_body, evaluation.with_text);
    // Numbers and texts can be written.
    let text = serde_json::to_string(&(parts, &evaluation.options.exclude, case)).unwrap_or_default();
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
}

/// Runs all cases, repositories side by side, and gives their rows in the order of the cases; `done` is handed each row as it comes.
///
/// What goes wrong with a case stands in its row. Fails where a repository cannot be found.
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
    std::thread::scope(|scope| {
        for _ in 0..N_WORKERS {
            scope.spawn(|| {
                while let Some((folder, of_repo)) = work.lock().unwrap_or_else(PoisonError::into_inner).pop() {
                    let mut worker = Worker { evaluation, folder, engine: None, baseline: Baseline::default() };
                    for at in of_repo {
                        let row = worker.row(&cases[at]);
                        done(&row);
                        rows.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(row);
                    }
                }
            });
        }
    });
    Ok(rows.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect())
}

/// Works on the cases of one repository.
struct Worker<'a> {
    evaluation: &'a Evaluation,
    folder: PathBuf,
    engine: Option<Engine>,
    baseline: Baseline,
}

impl Worker<'_> {
    fn row(&mut self, case: &Case) -> Row {
        let mut row = Row {
            id: case.id.clone(),
            repo: case.repo.clone(),
            language: case.language.clone(),
            tier: case.tier,
            fingerprint: fingerprint(self.evaluation, case),
            ranks: vec![None; case.gold.len()],
            symbol_ranks: vec![None; case.gold_symbols.len()],
            n_listed: 0,
            certainty: certainty(Certainty::None).to_owned(),
            shown: BTreeMap::new(),
            baseline: vec![None; case.gold.len()],
            top: Vec::new(),
            problem: None,
        };
        if let Err(error) = self.fill(&mut row, case) {
            row.problem = Some(error.to_string());
        }
        if self.evaluation.with_text {
            for budget in BUDGETS {
                row.shown.entry(budget).or_insert_with(|| nothing_shown(case));
            }
        }
        row
    }

    fn fill(&mut self, row: &mut Row, case: &Case) -> Result<()> {
        self.open(&case.parent)?;
        let Some(engine) = &self.engine else { return Ok(()) };
        let request = Request { weights: self.evaluation.weights.clone(), ..Request::new(case.text(self.evaluation.with_body)) };
        let activation = engine.activate(&request)?;
        row.baseline = baseline(engine, &activation.snapshot, case, &request.intent, &mut self.baseline);
        answer(row, case, &activation);
        if self.evaluation.with_text {
            let changed = changed_lines(engine, case);
            for budget in BUDGETS {
                let context = activation.session_context(&Budget { total: Tokens(budget), tokenizer: Tokenizer::default() });
                // Where a budget is too small, nothing is shown.
                let Ok(context) = context else { continue };
                row.shown.insert(budget, shown(case, &changed, &context.text.text, context.tokens));
            }
        }
        Ok(())
    }

    fn open(&mut self, commit: &str) -> Result<()> {
        self.engine = Some(match &self.engine {
            Some(engine) => engine.at(commit)?,
            None => Engine::open_at(&self.folder, commit, self.evaluation.options.clone())?,
        });
        Ok(())
    }
}

/// The word of a certainty, as it stands in packets.
fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Strong => "strong",
        Certainty::Weak => "weak",
        Certainty::None => "none",
    }
}

/// Where the gold stands in the answer's lists.
fn answer(row: &mut Row, case: &Case, activation: &Activation<'_>) {
    let base = &activation.snapshot.base;
    let found = &activation.found;
    certainty(found.intent.certainty).clone_into(&mut row.certainty);
    let files: Vec<&str> = found.files.iter().map(|file| base.path(file.node)).filter(|path| is_source(path)).collect();
    row.ranks = ranks(&case.gold, &files);
    row.n_listed = files.len() as u32;
    row.top = files.iter().take(MAX_TOP).map(ToString::to_string).collect();
    let symbols =
        found.symbols.iter().filter_map(|symbol| base.symbol(symbol.node)).map(|symbol| (base.path(symbol.file), symbol.name));
    let symbols: Vec<(&str, &str)> = symbols.filter(|(path, _)| is_source(path)).collect();
    row.symbol_ranks = case.gold_symbols.iter().map(|gold| rank(&symbols, &split_symbol(gold))).collect();
}

fn ranks(gold: &[String], listed: &[impl AsRef<str>]) -> Vec<Option<u32>> {
    let listed: Vec<&str> = listed.iter().map(AsRef::as_ref).collect();
    gold.iter().map(|gold| rank(&listed, &gold.as_str())).collect()
}

fn rank<T: PartialEq>(listed: &[T], wanted: &T) -> Option<u32> {
    listed.iter().position(|found| found == wanted).map(|at| at as u32 + 1)
}

/// Path and name of `path#name`.
fn split_symbol(symbol: &str) -> (&str, &str) {
    // Private names of TypeScript begin with the same sign.
    symbol.split_once('#').unwrap_or((symbol, ""))
}

/// The ranks of the gold in plain text search; they are kept with the facts of the case, since they depend on nothing that is tuned.
fn baseline(engine: &Engine, snapshot: &Snapshot, case: &Case, intent: &str, baseline: &mut Baseline) -> Vec<Option<u32>> {
    let name = format!("eval baseline {ROW_VERSION} {:?} {intent}", case.gold);
    let root = engine.root();
    let kept = engine.cache().and_then(|cache| cache.blob(root, &name)).and_then(|bytes| postcard::from_bytes(&bytes).ok());
    kept.unwrap_or_else(|| {
        let base = &snapshot.base;
        let files: Vec<(&str, u128)> = base.files().map(|file| (base.path(file), base.hash(file))).collect();
        let ranked = baseline.rank(intent, &files, &|path| read(engine, path));
        let sources: Vec<String> = ranked.into_iter().filter(|path| is_source(path)).collect();
        let ranks = ranks(&case.gold, &sources);
        if let (Some(cache), Ok(bytes)) = (engine.cache(), postcard::to_allocvec(&ranks)) {
            // Without it the next run does this work again.
            let _: std::result::Result<(), Problem> = cache.write_blob(root, &name, &bytes);
        }
        ranks
    })
}

/// The text of a file; none for one that cannot be read.
fn read(engine: &Engine, path: &str) -> Vec<u8> {
    let path = RepoPath::new(path).ok();
    path.and_then(|path| engine.repo().read(&path, crate::facts::extract::MAX_TEXT_BYTES).ok()).unwrap_or_default()
}

/// The lines of each gold file that the commit changes, in the file as it was: for lines that are only added, the one before them.
fn changed_lines(engine: &Engine, case: &Case) -> Vec<Vec<u32>> {
    let git = engine.repo().git(engine.alternates()).0;
    let of_file = |path: &String| {
        let path = RepoPath::new(path).ok()?;
        let diff = git.as_ref()?.diff(&case.commit, &path).ok()??;
        let lines = diff.hunks.iter().flat_map(|hunk| match hunk.before {
            range if range.first <= range.last => range.first..=range.last,
            range => range.last.max(1)..=range.last.max(1),
        });
        let mut lines: Vec<u32> = lines.collect();
        lines.dedup();
        Some(lines)
    };
    case.gold.iter().map(|path| of_file(path).unwrap_or_default()).collect()
}

/// What a text shows of the gold.
fn shown(case: &Case, changed: &[Vec<u32>], text: &str, tokens: Tokens) -> Shown {
    let mut shown = Shown { tokens: tokens.0, ..nothing_shown(case) };
    for (path, changed) in case.gold.iter().zip(changed) {
        shown.paths.hits += u32::from(names_path(text, path));
        shown.lines.of += changed.len() as u32;
        if !changed.is_empty() {
            let lines = shown_lines(text, path);
            shown.lines.hits += changed.iter().filter(|line| lines.contains(line)).count() as u32;
        }
    }
    for symbol in &case.gold_symbols {
        let (path, name) = split_symbol(symbol);
        shown.symbols.hits += u32::from(names_path(text, path) && names_symbol(text, name));
    }
    shown
}

fn nothing_shown(case: &Case) -> Shown {
    let of = |n: usize| Share { hits: 0, of: n as u32 };
    Shown { paths: of(case.gold.len()), symbols: of(case.gold_symbols.len()), ..Shown::default() }
}
