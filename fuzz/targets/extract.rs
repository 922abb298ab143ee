//! Facts of a file of any language, as its name and content decide.
#![no_main]

use index::extract::extract;
use libfuzzer_sys::fuzz_target;

/// The names by which the first byte picks a grammar, a manifest or plain text.
const NAMES: [&str; 9] = ["a.go", "a.rs", "a.ts", "a.tsx", "a.js", "go.mod", "Cargo.toml", "package.json", "a.txt"];

fuzz_target!(|data: &[u8]| {
    let Some((first, content)) = data.split_first() else { return };
    let path = NAMES[usize::from(*first) % NAMES.len()];
    let one = extract(path, Some(content));
    assert_eq!(one, extract(path, Some(content)), "the same content gives the same facts");
});
