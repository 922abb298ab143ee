//! Packages that are called otherwise than their paths say, where an import gives them no name of its own: `mount` of `k8s.io/mount-utils`.
//!
//! Only files of the package say what it is called. Its own repository shows that as a member of it ([`PACKAGE`]), and code that imports it asks for
//! that member, so that nothing is found where it is called otherwise.

use super::Terms;
use super::store::{Id, Node};
use crate::boundary::{self, Boundary, Member, PACKAGE};
use crate::resolve::types::Place;
use crate::resolve::{FileId, ModuleId};
use activate_grammars::facts::{Expr, ImportKind};
use activate_grammars::scope::ModuleModel;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// What is known of the packages of a file.
#[derive(Default)]
pub(super) struct Unnamed<'a> {
    /// Packages from outside that are imported without a name, and whose names by their paths have no member in the file: what is imported is used, so
    /// they are called otherwise.
    packages: Vec<Id>,
    /// What stands in front of a dot and nothing in the file binds.
    qualifiers: FxHashSet<&'a str>,
}

impl<'a> Terms<'_, 'a> {
    /// A package by its own name, which no import of the file has as far as paths say: one of those that are imported under none.
    pub(super) fn by_clause(&mut self, place: Place, text: &str) -> Id {
        let unnamed = self.unnamed(place.file);
        if unnamed.packages.is_empty() || !unnamed.qualifiers.contains(text) {
            return Id::UNKNOWN;
        }
        let name = format!("{PACKAGE}{text}");
        let each: Vec<Id> = unnamed.packages.iter().map(|of| self.store.add(Node::Member(*of, name.clone()))).collect();
        self.store.either(&each)
    }

    fn unnamed(&mut self, file: FileId) -> Rc<Unnamed<'a>> {
        if let Some(known) = self.unnamed.get(&file) {
            return Rc::clone(known);
        }
        let (found, is_cut) = self.watched(|terms| Rc::new(terms.unnamed_of(file)));
        if !is_cut {
            self.unnamed.insert(file, Rc::clone(&found));
        }
        found
    }

    fn unnamed_of(&mut self, file: FileId) -> Unnamed<'a> {
        let index = self.index;
        let facts = index.facts(file);
        let Some(project) = index.project(file).filter(|_| self.says_packages(file)) else { return Unnamed::default() };
        let bases = facts.exprs.iter().filter_map(|expr| match expr {
            Expr::Member(base, _) | Expr::Scoped(base, _) => Some(*base),
            _ => None,
        });
        let names = bases.filter_map(|base| if let Expr::Name(name) = facts.exprs[base.0 as usize] { Some(name) } else { None });
        let qualifiers: FxHashSet<&str> = names.map(|name| facts.names.get(name)).collect();
        let mut packages = Vec::new();
        for (import, at) in facts.imports.iter().zip(0..) {
            let path = import.path.first().map(|path| facts.names.get(*path));
            let path = path.filter(|_| import.kind == ImportKind::Module && import.local.is_none());
            if path.is_some_and(|path| !qualifiers.contains(project.default_name(path))) {
                let of = self.import(file, at, 0);
                if matches!(self.store.get(of), Node::Outside(..)) {
                    packages.push(of);
                }
            }
        }
        Unnamed { packages, qualifiers }
    }

    /// Whether files of the language say what the package is called that an import of their folder brings.
    fn says_packages(&self, file: FileId) -> bool {
        self.index.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Folder)
    }

    /// Whether a term is a module from outside, by its path or by its own name.
    pub(super) fn is_package(&self, id: Id) -> bool {
        match self.store.get(id) {
            Node::Outside(..) => true,
            Node::Member(of, name) => name.starts_with(PACKAGE) && matches!(self.store.get(*of), Node::Outside(..)),
            _ => false,
        }
    }

    /// Shows what a module is called, where the name that others import it by does not say so.
    pub(super) fn show_clause(&mut self, boundary: &mut Boundary, module: ModuleId, imported: &str) {
        let index = self.index;
        let Some(file) = index.modules[module.0 as usize].file.filter(|file| self.says_packages(*file)) else { return };
        let facts = index.facts(file);
        let Some((project, name)) = index.project(file).zip(facts.package.map(|name| facts.names.get(name))) else { return };
        if name != project.default_name(imported) {
            let to = self.store.add(Node::Module(module));
            let of = boundary::Place::Module(boundary::ModuleId(module.0));
            boundary.members.extend(self.store.write(to).map(|to| Member { of, name: format!("{PACKAGE}{name}"), to }));
        }
    }
}
