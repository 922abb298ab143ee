//! What rules cannot count: how many independent links speak for a node, and how high it stands by all that speaks for it.
//!
//! One pass in the order of nodes and rows, so that the same graph gives the same roundings. Must not decide anything that a rule could
//! say.

use crate::atoms::{Energy, Millionths, NodeId};
use crate::world::World;
use rustc_hash::FxHashMap;

/// The scored nodes by id, each with its place in that order.
pub(crate) struct Scored<'a> {
    world: &'a World<'a>,
    scores: &'a [(NodeId, Energy)],
    places: FxHashMap<NodeId, u32>,
}

impl<'a> Scored<'a> {
    /// The nodes of `scores`, which is sorted by node.
    pub(crate) fn new(world: &'a World<'a>, scores: &'a [(NodeId, Energy)]) -> Self {
        let places = scores.iter().zip(0..).map(|(&(node, _), place)| (node, place)).collect();
        Self { world, scores, places }
    }

    fn place(&self, node: NodeId) -> Option<usize> {
        self.places.get(&node).map(|&place| place as usize)
    }

    /// One value for each scored node, with the node.
    fn rows(&self, values: Vec<Millionths>) -> impl Iterator<Item = (NodeId, Millionths)> {
        self.scores.iter().map(|&(node, _)| node).zip(values)
    }

    /// How much energy arrives at each scored node over links from different nodes above the gate, as if each were a separate witness; a
    /// package from outside is none.
    pub(crate) fn support(&self) -> Vec<Millionths> {
        let weights = self.world.weights;
        let mut doubts = vec![Millionths::ONE; self.scores.len()];
        for &(from, energy) in self.scores.iter().filter(|&&(from, energy)| energy > weights.gate && !self.world.is_outside(from))
        {
            let certainty = Millionths::share(energy, weights.exact);
            for (to, strength) in self.world.links(from).filter(|&(to, _)| to != from) {
                if let Some(place) = self.place(to) {
                    doubts[place] = doubts[place].times(certainty.times(strength).rest());
                }
            }
        }
        doubts.into_iter().map(Millionths::rest).collect()
    }

    /// The nodes with any support.
    pub(crate) fn supported(&self, support: Vec<Millionths>) -> Vec<(NodeId, Millionths)> {
        self.rows(support).filter(|&(_, support)| support > Millionths::ZERO).collect()
    }

    /// Evidence and support, each a witness of its own; a symbol stands as high as its file lets it, a test no lower than its subject lets
    /// it.
    pub(crate) fn standings(
        &self,
        evidence: &[(NodeId, Energy)],
        support: &[Millionths],
        tested: &[(NodeId, Energy, NodeId)],
    ) -> Vec<(NodeId, Millionths)> {
        let weights = self.world.weights;
        // First what is left to doubt of each node by itself, then how it stands.
        let mut own = vec![Millionths::ONE; self.scores.len()];
        for &(node, energy) in evidence {
            if let Some(place) = self.place(node) {
                own[place] = Millionths::share(energy, weights.exact).rest();
            }
        }
        for (own, support) in own.iter_mut().zip(support) {
            *own = own.times(support.times(weights.support.ratio()).rest()).rest();
        }
        let in_file = |(&(node, _), &standing): (&(NodeId, Energy), &Millionths)| {
            let Some(file) = self.world.holder(node).and_then(|file| self.place(file)) else { return standing };
            own[file].times(standing.rest().times(weights.in_file.ratio().rest()).rest())
        };
        let mut standings: Vec<Millionths> = self.scores.iter().zip(&own).map(in_file).collect();
        let lifted = tested.iter().filter_map(|&(test, _, subject)| {
            let least = standings[self.place(subject)?].times(weights.test.ratio());
            Some((self.place(test)?, least))
        });
        for (test, least) in lifted.collect::<Vec<_>>() {
            standings[test] = standings[test].max(least);
        }
        self.rows(standings).collect()
    }
}
