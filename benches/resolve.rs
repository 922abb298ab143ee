//! Records of all files to links and to the columns of the fact base, for one repository and for many copies of it side by side.
//!
//! Copies have the same names and, in Go, the same module path, which is harder than real code of that size: every name has as many
//! definitions as there are copies. A throughput that falls with the number of copies is work that grows faster than the code.

#[path = "common/copies.rs"]
mod copies;
#[path = "common/corpus.rs"]
mod corpus;
#[path = "common/pace.rs"]
mod pace;

use activate_grammars::language_of;
use activate_grammars::project::Manifest;
use copies::Copies;
use corpus::Corpus;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use index::build::build;
use index::resolve::{Facts, SourceFile, resolve};

/// How many copies of a repository stand side by side; 64 have some 1,500 files.
const N_COPIES: [usize; 3] = [1, 16, 64];

fn stage(criterion: &mut Criterion) {
    for name in corpus::NAMES {
        let corpus = Corpus::read(name);
        let mut group = criterion.benchmark_group(format!("resolve/{name}"));
        pace::set(&mut group);
        for n_copies in N_COPIES {
            let copies = Copies::new(&corpus, n_copies);
            let inputs = copies.inputs();
            let source = |path| language_of(path).map(|(number, _)| number);
            let sources: Vec<_> = inputs
                .iter()
                .map(|file| SourceFile { path: file.path, language: source(file.path), facts: Facts::Here(&file.record.facts) })
                .collect();
            let manifests: Vec<_> = inputs
                .iter()
                .filter_map(|file| Some(Manifest { path: file.path, text: file.record.manifest.as_deref()? }))
                .collect();
            group.throughput(Throughput::Elements(inputs.len() as u64));
            group.bench_function(BenchmarkId::new("links", n_copies), |bencher| {
                bencher.iter(|| resolve(&sources, &manifests, false, None));
            });
            group.bench_function(BenchmarkId::new("fact base", n_copies), |bencher| bencher.iter(|| build(&inputs)));
        }
        group.finish();
    }
}

criterion_group!(benches, stage);
criterion_main!(benches);
