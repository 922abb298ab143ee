//! The words of the files of a snapshot, until they are an index.

use super::known::Known;
use crate::text::{self, Doc, IndexBuilder, Section, TextFacts};
use cache::Base;

/// The words of all files, in their order.
pub(super) enum Words {
    /// Of all of them.
    All(IndexBuilder),
    /// Those of new and changed files; the others are documents of an index that is there.
    Beside(Vec<Entry>),
}

/// Gives the words of a document of the index before.
pub(super) type OldWords<'w> = &'w dyn Fn(u32) -> Option<TextFacts>;

/// The index of all files.
pub(super) enum Indexed {
    /// Its sections.
    Whole(Vec<Section>),
    /// The base before with its index in the place of the old one.
    Beside(Base),
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

    /// The index of all files; none where that of before is damaged. `old` gives the words of a document of before, where the index is to be kept
    /// as pieces of that.
    pub(super) fn finish(self, known: Option<&Known<'_>>, old: Option<OldWords<'_>>) -> Option<Indexed> {
        match self {
            Self::All(builder) => Some(Indexed::Whole(builder.finish())),
            Self::Beside(entries) => {
                fn doc(entry: &Entry) -> Doc<'_> {
                    match entry {
                        Entry::Old(doc) => Doc::Old(*doc),
                        Entry::New(words) => Doc::New(words),
                    }
                }
                let (base, docs) = (known?.base, entries.iter().map(doc).collect::<Vec<_>>());
                let index = base.text().ok()?;
                let beside = old.and_then(|old| base.next(text::next_parts(&index, &docs, old)?));
                beside.map(Indexed::Beside).or_else(|| text::next(&index, &docs).map(Indexed::Whole))
            }
        }
    }
}
