//! What people paste: cut into blocks, read with what tools wrote in it, and taken for a patch.
#![no_main]

use index::base::{FactBase, MemorySections};
use index::build::{FileInput, build};
use index::extract::extract;
use intent::failures::Failures;
use index::history::PastCommits;
use intent;
use review::Patch;
use signals;
use activate_rules::weights::Weights;
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};

/// A repository with two files.
static BASE: LazyLock<FactBase> = LazyLock::new(|| {
    let files = [
        ("auth/login.go", "package auth\n\nfunc ValidateToken(token string) error { return parse(token) }\n\nfunc parse(token string) error { return nil }\n"),
        ("src/main.rs", "mod auth;\n\npub fn main() { auth::check_token(\"\") }\n"),
    ];
    let records = files.map(|(path, text)| extract(path, Some(text.as_bytes())));
    let inputs: Vec<FileInput<'_>> = (files.iter().zip(&records))
        .map(|((path, text), record)| FileInput { path, size: text.len() as u64, mtime_ns: 0, ctime_ns: 0, hash: 0, record })
        .collect();
    FactBase::new(Arc::new(MemorySections::new(build(&inputs).sections)))
});

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let pasted = signals::pasted(&text);
    let failures = Failures::locate(&redact::Masker::knowing_nothing(), &BASE, "/srv/app", "", &pasted.report);
    let (weights, past) = (Weights::default(), PastCommits::default());
    let read = intent::read_with(&BASE, &text, &pasted.is_read, &failures, &weights, &past);
    assert!(!read.headline.contains('\n'), "a headline is one line");
    Patch::parse(&text);
});
