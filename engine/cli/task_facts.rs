//! The `facts` format: what was understood and derived for a task, in the written form of facts.
//!
//! One block a relation, in this order; inside a block by node, which is path order for files, then symbols in path and source order:
//!
//! | relation | says |
//! |---|---|
//! | `intent(/verb, /certainty)` | how the task was understood |
//! | `target(node, "words", /how, confidence)` | the task names the node; best first |
//! | `unknown("name")` | the task names what does not exist; in the order of the task |
//! | `link(from, to, /kind, /confidence)` | a rule of the user links them |
//! | `tested_by(node, test)` | a rule of the user says that the test is one of it |
//! | `prior(node, factor)` | by a rule of the user what speaks for it counts so many times |
//! | `hide(node)` | a rule of the user says that it is not to be shown |
//! | `said(item, /section, node, points)` | a rule of the user has something to say there, about the node; items are called by the rule: `house.dl:3` |
//! | `pin(node)` | a rule of the user says that it is shown first |
//! | `cue_hit(node, /cue, strength)` | words of the task speak for the node |
//! | `seed(node, points, /cause, place)` | activation starts here, because of that place |
//! | `score(node, points)` | how much the node matters |
//! | `tier(node, /tier)` | it is hot or warm |
//! | `support(node, share)` | so much independent energy arrives over links, as a share of an exact target |
//! | `certain(node)` | the task points at it, or it scores as much as if it did |
//! | `learnt(file, share)` | the share that a source file has by its place in the learnt order |
//! | `compared(file, n)` | the place of each source file in the learnt order alone, from 1, listed or not; what has no word of the task comes last |
//! | `rank_score(node, share)` | evidence and support of it, its file and what it tests as one number |
//! | `place(node, n)` | its place among all that is hot and warm, from 1: by certainty, rank score, score and path |
//! | `passage_hit("path", first line, last line, /cue, strength)` | the cue speaks for the passage |
//! | `passage_learnt("path", first line, last line, points)` | what was learnt of such passages adds or takes, where it does |
//! | `passage("path", first line, last line, points)` | the passage is worth so much; best first, what fails before all others |
//! | `listed(node, /list, n)` | its place among the files or the definitions, from 1: definitions by their best passage, then by `place` |
//! | `placed(item, /section)` | `item 3 (finding)` of the session, `AGENTS.md:7 (hint)` or `syntax error 0` of the repository goes here |
//!
//! Must not derive anything, nor show a name of the repository unredacted.

use activate_rules::atoms::{Energy, Factor, ItemId, Millionths, NodeId, PassageCue, Thousandths};
use activate_rules::links::{Confidence, LinkKind};
use activate_rules::written::{Decimal, Fact, Value};
use context::activation::{Activated, Active, Custom, Passage, RuleNumber, SYNTAX_ITEMS};
use engine::Activation as Answer;
use index::base::FactBase;
use intent::Intent;
use redact::Masker;
use std::fmt::Write as _;

/// All facts, one a line.
pub(super) fn written(answer: &Answer<'_>) -> String {
    let (base, activation): (&FactBase, &Activated) = (&answer.snapshot.base, &answer.found);
    let items = answer.items();
    let item = |id: ItemId| {
        let known = items.iter().find(|item| item.id == id).map(|item| format!("item {} ({})", id.0, item.kind.name()));
        let found = || {
            let item = answer.found_items.get((id.0 as usize).checked_sub(items.len())?)?;
            Some(format!("{}:{} ({})", answer.masker().name(base.path(item.file)), item.line, item.kind().name()))
        };
        let known = known.or_else(found);
        // Only syntax errors are items that neither the session nor a file of the repository holds.
        Value::text(known.unwrap_or_else(|| format!("syntax error {}", id.0.saturating_sub(SYNTAX_ITEMS))))
    };
    let node = |node: NodeId| Value::text(answer.masker().name(&base.id(node)).as_str());
    let derived = &activation.derived;
    let mut facts = understood(answer.masker(), &activation.intent, &node);
    facts.extend(of_rules(answer.masker(), &activation.custom, &node));
    facts.extend(
        derived
            .cue_hits
            .iter()
            .map(|(id, cue, strength)| Fact::new("cue_hit", [node(*id), Value::name(cue.name()), part(*strength)])),
    );
    facts.extend(derived.seeds.iter().map(|(id, energy, cause, place)| {
        Fact::new("seed", [node(*id), points(*energy), Value::name(cause.name()), node(*place)])
    }));
    facts.extend(derived.scores.iter().map(|(id, energy)| Fact::new("score", [node(*id), points(*energy)])));
    facts.extend(derived.tiers.iter().map(|(id, tier)| Fact::new("tier", [node(*id), Value::name(tier.name())])));
    facts.extend(derived.support.iter().map(|(id, of)| Fact::new("support", [node(*id), share(*of)])));
    facts.extend(derived.certain.iter().map(|id| Fact::new("certain", [node(*id)])));
    facts.extend(derived.learnt.iter().map(|(id, of)| Fact::new("learnt", [node(*id), share(*of)])));
    let compared = context::activation::learnt_order(base, activation);
    facts.extend(compared.into_iter().zip(1..).map(|(id, n)| Fact::new("compared", [node(id), Value::whole(n)])));
    facts.extend(derived.rank_scores.iter().map(|(id, of)| Fact::new("rank_score", [node(*id), share(*of)])));
    facts.extend(derived.ranked().zip(1..).map(|(id, place)| Fact::new("place", [node(id), Value::whole(place)])));
    facts.extend(ordered(answer.masker(), base, activation, &node));
    facts.extend(derived.placed.iter().map(|(of, section)| Fact::new("placed", [item(*of), Value::name(section.name())])));
    let mut text = String::new();
    for fact in facts {
        let _ = writeln!(text, "{fact}");
    }
    text
}

/// What rules of the user gave, but for evidence, which is a cue.
fn of_rules(masker: &Masker, custom: &Custom, node: &dyn Fn(NodeId) -> Value) -> Vec<Fact> {
    let link = |(from, to, kind, confidence, _): &(NodeId, NodeId, LinkKind, Confidence, RuleNumber)| {
        Fact::new("link", [node(*from), node(*to), Value::name(kind.name()), Value::name(confidence.name())])
    };
    let mut facts: Vec<Fact> = custom.links.iter().map(link).collect();
    facts.extend(custom.tested_by.iter().map(|(of, test, _)| Fact::new("tested_by", [node(*of), node(*test)])));
    let factor = |factor: &Factor| Value::Number(Decimal::from_thousandths(i64::from(factor.get())));
    facts.extend(custom.priors.iter().map(|(of, times, _)| Fact::new("prior", [node(*of), factor(times)])));
    facts.extend(custom.hidden.iter().map(|(of, _)| Fact::new("hide", [node(*of)])));
    facts.extend(custom.items.iter().map(|item| {
        let rule = Value::text(masker.name(custom.place(item.rule)).as_str());
        Fact::new("said", [rule, Value::name(item.section.name()), node(item.about), points(item.score)])
    }));
    facts.extend(custom.pins.iter().map(|(of, _)| Fact::new("pin", [node(*of)])));
    facts.sort_by_key(ToString::to_string);
    facts.dedup();
    facts
}

/// What speaks for passages, and the lists in their order.
fn ordered(masker: &Masker, base: &FactBase, activation: &Activated, node: &dyn Fn(NodeId) -> Value) -> Vec<Fact> {
    let at = |passage: &Passage| {
        let (path, line) = (Value::text(masker.name(base.path(passage.file)).as_str()), |line: u32| Value::whole(line as i32));
        [path, line(passage.lines.0), line(passage.lines.1)]
    };
    let hit = |passage: &Passage, cue: PassageCue, strength| {
        let [path, first, last] = at(passage);
        Fact::new("passage_hit", [path, first, last, Value::name(cue.name()), part(strength)])
    };
    let passages = &activation.passages;
    let hits = passages.iter().flat_map(|passage| passage.parts.iter().map(move |(cue, strength)| (passage, *cue, *strength)));
    let mut facts: Vec<Fact> = hits.map(|(passage, cue, strength)| hit(passage, cue, strength)).collect();
    facts.extend(passages.iter().filter(|passage| passage.learnt != Energy::ZERO).map(|passage| {
        let [path, first, last] = at(passage);
        Fact::new("passage_learnt", [path, first, last, points(passage.learnt)])
    }));
    facts.extend(passages.iter().map(|passage| {
        let [path, first, last] = at(passage);
        Fact::new("passage", [path, first, last, points(passage.score)])
    }));
    for (list, active) in [("files", &activation.files), ("definitions", &activation.symbols)] {
        let listed = |(active, n): (&Active, i32)| Fact::new("listed", [node(active.node), Value::name(list), Value::whole(n)]);
        facts.extend(active.iter().zip(1..).map(listed));
    }
    facts
}

fn understood(masker: &Masker, intent: &Intent, node: &dyn Fn(NodeId) -> Value) -> Vec<Fact> {
    let mut facts = vec![Fact::new("intent", [word(&intent.verb), word(&intent.certainty)])];
    facts.extend(intent.targets.iter().map(|target| {
        let text = Value::text(masker.name(&target.text).as_str());
        Fact::new("target", [node(target.node), text, word(&target.how), part(target.confidence)])
    }));
    facts.extend(intent.unknown.iter().map(|unknown| Fact::new("unknown", [Value::text(masker.name(&unknown.name).as_str())])));
    facts
}

/// The word of an enum, as it stands in JSON too.
fn word(value: &impl serde::Serialize) -> Value {
    let word = serde_json::to_value(value).unwrap_or_default();
    Value::name(word.as_str().unwrap_or_default())
}

fn points(energy: Energy) -> Value {
    Value::Number(Decimal::from_thousandths(i64::from(energy.0)))
}

fn share(share: Millionths) -> Value {
    Value::Number(Decimal::from_thousandths(i64::from(share.get() / 1000)))
}

fn part(part: Thousandths) -> Value {
    Value::Number(Decimal::from_thousandths(i64::from(part.get())))
}
