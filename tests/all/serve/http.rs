//! The server over HTTP: who is answered, and who is sent away with what.

use super::{Wire, initialize, serve, tiny};
use crate::cli::{Scratch, ended};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;

/// A server, its port and what it said of it.
struct Server {
    port: u16,
    said: String,
    _wire: Wire,
}

fn start(command: &mut Command) -> Server {
    let mut wire = Wire::start(command);
    let mut said = String::new();
    BufReader::new(wire.child.stderr.take().expect("a pipe")).read_line(&mut said).expect("a line");
    let port = said.split("http://127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next()).and_then(|port| port.parse().ok());
    Server { port: port.expect("a port"), said, _wire: wire }
}

impl Server {
    /// Sends a request with these headers beside those that all have: the status and the body of what comes back.
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> (u16, String) {
        let host = ("Host", format!("127.0.0.1:{}", self.port));
        let length = ("Content-Length", body.len().to_string());
        let accept = ("Accept", "application/json, text/event-stream".to_owned());
        let own = [host, length, accept, ("Content-Type", "application/json".to_owned()), ("Connection", "close".to_owned())];
        let is_given = |name: &str| headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        let own = own.iter().map(|(name, value)| (*name, value.as_str())).filter(|(name, _)| !is_given(name));
        for (name, value) in own.chain(headers.iter().copied()) {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.write_all(format!("{text}\r\n").as_bytes()).expect("the server reads");
        // Where it answers before it has read all, the rest finds nobody.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).expect("text");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
        (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }
}

#[test]
fn only_who_has_the_token_and_comes_from_this_machine_is_answered() {
    let scratch = Scratch::new();
    let server = start(&mut serve(&scratch, &tiny(&scratch), &["--no-cache", "--http", "0"]));
    let token = server.said.trim().trim_end_matches('`').rsplit(' ').next().expect("a token");
    assert_eq!(token.len(), 64, "{}", server.said);
    let bearer = format!("Bearer {token}");
    let own = ("Authorization", bearer.as_str());
    let first = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize() }).to_string();
    let first = first.as_bytes();
    let port = server.port;
    let (here, elsewhere) = (format!("http://localhost:{port}"), format!("http://localhost:{}", port ^ 1));
    let wrong = format!("Bearer {}", "0".repeat(64));
    let large = vec![b' '; 2 << 20];
    for (method, path, headers, body, status) in [
        ("POST", "/mcp", &[][..], first, 401),
        ("POST", "/mcp", &[("Authorization", wrong.as_str())], first, 401),
        ("GET", "/", &[], b"", 401),
        ("POST", "/mcp", &[own, ("Host", "evil.example")], first, 403),
        ("POST", "/mcp", &[own, ("Origin", "http://evil.example")], first, 403),
        ("POST", "/mcp", &[own, ("Origin", "null")], first, 403),
        ("POST", "/mcp", &[own, ("Origin", elsewhere.as_str())], first, 403),
        ("POST", "/mcp", &[own, ("Origin", here.as_str()), ("Origin", "http://evil.example")], first, 400),
        ("POST", "/mcp", &[own, ("Authorization", wrong.as_str())], first, 400),
        ("POST", "/mcp", &[own, ("Content-Length", "99999999999999")], b"", 413),
        ("POST", "http://evil.example/mcp", &[own], first, 400),
        ("POST", "/mcp", &[own, ("Content-Length", "99999999999999999999999999")], b"", 400),
        ("GET", "/mcp", &[own], b"", 405),
        ("GET", "/else", &[own], b"", 404),
        ("POST", "/mcp", &[own], &large, 413),
        ("POST", "/mcp", &[own, ("Content-Type", "text/plain")], first, 415),
        ("POST", "/mcp", &[own, ("Origin", here.as_str())], first, 200),
        ("POST", "/mcp", &[own], first, 200),
    ] {
        let (got, answer) = server.ask(method, path, headers, body);
        assert_eq!(got, status, "{method} {path} {headers:?}: {answer}");
        if status == 200 {
            let answer: Value = serde_json::from_str(&answer).expect("JSON");
            assert_eq!(answer["result"]["serverInfo"]["name"], "activate");
        } else {
            assert!(!answer.contains("result"), "{answer}");
        }
    }
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "read", "arguments": { "path": "a.go" } } });
    let version = ("MCP-Protocol-Version", "2025-11-25");
    let (status, answer) = server.ask("POST", "/mcp", &[own, version], call.to_string().as_bytes());
    assert!(status == 200 && answer.contains("First is called"), "{status} {answer}");
}

#[test]
fn half_open_connections_cost_nobody_else_anything() {
    let scratch = Scratch::new();
    let server = start(&mut serve(&scratch, &tiny(&scratch), &["--no-cache", "--http", "0"]));
    let token = server.said.trim().trim_end_matches('`').rsplit(' ').next().expect("a token");
    let bearer = format!("Bearer {token}");
    let open = || {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
        stream.write_all(b"POST /mcp HTTP/1.1\r\nHost: ").expect("the server reads");
        stream
    };
    let mut half: Vec<TcpStream> = (0..200).map(|_| open()).collect();
    let first = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize() }).to_string();
    assert_eq!(server.ask("POST", "/mcp", &[("Authorization", &bearer)], first.as_bytes()).0, 200);
    // Of so many the oldest was closed long before the time for its head was over.
    let mut rest = Vec::new();
    let _ = half[0].read_to_end(&mut rest);
    half.push(open());
    assert_eq!(server.ask("POST", "/mcp", &[("Authorization", &bearer)], first.as_bytes()).0, 200);
}

#[test]
fn a_token_of_a_file_is_not_said_and_none_at_all_is() {
    let (scratch, token) = (Scratch::new(), "a-token-of-somebody-else");
    let file = scratch.file("token", format!("{token}\n").as_bytes());
    let file = file.to_str().expect("text");
    let root = tiny(&scratch);
    let first = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize() }).to_string();
    let server = start(&mut serve(&scratch, &root, &["--no-cache", "--http", "0", "--token-file", file]));
    assert!(!server.said.contains(token), "{}", server.said);
    let bearer = format!("Bearer {token}");
    assert_eq!(server.ask("POST", "/mcp", &[("Authorization", &bearer)], first.as_bytes()).0, 200);
    assert_eq!(server.ask("POST", "/mcp", &[], first.as_bytes()).0, 401);
    let open = start(&mut serve(&scratch, &root, &["--no-cache", "--http", "0", "--no-token"]));
    assert!(open.said.contains("without a token"), "{}", open.said);
    assert_eq!(open.ask("POST", "/mcp", &[], first.as_bytes()).0, 200);
    let in_use = open.port.to_string();
    for (args, says) in [
        (&["--http", &in_use][..], "cannot be listened on"),
        (&["--http", "0", "--token-file", scratch.file("empty", b"").to_str().expect("text")], "a token has 16 to 1024"),
        (&["--no-token"], "--http"),
    ] {
        let refused = ended(&mut serve(&scratch, &root, args));
        assert!(refused.code == 2 && refused.stderr.contains(says), "{args:?}: {}", refused.stderr);
    }
}
