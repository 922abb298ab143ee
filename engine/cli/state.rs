//! Where what was sent is kept: the state folder, as a flag names it or the user's own.

use clap::Args;
use error::{Error, ErrorKind, Result};
use packets::store;
use std::path::PathBuf;

/// Where packs are kept.
#[derive(Debug, Args)]
pub(super) struct StateOptions {
    /// The state folder [default: activate in the user's state folder]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
}

impl StateOptions {
    /// The folder.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        self.state.clone().or_else(store::default_folder).ok_or_else(nowhere)
    }
}

/// That no folder is known.
pub(super) fn nowhere() -> Error {
    let message = format!(
        "packets are kept in the state folder, and there is none: neither XDG_STATE_HOME nor {} is an absolute path; name one with `--state DIR`",
        system::HOME
    );
    Error::new(ErrorKind::BadInput, message)
}
