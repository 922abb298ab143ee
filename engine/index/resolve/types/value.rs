//! Values to types: what a name, a call or a part of a value is an instance of.

use super::generic::Known;
use super::{MAX_DEPTH, Place, Type, TypeId, Types};
use crate::resolve::bare::Bare;
use crate::resolve::given::given;
use crate::resolve::index::Member;
use crate::resolve::{Item, Name, Sym, macros};
use activate_grammars::facts::{Expr, ExprId, SymbolKind, Traits};
use activate_grammars::scope::Gives;

impl<'a> Types<'_, 'a> {
    pub(super) fn make_value(&mut self, place: Place, expr: ExprId, depth: usize) -> TypeId {
        match self.expr(place, expr) {
            Expr::Local(id) => self.binding(place, id, depth),
            Expr::This(container) => self.container(place, container, depth),
            Expr::Super(container) => {
                let of = self.index.container_type(place.file, container);
                let above = of.and_then(|sym| self.index.supers.get(&sym)?.first().copied());
                above.map_or(TypeId::UNKNOWN, |above| self.add(Type::Named(above.target, Vec::new())))
            }
            Expr::Instance(of) => self.as_type(place, of, depth),
            Expr::Literal(name) => self.literal(place, name),
            Expr::Name(name) if self.index.has_bare_members(place.file) => {
                let bare = Bare { file: place.file, here: place.module, expr, name: self.index.name(place.file, name) };
                if let Some((of, is_around, field)) = self.index.bare_value(bare) {
                    let of = self.add(if is_around { Type::This(of) } else { Type::Named(of, Vec::new()) });
                    return self.type_of_member(of, field, depth);
                }
                let items = self.index.bare_type(bare);
                self.of_items(&items, depth)
            }
            Expr::Name(_) | Expr::Symbol(_) | Expr::Scoped(..) => {
                let items = self.index.path_of(place.file, place.module, expr, 0);
                self.of_items(&items, depth)
            }
            Expr::Member(base, name) => {
                let items = self.index.path_of(place.file, place.module, expr, 0);
                let name = self.index.name(place.file, name);
                if items == [Item::Foreign]
                    && let Some(of) = self.library_constant(place, base, name)
                {
                    return of;
                }
                if !items.is_empty() {
                    return self.of_items(&items, depth);
                }
                let base = self.receiver(place, base, name, depth);
                self.member_taken(place, base, name, depth)
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
                if let Some(entered) = self.by_protocol(of, rules.map_or(&[], |rules| rules.protocol.entered), depth) {
                    return entered;
                }
                self.unwrap(of, rules.map_or(&[], |rules| rules.tried))
            }
            Expr::Expanded(callee, given) => {
                if !macros::takes_out(self.index, place.file, callee) {
                    return TypeId::UNKNOWN;
                }
                let of = self.of_value(place, given, depth);
                let rules = self.index.rules(place.file);
                self.unwrap(of, rules.map_or(&[], |rules| rules.tried))
            }
            Expr::Payload(value, variant, _) => {
                let of = self.of_value(place, value, depth);
                if let (Type::Generic(_, arguments), "Err") = (self.get(of), self.last_name(place, variant)) {
                    return arguments.get(1).copied().unwrap_or(TypeId::UNKNOWN);
                }
                let rules = self.index.rules(place.file);
                let inner = self.unwrap(of, rules.map_or(&[], |rules| rules.tried));
                if inner == of { self.payload(place, expr, of, depth) } else { inner }
            }
            Expr::Index(base) => {
                let of = self.of_value(place, base, depth);
                self.element(place, of, depth)
            }
            Expr::Element(base) => {
                let of = self.of_value(place, base, depth);
                if matches!(self.get(of), Type::Function(..)) {
                    return self.yielded(place, of, 1, depth);
                }
                self.met(place, of, depth)
            }
            Expr::Key(base) => {
                let of = self.of_value(place, base, depth);
                self.key(place, of, depth)
            }
            Expr::Nth(base, n) => {
                let of = self.of_value(place, base, depth);
                // What is met when iterating is taken apart only where it is known to be a tuple: a map gives keys and values.
                let is_tuple = matches!(self.get(of), Type::Tuple(_));
                if matches!(self.expr(place, base), Expr::Element(_)) && !is_tuple { TypeId::UNKNOWN } else { self.nth(of, n) }
            }
            Expr::FieldOf(base, name) => {
                let of = self.of_value(place, base, depth);
                let name = self.index.name(place.file, name);
                self.member_taken(place, of, name, depth)
            }
            Expr::Given(name, by) => {
                let by = Some(Sym(self.index.first_symbol[place.file.0 as usize] + by.0));
                let takes =
                    |sym: Sym| [Traits::TEST, Traits::FIXTURE].iter().any(|each| self.index.symbol(sym).1.traits.has(*each));
                if !by.is_some_and(takes) {
                    return TypeId::UNKNOWN;
                }
                let found = given(self.index, place.file, self.index.name(place.file, name), by);
                let each: Vec<TypeId> = found
                    .into_iter()
                    .map(|sym| {
                        let of = self.of_symbol(sym, depth);
                        let result = self.result(of, depth);
                        let rules = self.index.rules(place.file);
                        self.unwrap(result, rules.map_or(&[], |rules| rules.tried))
                    })
                    .collect();
                self.union(&each)
            }
            Expr::Function(parameters, result) => self.function(place, parameters, result, depth),
            Expr::Argument(callee, n) => self.argument(place, callee, n, depth),
            Expr::Parameter(of, n) => {
                let of = self.of_value(place, of, depth);
                self.parameter(place, of, n, depth)
            }
            Expr::Rest(of) => {
                let of = self.of_value(place, of, depth);
                self.add(Type::Rest(of))
            }
            Expr::Object(_) => self.add(Type::Object(place.file, place.module, expr, false)),
            Expr::Keyed(_, of) => self.of_value(place, of, depth),
            Expr::Tuple(list) => {
                let members = self.members_of(place, list).into_iter().map(|each| self.of_value(place, each, depth)).collect();
                self.add(Type::Tuple(members))
            }
            Expr::Union(list) => {
                let members: Vec<TypeId> =
                    self.members_of(place, list).into_iter().map(|each| self.of_value(place, each, depth)).collect();
                self.union(&members)
            }
            Expr::Apply(base, _) if self.takes_element(place, base) => {
                let of = self.of_value(place, base, depth);
                let by = self.index.rules(place.file).map_or(&[][..], |rules| rules.protocol.indexed);
                self.by_protocol(of, by, depth).unwrap_or_else(|| self.element(place, of, depth))
            }
            Expr::Apply(base, _) | Expr::Pointer(base) => self.of_value(place, base, depth),
            Expr::Many(of) => {
                let of = self.of_value(place, of, depth);
                self.add(Type::Many(of))
            }
            Expr::Sum(one, other) => {
                let (one, other) = (self.of_value(place, one, depth), self.of_value(place, other, depth));
                self.sum(one, other)
            }
            Expr::Map(key, value) => {
                let (key, value) = (self.of_value(place, key, depth), self.of_value(place, value, depth));
                self.add(Type::Map(key, value))
            }
            Expr::Unknown | Expr::ThisType(_) | Expr::Anonymous => TypeId::UNKNOWN,
        }
    }

    /// The type of what a member is taken from: of the instance with the members of its supertypes the first that has the member.
    pub(in crate::resolve) fn receiver(&mut self, place: Place, base: ExprId, name: Name, depth: usize) -> TypeId {
        let index = self.index;
        if let Expr::Super(container) = self.expr(place, base)
            && let Some(of) = index.container_type(place.file, container)
        {
            let first = index.supers.get(&of).and_then(|supers| supers.first()).map(|above| above.target);
            if let Some(with) = index.above_with(of, name).or(first) {
                return self.add(Type::Named(with, Vec::new()));
            }
            return if index.takes_from_outside(of) { TypeId::FOREIGN } else { TypeId::UNKNOWN };
        }
        self.of_value(place, base, depth)
    }

    /// Whether brackets behind a value take an element of it: they do unless it is a type.
    fn takes_element(&self, place: Place, base: ExprId) -> bool {
        let index = self.index;
        let is_type = |item: &Item| matches!(item, Item::Symbol(sym) if index.is_type(*sym));
        index.rules(place.file).is_some_and(|rules| rules.brackets_index)
            && !index.path_of(place.file, place.module, base, 0).iter().any(is_type)
    }

    pub(super) fn payload(&mut self, place: Place, expr: ExprId, of: TypeId, depth: usize) -> TypeId {
        let (Expr::Payload(_, variant, n), Type::Named(sym, arguments)) = (self.expr(place, expr), self.get(of).clone()) else {
            return TypeId::UNKNOWN;
        };
        let (Expr::Scoped(_, name) | Expr::Name(name)) = self.expr(place, variant) else { return TypeId::UNKNOWN };
        let name = self.index.name(place.file, name);
        let fields = self.index.find_members(sym, name);
        let Some(Member::Field(file, at)) = fields.first().copied() else { return TypeId::UNKNOWN };
        let (place, _) = self.place_of(sym);
        let declared = self.index.facts(file).fields[at as usize].declared;
        let payload = self.as_type(Place { file, ..place }, declared, depth);
        let payload = self.nth(payload, n);
        let pairs = self.pairs(file, self.container_of(sym), &arguments, depth);
        self.substitute(payload, Known::new(pairs, None), depth)
    }

    /// The type of what a name means as a value.
    pub(super) fn of_items(&mut self, items: &[Item], depth: usize) -> TypeId {
        let symbols =
            self.overloads(items.iter().filter_map(|item| if let Item::Symbol(sym) = item { Some(*sym) } else { None }));
        match symbols.as_slice() {
            [] if items.contains(&Item::Foreign) => TypeId::FOREIGN,
            [] => TypeId::UNKNOWN,
            [only] => self.of_symbol(*only, depth),
            several => {
                let each: Vec<TypeId> = several.iter().map(|sym| self.of_symbol(*sym, depth)).collect();
                self.union(&each)
            }
        }
    }

    /// The definitions that a use of their name can mean: all signatures of a function, without the body that only they can be called
    /// by; of other things the first.
    pub(super) fn overloads(&self, symbols: impl Iterator<Item = Sym>) -> Vec<Sym> {
        let mut symbols: Vec<Sym> = symbols.collect();
        let of = |sym: &Sym| self.index.symbol(*sym).1;
        if !symbols.iter().all(|sym| matches!(of(sym).kind, SymbolKind::Function | SymbolKind::Method)) {
            symbols.truncate(1);
        }
        if symbols.iter().any(|sym| of(sym).traits.has(Traits::BODILESS)) {
            symbols.retain(|sym| of(sym).traits.has(Traits::BODILESS));
        }
        symbols
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
            SymbolKind::Function | SymbolKind::Method if matches!(self.expr(place, symbol.value), Expr::Instance(_)) => {
                self.of_value(place, symbol.value, depth + 1)
            }
            SymbolKind::Function | SymbolKind::Method => self.function(place, symbol.parameters, symbol.declared, depth + 1),
            SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias => self.instance(sym, Vec::new(), depth + 1),
            SymbolKind::Constant | SymbolKind::Variable if symbol.declared == ExprId::UNKNOWN => {
                let of = self.of_value(place, symbol.value, depth + 1);
                // An object written in place has the variable's own members.
                let is_object = self.expr(place, symbol.value).is_object();
                if is_object { self.add(Type::Named(sym, Vec::new())) } else { of }
            }
            SymbolKind::Constant | SymbolKind::Variable => declared,
            SymbolKind::Module | SymbolKind::Macro | SymbolKind::Test => TypeId::UNKNOWN,
        };
        self.of_symbols.insert(sym, made);
        made
    }

    pub(super) fn call(&mut self, place: Place, callee: ExprId, first: ExprId, depth: usize) -> TypeId {
        let rules = self.index.rules(place.file);
        if rules.is_some_and(|rules| rules.overloads) {
            return self.call_of_overloads(place, callee, first, depth);
        }
        let shape = match self.expr(place, callee) {
            Expr::Apply(base, _) => self.expr(place, base),
            shape => shape,
        };
        let name = match shape {
            Expr::Name(name) | Expr::Scoped(_, name) | Expr::Member(_, name) => Some(self.index.name(place.file, name)),
            _ => None,
        };
        let text = name.map_or("", |name| self.text(name));
        let items = self.index.path_of(place.file, place.module, callee, 0);
        let symbols =
            self.overloads(items.iter().filter_map(|item| if let Item::Symbol(sym) = item { Some(*sym) } else { None }));
        if !symbols.is_empty() {
            let results: Vec<TypeId> = symbols.into_iter().map(|sym| self.call_of(place, sym, (callee, first), depth)).collect();
            return self.union(&results);
        }
        if let (Some(rules), Expr::Name(_) | Expr::Scoped(..)) = (rules, shape) {
            if rules.makes_argument.contains(&text) {
                return self.as_type(place, first, depth);
            }
            if let (Expr::Scoped(base, _), true) = (shape, rules.derived_makers.contains(&text)) {
                let of = self.as_type(place, base, depth);
                if matches!(self.get(of), Type::Named(..)) {
                    return of;
                }
            }
            let written = self.written_path(place, callee);
            if rules.wraps_argument.iter().any(|known| *known == text || *known == written) {
                let inner = self.of_value(place, first, depth);
                return if inner == TypeId::UNKNOWN { inner } else { self.add(Type::Wrapped(inner)) };
            }
        }
        if let (Some(rules), Expr::Name(_), true) = (rules, shape, items == [Item::Foreign])
            && rules.keeps_elements.contains(&text)
        {
            let of = self.of_value(place, first, depth);
            let each = self.met(place, of, depth);
            return self.add(Type::Many(each));
        }
        if items.contains(&Item::Foreign) {
            return self.foreign_result(place, (callee, first), depth);
        }
        if let (Expr::Member(base, _), Some(name)) = (shape, name) {
            let of = self.receiver(place, base, name, depth);
            let name = Some(name);
            let known =
                rules.and_then(|rules| rules.known_methods.iter().find(|(known, _)| *known == text).map(|(_, gives)| *gives));
            let own = name.is_some_and(|name| !self.members(of, name).is_empty());
            if let (Some(gives), false) = (known, own) {
                return self.gives(place, of, gives, depth);
            }
            let members = name.map_or_else(Vec::new, |name| self.members_meant(of, name, true));
            if let Some(Member::Symbol(_)) = members.first() {
                let of = self.type_of_members(of, &members, depth);
                return self.applied(place, of, None, (callee, first), depth);
            }
        }
        let of = self.of_value(place, callee, depth);
        self.applied(place, of, None, (callee, first), depth)
    }

    /// What a call of a definition gives.
    fn call_of(&mut self, place: Place, sym: Sym, (callee, first): (ExprId, ExprId), depth: usize) -> TypeId {
        let of = self.of_symbol(sym, depth);
        let (file, found) = self.index.symbol(sym);
        let shape = match self.expr(place, callee) {
            Expr::Apply(base, _) => self.expr(place, base),
            shape => shape,
        };
        let of = match shape {
            // A function of a type, asked of the type or of what is below it.
            Expr::Scoped(base, _) | Expr::Member(base, _) if self.is_open(of) => {
                let receiver = self.as_type(place, base, depth);
                self.seen_from(receiver, file, found.container, of, depth)
            }
            _ => of,
        };
        self.applied(place, of, Some(sym), (callee, first), depth)
    }

    /// The last name of a path; empty where there is none.
    pub(super) fn last_name(&self, place: Place, expr: ExprId) -> &'a str {
        match self.expr(place, expr) {
            Expr::Name(name) | Expr::Scoped(_, name) | Expr::Member(_, name) => self.text(self.index.name(place.file, name)),
            _ => "",
        }
    }

    /// A path as it is written, for tables of known paths: `Arc::new`.
    pub(super) fn written_path(&self, place: Place, expr: ExprId) -> String {
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

    pub(super) fn gives(&mut self, place: Place, of: TypeId, gives: Gives, depth: usize) -> TypeId {
        match gives {
            Gives::Same => of,
            Gives::Argument(0) if matches!(self.get(of), Type::Many(_)) => self.element(place, of, depth),
            Gives::Of(text, n) => {
                let each = self.gives(place, of, Gives::Argument(n), depth);
                self.library_type_of(text, each)
            }
            Gives::Type(text) => self.library_type(text),
            Gives::Entries => self.entries(of),
            Gives::Argument(n) => match self.get(of) {
                Type::Generic(_, arguments) => arguments.get(n as usize).copied().unwrap_or(TypeId::UNKNOWN),
                Type::Wrapped(inner) => *inner,
                Type::Foreign => TypeId::FOREIGN,
                _ => TypeId::UNKNOWN,
            },
            Gives::Element => self.element(place, of, depth),
            Gives::Items => self.items(place, of),
            Gives::Keys => match self.pair(place, of) {
                Some((key, _)) => self.add(Type::Many(key)),
                None => TypeId::UNKNOWN,
            },
            Gives::Values => match self.pair(place, of) {
                Some((_, value)) => self.add(Type::Many(value)),
                None => of,
            },
            Gives::MaybeElement => {
                let inner = self.element(place, of, depth);
                if inner == TypeId::UNKNOWN || inner == TypeId::FOREIGN { inner } else { self.add(Type::Wrapped(inner)) }
            }
        }
    }
}
