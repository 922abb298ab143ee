//! Which files mean what they meant before: after edits of a few files the sites of the others need not be resolved again.
//!
//! The tables are built afresh from all files and compared with those of before. What the sites of a file mean follows from the facts of the
//! files that were asked for on the way, and from what the tables have under names that stand in one of these. So a file is resolved again
//! where one of these files changed, where one mentions a name under which something came or went, and where other modules are at hand: those
//! that imports lead to, two imports away. Where files are modules, an import asks which paths are there: files that import anything are resolved
//! again where a file came or went. Where the tables differ in more than that, all files are.

mod compared;
mod names;

use super::again::KeptTables;
use super::index::Index;
use super::kept::ListsRef;
use super::{Dependency, End, FileId, Link, Tally, Target};
use activate_grammars::FileFacts;
use activate_grammars::project::Manifest;
use compared::Compared;

/// What is known of a repository as it was before.
pub struct Before<'b> {
    /// The tables that [`super::resolve`] gave for it.
    pub tables: ListsRef<'b>,
    /// For each file the one that had its path, by its place in path order.
    pub with_path: &'b [Option<u32>],
    /// The same, where the content was the same too.
    pub same: &'b [Option<u32>],
    /// The path of a file as it was.
    pub path: &'b (dyn Fn(u32) -> &'b str + Sync),
    /// The facts of a file as they were, if they can be read.
    pub facts: &'b (dyn Fn(u32) -> Option<FileFacts> + Sync),
    /// The files whose facts resolving a file asked for.
    pub reads: &'b (dyn Fn(u32) -> &'b [u32] + Sync),
    /// What the sites of a file gave, with the numbers of before.
    pub sites: &'b (dyn Fn(u32) -> Sites + Sync),
}

/// What the sites of a file gave.
#[derive(Debug, Default)]
pub struct Sites {
    /// Its links, without those that declarations give.
    pub links: Vec<Link>,
    /// Its dependencies.
    pub dependencies: Vec<Dependency>,
    /// What became of them.
    pub tally: Tally,
}

/// No file, symbol or module.
const GONE: u32 = u32::MAX;

/// What is taken over of before.
pub(super) struct Reuse<'r, 'b> {
    before: &'r Before<'b>,
    /// For each file the one of before, if its sites mean what they meant.
    of: Vec<Option<u32>>,
    /// New numbers of files and symbols, by the old ones.
    files: Vec<u32>,
    syms: Vec<u32>,
}

impl<'r, 'b> Reuse<'r, 'b> {
    /// Compares new tables with those of before; none where all files are to be resolved again.
    pub(super) fn find(index: &Index<'_>, manifests: &[Manifest<'_>], before: &'r Before<'b>) -> Option<Self> {
        let KeptTables { manifests: old_manifests, index: old } = KeptTables::read(before.tables)?;
        if !old_manifests.iter().copied().eq(manifests.iter().map(|manifest| (manifest.path, manifest.text))) {
            return None;
        }
        // Where folders are modules, a file that comes or goes may be meant by any path.
        let is_module =
            |path: &str| activate_grammars::language_of(path).is_some_and(|(_, language)| language.scope.submodules.is_some());
        let came = before.with_path.iter().zip(index.files).any(|(old, file)| old.is_none() && is_module(file.path));
        let mut stays = vec![false; old.first_symbol.len().saturating_sub(1)];
        before.with_path.iter().flatten().for_each(|old| stays.iter_mut().skip(*old as usize).take(1).for_each(|it| *it = true));
        let went = stays.iter().zip(0..).any(|(stays, old)| !stays && is_module((before.path)(old)));
        if came || went {
            return None;
        }
        let compared = Compared::new(index, &old, before)?;
        if !compared.has_same_modules() || !compared.has_same_types() {
            return None;
        }
        let changed_or_led_elsewhere = compared.changed_or_led_elsewhere();
        let names = compared.names()?;
        let is_hit = compared.hits(&changed_or_led_elsewhere, &names);
        let of_file = |(new, same): (usize, &Option<u32>)| {
            let old = (*same)?;
            let is_read =
                |read: &u32| compared.files.get(*read as usize).is_none_or(|new| *new == GONE || is_hit.facts[*new as usize]);
            let is_affected = is_hit.own_sites[new] || is_hit.facts[new] || (before.reads)(old).iter().any(is_read);
            (!is_affected).then_some(old)
        };
        let of = before.same.iter().enumerate().map(of_file).collect();
        let Compared { files, syms, .. } = compared;
        Some(Self { before, of, files, syms })
    }

    /// The file of before that a file is, if its sites mean what they meant.
    pub(super) fn file(&self, file: FileId) -> Option<u32> {
        self.of.get(file.0 as usize).copied().flatten()
    }

    /// What the sites of a file gave and give, with the files that were asked for; none where it is to be resolved.
    pub(super) fn sites(&self, file: FileId) -> Option<(Sites, Vec<u32>)> {
        let old = self.file(file)?;
        let mut sites = (self.before.sites)(old);
        for link in &mut sites.links {
            link.from = match link.from {
                End::File(_) => End::File(file.0),
                End::Symbol(sym) => End::Symbol(known(&self.syms, sym)?),
            };
            link.to = known(&self.syms, link.to)?;
        }
        for dependency in &mut sites.dependencies {
            dependency.from = file.0;
            if let Target::File(to) = &mut dependency.to {
                *to = known(&self.files, *to)?;
            }
        }
        let reads: Option<Vec<u32>> = (self.before.reads)(old).iter().map(|read| known(&self.files, *read)).collect();
        Some((sites, reads?))
    }
}

/// A number in place of an old one, if there is one.
fn known(numbers: &[u32], old: u32) -> Option<u32> {
    numbers.get(old as usize).copied().filter(|new| *new != GONE)
}
