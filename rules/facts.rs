//! Facts in, derived relations out: the only code that runs the policy.
//!
//! Keeps the greatest of each node's energies and sorts everything. What decides is a rule.

use crate::atoms::{
    Cause, Change, Cue, Energy, Factor, Hops, ItemId, Millionths, NodeId, PassageCue, PassageId, Severity, Thousandths, Tier,
    Turns,
};
use crate::best::PruningTable;
use crate::context::{ByAddress, PolicyContext, RunContext};
use crate::items::ItemKind;
use crate::order::{greatest_by, of_part};
use crate::policy::{
    About, AlwaysOn, Boost, Certain, Cold, Crepe, Ctx, CueHit, Diagnostic, Evidence, Exact, FailingTest, FileState, Frame, Guess,
    Hidden, Hide, Hot, Item, ItemScore, Placed, Prior, Said, Score, Seed, Source, Spread, Tested, Touched, Warm, Weak, passages,
    rank,
};
use crate::sections::Section;
use crate::support::support;
use crate::weights::PassageWeights;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use std::iter::once;

/// What is given to the policy for one task: one list per relation, in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// `cue_hit(node, cue, strength)`: the intent speaks for the node through this cue; of several hits of a cue the strongest counts.
    pub cue_hits: Vec<(NodeId, Cue, Thousandths)>,
    /// `exact(node, share)`: the intent names the node; k definitions of one name have a share of 1/k each.
    pub exact: Vec<(NodeId, Thousandths)>,
    /// `diagnostic(item, severity, place)`: a tool complains about the innermost node at a place.
    pub diagnostics: Vec<(ItemId, Severity, NodeId)>,
    /// `failing_test(item, test)`: the test fails.
    pub failing_tests: Vec<(ItemId, NodeId)>,
    /// `frame(item, place)`: the stack trace of a failure passes through the node.
    pub frames: Vec<(ItemId, NodeId)>,
    /// `guess(item, place)`: the same of built code, which is most likely of the node.
    pub guesses: Vec<(ItemId, NodeId)>,
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
    /// `prior(node, factor)`: a rule of the user says that what speaks for the node counts so many times; of several the least counts.
    pub priors: Vec<(NodeId, Factor)>,
    /// `hide(node)`: a rule of the user says that the node is not to be shown.
    pub hidden: Vec<NodeId>,
    /// `said(item, section, energy)`: a rule of the user has something to say in a section, worth so much.
    pub said: Vec<(ItemId, Section, Energy)>,
}

/// What decides the place of a node: its score if it is certain, its rank score, its score.
pub type Place = (NodeId, Energy, Millionths, Energy);

/// What follows from the facts: one list per relation, sorted by its first columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Derived {
    /// `cue_hit(node, cue, strength)`: the hits that counted.
    pub cue_hits: Vec<(NodeId, Cue, Thousandths)>,
    /// `evidence(node, energy)`: the cue hits of each node as one number.
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
    /// `learnt(file, ratio)`: the share that the learnt order gives each file that was compared.
    pub learnt: Vec<(NodeId, Millionths)>,
    /// `rank_score(node, ratio)`: evidence and support of every scored node as one number.
    pub rank_scores: Vec<(NodeId, Millionths)>,
    /// `place(node, certain, rank_score, score)`: the hot and warm nodes, best first, each with what decides its place: first its score if it
    /// is certain, then its rank score, then its score; what is alike stands in path order (by id).
    pub places: Vec<Place>,
    /// `item_score(item, energy)`: the items that concern the task.
    pub items: Vec<(ItemId, Energy)>,
    /// `placed(thing, section)`: what is shown where.
    pub placed: Vec<(ItemId, Section)>,
    /// `prior(node, factor)`: those that counted.
    pub priors: Vec<(NodeId, Factor)>,
    /// `hidden(node)`: what is not shown, whatever it scores; a file with all that it holds.
    pub hidden: Vec<NodeId>,
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

    /// The hot and warm nodes, best first.
    pub fn ranked(&self) -> impl Iterator<Item = NodeId> {
        self.places.iter().map(|&(node, ..)| node)
    }

    /// The share that the learnt order gives `file`, if it was compared.
    pub fn learnt(&self, file: NodeId) -> Option<Millionths> {
        find(&self.learnt, file)
    }

    /// Whether `node`, which stands in `file`, is not shown whatever it scores.
    pub fn is_hidden(&self, node: NodeId, file: NodeId) -> bool {
        [node, file].iter().any(|node| self.hidden.binary_search(node).is_ok())
    }

    /// How many times what speaks for `node` counts, where a rule of the user says so.
    pub fn prior(&self, node: NodeId) -> Option<Factor> {
        find(&self.priors, node)
    }

    /// What speaks for `node` by itself and what arrives over links, as separate witnesses.
    pub fn rank_score(&self, node: NodeId) -> Millionths {
        find(&self.rank_scores, node).unwrap_or_default()
    }
}

/// What cues say of passages, each with its strength; sorted by passage, of several strengths of one cue the greatest.
pub type PassageParts = Vec<(PassageId, PassageCue, Thousandths)>;

/// The points of each passage that a cue speaks for, by passage; `learnt` says what was learnt of each.
pub fn worth(weights: &PassageWeights, parts: &PassageParts, learnt: &[(PassageId, Energy)]) -> Vec<(PassageId, Energy)> {
    let parts = greatest(parts.clone(), |&(passage, cue, strength)| ((passage, cue), strength));
    let befores = once(None).chain(parts.windows(2).map(|pair| Some(pair[0].1).filter(|_| pair[0].0 == pair[1].0)));
    let mut program = passages::Crepe::new();
    program.extend([passages::Ctx(ByAddress(weights))]);
    program.extend(
        parts.iter().zip(befores).map(|(&(passage, cue, strength), before)| passages::Speaks(passage, before, cue, strength)),
    );
    program.extend(learnt.iter().map(|&(passage, points)| passages::Learnt(passage, points)));
    let (worth,) = program.run_with_hasher::<FxBuildHasher>();
    sorted(worth.into_iter().map(|passages::Worth(passage, points)| (passage, points)))
}

/// The value beside `node` in a list sorted by node.
fn find<T: Copy>(list: &[(NodeId, T)], node: NodeId) -> Option<T> {
    list.binary_search_by_key(&node, |&(other, _)| other).ok().map(|index| list[index].1)
}

/// Runs the policy over `facts` about `policy`; the order of facts makes no difference.
pub fn run(policy: &PolicyContext, facts: &Facts) -> Derived {
    run_with(policy, facts, &PruningTable::default(), &|_| Vec::new())
}

/// [`run`], where an order of files is learnt: `learn` is given what follows from the facts but for rank scores and places, and gives the share
/// of each file that it compares.
pub fn run_learnt(policy: &PolicyContext, facts: &Facts, learn: Learn<'_>) -> Derived {
    run_with(policy, facts, &PruningTable::default(), learn)
}

/// Gives files their shares.
pub type Learn<'l> = &'l dyn Fn(&Derived) -> Vec<(NodeId, Millionths)>;

/// Runs the policy with these guards.
pub(crate) fn run_with(policy: &PolicyContext, facts: &Facts, best: &PruningTable, learn: Learn<'_>) -> Derived {
    // Several hits of one cue would be combined in every way; the strongest says all.
    let cue_hits = greatest(facts.cue_hits.clone(), |&(node, cue, strength)| ((node, cue), strength));
    let befores = once(None).chain(cue_hits.windows(2).map(|pair| Some(pair[0].1).filter(|_| pair[0].0 == pair[1].0)));

    let mut program = Crepe::new();
    let run = RunContext { policy, best };
    program.extend([Ctx(ByAddress(&run), ByAddress(policy.weights))]);
    program.extend(cue_hits.iter().zip(befores).map(|(&(node, cue, strength), before)| CueHit(node, before, cue, strength)));
    program.extend(facts.exact.iter().map(|&(node, share)| Exact(node, share)));
    program.extend(facts.diagnostics.iter().map(|&(item, severity, place)| Diagnostic(item, severity, place)));
    program.extend(facts.failing_tests.iter().map(|&(item, test)| FailingTest(item, test)));
    program.extend(facts.frames.iter().map(|&(item, place)| Frame(item, place)));
    program.extend(facts.guesses.iter().map(|&(item, place)| Guess(item, place)));
    program.extend(facts.touched.iter().map(|&(file, turns)| Touched(file, turns)));
    program.extend(facts.file_states.iter().map(|&(file, change, turns)| FileState(file, change, turns)));
    program.extend(facts.items.iter().map(|&(item, kind, turns)| Item(item, kind, turns)));
    program.extend(facts.always_on.iter().map(|&item| AlwaysOn(item)));
    program.extend(facts.about.iter().map(|&(item, node)| About(item, node)));
    let priors = greatest(facts.priors.clone(), |&(node, factor)| (node, Reverse(factor)));
    program.extend(priors.iter().map(|&(node, factor)| Prior(node, factor)));
    program.extend(facts.hidden.iter().map(|&node| Hide(node)));
    program.extend(facts.said.iter().map(|&(item, section, energy)| Said(item, section, energy)));

    // The outputs, in the order in which the page declares them.
    let (evidence, seeds, weak, sources, spread, boosts, tested, scores, hidden, hot, warm, certain, cold, items, placed) =
        program.run_with_hasher::<FxBuildHasher>();

    let scores = scores.into_iter().map(|Score(node, energy)| (node, energy));
    let scores = greatest_by(scores, |&(node, _)| node.0.into(), |&(_, energy)| energy);
    let seeds = sorted(seeds.into_iter().map(|Seed(node, energy, cause, place)| (node, energy, cause, place)));
    let evidence = sorted(evidence.into_iter().map(|Evidence(node, energy)| (node, energy)));
    let tested =
        greatest(tested.into_iter().map(|Tested(test, energy, subject)| (test, energy, subject)), |&(test, energy, subject)| {
            (test, (energy, Reverse(subject)))
        });
    // A node that several energies speak for has the first tier that one of them earns.
    let hot = hot.into_iter().map(|Hot(node)| (node, Tier::Hot));
    let warm = warm.into_iter().map(|Warm(node)| (node, Tier::Warm));
    let cold = cold.into_iter().map(|Cold(node)| (node, Tier::Cold));
    let mut tiers = greatest_by(hot.chain(warm).chain(cold), |&(node, _)| node.0.into(), |&(_, tier)| Reverse(tier));
    let n_nodes = tiers.len();
    tiers.retain(|&(_, tier)| tier != Tier::Cold);
    let n_cold = n_nodes - tiers.len();
    let spread = spread.into_iter().filter(|spread| spread.2 > Hops::NONE).map(|Spread(node, energy, hops)| (node, hops, energy));
    let certain = sorted(certain.into_iter().map(|Certain(node)| node));
    let support = support(policy, &scores);
    let mut derived = Derived {
        cue_hits,
        certain,
        rank_scores: Vec::new(),
        places: Vec::new(),
        learnt: Vec::new(),
        support,
        evidence,
        seeds,
        weak: sorted(weak.into_iter().map(|Weak(node)| node)),
        sources: greatest(sources.into_iter().map(|Source(node, energy)| (node, energy)), |&(node, energy)| (node, energy)),
        reached: greatest_by(spread, |&(node, hops, _)| of_part(node.0, hops.0), |&(_, _, energy)| energy),
        boosts: greatest(
            boosts.into_iter().map(|Boost(file, error, modified)| (file, error, modified)),
            |&(file, error, modified)| (file, error + modified),
        ),
        tested,
        n_cold,
        tiers,
        scores,
        items: greatest(items.into_iter().map(|ItemScore(item, energy)| (item, energy)), |&(item, energy)| (item, energy)),
        placed: sorted(placed.into_iter().map(|Placed(item, section)| (item, section))),
        priors,
        hidden: sorted(hidden.into_iter().map(|Hidden(node)| node)),
    };
    derived.learnt = sorted(learn(&derived));
    (derived.rank_scores, derived.places) = rank(policy, &derived);
    derived
}

/// Runs the eighth stratum: the rank score of what was reached, and what is active in its order.
fn rank(policy: &PolicyContext<'_>, derived: &Derived) -> (Vec<(NodeId, Millionths)>, Vec<Place>) {
    let Derived { scores, tiers, certain, evidence, support, tested, learnt, priors, .. } = derived;
    let mut program = rank::Crepe::new();
    program.extend([rank::Ctx(ByAddress(policy.weights))]);
    program.extend(scores.iter().map(|&(node, _)| {
        let file = policy.holder(node).filter(|&file| find(scores, file).is_some()).unwrap_or(node);
        rank::Reached(node, file, find(evidence, node).unwrap_or_default(), find(support, node).unwrap_or_default())
    }));
    program.extend(tested.iter().map(|&(test, _, subject)| rank::Tested(test, subject)));
    program.extend(learnt.iter().map(|&(file, share)| rank::Learnt(file, share)));
    program.extend(priors.iter().map(|&(node, factor)| rank::Prior(node, factor)));
    program.extend(tiers.iter().map(|&(node, _)| rank::Active(node, find(scores, node).unwrap_or_default())));
    program.extend(certain.iter().map(|&node| rank::Certain(node)));
    let (rank_scores, order) = program.run_with_hasher::<FxBuildHasher>();
    let rank_scores = rank_scores.into_iter().map(|rank::RankScore(node, share)| (node, share));
    let places = order.into_iter().map(|rank::Place(node, certain, share, score)| (node, certain, share, score));
    let key = |&(node, certain, share, score): &Place| (node, (certain, share, score));
    let mut places = greatest(places, key);
    places.sort_unstable_by_key(|place| {
        let (node, key) = key(place);
        (Reverse(key), node)
    });
    (greatest_by(rank_scores, |&(node, _)| node.0.into(), |&(_, share)| share), places)
}

fn sorted<T: Ord>(tuples: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut tuples: Vec<T> = tuples.into_iter().collect();
    tuples.sort_unstable();
    tuples
}

/// The tuples with the greatest value for their key, sorted by key.
fn greatest<T, K: Ord, V: Ord>(tuples: impl IntoIterator<Item = T>, split: impl Fn(&T) -> (K, V)) -> Vec<T> {
    let mut tuples: Vec<T> = tuples.into_iter().collect();
    tuples.sort_unstable_by_key(|tuple| split(tuple).0);
    tuples.dedup_by(|next, kept| {
        let ((next_key, next_value), (kept_key, kept_value)) = (split(next), split(kept));
        let same = next_key == kept_key;
        if same && next_value > kept_value {
            std::mem::swap(next, kept);
        }
        same
    });
    tuples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_speaks_for_a_passage_adds_up_and_of_one_cue_the_strongest_counts() {
        let weights = PassageWeights {
            words: Energy::points(30),
            first: Energy::points(20),
            role: Energy::points(40),
            ..PassageWeights::default()
        };
        let part = |passage, cue, strength| (PassageId(passage), cue, Thousandths::new(strength));
        let parts = vec![
            part(7, PassageCue::Role, 1000),
            part(3, PassageCue::First, 500),
            part(7, PassageCue::Words, 500),
            part(3, PassageCue::First, 250),
            part(7, PassageCue::First, 1000),
        ];
        // What was learnt adds or takes; nothing is worth less than nothing.
        let worth = |learnt: [i32; 2]| {
            let learnt = [3, 7].map(PassageId).into_iter().zip(learnt.map(Energy::points)).collect::<Vec<_>>();
            worth(&weights, &parts, &learnt).into_iter().map(|(PassageId(id), points)| (id, points)).collect::<Vec<_>>()
        };
        assert_eq!(worth([0, 0]), [(3, Energy::points(10)), (7, Energy::points(75))]);
        assert_eq!(worth([4, -80]), [(3, Energy::points(14)), (7, Energy::ZERO)]);
    }
}
