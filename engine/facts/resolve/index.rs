//! The tables of the resolver: names, modules and their members, types and their members.

use super::{FileId, Item, ModuleId, Name, SourceFile, Sym};
use activate_grammars::LANGUAGES;
use activate_grammars::facts::{
    Container, ExprId, Import, ImportKind, NameId, SuperKind, Symbol, SymbolKind, Traits, Visibility,
};
use activate_grammars::project::{Project, folder_of};
use activate_grammars::scope::{ModuleModel, ScopeRules};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A module.
#[derive(Debug, Clone, Default)]
pub(crate) struct Module {
    /// The module around it.
    pub(crate) parent: Option<ModuleId>,
    /// Import statements that bring all of another module, as (file, import).
    pub(crate) globs: Vec<(FileId, u32)>,
    /// The first file that is part of it.
    pub(crate) file: Option<FileId>,
    /// The root of its tree of modules.
    pub(crate) root: Option<ModuleId>,
}

/// The most definitions of one name in one place, overloads and merged declarations included, that a use of it can mean: each use leads to
/// all of them. Of more than this one more is kept, so that it shows, and uses of the name stay unresolved.
pub(super) const MAX_DEFINITIONS: usize = 64;

/// Adds a definition of a name to those that are known, as far as they are kept.
pub(super) fn add_definition<T>(known: &mut Vec<T>, definition: T) {
    if known.len() <= MAX_DEFINITIONS {
        known.push(definition);
    }
}

/// What a name stands for where it is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Def {
    /// A symbol.
    Symbol(Sym),
    /// A module inside the file.
    Module(ModuleId),
    /// An import of a file, by its place there.
    Import(FileId, u32),
}

/// A member of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Member {
    /// A method or another symbol.
    Symbol(Sym),
    /// A field or variant, by its place in its file.
    Field(FileId, u32),
}

/// A supertype or embedded type of a type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SuperOf {
    /// The type that is taken over.
    pub(crate) target: Sym,
    pub(crate) kind: SuperKind,
    /// Where it is written: file, line, what has it, and the type expression.
    pub(crate) file: FileId,
    pub(crate) line: u32,
    pub(crate) container: Container,
    pub(crate) of: ExprId,
}

/// Names by text.
#[derive(Debug, Default)]
pub(crate) struct NameTable<'a> {
    ids: FxHashMap<&'a str, Name>,
    texts: Vec<&'a str>,
}

impl<'a> NameTable<'a> {
    fn intern(&mut self, text: &'a str) -> Name {
        *self.ids.entry(text).or_insert_with(|| {
            self.texts.push(text);
            Name(self.texts.len() as u32 - 1)
        })
    }

    pub(crate) fn find(&self, text: &str) -> Option<Name> {
        self.ids.get(text).copied()
    }

    pub(crate) fn text(&self, name: Name) -> &'a str {
        self.texts[name.0 as usize]
    }
}

/// All tables.
pub(crate) struct Index<'a> {
    pub(crate) files: &'a [SourceFile<'a>],
    pub(crate) projects: &'a [Box<dyn Project>],
    pub(crate) names: NameTable<'a>,
    /// The repository's name for each name of each file.
    name_maps: Vec<Vec<Name>>,
    /// The first symbol of each file, and the number of all at the end.
    pub(crate) first_symbol: Vec<u32>,
    pub(crate) modules: Vec<Module>,
    /// The module in which names of a file are looked up first.
    pub(crate) file_scope: Vec<ModuleId>,
    /// The module that others import a file by.
    pub(crate) file_module: Vec<ModuleId>,
    /// The files whose module others import each module by.
    files_of: FxHashMap<ModuleId, Vec<FileId>>,
    defs: FxHashMap<(ModuleId, Name), Vec<Def>>,
    /// The names that any module has.
    pub(crate) defined: FxHashSet<Name>,
    /// Modules of symbols that are modules.
    symbol_modules: FxHashMap<Sym, ModuleId>,
    /// Modules of folders, by folder: the package others import, tests apart.
    folder_modules: BTreeMap<&'a str, ModuleId>,
    /// Definitions that an export statement names, whatever their own words say.
    pub(crate) exported: FxHashSet<Sym>,
    /// What each import means: filled once, after all modules are known.
    pub(crate) import_targets: Vec<Vec<Vec<Item>>>,
    /// The type symbol of each owner block, by file.
    pub(crate) owner_types: Vec<Vec<Option<Sym>>>,
    /// For each symbol, the type it is a member of.
    pub(crate) member_of: Vec<Option<Sym>>,
    pub(crate) members: FxHashMap<(Sym, Name), Vec<Member>>,
    /// Supertypes and embedded types of a type, in source order.
    pub(crate) supers: FxHashMap<Sym, Vec<SuperOf>>,
    /// Types with a supertype that the repository does not define: whether all of those are known to be from outside.
    pub(crate) supers_outside: FxHashMap<Sym, bool>,
    /// Blocks that implement a trait for a type that the repository does not define, by trait: file and place there.
    pub(crate) outside_blocks: FxHashMap<Sym, Vec<(FileId, u32)>>,
    /// Methods by name, for what no type proves.
    pub(crate) methods: FxHashMap<Name, Vec<Sym>>,
    /// Macros by the root of their tree of modules and their name: they are known by where they stand in the text, not by a path.
    pub(crate) macros: FxHashMap<(ModuleId, Name), Vec<Sym>>,
    /// Members in whose place a subtype has its own, found when they are first asked for.
    pub(super) overridden: OnceLock<FxHashSet<Sym>>,
}

impl<'a> Index<'a> {
    /// Builds all tables.
    pub(crate) fn build(files: &'a [SourceFile<'a>], projects: &'a [Box<dyn Project>]) -> Self {
        let mut index = Self {
            files,
            projects,
            names: NameTable::default(),
            name_maps: Vec::with_capacity(files.len()),
            first_symbol: Vec::with_capacity(files.len() + 1),
            modules: Vec::new(),
            file_scope: Vec::with_capacity(files.len()),
            file_module: Vec::with_capacity(files.len()),
            files_of: FxHashMap::default(),
            defs: FxHashMap::default(),
            defined: FxHashSet::default(),
            symbol_modules: FxHashMap::default(),
            folder_modules: BTreeMap::new(),
            exported: FxHashSet::default(),
            import_targets: Vec::new(),
            owner_types: Vec::new(),
            member_of: Vec::new(),
            members: FxHashMap::default(),
            supers: FxHashMap::default(),
            supers_outside: FxHashMap::default(),
            outside_blocks: FxHashMap::default(),
            methods: FxHashMap::default(),
            macros: FxHashMap::default(),
            overridden: OnceLock::new(),
        };
        index.number();
        index.add_modules();
        for (number, module) in index.file_module.iter().enumerate() {
            index.files_of.entry(*module).or_default().push(FileId(number as u32));
        }
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
        for file in self.files {
            self.first_symbol.push(n_symbols);
            n_symbols += file.facts.symbols.len() as u32;
            let map = file.facts.names.iter().map(|text| self.names.intern(text)).collect();
            self.name_maps.push(map);
        }
        self.first_symbol.push(n_symbols);
        self.member_of = vec![None; n_symbols as usize];
    }

    fn new_module(&mut self, parent: Option<ModuleId>, file: Option<FileId>) -> ModuleId {
        self.modules.push(Module { parent, file, ..Module::default() });
        ModuleId(self.modules.len() as u32 - 1)
    }

    fn add_modules(&mut self) {
        let mut packages: FxHashMap<(&'a str, &'a str), ModuleId> = FxHashMap::default();
        for (number, file) in self.files.iter().enumerate() {
            let id = FileId(number as u32);
            if let Some((ModuleModel::Folder, package)) =
                file.language.map(|at| LANGUAGES[at].scope.modules).zip(file.facts.package)
            {
                let folder = folder_of(file.path);
                let package = file.facts.names.get(package);
                let module = if let Some(module) = packages.get(&(folder, package)) {
                    *module
                } else {
                    let module = self.new_module(None, Some(id));
                    packages.insert((folder, package), module);
                    module
                };
                let is_test = file.language.is_some_and(|at| (LANGUAGES[at].is_test_path)(file.path));
                if !is_test {
                    // A program beside a library, as one that writes some of its files, is never what an import of the folder means.
                    let program = self.rules(id).and_then(|rules| packages.get(&(folder, rules.program?)));
                    let known = self.folder_modules.entry(folder).or_insert(module);
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
            for (place, symbol) in file.facts.symbols.iter().enumerate() {
                if symbol.kind == SymbolKind::Module {
                    let parent = self.module_of(id, symbol.container);
                    let module = self.new_module(Some(parent), Some(id));
                    self.symbol_modules.insert(Sym(self.first_symbol[number] + place as u32), module);
                }
            }
        }
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
            while let Some(file) = open.pop() {
                if std::mem::replace(&mut seen[file.0 as usize], true) {
                    continue;
                }
                let module = self.file_module[file.0 as usize];
                let root = self.modules[module.0 as usize].root.unwrap_or(module);
                self.modules[module.0 as usize].root = Some(root);
                for (import, child) in self.children(at, file, roots.contains(&file)) {
                    let child_module = self.file_module[child.0 as usize];
                    let declared_in = self.module_of(file, self.facts(file).imports[import as usize].container);
                    if self.modules[child_module.0 as usize].parent.is_none() && child_module != root {
                        self.modules[child_module.0 as usize].parent = Some(declared_in);
                        self.modules[child_module.0 as usize].root = Some(root);
                        open.push(child);
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

    /// Files of the child modules that a file declares, with the import that does.
    fn children(&self, language: usize, file: FileId, is_root: bool) -> Vec<(u32, FileId)> {
        let facts = self.facts(file);
        let mut found = Vec::new();
        for (at, import) in facts.imports.iter().enumerate().filter(|(_, import)| import.kind == ImportKind::Child) {
            let Some(name) = import.path.first() else { continue };
            let explicit = import.path.get(1).map(|path| facts.names.get(*path));
            let inside = self.module_names(file, import.container);
            let candidates = self.projects[language].child(
                self.files[file.0 as usize].path,
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

    /// Names of the inline modules around a container, outermost first.
    pub(super) fn module_names(&self, file: FileId, container: Container) -> Vec<&'a str> {
        let facts = self.facts(file);
        let mut path = Vec::new();
        let mut at = container;
        while let Container::Symbol(id) = at {
            let symbol = &facts.symbols[id.0 as usize];
            path.push(facts.names.get(symbol.name));
            at = symbol.container;
        }
        path.reverse();
        path
    }

    fn add_definitions(&mut self) {
        for number in 0..self.files.len() {
            let file = FileId(number as u32);
            let files = self.files;
            for (place, symbol) in files[number].facts.symbols.iter().enumerate() {
                let sym = Sym(self.first_symbol[number] + place as u32);
                let name = self.name(file, symbol.name);
                if symbol.kind == SymbolKind::Method && !symbol.traits.has(Traits::NESTED) {
                    self.methods.entry(name).or_default().push(sym);
                    continue;
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
                if let Some(inner) = self.symbol_modules.get(&sym) {
                    add_definition(self.defs.entry((module, name)).or_default(), Def::Module(*inner));
                }
                if symbol.traits.has(Traits::DEFAULT)
                    && let Some(default) = self.names.find("default")
                {
                    add_definition(self.defs.entry((module, default)).or_default(), Def::Symbol(sym));
                }
            }
        }
    }

    /// The root of the tree of modules that a file belongs to; its own module where it belongs to none.
    pub(super) fn root_of(&self, file: FileId) -> ModuleId {
        let module = self.file_module[file.0 as usize];
        self.modules[module.0 as usize].root.unwrap_or(module)
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
            let files = self.files;
            for (place, import) in files[number].facts.imports.iter().enumerate() {
                let place = place as u32;
                let module = self.module_of(file, import.container);
                match import.kind {
                    ImportKind::Glob => self.modules[module.0 as usize].globs.push((file, place)),
                    ImportKind::Effect => {}
                    ImportKind::Module | ImportKind::Item | ImportKind::Default | ImportKind::Child => {
                        if let Some(name) = self.import_name(file, import) {
                            add_definition(self.defs.entry((module, name)).or_default(), Def::Import(file, place));
                        }
                    }
                }
            }
        }
    }

    /// The name an import is known by: as written, or the name of the package it brings.
    fn import_name(&mut self, file: FileId, import: &Import) -> Option<Name> {
        if let Some(local) = import.local {
            return Some(self.name(file, local));
        }
        let path = self.facts(file).names.get(*import.path.first()?);
        let folder = self.import_folder(file, path).and_then(|module| self.modules[module.0 as usize].file);
        let package = folder.and_then(|file| self.facts(file).package.map(|name| self.facts(file).names.get(name)));
        let name = package.unwrap_or_else(|| self.project(file).map_or(path, |project| project.default_name(path)));
        Some(self.names.intern(name))
    }

    /// The module of the folder that an import path means.
    pub(super) fn import_folder(&self, file: FileId, path: &str) -> Option<ModuleId> {
        let candidates = self.project(file)?.candidates(self.files[file.0 as usize].path, path);
        candidates.folders.iter().find_map(|folder| self.folder_modules.get(folder.as_str()).copied())
    }

    pub(super) fn project(&self, file: FileId) -> Option<&'a dyn Project> {
        self.files[file.0 as usize].language.map(|at| self.projects[at].as_ref())
    }

    /// The scope rules of a file's language.
    pub(super) fn rules(&self, file: FileId) -> Option<&'static ScopeRules> {
        self.files[file.0 as usize].language.map(|at| &LANGUAGES[at].scope)
    }

    pub(super) fn facts(&self, file: FileId) -> &'a activate_grammars::FileFacts {
        self.files[file.0 as usize].facts
    }

    pub(super) fn name(&self, file: FileId, name: NameId) -> Name {
        self.name_maps[file.0 as usize][name.0 as usize]
    }

    pub(super) fn file_at(&self, path: &str) -> Option<FileId> {
        self.files.binary_search_by(|file| file.path.cmp(path)).ok().map(|at| FileId(at as u32))
    }

    /// The innermost module around a container.
    pub(super) fn module_of(&self, file: FileId, container: Container) -> ModuleId {
        let facts = self.facts(file);
        let mut at = container;
        loop {
            at = match at {
                Container::File => return self.file_scope[file.0 as usize],
                Container::Owner(owner) => facts.owners[owner as usize].container,
                Container::Symbol(id) => {
                    let sym = Sym(self.first_symbol[file.0 as usize] + id.0);
                    if let Some(module) = self.symbol_modules.get(&sym) {
                        return *module;
                    }
                    facts.symbols[id.0 as usize].container
                }
            };
        }
    }

    /// The module that a symbol is.
    pub(super) fn module_of_symbol(&self, sym: Sym) -> Option<ModuleId> {
        self.symbol_modules.get(&sym).copied()
    }

    /// The modules that are written inside a file, with their symbols.
    pub(super) fn inline_modules(&self) -> impl Iterator<Item = (Sym, ModuleId)> {
        self.symbol_modules.iter().map(|(sym, module)| (*sym, *module))
    }

    /// The files that are parts of a module.
    pub(super) fn files_of(&self, module: ModuleId) -> &[FileId] {
        self.files_of.get(&module).map_or(&[], Vec::as_slice)
    }

    pub(super) fn definitions(&self, module: ModuleId, name: Name) -> &[Def] {
        self.defs.get(&(module, name)).map_or(&[], Vec::as_slice)
    }

    /// File and facts of a symbol.
    pub(super) fn symbol(&self, sym: Sym) -> (FileId, &'a Symbol) {
        let file = self.first_symbol.partition_point(|first| *first <= sym.0) - 1;
        let place = sym.0 - self.first_symbol[file];
        (FileId(file as u32), &self.files[file].facts.symbols[place as usize])
    }

    /// The symbol behind a container that is one, or whose owner block names one.
    pub(super) fn container_type(&self, file: FileId, container: Container) -> Option<Sym> {
        match container {
            Container::File => None,
            Container::Symbol(id) => Some(Sym(self.first_symbol[file.0 as usize] + id.0)),
            Container::Owner(at) => *self.owner_types.get(file.0 as usize)?.get(at as usize)?,
        }
    }

    /// Whether a symbol can be seen from another module of the same language.
    pub(super) fn is_visible(&self, sym: Sym, from: FileId) -> bool {
        let (file, symbol) = self.symbol(sym);
        let exports_only = self.rules(file).is_some_and(|rules| rules.exports_only);
        !exports_only
            || symbol.visibility == Visibility::Public
            || self.exported.contains(&sym)
            || self.file_module[file.0 as usize] == self.file_module[from.0 as usize]
    }
}
