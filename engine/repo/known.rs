//! What one walk leaves for the next: folders whose own times are the same hold the same names, and only their files are looked at.
//!
//! Whatever is not surely as it was, an ignore file above all, sends the caller to list everything again.

// Elsewhere nothing is remembered.
#[cfg(all(test, target_os = "linux"))]
mod tests;

use super::git::GitFolders;
use super::ignores::FILES;
use super::path::escape;
use super::root::{FileStat, Folder, Kind, Place, Root, split};
use super::walk::{Descent, GIT_LIST, Pending, Scope, join, now_ns};
use super::{FileEntry, RepoPath, Skipped, Walk, WalkOptions};
use error::Result;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::ffi::CStr;
use std::sync::Arc;

/// The most folders that are listed again beside those that are the same. Beyond, all are.
const MAX_CHANGED: usize = 100;

/// The version of the layout below; any other is not understood.
const FORMAT: u32 = 1;

/// What a walk saw.
#[derive(Debug)]
pub(super) struct Remembered {
    outside: Outside,
    index: Option<FileStat>,
    /// Those taken from an earlier walk, then those that were listed.
    pub(super) folders: Vec<Seen>,
    n_taken: usize,
    keeps_folder_times: bool,
}

/// What decides about the files of a walk and lies in none of its folders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Outside {
    format: u32,
    exclude: Vec<String>,
    max_files: usize,
    has_git: bool,
    /// The ignore file in git's own folder.
    git_list: Option<FileStat>,
}

/// What a walk saw of a folder.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Seen {
    path: Vec<u8>,
    own: FileStat,
    tracked_only: bool,
    /// Whether what git tracks decided about an entry.
    pub(super) asks_git: bool,
    /// By precedence.
    ignore_files: Vec<(usize, FileStat)>,
    pub(super) skipped: Skipped,
}

/// A walk as it is known: what [`Remembered::bytes`] writes.
#[derive(Serialize, Deserialize)]
struct Known<'a> {
    outside: Outside,
    /// Git's index: the list of what it tracks.
    index: Option<FileStat>,
    folders: Vec<Seen>,
    /// The names of the files of each folder, each with a zero byte behind it, in path order.
    #[serde(borrow)]
    names: Vec<&'a [u8]>,
    /// The folder of each file, in path order.
    order: Vec<u32>,
}

/// How a known folder is now.
enum Look {
    /// It holds the same names; its files, in path order.
    Same(Vec<FileEntry>),
    /// It is to be listed.
    Changed,
    /// An ignore file of it is not as it was.
    OtherRules,
}

impl Remembered {
    /// Looks at what lies outside of the folders; to be called before anything is listed.
    pub(super) fn new(root: &Root, git: Option<&GitFolders>, options: &WalkOptions) -> Self {
        let keeps_folder_times = root.keeps_folder_times();
        Self { outside: Outside::new(git, options), index: index(git), folders: Vec::new(), n_taken: 0, keeps_folder_times }
    }

    /// Whether anything was taken from an earlier walk.
    pub(super) fn takes_known(&self) -> bool {
        self.n_taken > 0
    }

    /// The paths of the folders that were listed, and of the files in them.
    pub(super) fn listed_paths(&self, files: &[FileEntry]) -> Vec<String> {
        let listed = self.folders.get(self.n_taken..).unwrap_or_default();
        let paths: FxHashSet<&[u8]> = listed.iter().map(|seen| seen.path.as_slice()).collect();
        let files = files.iter().filter(|file| paths.contains(split(&file.path.to_bytes()).0));
        listed.iter().map(|seen| escape(&seen.path)).chain(files.map(|file| file.path.as_str().to_owned())).collect()
    }

    /// What [`walk`] understands. None where the times of folders prove nothing, and where something was not listed: it is to be told
    /// each time.
    pub(super) fn bytes(mut self, walk: &Walk) -> Option<Vec<u8>> {
        if !walk.problems.is_empty() || !self.keeps_folder_times {
            return None;
        }
        let settle = |stat: &mut FileStat| *stat = stat.settled(walk.started_ns);
        self.outside.git_list.iter_mut().chain(&mut self.index).for_each(settle);
        for seen in &mut self.folders {
            seen.ignore_files.iter_mut().map(|(_, stat)| stat).chain([&mut seen.own]).for_each(settle);
        }
        let numbers = numbers(&self.folders);
        let mut names = vec![Vec::new(); self.folders.len()];
        let mut order = Vec::with_capacity(walk.files.len());
        for file in &walk.files {
            let path = file.path.to_bytes();
            let (folder, name) = split(&path);
            let number = *numbers.get(folder)?;
            let names: &mut Vec<u8> = names.get_mut(number)?;
            names.extend(name);
            names.push(0);
            order.push(u32::try_from(number).ok()?);
        }
        drop(numbers);
        let names = names.iter().map(Vec::as_slice).collect();
        let known = Known { outside: self.outside, index: self.index, folders: self.folders, names, order };
        postcard::to_allocvec(&known).ok()
    }
}

impl Outside {
    fn new(git: Option<&GitFolders>, options: &WalkOptions) -> Self {
        let WalkOptions { exclude, max_files } = options;
        let git_list = git.and_then(|git| git.common.stat(GIT_LIST.as_bytes()).ok()).map(|(_, stat)| stat);
        Self { format: FORMAT, exclude: exclude.clone(), max_files: *max_files, has_git: git.is_some(), git_list }
    }
}

impl Seen {
    pub(super) fn new(path: &[u8], own: FileStat, tracked_only: bool) -> Self {
        Self { path: path.to_vec(), own, tracked_only, ..Self::default() }
    }

    /// Looks at an ignore file of the folder. One that cannot be read leaves a problem of the walk, and no trace here.
    pub(super) fn saw_ignore_file(&mut self, precedence: usize, folder: &Folder) {
        let stat = folder.stat(FILES[precedence].as_bytes()).map(|(_, stat)| stat);
        self.ignore_files.extend(stat.ok().map(|stat| (precedence, stat)));
    }
}

/// Lists the files below `root` with what is known of an earlier walk; none where too much of that changed.
pub(super) fn walk(root: &Root, git: Option<&GitFolders>, options: &WalkOptions, known: &[u8]) -> Result<Option<Walk>> {
    let started_ns = now_ns();
    let Ok(known) = postcard::from_bytes::<Known<'_>>(known) else { return Ok(None) };
    if known.outside != Outside::new(git, options) || known.names.len() != known.folders.len() || !root.keeps_folder_times() {
        return Ok(None);
    }
    let index = index(git);
    let has_same_index = known.index == index;
    let look = |(seen, names): (&Seen, &&[u8])| seen.look(root, names, has_same_index);
    let looks: Vec<Look> = known.folders.par_iter().zip(&known.names).map(look).collect();
    let changed: Vec<usize> =
        looks.iter().enumerate().filter(|(_, look)| matches!(look, Look::Changed)).map(|(at, _)| at).collect();
    if changed.len() > MAX_CHANGED || looks.iter().any(|look| matches!(look, Look::OtherRules)) {
        return Ok(None);
    }
    let mut descent = Descent::new(Scope::new(root, git, options)?, started_ns);
    if !changed.is_empty() && !known.list_anew(&changed, &mut descent, options.max_files) {
        return Ok(None);
    }
    let Descent { mut walk, seen, .. } = descent;
    let Some(files) = known.files(looks) else { return Ok(None) };
    let mut again = std::mem::replace(&mut walk.files, files);
    if !again.is_empty() {
        walk.files.append(&mut again);
        walk.files.sort_by(|one, other| one.path.cmp(&other.path));
    }
    walk.n_listed = seen.len();
    let is_same = |(at, _): &(usize, Seen)| changed.binary_search(at).is_err();
    let mut folders: Vec<Seen> = known.folders.into_iter().enumerate().filter(is_same).map(|(_, seen)| seen).collect();
    for seen in &folders {
        walk.skipped.add(seen.skipped);
    }
    if !seen.is_empty() {
        let n_taken = folders.len();
        folders.extend(seen);
        walk.remembered = Some(Remembered { outside: known.outside, index, folders, n_taken, keeps_folder_times: true });
    }
    Ok((walk.files.len() <= options.max_files).then_some(walk))
}

impl Seen {
    /// Looks at the folder, at its ignore files, and, where they are the same, at its files.
    fn look(&self, root: &Root, names: &[u8], has_same_index: bool) -> Look {
        let Ok(place) = root.place(&self.path) else { return Look::Changed };
        let is_as_it_was = |(precedence, known): &(usize, FileStat)| {
            let name = FILES.get(*precedence);
            name.is_some_and(|name| place.stat_name(name).is_ok_and(|found| found == (Kind::File, *known)))
        };
        if !self.ignore_files.iter().all(is_as_it_was) {
            return Look::OtherRules;
        }
        if self.asks_git && !has_same_index || place.own_stat() != Ok(self.own) {
            return Look::Changed;
        }
        let files: Option<Vec<FileEntry>> =
            names.split_inclusive(|byte| *byte == 0).map(|name| self.look_at_file(&place, name)).collect();
        files.map_or(Look::Changed, Look::Same)
    }

    fn look_at_file(&self, place: &Place, name: &[u8]) -> Option<FileEntry> {
        let c_name = CStr::from_bytes_with_nul(name).ok()?;
        let name = name.strip_suffix(&[0]).filter(|name| !name.contains(&b'/'))?;
        let path = RepoPath::from_bytes(&join(&self.path, name)).ok()?;
        let stat = place.stat(c_name).ok().filter(|(kind, _)| *kind == Kind::File);
        stat.map(|(_, stat)| FileEntry::new(path, stat))
    }
}

impl Known<'_> {
    /// The files of the folders that are the same, in path order.
    fn files(&self, looks: Vec<Look>) -> Option<Vec<FileEntry>> {
        let mut of_folders: Vec<Option<std::vec::IntoIter<FileEntry>>> = looks
            .into_iter()
            .map(|look| match look {
                Look::Same(files) => Some(files.into_iter()),
                Look::Changed | Look::OtherRules => None,
            })
            .collect();
        let mut files = Vec::with_capacity(self.order.len());
        for folder in &self.order {
            if let Some(of_folder) = of_folders.get_mut(*folder as usize)? {
                files.push(of_folder.next()?);
            }
        }
        Some(files)
    }

    /// Lists the changed folders, and what is new below them. No where anything else but names of files changed the list: a known folder is
    /// gone, an ignore file is new or not as it was, something could not be listed.
    fn list_anew(&self, changed: &[usize], descent: &mut Descent<'_>, max_files: usize) -> bool {
        let numbers = numbers(&self.folders);
        let git_rules = descent.git_rules();
        let mut level = Vec::new();
        for seen in changed.iter().filter_map(|at| self.folders.get(*at)) {
            let mut rules = Arc::clone(&git_rules);
            for above in folders_above(&seen.path) {
                let Some(above) = numbers.get(above).and_then(|at| self.folders.get(*at)) else { return false };
                let folder = Pending { path: above.path.clone(), rules, tracked_only: above.tracked_only };
                rules = descent.rules_in(&folder, above.ignore_files.iter().map(|(precedence, _)| *precedence));
            }
            level.push(Pending { path: seen.path.clone(), rules, tracked_only: seen.tracked_only });
        }
        let (mut n_met, mut are_same) = (0, true);
        descent.descend(level, max_files, |folder| {
            let Some(known) = numbers.get(folder.path.as_slice()).and_then(|at| self.folders.get(*at)) else { return true };
            n_met += 1;
            are_same &= known.tracked_only == folder.tracked_only;
            false
        });
        let is_in_changed = |seen: &&Seen| {
            let above = numbers.get(split(&seen.path).0).filter(|_| !seen.path.is_empty());
            above.is_some_and(|above| changed.binary_search(above).is_ok())
        };
        let has_same_rules = |seen: &Seen| {
            let known = numbers.get(seen.path.as_slice()).and_then(|at| self.folders.get(*at));
            known.map_or(seen.ignore_files.is_empty(), |known| known.ignore_files == seen.ignore_files)
        };
        are_same
            && descent.walk.problems.is_empty()
            && self.folders.iter().filter(is_in_changed).count() == n_met
            && descent.seen.iter().all(has_same_rules)
    }
}

/// Numbers of the list of what git tracks, if there is one.
fn index(git: Option<&GitFolders>) -> Option<FileStat> {
    git.and_then(GitFolders::tracked_stat)
}

/// The place of each folder by its path.
fn numbers(folders: &[Seen]) -> FxHashMap<&[u8], usize> {
    folders.iter().enumerate().map(|(at, seen)| (seen.path.as_slice(), at)).collect()
}

/// The folders above a folder, from the root inwards.
fn folders_above(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    let ends = (!path.is_empty()).then_some(0).into_iter().chain(slashes);
    ends.map(|end| &path[..end])
}
