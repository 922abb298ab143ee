//! Asks the engine, and lets the terminal know of the secrets that come with the answer.

use super::progress::Watch;
use super::terminal::Terminal;
use engine::{Activation, Engine, Request};
use error::Result;
use index::snapshot::{Progress, Snapshot};
use redact::{Gathered, Masker};
use std::sync::Arc;

/// For commands that write texts and ask nothing of the repository. Masks what these texts give away and, where there is a repository, what
/// that does; the terminal does so from here on. Where the repository cannot be read, nobody can show it either.
pub(super) fn learn<'t>(terminal: &Terminal, engine: Result<Engine>, texts: impl IntoIterator<Item = &'t str>) -> Masker {
    let texts: Vec<&str> = texts.into_iter().collect();
    let engine = engine.ok();
    let snapshot = engine.as_ref().and_then(|engine| engine.snapshot().ok());
    let masker = if let Some(snapshot) = snapshot {
        snapshot.masker_with(texts.into_iter().map(|text| ("", text)))
    } else {
        // A repository without a definition has no snapshot, and may have secrets all the same.
        let known = engine.map_or_else(Masker::knowing_nothing, |engine| engine.masker());
        let gathered = texts.into_iter().map(|text| Gathered::of("", text)).reduce(Gathered::joined);
        known.with(gathered.unwrap_or_default())
    };
    terminal.learn(&masker);
    masker
}

/// Takes a snapshot, telling a watch how far it is. Its secrets are masked in all that the terminal says from here on, also where it has no use.
pub(super) fn snapshot(engine: &Engine, watch: &Watch, terminal: &Terminal) -> Result<Arc<Snapshot>> {
    let snapshot = engine.snapshot_with(&|progress| watch.tell(progress));
    terminal.learn(&engine.masker());
    snapshot
}

/// Answers a request, telling a watch how far it is. What it gives away is masked in all that the terminal says from here on.
pub(super) fn activate<'e>(engine: &'e Engine, request: &Request, watch: &Watch, terminal: &Terminal) -> Result<Activation<'e>> {
    activate_with(engine, request, &|progress| watch.tell(progress), terminal)
}

/// [`activate`], telling something else how far it is.
pub(super) fn activate_with<'e>(
    engine: &'e Engine,
    request: &Request,
    progress: &(dyn Fn(Progress) + Sync),
    terminal: &Terminal,
) -> Result<Activation<'e>> {
    let activation = engine.activate_with(request, progress);
    terminal.learn(&activation.as_ref().map_or_else(|_| engine.masker(), |activation| activation.masker().clone()));
    activation
}
