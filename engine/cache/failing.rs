//! A disk whose n-th call fails and that notes all calls, for the tests of this area.

use super::disk::{Disk, System};
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use system::{Access, Folder};

/// How it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// The one call reports an I/O error and does nothing.
    Broken,
    /// The one call reports a full disk; if it is a write, after all bytes but the last.
    Full,
    /// No call from that one on does anything, as if the process had been killed there; in a write, before the last byte.
    Dead,
}

/// The names of the calls made so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Calls(Arc<Mutex<Vec<&'static str>>>);

impl Calls {
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes a call and tells its number, counted from 0.
    fn note(&self, name: &'static str) -> usize {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.push(name);
        names.len() - 1
    }
}

/// The system with a failure built in, and without waiting for the device: no test can cut the power.
#[derive(Debug)]
pub(super) struct FailingDisk {
    failure: Failure,
    fails_at: usize,
    calls: Calls,
}

impl FailingDisk {
    /// Fails at the call number `fails_at`, counted from 0.
    pub(super) fn new(failure: Failure, fails_at: usize, calls: &Calls) -> Self {
        Self { failure, fails_at, calls: calls.clone() }
    }

    /// Never fails.
    pub(super) fn sound(calls: &Calls) -> Self {
        Self::new(Failure::Broken, usize::MAX, calls)
    }

    fn call<T>(&self, name: &'static str, call: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let number = self.calls.note(name);
        match self.failure {
            Failure::Broken if number == self.fails_at => Err(io::Error::other("it is broken")),
            Failure::Full if number == self.fails_at => Err(io::ErrorKind::StorageFull.into()),
            Failure::Dead if number >= self.fails_at => Err(io::Error::other("it is broken")),
            _ => call(),
        }
    }
}

impl Disk for FailingDisk {
    fn folder(&self, path: &Path) -> io::Result<Folder> {
        self.call("folder", || System.folder(path))
    }

    fn open(&self, folder: &Folder, name: &str, access: Access) -> io::Result<File> {
        self.call("open", || System.open(folder, name, access))
    }

    fn lock(&self, file: &File) -> io::Result<()> {
        self.call("lock", || System.lock(file))
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize> {
        let fails_next = self.calls.names().len() == self.fails_at;
        if fails_next && bytes.len() > 1 && self.failure != Failure::Broken {
            // Short writes are not noted: the one for the last byte is the call that fails.
            return System.write(file, &bytes[..bytes.len() / 2]);
        }
        self.call("write", || System.write(file, bytes))
    }

    fn read(&self, file: &File, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.call("read", || System.read(file, at, buffer))
    }

    fn sync(&self, _: &File) -> io::Result<()> {
        self.call("sync", || Ok(()))
    }

    fn sync_folder(&self, _: &Folder) -> io::Result<()> {
        self.call("sync", || Ok(()))
    }

    fn rename(&self, folder: &Folder, from: &str, to: &str) -> io::Result<()> {
        self.call("rename", || System.rename(folder, from, to))
    }

    fn remove(&self, folder: &Folder, name: &str) -> io::Result<()> {
        self.call("remove", || System.remove(folder, name))
    }

    fn map(&self, file: &File) -> io::Result<Mmap> {
        self.call("map", || System.map(file))
    }

    fn list(&self, folder: &Folder) -> io::Result<Vec<(String, u64)>> {
        self.call("list", || System.list(folder))
    }
}
