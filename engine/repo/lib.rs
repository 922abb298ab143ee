//! Host side of a repository: list its files, read them, ask its git history.
//!
//! The only code that opens repository files or its git data.

#![expect(clippy::disallowed_methods, reason = "a host module: the one that reads repositories")]

mod commit;
mod differences;
mod git;
mod ignores;
mod known;
mod path;
mod root;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod walk;

pub use differences::Differences;
pub use git::{
    Absent, Alternates, Change, ChangeKind, ChangedLines, Changes, Commit, Differing, FileDiff, Git, Head, History, Hunk,
    LineRange, LogEntry, MAX_COMMITS, MAX_TOUCHED, Mode, Since, Touch, Version, hunks,
};
pub use git::{beginning, unix_lines};
pub use ignores::Pattern;
pub use path::RepoPath;
pub use walk::{FileEntry, Skipped, Walk, WalkOptions, check_exclude};

use commit::CommitFiles;
use error::{Error, ErrorKind, Problem, Result};
use git::GitFolders;
use root::{Kind, Refusal, Root};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How long after a change of a file another change can have the same time stamp, in nanoseconds: two seconds, as coarse as file systems
/// get. Files that young are read again next time. Tests do not wait so long for files to grow old; the times of their files tick within
/// 10 milliseconds.
pub const RACY_NS: i64 = if cfg!(any(test, feature = "testing")) { 20_000_000 } else { 2_000_000_000 };

/// An open repository: a folder, and git data if the folder itself holds `.git`; or what one of its commits holds.
#[derive(Debug)]
pub struct Repo {
    root: Arc<Root>,
    path: PathBuf,
    text: String,
    shared_text: String,
    /// The files of a commit in the place of the folder's.
    commit: Option<CommitFiles>,
    git: std::result::Result<Option<GitFolders>, Problem>,
}

impl Repo {
    /// Opens the folder `root`, which is the repository exactly: nothing above it is read.
    ///
    /// Later calls go through the folder's descriptor, so that renaming it changes nothing. Fails with [`ErrorKind::NoRepository`].
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoRepository`] if there is no such folder, or it cannot be opened.
    pub fn open(root: &Path) -> Result<Self> {
        let refused = |source: std::io::Error| {
            let message = format!("`{}` cannot be opened as a repository folder", path::escape(&system::path_bytes(root)));
            Error::new(ErrorKind::NoRepository, message).because(source)
        };
        let path = system::canonical(root).map_err(refused)?;
        let root = Root::open(&path).map_err(|refusal| refused(std::io::Error::other(refusal)))?;
        let git = git::locate(&root, &path);
        let text = path::escape(&system::path_bytes(&path));
        let shared_text = shared(&git).unwrap_or_else(|| text.clone());
        Ok(Self { root: Arc::new(root), path, text, shared_text, commit: None, git })
    }

    /// Opens the repository at `root`, bare or not, as it was at a commit: `HEAD`, an id or its first digits, a tag, a branch or the
    /// full name of a reference, with `~N`, `^N` or `^{}` behind it or not.
    ///
    /// Files come from git's objects; the folder's own are not touched, and none is read but those that hold secrets and are in no commit. The history ends with the commit. Fails with
    /// [`ErrorKind::NoRepository`] where there is no git data to be had, and with [`ErrorKind::BadInput`] for an unknown commit.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoRepository`] if there is no such folder, [`ErrorKind::BadInput`]
    /// if git has no such commit.
    pub fn open_at(root: &Path, commit: &str, alternates: Alternates) -> Result<Self> {
        let repo = Self::open_any(root)?;
        let (git, problems) = repo.git_data(alternates)?;
        repo.with(&git, &problems, commit)
    }

    /// The id of a commit of the repository at `root`, by a name as [`Repo::open_at`] takes it; none where there is no commit yet. No tree is read.
    ///
    /// # Errors
    ///
    /// As [`Repo::open_at`].
    pub fn commit_id(root: &Path, commit: &str, alternates: Alternates) -> Result<Option<String>> {
        let repo = Self::open_any(root)?;
        let (git, _) = repo.git_data(alternates)?;
        let git = if commit == "HEAD" { Ok(git) } else { git.at(commit) };
        let id = git.and_then(|git| git.head()).map(|head| head.commit);
        id.map_err(|problem| Error::new(ErrorKind::BadInput, format!("`{}`: {}", repo.text, problem.message)))
    }

    /// Opens the repository at `root`, bare or not.
    fn open_any(root: &Path) -> Result<Self> {
        let mut repo = Self::open(root)?;
        if let Some(bare) = git::locate_bare(&repo.root, &repo.path).filter(|_| !matches!(repo.git, Ok(Some(_)))) {
            repo.git = Ok(Some(bare));
        }
        Ok(repo)
    }

    fn git_data(&self, alternates: Alternates) -> Result<(Git, Vec<Problem>)> {
        let (git, problems) = self.git(alternates);
        let git = git.ok_or_else(|| {
            let why = problems.first().map_or("it is not a git repository", |problem| problem.message.as_str());
            Error::new(ErrorKind::NoRepository, format!("`{}` cannot be read at a commit: {why}", self.text))
        })?;
        Ok((git, problems))
    }

    /// The same repository at a commit.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoRepository`] where there is no git data, [`ErrorKind::BadInput`] if git has no such commit.
    pub fn at(&self, commit: &str, alternates: Alternates) -> Result<Self> {
        match self.git(alternates) {
            (Some(git), problems) => self.with(&git, &problems, commit),
            (None, _) => Err(Error::new(ErrorKind::NoRepository, format!("`{}` has no git data", self.text))),
        }
    }

    fn with(&self, git: &Git, problems: &[Problem], commit: &str) -> Result<Self> {
        let refused =
            |problem: Problem| Error::new(ErrorKind::BadInput, format!("`{}`: {}", self.folder_text(), problem.message));
        let files = git.at(commit).and_then(|git| CommitFiles::new(git, problems, self.commit.as_ref())).map_err(refused)?;
        let id = files.git().head().ok().and_then(|head| head.commit).unwrap_or_default();
        let text = format!("{}@{id}", self.folder_text());
        let (root, path, shared_text) = (Arc::clone(&self.root), self.path.clone(), self.shared_text.clone());
        Ok(Self { root, path, text, shared_text, commit: Some(files), git: Ok(None) })
    }

    /// Whether this is a repository at a commit.
    pub fn is_at_commit(&self) -> bool {
        self.commit.is_some()
    }

    /// The nearest folder from `from` upwards that holds `.git`, else `from` itself.
    pub fn discover(from: &Path) -> PathBuf {
        let from = system::canonical(from).unwrap_or_else(|_| from.to_owned());
        let found = from.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
        found.unwrap_or(&from).to_owned()
    }

    /// Whether a folder, which need not exist yet, lies inside the repository.
    pub fn holds(&self, folder: &Path) -> bool {
        let Ok(absolute) = std::path::absolute(folder) else { return false };
        let existing = absolute.ancestors().find_map(|part| system::canonical(part).ok());
        existing.is_some_and(|folder| folder.starts_with(&self.path))
    }

    /// The root's absolute path with links resolved, as one text per path (see [`RepoPath`] for the escapes); at a commit with `@` and
    /// its id.
    pub fn root_text(&self) -> &str {
        &self.text
    }

    /// The root's absolute path with links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The root's absolute path as text, the same at every commit.
    pub fn folder_text(&self) -> String {
        path::escape(&system::path_bytes(&self.path))
    }

    /// What all work trees of a repository have in common and no other repository has: the path of the folder that git keeps for them,
    /// the same at every commit; the root's without git data.
    ///
    /// A `.git` file gets no further than the folder it names says in turn (see `git::locate`), so that a folder cannot pass for a work
    /// tree of somebody's repository.
    pub fn shared_text(&self) -> &str {
        &self.shared_text
    }

    /// Lists the regular files, honouring `.gitignore`, `.ignore`, `.activateignore` and `.git/info/exclude` of this repository alone.
    ///
    /// Hidden files are listed; links are not followed. Folders are listed in parallel on the caller's rayon pool. Fails only with
    /// [`ErrorKind::BadInput`] for an exclude pattern that cannot be read.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a pattern that cannot be read, and what reading the root gives.
    pub fn walk(&self, options: &WalkOptions) -> Result<Walk> {
        if let Some(commit) = &self.commit {
            return commit.walk(options);
        }
        walk::walk(&self.root, self.git_folders(), options)
    }

    /// What [`Repo::walk`] gives, with less work where `known` holds what [`Walk::take_listing`] gave of an earlier walk: folders whose own
    /// times are the same are not listed again. Times of files are asked for each time.
    ///
    /// # Errors
    ///
    /// As [`Repo::walk`].
    pub fn walk_again(&self, options: &WalkOptions, known: &[u8]) -> Result<Walk> {
        let again = if self.is_at_commit() { None } else { known::walk(&self.root, self.git_folders(), options, known)? };
        again.map_or_else(|| self.walk(options), Ok)
    }

    fn git_folders(&self) -> Option<&GitFolders> {
        self.git.as_ref().ok().and_then(Option::as_ref)
    }

    /// Reads a regular file of at most `max_bytes`, as it was at one moment.
    ///
    /// The only way to a file's content. Fails with [`ErrorKind::UnreadableFile`] for links and what lies behind them, git's own data,
    /// anything that is not a regular file, larger files, and files that keep changing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnreadableFile`] for what is missing, a link, too large or outside of the root.
    pub fn read(&self, path: &RepoPath, max_bytes: u64) -> Result<Vec<u8>> {
        match &self.commit {
            Some(commit) if !path.is_git_data() => commit.read(path, max_bytes).map_err(|reason| unreadable(path, &reason)),
            _ => self.read_folder(path, max_bytes),
        }
    }

    /// [`Repo::read`] in the folder itself, also where the repository is one at a commit: for what no commit holds.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnreadableFile`] for what is missing or cannot be read.
    pub fn read_folder(&self, path: &RepoPath, max_bytes: u64) -> Result<Vec<u8>> {
        if path.is_git_data() {
            return Err(unreadable(path, "git's own data is off limits"));
        }
        self.root.read(&path.to_bytes(), max_bytes).map_err(|refusal| unreadable(path, &refusal.to_string()))
    }

    /// What is at a path that no list of files has, as the end of a sentence; none where nothing is.
    ///
    /// Fails with [`ErrorKind::UnreadableFile`] where that cannot be told: behind a link, or below a file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnreadableFile`] where a folder on the way cannot be read.
    pub fn find(&self, path: &RepoPath) -> Result<Option<&'static str>> {
        if path.is_git_data() {
            return Ok(Some("git's own data is off limits"));
        }
        if let Some(commit) = &self.commit {
            return Ok(commit.find(path));
        }
        match self.root.stat(&path.to_bytes()) {
            Ok((Kind::File, _)) => Ok(Some("it is ignored or excluded")),
            Ok((Kind::Folder, _)) => Ok(Some("it is a folder")),
            Ok((Kind::Link, _)) => Ok(Some("it is a link")),
            Ok((Kind::Special, _)) => Ok(Some("it is not a regular file")),
            Err(Refusal::Absent) => Ok(None),
            Err(Refusal::NoFolder) => Ok(Some("what should be a folder on the way to it is not one")),
            Err(refusal) => {
                let message = format!("`{path}` cannot be looked at: {refusal}");
                Err(Error::new(ErrorKind::UnreadableFile, message))
            }
        }
    }

    /// Whether there is something at a path that [`Repo::read`] may read or refuse: a file or a link. What cannot be looked at is not there.
    pub fn has_file(&self, path: &RepoPath) -> bool {
        match &self.commit {
            _ if path.is_git_data() => false,
            Some(commit) => commit.has_file(path),
            None => matches!(self.root.stat(&path.to_bytes()), Ok((Kind::File | Kind::Link, _))),
        }
    }

    /// The repository's git data, with what could not be used of it.
    ///
    /// Nothing configured in the repository is ever run. `None` without a problem means that no folder up to the file system's root holds
    /// `.git`.
    pub fn git(&self, alternates: Alternates) -> (Option<Git>, Vec<Problem>) {
        if let Some(commit) = &self.commit {
            return (Some(commit.git().clone()), commit.git_problems().to_vec());
        }
        match &self.git {
            Ok(Some(folders)) => Git::open(&self.root, folders, alternates),
            Ok(None) => (None, Vec::new()),
            Err(problem) => (None, vec![problem.clone()]),
        }
    }
}

fn unreadable(path: &RepoPath, reason: &str) -> Error {
    Error::new(ErrorKind::UnreadableFile, format!("`{path}` cannot be read: {reason}"))
}

/// The path of the git folder that all work trees have in common, if there is one.
fn shared(git: &std::result::Result<Option<GitFolders>, Problem>) -> Option<String> {
    let folders = git.as_ref().ok()?.as_ref()?;
    Some(path::escape(&system::path_bytes(&folders.common_path)))
}
