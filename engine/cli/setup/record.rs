//! What was written where, kept in the state folder, so that it can be turned back to the byte.

use super::edit::{Edit, applied, inverse, moved};
use error::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::fs::DirBuilder;
use std::io::ErrorKind as IoKind;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

/// What was written into a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// Whose set-up it is, by the path of the file.
    pub(super) path: PathBuf,
    /// Whether the file was there.
    pub(super) existed: bool,
    /// How many folders were made for it.
    pub(super) n_folders: usize,
    /// The hash of the text with the edits.
    after: String,
    /// What was changed.
    pub(super) edits: Vec<Edit>,
}

fn hash(text: &str) -> String {
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

impl Record {
    pub(super) fn new(path: PathBuf, existed: bool, n_folders: usize, after: &str, edits: Vec<Edit>) -> Self {
        Self { path, existed, n_folders, after: hash(after), edits }
    }

    /// The text as it was before, where it is still as it was left.
    pub(super) fn before(&self, text: &str) -> Option<String> {
        if hash(text) == self.after { applied(text, &inverse(&self.edits)) } else { None }
    }

    /// The texts that come of a text with the edits turned back wherever they stand together as they were left.
    pub(super) fn elsewhere(&self, text: &str) -> impl Iterator<Item = String> {
        let turned = inverse(&self.edits);
        let longest = turned.iter().max_by_key(|edit| edit.removed.len()).cloned().filter(|edit| !edit.removed.is_empty());
        let places = longest
            .into_iter()
            .flat_map(|edit| text.match_indices(&edit.removed).map(|(at, _)| (at, edit.at)).collect::<Vec<_>>());
        places.filter_map(move |(at, was)| applied(text, &moved(&turned, was, at)?))
    }

    /// Whether something had to go for what was written.
    pub(super) fn replaced(&self) -> bool {
        self.edits.iter().any(|edit| !edit.removed.trim().is_empty())
    }
}

/// The records.
pub(super) struct Records {
    folder: PathBuf,
}

impl Records {
    pub(super) fn at(state: &Path) -> Self {
        Self { folder: state.join("setup") }
    }

    fn file(&self, path: &Path) -> PathBuf {
        self.folder.join(format!("{:032x}.json", xxh3_128(path.as_os_str().as_encoded_bytes())))
    }

    /// The record of a file; one that cannot be read is none.
    pub(super) fn find(&self, path: &Path) -> Option<Record> {
        let bytes = std::fs::read(self.file(path)).ok()?;
        serde_json::from_slice::<Record>(&bytes).ok().filter(|record| record.path == path)
    }

    pub(super) fn keep(&self, record: &Record) -> Result<()> {
        let file = self.file(&record.path);
        let unwritable = |error| Error::new(ErrorKind::Storage, format!("`{}` cannot be written", file.display())).because(error);
        // What went may hold a secret.
        system::private_folder(DirBuilder::new().recursive(true)).create(&self.folder).map_err(unwritable)?;
        let text = serde_json::to_string(record).map_err(|error| unwritable(error.into()))?;
        crate::file::replace(&file, &text)
    }

    pub(super) fn forget(&self, path: &Path) -> Result<()> {
        match std::fs::remove_file(self.file(path)) {
            Err(error) if error.kind() != IoKind::NotFound => {
                Err(Error::new(ErrorKind::Storage, format!("`{}` cannot be removed", self.file(path).display())).because(error))
            }
            _ => Ok(()),
        }
    }
}
