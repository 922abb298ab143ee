//! Proves a row: which rule gives it, and which rows that rests on, each derived in an earlier round.

use super::ast::Place;
use super::checked::{Atom, Expression, HeadColumn, Literal, Rule, Term};
use super::eval::{Evaluation, Stopped, stop};
use super::facts::{Type, Value};
use super::magic::Narrowed;
use super::plan::{Step as Join, plan};
use super::table::{Table, hash};
use std::ops::ControlFlow;

/// Rows of a proof at most: what rests on more is said as such.
const MAX_STEPS: usize = 256;

/// Why a row is so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// What it rests on, the row itself first and each row before what it rests on.
    pub steps: Vec<Step>,
    /// Whether steps are left out, of which there are too many.
    pub is_cut: bool,
}

/// A row of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// How deep it stands: 0 for the row that is proven.
    pub depth: usize,
    /// Its relation; empty for the row of a question.
    pub relation: String,
    /// Its values, and what they are; none of a column that is not asked for where there is no row.
    pub row: Vec<(Option<Value>, Type)>,
    /// All columns of a row that is given, also those that nothing asks for; empty otherwise.
    pub given: Vec<Value>,
    /// Where the rule stands that gives it; none for a row that is given.
    pub rule: Option<Place>,
    /// Whether that is a fact of the program: a rule without a body.
    pub is_fact: bool,
    /// Whether it is so because there is no such row.
    pub is_not: bool,
    /// Whether it was proven above.
    pub is_above: bool,
}

/// A rule, and values of its variables for which it gives a row.
type Ways<'k> = (&'k Rule, Vec<Vec<Value>>);

pub(super) struct Prover<'e, 'k> {
    known: &'e mut Evaluation<'k>,
    narrowed: &'k Narrowed,
}

impl<'e, 'k> Prover<'e, 'k> {
    pub(super) fn new(known: &'e mut Evaluation<'k>, narrowed: &'k Narrowed) -> Self {
        Self { known, narrowed }
    }

    /// Proves a row of the question.
    pub(super) fn question(&mut self, row: &[Value]) -> Result<Proof, Stopped> {
        let question = &self.narrowed.question;
        let mut proof = Proof { steps: Vec::new(), is_cut: false };
        let ways = self.ways(question, row, None)?;
        proof.steps.push(Self::step(0, "", row, question, Some(question.place)));
        // What is still to be proven: the parts of a body under way.
        let mut open: Vec<(usize, &Rule, Vec<Value>, usize)> = ways.into_iter().map(|values| (1, question, values, 0)).collect();
        while let Some((depth, rule, values, place)) = open.pop() {
            let Some(literal) = rule.body.get(place) else { continue };
            if proof.steps.len() == MAX_STEPS {
                proof.is_cut = true;
                break;
            }
            self.known.is_in_time()?;
            open.push((depth, rule, values.clone(), place + 1));
            let (atom, is_not) = match literal {
                Literal::Is(atom) => (atom, false),
                Literal::IsNot(atom) => (atom, true),
                Literal::Compare(..) | Literal::Text(..) => continue,
            };
            let relation = &self.known.relations[atom.relation];
            if relation.is_demand {
                continue;
            }
            let row = row_of(self.known, atom, &values, is_not)?;
            let types = relation.columns.iter().copied();
            let mut step = Step {
                depth,
                relation: relation.name.clone(),
                row: row.iter().copied().zip(types).collect(),
                given: Vec::new(),
                rule: None,
                is_fact: false,
                is_not,
                is_above: false,
            };
            if is_not || relation.given.is_some() {
                if !is_not {
                    step.given = row.iter().map(|value| value.unwrap_or_default()).collect();
                }
                step.row.truncate(atom.terms.len());
                proof.steps.push(step);
                continue;
            }
            let full: Vec<Value> = row.iter().map(|value| value.unwrap_or_default()).collect();
            step.is_above =
                proof.steps.iter().any(|above| above.relation == step.relation && above.row == step.row && !above.is_not);
            let found = if step.is_above { None } else { self.rule_of(atom.relation, &full)? };
            step.rule = found.as_ref().map(|(rule, _)| rule.place);
            step.is_fact = found.as_ref().is_some_and(|(rule, _)| self.is_fact(rule));
            proof.steps.push(step);
            if let Some((rule, ways)) = found {
                open.extend(ways.into_iter().rev().map(|values| (depth + 1, rule, values, 0)));
            }
        }
        Ok(proof)
    }

    fn step(depth: usize, relation: &str, row: &[Value], rule: &Rule, place: Option<Place>) -> Step {
        let of = |column: &HeadColumn| match column {
            HeadColumn::Value(Expression::Variable(at)) => rule.variables[*at].of,
            _ => Type::Number,
        };
        let row = row.iter().copied().map(Some).zip(rule.columns.iter().map(of)).collect();
        Step {
            depth,
            relation: relation.to_owned(),
            row,
            given: Vec::new(),
            rule: place,
            is_fact: false,
            is_not: false,
            is_above: false,
        }
    }

    /// Whether a rule has no body, but for what is asked of it.
    fn is_fact(&self, rule: &Rule) -> bool {
        rule.body.iter().all(|literal| matches!(literal, Literal::Is(atom) if self.known.relations[atom.relation].is_demand))
    }

    /// The rule that gave a derived row, and the values of its variables.
    fn rule_of(&mut self, relation: usize, row: &[Value]) -> Result<Option<Ways<'k>>, Stopped> {
        let Some(when) = self.when(relation, row)? else { return Ok(None) };
        let narrowed = self.narrowed;
        for rule in narrowed.rules.iter().filter(|rule| rule.head == relation) {
            let ways = self.ways(rule, row, Some(when))?;
            if !ways.is_empty() {
                return Ok(Some((rule, ways)));
            }
        }
        Ok(None)
    }

    /// When a derived row came, as far as that is told apart.
    fn when(&self, relation: usize, row: &[Value]) -> Result<Option<usize>, Stopped> {
        if let (Some(closure), [first, second]) = (&self.known.closures[relation], row) {
            closure.prepare_ranks(*first, *second, &|| self.known.is_in_time())?;
            self.known.is_small(0)?;
        }
        came(self.known, relation, row)
    }

    /// Values of the variables of a rule for which it gives a row, from rows of its stratum that came before: the first ones, and of a total all, as far
    /// as a proof can show them.
    fn ways(&mut self, rule: &'k Rule, row: &[Value], when: Option<usize>) -> Result<Vec<Vec<Value>>, Stopped> {
        let is_total = rule.columns.iter().any(|column| matches!(column, HeadColumn::Over(..)));
        let n_ways = if is_total { MAX_STEPS } else { 1 };
        if is_total && self.narrowed.rules.iter().filter(|other| other.head == rule.head).count() > 1 {
            // Of several rules, the one whose total it is.
            let mut totals = Table::of(rule.columns.len());
            self.known.add_totals(rule, &mut totals, 0)?;
            if !totals.has(row) {
                return Ok(Vec::new());
            }
        }
        let mut values = vec![0; rule.variables.len()];
        let mut bound = vec![false; rule.variables.len()];
        for (column, value) in rule.columns.iter().zip(row) {
            match column {
                HeadColumn::Value(Expression::Variable(at)) if !bound[*at] => {
                    (values[*at], bound[*at]) = (*value, true);
                }
                HeadColumn::Value(Expression::Value(written)) if written != value => return Ok(Vec::new()),
                _ => {}
            }
        }
        let stratum = self.narrowed.strata.iter().find(|stratum| stratum.contains(&rule.head));
        let steps: Vec<Join<'_>> = plan(rule, None, &bound, &*self.known);
        self.known.prepare(&steps)?;
        self.find_first_rows(rule)?;
        let known = &*self.known;
        let mut found = Vec::new();
        let stopped = known.join_from(&steps, None, &mut values, &mut |values| {
            let is_before = |literal: &Literal| {
                let (Literal::Is(atom), Some(when)) = (literal, when) else { return Ok(true) };
                if !stratum.is_some_and(|stratum| stratum.contains(&atom.relation)) {
                    return Ok(true);
                }
                let row: Vec<Value> = row_of(known, atom, values, false)?.into_iter().map(Option::unwrap_or_default).collect();
                Ok(came(known, atom.relation, &row)?.is_some_and(|before| before < when))
            };
            let gives = rule.columns.iter().zip(row).all(|(column, value)| match column {
                HeadColumn::Value(expression) => super::values::number(expression, values) == Ok(*value),
                HeadColumn::Over(..) => true,
            });
            let mut body = rule.body.iter();
            if gives && stop(body.try_fold(true, |are_before, literal| Ok(are_before && is_before(literal)?)))? {
                found.push(values.to_vec());
                if found.len() == n_ways {
                    return ControlFlow::Break(Stopped::Time);
                }
            }
            ControlFlow::Continue(())
        });
        match stopped {
            Some(stopped) if found.len() < n_ways => Err(stopped),
            _ => Ok(found),
        }
    }

    /// Makes the first row be found for parts of a body of which some columns may be anything.
    fn find_first_rows(&mut self, rule: &Rule) -> Result<(), Stopped> {
        for literal in &rule.body {
            let Literal::Is(atom) = literal else { continue };
            let columns: Vec<usize> = (0..atom.terms.len()).filter(|at| atom.terms[*at] != Term::Anything).collect();
            let relation = &self.known.relations[atom.relation];
            if relation.given.is_none() && columns.len() < relation.columns.len() && !columns.is_empty() {
                self.known.tables[atom.relation].index(&columns);
            }
        }
        self.known.is_small(0)
    }
}

/// The round in which a derived row came; of a closure, how many steps it takes.
fn came(known: &Evaluation<'_>, relation: usize, row: &[Value]) -> Result<Option<usize>, Stopped> {
    if let (Some(closure), [first, second]) = (&known.closures[relation], row) {
        return Ok(closure.rank(*first, *second, &|| known.is_in_time())?.map(|rank| rank as usize));
    }
    let place = known.tables[relation].place(hash(row), row);
    Ok(place.map(|place| known.rounds[relation].partition_point(|first| *first <= place).saturating_sub(1)))
}

/// The row that an atom is about. Columns that may be anything are those of the first such row.
fn row_of(known: &Evaluation<'_>, atom: &Atom, values: &[Value], is_not: bool) -> Result<Vec<Option<Value>>, Stopped> {
    let told: Vec<Option<Value>> = atom
        .terms
        .iter()
        .map(|term| match term {
            Term::Variable(variable) => Some(values[*variable]),
            Term::Value(value) => Some(*value),
            Term::Anything => None,
        })
        .collect();
    let relation = &known.relations[atom.relation];
    if is_not || told.len() == relation.columns.len() && told.iter().all(Option::is_some) {
        return Ok(told);
    }
    Ok(known.first_row(atom.relation, &told)?.map_or(told, |row| row.into_iter().map(Some).collect()))
}
