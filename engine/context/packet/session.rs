//! The session packet as one JSON object with stable key order.
//!
//! Every text of a repository is a [`Safe`], so the encoding cannot leak what the context would not show.

use super::resolution::{AmbiguityPacket, IntentResolution, UnknownPacket};
use crate::activation::{Activated, Active};
use crate::{Cause, Delta, Energy, Item, ListText, NodeId, SectionText, SessionContext, Thousandths, Tier};
use error::Problem;
use index::base::FactBase;
use intent::{Certainty, How, Target, Verb};
use redact::{Masker, Safe, Trust};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::cmp::Reverse;

/// The version of the form below.
pub const SCHEMA: &str = "activate.session.v1";
/// The most seeds that are listed; a text of many words can have thousands.
const MAX_SEEDS: usize = 20;

/// A session context with what it was made from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SessionPacket {
    /// Name and version of this form: `activate.session.v1`.
    pub schema: &'static str,
    /// Hash of the content in 32 hexadecimal digits.
    pub pack_id: String,
    /// How the task was understood.
    pub intent: IntentPacket,
    /// Hot and warm files, best first.
    pub files: Vec<FilePacket>,
    /// Hot and warm symbols, best first.
    pub symbols: Vec<SymbolPacket>,
    /// How many nodes were reached but are too cold to be shown.
    pub n_cold: u32,
    /// Tokens of `text`.
    pub tokens: u32,
    /// The most tokens that `text` might have.
    pub budget: u32,
    /// How much of the repository was read, where an answer did not wait for all of it: lists are incomplete.
    pub partial: Option<PartialPacket>,
    /// What became of the packet that was named as sent before.
    pub since: Option<SincePacket>,
    /// The sections that have content, in the order of the text.
    pub sections: Vec<SectionPacket>,
    /// The rendered packet.
    pub text: String,
    /// What this answer does not know.
    pub problems: Vec<ProblemPacket>,
}

/// How much of the repository was read.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PartialPacket {
    /// Files that were read.
    pub files_read: u32,
    /// Files that there are.
    pub files: u32,
}

/// What became of a packet that was sent before. Entries are named by their kind and what they show.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SincePacket {
    /// The packet.
    #[schemars(with = "String")]
    pub pack_id: Safe,
    /// Entries that are shown and were not in it.
    #[schemars(with = "Vec<String>")]
    pub new: Vec<Safe>,
    /// Entries that are shown and were in it with another text.
    #[schemars(with = "Vec<String>")]
    pub changed: Vec<Safe>,
    /// Entries of it that still hold and are not shown again.
    #[schemars(with = "Vec<String>")]
    pub holds: Vec<Safe>,
    /// Entries of it that still hold, at other lines.
    pub moved: Vec<MovedPacket>,
    /// Entries of it that hold no longer.
    pub stale: Vec<StalePacket>,
}

/// An entry that holds at other lines.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MovedPacket {
    /// Its name.
    #[schemars(with = "String")]
    pub entry: Safe,
    /// First and last line now, as `first-last`.
    #[schemars(with = "String")]
    pub lines: Safe,
}

/// An entry that holds no longer.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StalePacket {
    /// Its name.
    #[schemars(with = "String")]
    pub entry: Safe,
    /// What became of it.
    #[schemars(with = "String")]
    pub reason: Safe,
}

/// How the task was understood.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct IntentPacket {
    /// What is to be done.
    #[schemars(with = "String")]
    pub verb: Verb,
    /// Places that the task names, best first.
    pub targets: Vec<TargetPacket>,
    /// How sure the answer is: `strong`, `weak` or `none`.
    #[schemars(with = "String")]
    pub certainty: Certainty,
    /// Where activation starts, strongest first, at most 20.
    pub seeds: Vec<SeedPacket>,
    /// Names that several definitions share.
    pub ambiguous: Vec<AmbiguityPacket>,
    /// Names that nothing in the repository has.
    pub unknown: Vec<UnknownPacket>,
    /// What would make the answer surer.
    #[schemars(with = "Vec<String>")]
    pub advice: Vec<Safe>,
}

/// A place that the task names.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TargetPacket {
    /// Its canonical id: a path, or `path#Container.name`.
    #[schemars(with = "String")]
    pub id: Safe,
    /// The words that name it.
    #[schemars(with = "String")]
    pub text: Safe,
    /// How it was found: `path`, `path_line`, `frame`, `qualified`, `exact`, `alias`, `case_insensitive`, `changed` (by the diff).
    #[schemars(with = "String")]
    pub how: How,
    /// How sure it is that this place is meant, from 0 to 1.
    pub confidence: Points,
    /// The line, where the task gives one.
    pub line: Option<u32>,
}

/// A place where activation starts.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SeedPacket {
    /// Its canonical id.
    #[schemars(with = "String")]
    pub id: Safe,
    /// What made it a seed: `exact`, `error`, `warning`, `note`, `failing_test`, `frame`, `touched`, `evidence`.
    pub how: &'static str,
    /// Its energy as a part of that of an exact target, from 0 to 1.
    pub confidence: Points,
}

/// An active file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FilePacket {
    /// Repository path.
    #[schemars(with = "String")]
    pub path: Safe,
    /// Score in points.
    pub score: Points,
    /// `hot` or `warm`.
    pub tier: &'static str,
    /// How likely it is that the task changes it, from 0 to 1, for source files among the first 100 files; none for what is only to be explained.
    pub likelihood: Option<Points>,
    /// Why it is here, the best reason first.
    #[schemars(with = "Vec<String>")]
    pub reasons: Vec<Safe>,
}

/// An active symbol.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SymbolPacket {
    /// Canonical id.
    #[schemars(with = "String")]
    pub id: Safe,
    /// Path of its file.
    #[schemars(with = "String")]
    pub path: Safe,
    /// Name.
    #[schemars(with = "String")]
    pub name: Safe,
    /// What it is: `function`, `method`, `type` and so on.
    pub kind: &'static str,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// Score in points.
    pub score: Points,
    /// `hot` or `warm`.
    pub tier: &'static str,
}

/// A section.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SectionPacket {
    /// Which section.
    pub name: &'static str,
    /// Tokens of its text.
    pub tokens: u32,
    /// The most tokens that it might have.
    pub budget: u32,
    /// What it says, in order.
    pub items: Vec<ItemPacket>,
    /// The lists among them of which it is known how complete they are: users, dependencies, tests.
    pub lists: Vec<ListPacket>,
    /// How many further items did not fit.
    pub n_cut: u32,
}

/// How much of what there is a list has. It can be empty, and then says why.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListPacket {
    /// The kind of its items: `impacted_file`, `dependency`, `test_command`.
    pub kind: &'static str,
    /// `complete`, `incomplete` or `unknown`.
    pub state: &'static str,
    /// Why it is not complete: unresolved uses, code that is not understood, limits, ambiguous links, what was cut or is not listed.
    #[schemars(with = "Vec<String>")]
    pub reasons: Vec<Safe>,
    /// How many of its items did not fit.
    pub n_cut: u32,
}

/// Something a section says.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ItemPacket {
    /// What it is: `code`, `diagnostic`, `commit` and so on.
    pub kind: &'static str,
    /// Where its text comes from.
    pub trust: Trust,
    /// Canonical id of what it shows.
    #[schemars(with = "Option<String>")]
    pub id: Option<Safe>,
    /// Path of the file it is about.
    #[schemars(with = "Option<String>")]
    pub path: Option<Safe>,
    /// First and last line in that file.
    pub lines: Option<(u32, u32)>,
    /// Score in points.
    pub score: Option<Points>,
    /// `hot` or `warm`.
    pub tier: Option<&'static str>,
    /// Why it is shown.
    #[schemars(with = "Option<String>")]
    pub reason: Option<Safe>,
    /// Its text, without fences.
    #[schemars(with = "String")]
    pub text: Safe,
}

/// Something that was left out.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ProblemPacket {
    /// The stage that met it.
    #[schemars(with = "String")]
    pub stage: Safe,
    /// The path it concerns.
    #[schemars(with = "Option<String>")]
    pub path: Option<Safe>,
    /// What happened and what it means.
    #[schemars(with = "String")]
    pub message: Safe,
}

/// A number of thousandths, written as a decimal number: 150 or 66.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Points(pub i64);

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 1000 == 0 {
            serializer.serialize_i64(self.0 / 1000)
        } else {
            serializer.serialize_f64(self.0 as f64 / 1000.0)
        }
    }
}

impl JsonSchema for Points {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Points".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number" })
    }
}

impl From<Energy> for Points {
    fn from(energy: Energy) -> Self {
        Self(i64::from(energy.0))
    }
}

impl From<Thousandths> for Points {
    fn from(part: Thousandths) -> Self {
        Self(i64::from(part.get()))
    }
}

impl SessionPacket {
    /// The packet of a context and what it was made from.
    pub fn new(masker: &Masker, base: &FactBase, activation: &Activated, context: &SessionContext) -> Self {
        Self {
            schema: SCHEMA,
            pack_id: context.pack_id.clone(),
            intent: IntentPacket::new(masker, base, activation),
            files: activation.files.iter().map(|file| FilePacket::new(masker, base, activation, file, context)).collect(),
            symbols: activation.symbols.iter().filter_map(|symbol| SymbolPacket::new(masker, base, symbol)).collect(),
            n_cold: activation.n_cold,
            tokens: context.tokens.0,
            budget: context.budget.0,
            partial: context.partial.map(|(files_read, files)| PartialPacket { files_read, files }),
            since: context.delta.as_ref().map(SincePacket::new),
            sections: context.sections.iter().map(SectionPacket::new).collect(),
            text: context.text.text.clone(),
            problems: context.problems.iter().map(|problem| ProblemPacket::new(masker, problem)).collect(),
        }
    }

    /// One JSON object, indented, with a line feed at the end.
    pub fn json(&self) -> String {
        super::json(self)
    }
}

impl SincePacket {
    fn new(delta: &Delta) -> Self {
        let stale = |(entry, reason): &(Safe, Safe)| StalePacket { entry: entry.clone(), reason: reason.clone() };
        Self {
            pack_id: delta.pack_id.clone(),
            new: delta.new.clone(),
            changed: delta.changed.clone(),
            holds: delta.holds.clone(),
            moved: delta.moved.iter().map(|(entry, lines)| MovedPacket { entry: entry.clone(), lines: lines.clone() }).collect(),
            stale: delta.stale.iter().map(stale).collect(),
        }
    }
}

impl IntentPacket {
    fn new(masker: &Masker, base: &FactBase, activation: &Activated) -> Self {
        let intent = &activation.intent;
        let id = |node: NodeId| masker.name(&base.id(node));
        let mut seeds: Vec<(NodeId, Energy, Cause)> =
            activation.derived.seeds.iter().map(|(node, energy, cause, _)| (*node, *energy, *cause)).collect();
        seeds.sort_by_key(|(node, energy, cause)| (Reverse(*energy), *node, *cause));
        let mut seen = rustc_hash::FxHashSet::default();
        seeds.retain(|(node, _, _)| seen.insert(*node));
        let start = |(node, energy, cause): &(NodeId, Energy, Cause)| SeedPacket {
            id: id(*node),
            how: cause.name(),
            confidence: Points(i64::from(energy.0 / EXACT_POINTS).clamp(0, i64::from(Thousandths::ONE.get()))),
        };
        let target = |target: &Target| TargetPacket {
            id: id(target.node),
            text: masker.name(&target.text),
            how: target.how,
            confidence: target.confidence.into(),
            line: target.line,
        };
        let IntentResolution { certainty, ambiguous, unknown, advice } = IntentResolution::new(masker, base, intent);
        Self {
            verb: intent.verb,
            targets: intent.targets.iter().map(target).collect(),
            certainty,
            seeds: seeds.iter().take(MAX_SEEDS).map(start).collect(),
            ambiguous,
            unknown,
            advice,
        }
    }
}

/// The points of an exact target: 100 points are a confidence of 1.
const EXACT_POINTS: i32 = 100;

impl FilePacket {
    fn new(masker: &Masker, base: &FactBase, activation: &Activated, file: &Active, context: &SessionContext) -> Self {
        let path = masker.name(base.path(file.node));
        // What the sections say about the file is why it matters to the reader.
        let items =
            context.sections.iter().flat_map(|section| &section.items).filter(|item| item.about.path.as_ref() == Some(&path));
        let mut reasons = vec![context.reason(file.node)];
        for reason in items.filter_map(|item| item.about.reason.clone()) {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons.retain(|reason| !reason.is_empty());
        let likelihood = activation.likelihood(file.node).map(Points::from);
        Self { path, score: file.score.into(), tier: file.tier.name(), likelihood, reasons }
    }
}

impl SymbolPacket {
    fn new(masker: &Masker, base: &FactBase, active: &Active) -> Option<Self> {
        let row = base.symbol(active.node)?;
        Some(Self {
            id: masker.name(&base.id(active.node)),
            path: masker.name(base.path(active.node)),
            name: masker.name(row.name),
            kind: row.kind.word(),
            lines: row.lines,
            score: active.score.into(),
            tier: active.tier.name(),
        })
    }
}

impl SectionPacket {
    fn new(section: &SectionText) -> Self {
        let item = |item: &Item| ItemPacket {
            kind: item.about.kind,
            trust: item.trust,
            id: item.about.id.clone(),
            path: item.about.path.clone(),
            lines: item.about.lines,
            score: item.about.score.map(Points::from),
            tier: item.about.tier.map(Tier::name),
            reason: item.about.reason.clone(),
            text: item.text.clone(),
        };
        let list = |list: &ListText| ListPacket {
            kind: list.kind,
            state: list.state.word(),
            reasons: list.reasons.clone(),
            n_cut: list.n_cut as u32,
        };
        Self {
            name: section.section.name(),
            tokens: section.tokens.0,
            budget: section.budget.0,
            items: section.items.iter().map(item).collect(),
            lists: section.lists.iter().map(list).collect(),
            n_cut: section.n_cut as u32,
        }
    }
}

impl ProblemPacket {
    /// As it is written into a packet.
    pub fn new(masker: &Masker, problem: &Problem) -> Self {
        Self {
            stage: masker.name(&problem.stage),
            path: problem.path.as_ref().map(|path| masker.name(path)),
            message: masker.line(&problem.message),
        }
    }
}
