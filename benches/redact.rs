//! Source text to the ranges that hide a secret, beside the way of detectors that have patterns alone: keywords first, then the pattern of each
//! rule whose keyword occurs, with the same rules.
//!
//! What the two do not have in common is what structure costs: names and what they are given, addresses, headers, formats of files, and
//! the second look at what is left. `files` takes them one by one, some with a secret; `one text` all in one, which is looked at once more
//! because it has secrets. `ACTIVATE_BENCH_REPO=FOLDER` measures the sources of a repository of your own too. One thread.

#![expect(clippy::disallowed_methods, reason = "a variable names a repository to measure")]

#[path = "common/clock.rs"]
mod clock;
#[path = "common/generated.rs"]
mod generated;
#[path = "common/pace.rs"]
mod pace;
#[path = "common/random.rs"]
mod random;

use activate_grammars::language_of;
use aho_corasick::AhoCorasick;
use clock::ProcessorTime;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use index::extract::MAX_TEXT_BYTES;
use redact::by_rules;
use regex::bytes::{Regex, RegexBuilder};
use repo::{Repo, WalkOptions};
use std::hint::black_box;
use std::path::Path;

/// How many files are generated: three and a half megabytes.
const N_FILES: u32 = 2_200;

/// One file of so many has a secret.
const SECRET_EVERY: usize = 100;

/// Compiled size limit of one pattern, as ours.
const MAX_PATTERN_BYTES: usize = 10 << 20;

/// Rules that look for keywords and then for their patterns.
struct Patterns {
    keywords: AhoCorasick,
    by_keyword: Vec<usize>,
    compiled: Vec<Regex>,
}

impl Patterns {
    /// The rules that come with the program.
    fn built_in() -> Self {
        let rules: toml::Table = include_str!("../engine/redact/rules.toml").parse().expect("rules");
        let (mut keywords, mut by_keyword, mut patterns) = (Vec::new(), Vec::new(), Vec::new());
        for rule in rules["rules"].as_array().expect("a list") {
            let Some(text) = rule.get("regex").and_then(toml::Value::as_str) else { continue };
            for word in rule.get("keywords").and_then(toml::Value::as_array).into_iter().flatten() {
                keywords.push(word.as_str().expect("a word").to_owned());
                by_keyword.push(patterns.len());
            }
            patterns.push(RegexBuilder::new(text).unicode(false).size_limit(MAX_PATTERN_BYTES).build().expect("a pattern"));
        }
        let keywords = AhoCorasick::builder().ascii_case_insensitive(true).build(&keywords).expect("keywords");
        Self { keywords, by_keyword, compiled: patterns }
    }

    fn count(&self, text: &[u8]) -> usize {
        let mut due = vec![false; self.compiled.len()];
        for keyword in self.keywords.find_overlapping_iter(text) {
            due[self.by_keyword[keyword.pattern().as_usize()]] = true;
        }
        let due = self.compiled.iter().zip(due).filter(|(_, due)| *due);
        due.map(|(pattern, _)| pattern.find_iter(text).count()).sum()
    }
}

fn measure(criterion: &mut Criterion<ProcessorTime>, name: &str, files: &[(String, Vec<u8>)]) {
    let rival = Patterns::built_in();
    let one = files.iter().flat_map(|(_, content)| content.iter().copied()).collect::<Vec<u8>>();
    let mut group = criterion.benchmark_group(format!("redact/{name}"));
    pace::set(&mut group);
    group.throughput(Throughput::Bytes(one.len() as u64));
    group.bench_function("files", |bencher| {
        bencher.iter(|| files.iter().map(|(path, content)| by_rules::find(path, content).len()).sum::<usize>());
    });
    group.bench_function("one text", |bencher| bencher.iter(|| black_box(by_rules::find("", &one))));
    group.bench_function("patterns alone", |bencher| {
        bencher.iter(|| files.iter().map(|(_, content)| rival.count(content)).sum::<usize>());
    });
    group.finish();
}

fn stage(criterion: &mut Criterion<ProcessorTime>) {
    let mut files: Vec<(String, Vec<u8>)> =
        generated::files(N_FILES).into_iter().map(|(path, content)| (path, content.into_bytes())).collect();
    for (number, (_, content)) in files.iter_mut().enumerate().step_by(SECRET_EVERY) {
        content.extend(format!("\nconst password = \"copper-walnut-{number}\"\n").bytes());
    }
    let n_found: usize = files.iter().map(|(path, content)| by_rules::find(path, content).len()).sum();
    assert_eq!(n_found, files.len().div_ceil(SECRET_EVERY), "each secret is found and nothing else");
    measure(criterion, "generated", &files);
    if let Some(folder) = std::env::var_os("ACTIVATE_BENCH_REPO") {
        let repo = Repo::open(Path::new(&folder)).expect("a repository");
        let walk = repo.walk(&WalkOptions::default()).expect("a walk");
        let sources = walk.files.iter().filter(|file| language_of(file.path.as_str()).is_some());
        let read = |path| repo.read(path, MAX_TEXT_BYTES).expect("a file");
        let files: Vec<_> = sources.map(|file| (file.path.as_str().to_owned(), read(&file.path))).collect();
        measure(criterion, "own", &files);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(ProcessorTime::new());
    targets = stage
}
criterion_main!(benches);
