//! Files by path: which one it is, and opening one that is this user's alone.

use super::own;
use cap_fs_ext::MetadataExt as _;
use cap_std::fs::Metadata;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Which file or folder it is, whatever it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    number: u64,
}

impl Identity {
    /// That of an open file.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn of(file: &File) -> io::Result<Self> {
        Ok(Self::from_metadata(&Metadata::from_file(file)?))
    }

    /// That of what has a name, a link standing for itself.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn at(path: &Path) -> io::Result<Self> {
        own::identity_at(path)
    }

    /// That of what a path leads to.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn behind(path: &Path) -> io::Result<Self> {
        own::identity_behind(path)
    }

    pub(super) fn from_metadata(metadata: &Metadata) -> Self {
        Self { device: metadata.dev(), number: metadata.ino() }
    }

    #[cfg(unix)]
    pub(super) fn new(device: u64, number: u64) -> Self {
        Self { device, number }
    }
}

/// What the system says of a file that changes whenever its content does, but for two changes within one tick of its clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Which file it is.
    pub identity: Identity,
    /// In bytes.
    pub length: u64,
    /// The last change of the content, and of content or metadata, as [`times`](super::times) tells them.
    pub times: [i64; 2],
}

impl Stamp {
    /// That of an open file.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn of(file: &File) -> io::Result<Self> {
        let metadata = Metadata::from_file(file)?;
        let times = own::times(&metadata).into();
        Ok(Self { identity: Identity::from_metadata(&metadata), length: metadata.len(), times })
    }

    /// As bytes, different for different stamps.
    pub fn bytes(&self) -> Vec<u8> {
        let numbers = [self.identity.device, self.identity.number, self.length];
        let times = self.times.iter().flat_map(|time| time.to_le_bytes());
        numbers.iter().flat_map(|number| number.to_le_bytes()).chain(times).collect()
    }
}

/// Opens a regular file that is not a link or a pipe.
///
/// # Errors
///
/// Those of the system, and that it is something else.
pub fn open_plain(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // A pipe would be waited for, a link could lead anywhere.
    let file = own::as_itself(options).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}

/// A new file is made for this user alone; on Windows the folder's access list says whose it is.
pub fn private_file(options: &mut OpenOptions) -> &mut OpenOptions {
    own::private_file(options)
}

/// A new folder is made for this user alone; on Windows the access list of the folder above says whose it is.
pub fn private_folder(builder: &mut DirBuilder) -> &mut DirBuilder {
    own::private_folder(builder)
}

/// Whether a file that is locked can be read, and one that is open be replaced.
pub const LOCKS_HINDER_NOBODY: bool = cfg!(unix);

/// Gives a file another name, in place of what has that name. Where the system refuses that while somebody has it open, this is tried
/// again for a second.
///
/// # Errors
///
/// Those of the system.
pub fn replace(from: &Path, to: &Path) -> io::Result<()> {
    own::patiently(|| std::fs::rename(from, to))
}

/// Calls until the answer is another than that access is denied, so often at most.
#[cfg(any(windows, test))]
pub(super) fn until_allowed(
    n_tries: usize,
    pause: std::time::Duration,
    mut call: impl FnMut() -> io::Result<()>,
) -> io::Result<()> {
    for _ in 1..n_tries {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => std::thread::sleep(pause),
            result => return result,
        }
    }
    call()
}
