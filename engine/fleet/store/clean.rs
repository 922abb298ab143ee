//! What goes: git data and shards of repositories that are no longer listed, and old shards after a while.

#![expect(clippy::disallowed_methods, reason = "a host module: removes files of ours")]

use super::whole::CHECKED;
use super::{Current, DERIVED, GIT, SHARDS, folder_name, remove_folder};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Ends the name of the file beside a folder that says since when it does not count.
const RETIRED: &str = ".retired";

pub(super) fn clean(store: &Path, current: &Current, grace: Duration) -> io::Result<()> {
    let named: BTreeSet<PathBuf> =
        current.shards().map(|(_, shard)| shard).chain(current.derived.as_deref()).map(|named| store.join(named)).collect();
    for of_repository in entries(&store.join(SHARDS))?.into_iter().filter(|entry| entry.is_dir()) {
        retire(&of_repository, &named, grace)?;
        // It goes where nothing is left in it.
        let _ = fs::remove_dir(&of_repository);
    }
    retire(&store.join(DERIVED), &named, grace)?;
    let listed: BTreeSet<String> = current.repositories.keys().map(|name| format!("{}.git", folder_name(name))).collect();
    for git in entries(&store.join(GIT))? {
        let is_listed = git.file_name().and_then(OsStr::to_str).is_some_and(|name| listed.contains(name));
        if !is_listed && git.is_dir() {
            remove_folder(&git)?;
        }
    }
    Ok(())
}

/// Notes since when folders do not count, and removes those that have not for long enough.
fn retire(above: &Path, named: &BTreeSet<PathBuf>, grace: Duration) -> io::Result<()> {
    let all = entries(above)?;
    for folder in all.iter().filter(|entry| entry.is_dir()) {
        let retired = beside(folder, RETIRED);
        if named.contains(folder) {
            remove_file(&retired)?;
            continue;
        }
        let since = fs::metadata(&retired).and_then(|note| note.modified());
        match since {
            Ok(since) if since.elapsed().is_ok_and(|elapsed| elapsed >= grace) => remove_folder(folder)?,
            Ok(_) => continue,
            Err(_) if grace.is_zero() => remove_folder(folder)?,
            Err(_) => {
                fs::write(&retired, "")?;
                continue;
            }
        }
        remove_file(&retired)?;
        remove_file(&beside(folder, CHECKED))?;
    }
    Ok(())
}

fn beside(folder: &Path, end: &str) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// What is in a folder; nothing where there is none.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
