//! What a shard says of itself, beside its tables.

#![expect(clippy::disallowed_methods, reason = "a host module: keeps files of ours")]

use error::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

const NAME: &str = "shard.json";

/// What was read for a shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notes {
    pub(crate) commit: String,
    pub(crate) n_files: u64,
    pub(crate) n_lines: u64,
    /// Patterns of files that were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) exclude: Vec<String>,
    /// The memory that reading it might take, in bytes: what needs more is left out; none where that was not bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) memory: Option<u64>,
}

impl Notes {
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        let text = serde_json::to_string(self).map_err(|error| failed(folder, error))?;
        fs::write(folder.join(NAME), text).map_err(|error| failed(folder, error))
    }

    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let text = fs::read_to_string(folder.join(NAME)).map_err(|error| failed(folder, error))?;
        serde_json::from_str(&text).map_err(|error| failed(folder, error))
    }
}

fn failed(folder: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::Storage, format!("`{}` cannot be used", folder.join(NAME).display())).because(error)
}
