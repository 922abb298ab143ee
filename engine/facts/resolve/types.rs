//! Types of expressions, as far as declarations show them.
//!
//! One evaluator for the sites of one file; it follows declarations into other files and remembers what it found. What it does not know
//! it says so: a wrong type would make wrong links.

use super::index::{Index, Member};
use super::{FileId, Item, ModuleId, Name, Sym};
use activate_grammars::facts::{Binding, Container, Expr, ExprId, ListId, SuperKind, SymbolKind, Traits};
use activate_grammars::scope::Gives;
use rustc_hash::FxHashMap;

/// The deepest chain of declarations that is followed.
const MAX_DEPTH: usize = 48;

/// A type by its number in the evaluator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TypeId(u32);

impl TypeId {
    pub(super) const UNKNOWN: Self = Self(0);
    pub(super) const FOREIGN: Self = Self(1);
}

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Type {
    /// Not known.
    Unknown,
    /// Known to be defined outside the repository.
    Foreign,
    /// An instance of a type of the repository.
    Named(Sym),
    /// An instance of a generic type from outside, by name, with its arguments.
    Generic(Name, Vec<TypeId>),
    /// Something that holds a value: what is inside decides.
    Wrapped(TypeId),
    /// Many of a type.
    Many(TypeId),
    /// From keys to values.
    Map(TypeId, TypeId),
    /// Several values.
    Tuple(Vec<TypeId>),
    /// One of several.
    Union(Vec<TypeId>),
    /// A function with its result.
    Function(TypeId),
}

/// Evaluates types for the sites of one file.
pub(super) struct Types<'i, 'a> {
    pub(super) index: &'i Index<'a>,
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    known: FxHashMap<(FileId, ExprId, bool), TypeId>,
    of_symbols: FxHashMap<Sym, TypeId>,
}

/// Where an expression stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) file: FileId,
    pub(super) module: ModuleId,
}

impl<'i, 'a> Types<'i, 'a> {
    pub(super) fn new(index: &'i Index<'a>) -> Self {
        let mut types = Self {
            index,
            types: Vec::new(),
            ids: FxHashMap::default(),
            known: FxHashMap::default(),
            of_symbols: FxHashMap::default(),
        };
        types.add(Type::Unknown);
        types.add(Type::Foreign);
        types
    }

    fn add(&mut self, made: Type) -> TypeId {
        if let Some(id) = self.ids.get(&made) {
            return *id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(made.clone());
        self.ids.insert(made, id);
        id
    }

    pub(super) fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// The place of a symbol's own declarations.
    pub(super) fn place_of(&self, sym: Sym) -> (Place, &'a activate_grammars::facts::Symbol) {
        let (file, symbol) = self.index.symbol(sym);
        (Place { file, module: self.index.module_of(file, symbol.container) }, symbol)
    }

    /// The type that a type expression names.
    pub(super) fn as_type(&mut self, place: Place, expr: ExprId, depth: usize) -> TypeId {
        self.remember(place, expr, true, depth, Self::make_type)
    }

    /// The type of a value.
    pub(super) fn of_value(&mut self, place: Place, expr: ExprId, depth: usize) -> TypeId {
        self.remember(place, expr, false, depth, Self::make_value)
    }

    fn remember(
        &mut self,
        place: Place,
        expr: ExprId,
        is_type: bool,
        depth: usize,
        make: fn(&mut Self, Place, ExprId, usize) -> TypeId,
    ) -> TypeId {
        if expr == ExprId::UNKNOWN || depth > MAX_DEPTH {
            return TypeId::UNKNOWN;
        }
        let key = (place.file, expr, is_type);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        // While it is being made it counts as unknown, so that a value defined by itself ends.
        self.known.insert(key, TypeId::UNKNOWN);
        let made = make(self, place, expr, depth + 1);
        self.known.insert(key, made);
        made
    }

    fn expr(&self, place: Place, expr: ExprId) -> Expr {
        self.index.facts(place.file).exprs[expr.0 as usize]
    }

    fn members_of(&self, place: Place, list: ListId) -> Vec<ExprId> {
        self.index.facts(place.file).lists[list.start as usize..(list.start + list.len) as usize].to_vec()
    }

    fn text(&self, name: Name) -> &'a str {
        self.index.names.text(name)
    }

    fn make_type(&mut self, place: Place, expr: ExprId, depth: usize) -> TypeId {
        match self.expr(place, expr) {
            Expr::Name(_) | Expr::Scoped(..) | Expr::Member(..) | Expr::Symbol(_) => {
                self.named_type(place, expr, Vec::new(), depth)
            }
            Expr::Local(binding) => {
                let binding = self.index.facts(place.file).bindings[binding.0 as usize];
                if binding.type_parameter { self.as_type(place, binding.declared, depth) } else { TypeId::UNKNOWN }
            }
            Expr::This(container) | Expr::ThisType(container) => self.container(place, container),
            Expr::Apply(base, list) => {
                let arguments = self.members_of(place, list).into_iter().map(|each| self.as_type(place, each, depth)).collect();
                self.named_type(place, base, arguments, depth)
            }
            Expr::Pointer(inner) | Expr::Deref(inner) => self.as_type(place, inner, depth),
            Expr::Many(inner) => {
                let inner = self.as_type(place, inner, depth);
                self.add(Type::Many(inner))
            }
            Expr::Map(key, value) => {
                let (key, value) = (self.as_type(place, key, depth), self.as_type(place, value, depth));
                self.add(Type::Map(key, value))
            }
            Expr::Tuple(list) => {
                let members = self.members_of(place, list).into_iter().map(|each| self.as_type(place, each, depth)).collect();
                self.add(Type::Tuple(members))
            }
            Expr::Union(list) => {
                let members: Vec<TypeId> =
                    self.members_of(place, list).into_iter().map(|each| self.as_type(place, each, depth)).collect();
                self.union(members)
            }
            Expr::Function(result) => {
                let result = self.as_type(place, result, depth);
                self.add(Type::Function(result))
            }
            Expr::Nth(base, n) => {
                let base = self.as_type(place, base, depth);
                self.nth(base, n)
            }
            Expr::FieldOf(base, name) => {
                let base = self.as_type(place, base, depth);
                let name = self.index.name(place.file, name);
                self.member_value(base, name, depth)
            }
            Expr::Literal(_) => TypeId::FOREIGN,
            _ => TypeId::UNKNOWN,
        }
    }

    /// One of several types; what is unknown or foreign beside a known one is left out (`T | undefined`).
    fn union(&mut self, members: Vec<TypeId>) -> TypeId {
        let known: Vec<TypeId> = members.iter().copied().filter(|id| *id != TypeId::FOREIGN && *id != TypeId::UNKNOWN).collect();
        match known.as_slice() {
            [] if members.iter().all(|id| *id == TypeId::FOREIGN) && !members.is_empty() => TypeId::FOREIGN,
            [] => TypeId::UNKNOWN,
            [only] => *only,
            _ => self.add(Type::Union(known)),
        }
    }

    fn named_type(&mut self, place: Place, expr: ExprId, arguments: Vec<TypeId>, depth: usize) -> TypeId {
        let items = self.index.path_of(place.file, place.module, expr, 0);
        let types: Vec<Sym> =
            items.iter().filter_map(|item| if let Item::Symbol(sym) = item { Some(*sym) } else { None }).collect();
        if let Some(sym) = types.iter().copied().find(|sym| self.index.is_type(*sym)) {
            return self.instance(sym, arguments, depth);
        }
        if items.contains(&Item::Foreign) || items.is_empty() {
            let last = match self.expr(place, expr) {
                Expr::Name(name) | Expr::Scoped(_, name) | Expr::Member(_, name) => Some(self.index.name(place.file, name)),
                _ => None,
            };
            let Some(name) = last else { return TypeId::UNKNOWN };
            let transparent = self.index.rules(place.file).and_then(|rules| argument(rules.transparent, self.text(name)));
            if let Some(inner) = transparent.and_then(|n| arguments.get(n)) {
                return *inner;
            }
            if !arguments.is_empty() {
                return self.add(Type::Generic(name, arguments));
            }
            return if items.is_empty() { TypeId::UNKNOWN } else { TypeId::FOREIGN };
        }
        TypeId::UNKNOWN
    }

    /// An instance of a type: an alias and a type that only names another stand for their target where that is all they do.
    fn instance(&mut self, sym: Sym, arguments: Vec<TypeId>, depth: usize) -> TypeId {
        let (place, symbol) = self.place_of(sym);
        if symbol.kind == SymbolKind::Alias && symbol.declared != ExprId::UNKNOWN {
            let target = self.as_type(place, symbol.declared, depth);
            if let (Type::Generic(name, _), false) = (self.get(target).clone(), arguments.is_empty()) {
                return self.add(Type::Generic(name, arguments));
            }
            if target != TypeId::UNKNOWN && target != TypeId::FOREIGN {
                return target;
            }
        }
        self.add(Type::Named(sym))
    }

    fn container(&mut self, place: Place, container: Container) -> TypeId {
        match self.index.container_type(place.file, container) {
            Some(sym) => self.add(Type::Named(sym)),
            None if matches!(container, Container::Owner(_)) => TypeId::FOREIGN,
            None => TypeId::UNKNOWN,
        }
    }

    fn binding(&mut self, place: Place, binding: Binding, depth: usize) -> TypeId {
        if binding.type_parameter {
            return self.as_type(place, binding.declared, depth);
        }
        let declared = self.as_type(place, binding.declared, depth);
        if declared == TypeId::UNKNOWN && binding.declared == ExprId::UNKNOWN {
            self.of_value(place, binding.value, depth)
        } else {
            declared
        }
    }

    fn make_value(&mut self, place: Place, expr: ExprId, depth: usize) -> TypeId {
        match self.expr(place, expr) {
            Expr::Local(id) => {
                let binding = self.index.facts(place.file).bindings[id.0 as usize];
                self.binding(place, binding, depth)
            }
            Expr::This(container) => self.container(place, container),
            Expr::Super(container) => {
                let of = self.index.container_type(place.file, container);
                let above = of.and_then(|sym| self.index.supers.get(&sym)?.first().copied());
                above.map_or(TypeId::UNKNOWN, |(sym, ..)| self.add(Type::Named(sym)))
            }
            Expr::Instance(of) => self.as_type(place, of, depth),
            Expr::Literal(_) => TypeId::FOREIGN,
            Expr::Name(_) | Expr::Symbol(_) | Expr::Scoped(..) => {
                let items = self.index.path_of(place.file, place.module, expr, 0);
                self.of_items(&items, depth)
            }
            Expr::Member(base, name) => {
                let items = self.index.path_of(place.file, place.module, expr, 0);
                if !items.is_empty() {
                    return self.of_items(&items, depth);
                }
                let base = self.of_value(place, base, depth);
                let name = self.index.name(place.file, name);
                self.member_value(base, name, depth)
            }
            Expr::Call(callee, first) => self.call(place, callee, first, depth),
            Expr::Deref(inner) => self.of_value(place, inner, depth),
            Expr::Await(inner) => {
                let of = self.of_value(place, inner, depth);
                let rules = self.index.rules(place.file);
                self.unwrap(of, rules.map_or(&[], |rules| rules.awaited))
            }
            Expr::Try(inner) => {
                let of = self.of_value(place, inner, depth);
                let rules = self.index.rules(place.file);
                self.unwrap(of, rules.map_or(&[], |rules| rules.tried))
            }
            Expr::Payload(value, _, _) => {
                let of = self.of_value(place, value, depth);
                let rules = self.index.rules(place.file);
                let inner = self.unwrap(of, rules.map_or(&[], |rules| rules.tried));
                if inner == of { self.payload(place, expr, of, depth) } else { inner }
            }
            Expr::Index(base) | Expr::Element(base) => {
                let of = self.of_value(place, base, depth);
                self.element(place, of, depth)
            }
            Expr::Key(base) => {
                let of = self.of_value(place, base, depth);
                if let Type::Map(key, _) = self.get(of) { *key } else { TypeId::FOREIGN }
            }
            Expr::Nth(base, n) => {
                let of = self.of_value(place, base, depth);
                self.nth(of, n)
            }
            Expr::FieldOf(base, name) => {
                let of = self.of_value(place, base, depth);
                let name = self.index.name(place.file, name);
                self.member_value(of, name, depth)
            }
            Expr::Function(result) => {
                let result = self.as_type(place, result, depth);
                self.add(Type::Function(result))
            }
            Expr::Tuple(list) => {
                let members = self.members_of(place, list).into_iter().map(|each| self.of_value(place, each, depth)).collect();
                self.add(Type::Tuple(members))
            }
            Expr::Union(list) => {
                let members = self.members_of(place, list).into_iter().map(|each| self.of_value(place, each, depth)).collect();
                self.union(members)
            }
            Expr::Apply(base, _) | Expr::Pointer(base) => self.of_value(place, base, depth),
            Expr::Unknown | Expr::ThisType(_) | Expr::Many(_) | Expr::Map(..) | Expr::Anonymous => TypeId::UNKNOWN,
        }
    }

    fn payload(&mut self, place: Place, expr: ExprId, of: TypeId, depth: usize) -> TypeId {
        let (Expr::Payload(_, variant, n), Type::Named(sym)) = (self.expr(place, expr), self.get(of).clone()) else {
            return TypeId::UNKNOWN;
        };
        let (Expr::Scoped(_, name) | Expr::Name(name)) = self.expr(place, variant) else { return TypeId::UNKNOWN };
        let name = self.index.name(place.file, name);
        let fields = self.index.find_members(sym, name);
        let Some(Member::Field(file, at)) = fields.first().copied() else { return TypeId::UNKNOWN };
        let (place, _) = self.place_of(sym);
        let declared = self.index.facts(file).fields[at as usize].declared;
        let payload = self.as_type(Place { file, ..place }, declared, depth);
        self.nth(payload, n)
    }

    /// What is inside a value of a generic type that is listed, or inside a wrapper; else the type itself.
    fn unwrap(&self, of: TypeId, listed: &[(&str, u8)]) -> TypeId {
        match self.get(of) {
            Type::Generic(name, arguments) => {
                argument(listed, self.text(*name)).and_then(|n| arguments.get(n)).copied().unwrap_or(of)
            }
            Type::Wrapped(inner) => *inner,
            _ => of,
        }
    }

    fn nth(&mut self, of: TypeId, n: u32) -> TypeId {
        match self.get(of) {
            Type::Tuple(members) => members.get(n as usize).copied().unwrap_or(TypeId::UNKNOWN),
            Type::Many(inner) => *inner,
            _ if n == 0 => of,
            _ => TypeId::UNKNOWN,
        }
    }

    fn element(&mut self, place: Place, of: TypeId, depth: usize) -> TypeId {
        match self.get(of).clone() {
            Type::Many(inner) | Type::Map(_, inner) => inner,
            Type::Generic(name, arguments) => {
                let rules = self.index.rules(place.file);
                let n = rules.and_then(|rules| argument(rules.element_of, self.text(name)));
                n.and_then(|n| arguments.get(n)).copied().unwrap_or(TypeId::UNKNOWN)
            }
            Type::Named(sym) => {
                let (place, symbol) = self.place_of(sym);
                let target = self.as_type(place, symbol.declared, depth);
                if target == of { TypeId::UNKNOWN } else { self.element(place, target, depth) }
            }
            Type::Foreign => TypeId::FOREIGN,
            Type::Function(_) => of,
            _ => TypeId::UNKNOWN,
        }
    }

    /// The type of what a name means as a value.
    fn of_items(&mut self, items: &[Item], depth: usize) -> TypeId {
        for item in items {
            if let Item::Symbol(sym) = item {
                return self.of_symbol(*sym, depth);
            }
        }
        if items.contains(&Item::Foreign) { TypeId::FOREIGN } else { TypeId::UNKNOWN }
    }

    /// The type of a definition as a value.
    pub(super) fn of_symbol(&mut self, sym: Sym, depth: usize) -> TypeId {
        if depth > MAX_DEPTH {
            return TypeId::UNKNOWN;
        }
        if let Some(known) = self.of_symbols.get(&sym) {
            return *known;
        }
        self.of_symbols.insert(sym, TypeId::UNKNOWN);
        let (place, symbol) = self.place_of(sym);
        let declared = self.as_type(place, symbol.declared, depth + 1);
        let made = match symbol.kind {
            SymbolKind::Function | SymbolKind::Method if symbol.traits.has(Traits::GETTER) => declared,
            SymbolKind::Function | SymbolKind::Method => self.add(Type::Function(declared)),
            SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias => self.add(Type::Named(sym)),
            SymbolKind::Constant | SymbolKind::Variable if symbol.declared == ExprId::UNKNOWN => {
                let of = self.of_value(place, symbol.value, depth + 1);
                // An object written in place has the variable's own members.
                let is_object = self.expr(place, symbol.value) == Expr::Anonymous;
                if is_object { self.add(Type::Named(sym)) } else { of }
            }
            SymbolKind::Constant | SymbolKind::Variable => declared,
            SymbolKind::Module | SymbolKind::Macro | SymbolKind::Test => TypeId::UNKNOWN,
        };
        self.of_symbols.insert(sym, made);
        made
    }

    fn call(&mut self, place: Place, callee: ExprId, first: ExprId, depth: usize) -> TypeId {
        let rules = self.index.rules(place.file);
        let name = match self.expr(place, callee) {
            Expr::Name(name) | Expr::Scoped(_, name) | Expr::Member(_, name) => Some(self.index.name(place.file, name)),
            _ => None,
        };
        let text = name.map_or("", |name| self.text(name));
        let items = self.index.path_of(place.file, place.module, callee, 0);
        let symbol = items.iter().find_map(|item| if let Item::Symbol(sym) = item { Some(*sym) } else { None });
        if let Some(sym) = symbol {
            let of = self.of_symbol(sym, depth);
            return self.result(of);
        }
        if let (Some(rules), Expr::Name(_) | Expr::Scoped(..)) = (rules, self.expr(place, callee)) {
            if rules.makes_argument.contains(&text) {
                return self.as_type(place, first, depth);
            }
            let written = self.written_path(place, callee);
            if rules.wraps_argument.iter().any(|known| *known == text || *known == written) {
                let inner = self.of_value(place, first, depth);
                return if inner == TypeId::UNKNOWN { inner } else { self.add(Type::Wrapped(inner)) };
            }
        }
        if items.contains(&Item::Foreign) {
            return TypeId::FOREIGN;
        }
        if let Expr::Member(base, _) = self.expr(place, callee) {
            let of = self.of_value(place, base, depth);
            let known =
                rules.and_then(|rules| rules.known_methods.iter().find(|(known, _)| *known == text).map(|(_, gives)| *gives));
            let own = name.is_some_and(|name| !self.members(of, name).is_empty());
            if let (Some(gives), false) = (known, own) {
                return self.gives(place, of, gives, depth);
            }
        }
        let of = self.of_value(place, callee, depth);
        self.result(of)
    }

    /// A path as it is written, for tables of known paths: `Arc::new`.
    fn written_path(&self, place: Place, expr: ExprId) -> String {
        match self.expr(place, expr) {
            Expr::Name(name) => self.text(self.index.name(place.file, name)).to_owned(),
            Expr::Scoped(base, name) => {
                let name = self.text(self.index.name(place.file, name));
                match self.expr(place, base) {
                    Expr::Name(base) | Expr::Scoped(_, base) => {
                        format!("{}::{name}", self.text(self.index.name(place.file, base)))
                    }
                    _ => name.to_owned(),
                }
            }
            _ => String::new(),
        }
    }

    fn gives(&mut self, place: Place, of: TypeId, gives: Gives, depth: usize) -> TypeId {
        match gives {
            Gives::Same => of,
            Gives::Argument(n) => match self.get(of) {
                Type::Generic(_, arguments) => arguments.get(n as usize).copied().unwrap_or(TypeId::UNKNOWN),
                Type::Wrapped(inner) => *inner,
                Type::Foreign => TypeId::FOREIGN,
                _ => TypeId::UNKNOWN,
            },
            Gives::Element => self.element(place, of, depth),
            Gives::MaybeElement => {
                let inner = self.element(place, of, depth);
                if inner == TypeId::UNKNOWN || inner == TypeId::FOREIGN { inner } else { self.add(Type::Wrapped(inner)) }
            }
        }
    }

    fn result(&self, of: TypeId) -> TypeId {
        match self.get(of) {
            Type::Function(result) => *result,
            // A type that is called makes an instance of itself.
            Type::Named(_) => of,
            Type::Foreign => TypeId::FOREIGN,
            _ => TypeId::UNKNOWN,
        }
    }

    /// The members called `name` of a value of this type.
    pub(super) fn members(&mut self, of: TypeId, name: Name) -> Vec<Member> {
        let mut found = Vec::new();
        let mut open = vec![(of, 0)];
        while let Some((id, depth)) = open.pop() {
            if depth > MAX_DEPTH {
                break;
            }
            match self.get(id).clone() {
                Type::Named(sym) => {
                    let own = self.index.find_members(sym, name);
                    if own.is_empty() {
                        let (place, symbol) = self.place_of(sym);
                        let is_interface_of = symbol.declared;
                        let target = self.as_type(place, is_interface_of, depth + 1);
                        if target != id && matches!(self.get(target), Type::Named(_)) && symbol.kind != SymbolKind::Type {
                            open.push((target, depth + 1));
                        }
                    }
                    found.extend(own);
                }
                Type::Wrapped(inner) => open.push((inner, depth + 1)),
                Type::Union(members) | Type::Tuple(members) if matches!(self.get(id), Type::Union(_)) => {
                    open.extend(members.into_iter().map(|member| (member, depth + 1)));
                }
                _ => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The type of a member taken as a value.
    fn member_value(&mut self, of: TypeId, name: Name, depth: usize) -> TypeId {
        if of == TypeId::FOREIGN {
            return of;
        }
        match self.members(of, name).first().copied() {
            Some(Member::Symbol(sym)) => self.of_symbol(sym, depth),
            Some(Member::Field(file, at)) => {
                let field = self.index.facts(file).fields[at as usize];
                let place = Place { file, module: self.index.module_of(file, field.container) };
                if field.declared == ExprId::UNKNOWN {
                    self.of_value(place, field.value, depth)
                } else {
                    self.as_type(place, field.declared, depth)
                }
            }
            None => self.embedded(of, name),
        }
    }

    /// An embedded type taken by its own name, as a field is.
    fn embedded(&mut self, of: TypeId, name: Name) -> TypeId {
        let Type::Named(sym) = *self.get(of) else { return TypeId::UNKNOWN };
        let supers = self.index.supers.get(&sym).map_or(&[][..], Vec::as_slice);
        let found = supers.iter().find(|(target, kind, _)| {
            let (file, symbol) = self.index.symbol(*target);
            *kind == SuperKind::Embeds && self.index.name(file, symbol.name) == name
        });
        found.map_or(TypeId::UNKNOWN, |(target, ..)| self.add(Type::Named(*target)))
    }
}

fn argument(listed: &[(&str, u8)], name: &str) -> Option<usize> {
    listed.iter().find(|(known, _)| *known == name).map(|(_, n)| *n as usize)
}
