//! A program whose names, types and order are known to be right: what is evaluated.

use super::ast::{Comparison, Operation, Place, TextTest, Total};
use super::facts::{Type, Value};

/// A relation of a program.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    pub(super) name: String,
    pub(super) columns: Vec<Type>,
    /// Its place among those that are given; derived by rules otherwise.
    pub(super) given: Option<usize>,
    /// Whether its rows only say which rows of another relation are asked for.
    pub(super) is_demand: bool,
}

/// A rule, or a question as a rule whose head has all of its variables.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub(super) head: usize,
    pub(super) columns: Vec<HeadColumn>,
    pub(super) body: Vec<Literal>,
    pub(super) variables: Vec<Variable>,
    pub(super) place: Place,
}

#[derive(Debug, Clone)]
pub(super) struct Variable {
    /// As it is written; empty for one that stands for an expression.
    pub(super) name: String,
    pub(super) of: Type,
}

#[derive(Debug, Clone)]
pub(super) enum HeadColumn {
    Value(Expression),
    Over(Total, Expression),
}

#[derive(Debug, Clone)]
pub(super) enum Literal {
    Is(Atom),
    IsNot(Atom),
    /// Each side with what it is: only an order compares a text with what is called so.
    Compare((Expression, Type), Comparison, (Expression, Type)),
    Text(TextTest, (Expression, Type), (Expression, Type), bool),
}

#[derive(Debug, Clone)]
pub(super) struct Atom {
    pub(super) relation: usize,
    pub(super) terms: Vec<Term>,
}

/// A column in a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    Variable(usize),
    Value(Value),
    Anything,
}

#[derive(Debug, Clone)]
pub(super) enum Expression {
    Variable(usize),
    Value(Value),
    Arithmetic(Box<Expression>, Operation, Box<Expression>, Place),
}

impl Expression {
    /// Calls `each` with its variables.
    pub(super) fn for_each_variable(&self, each: &mut dyn FnMut(usize)) {
        match self {
            Self::Variable(variable) => each(*variable),
            Self::Value(_) => {}
            Self::Arithmetic(left, _, right, _) => {
                left.for_each_variable(each);
                right.for_each_variable(each);
            }
        }
    }

    /// Whether all of its variables have values.
    pub(super) fn is_bound(&self, bound: &[bool]) -> bool {
        let mut is_bound = true;
        self.for_each_variable(&mut |variable| is_bound &= bound[variable]);
        is_bound
    }
}

impl Atom {
    /// Of each column whether it has a value.
    pub(super) fn bound(&self, bound: &[bool]) -> Vec<bool> {
        let is_bound = |term: &Term| match term {
            Term::Variable(variable) => bound[*variable],
            Term::Value(_) => true,
            Term::Anything => false,
        };
        self.terms.iter().map(is_bound).collect()
    }

    pub(super) fn bind(&self, bound: &mut [bool]) {
        for term in &self.terms {
            if let Term::Variable(variable) = term {
                bound[*variable] = true;
            }
        }
    }
}
