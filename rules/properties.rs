//! What holds for every graph: order does not matter, links only add, everything ends, and a plain spread over petgraph agrees.

use crate::atoms::{Change, Cue, Energy, Hops, ItemId, Millionths, NodeId, Severity, Thousandths, Tier, Turns};
use crate::best::PruningTable;
use crate::cases::{OneLink, OwnGraph};
use crate::context::PolicyContext;
use crate::facts::{Derived, Facts, run, run_learnt, run_with};
use crate::links::{Confidence, LinkKind};
use crate::rank::{RankSource, ranking};
use crate::weights::{LinkWeights, Weights};
use crate::why::{Step, best_derivation};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use proptest::prelude::*;
use proptest::sample::select;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The greatest number of nodes in a random graph: small enough to be dense.
const N_NODES: u32 = 12;

/// A random repository with a random task.
#[derive(Debug, Clone)]
struct Sample {
    links: Vec<OneLink>,
    tests: Vec<(u32, u32)>,
    file_of: Vec<u32>,
    facts: Facts,
}

fn a_node() -> impl Strategy<Value = NodeId> + Clone {
    (0..N_NODES).prop_map(NodeId)
}

/// Any links, self-links and cycles among them, and sometimes a hub that is linked to everything.
fn some_links() -> impl Strategy<Value = Vec<OneLink>> {
    let link = (0..N_NODES, 0..N_NODES, select(LinkKind::ALL), select(Confidence::ALL));
    let hub = prop::option::of((0..N_NODES, select(LinkKind::ALL)));
    (prop::collection::vec(link, 0..40), hub).prop_map(|(mut links, hub)| {
        links.extend(hub.into_iter().flat_map(|(hub, kind)| (0..N_NODES).map(move |to| (hub, to, kind, Confidence::Exact))));
        links
    })
}

fn some_facts() -> impl Strategy<Value = Facts> {
    let strength = || (0..=1000u32).prop_map(Thousandths::new);
    let cue_hits = prop::collection::vec((a_node(), select(Cue::ALL), strength()), 0..8);
    let exact = prop::collection::vec((a_node(), strength()), 0..3);
    let diagnostics = prop::collection::vec((Just(ItemId(0)), select(Severity::ALL), a_node()), 0..3);
    let touched = prop::collection::vec((a_node(), (0..7u32).prop_map(Turns)), 0..2);
    let file_states = prop::collection::vec((a_node(), select(Change::ALL), (0..9u32).prop_map(Turns)), 0..4);
    (cue_hits, exact, diagnostics, touched, file_states).prop_map(|(cue_hits, exact, diagnostics, touched, file_states)| Facts {
        cue_hits,
        exact,
        diagnostics,
        touched,
        file_states,
        ..Facts::default()
    })
}

fn a_sample() -> impl Strategy<Value = Sample> {
    // Files, what they hold, and behind it packages from outside.
    let file_of = (1..=N_NODES, 0..3u32).prop_flat_map(|(n_files, n_packages)| {
        let n_packages = n_packages.min((N_NODES - n_files).saturating_sub(1));
        prop::collection::vec(0..n_files, (N_NODES - n_files - n_packages) as usize).prop_map(move |mut holders| {
            holders.sort_unstable();
            (0..n_files).chain(holders).chain(N_NODES - n_packages..N_NODES).collect::<Vec<_>>()
        })
    });
    let tests = prop::collection::vec((0..N_NODES, 0..N_NODES), 0..6);
    (some_links(), tests, file_of, some_facts()).prop_map(|(links, tests, file_of, facts)| Sample {
        links,
        tests,
        file_of,
        facts,
    })
}

impl Sample {
    fn graph(&self, fixed_damping: Option<u8>) -> OwnGraph {
        OwnGraph::new(N_NODES, &self.links, &self.tests, self.file_of.clone(), fixed_damping)
    }
}

/// The same scores by plain loops: the links as a petgraph graph, one hop after the other, then boosts, tests, files and floors.
///
/// Seeds are taken as derived; how they come about is the business of the cases.
fn reference(policy: &PolicyContext, facts: &Facts, derived: &Derived) -> Vec<(NodeId, Energy)> {
    let weights = policy.weights;
    let mut graph = DiGraph::new();
    let nodes: Vec<NodeIndex> = (0..N_NODES).map(|node| graph.add_node(NodeId(node))).collect();
    for &node in &nodes {
        for (to, link) in policy.graph.row(graph[node]) {
            let weight = (link.kind().info().weight)(&weights.links).get() * weights.confidence.of(link.confidence()).get();
            let strength = weight / link.confidence().n_candidates() / u32::from(link.damping());
            graph.add_edge(node, nodes[to.0 as usize], i64::from(strength));
        }
    }

    let mut scores: BTreeMap<NodeId, Energy> = BTreeMap::new();
    let raise = |scores: &mut BTreeMap<NodeId, Energy>, node: NodeId, energy: Energy| {
        let best = scores.entry(node).or_insert(energy);
        *best = energy.max(*best);
    };
    for &(node, energy, ..) in &derived.seeds {
        raise(&mut scores, node, energy);
    }
    let mut front: BTreeMap<NodeId, Energy> = derived.sources.iter().copied().collect();
    for hop in 0..policy.depth.0 {
        let penalty = if hop == 0 { 0 } else { i64::from(weights.hop_penalty.0) };
        let mut next = BTreeMap::new();
        let passes_on = |&(&from, &energy): &(&NodeId, &Energy)| energy > weights.gate && (hop == 0 || !policy.is_outside(from));
        for (&from, &energy) in front.iter().filter(passes_on) {
            for edge in graph.edges(nodes[from.0 as usize]) {
                let gain = Energy((i64::from(energy.0) * edge.weight() / 1_000_000 - penalty) as i32);
                if gain >= weights.least {
                    raise(&mut next, graph[edge.target()], gain);
                }
            }
        }
        for (&node, &energy) in &next {
            raise(&mut scores, node, energy);
        }
        front = next;
    }

    for (&file, score) in &mut scores {
        let errors = facts.diagnostics.iter().filter(|error| error.1 == Severity::Error && policy.file_of(error.2) == file);
        let states = facts.file_states.iter().filter(|state| state.0 == file && state.1 == Change::Modified);
        let error = errors.map(|_| weights.error_boost).max().unwrap_or_default();
        let modified = states.map(|state| weights.modified_boost.after(state.2)).max().unwrap_or_default();
        *score = *score + error + modified;
    }
    for (subject, boosted) in scores.clone().into_iter().filter(|&(_, boosted)| boosted > weights.gate) {
        for test in policy.tests_of(subject) {
            raise(&mut scores, test, boosted.times(weights.test.ratio()));
        }
    }
    for (symbol, score) in scores.clone() {
        let file = policy.file_of(symbol);
        if file != symbol {
            raise(&mut scores, file, score.times(weights.file.ratio()));
        }
    }
    for (file, _) in scores.clone().into_iter().filter(|&(_, score)| score > weights.hot) {
        for symbol in (0..N_NODES).map(NodeId).filter(|&symbol| symbol != file && policy.file_of(symbol) == file) {
            raise(&mut scores, symbol, weights.floor);
        }
    }
    scores.into_iter().collect()
}

/// What a step starts from, if it starts from another, and what it ends with.
fn ends(step: &Step) -> (Option<Energy>, Energy) {
    match *step {
        Step::Seed { energy, .. } | Step::Floor { energy, .. } => (None, energy),
        Step::Link { before, after, .. }
        | Step::Boost { before, after, .. }
        | Step::Test { before, after, .. }
        | Step::File { before, after, .. } => (Some(before), after),
    }
}

proptest! {
    #[test]
    fn scores_equal_a_plain_spread_over_petgraph(sample in a_sample(), depth in 0..5u8) {
        let (graph, weights) = (sample.graph(None), Weights::default());
        let policy = PolicyContext::new(graph.graph(), &weights, Hops(depth));
        let derived = run(&policy, &sample.facts);
        prop_assert_eq!(&derived.scores, &reference(&policy, &sample.facts, &derived));
        prop_assert_eq!(derived.tiers.len() + derived.n_cold, derived.scores.len());
    }

    #[test]
    fn what_the_guards_leave_out_changes_nothing(sample in a_sample(), depth in 0..5u8, least in 0..2i32, floor in 0..30i32) {
        let weights = Weights { least: Energy::points(least), floor: Energy::points(floor), ..Weights::default() };
        let graph = sample.graph(None);
        let policy = PolicyContext::new(graph.graph(), &weights, Hops(depth));
        prop_assert_eq!(run(&policy, &sample.facts), run_with(&policy, &sample.facts, &PruningTable::all(), &|_| Vec::new()));
    }

    /// A guard may be asked again about what it let pass before, or later than something greater: how often and in which order the runtime
    /// asks changes nothing, so any runtime will do.
    #[test]
    fn what_a_guard_knows_from_before_changes_nothing(sample in a_sample(), depth in 0..5u8, floor in 0..30i32) {
        let weights = Weights { floor: Energy::points(floor), ..Weights::default() };
        let graph = sample.graph(None);
        let policy = PolicyContext::new(graph.graph(), &weights, Hops(depth));
        let best = PruningTable::default();
        let first = run_with(&policy, &sample.facts, &best, &|_| Vec::new());
        prop_assert_eq!(&first, &run_with(&policy, &sample.facts, &best, &|_| Vec::new()));
    }

    #[test]
    fn ranks_equal_the_same_by_plain_loops(sample in a_sample(), n_learnt in 0_u32..3) {
        let (graph, weights) = (sample.graph(None), Weights::default());
        let policy = PolicyContext::new(graph.graph(), &weights, weights.depth);
        let is_learnt = |node: NodeId| policy.holder(node).is_none() && node.0 % 3 == n_learnt % 3;
        // The greatest share goes to the first of them.
        let learn = |derived: &Derived| {
            let nodes = derived.scores.iter().map(|(node, _)| *node).filter(|node| is_learnt(*node));
            nodes.zip(0..).map(|(node, n)| (node, Millionths::from_count(900_000 - 7 * n))).collect()
        };
        let derived = run_learnt(&policy, &sample.facts, &learn);
        let own = |node| {
            let words = derived.evidence(node).map_or(Millionths::ZERO, |energy| Millionths::share(energy, weights.exact));
            words.or(derived.support(node).times(weights.support.ratio()))
        };
        let of_file = |file| derived.learnt(file).unwrap_or_else(|| own(file));
        let in_file = |node| match policy.holder(node).filter(|file| derived.score(*file).is_some()) {
            Some(file) => of_file(file).times(own(node).or(weights.in_file.ratio())),
            None => of_file(node),
        };
        let tested = |node| derived.tested.iter().filter(move |row| row.0 == node).map(|row| in_file(row.2).times(weights.test.ratio()));
        let mut places: Vec<_> = Vec::new();
        for &(node, score) in &derived.scores {
            let rank_score = tested(node).fold(in_file(node), Millionths::max);
            prop_assert_eq!(derived.rank_score(node), rank_score);
            let certain = if derived.certain.contains(&node) && derived.learnt(node).is_none() { score } else { Energy::ZERO };
            places.push((Reverse((certain, rank_score, score)), node));
        }
        places.retain(|&(_, node)| derived.tier(node) != Tier::Cold);
        places.sort();
        prop_assert_eq!(derived.ranked().collect::<Vec<_>>(), places.into_iter().map(|(_, node)| node).collect::<Vec<_>>());
        // What is said of a rank score adds up to it.
        for node in derived.ranked() {
            let ranking = ranking(&policy, &derived, node).expect("an active node has a place");
            let said = match ranking.source {
                RankSource::Subject { share, weight, .. } => share.times(weight.ratio()),
                RankSource::Learnt { place, n_files, by_rule, prior } => {
                    prop_assert_eq!((place <= n_files, by_rule, prior), (true, own(node), None));
                    derived.learnt[place - 1].1
                }
                RankSource::Own { words, support, weight, file } => {
                    let own = words.or(support.times(weight.ratio()));
                    file.map_or(own, |(_, lent, in_file)| lent.times(own.or(in_file.ratio())))
                }
            };
            prop_assert_eq!(said, ranking.place.2);
        }
    }

    #[test]
    fn the_order_and_repetition_of_facts_make_no_difference(
        (sample, cue_hits, diagnostics, states) in a_sample().prop_flat_map(|sample| {
            let facts = sample.facts.clone();
            let twice = facts.cue_hits.repeat(2);
            (Just(sample), Just(twice).prop_shuffle(), Just(facts.diagnostics).prop_shuffle(), Just(facts.file_states).prop_shuffle())
        }),
    ) {
        let (graph, weights) = (sample.graph(None), Weights::default());
        let policy = PolicyContext::new(graph.graph(), &weights, weights.depth);
        let shuffled = Facts { cue_hits, diagnostics, file_states: states, ..sample.facts.clone() };
        prop_assert_eq!(run(&policy, &sample.facts), run(&policy, &shuffled));
    }

    #[test]
    fn another_link_of_the_same_damping_lowers_no_score(sample in a_sample(), more in some_links()) {
        let weights = Weights::default();
        let grown = Sample { links: [sample.links.clone(), more].concat(), ..sample.clone() };
        let scores = |sample: &Sample| {
            let graph = sample.graph(Some(1));
            run(&PolicyContext::new(graph.graph(), &weights, weights.depth), &sample.facts)
        };
        let (fewer, more) = (scores(&sample), scores(&grown));
        for &(node, score) in &fewer.scores {
            prop_assert!(more.score(node) >= Some(score), "{:?} fell from {} to {:?}", node, score, more.score(node));
        }
    }

    #[test]
    fn every_score_has_a_derivation_whose_steps_join(sample in a_sample()) {
        let (graph, weights) = (sample.graph(None), Weights::default());
        let policy = PolicyContext::new(graph.graph(), &weights, weights.depth);
        let derived = run(&policy, &sample.facts);
        for &(node, score) in &derived.scores {
            let steps = best_derivation(&policy, &derived, node).map(|why| why.steps).unwrap_or_default();
            let mut energy = None;
            for step in &steps {
                let (before, after) = ends(step);
                prop_assert_eq!(before, energy, "{:?}", &steps);
                energy = Some(after);
            }
            prop_assert_eq!(energy, Some(score), "{:?}", &steps);
        }
    }
}

#[test]
fn a_complete_graph_without_any_loss_ends_at_the_depth() {
    let everything = (0..N_NODES).flat_map(|from| (0..N_NODES).map(move |to| (from, to, LinkKind::Calls, Confidence::Exact)));
    let graph = OwnGraph::new(N_NODES, &everything.collect::<Vec<_>>(), &[], (0..N_NODES).collect(), Some(1));
    let links = LinkWeights { calls: Thousandths::ONE, called_by: Thousandths::ONE, ..LinkWeights::default() };
    let weights = Weights { links, hop_penalty: Energy::ZERO, depth: Hops(u8::MAX), ..Weights::default() };
    let policy = PolicyContext::new(graph.graph(), &weights, weights.depth);
    let derived = run(&policy, &Facts { exact: vec![(NodeId(0), Thousandths::ONE)], ..Facts::default() });
    assert_eq!(derived.reached.len(), N_NODES as usize * usize::from(u8::MAX));
    assert!(derived.scores.iter().all(|&(_, score)| score == weights.exact));
}

#[test]
fn a_large_hub_stays_lukewarm() {
    const N_USERS: u32 = 4000;
    let users: Vec<_> = (1..=N_USERS).map(|user| (user, 0, LinkKind::Imports, Confidence::Exact)).collect();
    let graph = OwnGraph::new(N_USERS + 1, &users, &[], (0..=N_USERS).collect(), None);
    let weights = Weights::default();
    let policy = PolicyContext::new(graph.graph(), &weights, weights.depth);
    let derived = run(&policy, &Facts { exact: vec![(NodeId(0), Thousandths::ONE)], ..Facts::default() });
    assert_eq!((derived.tiers.len(), derived.n_cold), (1, N_USERS as usize));
}
