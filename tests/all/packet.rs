//! Packets by the built command: made, changed and checked in files.
//!
//! Must not test the rules of a kind: its unit tests do.

mod audit;
mod limits;
mod phase;
mod schemas;
mod worker;

use crate::cli::{Ended, run};
use std::path::Path;

/// Runs `activate packet`.
fn packet(arguments: &[&str]) -> Ended {
    run(&[&["packet"], arguments].concat())
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a path of the tests")
}
