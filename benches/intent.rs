//! The words of a task to files and definitions, over generated repositories of known sizes.
//!
//! `index` makes the text index from the words of each file; `search` asks it for the best files alone; `words` and `name` read a
//! whole intent, one in prose and one that names a function, as every answer does; `log` reads one with a log of 200 kB, tools' output and patches
//! in it, and `line`, `wide`, `frames` and `diff` as many bytes without ends of lines, in Chinese, of frames and of a patch. The rival of `search`
//! is `scan`: all texts looked through for the same words in one pass, as a search tool without an index does. The numbers are files.

#[path = "common/clock.rs"]
mod clock;
#[path = "common/generated.rs"]
mod generated;
#[path = "common/log.rs"]
mod log;
#[path = "common/pace.rs"]
mod pace;
#[path = "common/random.rs"]
mod random;

use activate_rules::weights::Weights;
use aho_corasick::AhoCorasick;
use clock::ProcessorTime;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use index::base::{FactBase, MemorySections};
use index::build::{FileInput, build};
use index::extract::{FileRecord, extract};
use index::history::PastCommits;
use index::text::{FieldWeights, IndexBuilder, Scores, query_terms};
use intent::failures::Failures;
use review::Patch;
use std::cmp::Reverse;
use std::sync::Arc;

/// How many files are generated.
const N_FILES: [u32; 2] = [1_000, 10_000];

/// A task in prose, with frequent and rare words of the vocabulary and some that nothing has.
const PROSE: &str = "retry the session handler when a volume client loses its socket, and keep the ledger table";

/// Bytes of a pasted log.
const LOG_BYTES: usize = 200_000;

/// Most files that a search gives.
const LIMIT: usize = 50;

/// The files in which the words stand most often.
fn scan(words: &[String], files: &[(String, String)]) -> Vec<(usize, usize)> {
    let words = AhoCorasick::builder().ascii_case_insensitive(true).build(words).expect("a few words");
    let mut counts: Vec<(usize, usize)> = files.iter().map(|(_, text)| words.find_iter(text).count()).zip(0..).collect();
    counts.sort_unstable_by_key(|&(count, file)| (Reverse(count), file));
    counts.truncate(LIMIT);
    counts
}

fn stage(criterion: &mut Criterion<ProcessorTime>) {
    for n_files in N_FILES {
        let files = generated::files(n_files);
        let records: Vec<FileRecord> = files.iter().map(|(path, text)| extract(path, Some(text.as_bytes()))).collect();
        let inputs: Vec<FileInput<'_>> = files
            .iter()
            .zip(&records)
            .map(|((path, text), record)| FileInput::untimed(path, text.len() as u64, record))
            .collect();
        let base = FactBase::new(Arc::new(MemorySections::new(build(&inputs).sections)));
        let index = base.text().expect("an index that was just made");
        let (weights, past) = (Weights::default(), PastCommits::default());
        let field_weights = FieldWeights::from(&weights.text);
        let named = format!("fix {}", generated::name(n_files / 2, 1));

        let mut group = criterion.benchmark_group(format!("intent/generated-{n_files}"));
        pace::set(&mut group);
        group.throughput(Throughput::Elements(u64::from(n_files)));
        group.bench_function("index", |bencher| {
            bencher.iter(|| {
                let mut builder = IndexBuilder::default();
                for record in &records {
                    builder.add(&record.words);
                }
                builder.finish()
            });
        });
        let mut scores = Scores::default();
        group.bench_function("search", |bencher| {
            bencher.iter(|| {
                let query = index.with_forms(query_terms(PROSE));
                index.search(&query, &field_weights, LIMIT, |_| true, &mut scores)
            });
        });
        let words: Vec<String> = query_terms(PROSE).into_iter().map(|term| term.text).collect();
        group.bench_function("scan", |bencher| bencher.iter(|| scan(&words, &files)));
        group.bench_function("words", |bencher| bencher.iter(|| intent::read(&base, PROSE, &weights, &past)));
        group.bench_function("name", |bencher| bencher.iter(|| intent::read(&base, &named, &weights, &past)));
        for (name, pasted) in [("log", log::log(LOG_BYTES))].into_iter().chain(log::hostile(LOG_BYTES)) {
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    let pasted_report = signals::pasted(&pasted);
                    let failures = Failures::locate(&redact::Masker::knowing_nothing(), &base, "", "", &pasted_report.report);
                    let patch = Patch::parse(&pasted);
                    let intent = intent::read_with(&base, &pasted, &pasted_report.is_read, &failures, &weights, &past);
                    (intent, patch)
                });
            });
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
