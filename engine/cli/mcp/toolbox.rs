//! What the tools work with: one repository, and the packs that were made of it.
//!
//! Every path goes through the engine, which reads nothing outside of its repository.

use context::NodeId;
use engine::Engine;
use engine::{Activation, Request};
use error::{Error, ErrorKind, Result};
use index::base::FileFlags;
use index::snapshot::{Progress, Snapshot};
use packets::answer::{Packs, StoredPack};
use redact::Trust;
use repo::{ChangeKind, RepoPath};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One repository and its packs. Shared by all calls.
pub struct Toolbox {
    engine: Engine,
    state: PathBuf,
    /// Has the repository read in the background; none where answers wait for all of it.
    ahead: Option<Ahead>,
}

/// Has a repository read in the background.
pub type Ahead = Box<dyn Fn(&Engine) + Send + Sync>;

/// Told how far a call is.
pub type ProgressFn<'t> = &'t (dyn Fn(Progress) + Sync);

impl Toolbox {
    /// The tools of a repository that keep packs in a state folder.
    pub fn new(engine: Engine, state: PathBuf) -> Self {
        Self { engine, state, ahead: None }
    }

    /// The same, whose first answers come from a part of a large repository that nobody has read, while `ahead` has it read.
    #[must_use]
    pub fn reading_ahead(self, ahead: Ahead) -> Self {
        Self { ahead: Some(ahead), ..self }
    }

    /// Whether an answer may come from a part of the repository.
    pub(super) fn reads_ahead(&self) -> bool {
        self.ahead.is_some()
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(super) fn state(&self) -> &Path {
        &self.state
    }

    pub(super) fn snapshot(&self, progress: ProgressFn<'_>) -> Result<Arc<Snapshot>> {
        self.engine.look_with(progress)
    }

    /// A pack of this repository by its id.
    pub(super) fn pack(&self, id: &str) -> Result<StoredPack> {
        let named = |error: Error| error.reworded(|message| format!("`pack_id`: {message}"));
        self.sent_pack(id)?.repeatable().map_err(named)
    }

    /// The last pack that was made of this repository.
    pub(super) fn last_pack(&self) -> Option<StoredPack> {
        let masker = self.engine.masker();
        let is_own = |pack: &StoredPack| masker.name(&pack.asked.root) == masker.name(self.engine.root());
        Packs::at(&self.state).newest().find(is_own)
    }

    /// A pack of this repository by its id, to be shown as it was sent and no more.
    pub(super) fn sent_pack(&self, id: &str) -> Result<StoredPack> {
        let named = |error: Error| error.reworded(|message| format!("`pack_id`: {message}"));
        let pack = Packs::at(&self.state).find(id).map_err(named)?;
        let masker = self.engine.masker();
        if masker.name(&pack.asked.root) != masker.name(self.engine.root()) {
            let message =
                format!("`pack_id`: pack {} was made of another repository; ask `context` for one of this", pack.pack_id);
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        Ok(pack)
    }

    /// What is active for a request.
    pub(super) fn activate(&self, request: &Request, progress: ProgressFn<'_>) -> Result<Activation<'_>> {
        let activation = self.engine.activate_with(request, progress)?;
        if let Some(ahead) = self.ahead.as_ref().filter(|_| activation.snapshot.partial.is_some()) {
            ahead(&self.engine);
        }
        Ok(activation)
    }
}

/// A path as an argument gives it.
pub(super) fn path(argument: &str, path: &str) -> Result<RepoPath> {
    RepoPath::typed(path).map_err(|why| {
        let message = format!("`{argument}`: {why}; paths are from the root of the repository, such as `src/lib.rs`");
        Error::new(ErrorKind::BadInput, message)
    })
}

/// How far a file can be trusted.
pub(super) fn trust(snapshot: &Snapshot, file: NodeId) -> Trust {
    let path = snapshot.base.path(file);
    let is_untracked =
        || snapshot.changes.iter().any(|change| change.path.as_str() == path && change.kind == ChangeKind::Untracked);
    if snapshot.base.flags(file).has(FileFlags::GENERATED) {
        Trust::Generated
    } else if snapshot.head.is_none() || is_untracked() {
        Trust::Untracked
    } else {
        Trust::Tracked
    }
}
