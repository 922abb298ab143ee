//! Builds the tables of the resolver from the facts of all files: names, modules and what is defined in them.

use super::index::{DEFAULT, Def, Index, Module, NameTable, add_definition};
use super::lifecycle::Lifecycles;
use super::line::Lines;
use super::{FileId, ModuleId, Name, SourceFile, Sym};
use activate_grammars::LANGUAGES;
use activate_grammars::facts::{
    CALLABLE, Container, Expr, Import, ImportKind, Site, SiteKind, Symbol, SymbolKind, Traits, Visibility,
};
use activate_grammars::project::{Project, folder_of};
use activate_grammars::scope::ModuleModel;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Endings of files that have declarations and no code.
const DECLARATIONS: [&str; 3] = [".d.ts", ".d.mts", ".d.cts"];

impl<'a> Index<'a> {
    /// Builds all tables.
    pub(crate) fn build(files: &'a [SourceFile<'a>], projects: &'a [Box<dyn Project>]) -> Self {
        let mut index = Self {
            files,
            projects,
            names: NameTable::default(),
            name_maps: Vec::with_capacity(files.len()),
            builtins: FxHashSet::default(),
            first_symbol: Vec::with_capacity(files.len() + 1),
            symbol_file: Vec::new(),
            modules: Vec::new(),
            file_scope: Vec::with_capacity(files.len()),
            file_module: Vec::with_capacity(files.len()),
            files_of: FxHashMap::default(),
            defs: FxHashMap::default(),
            by_name: FxHashMap::default(),
            defined: FxHashSet::default(),
            symbol_modules: FxHashMap::default(),
            folder_modules: BTreeMap::new(),
            submodules: FxHashMap::default(),
            package_roots: FxHashMap::default(),
            types_within: FxHashMap::default(),
            import_sources: files.iter().map(|_| OnceLock::new()).collect(),
            exported: FxHashSet::default(),
            import_targets: Vec::new(),
            owner_types: Vec::new(),
            declared_modules: FxHashMap::default(),
            globals: FxHashMap::default(),
            merged: FxHashMap::default(),
            general_blocks: FxHashSet::default(),
            member_of: Vec::new(),
            members: FxHashMap::default(),
            supers: FxHashMap::default(),
            supers_outside: FxHashMap::default(),
            outside_blocks: FxHashMap::default(),
            methods: FxHashMap::default(),
            macros: FxHashMap::default(),
            overridden: OnceLock::new(),
            lines: Lines::default(),
            lifecycles: Lifecycles::default(),
            module_names: OnceLock::new(),
        };
        index.number();
        index.add_modules();
        index.add_submodules();
        index.add_packages();
        for (number, module) in index.file_module.iter().enumerate() {
            index.files_of.entry(*module).or_default().push(FileId(number as u32));
        }
        (0..files.len() as u32).into_par_iter().for_each(|file| index.find_origins(FileId(file)));
        index.join_trees();
        index.add_definitions();
        index.add_imports();
        index.defined = index.defs.keys().map(|(_, name)| *name).collect();
        index.resolve_imports();
        index.add_members();
        index
    }

    fn number(&mut self) {
        let mut n_symbols = 0;
        // What is looked up by its text is there always: whether some body happens to mention it must make no difference.
        for text in [DEFAULT, CALLABLE] {
            self.names.intern(text);
        }
        for (number, language) in LANGUAGES.iter().enumerate() {
            let rules = &language.scope;
            let delegate = rules.delegates.map(|(_, target)| target);
            for library in rules.library {
                self.names.intern(library.name);
            }
            for text in rules.constructor.into_iter().chain(delegate).chain(rules.protocol.all()) {
                self.names.intern(text);
            }
            for text in rules.builtins {
                self.builtins.insert((number, self.names.intern(text)));
            }
        }
        for (number, file) in self.files.iter().enumerate() {
            let facts = file.facts.get();
            self.first_symbol.push(n_symbols);
            n_symbols += facts.symbols.len() as u32;
            self.symbol_file.resize(n_symbols as usize, FileId(number as u32));
            let map: Box<[Name]> = facts.names.iter().map(|text| self.names.intern(text)).collect();
            self.name_maps.push(OnceLock::from(map));
        }
        self.first_symbol.push(n_symbols);
        self.member_of = vec![None; n_symbols as usize];
    }

    fn new_module(&mut self, parent: Option<ModuleId>, file: Option<FileId>) -> ModuleId {
        self.modules.push(Module { parent, file, ..Module::default() });
        ModuleId(self.modules.len() as u32 - 1)
    }

    fn add_modules(&mut self) {
        let mut packages: FxHashMap<(Option<usize>, &'a str, &'a str), ModuleId> = FxHashMap::default();
        for (number, file) in self.files.iter().enumerate() {
            let (id, facts) = (FileId(number as u32), file.facts.get());
            let model = file.language.map(|at| LANGUAGES[at].scope.modules);
            let package = facts.package.map(|package| facts.names.get(package));
            let said = match (model, package) {
                (Some(ModuleModel::Folder), Some(package)) => Some((folder_of(file.path), package)),
                (Some(ModuleModel::Package), Some(package)) => Some(("", package)),
                // Files without a package are one of their own in each folder.
                (Some(ModuleModel::Package), None) => Some((folder_of(file.path), "")),
                _ => None,
            };
            if let Some((folder, package)) = said {
                let module = if let Some(module) = packages.get(&(file.language, folder, package)) {
                    *module
                } else {
                    let module = self.new_module(None, Some(id));
                    packages.insert((file.language, folder, package), module);
                    module
                };
                let is_test = file.language.is_some_and(|at| (LANGUAGES[at].is_test_path)(file.path));
                if let Some(language) = file.language.filter(|_| !is_test && model == Some(ModuleModel::Folder)) {
                    // A program beside a library, as one that writes some of its files, is never what an import of the folder means.
                    let program = self.rules(id).and_then(|rules| packages.get(&(file.language, folder, rules.program?)));
                    let known = self.folder_modules.entry((language, folder)).or_insert(module);
                    if Some(&*known) == program {
                        *known = module;
                    }
                }
                let scope = self.new_module(Some(module), Some(id));
                self.file_scope.push(scope);
                self.file_module.push(module);
            } else {
                let module = self.new_module(None, Some(id));
                self.file_scope.push(module);
                self.file_module.push(module);
            }
            for (place, symbol) in facts.symbols.iter().enumerate() {
                if symbol.kind == SymbolKind::Module {
                    let parent = self.module_of(id, symbol.container);
                    let module = self.new_module(Some(parent), Some(id));
                    self.symbol_modules.insert(Sym(self.first_symbol[number] + place as u32), module);
                }
            }
        }
    }

    /// Hangs packages that files say below one another by the names that their own names are made of.
    fn add_packages(&mut self) {
        let mut packages: BTreeMap<(usize, &'a str), ModuleId> = BTreeMap::new();
        for (number, file) in self.files.iter().enumerate() {
            let language = file.language.filter(|language| LANGUAGES[*language].scope.modules == ModuleModel::Package);
            if let (Some(language), facts) = (language, file.facts.get())
                && let Some(package) = facts.package
            {
                packages.entry((language, facts.names.get(package))).or_insert(self.file_module[number]);
            }
        }
        let said: Vec<(usize, &'a str)> = packages.keys().copied().collect();
        for (language, package) in said {
            let root = if let Some(root) = self.package_roots.get(&language) {
                *root
            } else {
                let root = self.new_module(None, None);
                self.package_roots.insert(language, root);
                root
            };
            let ends = package.match_indices('.').map(|(at, _)| at).chain([package.len()]);
            let mut above = root;
            for end in ends {
                let prefix = &package[..end];
                let module = if let Some(module) = packages.get(&(language, prefix)) {
                    *module
                } else {
                    let module = self.new_module(None, None);
                    packages.insert((language, prefix), module);
                    module
                };
                let name = self.names.intern(prefix.rsplit('.').next().unwrap_or(prefix));
                self.submodules.entry((above, name)).or_insert(module);
                above = module;
            }
        }
    }

    /// Makes a module of each folder, where folders are modules, and hangs those of files and folders below them by their names.
    fn add_submodules(&mut self) {
        let mut files: Vec<(usize, &'a str, FileId)> = Vec::new();
        for (at, file) in self.files.iter().enumerate() {
            if let Some(language) = file.language.filter(|language| LANGUAGES[*language].scope.submodules.is_some()) {
                files.push((language, file.path, FileId(at as u32)));
            }
        }
        let stem = |path: &'a str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.rsplit_once('.').map_or(name, |(stem, _)| stem)
        };
        let mut packages: BTreeMap<(usize, &'a str), ModuleId> = BTreeMap::new();
        let (of_folders, of_files): (Vec<_>, Vec<_>) =
            files.iter().copied().partition(|(language, path, _)| LANGUAGES[*language].scope.submodules == Some(stem(path)));
        for (language, path, file) in of_folders {
            packages.entry((language, folder_of(path))).or_insert(self.file_module[file.0 as usize]);
        }
        let mut folders = packages.clone();
        for (language, path, _) in &files {
            let mut folder = folder_of(path);
            while !folders.contains_key(&(*language, folder)) {
                let module = self.new_module(None, None);
                folders.insert((*language, folder), module);
                folder = folder_of(folder);
            }
        }
        let mut hang = |language: usize, path: &'a str, name: &'a str, module: ModuleId| {
            if let Some(above) = folders.get(&(language, folder_of(path))).filter(|above| **above != module) {
                let name = self.names.intern(name);
                self.submodules.entry((*above, name)).or_insert(module);
            }
        };
        // A package goes before a file of its name, and that before a folder that is none.
        for ((language, folder), module) in &packages {
            hang(*language, folder, folder.rsplit('/').next().unwrap_or(folder), *module);
        }
        for (language, path, file) in of_files {
            hang(language, path, stem(path), self.file_module[file.0 as usize]);
        }
        for ((language, folder), module) in &folders {
            hang(*language, folder, folder.rsplit('/').next().unwrap_or(folder), *module);
        }
        self.folder_modules.extend(folders);
    }

    /// Hangs the modules of files below the modules that declare them.
    fn join_trees(&mut self) {
        for (at, language) in LANGUAGES.iter().enumerate() {
            if language.scope.modules != ModuleModel::Tree {
                continue;
            }
            let mut roots: Vec<FileId> = self.projects[at].roots().iter().filter_map(|root| self.file_at(&root.file)).collect();
            roots.extend((0..self.files.len() as u32).map(FileId).filter(|file| {
                let file = &self.files[file.0 as usize];
                file.language == Some(at) && self.projects[at].discovers(file.path)
            }));
            let mut open: Vec<FileId> = roots.iter().rev().copied().collect();
            let mut seen: Vec<bool> = vec![false; self.files.len()];
            // Files whose items stand in the file that declares them.
            let mut parts: FxHashMap<FileId, FileId> = FxHashMap::default();
            while let Some(file) = open.pop() {
                if std::mem::replace(&mut seen[file.0 as usize], true) {
                    continue;
                }
                let module = self.file_module[file.0 as usize];
                let root = self.modules[module.0 as usize].root.unwrap_or(module);
                self.modules[module.0 as usize].root = Some(root);
                let whole = parts.get(&file).copied().unwrap_or(file);
                for (import, child) in self.children(at, (file, whole), roots.contains(&whole)) {
                    let child_module = self.file_module[child.0 as usize];
                    let container = self.facts(file).imports[import as usize].container;
                    let declared_in = self.module_of(file, container);
                    if self.modules[child_module.0 as usize].parent.is_none() && child_module != root {
                        self.modules[child_module.0 as usize].parent = Some(declared_in);
                        self.modules[child_module.0 as usize].root = Some(root);
                        open.push(child);
                        if container == Container::File && self.is_given_once(child, file) {
                            parts.insert(child, whole);
                            self.make_part(child, declared_in);
                        }
                    }
                }
            }
            // Modules inside files share the root of their file.
            for module in 0..self.modules.len() {
                if self.modules[module].root.is_none()
                    && let Some(parent) = self.modules[module].parent
                {
                    self.modules[module].root = self.modules[parent.0 as usize].root;
                }
            }
        }
    }

    /// Whether all that a file has is what a macro of it gives, which the file that declares it calls once.
    fn is_given_once(&self, file: FileId, declaring: FileId) -> bool {
        let (own, other) = (self.facts(file), self.facts(declaring));
        let gives = |symbol: &&Symbol| symbol.container == Container::File && symbol.traits.has(Traits::GIVES_FILE);
        let Some(called) = own.symbols.iter().find(gives).map(|symbol| own.names.get(symbol.name)) else { return false };
        let calls_it = |site: &&Site| match other.exprs.get(site.expr.0 as usize) {
            Some(Expr::Name(name)) => site.kind == SiteKind::Macro && other.names.get(*name) == called,
            _ => false,
        };
        let mut calls = other.sites.iter().filter(calls_it);
        calls.next().is_some_and(|site| site.from.is_none()) && calls.next().is_none()
    }

    /// Makes a file a part of a module: what stands in it stands there.
    fn make_part(&mut self, file: FileId, of: ModuleId) {
        let own = std::mem::replace(&mut self.file_module[file.0 as usize], of);
        self.file_scope[file.0 as usize] = of;
        self.files_of.remove(&own);
        self.files_of.entry(of).or_default().push(file);
        for inner in self.modules.iter_mut().filter(|inner| inner.parent == Some(own)) {
            inner.parent = Some(of);
        }
    }

    /// Files of the child modules that a file declares, with the import that does; they lie where those of the `whole` do.
    fn children(&self, language: usize, (file, whole): (FileId, FileId), is_root: bool) -> Vec<(u32, FileId)> {
        let facts = self.facts(file);
        let mut found = Vec::new();
        for (at, import) in facts.imports.iter().enumerate().filter(|(_, import)| import.kind == ImportKind::Child) {
            let Some(name) = import.path.first() else { continue };
            let explicit = import.path.get(1).map(|path| facts.names.get(*path));
            let inside = self.module_names(file, import.container);
            let candidates = self.projects[language].child(
                self.files[whole.0 as usize].path,
                is_root,
                &inside,
                facts.names.get(*name),
                explicit,
            );
            if let Some(child) = candidates.iter().find_map(|path| self.file_at(path)).filter(|child| *child != file) {
                found.push((at as u32, child));
            }
        }
        found
    }

    fn add_definitions(&mut self) {
        for number in 0..self.files.len() {
            let file = FileId(number as u32);
            // What code from outside defines is meant by no name.
            if self.files[number].language.is_none() {
                continue;
            }
            let is_script = self.declares_globals(file);
            for (place, symbol) in self.facts(file).symbols.iter().enumerate() {
                let sym = Sym(self.first_symbol[number] + place as u32);
                let name = self.name(file, symbol.name);
                if let Some(language) = self.by_name_in(file) {
                    if symbol.kind != SymbolKind::Test && !symbol.traits.has(Traits::NESTED) {
                        add_definition(self.by_name.entry((language, name)).or_default(), sym);
                    }
                    continue;
                }
                if symbol.kind == SymbolKind::Method && !symbol.traits.has(Traits::NESTED) {
                    self.methods.entry(name).or_default().push(sym);
                    continue;
                }
                if let (true, Container::Symbol(of)) = (self.has_packages(file) && self.is_type(sym), symbol.container) {
                    let of = Sym(self.first_symbol[number] + of.0);
                    add_definition(self.types_within.entry((of, name)).or_default(), sym);
                }
                if symbol.kind == SymbolKind::Test || symbol.traits.has(Traits::NESTED) || !self.is_module_level(file, symbol) {
                    continue;
                }
                let module = self.definition_module(file, symbol.container);
                if symbol.kind == SymbolKind::Macro {
                    let root = self.root_of(file);
                    self.macros.entry((root, name)).or_default().push(sym);
                    if symbol.traits.has(Traits::AT_ROOT) && root != module {
                        add_definition(self.defs.entry((root, name)).or_default(), Def::Symbol(sym));
                    }
                }
                add_definition(self.defs.entry((module, name)).or_default(), Def::Symbol(sym));
                if is_script && symbol.container == Container::File {
                    add_definition(self.globals.entry(name).or_default(), Def::Symbol(sym));
                }
                if let Some(inner) = self.symbol_modules.get(&sym) {
                    if symbol.container == Container::File && self.rules(file).is_some_and(|rules| rules.declares_outside) {
                        add_definition(self.declared_modules.entry(name).or_default(), *inner);
                    }
                    add_definition(self.defs.entry((module, name)).or_default(), Def::Module(*inner));
                }
                if symbol.traits.has(Traits::DEFAULT)
                    && let Some(default) = self.names.find(DEFAULT)
                {
                    add_definition(self.defs.entry((module, default)).or_default(), Def::Symbol(sym));
                }
            }
        }
    }

    /// Whether all files see what a file declares, as they do where it neither imports nor exports anything and has no code.
    fn declares_globals(&self, file: FileId) -> bool {
        let facts = self.facts(file);
        let exports = |symbol: &Symbol| symbol.container == Container::File && symbol.visibility == Visibility::Public;
        self.rules(file).is_some_and(|rules| rules.declares_outside)
            && DECLARATIONS.iter().any(|ending| self.files[file.0 as usize].path.ends_with(ending))
            && facts.imports.is_empty()
            && !facts.symbols.iter().any(exports)
    }

    fn is_module_level(&self, file: FileId, symbol: &Symbol) -> bool {
        match symbol.container {
            Container::File => true,
            Container::Owner(_) => false,
            Container::Symbol(id) => self.facts(file).symbols[id.0 as usize].kind == SymbolKind::Module,
        }
    }

    /// The module that a definition in a container is a member of.
    fn definition_module(&self, file: FileId, container: Container) -> ModuleId {
        match container {
            Container::File => self.file_module[file.0 as usize],
            other => self.module_of(file, other),
        }
    }

    fn add_imports(&mut self) {
        for number in 0..self.files.len() {
            let file = FileId(number as u32);
            for (place, import) in self.facts(file).imports.iter().enumerate() {
                let place = place as u32;
                let module = self.module_of(file, import.container);
                match import.kind {
                    ImportKind::Glob => self.modules[module.0 as usize].globs.push((file, place)),
                    ImportKind::Effect => {}
                    ImportKind::Module | ImportKind::Item | ImportKind::Default | ImportKind::Child | ImportKind::Member => {
                        if let Some(name) = self.import_name(file, place, import) {
                            add_definition(self.defs.entry((module, name)).or_default(), Def::Import(file, place));
                        }
                    }
                }
            }
        }
    }

    /// The name an import is known by: as written, or the name of the package it brings.
    fn import_name(&mut self, file: FileId, place: u32, import: &Import) -> Option<Name> {
        if let Some(local) = import.local {
            return Some(self.name(file, local));
        }
        let path = self.facts(file).names.get(*import.path.first()?);
        let folder = self.import_origin(file, place).folder.and_then(|module| self.modules[module.0 as usize].file);
        let package = folder.and_then(|file| self.facts(file).package.map(|name| self.facts(file).names.get(name)));
        let name = package.unwrap_or_else(|| self.project(file).map_or(path, |project| project.default_name(path)));
        Some(self.names.intern(name))
    }
}
