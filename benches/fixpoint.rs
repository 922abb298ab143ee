//! The fixpoint: the policy over scale-free graphs and the corpus, beside the same strata written by hand over flat arrays.
//!
//! `rules` runs the policy with all its strata, support and standing included; `by hand` derives the same in plain loops; `in ascent` runs the
//! strata in another Datalog, and support and standing by hand. `spread` is the third stratum alone, which needs most of the links: as the page has it, by hand, in ascent.
//! All take the same links from the same policy, and their results are compared before anything is measured. Up to 100,000 nodes by
//! default; a million takes half a minute to build and is measured with `ACTIVATE_BENCH_LARGE=1 cargo bench --bench fixpoint`, a
//! repository of your own with `ACTIVATE_BENCH_REPO=FOLDER`.

#![expect(clippy::disallowed_methods, reason = "variables ask for large sizes and name a repository")]

#[path = "common/by_hand.rs"]
mod by_hand;
#[path = "common/clock.rs"]
mod clock;
#[path = "common/copies.rs"]
mod copies;
#[path = "common/corpus.rs"]
mod corpus;
#[path = "common/graph.rs"]
mod graph;
#[path = "common/in_ascent.rs"]
mod in_ascent;
#[path = "common/in_crepe.rs"]
mod in_crepe;
#[path = "common/pace.rs"]
mod pace;
#[path = "common/random.rs"]
mod random;

use activate_rules::atoms::{NodeId, Thousandths};
use activate_rules::context::{Graph, PolicyContext};
use activate_rules::facts::{Derived, Facts, run};
use activate_rules::weights::Weights;
use by_hand::ByHand;
use clock::ProcessorTime;
use copies::Copies;
use corpus::Corpus;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use engine::Engine;
use graph::ScaleFree;
use index::base::{FactBase, MemorySections};
use index::build::build;
use std::path::Path;
use std::sync::Arc;

/// Sizes of graphs, in nodes, with the number of seeds each is asked for.
const SIZES: [u32; 2] = [10_000, 100_000];
const LARGE: u32 = 1_000_000;
const N_SEEDS: [usize; 2] = [1, 20];

/// The shares that seeds have, in turn: names that are exact, shared, or only likely.
const SHARES: [u32; 5] = [1000, 950, 800, 600, 500];

/// Which symbols are drawn; any number does.
const DRAW: u64 = 7;

fn seeds(nodes: &[NodeId]) -> Vec<(NodeId, Thousandths)> {
    nodes.iter().zip(SHARES.iter().cycle()).map(|(&node, &share)| (node, Thousandths::new(share))).collect()
}

fn measure(criterion: &mut Criterion<ProcessorTime>, group: &str, graph: Graph<'_>, pick: impl Fn(usize) -> Vec<NodeId>) {
    let weights = Weights::default();
    let policy = PolicyContext::new(graph, &weights, weights.depth);
    let mut by_hand = ByHand::new(&policy);
    let mut group = criterion.benchmark_group(group);
    pace::set(&mut group);
    for n_seeds in N_SEEDS {
        let exact = seeds(&pick(n_seeds));
        let facts = Facts { exact: exact.clone(), ..Facts::default() };
        let derived = run(&policy, &facts);
        check(&policy, &mut by_hand, &exact, &derived);
        group.throughput(Throughput::Elements(derived.scores.len() as u64));
        let id = |name| BenchmarkId::new(name, n_seeds);
        group.bench_function(id("rules"), |bencher| bencher.iter(|| run(&policy, &facts)));
        group.bench_function(id("by hand"), |bencher| bencher.iter(|| by_hand.run(&exact)));
        group.bench_function(id("in ascent"), |bencher| {
            bencher.iter(|| by_hand.complete(&exact, in_ascent::strata(&policy, &exact)));
        });
        group.bench_function(id("spread"), |bencher| bencher.iter(|| in_crepe::spread(&policy, &exact)));
        group.bench_function(id("spread by hand"), |bencher| bencher.iter(|| by_hand.spread(&exact)));
        group.bench_function(id("spread in ascent"), |bencher| bencher.iter(|| in_ascent::spread(&policy, &exact)));
    }
    group.finish();
}

/// Fails unless all say the same.
fn check(policy: &PolicyContext, by_hand: &mut ByHand, exact: &[(NodeId, Thousandths)], derived: &Derived) {
    assert!(by_hand.run(exact) == *derived, "by hand something else follows");
    assert!(by_hand.spread(exact) == derived.reached, "by hand something else is reached");
    assert!(in_crepe::spread(policy, exact) == derived.reached, "the third stratum alone reaches something else");
    assert!(in_ascent::spread(policy, exact) == derived.reached, "in ascent something else is reached");
    assert!(by_hand.complete(exact, in_ascent::strata(policy, exact)) == *derived, "in ascent something else follows");
}

fn scale_free(criterion: &mut Criterion<ProcessorTime>) {
    let large = std::env::var_os("ACTIVATE_BENCH_LARGE").map(|_| LARGE);
    for n_nodes in SIZES.into_iter().chain(large) {
        let graph = ScaleFree::new(n_nodes);
        let group = format!("fixpoint/scale-free-{n_nodes}");
        measure(criterion, &group, graph.graph(), |n_seeds| graph.symbols(n_seeds, DRAW));
    }
}

/// Measures over the graph of a repository, from every so many-th symbol, so that the seeds lie in different files.
fn measure_base(criterion: &mut Criterion<ProcessorTime>, name: &str, base: &FactBase) {
    let symbols: Vec<NodeId> = (base.n_files()..base.n_files() + base.n_symbols()).map(NodeId).collect();
    let spaced = |n_seeds: usize| symbols.iter().copied().step_by((symbols.len() / n_seeds).max(1)).take(n_seeds).collect();
    if !symbols.is_empty() {
        measure(criterion, &format!("fixpoint/{name}"), base.graph(), spaced);
    }
}

fn repositories(criterion: &mut Criterion<ProcessorTime>) {
    for name in corpus::NAMES {
        let copies = Copies::new(&Corpus::read(name), 1);
        measure_base(criterion, name, &FactBase::new(Arc::new(MemorySections::new(build(&copies.inputs()).sections))));
    }
    if let Some(folder) = std::env::var_os("ACTIVATE_BENCH_REPO") {
        let engine = Engine::open(Path::new(&folder)).expect("a repository");
        measure_base(criterion, "own", &engine.snapshot().expect("a snapshot").base);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(ProcessorTime::new());
    targets = scale_free, repositories
}
criterion_main!(benches);
