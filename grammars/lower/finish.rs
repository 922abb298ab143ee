//! After the walk: takes out what turned out not to be facts and packs the rest.

use super::{Lower, define::NO_NAME};
use crate::facts::{
    Binding, BindingId, Container, Expr, ExprId, FileFacts, ListId, NameId, Names, Note, NoteKind, SiteKind, SymbolId, Web,
};
use crate::passages::passages;
use crate::{Extracted, Level};
use rustc_hash::FxHashSet;

/// A number that stands for something taken out.
const GONE: u32 = u32::MAX;

impl Lower<'_> {
    /// Packs the facts: only living symbols and sites, only expressions and bindings that they mention.
    pub(super) fn finish(mut self) -> Extracted {
        self.show_listed();
        if self.language.level() == Level::ByName {
            self.drop_forward_declarations();
        }
        self.drop_symbols();
        if self.language.is_vendored(self.path) {
            self.facts.keep_definitions();
        }
        // What is assigned to instances stands in front of what their class has.
        let is_assigned = |name: NameId| self.assigned_members.contains(&name);
        self.facts.fields.iter_mut().for_each(|field| field.alias &= !is_assigned(field.name));
        self.facts.fields.sort_by_key(|field| field.line);
        let exprs = &self.facts.exprs;
        let calls_alone = self.language.level() == Level::ByName;
        self.facts.sites.retain(|site| {
            site.line > 0
                && !(calls_alone && matches!(site.kind, SiteKind::Mention | SiteKind::Type))
                && match exprs[site.expr.0 as usize] {
                    Expr::Unknown => false,
                    // A local is not a link; a call of one is a call that cannot be followed.
                    Expr::Local(_) => site.kind == SiteKind::Call,
                    _ => true,
                }
        });
        self.note_unsafe_uses();
        for of in std::mem::take(&mut self.tested) {
            if let Expr::Local(id) = self.facts.exprs[of.0 as usize] {
                self.facts.bindings[id.0 as usize].narrowed = true;
            }
        }
        let (said, words) = (std::mem::take(&mut self.said), self.language.reading.routes);
        let mut web = if said.is_empty() { Web::default() } else { crate::routes::read(words, self.source, &self.facts, said) };
        if !(self.language.is_test_path)(self.path) {
            crate::routes::by_path(words, self.path, self.source, &self.facts, &mut web);
        }
        self.facts.web = (!web.is_empty()).then(|| Box::new(web));
        self.facts.passages = passages(&self.facts, &self.levels);
        let packed = Packer::new(self.facts).pack();
        self.zones.sort_by_key(|zone| (zone.start, zone.end, zone.kind));
        // A name inside a comment or literal does not occur; a zone inside another would be counted twice.
        let mut end = 0;
        self.zones.retain(|zone| {
            let keeps = zone.start >= end;
            end = end.max(zone.end);
            keeps
        });
        Extracted { facts: packed, zones: self.zones }
    }

    /// Notes what uses a module that is unsafe as a whole, once a symbol.
    fn note_unsafe_uses(&mut self) {
        let Some(path) = self.language.reading.unsafe_path else { return };
        let facts = &mut self.facts;
        let import = facts.imports.iter().find(|import| import.path.first().is_some_and(|name| facts.names.get(*name) == path));
        let Some(import) = import else { return };
        let local = import.local.or_else(|| import.path.first().copied());
        let is_unsafe = |note: &&Note| note.kind == NoteKind::Unsafe;
        let mut known: FxHashSet<_> = facts.notes.iter().filter(is_unsafe).map(|note| note.symbol).collect();
        for site in &facts.sites {
            let Expr::Member(base, _) = facts.exprs[site.expr.0 as usize] else { continue };
            let Expr::Name(name) = facts.exprs[base.0 as usize] else { continue };
            if Some(name) == local && known.insert(site.from) {
                facts.notes.push(Note { kind: NoteKind::Unsafe, symbol: site.from, line: site.line });
            }
        }
    }

    /// Takes out reserved symbols that no pattern filled in; what names them names their container's symbol instead.
    fn drop_symbols(&mut self) {
        let facts = &mut self.facts;
        // The order of symbols is the order of their first byte; symbols that were pushed late move up.
        let mut order: Vec<u32> =
            (0..facts.symbols.len() as u32).filter(|id| facts.symbols[*id as usize].name != NO_NAME).collect();
        order.sort_by_key(|id| (facts.symbols[*id as usize].bytes.0, *id));
        let mut moved = vec![GONE; facts.symbols.len()];
        for (new, old) in order.iter().enumerate() {
            moved[*old as usize] = new as u32;
        }
        let living = |mut id: u32| -> Option<SymbolId> {
            // Bounded by the depth of the tree: a container is older than what it contains, or a late test around it.
            for _ in 0..=crate::MAX_DEPTH {
                if moved[id as usize] != GONE {
                    return Some(SymbolId(moved[id as usize]));
                }
                match facts.symbols[id as usize].container {
                    Container::Symbol(outer) if outer.0 != id => id = outer.0,
                    _ => return None,
                }
            }
            None
        };
        let container = |of: Container| match of {
            Container::Symbol(id) => living(id.0).map_or(Container::File, Container::Symbol),
            other => other,
        };
        let symbols: Vec<_> = order
            .iter()
            .map(|old| {
                let mut symbol = facts.symbols[*old as usize].clone();
                symbol.container = container(symbol.container);
                symbol
            })
            .collect();
        facts.owners.iter_mut().for_each(|owner| owner.container = container(owner.container));
        facts.fields.iter_mut().for_each(|field| field.container = container(field.container));
        facts.supers.iter_mut().for_each(|each| each.container = container(each.container));
        facts.imports.iter_mut().for_each(|import| import.container = container(import.container));
        for parameter in facts.bindings.iter_mut().filter_map(|binding| binding.parameter.as_mut()) {
            parameter.of = container(parameter.of);
        }
        for (_, of) in &mut facts.within {
            *of = living(of.0).unwrap_or(SymbolId(GONE));
        }
        facts.within.retain(|(_, of)| of.0 != GONE);
        for (_, of) in &mut facts.fixtures {
            *of = living(of.0).unwrap_or(SymbolId(GONE));
        }
        facts.fixtures.retain(|(_, of)| of.0 != GONE);
        facts.sites.iter_mut().for_each(|site| site.from = site.from.and_then(|id| living(id.0)));
        facts.notes.iter_mut().for_each(|note| note.symbol = note.symbol.and_then(|id| living(id.0)));
        self.said.iter_mut().for_each(|said| said.from = said.from.and_then(|id| living(id.0)));
        for expr in &mut facts.exprs {
            match expr {
                Expr::This(of) | Expr::ThisType(of) | Expr::Super(of) => *of = container(*of),
                Expr::Symbol(id) | Expr::Given(_, id) => match living(id.0) {
                    Some(new) => *id = new,
                    None => *expr = Expr::Unknown,
                },
                _ => {}
            }
        }
        facts.symbols = symbols;
    }
}

/// Copies what is mentioned, with new numbers.
struct Packer {
    old: FileFacts,
    exprs: Vec<Expr>,
    expr_ids: Vec<u32>,
    lists: Vec<ExprId>,
    bindings: Vec<Binding>,
    binding_ids: Vec<u32>,
    names: Names,
    name_ids: Vec<u32>,
    open: Vec<ExprId>,
}

impl Packer {
    fn new(old: FileFacts) -> Self {
        let expr_ids = vec![GONE; old.exprs.len()];
        let binding_ids = vec![GONE; old.bindings.len()];
        let name_ids = vec![GONE; old.names.len()];
        let mut packer = Self {
            old,
            exprs: Vec::new(),
            expr_ids,
            lists: Vec::new(),
            bindings: Vec::new(),
            binding_ids,
            names: Names::default(),
            name_ids,
            open: Vec::new(),
        };
        packer.expr(ExprId::UNKNOWN);
        packer
    }

    fn pack(mut self) -> FileFacts {
        let mut facts = std::mem::take(&mut self.old);
        self.old.exprs = std::mem::take(&mut facts.exprs);
        self.old.lists = std::mem::take(&mut facts.lists);
        self.old.bindings = std::mem::take(&mut facts.bindings);
        self.old.names = std::mem::take(&mut facts.names);
        facts.package = facts.package.map(|name| self.name(name));
        for symbol in &mut facts.symbols {
            symbol.name = self.name(symbol.name);
            symbol.parameters = self.list(symbol.parameters);
            symbol.declared = self.expr(symbol.declared);
            symbol.value = self.expr(symbol.value);
        }
        for (name, _) in &mut facts.fixtures {
            *name = self.name(*name);
        }
        for owner in &mut facts.owners {
            owner.of = self.expr(owner.of);
            owner.implements = self.expr(owner.implements);
        }
        for field in &mut facts.fields {
            field.name = self.name(field.name);
            field.declared = self.expr(field.declared);
            field.value = self.expr(field.value);
        }
        for each in &mut facts.supers {
            each.of = self.expr(each.of);
        }
        for each in &mut facts.assertions {
            each.value = self.expr(each.value);
            each.implements = self.expr(each.implements);
        }
        for import in &mut facts.imports {
            import.path = import.path.iter().map(|name| self.name(*name)).collect();
            import.item = import.item.map(|name| self.name(name));
            import.local = import.local.map(|name| self.name(name));
        }
        for site in &mut facts.sites {
            site.expr = self.expr(site.expr);
        }
        facts.taken.sort_unstable();
        facts.taken.dedup();
        facts.taken = facts.taken.into_iter().map(|name| self.name(name)).collect();
        self.follow();
        // What a call is given stands before it: from the last to the first, those of calls that are kept alone.
        for (callee, list) in std::mem::take(&mut facts.arguments).into_iter().rev() {
            if self.expr_ids[callee.0 as usize] != GONE {
                let list = self.list(list);
                self.follow();
                facts.arguments.push((self.expr(callee), list));
            }
        }
        facts.arguments.sort_unstable_by_key(|(callee, _)| *callee);
        let kept = |expr: ExprId| Some(self.expr_ids[expr.0 as usize]).filter(|new| *new != GONE).map(ExprId);
        let is_bare = |expr: ExprId| matches!(self.old.exprs[expr.0 as usize], Expr::Name(_));
        let within = facts.within.iter().filter(|(expr, _)| is_bare(*expr));
        facts.within = within.filter_map(|(expr, of)| Some((kept(*expr)?, *of))).collect();
        facts.within.sort_unstable();
        facts.names = self.names;
        facts.exprs = self.exprs;
        facts.lists = self.lists;
        facts.bindings = self.bindings;
        facts
    }

    fn name(&mut self, old: NameId) -> NameId {
        let new = &mut self.name_ids[old.0 as usize];
        if *new == GONE {
            *new = self.names.push(self.old.names.get(old)).0;
        }
        NameId(*new)
    }

    /// The new number of an expression; its content follows later.
    fn expr(&mut self, old: ExprId) -> ExprId {
        if self.expr_ids[old.0 as usize] == GONE {
            self.expr_ids[old.0 as usize] = self.exprs.len() as u32;
            self.exprs.push(Expr::Unknown);
            self.open.push(old);
        }
        ExprId(self.expr_ids[old.0 as usize])
    }

    fn binding(&mut self, old: BindingId) -> BindingId {
        if self.binding_ids[old.0 as usize] == GONE {
            self.binding_ids[old.0 as usize] = self.bindings.len() as u32;
            let binding = self.old.bindings[old.0 as usize];
            let placed = self.bindings.len();
            self.bindings.push(binding);
            let name = self.name(binding.name);
            let declared = self.expr(binding.declared);
            let value = self.expr(binding.value);
            self.bindings[placed] = Binding { name, declared, value, ..binding };
        }
        BindingId(self.binding_ids[old.0 as usize])
    }

    fn list(&mut self, old: ListId) -> ListId {
        let members: Vec<ExprId> = self.old.lists[old.start as usize..(old.start + old.len) as usize].to_vec();
        let members: Vec<ExprId> = members.into_iter().map(|member| self.expr(member)).collect();
        let start = self.lists.len() as u32;
        self.lists.extend(members);
        ListId { start, len: old.len }
    }

    /// Fills in the expressions that have a number but no content yet, and what they mention.
    fn follow(&mut self) {
        while let Some(old) = self.open.pop() {
            let made = match self.old.exprs[old.0 as usize] {
                Expr::Unknown => Expr::Unknown,
                Expr::Anonymous => Expr::Anonymous,
                Expr::Symbol(id) => Expr::Symbol(id),
                Expr::This(of) => Expr::This(of),
                Expr::ThisType(of) => Expr::ThisType(of),
                Expr::Super(of) => Expr::Super(of),
                Expr::Name(name) => Expr::Name(self.name(name)),
                Expr::Literal(name) => Expr::Literal(self.name(name)),
                Expr::Given(name, by) => Expr::Given(self.name(name), by),
                Expr::Local(id) => Expr::Local(self.binding(id)),
                Expr::Member(base, name) => Expr::Member(self.expr(base), self.name(name)),
                Expr::Scoped(base, name) => Expr::Scoped(self.expr(base), self.name(name)),
                Expr::FieldOf(base, name) => Expr::FieldOf(self.expr(base), self.name(name)),
                Expr::Call(callee, first) => Expr::Call(self.expr(callee), self.expr(first)),
                Expr::Expanded(callee, first) => Expr::Expanded(self.expr(callee), self.expr(first)),
                Expr::Payload(value, variant, n) => Expr::Payload(self.expr(value), self.expr(variant), n),
                Expr::Sum(one, other) => Expr::Sum(self.expr(one), self.expr(other)),
                Expr::Map(key, value) => Expr::Map(self.expr(key), self.expr(value)),
                Expr::Nth(base, n) => Expr::Nth(self.expr(base), n),
                Expr::Instance(of) => Expr::Instance(self.expr(of)),
                Expr::Index(of) => Expr::Index(self.expr(of)),
                Expr::Element(of) => Expr::Element(self.expr(of)),
                Expr::Key(of) => Expr::Key(self.expr(of)),
                Expr::Deref(of) => Expr::Deref(self.expr(of)),
                Expr::Await(of) => Expr::Await(self.expr(of)),
                Expr::Try(of) => Expr::Try(self.expr(of)),
                Expr::Function(parameters, result) => Expr::Function(self.list(parameters), self.expr(result)),
                Expr::Argument(callee, n) => Expr::Argument(self.expr(callee), n),
                Expr::Parameter(of, n) => Expr::Parameter(self.expr(of), n),
                Expr::Rest(of) => Expr::Rest(self.expr(of)),
                Expr::Object(list) => Expr::Object(self.list(list)),
                Expr::Keyed(name, of) => Expr::Keyed(self.name(name), self.expr(of)),
                Expr::Pointer(of) => Expr::Pointer(self.expr(of)),
                Expr::Many(of) => Expr::Many(self.expr(of)),
                Expr::Tuple(list) => Expr::Tuple(self.list(list)),
                Expr::Union(list) => Expr::Union(self.list(list)),
                Expr::Apply(base, list) => Expr::Apply(self.expr(base), self.list(list)),
            };
            let new = self.expr_ids[old.0 as usize] as usize;
            self.exprs[new] = made;
        }
    }
}
