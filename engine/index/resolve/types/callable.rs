//! Calls: what they give, what their arguments must be, and what a callback is called with.

use super::generic::{Known, Pairs};
use super::{MAX_DEPTH, Place, Type, TypeId, Types};
use crate::resolve::index::Member;
use crate::resolve::{Item, Sym};
use activate_grammars::facts::{CALLABLE, Expr, ExprId, ListId};

/// The most signatures of a value that are looked at.
const MAX_SIGNATURES: usize = 32;

impl Types<'_, '_> {
    pub(super) fn function(&mut self, place: Place, parameters: ListId, result: ExprId, depth: usize) -> TypeId {
        let parameters = self.members_of(place, parameters).into_iter().map(|of| self.as_type(place, of, depth)).collect();
        let result = self.as_type(place, result, depth);
        self.add(Type::Function(parameters, result))
    }

    /// What a call of a value of this type gives.
    pub(super) fn result(&mut self, of: TypeId, depth: usize) -> TypeId {
        match self.get(of) {
            Type::Function(_, result) => *result,
            Type::Foreign => TypeId::FOREIGN,
            Type::Unknown => TypeId::UNKNOWN,
            _ => {
                let functions = self.signatures(of, depth);
                if functions.is_empty() {
                    // A type that is called makes an instance of itself.
                    return if matches!(self.get(of), Type::Named(..) | Type::This(_)) { of } else { TypeId::UNKNOWN };
                }
                let results: Vec<TypeId> = functions
                    .into_iter()
                    .filter_map(|function| if let Type::Function(_, result) = self.get(function) { Some(*result) } else { None })
                    .collect();
                self.union(&results)
            }
        }
    }

    /// What a call gives, with the type arguments that the callee is given or that the first argument shows.
    pub(super) fn applied(
        &mut self,
        place: Place,
        of: TypeId,
        sym: Option<Sym>,
        (callee, first): (ExprId, ExprId),
        depth: usize,
    ) -> TypeId {
        if of == TypeId::FOREIGN {
            return self.foreign_result(place, (callee, first), depth);
        }
        // A type that is called makes an instance; an instance may say what it gives.
        let said = match sym {
            None => self.by_protocol(of, self.index.rules(place.file).map_or(&[], |rules| rules.protocol.called), depth),
            Some(_) => None,
        };
        let result = said.unwrap_or_else(|| self.result(of, depth));
        if !self.is_open(result) || depth > MAX_DEPTH {
            return result;
        }
        if !matches!(self.get(of), Type::Function(..)) {
            let functions = self.signatures(of, depth);
            if functions.len() > 1 {
                let results: Vec<TypeId> = functions
                    .into_iter()
                    .map(|function| self.applied(place, function, sym, (callee, first), depth + 1))
                    .collect();
                return self.union(&results);
            }
        }
        let mut pairs = Pairs::new();
        if let (Some(sym), Expr::Apply(_, list)) = (sym, self.expr(place, callee)) {
            let given: Vec<TypeId> =
                self.members_of(place, list).into_iter().map(|each| self.as_type(place, each, depth)).collect();
            let (file, _) = self.index.symbol(sym);
            pairs = self.pairs(file, self.container_of(sym), &given, depth);
        }
        if let (Type::Function(parameters, _), true) = (self.get(of).clone(), first != ExprId::UNKNOWN)
            && let Some(parameter) = parameters.first().filter(|parameter| self.is_open(**parameter))
        {
            let actual = self.of_value(place, first, depth);
            self.unify(*parameter, actual, &mut pairs, depth);
        }
        self.substitute(result, Known::new(pairs, None), depth)
    }

    /// What a call of something from outside gives: something from outside as well, unless it was given what may come back.
    pub(super) fn foreign_result(&mut self, place: Place, (callee, first): (ExprId, ExprId), depth: usize) -> TypeId {
        let given: Vec<TypeId> = match self.expr(place, callee) {
            Expr::Apply(_, list) => {
                self.members_of(place, list).into_iter().map(|each| self.as_type(place, each, depth)).collect()
            }
            _ => Vec::new(),
        };
        let first = self.of_value(place, first, depth);
        let comes_back = given.into_iter().chain([first]).any(|of| self.is_of_ours(of));
        if comes_back { TypeId::UNKNOWN } else { TypeId::FOREIGN }
    }

    /// Whether a made type is one of the repository, or has one in it; so may a function have of which not all is known.
    pub(super) fn mentions_ours(&self, made: &Type) -> bool {
        let any = |ids: &[TypeId]| ids.iter().any(|id| self.is_of_ours(*id));
        match made {
            Type::Unknown | Type::Foreign => false,
            Type::Named(..) | Type::This(_) | Type::Param(..) | Type::Object(..) => true,
            Type::Generic(_, of) | Type::Tuple(of) | Type::Union(of) => any(of),
            Type::Wrapped(of) | Type::Many(of) | Type::Rest(of) => any(&[*of]),
            Type::Map(key, value) => any(&[*key, *value]),
            Type::Function(parameters, result) => *result == TypeId::UNKNOWN || any(parameters) || any(&[*result]),
        }
    }

    /// What [`Self::mentions_ours`] said when the type was made: types are made of others that many share.
    pub(super) fn is_of_ours(&self, of: TypeId) -> bool {
        #[cfg(test)]
        work::add(1);
        self.ours[of.0 as usize]
    }

    /// The functions that a value of this type can be called as.
    fn signatures(&mut self, of: TypeId, depth: usize) -> Vec<TypeId> {
        let mut found = Vec::new();
        let mut open = vec![(of, depth)];
        while let Some((id, depth)) = open.pop() {
            if depth > MAX_DEPTH || found.len() >= MAX_SIGNATURES || self.is_spent() {
                break;
            }
            match self.get(id).clone() {
                Type::Function(..) => found.push(id),
                Type::Generic(..) if !self.libraries.is_empty() => found.extend(self.library_function(id)),
                Type::Named(sym, _) | Type::This(sym) if !self.libraries.is_empty() => {
                    if let Some(method) = self.function_of(sym) {
                        let of = self.type_of_member(id, Member::Symbol(method), depth + 1);
                        open.push((of, depth + 1));
                    }
                }
                Type::Union(members) => open.extend(members.into_iter().rev().map(|member| (member, depth + 1))),
                Type::Wrapped(inner) => open.push((inner, depth + 1)),
                Type::Param(..) => {
                    let bound = self.settle(id, depth + 1);
                    if bound != id {
                        open.push((bound, depth + 1));
                    }
                }
                Type::Named(..) | Type::This(_) => {
                    let Some(name) = self.index.names.find(CALLABLE) else { continue };
                    for member in self.members(id, name).into_iter().rev() {
                        let of = self.type_of_member(id, member, depth + 1);
                        if of != id {
                            open.push((of, depth + 1));
                        }
                    }
                }
                Type::Object(..) => {
                    if let Some(name) = self.index.names.find(CALLABLE) {
                        let of = self.member_value(id, name, depth + 1);
                        open.push((of, depth + 1));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// What the n-th argument of a call of `callee` must be; one of several where the callee has several signatures.
    pub(super) fn argument(&mut self, place: Place, callee: ExprId, n: u32, depth: usize) -> TypeId {
        if !self.libraries.is_empty() {
            return self.argument_of_overloads(place, callee, n, depth);
        }
        let items = self.index.path_of(place.file, place.module, callee, 0);
        let mut callees: Vec<TypeId> = Vec::new();
        for item in &items {
            if let Item::Symbol(sym) = item {
                callees.push(self.of_symbol(*sym, depth));
            }
        }
        if let (true, Expr::Member(base, name)) = (items.is_empty(), self.expr(place, callee)) {
            let of = self.of_value(place, base, depth);
            let name = self.index.name(place.file, name);
            let members: Vec<Member> = self.members(of, name);
            if members.is_empty() {
                return self.known_callback(place, of, self.text(name), n, depth);
            }
            for member in members {
                callees.push(self.type_of_member(of, member, depth));
            }
        } else if callees.is_empty() {
            callees.push(self.of_value(place, callee, depth));
        }
        let mut wanted = Vec::new();
        for callee in callees {
            for function in self.signatures(callee, depth) {
                wanted.push(self.nth_parameter(function, n, place, depth));
            }
        }
        self.union(&wanted)
    }

    /// What a method of a built-in type calls its argument with.
    pub(super) fn known_callback(&mut self, place: Place, of: TypeId, method: &str, n: u32, depth: usize) -> TypeId {
        let callbacks = self.index.rules(place.file).map_or(&[][..], |rules| rules.callbacks);
        let known = callbacks.iter().find(|known| known.methods.contains(&method) && u32::from(known.argument) == n);
        let Some(known) = known else { return TypeId::UNKNOWN };
        // What calls a function for each of its elements iterates.
        let of = self.items(place, of);
        let given = self.gives(place, of, known.gives, depth);
        let mut parameters = vec![TypeId::UNKNOWN; usize::from(known.parameter)];
        parameters.push(given);
        self.add(Type::Function(parameters, TypeId::UNKNOWN))
    }

    /// The n-th parameter of a value that can be called.
    pub(super) fn parameter(&mut self, place: Place, of: TypeId, n: u32, depth: usize) -> TypeId {
        let mut wanted = Vec::new();
        for function in self.signatures(of, depth) {
            wanted.push(self.nth_parameter(function, n, place, depth));
        }
        self.union(&wanted)
    }

    fn nth_parameter(&mut self, function: TypeId, n: u32, place: Place, depth: usize) -> TypeId {
        let Type::Function(parameters, _) = self.get(function).clone() else { return TypeId::UNKNOWN };
        for (at, parameter) in parameters.into_iter().enumerate() {
            let Some(beyond) = n.checked_sub(at as u32) else { break };
            if let Type::Rest(of) = *self.get(parameter) {
                return match self.get(of).clone() {
                    Type::Tuple(members) => members.get(beyond as usize).copied().unwrap_or(TypeId::UNKNOWN),
                    _ => self.element(place, of, depth),
                };
            }
            if beyond == 0 {
                return parameter;
            }
        }
        TypeId::UNKNOWN
    }
}
