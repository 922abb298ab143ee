//! Type expressions to values of these types.

use super::builtin::RESULT;
use super::store::{Id, MAX_PARTS, Node};
use super::{MAX_DEPTH, Terms};
use crate::resolve::Sym;
use crate::resolve::types::Place;
use activate_grammars::facts::{Container, Expr, ExprId, ListId, SymbolKind};
use activate_grammars::scope::{ModuleModel, ScopeRules};

/// What the names of maps end with where no rule lists them.
const MAP: &str = "Map";

/// Types that hold one value, beside those of which the scope rules say so.
const HOLDERS: &[(&str, u8)] =
    &[("CompletableFuture", 0), ("Optional", 0), ("LazyCell", 0), ("OnceCell", 0), ("OnceLock", 0), ("Weak", 0)];

/// Types that hold their only argument, and whose like in other packages have another one before it.
const LOCKS: [&str; 4] = ["Mutex", "MutexGuard", "ReentrantMutex", "RwLock"];

fn argument(listed: &[(&str, u8)], name: &str) -> Option<usize> {
    listed.iter().find(|(known, _)| *known == name).map(|(_, n)| *n as usize)
}

impl<'a> Terms<'_, 'a> {
    /// The last name of a path; empty where there is none.
    pub(super) fn last_name(&self, place: Place, expr: ExprId) -> &'a str {
        let facts = self.index.facts(place.file);
        match facts.exprs[expr.0 as usize] {
            Expr::Name(name) | Expr::Scoped(_, name) | Expr::Member(_, name) => facts.names.get(name),
            Expr::Apply(base, _) => self.last_name(place, base),
            _ => "",
        }
    }
}

impl Terms<'_, '_> {
    pub(super) fn expr(&self, place: Place, expr: ExprId) -> Expr {
        self.index.facts(place.file).exprs[expr.0 as usize]
    }

    pub(super) fn listed(&self, place: Place, list: ListId) -> Vec<ExprId> {
        self.index.facts(place.file).lists[list.start as usize..(list.start + list.len) as usize].to_vec()
    }

    pub(super) fn make_typed(&mut self, place: Place, expr: ExprId, depth: usize) -> Id {
        match self.expr(place, expr) {
            Expr::Name(_) | Expr::Scoped(..) | Expr::Member(..) | Expr::Symbol(_) => {
                let item = self.item(place, expr, depth);
                // Where a result goes unsaid, the value that is returned stands for the type.
                let instance = self.instance(item, depth);
                self.by_default(place, item, instance, depth).or_else(|| self.value(place, expr, depth))
            }
            Expr::Local(id) => {
                let binding = self.index.facts(place.file).bindings[id.0 as usize];
                if binding.parameter.is_some() {
                    let bound = self.typed(place, binding.declared, depth);
                    self.type_parameter(place, &binding, bound, depth)
                } else {
                    self.value(place, expr, depth)
                }
            }
            Expr::This(container) => self.this(place, container, depth),
            Expr::ThisType(container) => self.this_type(place, container, depth),
            Expr::Apply(base, list) => self.applied(place, base, list, depth),
            Expr::Pointer(inner) | Expr::Deref(inner) | Expr::Await(inner) | Expr::Try(inner) => self.typed(place, inner, depth),
            Expr::Many(inner) => {
                let inner = self.typed(place, inner, depth);
                self.store.add(Node::Many(inner))
            }
            Expr::Map(key, value) => {
                let (key, value) = (self.typed(place, key, depth), self.typed(place, value, depth));
                self.store.add(Node::Map(key, value))
            }
            Expr::Tuple(list) => {
                let each =
                    self.listed(place, list).into_iter().take(MAX_PARTS).map(|each| self.typed(place, each, depth)).collect();
                self.store.add(Node::Tuple(each))
            }
            Expr::Union(list) => {
                let each: Vec<Id> = self.listed(place, list).into_iter().map(|each| self.typed(place, each, depth)).collect();
                one_of(&each).or_else(|| self.bounds(place, &each))
            }
            Expr::Function(_, result) => {
                let result = self.typed(place, result, depth);
                self.store.add(Node::Function(result))
            }
            Expr::Rest(of) => {
                let of = self.typed(place, of, depth);
                self.store.add(Node::Many(of))
            }
            Expr::Nth(base, n) => {
                let base = self.typed(place, base, depth);
                self.part(base, n)
            }
            Expr::Index(base) => {
                let base = self.typed(place, base, depth);
                self.element(base, depth)
            }
            Expr::Keyed(_, of) => self.typed(place, of, depth),
            Expr::Unknown | Expr::Anonymous | Expr::Literal(_) | Expr::Object(_) => Id::UNKNOWN,
            _ => self.value(place, expr, depth),
        }
    }

    /// The instance in a container.
    pub(super) fn this(&mut self, place: Place, container: Container, depth: usize) -> Id {
        let item = self.container_item(place, container, depth);
        if item != Id::UNKNOWN {
            if let Container::Owner(at) = container
                && let Expr::Apply(_, list) = self.expr(place, self.index.facts(place.file).owners[at as usize].of)
            {
                return self.with_arguments(place, item, list, depth);
            }
            return self.instance(item, depth);
        }
        let Container::Owner(at) = container else { return Id::UNKNOWN };
        let of = self.index.facts(place.file).owners[at as usize].of;
        self.typed(place, of, depth)
    }

    /// A value of a type.
    pub(super) fn instance(&mut self, item: Id, depth: usize) -> Id {
        let Some(sym) = self.store.symbol(item) else {
            return if self.store.leads_out(item) { self.store.add(Node::Instance(item)) } else { Id::UNKNOWN };
        };
        let (place, symbol) = self.place_of(sym);
        match symbol.kind {
            SymbolKind::Alias if depth <= MAX_DEPTH && self.twins(sym, depth).len() > 1 => {
                let each: Vec<Id> = self.twins(sym, depth).into_iter().map(|sym| self.of_symbol(sym, depth + 1)).collect();
                self.store.either(&each)
            }
            SymbolKind::Alias if symbol.declared != ExprId::UNKNOWN && depth <= MAX_DEPTH => {
                self.typed(place, symbol.declared, depth + 1).or_else(|| self.store.add(Node::Instance(item)))
            }
            SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias => self.store.add(Node::Instance(item)),
            SymbolKind::Constant | SymbolKind::Variable => self.of_symbol(sym, depth),
            _ => Id::UNKNOWN,
        }
    }

    /// A generic type with arguments.
    fn applied(&mut self, place: Place, base: ExprId, list: ListId, depth: usize) -> Id {
        let item = self.item(place, base, depth);
        let arguments = self.listed(place, list);
        let Some(rules) = self.index.rules(place.file) else { return Id::UNKNOWN };
        let own = self.store.symbol(item);
        let is_alias = |terms: &Self, sym: Sym| terms.index.symbol(sym).1.kind == SymbolKind::Alias;
        // An alias may have the name of a known type: `type Mutex<T> = lock_api::Mutex<RawMutex, T>`.
        let is_tree = rules.modules == ModuleModel::Tree;
        if own.is_some_and(|sym| !is_alias(self, sym) || is_tree && self.twins(sym, depth).len() == 1) {
            return self.with_arguments(place, item, list, depth);
        }
        let name = self.last_name(place, base).to_owned();
        let nth = |terms: &mut Self, n: usize| arguments.get(n).map_or(Id::UNKNOWN, |each| terms.typed(place, *each, depth));
        let passed =
            [rules.transparent, rules.tried, rules.awaited, HOLDERS].into_iter().find_map(|listed| argument(listed, &name));
        let leads_out = self.store.leads_out(item);
        // Of a type from outside that is only called like a known one, nobody here knows which of several arguments it holds.
        let is_other = leads_out && is_tree && arguments.len() > 1 && LOCKS.contains(&name.as_str());
        if let Some(n) = passed.filter(|_| !is_other) {
            let mut inner = nth(self, n);
            if name == RESULT && rules.modules == ModuleModel::Tree {
                let failed = nth(self, 1);
                inner = self.store.add(Node::Tried(inner, failed));
            }
            let is_holder = rules.modules == ModuleModel::Tree && argument(HOLDERS, &name).is_some();
            let wraps = is_holder || argument(rules.transparent, &name).is_some();
            return if leads_out && wraps { self.both(item, inner) } else { inner };
        }
        if own.is_some() {
            return self.with_arguments(place, item, list, depth);
        }
        if rules.union_types.contains(&name.as_str()) {
            let each: Vec<Id> = arguments.iter().map(|each| self.typed(place, *each, depth)).collect();
            return one_of(&each);
        }
        let is_map = rules.pairs_of.contains(&name.as_str()) || rules.overloads && name.ends_with(MAP);
        if is_map && arguments.len() > 1 {
            let (key, value) = (nth(self, 0), nth(self, 1));
            let held = self.store.add(Node::Map(key, value));
            return if leads_out { self.both(item, held) } else { held };
        }
        if let Some(n) = argument(rules.element_of, &name) {
            let of = nth(self, n);
            let held = self.store.add(Node::Many(of));
            return if leads_out { self.both(item, held) } else { held };
        }
        if leads_out && rules.modules == ModuleModel::Tree {
            self.with_arguments(place, item, list, depth)
        } else {
            self.instance(item, depth)
        }
    }

    /// A value of a type from outside that holds something.
    fn both(&mut self, item: Id, held: Id) -> Id {
        let instance = self.store.add(Node::Instance(item));
        if held == Id::UNKNOWN { instance } else { self.store.add(Node::Both(instance, held)) }
    }

    /// A path as it is written, for tables of known paths: `Arc::new`.
    pub(super) fn written_path(&self, place: Place, expr: ExprId) -> String {
        let facts = self.index.facts(place.file);
        match facts.exprs[expr.0 as usize] {
            Expr::Scoped(base, name) => format!("{}::{}", self.last_name(place, base), facts.names.get(name)),
            _ => self.last_name(place, expr).to_owned(),
        }
    }

    pub(super) fn is_wrapping(&self, rules: &ScopeRules, place: Place, callee: ExprId) -> bool {
        let (text, written) = (self.last_name(place, callee), self.written_path(place, callee));
        rules.wraps_argument.iter().any(|known| *known == text || *known == written)
    }
}

/// What is known of one of several: that which is the same for all of which anything is known.
pub(super) fn one_of(each: &[Id]) -> Id {
    let mut known = each.iter().copied().filter(|id| *id != Id::UNKNOWN);
    let Some(first) = known.next() else { return Id::UNKNOWN };
    if known.all(|other| other == first) { first } else { Id::UNKNOWN }
}
