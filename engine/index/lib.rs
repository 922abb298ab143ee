//! Turns the files of a repository into what is known about them: one fact base, kept between runs.
//!
//! Files are read through `repo` and records kept through `cache` in [`snapshot`] alone; everything else is given text and gives values.

pub mod base;
pub mod boundary;
pub mod build;
pub mod checks;
pub mod completeness;
pub mod extract;
#[cfg(any(test, feature = "testing"))]
pub mod fixture;
pub mod history;
pub mod outline;
pub mod passages;
pub mod past_lines;
pub mod resolve;
mod serves;
pub mod snapshot;
pub mod text;
