//! Questions in Datalog, beside the same rules compiled by `ascent`, over the same arrays.
//!
//! Both read links where they lie, from whichever end a rule knows. `here` reads, checks, narrows and evaluates a program and puts its rows in order;
//! `in ascent` runs rules that a compiler has made code of. Rows are compared before anything is measured. A repository of your own takes part with
//! `ACTIVATE_BENCH_REPO=FOLDER`.

#![expect(clippy::disallowed_methods, reason = "a variable names a repository")]
#![allow(clippy::pedantic, clippy::just_underscores_and_digits, reason = "about the code that the macro writes")]

#[path = "common/arrays.rs"]
mod arrays;
#[path = "common/clock.rs"]
mod clock;
#[expect(dead_code, reason = "another bench draws symbols")]
#[path = "common/graph.rs"]
mod graph;
#[path = "common/pace.rs"]
mod pace;
#[path = "common/random.rs"]
mod random;

use activate_rules::context::Graph;
use arrays::Arrays;
use ascent::aggregators::count;
use ascent::ascent_run;
use clock::ProcessorTime;
use criterion::{Criterion, criterion_group, criterion_main};
use engine::Engine;
use graph::ScaleFree;
use query::{Limits, Words, answer, check, read};
use std::path::Path;

/// Nodes of the generated graph.
const N_NODES: u32 = 100_000;

/// The function that is asked about is called by at most so many.
const MAX_CALLERS: usize = 200;

const LIMITS: Limits<'static> = Limits { bytes: 1 << 30, is_over: &|| false };

type Rows = Vec<Vec<u32>>;

fn here(program: &str, arrays: &Arrays) -> Rows {
    let words = Words::default();
    let program = read(program).expect("a program");
    let checked = check(&program, arrays, &words).expect("a program without mistakes");
    let answer = answer(&checked, 0, arrays, &words, LIMITS, 0).expect("within the limits");
    answer.rows().map(<[u32]>::to_vec).collect()
}

fn ordered<const N: usize>(rows: impl IntoIterator<Item = [u32; N]>) -> Rows {
    let mut rows: Vec<[u32; N]> = rows.into_iter().collect();
    rows.sort_unstable();
    rows.into_iter().map(Into::into).collect()
}

/// Who reaches a function in any number of calls.
fn callers(arrays: &Arrays, called: u32) -> Rows {
    let back = |node: u32| arrays.calls.back.row(node).iter().copied();
    let program = ascent_run! {
        relation reach(u32);
        reach(x) <-- for x in back(called);
        reach(x) <-- reach(y), for x in back(*y);
    };
    ordered(program.reach.into_iter().map(|(x,)| [x]))
}

/// All files in circles of imports.
fn circles(arrays: &Arrays) -> Rows {
    let back = |node: u32| arrays.imports.back.row(node).iter().copied();
    let program = ascent_run! {
        relation reach(u32, u32);
        relation circle(u32);
        reach(x, y) <-- for (x, y) in arrays.imports.pairs();
        reach(x, z) <-- reach(y, z), for x in back(*y);
        circle(x) <-- reach(x, y), if x == y;
    };
    ordered(program.circle.into_iter().map(|(x,)| [x]))
}

/// What is imported by what is imported, and not imported itself.
fn far(arrays: &Arrays) -> Rows {
    let onward = |node: u32| arrays.imports.onward.row(node).iter().copied();
    let is_link = |x: u32, z: u32| arrays.imports.onward.row(x).binary_search(&z).is_ok();
    let program = ascent_run! {
        relation far(u32, u32);
        far(x, z) <-- for (x, y) in arrays.imports.pairs(), for z in onward(y), if !is_link(x, z);
    };
    ordered(program.far.into_iter().map(|(x, z)| [x, z]))
}

/// How many call each function.
fn counts(arrays: &Arrays) -> Rows {
    let program = ascent_run! {
        relation calls(u32, u32) = arrays.calls.pairs().collect();
        relation called(u32);
        relation callers(u32, u32);
        called(f) <-- calls(_, f);
        callers(f, n as u32) <-- called(f), agg n = count() in calls(_, f), if n > 20;
    };
    ordered(program.callers.into_iter().map(|(f, n)| [f, n]))
}

fn measure(criterion: &mut Criterion<ProcessorTime>, name: &str, graph: &Graph<'_>) {
    let arrays = &Arrays::of(graph);
    let called = arrays.called(MAX_CALLERS);
    let reach = format!("reach(X) :- calls(X, {called}). reach(X) :- reach(Y), calls(X, Y). ?- reach(X).");
    let pairs = format!("reach(X, Y) :- calls(X, Y). reach(X, Z) :- calls(X, Y), reach(Y, Z). ?- reach(X, {called}).");
    let circle = "reach(X, Y) :- imports(X, Y). reach(X, Z) :- imports(X, Y), reach(Y, Z). ?- reach(X, X).";
    let no_link = "far(X, Z) :- imports(X, Y), imports(Y, Z), not imports(X, Z). ?- far(X, Z).";
    let n_callers = "callers(F, count(X)) :- calls(X, F). ?- callers(F, N), N > 20.";
    let questions: [(&str, &str, &dyn Fn() -> Rows); 5] = [
        ("callers", &reach, &|| callers(arrays, called)),
        ("callers by pairs", &pairs, &|| callers(arrays, called)),
        ("circles", circle, &|| circles(arrays)),
        ("join and not", no_link, &|| far(arrays)),
        ("count", n_callers, &|| counts(arrays)),
    ];
    let mut group = criterion.benchmark_group(format!("query/{name}"));
    pace::set(&mut group);
    for (question, program, in_ascent) in questions {
        assert!(here(program, arrays) == in_ascent(), "in ascent there are other rows: {program}");
        group.bench_function(question, |bencher| bencher.iter(|| here(program, arrays)));
        group.bench_function(format!("{question} in ascent"), |bencher| bencher.iter(in_ascent));
    }
    group.finish();
}

fn scale_free(criterion: &mut Criterion<ProcessorTime>) {
    let graph = ScaleFree::new(N_NODES);
    measure(criterion, &format!("scale-free-{N_NODES}"), &graph.graph());
}

fn repositories(criterion: &mut Criterion<ProcessorTime>) {
    if let Some(folder) = std::env::var_os("ACTIVATE_BENCH_REPO") {
        let engine = Engine::open(Path::new(&folder)).expect("a repository");
        let snapshot = engine.snapshot().expect("a snapshot");
        measure(criterion, "own", &snapshot.base.graph());
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(ProcessorTime::new());
    targets = scale_free, repositories
}
criterion_main!(benches);
