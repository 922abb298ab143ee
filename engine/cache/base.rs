//! A fact base as named byte sections, equally usable when it was just built and when it is mapped from the cache.

use super::pack::{Identity, Pack, Read};
use super::{Part, repository_id};
use memmap2::Mmap;
use std::io::{self, Write};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_128;

/// Named byte sections, each starting at a multiple of 16 bytes in memory, laid out in memory as on disk.
#[derive(Debug)]
pub struct Base {
    pack: Pack,
    /// Where each section lies in the pack.
    sections: Vec<Range<usize>>,
}

impl Base {
    /// Lays out `sections` for `repository`; of several with one name the first counts.
    ///
    /// The `fingerprint` stands for everything but the repository that decided what the sections hold: grammars, queries, rules, the
    /// sections' layout. A base written under another fingerprint is not found again.
    pub fn build<B: AsRef<[u8]>>(repository: &str, fingerprint: u128, sections: &[(&str, B)]) -> Self {
        let repository = repository_id(repository);
        Self::of(Pack::build(identity(repository, fingerprint), &entries(sections)))
    }

    /// Writes what [`Base::build`] would lay out.
    pub(super) fn write<B: AsRef<[u8]>>(
        sink: impl Write,
        repository: u128,
        fingerprint: u128,
        sections: &[(&str, B)],
    ) -> io::Result<()> {
        Pack::write(sink, identity(repository, fingerprint), &entries(sections))
    }

    /// Takes a mapped file as a base, if every byte of it that is ever read is as it was written, as `read` gives it; unchecked without.
    pub(super) fn open(map: Mmap, (repository, fingerprint): (u128, u128), read: Option<Read<'_>>) -> Option<Self> {
        let pack = Pack::open(map, identity(repository, fingerprint))?;
        // All at once, so that sections can be used again and again for nothing, and not through the map, whose pages would all be in
        // memory afterwards.
        read.is_none_or(|read| pack.is_whole(read)).then(|| Self::of(pack))
    }

    fn of(pack: Pack) -> Self {
        let sections = pack.extents().collect();
        Self { pack, sections }
    }

    /// The place of the section `name` among all sections, if there is one.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.pack.place(section_key(name))
    }

    /// The content of the section at a place, empty if there is none.
    pub fn section(&self, place: usize) -> &[u8] {
        self.sections.get(place).and_then(|section| self.pack.bytes().get(section.clone())).unwrap_or_default()
    }

    /// What a file of it holds.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> &[u8] {
        self.pack.bytes()
    }
}

fn entries<'s, B: AsRef<[u8]>>(sections: &'s [(&str, B)]) -> Vec<(u128, &'s [u8])> {
    sections.iter().map(|(name, content)| (section_key(name), content.as_ref())).collect()
}

fn identity(repository: u128, fingerprint: u128) -> Identity {
    Identity::new(Part::Base.owner(repository), fingerprint)
}

fn section_key(name: &str) -> u128 {
    xxh3_128(name.as_bytes())
}
