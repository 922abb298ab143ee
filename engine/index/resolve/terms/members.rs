//! Members of types and values.

use super::Terms;
use super::store::{Id, MAX_EITHER, Node};
use super::types::one_of;
use super::values::UNWRAPPING;
use crate::resolve::index::{Def, Member};
use crate::resolve::types::Place;
use crate::resolve::{FileId, Sym};
use activate_grammars::facts::{Container, Expr, ExprId, SuperKind, SymbolId, SymbolKind, Traits};
use activate_grammars::scope::ModuleModel;

/// Traits of what can be iterated over, and the names that what is met has in them.
const ITERATED: &[(&str, &str)] = &[("Iterator", "Item"), ("IntoIterator", "Item")];

/// The most types above one that are looked at.
const MAX_ABOVE: usize = 64;

impl Terms<'_, '_> {
    /// A member of a definition that is an item.
    pub(super) fn own_member(&mut self, file: FileId, of: Id, text: &str, depth: usize) -> Id {
        let Some(sym) = self.store.symbol(of) else { return Id::UNKNOWN };
        if self.is_over(depth) {
            return Id::UNKNOWN;
        }
        let index = self.index;
        let (place, symbol) = self.place_of(sym);
        match symbol.kind {
            SymbolKind::Constant | SymbolKind::Variable => {
                let value = self.value_of_item(of, depth + 1);
                return self.value_member(value, text, depth + 1);
            }
            SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias => {}
            _ => return Id::UNKNOWN,
        }
        let members = index.names.find(text).map_or_else(Vec::new, |name| index.find_members(sym, name));
        let symbols = members.iter().filter_map(|member| if let Member::Symbol(sym) = member { Some(*sym) } else { None });
        if let Some(found) = self.best(symbols) {
            return self.store.add(Node::Symbol(found));
        }
        if let Some(Member::Field(of_file, at)) = members.first().copied() {
            let field = index.facts(of_file).fields[at as usize];
            return if field.variant { self.store.add(Node::Instance(of)) } else { self.field(of_file, at, depth) };
        }
        if symbol.kind == SymbolKind::Alias {
            let twins = self.twins(sym, depth);
            if twins.len() > 1 {
                let each: Vec<Id> = twins.into_iter().map(|twin| self.alias_member(file, twin, text, depth)).collect();
                return self.store.either(&each);
            }
            let target = self.item(place, symbol.declared, depth + 1);
            if target != Id::UNKNOWN && target != of {
                return self.item_member(file, target, text, false, depth + 4);
            }
        }
        if self.takes_from_outside(sym, depth) { self.store.add_outward(Node::Member(of, text.to_owned())) } else { Id::UNKNOWN }
    }

    /// A member of what an alias stands for.
    fn alias_member(&mut self, file: FileId, alias: Sym, text: &str, depth: usize) -> Id {
        let (place, symbol) = self.place_of(alias);
        let target = self.item(place, symbol.declared, depth + 1);
        if self.store.symbol(target) == Some(alias) {
            return Id::UNKNOWN;
        }
        self.item_member(file, target, text, false, depth + 4)
    }

    /// An alias and those of its name beside it, each for another build, of which nobody knows which is meant.
    pub(super) fn twins(&mut self, alias: Sym, depth: usize) -> Vec<Sym> {
        let index = self.index;
        let (file, symbol) = index.symbol(alias);
        if !self.is_tree(file) || symbol.container != Container::File || symbol.traits.has(Traits::NESTED) {
            return vec![alias];
        }
        let module = index.module_of(file, symbol.container);
        let known = index.definitions(module, index.name(file, symbol.name)).iter();
        let known = known.filter_map(|def| if let Def::Symbol(sym) = def { Some(*sym) } else { None });
        let is_meant = |sym: &Sym| {
            let other = index.symbol(*sym).1;
            other.kind == SymbolKind::Alias && !other.traits.has(Traits::OTHER_BUILD)
        };
        let known: Vec<Sym> = known.filter(is_meant).take(MAX_EITHER).collect();
        if known.len() < 2 || !known.contains(&alias) || self.is_over(depth) {
            return vec![alias];
        }
        let mut targets: Vec<Id> = Vec::new();
        for twin in &known {
            let (place, symbol) = self.place_of(*twin);
            targets.push(self.item(place, symbol.declared, depth + 1));
        }
        // Those that differ in arguments alone are as good as one.
        if one_of(&targets) == Id::UNKNOWN { known } else { vec![alias] }
    }

    /// The value of a field.
    pub(super) fn field(&mut self, file: FileId, at: u32, depth: usize) -> Id {
        let field = self.index.facts(file).fields[at as usize];
        let place = Place { file, module: self.index.module_of(file, field.container) };
        if field.declared == ExprId::UNKNOWN {
            self.value(place, field.value, depth)
        } else {
            self.typed(place, field.declared, depth)
        }
    }

    /// A member of a value.
    pub(super) fn value_member(&mut self, of: Id, text: &str, depth: usize) -> Id {
        if self.is_over(depth) {
            return Id::UNKNOWN;
        }
        match self.store.get(of).clone() {
            Node::Parameter(_, _, bound) | Node::Tried(bound, _) => self.value_member(bound, text, depth + 1),
            Node::Tuple(each) => {
                let n = text.parse::<usize>().ok();
                n.and_then(|n| each.get(n)).copied().unwrap_or(Id::UNKNOWN)
            }
            Node::Instance(item) if self.store.symbol(item).is_some() => self.instance_member(of, (item, &[]), text, depth),
            Node::Applied(instance, given) if !self.store.leads_out(of) => {
                let item = self.store.item_of(instance).unwrap_or(Id::UNKNOWN);
                self.instance_member(of, (item, &given), text, depth)
            }
            Node::Symbol(sym) => {
                let file = self.index.symbol(sym).0;
                self.own_member(file, of, text, depth)
            }
            Node::Both(instance, held) => {
                let inner = if UNWRAPPING.contains(&text) { Id::UNKNOWN } else { self.value_member(held, text, depth + 1) };
                inner.or_else(|| self.value_member(instance, text, depth + 1))
            }
            Node::Many(_) | Node::Map(..) => Id::UNKNOWN,
            _ if self.store.leads_out(of) => self.store.add(Node::Member(of, text.to_owned())),
            _ => Id::UNKNOWN,
        }
    }

    /// A member of a value of a type of the repository, which may have arguments.
    /// The value of a field of a value, where its type has a method of that name besides.
    pub(super) fn field_value(&mut self, of: Id, text: &str, depth: usize) -> Id {
        let of = self.store.bound(of);
        if let Node::Both(instance, held) = *self.store.get(of) {
            return self.field_value(held, text, depth).or_else(|| self.field_value(instance, text, depth));
        }
        let Some(sym) = self.store.item_of(of).and_then(|item| self.store.symbol(item)) else { return Id::UNKNOWN };
        let index = self.index;
        if self.is_over(depth) || !self.is_tree(index.symbol(sym).0) {
            return Id::UNKNOWN;
        }
        let Some(name) = index.names.find(text) else { return Id::UNKNOWN };
        let members = index.members.get(&(sym, name)).map_or(&[][..], Vec::as_slice);
        let mut fields =
            members.iter().filter_map(|member| if let Member::Field(file, at) = member { Some((*file, *at)) } else { None });
        let Some((file, at)) = fields.next().filter(|(file, at)| !index.facts(*file).fields[*at as usize].variant) else {
            return Id::UNKNOWN;
        };
        let value = self.field(file, at, depth + 1);
        if let Node::Applied(_, given) = self.store.get(of).clone() { self.filled_of(value, sym, &given, depth) } else { value }
    }

    /// A member of a value; of one of a type from outside that has one argument, of a value of that as well, as wrappers give the members of
    /// what they hold. Which of them it is knows who knows the type. Names that collections have say nothing of what they hold.
    pub(super) fn member_within(&mut self, place: Place, of: Id, text: &str, depth: usize) -> Id {
        let own = self.value_member(of, text, depth);
        let Node::Applied(_, given) = self.store.get(self.store.bound(of)) else { return own };
        let &[within] = given.as_slice() else { return own };
        if !self.store.leads_out(of) || self.is_common(place.file, text) {
            return own;
        }
        let within = self.member_within(place, within, text, depth + 1);
        self.store.either(&[own, within])
    }

    fn instance_member(&mut self, of: Id, (item, given): (Id, &[Id]), text: &str, depth: usize) -> Id {
        let Some(sym) = self.store.symbol(item) else { return Id::UNKNOWN };
        let index = self.index;
        let (place, symbol) = self.place_of(sym);
        let members = index.names.find(text).map_or_else(Vec::new, |name| index.find_members(sym, name));
        let symbols: Vec<Sym> =
            members.iter().filter_map(|member| if let Member::Symbol(sym) = member { Some(*sym) } else { None }).collect();
        if let Some(found) = self.best(symbols.into_iter()) {
            if self.is_getter(found) {
                return self.of_symbol(found, depth + 1);
            }
            let item = self.store.add(Node::Symbol(found));
            let value = self.value_of_item(item, depth + 1);
            return self.asked(value, of);
        }
        let fields: Vec<Id> = members
            .iter()
            .filter_map(|member| if let Member::Field(file, at) = member { Some((*file, *at)) } else { None })
            .map(|(file, at)| self.field(file, at, depth + 1))
            .collect();
        if !members.is_empty() {
            return self.filled_of(one_of(&fields), sym, given, depth);
        }
        if let Some(embedded) = self.embedded(sym, text, depth) {
            return embedded;
        }
        if symbol.kind == SymbolKind::Alias {
            let target = self.typed(place, symbol.declared, depth + 1);
            if target != Id::UNKNOWN && target != of {
                return self.value_member(target, text, depth + 4);
            }
        }
        if let Some(target) = self.delegate(sym, depth) {
            let target = self.filled_of(target, sym, given, depth);
            let found = self.value_member(target, text, depth + 4);
            if found != Id::UNKNOWN {
                return found;
            }
        }
        if !self.takes_from_outside(sym, depth) {
            return Id::UNKNOWN;
        }
        self.store.add_outward(Node::Member(of, text.to_owned()))
    }

    /// What a type has under the name of a type that it embeds.
    fn embedded(&mut self, of: Sym, text: &str, depth: usize) -> Option<Id> {
        // Types embed others only where folders are packages.
        let (file, _) = self.index.symbol(of);
        self.index.rules(file).filter(|rules| rules.modules == ModuleModel::Folder)?;
        for (place, written) in self.supers_of(of) {
            if self.is_over(depth) {
                return None;
            }
            let above = self.index.facts(place.file).supers[written as usize];
            let mut named = above.of;
            while let Expr::Pointer(inner) = self.expr(place, named) {
                named = inner;
            }
            if above.kind == SuperKind::Embeds && self.last_name(place, named) == text {
                return Some(self.typed(place, above.of, depth + 1));
            }
        }
        None
    }

    /// The value whose members a type has besides its own, where it says so itself.
    pub(super) fn delegate(&mut self, of: Sym, depth: usize) -> Option<Id> {
        let index = self.index;
        let promise = index.rules(index.symbol(of).0)?.delegates?;
        self.promised(of, promise, depth)
    }

    /// The value of a type that a type names where it fulfils an interface.
    pub(super) fn promised(&mut self, of: Sym, promise: (&str, &str), depth: usize) -> Option<Id> {
        let (place, written) = self.promise_written(of, promise)?;
        Some(self.typed(place, written, depth + 1))
    }

    /// The type whose members a type has besides its own, as it is written.
    pub(super) fn delegate_written(&self, of: Sym) -> Option<(Place, ExprId)> {
        let promise = self.index.rules(self.index.symbol(of).0)?.delegates?;
        self.promise_written(of, promise)
    }

    fn promise_written(&self, of: Sym, (interface, name): (&str, &str)) -> Option<(Place, ExprId)> {
        let index = self.index;
        let targets = index.members.get(&(of, index.names.find(name)?))?;
        for member in targets {
            let Member::Symbol(sym) = *member else { continue };
            let (place, symbol) = self.place_of(sym);
            let Container::Owner(at) = symbol.container else { continue };
            let implements = index.facts(place.file).owners[at as usize].implements;
            if self.last_name(place, implements) == interface {
                return Some((place, symbol.declared));
            }
        }
        None
    }

    /// Many of what a type holds: as it is declared, or as it says of being iterated over.
    pub(super) fn many_of(&mut self, of: Sym, depth: usize) -> Id {
        let (place, symbol) = self.place_of(of);
        let declared = self.typed(place, symbol.declared, depth + 1);
        if matches!(self.store.get(declared), Node::Many(_) | Node::Map(..)) {
            return declared;
        }
        let is_tree = self.index.rules(place.file).is_some_and(|rules| rules.modules == ModuleModel::Tree);
        let each: Vec<Id> = if is_tree {
            ITERATED.iter().filter_map(|iterated| self.promised(of, *iterated, depth)).collect()
        } else {
            Vec::new()
        };
        let each = one_of(&each);
        self.store.add(Node::Many(each))
    }

    /// What a variant of a type holds, as it is declared.
    pub(super) fn variant(&self, of: Id, text: &str) -> Option<(Place, ExprId)> {
        let index = self.index;
        let sym = self.store.symbol(of)?;
        let members = index.find_members(sym, index.names.find(text)?);
        let Member::Field(file, at) = *members.first()? else { return None };
        let field = index.facts(file).fields[at as usize];
        Some((Place { file, module: index.module_of(file, field.container) }, field.declared))
    }

    /// The type above that of a container.
    pub(super) fn super_item(&mut self, place: Place, container: Container, depth: usize) -> Id {
        let Some(written) = self.supers_written(place.file, container).first().copied() else { return Id::UNKNOWN };
        let of = self.index.facts(place.file).supers[written as usize].of;
        self.item(place, of, depth)
    }

    /// The supertypes that a type writes: places of the file they are written in.
    pub(super) fn supers_of(&mut self, of: Sym) -> Vec<(Place, u32)> {
        let index = self.index;
        let (file, _) = index.symbol(of);
        let id = SymbolId(of.0 - index.first_symbol[file.0 as usize]);
        let mut found: Vec<(Place, u32)> = Vec::new();
        let mut add = |terms: &mut Self, file: FileId, container: Container| {
            for written in terms.supers_written(file, container) {
                found.push((Place { file, module: index.module_of(file, container) }, written));
            }
        };
        add(self, file, Container::Symbol(id));
        for (file, at) in self.blocks.get(&of).cloned().unwrap_or_default() {
            add(self, file, Container::Owner(at));
        }
        found
    }

    /// Whether a type, or one above it, takes over something from outside.
    pub(super) fn takes_from_outside(&mut self, of: Sym, depth: usize) -> bool {
        if let Some(known) = self.outward.get(of) {
            return self.again(known);
        }
        self.outward.set(of, false, false);
        let (found, is_cut) = self.watched(|terms| terms.is_below_outside(of, depth));
        self.outward.set(of, found, is_cut);
        found
    }

    fn is_below_outside(&mut self, of: Sym, depth: usize) -> bool {
        let index = self.index;
        let mut all = vec![of];
        let mut at = 0;
        let mut found = false;
        while let Some(sym) = all.get(at).copied() {
            at += 1;
            if index.supers_outside.contains_key(&sym) {
                for (place, written) in self.supers_of(sym) {
                    let above = index.facts(place.file).supers[written as usize];
                    let item = self.item(place, above.of, depth + 1);
                    found |= self.store.leads_out(item);
                }
            }
            for above in index.supers.get(&sym).into_iter().flatten() {
                if all.len() <= MAX_ABOVE && !all.contains(&above.target) {
                    all.push(above.target);
                }
            }
        }
        found
    }
}
