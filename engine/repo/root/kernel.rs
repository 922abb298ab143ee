//! The way of Linux: the kernel resolves whole paths confined.

use super::{FileStat, Kind, NamedEntry, Refusal, split};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, Stat};
use rustix::io::Errno;
use rustix::path::Arg;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

/// How often an open is tried again when the kernel asks for it, which it does while folders on the way are being renamed.
const OPEN_TRIES: usize = 16;

/// What every open adds: no links, no waiting for a fifo's other end, no terminal taken over, no descriptor inherited.
const OPEN: OFlags = OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// A folder that confines what is opened below it.
#[derive(Debug)]
pub(crate) struct Root(OwnedFd);

impl Root {
    /// Opens the folder at `path`, which may itself be a link; none where the kernel does not confine.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, Refusal> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, Mode::empty())?;
        // Old kernels lack the call and some sandboxes forbid it, with errors that also mean other things; so it is tried once, here,
        // where nothing else can fail.
        let confines = open_confined(fd.as_fd(), b".", OPEN | OFlags::DIRECTORY).is_ok();
        Ok(confines.then_some(Self(fd)))
    }

    pub(super) fn below(&self, path: &[u8]) -> Result<Self, Refusal> {
        self.open_at(path, OPEN | OFlags::DIRECTORY).map(Self)
    }

    pub(super) fn file(&self, path: &[u8]) -> Result<File, Refusal> {
        self.open_at(path, OPEN).map(File::from)
    }

    pub(super) fn folder(&self, path: &[u8]) -> Result<Folder, Refusal> {
        Ok(Folder(Dir::new(self.open_at(path, OPEN | OFlags::DIRECTORY)?)?))
    }

    pub(super) fn place(&self, path: &[u8]) -> Result<Place, Refusal> {
        // Cheaper than an open folder.
        self.open_at(path, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::DIRECTORY).map(Place)
    }

    pub(super) fn read_link(&self, path: &[u8]) -> Result<Vec<u8>, Refusal> {
        let (folder, name) = split(path);
        Ok(rustix::fs::readlinkat(self.place(folder)?.0, name, Vec::new())?.into_bytes())
    }

    // The field's type differs between systems.
    #[allow(clippy::unnecessary_cast)]
    pub(super) fn keeps_folder_times(&self) -> bool {
        // Their numbers in `statfs(2)`: ext2 to ext4, XFS, Btrfs, F2FS, bcachefs, ZFS, tmpfs, overlayfs. Those over a network may tell
        // the times that they remember.
        const FILE_SYSTEMS: [u32; 8] =
            [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0xca45_1a4e, 0x2fc1_2fc1, 0x0102_1994, 0x794c_7630];
        rustix::fs::fstatfs(&self.0).is_ok_and(|system| FILE_SYSTEMS.contains(&(system.f_type as u32)))
    }

    fn open_at(&self, path: &[u8], flags: OFlags) -> Result<OwnedFd, Refusal> {
        Ok(open_confined(self.0.as_fd(), if path.is_empty() { b"." } else { path }, flags)?)
    }
}

fn open_confined(root: BorrowedFd<'_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
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

/// An open folder's entries.
pub(crate) struct Folder(Dir);

impl Folder {
    pub(super) fn entries(&mut self) -> Result<Vec<NamedEntry>, Refusal> {
        let mut entries = Vec::new();
        for entry in &mut self.0 {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                let file_type = entry.file_type();
                entries.push((name.to_vec(), (file_type != FileType::Unknown).then(|| kind_of(file_type))));
            }
        }
        Ok(entries)
    }

    pub(super) fn stat(&self, name: &[u8]) -> Result<(Kind, FileStat), Refusal> {
        stat_at(self.0.fd()?, name)
    }

    pub(super) fn own_stat(&self) -> Result<FileStat, Refusal> {
        Ok(numbers(&rustix::fs::fstat(self.0.fd()?)?))
    }
}

/// A folder whose entries can be looked at by name.
pub(crate) struct Place(OwnedFd);

impl Place {
    pub(super) fn stat(&self, name: impl Arg) -> Result<(Kind, FileStat), Refusal> {
        stat_at(self.0.as_fd(), name)
    }

    pub(super) fn own_stat(&self) -> Result<FileStat, Refusal> {
        Ok(numbers(&rustix::fs::fstat(&self.0)?))
    }
}

fn stat_at(folder: BorrowedFd<'_>, name: impl Arg) -> Result<(Kind, FileStat), Refusal> {
    let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok((kind_of(FileType::from_raw_mode(stat.st_mode)), numbers(&stat)))
}

/// Kind and numbers of an open file.
pub(super) fn stat_of(file: &File) -> Result<(Kind, FileStat), Refusal> {
    let stat = rustix::fs::fstat(file)?;
    Ok((kind_of(FileType::from_raw_mode(stat.st_mode)), numbers(&stat)))
}

fn kind_of(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        _ => Kind::Special,
    }
}

// The fields' types differ between systems.
#[allow(clippy::unnecessary_cast)]
fn numbers(stat: &Stat) -> FileStat {
    const NANOSECONDS: i64 = 1_000_000_000;
    let time = |seconds: i64, nanoseconds: i64| seconds.saturating_mul(NANOSECONDS).saturating_add(nanoseconds);
    FileStat {
        size: stat.st_size as u64,
        mtime_ns: time(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        ctime_ns: time(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        inode: stat.st_ino as u64,
    }
}

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::LOOP | Errno::MLINK => Self::Link,
            Errno::XDEV => Self::Outside,
            Errno::NXIO => Self::NotAFile(Kind::Special),
            other => Self::of(&std::io::Error::from(other)),
        }
    }
}
