//! Hashes the sources that decide what facts say, so that cached facts of another build are never mistaken for this one's, and all sources,
//! for what is measured of them. Lays out the vocabularies of tokenizers.

#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a build script reads sources and talks to cargo")]

#[path = "engine/context/tokens/vocabulary.rs"]
#[expect(dead_code, reason = "the program searches what is laid out here")]
mod vocabulary;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Sources that decide what facts and the history that is kept with them say.
const FACTS: [&str; 6] =
    ["grammars", "rules/atoms.rs", "rules/links.rs", "engine/facts", "engine/repo/git", "engine/context/redact"];

/// Sources among them that only read facts.
const READERS: [&str; 12] = [
    "engine/facts/checks.rs",
    "engine/facts/completeness",
    "engine/facts/failures",
    "engine/facts/found",
    "engine/facts/intent",
    "engine/facts/passages.rs",
    "engine/facts/past_lines.rs",
    "engine/facts/text/forms.rs",
    "engine/facts/text/languages.rs",
    "engine/facts/text/nearest.rs",
    "engine/facts/text/query.rs",
    "engine/facts/text/search.rs",
];

/// The sources that say how a vocabulary is laid out.
const LAYOUT: [&str; 2] = ["build.rs", "engine/context/tokens/vocabulary.rs"];

/// Where the version of the crate with the vocabularies is written down, and how it is called there.
const LOCK: &str = "Cargo.lock";
const VOCABULARIES: &str = "name = \"bpe-openai\"";

/// Sources that decide what an answer says.
const ALL: [&str; 3] = ["grammars", "rules", "engine"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=ACTIVATE_FACTS_HASH={:016x}", hash(&FACTS));
    let layout = layout_hash();
    println!("cargo::rustc-env=ACTIVATE_O200K={}", write_vocabulary("o200k", layout, bpe_openai::o200k_base));
    println!("cargo::rustc-env=ACTIVATE_CL100K={}", write_vocabulary("cl100k", layout, bpe_openai::cl100k_base));
    println!("cargo::rustc-env=ACTIVATE_SOURCES_HASH={:016x}", hash(&ALL));
}

/// Stands for all that a vocabulary is made from: how it is laid out, and the version of the crate that has it.
fn layout_hash() -> u64 {
    let mut hasher = DefaultHasher::new();
    for source in LAYOUT {
        std::fs::read(source).unwrap_or_default().hash(&mut hasher);
    }
    if let Ok(lock) = std::fs::read_to_string(LOCK) {
        println!("cargo::rerun-if-changed={LOCK}");
        lock.split("[[package]]").find(|package| package.contains(VOCABULARIES)).hash(&mut hasher);
    }
    hasher.finish()
}

/// Writes a vocabulary as it is searched, unless it is there, and gives its path.
fn write_vocabulary(name: &str, layout: u64, tokenizer: fn() -> &'static bpe_openai::Tokenizer) -> String {
    let folder = std::env::var("OUT_DIR").expect("cargo gives a build a folder");
    let path = format!("{folder}/{name}-{layout:016x}.vocabulary");
    if std::fs::read(&path).is_ok_and(|bytes| vocabulary::is_whole(&bytes)) {
        return path;
    }
    let bpe = &tokenizer().bpe;
    let tokens: Vec<&[u8]> = (0..bpe.num_tokens() as u32).map(|token| bpe.token_bytes(token)).collect();
    // Under its name only when it is whole: a build may be killed at any time.
    let unfinished = format!("{path}.tmp");
    std::fs::write(&unfinished, lay_out(tokens.into_iter())).expect("the folder of the build can be written");
    std::fs::rename(&unfinished, &path).expect("a file of the build can be renamed");
    path
}

/// Lays out tokens, which are in the order of their ranks, as `vocabulary.rs` says.
fn lay_out<'t>(tokens: impl ExactSizeIterator<Item = &'t [u8]>) -> Vec<u8> {
    let n_tokens = tokens.len();
    assert!(n_tokens < 1 << vocabulary::RANK_BITS, "more tokens than a slot can tell apart");
    // At most half full, so that probes stay short.
    let n_slots = (n_tokens * 2).next_power_of_two();
    let (mut slots, mut ends, mut texts) = (vec![0_u32; n_slots], Vec::with_capacity(n_tokens), Vec::new());
    for (rank, token) in tokens.enumerate() {
        let hash = vocabulary::hash(token);
        let mut slot = hash as usize & (n_slots - 1);
        while slots[slot] != 0 {
            slot = (slot + 1) & (n_slots - 1);
        }
        slots[slot] = vocabulary::filled(rank as u32, hash);
        texts.extend_from_slice(token);
        ends.push(texts.len() as u32);
    }
    let numbers = [n_tokens as u32, n_slots as u32].into_iter().chain(slots).chain(ends);
    let mut bytes: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
    bytes.append(&mut texts);
    bytes
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
