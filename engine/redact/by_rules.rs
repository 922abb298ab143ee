//! What rules find in one text by itself, without what other texts give away: for what is read and kept before all is known. What is shown
//! goes through a [`Masker`](super::Masker).

use super::known_secrets::KnownSecrets;
use super::redactor::Redactor;
use super::span::MaskSpan;
use std::borrow::Cow;

/// Finds the ranges to mask in a whole file or message, sorted, apart from each other, never empty.
///
/// `name` is the file's path, empty for text that is not a file: it decides how some files are read. Masking what is left masks nothing
/// more.
pub fn find(name: &str, text: &[u8]) -> Vec<MaskSpan> {
    Redactor::active().find(&KnownSecrets::default(), name, text)
}

/// Masks what [`find`] finds in a text.
pub fn hide(text: &str) -> Cow<'_, str> {
    Redactor::active().text(&KnownSecrets::default(), "", text)
}

/// Names the rules: ranges kept under another version are found again.
pub fn version() -> u64 {
    Redactor::active().version()
}
