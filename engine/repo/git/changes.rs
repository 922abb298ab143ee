//! What differs between the last commit and the work tree, staged or not.
//!
//! Content is compared by hash through the one read primitive; no filter runs.

use super::index::{Entry, EntryKind, Index, Mtime};
use super::objects::Objects;
use super::{Git, guarded, head_id, unreadable};
use crate::path::{escape, escaped};
use crate::root::Kind;
use crate::{FileEntry, RepoPath};
use error::Problem;
use gix::ObjectId;
use gix::objs::tree::EntryKind as TreeEntryKind;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Largest index that is read: a hundred bytes for each of two million files.
const MAX_INDEX_BYTES: u64 = 256 << 20;

/// Largest work tree file whose content is compared; a larger one whose time or length differs counts as modified.
const MAX_COMPARED_BYTES: u64 = 64 << 20;

/// Most bytes of paths collected from a commit's trees, enough for a million files: a forged tree can hold more than there are atoms.
const MAX_TREE_PATH_BYTES: usize = 128 << 20;

/// What an entry of a tree costs besides its path, against the limit above.
const TREE_ENTRY_BYTES: usize = 64;

/// The changes of a work tree.
#[derive(Debug, Default)]
pub struct Changes {
    /// By path.
    pub changes: Vec<Change>,
    /// Tracked files that the work tree is meant to be without.
    pub absent: Absent,
    /// What could not be compared.
    pub problems: Vec<Problem>,
}

/// What git tracks and was told not to check out: nothing is known of what it holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Absent {
    /// Files that the index names.
    pub n_files: usize,
    /// Folders of which the index names no file.
    pub n_folders: usize,
}

impl Absent {
    /// What is not there, if something is.
    pub fn sentence(self) -> Option<String> {
        let tracked = |n: usize, what: &str| (n > 0).then(|| format!("{n} tracked {what}{}", if n == 1 { "" } else { "s" }));
        let parts: Vec<String> =
            [(self.n_files, "file"), (self.n_folders, "folder")].iter().filter_map(|(n, what)| tracked(*n, what)).collect();
        let verb = if self.n_files + self.n_folders == 1 { "is" } else { "are" };
        (!parts.is_empty()).then(|| format!("{} {verb} not checked out", parts.join(" and ")))
    }

    fn count(&mut self, kind: EntryKind) {
        match kind {
            EntryKind::File => self.n_files += 1,
            EntryKind::Folder => self.n_folders += 1,
            EntryKind::Link | EntryKind::Submodule => {}
        }
    }
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// Where it is, or was.
    pub path: RepoPath,
    /// What happened to it since the last commit.
    pub kind: ChangeKind,
}

/// How a file differs from the last commit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// Staged, and not in the last commit.
    Added,
    /// Its content differs, or it is in conflict. Permissions do not count, nor do line ends alone.
    Modified,
    /// It is gone from the work tree or from the index.
    Deleted,
    /// Staged with the content of a file that is gone.
    Renamed {
        /// Where the last commit has it.
        from: RepoPath,
    },
    /// On disk, not ignored, and unknown to git.
    Untracked,
}

/// How the work tree stands to an index entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Same,
    Differs,
    Missing,
    /// Not there, as the index says that it shall be.
    Absent,
}

impl Git {
    /// Compares the last commit, the index and the work tree, of which `walked` lists the files that are not ignored, by path.
    ///
    /// Files are read, in parallel on the caller's rayon pool, only where length or time differ from the index.
    pub fn changes(&self, walked: &[FileEntry]) -> Changes {
        if self.at.is_some() {
            return Changes::default(); // Nothing has changed since a commit.
        }
        Self::told(|said| {
            let (index, written) = match read_index(&self.own) {
                Ok(read) => read,
                Err(problem) => {
                    let why = "every file is compared with the last commit instead, and what is staged is not known";
                    said.problems.push(Problem::new("git", format!("{}; {why}", problem.message)));
                    (self.committed()?, Mtime::from_ns(0))
                }
            };
            self.compare(walked, &index, written, said)
        })
    }

    /// Compares every file of the last commit with the work tree by its content, whatever the index says of it: who writes files can write the
    /// index as well. What is not in the last commit is untracked, staged or not.
    pub fn contents(&self, walked: &[FileEntry]) -> Changes {
        Self::told(|said| self.compare(walked, &self.committed()?, Mtime::from_ns(0), said))
    }

    fn told(compare: impl FnOnce(&mut Changes) -> Result<Vec<Change>, Problem>) -> Changes {
        let mut said = Changes::default();
        match guarded(|| compare(&mut said)) {
            Ok(changes) => said.changes = changes,
            Err(problem) => said.problems.push(problem),
        }
        said
    }

    /// The files of the last commit as an index that knows no time.
    fn committed(&self) -> Result<Index, Problem> {
        let repository = self.repository.to_thread_local();
        let objects = Objects::new(&repository);
        let Some(id) = head_id(self, &repository)? else { return Ok(Index::default()) };
        let head = HeadFiles::collect(&objects, objects.commit(&id)?.tree, &Index::default())?;
        Ok(Index::of_files(head.files))
    }

    fn compare(&self, walked: &[FileEntry], index: &Index, written: Mtime, said: &mut Changes) -> Result<Vec<Change>, Problem> {
        let names: Vec<Cow<'_, str>> = index.entries.iter().map(|entry| escaped(index.path(entry))).collect();
        let places = places(walked, &names);
        let work_tree = WorkTree { git: self, written };
        let state = |(entry, place): (&Entry, &Option<usize>)| {
            work_tree.state(entry, place.and_then(|place| walked.get(place)), index.path(entry))
        };
        let states: Vec<State> = index.entries.par_iter().zip(&places).map(state).collect();
        let absent = index.entries.iter().zip(&states).filter(|(_, state)| **state == State::Absent);
        absent.for_each(|(entry, _)| said.absent.count(entry.kind));

        let repository = self.repository.to_thread_local();
        let objects = Objects::new(&repository);
        let head = match head_id(self, &repository)? {
            Some(id) => HeadFiles::collect(&objects, objects.commit(&id)?.tree, index)?,
            None => HeadFiles::default(),
        };

        let mut found = Found::default();
        for (at, (entry, name)) in index.entries.iter().zip(&names).enumerate() {
            let committed =
                if head.is_as_committed(at) { Some(entry.id) } else { head.files.get(index.path(entry)).map(|(id, _)| *id) };
            let kind = match (committed, states[at]) {
                _ if entry.is_conflict => ChangeKind::Modified,
                _ if entry.kind == EntryKind::Folder => continue,
                (None, State::Missing) => continue,
                (None, _) => ChangeKind::Added,
                (Some(_), State::Missing) => ChangeKind::Deleted,
                (Some(id), State::Same | State::Absent) if id == entry.id => continue,
                (Some(_), _) => ChangeKind::Modified,
            };
            found.add(name, kind, committed.unwrap_or(entry.id), &mut said.problems);
        }
        for (path, (id, _)) in &head.files {
            let name = escape(path);
            let is_on_disk = walked.binary_search_by(|file| file.path.as_str().cmp(&name)).is_ok();
            if !index.tracks(path, false) && !is_on_disk && !index.is_in_sparse_folder(path) {
                found.add(&name, ChangeKind::Deleted, *id, &mut said.problems);
            }
        }
        let submodules: FxHashSet<&str> = index
            .entries
            .iter()
            .zip(&names)
            .filter(|(entry, _)| entry.kind == EntryKind::Submodule)
            .map(|(_, name)| name.as_ref())
            .collect();
        let is_in_submodule =
            |path: &str| !submodules.is_empty() && path.match_indices('/').any(|(slash, _)| submodules.contains(&path[..slash]));
        let mut tracked = vec![false; walked.len()];
        places.into_iter().flatten().for_each(|place| tracked[place] = true);
        for (file, _) in walked.iter().zip(tracked).filter(|(_, tracked)| !tracked) {
            if !is_in_submodule(file.path.as_str()) {
                found.kinds.insert(file.path.clone(), (ChangeKind::Untracked, None));
            }
        }
        Ok(found.into_changes())
    }
}

/// The place of each name in a list that is by path. Names are nearly all in the same order, so that the next one is there mostly.
fn places(walked: &[FileEntry], names: &[Cow<'_, str>]) -> Vec<Option<usize>> {
    let mut next = 0;
    let place = |name: &Cow<'_, str>| {
        let is_at = |place: usize| walked.get(place).is_some_and(|file| file.path.as_str() == name);
        if !is_at(next) {
            next = walked.partition_point(|file| file.path.as_str() < name.as_ref());
        }
        let found = is_at(next).then_some(next);
        next += usize::from(found.is_some());
        found
    };
    names.iter().map(place).collect()
}

/// The index in git's own folder and when it was written; an empty one where there is no file.
pub(super) fn read_index(own: &super::Root) -> Result<(Index, Mtime), Problem> {
    let stat = match own.stat(b"index") {
        Ok((_, stat)) => stat,
        Err(super::super::root::Refusal::Absent) => return Ok((Index::default(), Mtime::from_ns(0))),
        Err(refusal) => return Err(unreadable("the index", refusal)),
    };
    let bytes = own.read(b"index", MAX_INDEX_BYTES).map_err(|refusal| unreadable("the index", refusal))?;
    let index = Index::decode(&bytes).map_err(|reason| unreadable("the index", reason))?;
    Ok((index, Mtime::from_ns(stat.mtime_ns)))
}

/// The files of the last commit, without those that the index has unchanged.
#[derive(Default)]
struct HeadFiles {
    files: BTreeMap<Vec<u8>, (ObjectId, EntryKind)>,
    /// Per index entry, whether it lies in a folder that the index has as committed.
    as_committed: Vec<bool>,
}

impl HeadFiles {
    /// Enters only the trees that the index does not know to be unchanged.
    fn collect(objects: &Objects<'_>, tree: ObjectId, index: &Index) -> Result<Self, Problem> {
        let mut head = Self { files: BTreeMap::new(), as_committed: vec![false; index.entries.len()] };
        let mut n_bytes = 0;
        let mut pending = vec![(Vec::new(), tree)];
        let mut buffer = Vec::new();
        while let Some((folder, id)) = pending.pop() {
            if index.trees.get(&folder) == Some(&id) {
                for entry in head.as_committed.get_mut(index.below(&folder)).unwrap_or_default() {
                    *entry = true;
                }
                continue;
            }
            for entry in objects.tree(&id, &mut buffer)? {
                let entry = entry.map_err(|error| unreadable(&format!("tree {id}"), error))?;
                let mut path = [folder.as_slice(), entry.filename].concat();
                n_bytes += path.len() + TREE_ENTRY_BYTES;
                if n_bytes > MAX_TREE_PATH_BYTES {
                    return Err(unreadable("the last commit", "it has too many files"));
                }
                let kind = match entry.mode.kind() {
                    TreeEntryKind::Tree => {
                        path.push(b'/');
                        pending.push((path, entry.oid.to_owned()));
                        continue;
                    }
                    TreeEntryKind::Blob | TreeEntryKind::BlobExecutable => EntryKind::File,
                    TreeEntryKind::Link => EntryKind::Link,
                    TreeEntryKind::Commit => EntryKind::Submodule,
                };
                head.files.insert(path, (entry.oid.to_owned(), kind));
            }
        }
        Ok(head)
    }

    fn is_as_committed(&self, entry: usize) -> bool {
        self.as_committed.get(entry).copied().unwrap_or(false)
    }
}

impl Index {
    /// Whether a folder outside a sparse checkout stands for `path`.
    fn is_in_sparse_folder(&self, path: &[u8]) -> bool {
        let before = self.entries.partition_point(|entry| self.path(entry) <= path);
        let folder = before.checked_sub(1).and_then(|at| self.entries.get(at));
        folder.is_some_and(|folder| folder.kind == EntryKind::Folder && path.starts_with(self.path(folder)))
    }
}

/// The work tree's side of the comparison.
struct WorkTree<'a> {
    git: &'a Git,
    /// When the index was written.
    written: Mtime,
}

impl WorkTree<'_> {
    /// Kind, length and time of what the work tree has at a path; `listed` is what the walk found there.
    fn find(&self, listed: Option<&FileEntry>, path: &[u8]) -> Option<(Kind, u64, i64)> {
        if let Some(file) = listed {
            return Some((Kind::File, file.size, file.mtime_ns));
        }
        // Ignored, a link, or gone. What cannot be looked at, for whatever reason, is not there for an agent either.
        RepoPath::from_bytes(path).ok().filter(|path| !path.is_git_data())?;
        self.git.root.stat(path).ok().map(|(kind, stat)| (kind, stat.size, stat.mtime_ns))
    }

    /// How an entry stands to what the work tree has at its path; `listed` is what the walk found there.
    fn state(&self, entry: &Entry, listed: Option<&FileEntry>, path: &[u8]) -> State {
        match entry.kind {
            EntryKind::Submodule => return State::Same,
            EntryKind::Folder => return State::Absent,
            EntryKind::File | EntryKind::Link => {}
        }
        let found = self.find(listed, path);
        if entry.is_unwatched {
            return if found.is_some() { State::Same } else { State::Absent };
        }
        let Some((kind, size, mtime_ns)) = found else { return State::Missing };
        let is_expected = matches!((entry.kind, kind), (EntryKind::File, Kind::File) | (EntryKind::Link, Kind::Link));
        let mtime = Mtime::from_ns(mtime_ns);
        let is_proven = entry.size == size as u32 && entry.mtime.agrees(mtime) && !mtime.is_racy(self.written);
        match kind {
            Kind::Folder => State::Missing,
            _ if !is_expected => State::Differs,
            _ if is_proven => State::Same,
            Kind::Link => self.git.root.read_link(path).map_or(State::Missing, |target| same_if(is_blob(&target, &entry.id))),
            _ => match self.git.root.read(path, MAX_COMPARED_BYTES) {
                Ok(text) => same_if(is_blob(&text, &entry.id) || is_blob(&unix_lines(&text), &entry.id)),
                Err(refusal) if refusal.is_absent() => State::Missing,
                Err(_) => State::Differs,
            },
        }
    }
}

fn same_if(is_same: bool) -> State {
    if is_same { State::Same } else { State::Differs }
}

fn is_blob(bytes: &[u8], id: &ObjectId) -> bool {
    gix::objs::compute_hash(id.kind(), gix::objs::Kind::Blob, bytes).is_ok_and(|hash| hash == *id)
}

/// `text` with the line ends that git stores where it is told to convert them.
pub fn unix_lines(text: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(text.len());
    for (at, byte) in text.iter().enumerate() {
        if *byte != b'\r' || text.get(at + 1) != Some(&b'\n') {
            lines.push(*byte);
        }
    }
    lines
}

/// Changes by path, with the blob that the last commit, or else the index, has there.
#[derive(Default)]
struct Found {
    kinds: BTreeMap<RepoPath, (ChangeKind, Option<ObjectId>)>,
}

impl Found {
    fn add(&mut self, name: &str, kind: ChangeKind, id: ObjectId, problems: &mut Vec<Problem>) {
        match RepoPath::new(name) {
            Ok(path) => _ = self.kinds.insert(path, (kind, Some(id))),
            Err(reason) => problems.push(Problem::new("git", format!("a changed file is left out: it has {reason}"))),
        }
    }

    /// Pairs files that are gone with staged ones of the same content, first with first in path order.
    fn into_changes(mut self) -> Vec<Change> {
        let mut gone: BTreeMap<ObjectId, std::collections::VecDeque<RepoPath>> = BTreeMap::new();
        for (path, (kind, id)) in &self.kinds {
            if let (ChangeKind::Deleted, Some(id)) = (kind, id)
                && !id.is_empty_blob()
            {
                gone.entry(*id).or_default().push_back(path.clone());
            }
        }
        let mut moved = Vec::new();
        for (kind, id) in self.kinds.values_mut() {
            if *kind == ChangeKind::Added
                && let Some(from) = id.and_then(|id| gone.get_mut(&id)?.pop_front())
            {
                moved.push(from.clone());
                *kind = ChangeKind::Renamed { from };
            }
        }
        for path in moved {
            self.kinds.remove(&path);
        }
        self.kinds.into_iter().map(|(path, (kind, _))| Change { path, kind }).collect()
    }
}
