//! Expressions and types, and the one place where forms become actions.

use super::{Frame, Lower, Value, plain_expr};
use crate::capture::{Form, Role};
use crate::facts::{Expr, ExprId, ListId, NameId, Note, NoteKind, SiteKind, SuperKind, Traits, ZoneKind};
use crate::table::Pattern;
use tree_sitter::Node;

/// The word that means the instance as a value and the module at the start of a path.
pub(super) const THIS_MODULE: &str = "self";

impl Lower<'_> {
    /// Does what the matched form says and gives the node's value.
    pub(super) fn apply(&mut self, pattern: &Pattern, node: &Node<'_>, frame: Frame) -> Value {
        match pattern.form {
            Form::Package => {
                if let Some(entry) = self.child(pattern, &frame, Role::Name) {
                    self.forget_uses(frame);
                    self.kill_name(entry.value);
                    self.facts.package = Some(self.name(self.text(&entry)));
                }
                Value::None
            }
            Form::DefFunction
            | Form::DefMethod
            | Form::DefType
            | Form::DefInterface
            | Form::DefAlias
            | Form::DefConstant
            | Form::DefVariable
            | Form::DefModule
            | Form::DefMacro => {
                let value = self.define(pattern, node, frame);
                if value == Value::None { self.keyed(pattern, frame) } else { value }
            }
            Form::DefAnonymous | Form::DefInstance | Form::BindDeclared | Form::BindTested | Form::BindRest => {
                self.define_in_place(pattern, node, frame)
            }
            Form::DefAssigned => self.assign(pattern, node, frame),
            Form::DefField | Form::DefVariant | Form::DefMember => {
                self.define_fields(pattern, frame, pattern.form != Form::DefField);
                self.keyed(pattern, frame)
            }
            Form::DefGets => {
                self.define_getting(pattern, node, frame);
                Value::None
            }
            Form::DefDeclared => {
                self.define_declared(pattern, node, frame);
                Value::None
            }
            Form::Declarator => self.declarator(pattern, frame),
            Form::DefCallable => self.define_callable(pattern, frame),
            Form::Owner => {
                self.define_owner(pattern, frame);
                Value::None
            }
            Form::SuperEmbeds | Form::SuperExtends | Form::SuperImplements => {
                let kind = match pattern.form {
                    Form::SuperEmbeds => SuperKind::Embeds,
                    Form::SuperExtends => SuperKind::Extends,
                    _ => SuperKind::Implements,
                };
                self.define_supers(pattern, frame, kind)
            }
            Form::SelfParameter => {
                if let Some(symbol) = self.open_symbols.last() {
                    self.facts.symbols[symbol.0 as usize].traits.add(Traits::INSTANCE);
                }
                Value::None
            }
            Form::Export | Form::ExportDefault => {
                self.export(pattern, frame);
                Value::None
            }
            Form::Constant => {
                self.make_constants(frame);
                Value::None
            }
            Form::Return => {
                let value = self.child(pattern, &frame, Role::Value).map_or(ExprId::UNKNOWN, |entry| plain_expr(entry.value));
                self.note_return(value);
                self.leave_branch(true);
                Value::None
            }
            Form::Yield => {
                self.note_yield(pattern, frame);
                Value::Expr(ExprId::UNKNOWN)
            }
            Form::Assert | Form::Leaves | Form::LeavesLoop => {
                self.end_branch(pattern, frame);
                Value::None
            }
            Form::Attribute => {
                if let Some(callee) = self.child(pattern, &frame, Role::Callee) {
                    self.retag(plain_expr(callee.value), SiteKind::Call);
                }
                self.note_above(node, true);
                Value::None
            }
            Form::ImportModule
            | Form::ImportModules
            | Form::ImportFrom
            | Form::ImportItem
            | Form::ImportNamespace
            | Form::ImportDefault
            | Form::ImportAll
            | Form::ExportFrom
            | Form::ImportTree
            | Form::ImportPath
            | Form::ImportGroup
            | Form::ImportList
            | Form::ImportAlias
            | Form::ImportGlob
            | Form::ImportChild => self.import(pattern, node, frame),
            Form::ScopeMatch => {
                if let Some(alias) = self.child(pattern, &frame, Role::Alias) {
                    self.kill_name(alias.value);
                    // Where no case narrows it, it is the value itself.
                    let value =
                        self.child(pattern, &frame, Role::Value).map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
                    let name = self.name(self.text(&alias));
                    self.bind(name, ExprId::UNKNOWN, value, alias.end);
                }
                self.child(pattern, &frame, Role::Body).map_or(Value::None, |entry| entry.value)
            }
            Form::ScopeFunction => {
                self.raise_names(frame.first_bound);
                Value::None
            }
            Form::ScopeCase => {
                self.bind_case(pattern, node, frame);
                Value::None
            }
            Form::Bind | Form::BindField | Form::BindShort | Form::BindEach | Form::BindEntered | Form::BindMatch => {
                self.bind_form(pattern, node, frame)
            }
            Form::BindList => self.bind_list(frame),
            Form::BindCaptured => {
                self.bind_captured(pattern, node, frame);
                Value::None
            }
            Form::ScopeOutside => {
                self.bind_outside(pattern, frame);
                Value::None
            }
            Form::BindType => {
                self.bind_type(pattern, frame);
                Value::None
            }
            Form::BindBound => {
                self.bind_bound(pattern, frame);
                Value::None
            }
            Form::PatternTuple
            | Form::PatternArray
            | Form::PatternRest
            | Form::PatternVariant
            | Form::PatternStruct
            | Form::PatternField
            | Form::PatternCapture
            | Form::PatternAny => self.pattern(pattern, node, frame),
            Form::ZoneComment => {
                self.zone(node, ZoneKind::Comment);
                self.note_above(node, false);
                Value::None
            }
            Form::ZoneLiteral => {
                self.zone(node, ZoneKind::Literal);
                let name = self.name("string");
                Value::Expr(self.add_expr(Expr::Literal(name)))
            }
            Form::ZoneDoc => {
                self.zone_of_doc(node);
                Value::None
            }
            Form::NoteUnsafe => {
                let symbol = self.open_symbols.last().copied();
                self.facts.notes.push(Note { kind: NoteKind::Unsafe, symbol, line: node.start_position().row as u32 + 1 });
                self.last_value(pattern, &frame, Role::Value)
            }
            Form::Modifiers => {
                let words = (self.language.reading.attribute)(&self.source[node.byte_range()]);
                if let Some(symbol) = self.open_symbols.last() {
                    self.facts.symbols[symbol.0 as usize].traits.add(words);
                }
                Value::None
            }
            Form::ImportCall => {
                let arguments = self.child(pattern, &frame, Role::Args);
                let made = arguments.and_then(|arguments| self.import_call(&arguments, node.start_position().row as u32));
                Value::Expr(made.unwrap_or(ExprId::UNKNOWN))
            }
            Form::Same => {
                if let Some(key) = self.child(pattern, &frame, Role::Key) {
                    self.kill_name(key.value);
                }
                self.child(pattern, &frame, Role::Value).map_or(Value::None, |entry| entry.value)
            }
            Form::Tokens => self.tokens(node, frame),
            Form::Scope | Form::ScopeEnd => self.last_value(pattern, &frame, Role::Value),
            Form::Skip | Form::Absent | Form::Branch | Form::Alternatives | Form::Condition => Value::None,
            _ => self.expression(pattern, node, frame),
        }
    }

    fn expression(&mut self, pattern: &Pattern, node: &Node<'_>, frame: Frame) -> Value {
        let child = |lower: &mut Self, role| {
            let value = lower.child(pattern, &frame, role).map_or(Value::None, |entry| entry.value);
            lower.expr_of(value)
        };
        let row = node.start_position().row as u32;
        let expr = match pattern.form {
            Form::ExprName | Form::TypeName => return self.name_expr(pattern.form, node, row),
            Form::ExprWord => {
                let source = self.source;
                Expr::Name(self.name(&source[node.byte_range()]))
            }
            Form::ExprThis => Expr::This(self.type_container()),
            Form::TypeThis => Expr::ThisType(self.type_container()),
            Form::ExprSuper => Expr::Super(self.type_container()),
            Form::ExprPath
            | Form::TypeQuoted
            | Form::ExprArgument
            | Form::ExprChoice
            | Form::ExprMany
            | Form::ExprReference
            | Form::ExprClass
            | Form::ExprSum
            | Form::ExprTruth
            | Form::TypeLookup => {
                return self.composed(pattern, frame);
            }
            Form::ExprMember | Form::ExprScoped | Form::TypeScoped => return self.member_expr(pattern, frame),
            Form::ExprCall => {
                let callee = self.child(pattern, &frame, Role::Callee);
                return self.call(pattern, node, frame, callee);
            }
            Form::ExprSend => {
                let Some(mut callee) = self.child(pattern, &frame, Role::Name) else { return Value::None };
                if self.language.reading.functions_apart {
                    self.forget_name(callee.value);
                }
                if self.child(pattern, &frame, Role::Base).is_some() {
                    callee.value = self.member_expr(pattern, frame);
                }
                return self.call(pattern, node, frame, Some(callee));
            }
            Form::ExprNew => {
                let of = child(self, Role::Type);
                self.retag(of, SiteKind::New);
                self.note_new(pattern, node, &frame);
                if let Some(given) = self.child(pattern, &frame, Role::List) {
                    self.note_arguments(of, given.value);
                }
                if of != ExprId::UNKNOWN && self.child(pattern, &frame, Role::Args).is_some() {
                    let list = self.type_arguments(pattern, frame, Role::Args);
                    Expr::Instance(self.add_expr(Expr::Apply(of, list)))
                } else {
                    Expr::Instance(self.type_of_variant(of))
                }
            }
            Form::ExprIs => {
                let of = child(self, Role::Value);
                self.tested.push(of);
                Expr::Unknown
            }
            Form::ExprTag => {
                let entry = self.child(pattern, &frame, Role::Callee);
                let callee = child(self, Role::Callee);
                if entry.is_some_and(|entry| (self.language.reading.is_component)(self.text(&entry))) {
                    self.retag(callee, SiteKind::Call);
                } else {
                    self.kill_expr(callee);
                }
                Expr::Unknown
            }
            Form::ExprMacro => {
                let name = self.child(pattern, &frame, Role::Callee).map_or("", |entry| self.text(&entry));
                let last = name.rsplit("::").next().unwrap_or(name);
                if self.language.reading.tokens.quoting.contains(&last) {
                    self.kill_token_sites(frame);
                }
                let callee = child(self, Role::Callee);
                self.retag(callee, SiteKind::Macro);
                let given = self.child(pattern, &frame, Role::Args);
                let given = given.map_or(ExprId::UNKNOWN, |given| self.first_given(given.value));
                if given == ExprId::UNKNOWN { Expr::Unknown } else { Expr::Expanded(callee, given) }
            }
            Form::ExprCast => Expr::Instance(child(self, Role::Type)),
            Form::ExprIndex => Expr::Index(child(self, Role::Base)),
            Form::ExprDeref => Expr::Deref(child(self, Role::Value)),
            Form::ExprAwait => Expr::Await(child(self, Role::Value)),
            Form::ExprTry => Expr::Try(child(self, Role::Value)),
            Form::ExprFunction => return Value::Expr(self.function_value(pattern, frame)),
            Form::ExprLiteral => {
                let source = self.source;
                let name = self.name(super::composed::literal_name(node.kind(), &source[node.start_byte()..node.end_byte()]));
                Expr::Literal(name)
            }
            Form::ExprKeyed => {
                if let Some(key) = self.child(pattern, &frame, Role::Key) {
                    self.kill_name(key.value);
                }
                return Value::Expr(child(self, Role::Value));
            }
            Form::List => {
                let mut members: Vec<Value> = Vec::new();
                for entry in self.children(&frame).iter().filter(|entry| entry.named) {
                    match entry.value {
                        Value::List(start, len) => {
                            members.extend_from_slice(&self.values[start as usize..(start + len) as usize]);
                        }
                        single => members.push(single),
                    }
                }
                return match members.as_slice() {
                    [only] => *only,
                    _ => self.push_values(&members),
                };
            }
            Form::TypeApply => {
                // A word of the language stands for itself: `chan`.
                let base = match self.child(pattern, &frame, Role::Base).filter(|entry| !entry.named) {
                    Some(word) => {
                        let name = self.name(self.text(&word));
                        self.add_expr(Expr::Name(name))
                    }
                    None => child(self, Role::Base),
                };
                Expr::Apply(base, self.type_arguments(pattern, frame, Role::Args))
            }
            Form::TypePointer => Expr::Pointer(child(self, Role::Type)),
            Form::TypeMany => Expr::Many(child(self, Role::Type)),
            Form::TypeMap => Expr::Map(child(self, Role::Key), child(self, Role::Type)),
            Form::TypeFunction => {
                let parameters = self.parameters(pattern, frame);
                Expr::Function(parameters, child(self, Role::Type))
            }
            Form::TypeUnion | Form::TypeTuple | Form::ExprEither => {
                let role = if pattern.form == Form::ExprEither { Role::Value } else { Role::Type };
                let mut members: Vec<ExprId> =
                    self.all(pattern, &frame, role).iter().map(|entry| plain_expr(entry.value)).collect();
                if pattern.form == Form::ExprEither {
                    // A branch that leaves the function, or that nothing is known about, says nothing about the others.
                    members.retain(|member| *member != ExprId::UNKNOWN);
                    // A macro may leave it as well, as `panic!` does.
                    let is_macro = |member: &ExprId| matches!(self.facts.exprs[member.0 as usize], Expr::Expanded(..));
                    if !members.iter().all(is_macro) {
                        members.retain(|member| !is_macro(member));
                    }
                }
                match members.as_slice() {
                    [] if pattern.form != Form::TypeTuple => return Value::Expr(ExprId::UNKNOWN),
                    [only] if pattern.form != Form::TypeTuple => return Value::Expr(*only),
                    _ if pattern.form == Form::TypeTuple => Expr::Tuple(self.list(members)),
                    _ => Expr::Union(self.list(members)),
                }
            }
            Form::TypeOf => return self.child(pattern, &frame, Role::Value).map_or(Value::None, |entry| entry.value),
            Form::TypeAnonymous => {
                self.define_shorthands(pattern, frame);
                self.object(pattern, frame)
            }
            _ => return Value::Expr(ExprId::UNKNOWN),
        };
        Value::Expr(self.add_expr(expr))
    }

    pub(super) fn type_arguments(&mut self, pattern: &Pattern, frame: Frame, role: Role) -> ListId {
        let mut members = Vec::new();
        for entry in self.all(pattern, &frame, role) {
            match entry.value {
                Value::List(start, len) => {
                    members.extend(self.values[start as usize..(start + len) as usize].iter().map(|value| plain_expr(*value)));
                }
                single => members.push(plain_expr(single)),
            }
        }
        self.list(members)
    }

    /// A function value: makes its own name and bare parameters known inside and finds its result.
    fn function_value(&mut self, pattern: &Pattern, frame: Frame) -> ExprId {
        let mut parameters = self.parameters(pattern, frame);
        for entry in self.all(pattern, &frame, Role::Pattern) {
            let of = self.expected(self.frames.len(), frame.first_entry);
            let value = self.part(of, Expr::Parameter(of, 0));
            self.bind_pattern(entry.value, ExprId::UNKNOWN, value, entry.start);
            parameters = self.list(vec![ExprId::UNKNOWN]);
        }
        let declared = self.child(pattern, &frame, Role::Type);
        let result = declared.or_else(|| self.child(pattern, &frame, Role::Value));
        let result = match result {
            Some(entry) => self.expr_of(entry.value),
            None => self.returned(),
        };
        let expr = self.add_expr(Expr::Function(parameters, result));
        if let Some(entry) = self.child(pattern, &frame, Role::Name) {
            self.kill_name(entry.value);
            let name = self.name(self.text(&entry));
            self.bind(name, ExprId::UNKNOWN, expr, entry.start);
        }
        let body = self.child(pattern, &frame, Role::Body).or_else(|| self.child(pattern, &frame, Role::Value));
        if let Some(body) = body {
            self.last_function = (expr, body.start);
        }
        expr
    }

    fn name_expr(&mut self, form: Form, node: &Node<'_>, row: u32) -> Value {
        let source = self.source;
        let text = &source[node.start_byte()..node.end_byte()];
        if self.language.reading.this_type == Some(text) {
            let container = self.type_container();
            return Value::Expr(self.add_expr(Expr::ThisType(container)));
        }
        if self.means_instance(text) {
            let container = self.type_container();
            return Value::Expr(self.add_expr(Expr::This(container)));
        }
        if text == "_" {
            return Value::Expr(ExprId::UNKNOWN);
        }
        if form == Form::TypeName && self.language.reading.unsaid_type.contains(&text) {
            return Value::Expr(ExprId::UNKNOWN);
        }
        let name = self.name(text);
        let expr = self.add_expr(Expr::Name(name));
        self.note_within(expr);
        self.await_name(expr, name, node.start_byte() as u32, form == Form::TypeName);
        self.add_site(expr, row, if form == Form::TypeName { SiteKind::Type } else { SiteKind::Mention });
        Value::Expr(expr)
    }

    fn member_expr(&mut self, pattern: &Pattern, frame: Frame) -> Value {
        let Some(entry) = self.child(pattern, &frame, Role::Name) else { return Value::Expr(ExprId::UNKNOWN) };
        // Paths that grow to the right: what holds the last name is next to it.
        if matches!(entry.value, Value::Expr(inner) if matches!(self.facts.exprs[inner.0 as usize], Expr::Scoped(..))) {
            return entry.value;
        }
        self.kill_name(entry.value);
        let base = self.child(pattern, &frame, Role::Base).map_or(Value::None, |entry| entry.value);
        let base = self.expr_of(base);
        let name = self.name(self.text(&entry));
        let made = if matches!(pattern.form, Form::ExprMember | Form::ExprSend) {
            Expr::Member(base, name)
        } else {
            self.scoped(base, name)
        };
        let expr = self.add_expr(made);
        self.add_site(expr, entry.row, if pattern.form == Form::TypeScoped { SiteKind::Type } else { SiteKind::Mention });
        Value::Expr(expr)
    }

    /// The type that a path to a variant with named fields belongs to; other paths are what they are.
    pub(super) fn type_of_variant(&self, of: ExprId) -> ExprId {
        match self.facts.exprs[of.0 as usize] {
            Expr::Scoped(base, _) if self.names_type(base) => base,
            _ => of,
        }
    }

    /// Whether an expression is a path that ends like a type or variant.
    pub(super) fn names_type(&self, expr: ExprId) -> bool {
        match self.facts.exprs[expr.0 as usize] {
            Expr::Name(name) | Expr::Scoped(_, name) => (self.language.reading.pattern_constant)(self.facts.names.get(name)),
            Expr::ThisType(_) => true,
            _ => false,
        }
    }

    /// A path one segment longer. In front of a segment the word for the instance stands for the module.
    pub(super) fn scoped(&mut self, base: ExprId, name: NameId) -> Expr {
        match self.facts.exprs[base.0 as usize] {
            Expr::Name(_) => self.await_as_path(base),
            Expr::This(_) => {
                let word = self.name(THIS_MODULE);
                return Expr::Scoped(self.add_expr(Expr::Name(word)), name);
            }
            _ => {}
        }
        Expr::Scoped(base, name)
    }
}
