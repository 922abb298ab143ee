//! The receipt of a packet: everything that was considered with what became of it, in the form `openclaw-mem.pack.trace.v1`.
//!
//! Names, numbers and reasons: a receipt holds no content.

pub mod validate;

use super::candidates::{Importance, Layer, PackCandidate};
use super::decisions::{self, Decided};
use context::packet::session::Points;
use redact::Safe;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The name and version of the form, which is not ours: its consumers look for it.
pub const KIND: &str = "openclaw-mem.pack.trace.v1";
/// The version of its schema.
const SCHEMA: &str = "v1";
/// The program with its version, in the place of the form's own producer.
const PRODUCER: &str = concat!("activate ", env!("CARGO_PKG_VERSION"));
/// What begins the producer of every receipt of ours.
const OURS: &str = "activate ";
/// The lanes, hottest first: what has no score stands with what is hot if it must be remembered, else with what is warm.
const LANES: [&str; 3] = ["hot", "warm", "cold"];

/// A receipt.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Receipt {
    /// Name and version of this form: `openclaw-mem.pack.trace.v1`.
    pub kind: &'static str,
    /// The time that the caller gave, else that of the last commit.
    #[schemars(with = "String")]
    pub ts: Safe,
    /// Who made it.
    pub version: Version,
    /// What was asked.
    pub query: ReceiptQuery,
    /// What held.
    pub budgets: ReceiptBudgets,
    /// Where was looked: hot, warm and cold.
    pub lanes: Vec<Lane>,
    /// Everything that was considered, in the order of the packet.
    pub candidates: Vec<CandidateReceipt>,
    /// What came out.
    pub output: Output,
    /// Always zero: the same input gives the same bytes.
    pub timing: Timing,
    /// What this form has no place for.
    pub extensions: Extensions,
}

/// Who made a receipt.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Version {
    /// The program with its version.
    pub openclaw_mem: &'static str,
    /// Version of the form.
    pub schema: &'static str,
}

/// What was asked.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReceiptQuery {
    /// What is to be done.
    #[schemars(with = "String")]
    pub text: Safe,
    /// What the caller limits it to.
    #[schemars(with = "Option<String>")]
    pub scope: Option<Safe>,
    /// The verb that the task was understood as.
    #[schemars(with = "Option<String>")]
    pub intent: Option<Safe>,
}

/// What held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptBudgets {
    /// The most tokens.
    pub budget_tokens: u32,
    /// The most items.
    pub max_items: u32,
    /// The most items with their full text.
    #[serde(rename = "maxL2Items")]
    pub max_l2_items: u32,
    /// The most items that are nice to have.
    pub nice_cap: u32,
}

/// Where was looked.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Lane {
    /// `hot`, `warm` or `cold`.
    pub name: &'static str,
    /// What gave its candidates.
    pub source: &'static str,
    /// Whether it was looked at.
    pub searched: bool,
    /// How.
    pub retrievers: Vec<Retriever>,
}

/// How a lane was searched.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Retriever {
    /// Its kind.
    pub kind: &'static str,
    /// How many it gave.
    pub top_k: u32,
}

/// What became of a candidate.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CandidateReceipt {
    /// Its name in the packet.
    #[schemars(with = "String")]
    pub id: Safe,
    /// How much of it is shown.
    pub layer: Layer,
    /// How much depends on it.
    pub importance: Importance,
    /// `trusted`, `unknown` or `untrusted`.
    pub trust: &'static str,
    /// Its scores; those of other retrievers are zero.
    pub scores: Scores,
    /// What was decided and why.
    pub decision: Decision,
    /// Where it comes from.
    pub citations: ReceiptCitations,
}

/// Scores of a candidate.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Scores {
    /// Always zero: ranks are not fused.
    pub rrf: u32,
    /// Always zero: text search is one cue among others.
    pub fts: u32,
    /// Always zero: nothing is guessed by vectors.
    pub semantic: u32,
    /// Energy in points; zero for what has no score.
    pub activation: Points,
}

/// What was decided.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Decision {
    /// Whether it is in the packet.
    pub included: bool,
    /// Words for what decided: its tier or kind, then the limit that stopped it.
    pub reason: Vec<&'static str>,
    /// Why it was considered, for people.
    #[schemars(with = "Vec<String>")]
    pub rationale: Vec<Safe>,
    /// Which caps stopped it.
    pub caps: Caps,
}

/// Which caps of the form stopped a candidate.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Caps {
    /// That of items that are nice to have.
    pub nice_cap_hit: bool,
    /// That of full texts.
    #[serde(rename = "l2CapHit")]
    pub l2_cap_hit: bool,
}

/// Where a candidate comes from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptCitations {
    /// Always null: references are places of the repository.
    pub url: Option<String>,
    /// The name of the item.
    #[schemars(with = "String")]
    pub record_ref: Safe,
}

/// What came out.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Candidates in the packet.
    pub included_count: u32,
    /// Candidates that are not.
    pub excluded_count: u32,
    /// Those with their full text.
    #[serde(rename = "l2IncludedCount")]
    pub l2_included_count: u32,
    /// Citations in the packet.
    pub citations_count: u32,
    /// Always empty: nothing is refreshed by being shown.
    pub refreshed_record_refs: Vec<String>,
    /// Whether everything in the packet says where it comes from and why.
    pub coverage: Coverage,
}

/// Whether everything in the packet says where it comes from and why.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// Items without a reason: always 0.
    pub rationale_missing_count: u32,
    /// Items without a citation: always 0.
    pub citation_missing_count: u32,
    /// Whether none lacks a reason.
    pub all_included_have_rationale: bool,
    /// Whether none lacks a citation.
    pub all_included_have_citations: bool,
}

/// How long it took: nothing, for the same input gives the same bytes.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Timing {
    /// Always 0.
    #[serde(rename = "durationMs")]
    pub duration_ms: u32,
    /// Always empty.
    pub stages: BTreeMap<String, u32>,
    /// Always 0.
    pub total_ms: u32,
}

/// What the form has no place for.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Extensions {
    /// Ours.
    pub activate: Own,
}

/// What only our receipts say.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Own {
    /// Hash of the whole receipt in 32 hexadecimal digits.
    pub receipt_id: String,
    /// The kind of packet.
    pub packet: &'static str,
    /// Its id.
    pub pack_id: String,
    /// Candidates by lane.
    pub by_lane: BTreeMap<&'static str, u32>,
    /// Candidates in the packet by trust.
    pub by_trust: BTreeMap<&'static str, u32>,
    /// Candidates in the packet by importance.
    pub by_importance: BTreeMap<&'static str, u32>,
    /// Candidates that are not in the packet, by the limit that stopped them.
    pub by_limit: BTreeMap<&'static str, u32>,
    /// Where a preference for trust could not be met.
    #[schemars(with = "Vec<String>")]
    pub fail_open: Vec<Safe>,
    /// Masks in the packet, by kind; what a file itself writes like a mask is counted with them.
    #[schemars(with = "BTreeMap<String, u32>")]
    pub redactions: BTreeMap<Safe, u32>,
    /// What was decided where the documents that the kind comes from are silent.
    pub decisions: &'static [Decided],
}

/// What a receipt is about.
#[derive(Debug, Clone)]
pub struct Of {
    /// The kind of packet.
    pub packet: &'static str,
    /// Its id.
    pub pack_id: String,
    /// The time.
    pub ts: Safe,
    /// What was asked.
    pub query: ReceiptQuery,
    /// What held.
    pub budgets: ReceiptBudgets,
    /// What gave the candidates, and how.
    pub found_by: [&'static str; 2],
    /// Nodes that were reached and are too cold to be considered.
    pub n_cold: u32,
    /// Where a preference could not be met.
    pub fail_open: Vec<Safe>,
    /// Masks in the packet.
    pub redactions: BTreeMap<Safe, u32>,
}

impl Receipt {
    /// The receipt of a packet for which these were considered.
    pub fn new(of: Of, candidates: &[PackCandidate]) -> Self {
        let included = || candidates.iter().filter(|one| one.limit.is_none());
        let count = |list: Vec<&'static str>| {
            list.into_iter().fold(BTreeMap::new(), |mut counts, word| {
                *counts.entry(word).or_insert(0) += 1;
                counts
            })
        };
        let mut by_lane: BTreeMap<&'static str, u32> = count(candidates.iter().map(lane).collect());
        *by_lane.entry(LANES[2]).or_insert(0) += of.n_cold;
        let [source, kind] = of.found_by;
        let lanes = LANES.map(|name| {
            let top_k = by_lane.get(name).copied().unwrap_or_default();
            Lane { name, source, searched: true, retrievers: vec![Retriever { kind, top_k }] }
        });
        let n_included = included().count() as u32;
        let n_without_reason = included().filter(|one| one.reason.is_empty()).count() as u32;
        let n_without_citation = included().filter(|one| one.reference.is_empty()).count() as u32;
        let mut receipt = Self {
            kind: KIND,
            ts: of.ts,
            version: Version { openclaw_mem: PRODUCER, schema: SCHEMA },
            query: of.query,
            budgets: of.budgets,
            lanes: lanes.to_vec(),
            candidates: candidates.iter().map(candidate).collect(),
            output: Output {
                included_count: n_included,
                excluded_count: candidates.len() as u32 - n_included,
                l2_included_count: included().filter(|one| one.layer == Layer::L2).count() as u32,
                citations_count: n_included - n_without_citation,
                refreshed_record_refs: Vec::new(),
                coverage: Coverage {
                    rationale_missing_count: n_without_reason,
                    citation_missing_count: n_without_citation,
                    all_included_have_rationale: n_without_reason == 0,
                    all_included_have_citations: n_without_citation == 0,
                },
            },
            timing: Timing::default(),
            extensions: Extensions {
                activate: Own {
                    receipt_id: String::new(),
                    packet: of.packet,
                    pack_id: of.pack_id,
                    by_lane,
                    by_trust: count(included().map(|one| one.trust).collect()),
                    by_importance: count(included().map(|one| one.importance.name()).collect()),
                    by_limit: count(candidates.iter().filter_map(|one| one.limit).collect()),
                    fail_open: of.fail_open,
                    redactions: of.redactions,
                    decisions: decisions::of(of.packet),
                },
            },
        };
        super::identify(&mut receipt, |receipt| &mut receipt.extensions.activate.receipt_id);
        receipt
    }

    /// One JSON object, indented, with a line feed at the end.
    pub fn json(&self) -> String {
        super::json(self)
    }
}

fn lane(one: &PackCandidate) -> &'static str {
    match (one.tier, one.importance) {
        (Some(tier), _) if LANES.contains(&tier) => tier,
        (_, Importance::MustRemember) => LANES[0],
        (_, Importance::NiceToHave) => LANES[1],
        (_, Importance::Ignore) => LANES[2],
    }
}

fn candidate(one: &PackCandidate) -> CandidateReceipt {
    CandidateReceipt {
        id: one.reference.clone(),
        layer: one.layer,
        importance: one.importance,
        trust: one.trust,
        scores: Scores { rrf: 0, fts: 0, semantic: 0, activation: one.score.map_or(Points(0), Points::from) },
        decision: Decision {
            included: one.limit.is_none(),
            reason: [one.kind].into_iter().chain(one.tier).chain(one.limit).collect(),
            rationale: vec![one.reason.clone()],
            caps: Caps {
                nice_cap_hit: one.limit == Some("max-items") && one.importance == Importance::NiceToHave,
                l2_cap_hit: false,
            },
        },
        citations: ReceiptCitations { url: None, record_ref: one.reference.clone() },
    }
}
