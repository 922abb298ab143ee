//! Names in code to items, and members of types to definitions.

use super::bare::Bare;
use super::imports::Seen;
use super::index::{Def, Index, Member, SuperOf, add_definition};
use super::line::Lines;
use super::{FileId, Item, ModuleId, Name, Sym};
use activate_grammars::facts::{Container, Expr, ExprId, Owner, SuperKind, SymbolKind, Traits};
use activate_grammars::scope::ModuleModel;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most supertypes that are looked through for a member, the nearest first; what others have stays unknown.
pub(super) const MAX_SUPERS: usize = 64;

/// The deepest expression that is followed in search of an item.
const MAX_PATH: usize = 32;

impl Index<'_> {
    /// What a free name means in a module of a file.
    pub(super) fn free_name(&self, file: FileId, here: ModuleId, name: Name) -> Vec<Item> {
        let mut at = Some(here);
        let folder = self.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Folder);
        while let Some(module) = at {
            let items = self.module_items(module, name, &mut Seen::default());
            if !items.is_empty() {
                return items;
            }
            // Only scopes within one file, and the package behind a file, are looked through: a child module does not see its parent's names.
            let parent = self.modules[module.0 as usize].parent;
            let tree = self.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Tree);
            at = parent.filter(|_| !tree && (folder || self.modules[module.0 as usize].file == Some(file)));
        }
        // What adds to a type of the language itself is not all of it.
        if self.is_builtin(file, name) {
            return vec![Item::Foreign];
        }
        let language = |file: FileId| self.files[file.0 as usize].language;
        let global = self.globals.get(&name).into_iter().flatten().filter_map(|def| match def {
            Def::Symbol(sym) if language(self.symbol_file[sym.0 as usize]) == language(file) => Some(Item::Symbol(*sym)),
            _ => None,
        });
        global.collect()
    }

    /// What a path expression means: names, `a::b`, and `module.name`.
    pub(super) fn path_of(&self, file: FileId, here: ModuleId, expr: ExprId, depth: usize) -> Vec<Item> {
        if depth > MAX_PATH {
            return Vec::new();
        }
        match self.facts(file).exprs[expr.0 as usize] {
            Expr::Name(name) if self.has_bare_members(file) => {
                let bare = Bare { file, here, expr, name: self.name(file, name) };
                if self.bare_value(bare).is_some() { Vec::new() } else { self.bare_type(bare) }
            }
            Expr::Name(name) => {
                let name = self.name(file, name);
                let items = self.free_name(file, here, name);
                if items.is_empty() && self.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Tree) {
                    return self.first_segment(file, here, name, &mut Seen::default());
                }
                items
            }
            Expr::Symbol(id) => vec![Item::Symbol(Sym(self.first_symbol[file.0 as usize] + id.0))],
            Expr::ThisType(container) => self.container_type(file, container).map(Item::Symbol).into_iter().collect(),
            Expr::Scoped(base, name) | Expr::Member(base, name) => {
                let name = self.name(file, name);
                let mut found = Vec::new();
                let bases = self.path_of(file, here, base, depth + 1);
                if bases.is_empty() && self.is_outside_package(file, here, base, name) {
                    return vec![Item::Foreign];
                }
                for item in bases {
                    match item {
                        Item::Module(module) => {
                            let words: &[Name] = &[name];
                            let items = if self.is_root_word(file, name) {
                                self.walk_path(file, module, words, &mut Seen::default())
                            } else {
                                self.items_or_submodule(module, name, &mut Seen::default())
                            };
                            if items.is_empty() && self.is_other_package(file, module) {
                                found.push(Item::Foreign);
                            }
                            found.extend(
                                items
                                    .into_iter()
                                    .filter(|item| !matches!(item, Item::Symbol(sym) if !self.is_visible(*sym, file))),
                            );
                        }
                        Item::Symbol(sym) if self.has_bare_members(file) => {
                            let members = self.all_members(sym, name);
                            // The class of a named instance is not what its name means.
                            let is_value = members.iter().any(|member| matches!(member, Member::Field(..)));
                            let types = members.into_iter().filter_map(|member| match member {
                                Member::Symbol(sym) if self.is_type(sym) && !is_value => Some(Item::Symbol(sym)),
                                _ => None,
                            });
                            found.extend(types.take(1));
                        }
                        Item::Symbol(sym) if self.is_type(sym) => {
                            let mut members = self.find_members(sym, name);
                            // Where classes make their instances, what a class has under its own name is not what these have.
                            if self.rules(file).is_some_and(|rules| rules.constructor.is_some()) {
                                self.keep_side(&mut members, false);
                            }
                            found.extend(members.into_iter().filter_map(|member| match member {
                                Member::Symbol(sym) => Some(Item::Symbol(sym)),
                                Member::Field(..) => None,
                            }));
                        }
                        Item::Symbol(_) => {}
                        Item::Foreign => found.push(Item::Foreign),
                    }
                }
                found.sort_unstable();
                found.dedup();
                found
            }
            Expr::Apply(base, _) | Expr::Deref(base) | Expr::Pointer(base) => self.path_of(file, here, base, depth + 1),
            _ => Vec::new(),
        }
    }

    fn is_root_word(&self, file: FileId, name: Name) -> bool {
        let text = self.names.text(name);
        self.rules(file).is_some_and(|rules| rules.root_words.iter().any(|(word, _)| *word == text))
    }

    /// Whether a symbol can have members.
    pub(super) fn is_type(&self, sym: Sym) -> bool {
        matches!(self.symbol(sym).1.kind, SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias)
    }

    /// Settles owners, supertypes and the members of types.
    pub(super) fn add_members(&mut self) {
        let owners = |file: FileId| {
            let facts = self.facts(file);
            let of = |owner: &Owner| self.type_symbol(file, self.module_of(file, owner.container), owner.of);
            facts.owners.iter().map(of).collect::<Vec<_>>()
        };
        self.owner_types = (0..self.files.len() as u32).into_par_iter().map(|file| owners(FileId(file))).collect();
        self.add_outside_blocks();
        self.merge_declared();
        let mut members: FxHashMap<(Sym, Name), Vec<Member>> = FxHashMap::default();
        for number in 0..self.files.len() {
            let file = FileId(number as u32);
            let facts = self.facts(file);
            for (place, symbol) in facts.symbols.iter().enumerate() {
                let sym = Sym(self.first_symbol[number] + place as u32);
                let of_type = match symbol.container {
                    Container::Symbol(id) => !matches!(facts.symbols[id.0 as usize].kind, SymbolKind::Module | SymbolKind::Test),
                    Container::Owner(_) => true,
                    Container::File => false,
                };
                if !of_type || symbol.traits.has(Traits::NESTED) && !self.has_bare_members(file) {
                    continue;
                }
                if let Some(of) = self.container_type(file, symbol.container) {
                    self.member_of[sym.0 as usize] = Some(of);
                    add_definition(members.entry((of, self.name(file, symbol.name))).or_default(), Member::Symbol(sym));
                }
            }
            for (place, field) in facts.fields.iter().enumerate() {
                if let Some(of) = self.container_type(file, field.container) {
                    let known = members.entry((of, self.name(file, field.name))).or_default();
                    add_definition(known, Member::Field(file, place as u32));
                }
            }
        }
        self.members = members;
        self.add_supers(&|_| true);
        // What a type inherits may be what the types inside of it extend.
        let has_bare: Vec<bool> = (0..self.files.len() as u32).map(|file| self.has_bare_members(FileId(file))).collect();
        if has_bare.contains(&true) {
            self.add_supers(&|file| has_bare[file.0 as usize]);
        }
    }

    /// Settles the supertypes that wanted files write, in place of those that they had.
    fn add_supers(&mut self, is_wanted: &(dyn Fn(FileId) -> bool + Sync)) {
        let supers_of = |file: FileId| {
            let facts = self.facts(file);
            // What types from outside take over makes them no types of the repository.
            let supers = if self.files[file.0 as usize].language.is_some() { facts.supers.as_slice() } else { &[] };
            let found = supers.iter().zip(0..).filter_map(|(each, place)| {
                let of = self.container_type(file, each.container)?;
                let here = self.module_of(file, each.container);
                let Some(target) = self.type_symbol(file, here, each.of) else {
                    return Some((of, Err(self.path_of(file, here, each.of, 0).contains(&Item::Foreign))));
                };
                let above = SuperOf { target, kind: each.kind, file, place };
                Some((of, Ok(above)))
            });
            found.collect::<Vec<_>>()
        };
        let wanted = (0..self.files.len() as u32).into_par_iter().map(FileId).filter(|file| is_wanted(*file));
        let all: Vec<_> = wanted.map(supers_of).collect();
        for (of, _) in all.iter().flatten() {
            self.supers.remove(of);
            self.supers_outside.remove(of);
        }
        self.lines = Lines::default();
        for (of, above) in all.into_iter().flatten() {
            match above {
                Ok(above) if of != above.target => self.supers.entry(of).or_default().push(above),
                Ok(_) => {}
                Err(is_foreign) => *self.supers_outside.entry(of).or_insert(true) &= is_foreign,
            }
        }
    }

    /// Finds the types that add to those of other modules: `declare module "./app" { interface App { more(): void } }`.
    fn merge_declared(&mut self) {
        let mut merged = FxHashMap::default();
        for (name, modules) in &self.declared_modules {
            for module in modules {
                let Some(file) = self.modules[module.0 as usize].file else { continue };
                let path = self.files[file.0 as usize].path;
                let Some(project) = self.project(file) else { continue };
                let candidates = project.candidates(path, self.names.text(*name));
                let Some(target) = candidates.files.iter().find_map(|path| self.file_at(path)) else { continue };
                let target = self.file_module[target.0 as usize];
                let facts = self.facts(file);
                for (place, symbol) in facts.symbols.iter().enumerate().filter(|(_, symbol)| symbol.kind == SymbolKind::Interface)
                {
                    let sym = Sym(self.first_symbol[file.0 as usize] + place as u32);
                    if self.module_of(file, symbol.container) != *module {
                        continue;
                    }
                    let items = self.module_items(target, self.name(file, symbol.name), &mut Seen::default());
                    let meant = items.into_iter().find_map(|item| match item {
                        Item::Symbol(of) if self.is_type(of) && of != sym => Some(of),
                        _ => None,
                    });
                    merged.extend(meant.map(|of| (sym, of)));
                }
            }
        }
        self.merged = merged;
    }

    fn add_outside_blocks(&mut self) {
        let mut general = FxHashSet::default();
        let mut found: FxHashMap<Sym, Vec<(FileId, u32)>> = FxHashMap::default();
        for (number, types) in self.owner_types.iter().enumerate() {
            let file = FileId(number as u32);
            let facts = self.facts(file);
            for (at, owner) in facts.owners.iter().enumerate().filter(|(at, _)| types[*at].is_none()) {
                let mut of = owner.of;
                while let Expr::Pointer(inner) = facts.exprs[of.0 as usize] {
                    of = inner;
                }
                // A block for a type parameter is for types that are known otherwise.
                let is_general = matches!(facts.exprs[of.0 as usize], Expr::Local(_));
                let here = self.module_of(file, owner.container);
                match self.type_symbol(file, here, owner.implements) {
                    Some(holder) if is_general => drop(general.insert(holder)),
                    Some(holder) => found.entry(holder).or_default().push((file, at as u32)),
                    None => {}
                }
            }
        }
        (self.outside_blocks, self.general_blocks) = (found, general);
    }

    /// The type that a type expression names in a module.
    pub(super) fn type_symbol(&self, file: FileId, here: ModuleId, expr: ExprId) -> Option<Sym> {
        self.path_of(file, here, expr, 0).into_iter().find_map(|item| match item {
            Item::Symbol(sym) if self.is_type(sym) => Some(sym),
            _ => None,
        })
    }

    /// Of members of one name, those that belong to instances, or those that do not, where there are such.
    pub(super) fn keep_side(&self, members: &mut Vec<Member>, of_instances: bool) {
        let side = |member: &Member| match member {
            Member::Symbol(sym) => Some(self.symbol(*sym).1.traits.has(Traits::INSTANCE)),
            Member::Field(..) => None,
        };
        if members.len() > 1 && members.iter().any(|member| side(member) == Some(of_instances)) {
            members.retain(|member| side(member) != Some(!of_instances));
        }
    }

    /// The first type above another that has a member itself, where supertypes form a line.
    pub(super) fn above_with(&self, of: Sym, name: Name) -> Option<Sym> {
        let line = self.is_linear(of).then(|| self.line_of_supers(of))?;
        line.iter().skip(1).find(|above| self.members.contains_key(&(**above, name))).copied()
    }

    /// Whether the supertypes of a type form a line.
    fn is_linear(&self, of: Sym) -> bool {
        self.rules(self.symbol_file[of.0 as usize]).is_some_and(|rules| rules.linear_supers)
    }

    /// A type and its supertypes in the repository, the nearest first.
    pub(super) fn with_supers(&self, of: Sym) -> Vec<Sym> {
        #[cfg(test)]
        work::add(1);
        let mut found = vec![of];
        let mut at = 0;
        while let Some(sym) = found.get(at).copied() {
            at += 1;
            for SuperOf { target, .. } in self.supers.get(&sym).into_iter().flatten() {
                if found.len() <= MAX_SUPERS && !found.contains(target) {
                    found.push(*target);
                }
            }
        }
        found
    }

    /// Whether what a type and its known supertypes do not have can only come from supertypes outside the repository.
    pub(super) fn takes_from_outside(&self, of: Sym) -> bool {
        let above = self.with_supers(of);
        if above.len() > MAX_SUPERS {
            // Cut: what the others take is not known.
            return false;
        }
        let mut known = above.iter().filter_map(|sym| self.supers_outside.get(sym)).peekable();
        known.peek().is_some() && known.all(|is_foreign| *is_foreign)
    }

    /// Whether a type embeds another of this name, by itself or through one that it embeds: a field like any other.
    pub(super) fn embeds(&self, of: Sym, name: Name) -> bool {
        let above = self.with_supers(of);
        let mut embedded = above.iter().filter_map(|sym| self.supers.get(sym)).flatten();
        embedded.any(|above| {
            let (file, symbol) = self.symbol(above.target);
            above.kind == SuperKind::Embeds && self.name(file, symbol.name) == name
        })
    }

    /// Whether a subtype has a member of its own in place of this one.
    pub(super) fn is_overridden(&self, sym: Sym) -> bool {
        self.overridden.get_or_init(|| self.find_overridden()).contains(&sym)
    }

    /// The members in whose place a subtype has a method of its own: found for all at once, since each use of one would walk all namesakes.
    fn find_overridden(&self) -> FxHashSet<Sym> {
        let mut found = FxHashSet::default();
        for (name, methods) in &self.methods {
            for of in methods.iter().filter_map(|method| self.member_of[method.0 as usize]) {
                let members = self.with_supers(of).into_iter().skip(1).filter_map(|above| self.members.get(&(above, *name)));
                found.extend(members.flatten().filter_map(|member| match member {
                    Member::Symbol(sym) => Some(*sym),
                    Member::Field(..) => None,
                }));
            }
        }
        found
    }

    /// Members of a type called `name`: its own, else those of the nearest supertypes that have any.
    pub(super) fn find_members(&self, of: Sym, name: Name) -> Vec<Member> {
        if self.is_linear(of) && self.supers.get(&of).is_some_and(|supers| !supers.is_empty()) {
            let line = self.line_of_supers(of);
            let is_bare = self.has_bare_members(self.symbol_file[of.0 as usize]);
            let known = line.iter().filter_map(|sym| Some((*sym, self.members.get(&(*sym, name))?)));
            let passed = known.map(|(above, members)| {
                let is_there = |member: &Member| !is_bare || above == of || self.is_passed_on(*member, of);
                members.iter().copied().filter(is_there).collect::<Vec<_>>()
            });
            return passed.into_iter().find(|members| !members.is_empty()).unwrap_or_default();
        }
        let mut level = vec![of];
        let mut seen = vec![of];
        while !level.is_empty() {
            let mut found: Vec<Member> = Vec::new();
            for sym in &level {
                found.extend(self.members.get(&(*sym, name)).into_iter().flatten());
            }
            if !found.is_empty() {
                found.sort_unstable();
                found.dedup();
                return found;
            }
            let mut next = Vec::new();
            for sym in &level {
                for SuperOf { target, .. } in self.supers.get(sym).into_iter().flatten() {
                    if seen.len() > MAX_SUPERS {
                        break;
                    }
                    if !seen.contains(target) {
                        seen.push(*target);
                        next.push(*target);
                    }
                }
            }
            level = next;
        }
        Vec::new()
    }
}
