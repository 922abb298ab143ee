//! Every commit that can be reached, over all parents, and what single ones of them changed.
//!
//! Must not know which commits matter.

use super::history::{Before, Touched};
use super::objects::Objects;
use super::{Git, Touch, guarded, head_id, unreadable};
use crate::error::Problem;
use crate::repo::RepoPath;
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
    /// The author's name.
    pub author: String,
    /// The message's first paragraph as one line.
    pub subject: String,
    /// The rest of the message.
    pub body: String,
}

impl Git {
    /// The commits that can be reached from the last one over commits that are not older than `since` (seconds since 1970), newest first.
    ///
    /// Commits that are missing, beyond the end of a shallow clone, are left out.
    pub fn log(&self, since: i64) -> Result<Vec<LogEntry>, Problem> {
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let mut log = Vec::new();
            let mut pending = BinaryHeap::new();
            let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
            let Some(head) = head_id(self, &repository)? else { return Ok(log) };
            pending.push((i64::MAX, head));
            while let Some((_, id)) = pending.pop() {
                let Ok(commit) = objects.commit(&id) else { continue };
                if commit.time < since || log.len() == MAX_COMMITS {
                    continue;
                }
                for parent in &commit.parents {
                    if seen.insert(*parent) {
                        let time = objects.commit(parent).map(|parent| parent.time).unwrap_or_default();
                        pending.push((time, *parent));
                    }
                }
                let message = commit.message.trim_start_matches('\n');
                let (subject, body) = message.split_once("\n\n").unwrap_or((message, ""));
                log.push(LogEntry {
                    id: id.to_string(),
                    parents: commit.parents.iter().map(ToString::to_string).collect(),
                    time: commit.time,
                    author: commit.author,
                    subject: subject.trim().replace(['\r', '\n'], " "),
                    body: body.trim().to_owned(),
                });
            }
            Ok(log)
        })
    }

    /// The files that a commit touched against its first parent, by path; none where there are too many, and for a first commit.
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
