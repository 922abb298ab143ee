//! A repository that can be asked: what is known of it now, requests, and what they activate.
//!
//! Ties the crates below together.

pub mod blackboard;
mod change;
mod custom;
mod edited;
mod engine;
mod in_packet;
mod pins;
mod request;
mod reviewed;
mod weights;

#[cfg(test)]
mod tests;

pub use custom::{RuleFile, check_heads};
pub use engine::{CacheChoice, Engine, Options, UserRules, check_cache_folder, threads};
pub use pins::usual_pins;
pub use request::{Activation, Linked, Request};
pub use reviewed::Reviewed;
pub use weights::read_weights;
