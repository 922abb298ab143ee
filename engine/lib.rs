//! Decides what a coding agent sees.

pub mod error;
pub mod facts;
pub mod repo;
