//! The calls to the system that the cache is made of, as one trait, so that a test can let any one of them fail.
//!
//! Must not know in which order they keep a file whole: that is the store's.

use super::map::map;
use memmap2::Mmap;
use rustix::fs::{AtFlags, Dir, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::fmt::Debug;
use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt, FileExt};
use std::path::{Path, PathBuf};

/// Readable by this user alone: what is cached tells about private code.
const PRIVATE_FOLDER: u32 = 0o700;
const PRIVATE_FILE: Mode = Mode::RUSR.union(Mode::WUSR);

/// What would let somebody else change a file while it is mapped.
const OTHERS_WRITE: Mode = Mode::WGRP.union(Mode::WOTH);

/// What every open adds: no links, no waiting for a fifo's other end, no terminal taken over, no descriptor inherited.
const OPEN: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// What a file is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// To read a file that is there.
    Read,
    /// To write a file that must not be there yet.
    Create,
    /// To write a file that must not be there yet, and to read it.
    Spool,
    /// To lock a file, made if it is not there yet.
    Lock,
}

/// The system, as far as the cache needs it; names are single components below an open folder.
pub(super) trait Disk: Debug + Send + Sync {
    /// Opens the folder at `path`, made if missing; refuses a link in its place and another user's folder.
    fn folder(&self, path: &Path) -> io::Result<File>;
    /// Opens a file; refuses what is not a regular file, another user's file and one that others may write to.
    fn open(&self, folder: &File, name: &str, access: Access) -> io::Result<File>;
    /// Takes the lock on a file without waiting, until the file is closed; [`io::ErrorKind::WouldBlock`] if another has it.
    fn lock(&self, file: &File) -> io::Result<()>;
    /// Writes some of the bytes and tells how many.
    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize>;
    /// Fills the buffer with what stands at a place of a file.
    fn read(&self, file: &File, at: u64, buffer: &mut [u8]) -> io::Result<()>;
    /// Returns when a file's content, or a folder's list of names, will survive a power cut.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Gives a file another name, in place of what has that name.
    fn rename(&self, folder: &File, from: &str, to: &str) -> io::Result<()>;
    /// Removes a name.
    fn remove(&self, folder: &File, name: &str) -> io::Result<()>;
    /// Maps a file for reading.
    fn map(&self, file: &File) -> io::Result<Mmap>;
    /// The names in a folder that are UTF-8 with the files' lengths in bytes, in the order of the disk.
    fn list(&self, folder: &File) -> io::Result<Vec<(String, u64)>>;
}

/// The system itself.
#[derive(Debug)]
pub(super) struct System;

impl Disk for System {
    fn folder(&self, path: &Path) -> io::Result<File> {
        DirBuilder::new().recursive(true).mode(PRIVATE_FOLDER).create(path)?;
        // A slash or dot at the end would let the system follow a link in the folder's place.
        let path: PathBuf = path.components().collect();
        let folder = match rustix::fs::open(&path, OPEN | OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()) {
            Err(Errno::LOOP | Errno::NOTDIR) => return Err(io::Error::other("it is a link, or not a folder")),
            result => result?,
        };
        // Who else may add and rename files in it does not matter: each file is checked by itself.
        check_owner(&rustix::fs::fstat(&folder)?)?;
        Ok(folder.into())
    }

    fn open(&self, folder: &File, name: &str, access: Access) -> io::Result<File> {
        let flags = match access {
            Access::Read => OFlags::RDONLY,
            Access::Create => OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL,
            Access::Spool => OFlags::RDWR | OFlags::CREATE | OFlags::EXCL,
            Access::Lock => OFlags::RDWR | OFlags::CREATE,
        };
        let file = rustix::fs::openat(folder, name, OPEN | flags, PRIVATE_FILE)?;
        let stat = rustix::fs::fstat(&file)?;
        check_owner(&stat)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(io::Error::other("it is not a regular file"));
        }
        if Mode::from_raw_mode(stat.st_mode).intersects(OTHERS_WRITE) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "others may write to it"));
        }
        Ok(file.into())
    }

    fn lock(&self, file: &File) -> io::Result<()> {
        Ok(rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive)?)
    }

    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn read(&self, file: &File, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        file.read_exact_at(buffer, at)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, folder: &File, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(folder, from, folder, to)?)
    }

    fn remove(&self, folder: &File, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(folder, name, AtFlags::empty())?)
    }

    fn map(&self, file: &File) -> io::Result<Mmap> {
        map(file)
    }

    fn list(&self, folder: &File) -> io::Result<Vec<(String, u64)>> {
        let mut files = Vec::new();
        for entry in Dir::read_from(folder.as_fd())? {
            let entry = entry?;
            let Ok(name) = entry.file_name().to_str() else { continue };
            match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => files.push((name.to_owned(), stat.st_size as u64)),
                // A writer's temporary file may have gone by now.
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
        Ok(files)
    }
}

fn check_owner(stat: &Stat) -> io::Result<()> {
    if stat.st_uid == rustix::process::geteuid().as_raw() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::PermissionDenied, "it belongs to another user"))
    }
}
