//! Type parameters: what they stand for, seen from a receiver, from type arguments or from a first argument.

use super::{MAX_DEPTH, Place, Type, TypeId, Types};
use crate::resolve::{FileId, Sym};
use activate_grammars::facts::{BindingId, Container, SymbolId};
use rustc_hash::FxHashMap;

/// How many supertypes up a receiver's type arguments are followed.
const MAX_UP: usize = 8;

/// What type parameters stand for.
#[derive(Debug)]
pub(super) struct Known {
    pairs: Pairs,
    /// What the type around stands for.
    this: Option<TypeId>,
    /// What has been replaced so far: a type that stands in many places of another is looked at once.
    made: FxHashMap<TypeId, TypeId>,
}

impl Known {
    pub(super) fn new(pairs: Pairs, this: Option<TypeId>) -> Self {
        Self { pairs, this, made: FxHashMap::default() }
    }
}

/// Type parameters and what they stand for, by file and binding.
pub(super) type Pairs = Vec<((FileId, BindingId), TypeId)>;

impl Types<'_, '_> {
    pub(super) fn mentions_parameters(&self, made: &Type) -> bool {
        let any = |ids: &[TypeId]| ids.iter().any(|id| self.opens[id.0 as usize]);
        match made {
            Type::Param(..) | Type::This(_) => true,
            Type::Unknown | Type::Foreign | Type::Object(..) => false,
            Type::Named(_, of) | Type::Generic(_, of) | Type::Tuple(of) | Type::Union(of) => any(of),
            Type::Wrapped(of) | Type::Many(of) | Type::Rest(of) => any(&[*of]),
            Type::Map(key, value) => any(&[*key, *value]),
            Type::Function(parameters, result) => any(parameters) || any(&[*result]),
        }
    }

    /// Whether a type mentions a type parameter or the type around.
    pub(super) fn is_open(&self, of: TypeId) -> bool {
        self.opens[of.0 as usize]
    }

    /// The symbol itself as a container.
    pub(super) fn container_of(&self, sym: Sym) -> Container {
        let (file, _) = self.index.symbol(sym);
        Container::Symbol(SymbolId(sym.0 - self.index.first_symbol[file.0 as usize]))
    }

    /// The type parameters of a definition or block, in their order.
    fn parameters_of(&mut self, file: FileId, container: Container) -> Vec<BindingId> {
        let index = self.index;
        let known = self.parameters.entry(file).or_insert_with(|| {
            let mut found: FxHashMap<Container, Vec<(u32, BindingId)>> = FxHashMap::default();
            for (at, binding) in index.facts(file).bindings.iter().enumerate() {
                if let Some(parameter) = binding.parameter {
                    found.entry(parameter.of).or_default().push((parameter.place, BindingId(at as u32)));
                }
            }
            let in_order = |mut list: Vec<(u32, BindingId)>| {
                let n_places = list.iter().map(|(place, _)| place + 1).max().unwrap_or(0) as usize;
                // Those that nothing mentions have no binding, but keep their place.
                let mut placed = vec![BindingId(u32::MAX); n_places];
                list.drain(..).for_each(|(place, id)| placed[place as usize] = id);
                placed
            };
            found.into_iter().map(|(container, list)| (container, in_order(list))).collect()
        });
        known.get(&container).cloned().unwrap_or_default()
    }

    /// What the type parameters of a container stand for, where its type has these arguments.
    pub(super) fn pairs(&mut self, file: FileId, container: Container, arguments: &[TypeId], depth: usize) -> Pairs {
        if arguments.is_empty() || depth > MAX_DEPTH {
            return Pairs::new();
        }
        let mut pairs = Pairs::new();
        if let Container::Owner(at) = container {
            let of = self.index.facts(file).owners[at as usize].of;
            let place = Place { file, module: self.index.module_of(file, container) };
            let pattern = self.as_type(place, of, depth + 1);
            if let Type::Named(_, pattern) = self.get(pattern).clone() {
                pattern.iter().zip(arguments).for_each(|(pattern, actual)| self.unify(*pattern, *actual, &mut pairs, depth));
            }
        } else {
            let parameters = self.parameters_of(file, container);
            pairs.extend(parameters.into_iter().zip(arguments).map(|(parameter, actual)| ((file, parameter), *actual)));
        }
        pairs
    }

    /// Finds what the type parameters in `pattern` stand for, where `actual` is of that type.
    pub(super) fn unify(&mut self, pattern: TypeId, actual: TypeId, pairs: &mut Pairs, depth: usize) {
        if !self.is_open(pattern) || actual == TypeId::UNKNOWN || depth > MAX_DEPTH || self.is_spent() {
            return;
        }
        let lists: (Vec<TypeId>, Vec<TypeId>) = match (self.get(pattern).clone(), self.get(actual).clone()) {
            (Type::Param(file, id), _) => {
                if pairs.iter().all(|(known, _)| *known != (file, id)) {
                    pairs.push(((file, id), actual));
                }
                let bound = self.settle(pattern, depth + 1);
                if let (Type::Function(..), Type::Function(..)) = (self.get(bound), self.get(actual)) {
                    self.unify(bound, actual, pairs, depth + 1);
                }
                return;
            }
            (Type::Named(left, of), Type::Named(right, actual)) if left == right => (of, actual),
            (Type::Generic(left, of), Type::Generic(right, actual)) if left == right => (of, actual),
            (Type::Tuple(of), Type::Tuple(actual)) => (of, actual),
            (Type::Many(of), Type::Many(actual)) | (Type::Wrapped(of), Type::Wrapped(actual)) => (vec![of], vec![actual]),
            (Type::Map(key, value), Type::Map(actual_key, actual_value)) => (vec![key, value], vec![actual_key, actual_value]),
            (Type::Function(mut of, result), Type::Function(mut actual, actual_result)) => {
                of.push(result);
                actual.push(actual_result);
                (of, actual)
            }
            _ => return,
        };
        lists.0.into_iter().zip(lists.1).for_each(|(pattern, actual)| self.unify(pattern, actual, pairs, depth + 1));
    }

    /// A type with its type parameters replaced by what they stand for; those of which nothing is known stay.
    pub(super) fn substitute(&mut self, of: TypeId, mut known: Known, depth: usize) -> TypeId {
        if known.pairs.is_empty() && known.this.is_none() { of } else { self.replace(of, &mut known, depth) }
    }

    fn replace(&mut self, of: TypeId, known: &mut Known, depth: usize) -> TypeId {
        if !self.is_open(of) || depth > MAX_DEPTH || self.is_spent() {
            return of;
        }
        if let Some(made) = known.made.get(&of) {
            return *made;
        }
        let mut each = |types: &mut Self, ids: Vec<TypeId>| -> Vec<TypeId> {
            ids.into_iter().map(|id| types.replace(id, known, depth + 1)).collect()
        };
        let made = match self.get(of).clone() {
            Type::Param(file, id) => {
                return known.pairs.iter().find(|(pair, _)| *pair == (file, id)).map_or(of, |(_, stands_for)| *stands_for);
            }
            Type::This(_) => return known.this.unwrap_or(of),
            Type::Union(members) => {
                let members = each(self, members);
                self.union(&members)
            }
            Type::Named(sym, arguments) => {
                let arguments = each(self, arguments);
                self.add(Type::Named(sym, arguments))
            }
            Type::Generic(name, arguments) => {
                let arguments = each(self, arguments);
                self.add(Type::Generic(name, arguments))
            }
            Type::Tuple(members) => {
                let members = each(self, members);
                self.add(Type::Tuple(members))
            }
            Type::Wrapped(inner) => {
                let inner = self.replace(inner, known, depth + 1);
                self.add(Type::Wrapped(inner))
            }
            Type::Many(inner) => {
                let inner = self.replace(inner, known, depth + 1);
                self.add(Type::Many(inner))
            }
            Type::Rest(inner) => {
                let inner = self.replace(inner, known, depth + 1);
                self.add(Type::Rest(inner))
            }
            Type::Map(key, value) => {
                let (key, value) = (self.replace(key, known, depth + 1), self.replace(value, known, depth + 1));
                self.add(Type::Map(key, value))
            }
            Type::Function(parameters, result) => {
                let parameters = each(self, parameters);
                let result = self.replace(result, known, depth + 1);
                self.add(Type::Function(parameters, result))
            }
            Type::Unknown | Type::Foreign | Type::Object(..) => of,
        };
        known.made.insert(of, made);
        made
    }

    /// What stands behind a type parameter or the type around: the bound, or the type with its own parameters. Other types are what they
    /// are.
    pub(in crate::resolve) fn settle(&mut self, of: TypeId, depth: usize) -> TypeId {
        let mut at = of;
        // A bound may be a type parameter itself.
        for _ in 0..MAX_UP {
            match *self.get(at) {
                Type::Param(file, id) => {
                    let binding = self.index.facts(file).bindings[id.0 as usize];
                    let container = binding.parameter.map_or(Container::File, |parameter| parameter.of);
                    let place = Place { file, module: self.index.module_of(file, container) };
                    at = self.as_type(place, binding.declared, depth + 1);
                }
                Type::This(sym) => {
                    let (file, _) = self.index.symbol(sym);
                    let parameters = self.parameters_of(file, self.container_of(sym));
                    let own = parameters
                        .into_iter()
                        .map(|id| if id.0 == u32::MAX { TypeId::UNKNOWN } else { self.add(Type::Param(file, id)) });
                    let own = own.collect();
                    return self.add(Type::Named(sym, own));
                }
                _ => return at,
            }
        }
        TypeId::UNKNOWN
    }

    /// Whether it is an instance of a type of the repository, or holds one.
    pub(in crate::resolve) fn is_instance(&mut self, of: TypeId) -> bool {
        let mut settled = self.settle(of, 0);
        while let Type::Wrapped(inner) = *self.get(settled) {
            settled = self.settle(inner, 0);
        }
        matches!(self.get(settled), Type::Named(..))
    }

    /// The type of a member of a container, as a receiver has it.
    pub(super) fn seen_from(
        &mut self,
        receiver: TypeId,
        file: FileId,
        container: Container,
        made: TypeId,
        depth: usize,
    ) -> TypeId {
        if !self.is_open(made) || depth > MAX_DEPTH {
            return made;
        }
        let mut settled = self.settle(receiver, depth);
        while let Type::Wrapped(inner) = *self.get(settled) {
            settled = self.settle(inner, depth);
        }
        let this = Some(receiver).filter(|_| receiver != TypeId::UNKNOWN);
        let mut pairs = Pairs::new();
        if let (Type::Named(sym, arguments), Some(owner)) =
            (self.get(settled).clone(), self.index.container_type(file, container))
            && let Some(arguments) = self.arguments_of(sym, arguments, owner, depth, MAX_UP)
        {
            pairs = self.pairs(file, container, &arguments, depth);
        }
        self.substitute(made, Known::new(pairs, this), depth)
    }

    /// The type arguments of `owner`, a supertype of `sym` or `sym` itself, where `sym` has these arguments.
    pub(super) fn arguments_of(
        &mut self,
        sym: Sym,
        arguments: Vec<TypeId>,
        owner: Sym,
        depth: usize,
        steps: usize,
    ) -> Option<Vec<TypeId>> {
        if sym == owner {
            return Some(arguments);
        }
        let steps = steps.checked_sub(1)?;
        let index = self.index;
        for above in index.supers.get(&sym).into_iter().flatten() {
            let written = index.written(above);
            let place = Place { file: above.file, module: index.module_of(above.file, written.container) };
            let of = self.as_type(place, written.of, depth + 1);
            let pairs = self.pairs(above.file, written.container, &arguments, depth + 1);
            let of = self.substitute(of, Known::new(pairs, None), depth + 1);
            let Type::Named(target, given) = self.get(of).clone() else { continue };
            if let Some(found) = self.arguments_of(target, given, owner, depth + 1, steps) {
                return Some(found);
            }
        }
        None
    }
}
