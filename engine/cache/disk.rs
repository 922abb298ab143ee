//! The calls to the system that the cache is made of, as one trait, so that a test can let any one of them fail.
//!
//! Must not know in which order they keep a file whole: that is the store's.

use super::map::map;
use memmap2::Mmap;
use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use system::{Access, Folder};

/// The system, as far as the cache needs it; names are single components below an open folder.
pub(super) trait Disk: Debug + Send + Sync {
    /// Opens the folder at `path`, made if missing; refuses a link in its place and another user's folder.
    fn folder(&self, path: &Path) -> io::Result<Folder>;
    /// Opens a file; refuses what is not a regular file, another user's file and one that others may write to.
    fn open(&self, folder: &Folder, name: &str, access: Access) -> io::Result<File>;
    /// Takes the lock on a file without waiting, until the file is closed; [`io::ErrorKind::WouldBlock`] if another has it.
    fn lock(&self, file: &File) -> io::Result<()>;
    /// Writes some of the bytes and tells how many.
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize>;
    /// Fills the buffer with what stands at a place of a file.
    fn read(&self, file: &File, at: u64, buffer: &mut [u8]) -> io::Result<()>;
    /// Returns when a file's content will survive a power cut.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Returns when a folder's list of names will survive a power cut.
    fn sync_folder(&self, folder: &Folder) -> io::Result<()>;
    /// Gives a file another name, in place of what has that name.
    fn rename(&self, folder: &Folder, from: &str, to: &str) -> io::Result<()>;
    /// Removes a name.
    fn remove(&self, folder: &Folder, name: &str) -> io::Result<()>;
    /// Maps a file for reading.
    fn map(&self, file: &File) -> io::Result<Mmap>;
    /// The names in a folder that are UTF-8 with the files' lengths in bytes, in the order of the disk.
    fn list(&self, folder: &Folder) -> io::Result<Vec<(String, u64)>>;
}

/// The system itself.
#[derive(Debug)]
pub(super) struct System;

impl Disk for System {
    fn folder(&self, path: &Path) -> io::Result<Folder> {
        // Who else may add and rename files in it does not matter: each file is checked by itself.
        Folder::own(path)
    }

    fn open(&self, folder: &Folder, name: &str, access: Access) -> io::Result<File> {
        let file = folder.file(name, access)?;
        system::check_private(&file)?;
        Ok(file)
    }

    fn lock(&self, file: &File) -> io::Result<()> {
        Ok(file.try_lock()?)
    }

    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn read(&self, file: &File, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        system::read_at(file, at, buffer)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn sync_folder(&self, folder: &Folder) -> io::Result<()> {
        folder.sync()
    }

    fn rename(&self, folder: &Folder, from: &str, to: &str) -> io::Result<()> {
        folder.rename(from, to)
    }

    fn remove(&self, folder: &Folder, name: &str) -> io::Result<()> {
        folder.remove(name)
    }

    fn map(&self, file: &File) -> io::Result<Mmap> {
        map(file)
    }

    fn list(&self, folder: &Folder) -> io::Result<Vec<(String, u64)>> {
        folder.list()
    }
}
