//! The only constructor of packet text: masks secrets, escapes what a terminal or a model would misread, and frames what strangers wrote.
//!
//! Masks are found on a whole file or message, never on a slice of it: a cut can hide the pattern that gives a secret away. Must not know
//! sections, scores or budgets, nor read any file: it sees names and bytes.

mod safe;
mod writer;

pub mod ansi;
pub mod escape;

mod assigned;
mod key_block;
mod mask;
mod named_file;
mod rules;

#[cfg(test)]
mod tests;

pub use mask::{MaskSpan, Masks, apply, text, version};
pub use safe::{LongLines, Redacted, Safe};
pub use writer::{DATA_NOTICE, PacketText, PacketWriter, Trust};
