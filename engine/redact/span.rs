//! A range of bytes that hides a secret, and what it is called.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// One range of bytes to mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaskSpan {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What is hidden, in kebab case: `github-token`. Says nothing about the value.
    pub kind: &'static str,
}

/// The name of a kind that was kept: the same for as long as the process runs.
pub fn kind(name: &str) -> &'static str {
    static KINDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kinds = KINDS.lock().unwrap_or_else(PoisonError::into_inner);
    match kinds.get(name) {
        Some(kind) => kind,
        None if kinds.len() == MAX_KINDS || name.len() > MAX_KIND_BYTES => OTHER,
        None => {
            let kind: &'static str = Box::leak(name.into());
            kinds.insert(kind);
            kind
        }
    }
}

/// The most kinds that are named, and the most bytes of a name: there are some hundred, and each name stays in memory.
const MAX_KINDS: usize = 4_096;
const MAX_KIND_BYTES: usize = 64;
/// What stands for a kind without a name.
const OTHER: &str = "secret";
