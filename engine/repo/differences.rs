//! What commits changed in files, with what of it could not be read.

use super::{FileDiff, Git, RepoPath};
use error::Problem;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The most bytes of a file of which it is looked up what a commit changed.
const MAX_DIFFED: u64 = 512 << 10;

/// Differences that commits made, looked up as they are asked for.
pub struct Differences<'g> {
    git: Option<&'g Git>,
    /// What could not be read, by path.
    unread: Mutex<BTreeSet<(RepoPath, String)>>,
}

impl<'g> Differences<'g> {
    /// Of a repository with git data; none are found without.
    pub fn new(git: Option<&'g Git>) -> Self {
        Self { git, unread: Mutex::default() }
    }

    /// What a commit changed in a file; none where it is not there before and after, and where that cannot be read.
    pub fn of(&self, commit: &str, path: &RepoPath) -> Option<FileDiff> {
        self.git?.diff(commit, path, MAX_DIFFED).unwrap_or_else(|problem| {
            self.unread.lock().unwrap_or_else(PoisonError::into_inner).insert((path.clone(), problem.message));
            None
        })
    }

    /// What could not be read.
    pub fn problem(self) -> Option<Problem> {
        let unread = self.unread.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (path, why) = unread.first()?;
        let message = format!(
            "{} differences that commits made cannot be read, and their lines count for nothing: the first is one in {path}: {why}",
            unread.len()
        );
        Some(Problem::new("git", message))
    }
}
