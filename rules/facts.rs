//! Facts in, derived relations out: the only code that runs the policy.
//!
//! Keeps the greatest of each node's energies, sorts everything, and adds what rules cannot count: how many independent links speak for a
//! node. Must not decide anything that a rule could say.

use crate::atoms::{Cause, Change, Cue, Energy, Hops, ItemId, Millionths, NodeId, Severity, Thing, Thousandths, Tier, Turns};
use crate::items::ItemKind;
use crate::policy::{
    About, AlwaysOn, Boost, Cold, Crepe, Ctx, Diagnostic, Evidence, Exact, FailingTest, FileState, Frame, Hot, Item, ItemScore,
    Part, Placed, Score, Seed, Source, Spread, Tested, Touched, Warm, Weak,
};
use crate::sections::Section;
use crate::weights::Weights;
use crate::world::{Shared, World};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cmp::Reverse;

/// What is given to the policy for one task: one list per relation, in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// `part(node, cue, strength)`: the intent speaks for the node through this cue; of several parts of a cue the strongest counts.
    pub parts: Vec<(NodeId, Cue, Thousandths)>,
    /// `exact(node, share)`: the intent names the node; k definitions of one name have a share of 1/k each.
    pub exact: Vec<(NodeId, Thousandths)>,
    /// `diagnostic(item, severity, place)`: a tool complains about the innermost node at a place.
    pub diagnostics: Vec<(ItemId, Severity, NodeId)>,
    /// `failing_test(item, test)`: the test fails.
    pub failing_tests: Vec<(ItemId, NodeId)>,
    /// `frame(item, place)`: the stack trace of a failure passes through the node.
    pub frames: Vec<(ItemId, NodeId)>,
    /// `touched(file, turns)`: the session changed the file, so long ago.
    pub touched: Vec<(NodeId, Turns)>,
    /// `file_state(file, change, turns)`: the file differs from the last commit, since so long.
    pub file_states: Vec<(NodeId, Change, Turns)>,
    /// `item(item, kind, turns)`: the session holds an item of this kind, so old. Diagnostics and failing tests are items too.
    pub items: Vec<(ItemId, ItemKind, Turns)>,
    /// `always_on(item)`: the caller wants the item whatever the task is.
    pub always_on: Vec<ItemId>,
    /// `about(item, node)`: the item is about the node.
    pub about: Vec<(ItemId, NodeId)>,
}

/// What follows from the facts: one list per relation, sorted by its first columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Derived {
    /// `part(node, cue, strength)`: the parts that counted.
    pub parts: Vec<(NodeId, Cue, Thousandths)>,
    /// `evidence(node, energy)`: the parts of each node as one number.
    pub evidence: Vec<(NodeId, Energy)>,
    /// `seed(node, energy, cause, place)`: where activation starts, and the place that is the reason.
    pub seeds: Vec<(NodeId, Energy, Cause, NodeId)>,
    /// `weak(node)`: word hits too weak to pass energy on.
    pub weak: Vec<NodeId>,
    /// `source(node, energy)`: the seeds that pass energy on, with the greatest energy of each.
    pub sources: Vec<(NodeId, Energy)>,
    /// `spread(node, hops, energy)`: the greatest energy that reached a node over exactly so many links.
    pub reached: Vec<(NodeId, Hops, Energy)>,
    /// `boost(file, error, modified)`: what a file gets on top if it is reached.
    pub boosts: Vec<(NodeId, Energy, Energy)>,
    /// `tested(test, energy, subject)`: what the subject that matters most lets a test score.
    pub tested: Vec<(NodeId, Energy, NodeId)>,
    /// `score(node, energy)`: the score of every node that was reached.
    pub scores: Vec<(NodeId, Energy)>,
    /// `tier(node, tier)`: the hot and warm nodes.
    pub tiers: Vec<(NodeId, Tier)>,
    /// How many nodes were reached and stayed cold.
    pub n_cold: usize,
    /// `support(node, ratio)`: how much independent energy arrives over links, for every scored node to which any does.
    pub support: Vec<(NodeId, Millionths)>,
    /// `certain(node)`: nodes that the task points at, or that score as much as if it did.
    pub certain: Vec<NodeId>,
    /// `standing(node, ratio)`: evidence and support of every scored node as one number, by which nodes are ordered.
    pub standings: Vec<(NodeId, Millionths)>,
    /// `item_score(item, energy)`: the items that concern the task.
    pub items: Vec<(ItemId, Energy)>,
    /// `placed(thing, section)`: what is shown where.
    pub placed: Vec<(Thing, Section)>,
}

impl Derived {
    /// The score of `node`, if it was reached.
    pub fn score(&self, node: NodeId) -> Option<Energy> {
        find(&self.scores, node)
    }

    /// The evidence for `node`, if a word speaks for it.
    pub fn evidence(&self, node: NodeId) -> Option<Energy> {
        find(&self.evidence, node)
    }

    /// The tier of `node`; what was not reached is cold.
    pub fn tier(&self, node: NodeId) -> Tier {
        find(&self.tiers, node).unwrap_or(Tier::Cold)
    }

    /// How much independent energy arrives at `node` over links.
    pub fn support(&self, node: NodeId) -> Millionths {
        find(&self.support, node).unwrap_or_default()
    }

    /// The hot and warm nodes, best first: those that are certain before all others, the greater score first; then by standing, then score,
    /// then path (by id).
    ///
    /// Scores say how far energy got, and are few and tie often; standing says how much speaks for a node in all.
    pub fn ranked(&self) -> Vec<NodeId> {
        let mut nodes: Vec<_> = self.tiers.iter().map(|&(node, _)| node).collect();
        nodes.sort_by_cached_key(|&node| {
            let score = self.score(node);
            let certain = score.filter(|_| self.certain.binary_search(&node).is_ok());
            (Reverse((certain, self.standing(node), score)), node)
        });
        nodes
    }

    /// What speaks for `node` by itself and what arrives over links, as separate witnesses.
    pub fn standing(&self, node: NodeId) -> Millionths {
        find(&self.standings, node).unwrap_or_default()
    }
}

/// The value beside `node` in a list sorted by node.
fn find<T: Copy>(list: &[(NodeId, T)], node: NodeId) -> Option<T> {
    list.binary_search_by_key(&node, |&(other, _)| other).ok().map(|index| list[index].1)
}

/// Runs the policy over `facts` about `world`; the order of facts makes no difference.
pub fn run(world: &World, facts: &Facts) -> Derived {
    // Several parts of one cue would be combined in every way; the strongest says all.
    let parts = greatest(facts.parts.clone(), |&(node, cue, strength)| ((node, cue), strength));

    let mut program = Crepe::new();
    program.extend([Ctx(Shared(world), Shared(world.weights))]);
    program.extend(parts.iter().map(|&(node, cue, strength)| Part(node, cue, strength)));
    program.extend(facts.exact.iter().map(|&(node, share)| Exact(node, share)));
    program.extend(facts.diagnostics.iter().map(|&(item, severity, place)| Diagnostic(item, severity, place)));
    program.extend(facts.failing_tests.iter().map(|&(item, test)| FailingTest(item, test)));
    program.extend(facts.frames.iter().map(|&(item, place)| Frame(item, place)));
    program.extend(facts.touched.iter().map(|&(file, turns)| Touched(file, turns)));
    program.extend(facts.file_states.iter().map(|&(file, change, turns)| FileState(file, change, turns)));
    program.extend(facts.items.iter().map(|&(item, kind, turns)| Item(item, kind, turns)));
    program.extend(facts.always_on.iter().map(|&item| AlwaysOn(item)));
    program.extend(facts.about.iter().map(|&(item, node)| About(item, node)));

    // The outputs, in the order in which the page declares them.
    let (evidence, seeds, weak, sources, spread, boosts, tested, scores, hot, warm, cold, items, placed) =
        program.run_with_hasher::<FxBuildHasher>();

    let scores = greatest(scores.into_iter().map(|Score(node, energy)| (node, energy)), |&(node, energy)| (node, energy));
    let seeds = sorted(seeds.into_iter().map(|Seed(node, energy, cause, place)| (node, energy, cause, place)));
    let evidence = sorted(evidence.into_iter().map(|Evidence(node, energy)| (node, energy)));
    let tested =
        greatest(tested.into_iter().map(|Tested(test, energy, subject)| (test, energy, subject)), |&(test, energy, subject)| {
            (test, (energy, Reverse(subject)))
        });
    let support = support(world, &scores);
    Derived {
        parts,
        certain: certain(world.weights, &scores, &seeds),
        standings: standings(world, &scores, &evidence, &support, &tested),
        evidence,
        seeds,
        weak: sorted(weak.into_iter().map(|Weak(node)| node)),
        sources: greatest(sources.into_iter().map(|Source(node, energy)| (node, energy)), |&(node, energy)| (node, energy)),
        reached: greatest(spread.into_iter().map(|Spread(node, energy, hops)| (node, hops, energy)), |&(node, hops, energy)| {
            ((node, hops), energy)
        }),
        boosts: greatest(
            boosts.into_iter().map(|Boost(file, error, modified)| (file, error, modified)),
            |&(file, error, modified)| (file, error + modified),
        ),
        tested,
        tiers: sorted(
            (hot.into_iter().map(|Hot(node)| (node, Tier::Hot))).chain(warm.into_iter().map(|Warm(node)| (node, Tier::Warm))),
        ),
        n_cold: sorted(cold.into_iter().map(|Cold(node)| node)).len(),
        support,
        scores,
        items: greatest(items.into_iter().map(|ItemScore(item, energy)| (item, energy)), |&(item, energy)| (item, energy)),
        placed: sorted(placed.into_iter().map(|Placed(thing, section)| (thing, section))),
    }
}

/// The nodes that a seed other than evidence stands on, and those that score as much as an exact target.
fn certain(weights: &Weights, scores: &[(NodeId, Energy)], seeds: &[(NodeId, Energy, Cause, NodeId)]) -> Vec<NodeId> {
    let pointed_at = seeds.iter().filter(|seed| seed.2 != Cause::Evidence).map(|seed| seed.0);
    let high = scores.iter().filter(|(_, energy)| *energy >= weights.exact).map(|(node, _)| *node);
    let mut certain = sorted(pointed_at.chain(high));
    certain.dedup();
    certain
}

/// Evidence and support, each a witness of its own; a symbol stands as high as its file lets it, a test no lower than its subject lets it.
fn standings(
    world: &World,
    scores: &[(NodeId, Energy)],
    evidence: &[(NodeId, Energy)],
    support: &[(NodeId, Millionths)],
    tested: &[(NodeId, Energy, NodeId)],
) -> Vec<(NodeId, Millionths)> {
    let weights = world.weights;
    let certainty = |energy: Energy| Millionths::share(energy, weights.exact);
    let standing = |&(node, _): &(NodeId, Energy)| {
        let own = find(evidence, node).map_or(Millionths::ZERO, certainty);
        let linked = find(support, node).unwrap_or_default().times(weights.support.ratio());
        (node, own.rest().times(linked.rest()).rest())
    };
    let own: Vec<(NodeId, Millionths)> = scores.iter().map(standing).collect();
    let of_symbol = |&(node, standing): &(NodeId, Millionths)| {
        let Some(file) = world.holder(node).and_then(|file| find(&own, file)) else { return (node, standing) };
        (node, file.times(standing.rest().times(weights.in_file.ratio().rest()).rest()))
    };
    let standings: Vec<(NodeId, Millionths)> = own.iter().map(of_symbol).collect();
    let of_test = |&(node, standing): &(NodeId, Millionths)| {
        let subject = tested.binary_search_by_key(&node, |row| row.0).ok().and_then(|row| find(&standings, tested[row].2));
        (node, standing.max(subject.unwrap_or_default().times(weights.test.ratio())))
    };
    standings.iter().map(of_test).collect()
}

fn sorted<T: Ord>(tuples: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut tuples: Vec<T> = tuples.into_iter().collect();
    tuples.sort_unstable();
    tuples
}

/// The tuples with the greatest value for their key, sorted by key.
fn greatest<T, K: Ord, V: Ord>(tuples: impl IntoIterator<Item = T>, split: impl Fn(&T) -> (K, V)) -> Vec<T> {
    let mut tuples: Vec<T> = tuples.into_iter().collect();
    tuples.sort_unstable_by(|first, second| {
        let ((first_key, first_value), (second_key, second_value)) = (split(first), split(second));
        first_key.cmp(&second_key).then(second_value.cmp(&first_value))
    });
    tuples.dedup_by(|next, kept| split(next).0 == split(kept).0);
    tuples
}

/// How much energy arrives at each scored node over links from different nodes above the gate, as if each were a separate witness.
///
/// One pass in the order of nodes and rows, so that the same graph gives the same roundings.
fn support(world: &World, scores: &[(NodeId, Energy)]) -> Vec<(NodeId, Millionths)> {
    let weights = world.weights;
    let mut doubts: FxHashMap<NodeId, Millionths> = scores.iter().map(|&(node, _)| (node, Millionths::ONE)).collect();
    for &(from, energy) in scores.iter().filter(|&&(_, energy)| energy > weights.gate) {
        let certainty = Millionths::share(energy, weights.exact);
        for (to, strength) in world.links(from).filter(|&(to, _)| to != from) {
            if let Some(doubt) = doubts.get_mut(&to) {
                *doubt = doubt.times(certainty.times(strength).rest());
            }
        }
    }
    let supported = scores.iter().map(|&(node, _)| (node, doubts.get(&node).map_or(Millionths::ZERO, |doubt| doubt.rest())));
    supported.filter(|&(_, support)| support > Millionths::ZERO).collect()
}
