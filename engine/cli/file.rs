//! Files that packets are written to: whole or not at all.

use error::{Error, ErrorKind, Result};
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// How many files of ended processes of the same number may lie in the way: in containers, numbers come again.
const MAX_LEFT_BEHIND: u32 = 100;

/// Writes a new file; one that is there stays as it is.
pub(super) fn create(path: &Path, text: &str) -> Result<()> {
    let result = with_temporary(path, text, |temporary| {
        // Unlike a rename, a second name is refused where the name is taken.
        let linked = fs::hard_link(temporary, path);
        let _ = fs::remove_file(temporary);
        linked
    });
    match result {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let message = format!("`{}` exists already and stays as it is; name another file or remove it", path.display());
            Err(Error::new(ErrorKind::BadInput, message))
        }
        result => result.map_err(|error| unwritable(path, error)),
    }
}

/// Puts a text in the place of a file's content, in one step.
pub(super) fn replace(path: &Path, text: &str) -> Result<()> {
    let replaced = with_temporary(path, text, |temporary| {
        match fs::symlink_metadata(path) {
            Ok(metadata) if !metadata.is_file() => return Err(io::Error::other("it is not a regular file, or a link")),
            Ok(metadata) => fs::set_permissions(temporary, metadata.permissions())?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        system::replace(temporary, path)
    });
    replaced.map_err(|error| unwritable(path, error))
}

/// Writes a text to a hidden file beside `path` and lets `place` put it where it belongs; nothing is left behind where that fails.
fn with_temporary(path: &Path, text: &str, place: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it names no file"))?;
    let (temporary, mut file) = (0..MAX_LEFT_BEHIND)
        .map(|number| {
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".activate-{}-{number}", std::process::id()));
            let temporary: PathBuf = path.with_file_name(hidden);
            // A packet tells about private code.
            let file = system::private_file(OpenOptions::new().write(true).create_new(true)).open(&temporary)?;
            Ok((temporary, file))
        })
        .find(|opened: &io::Result<_>| opened.as_ref().err().is_none_or(|error| error.kind() != io::ErrorKind::AlreadyExists))
        .unwrap_or_else(|| Err(io::Error::other("hidden files that were left behind are in the way: `.*.activate-*`")))?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).and_then(|()| place(&temporary));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn unwritable(path: &Path, error: io::Error) -> Error {
    Error::new(ErrorKind::Storage, format!("`{}` cannot be written", path.display())).because(error)
}
