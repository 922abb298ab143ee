//! What is kept of what was sent: records, packs and a ledger in the state folder.
//!
//! What cannot be kept costs no answer.

use super::{Answer, Packs, StoredPack};
use crate::store::{self, Packets};
use engine::Activation;
use error::Problem;
use redact::Masker;
use std::path::Path;

/// The most characters of an intent in the ledger.
const MAX_PREVIEW: usize = 80;

/// Keeps what was sent in a state folder; what cannot be kept costs no answer. `verb` says what was done for it.
pub fn keep(state: &Path, verb: &str, activation: &Activation<'_>, answer: &Answer) -> Vec<Problem> {
    let sent = answer.sent.as_ref().and_then(|sent| Packets::at(state).keep(sent).err());
    let stored = StoredPack::new(activation, answer).and_then(|pack| Packs::at(state).keep(&pack)).err();
    let noted = note(activation.masker(), state, verb, &answer.pack_id, &activation.request().intent, answer.counts);
    sent.into_iter().chain(stored).chain(noted).collect()
}

/// Adds a line to the ledger: ids, counts and a preview that is fit for anybody's eyes.
pub fn note(
    masker: &Masker,
    state: &Path,
    verb: &str,
    pack_id: &str,
    preview: &str,
    (n_files, n_tokens): (u32, u32),
) -> Option<Problem> {
    let preview: String = masker.line(preview).as_str().chars().take(MAX_PREVIEW).collect();
    let line = serde_json::json!({ "verb": verb, "pack_id": pack_id, "files": n_files, "tokens": n_tokens, "preview": preview });
    store::note(state, &line.to_string()).err()
}
