//! Why a node has its score, and why another has none: recovered from what was derived, after the fixpoint.
//!
//! The rules carry no reasons, which would multiply their tuples. Since every rule only grows with the energy it starts from, a node's best
//! energy comes from the best of some neighbour, and walking back over exact equality finds it; ties go to the lowest node.

use crate::atoms::{Cause, Cue, Energy, Factor, Hops, NodeId, Thousandths, Tier};
use crate::context::PolicyContext;
use crate::facts::Derived;
use crate::links::LinkAttribute;
use std::cmp::Reverse;

/// The best derivation of a node's score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// The node.
    pub node: NodeId,
    /// Its score.
    pub score: Energy,
    /// Its tier.
    pub tier: Tier,
    /// From the seed to the node; a floor stands alone.
    pub steps: Vec<Step>,
}

/// One step of a derivation. `before` and `after` are energies, with `after` following from `before` exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Activation starts at a node.
    Seed {
        /// The node.
        node: NodeId,
        /// What it starts with.
        energy: Energy,
        /// What made it a seed.
        cause: Cause,
        /// The place that is the reason: the node itself or a symbol in it.
        place: NodeId,
        /// The parts of the evidence, where evidence is the cause.
        parts: Vec<CueEvidence>,
        /// How many times they count, where a rule of the user says so, and whether that is the most that words can say.
        prior: Option<(Factor, bool)>,
    },
    /// Energy passes along a link.
    Link {
        /// Where it comes from.
        from: NodeId,
        /// Where it goes.
        to: NodeId,
        /// The link.
        link: LinkAttribute,
        /// The weight of its kind.
        weight: Thousandths,
        /// The weight of its confidence, before candidates share it.
        confidence: Thousandths,
        /// How many links the target is from the seed.
        hops: Hops,
        /// The energy of the source.
        before: Energy,
        /// What the hop costs.
        penalty: Energy,
        /// The energy of the target.
        after: Energy,
    },
    /// A file gets its boosts.
    Boost {
        /// The file.
        file: NodeId,
        /// What it was reached with.
        before: Energy,
        /// What an error in it adds.
        error: Energy,
        /// What its modification adds.
        modified: Energy,
        /// The sum.
        after: Energy,
    },
    /// A test follows its subject.
    Test {
        /// What is tested.
        subject: NodeId,
        /// The test.
        test: NodeId,
        /// The weight of tests.
        weight: Thousandths,
        /// The boosted score of the subject.
        before: Energy,
        /// The score of the test.
        after: Energy,
    },
    /// A file follows a symbol in it.
    File {
        /// The symbol.
        symbol: NodeId,
        /// Its file.
        file: NodeId,
        /// The weight of a file's symbols.
        weight: Thousandths,
        /// The score of the symbol.
        before: Energy,
        /// The score of the file.
        after: Energy,
    },
    /// A symbol has the floor of a hot file.
    Floor {
        /// The symbol.
        symbol: NodeId,
        /// Its file.
        file: NodeId,
        /// The floor.
        energy: Energy,
    },
}

/// A part of the evidence for a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CueEvidence {
    /// What speaks for the node.
    pub cue: Cue,
    /// The weight of the cue.
    pub weight: Thousandths,
    /// How strongly it speaks.
    pub strength: Thousandths,
}

/// How far a node got that is not shown, and what stopped it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyNot {
    /// Nothing did: it is shown.
    Shown {
        /// How much it matters.
        tier: Tier,
    },
    /// It scores enough, but a rule of the user hides it.
    Hidden {
        /// Its score.
        score: Energy,
    },
    /// It was reached and stayed cold.
    Cold {
        /// Its score.
        score: Energy,
        /// The least score that is shown.
        warm: Energy,
    },
    /// Words speak for it, but too few to make it a seed.
    LittleEvidence {
        /// Its evidence.
        evidence: Energy,
        /// What a seed needs.
        threshold: Energy,
        /// How many times it counts, where a rule of the user says so.
        prior: Option<Factor>,
    },
    /// Its best neighbour is a word hit too weak to pass energy on.
    WeakSeed {
        /// The neighbour.
        from: NodeId,
        /// The neighbour's energy.
        energy: Energy,
    },
    /// Its best neighbour does not exceed the gate.
    Gate {
        /// The neighbour.
        from: NodeId,
        /// The neighbour's energy.
        energy: Energy,
        /// What it would have to exceed.
        gate: Energy,
    },
    /// Its best neighbour is as far from the seeds as energy goes.
    TooFar {
        /// The neighbour.
        from: NodeId,
        /// The neighbour's energy.
        energy: Energy,
        /// The most links from a seed.
        depth: Hops,
    },
    /// All its reached neighbours are packages from outside that the task does not point at.
    Outside {
        /// The best of them.
        from: NodeId,
        /// Its energy.
        energy: Energy,
    },
    /// Its links from the best neighbour let too little through.
    Faint {
        /// The neighbour.
        from: NodeId,
        /// The neighbour's energy.
        energy: Energy,
        /// The least energy that is kept.
        least: Energy,
    },
    /// Nothing that was reached is linked to it.
    Unlinked,
}

/// The best derivation of the score of `node`; none if it was not reached.
pub fn best_derivation(policy: &PolicyContext, derived: &Derived, node: NodeId) -> Option<Why> {
    let score = derived.score(node)?;
    let mut steps = Back { policy, derived, steps: Vec::new() }.walk_score(node, score);
    steps.reverse();
    Some(Why { node, score, tier: derived.tier(node), steps })
}

/// How far `node` got, and what stopped it.
pub fn why_not(policy: &PolicyContext, derived: &Derived, node: NodeId) -> WhyNot {
    let weights = policy.weights;
    if let Some(score) = derived.score(node) {
        let tier = derived.tier(node);
        if derived.is_hidden(node, policy.file_of(node)) && score >= weights.warm {
            return WhyNot::Hidden { score };
        }
        return if tier == Tier::Cold { WhyNot::Cold { score, warm: weights.warm } } else { WhyNot::Shown { tier } };
    }
    if let Some(evidence) = derived.evidence(node) {
        return WhyNot::LittleEvidence { evidence, threshold: weights.seed_threshold, prior: derived.prior(node) };
    }
    // The table holds every link in both directions, so a row leads to all that link to the node.
    let neighbours =
        policy.graph.row(node).filter_map(|(from, _)| Some((!policy.is_outside(from), derived.energy(from)?, Reverse(from))));
    let Some((_, energy, Reverse(from))) = neighbours.max() else {
        return WhyNot::Unlinked;
    };
    if energy <= weights.gate {
        WhyNot::Gate { from, energy, gate: weights.gate }
    } else if (0..policy.depth.0).any(|hops| derived.passes_on(policy, from, Hops(hops)).is_some()) {
        WhyNot::Faint { from, energy, least: weights.least }
    } else if derived.weak.binary_search(&from).is_ok() {
        WhyNot::WeakSeed { from, energy }
    } else if policy.is_outside(from) {
        WhyNot::Outside { from, energy }
    } else {
        WhyNot::TooFar { from, energy, depth: policy.depth }
    }
}

/// The tuples about `node` in a list sorted by node.
fn of_node<T>(list: &[T], node: NodeId, node_of: impl Fn(&T) -> NodeId) -> &[T] {
    let start = list.partition_point(|tuple| node_of(tuple) < node);
    let length = list[start..].partition_point(|tuple| node_of(tuple) == node);
    &list[start..start + length]
}

impl Derived {
    /// The greatest energy of `node` as a seed, or over exactly so many links.
    fn energy_at(&self, node: NodeId, hops: Hops) -> Option<Energy> {
        if hops == Hops::NONE {
            return of_node(&self.seeds, node, |seed| seed.0).iter().map(|seed| seed.1).max();
        }
        let index = self.reached.binary_search_by_key(&(node, hops), |&(node, hops, _)| (node, hops)).ok()?;
        Some(self.reached[index].2)
    }

    /// The greatest energy of `node` before boosts.
    fn energy(&self, node: NodeId) -> Option<Energy> {
        let reached = of_node(&self.reached, node, |reached| reached.0).iter().map(|reached| reached.2).max();
        reached.max(self.energy_at(node, Hops::NONE))
    }

    /// The energy that `node` passes on from so many links away.
    fn passes_on(&self, policy: &PolicyContext, node: NodeId, hops: Hops) -> Option<Energy> {
        if hops == Hops::NONE {
            let index = self.sources.binary_search_by_key(&node, |&(source, _)| source).ok()?;
            return Some(self.sources[index].1);
        }
        self.energy_at(node, hops).filter(|&energy| energy > policy.weights.gate && !policy.is_outside(node))
    }

    /// What errors and modifications add to `file`.
    fn boost(&self, file: NodeId) -> Option<(Energy, Energy)> {
        let index = self.boosts.binary_search_by_key(&file, |&(file, ..)| file).ok()?;
        let (_, error, modified) = self.boosts[index];
        Some((error, modified))
    }

    /// The greatest energy of `node` with its boosts.
    fn boosted(&self, node: NodeId) -> Option<Energy> {
        let (error, modified) = self.boost(node).unwrap_or_default();
        self.energy(node).map(|energy| energy + error + modified)
    }
}

/// A walk from a score back to its seed; its steps stand in reverse.
struct Back<'a> {
    policy: &'a PolicyContext<'a>,
    derived: &'a Derived,
    steps: Vec<Step>,
}

impl Back<'_> {
    fn walk_score(mut self, node: NodeId, score: Energy) -> Vec<Step> {
        let (mut node, mut score) = (node, score);
        if !self.is_earned(node, score)
            && let Some((symbol, before)) = self.speaker(node, score)
        {
            self.steps.push(Step::File { symbol, file: node, weight: self.policy.weights.file, before, after: score });
            (node, score) = (symbol, before);
        }
        if self.derived.boosted(node) == Some(score) {
            return self.walk_boosted(node);
        }
        if let Some((subject, before)) = self.subject(node, score) {
            self.steps.push(Step::Test { subject, test: node, weight: self.policy.weights.test, before, after: score });
            return self.walk_boosted(subject);
        }
        if let Some(file) = self.policy.holder(node) {
            self.steps.push(Step::Floor { symbol: node, file, energy: score });
        }
        self.steps
    }

    /// Whether the node has the score by itself or as a test.
    fn is_earned(&self, node: NodeId, score: Energy) -> bool {
        self.derived.boosted(node) == Some(score) || self.subject(node, score).is_some()
    }

    /// The symbol that gives `file` its score, with its own.
    fn speaker(&self, file: NodeId, score: Energy) -> Option<(NodeId, Energy)> {
        let weight = self.policy.weights.file.ratio();
        let mut symbols = self.policy.members_of(file).filter_map(|symbol| Some((symbol, self.derived.score(symbol)?)));
        symbols.find(|&(_, energy)| energy.times(weight) == score)
    }

    /// The subject that gives `test` its score, with its own boosted score.
    fn subject(&self, test: NodeId, score: Energy) -> Option<(NodeId, Energy)> {
        let index = self.derived.tested.binary_search_by_key(&test, |&(test, ..)| test).ok()?;
        let (_, energy, subject) = self.derived.tested[index];
        let before = self.derived.boosted(subject)?;
        (energy == score).then_some((subject, before))
    }

    fn walk_boosted(mut self, node: NodeId) -> Vec<Step> {
        let Some(before) = self.derived.energy(node) else {
            return self.steps;
        };
        if let Some((error, modified)) = self.derived.boost(node) {
            self.steps.push(Step::Boost { file: node, before, error, modified, after: before + error + modified });
        }
        let hops = (0..=self.policy.depth.0).map(Hops).find(|&hops| self.derived.energy_at(node, hops) == Some(before));
        let (mut node, mut energy) = (node, before);
        for hops in (1..=hops.unwrap_or_default().0).rev().map(Hops) {
            let Some((from, link, before)) = self.predecessor(node, hops, energy) else {
                return self.steps;
            };
            self.steps.push(self.link_step(from, node, link, hops, before));
            (node, energy) = (from, before);
        }
        self.push_seed(node, energy);
        self.steps
    }

    /// The lowest neighbour and its link that give `node` exactly this energy over so many links.
    fn predecessor(&self, node: NodeId, hops: Hops, energy: Energy) -> Option<(NodeId, LinkAttribute, Energy)> {
        let mut neighbours: Vec<_> = self.policy.graph.row(node).map(|(from, _)| from).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        neighbours.into_iter().find_map(|from| {
            let before = self.derived.passes_on(self.policy, from, Hops(hops.0 - 1))?;
            let gain = |link| before.times(self.policy.strength(link)) - self.penalty(hops);
            let mut row = self.policy.graph.row(from);
            row.find(|&(to, link)| to == node && gain(link) == energy).map(|(_, link)| (from, link, before))
        })
    }

    fn penalty(&self, hops: Hops) -> Energy {
        if hops > Hops::ONE { self.policy.weights.hop_penalty } else { Energy::ZERO }
    }

    fn link_step(&self, from: NodeId, to: NodeId, link: LinkAttribute, hops: Hops, before: Energy) -> Step {
        let weights = self.policy.weights;
        let penalty = self.penalty(hops);
        Step::Link {
            from,
            to,
            link,
            weight: (link.kind().info().weight)(&weights.links),
            confidence: weights.confidence.of(link.confidence()),
            hops,
            before,
            penalty,
            after: before.times(self.policy.strength(link)) - penalty,
        }
    }

    fn push_seed(&mut self, node: NodeId, energy: Energy) {
        let cues = &self.policy.weights.cues;
        let mut seeds = of_node(&self.derived.seeds, node, |seed| seed.0).iter();
        let Some(&(_, _, cause, place)) = seeds.find(|seed| seed.1 == energy) else {
            return;
        };
        let parts = of_node(&self.derived.cue_hits, node, |part| part.0).iter().filter(|_| cause == Cause::Evidence);
        let parts = parts.map(|&(_, cue, strength)| CueEvidence { cue, weight: cues.of(cue), strength }).collect();
        let is_most = energy >= self.policy.weights.evidence_cap;
        let prior = self.derived.prior(node).filter(|_| cause == Cause::Evidence).map(|factor| (factor, is_most));
        self.steps.push(Step::Seed { node, energy, cause, place, parts, prior });
    }
}
