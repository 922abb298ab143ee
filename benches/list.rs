//! Listing files and seeing that none changed, which every answer begins with, over folders of generated files.
//!
//! `list` is the walk with its ignore rules; `again` the walk that knows an earlier one; `fresh` is the whole look of an engine that stays:
//! list again, compare with the fact base, ask git (there is none). The rival `by hand` reads the folders and the times of the files in a plain loop, with no ignore rules, on one thread.
//! The numbers are files.

#![expect(clippy::disallowed_methods, reason = "a repository needs a folder")]

#[path = "common/generated.rs"]
mod generated;
#[path = "common/pace.rs"]
mod pace;
#[path = "common/random.rs"]
mod random;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::{CacheChoice, Engine, Options};
use repo::{Repo, WalkOptions};
use std::path::Path;
use std::time::Duration;
use std::{env, fs, io, process, thread};

/// How many files are generated.
const N_FILES: [u32; 2] = [1_000, 10_000];

/// Longer than the time within which a change may not show in the times of a file: files that young are read again.
const UNTIL_OLD: Duration = Duration::from_millis(2_500);

/// Files below a folder, with their lengths and times.
fn by_hand(folder: &Path, found: &mut Vec<(u64, std::time::SystemTime)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            by_hand(&entry.path(), found)?;
        } else {
            let metadata = entry.metadata()?;
            found.push((metadata.len(), metadata.modified()?));
        }
    }
    Ok(())
}

fn measure(criterion: &mut Criterion, n_files: u32, folder: &Path) -> io::Result<()> {
    let files = generated::files(n_files);
    for (path, content) in &files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, content)?;
    }
    thread::sleep(UNTIL_OLD);
    let repo = Repo::open(folder).expect("a repository");
    let options = Options { cache: CacheChoice::Off, ..Options::default() };
    let engine = Engine::open_with(folder, options).expect("a repository");
    engine.snapshot().expect("a snapshot");

    let mut group = criterion.benchmark_group(format!("list/generated-{n_files}"));
    pace::set(&mut group);
    group.throughput(Throughput::Elements(files.len() as u64));
    group.bench_function("list", |bencher| {
        bencher.iter(|| assert_eq!(repo.walk(&WalkOptions::default()).map(|walk| walk.files.len()).ok(), Some(files.len())));
    });
    let known = repo.walk(&WalkOptions::default()).ok().and_then(|mut walk| walk.take_listing()).expect("a list");
    group.bench_function("again", |bencher| {
        bencher.iter(|| {
            let walk = repo.walk_again(&WalkOptions::default(), &known);
            assert_eq!(walk.map(|walk| walk.files.len()).ok(), Some(files.len()));
        });
    });
    group.bench_function("fresh", |bencher| {
        bencher.iter(|| assert_eq!(engine.snapshot().map(|snapshot| snapshot.effort.n_read).ok(), Some(0)));
    });
    group.bench_function("by hand", |bencher| {
        bencher.iter(|| {
            let mut found = Vec::new();
            by_hand(folder, &mut found).expect("folders that can be listed");
            assert_eq!(found.len(), files.len());
        });
    });
    group.finish();
    Ok(())
}

fn stage(criterion: &mut Criterion) {
    for n_files in N_FILES {
        let folder = env::temp_dir().join(format!("activate-bench-list-{}-{n_files}", process::id()));
        let measured = measure(criterion, n_files, &folder);
        fs::remove_dir_all(&folder).expect("a folder that was made here");
        measured.expect("room for some thousand small files");
    }
}

criterion_group!(benches, stage);
criterion_main!(benches);
