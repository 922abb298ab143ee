//! What git says of what is active: the branch, changed files, and the commits that touched what matters.

use super::Activation;
use activate_rules::atoms::Tier;
use context::git_state::{CommitLine, GitState};
use repo::ChangeKind;
use std::collections::BTreeMap;

/// The most commits that are shown, and looked at line by line.
const MAX_SHOWN_COMMITS: usize = 20;

/// The most active files whose commits are looked for.
const MAX_EXPLAINED_FILES: usize = 40;

impl Activation<'_> {
    /// What git says of what is active.
    pub fn git_state(&self) -> GitState {
        let snapshot = &self.snapshot;
        let path = |change: &repo::Change| change.path.as_str().to_owned();
        let is_untracked = |change: &&repo::Change| change.kind == ChangeKind::Untracked;
        GitState {
            is_repository: snapshot.head.is_some(),
            branch: snapshot.head.as_ref().and_then(|head| head.branch.clone()),
            commit: snapshot.head.as_ref().filter(|_| self.engine.repo().is_at_commit()).and_then(|head| head.commit.clone()),
            modified: snapshot.changes.iter().filter(|change| !is_untracked(change)).map(path).collect(),
            untracked: snapshot.changes.iter().filter(is_untracked).map(path).collect(),
            commits: self.commits(),
        }
    }

    /// Commits that touched the hottest files, those of their hot lines marked.
    fn commits(&self) -> Vec<CommitLine> {
        let base = &self.snapshot.base;
        let hot = self.found.files.iter().filter(|file| file.tier == Tier::Hot).take(MAX_EXPLAINED_FILES);
        let ranks: BTreeMap<&str, usize> = hot.enumerate().map(|(rank, file)| (base.path(file.node), rank)).collect();
        let hot_lines = |path: &str| -> Vec<(u32, u32)> {
            let symbols = self.found.symbols.iter().filter(|symbol| symbol.tier == Tier::Hot && base.path(symbol.node) == path);
            symbols.filter_map(|symbol| base.symbol(symbol.node)).map(|symbol| symbol.lines).collect()
        };
        let git = self.engine.repo().git(self.engine.alternates()).0;
        let mut lines = Vec::new();
        for commit in &self.snapshot.past.commits {
            let file = commit.touched.iter().filter_map(|(path, _)| Some((ranks.get(path.as_str())?, path))).min();
            let Some((_, path)) = file else { continue };
            if commit.bulk {
                continue;
            }
            let wanted = hot_lines(path.as_str());
            let changed = git.as_ref().filter(|_| !wanted.is_empty()).and_then(|git| git.changed_lines(&commit.id, path).ok());
            let touches_hot_lines = changed.is_some_and(|changed| {
                changed.ranges.iter().any(|range| wanted.iter().any(|(first, last)| range.first <= *last && *first <= range.last))
            });
            lines.push(CommitLine {
                sha: commit.id.clone(),
                subject: commit.subject.clone(),
                author: commit.author.clone(),
                file: path.as_str().to_owned(),
                is_fix_or_revert: is_fix_or_revert(&commit.subject),
                touches_hot_lines,
            });
            // Older commits than these are not looked at: their lines have moved.
            if lines.len() == MAX_SHOWN_COMMITS {
                break;
            }
        }
        lines
    }
}

/// Words at the start of a subject that say that the commit mends or takes back another.
const MENDING: [&str; 6] = ["fix", "revert", "bugfix", "hotfix", "correct", "disable"];

/// Whether a subject says that a commit mends or takes back.
fn is_fix_or_revert(subject: &str) -> bool {
    let first = subject.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    MENDING.iter().any(|word| first.starts_with(word))
}
