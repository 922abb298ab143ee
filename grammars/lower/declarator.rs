//! Declarators: names that stand inside of pieces of their own type, as in C, and names with a path to what holds them.

use super::define::NO_NAME;
use super::{Entry, Frame, Lower, Value, plain_expr};
use crate::Level;
use crate::capture::{Form, Role};
use crate::facts::{Container, Expr, ExprId, NameId, Symbol, SymbolKind, Traits};
use crate::table::Pattern;
use rustc_hash::FxHashSet;
use tree_sitter::Node;

/// A name that a declarator holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Declarator {
    /// The name, or a path that ends with it.
    pub(super) expr: ExprId,
    /// Where it stands.
    place: Entry,
    /// Whether what it declares is a function.
    is_function: bool,
    /// What it gets.
    pub(super) value: ExprId,
}

impl Lower<'_> {
    /// The value of a declarator: that of the one inside, else its name.
    pub(super) fn declarator(&mut self, pattern: &Pattern, frame: Frame) -> Value {
        let Some(entry) = self.child(pattern, &frame, Role::Name) else { return Value::None };
        let has_parameters = self.child(pattern, &frame, Role::Params).is_some();
        let value = self.child(pattern, &frame, Role::Value).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let made = match entry.value {
            // What is made of the name next to it is what it is: a pointer to a function is no function.
            Value::Declared(_) => return entry.value,
            name => Declarator { expr: plain_expr(name), place: entry, is_function: has_parameters, value },
        };
        self.declarators.push(made);
        Value::Declared(self.declarators.len() as u32 - 1)
    }

    /// The names that a definition declares, each as the entry of the name alone.
    pub(super) fn declared_names(&self, pattern: &Pattern, frame: &Frame) -> Vec<Entry> {
        let mut names = self.all(pattern, frame, Role::Name);
        if pattern.form == Form::DefConstant && self.language.level() == Level::ByName {
            // Behind the name of a constant may stand that of another.
            names.truncate(1);
        }
        for entry in &mut names {
            if let Value::Declared(at) = entry.value {
                let Declarator { expr, place, .. } = self.declarators[at as usize];
                *entry = Entry { value: Value::Expr(expr), ..place };
            }
            if self.language.level() == Level::ByName {
                self.cut_path(entry);
            }
        }
        names
    }

    /// Binds a parameter that takes what is left.
    pub(super) fn bind_rest(&mut self, pattern: &Pattern, frame: Frame) -> Value {
        let of = self.child(pattern, &frame, Role::Type).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let many = self.add_expr(Expr::Many(of));
        if let Some(entry) = self.child(pattern, &frame, Role::Pattern) {
            self.bind_pattern(entry.value, many, ExprId::UNKNOWN, entry.end);
        }
        Value::Expr(self.add_expr(Expr::Rest(many)))
    }

    /// Binds the names of declarators, each to its own value, from behind itself on.
    pub(super) fn bind_declared(&mut self, pattern: &Pattern, frame: Frame) {
        let declared = self.child(pattern, &frame, Role::Type).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        for entry in self.all(pattern, &frame, Role::Name) {
            let Value::Declared(at) = entry.value else { continue };
            let Declarator { expr, value, .. } = self.declarators[at as usize];
            self.bind_pattern(Value::Expr(expr), declared, value, entry.end);
        }
    }

    /// The value that a declarator gives its name.
    pub(super) fn value_declared(&self, entry: &Entry) -> ExprId {
        if let Value::Declared(at) = entry.value { self.declarators[at as usize].value } else { ExprId::UNKNOWN }
    }

    /// Leaves of a path its last name, and of a name with arguments or in brackets the name.
    fn cut_path(&self, entry: &mut Entry) {
        let Value::Expr(expr) = entry.value else { return };
        let text = self.text(entry);
        match self.facts.exprs[expr.0 as usize] {
            Expr::Scoped(_, name) | Expr::Member(_, name) => {
                if let Some(path) = text.strip_suffix(self.facts.names.get(name)) {
                    entry.row += path.matches('\n').count() as u32;
                    entry.start += path.len() as u32;
                }
            }
            Expr::Name(name) => {
                let name = self.facts.names.get(name);
                if let Some(at) = text.strip_prefix('(').and_then(|inner| inner.find(name)) {
                    // `(name)`: brackets around a name are no part of it.
                    entry.row += text[..=at].matches('\n').count() as u32;
                    entry.start += at as u32 + 1;
                    entry.end = entry.start + name.len() as u32;
                } else if text.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('<')) {
                    entry.end = entry.start + name.len() as u32;
                }
            }
            _ => {}
        }
    }

    /// What a name with a path says that it is a member of.
    pub(super) fn path_around(&mut self, names: &[Entry]) -> Option<Entry> {
        let [entry] = names else { return None };
        let Value::Expr(expr) = entry.value else { return None };
        if self.language.level() != Level::ByName {
            return None;
        }
        let (Expr::Scoped(base, _) | Expr::Member(base, _)) = self.facts.exprs[expr.0 as usize] else { return None };
        self.kill_site(expr);
        Some(Entry { value: Value::Expr(base), ..*entry })
    }

    /// Takes out functions without a body that the same file defines as well, in the same container or behind its name, and other names of a type
    /// that are its own: `typedef struct point { .. } point;`.
    pub(super) fn drop_forward_declarations(&mut self) {
        let facts = &self.facts;
        let is_function =
            |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method) && symbol.name != NO_NAME;
        let key = |symbol: &Symbol| {
            let around = match symbol.container {
                Container::File => None,
                Container::Symbol(id) => Some(facts.symbols[id.0 as usize].name),
                Container::Owner(at) => match facts.exprs[facts.owners[at as usize].of.0 as usize] {
                    Expr::Name(name) | Expr::Scoped(_, name) | Expr::Member(_, name) => Some(name),
                    _ => None,
                },
            };
            (around, symbol.name)
        };
        let has_body = |symbol: &&Symbol| is_function(symbol) && !symbol.traits.has(Traits::BODILESS);
        let defined: FxHashSet<_> = facts.symbols.iter().filter(has_body).map(key).collect();
        let is_declared =
            |symbol: &Symbol| is_function(symbol) && symbol.traits.has(Traits::BODILESS) && defined.contains(&key(symbol));
        let types: FxHashSet<NameId> =
            facts.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Type).map(|symbol| symbol.name).collect();
        let is_again = |symbol: &Symbol| symbol.kind == SymbolKind::Alias && types.contains(&symbol.name);
        let declared: Vec<bool> = facts.symbols.iter().map(|symbol| is_declared(symbol) || is_again(symbol)).collect();
        for (symbol, _) in self.facts.symbols.iter_mut().zip(declared).filter(|(_, is_declared)| *is_declared) {
            symbol.name = NO_NAME;
        }
    }

    /// Defines the function that a name gets as its value.
    pub(super) fn define_getting(&mut self, pattern: &Pattern, node: &Node<'_>, frame: Frame) {
        let value = self.child(pattern, &frame, Role::Value).map_or(ExprId::UNKNOWN, |entry| plain_expr(entry.value));
        if matches!(self.facts.exprs[value.0 as usize], Expr::Function(..)) {
            let pattern = Pattern { form: Form::DefFunction, children: pattern.children.clone(), absent: Vec::new() };
            self.define(&pattern, node, frame);
        } else if let Some(id) = frame.opened.symbol {
            self.release_members(id, false, self.outer_container(&frame), frame);
        }
    }

    /// Defines what declarators say.
    pub(super) fn define_declared(&mut self, pattern: &Pattern, node: &Node<'_>, frame: Frame) {
        let is_function = |entry: &Entry| matches!(entry.value, Value::Declared(at) if self.declarators[at as usize].is_function);
        let makes_functions = self.all(pattern, &frame, Role::Name).iter().any(is_function);
        let container = self.outer_container(&frame);
        let form = match (makes_functions, self.has_members(container) && self.is_direct_member(container)) {
            (true, _) if self.n_open_functions > 0 => return,
            (true, _) => Form::DefFunction,
            (false, true) => Form::DefField,
            (false, false) => Form::DefVariable,
        };
        let pattern = Pattern { form, children: pattern.children.clone(), absent: Vec::new() };
        if form == Form::DefField {
            self.define_fields(&pattern, frame, false);
        } else {
            self.define(&pattern, node, frame);
        }
    }
}
