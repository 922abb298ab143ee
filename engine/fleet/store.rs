//! The folder of a fleet: git data of what is fetched, the shards of all repositories, and which of them count.
//!
//! `current.json` names the shards of one moment and is replaced in one step, and a shard never changes once it is named: a reader needs no lock
//! and sees one moment. Who writes holds a lock. What a killed writer left is never named.

#![expect(clippy::disallowed_methods, reason = "a host module: keeps files of ours")]

mod clean;
mod current;
mod whole;

pub use current::{Current, Known, State};
pub(crate) use whole::is_whole;
#[cfg(test)]
pub(crate) use whole::mark;

use error::{Error, ErrorKind, Result};
use redact::KEY_BYTES;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use system::UserFolder;
use xxhash_rust::xxh3::xxh3_128;

/// How often somebody who waits for the lock looks again.
const LOCK_PAUSE: Duration = Duration::from_millis(50);
/// How long a git is waited for that outlives its sync.
const MAX_ORPHAN: Duration = Duration::from_secs(10);

const LOCK: &str = "lock";
/// Who holds the lock, for people.
const HOLDER: &str = "holder";
const CURRENT: &str = "current.json";
const GIT: &str = "git";
const SHARDS: &str = "shards";
const DERIVED: &str = "derived";
/// What is under way. Nothing in it counts.
const MAKING: &str = "making";

/// Whether a file may have a name in several folders. On Windows a file that is read cannot be removed by any of its names.
const LINKS: bool = cfg!(unix);

/// The bytes with which hashes of secrets are made; nobody can try secrets against these hashes without them.
const SECRETS_KEY: &str = "secrets.key";

/// The folder of a fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

/// The right to change a store; given back when it is dropped, and by the system when the process dies.
#[derive(Debug)]
pub struct Writer<'s> {
    store: &'s Store,
    _lock: File,
}

impl Store {
    /// The store in a folder, which need not be there yet.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Where the store of a manifest is if nobody says otherwise: in the user's cache folder, by the manifest's own path.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] where there is no such folder, or no such manifest.
    pub fn default_folder(manifest: &Path) -> Result<PathBuf> {
        let cache = UserFolder::Cache.path().ok_or_else(|| {
            let why = format!(
                "there is no folder for the fleet's store: neither XDG_CACHE_HOME nor {} is an absolute path; name one with `--store DIR`",
                system::HOME
            );
            Error::new(ErrorKind::BadInput, why)
        })?;
        let absolute = system::canonical(manifest).or_else(|_| std::path::absolute(manifest));
        let absolute = absolute.map_err(|error| {
            Error::new(ErrorKind::BadInput, format!("`{}` cannot be found", manifest.display())).because(error)
        })?;
        Ok(cache.join("fleet").join(format!("{:032x}", xxh3_128(&system::path_bytes(&absolute)))))
    }

    /// Whether a sync wrote into it.
    pub fn is_begun(&self) -> bool {
        [LOCK, CURRENT].iter().any(|name| self.folder.join(name).symlink_metadata().is_ok())
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What counts now; nothing before the first sync.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where that cannot be read, or is damaged.
    pub fn current(&self) -> Result<Current> {
        self.undamaged()?.ok_or_else(|| {
            let message = format!("`{}` is damaged; `activate fleet sync` makes it again", self.folder.join(CURRENT).display());
            Error::new(ErrorKind::Storage, message)
        })
    }

    /// What counts now; none where that is damaged.
    pub(crate) fn undamaged(&self) -> Result<Option<Current>> {
        let path = self.folder.join(CURRENT);
        // What another user may change at any moment is not mapped.
        if let Err(error) = system::Folder::owned(&self.folder)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(storage(&self.folder, "read", error));
        }
        match fs::read(&path) {
            Ok(bytes) => Ok(Current::from_bytes(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(Current::default())),
            Err(error) => Err(storage(&path, "read", error)),
        }
    }

    /// The key with which hashes of secrets are made in this store.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where there is none that can be read.
    pub fn secrets_key(&self) -> Result<[u8; KEY_BYTES]> {
        let path = self.folder.join(SECRETS_KEY);
        let damaged = || {
            let message = format!("`{}` is damaged; `activate fleet sync` makes it and all shards again", path.display());
            Error::new(ErrorKind::Storage, message)
        };
        self.undamaged_key().map_err(|error| storage(&path, "read", error))?.ok_or_else(damaged)
    }

    /// The same; none where it is damaged.
    fn undamaged_key(&self) -> io::Result<Option<[u8; KEY_BYTES]>> {
        let bytes = fs::read(self.folder.join(SECRETS_KEY))?;
        let key = bytes.split_first_chunk::<KEY_BYTES>().filter(|(key, hash)| **hash == xxh3_128(*key).to_le_bytes());
        Ok(key.map(|(key, _)| *key))
    }

    /// The folder of the git data that is fetched for a repository.
    pub fn git_folder(&self, name: &str) -> PathBuf {
        self.folder.join(GIT).join(format!("{}.git", folder_name(name)))
    }

    /// The folder of a shard or of what was derived, as [`Current`] names it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where it is not there, or not as it was written.
    pub fn checked(&self, named: &str) -> Result<PathBuf> {
        let folder = self.folder.join(named);
        let is_whole = current::is_inside(named) && whole::is_whole(&folder);
        if is_whole {
            return Ok(folder);
        }
        let message = format!("`{}` is missing or damaged; `activate fleet sync` makes it again", folder.display());
        Err(Error::new(ErrorKind::Storage, message))
    }

    /// Takes the right to change the store, waiting so long for whoever has it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where somebody else has it all the time, and where nothing can be written.
    pub fn write(&self, wait: Duration) -> Result<Writer<'_>> {
        let failed = |error: io::Error| storage(&self.folder, "written", error);
        system::Folder::own(&self.folder).map_err(failed)?;
        if !self.is_ours().map_err(|error| storage(&self.folder, "read", error))? {
            let message = format!(
                "`{}` holds other files and is no store; name an empty folder, or none, with `--store`",
                self.folder.display()
            );
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        let path = self.folder.join(LOCK);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let lock = system::open_plain(&path, system::private_file(&mut options)).map_err(failed)?;
        let until = Instant::now() + wait;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(fs::TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(LOCK_PAUSE),
                Err(fs::TryLockError::WouldBlock) => return Err(self.is_held(wait)),
                Err(fs::TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        let writer = Writer { store: self, _lock: lock };
        writer.replace(HOLDER, std::process::id().to_string().as_bytes())?;
        // What a writer left that was killed.
        remove_folder(&self.folder.join(MAKING)).map_err(failed)?;
        match self.undamaged_key() {
            Ok(Some(_)) => {}
            Ok(None) => writer.renew_key()?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => writer.renew_key()?,
            // It may be read the next time: what was made with it stays.
            Err(error) => return Err(storage(&self.folder.join(SECRETS_KEY), "read", error)),
        }
        Ok(writer)
    }

    /// Whether this program made what is in the folder: what no repository of a store has is removed from it.
    fn is_ours(&self) -> io::Result<bool> {
        // Somebody else may have a file of one of these names.
        let is_begun = || {
            let has = |name: &&str| self.folder.join(name).symlink_metadata().is_ok();
            [LOCK, HOLDER, SECRETS_KEY, CURRENT].iter().filter(|name| has(name)).count() > 1
        };
        if is_begun() {
            return Ok(true);
        }
        // A writer that was killed may have left no more than its lock.
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            if name != LOCK && name.to_str() != Some(&*new_name(HOLDER)) {
                // Another may have begun meanwhile.
                return Ok(is_begun());
            }
        }
        Ok(true)
    }

    fn is_held(&self, wait: Duration) -> Error {
        let holder = fs::read_to_string(self.folder.join(HOLDER)).unwrap_or_default();
        let holder: String = holder.chars().filter(char::is_ascii_digit).take(10).collect();
        let message = format!(
            "another `activate fleet sync` (process {holder}) has been changing `{}` for {} seconds; try again later, or wait longer with \
             `--wait SECONDS`",
            self.folder.display(),
            wait.as_secs()
        );
        Error::new(ErrorKind::Storage, message)
    }
}

impl Writer<'_> {
    /// The store.
    pub const fn store(&self) -> &Store {
        self.store
    }

    /// Makes a new key for hashes of secrets. What was made with another one goes.
    fn renew_key(&self) -> Result<()> {
        for part in [SHARDS, DERIVED] {
            let folder = self.store.folder.join(part);
            remove_folder(&folder).map_err(|error| storage(&folder, "removed", error))?;
        }
        let mut key = [0; KEY_BYTES];
        let failed = |error: getrandom::Error| Error::new(ErrorKind::Storage, "the system gives no random bytes").because(error);
        getrandom::fill(&mut key).map_err(failed)?;
        self.replace(SECRETS_KEY, &[&key[..], &xxh3_128(&key).to_le_bytes()].concat())
    }

    /// The shard of a repository by its key, as [`Current`] names it, if it is there and whole.
    pub fn shard(&self, name: &str, key: u128) -> Option<String> {
        let named = shard_name(name, key);
        self.store.checked(&named).ok().map(|_| named)
    }

    /// Makes the shard of a repository: `fill` writes its files into a folder, which is shown to nobody before it is whole. Gives its name.
    ///
    /// # Errors
    ///
    /// Those of `fill`, and [`ErrorKind::Storage`] where nothing can be written.
    pub fn make_shard(&self, name: &str, key: u128, fill: impl FnOnce(&Path) -> Result<()>) -> Result<String> {
        let named = shard_name(name, key);
        self.make(&named.clone(), None, |folder| fill(folder).map(|()| named))
    }

    /// What was derived under a key, if it is there and whole.
    pub fn derived(&self, key: u128) -> Option<String> {
        let named = derived_name(key);
        self.store.checked(&named).ok().map(|_| named)
    }

    /// The folder of what was derived under a key and counts, to take files from it; none where it is not whole.
    pub fn last_derived(&self, last: &Current, key: u128) -> Option<PathBuf> {
        let named = last.derived.as_deref().filter(|named| LINKS && **named == derived_name(key))?;
        self.store.checked(named).ok()
    }

    /// Makes what is derived, as [`Writer::make_shard`] makes a shard, under the key that `fill` gives. Files that `last` has
    /// too keep the hashes of its list.
    ///
    /// # Errors
    ///
    /// Those of `fill`, and [`ErrorKind::Storage`] where nothing can be written.
    pub fn make_derived(&self, last: Option<&Path>, fill: impl FnOnce(&Path) -> Result<u128>) -> Result<String> {
        self.make(DERIVED, last, |folder| fill(folder).map(derived_name))
    }

    /// An empty folder that is removed when the next writer begins, unless it is moved elsewhere.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where nothing can be written.
    pub fn temporary(&self, what: &str) -> Result<PathBuf> {
        let folder = self.store.folder.join(MAKING).join(what.replace('/', "+"));
        let made = remove_folder(&folder).and_then(|()| make_folders(&folder));
        made.map_err(|error| storage(&folder, "made", error))?;
        Ok(folder)
    }

    /// Gives a temporary folder its name, which nothing has.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where nothing can be written.
    pub fn place(&self, temporary: &Path, folder: &Path) -> Result<()> {
        let above = folder.parent().map_or(Ok(()), make_folders);
        above.and_then(|()| system::replace(temporary, folder)).map_err(|error| storage(folder, "made", error))
    }

    /// Makes a folder; `fill` writes its files and gives its name.
    fn make(&self, what: &str, last: Option<&Path>, fill: impl FnOnce(&Path) -> Result<String>) -> Result<String> {
        let temporary = self.temporary(what)?;
        let named = fill(&temporary)?;
        let folder = self.store.folder.join(&named);
        let failed = |error: io::Error| storage(&folder, "written", error);
        if self.store.checked(&named).is_ok() {
            // Somebody may be reading it.
            remove_folder(&temporary).map_err(failed)?;
            return Ok(named);
        }
        whole::mark(&temporary, last).map_err(failed)?;
        if folder.symlink_metadata().is_ok() {
            // It is damaged.
            let away = self.temporary(&format!("{named}.old"))?;
            system::replace(&folder, &away.join("damaged")).map_err(failed)?;
            remove_folder(&away).map_err(failed)?;
        }
        self.place(&temporary, &folder)?;
        Ok(named)
    }

    /// Makes something else count from now on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where that cannot be written.
    pub fn set(&self, current: &Current) -> Result<()> {
        self.replace(CURRENT, &current.to_bytes()?)
    }

    /// Removes what no repository has any more, and shards that have not counted for so long: somebody may still read one that just did.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Storage`] where something cannot be removed.
    pub fn clean(&self, current: &Current, grace: Duration) -> Result<()> {
        let folder = &self.store.folder;
        clean::clean(folder, current, grace).map_err(|error| storage(folder, "cleaned", error))
    }

    /// Puts bytes in the place of a file in one step.
    fn replace(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.store.folder.join(name);
        let temporary = self.store.folder.join(new_name(name));
        let written = (|| {
            let mut options = OpenOptions::new();
            let mut file = system::private_file(options.write(true).create(true).truncate(true)).open(&temporary)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            drop(file);
            system::replace(&temporary, &path)
        })();
        written.map_err(|error: io::Error| storage(&path, "written", error))
    }
}

/// The name of a file until it is whole.
fn new_name(name: &str) -> String {
    format!("{name}.new")
}

/// The name of a repository as that of one folder: the sign is in no name.
fn folder_name(name: &str) -> String {
    name.replace('/', "+")
}

fn shard_name(name: &str, key: u128) -> String {
    format!("{SHARDS}/{}/{key:032x}", folder_name(name))
}

fn derived_name(key: u128) -> String {
    format!("{DERIVED}/{key:032x}")
}

fn make_folders(folder: &Path) -> io::Result<()> {
    system::private_folder(fs::DirBuilder::new().recursive(true)).create(folder)
}

/// Removes a folder. A git that outlives a sync which was killed may still write into it: it is waited for.
fn remove_folder(folder: &Path) -> io::Result<()> {
    let until = Instant::now() + MAX_ORPHAN;
    loop {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty && Instant::now() < until => {
                std::thread::sleep(LOCK_PAUSE);
            }
            result => return result,
        }
    }
}

fn storage(path: &Path, what: &str, error: io::Error) -> Error {
    Error::new(ErrorKind::Storage, format!("`{}` cannot be {what}", path.display())).because(error)
}
