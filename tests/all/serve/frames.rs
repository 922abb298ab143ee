//! Junk: whatever a line holds, every reply is one of the protocol, the server lives, and its memory stays as it is.

use super::{Wire, initialize, serve, tiny};
use crate::cli::Scratch;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

/// How much the peak of memory may grow, in kilobytes.
const MAX_GROWTH: u64 = 50 << 10;
const N_FRAMES: usize = 10_000;
/// Bytes of the longest line.
const N_BYTES: usize = 50_000_000;
/// How long a client reads nothing.
const UNREAD: Duration = Duration::from_secs(2);

/// Fails unless a line is a reply or a notification of JSON-RPC 2.0.
fn check(said: &Value) {
    assert_eq!(said["jsonrpc"], "2.0", "{said}");
    let (has_result, has_error) = (said["result"].is_object(), said["error"].is_object());
    match said.get("method") {
        Some(method) => assert!(method.is_string() && said.get("id").is_none() && !has_result && !has_error, "{said}"),
        None => assert!(has_result != has_error && (has_error || said.get("id").is_some()), "{said}"),
    }
    if has_error {
        let message = said["error"]["message"].as_str().expect("a message");
        assert!(said["error"]["code"].is_i64() && !message.is_empty() && message.len() < 1_000, "{said}");
    }
}

/// What a frame is answered before another request is, or later where that many replies are awaited: codes of errors or results, with ids.
fn replies(wire: &mut Wire, frame: &[u8], n_awaited: usize) -> Vec<String> {
    wire.send(frame);
    wire.request("alive", "tools/list", &json!({}));
    let (mut replies, mut is_alive) = (Vec::new(), false);
    while !is_alive || replies.len() < n_awaited {
        let said = wire.next();
        check(&said);
        if said["id"] == "alive" {
            is_alive = true;
            continue;
        }
        let what = if said["error"].is_null() { "result".to_owned() } else { said["error"]["code"].to_string() };
        replies.push(format!("{what} {}", said.get("id").unwrap_or(&Value::Null)));
    }
    replies
}

#[test]
fn junk_is_answered_with_an_error_or_not_at_all() {
    let scratch = Scratch::new();
    let mut wire = Wire::begin(&mut serve(&scratch, &tiny(&scratch), &["--no-cache"]));
    let before = wire.status("VmHWM:");
    let (deep, deeper) = ("[".repeat(10_000), "[".repeat(100_000));
    let call = |arguments: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"context","arguments":{arguments}}}}}"#)
    };
    let second = json!({ "jsonrpc": "2.0", "id": 9, "method": "initialize", "params": initialize() }).to_string();
    for (frame, said) in [
        ("hello".to_owned(), &["-32700 null"][..]),
        (deep.clone(), &["-32700 null"]),
        (deeper, &["-32600 null"]),
        (call(&format!("{{\"intent\":{deep}}}")), &["-32700 null"]),
        (format!("[{}0]", "0,".repeat(400_000)), &["-32600 null"]),
        (r#"[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]"#.to_owned(), &["-32600 null"]),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#.to_owned(), &["-32600 null"]),
        (r#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#.to_owned(), &["-32600 7"]),
        (r#"{"jsonrpc":"2.0","id":7,"method":"no/such"}"#.to_owned(), &["-32601 7"]),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"no_such"}}"#.to_owned(), &["-32602 7"]),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5}}"#.to_owned(), &["-32602 7"]),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}"#.to_owned(), &["-32602 7"]),
        (call("[]"), &["-32602 7"]),
        (call(r#"{"intent":{"a":1},"budget":"x"}"#), &["result 7"]),
        (r#"{"jsonrpc":"2.0","method":"no/such"}"#.to_owned(), &[]),
        (r#"{"jsonrpc":"2.0","id":7,"result":{}}"#.to_owned(), &[]),
        (r#"{"jsonrpc":"2.0","id":7,"error":5}"#.to_owned(), &[]),
        (second, &["result 9"]),
    ] {
        let shown: String = frame.chars().take(100).collect();
        assert_eq!(replies(&mut wire, frame.as_bytes(), said.len()), said, "{shown}");
    }
    assert_eq!(replies(&mut wire, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", 1), ["-32700 null"]);
    let long = call(&format!("{{\"intent\":\"{}\"}}", "x".repeat(N_BYTES)));
    assert_eq!(replies(&mut wire, long.as_bytes(), 1), ["-32600 null"]);
    let growth = wire.status("VmHWM:") - before;
    assert!(growth < MAX_GROWTH, "{growth} kB");
}

#[test]
fn a_session_begins_after_whatever_was_said_before_it() {
    let (scratch, ping) = (Scratch::new(), json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" }).to_string());
    let discover = r#"{"jsonrpc":"2.0","id":"d","method":"server/discover"}"#;
    let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let reply = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let unknown = r#"{"jsonrpc":"2.0","id":"u","method":"no/such"}"#;
    let mut wire = Wire::start(&mut serve(&scratch, &tiny(&scratch), &["--no-cache"]));
    for frame in [cancelled, reply, "junk", &ping, cancelled, discover, reply, unknown, cancelled, "[]", reply] {
        wire.send(frame.as_bytes());
    }
    assert!(wire.ask("initialize", &initialize())["result"].is_object());
    assert!(wire.ask("tools/list", &json!({}))["result"]["tools"].is_array());
}

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    /// A frame with one to four changes in it.
    fn mutate(&mut self, frame: &str) -> Vec<u8> {
        let mut bytes = frame.as_bytes().to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            match self.below(4) {
                0 => bytes[at] = self.below(256) as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b' ' + self.below(95) as u8),
                _ => {
                    let from = self.below(bytes.len());
                    let piece = bytes[from..(from + 20).min(bytes.len())].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        bytes.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
        bytes
    }
}

#[test]
fn mutated_frames_do_not_end_the_server_or_fill_its_memory() {
    let scratch = Scratch::new();
    let mut wire = Wire::begin(&mut serve(&scratch, &tiny(&scratch), &["--no-cache"]));
    // What a first call needs is not what junk costs.
    assert_eq!(wire.call("context", &json!({ "intent": "fix First" }))["isError"], false);
    let before = wire.status("VmHWM:");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let context = json!({ "name": "context", "arguments": { "intent": "fix First", "budget": 500 } });
    let read = json!({ "name": "read", "arguments": { "path": "a.go", "lines": "1:2" }, "_meta": { "progressToken": 1 } });
    let frames = [
        json!({ "jsonrpc": "2.0", "id": 2, "method": "initialize", "params": initialize() }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": context }),
        json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": read }),
        json!({ "jsonrpc": "2.0", "id": 5, "method": "resources/list", "params": { "cursor": "2" } }),
        json!({ "jsonrpc": "2.0", "id": 6, "method": "prompts/get", "params": { "name": "fix", "arguments": { "intent": "x" } } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } }),
        json!({ "jsonrpc": "2.0", "id": 7, "method": "server/discover", "params": { "_meta": meta } }),
    ]
    .map(|frame| frame.to_string());
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut stdin = wire.stdin.take().expect("not closed");
    let writer = std::thread::spawn(move || {
        for _ in 0..N_FRAMES {
            let at = numbers.below(frames.len());
            let frame = numbers.mutate(&frames[at]);
            stdin.write_all(&[&frame[..], b"\n"].concat()).expect("the server reads");
        }
        stdin.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":\"end\",\"method\":\"tools/list\"}\n").expect("the server reads");
        stdin
    });
    let mut n_replies = 0;
    loop {
        let said = wire.next();
        check(&said);
        n_replies += 1;
        if said["id"] == "end" {
            break;
        }
    }
    assert!(n_replies > N_FRAMES / 2, "{n_replies} replies");
    wire.stdin = Some(writer.join().expect("all was written"));
    assert_eq!(wire.call("read", &json!({ "path": "a.go" }))["isError"], false);
    let growth = wire.status("VmHWM:") - before;
    assert!(growth < MAX_GROWTH, "{growth} kB");
}

/// Requests of a client that does not read, and every so many-th of them no request.
const N_UNREAD: usize = 10_000;
const JUNK_EVERY: usize = 10;

#[test]
fn who_reads_late_gets_every_reply_and_fills_no_memory() {
    let scratch = Scratch::new();
    let mut command = serve(&scratch, &tiny(&scratch), &["--no-cache"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command runs");
    let (mut stdin, mut stdout) = (child.stdin.take().expect("a pipe"), BufReader::new(child.stdout.take().expect("a pipe")));
    let mut wire = Wire { child, stdin: None, lines: channel().1 };
    let writer = std::thread::spawn(move || {
        let begin = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize() });
        writeln!(stdin, "{begin}\n{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}").expect("the server reads");
        for id in 1..=N_UNREAD {
            let version = if id % JUNK_EVERY == 0 { "1.0" } else { "2.0" };
            writeln!(stdin, "{}", json!({ "jsonrpc": version, "id": id, "method": "tools/list" })).expect("the server reads");
        }
        stdin
    });
    std::thread::sleep(UNREAD);
    let peak = wire.status("VmHWM:");
    // Who closes it is gone.
    let replies =
        stdout.by_ref().lines().take(N_UNREAD + 1).map(|line| serde_json::from_str(&line.expect("a line")).expect("JSON"));
    let mut ids: Vec<u64> = replies.map(|reply: Value| reply["id"].as_u64().unwrap_or_else(|| panic!("{reply}"))).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..=N_UNREAD as u64).collect::<Vec<_>>());
    // The kernel counts in batches: the greatest of later may be a little less.
    let growth = wire.status("VmHWM:").saturating_sub(peak);
    assert!(growth < MAX_GROWTH && peak < 2 * MAX_GROWTH, "{peak} kB and {growth} kB");
    wire.stdin = Some(writer.join().expect("all was written"));
}
