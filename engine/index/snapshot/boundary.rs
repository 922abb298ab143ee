//! What a snapshot shows to other repositories: its records, read again.

use super::records::{UNREAD, record};
use super::{Snapshot, Source};
use crate::boundary::{Boundary, boundary};
use crate::extract::{FileRecord, MAX_TEXT_BYTES, extract};
use activate_grammars::FileFacts;
use activate_rules::atoms::NodeId;
use error::{Error, ErrorKind, Result};
use repo::RepoPath;

impl Snapshot {
    /// What it shows to other repositories and needs of them. Takes about as long as resolving all names again; what files yield is read where it
    /// is kept, else from the files.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Changed`] where a file is not what the snapshot was taken of and nothing is kept of it.
    pub fn boundary(&self, source: &Source<'_>) -> Result<Boundary> {
        let records = source.records();
        let again = |file: NodeId| {
            let (path, hash) = (self.base.path(file), self.base.hash(file));
            if hash == UNREAD {
                return Some(FileRecord::default());
            }
            let content = source.repo.read(&RepoPath::new(path).ok()?, MAX_TEXT_BYTES).ok()?;
            (xxhash_rust::xxh3::xxh3_128(&content) == hash).then(|| extract(path, Some(&content)))
        };
        let read = |file: NodeId| -> Option<(FileFacts, Option<String>)> {
            // Only these are read: what is no text has no facts.
            let record = record(&records, &self.records, &self.base, file).or_else(|| again(file))?;
            Some((record.facts, record.manifest))
        };
        boundary(&self.base, &read).map_err(|unreadable| {
            let message = format!("`{}` changed while its repository was read; ask again", unreadable.0);
            Error::new(ErrorKind::Changed, message)
        })
    }
}
