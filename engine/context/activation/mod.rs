//! From a fact base and a task to what is active, in order, with the reason for each.
//!
//! Feeds the policy of `activate-rules` and reads its result. Must not know sections' texts, budgets, files on disk or the clock.

mod custom;
mod run;

mod likely;

mod edits;
mod features;

mod failing;
mod hidden;
mod passage_features;
mod passage_worth;
mod passages;

mod provenance;

mod graph;

#[cfg(test)]
mod tests;

pub use custom::{Custom, CustomItem, RuleNumber};
pub use edits::Edits;
pub use failing::Turn;
pub use features::compared;
pub use hidden::hidden_lines;
pub use passages::{Passage, Reads, order_symbols, passages};
pub use provenance::{Proof, learnt_order, proof, standing, why, why_not, why_over};
pub use run::{MAX_DEEP_FILES, SYNTAX_ITEMS, TaskFacts, activate};

pub use graph::{AllLinks, CodeGraph, KindSet, Link, Row, Seen};

use activate_rules::atoms::{Energy, Hops, NodeId, Thousandths, Tier};
use activate_rules::facts::Derived;
use activate_rules::features::Columns;
use activate_rules::links::{Confidence, LinkAttribute, LinkKind};
use activate_rules::weights::Weights;
use intent::Intent;
use signals::Severity;

/// What a request activated.
pub struct Activated {
    /// The intent as it was understood.
    pub intent: Intent,
    /// Hot and warm files, best first.
    pub files: Vec<Active>,
    /// Hot and warm symbols, best first.
    pub symbols: Vec<Active>,
    /// What rules of the user hide and would be hot or warm, symbols before files, each by score: lists of facts name it.
    pub hidden: Vec<Active>,
    /// Passages of the likely files, best first; empty until they are looked for: see [`passages()`].
    pub passages: Vec<Passage>,
    /// Those that are left out of `symbols` until [`order_symbols`] takes the best of them in; empty after that.
    pub beyond: Vec<Active>,
    /// Symbols of hot files that are left out of `symbols`, since nothing but their file speaks for them and it has many.
    pub n_left_out: u32,
    /// Nodes that were reached but are too cold to be shown.
    pub n_cold: u32,
    /// The most links between a seed and what it reached.
    pub depth: Hops,
    /// Links that this task adds: who changed with the files that the intent speaks for most, and what rules of the user say.
    pub added: Vec<(NodeId, NodeId, LinkAttribute)>,
    /// Source files among the first of the answer, in path order, each with the probability that the task changes it; empty where that is not
    /// learnt, where something is to be explained or reviewed, and where something fails.
    pub likelihoods: Vec<(NodeId, Thousandths)>,
    /// The source files that were compared with each other, in path order; empty where their order is not learnt.
    pub compared: Vec<(NodeId, Columns)>,
    /// Where something is edited already: the source files that were compared for what is still to change, in path order.
    pub beside_edits: Vec<(NodeId, Columns)>,
    /// The same, the likeliest first, each with its learnt score.
    pub follow_on: Vec<(NodeId, i64)>,
    /// The weights as the verb of the intent mixes them.
    pub weights: Weights,
    /// Whether a build, a test or a program fails: then nothing learnt is added.
    pub fails: bool,
    /// What rules of the user gave.
    pub custom: Custom,
    /// What the policy derived, for explanations.
    pub derived: Derived,
}

/// A node that is active.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Active {
    /// The node.
    pub node: NodeId,
    /// Its score.
    pub score: Energy,
    /// Hot or warm.
    pub tier: Tier,
    /// What it is to the task.
    pub role: Role,
    /// Links between it and its seed.
    pub hops: Hops,
    /// Why it is here.
    pub reason: Reason,
}

/// What a node is to the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The task points at it, or its words do.
    Target,
    /// It uses something active: a change may reach it.
    Impacted,
    /// Something active uses it.
    Dependency,
    /// It tests something active.
    Test,
    /// It stands in an active file or beside active code.
    Neighbour,
}

/// Why a node is active: its last step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The intent names it: how, as one phrase ("named in the intent", "path in the intent").
    Named(String),
    /// Words of the intent speak for it: the words.
    Words(Vec<String>),
    /// A link from or to another node: in the reading direction of this node, e.g. `Calls` with `via` = what it calls.
    Link {
        /// The relation from this node's side: `imports X`, `called by X`.
        kind: LinkKind,
        /// The node at the other end.
        via: NodeId,
        /// Line of the site, in the file where the relation starts.
        line: Option<u32>,
        /// How sure the link is.
        confidence: Confidence,
    },
    /// It tests this node.
    Tests(NodeId),
    /// It holds this active symbol.
    Holds(NodeId),
    /// It stands in this active file.
    StandsIn(NodeId),
    /// A diagnostic, failing test or stack frame lies in it: how bad the worst of them is.
    Failure(Severity),
    /// The session changed it.
    Touched,
}
