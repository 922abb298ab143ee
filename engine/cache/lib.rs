//! Host side of what a run leaves for the next: records by key, the fact base as mapped sections, small named blobs.
//!
//! Disposable by design: whatever is missing, damaged, of another version or of another repository is a miss, and whatever cannot be
//! written is a [`Problem`] and no error.

#![expect(clippy::disallowed_methods, reason = "a host module: the one that keeps files of ours")]

mod aligned;
mod base;
mod checked;
mod differences;
mod disk;
#[cfg(test)]
mod failing;
mod indexing;
mod map;
mod pack;
mod pieces;
mod records;
mod renumbering;
mod spool;
mod store;
#[cfg(test)]
mod tests;
mod view;

pub use base::Base;
pub use checked::state as settled_state;
pub use differences::Content;
pub use indexing::Indexing;
pub use map::map;
pub use pieces::Piece;
pub use records::{NewRecords, RecordKey, Records};
pub use renumbering::{Renumbering, Step};
pub use spool::Spool;
pub use view::View;

use disk::{Disk, System};
use error::{CACHE_STAGE, Problem};
use pack::{Identity, Pack, Read, digest};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use store::{Lasts, Store, Writer};

/// A blob, and every other small file, is a pack with one entry, whose key this is.
const BLOB_KEY: u128 = 0;

/// An open cache folder, for any number of repositories, processes and threads at once.
///
/// A repository is named by a text that is its own for good: its root's canonical path, or for records that of what its work trees have
/// in common. Records are found by path and content, so a tree finds in those of another nothing that its own files do not say. Readers
/// wait for nobody. A writer waits at most two seconds for another of the same repository and replaces whole files, so that a reader sees
/// all of a write or nothing.
#[derive(Debug)]
pub struct Cache {
    store: Store,
}

/// The files that a repository has in the cache.
#[derive(Debug, Clone, Copy)]
enum Part<'a> {
    Records,
    /// Records that were added since those above were written.
    Recent,
    Base,
    /// What became of the base since it was written whole.
    Changes,
    /// The state of the base in which every byte of it was checked.
    Checked,
    Blob(&'a str),
}

impl Cache {
    /// Opens the cache in `folder`, which is made with its parents if missing, readable by this user alone.
    ///
    /// The problem says why there is no cache: the folder is a link, belongs to another user, or cannot be made or opened.
    ///
    /// # Errors
    ///
    /// That the folder cannot be made or used.
    pub fn open(folder: &Path) -> Result<Self, Problem> {
        Self::open_on(folder, Box::new(System))
    }

    fn open_on(folder: &Path, disk: Box<dyn Disk>) -> Result<Self, Problem> {
        let store = Store::open(folder, disk).map_err(|error| {
            let folder = folder.to_string_lossy();
            let folder = folder.escape_debug();
            Problem::new(CACHE_STAGE, format!("`{folder}` cannot be the cache folder, so nothing is cached: {error}"))
        })?;
        Ok(Self { store })
    }

    /// Where the cache is if nobody says otherwise: below `XDG_CACHE_HOME`, else below `.cache` in `HOME`, on Windows below `LOCALAPPDATA`;
    /// `None` if neither is an absolute path.
    pub fn default_folder() -> Option<PathBuf> {
        system::UserFolder::Cache.path()
    }

    /// The key of a record whose content follows from `parts` and nothing else.
    ///
    /// A hash against chance only. Whoever makes two contents of one key fools the records of the own repository, no other's.
    pub fn key(parts: &[&[u8]]) -> RecordKey {
        RecordKey(digest(parts))
    }

    /// The records of a repository, none if there are none to be had.
    pub fn records(&self, repository: &str) -> Records {
        self.records_of(repository_id(repository))
    }

    fn records_of(&self, repository: u128) -> Records {
        // The small pack first: who replaces the large one in between has put into it what the small one held.
        let recent = self.map(repository, Part::Recent);
        let large = self.map(repository, Part::Records);
        Records::open(large.map(|(map, _)| map), recent.map(|(map, _)| map), repository)
    }

    /// Adds new records, in place of old ones with the same key; `is_needed` says which old ones this writer would ask for again.
    ///
    /// Writes the new records with the other recent ones, together a 64th of all at most, and now and then all. Old ones that are not needed
    /// stay until then, and after that as far as all take up to twice the bytes of those that are.
    ///
    /// # Errors
    ///
    /// That the disk is full or cannot be written; what was there before stays.
    pub fn write_records(
        &self,
        repository: &str,
        new: NewRecords<'_>,
        is_needed: &dyn Fn(RecordKey) -> bool,
    ) -> Result<(), Problem> {
        if new.0.is_empty() {
            return Ok(());
        }
        let repository = repository_id(repository);
        self.write(repository, |writer| {
            // Read under the lock, so that nothing another writer has just added is lost.
            let old = self.records_of(repository);
            let plan = old.plan(repository, new.0, is_needed);
            writer.replace(&plan.part.label(), Lasts::PowerCuts, |sink| old.write(sink, &plan, new))?;
            if matches!(plan.part, Part::Records) {
                // It is a miss from now on, whether it goes or not.
                let _ = writer.remove(&Part::Recent.label());
            }
            Ok(())
        })
    }

    /// A place outside of memory for bytes of a repository that are wanted again in this run.
    ///
    /// # Errors
    ///
    /// That the file cannot be made.
    pub fn spool(&self, repository: &str) -> Result<Spool<'_>, Problem> {
        Spool::new(&self.store, repository_id(repository)).map_err(|error| unwritten(&error))
    }

    /// The fact base of a repository, if one was written under `fingerprint` (see [`Base::build`]). Checks every byte of it, unless that was done
    /// and the file has not changed since.
    pub fn base(&self, repository: &str, fingerprint: u128) -> Option<Base> {
        self.base_at(repository, fingerprint, SystemTime::now())
    }

    fn base_at(&self, repository: &str, fingerprint: u128, now: SystemTime) -> Option<Base> {
        let repository = repository_id(repository);
        // The changes first: who replaces the whole base in between has put into it what they say.
        let changes = self.map(repository, Part::Changes);
        let (map, file) = self.map(repository, Part::Base)?;
        let state = checked::state(&file, now).map(u128::to_le_bytes);
        let is_checked =
            state.is_some_and(|state| self.read_small(repository, Part::Checked).is_some_and(|known| known == state));
        let read: Read<'_> = &|at, buffer| self.store.read(&file, at, buffer);
        let base = Base::open(map, (repository, fingerprint), (!is_checked).then_some(read))?;
        if let Some(state) = state.filter(|_| !is_checked) {
            // Where it cannot be noted now, the next process checks again.
            let _ =
                self.store.writer_at_once(repository).and_then(|writer| write_small(&writer, repository, Part::Checked, &state));
        }
        // Without its changes it is the base of files as they were earlier, as good as any other.
        Some(changes.and_then(|(map, _)| base.with_changes(map, repository)).unwrap_or(base))
    }

    /// The fact base that another process has put in the place of the one that `base` goes on from, if one did.
    pub fn another_base(&self, repository: &str, fingerprint: u128, base: &Base) -> Option<Base> {
        let id = repository_id(repository);
        let changes = self.map(id, Part::Changes);
        let kept = self.map(id, Part::Base).and_then(|(map, _)| Base::open(map, (id, fingerprint), None))?;
        if !kept.has_pack_of(base) {
            return self.base(repository, fingerprint);
        }
        base.with_changes(changes?.0, id).filter(|kept| !kept.has_changes_of(base))
    }

    /// Whether there is a fact base of a repository, of this version or another.
    pub fn has_base(&self, repository: &str) -> bool {
        self.map(repository_id(repository), Part::Base).is_some()
    }

    /// Keeps the fact base that [`Base::build`] would make of `sections`, in place of an older one, and gives it as it is kept; `None` if
    /// it cannot be opened again.
    ///
    /// # Errors
    ///
    /// That the disk is full or cannot be written; what was there before stays.
    pub fn write_base<B: AsRef<[u8]>>(
        &self,
        repository: &str,
        fingerprint: u128,
        sections: &[(&str, B)],
    ) -> Result<Option<Base>, Problem> {
        let id = repository_id(repository);
        self.write(id, |writer| {
            writer.replace(&Part::Base.label(), Lasts::Processes, |sink| Base::write(sink, id, fingerprint, sections))?;
            // They are a miss from now on, whether they go or not.
            let _ = writer.remove(&Part::Changes.label());
            // Under the lock: afterwards the name may be that of another process's base, made of other files. What was just written
            // needs no check of all bytes.
            Ok(self.map(id, Part::Base).and_then(|(map, _)| Base::open(map, (id, fingerprint), None)))
        })
    }

    /// Keeps what [`Base::next`] made of a base of this cache, in place of the changes before. Tells whether that was possible: not where the base
    /// that it goes on from is not kept, or no longer.
    ///
    /// # Errors
    ///
    /// That the disk is full or cannot be written; what was there before stays.
    pub fn write_changes(&self, repository: &str, fingerprint: u128, base: &Base) -> Result<bool, Problem> {
        let id = repository_id(repository);
        self.write(id, |writer| {
            let kept = self.map(id, Part::Base).and_then(|(map, _)| Base::open(map, (id, fingerprint), None));
            if !kept.is_some_and(|kept| kept.has_pack_of(base)) {
                return Ok(false);
            }
            writer.replace(&Part::Changes.label(), Lasts::Processes, |sink| base.write_changes(sink, id))?;
            Ok(true)
        })
    }

    /// The bytes a repository has under `name`.
    pub fn blob(&self, repository: &str, name: &str) -> Option<Vec<u8>> {
        self.read_small(repository_id(repository), Part::Blob(name))
    }

    fn read_small(&self, repository: u128, part: Part<'_>) -> Option<Vec<u8>> {
        let pack = Pack::open(self.map(repository, part)?.0, part.identity(repository))?;
        pack.get(BLOB_KEY).map(<[u8]>::to_vec)
    }

    /// Keeps `bytes` for a repository under `name`, in place of older ones.
    ///
    /// # Errors
    ///
    /// That the disk is full or cannot be written; what was there before stays.
    pub fn write_blob(&self, repository: &str, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        let repository = repository_id(repository);
        self.write(repository, |writer| write_small(&writer, repository, Part::Blob(name), bytes))
    }

    /// The right to read a repository in the background; none where another process has it.
    ///
    /// # Errors
    ///
    /// That the cache cannot be written.
    pub fn begin_indexing(&self, repository: &str) -> Result<Option<Indexing>, Problem> {
        Indexing::begin(&self.store, repository_id(repository)).map_err(|error| unwritten(&error))
    }

    /// Notes that somebody asks about a repository: whoever reads it in the background goes on. Tells whether that is worth to be begun: not
    /// where it was done, and what was found out could not be kept.
    ///
    /// # Errors
    ///
    /// That the cache cannot be written.
    pub fn ask_for_indexing(&self, repository: &str) -> Result<bool, Problem> {
        Indexing::ask(&self.store, repository_id(repository)).map_err(|error| unwritten(&error))
    }

    /// Removes everything a repository has in the cache.
    ///
    /// # Errors
    ///
    /// That a file cannot be deleted.
    pub fn clear(&self, repository: &str) -> Result<(), Problem> {
        self.write(repository_id(repository), |writer| writer.clear())
    }

    /// The files of the cache with their lengths in bytes, by name. Files of one repository share the name up to the dot.
    ///
    /// # Errors
    ///
    /// That the folder cannot be read.
    pub fn list(&self) -> Result<Vec<(String, u64)>, Problem> {
        self.store.list().map_err(|error| Problem::new(CACHE_STAGE, format!("the cache could not be listed: {error}")))
    }

    fn map(&self, repository: u128, part: Part<'_>) -> Option<(memmap2::Mmap, std::fs::File)> {
        self.store.map(repository, &part.label())
    }

    fn write<T>(&self, repository: u128, change: impl FnOnce(Writer<'_>) -> io::Result<T>) -> Result<T, Problem> {
        self.store.writer(repository).and_then(change).map_err(|error| unwritten(&error))
    }
}

/// Keeps a file with one entry.
fn write_small(writer: &Writer<'_>, repository: u128, part: Part<'_>, bytes: &[u8]) -> io::Result<()> {
    let bytes = &[(BLOB_KEY, bytes)];
    writer.replace(&part.label(), Lasts::Processes, |sink| Pack::write(sink, part.identity(repository), bytes))
}

fn unwritten(error: &io::Error) -> Problem {
    Problem::new(CACHE_STAGE, format!("the cache could not be written, so the next run repeats this work: {error}"))
}

impl Part<'_> {
    /// What the file's name ends with, whatever a blob is called.
    fn label(self) -> String {
        match self {
            Self::Records => "records".to_owned(),
            Self::Recent => "recent".to_owned(),
            Self::Base => "base".to_owned(),
            Self::Changes => "changes".to_owned(),
            Self::Checked => "checked".to_owned(),
            Self::Blob(name) => format!("blob-{:032x}", digest(&[name.as_bytes()])),
        }
    }

    /// What sets the file apart from those of other repositories and from the repository's other files, should one be moved over another.
    fn owner(self, repository: u128) -> u128 {
        digest(&[&repository.to_le_bytes(), self.label().as_bytes()])
    }

    fn identity(self, repository: u128) -> Identity {
        Identity::new(self.owner(repository), 0)
    }
}

fn repository_id(repository: &str) -> u128 {
    digest(&[repository.as_bytes()])
}
