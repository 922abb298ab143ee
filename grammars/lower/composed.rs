//! Values put together from others: paths of names, choices, lists, what a function yields; and the types of literals.

use super::define::QUOTES;
use super::{Frame, Lower, Value, plain_expr};
use crate::capture::{Form, Role};
use crate::facts::{Expr, ExprId, SiteKind};
use crate::table::Pattern;

/// The type of types that are taken as values.
const TYPE_OF_TYPES: &str = "Class";

/// The most values of a list that its type is taken from.
const MAX_MANY: usize = 8;

impl Lower<'_> {
    /// The value of a form that puts others together.
    pub(super) fn composed(&mut self, pattern: &Pattern, frame: Frame) -> Value {
        match pattern.form {
            Form::ExprPath => self.path_expr(pattern, frame),
            Form::TypeQuoted => self.child(pattern, &frame, Role::Value).map_or(Value::None, |entry| self.quoted_type(&entry)),
            Form::ExprArgument => {
                let Some(key) = self.child(pattern, &frame, Role::Key) else { return Value::None };
                self.kill_name(key.value);
                let name = self.name(self.text(&key));
                let value = self.child(pattern, &frame, Role::Value).map_or(Value::None, |entry| entry.value);
                let value = self.expr_of(value);
                Value::Expr(self.add_expr(Expr::Keyed(name, value)))
            }
            Form::ExprChoice => {
                let children = self.children(&frame);
                let ends = [children.first(), children.last()];
                let ends = ends.map(|entry| entry.map_or(ExprId::UNKNOWN, |entry| plain_expr(entry.value)));
                Value::Expr(self.either(ends.to_vec()))
            }
            Form::ExprMany => {
                let members = self.all(pattern, &frame, Role::Value).into_iter().take(MAX_MANY);
                let members = members.map(|entry| plain_expr(entry.value)).collect();
                let of = self.either(members);
                Value::Expr(self.add_expr(Expr::Many(of)))
            }
            Form::ExprReference => self.reference(frame),
            Form::ExprClass => {
                let of = self.child(pattern, &frame, Role::Type).map_or(Value::None, |entry| entry.value);
                let (of, name) = (self.expr_of(of), self.name(TYPE_OF_TYPES));
                let base = self.add_expr(Expr::Name(name));
                let list = self.list(vec![of]);
                let of = self.add_expr(Expr::Apply(base, list));
                Value::Expr(self.add_expr(Expr::Instance(of)))
            }
            Form::ExprSum => {
                let children = self.children(&frame);
                let ends = [children.first(), children.last()];
                let [one, other] = ends.map(|entry| entry.map_or(ExprId::UNKNOWN, |entry| plain_expr(entry.value)));
                Value::Expr(self.add_expr(Expr::Sum(one, other)))
            }
            Form::TypeLookup => {
                let types = self.all(pattern, &frame, Role::Type);
                let base = types.first().map_or(ExprId::UNKNOWN, |entry| plain_expr(entry.value));
                let key = types.get(1).map(|entry| self.text(entry)).filter(|text| text.len() > 2);
                let quoted = key.filter(|text| text.starts_with(QUOTES) && text.ends_with(QUOTES));
                let of = match quoted {
                    Some(text) => Expr::FieldOf(base, self.name(text.trim_matches(QUOTES))),
                    None => Expr::Index(base),
                };
                Value::Expr(self.add_expr(of))
            }
            Form::ExprTruth => {
                let name = self.name("bool");
                Value::Expr(self.add_expr(Expr::Literal(name)))
            }
            _ => Value::None,
        }
    }

    /// One of several values, of which those say something that are known.
    pub(super) fn either(&mut self, mut members: Vec<ExprId>) -> ExprId {
        members.retain(|member| *member != ExprId::UNKNOWN);
        match members.as_slice() {
            [] => ExprId::UNKNOWN,
            [only] => *only,
            _ => {
                let list = self.list(members);
                self.add_expr(Expr::Union(list))
            }
        }
    }

    /// Who iterates over the result of the function around gets what it yields.
    pub(super) fn note_yield(&mut self, pattern: &Pattern, frame: Frame) {
        let each = self.child(pattern, &frame, Role::Item);
        let value = each.or_else(|| self.child(pattern, &frame, Role::Value));
        let of = value.map_or(ExprId::UNKNOWN, |entry| self.expr_of(entry.value));
        let made = match self.language.reading.yields {
            Some(yields) if each.is_none() && of != ExprId::UNKNOWN => {
                let name = self.name(yields);
                let base = self.add_expr(Expr::Name(name));
                let list = self.list(vec![of]);
                self.add_expr(Expr::Apply(base, list))
            }
            _ => of,
        };
        self.note_return(made);
    }

    /// Names joined by dots.
    fn path_expr(&mut self, pattern: &Pattern, frame: Frame) -> Value {
        let mut of: Option<ExprId> = None;
        for entry in self.all(pattern, &frame, Role::Item) {
            of = Some(match of {
                None => plain_expr(entry.value),
                Some(base) => {
                    self.kill_name(entry.value);
                    let name = self.name(self.text(&entry));
                    let expr = self.add_expr(Expr::Member(base, name));
                    self.add_site(expr, entry.row, SiteKind::Mention);
                    expr
                }
            });
        }
        of.map_or(Value::None, Value::Expr)
    }
}

/// The built-in type of a literal, by the words that grammars use for its kind of node; the word itself for a built-in type.
pub(super) fn literal_name<'a>(kind: &str, text: &'a str) -> &'a str {
    match kind {
        "predefined_type" | "integral_type" | "floating_point_type" | "boolean_type" | "void_type" => text,
        "true" | "false" | "boolean_literal" => "bool",
        "char_literal" | "rune_literal" | "character_literal" => "char",
        "decimal_integer_literal" | "hex_integer_literal" | "octal_integer_literal" | "binary_integer_literal" => {
            if text.ends_with(['l', 'L']) { "long" } else { "int" }
        }
        "decimal_floating_point_literal" | "hex_floating_point_literal" => {
            if text.ends_with(['f', 'F']) {
                "float"
            } else {
                "double"
            }
        }
        "regex" => "RegExp",
        "nil" | "null" | "undefined" | "null_literal" => "nil",
        _ => "number",
    }
}
