//! What was considered for a packet, in the words that all kinds share: references, layers, importance and trust.

use crate::pieces::About;
use crate::{Candidate, Disposition, Energy, Section, Tier};
use activate_rules::items::ItemKind;
use redact::{Safe, Trust};
use schemars::JsonSchema;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

/// How much of something is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub enum Layer {
    /// One line that names it.
    L0,
    /// Its signature or a summary.
    L1,
    /// Its full text.
    L2,
}

impl Layer {
    /// The name of the layer.
    pub const fn name(self) -> &'static str {
        match self {
            Self::L0 => "L0",
            Self::L1 => "L1",
            Self::L2 => "L2",
        }
    }
}

/// How much depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Importance {
    /// Pins, what is hot, what fails and what must not be done.
    MustRemember,
    /// What is warm.
    NiceToHave,
    /// What is cold.
    Ignore,
}

impl Importance {
    /// The name of the level.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MustRemember => "must_remember",
            Self::NiceToHave => "nice_to_have",
            Self::Ignore => "ignore",
        }
    }

    /// That of an item of a section.
    pub fn of(section: Section, kind: &str, tier: Option<Tier>) -> Self {
        match tier {
            Some(Tier::Hot) => Self::MustRemember,
            Some(Tier::Cold) => Self::Ignore,
            None if kind == PIN || matches!(section, Section::Blockers | Section::Supervisor) => Self::MustRemember,
            Some(Tier::Warm) | None => Self::NiceToHave,
        }
    }
}

/// Why items of a kind of the session are there, where they do not say so themselves. `None`: the name of the section says it.
const fn reason_of(kind: ItemKind) -> Option<&'static str> {
    Some(match kind {
        ItemKind::Action => "what the session did last",
        ItemKind::Branch | ItemKind::WorkingChange => "state of the working tree",
        ItemKind::Campaign => "what the task is part of",
        ItemKind::CodeNote => "what to know before changing it",
        ItemKind::Commit => "says why the code is as it is",
        ItemKind::Finding => "a reviewer found it",
        ItemKind::History => "what the session did before",
        ItemKind::ShardResult => "what another shard did",
        ItemKind::Tool => "a command of the repository",
        ItemKind::Error
        | ItemKind::Warning
        | ItemKind::Note
        | ItemKind::FailingTest
        | ItemKind::TestState
        | ItemKind::SafetyWarning
        | ItemKind::BlockedAction
        | ItemKind::Knowledge
        | ItemKind::Hint
        | ItemKind::Exemplar
        | ItemKind::AntiPattern => return None,
    })
}

/// The same of kinds that no session gives.
const REASONS: [(&str, &str); 3] = [
    ("dependency", "imported by what is to change"),
    ("diagnostic", "a tool reports it"),
    ("outline", "what a likely file defines"),
];

/// The kind of an item that the caller named.
pub const PIN: &str = "pin";

/// How far an item can be trusted, in the words of packs: `trusted` was said by the caller, `unknown` stands in a tracked file.
pub const fn trust_word(trust: Trust) -> &'static str {
    match trust {
        Trust::Trusted => "trusted",
        Trust::Tracked => "unknown",
        Trust::Untracked | Trust::Generated | Trust::CommitMessage | Trust::Log => "untrusted",
    }
}

/// Something that was considered for a packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackCandidate {
    /// Its name in the packet: a path with lines, a symbol, or its kind with a hash.
    pub reference: Safe,
    /// What it is: one word.
    pub kind: &'static str,
    /// How much of it is shown.
    pub layer: Layer,
    /// How much depends on it.
    pub importance: Importance,
    /// How far it can be trusted.
    pub trust: &'static str,
    /// `hot`, `warm` or `cold`; none for what no score is about.
    pub tier: Option<&'static str>,
    /// Its score.
    pub score: Option<Energy>,
    /// Why it was considered; never empty.
    pub reason: Safe,
    /// The name of the limit that stopped it; none where it is in the packet.
    pub limit: Option<&'static str>,
}

impl PackCandidate {
    /// Something that the caller named.
    pub fn pin(reference: Safe, layer: Layer) -> Self {
        Self {
            reference,
            kind: PIN,
            layer,
            importance: Importance::MustRemember,
            trust: trust_word(Trust::Trusted),
            tier: None,
            score: None,
            reason: Safe::fixed("named by the caller"),
            limit: None,
        }
    }

    /// A candidate of a session context.
    pub fn new(candidate: &Candidate) -> Self {
        Self::part(candidate, &candidate.about)
    }

    /// A part of a candidate of a session context: one of the symbols that it shows.
    pub fn part(candidate: &Candidate, about: &About) -> Self {
        Self {
            reference: reference(about.kind, about.id.as_ref(), about.path.as_ref(), about.lines, &candidate.key),
            kind: about.kind,
            layer: match candidate.fate {
                _ if about.lines.is_none() => Layer::L0,
                Disposition::Shown { smaller: false } => Layer::L2,
                Disposition::Shown { smaller: true } | Disposition::Stopped(_) => Layer::L1,
            },
            importance: Importance::of(candidate.section, about.kind, about.tier),
            trust: trust_word(about.trust.unwrap_or(Trust::Trusted)),
            tier: about.tier.map(Tier::name),
            score: about.score,
            reason: about
                .reason
                .clone()
                .filter(|reason| !reason.is_empty())
                .unwrap_or_else(|| Safe::fixed(said_by(about.kind, candidate.section))),
            limit: match candidate.fate {
                Disposition::Shown { .. } => None,
                Disposition::Stopped(limit) => Some(limit.name()),
            },
        }
    }
}

/// Why something is there of which nobody says why.
fn said_by(kind: &str, section: Section) -> &'static str {
    let of_place = || REASONS.iter().find(|(of, _)| *of == kind).map(|(_, reason)| *reason);
    ItemKind::from_name(kind).and_then(reason_of).or_else(of_place).unwrap_or_else(|| section.name())
}

/// What is a place of the repository and nothing else: it is called by its place alone.
const PLACES: [&str; 7] = [PIN, "code", "dependency", "impacted_file", "likely_file", "outline", "linked"];

/// The name of an item: a symbol, a path with its lines or a path for a place; for what is said of a place its kind stands before that, and
/// before a hash of what names it where it has no place.
pub fn reference(kind: &'static str, id: Option<&Safe>, path: Option<&Safe>, lines: Option<(u32, u32)>, key: &str) -> Safe {
    let is_place = PLACES.contains(&kind);
    match (id, path, lines) {
        (Some(id), ..) if is_place && id.as_str().contains('#') => id.clone(),
        (_, Some(path), Some((first, last))) => Safe::format("{}:{}-{}", &[path, &Safe::number(first), &Safe::number(last)]),
        (_, Some(path), None) if is_place => path.clone(),
        (Some(id), ..) => Safe::format("{}:{}", &[&Safe::fixed(kind), id]),
        _ => Safe::format("{}:{}", &[&Safe::fixed(kind), &Safe::hash(xxh3_64(key.as_bytes()))]),
    }
}

/// Makes references unique: the second of a name gets `~2` behind it.
pub fn tell_apart<'a>(references: impl Iterator<Item = &'a mut Safe>) {
    let mut n_alike: rustc_hash::FxHashMap<Safe, i64> = rustc_hash::FxHashMap::default();
    for reference in references {
        let n = n_alike.entry(reference.clone()).and_modify(|n| *n += 1).or_insert(1);
        if *n > 1 {
            *reference = Safe::format("{}~{}", &[reference, &Safe::number(*n)]);
        }
    }
}
