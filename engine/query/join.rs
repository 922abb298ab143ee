//! Joins: the values of the variables of a rule for each way in which its body is so.

use super::checked::{Atom, Rule, Term};
use super::eval::{Evaluation, STEPS_AT_ONCE, Stopped, stop};
use super::facts::{Flow, Value};
use super::plan::{Bind, Lookup, Step};
use super::reader::MAX_COLUMNS;
use super::table::{Table, hash};
use super::values::number;
use std::ops::{ControlFlow, Range};

/// Takes the values of the variables of a rule, once for each way in which its body is so.
type Take<'t> = &'t mut dyn FnMut(&[Value]) -> ControlFlow<Stopped>;

/// The part of a body, by its place, of which only some rows count.
type Only<'o> = Option<&'o (usize, Range<usize>)>;

impl Evaluation<'_> {
    /// Makes what the steps look up be found.
    pub(super) fn prepare(&mut self, steps: &[Step<'_>]) -> Result<(), Stopped> {
        // What comes first is looked through once, which is as fast as to copy it.
        for lookup in steps.iter().skip(1).filter_map(Step::looked_up) {
            let relation = lookup.atom.relation;
            if let Some(given) = self.relations[relation].given.filter(|given| !self.facts.finds(*given, &lookup.known)) {
                self.copy(relation, given, lookup.known.len())?;
            }
        }
        for lookup in steps.iter().filter_map(Step::looked_up) {
            let relation = lookup.atom.relation;
            let is_given = self.relations[relation].given.is_some();
            let is_whole_row = !is_given && lookup.columns.len() == self.tables[relation].n_columns();
            if !is_whole_row && (!is_given || self.is_copied(relation, lookup.known.len())) {
                self.tables[relation].index(&lookup.columns);
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
            if table.add(&row[..n_columns]) && table.len().is_multiple_of(STEPS_AT_ONCE) {
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

    /// Calls `take` with the values of the variables of a rule for each way in which its body is so.
    pub(super) fn join(&self, rule: &Rule, steps: &[Step<'_>], only: Only<'_>, take: Take<'_>) -> Result<(), Stopped> {
        let mut values = vec![0; rule.variables.len()];
        self.join_from(steps, only, &mut values, take).map_or_else(|| Ok(()), Err)
    }

    /// The same with some values known before.
    pub(super) fn join_from(&self, steps: &[Step<'_>], only: Only<'_>, values: &mut [Value], take: Take<'_>) -> Option<Stopped> {
        self.step(steps, only, values, take).break_value()
    }

    fn step(&self, steps: &[Step<'_>], only: Only<'_>, values: &mut [Value], take: Take<'_>) -> ControlFlow<Stopped> {
        let Some((step, rest)) = steps.split_first() else { return take(values) };
        let is_so = match step {
            Step::Rows { place, lookup } => {
                let range = only.filter(|(only, _)| only == place).map(|(_, range)| range.clone());
                if !lookup.binds.is_empty() || range.is_some() {
                    return self.rows(lookup, range, values, &mut |values| self.step(rest, only, values, take));
                }
                // Nothing but whether there is such a row.
                self.has_row(lookup, values)?
            }
            Step::NoRow { lookup } => !self.has_row(lookup, values)?,
            Step::Let(variable, expression) => {
                values[*variable] = stop(number(expression, values))?;
                true
            }
            Step::If(literal) => stop(self.is_so(literal, values))?,
        };
        if is_so { self.step(rest, only, values, take) } else { ControlFlow::Continue(()) }
    }

    /// Whether there is a row that fits.
    fn has_row(&self, lookup: &Lookup<'_>, values: &mut [Value]) -> ControlFlow<Stopped, bool> {
        let mut is_there = false;
        let found = self.rows(lookup, None, values, &mut |_| {
            is_there = true;
            // Whatever says so ends the search.
            ControlFlow::Break(Stopped::Time)
        });
        match found {
            ControlFlow::Break(stopped) if !is_there => ControlFlow::Break(stopped),
            _ => ControlFlow::Continue(is_there),
        }
    }

    /// Counts a row that was looked at, and asks now and then whether time is over.
    fn count_step(&self) -> ControlFlow<Stopped> {
        self.steps.set(self.steps.get().wrapping_add(1));
        if self.steps.get().is_multiple_of(STEPS_AT_ONCE) { stop(self.is_in_time()) } else { ControlFlow::Continue(()) }
    }

    /// Gives variables the values of each row that fits.
    fn rows(
        &self,
        lookup: &Lookup<'_>,
        range: Option<Range<usize>>,
        values: &mut [Value],
        take: &mut dyn FnMut(&mut [Value]) -> ControlFlow<Stopped>,
    ) -> ControlFlow<Stopped> {
        let (atom, n_columns) = (lookup.atom, lookup.known.len());
        let mut fits = |row: &[Value], values: &mut [Value]| {
            self.count_step()?;
            for bind in &lookup.binds {
                match bind {
                    Bind::Gives(column, variable) => values[*variable] = row[*column],
                    Bind::Is(column, variable) if values[*variable] != row[*column] => return ControlFlow::Continue(()),
                    Bind::Is(..) => {}
                }
            }
            take(values)
        };
        let mut key = [0; MAX_COLUMNS];
        for column in &lookup.columns {
            key[*column] = value(atom, *column, values);
        }
        let table = &self.tables[atom.relation];
        let relation = &self.relations[atom.relation];
        if let Some(given) = relation.given
            && (lookup.columns.is_empty() || self.facts.finds(given, &lookup.known) || !self.is_copied(atom.relation, n_columns))
        {
            let mut bound = [None; MAX_COLUMNS];
            for column in &lookup.columns {
                bound[*column] = Some(key[*column]);
            }
            let mut outcome = ControlFlow::Continue(());
            let _ = self.facts.rows(given, &bound[..relation.columns.len()], self.words, &mut |row| {
                outcome = fits(row, values);
                if outcome.is_break() { Flow::Break(()) } else { Flow::Continue(()) }
            });
            return outcome;
        }
        if let Some(closure) = &self.closures[atom.relation] {
            let known = |column: usize| lookup.columns.contains(&column).then(|| key[column]);
            let is_same = lookup.binds.iter().any(|bind| matches!(bind, Bind::Is(..)));
            return closure.pairs(known(0), known(1), is_same, &|| self.is_in_time(), &mut |row| fits(&row, values));
        }
        let range = range.unwrap_or(0..table.len());
        if lookup.columns.is_empty() {
            for row in range {
                fits(table.row(row), values)?;
            }
            return ControlFlow::Continue(());
        }
        if lookup.columns.len() == table.n_columns() && relation.given.is_none() {
            let row = &key[..n_columns];
            let found = table.place(hash(row), row).filter(|place| range.contains(place));
            return if found.is_some() { fits(row, values) } else { ControlFlow::Continue(()) };
        }
        for row in table.with(&lookup.columns, |column| key[column], range) {
            fits(table.row(row), values)?;
        }
        ControlFlow::Continue(())
    }

    /// The first row of a relation that has these values.
    pub(super) fn first_row(&self, relation: usize, told: &[Option<Value>]) -> Result<Option<Vec<Value>>, Stopped> {
        let table = &self.tables[relation];
        let columns: Vec<usize> = (0..told.len()).filter(|column| told[*column].is_some()).collect();
        let mut found = None;
        let mut fits = |row: &[Value], is_last: bool| {
            self.count_step()?;
            if told.iter().zip(row).all(|(told, value)| told.is_none_or(|told| told == *value)) {
                found = Some(row.to_vec());
                if is_last {
                    // Whatever says so ends the search.
                    return ControlFlow::Break(Stopped::Time);
                }
            }
            ControlFlow::Continue(())
        };
        let outcome = if let Some(given) = self.relations[relation].given {
            let mut bound = [None; MAX_COLUMNS];
            bound[..told.len()].copy_from_slice(told);
            let mut outcome = ControlFlow::Continue(());
            let _ = self.facts.rows(given, &bound[..self.relations[relation].columns.len()], self.words, &mut |row| {
                outcome = fits(row, true);
                if outcome.is_break() { Flow::Break(()) } else { Flow::Continue(()) }
            });
            outcome
        } else if let Some(closure) = &self.closures[relation] {
            let told = |column: usize| told.get(column).copied().flatten();
            closure.pairs(told(0), told(1), false, &|| self.is_in_time(), &mut |row| fits(&row, true))
        } else if table.is_indexed(&columns) {
            // From the last to the first.
            let mut rows = table.with(&columns, |column| told[column].unwrap_or_default(), 0..table.len());
            rows.try_for_each(|row| fits(table.row(row), false))
        } else {
            (0..table.len()).try_for_each(|row| fits(table.row(row), true))
        };
        match outcome {
            ControlFlow::Break(stopped) if found.is_none() => Err(stopped),
            ControlFlow::Break(_) | ControlFlow::Continue(()) => Ok(found),
        }
    }
}

/// The value of a column that has one.
fn value(atom: &Atom, column: usize, values: &[Value]) -> Value {
    match atom.terms[column] {
        Term::Variable(variable) => values[variable],
        Term::Value(value) => value,
        Term::Anything => 0,
    }
}
