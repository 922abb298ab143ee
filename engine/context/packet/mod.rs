//! What was selected as one JSON object, and what every packet shares: ids, hashes, what was considered.
//!
//! Must not select anything, nor make text of a repository: that comes redacted and escaped from the context.

pub mod candidates;
pub mod resolution;
pub mod session;

/// Digits of a hash and of an id.
pub const ID_DIGITS: usize = 32;

/// A packet as one JSON object, indented, with a line feed at the end.
pub fn json(packet: &impl serde::Serialize) -> String {
    // Writing strings and numbers to memory cannot fail: every key is a string.
    serde_json::to_string_pretty(packet).unwrap_or_default() + "\n"
}

/// The hash of a packet, or of what it says.
pub fn hash(text: &str) -> String {
    format!("{:0ID_DIGITS$x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
}

/// Gives a packet the id that follows from all that it says: the hash of it as it is written, with zeros in the place of the id.
pub fn identify<P: serde::Serialize>(packet: &mut P, id: impl Fn(&mut P) -> &mut String) {
    *id(packet) = "0".repeat(ID_DIGITS);
    *id(packet) = hash(&json(packet));
}
