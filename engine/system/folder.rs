//! An open folder whose files are reached by their names, and none through a link.

use super::{Identity, own};
use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// What a file is opened for. A new one is this user's alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// To read a file that is there.
    Read,
    /// To write a file that must not be there yet.
    Create,
    /// To write a file that must not be there yet, and to read it.
    Spool,
    /// To lock a file, made if it is not there yet.
    Lock,
}

/// An open folder. Names are single components.
#[derive(Debug)]
pub struct Folder(Dir);

impl Folder {
    /// Opens the folder at `path`, which may be a link.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn open(path: &Path) -> io::Result<Self> {
        Dir::open_ambient_dir(path, ambient_authority()).map(Self)
    }

    /// Opens this user's folder at `path`, made for this user alone if missing; refuses a link in its place.
    ///
    /// # Errors
    ///
    /// Those of the system, and that it is a link, no folder or another user's.
    pub fn own(path: &Path) -> io::Result<Self> {
        super::private_folder(std::fs::DirBuilder::new().recursive(true)).create(path)?;
        Self::owned(path)
    }

    /// Opens this user's folder at `path`; refuses a link in its place.
    ///
    /// # Errors
    ///
    /// As [`Folder::own`], and that it is missing.
    pub fn owned(path: &Path) -> io::Result<Self> {
        // A slash or dot at the end would let the system follow a link in the folder's place.
        let path: PathBuf = path.components().collect();
        let folder = match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => {
                let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
                let parent = Dir::open_ambient_dir(parent, ambient_authority())?;
                parent.open_dir_nofollow(name).map_err(|error| match parent.symlink_metadata(name) {
                    Ok(found) if own::is_link(&found) || !found.is_dir() => io::Error::other("it is a link, or not a folder"),
                    _ => error,
                })?
            }
            _ => Dir::open_ambient_dir(&path, ambient_authority())?,
        };
        own::check_owner(&folder.dir_metadata()?)?;
        Ok(Self(folder))
    }

    /// Opens a regular file.
    ///
    /// # Errors
    ///
    /// Those of the system, and that it is a link or something else that is no regular file.
    pub fn file(&self, name: impl AsRef<OsStr>, access: Access) -> io::Result<File> {
        let name = Path::new(name.as_ref());
        let mut options = OpenOptions::new();
        match access {
            Access::Read => options.read(true),
            Access::Create => options.write(true).create_new(true),
            Access::Spool => options.read(true).write(true).create_new(true),
            Access::Lock => options.read(true).write(true).create(true),
        };
        own::for_user_alone(own::without_waiting(options.follow(FollowSymlinks::No)));
        let file = self.0.open_with(name, &options).map_err(|error| match self.0.symlink_metadata(name) {
            Ok(found) if access == Access::Read && own::is_link(&found) => io::Error::other("it is a link"),
            // Windows opens no folder as a file.
            Ok(found) if access == Access::Read && found.is_dir() => io::Error::other("it is not a regular file"),
            _ => error,
        })?;
        let found = file.metadata()?;
        match () {
            () if own::is_link(&found) => Err(io::Error::other("it is a link")),
            () if !found.is_file() => Err(io::Error::other("it is not a regular file")),
            () => Ok(file.into_std()),
        }
    }

    /// Which file has a name, a link standing for itself; none where nothing has it.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn identity(&self, name: impl AsRef<OsStr>) -> io::Result<Option<Identity>> {
        match self.0.symlink_metadata(Path::new(name.as_ref())) {
            Ok(found) => Ok(Some(Identity::from_metadata(&found))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Gives a file another name, in place of what has that name, as [`replace`](super::replace) does.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn rename(&self, from: impl AsRef<OsStr>, to: impl AsRef<OsStr>) -> io::Result<()> {
        own::patiently(|| self.0.rename(Path::new(from.as_ref()), &self.0, Path::new(to.as_ref())))
    }

    /// Gives a file a second name, which nothing has yet.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn link(&self, from: impl AsRef<OsStr>, to: impl AsRef<OsStr>) -> io::Result<()> {
        self.0.hard_link(Path::new(from.as_ref()), &self.0, Path::new(to.as_ref()))
    }

    /// Removes a name of a file or a link.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn remove(&self, name: impl AsRef<OsStr>) -> io::Result<()> {
        self.0.remove_file(Path::new(name.as_ref()))
    }

    /// Removes a name, if something has it.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn remove_if_there(&self, name: impl AsRef<OsStr>) -> io::Result<()> {
        match self.remove(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        }
    }

    /// Returns when the list of names will survive a power cut, where the system can be asked for that.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn sync(&self) -> io::Result<()> {
        own::sync(&self.0)
    }

    /// The names that are UTF-8 with the files' lengths in bytes, in the order of the disk.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn list(&self) -> io::Result<Vec<(String, u64)>> {
        let mut files = Vec::new();
        for entry in self.0.entries()? {
            let Ok(name) = entry?.file_name().into_string() else { continue };
            match self.0.symlink_metadata(&name) {
                Ok(found) => files.push((name, found.len())),
                // It may have gone by now.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(files)
    }
}
