//! The only constructor of packet text: masks secrets, escapes what a terminal or a model would misread, and frames what strangers wrote.
//!
//! Masks are found on a whole file or message, never on a slice of it: a cut can hide the pattern that gives a secret away. Must not know
//! sections, scores or budgets, nor read any file: it sees names and bytes.

mod safe;
mod writer;

pub mod ansi;
pub mod by_rules;
pub mod escape;

mod allowlist;
mod assigned;
mod built_in;
mod calls;
mod elsewhere;
mod encodings;
mod entropy;
mod following;
mod header;
mod judge;
mod key_block;
mod known_secrets;
mod lists;
mod literal;
mod manifest;
mod mask;
mod masker;
mod name;
mod named_file;
mod pairs;
mod pattern;
mod phrase;
mod place;
mod placeholders;
mod reader;
mod redactor;
mod rounds;
mod rule_file;
mod rules;
mod search;
mod sign;
mod span;
mod spoken;
mod tables;
mod telling;
mod tokens;
mod tuple;
mod unescape;
mod url;
mod value;
mod view;
mod widen;
mod wrappers;

#[cfg(test)]
mod drawn;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use elsewhere::{Elsewhere, KEY_BYTES, Print};
pub use key_block::{KEY_LINE, key_lines};
pub use known_secrets::{Gathered, KnownSecrets};
pub use mask::{apply, fits, without_masks};
pub use masker::Masker;
pub use redactor::Redactor;
pub use rules::Rules;
pub use safe::{LongLines, Redacted, Safe};
pub use span::{MaskSpan, kind};
pub use writer::{DATA_NOTICE, PacketText, PacketWriter, Trust, draft_of};
