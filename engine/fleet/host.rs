//! Files of a fleet that somebody wrote: read whole, within bounds.

#![expect(clippy::disallowed_methods, reason = "a host module: files that the user named")]

use error::{Error, ErrorKind, Result};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The text of a file that a command line names; `hint` says what to do where there is none.
///
/// # Errors
///
/// [`ErrorKind::UnreadableFile`] where there is none or it is too large, [`ErrorKind::BadInput`] where it is not UTF-8.
pub fn text(path: &Path, what: &str, max_bytes: u64, hint: &str) -> Result<String> {
    let unread = |why: String| Error::new(ErrorKind::UnreadableFile, format!("the {what} `{}`: {why}", path.display()));
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => unread(format!("there is none; {hint}")),
        _ => unread(error.to_string()),
    };
    // A pipe would be waited for.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err(unread("it is not a regular file".to_owned()));
    }
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|error| unread(error.to_string()))?;
    if bytes.len() as u64 > max_bytes {
        return Err(unread(format!("it has more than {max_bytes} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes().iter().take(error.utf8_error().valid_up_to()).filter(|byte| **byte == b'\n').count() + 1;
        Error::new(ErrorKind::BadInput, format!("{}:{line}: it is not UTF-8 text; save it as UTF-8", path.display()))
    })
}
