//! Places as tools write them, to files, lines and symbols of the repository.
//!
//! Must not guess: a path that several files could be is not a place.

use super::{SourceMaps, Spot};
use crate::Places;
use activate_grammars::project::{is_below, join};
use activate_rules::atoms::NodeId;
use index::base::FactBase;
use rustc_hash::FxHashMap;
use signals::Place;
use std::cell::RefCell;

/// What folders are called in which packages of Java begin.
const ROOTS: [&str; 7] = ["java", "kotlin", "groovy", "scala", "src", "test", "tests"];

/// Finds places.
pub(super) struct Locator<'l> {
    pub(super) base: &'l FactBase,
    places: Places<'l>,
    /// The root folder of the repository as the tools may write it, without a slash at its end.
    root: &'l str,
    /// The folder below the root in which the tools ran, if it is known and a place does not say it.
    folder: &'l str,
    /// What was looked for: reports name few places, each often.
    known: RefCell<FxHashMap<NamedFile<'l>, Option<NodeId>>>,
    pub(super) maps: &'l SourceMaps<'l>,
}

/// A file as a report names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct NamedFile<'l> {
    path: &'l str,
    /// The folder or package that it is of, if one is named.
    of: &'l str,
    /// The folder below the root in which the tool ran.
    ran_in: &'l str,
    /// Whether [`NamedFile::of`] is the package of the file, which no other package's file of that name is.
    is_in_package: bool,
}

impl<'l> Locator<'l> {
    pub(super) fn new(base: &'l FactBase, root: &'l str, folder: &'l str, maps: &'l SourceMaps<'l>) -> Self {
        Self { base, places: Places::new(base), root, folder, known: RefCell::default(), maps }
    }

    /// The folder below the root in which a tool ran that names a place; empty where it is not known.
    pub(super) fn ran_in<'p>(&self, place: &'p Place) -> &'p str
    where
        'l: 'p,
    {
        place.ran_in.as_deref().unwrap_or(self.folder)
    }

    /// The spot of a place, if the repository has its file.
    pub(super) fn spot(&self, place: &'l Place) -> Option<Spot> {
        let is_in_package = place.is_in_package() && !place.folder.is_empty();
        let file = self.known(NamedFile { path: &place.path, of: &place.folder, ran_in: self.ran_in(place), is_in_package })?;
        Some(self.at(file, place.line, place.written_ns))
    }

    /// The spot of a line of a file that something was said of at a time.
    pub(super) fn at(&self, file: NodeId, line: u32, written_ns: Option<i64>) -> Spot {
        let is_stale = line > self.base.n_lines(file).max(1);
        let line = if is_stale { 0 } else { line };
        let symbol = self.base.symbol_at(file, line).filter(|_| line > 0);
        let may_have_moved = line > 0 && written_ns.is_some_and(|written| written < self.base.mtime(file));
        Spot { file, line, symbol, is_stale, may_have_moved, is_guess: false, map: None }
    }

    /// The file that a path means.
    pub(super) fn file(&self, path: &'l str) -> Option<NodeId> {
        self.known(NamedFile { path, of: "", ran_in: self.folder, is_in_package: false })
    }

    /// The one file whose path ends like this, below whatever folder.
    pub(super) fn only_ending(&self, path: &str) -> Option<NodeId> {
        <[NodeId; 1]>::try_from(self.places.find(path)).ok().map(|[file]| file)
    }

    /// Whether a path can be one of several files, so that it has no place though it is of this repository.
    pub(super) fn may_be(&self, path: &str) -> bool {
        !self.places.find(path).is_empty()
    }

    /// Whether a place is surely of this repository, be its file read or not: a tool that ran in it names it, or a path from its root.
    pub(super) fn is_of_repository(&self, place: &Place) -> bool {
        place.ran_in.is_some() || [&place.path, &place.folder].into_iter().any(|path| self.below_root(path).is_some())
    }

    /// The path below the root, of a path that begins with it.
    pub(super) fn below_root<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.root).filter(|_| !self.root.is_empty()).and_then(|rest| rest.strip_prefix('/'))
    }

    fn known(&self, wanted: NamedFile<'l>) -> Option<NodeId> {
        if let Some(known) = self.known.borrow().get(&wanted) {
            return *known;
        }
        let found = self.find(wanted);
        self.known.borrow_mut().insert(wanted, found);
        found
    }

    fn find(&self, wanted: NamedFile<'_>) -> Option<NodeId> {
        let NamedFile { path, of, ran_in, is_in_package } = wanted;
        if is_in_package {
            return self.in_package(of, path, ran_in);
        }
        if let Some(path) = self.below_root(path) {
            return self.base.file_at(path);
        }
        let is_absolute = path.starts_with('/') || path.get(1..3) == Some(":/");
        if !of.is_empty() && !is_absolute {
            let folder = self.below_root(of).unwrap_or_else(|| of.trim_end_matches('/'));
            if let Some(file) = self.only(&format!("{folder}/{path}"), ran_in) {
                return Some(file);
            }
        }
        self.only(path, ran_in)
    }

    /// The one file of this name whose folder ends with the package; of several the one below where the tool ran.
    pub(super) fn in_package(&self, package: &str, name: &str, ran_in: &str) -> Option<NodeId> {
        let wanted = format!("{package}/{name}");
        let mut files = self.places.find(&wanted);
        // A package of one name may be the last part of a longer one.
        let is_root = |folder: &str| package.contains('/') || folder.is_empty() || ROOTS.contains(&folder);
        files.retain(|file| {
            let around = self.base.path(*file).strip_suffix(&wanted);
            let root = around.and_then(|around| if around.is_empty() { Some("") } else { around.strip_suffix('/') });
            root.is_some_and(|root| is_root(root.rsplit('/').next().unwrap_or(root)))
        });
        if files.len() > 1 && !ran_in.is_empty() {
            files.retain(|file| is_below(self.base.path(*file), ran_in));
        }
        <[NodeId; 1]>::try_from(files).ok().map(|[file]| file)
    }

    fn only(&self, path: &str, ran_in: &str) -> Option<NodeId> {
        let below = join(ran_in, path).filter(|_| !ran_in.is_empty());
        below.and_then(|below| self.base.file_at(&below)).or_else(|| self.places.only(path))
    }
}
