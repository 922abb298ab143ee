//! Calls: what they call, and what some of them stand for.

use super::{Entry, Frame, Lower, NO_SITE, Value, plain_expr};
use crate::capture::{Form, Role};
use crate::facts::{Container, Expr, ExprId, NameId, SiteKind, SymbolId};
use crate::routes::{MAX_CALLS, Said};
use crate::table::Pattern;
use tree_sitter::Node;

/// The most names between the instance and what a method is passed on to.
const MAX_PARTS: usize = 4;

impl Lower<'_> {
    /// A call by its callee: what it gives, and the import, test or macro that it is.
    pub(super) fn call(&mut self, pattern: &Pattern, node: &Node<'_>, frame: Frame, callee: Option<Entry>) -> Value {
        let callee_expr = callee.map_or(ExprId::UNKNOWN, |entry| plain_expr(entry.value));
        self.retag(callee_expr, SiteKind::Call);
        let arguments = self.child(pattern, &frame, Role::Args);
        match self.facts.exprs[callee_expr.0 as usize] {
            Expr::Name(name) if self.language.reading.super_name == Some(self.facts.names.get(name)) => {
                self.kill_expr(callee_expr);
                let container = self.type_container();
                return Value::Expr(self.add_expr(Expr::Super(container)));
            }
            Expr::Super(_) => self.add_site(callee_expr, node.start_position().row as u32, SiteKind::Call),
            Expr::This(_) if self.language.scope.bare_members => {
                self.add_site(callee_expr, node.start_position().row as u32, SiteKind::Call);
            }
            Expr::Name(name) if self.language.reading.import_calls.contains(&self.facts.names.get(name)) => {
                let row = node.start_position().row as u32;
                if let Some(made) = arguments.and_then(|arguments| self.import_call(&arguments, row)) {
                    self.kill_expr(callee_expr);
                    return Value::Expr(made);
                }
            }
            _ => {}
        }
        if let Some(given) = arguments {
            self.note_arguments(callee_expr, given.value);
        }
        if let (Some(callee), Some(arguments)) = (callee, arguments) {
            let base = if pattern.form == Form::ExprSend { self.child(pattern, &frame, Role::Base) } else { None };
            let start = base.map_or(callee.start, |base| base.start);
            self.note_call(node, (start, callee.end), Some((arguments.start, arguments.end)));
        }
        let first = match arguments.map(|entry| entry.value) {
            Some(Value::List(start, len)) if len > 0 => plain_expr(self.values[start as usize]),
            Some(Value::Expr(only)) => only,
            _ => ExprId::UNKNOWN,
        };
        let first = if first == ExprId::UNKNOWN { self.note_wanted(callee_expr) } else { first };
        let is_by_name = matches!(self.facts.exprs[first.0 as usize], Expr::Keyed(..));
        let first = if is_by_name { ExprId::UNKNOWN } else { first };
        if self.test_file
            && let (Some(callee), Some(arguments)) = (callee, arguments)
            && let Some(test) = (self.language.reading.test_call)(self.text(&callee), self.text(&arguments))
        {
            self.define_test(&test, node, frame);
        }
        self.ask(callee_expr, arguments, (node.start_byte() as u32, node.end_byte() as u32));
        let mut function = callee_expr;
        if pattern.form == Form::ExprCall && self.child(pattern, &frame, Role::Type).is_some() {
            let given = self.type_arguments(pattern, frame, Role::Type);
            function = self.add_expr(Expr::Apply(callee_expr, given));
        }
        Value::Expr(self.add_expr(Expr::Call(function, first)))
    }

    /// Keeps what is wanted of a call whose function gives whatever that is, as if it were given to it.
    fn note_wanted(&mut self, callee: ExprId) -> ExprId {
        let wanted = self.wanted_of(callee);
        if wanted != ExprId::UNKNOWN {
            let list = self.list(vec![wanted]);
            self.facts.arguments.push((callee, list));
        }
        wanted
    }

    /// Says what a site that has been met as a mention really does.
    pub(super) fn retag(&mut self, expr: ExprId, kind: SiteKind) {
        let mut at = expr;
        loop {
            let site = self.site_of[at.0 as usize];
            if site != NO_SITE {
                self.facts.sites[site as usize].kind = kind;
                return;
            }
            match self.facts.exprs[at.0 as usize] {
                Expr::Apply(base, _) | Expr::Index(base) | Expr::Try(base) | Expr::Deref(base) => at = base,
                _ => return,
            }
        }
    }

    /// A method that a macro writes as a call of the method of its name, or of one that is named there, on a part of the instance.
    pub(super) fn pass_on(&mut self, (id, name): (SymbolId, NameId), container: Container, (at, row): (usize, u32)) {
        let Some(passed) = (self.language.reading.delegates)(self.written, at) else { return };
        let parts = passed.to.split('.').map(str::trim);
        let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !parts.clone().all(is_name) || parts.clone().count() > MAX_PARTS {
            return;
        }
        let mut of = self.add_expr(Expr::This(container));
        for part in parts {
            let part = self.name(part);
            of = self.add_expr(Expr::Member(of, part));
        }
        let name = passed.called.map_or(name, |other| self.name(other));
        let callee = self.add_expr(Expr::Member(of, name));
        self.add_site(callee, row, SiteKind::Call);
        if let Some(site) = self.facts.sites.last_mut() {
            site.from = Some(id);
        }
    }

    /// Keeps the making of a router: `new Hono()`.
    pub(super) fn note_new(&mut self, pattern: &Pattern, node: &Node<'_>, frame: &Frame) {
        let Some(of) = self.child(pattern, frame, Role::Type) else { return };
        let routes = self.language.reading.routes;
        if routes.makes.iter().any(|makes| makes.callee == self.text(&of)) {
            let end = node.end_byte() as u32;
            let start = self.child(pattern, frame, Role::Args).map_or(of.end, |types| types.end);
            self.note_call(node, (of.start, of.end), Some((start.min(end), end)));
        }
    }

    /// Keeps a call or an attribute that may say something of routes or requests.
    pub(super) fn note_call(&mut self, node: &Node<'_>, callee: (u32, u32), arguments: Option<(u32, u32)>) {
        let words = self.language.reading.routes;
        let text = |bytes: (u32, u32)| self.source.get(bytes.0 as usize..bytes.1 as usize).unwrap_or_default();
        let may_mean = match arguments {
            Some(bytes) => words.may_mean(text(callee), text(bytes)),
            None => words.may_mean_attribute(text(callee)),
        };
        if may_mean && self.said.len() < MAX_CALLS && self.n_open_tokens == 0 {
            let bytes = (node.start_byte() as u32, node.end_byte() as u32);
            let from = self.open_symbols.last().copied();
            self.said.push(Said { bytes, callee, arguments, row: node.start_position().row as u32, from });
        }
    }
}
