//! Decides what a coding agent sees.

pub mod activation;
pub mod context;
pub mod error;
pub mod facts;
pub mod packet;
pub mod repo;
