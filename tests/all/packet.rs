//! Packets by the built command: made, changed and checked in files.
//!
//! Must not test the rules of a kind: its unit tests do.

mod audit;
mod limits;
mod phase;
mod schemas;
mod worker;

use crate::cli::{Ended, command, ended};
use crate::replay::corpus;
use std::path::Path;

/// Runs `activate packet` in a small repository.
fn packet(arguments: &[&str]) -> Ended {
    ended(command(&[&["packet"], arguments].concat()).current_dir(corpus().join("auth-go")))
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a path of the tests")
}
