//! Totals: how many values, the smallest, the greatest, and all of them together, for each choice of the other columns.

use super::ast::{Place, Total};
use super::checked::{HeadColumn, Rule};
use super::eval::{Evaluation, STEPS_AT_ONCE, Stopped, stop};
use super::facts::{Type, Value};
use super::plan::plan;
use super::table::{Table, hash};
use super::values::{number, type_of};
use std::ops::ControlFlow;

/// Numbers of rows, those of a group one after the other.
struct Grouped {
    members: Vec<u32>,
    ends: Vec<u32>,
}

impl Grouped {
    /// For each row its group and its place in it, and the value that is added up.
    const ROW_BYTES: usize = 2 * size_of::<u32>() + size_of::<Value>();

    fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let mut first = 0;
        self.ends.iter().map(move |end| {
            let members = &self.members[first..*end as usize];
            first = *end as usize;
            members
        })
    }
}

impl Evaluation<'_> {
    /// Adds the totals of a rule. `others` are bytes of what else is being derived.
    pub(super) fn add_totals(&mut self, rule: &Rule, new: &mut Table, others: usize) -> Result<(), Stopped> {
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
            if all.add(&row) && all.len().is_multiple_of(STEPS_AT_ONCE) {
                stop(known.is_small(others + all.n_bytes()))?;
            }
            ControlFlow::Continue(())
        })?;
        let groups: Vec<usize> = (0..n_columns).filter(|column| !matches!(rule.columns[*column], HeadColumn::Over(..))).collect();
        let others = others + all.n_bytes();
        for members in known.grouped(&all, &groups, others)?.groups() {
            let mut row = all.row(members[0] as usize)[..n_columns].to_vec();
            for (at, column) in rule.columns.iter().enumerate() {
                let HeadColumn::Over(total, expression) = column else { continue };
                let of = type_of(expression, rule);
                row[at] = known.total(*total, members.iter().map(|number| all.row(*number as usize)[at]), of, rule.place)?;
            }
            if new.add(&row) && new.len().is_multiple_of(STEPS_AT_ONCE) {
                known.is_in_time()?;
                known.is_small(others + new.n_bytes() + all.len() * Grouped::ROW_BYTES)?;
            }
        }
        Ok(())
    }

    /// The rows of a table by the values of some columns.
    fn grouped(&self, all: &Table, columns: &[usize], others: usize) -> Result<Grouped, Stopped> {
        let others = others + all.len() * Grouped::ROW_BYTES;
        self.is_small(others)?;
        let mut by_group = Table::of(columns.len());
        let mut key = vec![0; columns.len()];
        let mut group_of: Vec<u32> = Vec::with_capacity(all.len());
        // Where each group ends; counted first.
        let mut ends: Vec<u32> = Vec::new();
        for number in 0..all.len() {
            let row = all.row(number);
            for (value, column) in key.iter_mut().zip(columns) {
                *value = row[*column];
            }
            let (group, is_new) = by_group.put(hash(&key), &key);
            if is_new {
                ends.push(0);
                if ends.len().is_multiple_of(STEPS_AT_ONCE) {
                    self.is_small(others + by_group.n_bytes() + ends.capacity() * size_of::<u32>())?;
                }
            }
            ends[group] += 1;
            group_of.push(group as u32);
        }
        self.is_in_time()?;
        let mut next = 0;
        for end in &mut ends {
            (*end, next) = (next, next + *end);
        }
        let mut members = vec![0; all.len()];
        for (number, group) in group_of.iter().enumerate() {
            let place = &mut ends[*group as usize];
            members[*place as usize] = number as u32;
            *place += 1;
        }
        Ok(Grouped { members, ends })
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
}
