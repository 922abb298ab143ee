//! Names of languages in which the members of a type are known by their names alone, and packages by the names that paths begin with.

use super::Terms;
use super::store::{Id, MAX_EITHER, Node};
use crate::resolve::bare::{Bare, MAX_GLOBS, Missing};
use crate::resolve::imports::Seen;
use crate::resolve::index::{Def, Member};
use crate::resolve::types::Place;
use crate::resolve::{FileId, Item, Sym};
use activate_grammars::facts::{Expr, ExprId, ImportKind, NameId};

/// The longest path of a package.
const MAX_PARTS: usize = 16;

impl Terms<'_, '_> {
    fn bare(&self, place: Place, expr: ExprId, name: NameId) -> Bare {
        Bare { file: place.file, here: place.module, expr, name: self.index.name(place.file, name) }
    }

    /// The type or package that a bare name means.
    pub(super) fn bare_item(&mut self, place: Place, expr: ExprId, name: NameId, depth: usize) -> Id {
        let index = self.index;
        let bare = self.bare(place, expr, name);
        if index.bare_value(bare).is_some() {
            return Id::UNKNOWN;
        }
        let items = index.bare_type(bare);
        if items.iter().any(|item| !matches!(item, Item::Foreign)) {
            return self.first_item(&items);
        }
        if items.is_empty() { Id::UNKNOWN } else { self.imported_name(place, name, depth) }
    }

    /// What an import brings under a name: one that names it, or one that brings all of a package from outside.
    fn imported_name(&mut self, place: Place, name: NameId, depth: usize) -> Id {
        let index = self.index;
        let text = index.facts(place.file).names.get(name);
        let definitions = index.definitions(place.module, index.name(place.file, name));
        for def in definitions {
            if let Def::Import(file, at) = *def {
                let found = self.import(file, at, depth + 1);
                if found != Id::UNKNOWN {
                    return found;
                }
            }
        }
        let is_type = text.starts_with(char::is_uppercase);
        if !is_type || !definitions.is_empty() || index.is_builtin(place.file, index.name(place.file, name)) {
            return Id::UNKNOWN;
        }
        let mut all = Vec::new();
        for (file, at) in index.modules[place.module.0 as usize].globs.iter().take(MAX_GLOBS) {
            if all.len() == MAX_EITHER {
                break;
            }
            let of = self.import(*file, *at, depth + 1);
            if self.store.leads_out(of) && !all.contains(&of) {
                all.push(of);
            }
        }
        self.of_any(&all, text)
    }

    /// The value of a field that a bare name means.
    pub(super) fn bare_field(&mut self, place: Place, expr: ExprId, name: NameId, depth: usize) -> Option<Id> {
        let (_, _, member) = self.index.bare_value(self.bare(place, expr, name))?;
        let Member::Field(file, at) = member else { return None };
        Some(self.field(file, at, depth + 1))
    }

    /// The method that a bare name in front of arguments means.
    pub(super) fn bare_method(&mut self, place: Place, expr: ExprId, name: NameId, depth: usize) -> Id {
        let index = self.index;
        match index.bare_methods(self.bare(place, expr, name)) {
            Ok(found) => self.best(found.methods.into_iter()).map_or(Id::UNKNOWN, |sym| self.store.add(Node::Symbol(sym))),
            Err(Missing::Imported) => self.imported_name(place, name, depth),
            Err(Missing::Outside) => {
                let Some(id) = index.facts(place.file).type_around(expr) else { return Id::UNKNOWN };
                let of = self.store.add(Node::Symbol(Sym(index.first_symbol[place.file.0 as usize] + id.0)));
                let of = self.instance(of, depth);
                let inherited = self.value_member(of, index.facts(place.file).names.get(name), depth);
                // What a type above has goes before what an import brings; who knows that type knows which.
                let imported = self.imported_name(place, name, depth);
                self.store.either(&[inherited, imported])
            }
            Err(Missing::Unknown) => Id::UNKNOWN,
        }
    }

    /// A type of a package from outside by its whole path: `org.acme.Shop`.
    pub(super) fn whole_path(&mut self, place: Place, base: ExprId, name: NameId) -> Id {
        let index = self.index;
        let text = index.facts(place.file).names.get(name);
        if !index.has_packages(place.file) || !text.starts_with(char::is_uppercase) {
            return Id::UNKNOWN;
        }
        let facts = index.facts(place.file);
        let mut parts = Vec::new();
        let mut at = base;
        while let Expr::Member(inner, part) | Expr::Scoped(inner, part) = facts.exprs[at.0 as usize] {
            parts.push(facts.names.get(part));
            at = inner;
            if parts.len() > MAX_PARTS {
                return Id::UNKNOWN;
            }
        }
        let Expr::Name(first) = facts.exprs[at.0 as usize] else { return Id::UNKNOWN };
        let is_package =
            facts.names.get(first).starts_with(char::is_lowercase) && index.bare_value(self.bare(place, at, first)).is_none();
        if !is_package || parts.iter().any(|part| part.starts_with(char::is_uppercase)) {
            return Id::UNKNOWN;
        }
        parts.push(facts.names.get(first));
        parts.reverse();
        let package = self.outside(place.file, &parts.join("."));
        self.store.add(Node::Member(package, text.to_owned()))
    }

    /// What an import of a path of names brings.
    pub(super) fn package_import(&mut self, file: FileId, place: u32, depth: usize) -> Id {
        let index = self.index;
        let facts = index.facts(file);
        let import = &facts.imports[place as usize];
        let items = index.import_items(file, place, &mut Seen::default());
        let own = self.first_item(&items);
        if own != Id::UNKNOWN {
            let member = import.item.filter(|_| import.kind == ImportKind::Member);
            return member.map_or(own, |item| self.own_member(file, own, facts.names.get(item), depth));
        }
        let names: Vec<&str> = import.path.iter().map(|name| facts.names.get(*name)).collect();
        // Packages begin with small letters, types with large ones.
        let n_package = names.iter().take_while(|name| !name.starts_with(char::is_uppercase)).count();
        let mut at = self.outside(file, &names[..n_package].join("."));
        for name in &names[n_package..] {
            at = self.store.add(Node::Member(at, (*name).to_owned()));
        }
        at
    }
}
