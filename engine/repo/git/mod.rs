//! A repository's git data: where it stands, what changed, what happened.
//!
//! Runs no program, no filter and no hook, whatever the repository's configuration says; writes nothing.

mod changes;
mod fork;
mod history;
mod index;
mod lines;
mod locate;
mod log;
mod objects;
mod place;
mod since;
#[cfg(test)]
mod tests;
mod tree;
mod versions;

pub use changes::unix_lines;
pub use changes::{Absent, Change, ChangeKind, Changes};
pub use history::{Commit, History, MAX_COMMITS, MAX_TOUCHED, Touch};
pub(super) use index::Index;
pub use lines::{ChangedLines, FileDiff, Hunk, LineRange, hunks};
pub(super) use locate::{GitFolders, locate, locate_bare};
pub use log::LogEntry;
pub use objects::beginning;
pub use since::Since;
pub(super) use tree::Tree;
pub use versions::{Differing, Mode, Version};

use super::path::escape;
use super::root::Root;
use error::Problem;
use gix::bstr::ByteSlice;
use objects::Objects;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What to do about object folders of other repositories that this one borrows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Alternates {
    /// Do without git data, and say so: the list of folders is the repository's word, and it may point anywhere.
    #[default]
    Refuse,
    /// Read them, and say so.
    Follow,
}

/// The git data of a repository; cheap to share between threads.
#[derive(Debug, Clone)]
pub struct Git {
    repository: gix::ThreadSafeRepository,
    /// The work tree.
    root: Arc<Root>,
    /// The folder with `HEAD` and `index`.
    own: Arc<Root>,
    /// The commit that stands for `HEAD`, where one was asked for.
    at: Option<gix::ObjectId>,
}

/// Where a repository stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The branch without `refs/heads/`; `None` when a commit is checked out by itself.
    pub branch: Option<String>,
    /// The commit's id in hexadecimal; `None` before the first commit.
    pub commit: Option<String>,
    /// When the commit was made, in seconds since 1970; `None` before the first commit.
    pub time: Option<i64>,
}

impl Git {
    pub(super) fn open(root: &Arc<Root>, folders: &GitFolders, alternates: Alternates) -> (Option<Self>, Vec<Problem>) {
        let mut problems = Vec::new();
        match folders.check() {
            Err(reason) => return (None, vec![no_git_data(reason)]),
            Ok(locate::Borrows::No) => {}
            Ok(locate::Borrows::Yes) if alternates == Alternates::Follow => {
                problems.push(Problem::new(
                    "git",
                    "objects of other repositories are read, as `.git/objects/info/alternates` names them",
                ));
            }
            Ok(locate::Borrows::Yes) => {
                let reason =
                    "it borrows objects from folders outside (`.git/objects/info/alternates`); allow it to follow alternates";
                return (None, vec![no_git_data(reason)]);
            }
        }
        // Reduced trust makes gix ignore every setting that names a program; isolation makes it ignore the user's and the environment's.
        let options = gix::open::Options::isolated().with(gix::sec::Trust::Reduced).open_path_as_is(true);
        let opened = guarded(|| gix::ThreadSafeRepository::open_opts(&folders.own_path, options).map_err(no_git_data));
        match opened {
            Ok(repository) => {
                (Some(Self { repository, root: Arc::clone(root), own: Arc::clone(&folders.own), at: None }), problems)
            }
            Err(problem) => (None, vec![problem]),
        }
    }

    /// The checked-out branch and commit.
    ///
    /// # Errors
    ///
    /// That `HEAD` cannot be read.
    pub fn head(&self) -> Result<Head, Problem> {
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let head = repository.head().map_err(|error| unreadable("HEAD", error))?;
            let branch = head.referent_name().map(|name| escape(name.shorten().as_bytes())).filter(|_| self.at.is_none());
            let Some(id) = head_id(self, &repository)? else { return Ok(Head { branch, commit: None, time: None }) };
            let commit = Objects::new(&repository).commit(&id)?;
            Ok(Head { branch, commit: Some(id.to_string()), time: Some(commit.time) })
        })
    }
}

/// The commit that was asked for, else the checked-out one; `None` before the first.
fn head_id(git: &Git, repository: &gix::Repository) -> Result<Option<gix::ObjectId>, Problem> {
    if git.at.is_some() {
        return Ok(git.at);
    }
    let mut head = repository.head().map_err(|error| unreadable("HEAD", error))?;
    let id = head.try_peel_to_id().map_err(|error| unreadable("HEAD", error))?;
    Ok(id.map(gix::Id::detach))
}

fn no_git_data(reason: impl std::fmt::Display) -> Problem {
    Problem::new("git", format!("git data is not used: {reason}"))
}

fn unreadable(what: &str, reason: impl std::fmt::Display) -> Problem {
    Problem::new("git", format!("{what} cannot be read from the git data: {reason}"))
}

/// Runs `work` and turns a panic into a problem.
///
/// gix asserts some properties of its files; a damaged or forged repository must cost its git data, not the process.
fn guarded<T>(work: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(no_git_data("it is damaged")))
}
