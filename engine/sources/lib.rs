//! For build scripts: one number that stands for the sources that decide what a crate gives out.
//!
//! A packaged crate has no neighbours: what is not there is left out, and its version stands for it.

#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a build script reads sources and talks to cargo")]

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Endings of sources.
const SOURCES: [&str; 3] = ["rs", "scm", "toml"];

/// The hash of all sources below some paths, without those below others; cargo is told to look for changes of them.
pub fn hash(paths: &[&str], without: &[&str]) -> u64 {
    let mut files = Vec::new();
    for path in paths.iter().map(Path::new).filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
        collect(path, &mut files);
    }
    files.sort();
    files.retain(|file| !without.iter().any(|path| file.starts_with(path)));
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        fs::read(&file).unwrap_or_default().hash(&mut hasher);
    }
    hasher.finish()
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        files.push(path.to_owned());
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| SOURCES.iter().any(|known| ending == *known)) {
            files.push(path);
        }
    }
}
