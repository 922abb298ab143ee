//! One folder, opened once; everything below it is reached through it and never through a link.
//!
//! The only code that opens, stats or lists files. Linux has a way of its own; the other one is that of all systems, and Linux's where the
//! kernel is old or a sandbox forbids the call.

#[cfg(target_os = "linux")]
mod kernel;
mod portable;
#[cfg(test)]
mod tests;

use super::RACY_NS;
use serde::{Deserialize, Serialize};
use std::ffi::CStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How often a file is read before it counts as changing under the reader.
const READ_TRIES: usize = 2;

/// An open folder that confines every access below it.
#[derive(Debug)]
pub(super) enum Root {
    #[cfg(target_os = "linux")]
    Kernel(kernel::Root),
    Portable(portable::Root),
}

/// An open folder's entries.
pub(super) enum Folder {
    #[cfg(target_os = "linux")]
    Kernel(kernel::Folder),
    Portable(portable::Folder),
}

/// A folder whose entries can be looked at by name.
pub(super) enum Place {
    #[cfg(target_os = "linux")]
    Kernel(kernel::Place),
    Portable(portable::Place),
}

/// The same call, whichever way it is.
macro_rules! either {
    ($way:expr, $inner:ident => $call:expr) => {
        match $way {
            #[cfg(target_os = "linux")]
            Self::Kernel($inner) => $call,
            Self::Portable($inner) => $call,
        }
    };
}

/// A name in a folder and what it is; the kind is missing where the file system does not tell.
pub(super) type NamedEntry = (Vec<u8>, Option<Kind>);

/// What the disk says about a file without opening it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileStat {
    /// Length in bytes.
    pub(super) size: u64,
    /// Last change of the content, in nanoseconds since 1970.
    pub(super) mtime_ns: i64,
    /// Last change of content or metadata, in nanoseconds since 1970; on Windows the making of the file.
    pub(super) ctime_ns: i64,
    /// The file's number on its file system.
    pub(super) inode: u64,
}

/// What a directory entry is, as far as reading is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    /// A link, or on Windows whatever else redirects.
    Link,
    /// A fifo, socket or device.
    Special,
}

/// Why something was not opened, listed or read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Nothing has the name.
    Absent,
    /// What should be a folder on the way is none.
    NoFolder,
    Denied,
    /// It is a link or lies behind one.
    Link,
    /// It leads out of the folder, or to another file system.
    Outside,
    NotAFile(Kind),
    TooLarge {
        size: u64,
        max: u64,
    },
    Changing,
    /// What the system says.
    Other(String),
}

impl Root {
    /// Opens the folder at `path`, which may itself be a link: the caller named it.
    pub(super) fn open(path: &Path) -> Result<Self, Refusal> {
        #[cfg(target_os = "linux")]
        if let Some(root) = kernel::Root::open(path)? {
            return Ok(Self::Kernel(root));
        }
        portable::Root::open(path).map(Self::Portable)
    }

    /// The folder `path` below this one as a root of its own.
    pub(super) fn below(&self, path: &[u8]) -> Result<Self, Refusal> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Kernel(root) => root.below(path).map(Self::Kernel),
            Self::Portable(root) => root.below(path).map(Self::Portable),
        }
    }

    /// Opens the folder `path` for listing; the empty path is this folder.
    pub(super) fn folder(&self, path: &[u8]) -> Result<Folder, Refusal> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Kernel(root) => root.folder(path).map(Folder::Kernel),
            Self::Portable(root) => root.folder(path).map(Folder::Portable),
        }
    }

    /// Opens the folder `path` for looking at its entries by name; the empty path is this folder.
    pub(super) fn place(&self, path: &[u8]) -> Result<Place, Refusal> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Kernel(root) => root.place(path).map(Place::Kernel),
            Self::Portable(root) => root.place(path).map(Place::Portable),
        }
    }

    /// Whether this lies on a file system known to give a folder new times whenever a name in it comes, goes or changes hands.
    pub(super) fn keeps_folder_times(&self) -> bool {
        either!(self, root => root.keeps_folder_times())
    }

    /// Kind and numbers of `path`, a link standing for itself.
    pub(super) fn stat(&self, path: &[u8]) -> Result<(Kind, FileStat), Refusal> {
        let (folder, name) = split(path);
        self.folder(folder)?.stat(name)
    }

    /// Where the link `path` points, unresolved.
    pub(super) fn read_link(&self, path: &[u8]) -> Result<Vec<u8>, Refusal> {
        either!(self, root => root.read_link(path))
    }

    /// Reads the regular file `path` of at most `max` bytes, as it was at one moment.
    pub(super) fn read(&self, path: &[u8], max: u64) -> Result<Vec<u8>, Refusal> {
        for _ in 0..READ_TRIES {
            let file = either!(self, root => root.file(path))?;
            let before = self.file_stat(&file, max)?;
            // Room for one byte more than expected, so that the end of a file that did not grow is met without another allocation.
            let mut bytes = Vec::with_capacity(before.size as usize + 1);
            (&file).take(max.saturating_add(1)).read_to_end(&mut bytes)?;
            let after = self.file_stat(&file, max)?;
            // The descriptor is that of one file, so all its numbers are those of the same.
            if before == after && bytes.len() as u64 == after.size {
                return Ok(bytes);
            }
        }
        Err(Refusal::Changing)
    }

    fn file_stat(&self, file: &File, max: u64) -> Result<FileStat, Refusal> {
        let (kind, stat) = match self {
            #[cfg(target_os = "linux")]
            Self::Kernel(_) => kernel::stat_of(file)?,
            Self::Portable(_) => portable::stat_of(file)?,
        };
        match kind {
            Kind::File if stat.size > max => Err(Refusal::TooLarge { size: stat.size, max }),
            Kind::File => Ok(stat),
            kind => Err(Refusal::NotAFile(kind)),
        }
    }
}

impl Folder {
    /// Names and kinds in the order of the disk, without `.` and `..`; each is given once.
    pub(super) fn entries(&mut self) -> Result<Vec<NamedEntry>, Refusal> {
        either!(self, folder => folder.entries())
    }

    /// Kind and numbers of the entry `name`, a link standing for itself.
    pub(super) fn stat(&self, name: &[u8]) -> Result<(Kind, FileStat), Refusal> {
        either!(self, folder => folder.stat(name))
    }

    /// The folder's own numbers.
    pub(super) fn own_stat(&self) -> Result<FileStat, Refusal> {
        either!(self, folder => folder.own_stat())
    }
}

impl Place {
    /// Kind and numbers of the entry `name`, a link standing for itself.
    pub(super) fn stat(&self, name: &CStr) -> Result<(Kind, FileStat), Refusal> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Kernel(place) => place.stat(name),
            Self::Portable(place) => place.stat(name.to_bytes()),
        }
    }

    /// [`Self::stat`] of a name that no zero ends.
    pub(super) fn stat_name(&self, name: &str) -> Result<(Kind, FileStat), Refusal> {
        either!(self, place => place.stat(name.as_bytes()))
    }

    /// The folder's own numbers.
    pub(super) fn own_stat(&self) -> Result<FileStat, Refusal> {
        either!(self, place => place.own_stat())
    }
}

impl FileStat {
    /// As it is remembered by who looked not before `started_ns`: as that of a file or folder that changed where it may have changed
    /// again without its times telling.
    pub(super) fn settled(self, started_ns: i64) -> Self {
        let is_racy = self.mtime_ns.max(self.ctime_ns).saturating_add(RACY_NS) >= started_ns;
        Self { ctime_ns: if is_racy { 0 } else { self.ctime_ns }, ..self }
    }
}

/// Folder and last component of `path`.
pub(super) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (&[], path),
    }
}

impl Refusal {
    /// Whether there is no such file at all.
    pub(super) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent | Self::NoFolder)
    }

    /// By the kind of an error that is the same on all systems.
    fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Absent,
            io::ErrorKind::NotADirectory => Self::NoFolder,
            // What a library refuses by itself has no number: a way out.
            io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => Self::Outside,
            io::ErrorKind::PermissionDenied => Self::Denied,
            io::ErrorKind::CrossesDevices => Self::Outside,
            _ => Self::Other(error.to_string()),
        }
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::of(&error)
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent | Self::NoFolder => formatter.write_str("there is no such file"),
            Self::Denied => formatter.write_str("permission is denied"),
            Self::Link => formatter.write_str("it is a link or lies behind one, and links are not followed"),
            Self::Outside => formatter.write_str("it lies outside the repository or on another file system"),
            Self::NotAFile(Kind::Folder) => formatter.write_str("it is a folder"),
            Self::NotAFile(_) => formatter.write_str("it is not a regular file"),
            Self::TooLarge { size, max } => write!(formatter, "it has {size} bytes and the limit is {max}"),
            Self::Changing => formatter.write_str("it changed while it was being read"),
            Self::Other(says) => write!(formatter, "the system says: {says}"),
        }
    }
}
