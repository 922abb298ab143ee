//! What was decided where the documents that a kind of packet comes from say nothing, or two things at once.
//!
//! A sentence each, the same in every receipt of the kind: whoever reads one need not guess. Must hold what the program does, and nothing that
//! it does not.

use crate::validate::Found;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What was decided where a format is silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Decided {
    /// What it is about, kebab case; the same in every version.
    pub key: &'static str,
    /// What holds.
    pub says: &'static str,
}

const fn decided(key: &'static str, says: &'static str) -> Decided {
    Decided { key, says }
}

const TIME: Decided =
    decided("time", "The time is the one that the caller gives, else that of the last commit, and never that of the clock.");

const SESSION: [Decided; 6] = [
    decided(
        "links",
        "A link is followed from both of its ends, each with a weight of its own: rule and example of the format disagree.",
    ),
    decided("boosts", "A boost counts once for each file: by rules that feed themselves no score would be final."),
    decided("shares", "A section has the smaller of its need and its share; what is left goes to the neighbourhood first."),
    decided("placement", "What blocks a task and what it fulfils stand in the campaign, the history of the session in the past."),
    decided("empty-sections", "A section without content is not there."),
    TIME,
];
const CONTEXT_PACK: [Decided; 7] = [
    decided(
        "layers",
        "L0 names something on a line, L1 shows a signature or a sentence of it, L2 would be its whole text and is read by reference.",
    ),
    decided("importance", "Pins and what is hot must be remembered, what is warm is nice to have, and what is cold is left out."),
    decided(
        "protected-tail",
        "The last two steps of the session and the pins are never left out; of summaries the oldest goes first.",
    ),
    decided("kinds", "While others want in, code has at most half of the items, and every other kind a quarter."),
    decided(
        "trust",
        "Files that git tracks are unknown, what the caller names is trusted, and what strangers wrote is untrusted.",
    ),
    decided("url", "The url of a citation is null: a reference is a place of the repository."),
    TIME,
];
const MANIFEST: [Decided; 7] = [
    decided("depth", "Depth is the greatest number of links between a place and what the task names."),
    decided("topk", "Topk is the greatest number of places at which words of the task let activation start."),
    decided(
        "order",
        "The best places enter first, wherever they stand, and are listed by file; what does not fit gives way to what does.",
    ),
    decided("pins", "Pins count against the budgets and are always in; pins that alone are over them are an error."),
    decided(
        "auto-pins",
        "Requirements and what agents are told are pinned unasked, each file that leaves three quarters of the pack to the task.",
    ),
    decided(
        "kept",
        "A pack that was sent is kept as it was, masked; lines of a file that has changed since are not given for it.",
    ),
    TIME,
];
const PHASE: [Decided; 6] = [
    decided("over", "A phase is over when its status begins with done, complete, completed, passed, approved or skipped."),
    decided("order", "A phase begins when all before it are over, and stays as it is once the next has begun."),
    decided("verified", "REFACTOR waits until GREEN is verified; GREEN waits for a RED that is over, verified or not."),
    decided("no-subtask", "Without a subtask the restriction of the scope names the task."),
    decided("one-line", "Each value stands on one line: a line end and what else would be misread is written as a sign."),
    decided("tests", "Command, file and intent of the tests are set from RED on, and can be replaced but not taken away."),
];
const WORKER: [Decided; 8] = [
    decided(
        "state-lines",
        "The format gives 150 lines of state and 80: the most are 150, and 80 unless the caller says otherwise.",
    ),
    decided(
        "derived",
        "Modules, symbols and tests that the plan lacks are derived from the code; contracts, criteria and boundaries are not.",
    ),
    decided(
        "other-files",
        "Other files may be named, as in dependencySymbols and testsSlice; none of their content is there, nor a right to write.",
    ),
    decided(
        "tests",
        "A test of a file that the map lacks looks like one by name or folder, or is code of the same package that holds tests.",
    ),
    decided("owners", "Of several modules that own a file, those count that know it best."),
    decided("files", "A file of the task that does not exist is empty; one that cannot be read is an error."),
    decided("words", "tddMode is hard, standard or skip; riskTier is low, medium, high or critical."),
    decided(
        "requests",
        "A file that the packet's files use, or that activation from them finds hot, is granted to a worker who asks; others are not.",
    ),
];

/// What was decided for a kind of packet.
pub(crate) fn of(packet: &str) -> &'static [Decided] {
    match packet {
        "session" => &SESSION,
        "context-pack" => &CONTEXT_PACK,
        "manifest" | "hydrated" => &MANIFEST,
        "phase" => &PHASE,
        "worker" => &WORKER,
        _ => &[],
    }
}

/// Says of the decisions of a receipt whether one lacks its key or its sentence, or stands there twice. Older receipts have none.
pub(crate) fn check(found: &mut Found, place: &str, receipt: &Map<String, Value>) {
    if !receipt.contains_key("decisions") {
        return;
    }
    let mut keys: BTreeSet<&str> = BTreeSet::new();
    let mut own = Found::default();
    let rules = ["decisions-array", "decision-object"];
    own.each(receipt, "decisions", rules, &["key", "says"], |found, place, one| {
        let [key, says] = ["key", "says"].map(|name| one.get(name).and_then(Value::as_str).unwrap_or_default());
        let is_new = keys.insert(key);
        if key.is_empty() || says.is_empty() || !is_new {
            found.add("decision", place, "expected a key of its own and a sentence");
        }
    });
    found.0.extend(own.0.into_iter().map(|violation| {
        let place = if place.is_empty() { violation.place.clone() } else { format!("{place}.{}", violation.place) };
        crate::validate::Violation { place, ..violation }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Kind;
    use crate::validate::told;
    use serde_json::json;

    #[test]
    fn every_kind_says_what_was_decided_for_it_in_few_sentences() {
        let kinds = Kind::ALL.iter().map(|kind| kind.name()).chain(["phase", "worker"]);
        for kind in kinds {
            let decided = of(kind);
            assert!((4..=8).contains(&decided.len()), "{kind}");
            let keys: BTreeSet<&str> = decided.iter().map(|one| one.key).collect();
            assert_eq!(keys.len(), decided.len(), "{kind}");
            for Decided { key, says } in decided {
                assert!(key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{key}");
                assert!(says.ends_with('.') && says.len() <= 150, "{key}: {} characters", says.len());
            }
        }
    }

    #[test]
    fn of_many_decisions_each_that_has_the_key_of_one_before_is_told_in_its_order() {
        let keys = (0..40_000).map(|n| format!("k{n}")).chain(["k39999", "k0", "", "new"].map(str::to_owned));
        let decisions: Vec<Value> = keys.map(|key| json!({"key": key, "says": "It holds."})).collect();
        let receipt = json!({"decisions": decisions});
        let mut found = Found::default();
        check(&mut found, "extensions", receipt.as_object().unwrap());
        let expected = [40_000, 40_001, 40_002].map(|at| format!("decision at extensions.decisions[{at}]"));
        assert_eq!(told(&found.0), expected);
    }
}
