//! How many steps a pair of a closure takes at least: a proof of it rests on pairs that take fewer.

use super::closure::{Closure, InTime};
use super::eval::Stopped;
use super::facts::Value;
use super::lists::Lists;
use std::rc::Rc;

/// Values of which it is kept how far all others are from them.
const MAX_RANKS: usize = 8;

/// How many steps lead from or to a value.
#[derive(Debug, Default)]
pub(super) struct Ranks {
    /// Of each value from which ones a step leads to it.
    backward: Option<Lists>,
    /// Whether from or to it, the value, and the steps.
    known: Vec<(bool, u32, Rc<Vec<u32>>)>,
}

impl Ranks {
    pub(super) fn n_bytes(&self) -> usize {
        let known = self.known.iter().map(|(_, _, ranks)| ranks.len() * size_of::<u32>());
        known.sum::<usize>() + self.backward.as_ref().map_or(0, Lists::n_bytes)
    }
}

impl Closure {
    /// How many steps lead from the first value of a pair to its end, at least; none if it is no pair.
    pub(super) fn rank(&self, first: Value, second: Value, in_time: InTime<'_>) -> Result<Option<u32>, Stopped> {
        let (from, to) = if self.is_flipped { (second, first) } else { (first, second) };
        let (Some(from), Some(to)) = (self.numbers.of_value(from), self.numbers.of_value(to)) else { return Ok(None) };
        let found = match (self.remembered(false, from), self.remembered(true, to)) {
            (Some(ranks), _) => ranks[to as usize],
            (None, Some(ranks)) => ranks[from as usize],
            (None, None) => self.ranks_to(to, in_time)?[from as usize],
        };
        Ok(Some(found).filter(|found| *found != u32::MAX))
    }

    /// Makes the ranks of what begins with the first value of a pair, and of what ends with the second, be known.
    pub(super) fn prepare_ranks(&self, first: Value, second: Value, in_time: InTime<'_>) -> Result<(), Stopped> {
        let (from, to) = if self.is_flipped { (second, first) } else { (first, second) };
        if let (Some(from), Some(to)) = (self.numbers.of_value(from), self.numbers.of_value(to)) {
            self.ranks_to(to, in_time)?;
            self.ranks_from(from, in_time)?;
        }
        Ok(())
    }

    fn remember(&self, is_to: bool, node: u32, made: Vec<u32>) -> Rc<Vec<u32>> {
        let (made, mut ranks) = (Rc::new(made), self.ranks.borrow_mut());
        if ranks.known.len() == MAX_RANKS {
            ranks.known.remove(0);
        }
        ranks.known.push((is_to, node, Rc::clone(&made)));
        made
    }

    fn remembered(&self, is_to: bool, node: u32) -> Option<Rc<Vec<u32>>> {
        let ranks = self.ranks.borrow();
        ranks.known.iter().find(|(to, of, _)| *to == is_to && *of == node).map(|(_, _, ranks)| Rc::clone(ranks))
    }

    /// For each value the steps from it until an end leads to a value.
    fn ranks_to(&self, to: u32, in_time: InTime<'_>) -> Result<Rc<Vec<u32>>, Stopped> {
        if let Some(known) = self.remembered(true, to) {
            return Ok(known);
        }
        in_time()?;
        let n = self.numbers.values.len();
        let ends = (0..n as u32).filter(|from| self.ends.of_node(*from as usize).binary_search(&to).is_ok());
        let mut ranks = vec![u32::MAX; n];
        let mut around: Vec<u32> = ends.collect();
        let mut known = self.ranks.borrow_mut();
        let backward = known.backward.get_or_insert_with(|| self.steps.reversed());
        let mut rank = 0;
        while !around.is_empty() {
            around.retain(|node| {
                let before = ranks[*node as usize];
                ranks[*node as usize] = rank.min(before);
                before == u32::MAX
            });
            around = around
                .iter()
                .flat_map(|node| backward.of_node(*node as usize))
                .copied()
                .filter(|node| ranks[*node as usize] == u32::MAX)
                .collect();
            rank += 1;
        }
        drop(known);
        Ok(self.remember(true, to, ranks))
    }

    /// For each value the steps from a value until an end leads to it.
    fn ranks_from(&self, from: u32, in_time: InTime<'_>) -> Result<Rc<Vec<u32>>, Stopped> {
        if let Some(known) = self.remembered(false, from) {
            return Ok(known);
        }
        in_time()?;
        let n = self.numbers.values.len();
        let (mut is_seen, mut ranks) = (vec![false; n], vec![u32::MAX; n]);
        let (mut around, mut rank) = (vec![from], 0);
        while !around.is_empty() {
            around.retain(|node| !std::mem::replace(&mut is_seen[*node as usize], true));
            for end in around.iter().flat_map(|node| self.ends.of_node(*node as usize)) {
                ranks[*end as usize] = rank.min(ranks[*end as usize]);
            }
            around = around
                .iter()
                .flat_map(|node| self.steps.of_node(*node as usize))
                .copied()
                .filter(|node| !is_seen[*node as usize])
                .collect();
            rank += 1;
        }
        Ok(self.remember(false, from, ranks))
    }
}
