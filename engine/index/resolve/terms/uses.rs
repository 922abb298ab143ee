//! Sites that lead out of the repository.

use super::Terms;
use super::store::{Id, Node};
use super::values::DEFAULT;
use crate::base::FactBase;
use crate::boundary::{Boundary, TermId, Use, UseKind};
use crate::resolve::types::Place;
use crate::resolve::{FileId, Sym};
use activate_grammars::facts::{Container, Expr, ExprId, Import, ImportKind, Site, SiteKind, SuperKind};
use activate_grammars::scope::ModuleModel;
use activate_rules::atoms::NodeId;
use activate_rules::links::Confidence;
use rustc_hash::FxHashMap;

/// The interface whose function gives a value of whatever is wanted.
const DEFAULT_OF: &str = "Default";

impl Terms<'_, '_> {
    /// Adds the sites of all files that lead out.
    pub(super) fn add_uses(&mut self, boundary: &mut Boundary, base: &FactBase) {
        self.store.set_files(self.index.files.len());
        for number in 0..self.index.files.len() as u32 {
            let file = FileId(number);
            if self.index.rules(file).is_none() || self.index.by_name_in(file).is_some() {
                continue;
            }
            self.begin();
            self.add_imports(boundary, file);
            self.add_sites(boundary, base, file);
            self.add_supers(boundary, file);
            self.add_overrides(boundary, file);
            self.add_assertions(boundary, file);
        }
    }

    /// Adds what a site names; `others` are meant where the first means nothing.
    pub(super) fn push(
        &mut self,
        boundary: &mut Boundary,
        (from, line, kind): (NodeId, u32, UseKind),
        id: Id,
        others: &[(Id, u8)],
    ) {
        let of_rank = |terms: &Self, id: Id, rank: u8| -> Vec<(Id, u8)> {
            let each = if terms.store.leads_out(id) { terms.store.each(id) } else { Vec::new() };
            each.into_iter().map(|id| (id, rank)).collect()
        };
        let mut all = of_rank(self, id, 0);
        for (other, rank) in others {
            all.extend(of_rank(self, *other, *rank));
        }
        let mut terms: Vec<(TermId, u8)> = Vec::new();
        for (id, rank) in all {
            let Some(term) = self.store.write(id) else { continue };
            if terms.iter().all(|(known, _)| *known != term) {
                terms.push((term, rank));
            }
        }
        self.n_choices += u32::from(terms.len() > 1);
        let site = if terms.len() > 1 { self.n_choices } else { 0 };
        boundary.uses.extend(terms.into_iter().map(|(term, rank)| Use { from, line, kind, term, site, rank }));
    }

    fn add_imports(&mut self, boundary: &mut Boundary, file: FileId) {
        let index = self.index;
        for (place, import) in index.facts(file).imports.iter().enumerate() {
            let id = self.imported(file, place as u32, import);
            self.push(boundary, (NodeId(file.0), import.line, UseKind::Import), id, &[]);
        }
    }

    fn imported(&mut self, file: FileId, place: u32, import: &Import) -> Id {
        if import.path.is_empty() || import.kind == ImportKind::Child {
            return Id::UNKNOWN;
        }
        self.import(file, place, 0)
    }

    fn add_sites(&mut self, boundary: &mut Boundary, base: &FactBase, file: FileId) {
        let index = self.index;
        let facts = index.facts(file);
        let linked = linked(base, NodeId(file.0));
        let mut n_named: FxHashMap<(u32, &str), usize> = FxHashMap::default();
        for site in facts.sites.iter().filter(|site| site.line > 0) {
            let place = Place { file, module: index.file_module[file.0 as usize] };
            *n_named.entry((site.line, self.last_name(place, site.expr))).or_default() += 1;
        }
        let extensions = self.extensions(file);
        let constructs = index.rules(file).is_some_and(|rules| rules.constructor.is_some());
        let has_folders = index.rules(file).is_some_and(|rules| rules.modules == ModuleModel::Folder);
        for site in facts.sites.iter().filter(|site| site.line > 0) {
            let kind = match site.kind {
                SiteKind::Call | SiteKind::Macro => UseKind::Call,
                // Making an instance runs code only where there are constructors.
                SiteKind::New if constructs => UseKind::Call,
                SiteKind::New | SiteKind::Type | SiteKind::Mention => UseKind::Reference,
                SiteKind::Given | SiteKind::Around => continue,
            };
            let container = site.from.map_or(Container::File, Container::Symbol);
            let place = Place { file, module: index.module_of(file, container) };
            let mut id = self.named(place, site);
            if let Some(wanted) = self.wanted(place, site.expr) {
                id = id.or_else(|| self.wanted_default(place, wanted));
            }
            // A package in front of a name is none of its files.
            if has_folders && kind == UseKind::Reference && self.store.each(id).iter().all(|id| self.is_package(*id)) {
                continue;
            }
            // What a module from outside has under a name is never meant by a link inside: that is of another use on the line.
            let named = (site.line, self.last_name(place, site.expr));
            let n_linked = linked.get(&named).copied().unwrap_or(0);
            if n_linked > 0 && n_linked >= n_named.get(&named).copied().unwrap_or(0) && !self.is_of_outside(id) {
                continue;
            }
            let from = site.from.map_or(NodeId(file.0), |id| self.store.node(Sym(index.first_symbol[file.0 as usize] + id.0)));
            let others = self.extending(&extensions, place, site);
            self.push(boundary, (from, site.line, kind), id, &others);
        }
    }

    /// What is wanted of a call whose function gives whatever that is: `Default::default()`.
    fn wanted(&self, place: Place, callee: ExprId) -> Option<ExprId> {
        let facts = self.index.facts(place.file);
        let Expr::Scoped(base, name) = self.expr(place, callee) else { return None };
        let is_it = self.is_tree(place.file) && facts.names.get(name) == DEFAULT && self.last_name(place, base) == DEFAULT_OF;
        facts.arguments_of(callee).filter(|_| is_it)?.first().copied()
    }

    /// The function that makes a value of a type from outside, where one is wanted.
    fn wanted_default(&mut self, place: Place, wanted: ExprId) -> Id {
        let of = self.value(place, wanted, 0);
        let of = self.store.bound(of);
        let of = if let Node::Both(instance, _) = *self.store.get(of) { instance } else { of };
        if self.store.item_of(of).is_some_and(|item| self.store.leads_out(item)) {
            self.store.add(Node::Member(of, DEFAULT.to_owned()))
        } else {
            Id::UNKNOWN
        }
    }

    /// What a site names, where that is something with a name.
    fn named(&mut self, place: Place, site: &Site) -> Id {
        match self.expr(place, site.expr) {
            Expr::Name(_) | Expr::Scoped(..) | Expr::Member(..) => {}
            Expr::Super(container) => return self.super_item(place, container, 0),
            Expr::Apply(base, _) => return self.named(place, &Site { expr: base, ..*site }),
            _ => return Id::UNKNOWN,
        }
        if let (Expr::Name(name), SiteKind::Call, true) =
            (self.expr(place, site.expr), site.kind, self.index.has_bare_members(place.file))
        {
            return self.bare_method(place, site.expr, name, 0);
        }
        // Of a macro and its package of the same name it may be either.
        if let (Expr::Name(name), SiteKind::Mention | SiteKind::Type) = (self.expr(place, site.expr), site.kind)
            && self.is_of_its_name(place, name)
        {
            return Id::UNKNOWN;
        }
        let item = self.item(place, site.expr, 0);
        let id = item.or_else(|| match self.expr(place, site.expr) {
            // A method of the name of a field.
            Expr::Member(base, name) if site.kind == SiteKind::Call && self.is_tree(place.file) => {
                let of = self.value(place, base, 0);
                self.member_within(place, of, self.index.facts(place.file).names.get(name), 0)
            }
            _ => self.value(place, site.expr, 0),
        });
        // A value that the repository holds in a name of its own is not what is named.
        if matches!(self.store.get(id), Node::Member(..) | Node::Outside(..) | Node::Either(_)) {
            self.same_name(place, site, id)
        } else {
            Id::UNKNOWN
        }
    }

    /// Whether a term is a name of a module from outside.
    fn is_of_outside(&self, id: Id) -> bool {
        matches!(self.store.get(id), Node::Member(of, _) if self.is_package(*of))
    }

    /// A term whose last name is that of the site, or that came by another name: an import or a field of the repository holds the value of another.
    fn same_name(&mut self, place: Place, site: &Site, id: Id) -> Id {
        let Expr::Member(base, name) = self.expr(place, site.expr) else { return id };
        let text = self.index.facts(place.file).names.get(name);
        let first = self.store.each(id).first().copied().unwrap_or(id);
        let is_same = matches!(self.store.get(first), Node::Member(_, known) if known == text);
        // What a module of the repository passes on may have another name where it comes from; what a field holds is not what is named.
        let of = self.item(place, base, 0);
        let is_path = matches!(self.store.get(of), Node::Module(_));
        if is_same || is_path { id } else { Id::UNKNOWN }
    }

    fn add_supers(&mut self, boundary: &mut Boundary, file: FileId) {
        let index = self.index;
        for above in &index.facts(file).supers {
            let Some(of) = index.container_type(file, above.container) else { continue };
            let place = Place { file, module: index.module_of(file, above.container) };
            let kind = match above.kind {
                SuperKind::Extends | SuperKind::Embeds => UseKind::Extends,
                SuperKind::Implements => UseKind::Implements,
            };
            let id = self.item(place, above.of, 0);
            // A block may stand in another file than its type, whose lines are meant.
            let is_here = index.symbol_file[of.0 as usize] == file;
            let line = if is_here { above.line } else { index.symbol(of).1.name_line };
            let from = self.store.node(of);
            self.push(boundary, (from, line, kind), id, &[]);
        }
    }
}

/// The lines and names of what a file is surely known to lead to inside of the repository, and how often.
fn linked(base: &FactBase, file: NodeId) -> FxHashMap<(u32, &str), usize> {
    let nodes = std::iter::once(file).chain(base.symbols_of(file).map(NodeId));
    let sites = nodes.flat_map(|node| base.sites_from(node));
    let sure = sites.filter(|site| site.confidence <= Confidence::Qualified && base.is_symbol(site.to));
    let mut found = FxHashMap::default();
    for site in sure {
        if let Some(symbol) = base.symbol(site.to) {
            *found.entry((site.line, symbol.name)).or_default() += 1;
        }
    }
    found
}
