//! A fleet as a question sees it: the shards that its reader may see, and what was derived of all.

use crate::manifest::Manifest;
use crate::run::Source;
use crate::shard_notes::Notes;
use crate::shards::{Shards, Shared};
use crate::store::{Current, Store};
use error::{Error, ErrorKind, Problem, Result};
use redact::{Elsewhere, Masker};
use std::path::PathBuf;
use std::sync::Arc;

/// A fleet at the moment at which it was opened: whoever syncs meanwhile changes nothing of it.
pub struct Fleet {
    /// The manifest.
    pub manifest: Manifest,
    /// The shards that may be seen.
    pub shards: Shared,
    /// The folder of what was derived of all.
    pub derived: PathBuf,
    /// The secrets of all, also of those that may not be seen.
    pub secrets: Arc<Elsewhere>,
    /// Shards that cannot be read.
    pub problems: Vec<Problem>,
    current: Current,
}

impl Fleet {
    /// Opens what counts now.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NothingFound`] before the first sync, and where nothing may be seen; [`ErrorKind::Storage`] where what was derived is damaged,
    /// or the secrets of a shard, without which nothing could be masked.
    pub fn open(manifest: Manifest, store: &Store, sees: &dyn Fn(&str) -> bool) -> Result<Self> {
        let current = store.current()?;
        let Some(derived) = current.derived.as_deref() else {
            let message = format!(
                "nothing is known of the repositories of {} yet; `activate fleet sync` reads them",
                manifest.path.display()
            );
            return Err(Error::new(ErrorKind::NothingFound, message));
        };
        let derived = store.checked(derived)?;
        let (mut all, mut granted, mut problems) = (Vec::new(), Vec::new(), Vec::new());
        for (name, shard) in current.shards() {
            match store.checked(shard) {
                Ok(folder) => {
                    let source = Source { name: name.to_owned(), folder };
                    if sees(name) {
                        granted.push(source.clone());
                    }
                    all.push(source);
                }
                Err(error) if sees(name) => {
                    problems.push(Problem::new("fleet", format!("{name} takes no part: {}", error.message)));
                }
                // What may not be seen is not named; its secrets cannot be masked, and nothing of it is shown.
                Err(_) => {}
            }
        }
        if granted.is_empty() {
            let message =
                "no repository of the fleet may be seen, or none was read yet; `activate fleet list` says how they stand";
            return Err(Error::new(ErrorKind::NothingFound, message));
        }
        let secrets = Arc::new(Shards::secrets(&all, Box::new(store.secrets_key()?))?);
        let shards = Arc::new(Shards::open(&granted, &derived)?);
        Ok(Self { manifest, shards, derived, secrets, problems, current })
    }

    /// Whether it is what counts.
    pub fn is_of(&self, current: &Current) -> bool {
        self.current == *current
    }

    /// Masks the secrets of all repositories in what is said of them.
    pub fn masker(&self) -> Masker {
        Masker::knowing_nothing().with_elsewhere(Some(&self.secrets))
    }

    /// The commit of a repository that its shard was made of.
    pub fn commit(&self, repository: &str) -> Option<&str> {
        self.current.repositories.get(repository)?.commit.as_deref()
    }

    /// The patterns of files that were left out of a repository's shard.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where the shard cannot be read.
    pub fn excluded(&self, repository: &str) -> Result<Vec<String>> {
        Ok(Notes::read(&self.shards.named(repository)?.folder)?.exclude)
    }
}
