//! A packet that is short enough for whoever takes so many characters and no more.
//!
//! Must not cut a packet: it is made again with less room.

use super::{Answer, Kind, PacketSpec, answer};
use engine::Activation;
use error::Result;

/// How often it is made again: a token is a letter or a word, and what is left out is not what is long.
const MAX_TRIES: u32 = 4;
/// Hundredths of the room that seems to fit that are used.
const CAUTION: u64 = 95;

/// Makes a packet of what was activated, of at most so many bytes as JSON writes it, as far as tries can bring it there; what must be in it
/// may be longer.
///
/// # Errors
///
/// Those of [`answer`].
pub fn fit(activation: &Activation<'_>, wanted: &PacketSpec, max_bytes: usize) -> Result<Answer> {
    let mut made = answer(activation, wanted)?;
    let mut tokens = wanted.tokens;
    for _ in 0..MAX_TRIES {
        let n_bytes = made.n_bytes();
        if n_bytes <= max_bytes {
            break;
        }
        tokens = (u64::from(tokens) * max_bytes as u64 / n_bytes as u64 * CAUTION / 100) as u32;
        match answer(activation, &PacketSpec { tokens, ..wanted.clone() }) {
            Ok(shorter) => made = shorter,
            // What must be in it needs more room than there is.
            Err(_) => break,
        }
    }
    Ok(made)
}

impl Answer {
    /// It as it is sent where nobody says how: text, and JSON where that is its form.
    pub fn written(&self) -> &str {
        if self.wanted.kind == Kind::Session { &self.text } else { &self.json }
    }

    /// Its bytes as a text within JSON, which is how hosts are given it.
    pub fn n_bytes(&self) -> usize {
        serde_json::to_string(self.written()).map_or(usize::MAX, |text| text.len())
    }
}
