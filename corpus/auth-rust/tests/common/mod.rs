//! Shared by the integration tests.

use auth_service::auth::keys::{Key, KeySet};

pub const SECRET: &[u8] = b"integration secret";

/// One key, called k1.
pub fn keys() -> KeySet {
    KeySet::from_keys(vec![Key::new("k1", SECRET)])
}
