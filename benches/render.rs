//! What is active to what is sent: the session context within a budget, and the packet as JSON.
//!
//! Reads and masks the files that it shows, as every answer does. The numbers are budgets in tokens; throughput is tokens of the answer.

#[path = "common/pace.rs"]
mod pace;
#[path = "common/tasks.rs"]
mod tasks;

use context::budget::Budget;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use engine::{CacheChoice, Engine, Options, Request};
use tokens::Tokens;

/// Budgets that force the shortest forms, some of each, and none.
const BUDGETS: [u32; 3] = [1_000, 4_000, 80_000];

fn stage(criterion: &mut Criterion) {
    for (name, intent) in tasks::TASKS {
        let options = Options { cache: CacheChoice::Off, ..Options::default() };
        let engine = Engine::open_with(tasks::folder(name), options).expect("a repository of the corpus");
        let activation = engine.activate(&Request::new(intent)).expect("an answer");
        let mut group = criterion.benchmark_group(format!("render/{name}"));
        pace::set(&mut group);
        for total in BUDGETS {
            let budget = Budget { total: Tokens(total), ..Budget::default() };
            let context = activation.session_context(&budget).expect("a budget that suffices");
            group.throughput(Throughput::Elements(u64::from(context.tokens.0)));
            group.bench_function(BenchmarkId::new("text", total), |bencher| bencher.iter(|| activation.session_context(&budget)));
            group.bench_function(BenchmarkId::new("json", total), |bencher| bencher.iter(|| activation.packet(&context).json()));
        }
        group.finish();
    }
}

criterion_group!(benches, stage);
criterion_main!(benches);
