//! Methods that a file can call because it imports the trait that has them: the trait may be for every type, and no type says so.

use super::Terms;
use super::builtin::tried_name;
use super::paths::Lookup;
use super::store::{Id, Node};
use crate::resolve::types::Place;
use crate::resolve::{FileId, ModuleId};
use activate_grammars::facts::{Expr, ImportKind, NameId, Site, SiteKind};
use activate_grammars::scope::ModuleModel;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The most traits that a method is looked for in.
const MAX_TRAITS: usize = 8;

/// Methods of which it is known what they give, and which are none of the language's own types.
const OF_LIBRARIES: [&str; 2] = ["context", "with_context"];

/// Traits from outside that a file imports and never names: it can only want their methods.
pub(super) struct Extensions {
    traits: Vec<(ModuleId, Id)>,
}

impl Terms<'_, '_> {
    pub(super) fn extensions(&mut self, file: FileId) -> Rc<Extensions> {
        if let Some(known) = self.extensions.get(&file) {
            return Rc::clone(known);
        }
        let (found, is_cut) = self.watched(|terms| Rc::new(terms.extensions_of(file)));
        if !is_cut {
            self.extensions.insert(file, Rc::clone(&found));
        }
        found
    }

    fn extensions_of(&mut self, file: FileId) -> Extensions {
        let index = self.index;
        let mut traits = Vec::new();
        if index.rules(file).is_none_or(|rules| rules.modules != ModuleModel::Tree) {
            return Extensions { traits };
        }
        let facts = index.facts(file);
        // What is derived is named above the type alone.
        let expanded: FxHashSet<u32> =
            facts.sites.iter().filter(|site| site.kind == SiteKind::Macro).map(|site| site.expr.0).collect();
        let named = facts.exprs.iter().zip(0..).filter(|(_, at)| !expanded.contains(at));
        let named: FxHashSet<NameId> =
            named.filter_map(|(expr, _)| if let Expr::Name(name) = expr { Some(*name) } else { None }).collect();
        for (import, place) in facts.imports.iter().zip(0..) {
            let is_unnamed = import.local.is_none_or(|local| !named.contains(&local));
            let is_type = import.path.last().is_some_and(|name| facts.names.get(*name).starts_with(char::is_uppercase));
            if !matches!(import.kind, ImportKind::Item | ImportKind::Module) || !is_unnamed || !is_type || import.exported {
                continue;
            }
            let item = self.import(file, place, 0);
            if self.store.leads_out(item) {
                traits.push((index.module_of(file, import.container), item));
            }
        }
        Extensions { traits }
    }

    /// The methods of such traits that a site may call, for whoever knows the traits.
    pub(super) fn extending(&mut self, extensions: &Extensions, place: Place, site: &Site) -> Vec<(Id, u8)> {
        if extensions.traits.is_empty() || site.kind != SiteKind::Call {
            return Vec::new();
        }
        let (Expr::Member(base, name) | Expr::Scoped(base, name)) = self.expr(place, site.expr) else { return Vec::new() };
        let text = self.index.facts(place.file).names.get(name);
        let receiver = self.value(place, base, 0);
        if self.is_called_like(receiver, text) || site.in_macro && receiver == Id::UNKNOWN && self.has_method(place, text) {
            return Vec::new();
        }
        // A method of the type's own goes before those of traits from outside.
        let own = self.store.item_of(self.store.bound(receiver)).and_then(|item| self.store.symbol(item));
        if own.is_some_and(|own| !self.index.all_methods(own, self.index.name(place.file, name)).is_empty()) {
            return Vec::new();
        }
        let mut found: Vec<(Id, u8)> = Vec::new();
        // What a trait has for what may go wrong goes before what it has for all.
        let is_tried = matches!(self.store.get(self.store.bound_but_tried(receiver)), Node::Tried(..));
        if is_tried {
            let for_tried = self.of_traits(extensions, place, (text, &tried_name(text)), receiver);
            found.extend(for_tried.into_iter().map(|id| (id, 1)));
        }
        let of_all = self.of_traits(extensions, place, (text, text), receiver);
        found.extend(of_all.into_iter().map(|id| (id, 1 + u8::from(is_tried))));
        found
    }

    /// Whether a value is of a type from outside that has the name of the method: it is there for that, as `AsText` is for `as_text`.
    fn is_called_like(&self, of: Id, text: &str) -> bool {
        let item = self.store.item_of(self.store.bound(of));
        let Some(Node::Member(_, name)) = item.map(|item| self.store.get(item)) else { return false };
        let mut words = text.split('_').flat_map(str::chars);
        name.chars().all(|c| words.next().is_some_and(|word| word.eq_ignore_ascii_case(&c))) && words.next().is_none()
    }

    /// Whether a type of the repository has a method of that name.
    fn has_method(&self, place: Place, text: &str) -> bool {
        let Some(name) = self.index.names.find(text) else { return false };
        self.is_tree(place.file) && self.methods.contains(&name)
    }

    /// What a method gives that nothing is known to have but traits that the file imports.
    pub(super) fn extended_result(&mut self, place: Place, text: &str, depth: usize) -> Id {
        let own = self.of_own_trait(place, text, depth);
        if own != Id::UNKNOWN {
            return self.result(own, depth);
        }
        let extensions = self.extensions(place.file);
        let methods = self.of_traits(&extensions, place, (text, text), Id::UNKNOWN);
        let results: Vec<Id> = methods.into_iter().map(|method| self.result(method, depth)).collect();
        self.store.either(&results)
    }

    /// The method of that name of an interface of the repository, where one alone has it and can be seen here.
    pub(super) fn of_own_trait(&mut self, place: Place, text: &str, depth: usize) -> Id {
        let index = self.index;
        let Some(name) = index.names.find(text).filter(|_| !self.is_common(place.file, text)) else { return Id::UNKNOWN };
        let Some([(of, method)]) = self.own_methods.get(&name).map(Vec::as_slice) else { return Id::UNKNOWN };
        let (of, method) = (*of, *method);
        let trait_text = {
            let (file, symbol) = index.symbol(of);
            index.facts(file).names.get(symbol.name)
        };
        let Some(trait_name) = index.names.find(trait_text) else { return Id::UNKNOWN };
        let seen = self.in_module(place.module, (trait_name, trait_text, false), &mut Lookup::default(), depth + 1);
        if self.store.symbol(seen) == Some(of) { self.store.add(Node::Symbol(method)) } else { Id::UNKNOWN }
    }

    /// Whether the language's own types have methods of that name.
    pub(super) fn is_common(&self, file: FileId, text: &str) -> bool {
        self.index.rules(file).is_none_or(|rules| {
            rules.common_methods.contains(&text) || rules.known_methods.iter().any(|(known, _)| *known == text)
        })
    }

    /// The members of a name that such traits have, where they may be meant by a method.
    fn of_traits(&mut self, extensions: &Extensions, place: Place, (text, member): (&str, &str), receiver: Id) -> Vec<Id> {
        let Some(rules) = self.index.rules(place.file) else { return Vec::new() };
        // Of a name that the language's own types have, only what is known to be of another type may be meant.
        let is_known = rules.known_methods.iter().any(|(known, _)| *known == text) && !OF_LIBRARIES.contains(&text);
        let is_common = rules.common_methods.contains(&text) || is_known;
        if is_common && !self.store.leads_out(receiver) {
            return Vec::new();
        }
        let here = extensions.traits.iter().filter(|(module, _)| *module == place.module).map(|(_, item)| *item);
        let here: Vec<Id> = here.take(MAX_TRAITS).collect();
        here.into_iter().map(|item| self.store.add(Node::Member(item, member.to_owned()))).collect()
    }
}
