//! A fact base as named byte sections, equally usable when it was just built and when it is mapped from the cache.
//!
//! After an edit some sections are made of [`Piece`]s of what they were: only these are stored, beside the file of all sections. Such a section
//! comes into memory when it is first asked for.

use super::differences::{Content, between};
use super::pack::{Identity, Pack, Read, digest};
use super::pieces::{Piece, Pieces};
use super::renumbering::Renumbering;
use super::view::{Changed, View};
use super::{Part, repository_id};
use memmap2::Mmap;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// Bytes that the pieces of all sections may take beside those of all sections: more is better merged into these.
const MAX_CHANGES: usize = 1 << 20;

/// The version of the layout of pieces; any other is a miss.
const CHANGES_FORMAT: u128 = 2;

/// One part in so many of all sections is the most that their pieces may take.
const MAX_SHARE: usize = 4;

/// Named byte sections, each starting at a multiple of 16 bytes in memory, laid out in memory as on disk.
#[derive(Debug, Clone)]
pub struct Base {
    pack: Arc<Pack>,
    /// In the order of the pack's table.
    sections: Vec<Section>,
}

#[derive(Debug, Clone)]
struct Section {
    /// Where it lies in the pack.
    whole: Range<usize>,
    /// What became of it since.
    changed: Option<Arc<Changed>>,
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
        Self::of_pack(Arc::new(pack))
    }

    fn of_pack(pack: Arc<Pack>) -> Self {
        let sections = pack.extents().map(|whole| Section { whole, changed: None }).collect();
        Self { pack, sections }
    }

    /// The place of the section `name` among all sections, if there is one.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.pack.place(section_key(name))
    }

    /// The content of the section at a place, empty if there is none.
    pub fn section(&self, place: usize) -> &[u8] {
        self.view(place).bytes()
    }

    /// The section at a place, to be read in parts; empty if there is none.
    pub fn view(&self, place: usize) -> View<'_> {
        let Some(section) = self.sections.get(place) else { return View::default() };
        let whole = self.pack.bytes().get(section.whole.clone()).unwrap_or_default();
        View::of(whole, section.changed.as_deref())
    }

    /// The same base with these sections out of memory until they are asked for again.
    #[must_use]
    pub fn unread<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut base = self.clone();
        for place in names.into_iter().filter_map(|name| self.place(name)) {
            let section = &mut base.sections[place];
            section.changed = section.changed.take().map(|changed| Arc::new(Changed::of(changed.pieces.clone())));
        }
        base
    }

    /// The base in which some sections are made of pieces of what they are here.
    ///
    /// None where there is no such section and where a piece does not fit it.
    pub fn next(&self, changed: Vec<(&str, Vec<Piece>)>) -> Option<Self> {
        let mut sections = self.sections.clone();
        for (name, pieces) in changed {
            let place = self.place(name)?;
            let length = self.view(place).len();
            let pieces = Pieces::of(Renumbering::default(), pieces, length)?;
            if pieces.are_all(length) {
                continue;
            }
            let pieces = match &sections[place].changed {
                Some(before) => pieces.after(&before.pieces)?,
                None => pieces,
            };
            sections[place].changed = Some(Arc::new(Changed::of(pieces)));
        }
        Some(Self { pack: Arc::clone(&self.pack), sections })
    }

    /// The base as it was built whole, before all changes.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self::of_pack(Arc::clone(&self.pack))
    }

    /// The base with these sections, as pieces of what they were when it was built whole; `content` says what a section holds. The others stay as
    /// they are.
    ///
    /// None where there is no such section, and where the pieces are not few beside the base: it is better built whole again.
    pub fn with_sections<B: AsRef<[u8]> + Sync>(
        &self,
        named: &[(&str, B)],
        content: &(dyn Fn(&str) -> Content + Sync),
    ) -> Option<Self> {
        let mut by_key: BTreeMap<u128, &(&str, B)> = BTreeMap::new();
        for named in named {
            by_key.entry(section_key(named.0)).or_insert(named);
        }
        let keys: Vec<u128> = self.pack.keys().collect();
        let has_place = |(key, (_, bytes)): (&u128, &&(&str, B))| keys.binary_search(key).is_ok() || bytes.as_ref().is_empty();
        if !by_key.iter().all(has_place) {
            return None;
        }
        let made = self.sections.par_iter().zip(&keys).map(|(section, key)| {
            let Some((name, after)) = by_key.get(key).map(|(name, bytes)| (*name, bytes.as_ref())) else {
                return Some(section.clone());
            };
            let whole = &section.whole;
            let before = self.pack.bytes().get(whole.clone())?;
            let pieces = if before == after { None } else { Some(between(before, after, &content(name), self.max_changes())?) };
            debug_assert!(pieces.as_ref().is_none_or(|pieces| *pieces.apply(before) == *after), "pieces make what they are of");
            let changed = pieces.map(|pieces| Arc::new(Changed::of(pieces)));
            Some(Section { whole: whole.clone(), changed })
        });
        let made = Self { pack: Arc::clone(&self.pack), sections: made.collect::<Option<_>>()? };
        made.has_few_changes().then_some(made)
    }

    /// Whether all changes since the base was built whole are few beside it: a mebibyte and a quarter of it at most. Otherwise it is better
    /// built whole again.
    pub fn has_few_changes(&self) -> bool {
        self.n_changed_bytes() <= self.max_changes()
    }

    /// Bytes that all changes take since the base was built whole.
    pub fn n_changed_bytes(&self) -> usize {
        self.sections.iter().filter_map(|section| section.changed.as_ref()).map(|changed| changed.pieces.cost()).sum()
    }

    fn max_changes(&self) -> usize {
        MAX_CHANGES.min(self.pack.bytes().len() / MAX_SHARE)
    }

    /// Writes the pieces of sections that changed since the base was built whole; read again by [`Base::with_changes`].
    pub(super) fn write_changes(&self, sink: impl Write, repository: u128) -> io::Result<()> {
        let keys = self.pack.keys().zip(&self.sections);
        let changed: Vec<(u128, Vec<u8>)> =
            keys.filter_map(|(key, section)| Some((key, section.changed.as_ref()?.pieces.bytes()))).collect();
        let entries: Vec<(u128, &[u8])> = changed.iter().map(|(key, bytes)| (*key, bytes.as_slice())).collect();
        Pack::write(sink, self.identity_of_changes(repository), &entries)
    }

    /// The base after the changes that a mapped file holds; none where these are of another base or damaged.
    pub(super) fn with_changes(&self, map: Mmap, repository: u128) -> Option<Self> {
        let changes = Pack::open(map, self.identity_of_changes(repository))?;
        let mut sections = self.whole().sections;
        for key in changes.keys() {
            let section = sections.get_mut(self.pack.place(key)?)?;
            let pieces = Pieces::read(changes.get(key)?, section.whole.len())?;
            section.changed = Some(Arc::new(Changed::of(pieces)));
        }
        let base = Self { pack: Arc::clone(&self.pack), sections };
        base.has_few_changes().then_some(base)
    }

    /// Whether the sections of `other` were written whole with those of this one.
    pub(super) fn has_pack_of(&self, other: &Self) -> bool {
        self.pack.checksum() == other.pack.checksum()
    }

    /// Whether the changes of `other`, which has the same pack, are those of this one.
    pub(super) fn has_changes_of(&self, other: &Self) -> bool {
        self.sections.iter().zip(&other.sections).all(|(one, other)| match (&one.changed, &other.changed) {
            (Some(one), Some(other)) => one.pieces == other.pieces,
            (one, other) => one.is_none() && other.is_none(),
        })
    }

    /// Changes are those of one pack, whose table tells it from every other.
    fn identity_of_changes(&self, repository: u128) -> Identity {
        Identity::new(
            digest(&[&Part::Changes.owner(repository).to_le_bytes(), &self.pack.checksum().to_le_bytes()]),
            CHANGES_FORMAT,
        )
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
