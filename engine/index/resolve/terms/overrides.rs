//! Methods that implement or override one of a type from outside. Whoever calls that one may run them, and their own name stands nowhere.

use super::Terms;
use super::store::Id;
use crate::boundary::{Boundary, UseKind};
use crate::resolve::types::Place;
use crate::resolve::{FileId, Sym};
use activate_grammars::facts::{Container, ExprId, SuperKind, Symbol, SymbolKind, Traits, Visibility};
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The types above each type of a file: what is written, each once.
type Above = FxHashMap<Sym, Rc<[(Place, Id)]>>;

impl Terms<'_, '_> {
    /// Adds the methods of a file that stand in the place of one from outside, as uses of that one.
    pub(super) fn add_overrides(&mut self, boundary: &mut Boundary, file: FileId) {
        let index = self.index;
        let facts = index.facts(file);
        let mut above = Above::default();
        // What the sites of a large file took is not missed here.
        self.steps = 0;
        for (symbol, at) in facts.symbols.iter().zip(0..) {
            let mine = Sym(index.first_symbol[file.0 as usize] + at);
            let name = facts.names.get(symbol.name);
            for (place, of) in self.may_override(file, mine, symbol, &mut above).iter().copied() {
                if self.is_over(0) {
                    return;
                }
                let id = self.item_member(place.file, of, name, false, 0);
                self.push(boundary, self.use_of(mine), id, &[]);
            }
        }
    }

    /// Adds what a file asserts of types: that they implement an interface, and their methods those of it.
    pub(super) fn add_assertions(&mut self, boundary: &mut Boundary, file: FileId) {
        let index = self.index;
        let place = Place { file, module: index.file_module[file.0 as usize] };
        let mut seen: FxHashSet<(Sym, Id)> = FxHashSet::default();
        for assertion in &index.facts(file).assertions {
            let interface = self.item(place, assertion.implements, 0);
            let value = self.value(place, assertion.value, 0);
            let of = self.store.item_of(value).and_then(|of| self.store.symbol(of));
            let Some(of) = of.filter(|of| seen.insert((*of, interface))) else { continue };
            self.push(boundary, self.use_of(of), interface, &[]);
            for mine in self.methods_of.get(&of).cloned().unwrap_or_default() {
                if self.is_over(0) {
                    return;
                }
                let (file, symbol) = index.symbol(mine);
                let id = self.item_member(file, interface, index.facts(file).names.get(symbol.name), false, 0);
                self.push(boundary, self.use_of(mine), id, &[]);
            }
        }
    }

    /// A definition as what implements something.
    fn use_of(&self, of: Sym) -> (NodeId, u32, UseKind) {
        (self.store.node(of), self.index.symbol(of).1.name_line, UseKind::Implements)
    }

    /// The types of which a definition may override a member.
    fn may_override(&mut self, file: FileId, mine: Sym, symbol: &Symbol, above: &mut Above) -> Rc<[(Place, Id)]> {
        let index = self.index;
        let of = index.member_of[mine.0 as usize];
        match (symbol.container, of) {
            // What a block has that implements nothing is the type's own.
            (Container::Owner(at), _) => {
                let owner = index.facts(file).owners[at as usize];
                let is_meant = matches!(symbol.kind, SymbolKind::Method | SymbolKind::Alias | SymbolKind::Constant);
                if !is_meant || owner.implements == ExprId::UNKNOWN {
                    return Rc::default();
                }
                let place = Place { file, module: index.module_of(file, owner.container) };
                Rc::new([(place, self.item(place, owner.implements, 0))])
            }
            (Container::Symbol(_), Some(of)) if self.is_open(file, mine, symbol) => {
                if let Some(known) = above.get(&of) {
                    return Rc::clone(known);
                }
                let mut seen = FxHashSet::default();
                let mut found = Vec::new();
                for (place, at) in self.supers_of(of) {
                    let written = index.facts(place.file).supers[at as usize];
                    let item = self.item(place, written.of, 0);
                    if written.kind != SuperKind::Embeds && seen.insert(item) {
                        found.push((place, item));
                    }
                }
                let found: Rc<[(Place, Id)]> = found.into();
                above.insert(of, Rc::clone(&found));
                found
            }
            _ => Rc::default(),
        }
    }

    /// Whether a method that stands in its type can take the place of one above.
    fn is_open(&self, file: FileId, mine: Sym, symbol: &Symbol) -> bool {
        let index = self.index;
        let Some(rules) = index.rules(file).filter(|_| symbol.kind == SymbolKind::Method) else { return false };
        let name = index.facts(file).names.get(symbol.name);
        if index.is_constructor(mine) || rules.constructor == Some(name) {
            return false;
        }
        match rules.modules {
            // A trait's method beside one of a trait above is another one.
            ModuleModel::Tree => false,
            // Methods are told apart by what they take: the compiler knows which is meant where the method says that it is one.
            _ if rules.bare_members => symbol.traits.has(Traits::OVERRIDES) && self.is_only_method(file, mine, symbol),
            // Python has methods that take no instance, and they are passed on like all others but for those that are the class's own: `__load`.
            _ if rules.submodules.is_some() => symbol.visibility != Visibility::Private,
            // An interface's method of an interface above is the same; what belongs to the class itself is not passed on.
            _ => symbol.traits.has(Traits::INSTANCE) || rules.structural,
        }
    }

    /// Whether its type has no other method of its name.
    fn is_only_method(&self, file: FileId, mine: Sym, symbol: &Symbol) -> bool {
        let index = self.index;
        let Some(of) = index.member_of[mine.0 as usize] else { return false };
        let all = index.all_methods(of, index.name(file, symbol.name));
        all.iter().filter(|other| index.member_of[other.0 as usize] == Some(of)).count() == 1
    }
}
