//! Lexical scopes: which local binding a name means.
//!
//! A name waits in the innermost open scope; when a scope closes, the names that it binds are settled and the others wait on in the scope
//! around it. What is left at the end belongs to the module or to imports.

use super::Lower;
use super::flow::{self, Reach};
use crate::facts::{BindingId, Expr, ExprId, NameId, SymbolId};

/// How many bindings of one name in one scope are looked through: code that people write has few hundreds, and each use looks for its own.
const MAX_PASSED: usize = 1_000;

/// What a name is bound to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    /// A variable, parameter or type parameter.
    Binding(BindingId),
    /// A definition inside a function.
    Symbol(SymbolId),
    /// What a path means, under the name that an import inside a block gives it.
    Path(ExprId),
}

#[derive(Debug, Clone, Copy)]
struct Bound {
    name: NameId,
    target: Target,
    /// The first byte at which the name is known.
    known_from: u32,
    /// The byte from which on it is not known any more.
    known_to: u32,
    /// Whether it is known in the whole function around.
    rises: bool,
    /// The binding of the same name before it in the same scope, plus one; zero for none.
    before: u32,
    /// The branch that it stands in, plus one; zero for none.
    branch: u32,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    expr: ExprId,
    name: NameId,
    at: u32,
    /// Whether it stands where only types and modules can be meant.
    as_type: bool,
}

/// A scope that is open: where its bindings and the names that wait in it begin.
#[derive(Debug, Clone, Copy)]
struct Open {
    first_bound: usize,
    first_waiting: usize,
    /// Whether it is that of a function.
    function: bool,
}

/// Open scopes, innermost last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    open: Vec<Open>,
    bounds: Vec<Bound>,
    waiting: Vec<Waiting>,
    /// The last binding of each name in the scope that is closing, plus one; zero for none.
    last: Vec<u32>,
}

impl Lower<'_> {
    pub(super) fn open_scope(&mut self, function: bool) {
        let (first_bound, first_waiting) = (self.scopes.bounds.len(), self.scopes.waiting.len());
        self.scopes.open.push(Open { first_bound, first_waiting, function });
    }

    /// Makes a name known in the innermost open scope.
    pub(super) fn bind_name(&mut self, name: NameId, target: Target, known_from: u32) {
        if !self.scopes.open.is_empty() {
            let known_from = if self.language.reading.hoists { 0 } else { known_from };
            let branch = self.flow.innermost();
            self.scopes.bounds.push(Bound { name, target, known_from, known_to: u32::MAX, rises: false, before: 0, branch });
        }
    }

    /// Makes a name known in a stretch of the innermost open scope.
    pub(super) fn bind_between(&mut self, name: NameId, target: Target, bytes: (u32, u32)) {
        if !self.scopes.open.is_empty() {
            let branch = self.flow.innermost();
            let (known_from, known_to) = bytes;
            self.scopes.bounds.push(Bound { name, target, known_from, known_to, rises: false, before: 0, branch });
        }
    }

    /// How many names are bound in the open scopes.
    pub(super) fn n_bound(&self) -> u32 {
        self.scopes.bounds.len() as u32
    }

    /// Lets what has been bound since `first` be known in the whole function around.
    pub(super) fn raise_names(&mut self, first: u32) {
        self.scopes.bounds[first as usize..].iter_mut().for_each(|bound| bound.rises = true);
    }

    /// Hides from byte `at` on what the innermost open scope has bound so far.
    pub(super) fn end_names(&mut self, at: u32) {
        let first = self.scopes.open.last().map_or(0, |open| open.first_bound);
        for bound in &mut self.scopes.bounds[first..] {
            bound.known_to = bound.known_to.min(at);
        }
    }

    /// Lets a name wait for its binding.
    pub(super) fn await_name(&mut self, expr: ExprId, name: NameId, at: u32, as_type: bool) {
        let as_type = as_type && self.language.scope.values_and_types_apart;
        self.scopes.waiting.push(Waiting { expr, name, at, as_type });
    }

    /// A name that names no variable waits for no binding.
    pub(super) fn forget_waiting(&mut self, expr: ExprId) {
        // Names wait in the order of their expressions.
        let waiting = &mut self.scopes.waiting;
        let first = waiting.iter().rposition(|waiting| waiting.expr < expr).map_or(0, |before| before + 1);
        if waiting.get(first).is_some_and(|waiting| waiting.expr == expr) {
            waiting.remove(first);
        }
    }

    /// Says that a waiting name starts a path, where variables cannot be meant.
    pub(super) fn await_as_path(&mut self, expr: ExprId) {
        if !self.language.scope.values_and_types_apart {
            return;
        }
        // Names wait in the order of their expressions.
        let mut recent = self.scopes.waiting.iter_mut().rev().take_while(|waiting| waiting.expr >= expr);
        if let Some(waiting) = recent.find(|waiting| waiting.expr == expr) {
            waiting.as_type = true;
        }
    }

    /// What a name means at a place, by its bindings in a scope, which stand in the order in which they are known: the last ones that reach
    /// the place, else the first of all.
    fn reaching(&mut self, bounds: (usize, usize), at: u32) -> Option<Target> {
        let bounds = self.scopes.bounds.get(bounds.0..bounds.1)?;
        let (first, n_known) = (bounds.first()?.target, bounds.partition_point(|bound| bound.known_from <= at));
        let name = bounds[0].name;
        let mut reaching: Vec<BindingId> = Vec::new();
        for bound in bounds[..n_known].iter().rev().take(MAX_PASSED) {
            #[cfg(test)]
            work::add(1);
            let reach = if at < bound.known_to { self.flow.reach(bound.branch, at) } else { Reach::Not };
            match bound.target {
                _ if reach == Reach::Not => continue,
                Target::Binding(id) => reaching.push(id),
                other if reaching.is_empty() => return Some(other),
                _ => {}
            }
            if reach == Reach::Surely || reaching.len() > flow::MAX_REACHING {
                break;
            }
        }
        Some(if reaching.is_empty() { first } else { Target::Binding(self.merged(name, reaching)) })
    }

    /// Settles the names that wait in a scope and are bound there, in languages where names flow; says which go on waiting.
    fn settle_flowing(&mut self, first_bound: usize, first_waiting: usize) {
        let mut kept = first_waiting;
        for index in first_waiting..self.scopes.waiting.len() {
            let waiting = self.scopes.waiting[index];
            let last = self.scopes.last[waiting.name.0 as usize] as usize;
            let n_others =
                self.scopes.bounds[first_bound..last.max(first_bound)].partition_point(|bound| bound.name < waiting.name);
            let Some(target) = self.reaching((first_bound + n_others, last), waiting.at) else {
                self.scopes.waiting[kept] = waiting;
                kept += 1;
                continue;
            };
            if matches!(self.facts.exprs[waiting.expr.0 as usize], Expr::Name(_)) {
                self.facts.exprs[waiting.expr.0 as usize] = self.named_by(target);
            }
        }
        self.scopes.waiting.truncate(kept);
        for index in first_bound..self.scopes.bounds.len() {
            self.scopes.last[self.scopes.bounds[index].name.0 as usize] = 0;
        }
        self.scopes.bounds.truncate(first_bound);
    }

    fn named_by(&self, target: Target) -> Expr {
        match target {
            Target::Binding(binding) => Expr::Local(binding),
            Target::Symbol(symbol) => Expr::Symbol(symbol),
            Target::Path(path) => self.facts.exprs[path.0 as usize],
        }
    }

    pub(super) fn close_scope(&mut self) {
        let flows = self.language.reading.flows;
        let scopes = &mut self.scopes;
        let Some(Open { first_bound, first_waiting, function }) = scopes.open.pop() else { return };
        if scopes.bounds.len() > first_bound {
            scopes.last.resize(self.facts.names.len().max(scopes.last.len()), 0);
            if flows {
                // By name, and what a loop binds was met behind what its body binds.
                scopes.bounds[first_bound..].sort_by_key(|bound| (bound.name, bound.known_from));
            }
            for index in first_bound..scopes.bounds.len() {
                let name = scopes.bounds[index].name.0 as usize;
                scopes.bounds[index].before = scopes.last[name];
                scopes.last[name] = index as u32 + 1;
            }
            if flows {
                return self.settle_flowing(first_bound, first_waiting);
            }
            let mut kept = first_waiting;
            for index in first_waiting..scopes.waiting.len() {
                let waiting = scopes.waiting[index];
                let mut candidate = scopes.last[waiting.name.0 as usize];
                let mut n_passed = 0;
                while candidate > 0 && n_passed < MAX_PASSED {
                    n_passed += 1;
                    #[cfg(test)]
                    work::add(1);
                    let bound = &scopes.bounds[candidate as usize - 1];
                    let is_variable =
                        matches!(bound.target, Target::Binding(id) if self.facts.bindings[id.0 as usize].parameter.is_none());
                    if (bound.known_from..bound.known_to).contains(&waiting.at) && !(waiting.as_type && is_variable) {
                        break;
                    }
                    candidate = bound.before;
                }
                if n_passed == MAX_PASSED {
                    // A name outside would be the wrong one.
                    self.facts.exprs[waiting.expr.0 as usize] = Expr::Unknown;
                    continue;
                }
                if candidate == 0 {
                    scopes.waiting[kept] = waiting;
                    kept += 1;
                    continue;
                }
                if matches!(self.facts.exprs[waiting.expr.0 as usize], Expr::Name(_)) {
                    self.facts.exprs[waiting.expr.0 as usize] = match scopes.bounds[candidate as usize - 1].target {
                        Target::Binding(binding) => Expr::Local(binding),
                        Target::Symbol(symbol) => Expr::Symbol(symbol),
                        Target::Path(path) => self.facts.exprs[path.0 as usize],
                    };
                }
            }
            scopes.waiting.truncate(kept);
            for index in first_bound..scopes.bounds.len() {
                scopes.last[scopes.bounds[index].name.0 as usize] = 0;
            }
            let mut kept = first_bound;
            if !function && !scopes.open.is_empty() {
                for index in first_bound..scopes.bounds.len() {
                    if scopes.bounds[index].rises {
                        scopes.bounds[kept] = scopes.bounds[index];
                        kept += 1;
                    }
                }
            }
            scopes.bounds.truncate(kept);
        }
    }
}
