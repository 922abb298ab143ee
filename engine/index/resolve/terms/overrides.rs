//! Methods that implement or override one of a type from outside. Whoever calls that one may run them, without their name anywhere.

use super::Terms;
use super::store::Node;
use crate::boundary::{Boundary, UseKind};
use crate::resolve::types::Place;
use crate::resolve::{FileId, Sym};
use activate_grammars::facts::{Container, ExprId, SuperKind, Symbol, SymbolKind, Traits, Visibility};
use activate_rules::atoms::NodeId;

impl Terms<'_, '_> {
    /// Adds the methods of a file that take the place of one from outside, as uses of that one.
    pub(super) fn add_overrides(&mut self, boundary: &mut Boundary, file: FileId) {
        let index = self.index;
        let facts = index.facts(file);
        for (symbol, at) in facts.symbols.iter().zip(0..) {
            let mine = Sym(index.first_symbol[file.0 as usize] + at);
            let name = facts.names.get(symbol.name);
            for (place, above) in self.may_override(file, mine, symbol) {
                let of = self.item(place, above, 0);
                let id = self.item_member(place.file, of, name, false, 0);
                self.push(boundary, self.use_of(mine), id, &[]);
            }
        }
    }

    /// Adds what a file asserts of types: that they implement an interface from outside, and their methods those of it.
    pub(super) fn add_assertions(&mut self, boundary: &mut Boundary, file: FileId) {
        let index = self.index;
        let place = Place { file, module: index.file_module[file.0 as usize] };
        for assertion in &index.facts(file).assertions {
            let interface = self.item(place, assertion.implements, 0);
            let value = self.value(place, assertion.value, 0);
            let of = self.store.item_of(value).and_then(|of| self.store.symbol(of));
            let Some(of) = of.filter(|_| self.store.leads_out(interface)) else { continue };
            self.push(boundary, self.use_of(of), interface, &[]);
            for mine in self.methods_of.get(&of).cloned().unwrap_or_default() {
                let (file, symbol) = index.symbol(mine);
                let name = index.facts(file).names.get(symbol.name).to_owned();
                let id = self.store.add(Node::Member(interface, name));
                self.push(boundary, self.use_of(mine), id, &[]);
            }
        }
    }

    /// A definition as what implements something.
    fn use_of(&self, of: Sym) -> (NodeId, u32, UseKind) {
        (self.store.node(of), self.index.symbol(of).1.name_line, UseKind::Implements)
    }

    /// What is written as the types of which a member may override something.
    fn may_override(&mut self, file: FileId, mine: Sym, symbol: &Symbol) -> Vec<(Place, ExprId)> {
        let index = self.index;
        let is_method = symbol.kind == SymbolKind::Method;
        match symbol.container {
            // What a block has that implements nothing is the type's own.
            Container::Owner(at) => {
                let owner = index.facts(file).owners[at as usize];
                let place = Place { file, module: index.module_of(file, owner.container) };
                let is_meant = is_method || matches!(symbol.kind, SymbolKind::Alias | SymbolKind::Constant);
                if is_meant && owner.implements != ExprId::UNKNOWN { vec![(place, owner.implements)] } else { Vec::new() }
            }
            Container::Symbol(_) if is_method && !self.is_of_its_type_alone(file, mine, symbol) => {
                let Some(of) = index.member_of[mine.0 as usize] else { return Vec::new() };
                let written = self.supers_of(of).into_iter();
                let written = written.map(|(place, at)| (place, index.facts(place.file).supers[at as usize]));
                written.filter(|(_, above)| above.kind != SuperKind::Embeds).map(|(place, above)| (place, above.of)).collect()
            }
            Container::Symbol(_) | Container::File => Vec::new(),
        }
    }

    /// Whether a method stands for nothing above its type: a constructor; where methods are told apart by what they take, also one that is not the
    /// only one of its name, or that nobody can override.
    fn is_of_its_type_alone(&self, file: FileId, mine: Sym, symbol: &Symbol) -> bool {
        let index = self.index;
        let constructor = index.rules(file).and_then(|rules| rules.constructor);
        if index.is_constructor(mine) || constructor == Some(index.facts(file).names.get(symbol.name)) {
            return true;
        }
        let is_only = || {
            let of = index.member_of[mine.0 as usize];
            let all = of.and_then(|of| index.members.get(&(of, index.name(file, symbol.name))));
            all.is_some_and(|all| all.len() == 1)
        };
        index.has_bare_members(file)
            && (symbol.visibility == Visibility::Private || !symbol.traits.has(Traits::INSTANCE) || !is_only())
    }
}
