//! Decides what a coding agent sees.

pub mod activation;
pub mod cache;
pub mod context;
pub mod engine;
pub mod error;
pub mod facts;
pub mod packet;
pub mod repo;
pub mod request;
pub mod snapshot;

pub use context::budget::Budget;
pub use engine::{CacheChoice, Engine, Options};
pub use error::{Error, ErrorKind, Problem, Result};
pub use request::{Activation, Request};
