mod common;

use auth_service::auth::middleware::{Always, Guard, HumansOnly, Request};
use auth_service::prelude::*;
use store::{MemoryStore, Store};
use tokens::{sign, signature_of};

fn request(token: &str) -> Request {
    Request { path: "/me".into(), authorization: Some(format!("Bearer {token}")) }
}

#[test]
fn guard_answers_401_to_an_empty_token() {
    let guard = Guard::new(common::keys());
    assert_eq!(guard.wrap(&Always, &request("")), 401);
}

#[test]
fn guard_keeps_machines_out() {
    let token = sign::mint("k1", "service:billing", u64::MAX, common::SECRET);
    assert_eq!(Guard::new(common::keys()).wrap(&HumansOnly(Always), &request(&token)), 403);
}

#[test]
fn login_opens_a_session() {
    let token = sign::mint("k1", "user:ada", u64::MAX, common::SECRET);
    assert!(validate_token(&token, &common::keys()).is_ok());
    let mut book = SessionBook::new(MemoryStore::new(), common::keys());
    let id = book.login(&token).unwrap();
    assert!(book.logout(&id), "session {} was not open", id);
}

#[test]
fn store_and_signature_are_usable_from_outside() {
    let mut rows = MemoryStore::default();
    rows.put("a", store::Record { owner: signature_of("a", b"s").to_string() });
    assert!(rows.contains("a"));
}
