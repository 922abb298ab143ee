//! The session of an agent: its turns, and what was sent in them.
//!
//! Must not know a repository, a clock or how anything is shown.

mod sent;

pub use sent::{Sent, SentEntry};
