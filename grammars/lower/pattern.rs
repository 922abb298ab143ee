//! Patterns: names bound to parts of a value.

use super::{Frame, Lower, Value};
use crate::capture::{Form, Role};
use crate::facts::{Binding, BindingId, Expr, ExprId, Field, NameId, TypeParameter};
use crate::table;
use tree_sitter::Node;

/// How many bindings back a type parameter is looked for that gets a further bound: its definition's parameters are all that is between.
const MAX_BINDINGS_BACK: usize = 256;

/// A pattern that is more than a name or a list.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pattern {
    /// Binds nothing.
    Any,
    /// Parts in order: a run of values.
    Tuple(u32, u32),
    /// Named fields of a type: the type, a run of values.
    Struct(ExprId, u32, u32),
    /// The payload of a variant: variant, a run of values.
    Variant(ExprId, u32, u32),
    /// A named field: name, what binds it (the field's own name where nothing), row.
    Field(NameId, Value, u32),
    /// A name for the whole and a pattern inside, row.
    Capture(NameId, Value, u32),
    /// What the other parts leave.
    Rest(Value),
}

/// A name that a pattern binds, and to what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) name: NameId,
    pub(super) declared: ExprId,
    pub(super) value: ExprId,
    pub(super) row: u32,
}

impl Lower<'_> {
    pub(super) fn pattern(&mut self, pattern: &table::Pattern, node: &Node<'_>, frame: Frame) -> Value {
        let made = match pattern.form {
            Form::PatternTuple => {
                let items = self.item_values(pattern, frame);
                Pattern::Tuple(items.0, items.1)
            }
            Form::PatternVariant | Form::PatternStruct => {
                let of = self.child(pattern, &frame, Role::Type).map_or(ExprId::UNKNOWN, |entry| super::plain_expr(entry.value));
                let (start, len) = self.item_values(pattern, frame);
                if pattern.form == Form::PatternStruct {
                    let of = self.type_of_variant(of);
                    Pattern::Struct(of, start, len)
                } else {
                    Pattern::Variant(of, start, len)
                }
            }
            Form::PatternField | Form::PatternCapture => {
                let source = self.source;
                let text = match self.child(pattern, &frame, Role::Name) {
                    Some(entry) => {
                        self.kill_name(entry.value);
                        self.text(&entry).trim_matches(['"', '\''])
                    }
                    None => &source[node.start_byte()..node.end_byte()],
                };
                let name = self.name(text);
                let row = node.start_position().row as u32;
                let start = self.child(pattern, &frame, Role::Name).map_or(u32::MAX, |entry| entry.start);
                let inner = self.all(pattern, &frame, Role::Pattern).into_iter().find(|inner| inner.start != start);
                let inner = inner.map_or(Value::None, |entry| entry.value);
                if pattern.form == Form::PatternField {
                    Pattern::Field(name, inner, row)
                } else {
                    Pattern::Capture(name, inner, row)
                }
            }
            Form::PatternArray => {
                let items = self.items_by_place(node, frame);
                Pattern::Tuple(items.0, items.1)
            }
            Form::PatternRest => {
                Pattern::Rest(self.child(pattern, &frame, Role::Pattern).map_or(Value::None, |entry| entry.value))
            }
            _ => Pattern::Any,
        };
        self.patterns.push(made);
        Value::Pattern(self.patterns.len() as u32 - 1)
    }

    fn item_values(&mut self, pattern: &table::Pattern, frame: Frame) -> (u32, u32) {
        let values: Vec<Value> = self.all(pattern, &frame, Role::Item).iter().map(|entry| entry.value).collect();
        match self.push_values(&values) {
            Value::List(start, len) => (start, len),
            _ => (0, 0),
        }
    }

    /// The items of a pattern in which a separator alone holds a place.
    fn items_by_place(&mut self, node: &Node<'_>, frame: Frame) -> (u32, u32) {
        let source = self.source;
        let mut values = Vec::new();
        let (mut place, mut end) = (0, node.start_byte());
        for entry in self.children(&frame) {
            place += source.get(end..entry.start as usize).map_or(0, |gap| gap.matches(',').count());
            end = entry.end as usize;
            if entry.value != Value::None {
                values.resize(place, Value::None);
                values.push(entry.value);
            }
        }
        // A place more, since a pattern of one part alone would take the whole.
        values.push(Value::None);
        match self.push_values(&values) {
            Value::List(start, len) => (start, len),
            _ => (0, 0),
        }
    }

    /// Binds the names of a pattern to the parts of `value`.
    pub(super) fn bind_pattern(&mut self, pattern: Value, declared: ExprId, value: ExprId, known_from: u32) {
        for part in self.parts_of(pattern, declared, value) {
            self.bind(part.name, part.declared, part.value, known_from);
        }
    }

    /// The names of a pattern with the parts of `value` they are bound to.
    pub(super) fn parts_of(&mut self, pattern: Value, declared: ExprId, value: ExprId) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut open = vec![(pattern, declared, value)];
        while let Some((pattern, declared, value)) = open.pop() {
            match pattern {
                Value::Expr(expr) => {
                    if let Expr::Name(name) = self.facts.exprs[expr.0 as usize]
                        && !(self.language.reading.pattern_constant)(self.facts.names.get(name))
                    {
                        let row = self.row_of(expr);
                        self.kill_expr(expr);
                        parts.push(Part { name, declared, value, row });
                    }
                    if let Expr::Tuple(list) = self.facts.exprs[expr.0 as usize] {
                        let members = self.facts.lists[list.start as usize..(list.start + list.len) as usize].to_vec();
                        for (index, member) in members.into_iter().enumerate() {
                            let declared = self.part(declared, Expr::Nth(declared, index as u32));
                            let value = self.part(value, Expr::Nth(value, index as u32));
                            open.push((Value::Expr(member), declared, value));
                        }
                    }
                }
                // A list of one is not a list.
                Value::List(start, 1) => open.push((self.values[start as usize], declared, value)),
                Value::List(start, len) => self.open_parts(&mut open, (start, len), declared, value, None),
                Value::Pattern(index) => match self.patterns[index as usize] {
                    Pattern::Any => {}
                    Pattern::Struct(of, start, len) => {
                        let declared = if of == ExprId::UNKNOWN { declared } else { of };
                        self.open_parts(&mut open, (start, len), declared, value, None);
                    }
                    Pattern::Tuple(start, len) => self.open_parts(&mut open, (start, len), declared, value, None),
                    Pattern::Variant(variant, start, len) => {
                        self.open_parts(&mut open, (start, len), ExprId::UNKNOWN, value, Some(variant));
                    }
                    Pattern::Rest(inner) => open.push((inner, declared, value)),
                    Pattern::Field(name, inner, row) => {
                        self.facts.taken.push(name);
                        let declared = self.part(declared, Expr::FieldOf(declared, name));
                        let value = self.part(value, Expr::FieldOf(value, name));
                        if inner == Value::None {
                            parts.push(Part { name, declared, value, row });
                        } else {
                            open.push((inner, declared, value));
                        }
                    }
                    Pattern::Capture(name, inner, row) => {
                        parts.push(Part { name, declared, value, row });
                        open.push((inner, declared, value));
                    }
                },
                Value::Declared(at) => open.push((Value::Expr(self.declarators[at as usize].expr), declared, value)),
                Value::None | Value::Use(_) => {}
            }
        }
        parts.reverse();
        parts
    }

    /// The parts of a pattern that takes several values in order; what is none is its only part.
    pub(super) fn parts_in(&self, pattern: Value) -> Vec<Value> {
        match pattern {
            Value::Pattern(index) => match self.patterns[index as usize] {
                Pattern::Tuple(start, len) => self.values[start as usize..(start + len) as usize].to_vec(),
                _ => vec![pattern],
            },
            single => vec![single],
        }
    }

    /// The row of an expression that has a site.
    fn row_of(&self, expr: ExprId) -> u32 {
        let site = self.facts.sites.get(self.site_of[expr.0 as usize] as usize);
        site.map_or(0, |site| site.line.saturating_sub(1))
    }

    fn open_parts(
        &mut self,
        open: &mut Vec<(Value, ExprId, ExprId)>,
        (start, len): (u32, u32),
        declared: ExprId,
        value: ExprId,
        variant: Option<ExprId>,
    ) {
        let mut places_known = true;
        for index in 0..len {
            let item = self.values[(start + index) as usize];
            places_known &= !matches!(item, Value::Pattern(inner) if matches!(self.patterns[inner as usize], Pattern::Rest(_)));
            // A field finds its part by name, whatever its place.
            let by_name = matches!(item, Value::Pattern(inner) if matches!(self.patterns[inner as usize], Pattern::Field(..)));
            let is_rest = matches!(item, Value::Pattern(inner) if matches!(self.patterns[inner as usize], Pattern::Rest(_)));
            let (declared, value) = if is_rest {
                (ExprId::UNKNOWN, ExprId::UNKNOWN)
            } else if by_name {
                (declared, value)
            } else if !places_known {
                (ExprId::UNKNOWN, ExprId::UNKNOWN)
            } else if let Some(variant) = variant {
                // The variant alone tells what it holds.
                (ExprId::UNKNOWN, self.add_expr(Expr::Payload(value, variant, index)))
            } else {
                (self.part(declared, Expr::Nth(declared, index)), self.part(value, Expr::Nth(value, index)))
            };
            open.push((item, declared, value));
        }
    }

    /// The binding forms.
    pub(super) fn bind_form(&mut self, pattern: &table::Pattern, node: &Node<'_>, frame: Frame) -> Value {
        let child = |lower: &Self, role| lower.child(pattern, &frame, role);
        // What follows a clause is its own.
        let alias = child(self, Role::Pattern).filter(|_| pattern.form == Form::BindEntered);
        let known_from = alias.map_or(node.end_byte() as u32, |alias| alias.end);
        if pattern.form == Form::BindMatch {
            let matched = self.matched_value();
            for entry in self.all(pattern, &frame, Role::Pattern) {
                self.bind_pattern(entry.value, ExprId::UNKNOWN, matched, node.start_byte() as u32);
            }
            return Value::None;
        }
        let value = if pattern.form == Form::BindTested { None } else { child(self, Role::Value) };
        match pattern.form {
            Form::Bind | Form::BindField | Form::BindTested => {
                let declared = child(self, Role::Type).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
                let given = value.map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
                let mut is_rest = false;
                let mut entries = self.all(pattern, &frame, Role::Pattern);
                if !self.language.reading.this_names.is_empty() {
                    let instance = entries.iter().find(|entry| self.is_instance(entry.value)).copied();
                    entries.retain(|entry| !self.is_instance(entry.value));
                    if let Some(instance) = instance {
                        self.take_instance(self.text(&instance));
                        self.note_type_of_instance(declared, node.start_byte());
                    }
                    if entries.is_empty() {
                        return Value::None;
                    }
                }
                let n_names = entries.len();
                for entry in entries {
                    is_rest |=
                        matches!(entry.value, Value::Pattern(at) if matches!(self.patterns[at as usize], Pattern::Rest(_)));
                    let is_open = declared == ExprId::UNKNOWN && given == ExprId::UNKNOWN;
                    let value = if is_open { self.expected_parameter(&frame, &entry) } else { given };
                    if self.test_file && given == ExprId::UNKNOWN && self.language.scope.given_in.is_some() {
                        let name = self.name(self.text(&entry));
                        self.given(name, entry.row);
                    }
                    if entry.value == Value::None {
                        let name = self.name(self.text(&entry));
                        self.bind(name, declared, value, known_from);
                    } else {
                        self.bind_pattern(entry.value, declared, value, known_from);
                    }
                    let of_type = self.type_of_parameter();
                    if pattern.form == Form::BindField || of_type.is_some() {
                        let name = self.name(self.text(&entry));
                        let outer = of_type.or_else(|| self.containers.iter().rev().nth(1).copied());
                        if let Some(container) = outer {
                            let line = entry.row + 1;
                            self.facts.fields.push(Field::of(container, name, declared, value, line));
                        }
                    }
                }
                let of = if is_rest { self.part(declared, Expr::Rest(declared)) } else { declared };
                // Several names with one type are as many parameters.
                return if n_names > 1 { self.push_values(&vec![Value::Expr(of); n_names]) } else { Value::Expr(of) };
            }
            Form::BindShort => {
                let Some(names) = child(self, Role::Pattern) else { return Value::None };
                let patterns = match names.value {
                    Value::List(start, len) => self.values[start as usize..(start + len) as usize].to_vec(),
                    single => vec![single],
                };
                for (index, item) in patterns.iter().enumerate() {
                    let value = if patterns.len() > 1 {
                        self.nth_value(value, index, patterns.len())
                    } else {
                        value.map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value))
                    };
                    self.bind_pattern(*item, ExprId::UNKNOWN, value, known_from);
                }
            }
            Form::BindEntered => {
                let of = value.map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
                let entered = self.part(of, Expr::Try(of));
                if let Some(entry) = child(self, Role::Pattern) {
                    self.bind_pattern(entry.value, ExprId::UNKNOWN, entered, known_from);
                }
                return Value::Expr(of);
            }
            Form::BindEach => {
                let declared = child(self, Role::Type).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
                let each_from = value.map_or(known_from, |entry| entry.end);
                let over = value.map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
                let element = self.part(over, Expr::Element(over));
                let key = self.part(over, Expr::Key(over));
                match (child(self, Role::Key), child(self, Role::Pattern).map(|entry| entry.value)) {
                    // `key, element` written as one list.
                    (Some(both), None) => match both.value {
                        Value::List(start, 2) => {
                            let (first, second) = (self.values[start as usize], self.values[start as usize + 1]);
                            self.bind_pattern(first, ExprId::UNKNOWN, key, each_from);
                            self.bind_pattern(second, ExprId::UNKNOWN, element, each_from);
                        }
                        single => self.bind_pattern(single, ExprId::UNKNOWN, key, each_from),
                    },
                    (_, Some(pattern)) => self.bind_pattern(pattern, declared, element, each_from),
                    (None, None) => {}
                }
                if child(self, Role::Hoisted).is_some() {
                    self.raise_names(frame.first_bound);
                }
            }
            _ => {}
        }
        Value::None
    }

    fn is_instance(&self, value: Value) -> bool {
        matches!(value, Value::Expr(expr) if matches!(self.facts.exprs[expr.0 as usize], Expr::This(_)))
    }

    /// The value that the nearest match around looks at.
    fn matched_value(&mut self) -> ExprId {
        let Some((pattern, frame)) = self.enclosing(Form::ScopeMatch) else { return ExprId::UNKNOWN };
        self.child(pattern, &frame, Role::Value).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value))
    }

    /// A case that narrows the matched value to types, under the match's alias.
    pub(super) fn bind_case(&mut self, pattern: &table::Pattern, node: &Node<'_>, frame: Frame) {
        let Some((outer, outer_frame)) = self.enclosing(Form::ScopeMatch) else { return };
        let Some(alias) = self.child(outer, &outer_frame, Role::Alias) else { return };
        let types: Vec<ExprId> =
            self.all(pattern, &frame, Role::Type).iter().map(|entry| super::plain_expr(entry.value)).collect();
        let declared = match types.as_slice() {
            [] => ExprId::UNKNOWN,
            [only] => *only,
            _ => {
                let list = self.list(types);
                self.add_expr(Expr::Union(list))
            }
        };
        let name = self.name(self.text(&alias));
        self.bind(name, declared, ExprId::UNKNOWN, node.start_byte() as u32);
    }

    /// A type parameter with its bounds and its default.
    pub(super) fn bind_type(&mut self, pattern: &table::Pattern, frame: Frame) {
        let bound = self.child(pattern, &frame, Role::Bound).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let value = self.child(pattern, &frame, Role::Value).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let of = self.container();
        for entry in self.all(pattern, &frame, Role::Name) {
            self.kill_name(entry.value);
            let name = self.name(self.text(&entry));
            let recent = self.facts.bindings.iter().rev().take(MAX_BINDINGS_BACK);
            let place = recent.filter(|binding| binding.parameter.is_some_and(|parameter| parameter.of == of)).count() as u32;
            let parameter = Some(TypeParameter { of, place });
            self.facts.bindings.push(Binding { name, declared: bound, value, narrowed: false, parameter });
            let id = BindingId(self.facts.bindings.len() as u32 - 1);
            self.bind_name(name, super::scope::Target::Binding(id), 0);
        }
    }

    /// A bound given after the type parameter was declared.
    pub(super) fn bind_bound(&mut self, pattern: &table::Pattern, frame: Frame) {
        let Some(of) = self.child(pattern, &frame, Role::Type) else { return };
        let bound = self.child(pattern, &frame, Role::Bound).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let text = self.text(&of);
        let names = &self.facts.names;
        let recent = self.facts.bindings.iter().enumerate().rev().take(MAX_BINDINGS_BACK);
        let mut parameters = recent.filter(|(_, binding)| binding.parameter.is_some() && names.get(binding.name) == text);
        let Some((index, before)) = parameters.next().map(|(index, binding)| (index, binding.declared)) else { return };
        self.facts.bindings[index].declared = if before == ExprId::UNKNOWN {
            bound
        } else {
            let list = self.list(vec![before, bound]);
            self.add_expr(Expr::Union(list))
        };
    }
}
