//! Types that are made where they stand, and what bare names and calls in types need: where they stand and what they are given.

use super::define::NO_NAME;
use super::{Frame, Lower, NO_SITE, Value, plain_expr};
use crate::capture::{Form, Role};
use crate::facts::{
    Container, Expr, ExprId, Field, SiteKind, Super, SuperKind, SymbolId, SymbolKind, Traits, Visibility, Zone, ZoneKind,
};
use crate::table::Pattern;
use tree_sitter::Node;

/// What the names begin with that classes without one get.
const NAMELESS: &str = "$";

impl Lower<'_> {
    /// What is defined or bound inside of code with a type of its own.
    pub(super) fn define_in_place(&mut self, pattern: &Pattern, node: &Node<'_>, frame: Frame) -> Value {
        match pattern.form {
            Form::DefAnonymous => return self.define_anonymous(pattern, frame),
            Form::BindRest => return self.bind_rest(pattern, frame),
            Form::DefInstance => self.define_instance(pattern, frame),
            Form::BindDeclared => self.bind_declared(pattern, frame),
            Form::BindTested => {
                self.bind_form(pattern, node, frame);
                let name = self.name("bool");
                return Value::Expr(self.add_expr(Expr::Literal(name)));
            }
            _ => {}
        }
        Value::None
    }

    /// A class that is made where it stands: its value is an instance of it.
    fn define_anonymous(&mut self, pattern: &Pattern, frame: Frame) -> Value {
        let Some(id) = frame.opened.symbol else { return Value::None };
        let container = self.outer_container(&frame);
        let named = self.child(pattern, &frame, Role::Name);
        let row = self.children(&frame).first().map_or(0, |entry| entry.row);
        let (name, row) = if let Some(entry) = named {
            self.kill_name(entry.value);
            self.zones.push(Zone { start: entry.start, end: entry.end, kind: ZoneKind::Name });
            let name = self.name(self.text(&entry));
            let declared = self.type_of_instances(container);
            let line = entry.row + 1;
            self.facts.fields.push(Field { variant: true, ..Field::of(container, name, declared, ExprId::UNKNOWN, line) });
            (name, entry.row)
        } else {
            let around = self.type_around().unwrap_or(id);
            let n = self.n_anonymous.entry(around).or_default();
            *n += 1;
            (self.facts.names.push(&format!("{NAMELESS}{n}")), row)
        };
        let above = match self.child(pattern, &frame, Role::Type) {
            Some(entry) => plain_expr(entry.value),
            None => self.instance_made(container, row),
        };
        self.retag(above, SiteKind::New);
        if let Some(given) = self.child(pattern, &frame, Role::List) {
            self.note_arguments(above, given.value);
        }
        let body = self.child(pattern, &frame, Role::Body).map(|entry| entry.start);
        let is_nested = self.n_open_functions > 0;
        let symbol = &mut self.facts.symbols[id.0 as usize];
        (symbol.name, symbol.kind, symbol.container, symbol.visibility) =
            (name, SymbolKind::Type, container, Visibility::Private);
        symbol.name_line = row + 1;
        symbol.body = body.unwrap_or(symbol.body);
        if is_nested {
            symbol.traits.add(Traits::NESTED);
        }
        self.facts.supers.push(Super { container: Container::Symbol(id), of: above, kind: SuperKind::Extends, line: row + 1 });
        let of = self.add_expr(Expr::Symbol(id));
        Value::Expr(self.add_expr(Expr::Instance(of)))
    }

    /// An instance of the type around that the type names: a field, and an instance made where it says what with.
    fn define_instance(&mut self, pattern: &Pattern, frame: Frame) {
        let container = self.outer_container(&frame);
        let Some(entry) = self.child(pattern, &frame, Role::Name) else { return };
        self.kill_name(entry.value);
        let name = self.name(self.text(&entry));
        if let Some(given) = self.child(pattern, &frame, Role::List) {
            let of = self.instance_made(container, entry.row);
            self.note_arguments(of, given.value);
        }
        let declared = self.type_of_instances(container);
        self.zones.push(Zone { start: entry.start, end: entry.end, kind: ZoneKind::Name });
        self.facts.fields.push(Field { variant: true, ..Field::of(container, name, declared, ExprId::UNKNOWN, entry.row + 1) });
    }

    /// The type that named instances are of: no subtype of it, as the instance inside of it may be.
    fn type_of_instances(&mut self, container: Container) -> ExprId {
        let of = if let Container::Symbol(id) = container { Expr::Symbol(id) } else { Expr::ThisType(container) };
        self.add_expr(of)
    }

    /// An instance of a type made inside of it.
    fn instance_made(&mut self, container: Container, row: u32) -> ExprId {
        let of = self.add_expr(Expr::ThisType(container));
        self.add_site(of, row, SiteKind::New);
        of
    }

    /// A function taken as a value counts as called: whoever gets it calls it. What it takes is not known.
    pub(super) fn reference(&mut self, frame: Frame) -> Value {
        let named: Vec<_> = self.children(&frame).iter().filter(|entry| entry.named).copied().collect();
        match named.as_slice() {
            [of] => {
                let of = self.expr_of(of.value);
                self.retag(of, SiteKind::New);
            }
            [base, .., last] => {
                self.kill_name(last.value);
                let name = self.name(self.text(last));
                let base = self.expr_of(base.value);
                let expr = self.add_expr(Expr::Member(base, name));
                self.add_site(expr, last.row, SiteKind::Call);
            }
            [] => {}
        }
        Value::Expr(self.add_expr(Expr::Anonymous))
    }

    /// Remembers what a call is given, where definitions of one name are told apart by it.
    pub(super) fn note_arguments(&mut self, callee: ExprId, given: Value) {
        if !self.language.scope.overloads {
            return;
        }
        let mut callee = callee;
        while self.site_of[callee.0 as usize] == NO_SITE {
            let Expr::Apply(base, _) = self.facts.exprs[callee.0 as usize] else { return };
            callee = base;
        }
        let members = match given {
            Value::List(start, len) => self.values[start as usize..(start + len) as usize].to_vec(),
            only => vec![only],
        };
        let list = members.into_iter().map(plain_expr).collect();
        let list = self.list(list);
        self.facts.arguments.push((callee, list));
    }

    /// Remembers which type a name stands in, where members are known by their names alone.
    pub(super) fn note_within(&mut self, expr: ExprId) {
        if self.language.scope.bare_members
            && let Some(of) = self.type_around()
        {
            self.facts.within.push((expr, of));
        }
    }

    /// The innermost type in whose body the node that is open stands.
    fn type_around(&self) -> Option<SymbolId> {
        let is_type = |form| matches!(form, Form::DefType | Form::DefInterface | Form::DefAnonymous);
        let around = self.frames.iter().enumerate().rev();
        let mut types = around.filter(|(depth, frame)| frame.opened.container && self.has_form(*depth, is_type));
        types.find(|(depth, _)| self.stands_in_body(*depth)).and_then(|(_, frame)| frame.opened.symbol)
    }

    /// Whether what is open inside of the node at a depth stands in its body.
    pub(super) fn stands_in_body(&self, depth: usize) -> bool {
        let (Some(frame), Some(inner)) = (self.frames.get(depth), self.frames.get(depth + 1)) else { return false };
        let bodies = self.table.patterns(frame.kind).iter().flat_map(|pattern| &pattern.children);
        let mut bodies = bodies.filter(|child| child.role == Some(Role::Body));
        bodies.any(|body| {
            body.field.is_none_or(|field| field == inner.field) && (body.kinds.is_empty() || body.kinds.contains(&inner.kind))
        })
    }

    /// A name that names a function is none of a variable.
    pub(super) fn forget_name(&mut self, value: Value) {
        if let Value::Expr(expr) = value
            && matches!(self.facts.exprs[expr.0 as usize], Expr::Name(_))
        {
            self.forget_waiting(expr);
        }
    }

    /// Whether members of the type around the node that is being left can be seen by everyone, as those of interfaces.
    pub(super) fn is_open_to_all(&self, frame: &Frame) -> bool {
        let outer = self.containers.len().checked_sub(1 + usize::from(frame.opened.container));
        self.language.reading.open_interfaces && outer.is_some_and(|outer| self.opened_by(outer, &[Form::DefInterface]))
    }

    /// The type that the parameter which is being left is a parameter of, not a function.
    pub(super) fn type_of_parameter(&self) -> Option<Container> {
        let depth = self.frames.len().checked_sub(2)?;
        let frame = self.frames[depth];
        let is_type = self.table.patterns(frame.kind).iter().any(|pattern| {
            let has_parameters = pattern.children.iter().any(|child| child.role == Some(Role::Params));
            pattern.form == Form::DefType && has_parameters
        });
        frame.opened.symbol.filter(|id| is_type && self.facts.symbols[id.0 as usize].name == NO_NAME).map(Container::Symbol)
    }
}
