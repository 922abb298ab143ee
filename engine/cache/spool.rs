//! Bytes that are set aside outside of memory until somebody wants them again.
//!
//! They are gone with the process.

use super::store::Store;
use super::unwritten;
use error::Problem;
use std::fs::File;
use std::io;
use std::ops::Range;

/// A file without a name that takes bytes and gives them back.
#[derive(Debug)]
pub struct Spool<'c> {
    store: &'c Store,
    file: File,
    length: u64,
}

impl<'c> Spool<'c> {
    pub(super) fn new(store: &'c Store, repository: u128) -> io::Result<Self> {
        Ok(Self { store, file: store.spool(repository)?, length: 0 })
    }

    /// Sets bytes aside; they are found again at the place that this gives.
    ///
    /// Where there is no room, the cache has none either: the problem is the same, so that it is told once.
    ///
    /// # Errors
    ///
    /// That the disk is full or cannot be written.
    pub fn put(&mut self, bytes: &[u8]) -> Result<Range<u64>, Problem> {
        let start = self.length;
        self.store.write(&self.file, bytes).map_err(|error| unwritten(&error))?;
        self.length += bytes.len() as u64;
        Ok(start..self.length)
    }

    /// Gives back the bytes at a place.
    ///
    /// # Errors
    ///
    /// What the disk says.
    pub fn get(&self, place: &Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; (place.end - place.start) as usize];
        self.store.read(&self.file, place.start, &mut bytes)?;
        Ok(bytes)
    }
}
