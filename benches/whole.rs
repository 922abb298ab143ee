//! Intent to text, the whole way: cold, with facts from an earlier run, and in an engine that stays.
//!
//! `cold` knows nothing, `cached` opens a new engine over what another left on disk, `resident` asks an engine for the second time; all look
//! at every file to see whether it changed. `ACTIVATE_BENCH_REPO=FOLDER ACTIVATE_BENCH_INTENT=TEXT` measures a repository of your own too.

#![expect(clippy::disallowed_methods, reason = "a cache needs a folder, and variables name a repository")]

#[path = "common/pace.rs"]
mod pace;
#[path = "common/tasks.rs"]
mod tasks;

use context::budget::Budget;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::{CacheChoice, Engine, Options, Request};
use std::env;
use std::path::Path;

fn answer(engine: &Engine, request: &Request) -> usize {
    let activation = engine.activate(request).expect("an answer");
    activation.session_context(&Budget::default()).expect("a context").text.text.len()
}

fn open(folder: &Path, cache: CacheChoice) -> Engine {
    Engine::open_with(folder, Options { cache, ..Options::default() }).expect("a repository")
}

fn measure(criterion: &mut Criterion, name: &str, folder: &Path, intent: &str) {
    let request = Request::new(intent);
    let cache = env::temp_dir().join(format!("activate-bench-{}", std::process::id()));
    let resident = open(folder, CacheChoice::Folder(cache.clone()));
    let expected = answer(&resident, &request);
    let n_files = resident.snapshot().expect("a snapshot").base.n_files();

    let mut group = criterion.benchmark_group(format!("whole/{name}"));
    pace::set(&mut group);
    group.throughput(Throughput::Elements(u64::from(n_files)));
    group.bench_function("cold", |bencher| bencher.iter(|| answer(&open(folder, CacheChoice::Off), &request)));
    group.bench_function("cached", |bencher| {
        bencher.iter(|| assert_eq!(answer(&open(folder, CacheChoice::Folder(cache.clone())), &request), expected));
    });
    group.bench_function("resident", |bencher| bencher.iter(|| assert_eq!(answer(&resident, &request), expected)));
    group.finish();
    // A folder that stays behind in the system's temporary folder does no harm.
    let _ = std::fs::remove_dir_all(&cache);
}

fn stage(criterion: &mut Criterion) {
    for (name, intent) in tasks::TASKS {
        measure(criterion, name, &tasks::folder(name), intent);
    }
    if let (Ok(folder), Ok(intent)) = (env::var("ACTIVATE_BENCH_REPO"), env::var("ACTIVATE_BENCH_INTENT")) {
        measure(criterion, "own", Path::new(&folder), &intent);
    }
}

criterion_group!(benches, stage);
criterion_main!(benches);
