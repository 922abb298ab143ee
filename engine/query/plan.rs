//! In which order the parts of a body are joined: what is known narrows down what follows.

use super::ast::Comparison;
use super::checked::{Atom, Expression, Literal, Rule, Term};

/// A part of a body, in order.
#[derive(Debug, Clone)]
pub(super) enum Step<'r> {
    /// Rows of a relation, by its place in the body.
    Rows { place: usize, lookup: Lookup<'r> },
    /// No such row.
    NoRow { lookup: Lookup<'r> },
    /// Gives a variable its value.
    Let(usize, &'r Expression),
    /// Whether something is so.
    If(&'r Literal),
}

/// How rows are found.
#[derive(Debug, Clone)]
pub(super) struct Lookup<'r> {
    pub(super) atom: &'r Atom,
    /// Of each column whether it is known.
    pub(super) known: Vec<bool>,
    /// The columns that are.
    pub(super) columns: Vec<usize>,
    /// What the other columns are for.
    pub(super) binds: Vec<Bind>,
}

/// What a column that is not known is for; a column and a variable.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bind {
    /// It gives the variable its value.
    Gives(usize, usize),
    /// It must be what a column before it gave the variable.
    Is(usize, usize),
}

impl<'r> Lookup<'r> {
    fn of(atom: &'r Atom, bound: &[bool]) -> Self {
        let known = atom.bound(bound);
        let columns = (0..known.len()).filter(|column| known[*column]).collect();
        let bind = |(column, term): (usize, &Term)| match term {
            Term::Variable(variable) if !known[column] => {
                let is_given = atom.terms[..column].contains(term);
                Some(if is_given { Bind::Is(column, *variable) } else { Bind::Gives(column, *variable) })
            }
            _ => None,
        };
        let binds = atom.terms.iter().enumerate().filter_map(bind).collect();
        Self { atom, known, columns, binds }
    }
}

impl<'r> Step<'r> {
    /// Whether it can fail for some values.
    fn computes(&self) -> bool {
        let is_computed = |expression: &Expression| matches!(expression, Expression::Arithmetic(..));
        match self {
            Self::Let(_, expression) => is_computed(expression),
            Self::If(Literal::Compare((left, _), _, (right, _))) => is_computed(left) || is_computed(right),
            _ => false,
        }
    }

    /// How rows with known columns are looked up.
    pub(super) fn looked_up(&self) -> Option<&Lookup<'r>> {
        match self {
            Self::Rows { lookup, .. } | Self::NoRow { lookup } => Some(lookup).filter(|lookup| !lookup.columns.is_empty()),
            Self::Let(..) | Self::If(_) => None,
        }
    }
}

/// What decides the order of joins.
pub(super) trait Sizes {
    /// Rows that a relation may have.
    fn n_rows(&self, relation: usize) -> usize;

    /// Whether rows with values in some columns are found without a look at all of them.
    fn finds(&self, relation: usize, known: &[bool]) -> bool;
}

/// The order in which the body of a rule is joined, with the part at `first` before all others, where one is given, and variables of which some
/// have a value before.
pub(super) fn plan<'r>(rule: &'r Rule, first: Option<usize>, bound: &[bool], sizes: &dyn Sizes) -> Vec<Step<'r>> {
    let mut bound = bound.to_vec();
    let mut left: Vec<usize> = (0..rule.body.len()).collect();
    let mut steps = Vec::new();
    let mut first = first;
    loop {
        while let Some((at, step)) = next_ready(rule, &left, &bound) {
            if let Step::Let(variable, _) = step {
                bound[variable] = true;
            }
            left.remove(at);
            steps.push(step);
        }
        let rank = |place: usize| {
            let Literal::Is(atom) = &rule.body[place] else { return None };
            let known = atom.bound(&bound);
            let n_known = known.iter().filter(|is_known| **is_known).count();
            let are_all_known = n_known == known.len();
            let is_found = are_all_known || n_known > 0 && sizes.finds(atom.relation, &known);
            let how = if are_all_known { 0 } else { 2 - usize::from(is_found) };
            // What all rows must be looked at for is no better for a column that is known.
            let n_found = if is_found { n_known } else { 0 };
            Some((first != Some(place), how, usize::MAX - n_found, sizes.n_rows(atom.relation), place))
        };
        let best = left.iter().enumerate().filter_map(|(at, place)| Some((rank(*place)?, at))).min();
        let Some((_, at)) = best else { return steps };
        let place = left.remove(at);
        if let Literal::Is(atom) = &rule.body[place] {
            steps.push(Step::Rows { place, lookup: Lookup::of(atom, &bound) });
            atom.bind(&mut bound);
        }
        first = None;
    }
}

/// The next part that needs no more values, and its place among those left. What computes waits, so that other parts can say before of which values it
/// can be, unless a relation that is left is asked with what comes of it.
fn next_ready<'r>(rule: &'r Rule, left: &[usize], bound: &[bool]) -> Option<(usize, Step<'r>)> {
    let all = || left.iter().enumerate().filter_map(|(at, place)| Some((at, ready(&rule.body[*place], bound)?)));
    if let Some(found) = all().find(|(_, step)| !step.computes()) {
        return Some(found);
    }
    let is_asked = |variable: usize| {
        let has =
            |place: &usize| matches!(&rule.body[*place], Literal::Is(atom) if atom.terms.contains(&Term::Variable(variable)));
        left.iter().any(has)
    };
    let are_all_joined = !left.iter().any(|place| matches!(rule.body[*place], Literal::Is(_)));
    all().find(|(_, step)| are_all_joined || matches!(step, Step::Let(variable, _) if is_asked(*variable)))
}

/// The step of a part that needs no more values.
fn ready<'r>(literal: &'r Literal, bound: &[bool]) -> Option<Step<'r>> {
    match literal {
        Literal::Is(_) => None,
        Literal::IsNot(atom) => {
            let is_ready = atom.terms.iter().all(|term| if let Term::Variable(at) = term { bound[*at] } else { true });
            is_ready.then(|| Step::NoRow { lookup: Lookup::of(atom, bound) })
        }
        Literal::Compare((left, _), comparison, (right, _)) => match (left.is_bound(bound), right.is_bound(bound)) {
            (true, true) => Some(Step::If(literal)),
            (false, true) if *comparison == Comparison::Equal => variable(left).map(|at| Step::Let(at, right)),
            (true, false) if *comparison == Comparison::Equal => variable(right).map(|at| Step::Let(at, left)),
            _ => None,
        },
        Literal::Text(_, (text, _), (with, _), _) => (text.is_bound(bound) && with.is_bound(bound)).then_some(Step::If(literal)),
    }
}

fn variable(expression: &Expression) -> Option<usize> {
    if let Expression::Variable(at) = expression { Some(*at) } else { None }
}

/// Which variables a body gives a value.
pub(super) fn bound_by(body: &[Literal], n_variables: usize) -> Vec<bool> {
    let mut bound = vec![false; n_variables];
    for literal in body {
        if let Literal::Is(atom) = literal {
            atom.bind(&mut bound);
        }
    }
    loop {
        let next = body.iter().find_map(|literal| match ready(literal, &bound) {
            Some(Step::Let(variable, _)) => Some(variable),
            _ => None,
        });
        let Some(variable) = next else { return bound };
        bound[variable] = true;
    }
}
