//! The receipt of a packet of phases: what its fields are from, and which tests and subtasks were considered and are not asked for.

use super::{PhasePacket, TestFiles, TestType, TypeSource};
use crate::receipt::{Of, Receipt, ReceiptBudgets, ReceiptQuery};
use context::packet::candidates::{Importance, Layer, PackCandidate, trust_word};
use context::packet::hash;
use redact::{Masker, Safe, Trust};

/// Where candidates come from and how they were found: nothing is activated for this kind.
const FOUND_BY: [&str; 2] = ["task", "given"];

/// Names of limits: what the scope leaves out, and the tests that are not those wanted.
const OUT_OF_SCOPE: &str = "scope";
const NOT_WANTED: &str = "test-type";

/// What was weighed for a packet beyond what it says.
#[derive(Debug, Clone, Default)]
pub struct Weighed {
    /// The files with tests that were counted, where nobody said which tests are wanted.
    pub tests: Option<TestFiles>,
    /// All subtasks of the task, in its order.
    pub subtasks: Vec<String>,
    /// The time that the caller gave, else that of the last commit of a repository that was read.
    pub ts: String,
}

/// The receipt of a packet before its first phase.
pub fn receipt(masker: &Masker, packet: &PhasePacket, weighed: &Weighed) -> Receipt {
    let candidates = candidates(masker, packet, weighed);
    let n_considered = candidates.len() as u32;
    let json = packet.json();
    let of = Of {
        packet: "phase",
        pack_id: hash(&json),
        ts: masker.name(&weighed.ts),
        query: ReceiptQuery {
            text: masker.line(&packet.feature.description),
            scope: Some(masker.line(&packet.feature.scope_restriction)),
            intent: None,
        },
        // The kind limits characters of each field, not tokens of all.
        budgets: ReceiptBudgets { budget_tokens: 0, max_items: n_considered, max_l2_items: n_considered, nice_cap: 0 },
        found_by: FOUND_BY,
        n_cold: 0,
        fail_open: Vec::new(),
        redactions: masker.count_masks([json.as_str()]),
    };
    Receipt::new(of, &candidates)
}

fn candidates(masker: &Masker, packet: &PhasePacket, weighed: &Weighed) -> Vec<PackCandidate> {
    let (task, feature) = (&packet.task, &packet.feature);
    let given = |kind: &'static str, name: &str, layer, reason| of(masker, kind, name, layer, Safe::fixed(reason));
    let mut found = vec![given("task", &task.task_id, Layer::L2, "named by the caller")];
    if let Some(at_hand) = &task.subtask_id {
        found.push(given("subtask", at_hand, Layer::L0, "named by the caller"));
        let others = weighed.subtasks.iter().filter(|id| *id != at_hand);
        let other = |id: &String| out(given("subtask", id, Layer::L0, "another subtask of the task"), OUT_OF_SCOPE);
        found.extend(others.map(other));
    }
    found.push(given("feature", "description", Layer::L2, "said by the caller"));
    found.push(given("scope", "restriction", Layer::L2, "follows from the ids"));
    for test_type in TestType::ALL {
        let mut one = of(masker, "test-type", test_type.name(), Layer::L0, why(packet, weighed));
        if feature.type_source == TypeSource::Heuristics {
            one.trust = trust_word(Trust::Tracked);
        }
        found.push(if test_type == feature.test_type { one } else { out(one, NOT_WANTED) });
    }
    found
}

/// Why these tests are wanted and no others.
fn why(packet: &PhasePacket, weighed: &Weighed) -> Safe {
    match packet.feature.type_source {
        TypeSource::Directive => Safe::fixed("a directive of the project says which tests are wanted"),
        TypeSource::TaskMaster => Safe::fixed("the task says which tests are wanted"),
        TypeSource::User => Safe::fixed("the user says which tests are wanted"),
        TypeSource::Heuristics => {
            let TestFiles { n_unit, n_integration } = weighed.tests.unwrap_or_default();
            let counts = [Safe::number(n_unit as i64), Safe::number(n_integration as i64)];
            let text = "files of the repository that test one part: {}; that put parts together: {}";
            Safe::format(text, &counts.each_ref())
        }
    }
}

/// Something that is in the packet because the caller says so.
fn of(masker: &Masker, kind: &'static str, name: &str, layer: Layer, reason: Safe) -> PackCandidate {
    PackCandidate {
        reference: Safe::format("{}:{}", &[&Safe::fixed(kind), &masker.name(name)]),
        kind,
        layer,
        importance: Importance::MustRemember,
        trust: trust_word(Trust::Trusted),
        tier: None,
        score: None,
        reason,
        limit: None,
    }
}

/// The same, left out.
fn out(one: PackCandidate, limit: &'static str) -> PackCandidate {
    PackCandidate { importance: Importance::Ignore, limit: Some(limit), ..one }
}
