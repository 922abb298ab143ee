//! What git says about the working tree and about the code at hand, as the host read it.
//!
//! Data only: must not run git, nor choose what is shown.

use std::collections::BTreeSet;

/// The state of the repository. The default is a folder that is not a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GitState {
    /// Whether the root is a repository; where it is not, no file counts as tracked.
    pub is_repository: bool,
    /// Current branch; none on a detached head, and where a commit was asked for.
    pub branch: Option<String>,
    /// The commit that was asked for, in hexadecimal digits; none where the working tree is shown.
    pub commit: Option<String>,
    /// Paths with uncommitted changes, in path order.
    pub modified: Vec<String>,
    /// Paths that git does not track.
    pub untracked: BTreeSet<String>,
    /// Commits that touched active files, newest first.
    pub commits: Vec<CommitLine>,
}

/// A commit that says why code is as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommitLine {
    /// Its hash in hexadecimal digits.
    pub sha: String,
    /// First line of its message.
    pub subject: String,
    /// Who wrote it.
    pub author: String,
    /// The active file that it explains best.
    pub file: String,
    /// Whether it mends or takes back another: such commits say most about why code is as it is.
    pub is_fix_or_revert: bool,
    /// Whether it touched lines of hot code, not only their file.
    pub touches_hot_lines: bool,
}

impl GitState {
    /// Whether git tracks the file at `path`.
    pub fn tracks(&self, path: &str) -> bool {
        self.is_repository && !self.untracked.contains(path)
    }

    /// The commits that say something about the code that is shown, since they touched its lines: reverts and fixes first, then the newest.
    pub fn ranked(&self) -> Vec<&CommitLine> {
        let mut commits: Vec<&CommitLine> =
            self.commits.iter().filter(|commit| commit.touches_hot_lines && !is_routine(&commit.subject)).collect();
        // Stable, so that what is alike stays newest first.
        commits.sort_by_key(|commit| !commit.is_fix_or_revert);
        commits
    }
}

/// What subjects of commits begin with that say nothing about code.
const ROUTINE: [&str; 12] = [
    "merge branch",
    "merge pull request",
    "merge remote-tracking",
    "merge tag",
    "chore(deps",
    "build(deps",
    "deps:",
    "deps(",
    "fix(deps",
    "update dependency",
    "release v",
    "release: v",
];

/// Whether a commit merges, releases or renews dependencies.
fn is_routine(subject: &str) -> bool {
    let subject = subject.trim().to_lowercase();
    // "Bump serde from 1.0 to 1.1" and no other bump.
    let is_bump = subject.starts_with("bump ") && subject.contains(" from ") && subject.contains(" to ");
    is_bump || ROUTINE.iter().any(|start| subject.starts_with(start))
}
