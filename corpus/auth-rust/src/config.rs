//! Settings from the environment.

use std::env;
use std::str::FromStr;

/// Everything the server can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    pub port: u16,
    pub key_file: String,
    pub data_file: String,
}

impl Config {
    /// Reads `AUTH_PORT`, `AUTH_KEYS` and `AUTH_DATA`.
    pub fn load() -> Result<Self, String> {
        Ok(Self {
            port: number("AUTH_PORT", 8080)?,
            key_file: text("AUTH_KEYS", "keys.txt"),
            data_file: text("AUTH_DATA", "sessions.txt"),
        })
    }
}

fn text(name: &str, otherwise: &str) -> String {
    env::var(name).unwrap_or_else(|_| otherwise.to_owned())
}

fn number<N: FromStr>(name: &str, otherwise: N) -> Result<N, String> {
    match env::var(name) {
        Ok(value) => value.parse().map_err(|_| format!("{name} is not a number: {value:?}")),
        Err(_) => Ok(otherwise),
    }
}
