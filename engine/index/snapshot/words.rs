//! The words of the files of a snapshot, until they are an index.

use super::known::Known;
use crate::text::{self, Doc, IndexBuilder, Section, TextFacts};

/// The words of all files, in their order.
pub(super) enum Words {
    /// Of all of them.
    All(IndexBuilder),
    /// Those of new and changed files; the others are documents of an index that is there.
    Beside(Vec<Entry>),
}

/// Where the words of a file are.
pub(super) enum Entry {
    /// In the index of before, as this document.
    Old(u32),
    /// Here.
    New(TextFacts),
}

impl Default for Words {
    fn default() -> Self {
        Self::All(IndexBuilder::default())
    }
}

impl Words {
    /// No words yet; where most files are known already, those of the others shall come to them.
    pub(super) fn beside(known: Option<&Known<'_>>) -> Self {
        known.map_or_else(Self::default, |known| Self::Beside(Vec::with_capacity(known.n_files())))
    }

    /// Adds those of the next file, which may be a document of the index of before.
    pub(super) fn add(&mut self, words: TextFacts, old: Option<u32>) {
        match self {
            Self::All(builder) => {
                builder.add(&words);
            }
            Self::Beside(entries) => entries.push(old.map_or(Entry::New(words), Entry::Old)),
        }
    }

    /// The index of all files; none where that of before is damaged.
    pub(super) fn finish(self, known: Option<&Known<'_>>) -> Option<Vec<Section>> {
        match self {
            Self::All(builder) => Some(builder.finish()),
            Self::Beside(entries) => {
                fn doc(entry: &Entry) -> Doc<'_> {
                    match entry {
                        Entry::Old(doc) => Doc::Old(*doc),
                        Entry::New(words) => Doc::New(words),
                    }
                }
                text::next(&known?.base.text().ok()?, &entries.iter().map(doc).collect::<Vec<_>>())
            }
        }
    }
}
