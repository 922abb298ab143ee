//! An answer as relations that questions in Datalog ask about.

use super::Activation;
use activate_rules::atoms::{Energy, NodeId};
use context::SessionContext;
use relations::{Answered, Task};

impl Activation<'_> {
    /// The task as rules see it.
    pub fn task(&self) -> &Task {
        &self.asked
    }

    /// What the policy derived, and what a packet shows.
    pub fn answered(&self, context: &SessionContext) -> Answered {
        let derived = &self.found.derived;
        let base = &self.snapshot.base;
        let points = |energy: Energy| energy.in_points();
        let node = |id: &redact::Safe| base.node_at(id.as_str());
        let placed = context.sections.iter().flat_map(|section| {
            let items = section.items.iter().filter_map(|item| {
                let about = item.about.id.as_ref().and_then(node).or_else(|| item.about.path.as_ref().and_then(node));
                Some((item.about.kind, about?))
            });
            items.map(|(kind, about)| (section.section.name(), kind, about)).collect::<Vec<(&str, &str, NodeId)>>()
        });
        Answered {
            seeds: derived.seeds.iter().map(|(node, energy, cause, _)| (*node, cause.name(), points(*energy))).collect(),
            scores: derived.scores.iter().map(|(node, energy)| (*node, points(*energy))).collect(),
            tiers: derived.tiers.iter().map(|(node, tier)| (*node, tier.name())).collect(),
            placed: placed.collect(),
        }
    }
}
