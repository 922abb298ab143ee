//! Decodes git's index file: what git believes the work tree holds.
//!
//! Bytes in, entries out; reads nothing itself. Our own decoder, because the one in gix 0.90 recurses as deep as the file tells it to,
//! and an index is as foreign as any file.

use gix::ObjectId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;

/// Most bytes that the paths of an index may take: the compressed form repeats a long prefix with few bytes.
const MAX_PATH_BYTES: usize = 512 << 20;

/// Longest folder in the list of known trees; deeper ones cannot be reached.
const MAX_FOLDER_BYTES: usize = 4096;

/// Bytes of an entry without its path.
const MIN_ENTRY_BYTES: usize = 62;

const CHECKSUM_BYTES: usize = 20;
const ID_BYTES: usize = 20;

/// Bits of an entry's flags, as git's index format defines them.
const ASSUME_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const SKIP_WORKTREE: u16 = 0x4000;

/// The file type within an entry's mode.
const MODE_TYPE: u32 = 0o170_000;

/// An index.
#[derive(Debug, Default)]
pub(in super::super) struct Index {
    /// In the order of the file: by path, then stage.
    pub(super) entries: Vec<Entry>,
    paths: Vec<u8>,
    /// Folders (with trailing slash, empty for the root) whose entries are exactly those of a tree, with the tree's id.
    pub(super) trees: FxHashMap<Vec<u8>, ObjectId>,
}

/// One path of the index.
#[derive(Debug)]
pub(super) struct Entry {
    path: Range<usize>,
    pub(super) id: ObjectId,
    pub(super) kind: EntryKind,
    /// Length modulo 2^32 when the entry was written; 0 also where git wants the content compared.
    pub(super) size: u32,
    pub(super) mtime: Mtime,
    /// Whether this is one side of a conflict.
    pub(super) is_conflict: bool,
    /// Whether the user told git not to look at the file.
    pub(super) is_unwatched: bool,
}

/// What an entry stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    Link,
    Submodule,
    /// A whole folder outside a sparse checkout.
    Folder,
}

/// A modification time as the index keeps it: seconds and nanoseconds, the latter 0 where unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mtime {
    seconds: u32,
    nanoseconds: u32,
}

impl Mtime {
    const NANOSECONDS: i64 = 1_000_000_000;

    pub(super) fn from_ns(mtime_ns: i64) -> Self {
        let (seconds, nanoseconds) = (mtime_ns.div_euclid(Self::NANOSECONDS), mtime_ns.rem_euclid(Self::NANOSECONDS));
        Self { seconds: seconds as u32, nanoseconds: nanoseconds as u32 }
    }

    /// Whether both may be the same moment: nanoseconds count only where both are known.
    pub(super) fn agrees(self, other: Self) -> bool {
        let known = self.nanoseconds != 0 && other.nanoseconds != 0;
        self.seconds == other.seconds && (!known || self.nanoseconds == other.nanoseconds)
    }

    /// Whether a file of this time may have been written after the index of time `written`: then equal times prove nothing.
    pub(super) fn is_racy(self, written: Self) -> bool {
        let known = self.nanoseconds != 0 && written.nanoseconds != 0;
        self.seconds > written.seconds || self.seconds == written.seconds && (!known || self.nanoseconds >= written.nanoseconds)
    }
}

impl Index {
    /// Of files by path, of which no time is known: none is believed to be as it was.
    pub(super) fn of_files(files: BTreeMap<Vec<u8>, (ObjectId, EntryKind)>) -> Self {
        let mut index = Self::default();
        for (path, (id, kind)) in files {
            let start = index.paths.len();
            index.paths.extend(path);
            let path = start..index.paths.len();
            let mtime = Mtime::from_ns(0);
            index.entries.push(Entry { path, id, kind, size: 0, mtime, is_conflict: false, is_unwatched: false });
        }
        index
    }

    /// Decodes an index of version 2, 3 or 4 with SHA-1 ids. Its checksum is not verified.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, &'static str> {
        let body = bytes.len().checked_sub(CHECKSUM_BYTES).and_then(|end| bytes.get(..end)).ok_or("it is cut off")?;
        let mut reader = Reader { bytes: body, at: 0 };
        if reader.take(4)? != b"DIRC" {
            return Err("it is not an index");
        }
        let version = reader.u32()?;
        if !(2..=4).contains(&version) {
            return Err("its version is unknown");
        }
        let n_entries = reader.u32()?;
        // What is not there takes no room, whatever the number says.
        let most = body.len() / MIN_ENTRY_BYTES;
        let entries = Vec::with_capacity(most.min(n_entries as usize));
        let mut index = Self { entries, paths: Vec::with_capacity(body.len()), ..Self::default() };
        let mut path = Vec::new();
        for _ in 0..n_entries {
            index.entry(&mut reader, version, &mut path)?;
        }
        index.extensions(&mut reader)?;
        Ok(index)
    }

    /// The path of an entry of this index, as bytes.
    pub(super) fn path(&self, entry: &Entry) -> &[u8] {
        self.paths.get(entry.path.clone()).unwrap_or_default()
    }

    /// The entries below `folder` (with trailing slash, empty for the root).
    pub(super) fn below(&self, folder: &[u8]) -> Range<usize> {
        let start = self.entries.partition_point(|entry| self.path(entry) < folder);
        let rest = self.entries.get(start..).unwrap_or_default();
        start..start + rest.partition_point(|entry| self.path(entry).starts_with(folder))
    }

    /// Whether a file, or any file in a folder, is an entry.
    pub(in super::super) fn tracks(&self, path: &[u8], is_folder: bool) -> bool {
        if is_folder {
            return !self.below(&[path, b"/"].concat()).is_empty();
        }
        let at = self.entries.partition_point(|entry| self.path(entry) < path);
        self.entries.get(at).is_some_and(|entry| self.path(entry) == path)
    }

    fn entry(&mut self, reader: &mut Reader<'_>, version: u32, path: &mut Vec<u8>) -> Result<(), &'static str> {
        let start = reader.at;
        reader.take(8)?; // ctime
        let mtime = Mtime { seconds: reader.u32()?, nanoseconds: reader.u32()? };
        reader.take(8)?; // device and inode
        let mode = reader.u32()?;
        reader.take(8)?; // user and group
        let size = reader.u32()?;
        let id = reader.id()?;
        let flags = reader.u16()?;
        let extended = if version >= 3 && flags & EXTENDED != 0 { reader.u16()? } else { 0 };
        if version == 4 {
            let kept = path.len().checked_sub(reader.length()?).ok_or("a path is cut by more than it has")?;
            path.truncate(kept);
            path.extend_from_slice(reader.until(0)?);
        } else {
            path.clear();
            path.extend_from_slice(reader.until(0)?);
            // The zero byte is part of a padding to a multiple of eight.
            let padding = (8 - (reader.at - start) % 8) % 8;
            reader.take(padding)?;
        }
        let from = self.paths.len();
        self.paths.extend_from_slice(path);
        if self.paths.len() > MAX_PATH_BYTES {
            return Err("its paths are too long");
        }
        self.entries.push(Entry {
            path: from..self.paths.len(),
            id,
            kind: match mode & MODE_TYPE {
                0o120_000 => EntryKind::Link,
                0o160_000 => EntryKind::Submodule,
                0o040_000 => EntryKind::Folder,
                _ => EntryKind::File,
            },
            size,
            mtime,
            is_conflict: flags & STAGE != 0,
            is_unwatched: flags & ASSUME_VALID != 0 || extended & SKIP_WORKTREE != 0,
        });
        Ok(())
    }

    fn extensions(&mut self, reader: &mut Reader<'_>) -> Result<(), &'static str> {
        while reader.at < reader.bytes.len() {
            let name = reader.take(4)?;
            let length = reader.u32()? as usize;
            let data = reader.take(length)?;
            match name {
                // Known trees only save time; from a damaged list those before the damage are taken.
                b"TREE" => _ = self.known_trees(&mut Reader { bytes: data, at: 0 }),
                b"link" => return Err("it is split over two files (`core.splitIndex`)"),
                _ => {}
            }
        }
        Ok(())
    }

    /// Decodes the tree of known trees: each folder is followed by the folders in it.
    fn known_trees(&mut self, reader: &mut Reader<'_>) -> Result<(), &'static str> {
        /// A folder whose subfolders are being read: the length of its path and how many are left.
        struct Open {
            path: usize,
            n_left: usize,
        }
        let mut path = Vec::new();
        let mut open = vec![Open { path: 0, n_left: 1 }];
        while let Some(folder) = open.last_mut() {
            if folder.n_left == 0 {
                open.pop();
                continue;
            }
            folder.n_left -= 1;
            path.truncate(folder.path);
            let name = reader.until(0)?;
            if !name.is_empty() {
                path.extend_from_slice(name);
                path.push(b'/');
            }
            if path.len() > MAX_FOLDER_BYTES {
                return Err("a folder's path is too long");
            }
            let is_valid = reader.until(b' ')?.first() != Some(&b'-');
            let n_left = decimal(reader.until(b'\n')?)?;
            if is_valid {
                self.trees.insert(path.clone(), reader.id()?);
            }
            open.push(Open { path: path.len(), n_left });
        }
        Ok(())
    }
}

/// Reads numbers and texts from the front of some bytes, never past their end.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], &'static str> {
        let end = self.at.checked_add(length).ok_or("it is cut off")?;
        let taken = self.bytes.get(self.at..end).ok_or("it is cut off")?;
        self.at = end;
        Ok(taken)
    }

    fn u16(&mut self) -> Result<u16, &'static str> {
        Ok(self.take(2)?.iter().fold(0, |value, byte| value << 8 | u16::from(*byte)))
    }

    fn u32(&mut self) -> Result<u32, &'static str> {
        Ok(self.take(4)?.iter().fold(0, |value, byte| value << 8 | u32::from(*byte)))
    }

    fn id(&mut self) -> Result<ObjectId, &'static str> {
        ObjectId::try_from(self.take(ID_BYTES)?).map_err(|_| "an id is malformed")
    }

    /// The bytes up to `end`, which is passed over.
    fn until(&mut self, end: u8) -> Result<&'a [u8], &'static str> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == end).ok_or("it is cut off")?;
        self.at += length + 1;
        Ok(&rest[..length])
    }

    /// A length of seven bits a byte, each continued byte counting one more than its bits say.
    fn length(&mut self) -> Result<usize, &'static str> {
        let mut value = 0_usize;
        loop {
            let byte = usize::from(self.take(1)?[0]);
            value |= byte & 0x7f;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            value = (value + 1).checked_mul(0x80).ok_or("a length is malformed")?;
        }
    }
}

fn decimal(digits: &[u8]) -> Result<usize, &'static str> {
    std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).ok_or("a number is malformed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An index with one entry `a/b` and the given extension.
    fn index(name: &[u8], data: &[u8]) -> Vec<u8> {
        let mut bytes = b"DIRC\0\0\0\x02\0\0\0\x01".to_vec();
        bytes.extend([0; 24]);
        bytes.extend(0o100_644_u32.to_be_bytes());
        bytes.extend([0; 8]);
        bytes.extend(3_u32.to_be_bytes());
        bytes.extend([7; ID_BYTES]);
        bytes.extend(b"\0\x03a/b\0\0\0\0\0\0\0");
        bytes.extend(name);
        bytes.extend((data.len() as u32).to_be_bytes());
        bytes.extend(data);
        bytes.extend([0; CHECKSUM_BYTES]);
        bytes
    }

    #[test]
    fn known_trees_nested_deeper_than_any_stack_are_no_harm() {
        let data = b"x\x000 1\n".iter().chain(&[7; ID_BYTES]).copied().collect::<Vec<u8>>().repeat(200_000);
        let index = Index::decode(&index(b"TREE", &data)).expect("an index");
        assert_eq!(index.entries.len(), 1);
        assert!(index.trees.len() <= MAX_FOLDER_BYTES);
    }

    #[test]
    fn a_split_index_is_refused_by_name() {
        assert_eq!(Index::decode(&index(b"link", b"")).err(), Some("it is split over two files (`core.splitIndex`)"));
    }

    proptest! {
        #[test]
        fn damaged_bytes_are_refused_or_read_but_never_a_panic(at in 0_usize..140, byte in any::<u8>(), cut in 0_usize..160) {
            let mut bytes = index(b"TREE", b"\x001 1\n\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07a\x001 0\n");
            if let Some(old) = bytes.get_mut(at) {
                *old = byte;
            }
            bytes.truncate(cut);
            if let Ok(index) = Index::decode(&bytes) {
                index.below(b"a/");
                index.entries.iter().for_each(|entry| _ = index.path(entry));
            }
        }
    }
}
