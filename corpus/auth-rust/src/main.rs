//! Answers one sign-in request given on the command line.

use std::fs;
use std::process::ExitCode;

use auth_service::auth::{middleware::{Always, HumansOnly}, KeySet};
use auth_service::config::Config;
use auth_service::prelude::{Guard, Request, SessionBook};
use store::DiskStore;

fn main() -> ExitCode {
    match run() {
        Ok(status) => {
            println!("status {status}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("auth-service: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<u16, String> {
    let config = Config::load()?;
    let token = std::env::args().nth(1).unwrap_or_default();
    let mut book = SessionBook::new(DiskStore::open(&config.data_file), load_keys(&config)?);
    match book.login(&token) {
        Ok(id) => println!("session {id}"),
        Err(error) => eprintln!("no session: {error}"),
    }
    book.close()?;
    let guard = Guard::new(load_keys(&config)?);
    let request = Request { path: "/me".to_owned(), authorization: Some(token) };
    Ok(guard.wrap(&HumansOnly(Always), &request))
}

fn load_keys(config: &Config) -> Result<KeySet, String> {
    let text = fs::read_to_string(&config.key_file).map_err(|error| format!("open key file {}: {error}", config.key_file))?;
    Ok(KeySet::parse(&text))
}
