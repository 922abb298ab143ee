//! The flags that say which fleet, and who asks about it.

use clap::Args;
use error::{Error, ErrorKind, Result};
use fleet::access::{self, Access};
use fleet::manifest::Manifest;
use fleet::store::Store;
use std::path::{Path, PathBuf};

/// The manifest where nobody names one.
pub(super) const MANIFEST: &str = "fleet.toml";

/// Which fleet.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Fleet")]
pub(super) struct ManifestOption {
    /// The manifest, which lists the repositories
    #[arg(long, value_name = "FILE", default_value = MANIFEST)]
    pub(super) manifest: PathBuf,
}

/// Which fleet, and where what is known of it is kept.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Fleet")]
pub(super) struct StoreOptions {
    #[command(flatten)]
    pub(super) manifest: ManifestOption,
    #[command(flatten)]
    pub(super) store: StoreOption,
}

/// Where what is known of a fleet is kept.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Fleet")]
pub(super) struct StoreOption {
    /// Folder of the store [default: in the user's cache folder, one a manifest]
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
}

impl StoreOption {
    /// What to say where nothing is known: that the store which was named is not there, else what was said.
    pub(super) fn unknown(&self, error: Error) -> Error {
        match (self.lacking(), error.kind) {
            (Some(lacking), ErrorKind::NothingFound) => error.reworded(|_| lacking),
            _ => error,
        }
    }

    /// That the store which was named is not there.
    pub(super) fn lacking(&self) -> Option<String> {
        let folder = self.store.as_ref().filter(|folder| !Store::at(folder).is_begun())?;
        Some(format!("there is no store in `{}`; `activate fleet sync` makes one", folder.display()))
    }

    /// The store of a manifest.
    pub(super) fn open(&self, manifest: &Path) -> Result<Store> {
        let folder = self.store.clone().map_or_else(|| Store::default_folder(manifest), Ok)?;
        Ok(Store::at(&folder))
    }
}

impl StoreOptions {
    /// The manifest with its store.
    pub(super) fn open(&self) -> Result<(Manifest, Store)> {
        let path = &self.manifest.manifest;
        let manifest = Manifest::read(path)?;
        Ok((manifest, self.store.open(path)?))
    }
}

/// Who asks. What is not granted is neither named nor counted.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Access")]
pub(super) struct AccessOptions {
    /// Who asks, as the policy calls them
    #[arg(long = "as", value_name = "WHO", requires = "access")]
    who: Option<String>,
    /// The policy: a `[[grant]]` says `who`, a name or `*`, and which `repositories`, as globs; what none grants is denied
    #[arg(long, value_name = "FILE")]
    access: Option<PathBuf>,
}

impl AccessOptions {
    /// Says of a repository whether it may be seen.
    pub(super) fn sees(&self) -> Result<impl Fn(&str) -> bool + use<>> {
        self.sees_by(self.policy()?.as_deref())
    }

    /// The same by the text of the policy.
    pub(super) fn sees_by(&self, policy: Option<&str>) -> Result<impl Fn(&str) -> bool + use<>> {
        let access = match (policy, &self.access) {
            (Some(text), Some(path)) => Access::parse(text, path)?,
            _ => Access::all(),
        };
        let who = self.who.clone();
        Ok(move |name: &str| access.sees(who.as_deref(), name))
    }

    /// The text of the policy, where there is one.
    pub(super) fn policy(&self) -> Result<Option<String>> {
        self.access.as_deref().map(access::text).transpose()
    }
}
