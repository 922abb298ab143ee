//! Keeps files whole in a private folder: readers map what is there, one writer per repository replaces a file in one step.
//!
//! A reader needs no lock, because a file never changes once it has its name.

use super::disk::Disk;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;
use system::{Access, Folder};

/// How often a writer asks for a repository's lock, and how long it pauses in between: two seconds in all, after which the work of this
/// run is better lost than waited for.
const LOCK_TRIES: usize = 80;
const LOCK_PAUSE: Duration = Duration::from_millis(25);

const LOCK: &str = "lock";
/// Locked by whoever reads the repository in the background, and touched by who asks; empty.
const MARK: &str = "indexing";
const TEMPORARY: &str = "tmp";
const SPOOL: &str = "spool";

/// How many names of spools are tried: one is taken where a process of the same number, in another container or long dead, has left it.
const SPOOL_TRIES: usize = 100;

/// Bytes that are gathered before they are written.
const WRITTEN_AT_ONCE: usize = 256 * 1024;

/// An open folder of the cache.
#[derive(Debug)]
pub(super) struct Store {
    disk: Box<dyn Disk>,
    folder: Folder,
}

/// The right to change the files of one repository; given back when it is dropped, and by the system when the process dies.
#[derive(Debug)]
pub(super) struct Writer<'store> {
    store: &'store Store,
    repository: u128,
    _lock: File,
}

impl Store {
    /// Opens the folder at `path`, made if missing.
    pub(super) fn open(path: &Path, disk: Box<dyn Disk>) -> io::Result<Self> {
        let folder = disk.folder(path)?;
        Ok(Self { disk, folder })
    }

    /// What the file `part` of a repository holds, and the file; `None` if there is none, or none that may be read.
    pub(super) fn map(&self, repository: u128, part: &str) -> Option<(Mmap, File)> {
        let file = self.disk.open(&self.folder, &file_name(repository, part), Access::Read).ok()?;
        Some((self.disk.map(&file).ok()?, file))
    }

    /// Fills the buffer with what stands at a place of a file.
    pub(super) fn read(&self, file: &File, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.disk.read(file, at, buffer)
    }

    /// Appends to a file.
    pub(super) fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()> {
        Through { disk: self.disk.as_ref(), file }.write_all(bytes)
    }

    /// A new empty file without a name, gone when it is closed.
    pub(super) fn spool(&self, repository: u128) -> io::Result<File> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mut tries = 0;
        loop {
            // Nobody else's name: there is no lock here, and who finds the name taken would keep no records.
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = file_name(repository, &format!("{SPOOL}-{}-{number}", std::process::id()));
            tries += 1;
            match self.disk.open(&self.folder, &name, Access::Spool) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < SPOOL_TRIES => {}
                Err(error) => return Err(error),
                Ok(file) => {
                    remove_if_there(self.disk.as_ref(), &self.folder, &name)?;
                    return Ok(file);
                }
            }
        }
    }

    /// Waits a bounded time for the right to write.
    pub(super) fn writer(&self, repository: u128) -> io::Result<Writer<'_>> {
        self.writer_after(repository, LOCK_TRIES)
    }

    /// Takes the right to write where nobody has it.
    pub(super) fn writer_at_once(&self, repository: u128) -> io::Result<Writer<'_>> {
        self.writer_after(repository, 1)
    }

    fn writer_after(&self, repository: u128, tries: usize) -> io::Result<Writer<'_>> {
        let lock = self.disk.open(&self.folder, &file_name(repository, LOCK), Access::Lock)?;
        for left in (0..tries).rev() {
            match self.disk.lock(&lock) {
                Ok(()) => return Ok(Writer { store: self, repository, _lock: lock }),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                Err(error) => return Err(error),
            }
            if left > 0 {
                thread::sleep(LOCK_PAUSE);
            }
        }
        Err(io::Error::new(io::ErrorKind::WouldBlock, "another process is writing to it"))
    }

    /// The mark of who reads a repository in the background.
    pub(super) fn open_mark(&self, repository: u128) -> io::Result<File> {
        self.disk.open(&self.folder, &file_name(repository, MARK), Access::Lock)
    }

    /// Takes the lock on it without waiting.
    pub(super) fn lock_mark(&self, mark: &File) -> io::Result<()> {
        self.disk.lock(mark)
    }

    /// The files of all repositories with their lengths in bytes, by name; the locks, which are empty, are left out.
    pub(super) fn list(&self) -> io::Result<Vec<(String, u64)>> {
        let mut files = self.disk.list(&self.folder)?;
        files.retain(|(name, _)| {
            name.split_once('.').is_some_and(|(repository, part)| is_repository(repository) && ![LOCK, MARK].contains(&part))
        });
        files.sort();
        Ok(files)
    }
}

/// What a file that is written must outlive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lasts {
    /// The process: what is soon made again need not wait for the device.
    Processes,
    /// Power cuts too: it took long to make.
    PowerCuts,
}

impl Writer<'_> {
    /// Puts what `write` writes in place of the file `part`, or leaves that file as it was.
    ///
    /// Whoever dies on the way leaves the old file or the new one under the name. After an error it may be either. With [`Lasts::PowerCuts`]
    /// power cuts are no exception; otherwise one may leave a file that is not whole, which is seen when it is opened.
    pub(super) fn replace(
        &self,
        part: &str,
        lasts: Lasts,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let Self { store: Store { disk, folder }, repository, .. } = self;
        // One name is enough, since there is one writer; whatever has it was left behind by one that died.
        let temporary = file_name(*repository, TEMPORARY);
        remove_if_there(disk.as_ref(), folder, &temporary)?;
        let result = (|| {
            let file = disk.open(folder, &temporary, Access::Create)?;
            let mut sink = BufWriter::with_capacity(WRITTEN_AT_ONCE, Through { disk: disk.as_ref(), file: &file });
            write(&mut sink)?;
            sink.flush()?;
            drop(sink);
            if lasts == Lasts::PowerCuts {
                disk.sync(&file)?;
            }
            disk.rename(folder, &temporary, &file_name(*repository, part))
        })();
        if result.is_err() {
            // What stays behind if this fails too is removed by the next writer.
            let _ = disk.remove(folder, &temporary);
            return result;
        }
        if lasts == Lasts::PowerCuts { disk.sync_folder(folder) } else { Ok(()) }
    }

    /// Removes the file `part`, if it is there.
    pub(super) fn remove(&self, part: &str) -> io::Result<()> {
        let Self { store: Store { disk, folder }, repository, .. } = self;
        remove_if_there(disk.as_ref(), folder, &file_name(*repository, part))
    }

    /// Removes all files of the repository except the lock, which others may be waiting for.
    pub(super) fn clear(&self) -> io::Result<()> {
        let Self { store, repository, .. } = self;
        let prefix = file_name(*repository, "");
        for (name, _) in store.list()?.iter().filter(|(name, _)| name.starts_with(&prefix)) {
            remove_if_there(store.disk.as_ref(), &store.folder, name)?;
        }
        store.disk.sync_folder(&store.folder)
    }
}

/// A file written through a [`Disk`], for the standard library's loop around short and interrupted writes.
struct Through<'a> {
    disk: &'a dyn Disk,
    file: &'a File,
}

impl Write for Through<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.write(self.file, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn remove_if_there(disk: &dyn Disk, folder: &Folder, name: &str) -> io::Result<()> {
    match disk.remove(folder, name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Files of one repository share the part before the dot.
fn file_name(repository: u128, part: &str) -> String {
    format!("{repository:032x}.{part}")
}

fn is_repository(text: &str) -> bool {
    text.len() == file_name(0, "").len() - 1 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
