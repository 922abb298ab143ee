//! Threads that decode frames side by side.

mod spawn;
mod steal;

pub use spawn::{spawn, Pool};
pub use steal::steal_from;
