//! What each file of a snapshot yields: read and extracted again, or known from the last time.
//!
//! Files are extracted some hundred at a time. Of these, what is only needed later is put aside at once: their words go into the index,
//! the bytes of their records to disk.

use super::known::Known;
use super::memory::{Gate, TooLarge, for_extraction};
use super::words::Words;
use super::{Progress, Source, facts_version};
use crate::base::FactBase;
use crate::extract::{FileRecord, MAX_TEXT_BYTES, extract};
use crate::text::TextFacts;
use activate_grammars::FileFacts;
use activate_rules::atoms::NodeId;
use cache::{Cache, RecordKey, Records, Spool};
use error::Problem;
use rayon::prelude::*;
use repo::FileEntry;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The content hash of a file that was not read.
pub const UNREAD: u128 = 0;

/// Files that are extracted before what they yield is put aside: enough to keep all threads busy, few enough to be small together.
const FILES_AT_ONCE: usize = 256;

/// Files that are extracted before what they yield is kept for the first time, where it is kept on the way.
const FLUSHED_FILES: usize = 2_048;

/// The records of a snapshot by key, as a cache would hold them: kept in memory where there is no cache, so that the next snapshot of the
/// process extracts only what changed. They take, with the tables, about as much memory as the fact base (1 to 4 MB for repositories of some hundred
/// files, measured 2026-11-21), and one snapshot's are let go with it.
pub(super) type Kept = Arc<InMemory>;

/// What a cache would hold.
#[derive(Default)]
pub(super) struct InMemory {
    pub(super) records: FxHashMap<RecordKey, Arc<[u8]>>,
    /// Whether a path is a secret, so that no base is kept on disk.
    pub(super) has_secret_path: bool,
}

/// The key of the record of a file.
pub(super) fn key(path: &str, hash: u128) -> RecordKey {
    Cache::key(&[&facts_version(), path.as_bytes(), &hash.to_le_bytes()])
}

/// What was found out about one listed file.
pub(super) enum Seen {
    /// As it was when it was last read.
    Same(u128),
    /// Read: hash and content.
    Read(u128, Vec<u8>),
    /// Too large, or not readable: why.
    Unread(Option<Problem>),
    /// Read and extracted.
    Taken(Box<(Made, FileRecord)>),
    /// Not looked at yet.
    Unlooked,
    /// Not to be taken apart: what was found in it.
    LeftOut(Box<FileRecord>),
}

impl Seen {
    /// The hash of the content, once it was looked at.
    pub(super) fn hash(&self) -> Option<u128> {
        match self {
            Self::Same(hash) | Self::Read(hash, _) => Some(*hash),
            Self::Unread(_) | Self::LeftOut(_) => Some(UNREAD),
            Self::Taken(taken) => Some(taken.0.hash),
            Self::Unlooked => None,
        }
    }

    /// Why it was not read, if it was not.
    pub(super) fn problem(&self) -> Option<&Problem> {
        if let Self::Unread(problem) = self { problem.as_ref() } else { None }
    }

    /// The content, and why there is none, if it was to be read.
    fn read(self) -> (Option<Vec<u8>>, Option<Problem>) {
        match self {
            Self::Read(_, content) => (Some(content), None),
            Self::Unread(problem) => (None, problem),
            Self::Same(_) | Self::Taken(_) | Self::Unlooked | Self::LeftOut(_) => (None, None),
        }
    }
}

/// What became of a file.
pub(super) struct Made {
    /// The hash of its content.
    pub(super) hash: u128,
    /// Why it was not read, if it was not.
    pub(super) problem: Option<Problem>,
    key: RecordKey,
    bytes: Stored,
}

impl Made {
    /// The bytes of the record and their key, if nobody keeps them yet.
    pub(super) fn unkept(&self) -> Option<(RecordKey, &[u8])> {
        if let Stored::Here(bytes) = &self.bytes { Some((self.key, bytes)) } else { None }
    }
}

/// Where the bytes of a record are.
enum Stored {
    /// Where they were the last time.
    Known,
    /// Here.
    Here(Vec<u8>),
    /// On disk.
    Aside(Range<u64>),
    /// Nowhere.
    Lost,
}

/// What all files yielded.
pub(super) struct Taken<'s, 'k> {
    /// By file; none where the bytes are on disk.
    records: Vec<Option<FileRecord>>,
    /// By file.
    pub(super) made: Vec<Made>,
    /// The words of all files; the records have none any more.
    pub(super) words: Words,
    /// Files that were extracted.
    pub(super) n_extracted: usize,
    source: &'s Source<'s>,
    known: Option<&'k Known<'k>>,
    /// Where bytes of records are put that are to be written.
    spool: Option<Spool<'s>>,
    /// Whether no more can be put there.
    is_full: bool,
    /// How many of the files have their records in the cache already, and how many that were extracted are among them.
    n_written: usize,
    n_extracted_written: usize,
    problems: Vec<Problem>,
}

/// Looks at files and counts them.
pub(super) struct Reading<'s> {
    source: &'s Source<'s>,
    n_looked_at: AtomicUsize,
    n_read: AtomicUsize,
    n_to_read: usize,
    too_large: TooLarge,
    gate: Gate,
}

impl<'s> Reading<'s> {
    /// Will look at so many of these files.
    pub(super) fn new(source: &'s Source<'s>, files: &[FileEntry], n_to_read: usize) -> Self {
        let (too_large, gate) = (TooLarge::of(files, source.memory), Gate::new(for_extraction(source.memory)));
        Self { source, n_looked_at: AtomicUsize::new(0), n_read: AtomicUsize::new(0), n_to_read, too_large, gate }
    }

    /// Whether a file is left out for the memory that it and others would take.
    pub(super) fn leaves_out(&self, entry: &FileEntry) -> bool {
        self.too_large.holds(entry)
    }

    /// Files read so far.
    pub(super) fn n_read(&self) -> usize {
        self.n_read.load(Ordering::Relaxed)
    }

    /// Reads a file.
    pub(super) fn look_at(&self, entry: &FileEntry) -> Seen {
        let n_looked_at = self.n_looked_at.fetch_add(1, Ordering::Relaxed);
        (self.source.progress)(Progress::Reading(n_looked_at, self.n_to_read.max(n_looked_at)));
        if entry.size > MAX_TEXT_BYTES {
            return Seen::Unread(Some(Problem::at("read", &entry.path, "larger than 16 MiB; only its path is searched")));
        }
        if self.leaves_out(entry) {
            let why = "one of many large files; only its path is searched (`--memory` sets how much is read)";
            return Seen::Unread(Some(Problem::at("read", &entry.path, why)));
        }
        match self.source.repo.read(&entry.path, MAX_TEXT_BYTES) {
            Ok(content) => {
                self.n_read.fetch_add(1, Ordering::Relaxed);
                Seen::Read(xxhash_rust::xxh3::xxh3_128(&content), content)
            }
            Err(error) => Seen::Unread(Some(Problem::at("read", &entry.path, format!("{error}; only its path is searched")))),
        }
    }

    /// Takes files apart, as far as nobody knows what they yield; `kept` has records of the last time. The words of files that are as a fact
    /// base knows them are taken from there.
    pub(super) fn extract_all<'k>(
        &self,
        files: &[FileEntry],
        mut seen: Vec<Seen>,
        kept: &Kept,
        known: Option<&'k Known<'k>>,
    ) -> Taken<'s, 'k> {
        let source = self.source;
        let records = source.records();
        let find = |key: RecordKey| find(&records, kept, key);
        let mut taken = Taken::new(source, files.len(), known);
        let mut ready: Vec<(Made, FileRecord)> = Vec::new();
        let n_files = files.len();
        let mut parts = files.chunks(FILES_AT_ONCE).zip(seen.chunks_mut(FILES_AT_ONCE)).zip((0..).step_by(FILES_AT_ONCE));
        loop {
            let part = parts.next();
            let is_last = part.is_none();
            let ((files, seen), first) = part.unwrap_or_default();
            let record = |(at, (entry, seen)): (usize, (&FileEntry, &mut Seen))| {
                let hash = known.and_then(|known| Some(known.base.hash(known.compared(first + at)?)));
                let known = hash.map(|hash| key(entry.path.as_str(), hash));
                // It may change while this runs: then its words are needed.
                let facts = |key: RecordKey| if Some(key) == known { facts_of(stored(&records, kept, key)?) } else { find(key) };
                self.record(entry, seen, &facts)
            };
            let made = || files.par_iter().zip(seen).enumerate().map(record).collect();
            let (made, ()) = rayon::join(made, || {
                taken.put_aside(std::mem::take(&mut ready));
                taken.flush(n_files, is_last);
            });
            ready = made;
            if is_last {
                return taken;
            }
        }
    }

    /// Takes apart what was read of a file.
    pub(super) fn extract(&self, path: &str, content: Option<&[u8]>) -> FileRecord {
        let is_parsed = activate_grammars::language_of(path).is_some();
        self.gate.pass(content.map_or(0, <[u8]>::len), is_parsed, || extract(path, content))
    }

    /// Takes a file apart whose record was lost on disk.
    fn again(&self, entry: &FileEntry, made: &mut Made) -> FileRecord {
        let seen = self.look_at(entry);
        made.hash = seen.hash().unwrap_or(UNREAD);
        made.bytes = Stored::Lost;
        let content;
        (content, made.problem) = seen.read();
        FileRecord { words: TextFacts::default(), ..self.extract(entry.path.as_str(), content.as_deref()) }
    }

    /// What a file yields: extracted, unless that is known.
    pub(super) fn record(
        &self,
        entry: &FileEntry,
        seen: &mut Seen,
        find: &(dyn Fn(RecordKey) -> Option<FileRecord> + Sync),
    ) -> (Made, FileRecord) {
        if let Seen::Taken(_) = seen
            && let Seen::Taken(taken) = std::mem::replace(seen, Seen::Unlooked)
        {
            return *taken;
        }
        let path = entry.path.as_str();
        if let Seen::LeftOut(record) = seen {
            // Nothing of that is kept: the next task has other words.
            let made = Made { hash: UNREAD, problem: None, key: key(path, UNREAD), bytes: Stored::Known };
            return (made, std::mem::take(record));
        }
        if matches!(seen, Seen::Unlooked) {
            *seen = self.look_at(entry);
        }
        let key = |hash: u128| key(path, hash);
        let mut hash = seen.hash().unwrap_or(UNREAD);
        let mut known = find(key(hash));
        if known.is_none() && matches!(seen, Seen::Same(_)) {
            *seen = self.look_at(entry);
            hash = seen.hash().unwrap_or(UNREAD);
            known = find(key(hash));
        }
        // Why a file was not read is said each time, whatever is known of it.
        let (content, problem) = std::mem::replace(seen, Seen::Unlooked).read();
        let (record, bytes) = if let Some(record) = known {
            (record, Stored::Known)
        } else {
            let record = self.extract(path, content.as_deref());
            let bytes = postcard::to_allocvec(&record).map_or(Stored::Lost, Stored::Here);
            (record, bytes)
        };
        (Made { hash, problem, key: key(hash), bytes }, record)
    }
}

impl Source<'_> {
    /// What the cache knows of files.
    pub(super) fn records(&self) -> Records {
        self.cache.map(|cache| cache.records(self.repo.shared_text())).unwrap_or_default()
    }
}

/// The facts of a file as a base knows it, where they are kept.
pub(super) fn facts(records: &Records, kept: &Kept, base: &FactBase, file: NodeId) -> Option<FileFacts> {
    Some(facts_of(stored(records, kept, key(base.path(file), base.hash(file)))?)?.facts)
}

/// The record of a file as a base knows it, without its words, where it is kept.
pub(super) fn record(records: &Records, kept: &Kept, base: &FactBase, file: NodeId) -> Option<FileRecord> {
    facts_of(stored(records, kept, key(base.path(file), base.hash(file)))?)
}

/// The words of a file as a base knows it, where they are kept.
pub(super) fn words(records: &Records, kept: &Kept, base: &FactBase, file: NodeId) -> Option<TextFacts> {
    Some(find(records, kept, key(base.path(file), base.hash(file)))?.words)
}

/// The bytes of the record with a key, from the cache or from the last time.
fn stored<'r>(records: &'r Records, kept: &'r Kept, key: RecordKey) -> Option<&'r [u8]> {
    records.get(key).or_else(|| kept.records.get(&key).map(AsRef::as_ref))
}

/// The record with a key, from the cache or from the last time.
pub(super) fn find(records: &Records, kept: &Kept, key: RecordKey) -> Option<FileRecord> {
    let mut record: FileRecord = postcard::from_bytes(stored(records, kept, key)?).ok()?;
    record.facts.shrink_to_fit();
    Some(record)
}

/// A record without its words.
fn facts_of(bytes: &[u8]) -> Option<FileRecord> {
    let mut record = FileRecord::without_words(bytes)?;
    record.facts.shrink_to_fit();
    Some(record)
}

/// The record of a file whose bytes are on disk, without its words.
fn back(spool: Option<&Spool<'_>>, made: &Made) -> Option<FileRecord> {
    let Stored::Aside(place) = &made.bytes else { return None };
    facts_of(&spool?.get(place).ok()?)
}

impl<'s, 'k> Taken<'s, 'k> {
    fn new(source: &'s Source<'s>, n_files: usize, known: Option<&'k Known<'k>>) -> Self {
        let mut problems = Vec::new();
        let spool = writes(source).and_then(|cache| match cache.spool(source.repo.shared_text()) {
            Ok(spool) => Some(spool),
            Err(problem) => {
                problems.push(problem);
                None
            }
        });
        Self {
            records: Vec::with_capacity(n_files),
            made: Vec::with_capacity(n_files),
            words: Words::beside(known),
            n_extracted: 0,
            source,
            known,
            spool,
            is_full: false,
            n_written: 0,
            n_extracted_written: 0,
            problems,
        }
    }

    /// Adds files, in order.
    fn put_aside(&mut self, files: Vec<(Made, FileRecord)>) {
        for (mut made, mut record) in files {
            let old = self
                .known
                .filter(|_| matches!(made.bytes, Stored::Known))
                .and_then(|known| known.file(self.made.len(), made.hash));
            self.words.add(std::mem::take(&mut record.words), old.map(|file| file.0));
            self.n_extracted += usize::from(!matches!(made.bytes, Stored::Known));
            if let (Stored::Here(bytes), true) = (&made.bytes, writes(self.source).is_some()) {
                made.bytes = match self.spool.as_mut().filter(|_| !self.is_full).map(|spool| spool.put(bytes)) {
                    Some(Ok(place)) => Stored::Aside(place),
                    Some(Err(problem)) => {
                        self.problems.push(problem);
                        self.is_full = true;
                        Stored::Lost
                    }
                    None => Stored::Lost,
                };
            }
            self.records.push(Some(record).filter(|_| !matches!(made.bytes, Stored::Aside(_))));
            self.made.push(made);
        }
    }

    /// All records, by file. Those that are on disk come back now: they lie close together where trees and texts lay before, and not
    /// between these.
    pub(super) fn records(&mut self, reading: &Reading<'_>, files: &[FileEntry]) -> Vec<FileRecord> {
        let (records, spool) = (std::mem::take(&mut self.records), self.spool.as_ref());
        let all = records.into_par_iter().zip(&mut self.made).zip(files);
        all.map(|((record, made), entry)| {
            record.unwrap_or_else(|| back(spool, made).unwrap_or_else(|| reading.again(entry, made)))
        })
        .collect()
    }

    /// Keeps what there is as soon as it is as much again as was kept before: so little is written twice. What is much is kept before names are
    /// resolved, and all where somebody asks for it.
    fn flush(&mut self, n_files: usize, is_last: bool) {
        let Some(is_ending) = self.source.flushes else { return };
        let n_new = self.n_extracted - self.n_extracted_written;
        let n_due = if is_last { FLUSHED_FILES } else { FLUSHED_FILES.max(self.n_extracted_written) };
        if is_ending() || n_new >= n_due {
            let problems = self.write_records(true);
            if problems.is_empty() {
                (self.n_written, self.n_extracted_written) = (self.made.len(), self.n_extracted);
                (self.source.progress)(Progress::Kept(self.made.len(), n_files));
            }
            self.problems.extend(problems);
        }
    }

    /// Writes the new records to the cache, and gives what stood in the way. Where not all files were looked at, all old ones stay.
    pub(super) fn write_records(&mut self, is_partial: bool) -> Vec<Problem> {
        let mut problems = std::mem::take(&mut self.problems);
        let is_new = self.n_extracted > self.n_extracted_written;
        if let (Some(cache), Some(spool)) = (writes(self.source).filter(|_| is_new), &self.spool) {
            let new = self.made[self.n_written..].iter().filter_map(|made| match &made.bytes {
                Stored::Aside(place) => Some((made.key, place.clone())),
                _ => None,
            });
            let new: Vec<(RecordKey, Range<u64>)> = new.collect();
            let mut keys: Vec<RecordKey> = self.made.iter().map(|made| made.key).collect();
            keys.sort_unstable();
            let is_needed = |key: RecordKey| is_partial || keys.binary_search(&key).is_ok();
            let repository = self.source.repo.shared_text();
            problems.extend(cache.write_records(repository, (&new, spool), &is_needed).err());
        }
        problems
    }

    /// The records that were made, or were known from the last time, where no cache keeps them.
    pub(super) fn keep(self, last: &Kept, has_secret_path: bool) -> Kept {
        if writes(self.source).is_some() {
            return Arc::new(InMemory { has_secret_path, ..InMemory::default() });
        }
        let keep = |made: Made| {
            let bytes = match made.bytes {
                Stored::Here(bytes) => Arc::from(bytes),
                _ => Arc::clone(last.records.get(&made.key)?),
            };
            Some((made.key, bytes))
        };
        Arc::new(InMemory { records: self.made.into_iter().filter_map(keep).collect(), has_secret_path })
    }
}

/// The cache that records are written to. They are those of the folder: what a commit alone has would be in their way.
pub(super) fn writes<'s>(source: &Source<'s>) -> Option<&'s Cache> {
    source.cache.filter(|_| source.keeps && !source.repo.is_at_commit())
}

#[cfg(test)]
mod tests {
    use super::{Cache, Made, Reading, Source, Stored};
    use repo::testing::Scratch;
    use repo::{Alternates, Repo, WalkOptions};

    #[test]
    fn a_file_that_is_gone_when_its_record_is_lost_is_told() {
        let scratch = Scratch::new();
        scratch.write("a.go", "package a\n");
        let (repo, walk) = (Repo::open(scratch.path()).expect("a repository"), WalkOptions::default());
        let (alternates, memory) = (Alternates::default(), super::super::DEFAULT_MEMORY);
        let source = Source {
            repo: &repo,
            cache: None,
            keeps: false,
            walk: &walk,
            alternates,
            memory,
            flushes: None,
            first: None,
            progress: &|_| (),
        };
        let entry = &repo.walk(&walk).expect("a list").files[0];
        let told = || {
            let mut made = Made { hash: 1, problem: None, key: Cache::key(&[]), bytes: Stored::Lost };
            Reading::new(&source, &[], 1).again(entry, &mut made);
            made.problem.map(|problem| (problem.stage, problem.path))
        };
        assert_eq!(told(), None);
        scratch.remove("a.go");
        assert_eq!(told(), Some(("read".into(), Some("a.go".into()))));
    }
}
