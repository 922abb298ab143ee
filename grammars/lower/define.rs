//! Definitions: what leaving a defining node makes known.

use super::{Entry, Frame, Lower, NO_SITE, Value, scope::Target};
use crate::Declared;
use crate::capture::{Form, Role};
use crate::facts::{
    Assertion, Binding, BindingId, Container, Expr, ExprId, Field, Import, ImportKind, NameId, Note, NoteKind, Owner, SiteKind,
    Super, SuperKind, SymbolId, SymbolKind, Traits, Visibility, ZoneKind,
};
use crate::table::Pattern;
use tree_sitter::Node;

/// The most values that a function's result is taken from.
const MAX_RETURNS: usize = 8;

/// What the text of a path in quotes starts with.
pub(super) const QUOTES: [char; 3] = ['"', '\'', '`'];

/// The name of a symbol that turned out not to be one; such symbols are taken out at the end.
pub(super) const NO_NAME: NameId = NameId(u32::MAX);

/// Names of fields without names. Types with more of them use names.
const POSITIONS: [&str; 12] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"];

/// The name of an alias without what stands around it: `(callback)` of a type of functions, `Pair[T]` with its parameters.
fn alias_name(text: &str) -> &str {
    let text = text.trim_matches(['(', ')', '*', ' ']);
    text.split_once('[').map_or(text, |(name, _)| name.trim_end())
}

impl Lower<'_> {
    /// Whether what ends at a byte ends there only since macros were opened, before the first rule of what is written.
    fn is_cut_at(&self, end: usize) -> bool {
        let last = |text: &str| end.checked_sub(1).and_then(|at| text.as_bytes().get(at).copied());
        last(self.source) == Some(b'}') && last(self.written).is_some_and(|byte| b"([{".contains(&byte))
    }

    /// Fills in the symbol of a defining node that is being left.
    pub(super) fn define(&mut self, pattern: &Pattern, node: &Node<'_>, frame: Frame) -> Value {
        let Some(id) = frame.opened.symbol else { return Value::None };
        let names = self.declared_names(pattern, &frame);
        if let Some(own) = self.child(pattern, &frame, Role::Alias) {
            self.kill_name(own.value);
            let name = self.name(self.text(&own));
            let of = self.add_expr(Expr::ThisType(self.container()));
            self.bind(name, of, ExprId::UNKNOWN, own.start);
        }
        let declared = self.child(pattern, &frame, Role::Type).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let declared = self.given_by_instance(declared, &frame);
        let value = self.child(pattern, &frame, Role::Value);
        let own = usize::from(frame.opened.function);
        let nested = self.n_open_functions > own;
        let is_variable = matches!(pattern.form, Form::DefVariable | Form::DefConstant);
        if is_variable && nested {
            self.define_locals(&names, declared, value, node);
            self.release_members(id, false, self.outer_container(&frame), frame);
            return Value::None;
        }
        let mut container = self.outer_container(&frame);
        let is_method = pattern.form == Form::DefMethod;
        let is_member = self.has_members(container) && self.is_direct_member(container);
        if is_method && !is_member {
            container = self.container_of_strays(container);
        }
        let words = self.child(pattern, &frame, Role::Visibility).map(|entry| self.text(&entry));
        let value_expr = value.map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        if is_variable && self.define_import(&names, value_expr) {
            return Value::None;
        }
        let body = self.child(pattern, &frame, Role::Body).map(|entry| entry.start);
        let body_of_value = (value_expr != ExprId::UNKNOWN && self.last_function.0 == value_expr).then_some(self.last_function.1);
        let body = body.or(body_of_value);
        let returned = if frame.opened.function && declared == ExprId::UNKNOWN { self.returned() } else { declared };
        let has = |role| self.child(pattern, &frame, role).is_some();
        let (is_static, is_getter, is_async, is_unsafe) = (
            has(Role::Static) || words.is_some_and(self.language.reading.is_static),
            has(Role::Getter),
            has(Role::Async),
            has(Role::Unsafe),
        );
        let receiver = self.child(pattern, &frame, Role::Receiver).or_else(|| self.path_around(&names));
        let parameters = self.parameters(pattern, frame);
        let whole = self.child(pattern, &frame, Role::Declared).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        for (index, entry) in names.iter().enumerate() {
            self.kill_name(entry.value);
            if is_variable && matches!(entry.value, Value::Pattern(_)) {
                self.define_parts(*entry, id, (container, nested), (declared, value_expr));
                continue;
            }
            let text = self.text(entry).trim_matches(['"', '\'', '`']);
            let text = if pattern.form == Form::DefAlias { alias_name(text) } else { text };
            if text.is_empty() || text == "_" {
                let is_known = declared != ExprId::UNKNOWN && value_expr != ExprId::UNKNOWN;
                if is_variable && names.len() == 1 && is_known && self.language.scope.structural {
                    self.facts.assertions.push(Assertion { value: value_expr, implements: declared });
                }
                continue;
            }
            let name = self.name(text);
            let id = if index == 0 { id } else { self.copy_symbol(id) };
            let kind = symbol_kind(pattern.form, is_member || is_method || receiver.is_some());
            let mut traits = self.facts.symbols[id.0 as usize].traits;
            let mut container = container;
            if let Some(receiver) = receiver {
                container = self.receiver_owner(receiver, &mut traits);
            }
            let takes_self = is_member && !self.language.reading.explicit_self && !is_static;
            let bits = [
                (takes_self && kind == SymbolKind::Method, Traits::INSTANCE),
                (is_getter, Traits::GETTER),
                (is_async, Traits::ASYNC),
                (is_unsafe, Traits::UNSAFE),
                (nested || is_method && !is_member, Traits::NESTED),
                (is_function(pattern.form) && body.is_none() && value.is_none(), Traits::BODILESS),
                (kind == SymbolKind::Macro && self.is_cut_at(node.end_byte()), Traits::GIVES_FILE),
                (
                    kind == SymbolKind::Macro && (self.language.reading.takes_out)(&self.source[node.byte_range()]),
                    Traits::TAKES_OUT,
                ),
            ];
            bits.iter().filter(|(set, _)| *set).for_each(|(_, bit)| traits.add(*bit));
            if is_function(pattern.form) {
                let holder = if is_member { self.holder_text(container) } else { None };
                let of_tests = match container {
                    Container::Symbol(around) => self.facts.symbols[around.0 as usize].traits.has(Traits::TEST),
                    _ => false,
                };
                let gives = self.child(pattern, &frame, Role::Type).map_or("", |entry| self.text(&entry));
                traits.add((self.language.reading.function)(&Declared {
                    name: text,
                    path: self.path,
                    test_file: self.test_file,
                    holder,
                    of_tests: is_member && of_tests,
                    words: words.unwrap_or_default(),
                    gives,
                    is_nested: nested,
                }));
            } else if self.language.reading.lifecycles {
                // A class of tests is none itself.
                traits.remove(Traits::TEST);
            }
            let visibility = match (self.language.reading.visibility)(text, words, is_member) {
                Visibility::Package if is_member && self.is_open_to_all(&frame) => Visibility::Public,
                other => other,
            };
            self.zones.push(crate::facts::Zone { start: entry.start, end: entry.end, kind: ZoneKind::Name });
            let single_value = if names.len() > 1 { self.nth_value(value, index, names.len()) } else { value_expr };
            let (parameters, result) = match self.facts.exprs[single_value.0 as usize] {
                Expr::Function(parameters, result) if is_function(pattern.form) && declared == ExprId::UNKNOWN => {
                    (parameters, result)
                }
                _ => (parameters, returned),
            };
            let single_value = if whole == ExprId::UNKNOWN { single_value } else { self.add_expr(Expr::Instance(whole)) };
            let symbol = &mut self.facts.symbols[id.0 as usize];
            (symbol.name, symbol.kind, symbol.container, symbol.visibility, symbol.traits) =
                (name, kind, container, visibility, traits);
            (symbol.name_line, symbol.parameters) = (entry.row + 1, parameters);
            (symbol.declared, symbol.value) = (result, single_value);
            symbol.body = body.unwrap_or(symbol.body);
            let line = symbol.lines.0;
            if is_function(pattern.form) && body.is_none() && matches!(container, Container::Owner(_)) {
                self.pass_on((id, name), container, (node.start_byte(), entry.row));
            }
            for (bit, kind) in [(Traits::DEPRECATED, NoteKind::Deprecated), (Traits::UNSAFE, NoteKind::Unsafe)] {
                if traits.has(bit) {
                    self.facts.notes.push(Note { kind, symbol: Some(id), line });
                }
            }
        }
        if is_function(pattern.form) {
            self.take_given(id);
            self.take_around(id);
            self.name_fixture(id);
        }
        if is_variable {
            // Functions inside a variable's value are its members only where the value is an object written in place.
            let is_object = self.facts.exprs[value_expr.0 as usize].is_object();
            self.release_members(id, is_object, container, frame);
        }
        if let Some(fields) = self.child(pattern, &frame, Role::List) {
            self.define_positions(id, fields);
        }
        if let Some(bound) = self.child(pattern, &frame, Role::Bound) {
            let expr = self.expr_of(bound.value);
            for of in self.members_of(expr) {
                // Arguments by name say something else of a type.
                if matches!(self.facts.exprs[of.0 as usize], Expr::Keyed(..)) {
                    continue;
                }
                self.retag(of, SiteKind::Type);
                let container = Container::Symbol(id);
                self.facts.supers.push(Super { container, of, kind: SuperKind::Extends, line: bound.row + 1 });
            }
        }
        Value::None
    }

    /// Fields that have a place instead of a name.
    fn define_positions(&mut self, id: SymbolId, fields: Entry) {
        let expr = self.expr_of(fields.value);
        for (declared, position) in self.members_of(expr).into_iter().zip(POSITIONS) {
            let name = self.name(position);
            let container = Container::Symbol(id);
            let line = fields.row + 1;
            self.facts.fields.push(Field::of(container, name, declared, ExprId::UNKNOWN, line));
        }
    }

    /// The members of a tuple or union; what is neither is its only member.
    fn members_of(&self, expr: ExprId) -> Vec<ExprId> {
        match self.facts.exprs[expr.0 as usize] {
            Expr::Unknown => Vec::new(),
            Expr::Tuple(list) | Expr::Union(list) => {
                self.facts.lists[list.start as usize..(list.start + list.len) as usize].to_vec()
            }
            _ => vec![expr],
        }
    }

    /// The result of the function that is being left, from what it returns.
    pub(super) fn returned(&mut self) -> ExprId {
        let mut values = self.returns.last_mut().map(std::mem::take).unwrap_or_default();
        values.dedup();
        match values.as_slice() {
            [] => ExprId::UNKNOWN,
            [only] => *only,
            _ => {
                let list = self.list(values);
                self.add_expr(Expr::Union(list))
            }
        }
    }

    /// Remembers what the function around returns; more than a few values tell no more.
    pub(super) fn note_return(&mut self, value: ExprId) {
        let is_known = value != ExprId::UNKNOWN && !matches!(self.facts.exprs[value.0 as usize], Expr::Literal(_));
        if is_known
            && let Some(values) = self.returns.last_mut()
            && values.len() < MAX_RETURNS
        {
            values.push(value);
        }
    }

    /// A variable whose value is an imported module is the import: its name, or its parts as items.
    fn define_import(&mut self, names: &[Entry], value: ExprId) -> bool {
        let (Expr::Name(module), [entry], Some(import)) =
            (self.facts.exprs[value.0 as usize], names, self.facts.imports.last().cloned())
        else {
            return false;
        };
        if import.local != Some(module) || !self.facts.names.get(module).starts_with(QUOTES) {
            return false;
        }
        if let Value::Pattern(_) = entry.value {
            for part in self.parts_of(entry.value, ExprId::UNKNOWN, value) {
                let item = match self.facts.exprs[part.value.0 as usize] {
                    Expr::FieldOf(of, item) if of == value => Some(item),
                    _ => continue,
                };
                let line = part.row + 1;
                let path = import.path.clone();
                let made = Import { kind: ImportKind::Item, path, item, local: Some(part.name), line, ..import.clone() };
                self.facts.imports.push(made);
            }
        } else {
            self.kill_name(entry.value);
            let name = self.name(self.text(entry));
            if let Some(import) = self.facts.imports.last_mut() {
                import.local = Some(name);
            }
        }
        true
    }

    /// Defines a variable for each name of a pattern; the first is `id`.
    fn define_parts(&mut self, entry: Entry, id: SymbolId, around: (Container, bool), of: (ExprId, ExprId)) {
        for (index, part) in self.parts_of(entry.value, of.0, of.1).into_iter().enumerate() {
            let id = if index == 0 { id } else { self.copy_symbol(id) };
            let visibility = (self.language.reading.visibility)(self.facts.names.get(part.name), None, false);
            let symbol = &mut self.facts.symbols[id.0 as usize];
            (symbol.name, symbol.kind, symbol.container) = (part.name, SymbolKind::Variable, around.0);
            (symbol.visibility, symbol.name_line) = (visibility, part.row + 1);
            (symbol.declared, symbol.value) = (part.declared, part.value);
        }
    }

    fn receiver_owner(&mut self, receiver: Entry, traits: &mut Traits) -> Container {
        let mut of = self.expr_of(receiver.value);
        traits.add(Traits::INSTANCE);
        if let Expr::Pointer(inner) = self.facts.exprs[of.0 as usize] {
            of = inner;
            traits.add(Traits::POINTER);
        }
        let line = receiver.row + 1;
        self.facts.owners.push(Owner { container: Container::File, of, implements: ExprId::UNKNOWN, line });
        Container::Owner(self.facts.owners.len() as u32 - 1)
    }

    fn copy_symbol(&mut self, id: SymbolId) -> SymbolId {
        let copy = self.facts.symbols[id.0 as usize].clone();
        self.facts.symbols.push(copy);
        SymbolId(self.facts.symbols.len() as u32 - 1)
    }

    fn define_locals(&mut self, names: &[Entry], declared: ExprId, value: Option<Entry>, node: &Node<'_>) {
        for (index, entry) in names.iter().enumerate() {
            let value = if names.len() > 1 {
                self.nth_value(value, index, names.len())
            } else {
                value.map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value))
            };
            if matches!(entry.value, Value::None) {
                let name = self.name(self.text(entry));
                self.bind(name, declared, value, node.end_byte() as u32);
            } else {
                self.bind_pattern(entry.value, declared, value, node.end_byte() as u32);
            }
        }
    }

    /// The value of the n-th of several names: the n-th of as many values, or the n-th part of one.
    pub(super) fn nth_value(&mut self, value: Option<Entry>, index: usize, n_names: usize) -> ExprId {
        let Some(entry) = value else { return ExprId::UNKNOWN };
        if let Value::List(start, len) = entry.value {
            if len as usize == n_names {
                return super::plain_expr(self.values[start as usize + index]);
            }
            if len > 1 {
                return ExprId::UNKNOWN;
            }
        }
        let whole = self.expr_of(entry.value);
        self.part(whole, Expr::Nth(whole, index as u32))
    }

    /// A part of a value; unknown where the value is.
    pub(super) fn part(&mut self, whole: ExprId, part: Expr) -> ExprId {
        if whole == ExprId::UNKNOWN { whole } else { self.add_expr(part) }
    }

    /// Adds a local binding and makes its name known.
    pub(super) fn bind(&mut self, name: NameId, declared: ExprId, value: ExprId, known_from: u32) {
        if self.is_outside(name) {
            return;
        }
        self.facts.bindings.push(Binding { name, declared, value, narrowed: false, parameter: None });
        let id = BindingId(self.facts.bindings.len() as u32 - 1);
        self.bind_name(name, Target::Binding(id), known_from);
    }

    pub(super) fn define_fields(&mut self, pattern: &Pattern, frame: Frame, variant: bool) {
        let container = self.outer_container(&frame);
        let is_member = self.has_members(container) && self.is_direct_member(container);
        let declared = self.child(pattern, &frame, Role::Type).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let whole = self.child(pattern, &frame, Role::Value).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let words = if variant { None } else { self.child(pattern, &frame, Role::Visibility) };
        let words = words.map(|entry| self.text(&entry));
        let visibility = match (self.language.reading.visibility)("", words, true) {
            Visibility::Package if self.is_open_to_all(&frame) => Visibility::Public,
            other => other,
        };
        let values: Vec<ExprId> = self.all(pattern, &frame, Role::Name).iter().map(|entry| self.value_declared(entry)).collect();
        for (entry, own) in self.declared_names(pattern, &frame).into_iter().zip(values) {
            let value = if own == ExprId::UNKNOWN { whole } else { own };
            self.kill_name(entry.value);
            let name = self.name(self.text(&entry).trim_matches(['"', '\'']));
            if is_member {
                if pattern.form == Form::DefMember {
                    self.bind(name, ExprId::UNKNOWN, ExprId::UNKNOWN, entry.start);
                }
                let line = entry.row + 1;
                self.facts.fields.push(Field { variant, visibility, ..Field::of(container, name, declared, value, line) });
                self.zones.push(crate::facts::Zone { start: entry.start, end: entry.end, kind: ZoneKind::Name });
            }
        }
    }

    pub(super) fn define_owner(&mut self, pattern: &Pattern, frame: Frame) {
        let of = self.child(pattern, &frame, Role::Type).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let implements = self.child(pattern, &frame, Role::Trait).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        if let Container::Owner(index) = self.container() {
            let owner = &mut self.facts.owners[index as usize];
            (owner.of, owner.implements) = (of, implements);
            let line = owner.line;
            if implements != ExprId::UNKNOWN {
                let container = Container::Owner(index);
                self.facts.supers.push(Super { container, of: implements, kind: SuperKind::Implements, line });
            }
        }
    }

    /// Supertypes of the type around; what stands in the same form as an argument of another type is that argument.
    pub(super) fn define_supers(&mut self, pattern: &Pattern, frame: Frame, kind: SuperKind) -> Value {
        let container = self.container();
        let types = self.all(pattern, &frame, Role::Type);
        if !self.has_members(container) || !self.is_direct_member(container) {
            return if let [only] = types.as_slice() { only.value } else { Value::None };
        }
        for entry in types {
            let members = match entry.value {
                Value::List(start, len) => self.values[start as usize..(start + len) as usize].to_vec(),
                single => vec![single],
            };
            for member in members {
                let of = super::plain_expr(member);
                if of != ExprId::UNKNOWN {
                    self.retag(of, SiteKind::Type);
                    self.facts.supers.push(Super { container, of, kind, line: entry.row + 1 });
                }
            }
        }
        Value::None
    }

    /// A name that is not a use of anything.
    pub(super) fn kill_name(&mut self, value: Value) {
        let Value::Expr(expr) = value else { return };
        self.kill_expr(expr);
    }

    pub(super) fn kill_expr(&mut self, expr: ExprId) {
        if matches!(self.facts.exprs[expr.0 as usize], Expr::Name(_)) {
            self.kill_site(expr);
            self.facts.exprs[expr.0 as usize] = Expr::Unknown;
        }
    }

    pub(super) fn kill_site(&mut self, expr: ExprId) {
        let site = self.site_of[expr.0 as usize];
        if site != NO_SITE {
            self.facts.sites[site as usize].line = 0;
        }
    }
}

fn is_function(form: Form) -> bool {
    matches!(form, Form::DefFunction | Form::DefMethod)
}

fn symbol_kind(form: Form, is_member: bool) -> SymbolKind {
    match form {
        Form::DefFunction | Form::DefMethod if is_member => SymbolKind::Method,
        Form::DefFunction => SymbolKind::Function,
        Form::DefType => SymbolKind::Type,
        Form::DefInterface => SymbolKind::Interface,
        Form::DefAlias => SymbolKind::Alias,
        Form::DefConstant => SymbolKind::Constant,
        Form::DefModule => SymbolKind::Module,
        Form::DefMacro => SymbolKind::Macro,
        _ => SymbolKind::Variable,
    }
}
