//! How sure a packet is of what its task is about: certainty, names that could mean several places or none, and what would help.
//!
//! Must not judge: the intent was read before.

use crate::NodeId;
use index::base::FactBase;
use intent::{Ambiguity, Certainty, Intent, Unknown};
use redact::{Masker, Safe};
use schemars::JsonSchema;
use serde::Serialize;

/// The most names of a list, where a packet has little room.
const MAX_NAMES: usize = 5;
/// The same for one line among few.
const FEW_NAMES: usize = 2;

/// How sure it is what the task is about.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct IntentResolution {
    /// How sure the answer is: `strong`, `weak` or `none`.
    #[schemars(with = "String")]
    pub certainty: Certainty,
    /// Names that several definitions share.
    pub ambiguous: Vec<AmbiguityPacket>,
    /// Names that nothing in the repository has.
    pub unknown: Vec<UnknownPacket>,
    /// What would make the answer surer.
    #[schemars(with = "Vec<String>")]
    pub advice: Vec<Safe>,
}

/// A name that several definitions share.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AmbiguityPacket {
    /// The name.
    #[schemars(with = "String")]
    pub name: Safe,
    /// Ids of the definitions, the likeliest first.
    #[schemars(with = "Vec<String>")]
    pub candidates: Vec<Safe>,
}

/// A name that nothing in the repository has.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UnknownPacket {
    /// The name as written.
    #[schemars(with = "String")]
    pub name: Safe,
    /// The nearest names that exist.
    #[schemars(with = "Vec<String>")]
    pub nearest: Vec<Safe>,
}

impl IntentResolution {
    /// What is known of an intent.
    pub fn new(masker: &Masker, base: &FactBase, intent: &Intent) -> Self {
        let id = |node: &NodeId| masker.name(&base.id(*node));
        let ambiguity = |shared: &Ambiguity| AmbiguityPacket {
            name: masker.name(&shared.name),
            candidates: shared.candidates.iter().map(id).collect(),
        };
        let unknown = |unknown: &Unknown| UnknownPacket {
            name: masker.name(&unknown.name),
            nearest: unknown.nearest.iter().map(|name| masker.name(name)).collect(),
        };
        Self {
            certainty: intent.certainty,
            ambiguous: intent.ambiguous.iter().map(ambiguity).collect(),
            unknown: intent.unknown.iter().map(unknown).collect(),
            advice: intent.advice.iter().map(|advice| masker.line(advice)).collect(),
        }
    }

    /// How sure it is as one line for people, with at most so many names of each list.
    pub fn line(&self, most: usize) -> Safe {
        let names = |names: &[Safe]| Safe::join(names.get(..most).unwrap_or(names), ", ");
        let shared = |shared: &AmbiguityPacket| Safe::format("; ambiguous: {} ({})", &[&shared.name, &names(&shared.candidates)]);
        let unknown = |unknown: &UnknownPacket| match unknown.nearest.as_slice() {
            [] => Safe::format("; unknown: {}", &[&unknown.name]),
            nearest => Safe::format("; unknown: {} (nearest: {})", &[&unknown.name, &names(nearest)]),
        };
        let parts: Vec<Safe> = std::iter::once(Safe::format("certainty: {}", &[&Safe::fixed(self.certainty.name())]))
            .chain(self.ambiguous.iter().take(most).map(shared))
            .chain(self.unknown.iter().take(most).map(unknown))
            .chain(self.advice.iter().take(most).map(|advice| Safe::format("; advice: {}", &[advice])))
            .collect();
        Safe::join(&parts, "")
    }

    /// The same for a packet of few tokens, where it is not sure what the task is about.
    pub fn doubt(&self) -> Option<Safe> {
        (self.certainty != Certainty::Strong).then(|| self.line(FEW_NAMES))
    }

    /// The first five of each list, for packets in which they take the place of code.
    #[must_use]
    pub fn brief(mut self) -> Self {
        self.ambiguous.truncate(MAX_NAMES);
        self.ambiguous.iter_mut().for_each(|shared| shared.candidates.truncate(MAX_NAMES));
        self.unknown.truncate(MAX_NAMES);
        self.unknown.iter_mut().for_each(|unknown| unknown.nearest.truncate(MAX_NAMES));
        self.advice.truncate(MAX_NAMES);
        self
    }
}
