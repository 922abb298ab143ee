//! The newest commits along first parents, and the files each of them touched.
//!
//! Must not know which commits matter: it tells all of them, newest first.

use super::objects::{CommitParts, Objects};
use super::place::Place;
use super::{Git, guarded, head_id};
use crate::RepoPath;
use crate::path::is_git_name;
use error::Problem;
use gix::ObjectId;
use gix::bstr::BStr;
use gix::diff::tree::{Error as DiffError, State, Visit, visit};
use gix::objs::TreeRefIter;
use gix::objs::tree::{EntryKind, EntryMode};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Most commits of a history: a count and never a time, so that the answer does not age.
pub const MAX_COMMITS: usize = 5_000;

/// Most files of a commit that are named. A commit over more is a bulk change, which says little about any one of them.
pub const MAX_TOUCHED: usize = 1_000;

/// Most bytes of paths that the comparison of one commit meets, folders included: a forged tree can hold more than there are atoms.
pub(super) const MAX_DIFF_PATH_BYTES: usize = 16 << 20;

/// Most bytes of trees that the comparison of one stretch of [`COMMITS_AT_ONCE`] commits reads, the same tree counted each time: four
/// megabytes a commit. Each stretch has this share of the whole history's budget, so that what is found does not depend on which thread
/// was first.
pub(super) const MAX_STRETCH_TREE_BYTES: usize = COMMITS_AT_ONCE << 22;

/// Told where history ends because the clone was cut off.
pub(super) const SHALLOW: &str = "the clone is shallow: older commits are not there (`git fetch --unshallow` gets them)";

/// How many neighbouring commits one thread takes at a time: they share trees, and each thread remembers those it met.
const COMMITS_AT_ONCE: usize = 64;

/// A stretch of history.
#[derive(Debug, Default)]
pub struct History {
    /// Newest first.
    pub commits: Vec<Commit>,
    /// Whether the walk ended at the commit that the caller knew: what the caller has continues this.
    pub joins_known: bool,
    /// Whether the same is found next time from the same commit with the same [`Git::ends`]: nothing was missing that may come yet.
    pub is_settled: bool,
    /// Where history is missing or damaged.
    pub problems: Vec<Problem>,
}

/// One commit against its first parent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// The id in hexadecimal.
    pub id: String,
    /// When it was made, in seconds since 1970.
    pub time: i64,
    /// The author's name.
    pub author: String,
    /// The message's first paragraph as one line.
    pub subject: String,
    /// The rest of the message, cut at 8 kB.
    pub body: String,
    /// The files it touched, by path; empty for a bulk change and where a parent is missing.
    pub touched: Vec<(RepoPath, Touch)>,
    /// How many files it touched; a lower bound of a bulk change.
    pub n_touched: u32,
    /// Whether it touched more than [`MAX_TOUCHED`] files, or more folders than are looked through.
    pub bulk: bool,
}

/// What a commit did to a file. A renamed file is one deleted and one added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Touch {
    /// The file is new.
    Added,
    /// The file was there before and after.
    Modified,
    /// The file is gone.
    Deleted,
    /// A file of that name was there before and after, but of another kind: what was text is a link, or the other way round.
    Retyped,
}

/// A commit whose files are still to be found.
struct Link {
    id: ObjectId,
    parts: CommitParts,
}

/// The tree a commit is compared with.
#[derive(Clone, Copy)]
pub(super) enum Before {
    /// The first commit of all.
    Nothing,
    Tree(ObjectId),
    /// The parent is cut off or damaged.
    Unknown,
}

impl Before {
    fn is_unknown(self) -> bool {
        matches!(self, Self::Unknown)
    }
}

impl Git {
    /// What decides, besides the commit it begins with, which commits a history has: where the clone is cut off, and what stands in the
    /// place of what.
    pub fn ends(&self) -> Vec<u8> {
        let repository = self.repository.to_thread_local();
        let cut_off = repository.shallow_commits().ok().flatten();
        let mut ends: Vec<u8> = cut_off.iter().flat_map(|commits| commits.iter()).flat_map(|id| id.as_bytes()).copied().collect();
        let references = repository.references().ok();
        let replaced = references.as_ref().and_then(|references| references.prefixed("refs/replace/").ok());
        for reference in replaced.into_iter().flatten().flatten() {
            ends.extend_from_slice(reference.name().as_bstr());
            ends.extend_from_slice(reference.target().try_id().map(gix::oid::as_bytes).unwrap_or_default());
        }
        ends
    }

    /// The newest `limit` commits along first parents, newest first.
    pub fn history(&self, limit: usize) -> History {
        self.history_since(None, limit)
    }

    /// The commits newer than `known` (an id in hexadecimal), at most `limit`; without it, or if it is not among them, the newest `limit`.
    ///
    /// Commits are compared in parallel on the caller's rayon pool.
    pub fn history_since(&self, known: Option<&str>, limit: usize) -> History {
        let mut history = History::default();
        let chain = guarded(|| self.chain(known, limit, &mut history.problems)).unwrap_or_else(|problem| {
            history.problems.push(problem);
            Chain::default()
        });
        history.joins_known = chain.joins_known;
        history.is_settled = history.problems.iter().all(|problem| problem.message == SHALLOW);
        // What the last commit before the end of a shallow clone touched is unknown as a matter of course.
        let n_cut_off = usize::from(chain.before_last.is_unknown() && self.cut_off().is_some());
        let n_compared = chain.links.len() - n_cut_off.min(chain.links.len());
        let found = guarded(|| Ok(self.touched(&chain)));
        let (mut n_damaged, mut n_too_large) = (0_usize, 0_usize);
        match found {
            Ok(touched) => {
                for ((at, link), touched) in chain.links.into_iter().enumerate().zip(touched) {
                    n_damaged += usize::from(at < n_compared && matches!(touched, Err(Unknown::Damaged)));
                    n_too_large += usize::from(matches!(touched, Err(Unknown::TooLarge)));
                    history.commits.push(Commit::new(link, touched.unwrap_or_default()));
                }
            }
            Err(problem) => {
                history.problems.push(problem);
                history.is_settled = false;
            }
        }
        history.is_settled &= n_damaged == 0;
        let reasons = [
            (n_damaged, "a tree or parent of theirs is missing or damaged"),
            (n_too_large, "the trees of so many of them are too large to be compared"),
        ];
        for (n_commits, reason) in reasons.into_iter().filter(|(n_commits, _)| *n_commits > 0) {
            history.problems.push(Problem::new("git", format!("the files of {n_commits} commits are unknown: {reason}")));
        }
        history
    }

    /// Follows first parents from `HEAD`.
    fn chain(&self, known: Option<&str>, limit: usize, problems: &mut Vec<Problem>) -> Result<Chain, Problem> {
        let repository = self.repository.to_thread_local();
        let objects = Objects::new(&repository);
        let known = known.and_then(|id| ObjectId::from_hex(id.as_bytes()).ok());
        let mut chain = Chain::default();
        let mut next = head_id(self, &repository)?;
        while let Some(id) = next {
            chain.joins_known = known == Some(id);
            let is_end = chain.joins_known || chain.links.len() == limit;
            match objects.commit(&id) {
                Ok(parts) if is_end => {
                    chain.before_last = Before::Tree(parts.tree);
                    return Ok(chain);
                }
                Ok(parts) => {
                    next = parts.parents.first().copied();
                    chain.links.push(Link { id, parts });
                }
                Err(problem) => {
                    chain.before_last = Before::Unknown;
                    // Past the end of what was asked for, nothing is lost.
                    if !is_end {
                        problems.push(if repository.is_shallow().unwrap_or(false) {
                            Problem::new("git", SHALLOW)
                        } else {
                            problem
                        });
                    }
                    return Ok(chain);
                }
            }
        }
        Ok(chain)
    }

    /// The files that each commit of the chain touched.
    fn touched(&self, chain: &Chain) -> Vec<Result<Touched, Unknown>> {
        let starts: Vec<usize> = (0..chain.links.len()).step_by(COMMITS_AT_ONCE).collect();
        let stretches: Vec<Vec<Result<Touched, Unknown>>> = starts
            .into_par_iter()
            .map(|start| {
                let repository = self.repository.to_thread_local();
                let objects = Objects::with_budget(&repository, MAX_STRETCH_TREE_BYTES);
                let mut state = State::default();
                let end = chain.links.len().min(start + COMMITS_AT_ONCE);
                let mut touched = |at: usize| {
                    let found = Touched::between(&objects, chain.before(at), &chain.links[at].parts.tree, &mut state);
                    found.ok_or(if objects.is_spent() { Unknown::TooLarge } else { Unknown::Damaged })
                };
                (start..end).map(&mut touched).collect()
            })
            .collect();
        stretches.into_iter().flatten().collect()
    }
}

/// Commits along first parents, newest first.
struct Chain {
    links: Vec<Link>,
    /// What the oldest of them is compared with.
    before_last: Before,
    joins_known: bool,
}

impl Default for Chain {
    fn default() -> Self {
        Self { links: Vec::new(), before_last: Before::Nothing, joins_known: false }
    }
}

impl Chain {
    fn before(&self, at: usize) -> Before {
        self.links.get(at + 1).map_or(self.before_last, |parent| Before::Tree(parent.parts.tree))
    }
}

impl Commit {
    fn new(link: Link, touched: Touched) -> Self {
        let CommitParts { time, author, subject, body, .. } = link.parts;
        Self {
            id: link.id.to_string(),
            time,
            author,
            subject,
            body,
            bulk: touched.is_bulk,
            n_touched: touched.n_files,
            touched: touched.files,
        }
    }
}

/// Why the files of a commit are unknown.
#[derive(Debug, Clone, Copy)]
enum Unknown {
    /// A tree or parent is missing or damaged.
    Damaged,
    /// The trees of its stretch of history are too large.
    TooLarge,
}

/// Collects the files between two trees.
#[derive(Default)]
pub(super) struct Touched {
    files: Vec<(RepoPath, Touch)>,
    n_files: u32,
    /// Of the paths that were met.
    n_bytes: usize,
    is_bulk: bool,
    place: Place,
}

impl Touched {
    /// The files between two trees; none where a tree is missing.
    pub(super) fn between(objects: &Objects<'_>, before: Before, after: &ObjectId, state: &mut State) -> Option<Self> {
        let mut touched = Self::default();
        let (mut old, mut new) = (Vec::new(), Vec::new());
        let old = match before {
            Before::Nothing => TreeRefIter::from_bytes(&[], after.kind()),
            Before::Tree(id) if id == *after => return Some(touched),
            Before::Tree(id) => objects.tree(&id, &mut old).ok()?,
            Before::Unknown => return None,
        };
        let new = objects.tree(after, &mut new).ok()?;
        match gix::diff::tree(old, new, state, objects, &mut touched) {
            Ok(()) => {}
            Err(DiffError::Cancelled) => {
                touched.is_bulk = true;
                touched.files = Vec::new();
            }
            Err(DiffError::Failure(_)) => return None,
        }
        touched.files.sort_unstable();
        // A file that became a folder of the same name, or a tree that lists a name twice, is told once.
        touched.files.dedup_by(|later, earlier| later.0 == earlier.0);
        Some(touched)
    }

    /// Whether there are more files than are named.
    pub(super) fn is_bulk(&self) -> bool {
        self.is_bulk
    }

    /// The files, by path.
    pub(super) fn into_files(self) -> Vec<(RepoPath, Touch)> {
        self.files
    }
}

impl Visit for Touched {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.place.enter_next();
    }

    fn push_back_tracked_path_component(&mut self, component: &BStr) {
        self.place.push_folder(component);
    }

    fn push_path_component(&mut self, component: &BStr) {
        self.place.push(component);
    }

    fn pop_path_component(&mut self) {
        self.place.pop();
    }

    fn visit(&mut self, change: visit::Change) -> visit::Action {
        use visit::Change::{Addition, Deletion, Modification};
        let path = self.place.path();
        self.n_bytes += path.len() + 1;
        let (touch, mode) = match change {
            Addition { entry_mode, .. } => (Touch::Added, entry_mode),
            Deletion { entry_mode, .. } => (Touch::Deleted, entry_mode),
            Modification { previous_entry_mode, entry_mode, .. } => {
                let is_same = file_kind(previous_entry_mode) == file_kind(entry_mode);
                (if is_same { Touch::Modified } else { Touch::Retyped }, entry_mode)
            }
        };
        if mode.is_no_tree() && !is_git_name(self.place.name()) {
            self.n_files += 1;
            self.files.extend(RepoPath::from_bytes(path).ok().map(|path| (path, touch)));
        }
        // Paths longer than any file's have no end that is worth waiting for.
        let goes_on =
            self.n_files as usize <= MAX_TOUCHED && self.n_bytes <= MAX_DIFF_PATH_BYTES && path.len() <= RepoPath::MAX_BYTES;
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// What an entry is, whether or not it may be run.
fn file_kind(mode: EntryMode) -> EntryKind {
    match mode.kind() {
        EntryKind::BlobExecutable => EntryKind::Blob,
        kind => kind,
    }
}
