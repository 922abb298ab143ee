//! A snapshot after a few edits that do not show outside of their files: the fact base of before with only these extracted again.
//!
//! Whenever something is missing or does not fit, the base is built from all files instead.

use super::records::{InMemory, Kept, Made, Reading, Seen, UNREAD, find, key, writes};
use super::{Progress, Source, known_ctime};
use crate::base::FactBase;
use crate::build::{Edit, patch};
use crate::extract::FileRecord;
use crate::outline::outline;
use activate_grammars::FileFacts;
use activate_rules::atoms::NodeId;
use cache::{Cache, RecordKey};
use error::Problem;
use rayon::prelude::*;
use repo::{FileEntry, Walk};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A snapshot in which no file shows anything else.
pub(super) struct Patched {
    pub(super) base: FactBase,
    /// Files that were extracted.
    pub(super) n_extracted: usize,
    /// Files whose sites were resolved.
    pub(super) n_resolved: usize,
    /// What could not be kept.
    pub(super) problems: Vec<Problem>,
    pub(super) kept: Kept,
}

/// A file with another content.
struct Edited<'a> {
    file: NodeId,
    made: &'a Made,
    new: &'a FileRecord,
    old: FileRecord,
}

/// Records by key, as bytes.
type Bytes = Vec<(RecordKey, Vec<u8>)>;

impl Source<'_> {
    /// The base after what was seen, if that shows nowhere but in the files themselves. The files are those of the base; those with
    /// another content are extracted afterwards.
    pub(super) fn patch(
        &self,
        base: &FactBase,
        walk: &Walk,
        reading: &Reading<'_>,
        seen: &mut [Seen],
        kept: &Kept,
    ) -> Option<Patched> {
        if self.repo.is_at_commit() {
            return None;
        }
        let records = self.cache.map(|cache| cache.records(self.repo.shared_text())).unwrap_or_default();
        let find = |key: RecordKey| find(&records, kept, key);
        let known = |path: &str, hash: u128| find(key(path, hash)).filter(|_| hash != UNREAD);
        walk.files.par_iter().zip(&mut *seen).enumerate().for_each(|(at, (entry, seen))| {
            if matches!(seen, Seen::Read(hash, _) if *hash != base.hash(NodeId(at as u32))) {
                *seen = Seen::Taken(Box::new(reading.record(entry, seen, &find)));
            }
        });
        let mut edited = Vec::new();
        for (file, seen) in base.files().zip(&*seen).filter(|(file, seen)| seen.hash() != Some(base.hash(*file))) {
            let Seen::Taken(taken) = seen else { return None };
            let (made, new) = &**taken;
            if outline(base.path(file), new) != base.outline(file) {
                return None;
            }
            edited.push(Edited { file, made, new, old: known(base.path(file), base.hash(file))? });
        }
        (self.progress)(Progress::Resolving);
        if base.tables().is_empty() {
            return None;
        }
        let lost = Mutex::new(Bytes::new());
        let read = |file: NodeId| {
            let record = known(base.path(file), base.hash(file)).map(|record| record.facts);
            record.or_else(|| read_again(base, walk.files.get(file.0 as usize)?, file, reading, &lost))
        };
        let parts = patch(base, &edits(base, walk, &edited), &read)?;
        (self.progress)(Progress::Writing);
        let cache = self.cache.filter(|_| self.keeps && !kept.has_secret_path);
        let (patched, unwritten) = self.written_next(cache, base, parts)?;
        let mut problems = Vec::from_iter(unwritten);
        let mut new = lost.into_inner().unwrap_or_else(PoisonError::into_inner);
        let n_lost = new.len();
        new.extend(edited.iter().filter_map(|each| each.made.unkept()).map(|(key, bytes)| (key, bytes.to_vec())));
        let n_extracted = new.len() - n_lost;
        let keys = || patched.files().map(|file| key(patched.path(file), patched.hash(file)));
        let kept = if let Some(cache) = writes(self) {
            problems.extend(self.write_records(cache, &new, keys()).err());
            Arc::clone(kept)
        } else {
            let new: FxHashMap<RecordKey, Arc<[u8]>> = new.into_iter().map(|(key, bytes)| (key, bytes.into())).collect();
            let record = |key: RecordKey| Some((key, Arc::clone(new.get(&key).or_else(|| kept.records.get(&key))?)));
            let records = keys().filter_map(record).collect();
            Arc::new(InMemory { records, has_secret_path: kept.has_secret_path })
        };
        Some(Patched { base: patched, n_extracted, n_resolved: edited.len(), problems, kept })
    }

    /// Keeps new records; `keys` are those of all files.
    fn write_records(&self, cache: &Cache, new: &Bytes, keys: impl Iterator<Item = RecordKey>) -> Result<(), Problem> {
        let mut spool = cache.spool(self.repo.shared_text())?;
        let places: Result<Vec<_>, Problem> = new.iter().map(|(key, bytes)| Ok((*key, spool.put(bytes)?))).collect();
        let mut keys: Vec<RecordKey> = keys.collect();
        keys.sort_unstable();
        cache.write_records(self.repo.shared_text(), (&places?, &spool), &|key| keys.binary_search(&key).is_ok())
    }
}

/// The facts of a file whose record is lost, if it still shows what it did. The record goes to `lost`, if it is that of the base.
fn read_again(base: &FactBase, entry: &FileEntry, file: NodeId, reading: &Reading<'_>, lost: &Mutex<Bytes>) -> Option<FileFacts> {
    let Seen::Read(hash, content) = reading.look_at(entry) else { return None };
    let path = entry.path.as_str();
    let record = reading.extract(path, Some(&content));
    let is_within = outline(path, &record) == base.outline(file);
    if hash == base.hash(file)
        && let Ok(bytes) = postcard::to_allocvec(&record)
    {
        lost.lock().unwrap_or_else(PoisonError::into_inner).push((key(path, hash), bytes));
    }
    is_within.then_some(record.facts)
}

/// All files that are not as the base has them, be it only their times.
fn edits<'a>(base: &FactBase, walk: &Walk, edited: &'a [Edited<'a>]) -> Vec<Edit<'a>> {
    let mut edited = edited.iter().peekable();
    let edit = |(entry, file): (&FileEntry, NodeId)| {
        let edited = edited.next_if(|each| each.file == file);
        let times = (entry.size, entry.mtime_ns, known_ctime(walk, entry));
        let is_same = times == (base.size(file), base.mtime(file), base.ctime(file));
        (edited.is_some() || !is_same).then(|| Edit {
            file,
            size: entry.size,
            mtime_ns: entry.mtime_ns,
            ctime_ns: times.2,
            hash: edited.map_or_else(|| base.hash(file), |each| each.made.hash),
            records: edited.map(|each| (&each.old, each.new)),
        })
    };
    walk.files.iter().zip(base.files()).filter_map(edit).collect()
}
