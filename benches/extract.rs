//! Source text to the record of a file, beside the parser alone on the same text: what facts cost on top of parsing.
//!
//! `files` takes every file of a repository, `parser alone` those that have a grammar, `one long file` the longest one many times over in
//! one text, whose throughput shows whether time grows faster than length. One thread.

#[path = "common/clock.rs"]
mod clock;
#[path = "common/corpus.rs"]
mod corpus;
#[path = "common/pace.rs"]
mod pace;

use activate_grammars::language_of;
use clock::ProcessorTime;
use corpus::Corpus;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use index::extract::extract;
use std::hint::black_box;

/// How often the longest file is repeated: some hundred kilobytes, as the longest files that people write.
const N_REPEATS: usize = 100;

fn parse(parser: &mut tree_sitter::Parser, path: &str, content: &[u8]) {
    let extension = path.rsplit('.').next().unwrap_or_default();
    if let Some((_, language)) = language_of(path) {
        parser.set_language(&(language.grammar)(extension)).expect("a grammar of this version");
        black_box(parser.parse(content, None));
    }
}

fn stage(criterion: &mut Criterion<ProcessorTime>) {
    for name in corpus::NAMES {
        let corpus = Corpus::read(name);
        let sources: Vec<_> = corpus.files.iter().filter(|(path, _)| language_of(path).is_some()).collect();
        let mut group = criterion.benchmark_group(format!("extract/{name}"));
        pace::set(&mut group);
        group.throughput(Throughput::Bytes(corpus.files.iter().map(|(_, content)| content.len() as u64).sum()));
        group.bench_function("files", |bencher| bencher.iter(|| corpus.records()));
        group.throughput(Throughput::Bytes(sources.iter().map(|(_, content)| content.len() as u64).sum()));
        group.bench_function("parser alone", |bencher| {
            let mut parser = tree_sitter::Parser::new();
            bencher.iter(|| sources.iter().for_each(|(path, content)| parse(&mut parser, path, content)));
        });
        if let Some((path, content)) = sources.iter().max_by_key(|(path, content)| (content.len(), path)) {
            let long = content.repeat(N_REPEATS);
            group.throughput(Throughput::Bytes(long.len() as u64));
            group.bench_function("one long file", |bencher| bencher.iter(|| extract(path, Some(&long))));
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(ProcessorTime::new());
    targets = stage
}
criterion_main!(benches);
