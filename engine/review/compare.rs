//! Compares two states of the repository: commits with each other, or one with the work tree.
//!
//! Reads git's objects and the files below the root, and runs nothing.

use super::moves::{Contents, Moved, Seat, pair};
use super::patch::{FileChange, MAX_FILES, MAX_HUNKS, MAX_LINES, MAX_PROBLEMS, Patch};
use super::{STAGE, hunks};
use activate_grammars::language_of;
use activate_rules::atoms::NodeId;
use error::{Error, ErrorKind, Problem, Result};
use index::base::FactBase;
use repo::{Change, ChangeKind, Git, Mode, RepoPath, unix_lines};

/// The most bytes of a file that is compared.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// What to do about a range that cannot be compared: where it names no commit, where there is no git data, and where both have nothing in
/// common.
const NAME: &str = "name a range such as `main..HEAD`, or one commit, tag or branch for what the work tree has otherwise";
const ROOT: &str = "name the root folder of the repository, or give a patch";
const BOTH: &str = "name both with two points between them";
const PATCH: &str = "name commits that are whole, or give a patch";

/// One side of the comparison.
struct Side {
    /// None for the work tree.
    git: Option<Git>,
    /// Its commit.
    id: String,
    name: String,
}

/// The states of a repository.
pub struct States<'s> {
    /// The files as they are.
    pub base: &'s FactBase,
    /// What the work tree has otherwise than the last commit.
    pub changes: &'s [Change],
    /// The commits, or why there are none.
    pub git: &'s (Option<Git>, Vec<Problem>),
    /// Whether it is answered for a commit, so that no work tree is read.
    pub is_at_commit: bool,
    /// The content of a file as it is known.
    pub bytes: &'s dyn Fn(NodeId) -> Option<Vec<u8>>,
    /// The content of a file of at most so many bytes.
    pub read: &'s dyn Fn(&RepoPath, u64) -> Result<Vec<u8>>,
    /// What stands at a path that is not among the files.
    pub find: &'s dyn Fn(&RepoPath) -> Result<Option<&'static str>>,
}

/// What differs between the states that `range` names; between the last commit and the work tree where it names none.
///
/// # Errors
///
/// [`ErrorKind::BadInput`] for a range that names no commits, and where git cannot be read.
pub fn compare(states: &States<'_>, range: Option<&str>) -> Result<Patch> {
    let refused = |why: &str, how: &str| {
        let what = range.map_or_else(|| "the work tree".to_owned(), |range| format!("`{range}`"));
        Error::new(ErrorKind::BadInput, format!("{what} cannot be compared: {why}; {how}"))
    };
    let (git, problems) = states.git;
    let git = git.as_ref().ok_or_else(|| {
        refused(problems.first().map_or("there is no git history here", |problem| problem.message.as_str()), ROOT)
    })?;
    let commit = |name: &str| -> Result<Side> {
        let name = if name.is_empty() { "HEAD" } else { name };
        let git = git.at(name).map_err(|problem| refused(&problem.message, NAME))?;
        let head = git.head().map_err(|problem| refused(&problem.message, NAME))?;
        let id = head.commit.ok_or_else(|| refused("there is no commit yet", "make one, or give a patch"))?;
        Ok(Side { git: Some(git), id, name: name.to_owned() })
    };
    let now = || -> Result<Side> {
        if !states.is_at_commit {
            return Ok(Side { git: None, id: String::new(), name: "the work tree".to_owned() });
        }
        if range.is_none() {
            return Err(refused("a commit is answered for, and the work tree is not read", NAME));
        }
        commit("HEAD")
    };
    let (old, new) = match range.map(|range| (range, range.split_once("..."), range.split_once(".."))) {
        None => (commit("HEAD")?, now()?),
        Some((_, Some((one, other)), _)) => {
            let (one, other) = (commit(one)?, commit(other)?);
            let fork = git.fork(&one.id, &other.id).map_err(|problem| refused(&problem.message, BOTH))?;
            (
                Side { name: format!("{} (where it parted from {})", &fork[..fork.len().min(8)], one.name), ..commit(&fork)? },
                other,
            )
        }
        Some((_, None, Some((one, other)))) => (commit(one)?, commit(other)?),
        Some((one, None, None)) => (commit(one)?, now()?),
    };
    let mut comparison = Comparison { states, problems: Vec::new(), n_unsaid: 0, n_left_out: 0 };
    let moved = comparison.moved(git, &old, &new).map_err(|problem| refused(&problem.message, PATCH))?;
    let mut moved = comparison.paired(moved, git, &old, &new);
    let n_left = moved.len().saturating_sub(MAX_FILES);
    if n_left > 0 {
        moved.sort_by(|one, other| one.order().cmp(&other.order()));
        moved.truncate(MAX_FILES);
        let message =
            format!("{n_left} of the changed files are left out: at most {MAX_FILES} are compared; name a nearer commit");
        comparison.problem(None, message);
    }
    let files = comparison.files(moved, git, &old, &new);
    let files = comparison.bounded(files);
    if let Some(new) = &new.git {
        comparison.tell_newer(&files, new, range.unwrap_or_default());
    }
    let mut problems = comparison.problems;
    if comparison.n_unsaid > 0 {
        problems.push(Problem::new(STAGE, format!("{} more problems of the diff are not listed", comparison.n_unsaid)));
    }
    let n_left_out = comparison.n_left_out + n_left;
    Ok(Patch { name: format!("{} to {}", old.name, new.name), files, problems, n_left_out })
}

/// Why a side of a file is not known.
struct Unread {
    why: String,
    /// Whether it is a file of the repository that cannot be read, as one that is too large.
    is_there: bool,
}

struct Comparison<'c> {
    states: &'c States<'c>,
    problems: Vec<Problem>,
    n_unsaid: usize,
    /// Files that may differ and are not among those of the comparison.
    n_left_out: usize,
}

impl Comparison<'_> {
    /// The files that can differ.
    fn moved(&mut self, git: &Git, old: &Side, new: &Side) -> std::result::Result<Vec<Moved>, Problem> {
        // The work tree stands on the last commit.
        let mut differing = new.git.as_ref().unwrap_or(git).differing(&old.id)?;
        if differing.is_cut {
            let n_files = differing.files.len();
            // Nobody knows how many more there are.
            self.n_left_out += 1;
            self.problem(None, format!("only {n_files} of the files that differ are looked at; name a nearer commit"));
        }
        let mut moved = Vec::new();
        if new.git.is_none() {
            let from = |change: &'_ Change| match &change.kind {
                ChangeKind::Renamed { from } => from.clone(),
                _ => change.path.clone(),
            };
            let paths: Vec<RepoPath> = self.states.changes.iter().map(from).collect();
            let versions = old.git.as_ref().unwrap_or(git).versions(&paths)?;
            for ((change, from), version) in self.states.changes.iter().zip(paths).zip(versions) {
                differing.files.remove(&change.path);
                differing.files.remove(&from);
                let old = version.map(|version| Seat::of(from, version));
                let is_there = change.kind != ChangeKind::Deleted;
                let new = is_there.then(|| self.seat_now(&change.path, old.as_ref()));
                moved.push(Moved { old, new });
            }
        }
        moved.extend(differing.files.into_iter().map(|(path, [old, new])| Moved {
            old: old.map(|old| Seat::of(path.clone(), old)),
            new: new.map(|new| Seat::of(path, new)),
        }));
        Ok(moved)
    }

    /// A changed file of the work tree, whose permissions do not count.
    fn seat_now(&self, path: &RepoPath, old: Option<&Seat>) -> Seat {
        let old_mode = old.and_then(|old| old.mode).filter(|mode| !mode.is_file());
        let is_listed = self.states.base.file_at(path.as_str()).is_some();
        Seat { path: path.clone(), id: None, mode: old_mode.map(|mode| if is_listed { Mode::File } else { mode }), is_work: true }
    }

    /// The same files, those that were moved as one.
    fn paired(&mut self, moved: Vec<Moved>, git: &Git, old: &Side, new: &Side) -> Vec<Moved> {
        let of = |side: &Side, seat: &Seat| self.read(side, git, seat).ok().flatten();
        let contents = Contents { old: &|seat| of(old, seat), new: &|seat| of(new, seat), id: &|content| git.blob_id(content) };
        let (moved, message) = pair(moved, &contents);
        if let Some(message) = message {
            self.problem(None, message);
        }
        moved
    }

    /// The files with what differs in them.
    fn files(&mut self, moved: Vec<Moved>, git: &Git, old: &Side, new: &Side) -> Vec<FileChange> {
        let mut files = Vec::new();
        for moved in moved {
            let path = |seat: &Option<Seat>| seat.as_ref().map(|seat| seat.path.clone());
            let modes = [&moved.old, &moved.new].map(|seat| seat.as_ref().and_then(|seat| seat.mode));
            let (from, to) = (path(&moved.old), path(&moved.new));
            if !moved.is_file() {
                files.push(FileChange { old: from, new: to, modes, ..FileChange::default() });
                continue;
            }
            let read = |side, seat: &Option<Seat>| seat.as_ref().map_or(Ok(None), |seat| self.read(side, git, seat));
            let (before, after) = match (read(old, &moved.old), read(new, &moved.new)) {
                (Ok(before), Ok(after)) => (before, after),
                (Err(unread), _) | (_, Err(unread)) => {
                    self.problem(to.clone().or_else(|| from.clone()), format!("it is not compared: {}", unread.why));
                    // What is too large is one of the files that change all the same.
                    if unread.is_there {
                        files.push(FileChange { old: from, new: to, modes, is_large: true, ..FileChange::default() });
                    } else {
                        self.n_left_out += 1;
                    }
                    continue;
                }
            };
            let is_now = moved.new.as_ref().is_some_and(|seat| seat.is_work);
            let after = if is_now { after.map(|after| as_stored(after, before.as_deref())) } else { after };
            let is_same = before == after && from == to && !matches!(modes, [Some(old), Some(new)] if old != new);
            if !is_same && (before.is_some() || after.is_some()) {
                files.push(FileChange { modes, ..change(from, to, before, after) });
            }
        }
        files.sort_by(|one, other| one.path().cmp(&other.path()));
        files
    }

    /// The same files, without the hunks of those that have no room within what is read of a patch. Code comes first, then who has fewest
    /// lines: data of a hundred thousand must not stand in the way.
    fn bounded(&mut self, mut files: Vec<FileChange>) -> Vec<FileChange> {
        let n_lines = |file: &FileChange| file.hunks.iter().map(|hunk| hunk.lines.len()).sum::<usize>();
        let is_code = |file: &FileChange| file.path().is_some_and(|path| language_of(path.as_str()).is_some());
        let mut order: Vec<usize> = (0..files.len()).filter(|at| !files[*at].hunks.is_empty()).collect();
        order.sort_by_cached_key(|at| (!is_code(&files[*at]), n_lines(&files[*at]), *at));
        let (mut hunks_left, mut lines_left) = (MAX_HUNKS, MAX_LINES);
        for at in order {
            let file = &mut files[at];
            let (n_hunks, n_lines) = (file.hunks.len(), n_lines(file));
            if n_hunks <= hunks_left && n_lines <= lines_left {
                (hunks_left, lines_left) = (hunks_left - n_hunks, lines_left - n_lines);
                continue;
            }
            let message = format!("its hunks are left out: at most {MAX_HUNKS} with {MAX_LINES} lines are read of a diff");
            file.hunks.clear();
            file.is_large = true;
            self.problem(file.path().cloned(), message);
        }
        files
    }

    /// What a side holds at a path; none where nothing is there.
    fn read(&self, side: &Side, git: &Git, seat: &Seat) -> std::result::Result<Option<Vec<u8>>, Unread> {
        let path = &seat.path;
        let there = |why: String| Unread { why, is_there: true };
        // What the work tree has unchanged may not be checked out, or have other line ends.
        if let Some(git) = side.git.as_ref().or(Some(git).filter(|_| !seat.is_work)) {
            let is_there = || git.has_larger(path, MAX_FILE_BYTES);
            return git.file(path, MAX_FILE_BYTES).map_err(|problem| Unread { why: problem.message, is_there: is_there() });
        }
        match self.states.base.file_at(path.as_str()) {
            Some(_) => (self.states.read)(path, MAX_FILE_BYTES).map(Some).map_err(|error| there(error.message)),
            None => match (self.states.find)(path).map_err(|error| there(error.message))? {
                None => Ok(None),
                Some(what) => Err(Unread { why: what.to_owned(), is_there: false }),
            },
        }
    }

    /// Says that facts are of other files than the diff leads to.
    fn tell_newer(&mut self, files: &[FileChange], new: &Git, range: &str) {
        let differs = |path: &RepoPath| {
            // What cannot be read was told, or has no lines.
            let Ok(then) = new.file(path, MAX_FILE_BYTES) else { return false };
            match self.states.base.file_at(path.as_str()) {
                None => then.is_some(),
                Some(file) => (self.states.bytes)(file).is_some_and(|now| Some(as_stored(now, then.as_deref())) != then),
            }
        };
        let other = |file: &&FileChange| [&file.new, &file.old].into_iter().flatten().any(differs);
        let other: Vec<&RepoPath> = files.iter().filter(other).filter_map(FileChange::path).collect();
        if let Some(first) = other.first() {
            let message = format!(
                "{} of the files that `{range}` changes differ here from the end of the range, {first} among them: hunks are as the range \
                 has them, callers and tests as the files are now",
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

/// A text of the work tree as git compares it: without the line ends that were put in when it was checked out. A text that was stored with
/// such ends keeps them.
fn as_stored(text: Vec<u8>, stored: Option<&[u8]>) -> Vec<u8> {
    let is_converted = stored.is_some_and(|stored| !stored.contains(&b'\r'));
    if is_converted { unix_lines(&text) } else { text }
}

/// What changes from one content to the other.
fn change(from: Option<RepoPath>, to: Option<RepoPath>, before: Option<Vec<u8>>, after: Option<Vec<u8>>) -> FileChange {
    let (old, new) = (from.filter(|_| before.is_some()), to.filter(|_| after.is_some()));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let is_binary = before.contains(&0) || after.contains(&0);
    let hunks = if is_binary { Vec::new() } else { hunks::between(&before, &after) };
    FileChange { old, new, is_binary, hunks, ..FileChange::default() }
}
