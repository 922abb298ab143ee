//! The encodings of what was selected: one file a kind.
//!
//! Must not select anything, nor make text of a repository: that comes redacted and escaped from the context.

pub mod aim;
pub mod check;
pub mod checks;
pub mod considered;
pub mod context_pack;
pub mod manifest;
pub mod receipt;
pub mod session;

pub mod phase;
pub mod worker;

pub mod store;

#[cfg(test)]
pub(crate) mod schema;

/// A packet as one JSON object, indented, with a line feed at the end.
fn json(packet: &impl serde::Serialize) -> String {
    // Writing strings and numbers to memory cannot fail: every key is a string.
    serde_json::to_string_pretty(packet).unwrap_or_default() + "\n"
}
