//! A folder for one run in the system's folder for temporary files.

use std::fs::{self, DirBuilder};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// How many names are tried for a folder: each is one of 2^64, so more than one is taken only on purpose.
const MAX_NAMES: usize = 16;

/// A folder that this run made for itself, removed at the end.
pub(super) struct Temporary(PathBuf);

impl Temporary {
    /// Makes a folder that says what it is for.
    pub(super) fn new(what: &str) -> io::Result<Self> {
        // Names that nobody can guess: a new state hashes with keys of its own.
        let names = std::iter::repeat_with(|| format!("activate-{what}-{:016x}", RandomState::new().build_hasher().finish()));
        Self::make(&std::env::temp_dir(), names)
    }

    /// Makes a folder in `parent` by the first of `names` that nothing has: what somebody else put there is neither used nor removed.
    fn make(parent: &Path, names: impl Iterator<Item = String>) -> io::Result<Self> {
        let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
        for path in names.take(MAX_NAMES).map(|name| parent.join(name)) {
            match system::private_folder(&mut DirBuilder::new()).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
                Err(error) => return Err(error),
            }
        }
        Err(taken)
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // There is nobody to tell; the system clears its folder in time.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt as _;

    #[test]
    fn a_folder_is_made_by_nobody_else_and_only_that_is_removed() {
        let parent = Temporary::new("test").expect("a folder");
        assert_eq!(fs::metadata(&parent.0).expect("a folder").mode() & 0o777, 0o700);
        let path = |name: &str| parent.0.join(name);
        fs::create_dir(path("laid")).expect("a folder");
        fs::write(path("laid/cache"), "x").expect("a file");
        std::os::unix::fs::symlink(path("laid"), path("link")).expect("a link");
        let make = |names: &[&str]| Temporary::make(&parent.0, names.iter().map(ToString::to_string));
        let own = make(&["laid", "link", "own"]).expect("a folder");
        assert_eq!(own.0, path("own"));
        fs::write(path("own/cache"), "x").expect("a file");
        drop(own);
        assert!(!path("own").exists() && path("laid/cache").exists() && path("link").exists());
        assert_eq!(make(&["laid", "link"]).err().expect("no name is left").kind(), io::ErrorKind::AlreadyExists);
    }
}
