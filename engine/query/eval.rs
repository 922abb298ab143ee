//! Derives what rules say, from rows that came in the round before: semi-naive evaluation, stratum by stratum.

use super::ast::Place;
use super::checked::{Expression, HeadColumn, Literal, Relation, Rule, Term};
use super::closure::Closure;
use super::facts::{Facts, Type, Value};
use super::plan::{Sizes, plan};
use super::table::{Table, hash};
use super::transitive::repeats;
use super::values::{Pattern, number};
use super::words::Words;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::ops::{ControlFlow, Range};

/// What evaluation may take.
#[derive(Clone, Copy)]
pub struct Limits<'l> {
    /// Bytes of everything that is derived.
    pub bytes: usize,
    /// Whether it has taken as long as it may: asked often.
    pub is_over: &'l dyn Fn() -> bool,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// It takes more memory than it may.
    Memory,
    /// It takes longer than it may.
    Time,
    /// A number that does not fit into 32 bits, or a division by zero, in the expression at a place.
    Number(Place),
    /// A value that `glob` was to match with and that is no pattern.
    Pattern,
}

/// How often it is asked whether time is over, in steps.
pub(super) const STEPS_AT_ONCE: usize = 4_096;

/// What is known while a program is evaluated.
pub(super) struct Evaluation<'p> {
    pub(super) facts: &'p dyn Facts,
    pub(super) words: &'p Words,
    pub(super) relations: &'p [Relation],
    /// Of each relation what was derived; of those that are given what had to be copied to be found.
    pub(super) tables: Vec<Table>,
    /// In how many columns a given relation was copied.
    pub(super) copied: Vec<Option<usize>>,
    /// Where the rows of each round begin.
    pub(super) rounds: Vec<Vec<usize>>,
    /// Of each relation all of it, where that is found otherwise than row by row.
    pub(super) closures: Vec<Option<Closure>>,
    limits: Limits<'p>,
    pub(super) steps: Cell<usize>,
    pub(super) patterns: RefCell<FxHashMap<(Value, Type), Option<Pattern>>>,
}

impl Sizes for Evaluation<'_> {
    fn n_rows(&self, relation: usize) -> usize {
        match (self.relations[relation].given, &self.closures[relation]) {
            (Some(given), _) => self.facts.n_rows(given),
            (None, Some(closure)) => closure.len(),
            (None, None) => self.tables[relation].len(),
        }
    }

    fn finds(&self, relation: usize, known: &[bool]) -> bool {
        self.relations[relation].given.is_none_or(|given| self.facts.finds(given, known))
    }
}

impl<'p> Evaluation<'p> {
    pub(super) fn new(facts: &'p dyn Facts, words: &'p Words, relations: &'p [Relation], limits: Limits<'p>) -> Self {
        Self {
            facts,
            words,
            relations,
            tables: relations.iter().map(|relation| Table::of(relation.columns.len())).collect(),
            copied: vec![None; relations.len()],
            rounds: vec![Vec::new(); relations.len()],
            closures: relations.iter().map(|_| None).collect(),
            limits,
            steps: Cell::new(0),
            patterns: RefCell::default(),
        }
    }

    /// Derives the relations of a stratum, all that they are derived from being known.
    pub(super) fn derive(&mut self, stratum: &[usize], rules: &'p [Rule]) -> Result<(), Stopped> {
        let of_stratum: Vec<&Rule> = rules.iter().filter(|rule| stratum.contains(&rule.head)).collect();
        let recursive = |rule: &Rule| -> Vec<usize> {
            let is_in = |literal: &Literal| matches!(literal, Literal::Is(atom) if stratum.contains(&atom.relation));
            (0..rule.body.len()).filter(|place| is_in(&rule.body[*place])).collect()
        };
        let mut new: Vec<Table> = stratum.iter().map(|relation| Table::of(self.relations[*relation].columns.len())).collect();
        let begins = |rule: &&&Rule| recursive(rule).is_empty();
        let closes = if let [relation] = stratum { repeats(*relation, of_stratum.iter().copied()) } else { None };
        if let Some(repeats) = closes {
            let Some(few) = self.close(stratum[0], repeats, &of_stratum)? else { return Ok(()) };
            for pair in &few {
                new[0].add(pair);
            }
        } else {
            of_stratum.iter().filter(begins).try_for_each(|rule| self.add(rule, None, stratum, &mut new))?;
        }
        let mut latest = self.next_round(stratum, &mut new)?;
        while latest.iter().any(|rows| !rows.is_empty()) {
            for rule in &of_stratum {
                for place in recursive(rule) {
                    let Literal::Is(atom) = &rule.body[place] else { continue };
                    let at = stratum.iter().position(|relation| *relation == atom.relation);
                    let Some(rows) = at.map(|at| latest[at].clone()).filter(|rows| !rows.is_empty()) else { continue };
                    self.add(rule, Some(&(place, rows)), stratum, &mut new)?;
                }
            }
            latest = self.next_round(stratum, &mut new)?;
        }
        Ok(())
    }

    /// The rows of a question.
    pub(super) fn ask(&mut self, question: &'p Rule) -> Result<Table, Stopped> {
        let steps = plan(question, None, &vec![false; question.variables.len()], self);
        self.prepare(&steps)?;
        let known: &Self = self;
        let mut found = Table::of(question.columns.len());
        let mut row = vec![0; question.columns.len()];
        let is_once = known.gives_once(question);
        known.join(question, &steps, None, &mut |values| {
            for (value, column) in row.iter_mut().zip(&question.columns) {
                let (HeadColumn::Value(expression) | HeadColumn::Over(_, expression)) = column;
                *value = stop(number(expression, values))?;
            }
            let is_new = if is_once { found.push(&row) } else { found.add(&row) };
            if is_new && found.len().is_multiple_of(STEPS_AT_ONCE) {
                stop(known.is_small(found.n_bytes()))?;
            }
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// Whether a rule gives each row once: all that its body binds stands in the head, and each row of what binds it is there once.
    fn gives_once(&self, rule: &Rule) -> bool {
        let is_shown = |at: &usize| {
            rule.columns.iter().any(|column| matches!(column, HeadColumn::Value(Expression::Variable(shown)) if shown == at))
        };
        rule.body.iter().all(|literal| {
            let Literal::Is(atom) = literal else { return true };
            let relation = &self.relations[atom.relation];
            let is_told = |term: &Term| match term {
                Term::Variable(variable) => is_shown(variable),
                Term::Value(_) => true,
                Term::Anything => false,
            };
            relation.given.is_none() && atom.terms.len() == relation.columns.len() && atom.terms.iter().all(is_told)
        })
    }

    /// How many rows of a relation were derived, as far as that is known.
    pub(super) fn n_derived(&self, relation: usize) -> usize {
        self.tables[relation].len() + self.closures[relation].as_ref().map_or(0, Closure::n_rows)
    }

    /// Puts what is new with what is known; which rows these are.
    fn next_round(&mut self, stratum: &[usize], new: &mut [Table]) -> Result<Vec<Range<usize>>, Stopped> {
        let mut latest = Vec::new();
        for (relation, new) in stratum.iter().zip(new) {
            let table = &mut self.tables[*relation];
            let first = table.len();
            table.append(new);
            self.rounds[*relation].push(first);
            latest.push(first..table.len());
        }
        self.is_small(0)?;
        Ok(latest)
    }

    /// Adds what a rule says; with only some rows of the part at a place, where these are given.
    fn add(
        &mut self,
        rule: &'p Rule,
        only: Option<&(usize, Range<usize>)>,
        stratum: &[usize],
        new: &mut [Table],
    ) -> Result<(), Stopped> {
        let Some(at) = stratum.iter().position(|relation| *relation == rule.head) else { return Ok(()) };
        if rule.columns.iter().any(|column| matches!(column, HeadColumn::Over(..))) {
            let others = bytes_besides(new, at);
            return self.add_totals(rule, &mut new[at], others);
        }
        let steps = plan(rule, only.map(|(place, _)| *place), &vec![false; rule.variables.len()], self);
        self.prepare(&steps)?;
        let (known, others): (&Self, usize) = (self, bytes_besides(new, at));
        let (new, table) = (&mut new[at], &known.tables[rule.head]);
        let mut row = vec![0; rule.columns.len()];
        known.join(rule, &steps, only, &mut |values| {
            for (value, column) in row.iter_mut().zip(&rule.columns) {
                if let HeadColumn::Value(expression) = column {
                    *value = stop(number(expression, values))?;
                }
            }
            let hash = hash(&row);
            if table.place(hash, &row).is_none() && new.put(hash, &row).1 && new.len().is_multiple_of(STEPS_AT_ONCE) {
                stop(known.is_small(others + new.n_bytes()))?;
            }
            ControlFlow::Continue(())
        })
    }

    pub(super) fn is_small(&self, besides: usize) -> Result<(), Stopped> {
        if self.n_bytes().saturating_add(besides) > self.limits.bytes { Err(Stopped::Memory) } else { Ok(()) }
    }

    /// Bytes that are left beside so many.
    pub(super) fn room(&self, besides: usize) -> usize {
        self.limits.bytes.saturating_sub(self.n_bytes().saturating_add(besides))
    }

    fn n_bytes(&self) -> usize {
        let closures = self.closures.iter().flatten().map(Closure::n_bytes);
        self.tables.iter().map(Table::n_bytes).chain(closures).sum::<usize>() + self.words.n_bytes()
    }

    pub(super) fn is_in_time(&self) -> Result<(), Stopped> {
        if (self.limits.is_over)() { Err(Stopped::Time) } else { Ok(()) }
    }
}

pub(super) fn stop<T>(outcome: Result<T, Stopped>) -> ControlFlow<Stopped, T> {
    match outcome {
        Ok(value) => ControlFlow::Continue(value),
        Err(stopped) => ControlFlow::Break(stopped),
    }
}

/// Bytes of all tables but one.
fn bytes_besides(tables: &[Table], one: usize) -> usize {
    tables.iter().enumerate().filter(|(other, _)| *other != one).map(|(_, table)| table.n_bytes()).sum()
}
