//! How much independent energy reaches a node over links: a product over all its links, which rules cannot form.
//!
//! One pass in the order of nodes and rows, so that the same graph gives the same roundings.

use crate::atoms::{Energy, Millionths, NodeId};
use crate::context::PolicyContext;
use rustc_hash::FxHashMap;

/// How much energy reaches each of these nodes over links from different nodes above the gate, as if each were a separate witness; a
/// package from outside is none. `scores` is sorted by node, and so is the result, which leaves out nodes without support.
pub(crate) fn support(policy: &PolicyContext<'_>, scores: &[(NodeId, Energy)]) -> Vec<(NodeId, Millionths)> {
    let weights = policy.weights;
    let places: FxHashMap<NodeId, u32> = scores.iter().zip(0..).map(|(&(node, _), place)| (node, place)).collect();
    let mut doubts = vec![Millionths::ONE; scores.len()];
    for &(from, energy) in scores.iter().filter(|&&(from, energy)| energy > weights.gate && !policy.is_outside(from)) {
        let certainty = Millionths::share(energy, weights.exact);
        for (to, strength) in policy.links(from).filter(|&(to, _)| to != from) {
            if let Some(&place) = places.get(&to) {
                let doubt = &mut doubts[place as usize];
                *doubt = doubt.times(certainty.times(strength).rest());
            }
        }
    }
    let supported = scores.iter().zip(doubts).map(|(&(node, _), doubt)| (node, doubt.rest()));
    supported.filter(|&(_, support)| support > Millionths::ZERO).collect()
}
