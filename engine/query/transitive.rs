//! Relations that repeat a step: `reach(X, Z) :- step(X, Y), reach(Y, Z)`, from the other side, or by way of themselves.
//!
//! All pairs of such a relation are found from its steps and from where it ends ([`super::closure`]), without a look at each pair in each round.

use super::checked::{Atom, Expression, HeadColumn, Literal, Rule, Term};
use super::closure::Closure;
use super::eval::{Evaluation, Stopped, stop};
use super::facts::Value;
use super::lists::{Pairs, pair};
use super::plan::{bound_by, plan};
use super::values::number;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// Values to which so few lead by an end are followed back row by row.
const FEW_ENDS: usize = 8;

/// How a relation of two columns repeats itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeats {
    /// `p(X, Z) :- step(X, Y), p(Y, Z)`: the second column is handed on.
    FromFront,
    /// `p(X, Z) :- p(X, Y), step(Y, Z)`: the first is.
    FromBehind,
    /// `p(X, Z) :- p(X, Y), p(Y, Z)`.
    Twice,
}

impl Repeats {
    /// The column that is handed on as it is.
    pub(super) fn handed_on(self) -> Option<usize> {
        match self {
            Self::FromFront => Some(1),
            Self::FromBehind => Some(0),
            Self::Twice => None,
        }
    }
}

/// How the rules of a relation repeat it, if that is all that they do beside what they begin with.
pub(super) fn repeats<'r>(relation: usize, rules: impl IntoIterator<Item = &'r Rule>) -> Option<Repeats> {
    let mut all = None;
    for rule in rules.into_iter().filter(|rule| rule.head == relation) {
        let [HeadColumn::Value(first), HeadColumn::Value(second)] = rule.columns.as_slice() else { return None };
        if atoms_of(relation, rule).next().is_some() {
            let (Expression::Variable(first), Expression::Variable(second)) = (first, second) else { return None };
            let repeats = of_rule(relation, rule, *first, *second)?;
            if all.is_some_and(|all| all != repeats) {
                return None;
            }
            all = Some(repeats);
        }
    }
    all
}

/// The parts of a body that are about the relation itself.
fn atoms_of(relation: usize, rule: &Rule) -> impl Iterator<Item = &Atom> {
    rule.body.iter().filter_map(move |literal| match literal {
        Literal::Is(atom) if atom.relation == relation => Some(atom),
        _ => None,
    })
}

/// How a rule repeats the relation of its head `(first, second)`.
fn of_rule(relation: usize, rule: &Rule, first: usize, second: usize) -> Option<Repeats> {
    let atoms: Vec<&Atom> = atoms_of(relation, rule).collect();
    let columns = |atom: &Atom| match atom.terms.as_slice() {
        [Term::Variable(one), Term::Variable(other)] if one != other => Some((*one, *other)),
        _ => None,
    };
    if first == second {
        return None;
    }
    if let [one, other] = atoms.as_slice() {
        let (one, other) = (columns(one)?, columns(other)?);
        let is_way =
            |(from, by): (usize, usize), (way, to): (usize, usize)| from == first && to == second && by == way && by != second;
        return (rule.body.len() == 2 && (is_way(one, other) || is_way(other, one))).then_some(Repeats::Twice);
    }
    let [atom] = atoms.as_slice() else { return None };
    let (one, other) = columns(atom)?;
    let (repeats, kept, from, to) = match (one == first, other == second) {
        (false, true) if one != second => (Repeats::FromFront, second, first, one),
        (true, false) if other != first => (Repeats::FromBehind, first, second, other),
        _ => return None,
    };
    // What is handed on is asked nothing, and the rest gives both ends of a step.
    let rest = rest(relation, rule);
    let bound = bound_by(&rest, rule.variables.len());
    (bound[from] && bound[to] && !rest.iter().any(|literal| uses(literal, kept))).then_some(repeats)
}

fn rest(relation: usize, rule: &Rule) -> Vec<Literal> {
    let is_rest = |literal: &&Literal| !matches!(literal, Literal::Is(atom) if atom.relation == relation);
    rule.body.iter().filter(is_rest).cloned().collect()
}

fn uses(literal: &Literal, variable: usize) -> bool {
    let mut found = false;
    let mut look = |expression: &Expression| expression.for_each_variable(&mut |used| found |= used == variable);
    match literal {
        Literal::Is(atom) | Literal::IsNot(atom) => return atom.terms.contains(&Term::Variable(variable)),
        Literal::Compare((left, _), _, (right, _)) | Literal::Text(_, (left, _), (right, _), _) => {
            look(left);
            look(right);
        }
    }
    found
}

/// Whether a rule is one of those that a relation begins with.
fn is_end(relation: usize, rule: &Rule) -> bool {
    atoms_of(relation, rule).next().is_none()
}

/// A rule that gives the pairs of a rule: those that it begins with, or its steps. The column that is handed on is the second.
fn pairs(relation: usize, rule: &Rule, repeats: Repeats) -> Rule {
    let mut columns = rule.columns.clone();
    let mut made = Rule { body: rest(relation, rule), ..rule.clone() };
    if repeats == Repeats::FromBehind {
        columns.reverse();
    }
    if let Some(atom) = atoms_of(relation, rule).next()
        && let Term::Variable(to) = atom.terms[usize::from(repeats == Repeats::FromBehind)]
    {
        columns[1] = HeadColumn::Value(Expression::Variable(to));
    }
    made.columns = columns;
    made
}

impl Evaluation<'_> {
    /// Finds all of a relation that repeats a step, unless there are few values that it ends with: what leads to these is found faster row by row. What
    /// the relation begins with is handed back then.
    pub(super) fn close(
        &mut self,
        relation: usize,
        repeats: Repeats,
        rules: &[&Rule],
    ) -> Result<Option<Vec<[Value; 2]>>, Stopped> {
        let is_flipped = repeats == Repeats::FromBehind;
        let mut ends = Pairs::default();
        for rule in rules.iter().filter(|rule| is_end(relation, rule)) {
            self.add_pairs(&pairs(relation, rule, repeats), &mut ends, 0)?;
        }
        let ends = ends.sorted();
        let mut last = FxHashSet::default();
        let is_few = |both: &u64| {
            last.insert(pair(*both).1);
            last.len() <= FEW_ENDS
        };
        if ends.iter().all(is_few) {
            let columns = |both: &u64| if is_flipped { [pair(*both).1, pair(*both).0] } else { [pair(*both).0, pair(*both).1] };
            return Ok(Some(ends.iter().map(columns).collect()));
        }
        let n_bytes = ends.capacity() * size_of::<u64>();
        let mut steps = Pairs::default();
        for rule in rules.iter().filter(|rule| repeats != Repeats::Twice && !is_end(relation, rule)) {
            self.add_pairs(&pairs(relation, rule, repeats), &mut steps, n_bytes)?;
        }
        let steps = steps.sorted();
        let steps = if repeats == Repeats::Twice { &ends } else { &steps };
        self.closures[relation] = Some(Closure::of(steps, &ends, is_flipped, self.room(0) / 2, self)?);
        self.is_small(0)?;
        Ok(None)
    }

    /// Adds the pairs of a rule. `others` are bytes of what else is being derived.
    fn add_pairs(&mut self, rule: &Rule, to: &mut Pairs, others: usize) -> Result<(), Stopped> {
        let steps = plan(rule, None, &vec![false; rule.variables.len()], self);
        self.prepare(&steps)?;
        let known: &Self = self;
        known.join(rule, &steps, None, &mut |values| {
            let mut row = [0; 2];
            for (value, column) in row.iter_mut().zip(&rule.columns) {
                if let HeadColumn::Value(expression) = column {
                    *value = stop(number(expression, values))?;
                }
            }
            if to.add(row[0], row[1]) { stop(known.is_small(others + to.n_bytes())) } else { ControlFlow::Continue(()) }
        })
    }
}
