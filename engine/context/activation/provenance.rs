//! Why a node has its score, and why another is absent: the derivation line by line, with the places and the words behind each step.
//!
//! Must not decide anything: it reads what the run derived.

use super::features::is_compared;
use super::graph::{CodeGraph, KindSet, Link};
use super::passages::passage_of;
use super::{Activated, Active, Passage, Reason};
use activate_rules::atoms::{Energy, NodeId, Tier};
use activate_rules::context::{Graph, PolicyContext};
use activate_rules::explain::{explain, explain_decision, explain_features, explain_not, explain_rank};
use activate_rules::features::Columns;
use activate_rules::learnt::{FILES, PASSAGES};
use activate_rules::links::LinkKind;
use activate_rules::passage_features::PassageFeature;
use activate_rules::rank::{Decision, ranking};
use activate_rules::why::{Step, WhyNot, best_derivation};
use index::base::FactBase;
use intent::How;
use rustc_hash::FxHashSet;
use std::fmt::Write as _;

/// The derivation of a node's score, from the seed on, one line a step; below a step the places and words it rests on, indented. Then what its
/// rank score is made of, and what speaks for its passages. Empty for a node that was not reached.
pub fn why(base: &FactBase, activation: &Activated, node: NodeId) -> Vec<String> {
    let proof = proof(base, activation, node);
    if proof.is_empty() {
        return Vec::new();
    }
    let mut lines: Vec<String> = proof.into_iter().flat_map(|step| step.lines).collect();
    lines.extend(ruled(base, activation, node));
    lines.extend(standing(base, activation, node));
    lines
}

/// That rules of the user pin or hide a node, or what holds it, whatever it scores.
fn ruled(base: &FactBase, activation: &Activated, node: NodeId) -> Vec<String> {
    let Activated { custom, derived, .. } = activation;
    let file = base.file_of(node);
    let mut around = vec![node];
    while let Some(holder) = around.last().and_then(|node| base.symbol(*node)?.container).filter(|node| !around.contains(node)) {
        around.push(holder);
    }
    around.extend(Some(file).filter(|file| !around.contains(file)));
    let pin = around.iter().find_map(|node| custom.pins.iter().find(|(pinned, _)| pinned == node));
    let pin = pin.map(|(pinned, rule)| format!("pin: {} is shown first: rule {}", base.id(*pinned), custom.place(*rule)));
    let hider = around.iter().find_map(|node| custom.hider(*node, *node)).filter(|_| derived.is_hidden(node, file));
    let hide = hider.map(|rule| format!("hide: code of {} is not shown: rule {rule}", base.id(node)));
    pin.into_iter().chain(hide).collect()
}

/// One step of a derivation, as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Where the energy comes from; none where activation starts or a boost is added.
    pub from: Option<NodeId>,
    /// The rule or the kind of link: `seed`, `boost`, `test`, `file`, `floor`, or `calls`, `imported_by` and so on.
    pub rule: &'static str,
    /// The file and the line of the site behind a link.
    pub place: Option<(NodeId, u32)>,
    /// The sentence with its arithmetic, then what it rests on, indented.
    pub lines: Vec<String>,
}

/// The derivation of a node's score, from the seed on. Empty for a node that was not reached.
pub fn proof(base: &FactBase, activation: &Activated, node: NodeId) -> Vec<Proof> {
    let policy = context(base, activation);
    let Some(why) = best_derivation(&policy, &activation.derived, node) else {
        return Vec::new();
    };
    let names = |node: NodeId| base.id(node);
    let step = |(step, line): (&Step, String)| {
        let (from, rule, place) = match step {
            Step::Seed { .. } => (None, "seed", None),
            Step::Link { from, to, link, .. } => (Some(*from), link.kind().name(), site(base, *from, link.kind(), *to)),
            Step::Boost { .. } => (None, "boost", None),
            Step::Test { subject, .. } => (Some(*subject), "test", None),
            Step::File { symbol, .. } => (Some(*symbol), "file", None),
            Step::Floor { file, .. } => (Some(*file), "floor", None),
        };
        let grounds = grounds(base, activation, step).into_iter().map(|line| format!("  {line}"));
        Proof { from, rule, place, lines: std::iter::once(line).chain(grounds).collect() }
    };
    why.steps.iter().zip(explain(&why, &names)).map(step).collect()
}

/// What the rank score of a node is made of, and what speaks for its passages.
pub fn standing(base: &FactBase, activation: &Activated, node: NodeId) -> Vec<String> {
    let policy = context(base, activation);
    let ranking = ranking(&policy, &activation.derived, node).map(|ranking| explain_rank(&ranking, &|node| base.id(node)));
    let learnt = learnt(activation, node)
        .map(|file| format!("learnt: {}", explain_features(&FILES.parts_with(&activation.weights.own, file))));
    ranking.into_iter().chain(learnt).chain(passages(base, activation, node)).collect()
}

/// A file whose place is learnt as it was compared with the others.
fn learnt(activation: &Activated, file: NodeId) -> Option<&Columns> {
    activation.derived.learnt(file)?;
    let compared = &activation.compared;
    compared.binary_search_by_key(&file, |(node, _)| *node).ok().map(|at| &compared[at].1)
}

/// The context in which the policy ran.
fn context<'a>(base: &'a FactBase, activation: &'a Activated) -> PolicyContext<'a> {
    let graph = Graph { added: &activation.added, ..base.graph() };
    PolicyContext::new(graph, &activation.weights, activation.depth)
}

/// Why one of two nodes stands before the other, and how each ranks. Two files are compared in the list of files, two definitions in that of
/// definitions; where one is a file, the other stands for its own file.
pub fn why_over(base: &FactBase, activation: &Activated, one: NodeId, other: NodeId) -> Vec<String> {
    let both_symbols = !base.is_file(one) && !base.is_file(other);
    let of_list = |node: NodeId| if both_symbols { node } else { base.file_of(node) };
    let (one, other) = (of_list(one), of_list(other));
    if one == other {
        return vec![format!("{} is compared with itself", base.id(one))];
    }
    let (list, of_what) = if both_symbols { (&activation.symbols, "definitions") } else { (&activation.files, "files") };
    let place = |node: NodeId| list.iter().position(|active| active.node == node);
    let missing: Vec<NodeId> = [one, other].into_iter().filter(|node| place(*node).is_none()).collect();
    let (Some(at), Some(other_at)) = (place(one), place(other)) else {
        let mut lines: Vec<String> =
            missing.iter().map(|node| format!("{} is not in the list of {of_what}", base.id(*node))).collect();
        lines.extend(missing.iter().flat_map(|node| why_not(base, activation, *node)));
        return lines;
    };
    let (first, second) = if at < other_at { ((one, at), (other, other_at)) } else { ((other, other_at), (one, at)) };
    let (policy, names) = (context(base, activation), |node: NodeId| base.id(node));
    let rankings = [first.0, second.0].map(|node| ranking(&policy, &activation.derived, node));
    let both_learnt = learnt(activation, first.0).zip(learnt(activation, second.0));
    let reason =
        by_passage(base, activation, first.0, second.0).or_else(|| by_floor(&list[first.1], &list[second.1])).or_else(|| {
            match &rankings {
                [Some(one), Some(other)] => {
                    let decision = Decision::between(&one.place, &other.place);
                    let is_learnt = decision == Decision::RankScore && both_learnt.is_some();
                    Some(if is_learnt { "by what was learnt" } else { explain_decision(decision) }.to_owned())
                }
                _ => None,
            }
        });
    let mut lines = vec![format!(
        "{} stands before {}, at place {} of {} {of_what} to {}: {}",
        base.id(first.0),
        base.id(second.0),
        first.1 + 1,
        list.len(),
        second.1 + 1,
        reason.unwrap_or_else(|| "no rule tells them apart".to_owned())
    )];
    lines.extend(rankings.iter().flatten().map(|ranking| explain_rank(ranking, &names)));
    if let Some((file, over)) = both_learnt {
        lines.push(format!(
            "learnt, what the first has over the second: {}",
            explain_features(&FILES.parts_over(&activation.weights.own, file, over))
        ));
    }
    lines
}

/// Definitions stand in the order of their best passages: what that says of two.
fn by_passage(base: &FactBase, activation: &Activated, first: NodeId, second: NodeId) -> Option<String> {
    match (passage_of(base, activation, first), passage_of(base, activation, second)) {
        (Some((place, points)), Some((other_place, others))) if place != other_place => Some(format!(
            "its best passage is number {} in the order of definitions, with {points} points, those for its lines among them, that of the other number {} with {others}",
            place + 1,
            other_place + 1
        )),
        (Some((place, points)), None) => Some(format!(
            "its best passage is number {} in the order of definitions, with {points} points, and the other has none",
            place + 1
        )),
        _ => None,
    }
}

/// What only stands in an active file comes last, but for the likeliest files.
fn by_floor(first: &Active, second: &Active) -> Option<String> {
    let only_in_file = |active: &Active| matches!(active.reason, Reason::StandsIn(_));
    (!only_in_file(first) && only_in_file(second)).then(|| "nothing but its file speaks for the other".to_owned())
}

/// The most passages of a node that are explained.
const MAX_PASSAGES: usize = 5;

/// The passages of a node with what speaks for each, best first: `passage: a.go:3-20: 28.4 words + 26 first = 54.4 points (words: token)`.
fn passages(base: &FactBase, activation: &Activated, node: NodeId) -> Vec<String> {
    let lines = base.symbol(node).map_or((1, u32::MAX), |row| (row.first_line(), row.lines.1));
    let file = base.file_of(node);
    let is_of = |passage: &&Passage| passage.file == file && passage.lines.0 <= lines.1 && lines.0 <= passage.lines.1;
    let weights = &activation.weights.passages;
    let explained = |(passage, place): (&Passage, usize)| {
        let parts =
            passage.parts.iter().map(|(cue, strength)| format!("{} {}", weights.of(*cue).times(strength.ratio()), cue.name()));
        let mut parts = parts.collect::<Vec<_>>().join(" + ");
        if passage.columns.is_some() {
            let sign = if passage.learnt < Energy::ZERO { '-' } else { '+' };
            let of_what = if passage.is_of_trees() { "learnt" } else { "learnt of others" };
            let _ = write!(parts, " {sign} {} {of_what}", Energy(passage.learnt.0.abs()));
        }
        let words = if passage.words.is_empty() { String::new() } else { format!(" (words: {})", passage.words.join(", ")) };
        let (path, (first, last)) = (base.path(file), passage.lines);
        format!("passage {place}: {path}:{first}-{last}: {parts} = {} points{words}", passage.score)
    };
    let learnt = |(passage, place): (&Passage, usize)| {
        let columns = passage.columns.as_deref().filter(|_| passage.is_of_trees())?;
        let parts = PASSAGES.parts::<PassageFeature>(columns);
        Some(format!("passage {place}, learnt, in doublings of what a line is worth: {}", explain_features(&parts)))
    };
    let passages = activation.passages.iter().zip(1..).filter(|(passage, _)| is_of(passage)).take(MAX_PASSAGES);
    passages.flat_map(|numbered| std::iter::once(explained(numbered)).chain(learnt(numbered))).collect()
}

/// What stopped a node that is not shown, and the strongest way to it from a seed if links lead there at all.
pub fn why_not(base: &FactBase, activation: &Activated, node: NodeId) -> Vec<String> {
    let policy = context(base, activation);
    let stop = activate_rules::why::why_not(&policy, &activation.derived, node);
    let mut lines = vec![match stop {
        WhyNot::Shown { tier } => active(base, node, tier),
        _ => explain_not(node, stop, &|node| base.id(node)),
    }];
    lines.extend(ruled(base, activation, node));
    let is_reached = matches!(stop, WhyNot::Shown { .. } | WhyNot::Cold { .. } | WhyNot::Hidden { .. });
    if let Some((best, _)) = activation.derived.sources.iter().max_by_key(|(node, energy)| (*energy, std::cmp::Reverse(*node)))
        && !is_reached
    {
        lines.extend(way(base, &policy, *best, node));
    }
    if !matches!(stop, WhyNot::Shown { .. }) {
        lines.extend(place_of_compared(base, activation, node));
    }
    lines
}

/// Where a file that is not listed stands among all that are compared, which every source file with the task's words is.
fn place_of_compared(base: &FactBase, activation: &Activated, file: NodeId) -> Option<String> {
    let order = learnt_order(base, activation);
    let place = order.iter().position(|node| *node == file)? + 1;
    Some(format!("by what was learnt {} would be number {place} of {} source files", base.id(file), order.len()))
}

/// Every source file, listed or not: those that have words of the task or that links lead to in the learnt order alone, then the others by path.
pub fn learnt_order(base: &FactBase, activation: &Activated) -> Vec<NodeId> {
    let compared = FILES.order(&activation.weights.own, &activation.compared, |_| true);
    let mut order: Vec<NodeId> = compared.into_iter().map(|(node, _)| node).collect();
    let known: FxHashSet<NodeId> = order.iter().copied().collect();
    order.extend(base.files().filter(|file| is_compared(base, *file) && !known.contains(file)));
    order
}

/// What becomes of a node that nothing stopped: being hot is not a promise of a place in a packet.
fn active(base: &FactBase, node: NodeId, tier: Tier) -> String {
    format!("{} is {}: nothing stopped it but, perhaps, the room of a packet; `--budget N` says that", base.id(node), tier.name())
}

/// The strongest chain of links from a seed to a node, link by link.
fn way(base: &FactBase, policy: &PolicyContext<'_>, seed: NodeId, node: NodeId) -> Vec<String> {
    let graph = CodeGraph::new(base, KindSet::ALL);
    let Some(links) = graph.strongest_path(policy, seed, node) else {
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
    site(base, from, kind, to).map(|(file, line)| format!("{}:{line}", base.path(file)))
}

/// The file and the line of the site behind a link.
fn site(base: &FactBase, from: NodeId, kind: LinkKind, to: NodeId) -> Option<(NodeId, u32)> {
    let line = base.link_line(from, kind, to)?;
    // A relation is written where it starts: at the caller, whichever way the link is walked.
    let is_forward = kind as u8 <= kind.reverse() as u8;
    Some((base.file_of(if is_forward { from } else { to }), line))
}

/// What a step rests on: the site of a link, the words of evidence, the words that name a target.
fn grounds(base: &FactBase, activation: &Activated, step: &Step) -> Vec<String> {
    match step {
        Step::Link { from, to, link, .. } => {
            let rule = activation.custom.link_between(*from, *to, link.kind(), link.confidence());
            let site = || place(base, *from, link.kind(), *to).map(|place| format!("at {place}"));
            rule.map(|rule| format!("by rule {rule}")).or_else(site).into_iter().collect()
        }
        Step::Test { subject, test, .. } => {
            activation.custom.test_of(*test, *subject).map(|rule| format!("by rule {rule}")).into_iter().collect()
        }
        Step::Seed { node, place, parts, .. } => {
            let targets = activation.intent.targets.iter().filter(|target| target.node == *place);
            let named = targets.map(|target| match target.how {
                How::Changed => format!("the diff changes it: {} lines", target.text),
                _ => format!("the intent says: {}", target.text),
            });
            let hits = activation.intent.cue_hits.iter().filter(|hit| hit.node == *node && !parts.is_empty());
            let hits = hits.map(|hit| format!("{} {}{}", hit.cue.name(), hit.strength, colon(&hit.words.join(", "))));
            let prior = activation.custom.prior_of(*node).filter(|_| !parts.is_empty());
            named.chain(hits).chain(prior.map(|rule| format!("prior by rule {rule}"))).collect()
        }
        Step::Boost { .. } | Step::File { .. } | Step::Floor { .. } => Vec::new(),
    }
}

/// What stands behind a colon, where there is something.
fn colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}
