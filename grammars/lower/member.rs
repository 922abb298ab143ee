//! Membership: which container a definition or field that stands inside it really belongs to.

use super::define::{NO_NAME, QUOTES};
use super::{Frame, Lower, Value};
use crate::capture::{Form, Role};
use crate::facts::{CALLABLE, Container, Expr, ExprId, Field, ListId, SymbolId, Traits};
use crate::table::Pattern;

impl Lower<'_> {
    /// The container around a node that is being left: its own, if it opened one, does not count.
    pub(super) fn outer_container(&self, frame: &Frame) -> Container {
        let outer = self.containers.len().saturating_sub(1 + usize::from(frame.opened.container));
        self.containers.get(outer).copied().unwrap_or(Container::File)
    }

    /// Whether the node that opened a container, by its index, may have one of some forms.
    pub(super) fn opened_by(&self, container: usize, forms: &[Form]) -> bool {
        let kind = self.container_kinds.get(container);
        kind.is_some_and(|kind| self.table.patterns(*kind).iter().any(|pattern| forms.contains(&pattern.form)))
    }

    /// Whether a container, by its index, is a method by itself, not by its value.
    pub(super) fn opens_method(&self, container: usize) -> bool {
        let patterns = self.container_kinds.get(container).map_or(&[][..], |kind| self.table.patterns(*kind));
        let by_value = |pattern: &Pattern| pattern.children.iter().any(|child| child.role == Some(Role::Value));
        patterns.iter().any(|pattern| pattern.form == Form::DefMethod && !by_value(pattern))
    }

    /// Whether a member stands in the container itself, not in a type or value described in place within it.
    pub(super) fn is_direct_member(&self, container: Container) -> bool {
        let between = self.frames.iter().rev().take_while(|frame| match container {
            Container::Symbol(id) => frame.opened.symbol != Some(id),
            _ => !frame.opened.container,
        });
        between.flat_map(|frame| self.table.patterns(frame.kind)).all(|pattern| !takes_in(pattern.form))
    }

    /// What the instance meant here is one of: the type or block around, or the variable that holds the object around a method. The file
    /// where that is not known. An arrow function has the instance of what is around it.
    pub(super) fn type_container(&self) -> Container {
        let mut at = self.containers.len();
        let mut in_method = false;
        for (depth, frame) in self.frames.iter().enumerate().rev() {
            at -= usize::from(frame.opened.container);
            let has = |forms: &[Form]| self.has_form(depth, |form| forms.contains(&form));
            let holds_value = has(&[Form::DefVariable, Form::DefConstant]);
            if frame.opened.container {
                let is_anonymous = has(&[Form::DefAnonymous]) && self.stands_in_body(depth);
                let is_type = matches!(self.containers[at], Container::Owner(_))
                    || has(&[Form::DefType, Form::DefInterface])
                    || is_anonymous;
                if is_type && !holds_value {
                    return self.containers[at];
                }
                in_method |= self.opens_method(at);
            }
            if in_method && has(&[Form::TypeAnonymous]) {
                let holder = depth.checked_sub(1).filter(|above| {
                    self.has_form(*above, |form| matches!(form, Form::DefVariable | Form::DefConstant | Form::DefAlias))
                });
                return holder.map_or(Container::File, |_| self.containers[at - 1]);
            }
            if has(&[Form::OwnThis]) {
                return Container::File;
            }
        }
        Container::File
    }

    /// Where a method of an object goes that nothing names: the nearest container that is not a field, key or type.
    pub(super) fn container_of_strays(&self, innermost: Container) -> Container {
        let innermost = self.containers.iter().rposition(|container| *container == innermost).unwrap_or(0);
        let forms = [Form::DefField, Form::ExprKeyed, Form::DefType, Form::DefInterface, Form::DefAlias];
        let around = (0..=innermost).rev().find(|at| self.opened_by(*at, &[Form::DefVariable]) || !self.opened_by(*at, &forms));
        around.map_or(Container::File, |at| self.containers[at])
    }

    /// Whether functions in a container are its members.
    pub(super) fn has_members(&self, container: Container) -> bool {
        match container {
            Container::File => false,
            Container::Owner(_) => true,
            // The kind of a symbol that is still open is not known: what it has opened tells.
            Container::Symbol(_) => {
                let forms =
                    [Form::DefType, Form::DefInterface, Form::DefAnonymous, Form::DefAlias, Form::DefVariable, Form::DefConstant];
                let at = self.containers.iter().rposition(|open| *open == container);
                at.is_some_and(|at| self.opened_by(at, &forms))
            }
        }
    }

    /// Hands what stands in a variable over to the container around it, but for the members of an object.
    pub(super) fn release_members(&mut self, id: SymbolId, is_object: bool, around: Container, frame: Frame) {
        for symbol in &mut self.facts.symbols[frame.first_symbol as usize..] {
            if symbol.container == Container::Symbol(id) && (!is_object || symbol.traits.has(Traits::NESTED)) {
                symbol.container = around;
                symbol.traits.add(Traits::NESTED);
            }
        }
        if !is_object {
            let mut kept = self.facts.fields.split_off(frame.first_field as usize);
            kept.retain(|field| field.container != Container::Symbol(id));
            self.facts.fields.extend(kept);
        }
    }

    /// What a value of the type around gives when it is called, as a member without a name of its own.
    pub(super) fn define_callable(&mut self, pattern: &Pattern, frame: Frame) -> Value {
        let parameters = self.parameters(pattern, frame);
        let result = self.child(pattern, &frame, Role::Type).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let declared = self.add_expr(Expr::Function(parameters, result));
        let name = self.name(CALLABLE);
        let container = self.container();
        let line = self.children(&frame).first().map_or(0, |entry| entry.row) + 1;
        if self.has_members(container) && self.is_direct_member(container) {
            self.facts.fields.push(Field::of(container, name, declared, ExprId::UNKNOWN, line));
        }
        Value::Expr(self.add_expr(Expr::Keyed(name, declared)))
    }

    /// The types of parameters as they are declared.
    pub(super) fn parameters(&mut self, pattern: &Pattern, frame: Frame) -> ListId {
        let members = match self.child(pattern, &frame, Role::Params).map(|entry| entry.value) {
            Some(Value::List(start, len)) => self.values[start as usize..(start + len) as usize].to_vec(),
            Some(only) => vec![only],
            None => return ListId::default(),
        };
        // The instance has no value.
        let of = members.into_iter().filter_map(|member| if let Value::Expr(of) = member { Some(of) } else { None });
        self.list(of.collect())
    }

    /// A member that stands in an object written in place, with its value.
    pub(super) fn keyed(&mut self, pattern: &Pattern, frame: Frame) -> Value {
        let in_object = self
            .frames
            .last()
            .is_some_and(|outer| self.table.patterns(outer.kind).iter().any(|pattern| pattern.form == Form::TypeAnonymous));
        let Some(entry) = self.child(pattern, &frame, Role::Name).filter(|_| in_object) else { return Value::None };
        let part = [Role::Type, Role::Value].into_iter().find_map(|role| self.child(pattern, &frame, role));
        let symbol = frame.opened.symbol.filter(|id| self.facts.symbols[id.0 as usize].name != NO_NAME);
        let of = match (symbol, part) {
            (Some(id), _) => self.add_expr(Expr::Symbol(id)),
            (None, Some(part)) => self.expr_of(part.value),
            (None, None) => ExprId::UNKNOWN,
        };
        let name = self.name(self.text(&entry).trim_matches(QUOTES));
        Value::Expr(self.add_expr(Expr::Keyed(name, of)))
    }

    /// An object or its type written in place.
    pub(super) fn object(&mut self, pattern: &Pattern, frame: Frame) -> Expr {
        let shorthands = self.all(pattern, &frame, Role::Name);
        let mut members = Vec::new();
        for entry in self.children(&frame).to_vec() {
            let of = super::plain_expr(entry.value);
            if shorthands.iter().any(|shorthand| shorthand.start == entry.start) {
                let name = self.name(self.text(&entry));
                members.push(self.add_expr(Expr::Keyed(name, of)));
            } else if matches!(self.facts.exprs[of.0 as usize], Expr::Keyed(..)) {
                members.push(of);
            }
        }
        if members.is_empty() { self.mapped(&frame) } else { Expr::Object(self.list(members)) }
    }

    /// What an object without members of its own is that maps keys to types: where it takes for each key the type's own member, that type.
    fn mapped(&self, frame: &Frame) -> Expr {
        let exprs = &self.facts.exprs;
        let mut mapped = self.children(frame).iter().map(|entry| exprs[super::plain_expr(entry.value).0 as usize]);
        let Some(Expr::Map(key, value)) = mapped.find(|expr| matches!(expr, Expr::Map(..))) else { return Expr::Anonymous };
        // The name of that type may not be known to be bound yet.
        if let Expr::Index(of) = exprs[value.0 as usize] { Expr::Deref(of) } else { Expr::Map(key, value) }
    }

    /// Members of an object that are named after their value.
    pub(super) fn define_shorthands(&mut self, pattern: &Pattern, frame: Frame) {
        let names = self.all(pattern, &frame, Role::Name);
        let container = self.container();
        if names.is_empty() || !self.has_members(container) || !self.is_direct_member(container) {
            return;
        }
        for entry in names {
            let name = self.name(self.text(&entry));
            let (value, line) = (super::plain_expr(entry.value), entry.row + 1);
            self.facts.fields.push(Field::of(container, name, ExprId::UNKNOWN, value, line));
        }
    }
}

/// Whether what stands inside a node of this form belongs to it and to nothing further out.
fn takes_in(form: Form) -> bool {
    matches!(
        form,
        Form::DefField
            | Form::Bind
            | Form::BindField
            | Form::BindType
            | Form::ExprFunction
            | Form::TypeApply
            | Form::TypeFunction
            | Form::TypeMany
            | Form::TypeMap
            | Form::TypePointer
            | Form::TypeTuple
    )
}
