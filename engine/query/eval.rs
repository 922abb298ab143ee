//! Derives what rules say, from rows that came in the round before: semi-naive evaluation, stratum by stratum.

use super::ast::{Place, Total};
use super::checked::{Atom, HeadColumn, Literal, Relation, Rule, Term};
use super::facts::{Facts, Flow, Type, Value};
use super::plan::{Sizes, Step, plan};
use super::reader::MAX_COLUMNS;
use super::table::Table;
use super::values::{number, type_of};
use super::words::Words;
use globset::GlobSet;
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
const STEPS_AT_ONCE: u32 = 4_096;

/// What is known while a program is evaluated.
pub(super) struct Evaluation<'p> {
    pub(super) facts: &'p dyn Facts,
    pub(super) words: &'p Words,
    pub(super) relations: &'p [Relation],
    /// Of each relation what was derived; of those that are given what had to be copied to be found.
    pub(super) tables: Vec<Table>,
    /// In how many columns a given relation was copied.
    copied: Vec<Option<usize>>,
    /// Where the rows of each round begin.
    pub(super) rounds: Vec<Vec<usize>>,
    limits: Limits<'p>,
    steps: Cell<u32>,
    pub(super) patterns: RefCell<FxHashMap<(Value, Type), Option<GlobSet>>>,
}

impl Sizes for Evaluation<'_> {
    fn n_rows(&self, relation: usize) -> usize {
        self.relations[relation].given.map_or_else(|| self.tables[relation].len(), |given| self.facts.n_rows(given))
    }
}

/// Takes the values of the variables of a rule, once for each way in which its body is so.
type Take<'t> = &'t mut dyn FnMut(&[Value]) -> ControlFlow<Stopped>;

impl<'p> Evaluation<'p> {
    pub(super) fn new(facts: &'p dyn Facts, words: &'p Words, relations: &'p [Relation], limits: Limits<'p>) -> Self {
        Self {
            facts,
            words,
            relations,
            tables: relations.iter().map(|relation| Table::of(relation.columns.len())).collect(),
            copied: vec![None; relations.len()],
            rounds: vec![Vec::new(); relations.len()],
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
        for rule in of_stratum.iter().filter(|rule| recursive(rule).is_empty()) {
            self.add(rule, None, stratum, &mut new)?;
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
        known.join(question, &steps, None, &mut |values| {
            for (value, column) in row.iter_mut().zip(&question.columns) {
                let (HeadColumn::Value(expression) | HeadColumn::Over(_, expression)) = column;
                *value = stop(number(expression, values))?;
            }
            if found.add(&row) && found.len().is_multiple_of(STEPS_AT_ONCE as usize) {
                stop(known.is_small(found.n_bytes()))?;
            }
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// Puts what is new with what is known; which rows these are.
    fn next_round(&mut self, stratum: &[usize], new: &mut [Table]) -> Result<Vec<Range<usize>>, Stopped> {
        let mut latest = Vec::new();
        for (relation, new) in stratum.iter().zip(new) {
            let table = &mut self.tables[*relation];
            let first = table.len();
            for row in 0..new.len() {
                table.add(new.row(row));
            }
            new.clear();
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
            return self.add_totals(rule, &mut new[at]);
        }
        let steps = plan(rule, only.map(|(place, _)| *place), &vec![false; rule.variables.len()], self);
        self.prepare(&steps)?;
        let (known, others): (&Self, usize) =
            (self, new.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, table)| table.n_bytes()).sum());
        let (new, table) = (&mut new[at], &known.tables[rule.head]);
        let mut row = vec![0; rule.columns.len()];
        known.join(rule, &steps, only, &mut |values| {
            for (value, column) in row.iter_mut().zip(&rule.columns) {
                if let HeadColumn::Value(expression) = column {
                    *value = stop(number(expression, values))?;
                }
            }
            if !table.has(&row) && new.add(&row) && new.len().is_multiple_of(STEPS_AT_ONCE as usize) {
                stop(known.is_small(others + new.n_bytes()))?;
            }
            ControlFlow::Continue(())
        })
    }

    /// Adds the totals of a rule.
    pub(super) fn add_totals(&mut self, rule: &'p Rule, new: &mut Table) -> Result<(), Stopped> {
        let steps = plan(rule, None, &vec![false; rule.variables.len()], self);
        self.prepare(&steps)?;
        let known: &Self = self;
        let n_columns = rule.columns.len();
        // Every value that is added up once: what is counted by what it is, what is summed by all that the body says.
        let sums = rule.columns.iter().any(|column| matches!(column, HeadColumn::Over(Total::Sum, _)));
        let named: Vec<usize> = (0..rule.variables.len()).filter(|at| sums && !rule.variables[*at].name.is_empty()).collect();
        let mut all = Table::of(n_columns + named.len());
        let mut row = vec![0; n_columns + named.len()];
        known.join(rule, &steps, None, &mut |values| {
            for (value, column) in row.iter_mut().zip(&rule.columns) {
                let (HeadColumn::Value(expression) | HeadColumn::Over(_, expression)) = column;
                *value = stop(number(expression, values))?;
            }
            for (value, variable) in row[n_columns..].iter_mut().zip(&named) {
                *value = values[*variable];
            }
            if all.add(&row) && all.len().is_multiple_of(STEPS_AT_ONCE as usize) {
                stop(known.is_small(all.n_bytes()))?;
            }
            ControlFlow::Continue(())
        })?;
        let is_total: Vec<bool> = rule.columns.iter().map(|column| matches!(column, HeadColumn::Over(..))).collect();
        let groups: Vec<usize> = (0..n_columns).filter(|column| !is_total[*column]).collect();
        let mut by_group = Table::of(groups.len());
        let mut members: Vec<Vec<u32>> = Vec::new();
        for number in 0..all.len() {
            let row: Vec<Value> = groups.iter().map(|column| all.row(number)[*column]).collect();
            if by_group.add(&row) {
                members.push(Vec::new());
            }
            if let Some(group) = by_group.place(&row) {
                members[group].push(number as u32);
            }
        }
        for members in members {
            let mut row = all.row(members[0] as usize)[..n_columns].to_vec();
            for (at, column) in rule.columns.iter().enumerate() {
                let HeadColumn::Over(total, expression) = column else { continue };
                let of = type_of(expression, rule);
                row[at] = known.total(*total, members.iter().map(|number| all.row(*number as usize)[at]), of, rule.place)?;
            }
            new.add(&row);
        }
        Ok(())
    }

    fn total(&self, total: Total, values: impl Iterator<Item = Value>, of: Type, place: Place) -> Result<Value, Stopped> {
        Ok(match total {
            Total::Count => {
                let mut values: Vec<Value> = values.collect();
                values.sort_unstable();
                values.dedup();
                values.len() as Value
            }
            Total::Sum => {
                let sum: i64 = values.map(|value| i64::from(value.cast_signed())).sum();
                i32::try_from(sum).map_err(|_| Stopped::Number(place))?.cast_unsigned()
            }
            Total::Min => values.min_by(|one, other| self.order((*one, of), (*other, of))).unwrap_or_default(),
            Total::Max => values.max_by(|one, other| self.order((*one, of), (*other, of))).unwrap_or_default(),
        })
    }

    /// Makes what the steps look up be found.
    pub(super) fn prepare(&mut self, steps: &[Step<'_>]) -> Result<(), Stopped> {
        // What comes first is looked through once, which is as fast as to copy it.
        for (atom, known) in steps.iter().skip(1).filter_map(Step::looked_up) {
            if let Some(given) = self.relations[atom.relation].given.filter(|given| !self.facts.finds(*given, known)) {
                self.copy(atom.relation, given, known.len())?;
            }
        }
        for (atom, known) in steps.iter().filter_map(Step::looked_up) {
            let columns: Vec<usize> = (0..known.len()).filter(|column| known[*column]).collect();
            let is_given = self.relations[atom.relation].given.is_some();
            let is_whole_row = !is_given && columns.len() == self.tables[atom.relation].n_columns();
            if !is_whole_row && (!is_given || self.is_copied(atom.relation, known.len())) {
                self.tables[atom.relation].index(&columns);
            }
        }
        self.is_small(0)
    }

    fn is_copied(&self, relation: usize, n_columns: usize) -> bool {
        self.copied[relation].is_some_and(|copied| copied >= n_columns)
    }

    /// Copies the first columns of a given relation.
    fn copy(&mut self, relation: usize, given: usize, n_columns: usize) -> Result<(), Stopped> {
        if self.is_copied(relation, n_columns) {
            return Ok(());
        }
        let mut table = Table::of(n_columns);
        let none = [None; MAX_COLUMNS];
        let n_all = self.relations[relation].columns.len();
        let mut stopped = None;
        let _ = self.facts.rows(given, &none[..n_all], self.words, &mut |row| {
            if table.add(&row[..n_columns]) && table.len().is_multiple_of(STEPS_AT_ONCE as usize) {
                stopped = self.is_small(table.n_bytes()).and_then(|()| self.is_in_time()).err();
            }
            if stopped.is_some() { Flow::Break(()) } else { Flow::Continue(()) }
        });
        if let Some(stopped) = stopped {
            return Err(stopped);
        }
        self.tables[relation] = table;
        self.copied[relation] = Some(n_columns);
        Ok(())
    }

    pub(super) fn is_small(&self, besides: usize) -> Result<(), Stopped> {
        let derived: usize = self.tables.iter().map(Table::n_bytes).sum();
        if derived + besides + self.words.n_bytes() > self.limits.bytes { Err(Stopped::Memory) } else { Ok(()) }
    }

    pub(super) fn is_in_time(&self) -> Result<(), Stopped> {
        if (self.limits.is_over)() { Err(Stopped::Time) } else { Ok(()) }
    }

    /// Calls `take` with the values of the variables of a rule for each way in which its body is so.
    pub(super) fn join(
        &self,
        rule: &Rule,
        steps: &[Step<'_>],
        only: Option<&(usize, Range<usize>)>,
        take: Take<'_>,
    ) -> Result<(), Stopped> {
        let mut values = vec![0; rule.variables.len()];
        self.join_from(steps, only, &mut values, take).map_or_else(|| Ok(()), Err)
    }

    /// The same with some values known before.
    pub(super) fn join_from(
        &self,
        steps: &[Step<'_>],
        only: Option<&(usize, Range<usize>)>,
        values: &mut Vec<Value>,
        take: Take<'_>,
    ) -> Option<Stopped> {
        match self.step(steps, only, values, take) {
            ControlFlow::Break(stopped) => Some(stopped),
            ControlFlow::Continue(()) => None,
        }
    }

    fn step(
        &self,
        steps: &[Step<'_>],
        only: Option<&(usize, Range<usize>)>,
        values: &mut Vec<Value>,
        take: Take<'_>,
    ) -> ControlFlow<Stopped> {
        let Some((step, rest)) = steps.split_first() else { return take(values) };
        match step {
            Step::Rows { place, atom, known } => {
                let range = only.filter(|(only, _)| only == place).map(|(_, range)| range.clone());
                let binds = atom.terms.iter().zip(known).any(|(term, is_known)| matches!(term, Term::Variable(_)) && !is_known);
                if binds || range.is_some() {
                    return self.rows(atom, known, range, values, &mut |values| self.step(rest, only, values, take));
                }
                // Nothing but whether there is such a row.
                if self.has_row(atom, known, values)? { self.step(rest, only, values, take) } else { ControlFlow::Continue(()) }
            }
            Step::NoRow { atom, known } => {
                if self.has_row(atom, known, values)? {
                    ControlFlow::Continue(())
                } else {
                    self.step(rest, only, values, take)
                }
            }
            Step::Let(variable, expression) => {
                values[*variable] = stop(number(expression, values))?;
                self.step(rest, only, values, take)
            }
            Step::If(literal) => {
                if stop(self.is_so(literal, values))? {
                    self.step(rest, only, values, take)
                } else {
                    ControlFlow::Continue(())
                }
            }
        }
    }

    /// Whether there is a row that fits.
    fn has_row(&self, atom: &Atom, known: &[bool], values: &mut Vec<Value>) -> ControlFlow<Stopped, bool> {
        let mut is_there = false;
        let found = self.rows(atom, known, None, values, &mut |_| {
            is_there = true;
            // Whatever says so ends the search.
            ControlFlow::Break(Stopped::Time)
        });
        match found {
            ControlFlow::Break(stopped) if !is_there => ControlFlow::Break(stopped),
            _ => ControlFlow::Continue(is_there),
        }
    }

    /// Gives variables the values of each row that fits.
    fn rows(
        &self,
        atom: &Atom,
        known: &[bool],
        range: Option<Range<usize>>,
        values: &mut Vec<Value>,
        take: &mut dyn FnMut(&mut Vec<Value>) -> ControlFlow<Stopped>,
    ) -> ControlFlow<Stopped> {
        let n_columns = known.len();
        let value = |column: usize, values: &[Value]| match atom.terms[column] {
            Term::Variable(variable) => values[variable],
            Term::Value(value) => value,
            Term::Anything => 0,
        };
        let mut fits = |row: &[Value], values: &mut Vec<Value>| {
            self.steps.set(self.steps.get().wrapping_add(1));
            if self.steps.get().is_multiple_of(STEPS_AT_ONCE) {
                stop(self.is_in_time())?;
            }
            let mut seen = [usize::MAX; MAX_COLUMNS];
            for column in 0..n_columns {
                match atom.terms[column] {
                    Term::Value(value) if value != row[column] => return ControlFlow::Continue(()),
                    Term::Variable(variable) if known[column] || seen[..column].contains(&variable) => {
                        if values[variable] != row[column] {
                            return ControlFlow::Continue(());
                        }
                    }
                    Term::Variable(variable) => {
                        values[variable] = row[column];
                        seen[column] = variable;
                    }
                    Term::Value(_) | Term::Anything => {}
                }
            }
            take(values)
        };
        let is_any_known = known.iter().any(|is_known| *is_known);
        let table = &self.tables[atom.relation];
        let relation = &self.relations[atom.relation];
        if let Some(given) = relation.given
            && (!is_any_known || self.facts.finds(given, known) || !self.is_copied(atom.relation, n_columns))
        {
            let mut bound = [None; MAX_COLUMNS];
            for column in (0..n_columns).filter(|column| known[*column]) {
                bound[column] = Some(value(column, values));
            }
            let mut outcome = ControlFlow::Continue(());
            let _ = self.facts.rows(given, &bound[..relation.columns.len()], self.words, &mut |row| {
                outcome = fits(row, values);
                if outcome.is_break() { Flow::Break(()) } else { Flow::Continue(()) }
            });
            return outcome;
        }
        let range = range.unwrap_or(0..table.len());
        if !is_any_known {
            for row in range {
                fits(table.row(row), values)?;
            }
            return ControlFlow::Continue(());
        }
        let columns: Vec<usize> = (0..n_columns).filter(|column| known[*column]).collect();
        if columns.len() == table.n_columns() && relation.given.is_none() {
            let row: Vec<Value> = columns.iter().map(|column| value(*column, values)).collect();
            let found = table.place(&row).filter(|place| range.contains(place));
            return if found.is_some() { fits(&row, values) } else { ControlFlow::Continue(()) };
        }
        let key: Vec<Value> = (0..n_columns).map(|column| value(column, values)).collect();
        for row in table.with(&columns, |column| key[column], range) {
            fits(table.row(row), values)?;
        }
        ControlFlow::Continue(())
    }

    /// The first row of a relation that has these values.
    pub(super) fn first_row(&self, relation: usize, told: &[Option<Value>]) -> Option<Vec<Value>> {
        let fits = |row: &[Value]| told.iter().zip(row).all(|(told, value)| told.is_none_or(|told| told == *value));
        let Some(given) = self.relations[relation].given else {
            let table = &self.tables[relation];
            return (0..table.len()).map(|row| table.row(row)).find(|row| fits(row)).map(<[Value]>::to_vec);
        };
        let mut bound = [None; MAX_COLUMNS];
        bound[..told.len()].copy_from_slice(told);
        let mut found = None;
        let _ = self.facts.rows(given, &bound[..self.relations[relation].columns.len()], self.words, &mut |row| {
            if fits(row) {
                found = Some(row.to_vec());
                return Flow::Break(());
            }
            Flow::Continue(())
        });
        found
    }
}

fn stop<T>(outcome: Result<T, Stopped>) -> ControlFlow<Stopped, T> {
    match outcome {
        Ok(value) => ControlFlow::Continue(value),
        Err(stopped) => ControlFlow::Break(stopped),
    }
}
