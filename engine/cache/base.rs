//! A fact base as named byte sections, equally usable when it was just built and when it is mapped from the cache.
//!
//! Must not know what a section means, nor how a file is kept.

use super::pack::{Identity, Pack};
use super::{Part, repository_id};
use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_128;

/// Named byte sections, each starting at a multiple of 16 bytes in memory, laid out in memory as on disk.
#[derive(Debug)]
pub struct Base {
    repository: u128,
    pack: Pack,
}

impl Base {
    /// Lays out `sections` for `repository`; of several with one name the first counts.
    ///
    /// The `fingerprint` stands for everything but the repository that decided what the sections hold: grammars, queries, rules, the
    /// sections' layout. A base written under another fingerprint is not found again. The `stamp` stands for the state of the
    /// repository that the base was made from, and is given back by [`Base::stamp`].
    pub fn build(repository: &str, fingerprint: u128, stamp: u128, sections: &[(&str, &[u8])]) -> Self {
        let repository = repository_id(repository);
        let entries = sections.iter().map(|(name, content)| (section_key(name), *content)).collect();
        Self { repository, pack: Pack::build(identity(repository, fingerprint), stamp, entries) }
    }

    /// Takes a mapped file as a base, if every byte of it that is ever read is as it was written.
    pub(super) fn open(map: Mmap, repository: u128, fingerprint: u128) -> Option<Self> {
        let pack = Pack::open(map, identity(repository, fingerprint))?;
        // All at once, so that sections can be used again and again for nothing; 60 MB took 9 ms on one core (measured 2026-11).
        pack.is_whole().then_some(Self { repository, pack })
    }

    /// The content of the section `name`, empty if there is none.
    pub fn section(&self, name: &str) -> &[u8] {
        self.pack.get_unchecked(section_key(name)).unwrap_or_default()
    }

    /// The state of the repository that the base was made from, as its builder gave it.
    pub fn stamp(&self) -> u128 {
        self.pack.stamp()
    }

    /// Whose base it is.
    pub(super) fn repository(&self) -> u128 {
        self.repository
    }

    /// What a file of it holds.
    pub(super) fn bytes(&self) -> &[u8] {
        self.pack.bytes()
    }
}

fn identity(repository: u128, fingerprint: u128) -> Identity {
    Identity::new(Part::Base.owner(repository), fingerprint)
}

/// Columns are asked for millions of times in a run, so the key is a hash of few bytes in one go: a quarter of the time of an answer went into
/// the one made for long lists (measured 2026-11-21).
fn section_key(name: &str) -> u128 {
    xxh3_128(name.as_bytes())
}
