//! Hashes the sources that decide what facts say, so that cached facts of another build are never mistaken for this one's, and all sources,
//! for what is measured of them.

#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a build script reads sources and talks to cargo")]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Sources that decide what facts and the history that is kept with them say.
const FACTS: [&str; 6] =
    ["grammars", "rules/atoms.rs", "rules/links.rs", "engine/facts", "engine/repo/git", "engine/context/redact"];

/// Sources among them that only read facts.
const READERS: [&str; 6] = [
    "engine/facts/intent",
    "engine/facts/completeness",
    "engine/facts/text/forms.rs",
    "engine/facts/text/nearest.rs",
    "engine/facts/text/query.rs",
    "engine/facts/text/search.rs",
];

/// Sources that decide what an answer says.
const ALL: [&str; 3] = ["grammars", "rules", "engine"];

fn main() {
    println!("cargo::rustc-env=ACTIVATE_FACTS_HASH={:016x}", hash(&FACTS));
    println!("cargo::rustc-env=ACTIVATE_SOURCES_HASH={:016x}", hash(&ALL));
}

fn hash(folders: &[&str]) -> u64 {
    let mut files = Vec::new();
    for folder in folders {
        println!("cargo::rerun-if-changed={folder}");
        collect(Path::new(folder), &mut files);
    }
    files.sort();
    files.retain(|file| folders != FACTS || !READERS.iter().any(|reader| file.starts_with(reader)));
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        std::fs::read(&file).unwrap_or_default().hash(&mut hasher);
    }
    hasher.finish()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    if folder.is_file() {
        files.push(folder.to_owned());
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ["rs", "scm", "toml"].iter().any(|known| ending == *known)) {
            files.push(path);
        }
    }
}
