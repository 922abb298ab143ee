//! The tables of the resolver: names, modules and their members, types and their members.
//!
//! They follow from what files show to others, and can be kept: [`Index::open`] takes them up again for files whose bodies changed.

use super::kept::{self, map_by_key, set_in_order};
use super::lifecycle::Lifecycles;
use super::line::Lines;
use super::{FileId, Item, ModuleId, Name, SourceFile, Sym, facts};
use activate_grammars::LANGUAGES;
use activate_grammars::facts::{Container, Import, NameId, Super, SuperKind, Symbol, Visibility};
use activate_grammars::project::{Guarded, Project};
use activate_grammars::scope::ScopeRules;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A module.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Def {
    /// A symbol.
    Symbol(Sym),
    /// A module inside the file.
    Module(ModuleId),
    /// An import of a file, by its place there.
    Import(FileId, u32),
}

/// A member of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Member {
    /// A method or another symbol.
    Symbol(Sym),
    /// A field or variant, by its place in its file.
    Field(FileId, u32),
}

/// A supertype or embedded type of a type.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct SuperOf {
    /// The type that is taken over.
    pub(crate) target: Sym,
    pub(crate) kind: SuperKind,
    /// Where it is written: the file, and the place among the supertypes there.
    pub(crate) file: FileId,
    pub(crate) place: u32,
}

/// Where an import may come from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ImportSource {
    /// The first file that is there.
    pub(super) file: Option<FileId>,
    /// The module of the first folder that is there. Known while tables are built.
    pub(super) folder: Option<ModuleId>,
    /// Whether a package from outside may be meant.
    pub(super) may_be_outside: bool,
}

/// Names by text.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct NameTable<'a> {
    #[serde(skip)]
    ids: FxHashMap<&'a str, Name>,
    #[serde(borrow)]
    texts: Vec<&'a str>,
}

/// The name under which modules have their default export.
pub(super) const DEFAULT: &str = "default";

/// A name that no table has.
const NO_NAME: Name = Name(u32::MAX);

impl<'a> NameTable<'a> {
    pub(super) fn intern(&mut self, text: &'a str) -> Name {
        *self.ids.entry(text).or_insert_with(|| {
            self.texts.push(text);
            Name(self.texts.len() as u32 - 1)
        })
    }

    pub(crate) fn find(&self, text: &str) -> Option<Name> {
        self.ids.get(text).copied()
    }

    /// All texts, by number.
    pub(super) fn into_texts(self) -> Vec<&'a str> {
        self.texts
    }

    pub(crate) fn text(&self, name: Name) -> &'a str {
        self.texts.get(name.0 as usize).copied().unwrap_or_default()
    }
}

/// All tables. They are kept in the order of their fields, the first of which [`super::again::Beginning`] reads alone.
#[derive(Serialize, Deserialize)]
pub(crate) struct Index<'a> {
    #[serde(skip)]
    pub(crate) files: &'a [SourceFile<'a>],
    #[serde(skip)]
    pub(crate) projects: &'a [Box<dyn Project>],
    #[serde(borrow)]
    pub(crate) names: NameTable<'a>,
    /// The repository's name for each name of each file, found when the file is first asked about.
    #[serde(skip)]
    pub(super) name_maps: Vec<OnceLock<Box<[Name]>>>,
    /// The first symbol of each file, and the number of all at the end.
    #[serde(with = "kept::as_syms")]
    pub(crate) first_symbol: Vec<u32>,
    /// The file of each symbol.
    #[serde(skip)]
    pub(super) symbol_file: Vec<FileId>,
    pub(crate) modules: Vec<Module>,
    /// The module in which names of a file are looked up first.
    pub(crate) file_scope: Vec<ModuleId>,
    /// The module that others import a file by.
    pub(crate) file_module: Vec<ModuleId>,
    /// Modules of symbols that are modules.
    #[serde(serialize_with = "map_by_key")]
    pub(super) symbol_modules: FxHashMap<Sym, ModuleId>,
    /// What names mean where nothing of the repository has them, by language: the language's own.
    #[serde(serialize_with = "set_in_order")]
    pub(super) builtins: FxHashSet<(usize, Name)>,
    /// The files whose module others import each module by.
    #[serde(serialize_with = "map_by_key")]
    pub(super) files_of: FxHashMap<ModuleId, Vec<FileId>>,
    #[serde(serialize_with = "map_by_key")]
    pub(super) defs: FxHashMap<(ModuleId, Name), Vec<Def>>,
    /// The definitions of a name in languages where it alone says what is meant, by the language that they share names with.
    #[serde(serialize_with = "map_by_key")]
    pub(super) by_name: FxHashMap<(usize, Name), Vec<Sym>>,
    /// The names that any module has.
    #[serde(serialize_with = "set_in_order")]
    pub(crate) defined: FxHashSet<Name>,
    /// Modules of folders, by language and folder: the package others import, tests apart. Needed until all imports are settled.
    #[serde(skip)]
    pub(super) folder_modules: BTreeMap<(usize, &'a str), ModuleId>,
    /// Modules of files and folders by that of their folder and by their names.
    #[serde(serialize_with = "map_by_key")]
    pub(super) submodules: FxHashMap<(ModuleId, Name), ModuleId>,
    /// The packages that paths of names begin with, by language, where files say their package.
    #[serde(serialize_with = "map_by_key")]
    pub(super) package_roots: FxHashMap<usize, ModuleId>,
    /// Types by the type that they stand in and by their names, where imports may name them. Needed until all imports are settled.
    #[serde(skip)]
    pub(super) types_within: FxHashMap<(Sym, Name), Vec<Sym>>,
    /// Where the imports of each file may come from, found when the file is first asked about.
    #[serde(skip)]
    pub(super) import_sources: Vec<OnceLock<Box<[ImportSource]>>>,
    /// Definitions that an export statement names, whatever their own words say.
    #[serde(serialize_with = "set_in_order")]
    pub(crate) exported: FxHashSet<Sym>,
    /// What each import means: filled once, after all modules are known.
    pub(crate) import_targets: Vec<Vec<Vec<Item>>>,
    /// The type symbol of each owner block, by file.
    pub(crate) owner_types: Vec<Vec<Option<Sym>>>,
    /// Modules that files declare by the names that imports have for them.
    #[serde(serialize_with = "map_by_key")]
    pub(super) declared_modules: FxHashMap<Name, Vec<ModuleId>>,
    /// What all files of a language see without an import.
    #[serde(serialize_with = "map_by_key")]
    pub(super) globals: FxHashMap<Name, Vec<Def>>,
    /// Types that add to one of another module, by themselves: the members of the one are members of the other.
    #[serde(serialize_with = "map_by_key")]
    pub(super) merged: FxHashMap<Sym, Sym>,
    /// Traits that a block implements for all types of some kind.
    #[serde(serialize_with = "set_in_order")]
    pub(super) general_blocks: FxHashSet<Sym>,
    /// For each symbol, the type it is a member of.
    pub(crate) member_of: Vec<Option<Sym>>,
    #[serde(serialize_with = "map_by_key")]
    pub(crate) members: FxHashMap<(Sym, Name), Vec<Member>>,
    /// Supertypes and embedded types of a type, in source order.
    #[serde(serialize_with = "map_by_key")]
    pub(crate) supers: FxHashMap<Sym, Vec<SuperOf>>,
    /// Types with a supertype that the repository does not define: whether all of those are known to be from outside.
    #[serde(serialize_with = "map_by_key")]
    pub(crate) supers_outside: FxHashMap<Sym, bool>,
    /// Blocks that implement a trait for a type that the repository does not define, by trait: file and place there.
    #[serde(serialize_with = "map_by_key")]
    pub(crate) outside_blocks: FxHashMap<Sym, Vec<(FileId, u32)>>,
    /// Methods by name, for what no type proves.
    #[serde(serialize_with = "map_by_key")]
    pub(crate) methods: FxHashMap<Name, Vec<Sym>>,
    /// Macros by the root of their tree of modules and their name: they are known by where they stand in the text, not by a path.
    #[serde(serialize_with = "map_by_key")]
    pub(crate) macros: FxHashMap<(ModuleId, Name), Vec<Sym>>,
    /// Members in whose place a subtype has its own, found when they are first asked for.
    #[serde(skip)]
    pub(super) overridden: OnceLock<FxHashSet<Sym>>,
    /// What types have above them, found when it is first asked for.
    #[serde(skip)]
    pub(super) lines: Lines,
    /// What runners may call around tests.
    #[serde(skip)]
    pub(super) lifecycles: Lifecycles,
    /// The names that modules have, where imports name them: found when they are first asked for.
    #[serde(skip)]
    pub(super) module_names: OnceLock<FxHashSet<Name>>,
}

impl<'a> Index<'a> {
    /// Finds out again what is not kept of tables; none where they are damaged.
    pub(super) fn read(mut self) -> Option<Self> {
        let n_syms = *self.first_symbol.last()? as usize;
        let is_whole = self.first_symbol.is_sorted() && self.first_symbol[0] == 0 && n_syms == self.member_of.len();
        is_whole.then(|| {
            let files = self.first_symbol.windows(2).zip(0..);
            self.symbol_file = files.flat_map(|(of, file)| std::iter::repeat_n(FileId(file), (of[1] - of[0]) as usize)).collect();
            self
        })
    }

    /// Takes up tables that were kept, for the same files with the same outlines.
    pub(super) fn open(kept: Self, files: &'a [SourceFile<'a>], projects: &'a [Box<dyn Project>]) -> Self {
        let mut index = Self { files, projects, ..kept };
        index.names.ids = index.names.texts.iter().zip(0..).map(|(text, at)| (*text, Name(at))).collect();
        index.name_maps = files.iter().map(|_| OnceLock::new()).collect();
        index.import_sources = files.iter().map(|_| OnceLock::new()).collect();
        // What changed inside of files may have names that nothing had.
        for facts in files.iter().filter_map(|file| file.facts.at_hand()) {
            for name in facts.names.iter() {
                index.names.intern(name);
            }
        }
        index
    }

    /// The root of the tree of modules that a file belongs to; its own module where it belongs to none.
    pub(super) fn root_of(&self, file: FileId) -> ModuleId {
        let module = self.file_module[file.0 as usize];
        self.modules[module.0 as usize].root.unwrap_or(module)
    }

    /// Whether a module of the repository has the name with which an import begins that nothing leads there: a program may look for modules where it
    /// says only when it runs.
    pub(super) fn may_be_module(&self, file: FileId, import: &str) -> bool {
        let first = import.split('.').next().unwrap_or(import);
        let asks = self
            .rules(file)
            .is_some_and(|rules| rules.submodules.is_some() && rules.standard_modules.binary_search(&first).is_err());
        let names = || self.submodules.keys().map(|(_, name)| *name).collect();
        asks && self.names.find(first).is_some_and(|name| self.module_names.get_or_init(names).contains(&name))
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

    /// Where an import by text, or by the first name of a path, may come from.
    pub(super) fn import_origin(&self, file: FileId, place: u32) -> ImportSource {
        let facts = self.facts(file);
        let of_import = |import: &Import| {
            let (Some(project), Some(first)) = (self.project(file), import.path.first()) else { return ImportSource::default() };
            let SourceFile { path, language, .. } = self.files[file.0 as usize];
            let candidates = project.candidates(path, facts.names.get(*first));
            let counts = |guarded: &&Guarded| self.file_at(&guarded.unless).is_none();
            let guarded = |of: &'_ [Guarded]| -> Vec<String> { of.iter().filter(counts).map(|each| each.path.clone()).collect() };
            let folder = |folder: &String| self.folder_modules.get(&(language?, folder.as_str())).copied();
            let near = candidates.guarded.iter().find_map(|each| self.file_at(&each.path).filter(|_| counts(&each)));
            let file = near.or_else(|| candidates.files.iter().find_map(|path| self.file_at(path)));
            let folders = || guarded(&candidates.guarded_folders).into_iter().chain(candidates.folders.iter().cloned());
            ImportSource {
                file,
                folder: if file.is_none() { folders().find_map(|path| folder(&path)) } else { None },
                may_be_outside: candidates.external.is_some(),
            }
        };
        let of_file = || facts.imports.iter().map(of_import).collect();
        self.import_sources[file.0 as usize].get_or_init(of_file)[place as usize]
    }

    /// Finds out where all imports of a file may come from.
    pub(super) fn find_origins(&self, file: FileId) {
        if !self.facts(file).imports.is_empty() {
            self.import_origin(file, 0);
        }
    }

    /// The package from outside that an import by text means if nothing of the repository is meant.
    pub(super) fn package_outside(&self, file: FileId, import: &Import) -> Option<String> {
        let names = &self.facts(file).names;
        if self.has_packages(file) {
            let names = import.path.iter().map(|name| names.get(*name));
            // Packages begin with small letters, types with large ones.
            let package: Vec<&str> = names.take_while(|name| !name.starts_with(char::is_uppercase)).collect();
            return Some(package.join(".")).filter(|package| !package.is_empty());
        }
        let text = names.get(*import.path.first()?);
        self.project(file)?.candidates(self.files[file.0 as usize].path, text).external
    }

    pub(super) fn project(&self, file: FileId) -> Option<&'a dyn Project> {
        self.files[file.0 as usize].language.map(|at| self.projects[at].as_ref())
    }

    /// The scope rules of a file's language.
    pub(super) fn rules(&self, file: FileId) -> Option<&'static ScopeRules> {
        self.files[file.0 as usize].language.map(|at| &LANGUAGES[at].scope)
    }

    pub(super) fn facts(&self, file: FileId) -> &'a activate_grammars::FileFacts {
        facts::ask(file.0);
        self.files[file.0 as usize].facts.get()
    }

    /// Where a supertype is written.
    pub(super) fn written(&self, above: &SuperOf) -> &'a Super {
        &self.facts(above.file).supers[above.place as usize]
    }

    pub(super) fn name(&self, file: FileId, name: NameId) -> Name {
        let find = |text| self.names.find(text).unwrap_or(NO_NAME);
        let names = self.name_maps[file.0 as usize].get_or_init(|| self.facts(file).names.iter().map(find).collect());
        names[name.0 as usize]
    }

    /// Whether a name is one of the language of a file itself.
    pub(super) fn is_builtin(&self, file: FileId, name: Name) -> bool {
        self.files[file.0 as usize].language.is_some_and(|language| self.builtins.contains(&(language, name)))
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
        let file = self.symbol_file[sym.0 as usize];
        let place = sym.0 - self.first_symbol[file.0 as usize];
        (file, &self.facts(file).symbols[place as usize])
    }

    /// File and facts of a symbol, where nothing is asked but what the key of a definition says: its name, kind, traits and container, see
    /// [`super::reuse`]. Who asks does not count as a reader of the file.
    pub(super) fn glance(&self, sym: Sym) -> (FileId, &'a Symbol) {
        let file = self.symbol_file[sym.0 as usize];
        let place = sym.0 - self.first_symbol[file.0 as usize];
        (file, &self.files[file.0 as usize].facts.get().symbols[place as usize])
    }

    /// The symbol behind a container that is one, or whose owner block names one.
    pub(super) fn container_type(&self, file: FileId, container: Container) -> Option<Sym> {
        match container {
            Container::File => None,
            Container::Symbol(id) => {
                let sym = Sym(self.first_symbol[file.0 as usize] + id.0);
                Some(self.merged.get(&sym).copied().unwrap_or(sym))
            }
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
