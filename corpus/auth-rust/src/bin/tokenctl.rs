//! Checks one token or API key from the command line.

use auth_service::{apikey, validate_token};
use auth_service::auth::KeySet;
use store::MemoryStore;

fn main() {
    let raw = std::env::args().nth(1).unwrap_or_default();
    println!("{}", describe(&raw));
}

/// Tells an API key from a token by its prefix.
fn describe(raw: &str) -> String {
    if raw.starts_with("ak_") {
        return apikey::validate_token(raw, &MemoryStore::new()).unwrap_or_else(|error| error);
    }
    match validate_token(raw, &KeySet::new()) {
        Ok(claims) => claims.to_string(),
        Err(error) => error.to_string(),
    }
}
