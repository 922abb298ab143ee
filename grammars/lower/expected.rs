//! What the surroundings of a value ask it to be: the argument that a callee takes, the declared type of a variable, the result of a
//! function around, the member of an object.
//!
//! Looks outward only, at nodes that are still open and at their children that have been left.

use super::{Entry, Frame, Lower, fits};
use crate::capture::{Form, Role};
use crate::facts::{Container, Expr, ExprId};
use crate::table::Pattern;

/// How many nodes outward a question is passed on.
const MAX_OUTWARD: usize = 16;

impl<'a> Lower<'a> {
    /// What a parameter without a type must be, in a function that is a value: `entry` is its name or pattern in the node that was left
    /// last, whose frame is `own`.
    pub(super) fn expected_parameter(&mut self, own: &Frame, entry: &Entry) -> ExprId {
        let n_frames = self.frames.len();
        let is_function = |at: &usize| self.has_form(*at, |form| form == Form::ExprFunction) || self.is_method_of_object(*at);
        let Some(function) = (n_frames.saturating_sub(2)..n_frames).rev().find(is_function) else { return ExprId::UNKNOWN };
        let inside = if function + 1 == n_frames {
            // The node that was left holds all parameters.
            self.children(own).iter().filter(|other| other.named && other.start < entry.start).count()
        } else {
            let first = self.frames[n_frames - 1].first_entry as usize;
            self.entries[first..own.first_entry as usize].iter().filter(|other| other.named).count()
        };
        let of = self.expected(function, self.frames[function].first_entry);
        self.part(of, Expr::Parameter(of, inside as u32))
    }

    /// What is asked of the node at depth `at`, whose children begin at entry `first`.
    pub(super) fn expected(&mut self, at: usize, first: u32) -> ExprId {
        self.expected_within(at, first, MAX_OUTWARD)
    }

    fn expected_within(&mut self, at: usize, first: u32, steps: usize) -> ExprId {
        let (Some(above), Some(steps)) = (at.checked_sub(1), steps.checked_sub(1)) else { return ExprId::UNKNOWN };
        let frame = self.frames[above];
        let table = self.table;
        for pattern in table.patterns(frame.kind) {
            match pattern.form {
                Form::List => {
                    let Some(outer) = above.checked_sub(1) else { return ExprId::UNKNOWN };
                    let callee = match self.left_child_of(outer, Form::ExprCall, Role::Callee) {
                        Some(callee) => super::plain_expr(callee.value),
                        None => self.sent_by(outer),
                    };
                    let n = self.entries[frame.first_entry as usize..first as usize].iter().filter(|entry| entry.named).count();
                    return self.part(callee, Expr::Argument(callee, n as u32));
                }
                Form::TypeTuple => {
                    let of = self.expected_within(above, frame.first_entry, steps);
                    return self.part(of, Expr::Element(of));
                }
                Form::Same | Form::ExprEither | Form::Declarator => return self.expected_within(above, frame.first_entry, steps),
                Form::DefMethod | Form::DefField | Form::ExprKeyed if self.is_part_of_object(above) => {
                    let Some(key) = self.left_child(above, pattern, Role::Name) else { continue };
                    let object = above - 1;
                    let of = self.expected_within(object, self.frames[object].first_entry, steps);
                    let name = self.name(self.text(&key).trim_matches(super::define::QUOTES));
                    return self.part(of, Expr::FieldOf(of, name));
                }
                Form::DefVariable
                | Form::DefConstant
                | Form::DefFunction
                | Form::DefMethod
                | Form::DefField
                | Form::DefDeclared
                | Form::BindDeclared => {
                    let declared = self.left_child(above, pattern, Role::Declared);
                    let is_variable = !matches!(pattern.form, Form::DefFunction | Form::DefMethod);
                    let of_variable = is_variable.then(|| self.left_child(above, pattern, Role::Type)).flatten();
                    if let Some(declared) = declared.or(of_variable) {
                        let of = self.expr_of(declared.value);
                        return self.part(of, Expr::Instance(of));
                    }
                }
                Form::Return => return self.expected_result(above, steps),
                Form::ExprFunction => return self.expected_result(at, steps),
                _ => {}
            }
        }
        ExprId::UNKNOWN
    }

    /// What an open call calls that has no node for it: a member of what stands in front of it, or a name.
    fn sent_by(&mut self, at: usize) -> ExprId {
        let Some(name) = self.left_child_of(at, Form::ExprSend, Role::Name) else { return ExprId::UNKNOWN };
        let callee = super::plain_expr(name.value);
        let (table, frame) = (self.table, self.frames[at]);
        let mut sends = table.patterns(frame.kind).iter().filter(|pattern| pattern.form == Form::ExprSend);
        let base = sends.find_map(|pattern| self.left_child(at, pattern, Role::Base));
        match (self.facts.exprs[callee.0 as usize], base) {
            (Expr::Name(name), Some(base)) => {
                let base = self.expr_of(base.value);
                self.part(base, Expr::Member(base, name))
            }
            _ => callee,
        }
    }

    /// What the innermost function around depth `at` has to give.
    fn expected_result(&mut self, at: usize, steps: usize) -> ExprId {
        let Some(function) = (0..at).rev().find(|depth| self.frames[*depth].opened.function) else { return ExprId::UNKNOWN };
        let frame = self.frames[function];
        let table = self.table;
        let patterns = table.patterns(frame.kind);
        let declared = patterns.iter().find_map(|pattern| self.left_child(function, pattern, Role::Type));
        if let Some(declared) = declared {
            let of = self.expr_of(declared.value);
            return self.part(of, Expr::Instance(of));
        }
        let of = self.expected_within(function, frame.first_entry, steps);
        self.part(of, Expr::Call(of, ExprId::UNKNOWN))
    }

    /// What the place asks for that the value of the call that was left last gets, where its function gives whatever is wanted: the field of a literal,
    /// the variable of a declared type, what is assigned.
    pub(super) fn wanted_of(&mut self, callee: ExprId) -> ExprId {
        let Some((of, function)) = self.language.reading.gives_wanted else { return ExprId::UNKNOWN };
        let Expr::Scoped(base, name) = self.facts.exprs[callee.0 as usize] else { return ExprId::UNKNOWN };
        let is_of = matches!(self.facts.exprs[base.0 as usize], Expr::Name(name) if self.facts.names.get(name) == of);
        let Some(at) = self.frames.len().checked_sub(1).filter(|_| is_of && self.facts.names.get(name) == function) else {
            return ExprId::UNKNOWN;
        };
        if let Some(place) = self.left_child_of(at, Form::ExprAssigned, Role::Base) {
            return super::plain_expr(place.value);
        }
        if let Some(declared) = self.left_child_of(at, Form::Bind, Role::Type) {
            let of = self.expr_of(declared.value);
            return self.part(of, Expr::Instance(of));
        }
        let key = self.left_child_of(at, Form::ExprKeyed, Role::Key);
        let of = at.checked_sub(2).and_then(|literal| self.left_child_of(literal, Form::ExprNew, Role::Type));
        let (Some(key), Some(of)) = (key, of) else { return ExprId::UNKNOWN };
        let of = self.type_of_variant(super::plain_expr(of.value));
        let name = self.name(self.text(&key));
        let of = self.part(of, Expr::Instance(of));
        self.part(of, Expr::FieldOf(of, name))
    }

    pub(super) fn has_form(&self, at: usize, wanted: impl Fn(Form) -> bool) -> bool {
        self.frames.get(at).is_some_and(|frame| self.table.patterns(frame.kind).iter().any(|pattern| wanted(pattern.form)))
    }

    fn is_part_of_object(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|object| self.has_form(object, |form| form == Form::TypeAnonymous))
    }

    fn is_method_of_object(&self, at: usize) -> bool {
        self.has_form(at, |form| form == Form::DefMethod) && self.is_part_of_object(at)
    }

    /// The name of the type that is being read, and what it extends, as they are written.
    pub(super) fn holder_text(&self, container: Container) -> Option<(&'a str, &'a str)> {
        let Container::Symbol(id) = container else { return None };
        let at = self.frames.iter().rposition(|frame| frame.opened.symbol == Some(id))?;
        let of = |role| self.left_child_of(at, Form::DefType, role).map(|entry| self.text(&entry));
        Some((of(Role::Name)?, of(Role::Bound).unwrap_or_default()))
    }

    /// A child that an open node has left behind, in a role of the pattern with some form.
    fn left_child_of(&self, at: usize, form: Form, role: Role) -> Option<Entry> {
        let frame = self.frames.get(at)?;
        let pattern = self.table.patterns(frame.kind).iter().find(|pattern| pattern.form == form)?;
        self.left_child(at, pattern, role)
    }

    fn left_child(&self, at: usize, pattern: &Pattern, role: Role) -> Option<Entry> {
        let first = self.frames.get(at)?.first_entry as usize;
        let end = self.frames.get(at + 1).map_or(self.entries.len(), |inner| inner.first_entry as usize);
        let mut specs = pattern.children.iter().filter(|spec| spec.role == Some(role));
        specs.find_map(|spec| self.entries[first..end].iter().find(|entry| fits(spec, entry))).copied()
    }
}
