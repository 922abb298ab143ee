//! The only constructor of packet text: masks secrets, escapes what a terminal or a model would misread, and frames what strangers wrote.
//!
//! Masks are found on a whole file or message, never on a slice of it: a cut can hide the pattern that gives a secret away. Must not know
//! sections, scores or budgets, nor read any file: it sees names and bytes.

mod safe;
mod writer;

pub mod ansi;
pub mod escape;

mod allowlist;
mod assigned;
mod count;
mod forms;
mod header;
mod judge;
mod key_block;
mod known;
mod lists;
mod literal;
mod made_up;
mod manifest;
mod mask;
mod meant;
mod name;
mod named_file;
mod pairs;
mod place;
mod redactor;
mod rule_file;
mod rules;
mod search;
mod sign;
mod url;
mod value;
mod values;
mod view;

#[cfg(test)]
mod examples;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use count::count_masks;
pub use key_block::{KEY_LINE, key_lines};
pub use known::{hold, known, masking};
pub use mask::{MaskSpan, Masks, apply, fits, json, kind, text, version, without_masks};
pub use redactor::Redactor;
pub use rules::Rules;
pub use safe::{LongLines, Redacted, Safe};
pub use values::{Gathered, Values};
pub use writer::{DATA_NOTICE, PacketText, PacketWriter, Trust, draft_of};
