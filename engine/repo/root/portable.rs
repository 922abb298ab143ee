//! The way of every system: component by component, following none that is a link and none that lies on another file system.
//!
//! `cap-std` alone would follow a link that stays inside. Weaker than the kernel's way only in that it does not see mounts of the same file
//! system.

use super::{FileStat, Kind, NamedEntry, Refusal, split};
use cap_fs_ext::{DirExt as _, FollowSymlinks, MetadataExt as _, OpenOptionsFollowExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, Metadata, OpenOptions};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;

/// A folder that confines what is opened below it.
#[derive(Debug)]
pub(crate) struct Root {
    folder: Dir,
    /// Of what all that is opened must be.
    device: u64,
}

impl Root {
    /// Opens the folder at `path`, which may itself be a link.
    pub(super) fn open(path: &Path) -> Result<Self, Refusal> {
        let folder = Dir::open_ambient_dir(path, ambient_authority())?;
        let device = folder.dir_metadata()?.dev();
        Ok(Self { folder, device })
    }

    pub(super) fn below(&self, path: &[u8]) -> Result<Self, Refusal> {
        Ok(Self { folder: self.folder(path)?.0, device: self.device })
    }

    pub(super) fn file(&self, path: &[u8]) -> Result<File, Refusal> {
        let (above, name) = split(path);
        let folder = self.folder(above)?;
        let name = component(name)?;
        let mut options = OpenOptions::new();
        system::without_waiting(options.read(true).follow(FollowSymlinks::No));
        let file = folder.0.open_with(Path::new(&*name), &options);
        let file = file.map_err(|error| why(&folder.0, &name, error))?.into_std();
        self.check(&Metadata::from_file(&file)?)?;
        Ok(file)
    }

    pub(super) fn folder(&self, path: &[u8]) -> Result<Folder, Refusal> {
        let mut folder = self.folder.try_clone()?;
        for name in path.split(|byte| *byte == b'/').filter(|name| !name.is_empty()) {
            let name = component(name)?;
            let below = folder.open_dir_nofollow(Path::new(&*name)).map_err(|error| why(&folder, &name, error))?;
            self.check(&below.dir_metadata()?)?;
            folder = below;
        }
        Ok(Folder(folder))
    }

    pub(super) fn place(&self, path: &[u8]) -> Result<Place, Refusal> {
        self.folder(path).map(Place)
    }

    pub(super) fn read_link(&self, path: &[u8]) -> Result<Vec<u8>, Refusal> {
        let (folder, name) = split(path);
        let target = self.folder(folder)?.0.read_link_contents(Path::new(&*component(name)?))?;
        Ok(system::path_bytes(&target).into_owned())
    }

    /// What lies below may be on another file system, and the times of folders are not known to tell all that happens in them.
    #[expect(clippy::unused_self, reason = "another way asks the file system")]
    pub(super) fn keeps_folder_times(&self) -> bool {
        false
    }

    fn check(&self, opened: &Metadata) -> Result<(), Refusal> {
        match () {
            () if system::is_link(opened) => Err(Refusal::Link),
            () if opened.dev() != self.device => Err(Refusal::Outside),
            () => Ok(()),
        }
    }
}

/// An open folder's entries.
pub(crate) struct Folder(Dir);

impl Folder {
    pub(super) fn entries(&mut self) -> Result<Vec<NamedEntry>, Refusal> {
        let mut entries = Vec::new();
        for entry in self.0.entries()? {
            let entry = entry?;
            let file_name = entry.file_name();
            let Some(name) = system::name_bytes(&file_name).map(Cow::into_owned) else {
                // No path leads to it, so it is nothing that is read.
                entries.push((file_name.to_string_lossy().into_owned().into_bytes(), Some(Kind::Special)));
                continue;
            };
            // What redirects without being a link shows where it is looked at or opened.
            // Some disks tell no kind here; it is asked for by name then.
            let file_type = entry.file_type()?;
            entries.push((name, (file_type != FileType::unknown()).then(|| kind_of(file_type))));
        }
        Ok(entries)
    }

    pub(super) fn stat(&self, name: &[u8]) -> Result<(Kind, FileStat), Refusal> {
        let found = self.0.symlink_metadata(Path::new(&*component(name)?))?;
        Ok((kind(&found), numbers(&found)))
    }

    pub(super) fn own_stat(&self) -> Result<FileStat, Refusal> {
        Ok(numbers(&self.0.dir_metadata()?))
    }
}

/// A folder whose entries can be looked at by name.
pub(crate) struct Place(Folder);

impl Place {
    pub(super) fn stat(&self, name: &[u8]) -> Result<(Kind, FileStat), Refusal> {
        self.0.stat(name)
    }

    pub(super) fn own_stat(&self) -> Result<FileStat, Refusal> {
        self.0.own_stat()
    }
}

/// Kind and numbers of an open file.
pub(super) fn stat_of(file: &File) -> Result<(Kind, FileStat), Refusal> {
    let found = Metadata::from_file(file)?;
    Ok((kind(&found), numbers(&found)))
}

/// The name of one entry, which leads nowhere else.
fn component(name: &[u8]) -> Result<Cow<'_, OsStr>, Refusal> {
    match name {
        b".." => Err(Refusal::Outside),
        b"" | b"." => Err(Refusal::NotAFile(Kind::Folder)),
        name => system::name_of(name).ok_or(Refusal::Absent),
    }
}

/// Why an entry was not opened: systems have different words for a link.
fn why(folder: &Dir, name: &OsStr, error: std::io::Error) -> Refusal {
    match folder.symlink_metadata(Path::new(name)) {
        Ok(found) if system::is_link(&found) => Refusal::Link,
        // A socket is not opened at all, and on Windows a folder not as a file.
        Ok(found) if !found.is_file() && !found.is_dir() => Refusal::NotAFile(Kind::Special),
        Ok(found) if cfg!(windows) && found.is_dir() => Refusal::NotAFile(Kind::Folder),
        _ => error.into(),
    }
}

fn kind(found: &Metadata) -> Kind {
    if system::is_link(found) { Kind::Link } else { kind_of(found.file_type()) }
}

fn kind_of(found: FileType) -> Kind {
    match () {
        () if found.is_symlink() => Kind::Link,
        () if found.is_file() => Kind::File,
        () if found.is_dir() => Kind::Folder,
        () => Kind::Special,
    }
}

fn numbers(found: &Metadata) -> FileStat {
    let (mtime_ns, ctime_ns) = system::times(found);
    FileStat { size: found.len(), mtime_ns, ctime_ns, inode: found.ino() }
}
