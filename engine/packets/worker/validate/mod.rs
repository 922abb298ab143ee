//! The checker of a worker's packet: fourteen rules, each a criterion of the format, each with its name.
//!
//! Takes the packet's text and what else is known: rules that only the task or the plan can prove are checked where these are given. Pure;
//! never panics, and shows nothing of a packet that is not masked.

mod planned;
mod receipted;
mod slots;

use super::SLOTS;
use super::json::Json;
use super::plan::Plan;
use super::task::Task;
use crate::validate::Violation;
use redact::Masker;

/// The fields beside the slots.
const LABELS: [&str; 2] = ["tddMode", "riskTier"];

/// The names of the rules, in the order of the format's criteria.
pub(super) mod rule {
    /// Exactly the ten slots, each of its form.
    pub(in super::super) const TEN_SLOTS: &str = "ten-slots";
    /// `files` is the task's list.
    pub(in super::super) const FILES: &str = "files-equal-task";
    /// `filesContent` has an entry for every file.
    pub(in super::super) const CONTENT: &str = "files-content-complete";
    /// Only modules that own the files.
    pub(in super::super) const ARCHITECTURE: &str = "architecture-owns-files";
    /// Only contracts that overlap with the files.
    pub(in super::super) const CONTRACTS: &str = "contracts-overlap-files";
    /// Symbols of files that are imported and not owned.
    pub(in super::super) const SYMBOLS: &str = "dependency-symbols-not-owned";
    /// Test files of the files.
    pub(in super::super) const TESTS: &str = "tests-of-files";
    /// Only the table of rules, at most 30 lines.
    pub(in super::super) const SCARS: &str = "scars-table-only";
    /// Only the criteria of the task, at most 50 lines.
    pub(in super::super) const CRITERIA: &str = "acceptance-of-task";
    /// At most 150 lines of state, with rules and note.
    pub(in super::super) const STATE: &str = "state-digest-limit";
    /// The plan's list word for word.
    pub(in super::super) const BOUNDARIES: &str = "boundaries-verbatim";
    /// `tddMode` and `riskTier` are there.
    pub(in super::super) const LABELS: &str = "tdd-and-risk-present";
    /// No context of the whole repository.
    pub(in super::super) const NARROW: &str = "no-repository-context";
    /// No content of other files, and no right to write them.
    pub(in super::super) const OTHERS: &str = "no-other-files";
}

/// What is known besides the packet.
#[derive(Debug, Clone, Copy, Default)]
pub struct Given<'a> {
    /// The task that the packet is of.
    pub task: Option<&'a Task>,
    /// The plan that it was made from.
    pub plan: Option<&'a Plan>,
}

/// Whether a text is a packet of this kind, right or not: an object with most of its slots.
pub fn is_worker(text: &str) -> bool {
    let Ok(packet) = Json::parse(text) else { return false };
    SLOTS.iter().filter(|slot| packet.get(slot).is_some()).count() > SLOTS.len() / 2
}

/// The rules that a packet breaks, in the order of the rules, then of the packet.
pub fn validate(masker: &Masker, packet: &str, given: Given<'_>) -> Vec<Violation> {
    let mut found = Found { masker, violations: Vec::new() };
    let packet = match Json::parse(packet) {
        Ok(packet @ Json::Object(_)) => packet,
        Ok(other) => {
            found.add(rule::TEN_SLOTS, "packet", format!("it is {}; expected an object with ten slots", other.form()));
            return found.violations;
        }
        Err(error) => {
            let place = format!("line {} column {}", error.line(), error.column());
            found.add(rule::TEN_SLOTS, &place, "this is not JSON");
            return found.violations;
        }
    };
    let slots = slots::Slots::of(&packet, &mut found);
    slots.validate(given.task, &mut found);
    labels(&packet, given.task, &mut found);
    slots.check_narrow(given.task, &mut found);
    if let Some(plan) = given.plan {
        planned::validate(&slots, plan, given.task, &mut found);
    }
    let order = |violation: &Violation| RULES.iter().position(|rule| *rule == violation.rule);
    found.violations.sort_by_key(order);
    found.violations
}

/// The rules that a packet breaks as far as its receipt proves it: files, symbols and tests that are not those which the receipt says where
/// they are from. Where the receipt breaks rules of its own, nothing follows from it; see [`super::receipt::validate`].
pub fn against_receipt(masker: &Masker, packet: &str, receipt: &str, given: Given<'_>) -> Vec<Violation> {
    let mut found = Found { masker, violations: Vec::new() };
    if let (Ok(packet), Ok(receipt)) = (Json::parse(packet), Json::parse(receipt)) {
        // What is wrong with its form is found without the receipt.
        let slots = slots::Slots::of(&packet, &mut Found { masker, violations: Vec::new() });
        receipted::validate(&slots, &receipt, given.plan, &mut found);
    }
    found.violations
}

/// The rules in their order.
pub(super) const RULES: [&str; 14] = [
    rule::TEN_SLOTS,
    rule::FILES,
    rule::CONTENT,
    rule::ARCHITECTURE,
    rule::CONTRACTS,
    rule::SYMBOLS,
    rule::TESTS,
    rule::SCARS,
    rule::CRITERIA,
    rule::STATE,
    rule::BOUNDARIES,
    rule::LABELS,
    rule::NARROW,
    rule::OTHERS,
];

/// What was found.
#[derive(Debug)]
struct Found<'m> {
    masker: &'m Masker,
    violations: Vec<Violation>,
}

impl Found<'_> {
    /// Adds a rule that is broken. Place and message may name what strangers wrote.
    fn add(&mut self, rule: &'static str, place: &str, message: impl AsRef<str>) {
        let message = self.masker.line(message.as_ref()).as_str().to_owned();
        self.violations.push(Violation { rule, place: self.masker.line(place).as_str().to_owned(), message });
    }
}

/// `tddMode` and `riskTier`: there, known, and those of the task.
fn labels(packet: &Json, task: Option<&Task>, found: &mut Found<'_>) {
    let known = [&["hard", "standard", "skip"][..], &["low", "medium", "high", "critical"]];
    let written = |value: serde_json::Result<serde_json::Value>| value.ok().and_then(|value| value.as_str().map(str::to_owned));
    let of_task = [
        task.and_then(|task| written(serde_json::to_value(task.tdd_mode))),
        task.and_then(|task| written(serde_json::to_value(task.risk_tier))),
    ];
    for ((label, known), of_task) in LABELS.iter().zip(known).zip(of_task) {
        let expected = known.join(", ");
        match packet.get(label).map(Json::text) {
            None => found.add(rule::LABELS, label, format!("it is missing; expected one of {expected}")),
            Some(Some(text)) if known.contains(&text) => {
                if let Some(of_task) = of_task.filter(|of_task| of_task != text) {
                    found.add(rule::LABELS, label, format!("it is `{text}`, and the task says `{of_task}`"));
                }
            }
            Some(_) => found.add(rule::LABELS, label, format!("expected one of {expected}")),
        }
    }
}
