//! The greatest energies found so far in one run, so that rules need not follow what can no longer matter.
//!
//! Rules ask here as guards. Every rule only grows with the energy it starts from, so a tuple that another one exceeds leads to nothing
//! that the other does not lead to: the guards leave out such tuples and change no greatest value. A guard never says no to what is the
//! greatest so far, however often and in whatever order it is asked; so nothing depends on how the runtime evaluates a rule. Without
//! guards ([`PruningTable::all`]) the page derives every tuple; the properties compare the two, and both with a table that is full from
//! the start. The table keeps what was reached and nothing in the size of the repository.

use crate::atoms::{Energy, Hops, NodeId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::cmp::Ordering;

/// The greatest energies of one run.
#[derive(Debug)]
pub struct PruningTable {
    prunes: bool,
    nodes: RefCell<FxHashMap<NodeId, Known>>,
}

/// What is known about a node.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// The greatest energy it was reached with.
    best: Energy,
    /// The greatest that its score is known to be; apart from the other, since strata between the two ask what it was reached with.
    score: Energy,
    /// The greatest energy over the most links that it was reached over so far.
    last: Energy,
    /// How many links those are. Energy spreads link by link, so fewer are finished when more begin.
    hops: Hops,
}

impl Default for PruningTable {
    fn default() -> Self {
        Self { prunes: true, nodes: RefCell::default() }
    }
}

impl PruningTable {
    /// Guards that let everything pass.
    pub fn all() -> Self {
        Self { prunes: false, nodes: RefCell::default() }
    }

    /// Whether no more than `energy` is known to have reached `node` over so many links; it is known from now on.
    pub fn reaches(&self, node: NodeId, energy: Energy, hops: Hops) -> bool {
        if !self.prunes {
            return true;
        }
        let mut nodes = self.nodes.borrow_mut();
        if let Some(known) = nodes.get_mut(&node) {
            return known.reach(energy, hops);
        }
        nodes.insert(node, Known { best: energy, score: energy, last: energy, hops });
        true
    }

    /// Whether no more than `energy` is known to reach `node` over so many links.
    pub fn is_last(&self, node: NodeId, energy: Energy, hops: Hops) -> bool {
        !self.prunes || self.nodes.borrow().get(&node).is_none_or(|known| known.hops != hops || known.last <= energy)
    }

    /// Whether no more than `energy` is known to have reached `node`.
    pub fn is_best(&self, node: NodeId, energy: Energy) -> bool {
        !self.prunes || self.nodes.borrow().get(&node).is_none_or(|known| known.best <= energy)
    }

    /// Whether `node` is not known to score more than `energy`; it is known from now on.
    pub fn lifts(&self, node: NodeId, energy: Energy) -> bool {
        if !self.prunes {
            return true;
        }
        let mut nodes = self.nodes.borrow_mut();
        if let Some(known) = nodes.get_mut(&node) {
            return known.lift(energy);
        }
        nodes.insert(node, Known { best: Energy::ZERO, score: energy, last: Energy::ZERO, hops: Hops::NONE });
        true
    }

    /// As [`PruningTable::lifts`], for what is said of a node once: a node of which nothing is known stays unknown, which saves room.
    pub fn raises(&self, node: NodeId, energy: Energy) -> bool {
        !self.prunes || self.nodes.borrow_mut().get_mut(&node).is_none_or(|known| known.lift(energy))
    }
}

impl Known {
    fn reach(&mut self, energy: Energy, hops: Hops) -> bool {
        self.best = self.best.max(energy);
        self.lift(energy);
        match hops.cmp(&self.hops) {
            // Fewer links are finished; nothing is kept about them.
            Ordering::Less => true,
            Ordering::Equal if energy < self.last => false,
            _ => {
                (self.last, self.hops) = (energy, hops);
                true
            }
        }
    }

    fn lift(&mut self, energy: Energy) -> bool {
        let lifts = energy >= self.score;
        self.score = self.score.max(energy);
        lifts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODE: NodeId = NodeId(0);

    #[test]
    fn the_last_links_and_all_links_are_judged_apart() {
        let best = PruningTable::default();
        let (one, two) = (Hops::ONE, Hops::ONE.next());
        assert_eq!([25, 20, 25].map(|points| best.reaches(NODE, Energy::points(points), one)), [true, false, true]);
        assert_eq!([20, 25].map(|points| best.is_last(NODE, Energy::points(points), one)), [false, true]);
        // More over more links does not end what is on its way over fewer.
        assert_eq!([10, 40].map(|points| best.reaches(NODE, Energy::points(points), two)), [true, true]);
        assert!(best.is_last(NODE, Energy::points(25), one) && !best.is_best(NODE, Energy::points(25)));
        assert_eq!([30, 50].map(|points| best.lifts(NODE, Energy::points(points))), [false, true]);
    }

    #[test]
    fn what_is_said_once_leaves_an_unknown_node_unknown() {
        let best = PruningTable::default();
        assert_eq!([20, 20].map(|points| best.raises(NODE, Energy::points(points))), [true, true]);
        assert_eq!([10, 5].map(|points| best.lifts(NODE, Energy::points(points))), [true, false]);
        assert_eq!([20, 10].map(|points| best.raises(NODE, Energy::points(points))), [true, false]);
    }
}
