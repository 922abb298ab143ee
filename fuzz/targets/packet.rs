//! Packets of any kind, as the checker is given them.
#![no_main]

use packets::kinds::{KINDS, kind_of, why_none};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match kind_of(text) {
        Some(kind) => drop((kind.validate)(&redact::Masker::knowing_nothing(), text)),
        None => assert!(!why_none(text).is_empty()),
    }
    for kind in &KINDS {
        let _ = (kind.validate)(&redact::Masker::knowing_nothing(), text);
    }
});
