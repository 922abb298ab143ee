//! What was computed for each file of a repository, as bytes by the key of everything the computation saw.
//!
//! Records lie in two packs: a large one, and a small one of what was added since the large one was written, so that a few new records cost
//! a few bytes.

use super::Part;
use super::pack::{Entry, Identity, Pack, PackWriter};
use super::spool::Spool;
use memmap2::Mmap;
use std::io::{self, Write};
use std::ops::Range;

/// What part of the large pack's bytes the small one may take; with more both become one.
///
/// An edit rewrites the small pack, which is half full on average, and brings the next rewriting of the large one nearer by the bytes of
/// its own records. The sum is least where the share is the root of (large pack / twice an edit's records): 60 to 100 for 100 MB and edits
/// of some kilobytes.
const RECENT_SHARE: u64 = 64;

/// How many times the bytes that its writer needs the large pack may have when it is written. What is beyond need belongs to other work
/// trees of the repository and to earlier contents, which branches bring back; twice is room for one other tree that shares nothing.
const KEPT_SHARE: u64 = 2;

/// The name of a record: a hash of all that decides its content, made by [`Cache::key`](super::Cache::key).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordKey(pub(super) u128);

impl RecordKey {
    /// The key as bytes.
    pub fn to_bytes(self) -> [u8; size_of::<u128>()] {
        self.0.to_le_bytes()
    }
}

/// The records of one repository as they were when it was asked for them; later writes do not show.
#[derive(Debug, Default)]
pub struct Records {
    large: Option<Pack>,
    /// What was added since the large pack was written.
    recent: Option<Pack>,
}

/// New records: keys, and where in a [`Spool`] the contents stand.
pub type NewRecords<'a> = (&'a [(RecordKey, Range<u64>)], &'a Spool<'a>);

/// Which pack a write replaces.
pub(super) struct Plan {
    pub(super) part: Part<'static>,
    identity: Identity,
    /// What it holds after the new records.
    old: Vec<RecordKey>,
}

impl Records {
    /// Takes mapped files as records, without what is damaged as a whole or belongs to another large pack than this one.
    pub(super) fn open(large: Option<Mmap>, recent: Option<Mmap>, repository: u128) -> Self {
        let large = large.and_then(|map| Pack::open(map, large_identity(repository)));
        let recent = recent.and_then(|map| Pack::open(map, recent_identity(repository, large.as_ref()?)));
        Self { large, recent }
    }

    /// The record under `key`; `None` also if it is damaged.
    pub fn get(&self, key: RecordKey) -> Option<&[u8]> {
        self.packs().find_map(|pack| pack.get(key.0))
    }

    /// The number of records, damaged ones included.
    pub fn len(&self) -> usize {
        let added = |pack: &Pack| pack.keys().filter(|key| !self.large.as_ref().is_some_and(|large| large.has(*key))).count();
        self.large.as_ref().map_or(0, Pack::len) + self.recent.as_ref().map_or(0, added)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.packs().all(|pack| pack.len() == 0)
    }

    /// The packs, of which the first that has a record counts.
    fn packs(&self) -> impl Iterator<Item = &Pack> {
        self.recent.iter().chain(&self.large)
    }

    /// Decides where `new` records go and which of the old ones stay beside them; `is_needed` says which the writer would ask for again.
    pub(super) fn plan(&self, repository: u128, new: &[(RecordKey, Range<u64>)], is_needed: &dyn Fn(RecordKey) -> bool) -> Plan {
        let mut new_keys: Vec<u128> = new.iter().map(|(key, _)| key.0).collect();
        new_keys.sort_unstable();
        let is_old = |entry: &Entry| new_keys.binary_search(&entry.key).is_err();
        let recent: Vec<Entry> = self.recent.iter().flat_map(Pack::as_written).filter(is_old).collect();
        let n_bytes = |entries: &[Entry]| entries.iter().map(|entry| entry.length).sum::<u64>();
        let n_new_bytes: u64 = new.iter().map(|(_, place)| place.end - place.start).sum();
        if let Some(large) = &self.large
            && n_new_bytes + n_bytes(&recent) <= large.bytes().len() as u64 / RECENT_SHARE
        {
            return Plan { part: Part::Recent, identity: recent_identity(repository, large), old: keys(&recent) };
        }
        let is_recent = |key: u128| self.recent.as_ref().is_some_and(|recent| recent.has(key));
        let large = self.large.iter().flat_map(Pack::as_written).filter(|entry| is_old(entry) && !is_recent(entry.key));
        let all = recent.iter().copied().chain(large);
        let (mut kept, beyond): (Vec<Entry>, Vec<Entry>) = all.partition(|entry| is_needed(RecordKey(entry.key)));
        let n_needed_bytes = n_new_bytes + n_bytes(&kept);
        let mut room = n_needed_bytes * (KEPT_SHARE - 1);
        // The newest first, as far as they find room.
        kept.extend(beyond.into_iter().take_while(|entry| {
            let left = room.checked_sub(entry.length);
            room = left.unwrap_or(room);
            left.is_some()
        }));
        Plan { part: Part::Records, identity: large_identity(repository), old: keys(&kept) }
    }

    /// Writes the pack that a plan for these `new` records replaces.
    pub(super) fn write(&self, sink: impl Write, plan: &Plan, (new, spool): NewRecords<'_>) -> io::Result<()> {
        let mut pack = PackWriter::new(sink);
        for (key, place) in new {
            pack.add(key.0, &spool.get(place)?)?;
        }
        // A damaged one is left out.
        for (key, content) in plan.old.iter().filter_map(|key| Some((key, self.get(*key)?))) {
            pack.add(key.0, content)?;
        }
        pack.finish(plan.identity)
    }
}

fn keys(entries: &[Entry]) -> Vec<RecordKey> {
    entries.iter().map(|entry| RecordKey(entry.key)).collect()
}

/// Records carry no fingerprint: each key stands for grammar and query already, and a changed query must not cost all languages.
fn large_identity(repository: u128) -> Identity {
    Identity::new(Part::Records.owner(repository), 0)
}

/// A small pack belongs to one large pack. A new large one holds all that was in it, and with its name makes the small one a miss at once:
/// whoever dies before that is removed leaves nothing that is out of date.
fn recent_identity(repository: u128, large: &Pack) -> Identity {
    Identity::new(Part::Recent.owner(repository), large.checksum())
}
