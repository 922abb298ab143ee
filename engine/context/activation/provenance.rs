//! Why a node has its score, and why another is absent: the derivation line by line, with the places and the words behind each step.
//!
//! Must not decide anything: it reads what the run derived.

use super::graph::{CodeGraph, KindSet, Link};
use super::{Activation, Passage};
use activate_rules::atoms::{NodeId, Tier};
use activate_rules::explain::{explain, explain_not};
use activate_rules::links::LinkKind;
use activate_rules::why::{Step, WhyNot, best_derivation};
use activate_rules::world::{Graph, World};
use index::base::FactBase;
use intent::How;

/// The derivation of a node's score, from the seed on, one line a step; below a step the places and words it rests on, indented.
/// Empty for a node that was not reached.
pub fn why(base: &FactBase, activation: &Activation, node: NodeId) -> Vec<String> {
    let world = World::new(Graph { together: &activation.together, ..base.graph() }, &activation.weights, activation.depth);
    let Some(why) = best_derivation(&world, &activation.derived, node) else {
        return Vec::new();
    };
    let names = |node: NodeId| base.id(node);
    let mut lines = Vec::new();
    for (step, line) in why.steps.iter().zip(explain(&why, &names)) {
        lines.push(line);
        lines.extend(grounds(base, activation, step).into_iter().map(|line| format!("  {line}")));
    }
    lines.extend(passages(base, activation, node));
    lines
}

/// The most passages of a node that are explained.
const MAX_PASSAGES: usize = 5;

/// The passages of a node with what speaks for each, best first: `passage: a.go:3-20: 28.4 words + 26 first = 54.4 points (words: token)`.
fn passages(base: &FactBase, activation: &Activation, node: NodeId) -> Vec<String> {
    let lines = base.symbol(node).map_or((1, u32::MAX), |row| (row.first_line(), row.lines.1));
    let file = base.file_of(node);
    let is_of = |passage: &&Passage| passage.file == file && passage.lines.0 <= lines.1 && lines.0 <= passage.lines.1;
    let weights = &activation.weights.passages;
    let explained = |(passage, place): (&Passage, usize)| {
        let parts =
            passage.parts.iter().map(|(cue, strength)| format!("{} {}", weights.of(*cue).times(strength.ratio()), cue.name()));
        let parts = parts.collect::<Vec<_>>().join(" + ");
        let words = if passage.words.is_empty() { String::new() } else { format!(" (words: {})", passage.words.join(", ")) };
        let (path, (first, last)) = (base.path(file), passage.lines);
        format!("passage {place}: {path}:{first}-{last}: {parts} = {} points{words}", passage.score)
    };
    activation.passages.iter().zip(1..).filter(|(passage, _)| is_of(passage)).take(MAX_PASSAGES).map(explained).collect()
}

/// What stopped a node that is not shown, and the strongest way to it from a seed if links lead there at all.
pub fn why_not(base: &FactBase, activation: &Activation, node: NodeId) -> Vec<String> {
    let world = World::new(Graph { together: &activation.together, ..base.graph() }, &activation.weights, activation.depth);
    let stop = activate_rules::why::why_not(&world, &activation.derived, node);
    let mut lines = vec![match stop {
        WhyNot::Shown { tier } => active(base, node, tier),
        _ => explain_not(node, stop, &|node| base.id(node)),
    }];
    let is_reached = matches!(stop, WhyNot::Shown { .. } | WhyNot::Cold { .. });
    if let Some((best, _)) = activation.derived.sources.iter().max_by_key(|(node, energy)| (*energy, std::cmp::Reverse(*node)))
        && !is_reached
    {
        lines.extend(way(base, &world, *best, node));
    }
    lines
}

/// What becomes of a node that nothing stopped: being hot is no promise of a place in a packet.
fn active(base: &FactBase, node: NodeId, tier: Tier) -> String {
    format!("{} is {}: nothing stopped it but, perhaps, the room of a packet; `--budget N` says that", base.id(node), tier.name())
}

/// The strongest chain of links from a seed to a node, link by link.
fn way(base: &FactBase, world: &World<'_>, seed: NodeId, node: NodeId) -> Vec<String> {
    let graph = CodeGraph::new(base, KindSet::ALL);
    let Some(links) = graph.strongest_path(world, seed, node) else {
        return vec![format!("no chain of links leads from {} to it", base.id(seed))];
    };
    let head = format!("the strongest chain from {} has {} links:", base.id(seed), links.len());
    let links = links.iter().map(|link| format!("  {}", describe(base, *link)));
    std::iter::once(head).chain(links).collect()
}

fn describe(base: &FactBase, link: Link) -> String {
    let kind = link.attribute.kind();
    let place = place(base, link.from, kind, link.to).map_or_else(String::new, |place| format!(" at {place}"));
    let sureness = link.attribute.confidence().name();
    format!("{} {} {}{place} ({sureness})", base.id(link.from), kind.name().replace('_', " "), base.id(link.to))
}

/// `path:line` of the site behind a link.
fn place(base: &FactBase, from: NodeId, kind: LinkKind, to: NodeId) -> Option<String> {
    let line = base.link_line(from, kind, to).or_else(|| base.link_line(to, kind.reverse(), from))?;
    // A relation is written where it starts: at the caller, whichever way the link is walked.
    let is_forward = kind as u8 <= kind.reverse() as u8;
    let file = base.path(if is_forward { from } else { to });
    Some(format!("{file}:{line}"))
}

/// What a step rests on: the site of a link, the words of evidence, the words that name a target.
fn grounds(base: &FactBase, activation: &Activation, step: &Step) -> Vec<String> {
    match step {
        Step::Link { from, to, link, .. } => {
            place(base, *from, link.kind(), *to).into_iter().map(|place| format!("at {place}")).collect()
        }
        Step::Seed { node, place, parts, .. } => {
            let targets = activation.intent.targets.iter().filter(|target| target.node == *place);
            let named = targets.map(|target| match target.how {
                How::Changed => format!("the diff changes it: {} lines", target.text),
                _ => format!("the intent says: {}", target.text),
            });
            let heard = activation.intent.parts.iter().filter(|part| part.node == *node && !parts.is_empty());
            let heard = heard.map(|part| format!("{} {}: {}", part.cue.name(), part.strength, part.words.join(", ")));
            named.chain(heard).collect()
        }
        Step::Boost { .. } | Step::Test { .. } | Step::File { .. } | Step::Floor { .. } => Vec::new(),
    }
}
