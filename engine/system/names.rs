//! Names of files as bytes, with `/` between folders on every system.

use super::own;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// The absolute path of what is there, with links resolved, in the form that other programs take as well.
///
/// # Errors
///
/// Those of the system.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path)
}

/// A path as bytes.
pub fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    own::path_bytes(path)
}

/// The path that bytes of a file or of a program give; none where no file of this system can have it.
pub fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    own::path_of(bytes)
}

/// Whether a path ends with what makes the system take it for a folder, and follow a link in its place.
pub fn is_folder_like(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|last| std::path::is_separator(char::from(*last)))
}

/// Whether text is the name of one file on Windows, as it stands: no folder, no stream, no device, and nothing that some interfaces cut
/// off and others do not.
#[cfg(any(windows, test))]
pub(super) fn is_windows_name(name: &str) -> bool {
    const REFUSED: [char; 9] = ['\\', '/', ':', '*', '?', '"', '<', '>', '|'];
    const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ');
    let is_port = || {
        let kind = stem.get(..3).is_some_and(|kind| kind.eq_ignore_ascii_case("COM") || kind.eq_ignore_ascii_case("LPT"));
        kind && stem.chars().count() == 4 && stem.chars().last().is_some_and(|last| matches!(last, '0'..='9' | '¹' | '²' | '³'))
    };
    !name.is_empty()
        && !name.ends_with([' ', '.'])
        && !name.chars().any(|c| c.is_control() || REFUSED.contains(&c))
        && !DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device))
        && !is_port()
}

/// A path of Windows as text with `/`: without the prefix of paths that are taken as they stand.
#[cfg(any(windows, test))]
pub(super) fn windows_path_text(path: &str) -> String {
    let path = match path.strip_prefix(r"\\?\") {
        Some(rest) => rest.strip_prefix(r"UNC\").map_or_else(|| rest.to_owned(), |share| format!(r"\\{share}")),
        None => path.to_owned(),
    };
    path.replace('\\', "/")
}
