//! The third stratum of the policy alone: its rules as the page has them, from seeds to what is reached.
//!
//! The policy runs all its strata at once; this says what the spread costs of them. Must agree with the policy; the bench checks it before
//! it measures.

#![allow(clippy::pedantic, clippy::mutable_key_type, reason = "about the code that the macro writes")]

use activate_rules::atoms::{Energy, Hops, NodeId, Thousandths};
use activate_rules::best::PruningTable;
use activate_rules::context::{ByAddress, PolicyContext, RunContext};
use activate_rules::order::{greatest_by, of_part};
use activate_rules::weights::Weights;
use rustc_hash::FxBuildHasher;

crepe::crepe! {
    @input struct Ctx<'a>(ByAddress<'a, RunContext<'a>>, ByAddress<'a, Weights>);
    @input struct Seed(NodeId, Energy);
    @output struct Spread(NodeId, Energy, Hops);

    Spread(node, energy, Hops::NONE) <- Ctx(c, _),
        Seed(node, energy),
        (c.best.reaches(node, energy, Hops::NONE));
    Spread(to, gain, Hops::ONE) <- Ctx(c, w),
        Seed(from, energy),
        (energy > w.gate && c.depth > Hops::NONE),
        for (to, strength) in c.links(from),
        let gain = energy.times(strength),
        (gain >= w.least && c.best.reaches(to, gain, Hops::ONE));
    Spread(to, gain, hops.next()) <- Ctx(c, w),
        Spread(from, energy, hops),
        (hops > Hops::NONE && hops < c.depth),
        (energy > w.gate && c.best.is_last(from, energy, hops)),
        (!c.is_outside(from)),
        for (to, strength) in c.links(from),
        let gain = energy.times(strength) - w.hop_penalty,
        (gain >= w.least && c.best.reaches(to, gain, hops.next()));
}

/// Seeds and spread: the first three strata.
pub(crate) fn spread(policy: &PolicyContext, exact: &[(NodeId, Thousandths)]) -> Vec<(NodeId, Hops, Energy)> {
    let run = RunContext { policy, best: &PruningTable::default() };
    let mut program = Crepe::new();
    program.extend([Ctx(ByAddress(&run), ByAddress(policy.weights))]);
    for &(place, share) in exact {
        let energy = policy.weights.exact.times(share.ratio());
        if energy >= policy.weights.seed_threshold {
            program.extend([Some(place), policy.holder(place)].into_iter().flatten().map(|node| Seed(node, energy)));
        }
    }
    let (spread,) = program.run_with_hasher::<FxBuildHasher>();
    let spread = spread.into_iter().filter(|spread| spread.2 > Hops::NONE);
    let reached = spread.map(|Spread(node, energy, hops)| (node, hops, energy));
    greatest_by(reached, |&(node, hops, _)| of_part(node.0, hops.0), |&(_, _, energy)| energy)
}
