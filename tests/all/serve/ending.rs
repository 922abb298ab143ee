//! How the server ends: at once, with its work undone, without a word.

use super::{Wire, initialize, large, serve, tiny};
use crate::cli::Scratch;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;

/// Why a server is to end.
#[derive(Debug, Clone, Copy)]
enum Why {
    StdinClosed,
    StdoutClosed,
    Told(Signal),
}

/// Starts a server, lets it do nothing or a long call, and ends it: what it still answers, its exit code and its last words.
fn end(scratch: &Scratch, repository: &Path, is_busy: bool, why: Why) -> (String, Option<i32>, String) {
    let mut command = serve(scratch, repository, &["--no-cache"]);
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = streams.spawn().expect("the command runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    let mut send = |id: &str, method: &str, params| {
        let text = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        stdin.write_all(format!("{text}\n").as_bytes()).expect("the server reads");
    };
    send("1", "initialize", initialize());
    stdout.read_line(&mut line).expect("a line");
    if is_busy {
        let meta = json!({ "progressToken": 1 });
        send("2", "tools/call", json!({ "name": "context", "arguments": { "intent": "fix Do1x1" }, "_meta": meta }));
        line.clear();
        stdout.read_line(&mut line).expect("a line");
        assert!(line.contains("notifications/progress"), "{line}");
    }
    let (mut stdin, mut stdout) = (Some(stdin), Some(stdout));
    match why {
        Why::StdinClosed => stdin = None,
        Why::StdoutClosed => stdout = None,
        Why::Told(signal) => kill_process(Pid::from_child(&child), signal).expect("a process"),
    }
    let mut words = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut words).expect("text");
    let status = child.wait().expect("an end");
    drop(stdin);
    let mut rest = String::new();
    stdout.map(|mut stdout| stdout.read_to_string(&mut rest).expect("text"));
    (rest, status.code(), words)
}

/// Whether whoever started the tests wants a signal ignored, as `nohup` does: so does the server.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.is_some_and(|ignored| ignored >> (signal.as_raw() - 1) & 1 == 1)
}

#[test]
fn it_is_gone_before_its_work_is_done_without_a_word() {
    let scratch = Scratch::new();
    let (tiny, large) = (tiny(&scratch), large(&scratch));
    let signals = [Signal::TERM, Signal::INT, Signal::HUP].into_iter().filter(|signal| !is_ignored(*signal));
    for why in [Why::StdinClosed, Why::StdoutClosed].into_iter().chain(signals.map(Why::Told)) {
        for (is_busy, repository) in [(false, &tiny), (true, &large)] {
            let (answers, code, words) = end(&scratch, repository, is_busy, why);
            assert_eq!((code, words.as_str()), (Some(0), ""), "{why:?}, busy: {is_busy}");
            // A call that takes seconds is not waited for.
            let is_given_up = !answers.contains("\"result\"") || answers.contains("The call was given up.");
            assert!(is_given_up, "{why:?}, busy: {is_busy}: {answers}");
        }
    }
}

#[test]
fn requests_that_are_piped_in_are_answered() {
    let scratch = Scratch::new();
    let mut wire = Wire::start(&mut serve(&scratch, &tiny(&scratch), &["--no-cache"]));
    wire.request("1", "initialize", &initialize());
    wire.request("2", "tools/call", &json!({ "name": "read", "arguments": { "path": "a.go" } }));
    wire.stdin = None;
    let replies: Vec<String> = wire.lines.iter().collect();
    assert!(replies.len() == 2 && replies[1].contains("First is called"), "{replies:?}");
    assert_eq!(wire.child.wait().expect("an end").code(), Some(0));
}
