//! A change looked up in the files as they are, for those who ask what follows from it and want no packet.

use super::change::Change;
use super::engine::Engine;
use activate_rules::atoms::NodeId;
use activate_rules::weights::ChangeWeights;
use error::{Problem, Result};
use index::snapshot::Snapshot;
use redact::Masker;
use review::{Diff, Review, targets};
use std::sync::Arc;

/// What a change does.
pub struct Reviewed {
    /// The change.
    pub review: Review,
    /// What it changes, that of which most changes first.
    pub targets: Vec<NodeId>,
    /// Masks the secrets of the repository and of both sides of the change.
    pub masker: Masker,
    /// What was left out of it.
    pub problems: Vec<Problem>,
    /// How many parts of the change, such as files and hunks, were left out.
    pub n_left_out: usize,
}

impl Engine {
    /// Looks a change up in the files of a snapshot.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) for revisions that git does not have, and where nothing changed.
    pub fn review(&self, snapshot: &Arc<Snapshot>, diff: &Diff) -> Result<Reviewed> {
        self.look_up(snapshot, diff, false)
    }

    /// [`Engine::review`] of a change that may be empty: then it has no files.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) for revisions that git does not have.
    pub fn review_if_any(&self, snapshot: &Arc<Snapshot>, diff: &Diff) -> Result<Reviewed> {
        self.look_up(snapshot, diff, true)
    }

    fn look_up(&self, snapshot: &Arc<Snapshot>, diff: &Diff, may_be_empty: bool) -> Result<Reviewed> {
        let git = self.repo().git(self.alternates());
        let change = Change::find(self, snapshot, &git, may_be_empty, diff)?;
        let masker = snapshot.masker().with(change.secrets(snapshot));
        let (problems, n_left_out) = (change.problems.clone(), change.n_left_out);
        let weights = ChangeWeights::default();
        let review = self.on_threads(|| change.review(self, snapshot, &masker, &weights));
        let targets = targets(&snapshot.base, &review.files, &weights).into_iter().map(|target| target.node).collect();
        Ok(Reviewed { review, targets, masker, problems, n_left_out })
    }
}
