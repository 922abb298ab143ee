//! Asks a server one question, as an agent would: starts the command that stands in the settings, and speaks to it over its pipes.

use super::settings::Command;
use crate::temporary::Temporary;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long all of it may take: agents wait as long for a tool.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// How long a server may take to end that nobody speaks to any more.
const GRACE: Duration = Duration::from_secs(2);
/// The longest line of a server that is read.
const MAX_LINE_BYTES: u64 = 8 << 20;
/// The most that is read of what it says beside.
const MAX_SAID_BYTES: u64 = 4 << 10;
/// What is asked of the repository.
const QUESTION: &str = "How does this program start, and where are its tests?";
/// The variable that names the parent of the state folder on every system.
const STATE: &str = "XDG_STATE_HOME";
const PROTOCOL: &str = "2025-06-18";

/// A server that was started; it does not live longer than this.
struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    said: Receiver<String>,
    deadline: Instant,
    n_asked: u32,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It ends with who speaks to it.
        self.stdin.take();
        let until = Instant::now() + GRACE;
        while Instant::now() < until {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came back, in a line; else what went wrong, in a line.
pub(super) fn ask(command: &Command, folder: &Path, patience: Duration) -> Result<String, String> {
    let began = Instant::now();
    // What is asked to try a server is no packet that anybody refers to.
    let state = Temporary::new("probe").map_err(|error| format!("no folder can be made for what it keeps: {error}"))?;
    let mut server = Server::start(command, folder, state.path(), began + patience)?;
    let hello = json!({
        "protocolVersion": PROTOCOL,
        "capabilities": {},
        "clientInfo": { "name": "activate setup", "version": env!("CARGO_PKG_VERSION") },
    });
    server.request("initialize", &hello)?;
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
    let listed = server.request("tools/list", &json!({}))?;
    let tools = listed["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !tools.iter().any(|tool| tool["name"] == "context") {
        return Err("it lists no tool `context`".to_owned());
    }
    let called = server.request("tools/call", &json!({ "name": "context", "arguments": { "intent": QUESTION } }))?;
    let texts = called["content"].as_array().into_iter().flatten().filter_map(|part| part["text"].as_str());
    let texts: Vec<&str> = texts.chain(called["structuredContent"]["text"].as_str()).collect();
    let longest = texts.iter().max_by_key(|text| text.len()).copied().unwrap_or_default();
    if called["isError"] == Value::Bool(true) {
        return Err(format!("`context` failed: {}", longest.lines().next().unwrap_or_default()));
    }
    if longest.is_empty() {
        return Err("`context` answered without a word".to_owned());
    }
    let n_chars = longest.chars().count();
    let seconds = began.elapsed().as_secs_f32();
    Ok(format!("the server answered after {seconds:.1} s: {} tools, `context` gave {n_chars} characters", tools.len()))
}

impl Server {
    fn start(command: &Command, folder: &Path, state: &Path, deadline: Instant) -> Result<Self, String> {
        let mut child = std::process::Command::new(&command.program)
            .args(&command.arguments)
            .current_dir(folder)
            .env(STATE, state)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("`{}` cannot be started: {error}", command.program))?;
        let (line, lines) = channel();
        let (word, said) = channel();
        let stdin = child.stdin.take();
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut stdout = BufReader::new(stdout);
                let mut text = Vec::new();
                while stdout.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut text).is_ok_and(|n_read| n_read > 0) {
                    if line.send(String::from_utf8_lossy(&text).into_owned()).is_err() {
                        return;
                    }
                    text.clear();
                }
            });
        }
        if let Some(mut stderr) = child.stderr.take() {
            std::thread::spawn(move || {
                let mut text = Vec::new();
                let _ = stderr.by_ref().take(MAX_SAID_BYTES).read_to_end(&mut text);
                let _ = word.send(String::from_utf8_lossy(&text).into_owned());
                // What it says beyond that must not keep it waiting.
                let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            });
        }
        Ok(Self { child, stdin, lines, said, deadline, n_asked: 0 })
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        let written = self.stdin.as_mut().map(|stdin| writeln!(stdin, "{message}").and_then(|()| stdin.flush()));
        if matches!(written, Some(Ok(()))) { Ok(()) } else { Err(self.ended()) }
    }

    /// Asks, and waits for the answer; what else it says is not for us.
    fn request(&mut self, method: &str, parameters: &Value) -> Result<Value, String> {
        self.n_asked += 1;
        let id = self.n_asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }))?;
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("`{method}` was not answered in time; a first look at a large repository takes longer"));
                }
            };
            let Ok(mut answer) = serde_json::from_str::<Value>(&line) else {
                return Err(format!("`{method}` was answered with what is no JSON"));
            };
            if answer["id"] != id {
                continue;
            }
            if answer["method"] == method {
                return Err(format!("`{method}` was answered with its own words"));
            }
            if let Some(message) = answer["error"]["message"].as_str() {
                return Err(format!("`{method}` failed: {message}"));
            }
            return Ok(answer["result"].take());
        }
    }

    /// That it ended, and the last thing that it said.
    fn ended(&self) -> String {
        let said = self.said.recv_timeout(GRACE).unwrap_or_default();
        let last = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("without a word");
        format!("the server ended: {last}")
    }
}
