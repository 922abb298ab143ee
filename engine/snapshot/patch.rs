//! A snapshot after a few edits that do not show outside of their files: the fact base of before with only these taken apart anew.
//!
//! Must not know what facts lead to. Whenever something is missing or does not fit, the base is built from all files instead.

use super::records::{InMemory, Kept, Reading, Seen, UNREAD, find, key, writes};
use super::{Progress, Source, known_ctime};
use crate::cache::{Cache, RecordKey};
use crate::error::Problem;
use crate::facts::base::FactBase;
use crate::facts::build::{Edit, patch};
use crate::facts::extract::{FileRecord, extract};
use crate::facts::outline::outline;
use crate::repo::{FileEntry, Walk};
use activate_grammars::FileFacts;
use activate_rules::atoms::NodeId;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The tables of the resolver, with what they belong to.
#[derive(Debug, Clone, Default)]
pub(super) struct Tables(Arc<[u8]>);

/// The name of the tables in a cache.
const TABLES: &str = "tables";

impl Tables {
    /// The tables that were made with a base.
    pub(super) fn of(base: &FactBase, tables: &[u8]) -> Self {
        if tables.is_empty() { Self::default() } else { Self([&stamp(base)[..], tables].concat().into()) }
    }

    /// Keeps them in a cache.
    pub(super) fn write(&self, cache: &Cache, source: &Source<'_>) -> Option<Problem> {
        cache.write_blob(source.repo.root_text(), TABLES, &self.0).err()
    }

    /// The tables themselves, if they are those of a base.
    fn fitting(&self, base: &FactBase) -> Option<&[u8]> {
        self.0.strip_prefix(&stamp(base)[..])
    }
}

/// What the tables of a base follow from: the program and what all files show.
fn stamp(base: &FactBase) -> [u8; size_of::<u128>()] {
    Cache::key(&[env!("ACTIVATE_FACTS_HASH").as_bytes(), base.outlines()]).to_bytes()
}

/// A patched snapshot.
pub(super) struct Patched {
    pub(super) base: FactBase,
    /// Files that were taken apart.
    pub(super) n_extracted: usize,
    /// What could not be kept.
    pub(super) problems: Vec<Problem>,
    pub(super) kept: Kept,
}

/// A file with new content.
struct Changed<'a> {
    entry: &'a FileEntry,
    file: NodeId,
    hash: u128,
    /// Whether it was so before.
    is_known: bool,
    old: FileRecord,
    new: FileRecord,
}

impl Source<'_> {
    /// The base after what was seen, if that shows nowhere but in the files themselves.
    pub(super) fn patch(
        &self,
        base: &FactBase,
        walk: &Walk,
        reading: &Reading<'_>,
        seen: &[Seen],
        kept: &Kept,
    ) -> Option<Patched> {
        let files: Vec<(&FileEntry, NodeId, &Seen)> =
            walk.files.iter().zip(base.files()).zip(seen).map(|((entry, file), seen)| (entry, file, seen)).collect();
        let is_same_list = base.n_files() as usize == walk.files.len()
            && files.iter().all(|(entry, file, _)| base.path(*file) == entry.path.as_str());
        if !is_same_list || self.repo.is_at_commit() {
            return None;
        }
        (self.progress)(Progress::Resolving);
        let tables = self.tables(base, kept)?;
        let records = self.cache.map(|cache| cache.records(self.repo.shared_text())).unwrap_or_default();
        let find = |path: &str, hash: u128| find(&records, kept, key(path, hash)).filter(|_| hash != UNREAD);
        let is_changed = |(_, file, seen): &&(&FileEntry, NodeId, &Seen)| seen.hash() != Some(base.hash(*file));
        let changed = files.par_iter().filter(is_changed).map(|(entry, file, seen)| {
            let Seen::Read(hash, content) = seen else { return None };
            let old = find(entry.path.as_str(), base.hash(*file))?;
            let known = find(entry.path.as_str(), *hash);
            let is_known = known.is_some();
            let new = known.unwrap_or_else(|| extract(entry.path.as_str(), Some(content)));
            Some(Changed { entry, file: *file, hash: *hash, is_known, old, new })
        });
        let changed: Vec<Changed<'_>> = changed.collect::<Option<_>>()?;
        let read = |file: NodeId| {
            let known = find(base.path(file), base.hash(file)).map(|record| record.facts);
            known.or_else(|| read_again(base, files.get(file.0 as usize)?.0, file, reading))
        };
        let sections = patch(base, tables.fitting(base)?, &edits(base, walk, &changed), &read)?;
        (self.progress)(Progress::Writing);
        let cache = self.cache.filter(|_| self.keeps && !kept.has_secret_path);
        let (patched, unwritten) = self.written(cache, &sections);
        let mut problems = Vec::from_iter(unwritten);
        let new: Vec<(RecordKey, Vec<u8>)> = changed
            .iter()
            .filter_map(|each| Some((key(each.entry.path.as_str(), each.hash), postcard::to_allocvec(&each.new).ok()?)))
            .collect();
        let keys = || patched.files().map(|file| key(patched.path(file), patched.hash(file)));
        let kept = if writes(self).is_some() {
            problems.extend(self.write_records(&new, keys()).err());
            Arc::clone(kept)
        } else {
            let new: FxHashMap<RecordKey, Arc<[u8]>> = new.into_iter().map(|(key, bytes)| (key, bytes.into())).collect();
            let record = |key: RecordKey| Some((key, Arc::clone(new.get(&key).or_else(|| kept.records.get(&key))?)));
            let records = keys().filter_map(record).collect();
            Arc::new(InMemory { records, tables: kept.tables.clone(), has_secret_path: kept.has_secret_path })
        };
        Some(Patched { base: patched, n_extracted: changed.iter().filter(|each| !each.is_known).count(), problems, kept })
    }

    /// The tables that fit a base.
    fn tables(&self, base: &FactBase, kept: &Kept) -> Option<Tables> {
        let cached = || self.cache?.blob(self.repo.root_text(), TABLES).map(|bytes| Tables(bytes.into()));
        let in_memory = Some(kept.tables.clone()).filter(|tables| tables.fitting(base).is_some());
        in_memory.or_else(cached)
    }

    /// Keeps new records; `keys` are those of all files.
    fn write_records(&self, new: &[(RecordKey, Vec<u8>)], keys: impl Iterator<Item = RecordKey>) -> Result<(), Problem> {
        let Some(cache) = self.cache else { return Ok(()) };
        let mut spool = cache.spool(self.repo.shared_text())?;
        let places: Result<Vec<_>, Problem> = new.iter().map(|(key, bytes)| Ok((*key, spool.put(bytes)?))).collect();
        let mut keys: Vec<RecordKey> = keys.collect();
        keys.sort_unstable();
        cache.write_records(self.repo.shared_text(), (&places?, &spool), &|key| keys.binary_search(&key).is_ok())
    }
}

/// The facts of a file whose record is lost, if it still shows what it did.
fn read_again(base: &FactBase, entry: &FileEntry, file: NodeId, reading: &Reading<'_>) -> Option<FileFacts> {
    let Seen::Read(_, content) = reading.look_at(entry) else { return None };
    let record = extract(entry.path.as_str(), Some(&content));
    (outline(entry.path.as_str(), &record) == base.outline(file)).then_some(record.facts)
}

/// All files that are not as the base has them, be it only their times.
fn edits<'a>(base: &FactBase, walk: &Walk, changed: &'a [Changed<'a>]) -> Vec<Edit<'a>> {
    let mut changed = changed.iter().peekable();
    let edit = |(entry, file): (&FileEntry, NodeId)| {
        let changed = changed.next_if(|each| each.file == file);
        let times = (entry.size, entry.mtime_ns, known_ctime(walk, entry));
        let is_same = times == (base.size(file), base.mtime(file), base.ctime(file));
        (changed.is_some() || !is_same).then(|| Edit {
            file,
            size: entry.size,
            mtime_ns: entry.mtime_ns,
            ctime_ns: times.2,
            hash: changed.map_or_else(|| base.hash(file), |each| each.hash),
            records: changed.map(|each| (&each.old, &each.new)),
        })
    };
    walk.files.iter().zip(base.files()).filter_map(edit).collect()
}
