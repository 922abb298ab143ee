//! Type parameters of types of the repository, and what stands for them: in `impl<B: Body> Wrapper<B>` a field of the type `B` is a `Body`.

use super::Terms;
use super::store::{Id, MAX_PARTS, Node};
use crate::resolve::types::Place;
use crate::resolve::{FileId, Sym};
use activate_grammars::facts::{Binding, Container, Expr, ExprId, ListId, SymbolKind, TypeParameter};
use activate_grammars::scope::ModuleModel;
use rustc_hash::FxHashMap;

/// The place of the parameter that stands for whatever fulfils an interface: `Self` in a trait.
const FULFILLING: u32 = u32::MAX;

/// What stands for type parameters.
#[derive(Clone, Copy)]
pub(super) struct Given<'g> {
    /// The type whose parameters they are.
    of: Option<Sym>,
    arguments: &'g [Id],
    /// What is asked: it fulfils the interface whose method that is.
    this: Id,
}

impl Terms<'_, '_> {
    /// What a type parameter is: whatever stands for it, where it is one of a type, else what its bounds say.
    pub(super) fn type_parameter(&mut self, place: Place, binding: &Binding, bound: Id, depth: usize) -> Id {
        let Some(parameter) = binding.parameter.filter(|_| self.has_bounds(place)) else { return bound };
        let of_type = match parameter.of {
            Container::Symbol(id) => {
                let sym = Sym(self.index.first_symbol[place.file.0 as usize] + id.0);
                self.has_parameters(sym, true).then_some((sym, parameter.place))
            }
            Container::Owner(at) => self.of_block(place, at, parameter, depth),
            Container::File => None,
        };
        of_type.map_or(bound, |(sym, n)| self.store.add(Node::Parameter(sym, n, bound)))
    }

    /// A value of a type of the repository that is written without arguments: its parameters are what they are by default, as `HeaderValue` in
    /// `struct HeaderMap<T = HeaderValue>`.
    pub(super) fn by_default(&mut self, place: Place, item: Id, instance: Id, depth: usize) -> Id {
        let Some(sym) = self.store.symbol(item).filter(|_| self.has_bounds(place)) else { return instance };
        let of_type = self.index.symbol(sym).1.kind == SymbolKind::Type;
        if !of_type || !matches!(self.store.get(instance), Node::Instance(_)) || self.is_over(depth) {
            return instance;
        }
        let (place, _) = self.place_of(sym);
        let defaults: Vec<(u32, ExprId)> = {
            let first = self.index.first_symbol[place.file.0 as usize];
            let known = self.defaults.entry(place.file).or_insert_with(|| {
                let mut known: FxHashMap<Sym, Vec<(u32, ExprId)>> = FxHashMap::default();
                for binding in &self.index.facts(place.file).bindings {
                    if let Some(TypeParameter { of: Container::Symbol(id), place }) = binding.parameter
                        && binding.value != ExprId::UNKNOWN
                        && (place as usize) < MAX_PARTS
                    {
                        known.entry(Sym(first + id.0)).or_default().push((place, binding.value));
                    }
                }
                known
            });
            known.get(&sym).cloned().unwrap_or_default()
        };
        let n_known = defaults.iter().map(|(at, _)| *at as usize + 1).max().unwrap_or_default();
        let mut arguments = vec![Id::UNKNOWN; n_known];
        for (at, default) in defaults {
            arguments[at as usize] = self.typed(place, default, depth + 1);
        }
        // A default may be another parameter.
        let arguments =
            self.each_filled(arguments.clone(), Given { of: Some(sym), arguments: &arguments, this: Id::UNKNOWN }, depth);
        if n_known == 0 { instance } else { self.store.add(Node::Applied(instance, arguments)) }
    }

    /// A type that an expression names, as in `HeaderMap::with(1)`: what its parameters are comes from elsewhere, but for those that an alias names.
    pub(super) fn typed_bare(&mut self, place: Place, expr: ExprId, depth: usize) -> Id {
        let of = self.typed(place, expr, depth);
        let Node::Applied(instance, _) = *self.store.get(of) else { return of };
        if !matches!(self.expr(place, expr), Expr::Name(_) | Expr::Scoped(..) | Expr::Member(..) | Expr::Symbol(_)) {
            return of;
        }
        let item = self.item(place, expr, depth);
        let is_type = self.store.symbol(item).is_some_and(|sym| self.has_parameters(sym, false));
        if is_type { instance } else { of }
    }

    fn has_parameters(&self, sym: Sym, or_alias: bool) -> bool {
        let kind = self.index.symbol(sym).1.kind;
        kind == SymbolKind::Type || or_alias && kind == SymbolKind::Alias
    }

    /// The parameter of its type that one of a block stands for: the first of `Pair` is `B` in `impl<A, B> Pair<B, A>`.
    fn of_block(&mut self, place: Place, at: u32, parameter: TypeParameter, depth: usize) -> Option<(Sym, u32)> {
        let facts = self.index.facts(place.file);
        let Expr::Apply(_, list) = self.expr(place, facts.owners[at as usize].of) else { return None };
        let is_it = |expr: &Expr| matches!(*expr, Expr::Local(id) if facts.bindings[id.0 as usize].parameter == Some(parameter));
        let arguments = self.listed(place, list);
        let n = arguments.iter().take(MAX_PARTS).position(|each| is_it(&self.expr(place, *each)))?;
        let item = self.container_item(place, Container::Owner(at), depth);
        let sym = self.store.symbol(item).filter(|sym| self.has_parameters(*sym, false))?;
        Some((sym, n as u32))
    }

    /// `Self` as a type: in an interface whatever fulfils it.
    pub(super) fn this_type(&mut self, place: Place, container: Container, depth: usize) -> Id {
        let this = self.this(place, container, depth);
        let Container::Symbol(id) = container else { return this };
        let sym = Sym(self.index.first_symbol[place.file.0 as usize] + id.0);
        if self.has_bounds(place) && self.index.symbol(sym).1.kind == SymbolKind::Interface {
            self.store.add(Node::Parameter(sym, FULFILLING, this))
        } else {
            this
        }
    }

    /// Whether blocks of a type say what holds for its parameters.
    fn has_bounds(&self, place: Place) -> bool {
        self.is_tree(place.file)
    }

    pub(super) fn is_tree(&self, file: FileId) -> bool {
        self.index.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Tree)
    }

    /// A value of a type of which several bounds hold: it has the members of each, and only who knows those from outside can tell whose one is.
    pub(super) fn bounds(&mut self, place: Place, each: &[Id]) -> Id {
        let outside: Vec<Id> = each.iter().copied().filter(|id| self.store.leads_out(*id)).collect();
        if self.has_bounds(place) { self.store.either(&outside) } else { Id::UNKNOWN }
    }

    /// A value of a type of the repository that is written with arguments.
    pub(super) fn with_arguments(&mut self, place: Place, item: Id, list: ListId, depth: usize) -> Id {
        let instance = self.instance(item, depth);
        if !self.has_bounds(place) || instance == Id::UNKNOWN {
            return instance;
        }
        let arguments: Vec<Id> =
            self.listed(place, list).into_iter().take(MAX_PARTS).map(|each| self.typed(place, each, depth)).collect();
        match self.store.symbol(item) {
            Some(sym) if self.index.symbol(sym).1.kind == SymbolKind::Alias => {
                self.filled(instance, Given { of: Some(sym), arguments: &arguments, this: Id::UNKNOWN }, depth)
            }
            _ => self.store.add(Node::Applied(instance, arguments)),
        }
    }

    /// A function of the repository that is asked of a value: what it gives may depend on what stands for the parameters of its type.
    pub(super) fn asked(&mut self, function: Id, of: Id) -> Id {
        let Some(sym) = self.store.symbol(function) else { return function };
        let (file, symbol) = self.index.symbol(sym);
        let is_function = matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
        let of_interface = match symbol.container {
            Container::Symbol(id) => {
                let above = Sym(self.index.first_symbol[file.0 as usize] + id.0);
                self.index.symbol(above).1.kind == SymbolKind::Interface
            }
            Container::Owner(_) | Container::File => false,
        };
        let depends = of_interface || matches!(self.store.get(of), Node::Applied(..));
        if is_function && depends && self.is_tree(file) { self.store.add(Node::Asked(function, of)) } else { function }
    }

    /// What a function gives that is asked of a value.
    pub(super) fn asked_result(&mut self, function: Id, of: Id, depth: usize) -> Id {
        let result = self.result(function, depth);
        let arguments = if let Node::Applied(_, given) = self.store.get(of) { given.clone() } else { Vec::new() };
        let sym = self.store.item_of(of).and_then(|item| self.store.symbol(item));
        self.filled(result, Given { of: sym, arguments: &arguments, this: of }, depth)
    }

    /// A term of a type in which the parameters stand for what that is given.
    pub(super) fn filled_of(&mut self, id: Id, of: Sym, arguments: &[Id], depth: usize) -> Id {
        self.filled(id, Given { of: Some(of), arguments, this: Id::UNKNOWN }, depth)
    }

    /// A term in which type parameters stand for what is given; where nothing is known of that, for what their bounds say.
    fn filled(&mut self, id: Id, given: Given<'_>, depth: usize) -> Id {
        if self.is_over(depth) {
            return Id::UNKNOWN;
        }
        match self.store.get(id).clone() {
            Node::Parameter(_, FULFILLING, bound) => given.this.or_else(|| bound),
            Node::Parameter(sym, n, bound) if Some(sym) == given.of => {
                given.arguments.get(n as usize).copied().unwrap_or(Id::UNKNOWN).or_else(|| bound)
            }
            Node::Many(each) => {
                let each = self.filled(each, given, depth + 1);
                self.store.add(Node::Many(each))
            }
            Node::Tuple(each) => {
                let each = self.each_filled(each, given, depth);
                self.store.add(Node::Tuple(each))
            }
            Node::Map(key, value) => {
                let key = self.filled(key, given, depth + 1);
                let value = self.filled(value, given, depth + 1);
                self.store.add(Node::Map(key, value))
            }
            Node::Function(result) => {
                let result = self.filled(result, given, depth + 1);
                self.store.add(Node::Function(result))
            }
            Node::Tried(of, failed) => {
                let of = self.filled(of, given, depth + 1);
                let failed = self.filled(failed, given, depth + 1);
                self.store.add(Node::Tried(of, failed))
            }
            Node::Both(instance, held) => {
                let held = self.filled(held, given, depth + 1);
                if held == Id::UNKNOWN { instance } else { self.store.add(Node::Both(instance, held)) }
            }
            Node::Applied(instance, arguments) => {
                let arguments = self.each_filled(arguments, given, depth);
                self.store.add(Node::Applied(instance, arguments))
            }
            _ => id,
        }
    }

    fn each_filled(&mut self, each: Vec<Id>, given: Given<'_>, depth: usize) -> Vec<Id> {
        each.into_iter().map(|id| self.filled(id, given, depth + 1)).collect()
    }
}
