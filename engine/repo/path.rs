//! Paths inside a repository: relative, forward slashes, no way out.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A file's path relative to the repository root, with forward slashes and valid UTF-8.
///
/// Bytes of a file name that are not UTF-8 stand as `\xNN`, and a backslash as `\\`, so that every name has one text and every text one
/// name. Order is by bytes: the order of all lists.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RepoPath(Box<str>);

impl RepoPath {
    /// Longest accepted path, in bytes.
    pub const MAX_BYTES: usize = 4096;

    /// Checks `text` and makes it a path: relative, no empty, `.` or `..` component, no NUL, not too long.
    pub fn new(text: &str) -> Result<Self, String> {
        let problem = if text.is_empty() {
            "an empty path"
        } else if text.len() > Self::MAX_BYTES {
            "a path longer than 4,096 bytes"
        } else if text.contains('\0') {
            "a path with a NUL byte"
        } else if text.starts_with('/') {
            "an absolute path; give it relative to the repository root"
        } else if text.split('/').any(|part| part == "..") {
            "a path with `..`; give it relative to the repository root"
        } else if text.split('/').any(|part| part.is_empty() || part == ".") {
            "a path with an empty or `.` component"
        } else {
            return Ok(Self(text.into()));
        };
        Err(problem.to_owned())
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last component.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The folder, empty for a file at the root.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
