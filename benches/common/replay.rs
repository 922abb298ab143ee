//! Replays the history of a repository and sees that every fact base which knows the one before is as one that knows nothing.
//!
//! `replay REPOSITORY N [STEP]` clones a repository, goes from its Nth last commit on the first-parent line to the last, by every one of STEP, and
//! takes a snapshot after each: once beside what is known of the commit before, once without. All sections are compared but those of times.
//! It prints a line for each commit: changed, extracted and resolved files, milliseconds of both. Exit code 1 where a section differs.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a program that is told what to do and says what came out"
)]

use engine::{CacheChoice, Engine, Options};
use index::build::{FileInput, build};
use index::extract::extract;
use repo::testing::Scratch;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (repository, n_commits, step) = match arguments.as_slice() {
        [repository, n_commits] => (repository, n_commits.parse::<usize>()?, 1),
        [repository, n_commits, step] => (repository, n_commits.parse()?, step.parse()?),
        _ => {
            eprintln!("usage: replay REPOSITORY N [STEP]");
            std::process::exit(2);
        }
    };
    let scratch = Scratch::new();
    let (tree, known, alone) = (scratch.path().join("tree"), scratch.path().join("known"), scratch.path().join("alone"));
    git(scratch.path(), &["clone", "--quiet", "--no-checkout", repository, "tree"])?;
    let n_listed = n_commits.to_string();
    let commits = git(&tree, &["rev-list", "--first-parent", "--reverse", "-n", n_listed.as_str(), "HEAD"])?;
    let names = section_names();
    let mut n_wrong = 0;
    for commit in commits.lines().step_by(step) {
        git(&tree, &["checkout", "--quiet", "--force", commit])?;
        let (with, fast) = take(&tree, &known)?;
        // Records stay, so that only what is made of them is made again.
        for entry in fs::read_dir(&alone).into_iter().flatten().flatten() {
            if entry.path().extension().is_none_or(|ending| ending != "records" && ending != "recent" && ending != "lock") {
                fs::remove_file(entry.path())?;
            }
        }
        let (without, slow) = take(&tree, &alone)?;
        let wrong: Vec<&str> =
            names.iter().copied().filter(|name| with.base.section(name) != without.base.section(name)).collect();
        n_wrong += usize::from(!wrong.is_empty());
        let effort = with.effort;
        println!(
            "{} {} files, {} read, {} extracted, {} resolved, {fast} ms beside {slow} ms{}",
            &commit[..commit.len().min(12)],
            effort.n_files,
            effort.n_read,
            effort.n_extracted,
            effort.n_resolved,
            if wrong.is_empty() { String::new() } else { format!(": DIFFERS in {}", wrong.join(", ")) }
        );
    }
    println!("{n_wrong} wrong");
    std::process::exit(i32::from(n_wrong > 0));
}

/// A snapshot by a process of its own, so to say, and its milliseconds.
fn take(tree: &Path, cache: &Path) -> Result<(std::sync::Arc<index::snapshot::Snapshot>, u128), Failure> {
    let started = Instant::now();
    let engine = Engine::open_with(tree, Options { cache: CacheChoice::Folder(cache.to_owned()), ..Options::default() })?;
    let snapshot = engine.snapshot()?;
    Ok((snapshot, started.elapsed().as_millis()))
}

fn git(folder: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let done = Command::new("git").arg("-C").arg(folder).args(arguments).output()?;
    if !done.status.success() {
        return Err(format!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&done.stderr)).into());
    }
    Ok(String::from_utf8(done.stdout)?)
}

/// The names of all sections but those of times, which say when files were looked at.
fn section_names() -> Vec<&'static str> {
    let record = extract("a.go", Some(b"package a"));
    let file = FileInput::untimed("a.go", 0, &record);
    let sections = build(&[file]).sections.into_iter().map(|(name, _)| name);
    // Tables need not know the names in bodies.
    let compared = sections.filter(|name| !["file.mtime", "file.ctime"].contains(name) && !name.starts_with("table."));
    compared.chain(["problems"]).collect()
}
