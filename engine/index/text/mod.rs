//! Finds files by their words: an inverted index that understands identifiers and tells fields apart.
//!
//! The way through: [`text_facts`] reads one file, [`IndexBuilder`] folds many of these into named byte sections,
//! [`patch()`] and [`next()`] bring these up to date when a few files change, [`TextIndex`] reads them where they lie, [`query_terms`]
//! turns an intent into what the index is asked, and [`TextIndex::with_forms`] adds the other forms of its words.
//! Must not know where sections are stored, what a symbol is, or what a score leads to.

mod scripts;
mod words;

mod intern;

mod bytes;

mod file;

mod sections;

mod builder;

mod index;

mod patch;

mod next;

mod search;

mod slots;

mod fields;

mod nearest;

mod stem;

mod forms;

mod languages;

mod query;

#[cfg(test)]
mod tests;

pub use builder::IndexBuilder;
pub use fields::{FieldScores, QueryRarity};
pub use file::{StoredFacts, TextFacts, Zone, bounded_text_facts, found_facts, text_facts};
pub use index::{Posting, Postings, TextIndex};
pub use languages::{Counts as LanguageCounts, Language, fold, language};
pub use nearest::{Near, edit_distance};
pub use next::{Doc, next, next_parts};
pub use patch::{Changed, patch};
pub use query::{QueryTerm, is_stop_word, query_terms, weighted_terms};
pub use scripts::Script;
pub use sections::Section;
pub(crate) use stem::beginning;
pub use stem::stem;

pub use search::{Contribution, FieldWeight, FieldWeights, Hit, Scores};
pub use words::{Form, end_of_run, for_each_word, next_word_run};

/// Where in a file a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Field {
    /// Code, or plain text: all that no zone claims.
    Body,
    /// The name in a definition.
    Name,
    /// The path of the file.
    Path,
    /// A comment that documents no definition.
    Comment,
    /// A string literal.
    Literal,
    /// The documentation of a definition.
    Doc,
}

/// All fields, in the order of their numbers.
pub const FIELDS: [Field; N_FIELDS] = [Field::Body, Field::Name, Field::Path, Field::Comment, Field::Literal, Field::Doc];

/// How many fields there are.
pub const N_FIELDS: usize = 6;

/// How often a word stands in each field of a file, at most 255.
pub type Counts = [u8; N_FIELDS];

impl Field {
    /// What an explanation calls the field.
    pub fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Name => "name",
            Self::Path => "path",
            Self::Comment => "comment",
            Self::Literal => "literal",
            Self::Doc => "doc",
        }
    }
}

/// A set of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FieldSet(u8);

impl FieldSet {
    /// The fields in which something was counted.
    pub fn of(counts: Counts) -> Self {
        Self(counts.iter().enumerate().fold(0, |bits, (field, &n)| bits | (u8::from(n > 0) << field)))
    }

    /// Whether the field is in the set.
    pub fn contains(self, field: Field) -> bool {
        self.0 & (1 << field as u8) != 0
    }

    /// The fields of the set, in the order of [`FIELDS`].
    pub fn iter(self) -> impl Iterator<Item = Field> {
        FIELDS.into_iter().filter(move |&field| self.contains(field))
    }
}
