//! One folder, opened once; everything below it is reached through its descriptor and never through a link.
//!
//! The only code that opens, stats or lists files.

use super::RACY_NS;
use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::{OpenOptions, OpenOptionsExt as _};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use rustix::path::Arg;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// How often an open is tried again when the kernel asks for it, which it does while folders on the way are being renamed.
#[cfg(target_os = "linux")]
const OPEN_TRIES: usize = 16;

/// How often a file is read before it counts as changing under the reader.
const READ_TRIES: usize = 2;

/// What every open adds: no links, no waiting for a fifo's other end, no terminal taken over, no descriptor inherited.
const OPEN: OFlags = OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// An open folder that confines every access below it.
#[derive(Debug)]
pub(super) struct Root {
    fd: OwnedFd,
    /// Whether the kernel resolves whole paths confined; without it each component is opened by itself.
    #[cfg(target_os = "linux")]
    confined_by_kernel: bool,
}

/// What the disk says about a file without opening it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileStat {
    /// Length in bytes.
    pub(super) size: u64,
    /// Last change of the content, in nanoseconds since 1970.
    pub(super) mtime_ns: i64,
    /// Last change of content or metadata, in nanoseconds since 1970.
    pub(super) ctime_ns: i64,
    /// The file's number on its file system.
    pub(super) inode: u64,
}

/// What a directory entry is, as far as reading is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    Link,
    /// A fifo, socket or device.
    Special,
}

/// Why a file was not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Os(Errno),
    NotAFile(Kind),
    TooLarge { size: u64, max: u64 },
    Changing,
}

impl Root {
    /// Opens the folder at `path`, which may itself be a link: the caller named it.
    pub(super) fn open(path: &Path) -> Result<Self, Errno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self::from_fd(rustix::fs::open(path, flags, Mode::empty())?))
    }

    /// The folder `path` below this one as a root of its own.
    pub(super) fn below(&self, path: &[u8]) -> Result<Self, Errno> {
        Ok(Self::from_fd(self.open_at(path, OFlags::DIRECTORY)?))
    }

    #[cfg(target_os = "linux")]
    fn from_fd(fd: OwnedFd) -> Self {
        // Old kernels lack the call and some sandboxes forbid it, with errors that also mean other things; so it is tried once, here,
        // where nothing else can fail.
        let confined_by_kernel = open_confined(fd.as_fd(), b".", OFlags::DIRECTORY).is_ok();
        Self { fd, confined_by_kernel }
    }

    #[cfg(not(target_os = "linux"))]
    fn from_fd(fd: OwnedFd) -> Self {
        Self { fd }
    }

    fn open_at(&self, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        #[cfg(target_os = "linux")]
        if self.confined_by_kernel {
            let path = if path.is_empty() { b"." } else { path };
            return open_confined(self.fd.as_fd(), path, flags);
        }
        open_by_component(self.fd.as_fd(), path, flags)
    }

    /// Opens the folder `path` for listing; the empty path is this folder.
    pub(super) fn folder(&self, path: &[u8]) -> Result<Folder, Errno> {
        Ok(Folder(Dir::new(self.open_at(path, OFlags::DIRECTORY)?)?))
    }

    /// Opens the folder `path` for looking at its entries by name; the empty path is this folder.
    pub(super) fn place(&self, path: &[u8]) -> Result<Place, Errno> {
        #[cfg(target_os = "linux")]
        if self.confined_by_kernel {
            let path = if path.is_empty() { b"." } else { path };
            // Cheaper than an open folder.
            return Ok(Place(open_with(
                self.fd.as_fd(),
                path,
                OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::DIRECTORY,
            )?));
        }
        Ok(Place(self.open_at(path, OFlags::DIRECTORY)?))
    }

    /// Whether this lies on a file system known to give a folder new times whenever a name in it comes, goes or changes hands.
    #[cfg(target_os = "linux")]
    // The field's type differs between systems.
    #[allow(clippy::unnecessary_cast)]
    pub(super) fn keeps_folder_times(&self) -> bool {
        // Their numbers in `statfs(2)`: ext2 to ext4, XFS, Btrfs, F2FS, bcachefs, ZFS, tmpfs, overlayfs. Those over a network may tell
        // the times that they remember.
        const FILE_SYSTEMS: [u32; 8] =
            [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0xca45_1a4e, 0x2fc1_2fc1, 0x0102_1994, 0x794c_7630];
        // Where the system does not keep opens on one file system, what lies below this may be on another.
        self.confined_by_kernel
            && rustix::fs::fstatfs(&self.fd).is_ok_and(|system| FILE_SYSTEMS.contains(&(system.f_type as u32)))
    }

    /// Whether this lies on a file system known to give a folder new times whenever a name in it comes, goes or changes hands.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn keeps_folder_times(&self) -> bool {
        let Self { fd: _ } = self;
        false
    }

    /// Kind and numbers of `path`, a link standing for itself.
    pub(super) fn stat(&self, path: &[u8]) -> Result<(Kind, FileStat), Errno> {
        let (folder, name) = split(path);
        self.folder(folder)?.stat(name)
    }

    /// Where the link `path` points, unresolved.
    pub(super) fn read_link(&self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        let (folder, name) = split(path);
        let folder = self.folder(folder)?;
        Ok(rustix::fs::readlinkat(folder.0.fd()?, name, Vec::new())?.into_bytes())
    }

    /// Reads the regular file `path` of at most `max` bytes, as it was at one moment.
    pub(super) fn read(&self, path: &[u8], max: u64) -> Result<Vec<u8>, Refusal> {
        for _ in 0..READ_TRIES {
            let file = File::from(self.open_at(path, OFlags::empty())?);
            let before = file_stat(&file, max)?;
            // Room for one byte more than expected, so that the end of a file that did not grow is met without another allocation.
            let mut bytes = Vec::with_capacity(before.size as usize + 1);
            (&file).take(max.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| os_error(&error))?;
            let after = file_stat(&file, max)?;
            // The descriptor is that of one file, so all its numbers are those of the same.
            if before == after && bytes.len() as u64 == after.size {
                return Ok(bytes);
            }
        }
        Err(Refusal::Changing)
    }
}

/// A name in a folder and what it is; the kind is missing where the file system does not tell.
pub(super) type NamedEntry = (Vec<u8>, Option<Kind>);

/// An open folder's entries.
pub(super) struct Folder(Dir);

impl Folder {
    /// Names and kinds in the order of the disk, without `.` and `..`; each is given once.
    pub(super) fn entries(&mut self) -> Result<Vec<NamedEntry>, Errno> {
        let mut entries = Vec::new();
        for entry in &mut self.0 {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                let file_type = entry.file_type();
                entries.push((name.to_vec(), (file_type != FileType::Unknown).then(|| Kind::of(file_type))));
            }
        }
        Ok(entries)
    }

    /// Kind and numbers of the entry `name`, a link standing for itself.
    pub(super) fn stat(&self, name: &[u8]) -> Result<(Kind, FileStat), Errno> {
        stat_at(self.0.fd()?, name)
    }

    /// The folder's own numbers.
    pub(super) fn own_stat(&self) -> Result<FileStat, Errno> {
        Ok(FileStat::of(&rustix::fs::fstat(self.0.fd()?)?))
    }
}

/// A folder whose entries can be looked at by name.
pub(super) struct Place(OwnedFd);

impl Place {
    /// Kind and numbers of the entry `name`, a link standing for itself.
    pub(super) fn stat(&self, name: impl Arg) -> Result<(Kind, FileStat), Errno> {
        stat_at(self.0.as_fd(), name)
    }

    /// The folder's own numbers.
    pub(super) fn own_stat(&self) -> Result<FileStat, Errno> {
        Ok(FileStat::of(&rustix::fs::fstat(&self.0)?))
    }
}

fn stat_at(folder: BorrowedFd<'_>, name: impl Arg) -> Result<(Kind, FileStat), Errno> {
    let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok((Kind::of(FileType::from_raw_mode(stat.st_mode)), FileStat::of(&stat)))
}

impl Kind {
    fn of(file_type: FileType) -> Self {
        match file_type {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Folder,
            FileType::Symlink => Self::Link,
            _ => Self::Special,
        }
    }
}

impl FileStat {
    /// As it is remembered by who looked not before `started_ns`: as that of a file or folder that changed where it may have changed
    /// again without its times telling.
    pub(super) fn settled(self, started_ns: i64) -> Self {
        let is_racy = self.mtime_ns.max(self.ctime_ns).saturating_add(RACY_NS) >= started_ns;
        Self { ctime_ns: if is_racy { 0 } else { self.ctime_ns }, ..self }
    }

    // The fields' types differ between systems.
    #[allow(clippy::unnecessary_cast)]
    fn of(stat: &Stat) -> Self {
        const NANOSECONDS: i64 = 1_000_000_000;
        let time = |seconds: i64, nanoseconds: i64| seconds.saturating_mul(NANOSECONDS).saturating_add(nanoseconds);
        Self {
            size: stat.st_size as u64,
            mtime_ns: time(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            ctime_ns: time(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            inode: stat.st_ino as u64,
        }
    }
}

fn file_stat(file: &File, max: u64) -> Result<FileStat, Refusal> {
    let stat = rustix::fs::fstat(file)?;
    match Kind::of(FileType::from_raw_mode(stat.st_mode)) {
        Kind::File => {}
        kind => return Err(Refusal::NotAFile(kind)),
    }
    let stat = FileStat::of(&stat);
    if stat.size > max { Err(Refusal::TooLarge { size: stat.size, max }) } else { Ok(stat) }
}

#[cfg(target_os = "linux")]
fn open_confined(root: BorrowedFd<'_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    open_with(root, path, OPEN | flags)
}

#[cfg(target_os = "linux")]
fn open_with(root: BorrowedFd<'_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    use rustix::fs::ResolveFlags;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_XDEV;
    let mut result = Err(Errno::AGAIN);
    for _ in 0..OPEN_TRIES {
        result = rustix::fs::openat2(root, path, flags, Mode::empty(), resolve);
        if !matches!(result, Err(Errno::AGAIN | Errno::INTR)) {
            break;
        }
    }
    result
}

/// Opens component by component, following none that is a link and none that lies on another file system. `cap-std` alone would follow a link
/// that stays inside. Weaker than the kernel's way only in that it does not see mounts of the same file system.
fn open_by_component(root: BorrowedFd<'_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    let device = rustix::fs::fstat(root)?.st_dev;
    let open = |from: &cap_std::fs::Dir, name: &[u8], flags: OFlags| {
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).custom_flags((OPEN | flags).bits() as i32);
        // What it refuses by itself has no number: a way out.
        let errno = |error: std::io::Error| Errno::from_io_error(&error).unwrap_or(Errno::XDEV);
        let file = from.open_with(OsStr::from_bytes(name), &options).map_err(errno)?.into_std();
        if rustix::fs::fstat(&file)?.st_dev == device { Ok(file) } else { Err(Errno::XDEV) }
    };
    let (folders, name) = split(path);
    let mut folder = cap_std::fs::Dir::from_std_file(File::from(rustix::io::fcntl_dupfd_cloexec(root, 0)?));
    for component in folders.split(|byte| *byte == b'/').filter(|component| !component.is_empty()) {
        folder = cap_std::fs::Dir::from_std_file(open(&folder, component, OFlags::DIRECTORY)?);
    }
    open(&folder, if name.is_empty() { b"." } else { name }, flags).map(OwnedFd::from)
}

/// Folder and last component of `path`.
pub(super) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (&[], path),
    }
}

fn os_error(error: &std::io::Error) -> Refusal {
    Refusal::Os(Errno::from_io_error(error).unwrap_or(Errno::IO))
}

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Self {
        Self::Os(errno)
    }
}

impl Refusal {
    /// Whether there is no such file at all.
    pub(super) fn is_absent(&self) -> bool {
        matches!(self, Self::Os(Errno::NOENT | Errno::NOTDIR))
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Os(Errno::NOENT | Errno::NOTDIR) => formatter.write_str("there is no such file"),
            Self::Os(Errno::ACCESS | Errno::PERM) => formatter.write_str("permission is denied"),
            Self::Os(Errno::LOOP | Errno::MLINK) => {
                formatter.write_str("it is a link or lies behind one, and links are not followed")
            }
            Self::Os(Errno::XDEV) => formatter.write_str("it lies outside the repository or on another file system"),
            Self::Os(Errno::NXIO) => formatter.write_str("it is not a regular file"),
            Self::Os(errno) => write!(formatter, "the system says: {}", std::io::Error::from(*errno)),
            Self::NotAFile(Kind::Folder) => formatter.write_str("it is a folder"),
            Self::NotAFile(_) => formatter.write_str("it is not a regular file"),
            Self::TooLarge { size, max } => write!(formatter, "it has {size} bytes and the limit is {max}"),
            Self::Changing => formatter.write_str("it changed while it was being read"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(root: &Root) -> Vec<Result<Vec<u8>, Refusal>> {
        ["a", "d/a", "link", "dirlink/a", "fifo", "d", "../outside", "missing", "a/b"]
            .iter()
            .map(|path| root.read(path.as_bytes(), 100))
            .collect()
    }

    #[test]
    fn the_fallback_refuses_what_the_kernel_refuses() {
        let outer = crate::testing::Scratch::new();
        outer.write("outside", "secret");
        outer.write("r/a", "one");
        outer.write("r/d/a", "two");
        outer.link("../outside", "r/link");
        outer.link("d", "r/dirlink");
        outer.fifo("r/fifo");
        let root = Root::open(&outer.path().join("r")).expect("a folder");
        let with_kernel = outcomes(&root);
        #[cfg(target_os = "linux")]
        let root = Root { confined_by_kernel: false, ..root };
        let by_component = outcomes(&root);
        for results in [with_kernel, by_component] {
            assert_eq!(results[0].as_deref(), Ok(&b"one"[..]));
            assert_eq!(results[1].as_deref(), Ok(&b"two"[..]));
            assert!(results[2..].iter().all(Result::is_err), "{results:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_mounted_below_the_root_is_not_read() {
        let root = Root::open(Path::new("/")).expect("a folder");
        let fallback = Root { fd: root.fd.try_clone().expect("a descriptor"), confined_by_kernel: false };
        for root in [root, fallback] {
            assert_eq!(root.read(b"proc/version", 10_000), Err(Refusal::Os(Errno::XDEV)));
        }
    }
}
