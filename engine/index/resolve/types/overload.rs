//! Calls in languages where definitions of one name are told apart by what they are given: which of them are meant, and what they give.
//!
//! As compilers do it: by the number of arguments, then by their types, then the one whose parameters are the most special. What is not known of
//! a type excludes nothing, so that several may be left.

use super::fits::Fit;
use super::generic::{Known, Pairs};
use super::{MAX_DEPTH, Place, Type, TypeId, Types};
use crate::resolve::bare::{Bare, Missing};
use crate::resolve::index::Member;
use crate::resolve::shape::take_of_other_packages;
use crate::resolve::{Item, Name, Sym};
use activate_grammars::facts::{Container, Expr, ExprId, SymbolKind};
use activate_rules::links::Confidence;

/// The most definitions of one name that are compared with one another.
const MAX_COMPARED: usize = 48;

/// What a call calls.
#[derive(Debug)]
pub(in crate::resolve) enum Called {
    /// Methods of a type, and how sure it is that they are.
    Methods(TypeId, Vec<Sym>, Confidence),
    /// Of a value of this type nobody knows such a method.
    Missing(TypeId),
    /// A function of a type from outside: nothing of the repository can stand behind it.
    Foreign,
    /// A method from outside, of this type or of one above it.
    Outside(TypeId),
}

/// An argument.
#[derive(Debug, Clone, Copy)]
pub(super) enum Given {
    /// Nothing, which is of every type but those of the language.
    Null,
    /// A function with so many parameters, where they are known.
    Function(Option<usize>),
    Value(TypeId),
}

impl Types<'_, '_> {
    /// What a call by a name or a member calls; none where the callee is something else.
    pub(in crate::resolve) fn called(&mut self, place: Place, callee: ExprId, depth: usize) -> Option<Called> {
        let index = self.index;
        match self.expr(place, callee) {
            Expr::Name(name) => {
                let bare = Bare { file: place.file, here: place.module, expr: callee, name: index.name(place.file, name) };
                Some(match index.bare_methods(bare) {
                    Ok(found) => {
                        let of = if found.is_around { Type::This(found.of) } else { Type::Named(found.of, Vec::new()) };
                        let sure = if found.is_doubtful { Confidence::Unique } else { Confidence::Exact };
                        Called::Methods(self.add(of), found.methods, sure)
                    }
                    Err(Missing::Outside) => Called::Outside(TypeId::FOREIGN),
                    Err(Missing::Imported) => Called::Foreign,
                    Err(Missing::Unknown) => Called::Missing(TypeId::UNKNOWN),
                })
            }
            Expr::Member(base, name) => Some(self.called_member(place, base, index.name(place.file, name), depth)),
            _ => None,
        }
    }

    fn called_member(&mut self, place: Place, base: ExprId, name: Name, depth: usize) -> Called {
        let index = self.index;
        let items = index.path_of(place.file, place.module, base, 0);
        if items == [Item::Foreign] {
            return Called::Foreign;
        }
        let is_own = matches!(self.expr(place, base), Expr::This(_) | Expr::Super(_)) || !items.is_empty();
        let sure = if is_own { Confidence::Exact } else { Confidence::Qualified };
        let of = match self.expr(place, base) {
            Expr::Super(container) => match index.container_type(place.file, container) {
                Some(of) => {
                    let above = index.supers.get(&of).map_or(&[][..], Vec::as_slice);
                    let with = above.iter().map(|above| above.target).find(|above| !index.all_methods(*above, name).is_empty());
                    match with {
                        Some(with) => self.add(Type::Named(with, Vec::new())),
                        None if index.has_supers_outside(of) || above.is_empty() => return Called::Foreign,
                        None => return Called::Missing(TypeId::UNKNOWN),
                    }
                }
                None => return Called::Missing(TypeId::UNKNOWN),
            },
            _ => self.of_value(place, base, depth),
        };
        let settled = self.settle(of, depth);
        match self.get(settled) {
            Type::Foreign | Type::Generic(..) | Type::Many(_) | Type::Map(..) | Type::Function(..) => {
                return Called::Outside(settled);
            }
            _ => {}
        }
        let methods = self.methods_of(of, name);
        if methods.is_empty() { Called::Missing(of) } else { Called::Methods(of, methods, sure) }
    }

    /// What the n-th argument of a call must be, where it may be a function.
    pub(super) fn argument_of_overloads(&mut self, place: Place, callee: ExprId, n: u32, depth: usize) -> TypeId {
        let (of, methods) = match self.called(place, callee, depth) {
            Some(Called::Methods(of, methods, _)) => (of, methods),
            Some(Called::Outside(of)) => return self.known_callback(place, of, self.last_name(place, callee), n, depth),
            Some(Called::Missing(of)) => {
                let above = self.outside_above(of, depth).first().copied().unwrap_or(TypeId::UNKNOWN);
                return self.known_callback(place, above, self.last_name(place, callee), n, depth);
            }
            _ => return TypeId::UNKNOWN,
        };
        let mut wanted = Vec::new();
        for sym in methods {
            let parameters = self.parameters_of_method(of, sym, depth);
            let asked = parameters.get(n as usize).copied().unwrap_or(TypeId::UNKNOWN);
            // What is no function cannot be meant.
            if self.fits_function(None, asked, depth) > Fit::Unknown && !wanted.contains(&asked) {
                wanted.push(asked);
            }
        }
        self.union(&wanted)
    }

    /// The methods of a name that a value of a type has, nearest first.
    pub(super) fn methods_of(&mut self, of: TypeId, name: Name) -> Vec<Sym> {
        let mut found: Vec<Sym> = Vec::new();
        let mut open = vec![(of, 0)];
        while let Some((id, depth)) = open.pop() {
            if depth > MAX_DEPTH || self.is_spent() {
                break;
            }
            match self.get(id).clone() {
                Type::Named(sym, _) | Type::This(sym) => {
                    for method in self.index.all_methods(sym, name) {
                        if !found.contains(&method) && found.len() < MAX_COMPARED {
                            found.push(method);
                        }
                    }
                }
                Type::Param(..) => {
                    let bound = self.settle(id, depth + 1);
                    if bound != id {
                        open.push((bound, depth + 1));
                    }
                }
                Type::Wrapped(inner) => open.push((inner, depth + 1)),
                Type::Union(members) => open.extend(members.into_iter().rev().map(|member| (member, depth + 1))),
                _ => {}
            }
        }
        found
    }

    /// Which of several definitions of one name a call means: one where it is sure, several where any of them may be, none where none takes
    /// what it is given.
    pub(in crate::resolve) fn choose(
        &mut self,
        place: Place,
        callee: ExprId,
        of: TypeId,
        found: &[Sym],
        depth: usize,
    ) -> Vec<Sym> {
        let given = self.given(place, callee, depth);
        let mut candidates: Vec<(Sym, Vec<TypeId>)> = Vec::new();
        for sym in found.iter().take(MAX_COMPARED) {
            let parameters = self.parameters_of_method(of, *sym, depth);
            let holder = self.index.member_of[sym.0 as usize];
            // Of one type nothing stands in another's place.
            let is_hidden = candidates.iter().any(|(other, others)| {
                self.index.member_of[other.0 as usize] != holder
                    && self.same_parameters(others, &parameters)
                    && !take_of_other_packages(self.index, *other, *sym)
            });
            if !is_hidden {
                candidates.push((*sym, parameters));
            }
        }
        let Some(given) = given else { return candidates.into_iter().map(|(sym, _)| sym).collect() };
        candidates.retain(|(_, parameters)| self.takes(parameters, given.len()));
        if candidates.len() < 2 {
            return candidates.into_iter().map(|(sym, _)| sym).collect();
        }
        let mut fitting: Vec<(Sym, Vec<TypeId>, Fit, bool)> = Vec::new();
        for (sym, parameters) in candidates {
            let is_open = self.takes_rest(&parameters);
            let (fit, by_rest) = match (is_open, parameters.len() == given.len()) {
                (true, true) => {
                    let whole = self.fit_all(&self.without_rest(&parameters), &given, depth);
                    if whole >= Fit::Boxed { (whole, false) } else { (self.fit_spread(place, &parameters, &given, depth), true) }
                }
                (true, false) => (self.fit_spread(place, &parameters, &given, depth), true),
                (false, _) => (self.fit_all(&parameters, &given, depth), false),
            };
            if fit > Fit::No {
                fitting.push((sym, parameters, fit, by_rest));
            }
        }
        // What fits without more ado goes before what takes a box, and that before what takes what is left.
        for (least, by_rest) in [(Fit::Yes, false), (Fit::Boxed, false)] {
            let is_best = |(_, _, fit, rest): &(Sym, Vec<TypeId>, Fit, bool)| *fit >= least && *rest == by_rest;
            if fitting.iter().any(is_best) {
                fitting.retain(|each| is_best(each) || each.2 == Fit::Unknown && !each.3);
                break;
            }
        }
        if fitting.len() > 1 {
            let special = (0..fitting.len()).find(|at| {
                let (_, own, fit, _) = &fitting[*at];
                // What is of the very types that are asked for is meant, whatever else may be.
                let is_best = |types: &mut Self, parameters: &Vec<TypeId>, other: Fit| {
                    // Types from outside are known by their last names: of two that differ in their packages none is the better.
                    if types.are_alike(own, parameters) {
                        return false;
                    }
                    *fit == Fit::Same || *fit > Fit::Unknown && other > Fit::Unknown && types.is_narrower(own, parameters)
                };
                fitting.iter().enumerate().all(|(other, (_, parameters, fit, _))| other == *at || is_best(self, parameters, *fit))
            });
            if let Some(special) = special {
                return vec![fitting[special].0];
            }
        }
        fitting.into_iter().map(|(sym, ..)| sym).collect()
    }

    /// What a call is given, if that is known.
    fn given(&mut self, place: Place, callee: ExprId, depth: usize) -> Option<Vec<Given>> {
        let given = self.index.facts(place.file).arguments_of(callee)?;
        Some(given.iter().map(|each| self.argument_given(place, *each, depth)).collect())
    }

    fn argument_given(&mut self, place: Place, expr: ExprId, depth: usize) -> Given {
        match self.expr(place, expr) {
            Expr::Literal(name) if self.index.facts(place.file).names.get(name) == "nil" => Given::Null,
            Expr::Function(parameters, _) => Given::Function(Some(parameters.len as usize)),
            Expr::Anonymous => Given::Function(None),
            _ => {
                let of = self.of_value(place, expr, depth + 1);
                let is_open = self.is_left_open(place, expr, of, depth);
                Given::Value(if is_open { TypeId::UNKNOWN } else { of })
            }
        }
    }

    /// Whether a value is of a type parameter of what was called, of which nothing is known: compilers find it by what is asked for.
    fn is_left_open(&mut self, place: Place, expr: ExprId, of: TypeId, depth: usize) -> bool {
        if depth > MAX_DEPTH || self.is_spent() {
            return true;
        }
        match self.get(of).clone() {
            Type::Param(file, id) => {
                let index = self.index;
                let Some(parameter) = index.facts(file).bindings[id.0 as usize].parameter else { return false };
                let Container::Symbol(holder) = parameter.of else { return true };
                let facts = index.facts(file);
                if facts.symbols[holder.0 as usize].kind == SymbolKind::Method {
                    return matches!(self.expr(place, expr), Expr::Call(..));
                }
                let mut value = expr;
                for _ in 0..MAX_DEPTH {
                    match self.expr(place, value) {
                        Expr::Call(base, _) | Expr::Member(base, _) => value = base,
                        _ => break,
                    }
                }
                // Inside of the type that has it a type parameter is a type like others.
                let is_inside = matches!(self.expr(place, value), Expr::Name(_) | Expr::This(_) | Expr::Local(_));
                !is_inside || file != place.file
            }
            Type::Many(inner) => self.is_left_open(place, expr, inner, depth + 1),
            Type::Union(members) => members.into_iter().any(|each| self.is_left_open(place, expr, each, depth + 1)),
            _ => false,
        }
    }

    /// The parameters of a method, as a receiver has it.
    fn parameters_of_method(&mut self, of: TypeId, sym: Sym, depth: usize) -> Vec<TypeId> {
        let method = self.type_of_member(of, Member::Symbol(sym), depth + 1);
        if let Type::Function(parameters, _) = self.get(method) { parameters.clone() } else { Vec::new() }
    }

    fn takes_rest(&self, parameters: &[TypeId]) -> bool {
        parameters.last().is_some_and(|last| matches!(self.get(*last), Type::Rest(_)))
    }

    /// Whether parameters take so many arguments.
    fn takes(&self, parameters: &[TypeId], n_given: usize) -> bool {
        if self.takes_rest(parameters) { n_given + 1 >= parameters.len() } else { n_given == parameters.len() }
    }

    /// Parameters with many of a type in place of what takes the rest.
    fn without_rest(&self, parameters: &[TypeId]) -> Vec<TypeId> {
        let whole = |of: &TypeId| if let Type::Rest(inner) = self.get(*of) { *inner } else { *of };
        parameters.iter().map(whole).collect()
    }

    fn fit_all(&mut self, parameters: &[TypeId], given: &[Given], depth: usize) -> Fit {
        let mut least = Fit::Same;
        for (parameter, given) in parameters.iter().zip(given) {
            least = least.min(self.fits(*given, *parameter, depth + 1));
        }
        least
    }

    /// The same where the last parameter takes each of what is left.
    fn fit_spread(&mut self, place: Place, parameters: &[TypeId], given: &[Given], depth: usize) -> Fit {
        let mut spread = parameters[..parameters.len().saturating_sub(1)].to_vec();
        let each = match parameters.last().map(|last| self.get(*last).clone()) {
            Some(Type::Rest(many)) => self.element(place, many, depth),
            _ => TypeId::UNKNOWN,
        };
        spread.resize(given.len().max(spread.len()), each);
        self.fit_all(&spread, given, depth)
    }

    /// What a call gives.
    pub(super) fn call_of_overloads(&mut self, place: Place, callee: ExprId, first: ExprId, depth: usize) -> TypeId {
        match self.called(place, callee, depth) {
            Some(Called::Methods(of, methods, _)) => {
                let chosen = self.choose(place, callee, of, &methods, depth);
                let each: Vec<TypeId> = chosen.iter().map(|sym| self.result_of(place, callee, of, *sym, depth)).collect();
                let is_known = each.iter().all(|of| *of != TypeId::UNKNOWN);
                if is_known { self.union(&each) } else { TypeId::UNKNOWN }
            }
            Some(Called::Missing(of)) => match self.expr(place, callee) {
                // What shows a field has its type.
                Expr::Member(_, name) if of != TypeId::UNKNOWN => {
                    let name = self.index.name(place.file, name);
                    let shown = self.shown_field(place, of, name, depth);
                    if shown != TypeId::UNKNOWN {
                        return shown;
                    }
                    let text = self.text(name);
                    let above = self.outside_above(of, depth);
                    let known = above.into_iter().find_map(|above| Some((above, self.library_method(above, text)?)));
                    match known {
                        Some((above, gives)) => self.gives(place, above, gives, depth),
                        None => self.of_every_type(text),
                    }
                }
                Expr::Name(name) => {
                    let bare =
                        Bare { file: place.file, here: place.module, expr: callee, name: self.index.name(place.file, name) };
                    match self.index.bare_value(bare) {
                        Some((of, true, field)) => {
                            let of = self.add(Type::This(of));
                            self.type_of_member(of, field, depth + 1)
                        }
                        _ => self.of_every_type(self.text(bare.name)),
                    }
                }
                _ => TypeId::UNKNOWN,
            },
            Some(Called::Outside(of)) => self.library_result(place, of, (callee, first), depth),
            Some(Called::Foreign) => {
                if let Expr::Member(base, name) = self.expr(place, callee) {
                    let name = self.index.name(place.file, name);
                    if let Some(known) = self.library_constant(place, base, name) {
                        return known;
                    }
                }
                self.library_result(place, TypeId::UNKNOWN, (callee, first), depth)
            }
            None => TypeId::UNKNOWN,
        }
    }

    /// The type of the field that a method shows which nobody has written.
    fn shown_field(&mut self, place: Place, of: TypeId, name: Name, depth: usize) -> TypeId {
        let field = self.field_shown(place, of, name);
        field.map_or(TypeId::UNKNOWN, |field| self.type_of_member(of, field, depth + 1))
    }

    /// What one definition gives for what it is given.
    fn result_of(&mut self, place: Place, callee: ExprId, of: TypeId, sym: Sym, depth: usize) -> TypeId {
        let method = self.type_of_member(of, Member::Symbol(sym), depth + 1);
        let Type::Function(parameters, result) = self.get(method).clone() else { return TypeId::UNKNOWN };
        if !self.is_open(result) || depth > MAX_DEPTH {
            return result;
        }
        let given = self.index.facts(place.file).arguments_of(callee).unwrap_or_default().to_vec();
        let mut pairs = Pairs::new();
        for (at, expr) in given.into_iter().enumerate() {
            let Some(parameter) = parameters.get(at).or(parameters.last()).copied() else { break };
            let parameter = match *self.get(parameter) {
                Type::Rest(many) => self.element(place, many, depth),
                _ => parameter,
            };
            if self.is_open(parameter) {
                let actual = self.of_value(place, expr, depth + 1);
                self.unify_given(parameter, actual, &mut pairs, depth);
            }
        }
        self.substitute(result, Known::new(pairs, None), depth)
    }
}
