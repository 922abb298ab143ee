//! What imports mean: modules and definitions behind paths, through re-exports.

use super::index::{Def, Index};
use super::{FileId, Item, ModuleId, Name};
use activate_grammars::facts::{Import, ImportKind};
use activate_grammars::scope::{ModuleModel, RootWord};
use rayon::prelude::*;

/// The longest chain of re-exports that is followed; longer ones are cycles in practice.
const MAX_CHAIN: usize = 24;

impl Index<'_> {
    /// Settles what every import means.
    pub(super) fn resolve_imports(&mut self) {
        let resolve = |number: usize| {
            let file = FileId(number as u32);
            let imports = &self.files[number].facts.imports;
            (0..imports.len()).map(|place| self.import_items(file, place as u32, 0)).collect::<Vec<_>>()
        };
        self.import_targets = (0..self.files.len()).into_par_iter().map(resolve).collect();
    }

    /// What an import brings; a glob and a side effect bring their module.
    pub(super) fn import_items(&self, file: FileId, place: u32, chain: usize) -> Vec<Item> {
        if let Some(known) = self.import_targets.get(file.0 as usize) {
            return known[place as usize].clone();
        }
        if chain > MAX_CHAIN {
            return Vec::new();
        }
        let facts = self.facts(file);
        let import = &facts.imports[place as usize];
        let tree = self.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Tree);
        if tree && import.kind != ImportKind::Child {
            return self.path_items(file, import, chain);
        }
        let source = match import.kind {
            ImportKind::Child => return self.child_module(file, import).map(Item::Module).into_iter().collect(),
            _ => self.import_source(file, import),
        };
        match source {
            Source::Module(module) => match import.kind {
                ImportKind::Item | ImportKind::Default => {
                    let name = match (import.kind, import.item) {
                        (ImportKind::Item, Some(item)) => Some(self.name(file, item)),
                        _ => self.names.find("default"),
                    };
                    name.map_or_else(Vec::new, |name| self.exported(module, name, (file, place), chain + 1))
                }
                _ => vec![Item::Module(module)],
            },
            Source::Foreign => vec![Item::Foreign],
            Source::Unknown => Vec::new(),
        }
    }

    fn child_module(&self, file: FileId, import: &Import) -> Option<ModuleId> {
        let name = *import.path.first()?;
        let declared_in = self.module_of(file, import.container);
        let explicit = import.path.get(1).map(|path| self.facts(file).names.get(*path));
        let inside = self.module_names(file, import.container);
        let is_root = self.modules[declared_in.0 as usize].root == Some(self.file_module[file.0 as usize]);
        let language = self.files[file.0 as usize].language?;
        let text = self.facts(file).names.get(name);
        let paths = self.projects[language].child(self.files[file.0 as usize].path, is_root, &inside, text, explicit);
        let child = paths.iter().find_map(|path| self.file_at(path))?;
        Some(self.file_module[child.0 as usize])
    }

    /// The module that an import by text comes from.
    fn import_source(&self, file: FileId, import: &Import) -> Source {
        let Some(first) = import.path.first() else { return Source::Module(self.module_of(file, import.container)) };
        let text = self.facts(file).names.get(*first);
        let Some(project) = self.project(file) else { return Source::Unknown };
        let candidates = project.candidates(self.files[file.0 as usize].path, text);
        if let Some(found) = candidates.files.iter().find_map(|path| self.file_at(path)) {
            return Source::Module(self.file_module[found.0 as usize]);
        }
        if let Some(module) = self.import_folder(file, text) {
            return Source::Module(module);
        }
        if candidates.external.is_some() { Source::Foreign } else { Source::Unknown }
    }

    /// Names that a module shows to others under `name`, through re-exports.
    pub(super) fn exported(&self, module: ModuleId, name: Name, asking: (FileId, u32), chain: usize) -> Vec<Item> {
        self.module_items(module, name, Some(asking), chain)
    }

    /// What `name` means among the members of a module: definitions, imports, then what globs bring.
    pub(super) fn module_items(&self, module: ModuleId, name: Name, asking: Option<(FileId, u32)>, chain: usize) -> Vec<Item> {
        if chain > MAX_CHAIN {
            return Vec::new();
        }
        let mut items = Vec::new();
        for def in self.definitions(module, name) {
            match *def {
                Def::Symbol(sym) => items.push(Item::Symbol(sym)),
                Def::Module(inner) => items.push(Item::Module(inner)),
                Def::Import(file, place) if Some((file, place)) != asking => {
                    items.extend(self.import_items(file, place, chain + 1));
                }
                Def::Import(..) => {}
            }
        }
        if items.is_empty() {
            for (file, place) in &self.modules[module.0 as usize].globs {
                if Some((*file, *place)) == asking {
                    continue;
                }
                for target in self.import_items(*file, *place, chain + 1) {
                    if let Item::Module(inner) = target
                        && inner != module
                    {
                        items.extend(self.module_items(inner, name, asking, chain + 2));
                    }
                }
                if !items.is_empty() {
                    break;
                }
            }
        }
        items.sort_unstable();
        items.dedup();
        items
    }

    /// Items behind a path of names, for languages whose modules form a tree.
    fn path_items(&self, file: FileId, import: &Import, chain: usize) -> Vec<Item> {
        let names: Vec<Name> = import.path.iter().map(|name| self.name(file, *name)).collect();
        let here = self.module_of(file, import.container);
        let place = self.facts(file).imports.iter().position(|other| std::ptr::eq(other, import)).map_or(0, |place| place as u32);
        self.walk_path(file, here, &names, Some((file, place)), chain)
    }

    /// Follows a path from a module.
    pub(super) fn walk_path(
        &self,
        file: FileId,
        here: ModuleId,
        names: &[Name],
        asking: Option<(FileId, u32)>,
        chain: usize,
    ) -> Vec<Item> {
        let Some((first, rest)) = names.split_first() else { return Vec::new() };
        let mut items = self.first_segment(file, here, *first, asking, chain);
        for (at, name) in rest.iter().enumerate() {
            let mut next = Vec::new();
            for item in &items {
                match item {
                    Item::Module(module) => match self.root_word(file, *name) {
                        Some(RootWord::Parent) => next.extend(self.modules[module.0 as usize].parent.map(Item::Module)),
                        Some(RootWord::Here) => next.push(Item::Module(*module)),
                        _ => next.extend(self.module_items(*module, *name, asking, chain + 1)),
                    },
                    Item::Symbol(sym) => {
                        let members = self.members.get(&(*sym, *name)).map_or(&[][..], Vec::as_slice);
                        next.extend(members.iter().filter_map(|member| match member {
                            super::index::Member::Symbol(sym) => Some(Item::Symbol(*sym)),
                            // A variant stands for its type.
                            super::index::Member::Field(..) => None,
                        }));
                        if next.is_empty() && at + 1 == rest.len() {
                            next.push(Item::Symbol(*sym));
                        }
                    }
                    Item::Foreign => next.push(Item::Foreign),
                }
            }
            next.sort_unstable();
            next.dedup();
            items = next;
        }
        items
    }

    fn root_word(&self, file: FileId, name: Name) -> Option<RootWord> {
        let text = self.names.text(name);
        self.rules(file)?.root_words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning)
    }

    /// What the first name of a path means: a word for a root, a name in scope, or a crate.
    pub(super) fn first_segment(
        &self,
        file: FileId,
        here: ModuleId,
        name: Name,
        asking: Option<(FileId, u32)>,
        chain: usize,
    ) -> Vec<Item> {
        match self.root_word(file, name) {
            Some(RootWord::Crate) => {
                let root = self.modules[here.0 as usize].root.unwrap_or(self.file_module[file.0 as usize]);
                return vec![Item::Module(root)];
            }
            Some(RootWord::Here) => return vec![Item::Module(here)],
            Some(RootWord::Parent) => return self.modules[here.0 as usize].parent.map(Item::Module).into_iter().collect(),
            None => {}
        }
        let items = self.module_items(here, name, asking, chain + 1);
        if items.is_empty() { self.crate_items(file, name) } else { items }
    }

    /// A crate by its name.
    pub(super) fn crate_items(&self, file: FileId, name: Name) -> Vec<Item> {
        let Some(project) = self.project(file) else { return Vec::new() };
        let candidates = project.candidates(self.files[file.0 as usize].path, self.names.text(name));
        if let Some(found) = candidates.files.iter().find_map(|path| self.file_at(path)) {
            return vec![Item::Module(self.file_module[found.0 as usize])];
        }
        candidates.external.map(|_| Item::Foreign).into_iter().collect()
    }
}

/// Where an import comes from.
enum Source {
    Module(ModuleId),
    Foreign,
    Unknown,
}
