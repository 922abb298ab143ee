//! The folders in which this program keeps what is the user's.

use std::ffi::OsString;
use std::path::PathBuf;

/// The folder of this program in those of the user.
const NAME: &str = "activate";

/// The variable that names the user's own folder where no other says where things are kept.
pub const HOME: &str = if cfg!(windows) { "LOCALAPPDATA" } else { "HOME" };

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserFolder {
    /// What can be made again.
    Cache,
    /// What was done.
    State,
    /// Settings.
    Config,
}

impl UserFolder {
    /// Where it is, by this process's environment; none where no variable is an absolute path: a relative one would mean a folder in
    /// whatever folder the run was started in, a repository among them.
    pub fn path(self) -> Option<PathBuf> {
        self.by(cfg!(windows), |name| std::env::var_os(name))
    }

    /// [`Self::path`] by other variables.
    pub fn path_by(self, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        self.by(cfg!(windows), variable)
    }

    pub(super) fn by(self, is_windows: bool, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let named = absolute(match self {
            Self::Cache => "XDG_CACHE_HOME",
            Self::State => "XDG_STATE_HOME",
            Self::Config => "XDG_CONFIG_HOME",
        });
        if let Some(folder) = named {
            return Some(folder.join(NAME));
        }
        Some(match (self, is_windows) {
            (Self::Cache, false) => absolute("HOME")?.join(".cache").join(NAME),
            (Self::State, false) => absolute("HOME")?.join(".local/state").join(NAME),
            (Self::Config, false) => absolute("HOME")?.join(".config").join(NAME),
            // One folder of the profile holds all that stays on this machine.
            (Self::Cache, true) => absolute("LOCALAPPDATA")?.join(NAME).join("cache"),
            (Self::State, true) => absolute("LOCALAPPDATA")?.join(NAME).join("state"),
            (Self::Config, true) => absolute("APPDATA")?.join(NAME),
        })
    }
}
