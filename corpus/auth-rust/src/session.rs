//! Signed-in sessions.

mod book;
pub mod expiry;

pub use book::*;
