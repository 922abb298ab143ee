//! All that the policy derives for a task of named places, as plain loops over flat arrays: what the rules are measured against.
//!
//! Level by level, with dense tables that are kept between queries and cleared by a new epoch. Takes the same links from the same policy as
//! the rules do, and must agree with them in every list; the bench checks it before it measures.

use activate_rules::atoms::{Cause, Energy, Hops, Millionths, NodeId, Thousandths, Tier};
use activate_rules::context::PolicyContext;
use activate_rules::facts::{Derived, Place};
use std::cmp::Reverse;

/// A value of each node that has one; cleared by a new epoch instead of a pass.
struct Table<T> {
    values: Vec<T>,
    epoch_of: Vec<u32>,
    epoch: u32,
    nodes: Vec<NodeId>,
}

impl<T: Copy + Default> Table<T> {
    fn new(n_nodes: usize) -> Self {
        Self { values: vec![T::default(); n_nodes], epoch_of: vec![0; n_nodes], epoch: 0, nodes: Vec::new() }
    }

    fn clear(&mut self) {
        self.epoch += 1;
        self.nodes.clear();
    }

    fn get(&self, node: NodeId) -> Option<T> {
        let at = node.0 as usize;
        (self.epoch_of[at] == self.epoch).then(|| self.values[at])
    }

    fn put(&mut self, node: NodeId, value: T) {
        let at = node.0 as usize;
        if self.epoch_of[at] != self.epoch {
            self.epoch_of[at] = self.epoch;
            self.nodes.push(node);
        }
        self.values[at] = value;
    }

    fn rows(&self) -> impl Iterator<Item = (NodeId, T)> {
        self.nodes.iter().map(|&node| (node, self.values[node.0 as usize]))
    }
}

impl<T: Copy + Default + Ord> Table<T> {
    fn raise(&mut self, node: NodeId, value: T) {
        if self.get(node).is_none_or(|known| known < value) {
            self.put(node, value);
        }
    }
}

/// What is reached over exactly so many links, sorted.
pub(crate) type Reached = Vec<(NodeId, Hops, Energy)>;

/// The rival with its tables.
pub(crate) struct ByHand<'a> {
    policy: &'a PolicyContext<'a>,
    front: Table<Energy>,
    next: Table<Energy>,
    scores: Table<Energy>,
    tested: Table<(Energy, Reverse<NodeId>)>,
    doubts: Table<Millionths>,
    rank_scores: Table<Millionths>,
}

impl<'a> ByHand<'a> {
    /// Tables for the nodes of `policy`.
    pub(crate) fn new(policy: &'a PolicyContext<'a>) -> Self {
        let n_nodes = policy.graph.file_of.len();
        let energies = || Table::new(n_nodes);
        let (front, next, scores) = (energies(), energies(), energies());
        let (doubts, rank_scores) = (Table::new(n_nodes), Table::new(n_nodes));
        Self { policy, front, next, scores, tested: Table::new(n_nodes), doubts, rank_scores }
    }

    /// Seeds and spread: the first three strata.
    pub(crate) fn spread(&mut self, exact: &[(NodeId, Thousandths)]) -> Reached {
        let weights = self.policy.weights;
        self.scores.clear();
        self.front.clear();
        let mut reached = Vec::new();
        for &(place, share) in exact {
            let energy = weights.exact.times(share.ratio());
            if energy >= weights.seed_threshold {
                for node in [Some(place), self.policy.holder(place)].into_iter().flatten() {
                    self.scores.raise(node, energy);
                    self.front.raise(node, energy);
                }
            }
        }
        let mut hops = Hops::NONE;
        while hops < self.policy.depth && !self.front.nodes.is_empty() {
            let penalty = if hops == Hops::NONE { Energy::ZERO } else { weights.hop_penalty };
            hops = hops.next();
            self.next.clear();
            let is_first = hops == Hops::ONE;
            for (from, energy) in self.front.rows().filter(|&(_, energy)| energy > weights.gate) {
                if !is_first && self.policy.is_outside(from) {
                    continue;
                }
                for (to, strength) in self.policy.links(from) {
                    let gain = energy.times(strength) - penalty;
                    if gain >= weights.least {
                        self.next.raise(to, gain);
                    }
                }
            }
            for (node, energy) in self.next.rows() {
                self.scores.raise(node, energy);
                reached.push((node, hops, energy));
            }
            std::mem::swap(&mut self.front, &mut self.next);
        }
        reached.sort_unstable();
        reached
    }

    /// All seven strata, with support and standing.
    pub(crate) fn run(&mut self, exact: &[(NodeId, Thousandths)]) -> Derived {
        let (policy, weights) = (self.policy, self.policy.weights);
        let reached = self.spread(exact);
        let tested = self.tests();
        for at in 0..self.scores.nodes.len() {
            let symbol = self.scores.nodes[at];
            if let Some((file, energy)) = policy.holder(symbol).zip(self.scores.get(symbol)) {
                self.scores.raise(file, energy.times(weights.file.ratio()));
            }
        }
        for at in 0..self.scores.nodes.len() {
            let file = self.scores.nodes[at];
            if self.scores.get(file) > Some(weights.hot) {
                for symbol in policy.members_of(file) {
                    self.scores.raise(symbol, weights.floor);
                }
            }
        }
        let mut scores: Vec<_> = self.scores.rows().collect();
        scores.sort_unstable();
        let tier = |energy| match energy {
            hot if hot > weights.hot => Some(Tier::Hot),
            warm if warm >= weights.warm => Some(Tier::Warm),
            _ => None,
        };
        let tiers: Vec<_> = scores.iter().filter_map(|&(node, energy)| Some((node, tier(energy)?))).collect();
        self.complete(exact, Derived { reached, tested, scores, tiers, ..Derived::default() })
    }

    /// Adds the lists of seeds, and support and standing, to what the strata say.
    pub(crate) fn complete(&mut self, exact: &[(NodeId, Thousandths)], strata: Derived) -> Derived {
        let (policy, weights) = (self.policy, self.policy.weights);
        let mut seeds = Vec::new();
        for &(place, share) in exact {
            let energy = weights.exact.times(share.ratio());
            if energy >= weights.seed_threshold {
                seeds.push((place, energy, Cause::Exact, place));
                seeds.extend(policy.holder(place).map(|file| (file, energy, Cause::Exact, place)));
            }
        }
        seeds.sort_unstable();
        seeds.dedup();
        let mut sources: Vec<(NodeId, Energy)> = Vec::new();
        for &(node, energy, ..) in seeds.iter().filter(|seed| seed.1 > weights.gate) {
            match sources.last_mut().filter(|source| source.0 == node) {
                Some(source) => source.1 = energy.max(source.1),
                None => sources.push((node, energy)),
            }
        }
        let high = strata.scores.iter().filter(|score| score.1 >= weights.exact).map(|score| score.0);
        let mut certain: Vec<NodeId> = high.chain(seeds.iter().map(|seed| seed.0)).collect();
        certain.sort_unstable();
        certain.dedup();
        let support = self.support(&strata.scores);
        let rank_scores = self.rank_scores(&strata.scores, &strata.tested);
        Derived {
            support,
            places: self.places(&strata.scores, &certain),
            rank_scores,
            n_cold: strata.scores.len() - strata.tiers.len(),
            seeds,
            sources,
            certain,
            ..strata
        }
    }

    /// The fifth stratum. No file has a boost in a task of named places, so subjects are taken as they were reached.
    fn tests(&mut self) -> Vec<(NodeId, Energy, NodeId)> {
        let (policy, weights) = (self.policy, self.policy.weights);
        self.tested.clear();
        for (subject, energy) in self.scores.rows().filter(|&(_, energy)| energy > weights.gate) {
            for test in policy.tests_of(subject) {
                self.tested.raise(test, (energy.times(weights.test.ratio()), Reverse(subject)));
            }
        }
        for (test, (energy, _)) in self.tested.rows() {
            self.scores.raise(test, energy);
        }
        let mut tested: Vec<_> = self.tested.rows().map(|(test, (energy, Reverse(subject)))| (test, energy, subject)).collect();
        tested.sort_unstable();
        tested
    }

    fn support(&mut self, scores: &[(NodeId, Energy)]) -> Vec<(NodeId, Millionths)> {
        let weights = self.policy.weights;
        self.doubts.clear();
        for &(node, _) in scores {
            self.doubts.put(node, Millionths::ONE);
        }
        for &(from, energy) in scores.iter().filter(|score| score.1 > weights.gate && !self.policy.is_outside(score.0)) {
            let certainty = Millionths::share(energy, weights.exact);
            for (to, strength) in self.policy.links(from).filter(|&(to, _)| to != from) {
                if let Some(doubt) = self.doubts.get(to) {
                    self.doubts.put(to, doubt.times(certainty.times(strength).rest()));
                }
            }
        }
        let supported = self.doubts.rows().map(|(node, doubt)| (node, doubt.rest()));
        supported.filter(|&(_, support)| support > Millionths::ZERO).collect()
    }

    /// After the support of the same nodes.
    fn rank_scores(&mut self, scores: &[(NodeId, Energy)], tested: &[(NodeId, Energy, NodeId)]) -> Vec<(NodeId, Millionths)> {
        let (policy, weights) = (self.policy, self.policy.weights);
        let linked = |doubt: Millionths| doubt.rest().times(weights.support.ratio());
        self.rank_scores.clear();
        for &(node, _) in scores {
            let own = linked(self.doubts.get(node).unwrap_or(Millionths::ONE));
            let rank_score = match policy.holder(node).and_then(|file| self.doubts.get(file)) {
                Some(file) => linked(file).times(own.rest().times(weights.in_file.ratio().rest()).rest()),
                None => own,
            };
            self.rank_scores.put(node, rank_score);
        }
        let least = tested.iter().map(|&(test, _, subject)| (test, self.rank_scores.get(subject).unwrap_or_default()));
        for (test, rank_score) in least.collect::<Vec<_>>() {
            self.rank_scores.raise(test, rank_score.times(weights.test.ratio()));
        }
        self.rank_scores.rows().collect()
    }

    /// After the rank scores of the same nodes.
    fn places(&self, scores: &[(NodeId, Energy)], certain: &[NodeId]) -> Vec<Place> {
        let is_certain = |node| certain.binary_search(&node).is_ok();
        let active = scores.iter().filter(|score| score.1 >= self.policy.weights.warm || score.1 > self.policy.weights.hot);
        let mut places: Vec<Place> = active
            .map(|&(node, score)| {
                let certain = if is_certain(node) { score } else { Energy::ZERO };
                (node, certain, self.rank_scores.get(node).unwrap_or_default(), score)
            })
            .collect();
        places.sort_unstable_by_key(|&(node, certain, rank_score, score)| (Reverse((certain, rank_score, score)), node));
        places
    }
}
