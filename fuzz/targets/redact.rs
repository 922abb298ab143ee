//! Masks of any text: lines stay where they are, and masking what is masked changes nothing.
#![no_main]

use redact::{by_rules, apply};
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 8] = ["", ".env", "a.yaml", "config.json", "id_rsa", ".netrc", "a.go", "terraform.tfvars"];

fuzz_target!(|data: &[u8]| {
    let Some((first, text)) = data.split_first() else { return };
    let name = NAMES[usize::from(*first) % NAMES.len()];
    let masked = apply(text, &by_rules::find(name, text));
    let feeds = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(feeds(text), feeds(&masked), "lines stay where they are");
    assert_eq!(apply(&masked, &by_rules::find(name, &masked)), masked, "masking what is masked changes nothing");
});
