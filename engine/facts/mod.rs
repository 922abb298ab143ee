//! Turns the text of a repository into what is known about it.
//!
//! Must not know disks, processes or clocks: it is given text and gives values.

pub mod base;
pub mod build;
pub mod checks;
pub mod completeness;
pub mod extract;
pub mod failures;
pub mod found;
pub mod history;
pub mod intent;
pub mod outline;
pub mod passages;
pub mod past_lines;
pub mod resolve;
pub mod text;
