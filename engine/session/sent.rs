//! What was sent: the entries of a packet by name and hash, so that a later turn knows what the agent has seen.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A packet that was sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    /// Hash of the packet's content in 32 hexadecimal digits.
    pub pack_id: String,
    /// What it said, in the order of the packet.
    #[schemars(length(max = 5_000))]
    pub entries: Vec<SentEntry>,
}

/// An entry of a packet that was sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentEntry {
    /// Its name within the packet, which stays the same when its text changes.
    pub key: String,
    /// What it is called where its key leaves out numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Hash of its text in 16 hexadecimal digits.
    pub hash: String,
    /// What it is: `code`, `diagnostic`, `commit` and so on.
    pub kind: String,
    /// Path of the file it is about, from the root of the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// First and last line in that file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    /// Hash of the content of that file in 16 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// How its file came to be active, as one word: the kind of the link that led to it, as the weights call it (`called_by` for a file that
    /// calls what was meant), or `named`, `words`, `failure`, `tests`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}
