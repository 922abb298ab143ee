//! Members and parts of types.

use super::generic::Known;
use super::{MAX_DEPTH, Place, Type, TypeId, Types, argument};
use crate::facts::resolve::index::Member;
use crate::facts::resolve::{FileId, Name, Sym};
use activate_grammars::facts::{Expr, ExprId, SuperKind, SymbolKind};

impl Types<'_, '_> {
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
            Type::Named(sym, arguments) => {
                let (place, symbol) = self.place_of(sym);
                let target = self.as_type(place, symbol.declared, depth);
                if target == of || depth > MAX_DEPTH {
                    return TypeId::UNKNOWN;
                }
                let pairs = self.pairs(place.file, self.container_of(sym), &arguments, depth);
                let target = self.substitute(target, Known::new(pairs, None), depth);
                self.element(place, target, depth + 1)
            }
            Type::Param(..) | Type::This(_) if depth <= MAX_DEPTH => {
                let settled = self.settle(of, depth);
                if settled == of { TypeId::UNKNOWN } else { self.element(place, settled, depth + 1) }
            }
            Type::Foreign => TypeId::FOREIGN,
            Type::Function(..) => of,
            _ => TypeId::UNKNOWN,
        }
    }

    /// The members called `name` of a value of this type.
    pub(in crate::facts::resolve) fn members(&mut self, of: TypeId, name: Name) -> Vec<Member> {
        let mut found = Vec::new();
        let mut open = vec![(of, 0)];
        while let Some((id, depth)) = open.pop() {
            if depth > MAX_DEPTH || self.is_spent() {
                break;
            }
            match self.get(id).clone() {
                Type::Named(sym, _) | Type::This(sym) => {
                    let own = self.index.find_members(sym, name);
                    if own.is_empty() {
                        let (place, symbol) = self.place_of(sym);
                        let is_interface_of = symbol.declared;
                        let target = self.as_type(place, is_interface_of, depth + 1);
                        if target != id && matches!(self.get(target), Type::Named(..)) && symbol.kind != SymbolKind::Type {
                            open.push((target, depth + 1));
                        }
                    }
                    found.extend(own);
                }
                Type::Param(..) => {
                    let bound = self.settle(id, depth + 1);
                    if bound != id {
                        open.push((bound, depth + 1));
                    }
                }
                Type::Object(file, _, expr, _) => {
                    if let Some((_, of)) = self.keyed(file, expr, name)
                        && let Expr::Symbol(id) = self.index.facts(file).exprs[of.0 as usize]
                    {
                        found.push(Member::Symbol(Sym(self.index.first_symbol[file.0 as usize] + id.0)));
                    }
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
        if of == TypeId::FOREIGN || depth > MAX_DEPTH {
            return of;
        }
        if let Type::Object(file, module, expr, is_type) = *self.get(of) {
            let Some((_, value)) = self.keyed(file, expr, name) else { return TypeId::UNKNOWN };
            let place = Place { file, module };
            return if is_type { self.as_type(place, value, depth) } else { self.of_value(place, value, depth) };
        }
        if let Type::Union(members) = self.get(of).clone() {
            let each: Vec<TypeId> = members.into_iter().map(|member| self.member_value(member, name, depth + 1)).collect();
            return self.union(&each);
        }
        match self.members_meant(of, name, false).first().copied() {
            Some(member) => self.type_of_member(of, member, depth),
            None => self.embedded(of, name),
        }
    }

    /// The members called `name` that a call means, or else a mention: a field and a method can share a name.
    pub(in crate::facts::resolve) fn members_meant(&mut self, of: TypeId, name: Name, is_called: bool) -> Vec<Member> {
        let found = self.members(of, name);
        let index = self.index;
        let holder = |member: &Member| match *member {
            Member::Symbol(sym) => index.member_of[sym.0 as usize],
            Member::Field(file, at) => index.container_type(file, index.facts(file).fields[at as usize].container),
        };
        let is_meant = |member: &Member| matches!(member, Member::Symbol(_)) == is_called;
        let has_other = |member: &Member| found.iter().any(|other| is_meant(other) && holder(other) == holder(member));
        found.iter().filter(|member| is_meant(member) || !has_other(member)).copied().collect()
    }

    /// The type of a member, as a receiver of type `of` has it.
    pub(super) fn type_of_member(&mut self, of: TypeId, member: Member, depth: usize) -> TypeId {
        let (file, container, made) = match member {
            Member::Symbol(sym) => {
                let (file, symbol) = self.index.symbol(sym);
                (file, symbol.container, self.of_symbol(sym, depth))
            }
            Member::Field(file, at) => {
                let field = self.index.facts(file).fields[at as usize];
                let place = Place { file, module: self.index.module_of(file, field.container) };
                let made = if field.declared == ExprId::UNKNOWN {
                    self.of_value(place, field.value, depth)
                } else {
                    self.as_type(place, field.declared, depth)
                };
                (file, field.container, made)
            }
        };
        self.seen_from(of, file, container, made, depth)
    }

    /// A member of an object written in place.
    fn keyed(&self, file: FileId, object: ExprId, name: Name) -> Option<(Name, ExprId)> {
        let facts = self.index.facts(file);
        let Expr::Object(list) = facts.exprs[object.0 as usize] else { return None };
        let members = &facts.lists[list.start as usize..(list.start + list.len) as usize];
        members.iter().find_map(|member| match facts.exprs[member.0 as usize] {
            Expr::Keyed(key, of) if self.index.name(file, key) == name => Some((name, of)),
            _ => None,
        })
    }

    /// An embedded type taken by its own name, as a field is.
    pub(super) fn embedded(&mut self, of: TypeId, name: Name) -> TypeId {
        let Type::Named(sym, _) = *self.get(of) else { return TypeId::UNKNOWN };
        let supers = self.index.supers.get(&sym).map_or(&[][..], Vec::as_slice);
        let found = supers.iter().find(|above| {
            let (file, symbol) = self.index.symbol(above.target);
            above.kind == SuperKind::Embeds && self.index.name(file, symbol.name) == name
        });
        found.map_or(TypeId::UNKNOWN, |above| self.add(Type::Named(above.target, Vec::new())))
    }
}
