//! The encodings of what was selected: one file a kind.
//!
//! Must not select anything, nor make text of a repository: that comes redacted and escaped from the context.

pub mod checks;
pub mod context_pack;
pub mod decisions;
pub mod kinds;
pub mod manifest;
pub mod receipt;
pub mod session;
pub mod validate;

pub mod phase;
pub mod worker;

pub mod store;

pub mod answer;

#[cfg(test)]
pub(crate) mod schema;

// What every packet shares.
pub(crate) use context::packet::{ID_DIGITS, candidates, hash, identify, json};
