//! What imports mean: modules and definitions behind paths, through re-exports.

use super::index::{DEFAULT, Def, Index};
use super::{FileId, Item, ModuleId, Name, Sym, facts};
use activate_grammars::facts::{Import, ImportKind, Traits, Visibility};
use activate_grammars::scope::{ModuleModel, RootWord};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// The longest chain of re-exports that is followed; longer ones are an attack on the stack.
const MAX_CHAIN: usize = 64;

/// The most globs to modules with globs of their own that one question follows: modules that bring all of one another have as many as the
/// square of their number. A module that brings all names of thousands of others is not one of them. Beyond, the name stays unknown.
const MAX_GLOB_STEPS: usize = 1_024;

/// What one question has found out on its way: each name of each module and each import is followed once, so that modules which bring all
/// of one another cost no more than their number. What is still being followed counts as nothing.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// By module, name, and whether only what others see is asked for.
    names: FxHashMap<(ModuleId, Name, bool), Vec<Item>>,
    imports: FxHashMap<(FileId, u32), Vec<Item>>,
    depth: usize,
    /// Globs to modules with globs that have been followed.
    n_glob_steps: usize,
}

impl Index<'_> {
    /// Settles what every import means.
    pub(super) fn resolve_imports(&mut self) {
        let resolve = |number: usize| {
            let file = FileId(number as u32);
            let imports = &self.facts(file).imports;
            (0..imports.len()).map(|place| self.import_items(file, place as u32, &mut Seen::default())).collect::<Vec<_>>()
        };
        self.import_targets = (0..self.files.len()).into_par_iter().map(resolve).collect();
        for (file, targets) in self.files.iter().zip(&self.import_targets) {
            let exports =
                file.facts.get().imports.iter().zip(targets).filter(|(import, _)| import.exported && import.path.is_empty());
            for item in exports.flat_map(|(_, items)| items) {
                if let Item::Symbol(sym) = item {
                    self.exported.insert(*sym);
                }
            }
        }
    }

    /// What an import brings; a glob and a side effect bring their module.
    pub(super) fn import_items(&self, file: FileId, place: u32, seen: &mut Seen) -> Vec<Item> {
        if let Some(known) = self.import_targets.get(file.0 as usize) {
            facts::ask(file.0);
            return known[place as usize].clone();
        }
        if let Some(known) = seen.imports.get(&(file, place)) {
            return known.clone();
        }
        if seen.depth > MAX_CHAIN {
            return Vec::new();
        }
        seen.imports.insert((file, place), Vec::new());
        seen.depth += 1;
        let items = self.follow_import(file, place, seen);
        seen.depth -= 1;
        seen.imports.insert((file, place), items.clone());
        items
    }

    fn follow_import(&self, file: FileId, place: u32, seen: &mut Seen) -> Vec<Item> {
        let facts = self.facts(file);
        let import = &facts.imports[place as usize];
        let tree = self.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Tree);
        if tree && import.kind != ImportKind::Child {
            return self.path_items(file, import, seen);
        }
        if self.has_packages(file) {
            return self.package_items(file, import);
        }
        let source = match import.kind {
            ImportKind::Child => return self.child_module(file, import).map(Item::Module).into_iter().collect(),
            _ => self.import_source(file, place),
        };
        match source {
            Source::Module(module) => match import.kind {
                ImportKind::Item | ImportKind::Default => {
                    let name = match (import.kind, import.item) {
                        (ImportKind::Item, Some(item)) => Some(self.name(file, item)),
                        _ => self.names.find(DEFAULT),
                    };
                    name.map_or_else(Vec::new, |name| self.items_or_submodule(module, name, seen))
                }
                _ => vec![Item::Module(module)],
            },
            Source::Foreign | Source::Unknown => {
                let declared = self.declared_item(file, import, seen);
                match source {
                    Source::Foreign if declared.is_empty() => vec![Item::Foreign],
                    _ => declared,
                }
            }
        }
    }

    /// An item of a module from outside that a file of the repository declares.
    fn declared_item(&self, file: FileId, import: &Import, seen: &mut Seen) -> Vec<Item> {
        let (ImportKind::Item, Some(item), Some(path)) = (import.kind, import.item, import.path.first()) else {
            return Vec::new();
        };
        // A path from the file itself is no name of a module from outside.
        if self.facts(file).names.get(*path).starts_with('.') {
            return Vec::new();
        }
        let declared = self.declared_modules.get(&self.name(file, *path)).map_or(&[][..], Vec::as_slice);
        let language = |file: FileId| self.files[file.0 as usize].language;
        let is_of_language =
            |module: &&ModuleId| self.modules[module.0 as usize].file.is_some_and(|of| language(of) == language(file));
        let name = self.name(file, item);
        let mut found = declared.iter().filter(is_of_language).map(|module| self.module_items(*module, name, seen));
        found.find(|items| !items.is_empty()).unwrap_or_default()
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
    fn import_source(&self, file: FileId, place: u32) -> Source {
        let import = &self.facts(file).imports[place as usize];
        if import.path.is_empty() {
            return Source::Module(self.module_of(file, import.container));
        }
        let origin = self.import_origin(file, place);
        if let Some(found) = origin.file {
            return Source::Module(self.file_module[found.0 as usize]);
        }
        if let Some(module) = origin.folder {
            return Source::Module(module);
        }
        if origin.may_be_outside { Source::Foreign } else { Source::Unknown }
    }

    /// What `name` means among the members of a module: definitions, imports, then what globs bring.
    pub(super) fn module_items(&self, module: ModuleId, name: Name, seen: &mut Seen) -> Vec<Item> {
        self.items_for(module, name, None, seen)
    }

    /// The same, or the module below it that has the name.
    pub(super) fn items_or_submodule(&self, module: ModuleId, name: Name, seen: &mut Seen) -> Vec<Item> {
        let items = self.module_items(module, name, seen);
        if !items.is_empty() {
            return items;
        }
        self.submodules.get(&(module, name)).map(|below| Item::Module(*below)).into_iter().collect()
    }

    /// The same for all who see the module, or for another module that takes everything it sees.
    fn items_for(&self, module: ModuleId, name: Name, viewer: Option<ModuleId>, seen: &mut Seen) -> Vec<Item> {
        let viewer = viewer.filter(|viewer| !self.is_within(*viewer, module));
        let mut items = Vec::new();
        let definitions = self.definitions(module, name);
        for def in definitions {
            if viewer.is_some_and(|viewer| !self.shows(*def, definitions, viewer)) {
                continue;
            }
            match *def {
                Def::Symbol(sym) => items.push(Item::Symbol(sym)),
                Def::Module(inner) => items.push(Item::Module(inner)),
                Def::Import(file, place) => items.extend(self.import_items(file, place, seen)),
            }
        }
        if items.is_empty() && !self.modules[module.0 as usize].globs.is_empty() {
            items = self.glob_items(module, name, viewer.is_some(), seen);
        }
        items.sort_unstable();
        items.dedup();
        items
    }

    /// Whether a module is another or stands inside it.
    pub(super) fn is_within(&self, inner: ModuleId, outer: ModuleId) -> bool {
        std::iter::successors(Some(inner), |at| self.modules[at.0 as usize].parent).take(MAX_CHAIN).any(|at| at == outer)
    }

    /// Whether a definition of a name, one of several, is seen from a module that is not inside its own.
    pub(super) fn shows(&self, def: Def, definitions: &[Def], viewer: ModuleId) -> bool {
        match def {
            Def::Import(file, place) => self.facts(file).imports[place as usize].exported,
            Def::Module(inner) => definitions
                .iter()
                .any(|def| matches!(def, Def::Symbol(sym) if self.module_of_symbol(*sym) == Some(inner) && self.shows_symbol(*sym, viewer))),
            Def::Symbol(sym) => self.shows_symbol(sym, viewer),
        }
    }

    fn shows_symbol(&self, sym: Sym, viewer: ModuleId) -> bool {
        let (file, symbol) = self.symbol(sym);
        match symbol.visibility {
            Visibility::Public => true,
            // A macro that is exported says so above it.
            Visibility::Private => symbol.traits.has(Traits::AT_ROOT),
            // Within a crate; where only what is exported can be imported, within the module.
            Visibility::Package => {
                !self.rules(file).is_some_and(|rules| rules.exports_only)
                    && self.modules[viewer.0 as usize].root == Some(self.root_of(file))
            }
        }
    }

    /// What the first glob of a module that knows `name` brings; those that it passes on, where only these are asked for.
    fn glob_items(&self, module: ModuleId, name: Name, passed_on: bool, seen: &mut Seen) -> Vec<Item> {
        let key = (module, name, passed_on);
        if let Some(known) = seen.names.get(&key) {
            return known.clone();
        }
        // What no module has no glob brings.
        if seen.depth > MAX_CHAIN || !self.defined.contains(&name) {
            return Vec::new();
        }
        seen.names.insert(key, Vec::new());
        seen.depth += 1;
        let mut items = Vec::new();
        for (file, place) in &self.modules[module.0 as usize].globs {
            if passed_on && !self.facts(*file).imports[*place as usize].exported {
                continue;
            }
            for target in self.import_items(*file, *place, seen) {
                if let Item::Module(inner) = target
                    && inner != module
                {
                    seen.n_glob_steps += usize::from(!self.modules[inner.0 as usize].globs.is_empty());
                    items.extend(self.items_for(inner, name, Some(module), seen));
                }
            }
            if !items.is_empty() || seen.n_glob_steps > MAX_GLOB_STEPS {
                break;
            }
        }
        seen.depth -= 1;
        seen.names.insert(key, items.clone());
        items
    }

    /// Items behind a path of names, for languages whose modules form a tree.
    fn path_items(&self, file: FileId, import: &Import, seen: &mut Seen) -> Vec<Item> {
        let names: Vec<Name> = import.path.iter().map(|name| self.name(file, *name)).collect();
        let here = self.module_of(file, import.container);
        self.walk_path(file, here, &names, seen)
    }

    /// Follows a path from a module.
    pub(super) fn walk_path(&self, file: FileId, here: ModuleId, names: &[Name], seen: &mut Seen) -> Vec<Item> {
        let Some((first, rest)) = names.split_first() else { return Vec::new() };
        let mut items = self.first_segment(file, here, *first, seen);
        for (at, name) in rest.iter().enumerate() {
            let mut next = Vec::new();
            for item in &items {
                match item {
                    Item::Module(module) => match self.root_word(file, *name) {
                        Some(RootWord::Parent) => next.extend(self.modules[module.0 as usize].parent.map(Item::Module)),
                        Some(RootWord::Here) => next.push(Item::Module(*module)),
                        _ => next.extend(self.module_items(*module, *name, seen)),
                    },
                    Item::Symbol(sym) => {
                        let members = self.members.get(&(*sym, *name)).map_or(&[][..], Vec::as_slice);
                        next.extend(members.iter().filter_map(|member| match member {
                            super::index::Member::Symbol(sym) => Some(Item::Symbol(*sym)),
                            // A variant stands for its type.
                            super::index::Member::Field(..) => None,
                        }));
                        // A function of the same name as a module holds nothing.
                        if next.is_empty() && at + 1 == rest.len() && self.is_type(*sym) {
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
    pub(super) fn first_segment(&self, file: FileId, here: ModuleId, name: Name, seen: &mut Seen) -> Vec<Item> {
        match self.root_word(file, name) {
            Some(RootWord::Crate) => {
                let root = self.modules[here.0 as usize].root.unwrap_or(self.file_module[file.0 as usize]);
                return vec![Item::Module(root)];
            }
            Some(RootWord::Here) => return vec![Item::Module(here)],
            Some(RootWord::Parent) => return self.modules[here.0 as usize].parent.map(Item::Module).into_iter().collect(),
            None => {}
        }
        let items = self.module_items(here, name, seen);
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
