//! What rules of the user give for a task: facts for the policy, each with the rule that gives it.
//!
//! Must not know how rules are read or evaluated.

use activate_rules::atoms::{Cue, Energy, Factor, ItemId, NodeId, Thousandths};
use activate_rules::facts::Facts;
use activate_rules::links::{Confidence, LinkAttribute, LinkKind};
use activate_rules::sections::Section;
use index::base::FactBase;
use intent::{CueHit, Intent};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The first number of items that rules give: the nth, from 0, is the item this and n.
const FIRST_ITEM: u32 = 1 << 30;

/// A rule, by its number among [`Custom::rules`].
pub type RuleNumber = u32;

/// What rules give; of the same fact the first rule counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Custom {
    /// Where each rule stands: `house.dl:3`.
    pub rules: Vec<String>,
    /// Those of [`rules`](Self::rules) that are no rules, but links from other repositories, as phrases.
    pub linked: Vec<String>,
    /// `evidence(node, strength)`: so much speaks for a node.
    pub evidence: Vec<(NodeId, Thousandths, RuleNumber)>,
    /// `link(from, to, kind, confidence)`: a link that the code does not show.
    pub links: Vec<(NodeId, NodeId, LinkKind, Confidence, RuleNumber)>,
    /// `tested_by(subject, test)`: the test is one of the subject.
    pub tested_by: Vec<(NodeId, NodeId, RuleNumber)>,
    /// `pin(node)`: it must be shown.
    pub pins: Vec<(NodeId, RuleNumber)>,
    /// `hide(node)`: it is not to be shown.
    pub hidden: Vec<(NodeId, RuleNumber)>,
    /// `item(section, text, about, score)`: something to say.
    pub items: Vec<CustomItem>,
    /// `prior(node, factor)`: what speaks for the node counts so many times.
    pub priors: Vec<(NodeId, Factor, RuleNumber)>,
}

/// Something that a rule says in a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomItem {
    /// Where.
    pub section: Section,
    /// What.
    pub text: String,
    /// The file or symbol that it is about: it is said where that is hot or warm.
    pub about: NodeId,
    /// How much it matters.
    pub score: Energy,
    /// The rule.
    pub rule: RuleNumber,
}

impl Custom {
    /// Where a rule stands.
    pub fn place(&self, rule: RuleNumber) -> &str {
        self.rules.get(rule as usize).map_or("", String::as_str)
    }

    /// What rules give, without the rules themselves: the same facts are written alike whatever file and line they are from, and whatever else the
    /// repository has. What is hidden or weighed counts where it `is_reached`. Empty where rules give nothing.
    pub fn written(&self, name: &dyn Fn(NodeId) -> String, is_reached: &dyn Fn(NodeId) -> bool) -> String {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.evidence.iter().map(|(node, strength, _)| format!("evidence {} {strength}", name(*node))));
        lines.extend(
            self.links
                .iter()
                .map(|(from, to, kind, sure, _)| format!("link {} {} {} {}", name(*from), name(*to), kind.name(), sure.name())),
        );
        lines.extend(self.tested_by.iter().map(|(subject, test, _)| format!("tested_by {} {}", name(*subject), name(*test))));
        lines.extend(self.pins.iter().map(|(node, _)| format!("pin {}", name(*node))));
        lines.extend(self.hidden.iter().filter(|(node, _)| is_reached(*node)).map(|(node, _)| format!("hide {}", name(*node))));
        lines.extend(
            self.items
                .iter()
                .map(|item| format!("item {} {} {} {}", item.section.name(), item.text, name(item.about), item.score)),
        );
        lines.extend(
            self.priors
                .iter()
                .filter(|(node, ..)| is_reached(*node))
                .map(|(node, factor, _)| format!("prior {} {factor}", name(*node))),
        );
        lines.sort_unstable();
        lines.dedup();
        lines.join("\n")
    }

    /// The number of the nth item that rules give.
    pub fn item(place: usize) -> ItemId {
        ItemId(FIRST_ITEM + place as u32)
    }

    /// The rule of a link between two nodes, whichever way round; none of a link that the code shows.
    pub fn link_between(&self, one: NodeId, other: NodeId, kind: LinkKind, confidence: Confidence) -> Option<&str> {
        let is_it = |&(from, to, of, sure, _): &(NodeId, NodeId, LinkKind, Confidence, RuleNumber)| {
            sure == confidence && ((from, to, of) == (one, other, kind) || (from, to, of) == (other, one, kind.reverse()))
        };
        self.links.iter().find(|link| is_it(link)).map(|link| self.place(link.4))
    }

    /// The rule that says that a test is one of a subject.
    pub fn test_of(&self, test: NodeId, subject: NodeId) -> Option<&str> {
        let found = self.tested_by.iter().find(|(of, by, _)| (*of, *by) == (subject, test));
        found.map(|(.., rule)| self.place(*rule))
    }

    /// The rule that hides a node.
    pub fn hider(&self, node: NodeId, file: NodeId) -> Option<&str> {
        let found = [node, file].into_iter().find_map(|node| self.hidden.iter().find(|(hidden, _)| *hidden == node));
        found.map(|(_, rule)| self.place(*rule))
    }

    /// The rule behind the prior that counts for a node: the least.
    pub fn prior_of(&self, node: NodeId) -> Option<&str> {
        let found = self.priors.iter().filter(|(of, ..)| *of == node).min_by_key(|(_, factor, rule)| (*factor, *rule));
        found.map(|(.., rule)| self.place(*rule))
    }

    /// The same without links that the code shows as surely: they would count as another witness.
    #[must_use]
    pub(super) fn without_known_links(mut self, base: &FactBase) -> Self {
        let graph = base.graph();
        self.links.retain(|(from, to, kind, confidence, _)| {
            let is_it =
                |(other, link): (NodeId, LinkAttribute)| other == *to && link.kind() == *kind && link.confidence() <= *confidence;
            !graph.row(*from).any(is_it)
        });
        self
    }

    /// Adds the evidence to that of an intent, as a cue of its own: of each node the strongest.
    pub(super) fn add_to_intent(&self, intent: &mut Intent) {
        if self.evidence.is_empty() {
            return;
        }
        let hit = |&(node, strength, rule): &(NodeId, Thousandths, RuleNumber)| CueHit {
            node,
            cue: Cue::Rule,
            strength,
            words: vec![self.place(rule).to_owned()],
        };
        let mut evidence = self.evidence.clone();
        evidence.sort_by_key(|(node, strength, rule)| (*node, Reverse(*strength), *rule));
        evidence.dedup_by_key(|(node, ..)| *node);
        intent.cue_hits.extend(evidence.iter().map(hit));
        intent.cue_hits.sort_by_key(|hit| (hit.node, hit.cue));
    }

    /// Adds the links, both ways, to others that one task has.
    pub(super) fn add_links(&self, added: &mut Vec<(NodeId, NodeId, LinkAttribute)>) {
        if self.links.is_empty() {
            return;
        }
        for &(from, to, kind, confidence, _) in &self.links {
            added.push((from, to, LinkAttribute::new(kind, confidence, 1)));
            added.push((to, from, LinkAttribute::new(kind.reverse(), confidence, 1)));
        }
        added.sort_unstable();
        added.dedup();
    }

    /// The tests, each behind what it tests, in order.
    pub(super) fn tests(&self) -> Vec<(NodeId, NodeId)> {
        let tests: BTreeSet<(NodeId, NodeId)> = self.tested_by.iter().map(|(subject, test, _)| (*subject, *test)).collect();
        tests.into_iter().collect()
    }

    /// Adds the rest to the facts of the policy.
    pub(super) fn add_to_facts(&self, facts: &mut Facts) {
        facts.hidden.extend(self.hidden.iter().map(|(node, _)| *node));
        facts.priors.extend(self.priors.iter().map(|(node, factor, _)| (*node, *factor)));
        for (place, item) in self.items.iter().enumerate() {
            facts.said.push((Self::item(place), item.section, item.score));
            facts.about.push((Self::item(place), item.about));
        }
    }
}
