//! Two repositories' worth of features of each language: files in, a boundary out.

mod builds;
mod externs;
mod generic;
mod go;
mod hostile;
mod java;
mod locks;
mod overrides;
mod python;
mod rust;
mod served;
mod typescript;

use super::boundary;
use crate::extract::extract;
use crate::fixture::base;

/// The boundary of the files in a string, as text.
fn listing(repository: &str) -> String {
    let base = base(repository);
    let files: std::collections::BTreeMap<&str, &str> =
        repository.split("//- ").skip(1).map(|file| file.split_once('\n').unwrap_or((file, ""))).collect();
    let read = |file| {
        let path = base.path(file);
        let record = extract(path, Some(files.get(path)?.as_bytes()));
        Some((record.facts, record.manifest))
    };
    boundary(&base, &read).map_or_else(|why| why.0, |boundary| boundary.listing(&base))
}

/// The facts that begin with one of several words.
#[track_caller]
fn check_only(words: &[&str], repository: &str, expected: &str) {
    let listing = listing(repository);
    let is_wanted = |line: &&str| line.split_once(' ').is_some_and(|(word, _)| words.contains(&word));
    let lines: Vec<&str> = listing.lines().filter(is_wanted).collect();
    assert_eq!(lines.join("\n"), expected.trim());
}

#[track_caller]
fn check(repository: &str, expected: &str) {
    assert_eq!(listing(repository), expected.trim_end());
}
