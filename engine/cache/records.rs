//! What was computed for each file of a repository, as bytes by the key of everything the computation saw.
//!
//! Must not know what a record holds, nor how a file is kept.

use super::Part;
use super::pack::{Identity, Pack};
use memmap2::Mmap;

/// The name of a record: a hash of all that decides its content, made by [`Cache::key`](super::Cache::key).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordKey(pub(super) u128);

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

    /// What a file is to hold after these records: the `new` ones, and of these the undamaged ones that `keep` names.
    ///
    /// `None` if that is what the file holds already.
    pub(super) fn merged<B: AsRef<[u8]>>(
        &self,
        repository: u128,
        new: &[(RecordKey, B)],
        keep: &dyn Fn(RecordKey) -> bool,
    ) -> Option<Pack> {
        let kept_keys = self.0.iter().flat_map(Pack::keys).filter(|key| keep(RecordKey(*key)));
        let kept: Vec<_> = kept_keys.filter_map(|key| Some((key, self.get(RecordKey(key))?))).collect();
        if new.is_empty() && kept.len() == self.len() {
            return None;
        }
        // The first entry of a key counts, so a new record takes the place of an old one.
        let entries = new.iter().map(|(key, content)| (key.0, content.as_ref())).chain(kept).collect();
        Some(Pack::build(identity(repository), 0, entries))
    }
}

/// Records carry no fingerprint: each key stands for grammar and query already, and a changed query must not cost all languages.
fn identity(repository: u128) -> Identity {
    Identity::new(Part::Records.owner(repository), 0)
}
