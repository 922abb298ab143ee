//! What texts and the repository around them give away, for commands that write texts and ask nothing of the repository.
//!
//! Must not write anything.

use super::options::RootOption;
use engine::Engine;
use redact::{Gathered, hold};
use std::sync::Arc;

/// Masks in all that is written from here on what these texts give away and, where there is a repository, what that does. Where it cannot be
/// read, nobody can show it either.
pub(super) fn learn<'t>(root: &RootOption, texts: impl IntoIterator<Item = &'t str>) {
    let texts: Vec<&str> = texts.into_iter().collect();
    let snapshot = root.folder().and_then(Engine::open).and_then(|engine| engine.snapshot());
    let values = if let Ok(snapshot) = snapshot {
        snapshot.values_with(texts.into_iter().map(|text| ("", text)))
    } else {
        let gathered = texts.into_iter().map(|text| Gathered::of("", text)).reduce(Gathered::joined);
        Arc::new(gathered.unwrap_or_default().build())
    };
    hold(values);
}
