//! Type parameters of types of the repository, and what stands for them: in `impl<B: Body> Wrapper<B>` a field of the type `B` is a `Body`.

use super::Terms;
use super::store::{Id, MAX_PARTS, Node};
use crate::resolve::Sym;
use crate::resolve::types::Place;
use activate_grammars::facts::{Binding, Container, ListId, SymbolKind};
use activate_grammars::scope::ModuleModel;

impl Terms<'_, '_> {
    /// What a type parameter is without bounds: whatever stands for it, where it is one of a type.
    pub(super) fn type_parameter(&mut self, place: Place, binding: &Binding) -> Id {
        let Some(parameter) = binding.parameter else { return Id::UNKNOWN };
        let Container::Symbol(id) = parameter.of else { return Id::UNKNOWN };
        let sym = Sym(self.index.first_symbol[place.file.0 as usize] + id.0);
        let is_type = matches!(self.index.symbol(sym).1.kind, SymbolKind::Type | SymbolKind::Alias);
        if is_type && self.has_bounds(place) { self.store.add(Node::Parameter(sym, parameter.place)) } else { Id::UNKNOWN }
    }

    /// Whether blocks of a type say what holds for its parameters.
    fn has_bounds(&self, place: Place) -> bool {
        self.index.rules(place.file).is_some_and(|rules| rules.modules == ModuleModel::Tree)
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
            Some(sym) if self.index.symbol(sym).1.kind == SymbolKind::Alias => self.filled(instance, sym, &arguments, depth),
            _ => self.store.add(Node::Applied(instance, arguments)),
        }
    }

    /// A term in which the type parameters of a type stand for what it is given; those for which nothing is known are unknown.
    pub(super) fn filled(&mut self, id: Id, of: Sym, arguments: &[Id], depth: usize) -> Id {
        if self.is_over(depth) {
            return Id::UNKNOWN;
        }
        match self.store.get(id).clone() {
            Node::Parameter(sym, n) if sym == of => arguments.get(n as usize).copied().unwrap_or(Id::UNKNOWN),
            Node::Many(each) => {
                let each = self.filled(each, of, arguments, depth + 1);
                self.store.add(Node::Many(each))
            }
            Node::Tuple(each) => {
                let each = self.each_filled(each, of, arguments, depth);
                self.store.add(Node::Tuple(each))
            }
            Node::Map(key, value) => {
                let key = self.filled(key, of, arguments, depth + 1);
                let value = self.filled(value, of, arguments, depth + 1);
                self.store.add(Node::Map(key, value))
            }
            Node::Function(result) => {
                let result = self.filled(result, of, arguments, depth + 1);
                self.store.add(Node::Function(result))
            }
            Node::Both(instance, held) => {
                let held = self.filled(held, of, arguments, depth + 1);
                if held == Id::UNKNOWN { instance } else { self.store.add(Node::Both(instance, held)) }
            }
            Node::Applied(instance, given) => {
                let given = self.each_filled(given, of, arguments, depth);
                self.store.add(Node::Applied(instance, given))
            }
            _ => id,
        }
    }

    fn each_filled(&mut self, each: Vec<Id>, of: Sym, arguments: &[Id], depth: usize) -> Vec<Id> {
        each.into_iter().map(|id| self.filled(id, of, arguments, depth + 1)).collect()
    }
}
