//! Past commits to what is asked of them, over generated histories of known lengths.
//!
//! `index` makes the index of messages and of the files that commits touched; `like` asks which commits have words like these; `together`
//! asks which files changed with some. Reading commits out of git's objects needs a real repository: `benches/compare` measures it,
//! beside `git log`. The numbers are commits.

#[path = "common/clock.rs"]
mod clock;
#[path = "common/generated.rs"]
mod generated;
#[path = "common/pace.rs"]
mod pace;
#[path = "common/random.rs"]
mod random;

use activate_rules::atoms::NodeId;
use activate_rules::weights::HistoryWeights;
use clock::ProcessorTime;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use index::base::{FactBase, MemorySections};
use index::build::{FileInput, build};
use index::extract::{FileRecord, extract};
use index::history::{PastCommits, changed_with};
use index::text::query_terms;
use random::Random;
use repo::{Commit, RepoPath, Touch};
use std::sync::Arc;

/// How many commits are generated; the greater number is the most that is read of a repository.
const N_COMMITS: [u32; 2] = [500, repo::MAX_COMMITS as u32];

/// Files of the repository.
const N_FILES: u32 = 1_000;

/// The most files that a commit touches, one after the other by path.
const MOST_TOUCHED: u32 = 6;

/// Words of a subject and of the rest of a message.
const N_WORDS: [usize; 2] = [8, 60];

/// Seconds between commits.
const PERIOD: i64 = 3_600;

/// A task in prose.
const PROSE: &str = "retry the session handler when a volume client loses its socket";

/// Most commits that are asked for.
const LIMIT: usize = 50;

/// How many files it is asked who changed with them.
const N_ASKED: usize = 20;

/// Commits, newest first. Some files change often, most hardly ever.
fn commits(n_commits: u32) -> Vec<Commit> {
    let mut random = Random::new(u64::from(n_commits));
    let mut commit = |number: u32| {
        let mut sentence = |n_words| (0..n_words).map(|_| generated::word(&mut random)).collect::<Vec<_>>().join(" ");
        let (subject, body) = (sentence(N_WORDS[0]), sentence(N_WORDS[1]));
        let most = 1 + random.below(N_FILES);
        let first = random.below(most);
        let files = first..(first + 1 + random.below(MOST_TOUCHED)).min(N_FILES);
        let touched: Vec<_> =
            files.map(|file| (RepoPath::new(&generated::path(file)).expect("a path"), Touch::Modified)).collect();
        Commit {
            id: format!("{number:040x}"),
            time: i64::from(n_commits - number) * PERIOD,
            author: "A. Author".to_owned(),
            subject,
            body,
            n_touched: touched.len() as u32,
            touched,
            bulk: false,
        }
    };
    (0..n_commits).map(&mut commit).collect()
}

fn stage(criterion: &mut Criterion<ProcessorTime>) {
    let files = generated::files(N_FILES);
    let records: Vec<FileRecord> = files.iter().map(|(path, text)| extract(path, Some(text.as_bytes()))).collect();
    let inputs: Vec<FileInput<'_>> =
        files.iter().zip(&records).map(|((path, text), record)| FileInput::untimed(path, text.len() as u64, record)).collect();
    let base = FactBase::new(Arc::new(MemorySections::new(build(&inputs).sections)));
    let asked: Vec<NodeId> = base.files().take(N_ASKED).collect();
    for n_commits in N_COMMITS {
        let commits = commits(n_commits);
        let past = PastCommits::new(commits.clone());
        let words = query_terms(PROSE);
        let messages = past.messages().expect("an index that was just made");
        let mut group = criterion.benchmark_group(format!("history/generated-{n_commits}"));
        pace::set(&mut group);
        group.throughput(Throughput::Elements(u64::from(n_commits)));
        group.bench_function("index", |bencher| {
            bencher.iter_batched(|| commits.clone(), PastCommits::new, BatchSize::LargeInput);
        });
        group.bench_function("like", |bencher| bencher.iter(|| past.like(&messages, &words, &HistoryWeights::default(), LIMIT)));
        group.bench_function("co-changes", |bencher| {
            bencher.iter(|| changed_with(&base, &past, &asked, &HistoryWeights::default()));
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(ProcessorTime::new());
    targets = stage
}
criterion_main!(benches);
