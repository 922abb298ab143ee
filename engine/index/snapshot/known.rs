//! Which files of a snapshot are as a fact base of before knows them.

use super::records::{Seen, UNREAD};
use crate::base::FactBase;
use activate_rules::atoms::NodeId;
use repo::FileEntry;

/// A fact base of before, beside the files of a snapshot.
pub(super) struct Known<'b> {
    pub(super) base: &'b FactBase,
    /// For each file of the snapshot the one of the base with its path and content.
    files: Vec<Option<NodeId>>,
}

impl<'b> Known<'b> {
    /// Compares the files of a snapshot, as they were seen, with those of a base; both are in path order.
    pub(super) fn new(base: &'b FactBase, entries: &[FileEntry], seen: &[Seen]) -> Self {
        let mut known = base.files().peekable();
        let file = |(entry, seen): (&FileEntry, &Seen)| {
            let path = entry.path.as_str();
            while known.next_if(|file| base.path(*file) < path).is_some() {}
            let file = known.next_if(|file| base.has_path(*file, path))?;
            let is_known = matches!(seen, Seen::Unread(_)) || seen.hash() != Some(UNREAD);
            (is_known && seen.hash() == Some(base.hash(file))).then_some(file)
        };
        Self { base, files: entries.iter().zip(seen).map(file).collect() }
    }

    /// The file of the base that has the path of a file of the snapshot, by its place there, and the content with a hash: it may have changed since
    /// both were compared.
    pub(super) fn file(&self, place: usize, hash: u128) -> Option<NodeId> {
        self.compared(place).filter(|file| self.base.hash(*file) == hash)
    }

    /// The same as it was when both were compared.
    pub(super) fn compared(&self, place: usize) -> Option<NodeId> {
        self.files.get(place).copied().flatten()
    }

    /// Files of the snapshot.
    pub(super) fn n_files(&self) -> usize {
        self.files.len()
    }

    /// Files of either that the other does not have as they are.
    pub(super) fn n_changed(&self) -> usize {
        let n_same = self.files.iter().flatten().count();
        (self.files.len() - n_same).max(self.base.n_files() as usize - n_same)
    }
}
