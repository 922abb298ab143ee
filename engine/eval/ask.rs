//! Asks the engine for a case, and looks where the gold stands in the answer.

use super::baseline::Baseline;
use super::cases::Case;
use super::chunks::Chunks;
use super::rows::{Evaluation, Row, Share, Shown};
use super::shown::{names_path, names_symbol, shown_code};
use super::sources::is_source;
use activate_rules::weights::Weights;
use context::budget::Budget;
use engine::Engine;
use engine::{Activation, Request};
use error::{ErrorKind, Problem, Result};
use index::extract::MAX_TEXT_BYTES;
use index::snapshot::Snapshot;
use intent::Certainty;
use redact::Masker;
use repo::RepoPath;
use review::Patch;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tokens::{Tokenizer, Tokens};

/// The most files that a row names.
const MAX_TOP: usize = 10;

/// Counts changes of plain text search, so that ranks of another build are not taken for this one's.
const BASELINE_VERSION: u32 = 1;

/// A case whose repository is open at its parent.
pub(super) struct Ready {
    pub(super) engine: Engine,
    snapshot: Arc<Snapshot>,
    /// The lines of each gold file that the commit changes; none where no text is looked at.
    changed: Vec<Vec<u32>>,
}

impl Ready {
    /// Opens the repository in `folder` at a case's parent; `last` is an earlier case of the same repository.
    pub(super) fn open(folder: &Path, case: &Case, evaluation: &Evaluation, last: Option<&Self>) -> Result<Self> {
        let engine = match last {
            Some(last) => last.engine.at(&case.parent)?,
            None => Engine::open_at(folder, &case.parent, evaluation.options.clone())?,
        };
        let snapshot = engine.snapshot()?;
        let changed = if evaluation.budgets.is_empty() { Vec::new() } else { changed_lines(&engine, case) };
        Ok(Self { engine, snapshot, changed })
    }

    /// The same case with its facts mapped from the cache, if they were made and kept just now: then they take no memory of their own.
    pub(super) fn mapped(self, case: &Case) -> Result<Self> {
        if !self.snapshot.effort.rebuilt || self.engine.cache().is_none() {
            return Ok(self);
        }
        let engine = self.engine.at(&case.parent)?;
        let snapshot = engine.snapshot()?;
        Ok(Self { engine, snapshot, changed: self.changed })
    }

    /// Masks the secrets of the repository and of what is asked.
    pub(super) fn masker(&self, intent: &str) -> Masker {
        self.snapshot.masker_with([("", intent)])
    }

    /// How many lines of gold files the commit changes; 0 where that is not known.
    pub(super) fn n_changed(&self) -> u32 {
        self.changed.iter().map(|lines| lines.len() as u32).sum()
    }

    /// What a request activates.
    pub(super) fn activate(&self, request: &Request) -> Result<Activation<'_>> {
        self.engine.activate_on(&self.snapshot, request, &|_| {})
    }

    /// What a range of revisions changes.
    pub(super) fn patch(&self, range: &str) -> Result<Arc<Patch>> {
        self.engine.patch(&self.snapshot, range)
    }

    /// Asks, and gives the row of a case as it is without an answer with where the gold stands.
    pub(super) fn answer(&self, row: &Row, case: &Case, evaluation: &Evaluation, weights: &Weights) -> Result<Row> {
        let request = Request { weights: weights.clone(), ..Request::new(case.text(evaluation.with_body)) };
        let activation = self.activate(&request)?;
        let mut row = row.clone();
        listed(&mut row, case, &activation);
        for budget in &evaluation.budgets {
            let budgeted = Budget::of(*budget);
            let shown = match activation.session_context(&budgeted) {
                Ok(context) => shown(case, &self.changed, &context.text.text, context.tokens),
                // In a budget that is too small nothing is shown.
                Err(error) if error.kind == ErrorKind::BudgetTooSmall => shown(case, &self.changed, "", Tokens(0)),
                Err(error) => return Err(error),
            };
            let chunk_lines = row.shown.get(budget).map(|shown| shown.chunk_lines).unwrap_or_default();
            row.shown.insert(*budget, Shown { chunk_lines, ..shown });
        }
        Ok(row)
    }

    /// How many changed lines the best chunks of plain text search show, by budget. Kept as the ranks are.
    pub(super) fn chunks(&self, case: &Case, intent: &str, budgets: &[u32], chunks: &mut Chunks) -> BTreeMap<u32, u32> {
        if budgets.is_empty() {
            return BTreeMap::new();
        }
        let engine = &self.engine;
        let name = format!("eval chunks {BASELINE_VERSION} {budgets:?} {} {:?} {intent}", case.parent, case.gold);
        let kept = engine.cache().and_then(|cache| cache.blob(engine.root(), &name));
        kept.and_then(|bytes| postcard::from_bytes(&bytes).ok()).unwrap_or_else(|| {
            let base = &self.snapshot.base;
            let files: Vec<(&str, u128)> = base.files().map(|file| (base.path(file), base.hash(file))).collect();
            let gold: BTreeMap<&str, &[u32]> =
                case.gold.iter().map(String::as_str).zip(self.changed.iter().map(Vec::as_slice)).collect();
            let shown = chunks.shown(intent, &files, &|path| read(engine, path), &gold, budgets);
            if let (Some(cache), Ok(bytes)) = (engine.cache(), postcard::to_allocvec(&shown)) {
                // Without it the next run repeats this work.
                let _: std::result::Result<(), Problem> = cache.write_blob(engine.root(), &name, &bytes);
            }
            shown
        })
    }

    /// The ranks of the gold in plain text search. They are kept with the facts of the case, since they depend on nothing that is tuned.
    pub(super) fn baseline(&self, case: &Case, intent: &str, baseline: &mut Baseline) -> Vec<Option<u32>> {
        let engine = &self.engine;
        let name = format!("eval baseline {BASELINE_VERSION} {:?} {intent}", case.gold);
        let kept = engine.cache().and_then(|cache| cache.blob(engine.root(), &name));
        kept.and_then(|bytes| postcard::from_bytes(&bytes).ok()).unwrap_or_else(|| {
            let base = &self.snapshot.base;
            let files: Vec<(&str, u128)> = base.files().map(|file| (base.path(file), base.hash(file))).collect();
            let ranked = baseline.rank(intent, &files, &|path| read(engine, path));
            let ranks = ranks(&case.gold, ranked.iter().map(String::as_str).filter(|path| is_source(path)));
            if let (Some(cache), Ok(bytes)) = (engine.cache(), postcard::to_allocvec(&ranks)) {
                // Without it the next run repeats this work.
                let _: std::result::Result<(), Problem> = cache.write_blob(engine.root(), &name, &bytes);
            }
            ranks
        })
    }
}

impl Row {
    /// The row of a case as long as nothing is found.
    pub(super) fn unanswered(case: &Case, budgets: &[u32], fingerprint: String) -> Self {
        let of = |n: usize| Share { hits: 0, of: n as u32 };
        // The lines are counted where the repository can be opened; so many the case says.
        let (paths, symbols, lines) = (of(case.gold.len()), of(case.gold_symbols.len()), of(case.changed_lines as usize));
        let nothing = Shown { paths, symbols, lines, chunk_lines: lines, ..Shown::default() };
        Self {
            id: case.id.clone(),
            repo: case.repo.clone(),
            language: case.language.clone(),
            tier: case.tier,
            fingerprint,
            ranks: vec![None; case.gold.len()],
            subject_ranks: None,
            symbol_ranks: vec![None; case.gold_symbols.len()],
            n_listed: 0,
            certainty: word(Certainty::None).to_owned(),
            shown: budgets.iter().map(|budget| (*budget, nothing.clone())).collect::<BTreeMap<_, _>>(),
            baseline: vec![None; case.gold.len()],
            top: Vec::new(),
            problem: None,
        }
    }
}

/// The word of a certainty, as it stands in packets.
fn word(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Strong => "strong",
        Certainty::Weak => "weak",
        Certainty::None => "none",
    }
}

/// Where the gold stands in the answer's lists.
fn listed(row: &mut Row, case: &Case, activation: &Activation<'_>) {
    let (base, found) = (&activation.snapshot.base, &activation.found);
    word(found.intent.certainty).clone_into(&mut row.certainty);
    let files = || found.files.iter().map(|file| base.path(file.node)).filter(|path| is_source(path));
    row.ranks = ranks(&case.gold, files());
    row.n_listed = files().count() as u32;
    row.top = files().take(MAX_TOP).map(str::to_owned).collect();
    let symbols = found.symbols.iter().filter_map(|symbol| base.symbol(symbol.node));
    let symbols = symbols.map(|symbol| (base.path(symbol.file), symbol.name)).filter(|(path, _)| is_source(path));
    let symbols: Vec<(&str, &str)> = symbols.collect();
    row.symbol_ranks = case.gold_symbols.iter().map(|gold| rank(&symbols, &split_symbol(gold))).collect();
}

fn ranks<'a>(gold: &[String], listed: impl Iterator<Item = &'a str>) -> Vec<Option<u32>> {
    let listed: Vec<&str> = listed.collect();
    gold.iter().map(|gold| rank(&listed, &gold.as_str())).collect()
}

fn rank<T: PartialEq>(listed: &[T], wanted: &T) -> Option<u32> {
    listed.iter().position(|found| found == wanted).map(|at| at as u32 + 1)
}

/// Path and name of `path#name`.
pub(super) fn split_symbol(symbol: &str) -> (&str, &str) {
    // Private names of TypeScript begin with the same sign.
    symbol.split_once('#').unwrap_or((symbol, ""))
}

/// The text of a file; none for one that cannot be read.
fn read(engine: &Engine, path: &str) -> Vec<u8> {
    let path = RepoPath::new(path).ok();
    path.and_then(|path| engine.repo().read(&path, MAX_TEXT_BYTES).ok()).unwrap_or_default()
}

/// The lines of each gold file that the commit changes, in the file as it was: for lines that are only added, the one before them.
pub(super) fn changed_lines(engine: &Engine, case: &Case) -> Vec<Vec<u32>> {
    let git = engine.repo().git(engine.alternates()).0;
    let of_file = |path: &String| {
        let path = RepoPath::new(path).ok()?;
        let diff = git.as_ref()?.diff(&case.commit, &path, MAX_TEXT_BYTES).ok()??;
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
    let of = |n: usize| Share { hits: 0, of: n as u32 };
    let mut shown =
        Shown { tokens: tokens.0, paths: of(case.gold.len()), symbols: of(case.gold_symbols.len()), ..Shown::default() };
    for (path, changed) in case.gold.iter().zip(changed) {
        shown.paths.hits += u32::from(names_path(text, path));
        shown.lines.of += changed.len() as u32;
        let (lines, code) = shown_code(text, path);
        shown.lines.hits += changed.iter().filter(|line| lines.contains(line)).count() as u32;
        shown.gold_tokens += Tokenizer::default().count(&code).0;
    }
    for symbol in &case.gold_symbols {
        let (path, name) = split_symbol(symbol);
        shown.symbols.hits += u32::from(names_path(text, path) && names_symbol(text, name));
    }
    shown
}
