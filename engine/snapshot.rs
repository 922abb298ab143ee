//! A repository at one moment: its fact base, git state and history, as fresh as its files.
//!
//! Lists the files, reads those that changed, and takes everything else from the last time. Must not know intents, scores or packets.

#[cfg(test)]
mod tests;

use crate::cache::{Base, Cache, RecordKey};
use crate::context::redact;
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::facts::base::{FactBase, Sections};
use crate::facts::build::{FileInput, build};
use crate::facts::extract::{FileRecord, MAX_TEXT_BYTES, extract};
use crate::facts::history::PastCommits;
use crate::repo::{Alternates, Change, Commit, FileEntry, Head, MAX_COMMITS, Repo, RepoPath, Walk, WalkOptions};
use activate_rules::atoms::NodeId;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How long after a change of a file another change can have the same time stamp, in nanoseconds: two seconds, as coarse as file systems
/// get. Files that young are read again next time. Tests do not wait so long for files to grow old; the times of their files tick within
/// 10 milliseconds.
const RACY_NS: i64 = if cfg!(test) { 20_000_000 } else { 2_000_000_000 };

/// The content hash of a file that could not be read.
const UNREAD: u128 = 0;

/// The most files that may have new times but old content before the fact base is written again with the new times.
const MAX_TOUCHED: usize = 100;

/// A repository at one moment.
pub struct Snapshot {
    /// What is known of its code.
    pub base: FactBase,
    /// Where git stands, if the repository has git data.
    pub head: Option<Head>,
    /// Files that differ from the last commit, by path.
    pub changes: Vec<Change>,
    /// The newest commits.
    pub past: Arc<PastCommits>,
    /// What was left out, and why.
    pub problems: Vec<Problem>,
    /// What it cost.
    pub effort: Effort,
    listed: Arc<Vec<FileEntry>>,
    records: Kept,
}

/// The records of a snapshot by key, as a cache would hold them: kept in memory where there is no cache, so that the next snapshot of the
/// process takes apart only what changed. They take about as much memory as the fact base (1 to 4 MB for repositories of some hundred
/// files, measured 2026-11-21), and one snapshot's are let go with it.
type Kept = Arc<FxHashMap<RecordKey, Arc<[u8]>>>;

/// What taking a snapshot cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Files listed.
    pub n_files: usize,
    /// Files read.
    pub n_read: usize,
    /// Files whose facts were extracted anew.
    pub n_extracted: usize,
    /// Whether the fact base was built anew.
    pub rebuilt: bool,
}

/// How far a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// What is known from the last time is opened.
    Opening,
    /// Files are compared with what is known of them.
    Comparing,
    /// Files read so far, of how many.
    Reading(usize, usize),
    /// Names are being resolved.
    Resolving,
    /// What was found out is kept for the next time.
    Writing,
    /// Git is asked for the branch and for changes.
    Git,
    /// Commits are being read.
    History,
    /// The intent is being read.
    Intent,
    /// The policy runs.
    Activation,
}

/// What a snapshot is taken of.
pub(crate) struct Source<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) cache: Option<&'a Cache>,
    /// Whether anything is written to the cache.
    pub(crate) keeps: bool,
    pub(crate) walk: &'a WalkOptions,
    pub(crate) alternates: Alternates,
    pub(crate) progress: &'a (dyn Fn(Progress) + Sync),
}

impl Sections for Base {
    fn section(&self, name: &str) -> &[u8] {
        Base::section(self, name)
    }
}

impl Snapshot {
    /// Takes a snapshot; `last` is an earlier one of the same repository in the same process.
    pub(crate) fn take(source: &Source<'_>, last: Option<&Self>) -> Result<Self> {
        let walk = source.repo.walk(source.walk)?;
        if walk.files.is_empty() {
            let message = format!(
                "`{}` holds no file that can be read; is it the right folder, and do its ignore files leave anything?",
                source.repo.root_text()
            );
            return Err(Error::new(ErrorKind::EmptyRepository, message));
        }
        let mut problems = walk.problems.clone();
        (source.progress)(Progress::Opening);
        let last_base = || last.map(|snapshot| snapshot.base.clone());
        // What is cached of a commit is what it holds; of a folder, what the last run of this process saw is newer.
        let known = if source.repo.is_at_commit() {
            source.cached_base().or_else(last_base)
        } else {
            last_base().or_else(|| source.cached_base())
        };
        let kept = last.map(|snapshot| Arc::clone(&snapshot.records)).unwrap_or_default();
        let (base, effort, records) = source.base(&walk, known.as_ref(), &kept, &mut problems);
        problems.extend(check_symbols(&base, source.repo.root_text())?);
        (source.progress)(Progress::Git);
        let (git, git_problems) = source.repo.git(source.alternates);
        problems.extend(git_problems);
        let mut snapshot = Self {
            base,
            head: None,
            changes: Vec::new(),
            past: Arc::default(),
            problems,
            effort,
            listed: Arc::new(walk.files),
            records,
        };
        if let Some(git) = git {
            match git.head() {
                Ok(head) => {
                    snapshot.past = source.past(&git, &head, last, &mut snapshot.problems);
                    snapshot.head = Some(head);
                }
                Err(problem) => snapshot.problems.push(problem),
            }
            let changes = git.changes(&snapshot.listed);
            snapshot.changes = changes.changes;
            snapshot.problems.extend(changes.problems);
        }
        snapshot.problems.sort();
        snapshot.problems.dedup();
        Ok(snapshot)
    }
}

/// Fails where files hold code and not one definition was found in it: whatever were answered would be guesswork. Where no file holds
/// code that is understood, that is a problem of an answer from paths and text.
fn check_symbols(base: &FactBase, root: &str) -> Result<Option<Problem>> {
    if base.n_symbols() > 0 {
        return Ok(None);
    }
    let n_code_files = base.files().filter(|file| base.language(*file).is_some()).count();
    if n_code_files > 0 {
        let message = format!("`{root}` has {n_code_files} files of code, but nothing is defined in them");
        return Err(Error::new(ErrorKind::NoSymbols, message));
    }
    let message = "no file is in a language whose code is understood: only paths and text take part";
    Ok(Some(Problem::new("extract", message)))
}

/// What was found out about one listed file.
enum Seen {
    /// As it was when it was last read.
    Same(u128),
    /// Read: hash and content.
    Read(u128, Vec<u8>),
    /// Too large, or not readable: why.
    Unread(Option<Problem>),
}

/// What a file yielded: the key of its record, the record, its bytes if it is new, and why the file was not read.
type Made = (RecordKey, FileRecord, Option<Vec<u8>>, Option<Problem>);

/// The records that were made, or were known from the last time.
fn keep(made: Vec<Made>, last: &Kept) -> Kept {
    let keep = |(key, _, bytes, _): Made| {
        let bytes = bytes.map(Arc::from).or_else(|| last.get(&key).cloned())?;
        Some((key, bytes))
    };
    Arc::new(made.into_iter().filter_map(keep).collect())
}

/// History as it is cached: without secrets.
#[derive(Serialize, Deserialize)]
struct History {
    /// The sources that made the index of its words.
    facts: String,
    /// What was taken for a secret.
    masks: u64,
    head: String,
    past: PastCommits,
}

const HISTORY: &str = "history";

impl Source<'_> {
    /// Stands for everything but file contents that decides what a fact base says.
    fn fingerprint(&self) -> u128 {
        let excludes = self.walk.exclude.join("\n");
        let text = format!("{}\n{}\n{excludes}", env!("ACTIVATE_FACTS_HASH"), self.walk.max_files);
        xxhash_rust::xxh3::xxh3_128(text.as_bytes())
    }

    fn cached_base(&self) -> Option<FactBase> {
        let base = self.cache?.base(self.repo.root_text(), self.fingerprint())?;
        Some(FactBase::new(Arc::new(base)))
    }

    fn base(&self, walk: &Walk, known: Option<&FactBase>, kept: &Kept, problems: &mut Vec<Problem>) -> (FactBase, Effort, Kept) {
        let mut effort = Effort { n_files: walk.files.len(), ..Effort::default() };
        let unread = AtomicUsize::new(0);
        (self.progress)(Progress::Comparing);
        let n_to_read =
            walk.files.iter().filter(|entry| known.as_ref().is_none_or(|base| stat_of(base, entry).is_none())).count();
        let look = |entry: &FileEntry| {
            if let Some(hash) = known.and_then(|base| stat_of(base, entry)) {
                return Seen::Same(hash);
            }
            (self.progress)(Progress::Reading(unread.fetch_add(1, Ordering::Relaxed), n_to_read));
            self.look_at(entry)
        };
        let mut seen: Vec<Seen> = walk.files.par_iter().map(look).collect();
        effort.n_read = seen.iter().filter(|seen| matches!(seen, Seen::Read(..))).count();
        if let Some(base) = known
            && effort.n_read <= MAX_TOUCHED
            && base.n_files() as usize == walk.files.len()
            && walk
                .files
                .iter()
                .zip(&seen)
                .zip(base.files())
                .all(|((entry, seen), file)| base.path(file) == entry.path.as_str() && content_hash(seen) == base.hash(file))
        {
            problems.extend(serde_json::from_slice::<Vec<Problem>>(base.problems()).unwrap_or_default());
            return (base.clone(), effort, Arc::clone(kept));
        }
        effort.rebuilt = true;
        let records = self.cache.map(|cache| cache.records(&self.repo.folder_text())).unwrap_or_default();
        let extracted = AtomicUsize::new(0);
        let record = |(entry, seen): (&FileEntry, &mut Seen)| -> Made {
            let path = entry.path.as_str();
            let hash = content_hash(seen);
            let key = Cache::key(&[env!("ACTIVATE_FACTS_HASH").as_bytes(), path.as_bytes(), &hash.to_le_bytes()]);
            let known = records.get(key).or_else(|| kept.get(&key).map(AsRef::as_ref));
            let known = known.and_then(|bytes| postcard::from_bytes(bytes).ok());
            if known.is_none() && matches!(seen, Seen::Same(_)) {
                *seen = self.look_at(entry);
            }
            // Why a file was not read is said each time, whatever is known of it.
            let (content, problem) = match std::mem::replace(seen, Seen::Unread(None)) {
                Seen::Read(_, content) => (Some(content), None),
                Seen::Unread(problem) => (None, problem),
                Seen::Same(_) => (None, None),
            };
            if let Some(record) = known {
                return (key, record, None, problem);
            }
            extracted.fetch_add(1, Ordering::Relaxed);
            let record = extract(path, content.as_deref());
            let bytes = postcard::to_allocvec(&record).ok();
            (key, record, bytes, problem)
        };
        let hashes: Vec<u128> = seen.iter().map(content_hash).collect();
        let made: Vec<Made> = walk.files.par_iter().zip(seen.par_iter_mut()).map(record).collect();
        effort.n_extracted = extracted.into_inner();
        (self.progress)(Progress::Resolving);
        let inputs: Vec<FileInput<'_>> = walk
            .files
            .iter()
            .zip(&made)
            .zip(&hashes)
            .map(|((entry, (_, record, ..)), hash)| {
                // A file as young as the snapshot may change again without its times telling: it is remembered as changed.
                let racy = entry.mtime_ns.max(entry.ctime_ns) + RACY_NS >= walk.started_ns;
                let ctime_ns = if racy { 0 } else { entry.ctime_ns };
                FileInput { path: entry.path.as_str(), size: entry.size, mtime_ns: entry.mtime_ns, ctime_ns, hash: *hash, record }
            })
            .collect();
        let (mut sections, mut found) = build(&inputs);
        found.extend(made.iter().filter_map(|(.., problem)| problem.clone()));
        sections.push(("problems", serde_json::to_vec(&found).unwrap_or_default()));
        problems.extend(found);
        (self.progress)(Progress::Writing);
        let views: Vec<(&str, &[u8])> = sections.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
        let base = Base::build(self.repo.root_text(), self.fingerprint(), 0, &views);
        drop(views);
        drop(sections);
        if let Some(cache) = self.cache.filter(|_| self.keeps) {
            // The base names files as they are called. Where that is a secret it is not kept, and every run builds it anew.
            if !made.iter().any(|(_, record, ..)| record.secret_path) {
                problems.extend(cache.write_base(&base).err());
            }
            // The records are those of the folder: what a commit alone has would be in their way.
            if effort.n_extracted > 0 && !self.repo.is_at_commit() {
                let mut keys: Vec<RecordKey> = made.iter().map(|(key, ..)| *key).collect();
                keys.sort_unstable();
                let new = made.iter().filter_map(|(key, _, bytes, _)| Some((*key, bytes.as_deref()?)));
                problems.extend(cache.write_records(self.repo.root_text(), new, &|key| keys.binary_search(&key).is_ok()).err());
            }
        }
        let records = if self.cache.is_some() && !self.repo.is_at_commit() { Kept::default() } else { keep(made, kept) };
        (FactBase::new(Arc::new(base)), effort, records)
    }

    fn look_at(&self, entry: &FileEntry) -> Seen {
        if entry.size > MAX_TEXT_BYTES {
            return Seen::Unread(Some(Problem::at("read", &entry.path, "larger than 16 MiB; only its path takes part")));
        }
        match self.repo.read(&entry.path, MAX_TEXT_BYTES) {
            Ok(content) => Seen::Read(xxhash_rust::xxh3::xxh3_128(&content), content),
            Err(error) => Seen::Unread(Some(Problem::at("read", &entry.path, format!("{error}; only its path takes part")))),
        }
    }

    fn past(
        &self,
        git: &crate::repo::Git,
        head: &Head,
        last: Option<&Snapshot>,
        problems: &mut Vec<Problem>,
    ) -> Arc<PastCommits> {
        let Some(tip) = &head.commit else { return Arc::default() };
        if let Some(last) = last
            && last.head.as_ref().is_some_and(|old| old.commit.as_ref() == Some(tip))
        {
            return Arc::clone(&last.past);
        }
        let root = self.repo.root_text();
        let cached =
            self.cache.and_then(|cache| cache.blob(root, HISTORY)).and_then(|bytes| postcard::from_bytes::<History>(&bytes).ok());
        let facts = env!("ACTIVATE_FACTS_HASH").to_owned();
        let cached = cached.filter(|history| history.masks == redact::version() && history.facts == facts);
        if let Some(history) = &cached
            && history.head == *tip
        {
            return Arc::new(cached.map(|history| history.past).unwrap_or_default());
        }
        // Where the process has seen an older commit, only what came since is read.
        let cached = cached.or_else(|| {
            let (head, past) = last.map(|last| (last.head.as_ref().and_then(|head| head.commit.clone()), &last.past))?;
            Some(History { facts: facts.clone(), masks: redact::version(), head: head?, past: past.as_ref().clone() })
        });
        (self.progress)(Progress::History);
        let found = git.history_since(cached.as_ref().map(|history| history.head.as_str()), MAX_COMMITS);
        problems.extend(found.problems.iter().cloned());
        let mut commits = found.commits;
        hide_secrets(&mut commits);
        if found.joins_known {
            commits.extend(cached.map(|history| history.past.commits).unwrap_or_default());
            commits.truncate(MAX_COMMITS);
        }
        let history = History { facts, masks: redact::version(), head: tip.clone(), past: PastCommits::new(commits) };
        if let (Some(cache), Ok(bytes)) = (self.cache.filter(|_| self.keeps), postcard::to_allocvec(&history)) {
            problems.extend(cache.write_blob(root, HISTORY, &bytes).err());
        }
        Arc::new(history.past)
    }
}

/// Masks the secrets in messages and takes files whose paths hold one out of history.
fn hide_secrets(commits: &mut [Commit]) {
    let paths: BTreeSet<&RepoPath> = commits.iter().flat_map(|commit| commit.touched.iter().map(|(path, _)| path)).collect();
    let is_secret = |path: &&RepoPath| matches!(redact::text("", path.as_str()), Cow::Owned(_));
    let secret: BTreeSet<RepoPath> = paths.into_par_iter().filter(is_secret).cloned().collect();
    commits.par_iter_mut().for_each(|commit| {
        for text in [&mut commit.author, &mut commit.subject, &mut commit.body] {
            if let Cow::Owned(masked) = redact::text("", text) {
                *text = masked;
            }
        }
        commit.touched.retain(|(path, _)| !secret.contains(path));
    });
}

/// The content hash of a file that was read before and that the base knows with the same size and times.
fn stat_of(base: &FactBase, entry: &FileEntry) -> Option<u128> {
    let file: NodeId = base.file_at(entry.path.as_str())?;
    let same = base.size(file) == entry.size && base.mtime(file) == entry.mtime_ns && base.ctime(file) == entry.ctime_ns;
    same.then(|| base.hash(file)).filter(|hash| *hash != UNREAD)
}

fn content_hash(seen: &Seen) -> u128 {
    match seen {
        Seen::Same(hash) | Seen::Read(hash, _) => *hash,
        Seen::Unread(_) => UNREAD,
    }
}
