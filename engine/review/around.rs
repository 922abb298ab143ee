//! Which files beside a change have a say in what its definitions are used for, and what stands in them.
//!
//! A part of the repository, so that a change is judged without reading all of it.

use super::removed::{Asked, Gone, Sides, module};
use activate_grammars::facts::FileFacts;
use activate_grammars::{is_manifest, language_of};
use activate_rules::atoms::NodeId;
use activate_rules::links::LinkKind;
use index::base::{FactBase, FileFlags};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The most files that are read because they have the name of a definition that goes.
const MAX_USERS: usize = 240;
/// The most files that are read in all, and the most bytes of them: half a second of reading.
const MAX_AROUND: usize = 480;
const MAX_BYTES: u64 = 6 << 20;

/// The files around a change.
pub(super) struct Around<'b> {
    /// With what stands in them, by path.
    pub(super) files: Vec<(&'b str, FileFacts)>,
    /// The manifests of the folders above all files, with their texts.
    pub(super) manifests: Vec<(&'b str, String)>,
}

/// The files that name what goes, those beside it, and those that all of these import.
pub(super) fn around<'b>(asked: &Asked<'b>, code: &[Sides<'_>], gone: &[Gone]) -> Around<'b> {
    let base = asked.base;
    let mut chosen = Chosen::new(base, code, gone);
    let users = users(&chosen, code, gone);
    for file in users {
        chosen.add(file);
    }
    chosen.add_beside(code, gone);
    for sides in code {
        chosen.queue.extend(sides.placed.file);
    }
    chosen.add_imported();
    let mut files = chosen.files;
    files.sort_unstable();
    let facts = |file: &NodeId| {
        let path = base.path(*file);
        let (_, language) = language_of(path)?;
        Some((path, activate_grammars::extract(language, path, &(asked.read)(*file)?).facts))
    };
    let files: Vec<(&str, FileFacts)> = files.par_iter().filter_map(facts).collect();
    let paths = files.iter().map(|(path, _)| *path).chain(code.iter().flat_map(|sides| [sides.old_path, &sides.placed.path]));
    let folders: FxHashSet<&str> = paths.flat_map(folders).collect();
    let manifest = |file: NodeId| {
        let path = base.path(file);
        let is_above = is_manifest(path) && folders.contains(path.rsplit_once('/').map_or("", |(folder, _)| folder));
        is_above.then(|| Some((path, String::from_utf8((asked.read)(file)?).ok()?)))?
    };
    let manifests = base.files().filter_map(manifest).collect();
    Around { files, manifests }
}

/// The folders above a file, the nearest first.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| (!path.is_empty()).then_some(path.rsplit_once('/').map_or("", |(folder, _)| folder)))
        .skip(1)
}

/// The files that have the names of what goes, those beside it first, then those that have the name of its module too.
fn users(chosen: &Chosen<'_>, code: &[Sides<'_>], gone: &[Gone]) -> Vec<NodeId> {
    let base = chosen.base;
    let Ok(index) = base.text() else { return Vec::new() };
    let files_with = |word: &str| index.lookup(&plain(word)).map(|posting| NodeId(posting.doc)).collect::<FxHashSet<NodeId>>();
    let mut users: Vec<((usize, bool, bool), NodeId)> = Vec::new();
    for gone in gone {
        let Sides { old_path, old, .. } = &code[gone.file];
        let home = module(old_path);
        let stem = home.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
        let with_module = files_with(stem);
        let mut files: Vec<_> = files_with(old.names.get(old.symbols[gone.symbol].name))
            .into_iter()
            .filter(|file| chosen.may_add(*file))
            .map(|file| ((module(base.path(file)) != home, !with_module.contains(&file)), file))
            .collect();
        files.sort_unstable();
        // The first ones of each definition before the second ones of any.
        users.extend(files.into_iter().enumerate().map(|(at, ((is_far, is_other), file))| ((at, is_far, is_other), file)));
    }
    users.sort_unstable();
    let mut known = FxHashSet::default();
    users.into_iter().map(|(_, file)| file).filter(|file| known.insert(*file)).take(MAX_USERS).collect()
}

/// The files that were chosen.
struct Chosen<'b> {
    base: &'b FactBase,
    /// The languages of what goes.
    languages: Vec<usize>,
    files: Vec<NodeId>,
    known: FxHashSet<NodeId>,
    /// Files whose imports are still to be followed.
    queue: VecDeque<NodeId>,
    n_bytes: u64,
}

impl<'b> Chosen<'b> {
    fn new(base: &'b FactBase, code: &[Sides<'_>], gone: &[Gone]) -> Self {
        let mut languages: Vec<usize> =
            gone.iter().filter_map(|gone| language_of(code[gone.file].old_path)).map(|(number, _)| number).collect();
        languages.sort_unstable();
        languages.dedup();
        // What the change has of its own files is known.
        let paths = code.iter().flat_map(|sides| [sides.old_path, &sides.placed.path]);
        let known = paths.filter_map(|path| base.file_at(path)).collect();
        Self { base, languages, files: Vec::new(), known, queue: VecDeque::new(), n_bytes: 0 }
    }

    fn may_add(&self, file: NodeId) -> bool {
        let is_code = || language_of(self.base.path(file)).is_some_and(|(number, _)| self.languages.contains(&number));
        self.base.is_file(file) && is_code() && !self.known.contains(&file) && !self.base.flags(file).has(FileFlags::VENDORED)
    }

    fn add(&mut self, file: NodeId) {
        let size = self.base.size(file);
        if self.may_add(file) && self.files.len() < MAX_AROUND && self.n_bytes + size <= MAX_BYTES {
            self.known.insert(file);
            self.n_bytes += size;
            self.files.push(file);
            self.queue.push_back(file);
        }
    }

    /// Adds the other files of the modules of what goes.
    fn add_beside(&mut self, code: &[Sides<'_>], gone: &[Gone]) {
        let homes: FxHashSet<&str> = gone.iter().map(|gone| module(code[gone.file].old_path)).collect();
        let base = self.base;
        for file in base.files().filter(|file| homes.contains(module(base.path(*file)))) {
            self.add(file);
        }
    }

    /// Adds what the files import, and what above them in their folders imports them, as far as there is room: the nearest first.
    fn add_imported(&mut self) {
        let base = self.base;
        while let Some(file) = self.queue.pop_front() {
            let above = |other: NodeId| {
                let folder = |file| base.path(file).rsplit_once('/').map_or("", |(folder, _)| folder);
                folder(file).starts_with(folder(other))
            };
            for link in base.links_of(file) {
                let is_near = link.kind == LinkKind::Imports || link.kind == LinkKind::ImportedBy && above(link.to);
                if is_near && base.is_file(link.to) {
                    self.add(link.to);
                }
            }
            if self.files.len() >= MAX_AROUND {
                return;
            }
        }
    }
}

/// A name as the index of words has it: in lower case and without what parts its words.
fn plain(name: &str) -> String {
    name.to_lowercase().replace('_', "")
}
