//! Reads what the command line names: the intent, the session, the weights. Everything within bounds.
//!
//! Must not read a repository.

use crate::context::state::{self, SessionState};
use crate::error::{Error, ErrorKind, Result};
use activate_rules::weights::Weights;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of an intent: an issue with its whole discussion has fewer, and the task stands at its beginning.
pub(super) const MAX_INTENT_BYTES: usize = 256 << 10;

/// The most bytes of a file of weights: all weights written out are a few thousand.
const MAX_WEIGHTS_BYTES: usize = 1 << 20;

/// An intent, and whether its end was cut off.
pub(super) struct IntentText {
    pub(super) text: String,
    pub(super) is_cut: bool,
}

/// The intent of a flag: the text itself, or what stdin holds for `-`.
pub(super) fn intent(flag: &str) -> Result<IntentText> {
    let bytes = if flag == "-" {
        let unreadable = |error| Error::new(ErrorKind::UnreadableFile, "the intent cannot be read from stdin").because(error);
        read_up_to(io::stdin().lock(), MAX_INTENT_BYTES).map_err(unreadable)?
    } else {
        flag.as_bytes().to_vec()
    };
    let is_cut = bytes.len() > MAX_INTENT_BYTES;
    let kept = &bytes[..bytes.len().min(MAX_INTENT_BYTES)];
    let text = String::from_utf8_lossy(kept).into_owned();
    if text.trim().is_empty() {
        let message =
            "the intent is empty; say what is to be done, e.g. `--intent \"fix ValidateToken\"`, or pipe it to `--intent -`";
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    Ok(IntentText { text, is_cut })
}

/// The session state in a JSON file.
pub(super) fn session(path: &Path) -> Result<SessionState> {
    SessionState::parse(&text(path, state::MAX_BYTES)?).map_err(|error| unusable(path, &error.message))
}

/// The weights in a JSON file; those that it does not name are as they are by default.
pub(super) fn weights(path: &Path) -> Result<Weights> {
    serde_json::from_str(&text(path, MAX_WEIGHTS_BYTES)?)
        .map_err(|error| unusable(path, &format!("the weights cannot be used: {error}")))
}

/// The error of a file with a parser's message, which ends with the place. The place goes first: the message may list every name that is
/// known, and long lines are cut.
fn unusable(path: &Path, message: &str) -> Error {
    let (what, place) =
        message.rsplit_once(" at line ").map_or((message, String::new()), |(what, place)| (what, format!(" line {place}")));
    Error::new(ErrorKind::BadInput, format!("`{}`{place}: {what}", path.display()))
}

fn text(path: &Path, max_bytes: usize) -> Result<String> {
    let unreadable =
        |error: io::Error| Error::new(ErrorKind::UnreadableFile, format!("`{}` cannot be read", path.display())).because(error);
    let bytes = File::open(path).and_then(|file| read_up_to(file, max_bytes)).map_err(unreadable)?;
    if bytes.len() > max_bytes {
        let message = format!("`{}` cannot be used: it is larger than {max_bytes} bytes", path.display());
        return Err(Error::new(ErrorKind::BadInput, message));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]).into_owned();
        let line = valid.matches('\n').count() + 1;
        let column = valid.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let message = format!("`{}` line {line} column {column}: this is no UTF-8 text", path.display());
        Error::new(ErrorKind::BadInput, message)
    })
}

/// All bytes of a source, but at most one more than `max`.
fn read_up_to(source: impl Read, max: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(max as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
