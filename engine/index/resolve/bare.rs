//! Names that stand alone in languages where the members of a type are known by their names alone in it: Java's `count` for `this.count`.
//!
//! What a bare name means depends on what is done with it: types, values and functions have names apart.

use super::index::{Def, Index, Member};
use super::{FileId, Item, ModuleId, Name, Sym};
use activate_grammars::facts::{Container, Expr, ExprId, Import, ImportKind, SymbolKind, Traits, Visibility};
use activate_grammars::scope::{ModuleModel, NAMED_AS_TYPE};

/// The most imports of all that a package or type has which are looked through for a name.
pub(super) const MAX_GLOBS: usize = 256;

/// The most types around one another that are looked through.
const MAX_AROUND: usize = 64;

/// A name that stands alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bare {
    pub(super) file: FileId,
    /// The module of the file.
    pub(super) here: ModuleId,
    pub(super) expr: ExprId,
    pub(super) name: Name,
}

/// The functions that a bare name means.
#[derive(Debug)]
pub(super) struct BareMethods {
    /// The type that has them, and whether it is one around the name.
    pub(super) of: Sym,
    pub(super) is_around: bool,
    pub(super) methods: Vec<Sym>,
    /// Whether a type nearer by may have one too, from outside.
    pub(super) is_doubtful: bool,
}

/// Where a function may come from that no type known has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// From a type above one around it that is not of the repository.
    Outside,
    /// From a type from outside that an import takes it from: nothing of the repository stands behind it.
    Imported,
    Unknown,
}

impl Index<'_> {
    /// Whether members of types are known by their names alone.
    pub(super) fn has_bare_members(&self, file: FileId) -> bool {
        self.rules(file).is_some_and(|rules| rules.bare_members)
    }

    /// Whether files say their package.
    pub(super) fn has_packages(&self, file: FileId) -> bool {
        self.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Package)
    }

    /// Whether what a package does not have is of one from outside: it has no files itself.
    pub(super) fn is_other_package(&self, file: FileId, module: ModuleId) -> bool {
        self.has_packages(file) && self.modules[module.0 as usize].file.is_none()
    }

    /// Whether a path that leads nowhere names a package from outside, as what follows it is a type: `java.util` in front of `List`.
    pub(super) fn is_outside_package(&self, file: FileId, here: ModuleId, expr: ExprId, next: Name) -> bool {
        if !self.has_packages(file) || !self.names.text(next).starts_with(char::is_uppercase) {
            return false;
        }
        let facts = self.facts(file);
        let mut at = expr;
        for _ in 0..MAX_AROUND {
            match facts.exprs[at.0 as usize] {
                Expr::Member(base, _) => at = base,
                Expr::Name(name) => {
                    let bare = Bare { file, here, expr: at, name: self.name(file, name) };
                    return facts.names.get(name).starts_with(char::is_lowercase) && self.bare_value(bare).is_none();
                }
                _ => return false,
            }
        }
        false
    }

    /// The types around a name, innermost first.
    fn types_around(&self, Bare { file, expr, .. }: Bare) -> Vec<Sym> {
        let facts = self.facts(file);
        let mut found = Vec::new();
        let mut at = facts.type_around(expr);
        while let Some(id) = at.filter(|_| found.len() < MAX_AROUND) {
            let symbol = &facts.symbols[id.0 as usize];
            if matches!(symbol.kind, SymbolKind::Type | SymbolKind::Interface) {
                found.push(Sym(self.first_symbol[file.0 as usize] + id.0));
            }
            at = if let Container::Symbol(outer) = symbol.container { Some(outer) } else { None };
        }
        found
    }

    /// The members of a name that a type has, with those of the types above it, nearest first.
    pub(super) fn all_members(&self, of: Sym, name: Name) -> Vec<Member> {
        let line = self.line_of_supers(of);
        #[cfg(test)]
        work::add(line.len());
        let each = line.iter().filter_map(|sym| Some((*sym, self.members.get(&(*sym, name))?)));
        let all = each.flat_map(|(holder, members)| members.iter().map(move |member| (holder, *member)));
        let is_there = |(holder, member): &(Sym, Member)| *holder == of || self.is_passed_on(*member, of);
        all.filter(is_there).map(|(_, member)| member).collect()
    }

    /// Whether a type below takes over a member: none that is private, or seen in the package of the type above alone.
    pub(super) fn is_passed_on(&self, member: Member, below: Sym) -> bool {
        let (file, visibility) = match member {
            Member::Symbol(sym) => {
                let (file, symbol) = self.symbol(sym);
                (file, symbol.visibility)
            }
            Member::Field(file, field) => (file, self.facts(file).fields[field as usize].visibility),
        };
        match visibility {
            Visibility::Private => false,
            Visibility::Package => {
                let package = |file: FileId| self.file_module[file.0 as usize];
                package(file) == package(self.symbol_file[below.0 as usize])
            }
            Visibility::Public => true,
        }
    }

    /// Whether a method can stand in another's place: both belong to instances, and the type of the one takes over the other.
    pub(super) fn can_stand_in(&self, mine: Sym, theirs: Sym) -> bool {
        let is_open = |sym: Sym| {
            let symbol = self.symbol(sym).1;
            symbol.visibility != Visibility::Private && symbol.traits.has(Traits::INSTANCE)
        };
        is_open(mine) && is_open(theirs) && self.is_passed_on(Member::Symbol(theirs), mine)
    }

    /// The methods among them.
    pub(super) fn all_methods(&self, of: Sym, name: Name) -> Vec<Sym> {
        self.all_members(of, name).into_iter().filter_map(|member| self.method(member)).collect()
    }

    /// A member, if it is a method and no constructor.
    fn method(&self, member: Member) -> Option<Sym> {
        match member {
            Member::Symbol(sym) if self.symbol(sym).1.kind == SymbolKind::Method && !self.is_constructor(sym) => Some(sym),
            _ => None,
        }
    }

    /// Whether a method is a constructor that has the name of its class.
    pub(super) fn is_constructor(&self, sym: Sym) -> bool {
        let (file, symbol) = self.symbol(sym);
        let is_named_so = self.rules(file).is_some_and(|rules| rules.constructor == Some(NAMED_AS_TYPE));
        is_named_so && self.member_of[sym.0 as usize].is_some_and(|of| self.symbol(of).1.name == symbol.name)
    }

    /// The constructors that a class writes.
    pub(super) fn constructors(&self, of: Sym) -> Vec<Sym> {
        let (file, symbol) = self.symbol(of);
        let own = self.members.get(&(of, self.name(file, symbol.name))).into_iter().flatten();
        own.filter_map(|member| if let Member::Symbol(sym) = member { Some(*sym) } else { None })
            .filter(|sym| self.is_constructor(*sym))
            .collect()
    }

    /// Of definitions that have one name in one package those of the same build as a file, if there are such.
    fn near(&self, file: FileId, mut found: Vec<Sym>) -> Vec<Sym> {
        if found.len() > 1 {
            let package = |of: FileId| self.project(of).and_then(|project| project.package(self.files[of.0 as usize].path));
            let own = package(file);
            let is_near = |sym: &Sym| package(self.symbol_file[sym.0 as usize]) == own;
            if found.iter().any(is_near) {
                found.retain(is_near);
            }
        }
        found
    }

    /// The types of a name in a package, as a file means them.
    fn types_in(&self, file: FileId, package: ModuleId, name: Name) -> Vec<Sym> {
        let definitions = self.definitions(package, name).iter();
        let types = definitions.filter_map(|def| if let Def::Symbol(sym) = def { Some(*sym) } else { None });
        self.near(file, types.filter(|sym| self.is_type(*sym)).collect())
    }

    /// The first type of a name that a type has as its member.
    fn type_within(&self, of: Sym, name: Name) -> Option<Sym> {
        self.first_type(&self.all_members(of, name))
    }

    fn first_type(&self, members: &[Member]) -> Option<Sym> {
        members.iter().find_map(|member| match *member {
            Member::Symbol(sym) if self.is_type(sym) => Some(sym),
            _ => None,
        })
    }

    /// What a bare name means as a type or as the beginning of a path.
    pub(super) fn bare_type(&self, bare: Bare) -> Vec<Item> {
        let Bare { file, here, name, .. } = bare;
        let around = self.types_around(bare);
        if let Some(within) = self.members_around(bare, &around).iter().find_map(|(_, all)| self.first_type(all)) {
            return vec![Item::Symbol(within)];
        }
        let items = |found: Vec<Sym>| -> Vec<Item> { found.into_iter().map(Item::Symbol).collect() };
        for def in self.definitions(here, name) {
            let Def::Import(of, place) = *def else { continue };
            let kind = self.facts(of).imports[place as usize].kind;
            let mut found = Vec::new();
            for item in self.import_items(of, place, &mut super::imports::Seen::default()) {
                match item {
                    Item::Symbol(holder) if kind == ImportKind::Member => {
                        found.extend(self.type_within(holder, name).map(Item::Symbol));
                    }
                    other => found.push(other),
                }
            }
            if !found.is_empty() {
                return found;
            }
        }
        let package = self.modules[here.0 as usize].parent;
        let own = package.map_or_else(Vec::new, |package| self.types_in(file, package, name));
        if !own.is_empty() {
            return items(own);
        }
        let mut is_any_outside = false;
        for (of, place) in self.modules[here.0 as usize].globs.iter().take(MAX_GLOBS) {
            for item in self.import_items(*of, *place, &mut super::imports::Seen::default()) {
                let found = match item {
                    Item::Module(package) => self.types_in(file, package, name),
                    Item::Symbol(holder) => self.type_within(holder, name).into_iter().collect(),
                    Item::Foreign => {
                        is_any_outside = true;
                        Vec::new()
                    }
                };
                if !found.is_empty() {
                    return items(found);
                }
            }
        }
        let language = self.files[file.0 as usize].language;
        let root = language.and_then(|language| self.package_roots.get(&language));
        if self.is_builtin(file, name) {
            vec![Item::Foreign]
        } else if let Some(package) = root.and_then(|root| self.submodules.get(&(*root, name))) {
            vec![Item::Module(*package)]
        } else if is_any_outside || around.iter().any(|of| self.has_supers_outside(*of)) {
            vec![Item::Foreign]
        } else {
            Vec::new()
        }
    }

    /// The field that a bare name means, and the type that has it: one around the name, or one that an import takes it from.
    pub(super) fn bare_value(&self, bare: Bare) -> Option<(Sym, bool, Member)> {
        let field = |all: &[Member]| all.iter().copied().find(|member| matches!(member, Member::Field(..)));
        let around = self.members_around(bare, &self.types_around(bare));
        let own = around.iter().find_map(|(of, all)| Some((*of, true, field(all)?)));
        let imported =
            || self.imported_from(bare).into_iter().find_map(|of| Some((of, false, field(&self.all_members(of, bare.name))?)));
        own.or_else(imported)
    }

    /// The functions that a bare name in front of arguments means.
    pub(super) fn bare_methods(&self, bare: Bare) -> Result<BareMethods, Missing> {
        let mut is_doubtful = false;
        let around = self.types_around(bare);
        let known = self.members_around(bare, &around);
        for of in around {
            let all = known.iter().find(|(holder, _)| *holder == of).map_or(&[][..], |(_, all)| all.as_slice());
            let methods: Vec<Sym> = all.iter().filter_map(|member| self.method(*member)).collect();
            if !methods.is_empty() {
                return Ok(BareMethods { of, is_around: true, methods, is_doubtful });
            }
            is_doubtful |= self.has_supers_outside(of);
        }
        for of in self.imported_from(bare) {
            let methods = self.all_methods(of, bare.name);
            if !methods.is_empty() {
                return Ok(BareMethods { of, is_around: false, methods, is_doubtful });
            }
        }
        let brings = |(of, place): (FileId, u32)| {
            self.import_items(of, place, &mut super::imports::Seen::default()).contains(&Item::Foreign)
        };
        Err(match (self.imports_of(bare).into_iter().any(brings), is_doubtful) {
            (true, false) => Missing::Imported,
            (_, true) => Missing::Outside,
            (false, false) => Missing::Unknown,
        })
    }

    /// Imports that may take a member of a type by the name: those of the name, then those of all members.
    fn imports_of(&self, Bare { here, name, .. }: Bare) -> Vec<(FileId, u32)> {
        let is_member = |import: &Import| import.kind == ImportKind::Member;
        let named = self.definitions(here, name).iter().filter_map(|def| match *def {
            Def::Import(file, place) if is_member(&self.facts(file).imports[place as usize]) => Some((file, place)),
            _ => None,
        });
        named.chain(self.modules[here.0 as usize].globs.iter().copied().take(MAX_GLOBS)).collect()
    }

    /// The types of the repository that imports take members of the name from, or all members.
    fn imported_from(&self, bare: Bare) -> Vec<Sym> {
        let imports = self.imports_of(bare).into_iter();
        let items = imports.flat_map(|(file, place)| self.import_items(file, place, &mut super::imports::Seen::default()));
        items.filter_map(|item| if let Item::Symbol(sym) = item { Some(sym) } else { None }).collect()
    }

    /// What a path of names leads to: a package, or a type; of a path to a member its type.
    pub(super) fn package_items(&self, file: FileId, import: &Import) -> Vec<Item> {
        let language = self.files[file.0 as usize].language;
        let Some(root) = language.and_then(|language| self.package_roots.get(&language)) else { return vec![Item::Foreign] };
        let mut package = *root;
        let mut types: Vec<Sym> = Vec::new();
        for name in import.path.iter().map(|name| self.name(file, *name)) {
            if !types.is_empty() {
                let within = types.iter().filter_map(|of| self.types_within.get(&(*of, name))).flatten();
                let within: Vec<Sym> = within.copied().collect();
                if within.is_empty() {
                    break;
                }
                types = within;
                continue;
            }
            types = self.types_in(file, package, name);
            if types.is_empty() {
                match self.submodules.get(&(package, name)) {
                    Some(below) => package = *below,
                    None if self.is_other_package(file, package) => return vec![Item::Foreign],
                    // The package is here, and what is taken from it is not: written by a program, perhaps.
                    None => return Vec::new(),
                }
            }
        }
        if types.is_empty() {
            let has_files = self.modules[package.0 as usize].file.is_some();
            return vec![if has_files { Item::Module(package) } else { Item::Foreign }];
        }
        types.into_iter().map(Item::Symbol).collect()
    }
}
