//! The encodings of what was selected: one file a kind.
//!
//! Must not select anything, nor make text of a repository: that comes redacted and escaped from the context.

pub mod checks;
pub mod session;

pub mod check;
pub mod phase;
pub mod worker;

pub mod store;

#[cfg(test)]
pub(crate) mod schema;
