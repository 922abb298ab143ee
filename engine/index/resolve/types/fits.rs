//! Whether a value may be given where a parameter asks for a type, as far as declarations and the known types of the library say.

use super::overload::Given;
use super::{MAX_DEPTH, Type, TypeId, Types};
use crate::resolve::{Name, Sym};
use activate_grammars::facts::{Container, Expr, ExprId, SymbolKind, Traits};
use activate_grammars::scope::LibraryType;

/// Whether something fits, the surest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    No,
    Unknown,
    /// In a box, or out of one: a number as an object.
    Boxed,
    Yes,
    /// It is of the very type that is asked for.
    Same,
}

/// The type above all others.
const TOP: &str = "Object";

/// Types of the language itself, each before those that take its values as well, and the types of their boxes.
const NUMBERS: [(&str, &str); 6] =
    [("byte", "Byte"), ("short", "Short"), ("int", "Integer"), ("long", "Long"), ("float", "Float"), ("double", "Double")];

/// The others, which take no values but their own.
const OTHERS: [(&str, &str); 2] = [("boolean", "Boolean"), ("char", "Character")];

impl Types<'_, '_> {
    /// What is known of a type from outside.
    pub(super) fn library(&self, name: Name) -> Option<&'static LibraryType> {
        let text = self.text(name);
        self.libraries.iter().find(|known| known.name == text)
    }

    /// Whether an argument fits a parameter.
    pub(super) fn fits(&mut self, given: Given, parameter: TypeId, depth: usize) -> Fit {
        if depth > MAX_DEPTH || self.is_spent() {
            return Fit::Unknown;
        }
        match given {
            Given::Null if self.is_of_language(parameter) => Fit::No,
            Given::Null => Fit::Yes,
            Given::Function(n) => self.fits_function(n, parameter, depth),
            Given::Value(of) => self.fits_value(of, parameter, depth),
        }
    }

    fn is_of_language(&self, of: TypeId) -> bool {
        let Type::Generic(name, _) = self.get(of) else { return false };
        language_type(self.text(*name)).is_some()
    }

    /// Whether a function with so many parameters can stand for a type.
    pub(super) fn fits_function(&mut self, n_parameters: Option<usize>, parameter: TypeId, depth: usize) -> Fit {
        let parameter = self.bound_of(parameter, depth);
        match self.get(parameter).clone() {
            Type::Named(sym, _) | Type::This(sym) => {
                if self.index.symbol(sym).1.kind != SymbolKind::Interface {
                    return Fit::No;
                }
                match (self.function_of(sym), n_parameters) {
                    (Some(method), Some(n)) if self.index.symbol(method).1.parameters.len as usize != n => Fit::No,
                    (Some(_), _) => Fit::Yes,
                    (None, _) => Fit::Unknown,
                }
            }
            Type::Generic(name, _) => match (self.library(name), n_parameters) {
                (Some(known), Some(n)) if known.takes.is_some_and(|takes| usize::from(takes) != n) => Fit::No,
                (Some(known), _) if known.takes.is_some() => Fit::Yes,
                (Some(_), _) => Fit::No,
                (None, _) => Fit::Unknown,
            },
            Type::Many(_) => Fit::No,
            _ => Fit::Unknown,
        }
    }

    /// What a type parameter can be no more than: its bound, or the type above all.
    fn bound_of(&mut self, of: TypeId, depth: usize) -> TypeId {
        let Type::Param(..) = self.get(of) else { return of };
        let bound = self.settle(of, depth + 1);
        match self.get(bound) {
            Type::Unknown | Type::Param(..) => {
                let top = self.index.names.find(TOP);
                top.map_or(TypeId::UNKNOWN, |top| self.add(Type::Generic(top, Vec::new())))
            }
            _ => bound,
        }
    }

    fn fits_value(&mut self, of: TypeId, parameter: TypeId, depth: usize) -> Fit {
        if depth > MAX_DEPTH || self.is_spent() {
            return Fit::Unknown;
        }
        let (of, parameter) = (self.bound_of(of, depth), self.bound_of(parameter, depth));
        if of != TypeId::UNKNOWN && of != TypeId::FOREIGN && self.is_same(of, parameter) {
            return Fit::Same;
        }
        if let Type::Generic(name, _) = self.get(parameter)
            && self.text(*name) == TOP
        {
            return if self.is_of_language(of) { Fit::Boxed } else { Fit::Yes };
        }
        match (self.get(of).clone(), self.get(parameter).clone()) {
            (Type::Union(members), _) => {
                let each: Vec<Fit> = members.into_iter().map(|of| self.fits_value(of, parameter, depth + 1)).collect();
                each.into_iter().min().unwrap_or(Fit::Unknown)
            }
            (_, Type::Union(members)) => {
                let each: Vec<Fit> = members.into_iter().map(|to| self.fits_value(of, to, depth + 1)).collect();
                each.into_iter().min().unwrap_or(Fit::Unknown)
            }
            (Type::Wrapped(inner), _) => self.fits_value(inner, parameter, depth + 1),
            (Type::Named(sym, _) | Type::This(sym), Type::Named(to, _) | Type::This(to)) => {
                if self.index.line_of_supers(sym).contains(&to) {
                    Fit::Yes
                } else if self.is_known_above(sym) {
                    Fit::No
                } else {
                    // A type above that is not known may be what is asked for.
                    Fit::Unknown
                }
            }
            (Type::Named(sym, _) | Type::This(sym), Type::Generic(name, _)) => self.fits_outside(sym, name),
            (Type::Generic(name, _), Type::Generic(to, _)) => self.fits_library(name, to),
            (Type::Many(of), Type::Many(to)) => match (self.is_of_language(of), self.is_of_language(to)) {
                (true, true) => yes_or_no(of == to),
                (true, false) | (false, true) if of != TypeId::UNKNOWN && to != TypeId::UNKNOWN => Fit::No,
                _ => self.fits_value(of, to, depth + 1),
            },
            (Type::Many(_), Type::Generic(name, _)) => yes_or_no(matches!(self.text(name), "Cloneable" | "Serializable")),
            // Types from outside know nothing of the repository, and many of a type are no single one.
            (Type::Generic(..) | Type::Many(_), Type::Named(..) | Type::This(_))
            | (Type::Named(..) | Type::This(_) | Type::Generic(..), Type::Many(_)) => Fit::No,
            _ => Fit::Unknown,
        }
    }

    /// Whether all types above a type are of the repository or of the library.
    fn is_known_above(&mut self, sym: Sym) -> bool {
        let index = self.index;
        if index.is_line_cut(sym) {
            return false;
        }
        for above in index.line_of_supers(sym).iter().copied().filter(|above| index.supers_outside.contains_key(above)) {
            let facts = index.facts(index.symbol(above).0);
            for place in self.supers_written(above) {
                if self.is_spent() {
                    return false;
                }
                let written = facts.supers[place as usize].of;
                let is_ours = || index.supers.get(&above).is_some_and(|all| all.iter().any(|each| each.place == place));
                let is_of_library = self.libraries.iter().any(|known| known.name == written_name(facts, written));
                if !is_of_library && !is_ours() {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a type of the repository is one from outside.
    fn fits_outside(&mut self, sym: Sym, to: Name) -> Fit {
        let wanted = self.text(to);
        if self.library(to).is_some_and(|known| known.is_final) {
            return Fit::No;
        }
        let mut is_known = !self.index.is_line_cut(sym);
        for above in self.index.line_of_supers(sym).iter().copied() {
            let (file, _) = self.index.symbol(above);
            for place in self.supers_written(above) {
                if self.is_spent() {
                    return Fit::Unknown;
                }
                let written = &self.index.facts(file).supers[place as usize];
                let name = written_name(self.index.facts(file), written.of);
                if name == wanted {
                    return Fit::Yes;
                }
                match self.libraries.iter().find(|known| known.name == name) {
                    Some(known) if known.supers.contains(&wanted) => return Fit::Yes,
                    Some(_) => {}
                    None => is_known &= !self.index.supers_outside.contains_key(&above),
                }
            }
        }
        if is_known && !matches!(wanted, "Comparable" | "Serializable" | "Enum" | "Record" | "Annotation") {
            Fit::No
        } else {
            Fit::Unknown
        }
    }

    /// Whether one type from outside is another.
    fn fits_library(&self, of: Name, to: Name) -> Fit {
        let (of_text, to_text) = (self.text(of), self.text(to));
        if of_text == to_text {
            return Fit::Yes;
        }
        match (language_type(of_text), language_type(to_text)) {
            (Some(own), Some(other)) => return yes_or_no(is_wider(own.0, other.0)),
            (Some((_, boxed)), None) => {
                let known = self.libraries.iter().find(|known| known.name == boxed);
                let fits = boxed == to_text || known.is_some_and(|known| known.supers.contains(&to_text));
                return if fits { Fit::Boxed } else { Fit::No };
            }
            (None, Some((own, boxed))) => {
                let unboxed = NUMBERS.iter().chain(&OTHERS).find(|(_, boxed)| *boxed == of_text);
                let fits = boxed == of_text || unboxed.is_some_and(|(unboxed, _)| is_wider(unboxed, own));
                return if fits { Fit::Boxed } else { Fit::No };
            }
            (None, None) => {}
        }
        match (self.library(of), self.library(to)) {
            (Some(own), _) if own.supers.contains(&to_text) => Fit::Yes,
            (Some(_), other) if other.is_some() || of_text == TOP => Fit::No,
            (Some(own), None) if own.is_final => Fit::No,
            (None, Some(other)) if other.is_final => Fit::No,
            _ => Fit::Unknown,
        }
    }

    /// Whether each of some parameters takes no more than that of others at its place.
    pub(super) fn is_narrower(&mut self, own: &[TypeId], others: &[TypeId]) -> bool {
        own.len() == others.len()
            && own.iter().zip(others).all(|(own, other)| {
                if let (Type::Rest(own), Type::Rest(other)) = (self.get(*own).clone(), self.get(*other).clone()) {
                    return own == other || self.fits_value(own, other, 0) >= Fit::Yes;
                }
                let is_plain = self.is_of_language(*own) == self.is_of_language(*other);
                own == other || self.fits_value(*own, *other, 0) >= Fit::Yes && is_plain
            })
    }

    /// Whether two known types are one, type arguments left out.
    fn is_same(&self, own: TypeId, other: TypeId) -> bool {
        match (self.get(own), self.get(other)) {
            (Type::Named(own, _) | Type::This(own), Type::Named(other, _) | Type::This(other)) => own == other,
            (Type::Generic(own, _), Type::Generic(other, _)) => own == other,
            _ => own == other,
        }
    }

    /// Whether nothing that is known of them tells two lists of parameters apart.
    pub(super) fn are_alike(&self, own: &[TypeId], others: &[TypeId]) -> bool {
        own.len() == others.len() && own.iter().zip(others).all(|(own, other)| self.is_same(*own, *other))
    }

    /// Whether two definitions have the same parameters, as far as they are known, type arguments left out: one stands in the other's place.
    pub(super) fn same_parameters(&self, own: &[TypeId], others: &[TypeId]) -> bool {
        own.len() == others.len() && own.iter().zip(others).all(|(own, other)| self.same_erased(*own, *other, 0))
    }

    fn same_erased(&self, own: TypeId, other: TypeId, depth: usize) -> bool {
        match (self.get(own), self.get(other)) {
            _ if own == other || depth > MAX_DEPTH => true,
            (Type::Unknown, _) | (_, Type::Unknown) | (Type::Param(..), Type::Param(..)) => true,
            (Type::Named(own, _) | Type::This(own), Type::Named(other, _) | Type::This(other)) => own == other,
            (Type::Generic(own, _), Type::Generic(other, _)) => own == other,
            (Type::Many(own), Type::Many(other)) | (Type::Rest(own), Type::Rest(other)) => {
                self.same_erased(*own, *other, depth + 1)
            }
            (Type::Many(own), Type::Rest(other)) | (Type::Rest(other), Type::Many(own)) => {
                matches!(self.get(*other), Type::Many(other) if self.same_erased(*own, *other, depth + 1))
            }
            _ => false,
        }
    }

    /// The method that a function stands for where an interface is asked for: the only one without a body.
    pub(super) fn function_of(&self, interface: Sym) -> Option<Sym> {
        let index = self.index;
        let mut found: Option<Sym> = None;
        for of in index.line_of_supers(interface).iter().copied() {
            let (file, _) = index.symbol(of);
            let first = index.first_symbol[file.0 as usize];
            let Some(of) = of.0.checked_sub(first) else { continue };
            // What stands in a type stands behind it, up to its end.
            let symbols = &index.facts(file).symbols;
            let end = symbols[of as usize].bytes.1;
            let inside = symbols.iter().enumerate().skip(of as usize + 1).take_while(|(_, symbol)| symbol.bytes.0 < end);
            for (place, symbol) in inside {
                let is_own = matches!(symbol.container, Container::Symbol(id) if id.0 == of);
                if !is_own || symbol.kind != SymbolKind::Method || !symbol.traits.has(Traits::BODILESS) {
                    continue;
                }
                let sym = Sym(first + place as u32);
                match found {
                    None => found = Some(sym),
                    Some(other) if index.facts(file).names.get(symbol.name) == self.name_of(other) => {}
                    Some(_) => return None,
                }
            }
        }
        found
    }

    fn name_of(&self, sym: Sym) -> &str {
        let (file, symbol) = self.index.symbol(sym);
        self.index.facts(file).names.get(symbol.name)
    }
}

fn yes_or_no(is_so: bool) -> Fit {
    if is_so { Fit::Yes } else { Fit::No }
}

/// A type of the language itself with that of its boxes.
fn language_type(name: &str) -> Option<(&'static str, &'static str)> {
    NUMBERS.iter().chain(&OTHERS).find(|(known, _)| *known == name).copied()
}

/// Whether a type of the language takes values of another.
fn is_wider(own: &str, other: &str) -> bool {
    let place = |name: &str| NUMBERS.iter().position(|(known, _)| *known == name);
    match (place(own), place(other)) {
        (Some(own), Some(other)) => own <= other,
        (None, Some(other)) => own == "char" && other >= 2,
        _ => own == other,
    }
}

/// The last name of a type as it is written, type arguments left out.
fn written_name(facts: &activate_grammars::FileFacts, expr: ExprId) -> &str {
    match facts.exprs[expr.0 as usize] {
        Expr::Name(name) | Expr::Scoped(_, name) | Expr::Member(_, name) => facts.names.get(name),
        Expr::Apply(base, _) => match facts.exprs[base.0 as usize] {
            Expr::Name(name) | Expr::Scoped(_, name) | Expr::Member(_, name) => facts.names.get(name),
            _ => "",
        },
        _ => "",
    }
}
