//! The files of a commit as a folder would show them: the same rules about what is left out, and no work tree.
//!
//! Must not know git's objects: those come by id.

use super::git::{Git, Tree};
use super::ignores::{self, Compiled, Rules};
use super::path::escape;
use super::walk::{MAX_IGNORE_BYTES, exclusions, join, truncate};
use super::{FileEntry, RepoPath, Walk, WalkOptions};
use error::{Problem, Result};
use gix::ObjectId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The files of a commit.
#[derive(Debug)]
pub(super) struct CommitFiles {
    /// With the commit as its last.
    git: Git,
    git_problems: Vec<Problem>,
    files: BTreeMap<RepoPath, (ObjectId, u64)>,
    n_links: u64,
    problems: Vec<Problem>,
}

impl CommitFiles {
    /// The files of the last commit of `git`; what is known of an earlier one's is not looked up again.
    pub(super) fn new(git: Git, git_problems: &[Problem], last: Option<&Self>) -> std::result::Result<Self, Problem> {
        let sizes: FxHashMap<ObjectId, u64> = last.iter().flat_map(|last| last.files.values().copied()).collect();
        let Tree { blobs, n_links } = git.tree(&sizes)?;
        let mut problems = Vec::new();
        let mut files = BTreeMap::new();
        for blob in blobs {
            match RepoPath::from_bytes(&blob.path) {
                Ok(path) if path.is_git_data() => {}
                Ok(path) => _ = files.insert(path, (blob.id, blob.size)),
                Err(reason) => {
                    problems.push(Problem::at("walk", escape(&blob.path), format!("the file is left out: {reason}")));
                }
            }
        }
        Ok(Self { git, git_problems: git_problems.to_vec(), files, n_links, problems })
    }

    /// The git data, with the commit as its last.
    pub(super) fn git(&self) -> &Git {
        &self.git
    }

    /// What could not be used of the git data.
    pub(super) fn git_problems(&self) -> &[Problem] {
        &self.git_problems
    }

    /// Lists the files; of the ignore files, those of git say nothing of what it tracks.
    pub(super) fn walk(&self, options: &WalkOptions) -> Result<Walk> {
        let walk = Walk { problems: self.problems.clone(), started_ns: i64::MAX, ..Walk::default() };
        let mut listing = Listing {
            files: self,
            exclude: exclusions(&options.exclude)?,
            walk,
            folders: FxHashMap::default(),
            compiled: Compiled::default(),
        };
        listing.walk.skipped.links = self.n_links;
        listing.walk.skipped.unlisted = self.problems.len() as u64;
        for (path, (id, size)) in &self.files {
            let Some(rules) = listing.rules_in(path.folder()) else { continue };
            let name = path.to_bytes();
            if listing.exclude.ignores(&name, false) {
                listing.walk.skipped.excluded += 1;
            } else if rules.ignores(&name, false) {
                listing.walk.skipped.ignored += 1;
            } else {
                listing.walk.files.push(entry(path, id, *size));
            }
        }
        let mut walk = listing.walk;
        truncate(&mut walk, options.max_files);
        Ok(walk)
    }

    /// Whether the commit has a file at a path.
    pub(super) fn has_file(&self, path: &RepoPath) -> bool {
        self.files.contains_key(path)
    }

    /// What is at a path that no list of files has, as the end of a sentence; none where nothing is.
    pub(super) fn find(&self, path: &RepoPath) -> Option<&'static str> {
        if self.files.contains_key(path) {
            return Some("it is ignored or excluded");
        }
        let mut above = path.folder();
        while !above.is_empty() {
            if self.files.keys().any(|file| file.as_str() == above) {
                return Some("what should be a folder on the way to it is not one");
            }
            above = above.rsplit_once('/').map_or("", |(folder, _)| folder);
        }
        let below = format!("{path}/");
        let is_folder = self.files.keys().any(|file| file.as_str().starts_with(&below));
        is_folder.then_some("it is a folder")
    }

    /// The content of a file.
    pub(super) fn read(&self, path: &RepoPath, max_bytes: u64) -> std::result::Result<Vec<u8>, String> {
        let (id, size) = self.files.get(path).ok_or("the commit has no such file")?;
        if *size > max_bytes {
            return Err(format!("it has {size} bytes and the limit is {max_bytes}"));
        }
        self.git.blob(id, max_bytes).map_err(|problem| problem.message)
    }
}

/// A file as a folder would list it. Its times stand for its content: they are equal where the content is.
fn entry(path: &RepoPath, id: &ObjectId, size: u64) -> FileEntry {
    let number = |at: usize| {
        let bytes = id.as_bytes().get(at..at + size_of::<i64>()).and_then(|bytes| bytes.try_into().ok());
        // Far from both ends, so that nobody who reckons with times leaves their range.
        (i64::from_le_bytes(bytes.unwrap_or_default()) & i64::MAX) >> 1
    };
    FileEntry { path: path.clone(), size, mtime_ns: number(0), ctime_ns: number(size_of::<i64>()), inode: 0 }
}

/// A listing under way.
struct Listing<'a> {
    files: &'a CommitFiles,
    exclude: Rules,
    walk: Walk,
    /// The rules of each folder that was met; none for one that is left out.
    folders: FxHashMap<&'a str, Option<Arc<Rules>>>,
    compiled: Compiled,
}

impl<'a> Listing<'a> {
    /// The rules that hold in a folder, unless it is left out.
    fn rules_in(&mut self, folder: &'a str) -> Option<Arc<Rules>> {
        if let Some(rules) = self.folders.get(folder) {
            return rules.clone();
        }
        let rules = self.enter(folder);
        self.folders.insert(folder, rules.clone());
        rules
    }

    fn enter(&mut self, folder: &'a str) -> Option<Arc<Rules>> {
        let mut rules = Arc::default();
        let mut name = Vec::new();
        if !folder.is_empty() {
            // As deep as a path is long, which is 4,096 bytes.
            rules = self.rules_in(folder.rsplit_once('/').map_or("", |(above, _)| above))?;
            name = RepoPath::new(folder).ok()?.to_bytes().into_owned();
            if self.exclude.ignores(&name, true) {
                self.walk.skipped.excluded += 1;
                return None;
            }
            if rules.ignores(&name, true) {
                self.walk.skipped.ignored += 1;
                return None;
            }
        }
        for (precedence, file) in ignores::FILES.iter().enumerate().take(ignores::FIRST_OF_GIT) {
            let Ok(path) = RepoPath::from_bytes(&join(&name, file.as_bytes())) else { continue };
            if !self.files.files.contains_key(&path) {
                continue;
            }
            let note = match self.files.read(&path, MAX_IGNORE_BYTES) {
                Ok(text) => {
                    let (list, note) = self.compiled.list(&name, &text);
                    if let Some(list) = list {
                        Arc::make_mut(&mut rules).add(precedence, list);
                    }
                    note
                }
                Err(reason) => Some(format!("this ignore file is not applied: {reason}")),
            };
            self.walk.problems.extend(note.map(|note| Problem::at("walk", &path, note)));
        }
        Some(rules)
    }
}
