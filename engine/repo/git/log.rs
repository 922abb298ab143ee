//! Every commit that can be reached, over all parents, and what single ones of them changed.

use super::history::{Before, SHALLOW, Touched};
use super::objects::{CommitParts, Objects};
use super::{Git, Touch, guarded, head_id, unreadable};
use crate::RepoPath;
use error::Problem;
use gix::ObjectId;
use gix::diff::tree::State;
use rustc_hash::FxHashSet;
use std::collections::BinaryHeap;

/// Most commits of a log.
const MAX_COMMITS: usize = 1_000_000;

/// A commit with its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// The id in hexadecimal.
    pub id: String,
    /// The ids of its parents.
    pub parents: Vec<String>,
    /// When it was made, in seconds since 1970.
    pub time: i64,
    /// The author's name, cut at 1 kB like the subject.
    pub author: String,
    /// The message's first paragraph as one line.
    pub subject: String,
    /// The rest of the message, cut at 8 kB.
    pub body: String,
}

impl Git {
    /// Hands out the commits that can be reached from the last one over commits that are not older than `since` (seconds since 1970), newest
    /// first. No texts are kept: of a commit that was handed out only the id stays in memory.
    ///
    /// Commits that are missing, beyond the end of a shallow clone, are left out. Those that are there and cannot be read are told: what
    /// only they lead to is left out too.
    ///
    /// # Errors
    ///
    /// That there is no commit to begin with, or that git's objects cannot be read.
    pub fn log(&self, since: i64, each: &mut dyn FnMut(LogEntry)) -> Result<Vec<Problem>, Problem> {
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let mut problems = Vec::new();
            let mut n_commits = 0;
            let mut pending = BinaryHeap::new();
            let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
            let Some(head) = head_id(self, &repository)? else { return Ok(problems) };
            pending.push((i64::MAX, head));
            while let Some((_, id)) = pending.pop() {
                let commit = match objects.commit(&id) {
                    Ok(commit) => commit,
                    Err(problem) => {
                        problems.extend(objects.has(&id).then_some(problem));
                        continue;
                    }
                };
                if commit.time < since || n_commits == MAX_COMMITS {
                    continue;
                }
                n_commits += 1;
                for parent in &commit.parents {
                    if seen.insert(*parent) {
                        let time = objects.commit(parent).map(|parent| parent.time).unwrap_or_default();
                        pending.push((time, *parent));
                    }
                }
                let CommitParts { parents, time, author, subject, body, .. } = commit;
                let parents = parents.iter().map(ToString::to_string).collect();
                each(LogEntry { id: id.to_string(), parents, time, author, subject, body });
            }
            Ok(problems)
        })
    }

    /// Why older commits are not there, if the clone was cut off.
    pub fn cut_off(&self) -> Option<&'static str> {
        self.repository.to_thread_local().is_shallow().unwrap_or(false).then_some(SHALLOW)
    }

    /// The files that a commit touched against its first parent, by path; none where there are too many, and for a first commit.
    ///
    /// # Errors
    ///
    /// That there is no such commit, or that git's objects cannot be read.
    pub fn touched_by(&self, commit: &str) -> Result<Vec<(RepoPath, Touch)>, Problem> {
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let after = objects.commit(&parsed(commit)?)?;
            let Some(parent) = after.parents.first() else { return Ok(Vec::new()) };
            let before = Before::Tree(objects.commit(parent)?.tree);
            let touched = Touched::between(&objects, before, &after.tree, &mut State::default());
            touched.map(Touched::into_files).ok_or_else(|| unreadable(&format!("commit {commit}"), "a tree of it is missing"))
        })
    }
}

fn parsed(id: &str) -> Result<ObjectId, Problem> {
    ObjectId::from_hex(id.as_bytes()).map_err(|error| unreadable("a commit", error))
}
