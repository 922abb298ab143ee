//! Decides what a coding agent sees.

pub mod activation;
pub mod cache;
pub mod context;
pub mod engine;
pub mod error;
pub mod facts;
pub mod packet;
pub mod repo;
pub mod snapshot;
