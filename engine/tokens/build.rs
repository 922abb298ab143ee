//! Lays out the vocabularies of the tokenizers as they are searched.

#![expect(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a build script reads sources and talks to cargo")]

#[path = "vocabulary.rs"]
#[expect(dead_code, reason = "the program searches what is laid out here")]
mod vocabulary;

use std::hash::{DefaultHasher, Hash, Hasher};
use tiktoken_rs::CoreBPE;

/// The sources that say how a vocabulary is laid out, and from which version of the crate that has it.
const LAYOUT: [&str; 3] = ["build.rs", "vocabulary.rs", "Cargo.toml"];

fn main() {
    for source in LAYOUT {
        println!("cargo::rerun-if-changed={source}");
    }
    let layout = layout_hash();
    println!("cargo::rustc-env=ACTIVATE_O200K={}", write_vocabulary("o200k", layout, tiktoken_rs::o200k_base_singleton));
    println!("cargo::rustc-env=ACTIVATE_CL100K={}", write_vocabulary("cl100k", layout, tiktoken_rs::cl100k_base_singleton));
}

/// Stands for all that a vocabulary is made from.
fn layout_hash() -> u64 {
    let mut hasher = DefaultHasher::new();
    for source in LAYOUT {
        std::fs::read(source).unwrap_or_default().hash(&mut hasher);
    }
    hasher.finish()
}

/// Writes a vocabulary as it is searched, unless it is there, and gives its path.
fn write_vocabulary(name: &str, layout: u64, tokenizer: fn() -> &'static CoreBPE) -> String {
    let folder = std::env::var("OUT_DIR").expect("cargo gives a build a folder");
    let path = format!("{folder}/{name}-{layout:016x}.vocabulary");
    if std::fs::read(&path).is_ok_and(|bytes| vocabulary::is_whole(&bytes)) {
        return path;
    }
    // Behind the last of these is a gap, and then the special tokens, which no text has.
    let tokenizer = tokenizer();
    let tokens: Vec<Vec<u8>> = (0..).map_while(|rank| tokenizer.decode_bytes(&[rank]).ok()).collect();
    // Under its name only when it is whole: a build may be killed at any time.
    let unfinished = format!("{path}.tmp");
    std::fs::write(&unfinished, lay_out(&tokens)).expect("the folder of the build can be written");
    std::fs::rename(&unfinished, &path).expect("a file of the build can be renamed");
    path
}

/// Lays out tokens, which are in the order of their ranks, as `vocabulary.rs` says.
fn lay_out(tokens: &[Vec<u8>]) -> Vec<u8> {
    let n_tokens = tokens.len();
    assert!(n_tokens < 1 << vocabulary::RANK_BITS, "more tokens than a slot can tell apart");
    // At most half full, so that probes stay short.
    let n_slots = (n_tokens * 2).next_power_of_two();
    let (mut slots, mut ends, mut texts) = (vec![0_u32; n_slots], Vec::with_capacity(n_tokens), Vec::new());
    for (rank, token) in tokens.iter().enumerate() {
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
