//! Many repositories through the command `activate fleet`, on small repositories that git makes in a temporary folder.
//!
//! Must not test what a unit test can.

#![expect(clippy::disallowed_methods, reason = "tests make repositories and run programs")]

mod answers;
mod asks;
mod faults;
mod kept;
mod kills;
mod organisation;
mod seen;
mod server;
mod watch;
mod workers;
