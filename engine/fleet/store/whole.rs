//! Whether a folder of files is as it was written: a list of its files with sizes and hashes, which is written last.

#![expect(clippy::disallowed_methods, reason = "a host module: keeps files of ours")]

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// The list.
const MARK: &str = "whole.json";
/// Ends the name of the file beside a folder that says in which state all its bytes were checked.
pub(super) const CHECKED: &str = ".checked";
/// The largest list that is read: a folder has less than twenty thousand files.
const MAX_MARK_BYTES: u64 = 4 << 20;

/// A file's size and hash.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    n_bytes: u64,
    hash: String,
}

type Files = BTreeMap<String, Written>;

/// Writes the list of a folder's files. Of those that are files of another folder too, which is whole, its list says what they are.
pub(crate) fn mark(folder: &Path, other: Option<&Path>) -> io::Result<()> {
    let listed = other.and_then(|other| serde_json::from_slice::<Files>(&fs::read(other.join(MARK)).ok()?).ok());
    let mut listed = listed.unwrap_or_default();
    let mut files = Files::new();
    for name in names(folder)? {
        let file = File::open(folder.join(&name))?;
        let of_other = other.and_then(|other| fs::symlink_metadata(other.join(&name)).ok());
        let is_same = of_other.is_some_and(|of_other| file.metadata().is_ok_and(|own| is_same_file(&own, &of_other)));
        let known = if is_same { listed.remove(&name) } else { None };
        let written = match known {
            Some(written) => written,
            None => Written { n_bytes: file.metadata()?.len(), hash: hash(&file)? },
        };
        files.insert(name, written);
    }
    fs::write(folder.join(MARK), serde_json::to_vec(&files)?)
}

/// Whether two names are of one file.
#[cfg(unix)]
fn is_same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Whether two names are of one file: see [`LINKS`](super::LINKS).
#[cfg(not(unix))]
const fn is_same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}

/// Whether a folder has the files of its list, and nothing else, with every byte as it was. Bytes that were checked are not read again while the
/// system says that nothing changed.
pub(crate) fn is_whole(folder: &Path) -> bool {
    check(folder).is_ok_and(|is_whole| is_whole)
}

fn check(folder: &Path) -> io::Result<bool> {
    let path = folder.join(MARK);
    let list = system::open_plain(&path, File::options().read(true))?;
    if list.metadata()?.len() > MAX_MARK_BYTES {
        return Ok(false);
    }
    let text = io::read_to_string(&list)?;
    let files: Files = serde_json::from_str(&text)?;
    if !names(folder)?.iter().filter(|name| *name != MARK).eq(files.keys()) {
        return Ok(false);
    }
    let now = SystemTime::now();
    let open = |name: &String| system::open_plain(&folder.join(name), File::options().read(true));
    let mut states = vec![cache::settled_state(&list, now)];
    // One after the other: nobody may have as many files open as a folder holds.
    for (name, written) in &files {
        let file = open(name)?;
        if file.metadata()?.len() != written.n_bytes {
            return Ok(false);
        }
        states.push(cache::settled_state(&file, now));
    }
    let states: Option<Vec<u8>> =
        states.into_iter().map(|state| Some(state?.to_le_bytes())).collect::<Option<Vec<_>>>().map(|all| all.concat());
    let state = states.map(|states| xxh3_128(&states).to_le_bytes());
    let note = note_of(folder);
    if state.is_some_and(|state| fs::read(&note).is_ok_and(|known| known == state)) {
        return Ok(true);
    }
    for (name, written) in &files {
        if hash(&open(name)?)? != written.hash {
            return Ok(false);
        }
    }
    if let Some(state) = state {
        // Where it cannot be noted now, the next reader checks again.
        let _ = fs::write(note, state);
    }
    Ok(true)
}

/// The file beside a folder that says in which state all its bytes were checked.
fn note_of(folder: &Path) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(CHECKED);
    PathBuf::from(name)
}

/// The names of the files in a folder, in order; an error where one is no text.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().into_string().map_err(|_| io::Error::other("a name is not UTF-8"))?);
    }
    names.sort();
    Ok(names)
}

fn hash(file: &File) -> io::Result<String> {
    const CHUNK_BYTES: usize = 1 << 16;
    let (mut hasher, mut bytes, mut at) = (Xxh3::new(), vec![0; CHUNK_BYTES], 0);
    let n_bytes = file.metadata()?.len();
    while at < n_bytes {
        let part = bytes.get_mut(..(n_bytes - at).min(CHUNK_BYTES as u64) as usize).unwrap_or_default();
        system::read_at(file, at, part)?;
        hasher.update(part);
        at += part.len() as u64;
    }
    Ok(format!("{:032x}", hasher.digest128()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_whole_as_long_as_no_byte_of_any_file_changes() {
        let folder = std::env::temp_dir().join(format!("activate-whole-{}", std::process::id()));
        let shard = folder.join("shard");
        fs::create_dir_all(&shard).expect("a folder");
        fs::write(shard.join("a.arrow"), "one").expect("a file");
        fs::write(shard.join("b.arrow"), "").expect("a file");
        assert!(!is_whole(&shard), "it has no list yet");
        mark(&shard, None).expect("a list");
        assert!(is_whole(&shard));
        for name in ["a.arrow", MARK] {
            let path = shard.join(name);
            let bytes = fs::read(&path).expect("bytes");
            for at in 0..bytes.len() {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1;
                fs::write(&path, flipped).expect("written");
                assert!(!is_whole(&shard), "{name} flipped at {at}");
                fs::write(&path, &bytes[..at]).expect("written");
                assert!(!is_whole(&shard), "{name} cut at {at}");
            }
            fs::write(&path, bytes).expect("written");
            assert!(is_whole(&shard));
        }
        fs::write(shard.join("c.arrow"), "").expect("a file");
        assert!(!is_whole(&shard), "one file too many");
        fs::remove_file(shard.join("c.arrow")).expect("gone");
        fs::remove_file(shard.join("b.arrow")).expect("gone");
        assert!(!is_whole(&shard), "one file too few");
        fs::remove_dir_all(folder).expect("gone");
    }
}
