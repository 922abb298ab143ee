//! Compares two states of the repository: commits with each other, or one with the work tree.
//!
//! Reads git's objects and the files below the root, and runs nothing. Must not know definitions or what is shown.

use super::patch::{FileChange, MAX_FILES, MAX_HUNKS, MAX_LINES, MAX_PROBLEMS, Patch};
use super::renames::renames;
use super::{STAGE, hunks};
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::facts::base::FactBase;
use crate::repo::{Change, ChangeKind, Git, RepoPath};
use activate_rules::atoms::NodeId;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The most bytes of a file that is compared.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// What to do about a range that cannot be compared.
const HOW: &str = "name a range such as `main..HEAD`, or one commit, tag or branch for what the work tree has otherwise";

/// One side of the comparison.
struct Side {
    /// None for the work tree.
    git: Option<Git>,
    /// Its commit.
    id: String,
    name: String,
}

/// The states of a repository.
pub(crate) struct States<'s> {
    /// The files as they are.
    pub(crate) base: &'s FactBase,
    /// What the work tree has otherwise than the last commit.
    pub(crate) changes: &'s [Change],
    /// The commits, or why there are none.
    pub(crate) git: (Option<Git>, Vec<Problem>),
    /// Whether it is answered for a commit, so that no work tree is read.
    pub(crate) is_at_commit: bool,
    /// The content of a file as it is known.
    pub(crate) bytes: &'s dyn Fn(NodeId) -> Option<Vec<u8>>,
    /// The content of a file of at most so many bytes.
    pub(crate) read: &'s dyn Fn(&RepoPath, u64) -> Result<Vec<u8>>,
    /// What stands at a path that is not among the files.
    pub(crate) find: &'s dyn Fn(&RepoPath) -> Result<Option<&'static str>>,
}

/// What differs between the states that `range` names; between the last commit and the work tree where it names none.
pub(crate) fn compare(states: &States<'_>, range: Option<&str>) -> Result<Patch> {
    let refused = |why: &str| {
        let what = range.map_or_else(|| "the work tree".to_owned(), |range| format!("`{range}`"));
        Error::new(ErrorKind::BadInput, format!("{what} cannot be compared: {why}; {HOW}"))
    };
    let git = states.git.0.clone().ok_or_else(|| {
        refused(states.git.1.first().map_or("there is no git history here", |problem| problem.message.as_str()))
    })?;
    let commit = |name: &str| -> Result<Side> {
        let name = if name.is_empty() { "HEAD" } else { name };
        let git = git.at(name).map_err(|problem| refused(&problem.message))?;
        let head = git.head().map_err(|problem| refused(&problem.message))?;
        let id = head.commit.ok_or_else(|| refused("there is no commit yet"))?;
        Ok(Side { git: Some(git), id, name: name.to_owned() })
    };
    let now = || -> Result<Side> {
        if !states.is_at_commit {
            return Ok(Side { git: None, id: String::new(), name: "the work tree".to_owned() });
        }
        if range.is_none() {
            return Err(refused("a commit is answered for, and the work tree is not read"));
        }
        commit("HEAD")
    };
    let (old, new) = match range.map(|range| (range, range.split_once("..."), range.split_once(".."))) {
        None => (commit("HEAD")?, now()?),
        Some((_, Some((one, other)), _)) => {
            let (one, other) = (commit(one)?, commit(other)?);
            let fork = git.fork(&one.id, &other.id).map_err(|problem| refused(&problem.message))?;
            (
                Side { name: format!("{} (where it parted from {})", &fork[..fork.len().min(8)], one.name), ..commit(&fork)? },
                other,
            )
        }
        Some((_, None, Some((one, other)))) => (commit(one)?, commit(other)?),
        Some((one, None, None)) => (commit(one)?, now()?),
    };
    let mut comparison = Comparison { states, problems: Vec::new(), n_unsaid: 0 };
    let mut moved = comparison.moved(&git, &old, &new).map_err(|problem| refused(&problem.message))?;
    let n_left = moved.len().saturating_sub(MAX_FILES);
    if n_left > 0 {
        // Code is what a review is about.
        moved.sort_by_key(|(old, new)| {
            let path = new.as_ref().or(old.as_ref());
            (path.is_none_or(|path| activate_grammars::language_of(path.as_str()).is_none()), path.cloned())
        });
        moved.truncate(MAX_FILES);
        let message =
            format!("{n_left} of the changed files are left out: at most {MAX_FILES} are compared; name a nearer commit");
        comparison.problem(None, message);
    }
    let files = comparison.files(moved, &old, &new);
    let files = comparison.bounded(files);
    if let Some(new) = &new.git {
        comparison.tell_newer(&files, new, range.unwrap_or_default());
    }
    let mut problems = comparison.problems;
    if comparison.n_unsaid > 0 {
        problems.push(Problem::new(STAGE, format!("{} more problems of the diff are not listed", comparison.n_unsaid)));
    }
    Ok(Patch { name: format!("{} to {}", old.name, new.name), files, problems })
}

/// Where a file was and where it is.
type Moved = (Option<RepoPath>, Option<RepoPath>);

/// A file with what it held and what it holds.
type Contents = (Moved, Option<Vec<u8>>, Option<Vec<u8>>);

struct Comparison<'c> {
    states: &'c States<'c>,
    problems: Vec<Problem>,
    n_unsaid: usize,
}

impl Comparison<'_> {
    /// The files that can differ.
    fn moved(&self, git: &Git, old: &Side, new: &Side) -> std::result::Result<Vec<Moved>, Problem> {
        let mut moved: Vec<Moved> = Vec::new();
        let mut known: FxHashSet<RepoPath> = FxHashSet::default();
        if new.git.is_none() {
            for change in self.states.changes {
                known.insert(change.path.clone());
                let from = if let ChangeKind::Renamed { from } = &change.kind { from } else { &change.path };
                known.insert(from.clone());
                let is_there = change.kind != ChangeKind::Deleted;
                moved.push((Some(from.clone()), is_there.then(|| change.path.clone())));
            }
        }
        // The work tree stands on the last commit.
        let differing = new.git.as_ref().unwrap_or(git).different(&old.id)?;
        let paths: BTreeSet<RepoPath> =
            differing.into_iter().map(|(path, _)| path).filter(|path| !known.contains(path)).collect();
        moved.extend(paths.into_iter().map(|path| (Some(path.clone()), Some(path))));
        Ok(moved)
    }

    /// The files with what differs in them; those that were moved as one.
    fn files(&mut self, moved: Vec<Moved>, old: &Side, new: &Side) -> Vec<FileChange> {
        let mut sides: Vec<Contents> = Vec::new();
        for (from, to) in moved {
            match (self.read(old, from.as_ref()), self.read(new, to.as_ref())) {
                (Ok(before), Ok(after)) if before != after || from != to => sides.push(((from, to), before, after)),
                (Ok(_), Ok(_)) => {}
                (Err(why), _) | (_, Err(why)) => self.problem(to.or(from), why),
            }
        }
        let at = |is_gone: bool| {
            let of_kind = move |(_, before, after): &Contents| {
                (before.is_some() && after.is_none()) == is_gone && before.is_some() != after.is_some()
            };
            sides.iter().enumerate().filter(move |(_, side)| of_kind(side)).map(|(at, _)| at).collect::<Vec<usize>>()
        };
        let (gone, came) = (at(true), at(false));
        let texts = |list: &[usize]| -> Vec<&[u8]> {
            list.iter().filter_map(|at| sides[*at].1.as_deref().or(sides[*at].2.as_deref())).collect()
        };
        let pairs = renames(&texts(&gone), &texts(&came));
        for (old, new) in &pairs {
            let (old, new) = (gone[*old], came[*new]);
            let (from, before) = (sides[old].0.0.clone(), sides[old].1.take());
            (sides[new].0.0, sides[new].1) = (from, before);
        }
        let left = sides.into_iter().filter(|(_, before, after)| before.is_some() || after.is_some());
        let mut files: Vec<FileChange> = left.map(|((from, to), before, after)| change(from, to, before, after)).collect();
        files.sort_by(|one, other| one.path().cmp(&other.path()));
        files
    }

    /// As many files as have no more hunks and lines than are read of a patch.
    fn bounded(&mut self, mut files: Vec<FileChange>) -> Vec<FileChange> {
        let (mut n_hunks, mut n_lines) = (0, 0);
        for file in &mut files {
            n_hunks += file.hunks.len();
            n_lines += file.hunks.iter().map(|hunk| hunk.lines.len()).sum::<usize>();
            if n_hunks > MAX_HUNKS || n_lines > MAX_LINES {
                let message = format!("its hunks are left out: at most {MAX_HUNKS} with {MAX_LINES} lines are read of a diff");
                file.hunks.clear();
                self.problem(file.path().cloned(), message);
            }
        }
        files
    }

    /// What a side holds at a path; none where nothing is there.
    fn read(&self, side: &Side, path: Option<&RepoPath>) -> std::result::Result<Option<Vec<u8>>, String> {
        let Some(path) = path else { return Ok(None) };
        if let Some(git) = &side.git {
            return git.file(path, MAX_FILE_BYTES).map_err(|problem| format!("it is not compared: {}", problem.message));
        }
        let unreadable = |error: Error| format!("it is not compared: {}", error.message);
        match self.states.base.file_at(path.as_str()) {
            Some(_) => (self.states.read)(path, MAX_FILE_BYTES).map(Some).map_err(unreadable),
            None => match (self.states.find)(path).map_err(unreadable)? {
                None => Ok(None),
                Some(what) => Err(format!("it is not compared: {what}")),
            },
        }
    }

    /// Says that facts are of other files than the diff leads to.
    fn tell_newer(&mut self, files: &[FileChange], new: &Git, range: &str) {
        let differs = |path: &&RepoPath| {
            let then = new.file(path, MAX_FILE_BYTES).ok().flatten();
            let now = self.states.base.file_at(path.as_str()).and_then(self.states.bytes);
            then != now
        };
        let other: Vec<&RepoPath> = files.iter().filter_map(|file| file.new.as_ref()).filter(differs).collect();
        if let Some(first) = other.first() {
            let message = format!(
                "{} of the files that `{range}` changes have changed since, {first} among them: hunks are as the range has them, callers and \
                 tests as the files are now",
                other.len()
            );
            self.problem(None, message);
        }
    }

    fn problem(&mut self, path: Option<RepoPath>, message: String) {
        if self.problems.len() >= MAX_PROBLEMS {
            self.n_unsaid += 1;
            return;
        }
        self.problems.push(match path {
            Some(path) => Problem::at(STAGE, path, message),
            None => Problem::new(STAGE, message),
        });
    }
}

/// What changes from one content to the other.
fn change(from: Option<RepoPath>, to: Option<RepoPath>, before: Option<Vec<u8>>, after: Option<Vec<u8>>) -> FileChange {
    let (old, new) = (from.filter(|_| before.is_some()), to.filter(|_| after.is_some()));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let is_binary = before.contains(&0) || after.contains(&0);
    let hunks = if is_binary { Vec::new() } else { hunks::between(&before, &after) };
    FileChange { old, new, is_binary, hunks }
}
