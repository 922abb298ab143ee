//! What values of types from outside give, as far as the language knows its library, and what literals are.

use super::generic::Pairs;
use super::{Place, Type, TypeId, Types};
use crate::resolve::Name;
use crate::resolve::index::Member;
use activate_grammars::facts::{Expr, ExprId, NameId};
use activate_grammars::scope::Gives;

/// The type of texts.
const TEXT: &str = "String";

/// The type of many pairs.
const SET: &str = "Set";

/// The type of a pair of a key and a value.
const ENTRY: &str = "Entry";

impl Types<'_, '_> {
    /// The type of a literal, and that of the language which its word names.
    pub(super) fn literal(&mut self, place: Place, name: NameId) -> TypeId {
        let Some(rules) = self.index.rules(place.file).filter(|rules| !rules.library.is_empty()) else { return TypeId::FOREIGN };
        let word = self.index.facts(place.file).names.get(name);
        let text = rules.literal_types.iter().find(|(known, _)| *known == word).map_or(word, |(_, text)| *text);
        match self.index.names.find(text) {
            Some(name) => self.add(Type::Generic(name, Vec::new())),
            None => TypeId::FOREIGN,
        }
    }

    /// A type of the library without arguments, by its name.
    pub(super) fn library_type(&mut self, text: &str) -> TypeId {
        let name = self.index.names.find(text);
        name.map_or(TypeId::FOREIGN, |name| self.add(Type::Generic(name, Vec::new())))
    }

    /// What a type of the library has under a name that belongs to the type.
    pub(super) fn library_constant(&mut self, place: Place, base: ExprId, name: Name) -> Option<TypeId> {
        let of = self.index.names.find(self.last_name(place, base)).and_then(|of| self.library(of))?;
        let text = self.text(name);
        match of.methods.iter().find(|(known, _)| *known == text)?.1 {
            Gives::Type(text) => Some(self.library_type(text)),
            _ => None,
        }
    }

    /// The type of two values added: a text where one of them is, else what takes both.
    pub(super) fn sum(&mut self, one: TypeId, other: TypeId) -> TypeId {
        let is_text = |types: &Self, of: TypeId| matches!(types.get(of), Type::Generic(name, _) if types.text(*name) == TEXT);
        if is_text(self, one) || is_text(self, other) {
            return self.library_type(TEXT);
        }
        if one == TypeId::UNKNOWN || other == TypeId::UNKNOWN { TypeId::UNKNOWN } else { self.union(&[one, other]) }
    }

    /// What every type has that writes nothing of the name.
    pub(super) fn of_every_type(&mut self, text: &str) -> TypeId {
        let every = self.libraries.first().and_then(|every| every.methods.iter().find(|(known, _)| *known == text));
        match every {
            Some((_, Gives::Type(text))) => self.library_type(text),
            _ => TypeId::UNKNOWN,
        }
    }

    /// Pairs of keys and values.
    pub(super) fn entries(&mut self, of: TypeId) -> TypeId {
        let Type::Generic(_, arguments) = self.get(of).clone() else { return TypeId::UNKNOWN };
        let Some(name) = self.index.names.find(ENTRY).filter(|_| arguments.len() > 1) else { return TypeId::UNKNOWN };
        let each = self.add(Type::Generic(name, arguments));
        self.library_type_of(SET, each)
    }

    /// A type of the library with one argument, by its name; without it where nothing is known of that.
    pub(super) fn library_type_of(&mut self, text: &str, argument: TypeId) -> TypeId {
        let arguments = if argument == TypeId::UNKNOWN { Vec::new() } else { vec![argument] };
        let name = self.index.names.find(text);
        name.map_or(TypeId::FOREIGN, |name| self.add(Type::Generic(name, arguments)))
    }

    /// The types from outside that a type of the repository and those above it extend or fulfil, nearest first, as the type has them; without
    /// those of which not even the name is known.
    pub(super) fn outside_above(&mut self, of: TypeId, depth: usize) -> Vec<TypeId> {
        let settled = self.settle(of, depth);
        let Type::Named(sym, _) = *self.get(settled) else { return Vec::new() };
        let index = self.index;
        let mut found = Vec::new();
        for above in index.line_of_supers(sym).iter().copied().filter(|above| index.supers_outside.contains_key(above)) {
            let (file, _) = index.symbol(above);
            for place in self.supers_written(above) {
                if self.is_spent() {
                    return found;
                }
                let written = &index.facts(file).supers[place as usize];
                let place = Place { file, module: index.module_of(file, written.container) };
                let made = self.as_type(place, written.of, depth + 1);
                if matches!(self.get(made), Type::Generic(..)) {
                    found.push(self.seen_from(settled, file, written.container, made, depth));
                }
            }
        }
        found
    }

    /// What is known of a method of a type from outside, or of one above it.
    pub(super) fn library_method(&self, of: TypeId, text: &str) -> Option<Gives> {
        let Type::Generic(name, _) = self.get(of) else { return None };
        let own = self.library(*name)?;
        let above = own.supers.iter().filter_map(|name| self.libraries.iter().find(|known| known.name == *name));
        let mut all = std::iter::once(own).chain(above);
        all.find_map(|library| library.methods.iter().find(|(known, _)| *known == text).map(|(_, gives)| *gives))
    }

    /// What a call of something from outside gives, of a type of which the library is known, or else something from outside as well, unless it was
    /// given what may come back.
    pub(super) fn library_result(&mut self, place: Place, of: TypeId, (callee, first): (ExprId, ExprId), depth: usize) -> TypeId {
        let text = self.last_name(place, callee);
        let rules = self.index.rules(place.file);
        let own = self.library_method(of, text);
        let is_many = matches!(self.get(of), Type::Many(_)) || matches!(self.get(of), Type::Generic(_, of) if !of.is_empty());
        let by_name = rules.map_or(&[][..], |rules| rules.known_methods);
        let known = by_name.iter().find(|(known, _)| is_many && *known == text).map(|(_, gives)| *gives);
        if let Some(gives) = own.or(known) {
            return self.gives(place, of, gives, depth);
        }
        if of != TypeId::UNKNOWN {
            let every = self.of_every_type(text);
            if every != TypeId::UNKNOWN {
                return every;
            }
        }
        if rules.is_some_and(|rules| rules.wraps_argument.contains(&text)) {
            return self.of_value(place, first, depth);
        }
        let given = self.index.facts(place.file).arguments_of(callee).unwrap_or_default();
        let comes_back = self.is_of_ours(of) || given.iter().any(|each| self.may_be_ours(place, *each, depth));
        if comes_back { TypeId::UNKNOWN } else { TypeId::FOREIGN }
    }

    fn may_be_ours(&mut self, place: Place, expr: ExprId, depth: usize) -> bool {
        let of = self.of_value(place, expr, depth);
        of == TypeId::UNKNOWN && !matches!(self.expr(place, expr), Expr::Literal(_)) || self.is_of_ours(of)
    }

    /// The function that a type of the library stands for.
    pub(super) fn library_function(&mut self, of: TypeId) -> Option<TypeId> {
        let Type::Generic(name, arguments) = self.get(of).clone() else { return None };
        let takes = usize::from(self.library(name)?.takes?);
        let at = |at: usize| arguments.get(at).or(arguments.first()).copied().unwrap_or(TypeId::UNKNOWN);
        let parameters = (0..takes).map(at).collect();
        let result = arguments.get(takes).or(arguments.last()).copied().unwrap_or(TypeId::UNKNOWN);
        Some(self.add(Type::Function(parameters, result)))
    }

    /// Whether a type has a field that a call of the name may show.
    pub(in crate::resolve) fn has_field(&mut self, place: Place, of: TypeId, name: Name) -> bool {
        self.field_shown(place, of, name).is_some()
    }

    /// The field that a method shows or changes which nobody has written: that of its name, or of what is behind a word such as `get`.
    pub(super) fn field_shown(&mut self, place: Place, of: TypeId, name: Name) -> Option<Member> {
        let mut names = vec![name];
        let text = self.text(name);
        for word in self.index.rules(place.file).map_or(&[][..], |rules| rules.accessors) {
            let Some(rest) = text.strip_prefix(word).filter(|rest| rest.starts_with(char::is_uppercase)) else { continue };
            let mut letters = rest.chars();
            let field: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
            names.extend(self.index.names.find(&field));
        }
        for name in names {
            let field = self.members(of, name).into_iter().find(|member| matches!(member, Member::Field(..)));
            if field.is_some() {
                return field;
            }
        }
        None
    }

    /// A type as the one above it that another is, so that their arguments can be compared.
    pub(super) fn seen_as(&mut self, wanted: TypeId, of: TypeId, depth: usize) -> TypeId {
        let settled = self.settle(of, depth);
        let (Type::Named(to, _), Type::Named(sym, arguments)) = (self.get(wanted).clone(), self.get(settled).clone()) else {
            return of;
        };
        if to == sym {
            return settled;
        }
        match self.arguments_of(sym, arguments, to, depth + 1, MAX_UP) {
            Some(found) => self.add(Type::Named(to, found)),
            None => of,
        }
    }

    /// Finds what type parameters stand for; a function says what the type gives that stands for one.
    pub(super) fn unify_given(&mut self, parameter: TypeId, actual: TypeId, pairs: &mut Pairs, depth: usize) {
        if let Type::Function(_, result) = *self.get(actual) {
            let function = match self.get(parameter).clone() {
                Type::Generic(..) => self.library_function(parameter),
                Type::Named(sym, _) => {
                    self.function_of(sym).map(|method| self.type_of_member(parameter, Member::Symbol(method), depth + 1))
                }
                _ => None,
            };
            if let Some(Type::Function(_, gives)) = function.map(|function| self.get(function).clone()) {
                self.unify(gives, result, pairs, depth);
            }
            return;
        }
        let actual = self.seen_as(parameter, actual, depth);
        self.unify(parameter, actual, pairs, depth);
    }
}

/// How many types up a type is seen as another.
const MAX_UP: usize = 8;
