//! Which relations have few rows, and for which variables of a body few rows give values: what a task names is a handful, and what is asked about that
//! need not be derived for a whole repository.
//!
//! Only decides what is asked for: what is derived of it is right either way.

use super::ast::Comparison;
use super::checked::{Atom, Expression, HeadColumn, Literal, Relation, Rule, Term};
use super::facts::{Facts, Type};
use rustc_hash::FxHashMap;

/// Rows of a relation that is small.
const MAX_ROWS: usize = 256;

/// What is known of the sizes of relations before anything is derived.
#[derive(Debug)]
pub(super) struct Small {
    is_small: Vec<bool>,
}

impl Small {
    /// Given relations of few rows, and those whose rules all begin with such and lead from there.
    pub(super) fn of(relations: &[Relation], rules: &[Rule], facts: &dyn Facts) -> Self {
        let is_few = |relation: &Relation| relation.given.is_some_and(|given| facts.n_rows(given) <= MAX_ROWS);
        let mut small = Self { is_small: relations.iter().map(is_few).collect() };
        let mut rules_of: FxHashMap<usize, Vec<&Rule>> = FxHashMap::default();
        for rule in rules {
            rules_of.entry(rule.head).or_default().push(rule);
        }
        rules_of.retain(|_, rules| rules.len() <= MAX_ROWS);
        loop {
            let is_next = |(head, rules): (&usize, &Vec<&Rule>)| {
                (!small.is_small[*head] && rules.iter().all(|rule| small.leads(rule, relations))).then_some(*head)
            };
            let next: Vec<usize> = rules_of.iter().filter_map(is_next).collect();
            if next.is_empty() {
                return small;
            }
            for head in next {
                small.is_small[head] = true;
            }
        }
    }

    pub(super) fn is_small(&self, relation: usize) -> bool {
        self.is_small.get(relation).copied().unwrap_or(false)
    }

    /// Whether few rows give values for all columns of a head.
    fn leads(&self, rule: &Rule, relations: &[Relation]) -> bool {
        let mut few = vec![false; rule.variables.len()];
        loop {
            let before = few.clone();
            for literal in &rule.body {
                match literal {
                    Literal::Is(atom) => self.pass(atom, relations, &mut few),
                    Literal::Compare((left, _), comparison, (right, _)) => compare((left, *comparison, right), &mut few),
                    Literal::IsNot(_) | Literal::Text(..) => {}
                }
            }
            if few == before {
                break;
            }
        }
        rule.columns.iter().all(|column| match column {
            HeadColumn::Value(value) | HeadColumn::Over(_, value) => value.is_bound(&few),
        })
    }

    /// Notes the variables for which an atom gives few values: where its relation is small, or it is looked up from few nodes.
    pub(super) fn pass(&self, atom: &Atom, relations: &[Relation], few: &mut Vec<bool>) {
        let columns = &relations[atom.relation].columns;
        let is_node = |at: usize| columns.get(at) == Some(&Type::Node);
        let is_from_few = atom.terms.iter().enumerate().any(|(at, term)| match term {
            Term::Variable(variable) => is_node(at) && few.get(*variable) == Some(&true),
            Term::Value(_) => is_node(at),
            Term::Anything => false,
        });
        if !is_from_few && !self.is_small(atom.relation) {
            return;
        }
        for term in &atom.terms {
            if let Term::Variable(variable) = term {
                if few.len() <= *variable {
                    few.resize(variable + 1, false);
                }
                few[*variable] = true;
            }
        }
    }
}

/// Notes the variable for which a comparison gives few values: one that is equal to what has few.
pub(super) fn compare((left, comparison, right): (&Expression, Comparison, &Expression), few: &mut [bool]) {
    if comparison != Comparison::Equal {
        return;
    }
    for (one, other) in [(left, right), (right, left)] {
        if let Expression::Variable(variable) = one
            && other.is_bound(few)
            && let Some(is_few) = few.get_mut(*variable)
        {
            *is_few = true;
        }
    }
}
