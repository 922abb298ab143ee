//! Which files were written that a packet does not declare.
//!
//! Pure: what git says comes from whoever may ask it. Must not decide what to do about a write.

use super::json::Json;
use super::task::own_path;
use super::{SLOTS, is_worker};
use error::{Error, ErrorKind, Result};
use redact::{Masker, Safe};
use repo::{Change, ChangeKind, RepoPath, Since, Touch};
use std::collections::BTreeMap;

/// Digits of a commit that are shown.
const ID_DIGITS: usize = 12;

/// A packet that came back, as far as others need it.
#[derive(Debug, Clone)]
pub struct Received {
    /// The files that its worker may write.
    pub files: Vec<RepoPath>,
    /// What it holds.
    pub(super) packet: Json,
}

impl Received {
    /// Reads a packet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for what is not a packet of a worker, and for files that cannot be used.
    pub fn parse(masker: &Masker, text: &str) -> Result<Self> {
        let refused = |why: String| Error::new(ErrorKind::BadInput, format!("the packet cannot be used: {why}"));
        let packet = Json::parse(text).map_err(|error| refused(masker.line(&error.to_string()).to_string()))?;
        if !is_worker(text) {
            return Err(refused("it is not a packet of a worker, which has ten slots".to_owned()));
        }
        let mut files = Vec::new();
        for file in packet.get(SLOTS[0]).map(Json::texts).unwrap_or_default() {
            files.push(
                own_path(masker, file)
                    .map_err(|why| refused(format!("`files` names `{}`, which is {why}", masker.name(file))))?,
            );
        }
        if files.is_empty() {
            return Err(refused("`files` names no file".to_owned()));
        }
        Ok(Self { files, packet })
    }

    /// Whether a file is declared.
    pub fn owns(&self, path: &RepoPath) -> bool {
        self.files.contains(path)
    }

    /// Stands for the task: the same for every packet with the same files.
    pub fn id(&self) -> String {
        let files: Vec<&str> = self.files.iter().map(RepoPath::as_str).collect();
        format!("{:032x}", xxhash_rust::xxh3::xxh3_128(files.join("\n").as_bytes()))
    }
}

/// A write outside of the declared files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// The file.
    pub path: Safe,
    /// What was done to it, and where: in the work tree, or in a commit.
    pub how: Vec<Safe>,
}

/// The writes outside of a packet's files, by path: in the work tree, in commits since another, and what these made different. Second, how
/// many declared files were written.
pub fn writes(masker: &Masker, packet: &Received, changes: &[Change], since: Option<&Since>) -> (Vec<Write>, usize) {
    let mut found: BTreeMap<&RepoPath, Vec<Safe>> = BTreeMap::new();
    for change in changes {
        let how = match &change.kind {
            ChangeKind::Added | ChangeKind::Untracked => "added in the work tree",
            ChangeKind::Modified => "changed in the work tree",
            ChangeKind::Deleted => "deleted in the work tree",
            ChangeKind::Renamed { from } => {
                found.entry(from).or_default().push(Safe::fixed("moved away in the work tree"));
                "moved here in the work tree"
            }
        };
        found.entry(&change.path).or_default().push(Safe::fixed(how));
    }
    for (id, touched) in since.iter().flat_map(|since| &since.commits) {
        let id = masker.name(id.get(..ID_DIGITS).unwrap_or(id));
        for (path, touch) in touched {
            found.entry(path).or_default().push(Safe::format("{} in commit {}", &[&verb(*touch), &id]));
        }
    }
    for (path, touch) in since.iter().flat_map(|since| &since.different) {
        let how = found.entry(path).or_default();
        // A merge alone does what no other commit did.
        if !how.iter().any(|how| how.as_str().contains("in commit")) {
            how.push(Safe::format("{} by a merge", &[&verb(*touch)]));
        }
    }
    let n_found = found.len();
    found.retain(|path, _| !packet.owns(path));
    let n_declared = n_found - found.len();
    (found.into_iter().map(|(path, how)| Write { path: masker.name(path.as_str()), how }).collect(), n_declared)
}

fn verb(touch: Touch) -> Safe {
    Safe::fixed(match touch {
        Touch::Added => "added",
        Touch::Modified => "changed",
        Touch::Deleted => "deleted",
        Touch::Retyped => "changed to another kind of file",
    })
}
