//! The library as an agent uses it: bad input is refused with a word, and nothing that it hands out holds a secret of the repository.

use crate::replay::Replayed;
use activate::{Blackboard, Budget, Engine, ErrorKind, Options, Request};
use std::fs;

const SECRET: &str = "copper-walnut-5512";

fn engine(replayed: &Replayed) -> Engine {
    Engine::open_with(replayed.path(), Options::new().no_cache()).expect("a repository")
}

#[test]
fn what_cannot_be_used_is_refused_with_the_reason() {
    let board = Blackboard::new();
    let replayed = Replayed::new("auth-go");
    let engine = engine(&replayed);
    let refused = [
        Request::new("x").weights_json("[]").map(drop).expect_err("a list"),
        Request::new("x").weights_json(r#"{"gate": "high"}"#).map(drop).expect_err("a word"),
        Request::new("x").session_json("[]").map(drop).expect_err("a list"),
        Blackboard::from_json("[]").map(drop).expect_err("a list"),
        board.touched("../../etc/passwd").expect_err("outside"),
        engine.at("no-such-commit").map(drop).expect_err("no commit"),
        engine.ask(&Request::new("x").pin("no/such/file.go")).map(drop).expect_err("no file"),
        engine.ask(&Request::new("fix ValidateToken")).expect("an answer").why("NoSuchName").expect_err("no name"),
    ];
    for error in refused {
        assert!(error.kind == ErrorKind::BadInput && error.to_string().len() > 20, "{error}");
    }
    let none = Engine::open("/no/such/folder").map(drop).expect_err("no folder");
    assert_eq!(none.kind, ErrorKind::NoRepository);
}

#[test]
fn errors_problems_and_sessions_hold_no_secret_of_the_repository() {
    let replayed = Replayed::new("auth-go");
    fs::write(replayed.path().join(".env"), format!("DB_PASSWORD={SECRET}\n")).expect("written");
    fs::write(replayed.path().join(format!("{SECRET}.go")), [0xff, 0xfe, b'x', b'\n']).expect("written");
    let engine = engine(&replayed);
    let board = Blackboard::new();
    board.begin(format!("fix ValidateToken for {SECRET}")).expect("a turn");
    board.finding(format!("[BUG] {SECRET} is refused (tester)")).expect("a finding");
    board.touched(&format!("auth/{SECRET}.go")).expect("a path");
    board.tool_output(&format!("auth/token.go:3:1: undefined: {SECRET}\n"));
    let answer = engine.ask(&board.request("").expect("a request")).expect("an answer");
    let packet = answer.packet(&Budget::default()).expect("a packet");
    board.sent(&packet);
    let kept = board.to_json(&engine).expect("a session");
    let pinned = engine.ask(&Request::new("x").pin(format!("{SECRET}/a.go"))).map(drop).expect_err("no file");
    let shown = [
        packet.text,
        packet.json,
        format!("{:?}", packet.problems),
        format!("{:?}", answer.problems()),
        format!("{answer:?} {engine:?}"),
        format!("{:?} {:?}", answer.why(SECRET), answer.why(&format!("{SECRET}x"))),
        pinned.to_string(),
        kept.clone(),
    ];
    for text in shown {
        assert!(!text.contains(SECRET), "{text}");
    }
    let again = Blackboard::from_json(&kept).expect("what was written can be read");
    assert_eq!(again.to_json(&engine).expect("a session"), kept, "and written again");
}
