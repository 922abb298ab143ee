//! Types of expressions, as far as declarations show them.
//!
//! One evaluator for the sites of one file; it follows declarations into other files and remembers what it found. What it does not know
//! it says so: a wrong type would make wrong links.

mod callable;
mod fits;
mod generic;
mod library;
mod member;
mod named;
mod overload;
mod value;

use super::index::Index;
use super::{FileId, ModuleId, Name, Sym};
use activate_grammars::facts::{BindingId, Container, Expr, ExprId, ListId};
use activate_grammars::scope::LibraryType;
use rustc_hash::FxHashMap;

pub(super) use overload::Called;

/// The deepest chain of declarations that is followed.
const MAX_DEPTH: usize = 48;

/// How many steps the types of one file may take; beyond, what is not known yet stays unknown. Real files take up to a million, types that
/// grow with every step any number.
const MAX_STEPS: u32 = 4_000_000;

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
    /// An instance of a type of the repository, with its type arguments as far as they are given.
    Named(Sym, Vec<TypeId>),
    /// An instance of a type, seen from inside that type: with its own type parameters, and a subtype where a subtype is the receiver.
    This(Sym),
    /// What a type parameter stands for: a binding of a file.
    Param(FileId, BindingId),
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
    /// A function: its parameters, the instance left out, and its result.
    Function(Vec<TypeId>, TypeId),
    /// All further parameters, or members of a tuple.
    Rest(TypeId),
    /// An object or its type written in place: where, and whether as a type. Its members are looked at when they are asked for.
    Object(FileId, ModuleId, ExprId, bool),
}

/// Evaluates types for the sites of one file.
pub(super) struct Types<'i, 'a> {
    pub(super) index: &'i Index<'a>,
    all: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    known: FxHashMap<(FileId, ExprId, bool), TypeId>,
    of_symbols: FxHashMap<Sym, TypeId>,
    steps: u32,
    /// What is known of types from outside.
    libraries: &'static [LibraryType],
    /// For each type whether it mentions a type parameter or the type around.
    opens: Vec<bool>,
    /// For each type whether it is one of the repository or has one in it.
    ours: Vec<bool>,
    /// Where the supertypes of types are written, for the files that have been asked for: places among those of the file.
    written_supers: FxHashMap<FileId, FxHashMap<Container, Vec<u32>>>,
    /// Type parameters by what has them, for the files that have been asked for.
    parameters: FxHashMap<FileId, FxHashMap<Container, Vec<BindingId>>>,
}

/// Where an expression stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) file: FileId,
    pub(super) module: ModuleId,
}

impl<'i, 'a> Types<'i, 'a> {
    /// For the sites of a file.
    pub(super) fn of_file(index: &'i Index<'a>, file: FileId) -> Self {
        let libraries = index.rules(file).map_or(&[][..], |rules| rules.library);
        let mut types = Self {
            index,
            libraries,
            all: Vec::new(),
            ids: FxHashMap::default(),
            known: FxHashMap::default(),
            of_symbols: FxHashMap::default(),
            steps: 0,
            opens: Vec::new(),
            ours: Vec::new(),
            written_supers: FxHashMap::default(),
            parameters: FxHashMap::default(),
        };
        types.add(Type::Unknown);
        types.add(Type::Foreign);
        types
    }

    pub(super) fn add(&mut self, made: Type) -> TypeId {
        if let Some(id) = self.ids.get(&made) {
            return *id;
        }
        let id = TypeId(self.all.len() as u32);
        self.opens.push(self.mentions_parameters(&made));
        self.ours.push(self.mentions_ours(&made));
        self.all.push(made.clone());
        self.ids.insert(made, id);
        id
    }

    /// The places at which the supertypes of a type are written in its own file.
    pub(super) fn supers_written(&mut self, of: Sym) -> Vec<u32> {
        let index = self.index;
        let (file, container) = (index.symbol(of).0, self.container_of(of));
        let of_file = self.written_supers.entry(file).or_insert_with(|| {
            let mut found: FxHashMap<Container, Vec<u32>> = FxHashMap::default();
            for (written, place) in index.facts(file).supers.iter().zip(0..) {
                found.entry(written.container).or_default().push(place);
            }
            found
        });
        of_file.get(&container).cloned().unwrap_or_default()
    }

    /// Takes a step; says whether none is left.
    pub(super) fn is_spent(&mut self) -> bool {
        #[cfg(test)]
        work::add(1);
        self.steps = self.steps.saturating_add(1);
        self.steps > MAX_STEPS
    }

    pub(super) fn get(&self, id: TypeId) -> &Type {
        &self.all[id.0 as usize]
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

    pub(super) fn remember(
        &mut self,
        place: Place,
        expr: ExprId,
        is_type: bool,
        depth: usize,
        make: fn(&mut Self, Place, ExprId, usize) -> TypeId,
    ) -> TypeId {
        if expr == ExprId::UNKNOWN || depth > MAX_DEPTH || self.is_spent() {
            return TypeId::UNKNOWN;
        }
        let key = (place.file, expr, is_type);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        // While it is being made it counts as unknown, so that a value defined by itself ends.
        self.known.insert(key, TypeId::UNKNOWN);
        let found = make(self, place, expr, depth + 1);
        self.known.insert(key, found);
        found
    }

    pub(super) fn expr(&self, place: Place, expr: ExprId) -> Expr {
        self.index.facts(place.file).exprs[expr.0 as usize]
    }

    pub(super) fn members_of(&self, place: Place, list: ListId) -> Vec<ExprId> {
        self.index.facts(place.file).lists[list.start as usize..(list.start + list.len) as usize].to_vec()
    }

    pub(super) fn text(&self, name: Name) -> &'a str {
        self.index.names.text(name)
    }
}

fn argument(listed: &[(&str, u8)], name: &str) -> Option<usize> {
    listed.iter().find(|(known, _)| *known == name).map(|(_, n)| *n as usize)
}
