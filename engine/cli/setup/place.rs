//! A file of settings below a folder that is trusted: read within bounds, written in one step, and reached through no link.
//!
//! What a stranger's project holds is untrusted: a folder or file in it that is a link leads nowhere.

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use error::{Error, ErrorKind, Result};
use std::ffi::OsStr;
use std::io::{self, ErrorKind as IoKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The most bytes of a file of a project: people write these by hand.
const MAX_PROJECT_BYTES: u64 = 1 << 20;
/// The most bytes of a file of the user: agents keep more in them than settings.
const MAX_USER_BYTES: u64 = 32 << 20;
/// How many files of ended processes of the same number may lie in the way.
const MAX_LEFT_BEHIND: u32 = 100;

/// Where a file of settings is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// A folder that may be reached in any way: the project's, or one of the user's.
    base: PathBuf,
    /// Folders below it and the name of the file.
    below: Vec<&'static str>,
    max_bytes: u64,
}

impl Place {
    /// A file of a project.
    pub(super) fn of_project(root: &Path, below: &'static str) -> Self {
        Self { base: root.to_owned(), below: below.split('/').collect(), max_bytes: MAX_PROJECT_BYTES }
    }

    /// A file of the user.
    pub(super) fn of_user(base: &Path, below: &'static str) -> Self {
        Self { base: base.to_owned(), below: below.split('/').collect(), max_bytes: MAX_USER_BYTES }
    }

    /// A file in the folder of settings of a home, which is made where it is missing, and may be a link that the user made.
    pub(super) fn of_config(home: &Path, below: &'static str) -> Self {
        const CONFIG: &str = ".config";
        let config = home.join(CONFIG);
        if config.is_symlink() {
            return Self::of_user(&config, below);
        }
        let place = Self::of_user(home, below);
        Self { below: [vec![CONFIG], place.below].concat(), ..place }
    }

    /// Its path.
    pub(super) fn path(&self) -> PathBuf {
        self.below.iter().fold(self.base.clone(), |path, part| path.join(part))
    }

    fn name(&self) -> &'static str {
        self.below.last().copied().unwrap_or_default()
    }

    /// What it holds; nothing where it is not there.
    pub(super) fn read(&self) -> Result<Option<String>> {
        let named = |error: io::Error| {
            Error::new(ErrorKind::UnreadableFile, format!("`{}` cannot be used", self.path().display())).because(error)
        };
        let Some(folder) = self.folder(false).map_err(named)? else { return Ok(None) };
        let Some(file) = open(&folder, self.name()).map_err(named)? else { return Ok(None) };
        let mut bytes = Vec::new();
        file.take(self.max_bytes + 1).read_to_end(&mut bytes).map_err(named)?;
        if bytes.len() as u64 > self.max_bytes {
            let message = format!("`{}` is larger than {} bytes", self.path().display(), self.max_bytes);
            return Err(Error::new(ErrorKind::UnreadableFile, message));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let before = &error.as_bytes()[..at];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
            let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
            let message =
                format!("`{}`, line {line}, column {column}: it is not UTF-8; it stays as it is", self.path().display());
            Error::new(ErrorKind::BadInput, message)
        })?;
        Ok(Some(text))
    }

    /// How many folders above it would have to be made.
    pub(super) fn n_missing(&self) -> usize {
        let folders = (1..self.below.len()).map(|n| self.below[..n].iter().fold(self.base.clone(), |path, part| path.join(part)));
        folders.filter(|folder| folder.symlink_metadata().is_err()).count()
    }

    /// Puts a text in the place of what it holds, which is still this.
    pub(super) fn write(&self, expected: Option<&str>, text: &str) -> Result<()> {
        self.check(expected)?;
        self.replace(text).map_err(|error| self.unwritable(error))
    }

    /// Takes the file away, which still holds this, and so many of the folders above it, if nothing else is in them.
    pub(super) fn remove(&self, expected: &str, n_folders: usize) -> Result<()> {
        self.check(Some(expected))?;
        let remove = || {
            let Some(folder) = self.folder(false)? else { return Ok(()) };
            folder.remove_file(self.name())
        };
        remove().map_err(|error| self.unwritable(error))?;
        for n in (1..self.below.len()).rev().take(n_folders) {
            let above = Self { below: self.below[..n].to_vec(), ..self.clone() };
            // One that holds something else stays.
            if let Ok(Some(folder)) = above.folder(false)
                && folder.remove_dir(above.name()).is_err()
            {
                break;
            }
        }
        Ok(())
    }

    fn check(&self, expected: Option<&str>) -> Result<()> {
        if self.read()?.as_deref() == expected {
            return Ok(());
        }
        let message = format!("`{}` changed meanwhile and stays as it is; ask again", self.path().display());
        Err(Error::new(ErrorKind::Storage, message))
    }

    fn unwritable(&self, error: io::Error) -> Error {
        Error::new(ErrorKind::Storage, format!("`{}` cannot be written", self.path().display())).because(error)
    }

    /// The folder that the file is in, component by component; nothing where one is missing and none may be made.
    fn folder(&self, makes: bool) -> io::Result<Option<Dir>> {
        let mut folder = match Dir::open_ambient_dir(&self.base, ambient_authority()) {
            Err(error) if error.kind() == IoKind::NotFound && !makes => return Ok(None),
            opened => opened?,
        };
        for name in &self.below[..self.below.len() - 1] {
            match folder.symlink_metadata(name) {
                Ok(found) if system::is_link(&found) => return Err(is_link(name)),
                Ok(_) => {}
                Err(error) if error.kind() == IoKind::NotFound && makes => folder.create_dir(name)?,
                Err(error) if error.kind() == IoKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            }
            folder = folder.open_dir_nofollow(name)?;
        }
        Ok(Some(folder))
    }

    fn replace(&self, text: &str) -> io::Result<()> {
        let Some(folder) = self.folder(true)? else { return Err(IoKind::NotFound.into()) };
        let before = open(&folder, self.name())?.map(|file| file.metadata()).transpose()?;
        let (temporary, mut file) = (0..MAX_LEFT_BEHIND)
            .map(|number| {
                let name = format!(".{}.activate-{}-{number}", self.name(), std::process::id());
                let mut options = OpenOptions::new();
                options.write(true).create_new(true).follow(FollowSymlinks::No);
                folder.open_with(&name, &options).map(|file| (name, file))
            })
            .find(|opened| opened.as_ref().err().is_none_or(|error| error.kind() != IoKind::AlreadyExists))
            .unwrap_or_else(|| Err(io::Error::other("hidden files that were left behind are in the way: `.*.activate-*`")))?;
        let put = || {
            if let Some(before) = &before {
                system::keep_owner(&file, before)?;
            }
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            folder.rename(&temporary, &folder, self.name())
        };
        let written = { put }();
        if written.is_err() {
            let _ = folder.remove_file(&temporary);
        }
        written
    }
}

/// Opens a regular file that is no link; nothing where there is none.
fn open(folder: &Dir, name: &str) -> io::Result<Option<File>> {
    match folder.symlink_metadata(name) {
        Ok(found) if system::is_link(&found) => return Err(is_link(name)),
        Ok(found) if !found.is_file() => return Err(io::Error::other("it is no regular file")),
        Ok(_) => {}
        Err(error) if error.kind() == IoKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No);
    // Who puts a pipe in its place meanwhile is not waited for.
    system::without_waiting(&mut options);
    let file = folder.open_with(AsRef::<OsStr>::as_ref(name), &options)?;
    if file.metadata()?.is_file() { Ok(Some(file)) } else { Err(io::Error::other("it is no regular file")) }
}

fn is_link(name: &str) -> io::Error {
    io::Error::other(format!("`{name}` is a link, and nothing is read or written through one"))
}
