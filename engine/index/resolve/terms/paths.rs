//! Names and paths to items: of the repository, or by which way out of it.

use super::Terms;
use super::store::{Id, MAX_EITHER, Node};
use super::types::one_of;
use crate::resolve::imports::Seen;
use crate::resolve::index::Def;
use crate::resolve::types::Place;
use crate::resolve::{FileId, Item, ModuleId, Name, Sym};
use activate_grammars::facts::{Container, Expr, ExprId, ImportKind, NameId, SymbolKind, Traits};
use activate_grammars::scope::{ModuleModel, RootWord};
use rustc_hash::FxHashSet;

/// The name under which modules have their default export.
const DEFAULT: &str = "default";

/// The most modules around one that are looked through for a name.
const MAX_AROUND: usize = 64;

/// What a question for a name has met on its way along modules that bring all names of others: each is looked through once, so that modules which
/// bring all of one another cost no more than their number.
#[derive(Default)]
pub(super) struct Lookup {
    /// Modules from outside, as many as one of which is meant.
    outside: Vec<Id>,
    /// Modules, and whether all of them was seen or only what they show.
    seen: FxHashSet<(ModuleId, bool)>,
    /// The module that brings all of the one at hand.
    viewer: Option<ModuleId>,
}

impl Terms<'_, '_> {
    pub(super) fn make_item(&mut self, place: Place, expr: ExprId, depth: usize) -> Id {
        let index = self.index;
        match index.facts(place.file).exprs[expr.0 as usize] {
            Expr::Name(name) if index.has_bare_members(place.file) => self.bare_item(place, expr, name, depth),
            Expr::Name(name) => self.free(place, name, false, depth),
            Expr::Symbol(id) => self.symbol_item(Sym(index.first_symbol[place.file.0 as usize] + id.0)),
            Expr::ThisType(container) => self.container_item(place, container, depth),
            Expr::Scoped(base, name) | Expr::Member(base, name) => {
                let of = self.holder(place, base, depth);
                let text = index.facts(place.file).names.get(name);
                if base == ExprId::UNKNOWN {
                    self.first_of_path(place, text, depth)
                } else if of == Id::UNKNOWN {
                    self.whole_path(place, base, name)
                } else {
                    self.item_member(place.file, of, text, false, depth)
                }
            }
            Expr::Apply(base, _) | Expr::Deref(base) | Expr::Pointer(base) => self.item(place, base, depth),
            // What a type parameter has, its bound has.
            Expr::Local(id) => {
                let binding = index.facts(place.file).bindings[id.0 as usize];
                if binding.parameter.is_some() { self.item(place, binding.declared, depth) } else { Id::UNKNOWN }
            }
            _ => Id::UNKNOWN,
        }
    }

    pub(super) fn make_holder(&mut self, place: Place, expr: ExprId, depth: usize) -> Id {
        match self.index.facts(place.file).exprs[expr.0 as usize] {
            Expr::Name(_) if self.index.has_bare_members(place.file) => self.item(place, expr, depth),
            Expr::Name(name) => self.free(place, name, true, depth),
            Expr::Scoped(base, name) | Expr::Member(base, name) => {
                let of = self.holder(place, base, depth);
                let text = self.index.facts(place.file).names.get(name);
                if base == ExprId::UNKNOWN {
                    self.first_of_path(place, text, depth)
                } else if of == Id::UNKNOWN {
                    self.whole_path(place, base, name)
                } else {
                    self.item_member(place.file, of, text, true, depth)
                }
            }
            _ => self.item(place, expr, depth),
        }
    }

    /// The package that a path begins with which has nothing in front of it: `::log::info`.
    fn first_of_path(&mut self, place: Place, text: &str, depth: usize) -> Id {
        if !self.is_tree(place.file) {
            return Id::UNKNOWN;
        }
        let named = self.index.names.find(text).and_then(|name| self.of_extern_crate(place, name, depth));
        named.unwrap_or_else(|| self.of_crate(place.file, text))
    }

    pub(super) fn symbol_item(&mut self, sym: Sym) -> Id {
        match self.index.module_of_symbol(sym) {
            Some(module) => self.store.add(Node::Module(module)),
            None => self.store.add(Node::Symbol(sym)),
        }
    }

    /// The type of the instance in a container.
    pub(super) fn container_item(&mut self, place: Place, container: Container, depth: usize) -> Id {
        if let Some(sym) = self.index.container_type(place.file, container) {
            return self.store.add(Node::Symbol(sym));
        }
        let Container::Owner(at) = container else { return Id::UNKNOWN };
        let of = self.index.facts(place.file).owners[at as usize].of;
        self.item(place, of, depth)
    }

    /// What a name means that nothing binds locally.
    fn free(&mut self, place: Place, id: NameId, is_holder: bool, depth: usize) -> Id {
        let index = self.index;
        let (name, text) = (index.name(place.file, id), index.facts(place.file).names.get(id));
        let model = index.rules(place.file).map(|rules| rules.modules);
        let is_tree = model == Some(ModuleModel::Tree);
        if is_tree && let Some(module) = self.root_module(place.file, place.module, text) {
            return self.store.add(Node::Module(module));
        }
        if is_holder && self.is_of_its_name(place, id) {
            let of_crate = self.of_crate(place.file, text);
            if of_crate != Id::UNKNOWN {
                return of_crate;
            }
        }
        let mut lookup = Lookup::default();
        let mut at = Some(place.module);
        let mut is_defined = false;
        for _ in 0..MAX_AROUND {
            let Some(module) = at else { break };
            is_defined |= !index.definitions(module, name).is_empty();
            let found = self.in_module(module, (name, text, is_holder), &mut lookup, depth);
            if found != Id::UNKNOWN {
                return found;
            }
            let parent = index.modules[module.0 as usize].parent;
            let by_folder = model == Some(ModuleModel::Folder);
            at = parent.filter(|_| !is_tree && (by_folder || index.modules[module.0 as usize].file == Some(place.file)));
        }
        // Before what all of a module from outside brings: nobody here knows whether it has the name.
        if index.is_builtin(place.file, name) {
            return Id::UNKNOWN;
        }
        if is_tree {
            let named = self.of_extern_crate(place, name, depth);
            let of_crate = named.unwrap_or_else(|| self.of_crate(place.file, text));
            if of_crate != Id::UNKNOWN {
                return of_crate;
            }
        }
        let of_any = self.of_any(&lookup.outside, text);
        if is_defined {
            return of_any;
        }
        let by_clause = self.by_clause(place, text);
        self.store.either(&[of_any, by_clause])
    }

    /// What one of several modules from outside brings under a name.
    pub(super) fn of_any(&mut self, modules: &[Id], text: &str) -> Id {
        let each: Vec<Id> = modules.iter().map(|of| self.store.add(Node::Member(*of, text.to_owned()))).collect();
        self.store.either(&each)
    }

    /// The module that a word for one means.
    fn root_module(&self, file: FileId, here: ModuleId, text: &str) -> Option<ModuleId> {
        let word = self.index.rules(file)?.root_words.iter().find(|(word, _)| *word == text)?.1;
        match word {
            RootWord::Crate => self.index.modules[here.0 as usize].root.or(Some(self.index.file_module[file.0 as usize])),
            RootWord::Here => Some(here),
            RootWord::Parent => self.index.modules[here.0 as usize].parent,
        }
    }

    /// Whether of several imports of one name each is known: where one is not, it may be that which the build has. A module that is declared stands
    /// beside a function of its name in every build.
    fn is_same_in_all_builds(&mut self, definitions: &[Def], depth: usize) -> bool {
        let is_declared = |def: &Def| {
            let Def::Import(file, place) = *def else { return false };
            self.index.facts(file).imports[place as usize].kind == ImportKind::Child
        };
        let several: Vec<Def> = definitions.iter().filter(|def| !is_declared(def)).copied().collect();
        several.len() < 2
            || !several.iter().all(|def| match def {
                Def::Import(file, _) => self.index.rules(*file).is_some_and(|rules| rules.modules == ModuleModel::Tree),
                Def::Symbol(_) | Def::Module(_) => false,
            })
            || several.iter().all(|def| match *def {
                Def::Import(file, place) => self.import(file, place, depth + 1) != Id::UNKNOWN,
                Def::Symbol(_) | Def::Module(_) => true,
            })
    }

    /// Where a file imports one name several times, as it does to try one module after another: one of all that it imports, nothing where something is
    /// not known.
    fn tried_imports(&mut self, definitions: &[Def], depth: usize) -> Option<Id> {
        let is_import = |def: &Def| matches!(def, Def::Import(file, _) if self.index.rules(*file).is_some_and(|rules| rules.modules == ModuleModel::File));
        if definitions.len() < 2 || definitions.len() > MAX_EITHER || !definitions.iter().all(is_import) {
            return None;
        }
        let mut each = Vec::new();
        for def in definitions {
            let Def::Import(file, place) = *def else { return None };
            each.push(self.import(file, place, depth + 1));
        }
        Some(if each.contains(&Id::UNKNOWN) { Id::UNKNOWN } else { self.store.either(&each) })
    }

    /// Whether a name of Rust is only imported from the package of that name: `use log::log` brings a macro or a function, and paths go on with
    /// the package.
    pub(super) fn is_of_its_name(&self, place: Place, id: NameId) -> bool {
        let text = self.index.facts(place.file).names.get(id);
        let definitions = self.index.definitions(place.module, self.index.name(place.file, id));
        let is_tree = self.index.rules(place.file).is_some_and(|rules| rules.modules == ModuleModel::Tree);
        let is_import = |def: &Def| {
            let Def::Import(file, place) = *def else { return false };
            let facts = self.index.facts(file);
            let path = &facts.imports[place as usize].path;
            path.len() > 1 && path.first().is_some_and(|first| facts.names.get(*first) == text)
        };
        is_tree && !definitions.is_empty() && definitions.iter().all(is_import)
    }

    /// A package by the first word of a path.
    fn of_crate(&mut self, file: FileId, text: &str) -> Id {
        let index = self.index;
        let Some(project) = index.project(file) else { return Id::UNKNOWN };
        let path = index.files[file.0 as usize].path;
        let candidates = project.candidates(path, text);
        if let Some(found) = candidates.files.iter().find_map(|path| index.file_at(path)) {
            return self.store.add(Node::Module(index.file_module[found.0 as usize]));
        }
        self.outside(file, text)
    }

    /// The package to which the root of a crate gives a name for all its modules: `extern crate core_of_it as name`. None where it gives none that
    /// name, unknown where only the build tells which of several is meant.
    fn of_extern_crate(&mut self, place: Place, name: Name, depth: usize) -> Option<Id> {
        let index = self.index;
        let root = index.modules[place.module.0 as usize].root?;
        let is_named = |def: &Def| match *def {
            Def::Import(file, at) => {
                Some((file, at)).filter(|_| index.facts(file).imports[at as usize].kind == ImportKind::Module)
            }
            Def::Symbol(_) | Def::Module(_) => None,
        };
        let named = index.definitions(root, name).iter().filter_map(is_named).take(MAX_EITHER);
        // An import is not known by the name that it brings.
        let imports: Vec<(FileId, u32)> = named.filter(|import| !self.following.contains(import)).collect();
        let each: Vec<Id> = imports.into_iter().map(|(file, at)| self.import(file, at, depth + 1)).collect();
        let is_known = !each.contains(&Id::UNKNOWN);
        (!each.is_empty()).then(|| if is_known { one_of(&each) } else { Id::UNKNOWN })
    }

    /// A module from outside by the text of an import.
    pub(super) fn outside(&mut self, file: FileId, text: &str) -> Id {
        let index = self.index;
        let found = index.project(file).and_then(|project| project.outside(index.files[file.0 as usize].path, text));
        found.map_or(Id::UNKNOWN, |(registry, name)| self.store.add(Node::Outside(registry, name)))
    }

    /// What a name means among the members of a module of the repository, seen from inside, and whether members of it follow.
    pub(super) fn in_module(&mut self, module: ModuleId, wanted: (Name, &str, bool), lookup: &mut Lookup, depth: usize) -> Id {
        let index = self.index;
        // From inside all is seen.
        let viewer = lookup.viewer.filter(|viewer| !index.is_within(*viewer, module));
        if self.is_over(depth) || !lookup.seen.insert((module, viewer.is_none())) {
            return Id::UNKNOWN;
        }
        let (name, text, is_holder) = wanted;
        let all = index.definitions(module, name);
        let shown: Vec<Def>;
        let definitions = if let Some(viewer) = viewer {
            shown = all.iter().copied().filter(|def| index.shows(*def, all, viewer)).collect();
            &shown[..]
        } else {
            all
        };
        let symbols = definitions.iter().filter_map(|def| if let Def::Symbol(sym) = def { Some(*sym) } else { None });
        let symbols =
            symbols.filter(|sym| !is_holder || !matches!(index.symbol(*sym).1.kind, SymbolKind::Function | SymbolKind::Macro));
        if let Some(sym) = self.best(symbols) {
            return self.symbol_item(sym);
        }
        if !self.is_same_in_all_builds(definitions, depth) {
            return Id::UNKNOWN;
        }
        if let Some(each) = self.tried_imports(definitions, depth) {
            return each;
        }
        let mut other = Id::UNKNOWN;
        for def in definitions {
            let found = match *def {
                Def::Import(file, place) => self.import(file, place, depth + 1),
                Def::Module(inner) => self.store.add(Node::Module(inner)),
                Def::Symbol(_) => Id::UNKNOWN,
            };
            // Of a module and something else of the same name, only the first has members that a path goes on with, and the other is what a value or
            // type means.
            let is_module = matches!(self.store.get(found), Node::Module(_) | Node::Outside(..));
            let is_meant = definitions.len() == 1 || if is_holder { self.holds_members(found) } else { !is_module };
            if found != Id::UNKNOWN && is_meant {
                return found;
            }
            other = other.or_else(|| found);
        }
        if other != Id::UNKNOWN {
            return other;
        }
        // What is defined here but not known hides what others bring.
        if definitions.is_empty() {
            for (file, place) in &index.modules[module.0 as usize].globs {
                if viewer.is_some() && !index.facts(*file).imports[*place as usize].exported {
                    continue;
                }
                if self.is_over(depth) {
                    return Id::UNKNOWN;
                }
                let of = self.import(*file, *place, depth + 1);
                match *self.store.get(of) {
                    Node::Module(inner) if inner != module => {
                        let before = lookup.viewer.replace(module);
                        let found = self.in_module(inner, wanted, lookup, depth + 4);
                        lookup.viewer = before;
                        if found != Id::UNKNOWN {
                            return found;
                        }
                    }
                    Node::Symbol(_) => {
                        let found = self.own_member(*file, of, text, depth + 1);
                        if found != Id::UNKNOWN {
                            return found;
                        }
                    }
                    _ if !self.store.leads_out(of) || lookup.outside.contains(&of) => {}
                    _ if lookup.outside.len() < MAX_EITHER => lookup.outside.push(of),
                    _ => {}
                }
            }
        }
        index.submodules.get(&(module, name)).map_or(Id::UNKNOWN, |below| self.store.add(Node::Module(*below)))
    }

    fn holds_members(&self, id: Id) -> bool {
        match self.store.get(id) {
            Node::Module(_) | Node::Outside(..) => true,
            Node::Symbol(sym) => {
                let kind = self.index.symbol(*sym).1.kind;
                matches!(kind, SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias)
            }
            _ => false,
        }
    }

    /// Of definitions of one name that which a use means most likely: not one of another build, of an interface and a value the latter.
    pub(super) fn best(&self, symbols: impl Iterator<Item = Sym>) -> Option<Sym> {
        let rank = |sym: &Sym| {
            let symbol = self.index.symbol(*sym).1;
            let is_callable = matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
            let is_type =
                matches!(symbol.kind, SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias | SymbolKind::Module);
            (symbol.traits.has(Traits::OTHER_BUILD), symbol.kind == SymbolKind::Macro, !(is_callable || is_type), *sym)
        };
        symbols.min_by_key(rank)
    }

    /// A member of an item.
    pub(super) fn item_member(&mut self, file: FileId, of: Id, text: &str, is_holder: bool, depth: usize) -> Id {
        match *self.store.get(of) {
            Node::Module(module) => {
                if let Some(at) = self.root_module(file, module, text).filter(|_| text == "self" || text == "super") {
                    return self.store.add(Node::Module(at));
                }
                let Some(name) = self.index.names.find(text) else { return Id::UNKNOWN };
                let mut lookup = Lookup::default();
                let found = self.in_module(module, (name, text, is_holder), &mut lookup, depth + 1);
                if found != Id::UNKNOWN {
                    return found;
                }
                self.of_any(&lookup.outside, text)
            }
            Node::Symbol(_) => self.own_member(file, of, text, depth),
            _ if self.store.leads_out(of) => self.store.add(Node::Member(of, text.to_owned())),
            _ => Id::UNKNOWN,
        }
    }

    /// What an import brings; all of a module where it brings that.
    pub(super) fn import(&mut self, file: FileId, place: u32, depth: usize) -> Id {
        if let Some(known) = self.of_imports.get((file, place)) {
            return self.again(known);
        }
        if self.is_over(depth) || !self.following.insert((file, place)) {
            return Id::UNKNOWN;
        }
        let (found, is_cut) = self.watched(|terms| terms.follow(file, place, depth + 1));
        self.following.remove(&(file, place));
        self.of_imports.set((file, place), found, is_cut);
        found
    }

    fn follow(&mut self, file: FileId, place: u32, depth: usize) -> Id {
        let index = self.index;
        let facts = index.facts(file);
        let import = &facts.imports[place as usize];
        let model = index.rules(file).map(|rules| rules.modules);
        if import.kind == ImportKind::Child {
            return self.first_item(&index.import_items(file, place, &mut Seen::default()));
        }
        if index.has_packages(file) {
            return self.package_import(file, place, depth);
        }
        if model == Some(ModuleModel::Tree) {
            let here = index.module_of(file, import.container);
            let Some((first, rest)) = import.path.split_first() else { return Id::UNKNOWN };
            // What `extern crate` names is a package, whatever else has the name.
            if import.kind == ImportKind::Module && rest.is_empty() {
                let of_crate = self.of_crate(file, facts.names.get(*first));
                if of_crate != Id::UNKNOWN {
                    return of_crate;
                }
            }
            let is_glob = import.kind == ImportKind::Glob;
            let mut at = self.free(Place { file, module: here }, *first, is_glob || !rest.is_empty(), depth);
            for (name, n_left) in rest.iter().zip((0..rest.len()).rev()) {
                at = self.item_member(file, at, facts.names.get(*name), is_glob || n_left > 0, depth);
            }
            return at;
        }
        let Some(first) = import.path.first() else {
            // What the file itself has.
            let items = index.import_items(file, place, &mut Seen::default());
            let of_item = import.item.map(|item| facts.names.get(item));
            let here = index.module_of(file, import.container);
            return match of_item {
                Some(text) if Some(text) != import.local.map(|local| facts.names.get(local)) || items.is_empty() => {
                    let module = self.store.add(Node::Module(here));
                    self.item_member(file, module, text, false, depth)
                }
                Some(text) => {
                    let module = self.store.add(Node::Module(here));
                    self.first_item(&items).or_else(|| self.item_member(file, module, text, false, depth))
                }
                None => self.first_item(&items),
            };
        };
        let origin = index.import_origin(file, place);
        let module = origin.file.map(|file| index.file_module[file.0 as usize]).or(origin.folder);
        let text = facts.names.get(*first);
        let module = match module {
            Some(module) => self.store.add(Node::Module(module)),
            None => self.outside(file, text),
        };
        match (import.kind, import.item) {
            (ImportKind::Item, Some(item)) => self.item_member(file, module, facts.names.get(item), false, depth),
            (ImportKind::Item | ImportKind::Default, _) => self.item_member(file, module, DEFAULT, false, depth),
            _ => module,
        }
    }

    pub(super) fn first_item(&mut self, items: &[Item]) -> Id {
        let symbols = items.iter().filter_map(|item| if let Item::Symbol(sym) = item { Some(*sym) } else { None });
        if let Some(sym) = self.best(symbols) {
            return self.symbol_item(sym);
        }
        let module = items.iter().find_map(|item| if let Item::Module(module) = item { Some(*module) } else { None });
        module.map_or(Id::UNKNOWN, |module| self.store.add(Node::Module(module)))
    }
}
