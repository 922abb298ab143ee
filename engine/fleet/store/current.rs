//! Which shards count: one small file with a hash over all of it.

use super::{DERIVED, SHARDS};
use error::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_128;

/// The form of the file: another one is of another version of this program, and made again.
const FORM: u32 = 1;

/// What counts at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Current {
    /// Stands for the version of this program that read them.
    #[serde(default)]
    pub form: String,
    /// What is known of each repository, by its name.
    pub repositories: BTreeMap<String, Known>,
    /// The folder of what follows from all shards, below the store; none before it was derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<String>,
}

/// What is known of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// How it stands.
    pub state: State,
    /// The commit that the shard was made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The folder of its shard, below the store; that of an earlier commit where the repository cannot be read now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// Why it has no shard of now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What the manifest said of it at the last look: a number that stands for its place, branch and commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<u64>,
    /// The same when the shard was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard_entry: Option<u64>,
    /// Files of the shard's commit.
    #[serde(default)]
    pub n_files: u64,
    /// Lines of these.
    #[serde(default)]
    pub n_lines: u64,
}

/// How a repository stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It has a shard of the newest commit that is known.
    Known,
    /// It holds no file that can be read.
    Empty,
    /// It, its branch or its commit is not where the manifest says.
    Missing,
    /// It is there and cannot be read.
    Unreadable,
}

impl State {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Empty => "empty",
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
        }
    }
}

#[derive(Serialize, Deserialize)]
struct File {
    form: u32,
    hash: String,
    current: Current,
}

impl Current {
    /// Repositories that have a shard, with the names of their folders.
    pub fn shards(&self) -> impl Iterator<Item = (&str, &str)> {
        self.repositories.iter().filter_map(|(name, known)| Some((name.as_str(), known.shard.as_deref()?)))
    }

    /// What it says, as it is written; nothing where it is damaged or of another version.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let file: File = serde_json::from_slice(bytes).ok()?;
        let is_whole = file.form == FORM && file.current.to_bytes().is_ok_and(|written| written == bytes);
        is_whole.then_some(file.current)
    }

    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        let failed = |error: serde_json::Error| Error::new(ErrorKind::Storage, "what counts cannot be written").because(error);
        let hash = format!("{:032x}", xxh3_128(&serde_json::to_vec(self).map_err(failed)?));
        let mut bytes = serde_json::to_vec_pretty(&File { form: FORM, hash, current: self.clone() }).map_err(failed)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// Whether a name is that of a folder which this program makes below the store.
pub(super) fn is_inside(named: &str) -> bool {
    let mut parts = named.split('/');
    let is_plain =
        |part: Option<&str>| part.is_some_and(|part| !part.is_empty() && !part.starts_with("..") && !part.contains('\\'));
    match parts.next() {
        Some(SHARDS) => is_plain(parts.next()) && is_plain(parts.next()) && parts.next().is_none(),
        Some(DERIVED) => is_plain(parts.next()) && parts.next().is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_is_seen() {
        let known = Known {
            state: State::Missing,
            commit: None,
            shard: Some("shards/a/1".to_owned()),
            why: None,
            entry: Some(1),
            shard_entry: None,
            n_files: 1,
            n_lines: 7,
        };
        let current = Current { form: "a".to_owned(), repositories: BTreeMap::from([("a".to_owned(), known)]), derived: None };
        let bytes = current.to_bytes().expect("bytes");
        assert_eq!(Current::from_bytes(&bytes), Some(current));
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            assert_eq!(Current::from_bytes(&flipped), None, "at {at}");
            assert_eq!(Current::from_bytes(&bytes[..at]), None, "cut at {at}");
        }
    }

    #[test]
    fn a_folder_outside_is_not_taken_for_a_shard() {
        let inside = ["shards/a/1", "derived/1", "shards/.github/1"].map(is_inside);
        let outside =
            ["shards/../x", "shards/a/..", "shards/a", "/etc", "derived/../x", "shards/a/1/2", "", "git/a"].map(is_inside);
        assert_eq!((inside, outside), ([true; 3], [false; 8]));
    }
}
