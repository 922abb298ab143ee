//! What stands around files that were taken apart: what they import, what holds them, and the names that they define.

use super::beginnings::Beginnings;
use activate_grammars::Language;
use activate_grammars::facts::{Container, FileFacts, Import, ImportKind, SymbolKind};
use activate_grammars::project::Project;
use activate_grammars::scope::ModuleModel;
use repo::FileEntry;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Files of a folder that is imported as a package.
const MAX_OF_PACKAGE: usize = 12;
/// Names that are looked for, and the shortest of them: shorter ones mean something else too often.
const MAX_NAMES: usize = 384;
const MIN_NAME_BYTES: usize = 5;
const MAX_NAME_BYTES: usize = 64;
/// Names of one file.
const MAX_NAMES_OF_FILE: usize = 24;

/// The files of a repository by their places in the list, for questions about neighbours.
pub(super) struct Around<'a> {
    files: &'a [FileEntry],
    projects: &'a [Box<dyn Project>],
    /// Files by name without ending.
    by_stem: FxHashMap<&'a str, Vec<usize>>,
    /// Files by folder.
    by_folder: FxHashMap<&'a str, Vec<usize>>,
}

impl<'a> Around<'a> {
    /// Those of a listing, in path order.
    pub(super) fn new(files: &'a [FileEntry], projects: &'a [Box<dyn Project>]) -> Self {
        let (mut by_stem, mut by_folder): (FxHashMap<_, Vec<_>>, FxHashMap<_, Vec<_>>) = Default::default();
        for (number, entry) in files.iter().enumerate() {
            let (folder, name) = parts(entry.path.as_str());
            by_folder.entry(folder).or_default().push(number);
            by_stem.entry(without_ending(name)).or_default().push(number);
        }
        Self { files, projects, by_stem, by_folder }
    }

    fn path(&self, file: usize) -> &'a str {
        self.files[file].path.as_str()
    }

    fn at(&self, path: &str) -> Option<usize> {
        self.files.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()
    }

    fn language(&self, file: usize) -> Option<(usize, &'static Language)> {
        activate_grammars::language_of(self.path(file))
    }

    /// The files that a file imports or shares a package with, in the order of its imports.
    pub(super) fn imported(&self, file: usize, facts: &FileFacts) -> Vec<usize> {
        let Some((number, language)) = self.language(file) else { return Vec::new() };
        let project = self.projects[number].as_ref();
        let mut found = Vec::new();
        for import in &facts.imports {
            let segments: Vec<&str> = import.path.iter().map(|name| facts.names.get(*name)).collect();
            match language.scope.modules {
                ModuleModel::Tree if import.kind == ImportKind::Child => {}
                ModuleModel::Tree | ModuleModel::Package => found.extend(self.by_segments(file, import, facts, &segments)),
                _ => found.extend(segments.first().into_iter().flat_map(|path| self.by_path(file, project, path))),
            }
        }
        if matches!(language.scope.modules, ModuleModel::Folder | ModuleModel::Package) {
            found.extend(self.package(parts(self.path(file)).0, number));
        }
        found
    }

    /// Where an import by text leads: a file, or the files of a folder.
    fn by_path(&self, file: usize, project: &dyn Project, path: &str) -> Vec<usize> {
        let candidates = project.candidates(self.path(file), path);
        if let Some(found) = candidates.files.iter().find_map(|path| self.at(path)) {
            return vec![found];
        }
        let language = self.language(file).map(|(number, _)| number);
        let folder = candidates.folders.iter().find(|folder| self.by_folder.contains_key(folder.as_str()));
        folder.zip(language).map_or_else(Vec::new, |(folder, language)| self.package(folder, language))
    }

    /// The first files of a folder in a language that are not tests.
    fn package(&self, folder: &str, language: usize) -> Vec<usize> {
        let files = self.by_folder.get(folder).into_iter().flatten().copied();
        let is_own = |file: &usize| {
            self.language(*file).is_some_and(|(number, rules)| number == language && !(rules.is_test_path)(self.path(*file)))
        };
        files.filter(is_own).take(MAX_OF_PACKAGE).collect()
    }

    /// The file that a path of modules most likely leads to: the one whose own path ends with most of it, the nearest of several.
    fn by_segments(&self, file: usize, import: &Import, facts: &FileFacts, segments: &[&str]) -> Option<usize> {
        let item = import.item.map(|name| facts.names.get(name));
        let segments: Vec<&str> = segments.iter().copied().chain(item).collect();
        let language = self.language(file)?.0;
        let project = self.projects[language].as_ref();
        let package = project.package(self.path(file));
        (0..segments.len()).rev().find_map(|last| {
            let candidates = self.by_stem.get(segments[last]).into_iter().flatten().copied();
            let is_own = |found: &usize| *found != file && self.language(*found).is_some_and(|(own, _)| own == language);
            let fit = |found: usize| {
                let above = self.path(found).rsplit('/').skip(1);
                let wanted = segments[..last].iter().rev();
                let n_same = above.zip(wanted).take_while(|(folder, segment)| folder == *segment).count();
                (n_same, common(self.path(found), self.path(file)), std::cmp::Reverse(found))
            };
            let best = candidates.filter(is_own).max_by_key(|found| fit(*found))?;
            // A file of the name alone is meant in the same package.
            (fit(best).0 > 0 || project.package(self.path(best)) == package).then_some(best)
        })
    }

    /// The files in which a file is declared as a module, up to the root of its tree.
    pub(super) fn holders(&self, file: usize, is_root: &dyn Fn(&str) -> bool) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut this = file;
        while let Some(holder) = self.holder(this, is_root).filter(|holder| !found.contains(holder) && *holder != file) {
            found.push(holder);
            this = holder;
        }
        found
    }

    fn holder(&self, file: usize, is_root: &dyn Fn(&str) -> bool) -> Option<usize> {
        let (number, language) = self.language(file)?;
        if language.scope.modules != ModuleModel::Tree || is_root(self.path(file)) {
            return None;
        }
        let (folder, name) = parts(self.path(file));
        let (above, folder_name) = parts(folder);
        let holds = |holder: usize, child: &str| {
            let path = self.path(holder);
            let children = self.projects[number].child(path, is_root(path), &[], child, None);
            holder != file && children.iter().any(|child| child == self.path(file))
        };
        // Beside it, or beside its folder; a file that stands for its folder is a child of the folder's name.
        [(folder, without_ending(name)), (above, without_ending(name)), (above, folder_name)].into_iter().find_map(
            |(folder, child)| {
                let beside = self.by_folder.get(folder).into_iter().flatten().copied();
                beside
                    .filter(|holder| self.language(*holder).is_some_and(|(own, _)| own == number))
                    .find(|holder| holds(*holder, child))
            },
        )
    }
}

/// The names that files define and others may use, those of the first files first.
pub(super) fn names<'f>(files: impl IntoIterator<Item = &'f FileFacts>) -> Vec<&'f str> {
    let mut names: Vec<&str> = Vec::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for facts in files {
        let defined = facts
            .symbols
            .iter()
            .filter(|symbol| symbol.kind != SymbolKind::Test && !matches!(symbol.container, Container::Symbol(_)));
        let of_file = defined
            .map(|symbol| facts.names.get(symbol.name))
            .filter(|name| (MIN_NAME_BYTES..=MAX_NAME_BYTES).contains(&name.len()));
        names.extend(of_file.filter(|name| known.insert(name)).take(MAX_NAMES_OF_FILE));
    }
    names.truncate(MAX_NAMES);
    names
}

/// Finds names in texts, each as a whole.
pub(super) struct NameFinder<'n> {
    beginnings: Beginnings,
    /// The names that begin with these bytes, by number.
    names: FxHashMap<&'n [u8], Vec<(u32, &'n [u8])>>,
}

impl<'n> NameFinder<'n> {
    pub(super) fn new(names: &[&'n str]) -> Self {
        let mut by_beginning: FxHashMap<&[u8], Vec<(u32, &[u8])>> = FxHashMap::default();
        for (name, number) in names.iter().map(|name| name.as_bytes()).zip(0..) {
            by_beginning.entry(&name[..MIN_NAME_BYTES.min(name.len())]).or_default().push((number, name));
        }
        Self { beginnings: Beginnings::of(names.iter().map(|name| name.as_bytes())), names: by_beginning }
    }

    /// The names that stand in a text, by number.
    pub(super) fn find(&self, text: &[u8]) -> BTreeSet<u32> {
        let is_in_name = |at: Option<&u8>| at.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
        let mut found = BTreeSet::new();
        let is_start = |at: usize| !is_in_name(at.checked_sub(1).and_then(|before| text.get(before)));
        self.beginnings.find(text, is_start, |at| {
            let names = text.get(at..at + MIN_NAME_BYTES).and_then(|beginning| self.names.get(beginning));
            let is_it = |name: &[u8]| text[at..].starts_with(name) && !is_in_name(text.get(at + name.len()));
            found.extend(names.into_iter().flatten().filter(|(_, name)| is_it(name)).map(|(number, _)| *number));
        });
        found
    }
}

/// Folder and name of a path.
fn parts(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// A name without its ending.
fn without_ending(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Bytes that two paths begin with in common.
fn common(first: &str, second: &str) -> usize {
    first.bytes().zip(second.bytes()).take_while(|(first, second)| first == second).count()
}
