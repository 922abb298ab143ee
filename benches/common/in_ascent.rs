//! The strata in another Datalog, `ascent`, whose lattices keep the greatest energy of each node by themselves.
//!
//! Takes the same links from the same policy. Covers what a task of named places needs. Must agree with the policy; the bench checks it
//! before it measures.

#![allow(clippy::pedantic, clippy::just_underscores_and_digits, reason = "about the code that the macro writes")]

use activate_rules::atoms::{Energy, Hops, NodeId, Thousandths, Tier};
use activate_rules::context::PolicyContext;
use activate_rules::facts::Derived;
use ascent::ascent_run;
use std::cmp::Reverse;

/// Seeds and spread: the first three strata.
pub(crate) fn spread(policy: &PolicyContext, exact: &[(NodeId, Thousandths)]) -> Vec<(NodeId, Hops, Energy)> {
    let weights = policy.weights;
    let program = ascent_run! {
        relation named(NodeId, i32) = named(policy, exact);
        lattice seed(NodeId, i32);
        lattice spread(NodeId, u8, i32);

        seed(place, energy) <-- named(place, energy);
        seed(file, energy) <-- named(place, energy), if let Some(file) = policy.holder(*place);
        spread(to, 1, gain) <-- seed(from, energy), if *energy > weights.gate.0 && policy.depth > Hops::NONE,
            for (to, strength) in policy.links(*from), let gain = Energy(*energy).times(strength).0, if gain >= weights.least.0;
        spread(to, hops + 1, gain) <-- spread(from, hops, energy), if *energy > weights.gate.0 && *hops < policy.depth.0 && !policy.is_outside(*from),
            for (to, strength) in policy.links(*from),
            let gain = (Energy(*energy).times(strength) - weights.hop_penalty).0, if gain >= weights.least.0;
    };
    sorted(program.spread.into_iter().map(|(node, hops, energy)| (node, Hops(hops), Energy(energy))))
}

/// The strata up to placement, sorted as the policy's lists are, for [`ByHand::complete`](crate::by_hand::ByHand::complete).
pub(crate) fn strata(policy: &PolicyContext, exact: &[(NodeId, Thousandths)]) -> Derived {
    let weights = policy.weights;
    let program = ascent_run! {
        relation named(NodeId, i32) = named(policy, exact);
        lattice seed(NodeId, i32);
        lattice spread(NodeId, u8, i32);
        lattice reached(NodeId, i32);
        relation tested(NodeId, i32, NodeId);
        lattice score(NodeId, i32);
        relation hot(NodeId);
        relation tier(NodeId, Tier);

        seed(place, energy) <-- named(place, energy);
        seed(file, energy) <-- named(place, energy), if let Some(file) = policy.holder(*place);
        spread(to, 1, gain) <-- seed(from, energy), if *energy > weights.gate.0 && policy.depth > Hops::NONE,
            for (to, strength) in policy.links(*from), let gain = Energy(*energy).times(strength).0, if gain >= weights.least.0;
        spread(to, hops + 1, gain) <-- spread(from, hops, energy), if *energy > weights.gate.0 && *hops < policy.depth.0 && !policy.is_outside(*from),
            for (to, strength) in policy.links(*from),
            let gain = (Energy(*energy).times(strength) - weights.hop_penalty).0, if gain >= weights.least.0;

        reached(node, energy) <-- seed(node, energy);
        reached(node, energy) <-- spread(node, _, energy);
        tested(test, Energy(*energy).times(weights.test.ratio()).0, subject) <-- reached(subject, energy), if *energy > weights.gate.0,
            for test in policy.tests_of(*subject);

        score(node, energy) <-- reached(node, energy);
        score(test, energy) <-- tested(test, energy, _);
        score(file, Energy(*energy).times(weights.file.ratio()).0) <-- score(symbol, energy),
            if let Some(file) = policy.holder(*symbol);
        score(symbol, weights.floor.0) <-- hot(file), for symbol in policy.members_of(*file);
        hot(node) <-- score(node, energy), if *energy > weights.hot.0;
        tier(node, Tier::Hot) <-- hot(node);
        tier(node, Tier::Warm) <-- score(node, energy), if *energy >= weights.warm.0 && *energy <= weights.hot.0;
    };
    let tested = program.tested.into_iter().map(|(test, energy, subject)| (test, Reverse(Energy(energy)), subject));
    let mut tested = sorted(tested);
    tested.dedup_by_key(|row| row.0);
    let scores = sorted(program.score.into_iter().map(|(node, energy)| (node, Energy(energy))));
    let tiers = sorted(program.tier);
    Derived {
        reached: sorted(program.spread.into_iter().map(|(node, hops, energy)| (node, Hops(hops), Energy(energy)))),
        tested: tested.into_iter().map(|(test, Reverse(energy), subject)| (test, energy, subject)).collect(),
        scores,
        tiers,
        ..Derived::default()
    }
}

/// The places that are seeds.
fn named(policy: &PolicyContext, exact: &[(NodeId, Thousandths)]) -> Vec<(NodeId, i32)> {
    let energies = exact.iter().map(|&(place, share)| (place, policy.weights.exact.times(share.ratio())));
    energies.filter(|&(_, energy)| energy >= policy.weights.seed_threshold).map(|(place, energy)| (place, energy.0)).collect()
}

fn sorted<T: Ord>(tuples: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut tuples: Vec<T> = tuples.into_iter().collect();
    tuples.sort_unstable();
    tuples
}
