//! What values are: how they are computed, compared, tested and written.

use super::ast::{Comparison, Operation, TextTest};
use super::checked::{Expression, Literal, Rule};
use super::eval::{Evaluation, Stopped};
use super::facts::{Type, Value};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use memchr::memmem::Finder;
use std::borrow::Cow;
use std::ops::Deref;
use std::rc::Rc;

/// Patterns that are kept.
const MAX_PATTERNS: usize = 64;

/// Bytes of a pattern at most, and braces in one another.
const MAX_PATTERN: usize = 512;
const MAX_BRACES: usize = 8;

impl Evaluation<'_> {
    pub(super) fn is_so(&self, literal: &Literal, values: &[Value]) -> Result<bool, Stopped> {
        Ok(match literal {
            Literal::Compare((left, of_left), comparison, (right, of_right)) => {
                let (left, right) = ((number(left, values)?, *of_left), (number(right, values)?, *of_right));
                match comparison {
                    Comparison::Equal => left == right,
                    Comparison::Unequal => left != right,
                    Comparison::Less => self.order(left, right).is_lt(),
                    Comparison::LessOrEqual => self.order(left, right).is_le(),
                    Comparison::Greater => self.order(left, right).is_gt(),
                    Comparison::GreaterOrEqual => self.order(left, right).is_ge(),
                }
            }
            Literal::Text(test, (tested, of), (with, of_with), is_so) => {
                let with = number(with, values)?;
                let (tested, pattern) = (self.text(number(tested, values)?, *of), self.text(with, *of_with));
                let found = match test {
                    TextTest::StartsWith => tested.starts_with(&*pattern),
                    TextTest::EndsWith => tested.ends_with(&*pattern),
                    TextTest::Includes => tested.contains(&*pattern),
                    TextTest::Glob => self.matches((with, *of_with), &pattern, &tested)?,
                };
                found == *is_so
            }
            Literal::Is(_) | Literal::IsNot(_) => true,
        })
    }

    fn matches(&self, (number, of): (Value, Type), pattern: &str, text: &str) -> Result<bool, Stopped> {
        let mut patterns = self.patterns.borrow_mut();
        if patterns.len() > MAX_PATTERNS {
            patterns.clear();
        }
        let read = || glob(pattern).ok().map(|set| Pattern { set, part: Finder::new(part_of(pattern)).into_owned() });
        let pattern = patterns.entry((number, of)).or_insert_with(read).as_ref().ok_or(Stopped::Pattern)?;
        Ok(pattern.part.find(text.as_bytes()).is_some() && pattern.set.is_match(text))
    }

    /// Numbers by size, all else by how it is written.
    pub(super) fn order(&self, (one, of_one): (Value, Type), (other, of_other): (Value, Type)) -> std::cmp::Ordering {
        if of_one == Type::Number && of_other == Type::Number {
            return one.cast_signed().cmp(&other.cast_signed());
        }
        self.text(one, of_one).cmp(&*self.text(other, of_other))
    }

    /// A value as it is written.
    pub(super) fn text(&self, value: Value, of: Type) -> Shown<'_> {
        match of {
            Type::Node => Shown::Made(self.facts.node_text(value)),
            Type::Text | Type::Name => Shown::Word(self.words.text(value)),
            Type::Number => Shown::Made(Cow::Owned(value.cast_signed().to_string())),
        }
    }
}

/// A value as it is written: asked for in every row that is looked at, so a word is not copied.
#[derive(Debug)]
pub(super) enum Shown<'s> {
    Made(Cow<'s, str>),
    Word(Rc<str>),
}

impl Shown<'_> {
    pub(super) fn into_owned(self) -> String {
        match self {
            Self::Made(text) => text.into_owned(),
            Self::Word(word) => word.to_string(),
        }
    }
}

impl Deref for Shown<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Made(text) => text,
            Self::Word(word) => word,
        }
    }
}

/// A pattern that was read.
#[derive(Debug)]
pub(super) struct Pattern {
    set: GlobSet,
    /// What stands in every text that fits: far quicker to look for.
    part: Finder<'static>,
}

/// The longest part of a pattern that stands in every text that fits.
fn part_of(pattern: &str) -> &str {
    // What stands in braces is one of several, and a backslash is none of the text.
    let pattern = &pattern[..pattern.find(['{', '\\']).unwrap_or(pattern.len())];
    let parts = pattern.split(['*', '?', '[', ']']).map(|part| part.trim_matches('/'));
    // What stands between brackets is one of several letters.
    if pattern.contains('[') { "" } else { parts.max_by_key(|part| part.len()).unwrap_or_default() }
}

/// A pattern, or what is wrong with it.
pub(super) fn glob(pattern: &str) -> Result<GlobSet, String> {
    let depth = pattern.chars().scan(0_usize, |depth, letter| {
        *depth = if letter == '{' { *depth + 1 } else { *depth - usize::from(letter == '}' && *depth > 0) };
        Some(*depth)
    });
    if pattern.len() > MAX_PATTERN || depth.max().unwrap_or(0) > MAX_BRACES {
        return Err(format!("a pattern has at most {MAX_PATTERN} bytes and {MAX_BRACES} braces in one another"));
    }
    let glob = GlobBuilder::new(pattern).literal_separator(true).build().map_err(|error| error.kind().to_string())?;
    GlobSetBuilder::new().add(glob).build().map_err(|error| error.kind().to_string())
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
