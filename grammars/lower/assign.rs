//! Assignments in languages that declare variables by them: what one makes known depends on where it stands and on what is assigned.

use super::define::NO_NAME;
use super::scope::Target;
use super::{Entry, Frame, Lower, Value};
use crate::capture::{Form, Role};
use crate::facts::{
    Container, Expr, ExprId, Field, NameId, SiteKind, Symbol, SymbolId, SymbolKind, Traits, Visibility, Zone, ZoneKind,
};
use crate::table::Pattern;
use rustc_hash::FxHashSet;
use tree_sitter::Node;

/// The most values of a variable that its type is taken from.
const MAX_VALUES: usize = 8;

/// The most parts of a pattern that are assigned one by one.
const MAX_PARTS: usize = 64;

/// How many imports of a file, and names of a function that are not its own, are looked through for one name.
const MAX_LOOKED_AT: usize = 1_000;

/// The names that a module lists as all of it.
pub(super) type Listed = FxHashSet<String>;

/// Where an assignment stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Module,
    Type,
    Function,
}

/// What is assigned to a target: its declared type, its value, and the byte from which on it is known.
#[derive(Clone, Copy)]
struct Given {
    declared: ExprId,
    value: ExprId,
    known_from: u32,
}

impl<'a> Lower<'a> {
    /// An assignment; its value is what was assigned.
    pub(super) fn assign(&mut self, pattern: &Pattern, node: &Node<'_>, frame: Frame) -> Value {
        let Some(target) = self.child(pattern, &frame, Role::Name) else { return Value::None };
        if let Some(added) = self.child(pattern, &frame, Role::List) {
            if self.place() == Place::Module && self.is_list_of_names(&target) {
                self.list_names(&added, true);
            }
            return Value::None;
        }
        let declared = self.child(pattern, &frame, Role::Type).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let given = self.child(pattern, &frame, Role::Value);
        if self.place() == Place::Module
            && self.is_list_of_names(&target)
            && let Some(given) = given
        {
            self.list_names(&given, false);
        }
        let value = given.map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let known_from = node.end_byte() as u32;
        match target.value {
            Value::Pattern(_) => {
                for (part, value) in self.parts_assigned(target.value, given) {
                    self.assign_to(part, node, frame, Given { declared: ExprId::UNKNOWN, value, known_from });
                }
            }
            single => self.assign_to((single, target), node, frame, Given { declared, value, known_from }),
        }
        if value == ExprId::UNKNOWN { Value::None } else { Value::Expr(value) }
    }

    /// The parts of a pattern, each with the value it gets: of as many values its own, else a part of the one.
    fn parts_assigned(&mut self, target: Value, given: Option<Entry>) -> Vec<((Value, Entry), ExprId)> {
        let Some(entry) = given else { return Vec::new() };
        let parts = self.parts_in(target);
        let n_parts = parts.len();
        let whole = entry.value;
        let of_tuple = match whole {
            Value::Expr(of) => match self.facts.exprs[of.0 as usize] {
                Expr::Tuple(list) if list.len as usize == n_parts => Some(list),
                _ => None,
            },
            _ => None,
        };
        let mut found = Vec::new();
        for (index, part) in parts.into_iter().enumerate().take(MAX_PARTS) {
            let value = match of_tuple {
                Some(list) => self.facts.lists[list.start as usize + index],
                None => self.nth_value(Some(entry), index, n_parts),
            };
            found.push(((part, entry), value));
        }
        found
    }

    fn assign_to(&mut self, (target, entry): (Value, Entry), node: &Node<'_>, frame: Frame, given: Given) {
        let Value::Expr(expr) = target else {
            return self.bind_parts(target, given);
        };
        match self.facts.exprs[expr.0 as usize] {
            Expr::Member(base, name) => {
                self.assigned_members.insert(name);
                if let Expr::This(container @ Container::Symbol(_)) = self.facts.exprs[base.0 as usize] {
                    let line = node.start_position().row as u32 + 1;
                    let Given { declared, value, .. } = given;
                    self.facts.fields.push(Field::of(container, name, declared, value, line));
                }
            }
            Expr::Name(name) => match self.place() {
                Place::Function => self.bind_parts(target, given),
                Place::Type => {
                    self.kill_expr(expr);
                    let (container, line) = (self.container(), entry.row + 1);
                    let Given { declared, value, .. } = given;
                    let aliased = self.alias_in_class(value);
                    let (alias, value) = (aliased.is_some(), aliased.unwrap_or(value));
                    let field = Field::of(container, name, declared, value, line);
                    self.facts.fields.push(Field { alias, ..field });
                    self.zone_of_name(&entry, name);
                }
                Place::Module => {
                    self.kill_expr(expr);
                    self.assign_variable(name, entry, node, frame, given);
                }
            },
            _ => {}
        }
    }

    fn bind_parts(&mut self, target: Value, given: Given) {
        if self.place() == Place::Function {
            self.bind_pattern(target, given.declared, given.value, given.known_from);
        }
    }

    fn zone_of_name(&mut self, entry: &Entry, name: NameId) {
        if self.text(entry) == self.facts.names.get(name) {
            self.zones.push(Zone { start: entry.start, end: entry.end, kind: ZoneKind::Name });
        }
    }

    /// A variable of the module: the first assignment defines it, further ones add to what it may be.
    fn assign_variable(&mut self, name: NameId, entry: Entry, node: &Node<'_>, frame: Frame, given: Given) {
        if let Some((id, values)) = self.assigned.get_mut(&name) {
            let id = *id;
            if given.value != ExprId::UNKNOWN && values.len() < MAX_VALUES {
                values.push(given.value);
                let values = values.clone();
                self.facts.symbols[id.0 as usize].value = self.either(values);
            }
            let symbol = &mut self.facts.symbols[id.0 as usize];
            if symbol.declared == ExprId::UNKNOWN {
                symbol.declared = given.declared;
            }
            return;
        }
        // What stands in for an import that fails defines nothing.
        let says_nothing = matches!(self.facts.exprs[given.value.0 as usize], Expr::Unknown | Expr::Literal(_));
        if says_nothing
            && given.declared == ExprId::UNKNOWN
            && self.facts.imports.iter().rev().take(MAX_LOOKED_AT).any(|import| import.local == Some(name))
        {
            return;
        }
        let around = self.open_symbols.last().copied();
        let id = self.reserve(node);
        let visibility = (self.language.reading.visibility)(self.facts.names.get(name), None, false);
        let container = self.container();
        let symbol = &mut self.facts.symbols[id.0 as usize];
        (symbol.name, symbol.kind, symbol.container) = (name, SymbolKind::Variable, container);
        (symbol.visibility, symbol.name_line) = (visibility, entry.row + 1);
        (symbol.declared, symbol.value) = (given.declared, given.value);
        self.zone_of_name(&entry, name);
        let values = Some(given.value).filter(|value| *value != ExprId::UNKNOWN).into_iter().collect();
        self.assigned.insert(name, (id, values));
        for site in &mut self.facts.sites[frame.first_site as usize..] {
            if site.from == around {
                site.from = Some(id);
            }
        }
    }

    /// Where the node that is being left stands.
    fn place(&self) -> Place {
        for (depth, frame) in self.frames.iter().enumerate().rev() {
            if frame.opened.function {
                return Place::Function;
            }
            if frame.opened.container && self.has_form(depth, |form| form == Form::DefType) {
                return Place::Type;
            }
        }
        Place::Module
    }

    /// Says that a function gives names of a scope outside to its assignments.
    pub(super) fn bind_outside(&mut self, pattern: &Pattern, frame: Frame) {
        for entry in self.all(pattern, &frame, Role::Name) {
            self.kill_name(entry.value);
            let name = self.name(self.text(&entry));
            self.outside.push((self.n_open_functions, name));
        }
    }

    /// Whether the function around assigns a name of a scope outside.
    pub(super) fn is_outside(&self, name: NameId) -> bool {
        self.outside
            .iter()
            .rev()
            .take(MAX_LOOKED_AT)
            .take_while(|(depth, _)| *depth == self.n_open_functions)
            .any(|(_, outside)| *outside == name)
    }

    /// Parameters in order: names alone are bound, and the instance is none.
    pub(super) fn bind_list(&mut self, frame: Frame) -> Value {
        let mut members = Vec::new();
        for entry in self.children(&frame).to_vec().into_iter().filter(|entry| entry.named) {
            match entry.value {
                Value::Expr(of) => match self.facts.exprs[of.0 as usize] {
                    Expr::This(_) => self.take_instance(self.text(&entry)),
                    Expr::Name(name) if self.text(&entry) == self.facts.names.get(name) && self.is_bare(&entry) => {
                        self.kill_expr(of);
                        let given = if self.language.scope.given_in.is_some() {
                            self.given(name, entry.row)
                        } else {
                            self.expected_parameter(&frame, &entry)
                        };
                        self.bind(name, ExprId::UNKNOWN, given, entry.end);
                        members.push(Value::Expr(ExprId::UNKNOWN));
                    }
                    _ => members.push(entry.value),
                },
                Value::Pattern(_) => {
                    self.bind_pattern(entry.value, ExprId::UNKNOWN, ExprId::UNKNOWN, entry.end);
                    members.push(Value::Expr(ExprId::UNKNOWN));
                }
                _ => {}
            }
        }
        self.push_values(&members)
    }

    /// What a fixture gives to a parameter, in files of tests; which functions take what fixtures give is known when they are left.
    pub(super) fn given(&mut self, name: NameId, row: u32) -> ExprId {
        let Some(function) = self.open_symbols.last().copied().filter(|_| self.test_file) else { return ExprId::UNKNOWN };
        if self.is_given_above(function, name) {
            return ExprId::UNKNOWN;
        }
        self.given.push((function, name, row));
        self.add_expr(Expr::Given(name, function))
    }

    /// Whether what stands above a function may give it the parameter: a decorator with its name, or one that passes what it makes.
    fn is_given_above(&self, function: SymbolId, name: NameId) -> bool {
        let (start, end) = self.facts.symbols[function.0 as usize].doc;
        let above = self.source.get(start as usize..end as usize).unwrap_or_default();
        let name = self.facts.names.get(name);
        above.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name || word == "patch")
    }

    /// Says that a function takes what fixtures give, if it is one of those that do.
    pub(super) fn take_given(&mut self, function: SymbolId) {
        let traits = self.facts.symbols[function.0 as usize].traits;
        let takes = traits.has(Traits::TEST) || traits.has(Traits::FIXTURE);
        while let Some((_, name, row)) = self.given.pop_if(|(of, ..)| of.0 >= function.0) {
            if takes {
                let expr = self.add_expr(Expr::Name(name));
                self.add_site(expr, row, SiteKind::Given);
            }
        }
    }

    /// Says that a test runs between what its class sets up and takes down.
    pub(super) fn take_around(&mut self, function: SymbolId) {
        let symbol = &self.facts.symbols[function.0 as usize];
        if self.language.reading.lifecycles && symbol.traits.has(Traits::TEST) {
            let (row, container) = (symbol.name_line.saturating_sub(1), symbol.container);
            let expr = self.add_expr(Expr::This(container));
            self.add_site(expr, row, SiteKind::Around);
        }
    }

    /// Notes the name by which tests ask for a fixture, where it is not its own.
    pub(super) fn name_fixture(&mut self, function: SymbolId) {
        let symbol = &self.facts.symbols[function.0 as usize];
        if !symbol.traits.has(Traits::FIXTURE) {
            return;
        }
        let above = self.source.get(symbol.doc.0 as usize..symbol.doc.1 as usize).unwrap_or_default();
        if let Some(name) = (self.language.reading.fixture_name)(above) {
            let name = self.name(name);
            self.facts.fixtures.push((name, function));
        }
    }

    /// The value of what a class assigns, if it is another name for a function: the function itself, where it is wrapped, and the member of the class
    /// where that has the name.
    fn alias_in_class(&mut self, value: ExprId) -> Option<ExprId> {
        let wrappers = self.language.reading.member_wrappers;
        let of = match self.facts.exprs[value.0 as usize] {
            Expr::Call(callee, first) if !wrappers.is_empty() => match self.facts.exprs[callee.0 as usize] {
                Expr::Name(name) if wrappers.contains(&self.facts.names.get(name)) => first,
                _ => return None,
            },
            Expr::Name(_) | Expr::Member(..) if !wrappers.is_empty() => value,
            _ => return None,
        };
        if let Expr::Name(name) = self.facts.exprs[of.0 as usize] {
            let container = self.container();
            let is_member =
                |symbol: &Symbol| symbol.name == name && symbol.container == container && symbol.kind == SymbolKind::Method;
            if let Some(at) = self.facts.symbols.iter().rposition(is_member) {
                self.facts.exprs[of.0 as usize] = Expr::Symbol(SymbolId(at as u32));
            }
        }
        matches!(self.facts.exprs[of.0 as usize], Expr::Name(_) | Expr::Member(..) | Expr::Symbol(_)).then_some(of)
    }

    /// Whether a node is a name, not a parameter with a node of its own.
    fn is_bare(&self, entry: &Entry) -> bool {
        self.table.patterns(entry.kind).iter().any(|pattern| pattern.form == Form::ExprName)
    }

    /// Whether a name means the instance: that of a parameter which is it, in a list of parameters or in its function.
    pub(super) fn means_instance(&self, name: &str) -> bool {
        let is_parameter = || {
            let last = self.frames.len().saturating_sub(1);
            self.has_form(last, |form| matches!(form, Form::Bind | Form::BindField | Form::BindList))
        };
        self.language.reading.this_names.contains(&name)
            && (is_parameter() || self.instances.iter().any(|(_, instance)| *instance == name))
    }

    /// Says that the function whose parameters are read takes the instance.
    pub(super) fn take_instance(&mut self, name: &'a str) {
        self.instances.push((self.n_open_functions, name));
        if let Some(symbol) = self.open_symbols.last() {
            self.facts.symbols[symbol.0 as usize].traits.add(Traits::INSTANCE);
        }
    }

    /// A single name in a pattern of a case is bound; any other path is a use.
    pub(super) fn bind_captured(&mut self, pattern: &Pattern, node: &Node<'_>, frame: Frame) {
        if let Some(key) = self.child(pattern, &frame, Role::Key) {
            self.kill_name(key.value);
        }
        if let Some(entry) = self.child(pattern, &frame, Role::Pattern) {
            let given = Given { declared: ExprId::UNKNOWN, value: ExprId::UNKNOWN, known_from: node.start_byte() as u32 };
            match self.place() {
                Place::Function => self.bind_pattern(entry.value, given.declared, given.value, given.known_from),
                Place::Module | Place::Type => self.kill_name(entry.value),
            }
        }
    }

    fn is_list_of_names(&self, target: &Entry) -> bool {
        self.language.reading.listed_name == Some(self.text(target))
    }

    /// Reads the names that a module lists; a list that is put together at run time says nothing.
    fn list_names(&mut self, entry: &Entry, adds: bool) {
        let mut names = Listed::default();
        let mut rest = self.text(entry).trim().trim_matches(['[', ']', '(', ')']);
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if let Some(comment) = rest.strip_prefix('#') {
                rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
                continue;
            }
            if rest.is_empty() {
                break;
            }
            let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
            let Some((name, behind)) = quote.and_then(|quote| rest[1..].split_once(quote)) else {
                self.listed = None;
                return;
            };
            names.insert(name.to_owned());
            rest = behind;
        }
        match &mut self.listed {
            Some(known) if adds => known.extend(names),
            None if adds => {}
            listed => *listed = Some(names),
        }
    }

    /// Shows to others what the module lists and nothing else, where it lists names.
    pub(super) fn show_listed(&mut self) {
        let Some(listed) = self.listed.take() else { return };
        // What is done to the list as to any other, at run time, is not read.
        let has_calls =
            |name: &str| self.source.match_indices(name).any(|(at, _)| self.source[at + name.len()..].starts_with('.'));
        if self.language.reading.listed_name.is_some_and(has_calls) {
            return;
        }
        let facts = &mut self.facts;
        let of_module = |symbol: &&mut crate::facts::Symbol| symbol.name != NO_NAME && symbol.container == Container::File;
        for symbol in facts.symbols.iter_mut().filter(of_module) {
            let is_listed = listed.contains(facts.names.get(symbol.name));
            if is_listed {
                symbol.visibility = Visibility::Public;
            } else if symbol.visibility == Visibility::Public {
                symbol.visibility = Visibility::Package;
            }
        }
        for import in facts.imports.iter_mut().filter(|import| import.exported) {
            import.exported = import.local.is_none_or(|local| listed.contains(facts.names.get(local)));
        }
    }

    /// A name that is known in the function around alone for what `name` means in the module.
    pub(super) fn bind_alias(&mut self, local: NameId, known: NameId) {
        let of = self.add_expr(Expr::Name(known));
        self.bind_name(local, Target::Path(of), 0);
    }
}
