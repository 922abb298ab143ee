//! What values are: how they are computed, compared, tested and written.

use super::ast::{Comparison, Operation, TextTest};
use super::checked::{Expression, Literal, Rule};
use super::eval::{Evaluation, Stopped};
use super::facts::{Type, Value};
use globset::GlobBuilder;
use std::borrow::Cow;

/// Patterns that are kept.
const MAX_PATTERNS: usize = 1_024;

impl Evaluation<'_> {
    pub(super) fn is_so(&self, literal: &Literal, values: &[Value]) -> Result<bool, Stopped> {
        Ok(match literal {
            Literal::Compare(left, comparison, right, of) => {
                let (left, right) = (number(left, values)?, number(right, values)?);
                match comparison {
                    Comparison::Equal => left == right,
                    Comparison::Unequal => left != right,
                    Comparison::Less => self.order(left, right, *of).is_lt(),
                    Comparison::LessOrEqual => self.order(left, right, *of).is_le(),
                    Comparison::Greater => self.order(left, right, *of).is_gt(),
                    Comparison::GreaterOrEqual => self.order(left, right, *of).is_ge(),
                }
            }
            Literal::Text(test, (tested, of), (with, of_with), is_so) => {
                let with = number(with, values)?;
                let (tested, pattern) = (self.text(number(tested, values)?, *of), self.text(with, *of_with));
                let found = match test {
                    TextTest::StartsWith => tested.starts_with(&*pattern),
                    TextTest::EndsWith => tested.ends_with(&*pattern),
                    TextTest::Includes => tested.contains(&*pattern),
                    TextTest::Glob => self.matches(with, &pattern, &tested),
                };
                found == *is_so
            }
            Literal::Is(_) | Literal::IsNot(_) => true,
        })
    }

    fn matches(&self, number: Value, pattern: &str, text: &str) -> bool {
        let mut patterns = self.patterns.borrow_mut();
        if patterns.len() > MAX_PATTERNS {
            patterns.clear();
        }
        let made = patterns
            .entry(number)
            .or_insert_with(|| GlobBuilder::new(pattern).literal_separator(true).build().ok().map(|glob| glob.compile_matcher()));
        made.as_ref().is_some_and(|matcher| matcher.is_match(text))
    }

    pub(super) fn order(&self, one: Value, other: Value, of: Type) -> std::cmp::Ordering {
        match of {
            Type::Number => one.cast_signed().cmp(&other.cast_signed()),
            Type::Node | Type::Text | Type::Name => self.text(one, of).cmp(&self.text(other, of)),
        }
    }

    /// A value as it is written.
    pub(super) fn text(&self, value: Value, of: Type) -> Cow<'_, str> {
        match of {
            Type::Node => self.facts.node_text(value),
            Type::Text | Type::Name => Cow::Owned(self.words.text(value).to_string()),
            Type::Number => Cow::Owned(value.cast_signed().to_string()),
        }
    }
}

/// What an expression is.
pub(super) fn type_of(expression: &Expression, rule: &Rule) -> Type {
    match expression {
        Expression::Variable(variable) => rule.variables[*variable].of,
        Expression::Value(_) | Expression::Arithmetic(..) => Type::Number,
    }
}

/// The value of an expression.
pub(super) fn number(expression: &Expression, values: &[Value]) -> Result<Value, Stopped> {
    match expression {
        Expression::Variable(variable) => Ok(values[*variable]),
        Expression::Value(value) => Ok(*value),
        Expression::Arithmetic(left, operation, right, place) => {
            let (left, right) = (number(left, values)?.cast_signed(), number(right, values)?.cast_signed());
            let made = match operation {
                Operation::Add => left.checked_add(right),
                Operation::Subtract => left.checked_sub(right),
                Operation::Multiply => left.checked_mul(right),
                Operation::Divide => left.checked_div(right),
                Operation::Remainder => left.checked_rem(right),
            };
            made.map(i32::cast_unsigned).ok_or(Stopped::Number(*place))
        }
    }
}
