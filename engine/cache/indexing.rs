//! Who reads a repository for those who come later: one process at a time, as long as somebody asks.

use super::store::Store;
use std::fs::File;
use std::io;
use std::time::{Duration, SystemTime};

/// The right to read a repository in the background; given back when it is dropped, and by the system when the process dies.
#[derive(Debug)]
pub struct Indexing {
    file: File,
}

impl Indexing {
    /// Takes it; none where another process has it.
    pub(super) fn begin(store: &Store, repository: u128) -> io::Result<Option<Self>> {
        let file = store.open_mark(repository)?;
        match store.lock_mark(&file) {
            Ok(()) => {
                file.set_modified(SystemTime::now())?;
                Ok(Some(Self { file }))
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Notes that somebody asks; whether it is worth to read the repository: not where somebody gave up.
    pub(super) fn ask(store: &Store, repository: u128) -> io::Result<bool> {
        let file = store.open_mark(repository)?;
        file.set_modified(SystemTime::now())?;
        Ok(file.metadata()?.len() == 0)
    }

    /// Notes that all was read and cannot be kept: nobody is to do it again in the background.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn give_up(&self) -> io::Result<()> {
        self.file.set_len(1)
    }

    /// How long nobody has asked; nothing where the clock went back.
    pub fn idle(&self) -> Duration {
        let asked = self.file.metadata().and_then(|metadata| metadata.modified());
        asked.ok().and_then(|asked| asked.elapsed().ok()).unwrap_or_default()
    }
}
