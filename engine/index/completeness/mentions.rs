//! Names and paths as the text index knows them: which files have a name in their code.

use crate::text::{Field, FieldSet, Form, TextIndex, for_each_word};
use activate_rules::atoms::NodeId;

/// The files in whose code a word stands, not counting comments and literals.
pub(super) fn files_with<'i>(index: &TextIndex<'i>, word: &str) -> impl Iterator<Item = NodeId> + use<'i> {
    let in_code = index.lookup(word).filter(|posting| posting.fields().contains(Field::Body));
    in_code.map(|posting| NodeId(posting.doc))
}

/// The files in whose code or literals a word stands, not counting comments.
pub(super) fn files_writing<'i>(index: &TextIndex<'i>, word: &str) -> impl Iterator<Item = NodeId> + use<'i> {
    let is_written = |fields: FieldSet| fields.contains(Field::Body) || fields.contains(Field::Literal);
    index.lookup(word).filter(move |posting| is_written(posting.fields())).map(|posting| NodeId(posting.doc))
}

/// The files in whose literals a word stands.
pub(super) fn files_with_text<'i>(index: &TextIndex<'i>, word: &str) -> impl Iterator<Item = NodeId> + use<'i> {
    let in_text = index.lookup(word).filter(|posting| posting.fields().contains(Field::Literal));
    in_text.map(|posting| NodeId(posting.doc))
}

/// A name as the index has it, and whether it has several parts. A name that the index has only in pieces, as it keeps those without
/// blanks between words, is not a word of it.
pub(super) fn word_of(name: &str) -> (String, bool) {
    let (mut found, mut n_words) = ((String::new(), false), 0);
    for_each_word(name.as_bytes(), |word, form| {
        if found.0.is_empty() {
            found = (word.to_owned(), form == Form::Whole);
        }
        n_words += usize::from(form != Form::Part);
    });
    if n_words > 1 && !name.is_ascii() { Default::default() } else { found }
}

pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// The ending of a file's name, without the dot.
pub(super) fn ending(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}
