//! The files that a pack names, by the names that are kept beside it to read them again.
//!
//! A name is shown with hidden characters escaped and secrets masked; a file is read by its own.

use context::NodeId;
use index::base::FactBase;
use redact::{Masker, Safe};

/// The file that a pack shows by this name; none where two files are shown by it.
pub(super) fn file_at(masker: &Masker, base: &FactBase, name: &Safe) -> Option<NodeId> {
    let is_named = |file: &NodeId| masker.name(base.path(*file)) == *name;
    if let Some(file) = base.file_at(name.as_str()).filter(is_named) {
        return Some(file);
    }
    let mut files = base.files().filter(is_named);
    files.next().filter(|_| files.next().is_none())
}

/// The path of a file as it may be kept: its own, and where that holds a secret what is shown of it, by which it cannot be read.
pub(super) fn path(masker: &Masker, base: &FactBase, file: NodeId) -> String {
    let path = base.path(file);
    if masker.text("", path) == path { path.to_owned() } else { masker.name(path).as_str().to_owned() }
}
