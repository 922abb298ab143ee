//! All pairs that steps lead from one to the other, in any number of them: found by strongly connected components, and kept as bits.
//!
//! A pair is in it if any number of steps, or none, lead from its first value to one that an end leads from to the second.

use super::components::components;
use super::eval::{Evaluation, Stopped, stop};
use super::facts::Value;
use super::lists::{Lists, Numbers, bits, pair};
use super::ranks::Ranks;
use std::cell::RefCell;
use std::ops::{ControlFlow, Deref};
use std::rc::Rc;

/// Whether there is still time.
pub(super) type InTime<'t> = &'t dyn Fn() -> Result<(), Stopped>;

/// Components between two questions whether there is still time.
const ROWS_AT_ONCE: usize = 256;

/// Bytes for each value while a closure is made, beside its pairs.
const NODE_BYTES: usize = 96;

#[derive(Debug)]
pub(super) struct Closure {
    /// Whether the columns of the relation stand the other way round.
    pub(super) is_flipped: bool,
    /// Whether every end is a step, and every step an end.
    is_uniform: bool,
    pub(super) numbers: Numbers,
    /// Of each value, by number, to which ones a step leads.
    pub(super) steps: Lists,
    /// Of each value to which ones an end leads.
    pub(super) ends: Lists,
    /// The group of values that lead to one another that a value is in.
    component: Vec<u32>,
    members: Lists,
    /// The groups to which steps lead from a group: all have smaller numbers.
    onward: Lists,
    /// Of each group the values that are reached, as bits; empty where that takes too much memory.
    matrix: Vec<u64>,
    n_rows: usize,
    latest: RefCell<Latest>,
    pub(super) ranks: RefCell<Ranks>,
}

/// What was asked for last, where there is no matrix.
#[derive(Debug, Default)]
struct Latest {
    /// A group, and the values that it reaches.
    from: Option<(u32, Rc<Vec<u64>>)>,
    /// A value, and the groups that reach it.
    to: Option<(u32, Rc<Vec<u64>>)>,
    /// The last pair that was asked for.
    asked: Option<(u32, u32)>,
}

/// Bits of a matrix, or of what was made for one question.
enum Row<'m> {
    Kept(&'m [u64]),
    Made(Rc<Vec<u64>>),
}

impl Deref for Row<'_> {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        match self {
            Self::Kept(row) => row,
            Self::Made(row) => row,
        }
    }
}

impl Closure {
    /// The closure of steps with ends behind them, both sorted, each pair once. A matrix may take `room`, if so much is left.
    pub(super) fn of(
        steps: &[u64],
        ends: &[u64],
        is_flipped: bool,
        room: usize,
        known: &Evaluation<'_>,
    ) -> Result<Self, Stopped> {
        let n_bytes_before = (steps.len() + ends.len()) * (size_of::<u64>() + 2 * size_of::<u32>());
        known.is_small(n_bytes_before)?;
        let numbers = Numbers::of(steps.iter().chain(ends).flat_map(|both| [pair(*both).0, pair(*both).1]).collect());
        let number = |both: &u64| {
            let (one, other) = pair(*both);
            Some((numbers.of_value(one)?, numbers.of_value(other)?))
        };
        let n = numbers.values.len();
        let n_bytes = n_bytes_before + n * NODE_BYTES;
        known.is_small(n_bytes)?;
        let is_uniform = steps == ends;
        let steps = Lists::of(n, steps.iter().filter_map(number));
        let ends = Lists::of(n, ends.iter().filter_map(number));
        known.is_in_time()?;
        let groups = components(n, 0..n, |node, edge| steps.of_node(node).get(edge).map(|to| *to as usize));
        known.is_in_time()?;
        let mut component = vec![0; n];
        for (number, group) in groups.iter().enumerate() {
            for node in group {
                component[*node] = number as u32;
            }
        }
        let member = |(group, nodes)| (nodes as &Vec<usize>).iter().map(move |node| (group as u32, *node as u32));
        let members = Lists::of(groups.len(), groups.iter().enumerate().flat_map(member));
        let onward = groups.iter().enumerate().flat_map(|(group, nodes)| {
            let to = nodes.iter().flat_map(|node| steps.of_node(*node)).map(|to| component[*to as usize]);
            let mut to: Vec<u32> = to.filter(|to| *to != group as u32).collect();
            to.sort_unstable();
            to.dedup();
            to.into_iter().map(move |to| (group as u32, to))
        });
        let onward = Lists::of(groups.len(), onward);
        let (latest, ranks) = (RefCell::default(), RefCell::default());
        let mut made = Self {
            is_flipped,
            is_uniform,
            numbers,
            steps,
            ends,
            component,
            members,
            onward,
            matrix: Vec::new(),
            n_rows: 0,
            latest,
            ranks,
        };
        if made
            .n_groups()
            .checked_mul(made.n_words() * size_of::<u64>())
            .is_some_and(|bytes| bytes <= room.min(known.room(n_bytes)))
        {
            made.fill(&|| known.is_in_time())?;
        }
        Ok(made)
    }

    fn n_groups(&self) -> usize {
        self.members.len()
    }

    fn n_words(&self) -> usize {
        self.numbers.values.len().div_ceil(64)
    }

    /// Puts together what each group reaches from what the groups before it do.
    fn fill(&mut self, in_time: InTime<'_>) -> Result<(), Stopped> {
        let n_words = self.n_words();
        self.matrix = vec![0; self.n_groups() * n_words];
        for group in 0..self.n_groups() {
            if group.is_multiple_of(ROWS_AT_ONCE) {
                in_time()?;
            }
            let (before, row) = self.matrix.split_at_mut(group * n_words);
            let row = &mut row[..n_words];
            for to in self.onward.of_node(group) {
                for (word, other) in row.iter_mut().zip(&before[*to as usize * n_words..]) {
                    *word |= other;
                }
            }
            let members = self.members.of_node(group);
            for end in members.iter().flat_map(|member| self.ends.of_node(*member as usize)) {
                row[*end as usize / 64] |= 1 << (end % 64);
            }
            let n_reached: usize = row.iter().map(|word| word.count_ones() as usize).sum();
            self.n_rows += n_reached * members.len();
        }
        Ok(())
    }

    /// How many pairs there are, where all were put together.
    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// How many pairs there are, or may be.
    pub(super) fn len(&self) -> usize {
        if self.matrix.is_empty() { self.steps.n_items().max(self.ends.n_items()) } else { self.n_rows }
    }

    /// Bytes that it takes, about.
    pub(super) fn n_bytes(&self) -> usize {
        let lists = [&self.steps, &self.ends, &self.members, &self.onward].map(Lists::n_bytes).iter().sum::<usize>();
        let ranks = self.ranks.borrow().n_bytes();
        lists + self.numbers.n_bytes() + (self.component.len() + 2 * (self.matrix.len() + 2 * self.n_words())) * 4 + ranks
    }

    /// The values that a group reaches.
    fn row(&self, group: u32, in_time: InTime<'_>) -> Result<Row<'_>, Stopped> {
        let n_words = self.n_words();
        if !self.matrix.is_empty() {
            return Ok(Row::Kept(&self.matrix[group as usize * n_words..][..n_words]));
        }
        if let Some((_, row)) = self.latest.borrow().from.as_ref().filter(|(from, _)| *from == group) {
            return Ok(Row::Made(Rc::clone(row)));
        }
        in_time()?;
        let mut row = vec![0; n_words];
        let mut seen = vec![0_u64; self.n_groups().div_ceil(64)];
        let mut open = vec![group];
        while let Some(group) = open.pop() {
            for end in self.members.of_node(group as usize).iter().flat_map(|member| self.ends.of_node(*member as usize)) {
                row[*end as usize / 64] |= 1 << (end % 64);
            }
            for to in self.onward.of_node(group as usize) {
                let (word, bit) = (&mut seen[*to as usize / 64], 1 << (to % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    open.push(*to);
                }
            }
        }
        let row = Rc::new(row);
        self.latest.borrow_mut().from = Some((group, Rc::clone(&row)));
        Ok(Row::Made(row))
    }

    /// The groups that reach a value.
    fn column(&self, node: u32, in_time: InTime<'_>) -> Result<Rc<Vec<u64>>, Stopped> {
        if let Some((_, column)) = self.latest.borrow().to.as_ref().filter(|(to, _)| *to == node) {
            return Ok(Rc::clone(column));
        }
        in_time()?;
        let mut column = vec![0_u64; self.n_groups().div_ceil(64)];
        for group in 0..self.n_groups() {
            let is_reached = if self.matrix.is_empty() {
                let is_so = |other: &u32| column[*other as usize / 64] >> (other % 64) & 1 == 1;
                let ends = |member: &u32| self.ends.of_node(*member as usize).binary_search(&node).is_ok();
                self.onward.of_node(group).iter().any(is_so) || self.members.of_node(group).iter().any(ends)
            } else {
                self.matrix[group * self.n_words() + node as usize / 64] >> (node % 64) & 1 == 1
            };
            column[group / 64] |= u64::from(is_reached) << (group % 64);
        }
        let column = Rc::new(column);
        self.latest.borrow_mut().to = Some((node, Rc::clone(&column)));
        Ok(column)
    }

    /// Whether there is a pair of numbers.
    fn has(&self, from: u32, to: u32, in_time: InTime<'_>) -> Result<bool, Stopped> {
        let group = self.component[from as usize];
        let is_in = |bits: &[u64], at: u32| bits[at as usize / 64] >> (at % 64) & 1 == 1;
        if !self.matrix.is_empty() {
            return Ok(is_in(&self.row(group, in_time)?, to));
        }
        if self.is_uniform && from == to {
            let is_step = || self.steps.of_node(from as usize).binary_search(&to).is_ok();
            return Ok(self.members.of_node(group as usize).len() > 1 || is_step());
        }
        // What leads to one another is one group, and no group leads to one behind it.
        if self.is_uniform && group <= self.component[to as usize] {
            return Ok(group == self.component[to as usize]);
        }
        let (knows_from, knows_to, was_to) = {
            let latest = self.latest.borrow();
            let (of_from, of_to) = (latest.from.as_ref().map(|(of, _)| *of), latest.to.as_ref().map(|(of, _)| *of));
            (of_from == Some(group), of_to == Some(to), latest.asked.is_some_and(|(_, last)| last == to))
        };
        self.latest.borrow_mut().asked = Some((from, to));
        // Whichever end stays the same from question to question is looked at as a whole.
        if knows_to || !knows_from && was_to {
            return Ok(is_in(&self.column(to, in_time)?, group));
        }
        Ok(is_in(&self.row(group, in_time)?, to))
    }

    /// Hands over the pairs that have these values, or all whose two values are the same.
    pub(super) fn pairs(
        &self,
        first: Option<Value>,
        second: Option<Value>,
        is_same: bool,
        in_time: InTime<'_>,
        take: &mut dyn FnMut([Value; 2]) -> ControlFlow<Stopped>,
    ) -> ControlFlow<Stopped> {
        let (from, to) = if self.is_flipped { (second, first) } else { (first, second) };
        let number = |value: Option<Value>| value.map(|value| self.numbers.of_value(value));
        let values = &self.numbers.values;
        let mut give = |from: u32, to: u32| {
            let (from, to) = (values[from as usize], values[to as usize]);
            take(if self.is_flipped { [to, from] } else { [from, to] })
        };
        match (number(from), number(to)) {
            (Some(None), _) | (_, Some(None)) => ControlFlow::Continue(()),
            (Some(Some(from)), Some(Some(to))) => {
                if stop(self.has(from, to, in_time))? {
                    give(from, to)
                } else {
                    ControlFlow::Continue(())
                }
            }
            (Some(Some(from)), None) => {
                let row = stop(self.row(self.component[from as usize], in_time))?;
                bits(&row).try_for_each(|to| give(from, to))
            }
            (None, Some(Some(to))) => {
                let column = stop(self.column(to, in_time))?;
                let mut from = bits(&column).flat_map(|group| self.members.of_node(group as usize));
                from.try_for_each(|from| give(*from, to))
            }
            (None, None) if is_same => {
                for node in 0..values.len() as u32 {
                    if stop(self.has(node, node, in_time))? {
                        give(node, node)?;
                    }
                }
                ControlFlow::Continue(())
            }
            (None, None) => {
                for group in 0..self.n_groups() {
                    let row = stop(self.row(group as u32, in_time))?;
                    for from in self.members.of_node(group) {
                        bits(&row).try_for_each(|to| give(*from, to))?;
                    }
                }
                ControlFlow::Continue(())
            }
        }
    }
}
