//! Repositories of the corpus in memory, as they are or several times side by side.

use index::extract::{FileRecord, MAX_TEXT_BYTES, extract};
use repo::{Repo, WalkOptions};
use std::path::Path;

/// The repositories that stages are measured on.
pub(crate) const NAMES: [&str; 4] = ["auth-go", "auth-rust", "auth-ts", "polyglot"];

/// A repository in memory.
pub(crate) struct Corpus {
    /// Path and content of each file, by path.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

impl Corpus {
    /// Reads the repository `name`.
    pub(crate) fn read(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let repo = Repo::open(&folder).expect("a repository of the corpus");
        let walk = repo.walk(&WalkOptions::default()).expect("a walk");
        let read = |path| repo.read(path, MAX_TEXT_BYTES).expect("a file");
        Self { files: walk.files.iter().map(|file| (file.path.as_str().to_owned(), read(&file.path))).collect() }
    }

    /// The record of each file.
    pub(crate) fn records(&self) -> Vec<FileRecord> {
        self.files.iter().map(|(path, content)| extract(path, Some(content))).collect()
    }
}
