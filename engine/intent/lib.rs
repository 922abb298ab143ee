//! What a task says: its verb, the places it names and the words it uses, resolved against the fact base.

pub mod failures;
pub mod guides;

mod blocks;
mod exact;
mod found_places;
mod locate;
mod read;
mod reading;
mod spelled;

mod mentions;
mod report;
mod scopes;
mod scripts;
pub(crate) mod shapes;
mod verb;

mod names;
mod namesakes;
mod pick;
mod places;

mod annotations;
mod chains;
mod evidence;
mod failure_terms;
mod history;
mod symbols;
mod words;

mod bounds;
mod certainty;
mod changed;
mod nearest;

#[cfg(test)]
mod tests;

pub use blocks::headline;
pub use bounds::log2;
pub use changed::{asks_for_review, read_changed};
pub use evidence::FileKinds;
pub use exact::{exact, files_ending};
pub use locate::locate;
pub use places::Places;
pub use read::{asks_nothing, read, read_with};
pub use spelled::{Spelling, spelled};

use activate_rules::atoms::{Cue, Millionths, NodeId, Thousandths};
pub use activate_rules::weights::Verb;
use activate_rules::weights::Weights;
use index::text::QueryTerm;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::collections::BTreeMap;

/// An intent as it was understood.
#[derive(Debug, Clone)]
pub struct Intent {
    /// The text as given.
    pub text: String,
    /// The sentence of it that says what it is about.
    pub headline: String,
    /// What is to be done.
    pub verb: Verb,
    /// Places that the text names: exact targets, best first.
    pub targets: Vec<Target>,
    /// What words say of nodes: evidence for the policy, by node, then cue.
    pub cue_hits: Vec<CueHit>,
    /// Kinds of files that the text asks for.
    pub wanted: FileKinds,
    /// The words that are looked for.
    pub terms: Vec<QueryTerm>,
    /// The files for which most speaks, best first.
    pub files: Vec<NodeId>,
    /// The files that past commits with such messages touched, in path order.
    pub like: Vec<Like>,
    /// How sure the answer can be.
    pub certainty: Certainty,
    /// What would make it surer, or what was tried in vain: sentences for the reader.
    pub advice: Vec<String>,
    /// Names that several definitions share, with the candidates.
    pub ambiguous: Vec<Ambiguity>,
    /// Names written as code that nothing in the repository has, with the nearest names that exist.
    pub unknown: Vec<Unknown>,
    /// How sure a target must be to be taken for what is meant.
    pub sure: Thousandths,
}

/// The advice where nothing but words speaks for files.
const ONLY_WORDS: &str = "Only words point here, and not clearly: name a file, a function or a path:line, or paste the error.";

impl Intent {
    /// Whether nothing but words speaks for files, of which none is named, neither clearly nor in vain.
    pub fn is_of_words(&self) -> bool {
        let names_nothing = self.targets.is_empty() && self.ambiguous.is_empty() && self.unknown.is_empty();
        names_nothing && self.certainty != Certainty::None
    }

    /// Says how sure the answer is, where nothing but words speaks for files.
    pub fn settle(&mut self, certainty: Certainty) {
        self.certainty = certainty;
        self.advice.retain(|advice| advice != ONLY_WORDS);
        if certainty == Certainty::Weak {
            self.advice.insert(0, ONLY_WORDS.to_owned());
        }
    }

    /// Leaves the words of the text to speak only for the `n` nodes for which they say most.
    pub fn keep_best(&mut self, n: usize, weights: &Weights) {
        let mut doubts: BTreeMap<NodeId, Millionths> = BTreeMap::new();
        for hit in &self.cue_hits {
            let doubt = doubts.entry(hit.node).or_insert(Millionths::ONE);
            *doubt = doubt.times(weights.cues.of(hit.cue).times(hit.strength).rest());
        }
        let mut ranked: Vec<(Millionths, NodeId)> = doubts.into_iter().map(|(node, doubt)| (doubt, node)).collect();
        ranked.sort_unstable();
        let best: FxHashSet<NodeId> = ranked.into_iter().take(n).map(|(_, node)| node).collect();
        self.cue_hits.retain(|hit| best.contains(&hit.node));
    }

    /// Whether the rest of the text picks one of the definitions that share a name: the first of its candidates.
    pub fn settles(&self, ambiguity: &Ambiguity) -> bool {
        certainty::is_settled(&self.targets, &ambiguity.name, self.sure.get())
    }
}

/// A place the text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The node: file or symbol.
    pub node: NodeId,
    /// The words that name it.
    pub text: String,
    /// How it was found.
    pub how: How,
    /// How sure it is that this node is meant.
    pub confidence: Thousandths,
    /// Its share of the energy of an exact target.
    pub share: Thousandths,
    /// The line, where the text gives one.
    pub line: Option<u32>,
    /// Whether the text spells it out: as a place, by a qualified name, by a name written as code in a short text or in the title of a long one, or by one
    /// that pasted code imports from a package of the repository.
    pub is_spelled_out: bool,
}

/// How a target was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// A path of a file.
    Path,
    /// A path with a line.
    PathLine,
    /// A frame of a stack trace.
    Frame,
    /// A qualified name: `Type.method`, `pkg.Func`, `mod::func`.
    Qualified,
    /// A name, letter by letter.
    Exact,
    /// An alias, letter by letter: a name under which a file passes on what has another name where it is defined.
    Alias,
    /// A name, but for case.
    CaseInsensitive,
    /// The change that is to be reviewed touches it.
    Changed,
}

/// What words say of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CueHit {
    /// The node.
    pub node: NodeId,
    /// Through which cue.
    pub cue: Cue,
    /// How strongly, before the cue's weight.
    pub strength: Thousandths,
    /// The words that speak.
    pub words: Vec<String>,
}

/// What past commits with messages like the intent say of a file, all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Like {
    /// The file.
    pub file: NodeId,
    /// What they say, added up, in thousandths of the file for which one commit says most.
    pub sum: u32,
    /// How many they are.
    pub n: u32,
}

/// How sure the answer can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// The text names a place that exists, or words point clearly at few.
    Strong,
    /// Words point somewhere, with small margin.
    Weak,
    /// Nothing was found.
    None,
}

impl Certainty {
    /// The name of the degree.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Weak => "weak",
            Self::None => "none",
        }
    }
}

/// A name that several definitions share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ambiguity {
    /// The name.
    pub name: String,
    /// Its first definitions, the likeliest first.
    pub candidates: Vec<NodeId>,
    /// How many there are.
    pub n_all: usize,
}

/// A name that nothing in the repository has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The name as written.
    pub name: String,
    /// The nearest names that exist, nearest first.
    pub nearest: Vec<String>,
}
