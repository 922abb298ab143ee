//! One task for each repository of the corpus.

use std::path::{Path, PathBuf};

/// A repository of the corpus, and what is to be done in it.
pub(crate) const TASKS: [(&str, &str); 4] = [
    ("auth-go", "fix ValidateToken"),
    ("auth-rust", "fix validate_token"),
    ("auth-ts", "fix validateToken"),
    ("polyglot", "fix validateToken in the web client"),
];

/// Where a repository of the corpus lies.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name)
}
