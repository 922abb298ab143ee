//! Members and parts of types.

use super::generic::Known;
use super::{MAX_DEPTH, Place, Type, TypeId, Types, argument};
use crate::resolve::index::Member;
use crate::resolve::{FileId, Name, Sym};
use activate_grammars::facts::{Container, Expr, ExprId, SuperKind, SymbolKind};

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
            Type::Named(..) if !self.libraries.is_empty() && depth <= MAX_DEPTH => {
                let above = self.outside_above(of, depth);
                let each = above.into_iter().map(|above| self.element(place, above, depth + 1));
                each.into_iter().find(|each| *each != TypeId::UNKNOWN).unwrap_or(TypeId::UNKNOWN)
            }
            Type::Named(..) => {
                let target = self.underlying(of, depth);
                target.map_or(TypeId::UNKNOWN, |(place, target)| self.element(place, target, depth + 1))
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

    /// Key and value of a type whose iteration meets pairs.
    pub(super) fn pair(&self, place: Place, of: TypeId) -> Option<(TypeId, TypeId)> {
        if let Type::Map(key, value) = *self.get(of) {
            let is_pair = self.index.rules(place.file).is_some_and(|rules| rules.maps_give_keys);
            return is_pair.then_some((key, value));
        }
        let Type::Generic(name, arguments) = self.get(of) else { return None };
        let [key, value, ..] = arguments.as_slice() else { return None };
        let rules = self.index.rules(place.file)?;
        rules.pairs_of.contains(&self.text(*name)).then_some((*key, *value))
    }

    /// What iterating over a value goes through: pairs of keys and values, or its elements.
    pub(super) fn items(&mut self, place: Place, of: TypeId) -> TypeId {
        let Some((key, value)) = self.pair(place, of) else { return of };
        let pair = self.add(Type::Tuple(vec![key, value]));
        self.add(Type::Many(pair))
    }

    /// What iterating over a value meets, one by one.
    pub(super) fn met(&mut self, place: Place, of: TypeId, depth: usize) -> TypeId {
        if self.index.rules(place.file).is_some_and(|rules| rules.maps_give_keys) {
            if let Type::Map(key, _) = *self.get(of) {
                return key;
            }
            if let Some((key, _)) = self.pair(place, of) {
                return key;
            }
        }
        if let Some(protocol) = self.index.rules(place.file).map(|rules| rules.protocol)
            && let Some(iterator) = self.by_protocol(of, protocol.iterated, depth)
        {
            return self.by_protocol(iterator, protocol.met, depth).unwrap_or_else(|| self.element(place, iterator, depth));
        }
        let items = self.items(place, of);
        self.element(place, items, depth)
    }

    /// What the method gives by which a type of the repository decides what a way of using its values means, if it has one.
    pub(super) fn by_protocol(&mut self, of: TypeId, methods: &[&str], depth: usize) -> Option<TypeId> {
        if depth > MAX_DEPTH || !matches!(self.get(of), Type::Named(..) | Type::This(_)) {
            return None;
        }
        methods.iter().find_map(|method| {
            let name = self.index.names.find(method)?;
            let members = self.members_meant(of, name, true);
            matches!(members.first(), Some(Member::Symbol(_))).then_some(())?;
            let method = self.type_of_members(of, &members, depth + 1);
            Some(self.result(method, depth + 1))
        })
    }

    /// What the first variable of an iteration gets.
    pub(super) fn key(&mut self, place: Place, of: TypeId, depth: usize) -> TypeId {
        let Some(key_of) = self.index.rules(place.file).and_then(|rules| rules.key_of) else { return TypeId::FOREIGN };
        match self.get(of).clone() {
            Type::Map(key, _) => key,
            // The places of a list are numbers, and so are those of a text and what counts up to a number.
            Type::Many(_) | Type::Foreign => TypeId::FOREIGN,
            Type::Generic(name, arguments) => {
                let n = argument(key_of, self.text(name));
                n.and_then(|n| arguments.get(n)).copied().unwrap_or(TypeId::UNKNOWN)
            }
            Type::Function(..) => self.yielded(place, of, 0, depth),
            Type::Named(..) => {
                let target = self.underlying(of, depth);
                target.map_or(TypeId::UNKNOWN, |(place, target)| self.key(place, target, depth + 1))
            }
            _ => TypeId::UNKNOWN,
        }
    }

    /// What a function that iterates calls its argument with.
    pub(super) fn yielded(&mut self, place: Place, of: TypeId, n: u32, depth: usize) -> TypeId {
        let Type::Function(parameters, _) = self.get(of) else { return TypeId::UNKNOWN };
        let to = parameters.first().copied();
        to.map_or(TypeId::UNKNOWN, |to| self.parameter(place, to, n, depth))
    }

    /// The type that a named type is declared as, and where.
    fn underlying(&mut self, of: TypeId, depth: usize) -> Option<(Place, TypeId)> {
        let Type::Named(sym, arguments) = self.get(of).clone() else { return None };
        let (place, symbol) = self.place_of(sym);
        let target = self.as_type(place, symbol.declared, depth);
        if target == of || depth > MAX_DEPTH {
            return None;
        }
        let pairs = self.pairs(place.file, self.container_of(sym), &arguments, depth);
        Some((place, self.substitute(target, Known::new(pairs, None), depth)))
    }

    /// The members called `name` of a value of this type.
    pub(in crate::resolve) fn members(&mut self, of: TypeId, name: Name) -> Vec<Member> {
        let mut found = Vec::new();
        let mut open = vec![(of, 0)];
        while let Some((id, depth)) = open.pop() {
            if depth > MAX_DEPTH || self.is_spent() {
                break;
            }
            match self.get(id).clone() {
                of @ (Type::Named(..) | Type::This(_)) => {
                    let (sym, arguments) = match of {
                        Type::Named(sym, arguments) => (sym, arguments),
                        Type::This(sym) => (sym, Vec::new()),
                        _ => continue,
                    };
                    let mut own = self.index.find_members(sym, name);
                    if self.libraries.is_empty() {
                        self.index.keep_side(&mut own, true);
                    }
                    if own.is_empty() {
                        let (place, symbol) = self.place_of(sym);
                        let is_interface_of = symbol.declared;
                        let target = self.as_type(place, is_interface_of, depth + 1);
                        if target != id && matches!(self.get(target), Type::Named(..)) && symbol.kind != SymbolKind::Type {
                            open.push((target, depth + 1));
                        }
                        open.extend(self.delegate(sym, &arguments, depth + 1).map(|target| (target, depth + 1)));
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

    /// The type whose members a type has besides its own, where it says so itself: `impl Deref for Guard { type Target = Inner; }`.
    fn delegate(&mut self, of: Sym, arguments: &[TypeId], depth: usize) -> Option<TypeId> {
        let index = self.index;
        let (interface, target) = index.rules(index.symbol(of).0)?.delegates?;
        let targets = index.members.get(&(of, index.names.find(target)?))?;
        let in_block = targets.iter().find_map(|member| {
            let Member::Symbol(sym) = *member else { return None };
            let (place, symbol) = self.place_of(sym);
            let Container::Owner(at) = symbol.container else { return None };
            let implements = index.facts(place.file).owners[at as usize].implements;
            (self.last_name(place, implements) == interface).then_some((place, symbol))
        });
        let (place, symbol) = in_block?;
        let target = self.as_type(place, symbol.declared, depth);
        let pairs = self.pairs(place.file, symbol.container, arguments, depth);
        Some(self.substitute(target, Known::new(pairs, None), depth))
    }

    /// The type of a member taken as a value in a place: of types that have their elements as members, that of an element.
    pub(super) fn member_taken(&mut self, place: Place, of: TypeId, name: Name, depth: usize) -> TypeId {
        let with_elements = self.index.rules(place.file).map_or(&[][..], |rules| rules.members_are_elements);
        let is_with_elements = match self.get(of) {
            Type::Map(..) => !with_elements.is_empty(),
            Type::Generic(name, _) => with_elements.contains(&self.text(*name)),
            _ => false,
        };
        if is_with_elements { self.element(place, of, depth) } else { self.member_value(of, name, depth) }
    }

    /// The type of a member taken as a value.
    pub(super) fn member_value(&mut self, of: TypeId, name: Name, depth: usize) -> TypeId {
        if of == TypeId::FOREIGN || depth > MAX_DEPTH {
            return of;
        }
        if let (Type::Generic(..), false) = (self.get(of), self.libraries.is_empty()) {
            return if self.is_of_ours(of) { TypeId::UNKNOWN } else { TypeId::FOREIGN };
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
        let members = self.members_meant(of, name, false);
        if members.is_empty() { self.embedded(of, name) } else { self.type_of_members(of, &members, depth) }
    }

    /// The type of a member of which there may be several: of all signatures of a method, of the first of other things.
    pub(super) fn type_of_members(&mut self, of: TypeId, members: &[Member], depth: usize) -> TypeId {
        let symbols = members.iter().map_while(|member| if let Member::Symbol(sym) = member { Some(*sym) } else { None });
        let overloads = self.overloads(symbols);
        match (overloads.as_slice(), members.first()) {
            ([], None) => TypeId::UNKNOWN,
            ([], Some(first)) => {
                // What is assigned in several places may be any of them.
                let fields: Vec<TypeId> = members
                    .iter()
                    .filter(|member| matches!(member, Member::Field(..)) && matches!(first, Member::Field(..)))
                    .map(|field| self.type_of_member(of, *field, depth))
                    .collect();
                match fields.as_slice() {
                    [] | [_] => self.type_of_member(of, *first, depth),
                    several => match self.union(several) {
                        // Where one of them is from outside, a name alone says nothing of the others.
                        TypeId::UNKNOWN if several.contains(&TypeId::FOREIGN) => TypeId::FOREIGN,
                        known => known,
                    },
                }
            }
            ([only], _) => self.type_of_member(of, Member::Symbol(*only), depth),
            (several, _) => {
                let each: Vec<TypeId> = several.iter().map(|sym| self.type_of_member(of, Member::Symbol(*sym), depth)).collect();
                self.union(&each)
            }
        }
    }

    /// The members called `name` that a call means, or else a mention: a field and a method can share a name.
    pub(in crate::resolve) fn members_meant(&mut self, of: TypeId, name: Name, is_called: bool) -> Vec<Member> {
        let found = self.members(of, name);
        let index = self.index;
        let holder = |member: &Member| match *member {
            Member::Symbol(sym) => index.member_of[sym.0 as usize],
            Member::Field(file, at) => index.container_type(file, index.facts(file).fields[at as usize].container),
        };
        let is_meant = |member: &Member| matches!(member, Member::Symbol(_)) == is_called;
        let has_other = |member: &Member| found.iter().any(|other| is_meant(other) && holder(other) == holder(member));
        let meant = found.iter().filter(|member| is_meant(member) || !has_other(member)).copied().collect();
        self.own_before_traits(meant)
    }

    /// Without the methods of traits where the type has one of its own, which a call then means.
    fn own_before_traits(&self, mut members: Vec<Member>) -> Vec<Member> {
        let is_of_trait = |member: &Member| {
            let Member::Symbol(sym) = *member else { return None };
            let (file, symbol) = self.index.symbol(sym);
            let Container::Owner(id) = symbol.container else { return None };
            Some(self.index.facts(file).owners[id as usize].implements != ExprId::UNKNOWN)
        };
        if members.iter().any(|member| is_of_trait(member) == Some(false)) {
            members.retain(|member| is_of_trait(member) != Some(true));
        }
        members
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
