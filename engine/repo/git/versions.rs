//! What commits hold at paths, and where two of them differ: id and kind of each side.
//!
//! Reads trees and no content.

use super::history::MAX_DIFF_PATH_BYTES;
use super::lines::entry_at;
use super::objects::Objects;
use super::place::Place;
use super::{Git, guarded, head_id, unreadable};
use crate::RepoPath;
use crate::path::is_git_name;
use error::Problem;
use gix::ObjectId;
use gix::bstr::BStr;
use gix::diff::tree::{Error as DiffError, State, Visit, visit};
use gix::objs::tree::{EntryKind, EntryMode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The most files that two commits are said to differ in.
const MAX_DIFFERING: usize = 100_000;

/// What stands at a path, as git's modes have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// A file.
    File,
    /// A file that may be run.
    Executable,
    /// A symbolic link.
    Link,
    /// A commit of another repository.
    Submodule,
}

impl Mode {
    /// Whether it has content of its own.
    pub fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Executable)
    }

    /// What it is, in a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Executable => "executable",
            Self::Link => "symbolic link",
            Self::Submodule => "submodule",
        }
    }
}

/// What a commit holds at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The id of its content in hexadecimal: of the blob, or of a submodule's commit.
    pub id: String,
    /// What it is.
    pub mode: Mode,
}

/// Where two commits differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Differing {
    /// By path, what the older commit holds there and what the newer one.
    pub files: BTreeMap<RepoPath, [Option<Version>; 2]>,
    /// Whether there are more files than are told.
    pub is_cut: bool,
}

impl Git {
    /// Where the commit `base`, named as for [`Git::at`], and the last one differ, whichever comes from which. A moved file is two.
    ///
    /// # Errors
    ///
    /// That there is no such commit, or that git's objects cannot be read.
    pub fn differing(&self, base: &str) -> Result<Differing, Problem> {
        let base = self.at(base)?.at.ok_or_else(|| unreadable(&format!("`{base}`"), "it is not a commit"))?;
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let Some(head) = head_id(self, &repository)? else { return Ok(Differing::default()) };
            let (old, new) = (objects.commit(&base)?.tree, objects.commit(&head)?.tree);
            let mut found = Visitor::default();
            let (mut old_buffer, mut new_buffer) = (Vec::new(), Vec::new());
            let (old, new) = (objects.tree(&old, &mut old_buffer)?, objects.tree(&new, &mut new_buffer)?);
            match gix::diff::tree(old, new, &mut State::default(), &objects, &mut found) {
                Ok(()) => {}
                Err(DiffError::Cancelled) => found.differing.is_cut = true,
                Err(DiffError::Failure(error)) => return Err(unreadable(&format!("what is different since {base}"), error)),
            }
            Ok(found.differing)
        })
    }

    /// What the last commit holds at each of these paths.
    ///
    /// # Errors
    ///
    /// That git's objects cannot be read.
    pub fn versions(&self, paths: &[RepoPath]) -> Result<Vec<Option<Version>>, Problem> {
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let Some(head) = head_id(self, &repository)? else { return Ok(vec![None; paths.len()]) };
            let tree = objects.commit(&head)?.tree;
            paths.iter().map(|path| version_at(&objects, tree, path)).collect()
        })
    }

    /// The id that a content has as a blob, in hexadecimal.
    pub fn blob_id(&self, content: &[u8]) -> Option<String> {
        let kind = self.repository.to_thread_local().object_hash();
        gix::objs::compute_hash(kind, gix::objs::Kind::Blob, content).ok().map(|id| id.to_string())
    }
}

/// What stands at `path` below a tree; none where nothing does, and for a folder.
fn version_at(objects: &Objects<'_>, tree: ObjectId, path: &RepoPath) -> Result<Option<Version>, Problem> {
    Ok(entry_at(objects, tree, path)?.and_then(|(mode, id)| version(mode, &id)))
}

fn version(mode: EntryMode, id: &ObjectId) -> Option<Version> {
    let mode = match mode.kind() {
        EntryKind::Tree => return None,
        EntryKind::Blob => Mode::File,
        EntryKind::BlobExecutable => Mode::Executable,
        EntryKind::Link => Mode::Link,
        EntryKind::Commit => Mode::Submodule,
    };
    Some(Version { id: id.to_string(), mode })
}

/// Collects what differs between two trees.
#[derive(Default)]
struct Visitor {
    differing: Differing,
    /// Of the paths that were met.
    n_bytes: usize,
    place: Place,
}

impl Visit for Visitor {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.place.enter_next();
    }

    fn push_back_tracked_path_component(&mut self, component: &BStr) {
        self.place.push_folder(component);
    }

    fn push_path_component(&mut self, component: &BStr) {
        self.place.push(component);
    }

    fn pop_path_component(&mut self) {
        self.place.pop();
    }

    fn visit(&mut self, change: visit::Change) -> visit::Action {
        use visit::Change::{Addition, Deletion, Modification};
        let path = self.place.path();
        self.n_bytes += path.len() + 1;
        let [old, new] = match change {
            Addition { entry_mode, oid, .. } => [None, version(entry_mode, &oid)],
            Deletion { entry_mode, oid, .. } => [version(entry_mode, &oid), None],
            Modification { previous_entry_mode, previous_oid, entry_mode, oid } => {
                [version(previous_entry_mode, &previous_oid), version(entry_mode, &oid)]
            }
        };
        let is_file = (old.is_some() || new.is_some()) && !is_git_name(self.place.name());
        if let Some(path) = RepoPath::from_bytes(path).ok().filter(|_| is_file) {
            // What becomes a folder is told as one that goes, and as others that come.
            let known = self.differing.files.entry(path).or_default();
            known[0] = old.or_else(|| known[0].take());
            known[1] = new.or_else(|| known[1].take());
        }
        let goes_on = self.differing.files.len() < MAX_DIFFERING
            && self.n_bytes <= MAX_DIFF_PATH_BYTES
            && self.place.path().len() <= RepoPath::MAX_BYTES;
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
