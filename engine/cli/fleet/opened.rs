//! A fleet as a question is answered from it: what counts now, and how its repositories are opened.

use engine::{CacheChoice, Engine};
use error::{Error, ErrorKind, Result};
use fleet::manifest::{Manifest, Place};
use fleet::store::Store;
use fleet::{Fleet, Shard};
use rayon::ThreadPool;
use redact::Masker;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A fleet as whoever asks may see it.
pub(super) struct Opened {
    pub(super) fleet: Fleet,
    /// Masks the secrets of all repositories.
    pub(super) masker: Masker,
    store: Store,
    /// The folder of the cache; none for that of the user.
    cache: Option<PathBuf>,
    /// The threads of all of them.
    threads: OnceLock<Arc<ThreadPool>>,
    /// Repositories that were opened last by their keys, the newest behind.
    engines: Mutex<Vec<(u64, Arc<Engine>)>>,
}

/// The most repositories that stay open: some more than take part in one answer.
const MAX_ENGINES: usize = 16;

impl Opened {
    /// Opens what counts now.
    ///
    /// # Errors
    ///
    /// Those of [`Fleet::open`].
    pub(super) fn new(manifest: Manifest, store: Store, cache: Option<PathBuf>, sees: &dyn Fn(&str) -> bool) -> Result<Self> {
        let fleet = Fleet::open(manifest, &store, sees)?;
        let masker = fleet.masker();
        Ok(Self { fleet, masker, store, cache, threads: OnceLock::new(), engines: Mutex::default() })
    }

    /// Whether all of it still counts, and nothing was left out that may be there again.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where what counts cannot be read.
    pub(super) fn is_current(&self) -> Result<bool> {
        Ok(self.fleet.problems.is_empty() && self.fleet.is_of(&self.store.current()?))
    }

    /// A text of a repository that may be shown.
    pub(super) fn safe(&self, text: &str) -> String {
        self.masker.name(text).as_str().to_owned()
    }

    /// The threads that answers about several repositories are made with, one a core.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where they cannot be started.
    pub(super) fn threads(&self) -> Result<&Arc<ThreadPool>> {
        if let Some(threads) = self.threads.get() {
            return Ok(threads);
        }
        let threads = engine::threads(0)?;
        Ok(self.threads.get_or_init(|| threads))
    }

    /// The repository of a shard at its commit, with the files that the shard was made of.
    pub(super) fn engine(&self, shard: &Shard) -> Result<Arc<Engine>> {
        let engines = || self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        let known = engines().iter().find(|(key, _)| *key == shard.key).map(|(_, engine)| Arc::clone(engine));
        let engine = if let Some(engine) = known { engine } else { Arc::new(self.open(shard)?) };
        let mut engines = engines();
        engines.retain(|(key, _)| *key != shard.key);
        engines.push((shard.key, Arc::clone(&engine)));
        let n_more = engines.len().saturating_sub(MAX_ENGINES);
        engines.drain(..n_more);
        Ok(engine)
    }

    fn open(&self, shard: &Shard) -> Result<Engine> {
        let gone = || Error::new(ErrorKind::NoRepository, format!("{} is not in the manifest any more", shard.name));
        let repository = self.fleet.manifest.find(&shard.name).ok_or_else(gone)?;
        let folder = match &repository.place {
            Place::Path(path) => path.clone(),
            Place::Url(_) => self.store.git_folder(&shard.name),
        };
        let commit = self.fleet.commit(&shard.name).ok_or_else(gone)?;
        let cache = self.cache.clone().or_else(cache::Cache::default_folder);
        let cache = cache.map_or(CacheChoice::Off, CacheChoice::Folder);
        let pool = Some(Arc::clone(self.threads()?));
        let options = engine::Options { cache, pool, ..self.fleet.options(&shard.name)? };
        Engine::open_at(folder, commit, options)
    }
}
