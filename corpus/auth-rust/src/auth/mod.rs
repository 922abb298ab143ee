//! Decides whether a request may pass.

pub mod claims;
pub mod keys;
mod login;
pub mod middleware;

pub use self::claims::Claims;
pub use self::keys::KeySet;
#[allow(deprecated)]
pub use self::login::{check_token, validate_token, TokenError as AuthError};
