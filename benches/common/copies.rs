//! A repository of the corpus several times side by side, each in a folder of its own.

use crate::corpus::Corpus;
use index::build::FileInput;
use index::extract::FileRecord;

/// Paths and records of all copies.
pub(crate) struct Copies {
    paths: Vec<String>,
    sizes: Vec<u64>,
    records: Vec<FileRecord>,
}

impl Copies {
    /// `n_copies` of a repository.
    pub(crate) fn new(corpus: &Corpus, n_copies: usize) -> Self {
        let width = n_copies.to_string().len();
        let mut copies = Self { paths: Vec::new(), sizes: Vec::new(), records: Vec::new() };
        let records = corpus.records();
        for copy in 0..n_copies {
            for ((path, content), record) in corpus.files.iter().zip(&records) {
                copies.paths.push(format!("copy-{copy:0width$}/{path}"));
                copies.sizes.push(content.len() as u64);
                copies.records.push(record.clone());
            }
        }
        copies
    }

    /// What the fact base is built from, by path.
    pub(crate) fn inputs(&self) -> Vec<FileInput<'_>> {
        let files = self.paths.iter().zip(&self.sizes).zip(&self.records);
        files.map(|((path, &size), record)| FileInput::untimed(path, size, record)).collect()
    }
}
