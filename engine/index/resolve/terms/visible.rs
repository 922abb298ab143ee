//! What others can see of the repository: its modules, their members, and what these give.

use super::store::{Id, Node};
use super::tried::{AWAITED, FUTURE};
use super::{MAX_STEPS, MAX_STEPS_EACH, Terms};
use crate::boundary::{self, Boundary, Glob, Module, Super, TypeOf};
use crate::resolve::index::{Def, Member};
use crate::resolve::types::Place;
use crate::resolve::{FileId, ModuleId, Name, Sym};
use activate_grammars::LANGUAGES;
use activate_grammars::facts::{Container, Expr, ExprId, Field, ImportKind, SymbolKind, Traits, Visibility};
use activate_grammars::project::Registry;
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use rustc_hash::{FxHashMap, FxHashSet};

/// What modules and types hold, by each of them, in order.
struct MembersByOwner {
    of_modules: FxHashMap<ModuleId, Vec<(Name, Def)>>,
    of_types: FxHashMap<Sym, Vec<(Name, Member)>>,
    submodules: FxHashMap<ModuleId, Vec<(Name, ModuleId)>>,
}

impl Terms<'_, '_> {
    /// Adds all that others can see, beginning with the modules that they can import by a name, and what uses mention.
    pub(super) fn add_visible(&mut self, boundary: &mut Boundary, is_test_data: &dyn Fn(&str) -> bool) {
        self.begin();
        self.max_steps = MAX_STEPS.max(MAX_STEPS_EACH * self.index.symbol_file.len() as u64);
        let by_owner = self.members_by_owner();
        let mut modules: FxHashMap<ModuleId, Registry> = FxHashMap::default();
        let mut open: Vec<ModuleId> = Vec::new();
        for (registry, name, module) in self.importable() {
            let Some(file) = self.index.modules[module.0 as usize].file else { continue };
            if is_test_data(self.index.files[file.0 as usize].path) {
                continue;
            }
            self.show_clause(boundary, module, &name);
            boundary.modules.push(Module { of: boundary::ModuleId(module.0), registry, name, file: NodeId(file.0) });
            if modules.insert(module, registry).is_none() {
                open.push(module);
            }
        }
        let mut done: FxHashSet<Sym> = FxHashSet::default();
        let mut n_seen = 0;
        let mut registry = Registry::Go;
        loop {
            if let Some(module) = open.pop() {
                registry = modules.get(&module).copied().unwrap_or(registry);
                self.forget();
                self.add_module(boundary, &by_owner, module);
            } else {
                // What terms mention that were not looked at yet.
                let Some(node) = self.store.written_at(n_seen).cloned() else { break };
                n_seen += 1;
                match node {
                    Node::Module(module) if !modules.contains_key(&module) => {
                        let Some(file) = self.index.modules[module.0 as usize].file else { continue };
                        let registry = self.registry(file).unwrap_or(registry);
                        let of = boundary::ModuleId(module.0);
                        boundary.modules.push(Module { of, registry, name: String::new(), file: NodeId(file.0) });
                        modules.insert(module, registry);
                        open.push(module);
                    }
                    Node::Symbol(sym) if done.insert(sym) => {
                        self.forget();
                        self.add_definition(boundary, &by_owner, sym);
                    }
                    _ => {}
                }
            }
        }
    }

    fn registry(&self, file: FileId) -> Option<Registry> {
        Some(match self.index.rules(file)?.modules {
            ModuleModel::Folder => Registry::Go,
            ModuleModel::Tree => Registry::Cargo,
            ModuleModel::File if self.index.rules(file)?.submodules.is_some() => Registry::PyPi,
            ModuleModel::File => Registry::Npm,
            ModuleModel::Package => Registry::Maven,
            ModuleModel::Unknown => return None,
        })
    }

    /// The modules that have names for others, in order.
    fn importable(&self) -> Vec<(Registry, String, ModuleId)> {
        let index = self.index;
        let mut found = Vec::new();
        for (number, project) in index.projects.iter().enumerate() {
            let of_language = index.files.iter().filter(|file| file.language == Some(number));
            let files: Vec<&str> = of_language.map(|file| file.path).collect();
            for module in project.importable(&files) {
                let Some(file) = index.file_at(&module.file) else { continue };
                let of = index.file_module[file.0 as usize];
                let facts = index.facts(file);
                let program = LANGUAGES[number].scope.program;
                // A program is imported by nobody.
                let is_program = program.is_some() && facts.package.map(|name| facts.names.get(name)) == program;
                if !is_program {
                    found.push((module.registry, module.name, of));
                }
            }
        }
        for (number, file) in index.files.iter().enumerate() {
            let id = FileId(number as u32);
            let Some(language) = file.language.filter(|_| index.has_packages(id)) else { continue };
            let facts = index.facts(id);
            if let Some(package) = facts.package.filter(|_| !(LANGUAGES[language].is_test_path)(file.path)) {
                found.push((Registry::Maven, facts.names.get(package).to_owned(), index.file_module[number]));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn members_by_owner(&self) -> MembersByOwner {
        let index = self.index;
        let mut by_owner =
            MembersByOwner { of_modules: FxHashMap::default(), of_types: FxHashMap::default(), submodules: FxHashMap::default() };
        for ((module, name), defs) in &index.defs {
            by_owner.of_modules.entry(*module).or_default().extend(defs.iter().map(|def| (*name, *def)));
        }
        for ((of, name), members) in &index.members {
            by_owner.of_types.entry(*of).or_default().extend(members.iter().map(|member| (*name, *member)));
        }
        for ((module, name), below) in &index.submodules {
            by_owner.submodules.entry(*module).or_default().push((*name, *below));
        }
        // Of definitions of one name those of another build come last.
        let is_later = |sym: Option<Sym>| sym.is_some_and(|sym| self.is_of_other_build(sym));
        let of_def = |def: &Def| if let Def::Symbol(sym) = def { Some(*sym) } else { None };
        let of_member = |member: &Member| if let Member::Symbol(sym) = member { Some(*sym) } else { None };
        by_owner
            .of_modules
            .values_mut()
            .for_each(|list| list.sort_unstable_by_key(|(name, def)| (*name, is_later(of_def(def)), *def)));
        by_owner
            .of_types
            .values_mut()
            .for_each(|list| list.sort_unstable_by_key(|(name, member)| (*name, is_later(of_member(member)), *member)));
        by_owner.submodules.values_mut().for_each(|list| list.sort_unstable());
        by_owner
    }

    pub(super) fn push_member(&mut self, boundary: &mut Boundary, of: boundary::Place, name: &str, to: Id) {
        if let Some(to) = self.store.write(to) {
            boundary.members.push(boundary::Member { of, name: name.to_owned(), to });
        }
    }

    fn add_module(&mut self, boundary: &mut Boundary, by_owner: &MembersByOwner, module: ModuleId) {
        let index = self.index;
        let of = boundary::ModuleId(module.0);
        let place = boundary::Place::Module(of);
        let mut last: Option<Name> = None;
        for (name, def) in by_owner.of_modules.get(&module).into_iter().flatten() {
            let text = index.names.text(*name);
            let id = match *def {
                Def::Symbol(sym) if self.is_shown(sym) => self.symbol_item(sym),
                Def::Import(file, place) if self.passes_on(file, place) => self.import(file, place, 0),
                _ => continue,
            };
            // Of several definitions of one name those of other builds do not count, where there is another.
            if last == Some(*name) && self.store.symbol(id).is_some_and(|sym| self.is_of_other_build(sym)) {
                continue;
            }
            if id != Id::UNKNOWN {
                last = Some(*name);
            }
            self.push_member(boundary, place, text, id);
        }
        for (name, below) in by_owner.submodules.get(&module).into_iter().flatten() {
            if index.definitions(module, *name).is_empty() {
                let id = self.store.add(Node::Module(*below));
                self.push_member(boundary, place, index.names.text(*name), id);
            }
        }
        for (file, at) in &index.modules[module.0 as usize].globs {
            if self.passes_on(*file, *at) {
                let id = self.import(*file, *at, 0);
                if let Some(to) = self.store.write(id) {
                    boundary.globs.push(Glob { of, to });
                }
            }
        }
    }

    /// Whether a definition is one of another build.
    fn is_of_other_build(&self, sym: Sym) -> bool {
        self.index.symbol(sym).1.traits.has(Traits::OTHER_BUILD)
    }

    fn passes_on(&self, file: FileId, place: u32) -> bool {
        let import = &self.index.facts(file).imports[place as usize];
        let rules = self.index.rules(file);
        let is_folder = rules.is_some_and(|rules| rules.modules == ModuleModel::Folder);
        import.exported && !import.in_package && !is_folder && import.kind != ImportKind::Effect
    }

    /// Whether others can see a definition where they see what is around it.
    fn is_shown(&self, sym: Sym) -> bool {
        let (_, symbol) = self.index.symbol(sym);
        let is_public = symbol.visibility == Visibility::Public || symbol.traits.has(Traits::AT_ROOT);
        (is_public || self.index.exported.contains(&sym))
            && !symbol.traits.has(Traits::TEST_CODE)
            && symbol.kind != SymbolKind::Test
    }

    fn add_definition(&mut self, boundary: &mut Boundary, by_owner: &MembersByOwner, sym: Sym) {
        let index = self.index;
        let (place, symbol) = self.place_of(sym);
        let node = self.store.node(sym);
        match symbol.kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constant | SymbolKind::Variable => {
                let of = self.of_symbol(sym, 0);
                self.push_types(boundary, node, of);
            }
            SymbolKind::Alias => {
                let of = self.alias(place, symbol.declared);
                if let Some(to) = self.store.write(of) {
                    boundary.types.push(TypeOf { of: node, part: None, to });
                }
            }
            SymbolKind::Type => {
                let many = self.many_of(sym, 0);
                self.push_types(boundary, node, many);
            }
            SymbolKind::Interface | SymbolKind::Module | SymbolKind::Macro | SymbolKind::Test => {}
        }
        let members = by_owner.of_types.get(&sym).map_or(&[][..], Vec::as_slice);
        let mut last: Option<Name> = None;
        for (name, member) in members {
            let text = index.names.text(*name);
            if matches!(member, Member::Symbol(member) if last == Some(*name) && self.is_of_other_build(*member)) {
                continue;
            }
            // A field that has the name of a method is what this shows.
            let of_name = &members[members.partition_point(|(other, _)| other < name)..];
            let mut of_name = of_name.iter().take_while(|(other, _)| other == name);
            if matches!(member, Member::Field(..)) && of_name.any(|(_, member)| matches!(member, Member::Symbol(_))) {
                continue;
            }
            let id = match *member {
                Member::Symbol(member) if self.is_member_shown(sym, member) => self.store.add(Node::Symbol(member)),
                Member::Field(file, at) => {
                    let field = index.facts(file).fields[at as usize];
                    if field.variant {
                        self.add_payload(boundary, (file, at), node, text);
                        let of = self.store.add(Node::Symbol(sym));
                        self.store.add(Node::Instance(of))
                    } else if self.is_field_shown(file, &field, text) {
                        self.field(file, at, 0)
                    } else {
                        Id::UNKNOWN
                    }
                }
                Member::Symbol(_) => Id::UNKNOWN,
            };
            if id != Id::UNKNOWN {
                last = Some(*name);
            }
            self.push_member(boundary, boundary::Place::Symbol(node), text, id);
        }
        if symbol.kind == SymbolKind::Type
            && self.is_tree(place.file)
            && let Some(output) = self.promised(sym, FUTURE, 0)
        {
            self.push_member(boundary, boundary::Place::Symbol(node), AWAITED, output);
        }
        if matches!(symbol.kind, SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias) {
            self.add_supers_of(boundary, sym, node);
        }
    }

    /// Adds what a variant holds.
    fn add_payload(&mut self, boundary: &mut Boundary, (file, at): (FileId, u32), of: NodeId, name: &str) {
        let field = self.index.facts(file).fields[at as usize];
        let place = Place { file, module: self.index.module_of(file, field.container) };
        let payload = self.typed(place, field.declared, 0);
        if let Node::Tuple(each) = self.store.get(payload).clone() {
            for (id, n) in each.into_iter().zip(0..) {
                self.push_member(boundary, boundary::Place::Symbol(of), &format!("{name}.{n}"), id);
            }
        }
    }

    /// The item that an alias means.
    fn alias(&mut self, place: Place, declared: ExprId) -> Id {
        let item = self.item(place, declared, 0);
        if item != Id::UNKNOWN {
            return item;
        }
        let of = self.typed(place, declared, 0);
        self.store.item_of(of).unwrap_or(Id::UNKNOWN)
    }

    /// Whether others may see a field: where nothing says that they may not, as far as facts go.
    fn is_field_shown(&self, file: FileId, field: &Field, text: &str) -> bool {
        match self.index.rules(file).map(|rules| rules.modules) {
            Some(ModuleModel::Folder) => text.starts_with(char::is_uppercase),
            Some(ModuleModel::Package) => field.visibility != Visibility::Private,
            _ => true,
        }
    }

    pub(super) fn is_member_shown(&self, of: Sym, member: Sym) -> bool {
        let (file, symbol) = self.index.symbol(member);
        // What a block promises for a trait, and what an interface promises, everybody sees.
        let is_promised = match symbol.container {
            Container::Owner(at) => self.index.facts(file).owners[at as usize].implements != ExprId::UNKNOWN,
            Container::Symbol(_) => self.index.symbol(of).1.kind == SymbolKind::Interface,
            Container::File => false,
        };
        (is_promised || symbol.visibility == Visibility::Public) && !symbol.traits.has(Traits::TEST_CODE)
    }

    fn push_types(&mut self, boundary: &mut Boundary, of: NodeId, id: Id) {
        let (id, failed) = if let Node::Tried(id, failed) = *self.store.get(id) { (id, failed) } else { (id, Id::UNKNOWN) };
        if let Some(to) = self.store.write(failed) {
            boundary.types.push(TypeOf { of, part: Some(boundary::FAILED), to });
        }
        let parts = match self.store.get(id) {
            Node::Tuple(each) => each.iter().copied().zip(0..).map(|(id, n)| (id, Some(n))).collect(),
            _ => vec![(id, None)],
        };
        for (id, part) in parts {
            if let Some(to) = self.store.write(id) {
                boundary.types.push(TypeOf { of, part, to });
            }
        }
    }

    fn add_supers_of(&mut self, boundary: &mut Boundary, sym: Sym, node: NodeId) {
        let index = self.index;
        let mut items = Vec::new();
        for (place, written) in self.supers_of(sym) {
            let of = index.facts(place.file).supers[written as usize].of;
            items.push((self.item(place, of, 0), self.embedded_name(place, of)));
        }
        if let Some(target) = self.delegate(sym, 0)
            && let Some(item) = self.store.item_of(target)
        {
            items.push((item, None));
        }
        if let Some(item) = self.behind_alias(sym) {
            items.push((item, None));
        }
        // A type that is declared as another one has its fields.
        let (place, symbol) = self.place_of(sym);
        if symbol.kind == SymbolKind::Interface && symbol.declared != ExprId::UNKNOWN {
            items.push((self.item(place, symbol.declared, 0), None));
        }
        if symbol.kind == SymbolKind::Interface {
            self.add_fulfilled(boundary, sym, node);
        }
        items.extend(self.add_passed_on(boundary, sym, node).into_iter().map(|item| (item, None)));
        for (item, name) in items {
            let is_type = self.store.symbol(item).is_none_or(|sym| {
                matches!(self.index.symbol(sym).1.kind, SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias)
            });
            if !is_type || item == self.store.add(Node::Symbol(sym)) {
                continue;
            }
            if let Some(to) = self.store.write(item) {
                boundary.supers.push(Super { of: node, to });
                if let Some(name) = name {
                    let value = self.instance(item, 0);
                    self.push_member(boundary, boundary::Place::Symbol(node), &name, value);
                }
            }
        }
    }

    /// What stands for the parameter of a type whose values give the members of that, where an alias names it: `Unit` of
    /// `type Handle = Shared<Unit>`.
    fn behind_alias(&mut self, alias: Sym) -> Option<Id> {
        let (place, symbol) = self.place_of(alias);
        if symbol.kind != SymbolKind::Alias || !self.is_tree(place.file) {
            return None;
        }
        let of = self.typed(place, symbol.declared, 0);
        let Node::Applied(_, given) = self.store.get(of).clone() else { return None };
        let target = match self.store.item_of(of).and_then(|item| self.store.symbol(item)) {
            Some(sym) => {
                let target = self.delegate(sym, 0).filter(|target| matches!(self.store.get(*target), Node::Parameter(..)))?;
                self.filled_of(target, sym, &given, 0)
            }
            None if given.len() == 1 => given[0],
            None => return None,
        };
        self.store.item_of(target)
    }

    /// The name that a type has as an embedded field, where types embed others.
    fn embedded_name(&self, place: Place, of: ExprId) -> Option<String> {
        self.index.rules(place.file).filter(|rules| rules.modules == ModuleModel::Folder)?;
        let mut named = of;
        while let Expr::Pointer(inner) = self.expr(place, named) {
            named = inner;
        }
        let name = self.last_name(place, named);
        name.starts_with(char::is_uppercase).then(|| name.to_owned())
    }
}
