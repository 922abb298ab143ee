//! Lists the files of a repository.

use super::ignores::{self, Compiled, List, Rules};
use super::known::{Remembered, Seen};
use super::path::{escape, is_git_name};
use super::root::{FileStat, Folder, Kind, NamedEntry, Refusal, Root};
use super::{RepoPath, git::GitFolders, git::Index};
use error::{Error, ErrorKind, Problem, Result};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// Largest ignore file that is read: real ones have a few kilobytes, and matching costs time in proportion to it.
pub(super) const MAX_IGNORE_BYTES: u64 = 256 * 1024;

/// The ignore file in git's own folder.
pub(super) const GIT_LIST: &str = "info/exclude";

/// How many folders are listed before the file limit is looked at: enough to keep all cores busy, few enough to stop soon.
const FOLDERS_AT_ONCE: usize = 1024;

/// What a walk leaves out beyond ignore files.
#[derive(Debug, Clone)]
pub struct WalkOptions {
    /// Patterns in the form of a `.gitignore` line, relative to the root; they have the last word.
    pub exclude: Vec<String>,
    /// Most files listed; the result is marked as partial beyond.
    pub max_files: usize,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { exclude: Vec::new(), max_files: 2_000_000 }
    }
}

/// The files of a repository.
#[derive(Debug, Default)]
pub struct Walk {
    /// Regular files, by path.
    pub files: Vec<FileEntry>,
    /// Folders and files that could not be listed, and whether the list is partial; by path.
    pub problems: Vec<Problem>,
    /// How many entries were left out on purpose.
    pub skipped: Skipped,
    /// When the walk began, in nanoseconds since 1970, to tell files that changed just before from older ones.
    pub started_ns: i64,
    /// How many folders were listed, not counting those that were the same as an earlier walk knows them.
    pub n_listed: usize,
    /// What the next walk may take from this one; nothing where that is what this one took itself.
    pub(super) remembered: Option<Remembered>,
}

/// A regular file of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// Where it is.
    pub path: RepoPath,
    /// Length in bytes.
    pub size: u64,
    /// Last change of the content, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Last change of content or metadata, in nanoseconds since 1970.
    pub ctime_ns: i64,
    /// The file's number on its file system.
    pub inode: u64,
}

/// How many entries a walk left out, by reason. A folder counts once, whatever is in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Symbolic links, which are never followed.
    pub links: u64,
    /// Fifos, sockets and devices.
    pub special: u64,
    /// Matched by an ignore file.
    pub ignored: u64,
    /// Matched by a pattern of [`WalkOptions::exclude`].
    pub excluded: u64,
    /// Files and folders that should have been listed and could not be, with a problem for each, and files beyond the limit.
    pub unlisted: u64,
}

/// A folder still to be listed.
pub(super) struct Pending {
    /// Relative to the root, no trailing slash, empty for the root.
    pub(super) path: Vec<u8>,
    /// The rules of the folder above.
    pub(super) rules: Arc<Rules>,
    /// Whether git ignores the folder, so that only what it tracks all the same counts.
    pub(super) tracked_only: bool,
}

/// What decides whether an entry is listed, beside the ignore files on the way to it.
pub(super) struct Scope<'a> {
    pub(super) root: &'a Root,
    exclude: Rules,
    pub(super) git: Option<&'a GitFolders>,
    /// What git tracks: read when something is ignored for the first time.
    tracked: OnceLock<Option<Index>>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(root: &'a Root, git: Option<&'a GitFolders>, options: &WalkOptions) -> Result<Self> {
        Ok(Self { root, exclude: exclusions(&options.exclude)?, git, tracked: OnceLock::new() })
    }

    /// Whether git tracks a file, or a file below a folder. Without a readable index it tracks nothing; git's changes say why.
    fn tracks(&self, path: &[u8], is_folder: bool) -> bool {
        let read = || self.git.and_then(GitFolders::tracked);
        self.tracked.get_or_init(read).as_ref().is_some_and(|index| index.tracks(path, is_folder))
    }
}

/// What one folder holds.
#[derive(Default)]
struct Listing {
    walk: Walk,
    folders: Vec<Pending>,
    seen: Seen,
    /// The entries of a folder with ignore files of its own, which are read first.
    waiting: Option<Vec<NamedEntry>>,
}

/// Lists the files below `root` level by level, so that the result does not depend on the order in which the disk answers.
pub(super) fn walk(root: &Root, git: Option<&GitFolders>, options: &WalkOptions) -> Result<Walk> {
    let started_ns = now_ns();
    let mut remembered = Remembered::new(root, git, options);
    let mut descent = Descent::new(Scope::new(root, git, options)?, started_ns);
    let rules = descent.git_rules();
    descent.descend(vec![Pending { path: Vec::new(), rules, tracked_only: false }], options.max_files, |_| true);
    let Descent { mut walk, seen, .. } = descent;
    walk.files.par_sort_unstable_by(|one, other| one.path.cmp(&other.path));
    truncate(&mut walk, options.max_files);
    walk.n_listed = seen.len();
    remembered.folders = seen;
    walk.remembered = Some(remembered);
    Ok(walk)
}

/// A walk under way.
pub(super) struct Descent<'a> {
    scope: Scope<'a>,
    compiled: Compiled,
    /// What was found so far.
    pub(super) walk: Walk,
    /// The folders that were listed, each before those in it.
    pub(super) seen: Vec<Seen>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(scope: Scope<'a>, started_ns: i64) -> Self {
        let walk = Walk { started_ns, ..Walk::default() };
        Self { scope, compiled: Compiled::default(), walk, seen: Vec::new() }
    }

    /// The rules of the list that git keeps in its own folder.
    pub(super) fn git_rules(&mut self) -> Arc<Rules> {
        Arc::new(git_rules(self.scope.git, &mut self.compiled, &mut self.walk.problems))
    }

    /// The rules that hold in a folder, given those of the folder above and which ignore files it has, by precedence.
    pub(super) fn rules_in(&mut self, folder: &Pending, names: impl Iterator<Item = usize>) -> Arc<Rules> {
        rules_in(self.scope.root, folder, names, &mut self.compiled, &mut self.walk)
    }

    /// Lists folders and those in them, as far as `enters` wants those in them, until there are more files than the most.
    pub(super) fn descend(&mut self, mut level: Vec<Pending>, max_files: usize, mut enters: impl FnMut(&Pending) -> bool) {
        while !level.is_empty() {
            let mut below = Vec::new();
            for pending in level.chunks(FOLDERS_AT_ONCE) {
                let listings: Vec<Listing> = pending.par_iter().map(|folder| list(&self.scope, folder)).collect();
                // Ignore files are read one after the other, so that their limit leaves out the same ones each time.
                let mut ready = Vec::new();
                let mut listed = Vec::new();
                for (folder, mut listing) in pending.iter().zip(listings) {
                    if let Some(entries) = listing.waiting.take() {
                        let rules = self.rules_in(folder, ignore_files(&entries));
                        ready.push((folder, rules, entries, listing.seen));
                    } else {
                        listed.push(listing);
                    }
                }
                let scope = &self.scope;
                let rest = |(folder, rules, entries, seen): (&Pending, Arc<Rules>, Vec<NamedEntry>, Seen)| {
                    with_folder(scope, folder, |opened, listing| {
                        listing.seen = seen;
                        enter_all(listing, scope, folder, opened, entries, &rules);
                        Ok(())
                    })
                };
                listed.par_extend(ready.into_par_iter().map(rest));
                for mut listing in listed {
                    listing.seen.skipped = listing.walk.skipped;
                    self.seen.push(listing.seen);
                    self.walk.absorb(listing.walk);
                    below.extend(listing.folders.into_iter().filter(&mut enters));
                }
                if self.walk.files.len() > max_files {
                    return;
                }
            }
            level = below;
        }
    }
}

/// Ends a walk: cuts its files at the limit, and sorts its problems.
pub(super) fn truncate(walk: &mut Walk, max_files: usize) {
    if walk.files.len() > max_files {
        walk.skipped.unlisted += (walk.files.len() - max_files) as u64;
        walk.files.truncate(max_files);
        let message = format!(
            "the repository has more than {max_files} files; those last by path are left out: exclude folders that do not matter"
        );
        walk.problems.push(Problem::new("walk", message));
    }
    walk.problems.sort();
}

/// The time in nanoseconds since 1970; 0 for clocks before that. The only clock of the engine.
pub(super) fn now_ns() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

impl Walk {
    /// What [`Repo::walk_again`](super::Repo::walk_again) may take from this walk, empty where it may take nothing; once, and only where
    /// it is not what this walk took itself.
    pub fn take_listing(&mut self) -> Option<Vec<u8>> {
        Some(self.remembered.take()?.bytes(self).unwrap_or_default())
    }

    /// Whether what [`Walk::take_listing`] gives is in part what an earlier walk knew.
    pub fn takes_known(&self) -> bool {
        self.remembered.as_ref().is_some_and(Remembered::takes_known)
    }

    /// The other part: the folders that were listed and the files in them, as text.
    pub fn listed_paths(&self) -> Vec<String> {
        self.remembered.as_ref().map(|remembered| remembered.listed_paths(&self.files)).unwrap_or_default()
    }

    fn absorb(&mut self, other: Self) {
        self.files.extend(other.files);
        self.problems.extend(other.problems);
        self.skipped.add(other.skipped);
    }

    /// A file or folder that should be on the list and is not.
    fn unlisted(&mut self, path: &[u8], message: impl Into<String>) {
        self.skipped.unlisted += 1;
        self.problem(path, message);
    }

    fn problem(&mut self, path: &[u8], message: impl Into<String>) {
        let path = if path.is_empty() { ".".to_owned() } else { escape(path) };
        self.problems.push(Problem::at("walk", path, message));
    }
}

impl Skipped {
    /// Counts what was left out elsewhere as well.
    pub(super) fn add(&mut self, other: Self) {
        self.links += other.links;
        self.special += other.special;
        self.ignored += other.ignored;
        self.excluded += other.excluded;
        self.unlisted += other.unlisted;
    }
}

fn list(scope: &Scope<'_>, pending: &Pending) -> Listing {
    with_folder(scope, pending, |folder, listing| {
        // All times are asked for before what they are the times of, so that a change in between shows the next time.
        listing.seen = Seen::new(&pending.path, folder.own_stat()?, pending.tracked_only);
        let mut entries = folder.entries()?;
        entries.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        for precedence in ignore_files(&entries) {
            listing.seen.saw_ignore_file(precedence, folder);
        }
        if ignore_files(&entries).next().is_some() {
            listing.waiting = Some(entries);
        } else {
            enter_all(listing, scope, pending, folder, entries, &pending.rules);
        }
        Ok(())
    })
}

/// Opens a folder and fills its listing, or says why not.
fn with_folder(
    scope: &Scope<'_>,
    pending: &Pending,
    fill: impl FnOnce(&mut Folder, &mut Listing) -> std::result::Result<(), Refusal>,
) -> Listing {
    let mut listing = Listing::default();
    if let Err(reason) = scope.root.folder(&pending.path).and_then(|mut folder| fill(&mut folder, &mut listing)) {
        listing.walk.unlisted(&pending.path, format!("the folder is left out: {reason}"));
    }
    listing
}

fn enter_all(
    listing: &mut Listing,
    scope: &Scope<'_>,
    pending: &Pending,
    folder: &Folder,
    entries: Vec<NamedEntry>,
    rules: &Arc<Rules>,
) {
    for (name, kind) in entries {
        if !is_git_name(&name) {
            enter(listing, scope, pending, folder, (&name, kind), rules);
        }
    }
}

/// Which ignore files are among the entries of a folder, by precedence.
fn ignore_files(entries: &[NamedEntry]) -> impl Iterator<Item = usize> {
    let holds = |name: &str| entries.binary_search_by(|entry| entry.0.as_slice().cmp(name.as_bytes())).is_ok();
    (0..ignores::FILES.len()).filter(move |precedence| holds(ignores::FILES[*precedence]))
}

/// Puts one directory entry where it belongs: a file, a folder to list, or a count.
fn enter(
    listing: &mut Listing,
    scope: &Scope<'_>,
    pending: &Pending,
    folder: &Folder,
    (name, kind): (&[u8], Option<Kind>),
    rules: &Arc<Rules>,
) {
    let path = join(&pending.path, name);
    let Some(kind) = kind.or_else(|| folder.stat(name).ok().map(|(kind, _)| kind)) else {
        return; // It vanished since the folder was listed.
    };
    let is_folder = kind == Kind::Folder;
    // What git tracks is part of the repository, whatever its ignore files say.
    let by = rules.ignored_by(&path, is_folder);
    let by_git = pending.tracked_only || by.is_some_and(|by| by >= ignores::FIRST_OF_GIT);
    let is_ignored = by.is_some_and(|by| by < ignores::FIRST_OF_GIT) || by_git && !scope.tracks(&path, is_folder);
    listing.seen.asks_git |= by_git;
    match kind {
        Kind::Link => listing.walk.skipped.links += 1,
        Kind::Special => listing.walk.skipped.special += 1,
        Kind::File | Kind::Folder if scope.exclude.ignores(&path, is_folder) => listing.walk.skipped.excluded += 1,
        Kind::File | Kind::Folder if is_ignored => listing.walk.skipped.ignored += 1,
        // A folder at the limit cannot hold a file with a valid path.
        Kind::Folder if path.len() < RepoPath::MAX_BYTES => {
            listing.folders.push(Pending { path, rules: Arc::clone(rules), tracked_only: by_git });
        }
        Kind::Folder => listing.walk.unlisted(&path, "the folder is left out: its path is longer than 4,096 bytes"),
        Kind::File => match (RepoPath::from_bytes(&path), folder.stat(name)) {
            (Ok(path), Ok((Kind::File, stat))) => listing.walk.files.push(FileEntry::new(path, stat)),
            (Err(reason), _) => listing.walk.unlisted(&path, format!("the file is left out: {reason}")),
            _ => {} // It vanished or became something else since the folder was listed.
        },
    }
}

impl FileEntry {
    pub(super) fn new(path: RepoPath, stat: FileStat) -> Self {
        let FileStat { size, mtime_ns, ctime_ns, inode } = stat;
        Self { path, size, mtime_ns, ctime_ns, inode }
    }
}

/// The rules that hold in a folder: its parent's and those of its own ignore files. A link is not an ignore file.
fn rules_in(
    root: &Root,
    pending: &Pending,
    names: impl Iterator<Item = usize>,
    compiled: &mut Compiled,
    walk: &mut Walk,
) -> Arc<Rules> {
    let mut rules = Arc::clone(&pending.rules);
    for precedence in names {
        let path = join(&pending.path, ignores::FILES[precedence].as_bytes());
        match root.read(&path, MAX_IGNORE_BYTES) {
            Ok(text) => {
                let (list, note) = compiled.list(&pending.path, &text);
                if let Some(list) = list {
                    Arc::make_mut(&mut rules).add(precedence, list);
                }
                if let Some(note) = note {
                    walk.problem(&path, note);
                }
            }
            Err(reason) => walk.problem(&path, format!("this ignore file is not applied: {reason}")),
        }
    }
    rules
}

/// The rules of the list that git keeps in its own folder.
fn git_rules(git: Option<&GitFolders>, compiled: &mut Compiled, problems: &mut Vec<Problem>) -> Rules {
    let mut rules = Rules::default();
    let Some(git) = git else { return rules };
    match git.common.read(GIT_LIST.as_bytes(), MAX_IGNORE_BYTES) {
        Ok(text) => {
            let (list, note) = compiled.list(b"", &text);
            if let Some(list) = list {
                rules.add(ignores::FILES.len(), list);
            }
            problems.extend(note.map(|note| Problem::at("walk", format!(".git/{GIT_LIST}"), note)));
        }
        Err(reason) if reason.is_absent() => {}
        Err(reason) => {
            problems.push(Problem::at("walk", format!(".git/{GIT_LIST}"), format!("this ignore file is not applied: {reason}")));
        }
    }
    rules
}

/// The patterns that a caller gives.
pub(super) fn exclusions(patterns: &[String]) -> Result<Rules> {
    let mut rules = Rules::default();
    for pattern in patterns {
        let refused = |why| Error::new(ErrorKind::BadInput, format!("the pattern to exclude `{pattern}` cannot be used: {why}"));
        rules.add(0, List::of_pattern(pattern).map_err(refused)?);
    }
    Ok(rules)
}

/// Says why `pattern` cannot be used for [`WalkOptions::exclude`], if it cannot.
///
/// # Errors
///
/// What is wrong with the pattern.
pub fn check_exclude(pattern: &str) -> std::result::Result<(), String> {
    List::of_pattern(pattern).map(drop)
}

/// The path of a name in a folder.
pub(super) fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    if folder.is_empty() { name.to_vec() } else { [folder, b"/", name].concat() }
}
