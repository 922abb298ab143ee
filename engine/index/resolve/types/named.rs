//! Type expressions to types.

use super::generic::Known;
use super::{Place, Type, TypeId, Types, argument};
use crate::resolve::{Item, Sym};
use activate_grammars::facts::{BindingId, Container, Expr, ExprId, SymbolKind};
use activate_grammars::scope::MadeFrom;

/// The most types that a value may be one of; of more, nothing useful can be said.
const MAX_MEMBERS: usize = 16;

/// How deep into a function's parameters type arguments are left out to tell fewer types apart.
const PLAIN_DEPTH: usize = 3;

impl Types<'_, '_> {
    pub(super) fn make_type(&mut self, place: Place, expr: ExprId, depth: usize) -> TypeId {
        match self.expr(place, expr) {
            Expr::Name(_) | Expr::Scoped(..) | Expr::Member(..) | Expr::Symbol(_) => {
                let named = self.named_type(place, expr, Vec::new(), depth);
                // Where a language lets results go unsaid, the value that is returned stands for the type.
                if named == TypeId::UNKNOWN { self.of_value(place, expr, depth) } else { named }
            }
            Expr::Local(binding) => self.binding(place, binding, depth),
            Expr::This(container) | Expr::ThisType(container) => self.container(place, container, depth),
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
                self.union(&members)
            }
            Expr::Function(parameters, result) => self.function(place, parameters, result, depth),
            Expr::Rest(of) => {
                let of = self.as_type(place, of, depth);
                self.add(Type::Rest(of))
            }
            Expr::Index(base) => {
                let base = self.as_type(place, base, depth);
                self.element(place, base, depth)
            }
            Expr::Object(_) => self.add(Type::Object(place.file, place.module, expr, true)),
            Expr::Keyed(_, of) => self.as_type(place, of, depth),
            Expr::Nth(base, n) => {
                let base = self.as_type(place, base, depth);
                self.nth(base, n)
            }
            Expr::FieldOf(base, name) => {
                let base = self.as_type(place, base, depth);
                let name = self.index.name(place.file, name);
                self.member_taken(place, base, name, depth)
            }
            Expr::Literal(name) if !self.libraries.is_empty() => self.literal(place, name),
            Expr::Literal(name) => {
                let name = self.index.facts(place.file).names.get(name);
                let is_any = self.index.rules(place.file).is_some_and(|rules| rules.any_type.contains(&name));
                if is_any { TypeId::UNKNOWN } else { TypeId::FOREIGN }
            }
            Expr::Unknown | Expr::Anonymous => TypeId::UNKNOWN,
            _ => self.of_value(place, expr, depth),
        }
    }

    /// One of several types; what is unknown or foreign beside a known one is left out (`T | undefined`).
    pub(super) fn union(&mut self, members: &[TypeId]) -> TypeId {
        let mut known = self.flattened(members);
        if known.len() > MAX_MEMBERS {
            // Overloads differ in type arguments mostly: without them they are few.
            let plain: Vec<TypeId> = known.iter().map(|id| self.without_arguments(*id, PLAIN_DEPTH)).collect();
            known = self.flattened(&plain);
        }
        match known.as_slice() {
            [] if members.iter().all(|id| *id == TypeId::FOREIGN) && !members.is_empty() => TypeId::FOREIGN,
            [] => TypeId::UNKNOWN,
            [only] => *only,
            _ if known.len() > MAX_MEMBERS => TypeId::UNKNOWN,
            _ => self.add(Type::Union(known)),
        }
    }

    /// The known types among several, members of unions one by one, each once.
    fn flattened(&self, members: &[TypeId]) -> Vec<TypeId> {
        let mut known: Vec<TypeId> = Vec::new();
        for id in members {
            let inner = if let Type::Union(inner) = self.get(*id) { inner.as_slice() } else { std::slice::from_ref(id) };
            let new = inner.iter().copied().filter(|id| *id != TypeId::FOREIGN && *id != TypeId::UNKNOWN);
            for id in new.collect::<Vec<_>>() {
                if !known.contains(&id) {
                    known.push(id);
                }
            }
        }
        known
    }

    /// A type without the type arguments it is given, down to some depth.
    fn without_arguments(&mut self, of: TypeId, depth: usize) -> TypeId {
        let Some(depth) = depth.checked_sub(1) else { return of };
        let made = match self.get(of).clone() {
            Type::Named(sym, _) => Type::Named(sym, Vec::new()),
            Type::Param(..) => return TypeId::UNKNOWN,
            Type::Generic(name, arguments) => {
                Type::Generic(name, arguments.into_iter().map(|each| self.without_arguments(each, depth)).collect())
            }
            Type::Union(members) => {
                let members: Vec<TypeId> = members.into_iter().map(|each| self.without_arguments(each, depth)).collect();
                return self.union(&members);
            }
            Type::Function(parameters, result) => {
                let parameters = parameters.into_iter().map(|each| self.without_arguments(each, depth)).collect();
                Type::Function(parameters, self.without_arguments(result, depth))
            }
            _ => return of,
        };
        self.add(made)
    }

    pub(super) fn named_type(&mut self, place: Place, expr: ExprId, arguments: Vec<TypeId>, depth: usize) -> TypeId {
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
            let made_from = self.index.rules(place.file).map_or(&[][..], |rules| rules.made_from);
            if let Some((_, by)) = made_from.iter().find(|(known, _)| *known == self.text(name))
                && let Some(of) = arguments.first()
            {
                return self.made_from(place, *of, *by, depth);
            }
            let is_union = self.index.rules(place.file).is_some_and(|rules| rules.union_types.contains(&self.text(name)));
            if is_union {
                return self.union(&arguments);
            }
            if !arguments.is_empty() {
                return self.add(Type::Generic(name, arguments));
            }
            if !items.is_empty() && !self.libraries.is_empty() {
                return self.add(Type::Generic(name, Vec::new()));
            }
            return if items.is_empty() { TypeId::UNKNOWN } else { TypeId::FOREIGN };
        }
        TypeId::UNKNOWN
    }

    /// A type that is made from another.
    fn made_from(&mut self, place: Place, of: TypeId, by: MadeFrom, depth: usize) -> TypeId {
        match (by, self.get(of).clone()) {
            (MadeFrom::Result, _) => self.result(of, depth),
            (MadeFrom::Parameters, Type::Function(parameters, _)) => self.add(Type::Tuple(parameters)),
            (MadeFrom::Parameters, _) => TypeId::UNKNOWN,
            (MadeFrom::Awaited, _) => self.unwrap(of, self.index.rules(place.file).map_or(&[], |rules| rules.awaited)),
        }
    }

    /// An instance of a type: an alias and a type that only names another stand for their target where that is all they do.
    pub(super) fn instance(&mut self, sym: Sym, arguments: Vec<TypeId>, depth: usize) -> TypeId {
        let (place, symbol) = self.place_of(sym);
        if symbol.kind == SymbolKind::Alias && symbol.declared != ExprId::UNKNOWN {
            let target = self.as_type(place, symbol.declared, depth);
            if target != TypeId::UNKNOWN && target != TypeId::FOREIGN {
                let pairs = self.pairs(place.file, self.container_of(sym), &arguments, depth);
                return self.substitute(target, Known::new(pairs, None), depth);
            }
        }
        self.add(Type::Named(sym, arguments))
    }

    /// The type of the instance inside a container.
    pub(super) fn container(&mut self, place: Place, container: Container, depth: usize) -> TypeId {
        let sym = self.index.container_type(place.file, container);
        let Container::Owner(at) = container else {
            return sym.map_or(TypeId::UNKNOWN, |sym| self.add(Type::This(sym)));
        };
        let of = self.index.facts(place.file).owners[at as usize].of;
        let made = self.as_type(place, of, depth);
        match (self.get(made), sym) {
            (Type::Named(..), _) => made,
            (_, Some(sym)) => self.add(Type::Named(sym, Vec::new())),
            // A block for a type from outside, or for every type that a type parameter stands for.
            (Type::Unknown, None) => TypeId::FOREIGN,
            (_, None) => made,
        }
    }

    pub(super) fn binding(&mut self, place: Place, id: BindingId, depth: usize) -> TypeId {
        let binding = self.index.facts(place.file).bindings[id.0 as usize];
        if binding.parameter.is_some() {
            return self.add(Type::Param(place.file, id));
        }
        let declared = self.as_type(place, binding.declared, depth);
        if declared == TypeId::UNKNOWN && binding.declared == ExprId::UNKNOWN {
            self.of_value(place, binding.value, depth)
        } else {
            declared
        }
    }
}
