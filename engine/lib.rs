//! Decides what a coding agent sees.

pub mod cache;
pub mod context;
pub mod error;
pub mod facts;
pub mod repo;
