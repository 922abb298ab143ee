//! Compact tokens: `key-id.subject.expiry.signature`.

mod parse;
pub mod sign;

pub use parse::{split, Parts, ShapeError};
pub use sign::checksum as signature_of;
