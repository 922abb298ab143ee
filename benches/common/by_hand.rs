//! The strata of the policy as plain loops over flat arrays: what the rules are measured against.
//!
//! Level by level, with dense tables that are kept between queries. Covers what a task of named places needs: seeds, spread, tests, files,
//! floors and tiers. Must agree with the rules tuple by tuple; the bench checks it before it measures.

use activate_rules::atoms::{Energy, Hops, Millionths, NodeId, Thousandths, Tier};
use activate_rules::facts::Derived;
use activate_rules::world::World;

/// Scores by node.
pub(crate) type Scores = Vec<(NodeId, Energy)>;

/// The hot and warm nodes, by node.
pub(crate) type Tiers = Vec<(NodeId, Tier)>;

/// The greatest energy of each node in one level; cleared by a new epoch instead of a pass.
struct Level {
    best: Vec<Energy>,
    epoch_of: Vec<u32>,
    epoch: u32,
    nodes: Vec<NodeId>,
}

impl Level {
    fn new(n_nodes: usize) -> Self {
        Self { best: vec![Energy::ZERO; n_nodes], epoch_of: vec![0; n_nodes], epoch: 0, nodes: Vec::new() }
    }

    fn clear(&mut self) {
        self.epoch += 1;
        self.nodes.clear();
    }

    fn raise(&mut self, node: NodeId, energy: Energy) {
        let at = node.0 as usize;
        if self.epoch_of[at] != self.epoch {
            self.epoch_of[at] = self.epoch;
            self.best[at] = energy;
            self.nodes.push(node);
        } else if energy > self.best[at] {
            self.best[at] = energy;
        }
    }

    fn get(&self, node: NodeId) -> Energy {
        self.best[node.0 as usize]
    }
}

/// The rival: a graph with its strengths laid out, and tables for queries.
pub(crate) struct ByHand<'a> {
    world: &'a World<'a>,
    starts: &'a [u32],
    links: Vec<(NodeId, Millionths)>,
    front: Level,
    next: Level,
    scores: Level,
    /// Energy that arrived, with the number of links it took.
    pub(crate) reached: Vec<(NodeId, Hops, Energy)>,
}

impl<'a> ByHand<'a> {
    /// Lays out the links of `world`.
    pub(crate) fn new(world: &'a World<'a>) -> Self {
        let n_nodes = world.graph.file_of.len();
        let links = (0..n_nodes as u32).flat_map(|node| world.links(NodeId(node))).collect();
        let [front, next, scores] = std::array::from_fn(|_| Level::new(n_nodes));
        Self { world, starts: world.graph.links.starts, links, front, next, scores, reached: Vec::new() }
    }

    /// Seeds and spread: the first three strata.
    pub(crate) fn spread(&mut self, exact: &[(NodeId, Thousandths)]) {
        let weights = self.world.weights;
        self.scores.clear();
        self.front.clear();
        self.reached.clear();
        for &(place, share) in exact {
            let energy = weights.exact.times(share.ratio());
            if energy >= weights.seed_threshold {
                for node in [Some(place), self.world.holder(place)].into_iter().flatten() {
                    self.scores.raise(node, energy);
                    self.front.raise(node, energy);
                }
            }
        }
        let mut hops = Hops::NONE;
        while hops < self.world.depth && !self.front.nodes.is_empty() {
            let penalty = if hops == Hops::NONE { Energy::ZERO } else { weights.hop_penalty };
            hops = hops.next();
            self.next.clear();
            for &from in &self.front.nodes {
                let energy = self.front.get(from);
                if energy <= weights.gate {
                    continue;
                }
                let row = self.starts[from.0 as usize] as usize..self.starts[from.0 as usize + 1] as usize;
                for &(to, strength) in &self.links[row] {
                    let gain = energy.times(strength) - penalty;
                    if gain >= weights.least {
                        self.next.raise(to, gain);
                    }
                }
            }
            for &node in &self.next.nodes {
                let energy = self.next.get(node);
                self.scores.raise(node, energy);
                self.reached.push((node, hops, energy));
            }
            std::mem::swap(&mut self.front, &mut self.next);
        }
    }

    /// Seeds to tiers: the first six strata. Gives the scores, and the hot and warm nodes.
    pub(crate) fn strata(&mut self, exact: &[(NodeId, Thousandths)]) -> (Scores, Tiers) {
        self.spread(exact);
        let (world, weights) = (self.world, self.world.weights);
        let boosted: Vec<_> = self.scores.nodes.iter().map(|&node| (node, self.scores.get(node))).collect();
        for &(subject, energy) in boosted.iter().filter(|(_, energy)| *energy > weights.gate) {
            for test in world.tests_of(subject) {
                self.scores.raise(test, energy.times(weights.test.ratio()));
            }
        }
        for at in 0..self.scores.nodes.len() {
            let symbol = self.scores.nodes[at];
            if let Some(file) = world.holder(symbol) {
                self.scores.raise(file, self.scores.get(symbol).times(weights.file.ratio()));
            }
        }
        for at in 0..self.scores.nodes.len() {
            let file = self.scores.nodes[at];
            if self.scores.get(file) > weights.hot {
                for symbol in world.members_of(file) {
                    self.scores.raise(symbol, weights.floor);
                }
            }
        }
        let mut scores: Vec<_> = self.scores.nodes.iter().map(|&node| (node, self.scores.get(node))).collect();
        scores.sort_unstable();
        let tier = |energy| match energy {
            hot if hot > weights.hot => Some(Tier::Hot),
            warm if warm >= weights.warm => Some(Tier::Warm),
            _ => None,
        };
        let tiers = scores.iter().filter_map(|&(node, energy)| Some((node, tier(energy)?))).collect();
        (scores, tiers)
    }

    /// Fails unless the rules say the same.
    pub(crate) fn check(&mut self, exact: &[(NodeId, Thousandths)], derived: &Derived) {
        let (scores, tiers) = self.strata(exact);
        self.reached.sort_unstable();
        assert!(self.reached == derived.reached, "the spreads differ");
        assert!(scores == derived.scores, "the scores differ");
        assert!(tiers == derived.tiers, "the tiers differ");
    }
}
