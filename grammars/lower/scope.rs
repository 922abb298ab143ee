//! Lexical scopes: which local binding a name means.
//!
//! A name waits in the innermost open scope; when a scope closes, the names that it binds are settled and the others wait on in the scope
//! around it. What is left at the end belongs to the module or to imports.

use super::Lower;
use crate::facts::{BindingId, Expr, ExprId, NameId, SymbolId};

/// What a name is bound to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    /// A variable, parameter or type parameter.
    Binding(BindingId),
    /// A definition inside a function.
    Symbol(SymbolId),
}

#[derive(Debug, Clone, Copy)]
struct Bound {
    name: NameId,
    target: Target,
    /// The first byte at which the name is known.
    known_from: u32,
    /// The binding of the same name before it in the same scope, plus one; zero for none.
    before: u32,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    expr: ExprId,
    name: NameId,
    at: u32,
}

/// Open scopes, innermost last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    open: Vec<(usize, usize)>,
    bounds: Vec<Bound>,
    waiting: Vec<Waiting>,
    /// The last binding of each name in the scope that is closing, plus one; zero for none.
    last: Vec<u32>,
}

impl Lower<'_> {
    pub(super) fn open_scope(&mut self) {
        self.scopes.open.push((self.scopes.bounds.len(), self.scopes.waiting.len()));
    }

    /// Makes a name known in the innermost open scope.
    pub(super) fn bind_name(&mut self, name: NameId, target: Target, known_from: u32) {
        if !self.scopes.open.is_empty() {
            let known_from = if self.language.reading.hoists { 0 } else { known_from };
            self.scopes.bounds.push(Bound { name, target, known_from, before: 0 });
        }
    }

    /// Lets a name wait for its binding.
    pub(super) fn await_name(&mut self, expr: ExprId, name: NameId, at: u32) {
        self.scopes.waiting.push(Waiting { expr, name, at });
    }

    pub(super) fn close_scope(&mut self) {
        let scopes = &mut self.scopes;
        let Some((first_bound, first_waiting)) = scopes.open.pop() else { return };
        if scopes.bounds.len() > first_bound {
            scopes.last.resize(self.facts.names.len().max(scopes.last.len()), 0);
            for index in first_bound..scopes.bounds.len() {
                let name = scopes.bounds[index].name.0 as usize;
                scopes.bounds[index].before = scopes.last[name];
                scopes.last[name] = index as u32 + 1;
            }
            let mut kept = first_waiting;
            for index in first_waiting..scopes.waiting.len() {
                let waiting = scopes.waiting[index];
                let mut candidate = scopes.last[waiting.name.0 as usize];
                while candidate > 0 && scopes.bounds[candidate as usize - 1].known_from > waiting.at {
                    candidate = scopes.bounds[candidate as usize - 1].before;
                }
                if candidate == 0 {
                    scopes.waiting[kept] = waiting;
                    kept += 1;
                    continue;
                }
                let expr = &mut self.facts.exprs[waiting.expr.0 as usize];
                if matches!(expr, Expr::Name(_)) {
                    *expr = match scopes.bounds[candidate as usize - 1].target {
                        Target::Binding(binding) => Expr::Local(binding),
                        Target::Symbol(symbol) => Expr::Symbol(symbol),
                    };
                }
            }
            scopes.waiting.truncate(kept);
            for index in first_bound..scopes.bounds.len() {
                scopes.last[scopes.bounds[index].name.0 as usize] = 0;
            }
            scopes.bounds.truncate(first_bound);
        }
    }
}
