//! Values: what names, calls and parts of values are.

use super::many::{FLATTEN, PAIRING};
use super::store::{Id, MAX_PARTS, Node};
use super::types::one_of;
use super::{MAX_DEPTH, Terms};
use crate::resolve::types::Place;
use crate::resolve::{Sym, macros};
use activate_grammars::facts::{BindingId, Expr, ExprId, SymbolKind, Traits};
use activate_grammars::scope::{Gives, ModuleModel};

/// The variant that holds what has come.
const READY: &str = "Ready";

/// The variant that holds what went wrong.
const ERR: &str = "Err";

/// The method that gives a value of the type that it is given.
const PARSE: &str = "parse";

/// The function of a trait that gives a value of the type that it is asked of, whoever has written it.
pub(super) const DEFAULT: &str = "default";

/// Methods that take a value out of a wrapper, in languages where types of the repository may have the like.
const OPTIONAL_METHODS: [&str; 3] = ["orElse", "orElseGet", "orElseThrow"];

/// Methods that give what the function gives that they are given: one or many of it.
pub(super) const MAPS: [&str; 4] = ["and_then", "filter_map", "map", "map_while"];

/// Methods that `pin_project` makes, whose result has the fields of the value.
const PROJECTS: [&str; 3] = ["project", "project_ref", "project_replace"];

/// Methods that give the value itself, or what a wrapper around it holds, whatever the value is.
pub(super) const UNWRAPPING: [&str; 31] = [
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_pin_mut",
    "as_pin_ref",
    "as_ref",
    "borrow",
    "borrow_mut",
    "by_ref",
    "clone",
    "cloned",
    "context",
    "copied",
    "expect",
    "expect_err",
    "get_or_init",
    "get_or_insert_with",
    "inspect_err",
    "into_inner",
    "lock",
    "map_err",
    "ok",
    "ok_or",
    "ok_or_else",
    "to_owned",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "with_context",
    "upgrade",
];

/// Those of them that other types have as well, for something else.
const OFTEN_OWN: [&str; 6] = ["borrow", "borrow_mut", "context", "lock", "upgrade", "with_context"];

impl Terms<'_, '_> {
    pub(super) fn make_value(&mut self, place: Place, expr: ExprId, depth: usize) -> Id {
        match self.expr(place, expr) {
            Expr::Local(id) => self.binding(place, id, depth),
            Expr::This(container) => self.this(place, container, depth),
            Expr::Super(container) => {
                let item = self.super_item(place, container, depth);
                self.instance(item, depth)
            }
            Expr::Instance(of) => self.typed_bare(place, of, depth),
            Expr::Name(name) if self.index.has_bare_members(place.file) => {
                let field = self.bare_field(place, expr, name, depth);
                field.unwrap_or_else(|| self.item(place, expr, depth))
            }
            Expr::Name(_) | Expr::Symbol(_) => {
                let item = self.item(place, expr, depth);
                self.value_of_item(item, depth)
            }
            Expr::Scoped(base, name) => {
                let item = self.item(place, expr, depth);
                if item != Id::UNKNOWN {
                    return self.value_of_item(item, depth);
                }
                let of = self.typed_bare(place, base, depth);
                let text = self.index.facts(place.file).names.get(name);
                self.value_member(of, text, depth)
            }
            Expr::Member(base, name) => {
                let text = self.index.facts(place.file).names.get(name);
                let item = self.item(place, base, depth);
                if item != Id::UNKNOWN && self.is_item(item) {
                    let item = self.item(place, expr, depth);
                    return self.value_of_item(item, depth);
                }
                let of = self.value(place, base, depth);
                self.field_value(of, text, depth).or_else(|| self.member_within(place, of, text, depth))
            }
            Expr::Call(callee, first) => self.call(place, callee, first, depth),
            Expr::Try(inner) => {
                let of = self.value(place, inner, depth);
                self.taken(of)
            }
            Expr::Expanded(callee, given) if macros::takes_out(self.index, place.file, callee) => {
                let of = self.value(place, given, depth);
                self.taken(of)
            }
            Expr::Await(inner) => {
                let of = self.value(place, inner, depth);
                if self.is_tree(place.file) { self.awaited(of, depth) } else { of }
            }
            Expr::Deref(inner) | Expr::Pointer(inner) | Expr::Keyed(_, inner) | Expr::Apply(inner, _) | Expr::Rest(inner) => {
                self.value(place, inner, depth)
            }
            Expr::Payload(value, variant, n) => self.payload(place, value, variant, n, depth),
            Expr::Index(base) => {
                let of = self.value(place, base, depth);
                self.indexed(place, of, depth)
            }
            Expr::Element(base) => {
                let of = self.value(place, base, depth);
                self.element(of, depth)
            }
            Expr::Key(base) => {
                let of = self.value(place, base, depth);
                let of = if let Node::Both(_, held) = *self.store.get(of) { held } else { of };
                if let Node::Map(key, _) = *self.store.get(of) { key } else { Id::UNKNOWN }
            }
            Expr::Nth(base, n) => {
                let of = self.value(place, base, depth);
                self.part(of, n)
            }
            Expr::FieldOf(base, name) => {
                let of = self.value(place, base, depth);
                let text = self.index.facts(place.file).names.get(name);
                self.value_member(of, text, depth)
            }
            Expr::Tuple(list) => {
                let each =
                    self.listed(place, list).into_iter().take(MAX_PARTS).map(|each| self.value(place, each, depth)).collect();
                self.store.add(Node::Tuple(each))
            }
            Expr::Union(list) => {
                let each: Vec<Id> = self.listed(place, list).into_iter().map(|each| self.value(place, each, depth)).collect();
                one_of(&each)
            }
            Expr::Function(_, result) => {
                let result = self.typed(place, result, depth);
                self.store.add(Node::Function(result))
            }
            Expr::Many(inner) => {
                let inner = self.value(place, inner, depth);
                self.store.add(Node::Many(inner))
            }
            Expr::Parameter(of, n) => self.parameter(place, of, n, depth),
            _ => Id::UNKNOWN,
        }
    }

    /// Whether a term is an item that has members of its own, not a value.
    fn is_item(&self, id: Id) -> bool {
        match self.store.get(id) {
            Node::Symbol(sym) => {
                let kind = self.index.symbol(*sym).1.kind;
                matches!(kind, SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias | SymbolKind::Module)
            }
            Node::Module(_) | Node::Outside(..) => true,
            Node::Member(..) => self.store.leads_out(id),
            _ => false,
        }
    }

    fn binding(&mut self, place: Place, id: BindingId, depth: usize) -> Id {
        let binding = self.index.facts(place.file).bindings[id.0 as usize];
        if binding.declared == ExprId::UNKNOWN && binding.parameter.is_none() {
            self.value(place, binding.value, depth)
        } else {
            self.typed(place, binding.declared, depth)
        }
    }

    /// What an item is as a value.
    pub(super) fn value_of_item(&mut self, item: Id, depth: usize) -> Id {
        let Some(sym) = self.store.symbol(item) else { return item };
        match self.index.symbol(sym).1.kind {
            SymbolKind::Constant | SymbolKind::Variable => self.of_symbol(sym, depth).or_else(|| {
                // An object written in place has the variable's own members.
                let (place, symbol) = self.place_of(sym);
                let is_object = self.expr(place, symbol.value).is_object();
                if is_object { self.store.add(Node::Instance(item)) } else { Id::UNKNOWN }
            }),
            _ => item,
        }
    }

    /// What a definition holds or gives: the value of a variable, the result of a function.
    pub(super) fn of_symbol(&mut self, sym: Sym, depth: usize) -> Id {
        if self.is_over(depth) {
            return Id::UNKNOWN;
        }
        if let Some(known) = self.of_symbols.get(sym) {
            return self.again(known);
        }
        self.of_symbols.set(sym, Id::UNKNOWN, false);
        let (place, symbol) = self.place_of(sym);
        let (made, is_cut) = self.watched(|terms| match symbol.kind {
            SymbolKind::Constant | SymbolKind::Variable if symbol.declared == ExprId::UNKNOWN => {
                terms.value(place, symbol.value, depth + 1)
            }
            SymbolKind::Type | SymbolKind::Interface | SymbolKind::Module | SymbolKind::Macro | SymbolKind::Test => Id::UNKNOWN,
            _ => terms.typed(place, symbol.declared, depth + 1),
        });
        self.of_symbols.set(sym, made, is_cut);
        made
    }

    fn call(&mut self, place: Place, callee: ExprId, first: ExprId, depth: usize) -> Id {
        let Some(rules) = self.index.rules(place.file) else { return Id::UNKNOWN };
        let shape = match self.expr(place, callee) {
            Expr::Apply(base, _) => self.expr(place, base),
            shape => shape,
        };
        let text = self.last_name(place, callee).to_owned();
        if let (PARSE, Expr::Apply(_, list)) = (text.as_str(), self.expr(place, callee))
            && let [wanted] = self.listed(place, list).as_slice()
            && rules.modules == ModuleModel::Tree
        {
            return self.typed(place, *wanted, depth);
        }
        if let Expr::Member(base, _) = shape {
            let item = self.item(place, base, depth);
            if item == Id::UNKNOWN || !self.is_item(item) {
                let of = self.value(place, base, depth);
                return self.method(place, of, (&text, first), depth);
            }
        }
        if let (Expr::Scoped(base, _), true) = (shape, text == DEFAULT && rules.modules == ModuleModel::Tree) {
            let of = self.typed_bare(place, base, depth);
            if self.store.leads_out(of) {
                return of;
            }
            if of == Id::UNKNOWN && first != ExprId::UNKNOWN {
                return self.value(place, first, depth);
            }
        }
        if let (Expr::Name(name), true) = (shape, rules.bare_members) {
            let of = self.bare_method(place, callee, name, depth);
            return self.result(of, depth);
        }
        if let Expr::Name(_) | Expr::Scoped(..) = shape {
            let item = self.item(place, callee, depth);
            if item == Id::UNKNOWN {
                if rules.makes_argument.contains(&text.as_str()) {
                    return self.typed(place, first, depth);
                }
                if self.is_wrapping(rules, place, callee) {
                    return self.value(place, first, depth);
                }
                if rules.keeps_elements.contains(&text.as_str()) {
                    return self.value(place, first, depth);
                }
                if let Expr::Scoped(base, _) = shape {
                    let of = self.typed_bare(place, base, depth);
                    let is_derived = rules.derived_makers.contains(&text.as_str());
                    let member = self.value_member(of, &text, depth);
                    return if member == Id::UNKNOWN && is_derived { of } else { self.result(member, depth) };
                }
            }
        }
        let of = self.value(place, callee, depth);
        self.result(of, depth)
    }

    /// What calling a method of a value gives.
    pub(super) fn method(&mut self, place: Place, of: Id, (text, first): (&str, ExprId), depth: usize) -> Id {
        let is_tree = self.is_tree(place.file);
        let held = self.store.bound(of);
        if let Node::Tried(value, failed) = *self.store.get(of) {
            return self.tried_method(place, (value, failed), (text, first), depth);
        }
        if held != of && matches!(self.store.get(held), Node::Many(_) | Node::Map(..) | Node::Tuple(_) | Node::Both(..)) {
            return self.method(place, held, (text, first), depth);
        }
        if let Node::Both(_, held) = *self.store.get(of) {
            let known = self.method(place, held, (text, first), depth);
            if known != Id::UNKNOWN {
                return known;
            }
        }
        let is_held = matches!(self.store.get(of), Node::Many(_) | Node::Map(..) | Node::Tuple(_));
        let gives = self.known_method(place, text);
        if is_tree && (is_held || self.store.leads_out(of)) && PAIRING.contains(&text) {
            return self.paired(place, of, (text, first), depth);
        }
        if is_held {
            if MAPS.contains(&text) && is_tree {
                let function = self.value(place, first, depth);
                let made = if let Node::Function(result) = *self.store.get(function) { result } else { Id::UNKNOWN };
                return self.store.add(Node::Many(made));
            }
            if let (FLATTEN, Node::Many(inner)) = (text, self.store.get(of)) {
                let is_many = matches!(self.store.get(*inner), Node::Many(_) | Node::Map(..) | Node::Both(..));
                return if is_many { *inner } else { of };
            }
            return gives.map_or(Id::UNKNOWN, |gives| self.gives(of, gives, depth));
        }
        let own = self.member_within(place, of, text, depth);
        if is_tree && MAPS.contains(&text) && (own == Id::UNKNOWN || self.store.leads_out(of)) {
            let function = self.value(place, first, depth);
            let made = if let Node::Function(result) = *self.store.get(function) { result } else { Id::UNKNOWN };
            let many = self.store.add(Node::Many(made));
            let many = self.store.plain(many);
            let own = if self.store.leads_out(of) { self.result(own, depth) } else { Id::UNKNOWN };
            return if self.store.leads_out(of) { self.store.either(&[own, made, many]) } else { made };
        }
        // What `pin_project` makes of a value has its fields.
        if is_tree && PROJECTS.contains(&text) && self.store.item_of(of).is_some() && self.store.symbol(own).is_none() {
            return of;
        }
        // It may be a lock around the value, or the value of a type that has such a method itself.
        if is_tree && OFTEN_OWN.contains(&text) && self.store.leads_out(own) {
            let own = self.result(own, depth);
            return self.store.either(&[of, own]);
        }
        // Outside, wrappers are passed, and with them what takes values out of these.
        if is_tree && UNWRAPPING.contains(&text) && (own == Id::UNKNOWN || self.store.leads_out(of)) {
            return of;
        }
        if OPTIONAL_METHODS.contains(&text) {
            let own = self.result(own, depth);
            return if self.store.leads_out(of) { self.store.either(&[own, of]) } else { own.or_else(|| of) };
        }
        if own == Id::UNKNOWN && matches!(gives, Some(Gives::Same)) {
            return of;
        }
        let mut result = self.result(own, depth);
        if is_tree && self.store.leads_out(own) {
            // A type may fulfil an interface of the repository, whatever it takes over from outside.
            let extending = self.of_own_trait(place, text, depth);
            let extended = if extending == Id::UNKNOWN { extending } else { self.result(extending, depth) };
            result = self.store.either(&[extended, result]);
        }
        if is_tree && own == Id::UNKNOWN && !self.store.leads_out(of) {
            return self.extended_result(place, text, depth);
        }
        if !is_tree || !self.store.leads_out(of) {
            return result;
        }
        // It may be a method of that type, or one that many of it have.
        match gives {
            Some(Gives::Same | Gives::Items | Gives::Values) => self.store.either(&[result, of]),
            Some(Gives::MaybeElement | Gives::Element) => {
                let each = self.store.add(Node::Element(of));
                self.store.either(&[result, each])
            }
            _ => result,
        }
    }

    fn gives(&mut self, of: Id, gives: Gives, depth: usize) -> Id {
        match (gives, self.store.get(of).clone()) {
            (Gives::Same | Gives::Items, _) | (Gives::Values, Node::Many(_)) => of,
            (Gives::Argument(0) | Gives::Element | Gives::MaybeElement, _) => self.element(of, depth),
            (Gives::Keys, Node::Map(key, _)) => self.store.add(Node::Many(key)),
            (Gives::Values, Node::Map(_, value)) => self.store.add(Node::Many(value)),
            _ => Id::UNKNOWN,
        }
    }

    /// What calling a value gives.
    pub(super) fn result(&mut self, of: Id, depth: usize) -> Id {
        match *self.store.get(of) {
            Node::Symbol(sym) => match self.index.symbol(sym).1.kind {
                SymbolKind::Function | SymbolKind::Method => self.of_symbol(sym, depth),
                _ => self.instance(of, depth),
            },
            Node::Function(result) => result,
            Node::Parameter(_, _, bound) | Node::Tried(bound, _) => self.result(bound, depth),
            Node::Asked(function, of) => self.asked_result(function, of, depth),
            // A variant that holds something is of its type.
            Node::Instance(item) if self.store.symbol(item).is_some() => of,
            Node::Applied(..) if !self.store.leads_out(of) => of,
            _ if self.store.leads_out(of) => self.store.add(Node::Result(of)),
            _ => Id::UNKNOWN,
        }
    }

    /// One of several values.
    pub(super) fn part(&mut self, of: Id, n: u32) -> Id {
        match self.store.get(self.store.bound(of)) {
            Node::Tuple(each) => each.get(n as usize).copied().unwrap_or(Id::UNKNOWN),
            Node::Both(_, held) => self.part(*held, n),
            Node::Many(inner) => *inner,
            Node::Result(_) | Node::Element(_) => self.store.add(Node::Part(of, n)),
            _ if n == 0 => of,
            _ => Id::UNKNOWN,
        }
    }

    /// What iterating over a value meets, or brackets take out of it.
    pub(super) fn element(&mut self, of: Id, depth: usize) -> Id {
        match self.store.get(of).clone() {
            Node::Many(inner) | Node::Map(_, inner) => inner,
            Node::Both(_, held) => self.element(held, depth),
            Node::Parameter(_, _, bound) | Node::Tried(bound, _) => self.element(bound, depth),
            Node::Applied(instance, given) if !self.store.leads_out(of) => {
                let each = self.element(instance, depth);
                let sym = self.store.item_of(instance).and_then(|item| self.store.symbol(item));
                sym.map_or(each, |sym| self.filled_of(each, sym, &given, depth))
            }
            Node::Instance(item) => match self.store.symbol(item) {
                Some(sym) if depth <= MAX_DEPTH => {
                    let (place, symbol) = self.place_of(sym);
                    let under = self.typed(place, symbol.declared, depth + 1);
                    let declared = if under == of { Id::UNKNOWN } else { self.element(under, depth + 8) };
                    if declared != Id::UNKNOWN {
                        return declared;
                    }
                    let many = self.many_of(sym, depth + 8);
                    if let Node::Many(each) = *self.store.get(many) { each } else { Id::UNKNOWN }
                }
                _ if self.store.leads_out(of) => self.store.add(Node::Element(of)),
                _ => Id::UNKNOWN,
            },
            _ if self.store.leads_out(of) => self.store.add(Node::Element(of)),
            _ => Id::UNKNOWN,
        }
    }

    /// What a pattern takes out of a variant.
    fn payload(&mut self, place: Place, value: ExprId, variant: ExprId, n: u32, depth: usize) -> Id {
        let of = self.value(place, value, depth);
        let name = self.last_name(place, variant).to_owned();
        let rules = self.index.rules(place.file);
        if name == ERR {
            let of = self.store.bound_but_tried(of);
            return self.failed(of);
        }
        if rules.is_some_and(|rules| self.is_wrapping(rules, place, variant)) {
            let of = self.store.bound_but_tried(of);
            // What may come later is passed over: it is what it holds.
            return if name == READY { of } else { self.taken(of) };
        }
        let item = self.item(place, variant, depth);
        if let Node::Member(of, name) = self.store.get(item).clone() {
            // What a variant holds is a member of its type by the name of the variant and the place in it.
            return self.store.add(Node::Member(of, format!("{name}.{n}")));
        }
        let holder = self.store.item_of(of);
        let declared = holder.and_then(|of| self.variant(of, &name));
        let declared =
            declared.or_else(|| if let Node::Instance(of) = *self.store.get(item) { self.variant(of, &name) } else { None });
        let Some((place, declared)) = declared else { return Id::UNKNOWN };
        let payload = self.typed(place, declared, depth + 1);
        let part = self.part(payload, n);
        let given = if let Node::Applied(_, given) = self.store.get(of) { given.clone() } else { Vec::new() };
        let sym = holder.and_then(|of| self.store.symbol(of));
        sym.map_or(part, |sym| self.filled_of(part, sym, &given, depth))
    }

    /// Whether calling a method means taking its value: a getter.
    pub(super) fn is_getter(&self, sym: Sym) -> bool {
        self.index.symbol(sym).1.traits.has(Traits::GETTER)
    }
}
