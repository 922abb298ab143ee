//! What was computed for each file of a repository, as bytes by the key of everything the computation saw.
//!
//! Must not know what a record holds, nor how a file is kept.

use super::Part;
use super::pack::{Identity, Pack};
use memmap2::Mmap;

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
pub struct Records(Option<Pack>);

impl Records {
    /// Takes a mapped file as records, none if it is damaged as a whole.
    pub(super) fn open(map: Mmap, repository: u128) -> Self {
        Self(Pack::open(map, identity(repository)))
    }

    /// The record under `key`; `None` also if it is damaged.
    pub fn get(&self, key: RecordKey) -> Option<&[u8]> {
        self.0.as_ref()?.get(key.0)
    }

    /// The number of records, damaged ones included.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, Pack::len)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The keys of the undamaged records that `keep` names, ascending.
    pub(super) fn kept(&self, keep: &dyn Fn(RecordKey) -> bool) -> Vec<RecordKey> {
        let keys = self.0.iter().flat_map(Pack::keys).map(RecordKey);
        keys.filter(|key| keep(*key) && self.get(*key).is_some()).collect()
    }
}

/// Records carry no fingerprint: each key stands for grammar and query already, and a changed query must not cost all languages.
pub(super) fn identity(repository: u128) -> Identity {
    Identity::new(Part::Records.owner(repository), 0)
}
