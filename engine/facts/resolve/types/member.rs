//! Members and parts of types.

use super::{MAX_DEPTH, Place, Type, TypeId, Types, argument};
use crate::facts::resolve::Name;
use crate::facts::resolve::index::Member;
use activate_grammars::facts::{ExprId, SuperKind, SymbolKind};

impl<'a> Types<'_, 'a> {
    /// What is inside a value of a generic type that is listed, or inside a wrapper; else the type itself.
    pub(super) fn unwrap(&self, of: TypeId, listed: &[(&str, u8)]) -> TypeId {
        match self.get(of) {
            Type::Generic(name, arguments) => {
                argument(listed, self.text(*name)).and_then(|n| arguments.get(n)).copied().unwrap_or(of)
            }
            Type::Wrapped(inner) => *inner,
            _ => of,
        }
    }

    pub(super) fn nth(&mut self, of: TypeId, n: u32) -> TypeId {
        match self.get(of) {
            Type::Tuple(members) => members.get(n as usize).copied().unwrap_or(TypeId::UNKNOWN),
            Type::Many(inner) => *inner,
            _ if n == 0 => of,
            _ => TypeId::UNKNOWN,
        }
    }

    pub(super) fn element(&mut self, place: Place, of: TypeId, depth: usize) -> TypeId {
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

    /// The members called `name` of a value of this type.
    pub(in crate::facts::resolve) fn members(&mut self, of: TypeId, name: Name) -> Vec<Member> {
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
    pub(super) fn member_value(&mut self, of: TypeId, name: Name, depth: usize) -> TypeId {
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
    pub(super) fn embedded(&mut self, of: TypeId, name: Name) -> TypeId {
        let Type::Named(sym) = *self.get(of) else { return TypeId::UNKNOWN };
        let supers = self.index.supers.get(&sym).map_or(&[][..], Vec::as_slice);
        let found = supers.iter().find(|(target, kind, _)| {
            let (file, symbol) = self.index.symbol(*target);
            *kind == SuperKind::Embeds && self.index.name(file, symbol.name) == name
        });
        found.map_or(TypeId::UNKNOWN, |(target, ..)| self.add(Type::Named(*target)))
    }
}
