//! A derivation as sentences with their arithmetic, for people.
//!
//! Must not look anything up: all numbers stand in the steps, and the caller knows the names of nodes.

use crate::atoms::{Cause, Cue, Energy, Millionths, NodeId, Thousandths};
use crate::columns::Named;
use crate::learnt::UNIT;
use crate::rank::{Decision, RankSource, Ranking};
use crate::why::{CueEvidence, Step, Why, WhyNot};

/// The steps of a derivation from the seed to the node, one line each. `names` gives the name of a node.
pub fn explain(why: &Why, names: &dyn Fn(NodeId) -> String) -> Vec<String> {
    why.steps.iter().map(|step| explain_step(step, names)).collect()
}

/// One sentence about what stopped `node`. `names` gives the name of a node.
pub fn explain_not(node: NodeId, why_not: WhyNot, names: &dyn Fn(NodeId) -> String) -> String {
    let name = names(node);
    match why_not {
        WhyNot::Shown { tier } => format!("{name} is shown: it is {}", tier.name()),
        WhyNot::Hidden { score } => format!("{name} was reached with {score}, and a rule hides it"),
        WhyNot::Cold { score, warm } => format!("{name} was reached with {score}, under the {warm} from which a node is shown"),
        WhyNot::LittleEvidence { evidence, threshold, prior } => {
            let prior = prior.map_or_else(String::new, |prior| format!(" by a prior of {prior}"));
            format!("words speak for {name} with {evidence}{prior}, under the {threshold} that a seed needs")
        }
        WhyNot::WeakSeed { from, energy } => {
            format!("{name} is linked to {} ({energy}), a word hit too far under the best seed to pass energy on", names(from))
        }
        WhyNot::Gate { from, energy, gate } => {
            format!("{name} is linked to {} ({energy}), which does not exceed the gate of {gate}", names(from))
        }
        WhyNot::TooFar { from, energy, depth } => {
            format!("{name} is linked to {} ({energy}), which is {depth} hops from a seed, as far as energy goes", names(from))
        }
        WhyNot::Outside { from, energy } => {
            format!("{name} is linked to {} ({energy}), a package from outside that the task does not point at", names(from))
        }
        WhyNot::Faint { from, energy, least } => {
            format!("{name} is linked to {} ({energy}), but less than {least} comes through", names(from))
        }
        WhyNot::Unlinked => format!("nothing that was reached is linked to {name}"),
    }
}

/// One sentence about the place of a node: `rank: a.go: noisy-or of 0.45 words, 0.2 x 0.3 links = 0.483, score 62`.
pub fn explain_rank(ranking: &Ranking, names: &dyn Fn(NodeId) -> String) -> String {
    let (node, certain, rank_score, score) = ranking.place;
    let sum = match ranking.source {
        RankSource::Own { words, support, weight, file } => {
            let witnesses = format!("{} words, {} x {} links", share(words), factor(weight), share(support));
            match file {
                Some((file, lent, part)) => {
                    let name = names(file);
                    format!("{} of {name} x noisy-or of {witnesses}, {} in file", share(lent), factor(part))
                }
                None => format!("noisy-or of {witnesses}"),
            }
        }
        RankSource::Learnt { place, n_files, by_rule, prior } => {
            let prior = prior.map_or_else(String::new, |(of, prior)| format!("; {} x {prior} prior", share(of)));
            format!("place {place} of {n_files} by what was learnt, {} by rule{prior}", share(by_rule))
        }
        RankSource::Subject { subject, share: of, weight } => {
            format!("tests {}: {} x {} test", names(subject), share(of), factor(weight))
        }
    };
    let certainty = if certain > Energy::ZERO { "certain, " } else { "" };
    format!("rank: {}: {certainty}score {score}; {sum} = {}", names(node), share(rank_score))
}

/// Why one node stands before another, as the end of a sentence about the first.
pub const fn explain_decision(decision: Decision) -> &'static str {
    match decision {
        Decision::Certain => "the task points at it, and not at the other",
        Decision::CertainScore => "the task points at both, and it scores more",
        Decision::RankScore => "its rank score is greater",
        Decision::Score => "their rank scores are equal, and it scores more",
        Decision::Path => "rank score and score are equal, and its path comes first",
    }
}

/// The most features that are told of a learnt place; the others as one.
const MAX_FEATURES: usize = 8;

/// What features add to a learnt score, in all and the greatest first: `+0.35 in all: +0.41 body, -0.08 since, +0.02 by 12 others`.
pub fn explain_features<F: Named>(parts: &[(F, i64)]) -> String {
    let hundredths = |part: i64| {
        let part = part / (UNIT / 100);
        format!("{}{}.{:02}", if part < 0 { '-' } else { '+' }, part.abs() / 100, part.abs() % 100)
    };
    let (told, others) = parts.split_at(parts.len().min(MAX_FEATURES));
    let mut told: Vec<String> = told.iter().map(|(feature, part)| format!("{} {}", hundredths(*part), feature.name())).collect();
    if !others.is_empty() {
        told.push(format!("{} by {} others", hundredths(others.iter().map(|(_, part)| part).sum()), others.len()));
    }
    format!("{} in all: {}", hundredths(parts.iter().map(|(_, part)| part).sum()), told.join(", "))
}

/// A share in three places: `0.483`.
fn share(share: Millionths) -> String {
    factor(Thousandths::new(share.get() / 1000))
}

fn explain_step(step: &Step, names: &dyn Fn(NodeId) -> String) -> String {
    match step {
        Step::Seed { node, energy, cause, place, parts, prior } => {
            let most = |is_most: bool| if is_most { ", the most that words say" } else { "" };
            let prior = prior.map_or_else(String::new, |(prior, is_most)| format!(" x {prior} prior{}", most(is_most)));
            format!("seed: {}: {}{prior} = {energy}", names(*node), explain_cause(*cause, &names(*place), parts))
        }
        Step::Link { from, to, link, weight, confidence, hops, before, penalty, after } => {
            let (kind, sureness) = (link.kind().name(), link.confidence());
            let candidates = divisor(sureness.n_candidates(), "candidates");
            let fan_out = divisor(u32::from(link.damping()), "fan-out");
            let penalty = if *penalty > Energy::ZERO { format!(" - {penalty} hop") } else { String::new() };
            let weights =
                format!("{} {kind} x {} {}{candidates}{fan_out}", factor(*weight), factor(*confidence), sureness.name());
            format!("link: {} -> {}: {before} x {weights}{penalty} = {after} (hop {hops})", names(*from), names(*to))
        }
        Step::Boost { file, before, error, modified, after } => {
            format!("boost: {}: {before}{}{} = {after}", names(*file), addend(*error, "error"), addend(*modified, "modified"))
        }
        Step::Test { subject, test, weight, before, after } => {
            format!("test: {} tests {}: {before} x {} test = {after}", names(*test), names(*subject), factor(*weight))
        }
        Step::File { symbol, file, weight, before, after } => {
            format!("file: {} holds {}: {before} x {} file = {after}", names(*file), names(*symbol), factor(*weight))
        }
        Step::Floor { symbol, file, energy } => {
            format!("floor: {} stands in {}, which is hot: {energy}", names(*symbol), names(*file))
        }
    }
}

fn explain_cause(cause: Cause, place: &str, parts: &[CueEvidence]) -> String {
    match cause {
        Cause::Exact => format!("the intent names {place}"),
        Cause::Error => format!("an error lies in {place}"),
        Cause::Warning => format!("a warning lies in {place}"),
        Cause::Note => format!("a remark lies in {place}"),
        Cause::FailingTest => format!("{place} fails"),
        Cause::Frame => format!("a stack trace passes through {place}"),
        Cause::Touched => format!("the session changed {place}"),
        Cause::Evidence => {
            let by_rules = !parts.is_empty() && parts.iter().all(|part| part.cue == Cue::Rule);
            let parts =
                parts.iter().map(|part| format!("{} x {} {}", factor(part.weight), factor(part.strength), part.cue.name()));
            let parts = parts.collect::<Vec<_>>().join(", ");
            let speaks = if by_rules { "rules of the user" } else { "words of the intent" };
            format!("{speaks}, noisy-or of {parts}")
        }
    }
}

/// A fraction with its point, so that it is not taken for points: `1.0`.
fn factor(part: Thousandths) -> String {
    let text = part.to_string();
    if text.contains('.') { text } else { text + ".0" }
}

fn divisor(n: u32, of_what: &str) -> String {
    if n > 1 { format!(" / {n} {of_what}") } else { String::new() }
}

fn addend(energy: Energy, of_what: &str) -> String {
    if energy > Energy::ZERO { format!(" + {energy} {of_what}") } else { String::new() }
}
