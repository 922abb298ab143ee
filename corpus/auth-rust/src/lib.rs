//! A small sign-in service.

#[macro_use]
mod macros;

pub mod apikey;
pub mod auth;
pub mod billing;
#[path = "platform/clock_std.rs"]
pub mod clock;
pub mod config;
pub mod session;

pub use auth::{validate_token, AuthError};

/// What most callers want.
pub mod prelude {
    pub use crate::auth::middleware::{Guard, Request};
    pub use crate::auth::*;
    pub use crate::session::Book as SessionBook;
}
