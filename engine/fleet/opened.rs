//! A fleet as a question sees it: the shards that its reader may see, and what was derived of all.

use crate::manifest::{Manifest, Repository};
use crate::run::Source;
use crate::secrets;
use crate::shard_notes::Notes;
use crate::shards::{Shards, Shared};
use crate::store::{Current, Known, State, Store};
use crate::sync::FORM;
use error::{Error, ErrorKind, Problem, Result};
use rayon::prelude::*;
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
    /// That nothing is known of some repositories, or nothing of what the manifest says of them now.
    pub unread: Vec<Problem>,
    current: Current,
}

/// Names that a warning lists at most.
const MAX_NAMED: usize = 5;

/// Whether the manifest says something else of a repository than when it was looked at last.
pub fn is_changed(repository: &Repository, known: &Known) -> bool {
    known.entry.is_some_and(|entry| entry != repository.entry())
}

/// What answers lack of what the manifest lists.
fn unread(manifest: &Manifest, current: &Current, sees: &dyn Fn(&str) -> bool) -> Vec<Problem> {
    let listed = || manifest.repositories.iter().filter(|repository| sees(&repository.name));
    let known = |repository: &Repository| current.repositories.get(&repository.name);
    let lacks =
        |repository: &&Repository| known(repository).is_none_or(|known| known.shard.is_none() && known.state != State::Empty);
    let is_old = |repository: &&Repository| {
        let entry = known(repository).filter(|known| known.shard.is_some()).and_then(|known| known.shard_entry);
        entry.is_some_and(|entry| entry != repository.entry())
    };
    let named = |of: Vec<&Repository>| {
        let names: Vec<&str> = of.iter().take(MAX_NAMED).map(|repository| repository.name.as_str()).collect();
        let n_more = of.len() - names.len();
        let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
        (!of.is_empty()).then(|| names.join(", ") + &more)
    };
    let lacking = named(listed().filter(lacks).collect());
    let lacking = lacking.map(|names| format!("nothing is known of {names}; `activate fleet list` says how each stands"));
    let old = named(listed().filter(is_old).collect());
    let old = old.map(|names| {
        format!(
            "the manifest names another place, branch or commit than this answer knows of {names}; `activate fleet sync` reads it"
        )
    });
    lacking.into_iter().chain(old).map(|message| Problem::new("fleet", message)).collect()
}

impl Fleet {
    /// Opens what counts now.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NothingFound`] before the first sync, and where nothing may be seen; [`ErrorKind::Storage`] where what was derived is damaged,
    /// which has the secrets of all.
    pub fn open(manifest: Manifest, store: &Store, sees: &dyn Fn(&str) -> bool) -> Result<Self> {
        let current = store.current()?;
        if current.shards().next().is_none() {
            let manifest = manifest.path.display();
            let message = if current.repositories.is_empty() {
                format!("nothing is known of the repositories of {manifest} yet; `activate fleet sync` reads them")
            } else {
                format!("nothing could be read of the repositories of {manifest}; `activate fleet list` says how each stands")
            };
            return Err(Error::new(ErrorKind::NothingFound, message));
        }
        let lacks = |why: &str| Error::new(ErrorKind::Storage, format!("{why}; `activate fleet sync` makes it again"));
        if current.form != FORM {
            return Err(lacks("the repositories were read by another version of this program"));
        }
        let derived = current.derived.as_deref();
        let derived = derived.ok_or_else(|| lacks("what follows from the repositories could not be derived by the last sync"))?;
        let derived = store.checked(derived)?;
        let secrets = Arc::new(secrets::open(&derived, Box::new(store.secrets_key()?))?);
        let (mut granted, mut problems) = (Vec::new(), Vec::new());
        let is_listed = |name: &str| manifest.find(name).is_some();
        let shown: Vec<(&str, &str)> = current.shards().filter(|(name, _)| sees(name) && is_listed(name)).collect();
        // Each has files to be looked at, also where all of them were checked before.
        let checked: Vec<Result<PathBuf>> = shown.par_iter().map(|(_, shard)| store.checked(shard)).collect();
        for ((name, _), folder) in shown.into_iter().zip(checked) {
            match folder {
                Ok(folder) => granted.push(Source { name: name.to_owned(), folder }),
                Err(error) => problems.push(Problem::new("fleet", format!("{name} takes no part: {}", error.message))),
            }
        }
        if granted.is_empty() {
            let message =
                "no repository of the fleet may be seen, or none was read yet; `activate fleet list` says how they stand";
            return Err(Error::new(ErrorKind::NothingFound, message));
        }
        let is_known = |name: &str| granted.iter().any(|source| source.name == name);
        let listed = manifest.repositories.iter().map(|repository| &repository.name);
        let missing = listed.filter(|name| sees(name) && !is_known(name)).cloned().collect();
        let shards = Arc::new(Shards::open(&granted, missing, &derived)?);
        let unread = unread(&manifest, &current, sees);
        Ok(Self { manifest, shards, derived, secrets, problems, unread, current })
    }

    /// Whether it is what counts, and all of that could be opened so far.
    pub fn is_of(&self, current: &Current) -> bool {
        self.current == *current && self.shards.problems().is_empty()
    }

    /// Masks the secrets of all repositories in what is said of them.
    pub fn masker(&self) -> Masker {
        Masker::knowing_nothing().with_elsewhere(Some(&self.secrets))
    }

    /// The commit of a repository that its shard was made of.
    pub fn commit(&self, repository: &str) -> Option<&str> {
        self.current.repositories.get(repository)?.commit.as_deref()
    }

    /// How a repository is opened so that it has the files that its shard was made of.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where the shard cannot be read.
    pub fn options(&self, repository: &str) -> Result<engine::Options> {
        let Notes { exclude, memory, .. } = Notes::read(&self.shards.named(repository)?.folder)?;
        Ok(engine::Options { exclude, memory, n_threads: 1, ..engine::Options::default() })
    }
}
