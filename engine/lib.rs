//! Decides what a coding agent sees.

pub mod context;
pub mod error;
pub mod repo;
