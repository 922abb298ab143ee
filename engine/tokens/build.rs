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
    let slots = slots_of(tokens);
    let (mut starts, mut lengths, mut texts) = (Vec::new(), Vec::with_capacity(n_tokens), Vec::new());
    for (rank, token) in tokens.iter().enumerate() {
        if rank % vocabulary::BLOCK == 0 {
            starts.push(texts.len() as u32);
        }
        lengths.push(u8::try_from(token.len()).expect("a token has at most 255 bytes"));
        texts.extend_from_slice(token);
    }
    lengths.resize(n_tokens.next_multiple_of(vocabulary::BLOCK), 0);
    let counts = [n_tokens, slots.displacements.len(), slots.filled.len(), texts.len()];
    let mut bytes: Vec<u8> = counts.iter().flat_map(|count| (*count as u32).to_le_bytes()).collect();
    bytes.extend(slots.displacements.into_iter().flat_map(u16::to_le_bytes));
    bytes.extend(slots.filled.into_iter().flat_map(|slot| slot.to_le_bytes().into_iter().take(vocabulary::SLOT)));
    bytes.extend(starts.into_iter().flat_map(u32::to_le_bytes));
    bytes.append(&mut lengths);
    bytes.append(&mut texts);
    bytes
}

/// A perfect hash table.
struct Slots {
    /// The number of each bucket.
    displacements: Vec<u16>,
    filled: Vec<u32>,
}

/// Finds a number for each bucket by which its tokens get slots of their own. Large buckets come first, while most slots are free.
fn slots_of(tokens: &[Vec<u8>]) -> Slots {
    const TOKENS_A_BUCKET: usize = 4;
    // One slot in twenty stays free, so that a number is found for the last buckets as well.
    let (n_slots, n_buckets) = (tokens.len() * 20 / 19 + 1, tokens.len() / TOKENS_A_BUCKET + 1);
    let mut buckets: Vec<Vec<(u32, u64)>> = vec![Vec::new(); n_buckets];
    for (rank, token) in tokens.iter().enumerate() {
        let hash = vocabulary::hash(token);
        buckets[vocabulary::bucket(hash, n_buckets)].push((rank as u32, hash));
    }
    let mut order: Vec<usize> = (0..n_buckets).collect();
    order.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));
    let mut slots = Slots { displacements: vec![0; n_buckets], filled: vec![0; n_slots] };
    for bucket in order {
        let places = |displacement| buckets[bucket].iter().map(move |&(_, hash)| vocabulary::slot(hash, displacement, n_slots));
        let is_free = |displacement: &u16| {
            let mut places: Vec<usize> = places(*displacement).collect();
            places.sort_unstable();
            places.windows(2).all(|pair| pair[0] != pair[1]) && places.iter().all(|place| slots.filled[*place] == 0)
        };
        let displacement = (0..=u16::MAX).find(is_free).expect("some number gives each token of a bucket a slot");
        let places: Vec<usize> = places(displacement).collect();
        for (place, &(rank, hash)) in places.into_iter().zip(&buckets[bucket]) {
            slots.filled[place] = vocabulary::filled(rank, hash);
        }
        slots.displacements[bucket] = displacement;
    }
    slots
}
