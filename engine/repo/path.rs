//! Paths inside a repository: relative, forward slashes, no way out.
//!
//! Pure text: must not touch the disk.

use serde::{Deserialize, Deserializer, Serialize, de};
use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// A file's path relative to the repository root, with forward slashes and valid UTF-8.
///
/// Bytes of a file name that are not UTF-8 stand as `\xNN`, and a backslash as `\\`, so that every name has one text and every text one
/// name. Order is by bytes: the order of all lists.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct RepoPath(Box<str>);

impl RepoPath {
    /// Longest accepted path, in bytes.
    pub const MAX_BYTES: usize = 4096;

    /// Checks `text` and makes it a path: relative, no empty, `.` or `..` component, no NUL, not too long, escapes only where needed.
    ///
    /// # Errors
    ///
    /// Why the text is not a path inside a repository.
    pub fn new(text: &str) -> Result<Self, String> {
        // Nearly every path is plain, and one look at its bytes shows that.
        if text.len() <= Self::MAX_BYTES && is_plain(text.as_bytes()) {
            return Ok(Self(text.into()));
        }
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
        } else if text.contains('\\') && unescape(text).is_none_or(|bytes| escape(&bytes) != text) {
            "a path with a stray backslash; use `/` between folders and `\\\\` for a backslash in a name"
        } else {
            return Ok(Self(text.into()));
        };
        Err(problem.to_owned())
    }

    /// The path that somebody typed: `./src//app.py` is `src/app.py`.
    ///
    /// # Errors
    ///
    /// Why the text is not a path inside a repository.
    pub fn typed(text: &str) -> Result<Self, String> {
        // No name of Windows has a backslash.
        let text = if cfg!(windows) { Cow::Owned(text.replace('\\', "/")) } else { Cow::Borrowed(text) };
        if text.starts_with('/') {
            return Self::new(&text);
        }
        let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        Self::new(&parts.join("/"))
    }

    /// The path of a file whose name on disk, or in git, is `bytes`.
    ///
    /// # Errors
    ///
    /// Why the bytes are no path inside a repository.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        Self::new(&escaped(bytes))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name as it stands on disk and in git: escapes undone.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        if self.0.contains('\\') {
            // Every constructor checked the escapes, so the second arm is never taken.
            unescape(&self.0).map_or(Cow::Borrowed(self.0.as_bytes()), Cow::Owned)
        } else {
            Cow::Borrowed(self.0.as_bytes())
        }
    }

    /// The last component.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The folder, empty for a file at the root.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Whether a component is git's own folder, in any spelling that some file system takes for it.
    pub fn is_git_data(&self) -> bool {
        self.0.split('/').any(|part| is_git_name(part.as_bytes()))
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Stored paths are checked again: what a damaged or forged cache holds must not become a path with a way out.
impl<'de> Deserialize<'de> for RepoPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<str>::deserialize(deserializer)?;
        Self::new(&text).map_err(de::Error::custom)
    }
}

/// Whether a file name means git's data folder: `.git` in any case, with trailing dots or spaces, or its short name on Windows.
pub(super) fn is_git_name(name: &[u8]) -> bool {
    let end = name.iter().rposition(|byte| !matches!(byte, b' ' | b'.')).map_or(0, |last| last + 1);
    let name = &name[..end];
    name.eq_ignore_ascii_case(b".git") || name.eq_ignore_ascii_case(b"git~1")
}

/// Whether a path has nothing but components that name something, and neither NUL nor backslash.
fn is_plain(path: &[u8]) -> bool {
    !path.iter().any(|byte| matches!(byte, 0 | b'\\'))
        && path.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"." | b".."))
}

/// Writes `bytes` as text: invalid UTF-8 as `\xNN`, a backslash doubled.
pub(super) fn escape(bytes: &[u8]) -> String {
    escaped(bytes).into_owned()
}

/// [`escape`] without a copy where there is nothing to escape.
pub(super) fn escaped(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.contains(&b'\\') => Cow::Borrowed(text),
        _ => Cow::Owned(with_escapes(bytes)),
    }
}

fn with_escapes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        if chunk.valid().contains('\\') {
            text.push_str(&chunk.valid().replace('\\', "\\\\"));
        } else {
            text.push_str(chunk.valid());
        }
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// Undoes [`escape`]; `None` where a backslash starts no escape.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    loop {
        match rest {
            [] => return Some(bytes),
            [b'\\', b'\\', after @ ..] => {
                bytes.push(b'\\');
                rest = after;
            }
            [b'\\', b'x', high, low, after @ ..] => {
                bytes.push(hex(*high)? << 4 | hex(*low)?);
                rest = after;
            }
            [b'\\', ..] => return None,
            [byte, after @ ..] => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
}

/// The value of one lower-case hexadecimal digit.
fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_with_a_way_out_or_two_spellings_are_refused() {
        for text in ["", "/etc", "a//b", "./a", "a/..", "..", "a\0b", "a/", r"a\b", r"\x41", r"\x2e\x2e/a", r"\xFF", r"a\"] {
            assert!(RepoPath::new(text).is_err(), "{text:?}");
        }
        for text in ["a", ".gitignore", "a/..b", "a b/\n", r"a\\b", r"\xff/é"] {
            assert!(RepoPath::new(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn git_data_is_known_in_every_spelling() {
        for text in [".git", ".GIT/config", "a/.git /b", "a/.git./b", "git~1/config", "GIT~1"] {
            assert!(RepoPath::new(text).is_ok_and(|path| path.is_git_data()), "{text:?}");
        }
        for text in [".github/x", "git", ".gitignore", "a.git"] {
            assert!(RepoPath::new(text).is_ok_and(|path| !path.is_git_data()), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_name_survives_its_text(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let text = escape(&bytes);
            prop_assert_eq!(unescape(&text), Some(bytes.clone()));
            if let Ok(path) = RepoPath::from_bytes(&bytes) {
                prop_assert_eq!(path.to_bytes().into_owned(), bytes);
            }
        }
    }
}
