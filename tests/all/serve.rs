//! The built server, driven by the SDK's own client and by raw lines: lifecycles, an agent's day, junk, HTTP, and how it ends.
//!
//! Must not test what a tool answers beyond what an agent relies on: the tools' own tests do.

mod cancelled;
mod day;
mod ending;
mod frames;
mod http;
mod lifecycles;
mod readme;
mod traces;

use crate::cli::{Scratch, command};
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt as _};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long a reply may take on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// The command that serves a repository to programs, with its state and cache in a scratch folder.
fn serve(scratch: &Scratch, repository: &Path, args: &[&str]) -> Command {
    serve_to(scratch, repository, &[args, &["--answers", "structured"]].concat())
}

/// The same to whatever client comes.
fn serve_to(scratch: &Scratch, repository: &Path, args: &[&str]) -> Command {
    let (state, cache) = (scratch.0.join("state"), scratch.0.join("cache"));
    let text = |path: &Path| path.to_str().expect("text").to_owned();
    let (state, cache, root) = (text(&state), text(&cache), text(repository));
    let mut all = vec!["serve", "--repo", &root, "--state", &state];
    if !args.contains(&"--no-cache") {
        all.extend(["--cache", &cache]);
    }
    all.extend(args);
    command(&all)
}

/// A repository of a few lines: what is asked of it is answered fast.
fn tiny(scratch: &Scratch) -> PathBuf {
    scratch.file("tiny/go.mod", b"module example.com/tiny\n\ngo 1.22\n");
    scratch.file("tiny/a.go", b"package tiny\n\n// First is called.\nfunc First() int { return 1 }\n");
    scratch.file("tiny/b.go", b"package tiny\n\nfunc Second() int { return First() + 1 }\n");
    scratch.0.join("tiny")
}

/// A repository that takes seconds to be read for the first time.
fn large(scratch: &Scratch) -> PathBuf {
    const N_FILES: usize = 1_600;
    const N_FUNCTIONS: usize = 30;
    let root = scratch.0.join("large");
    fs::create_dir_all(&root).expect("a folder");
    fs::write(root.join("go.mod"), "module example.com/large\n\ngo 1.22\n").expect("a file");
    for file in 0..N_FILES {
        let mut text = "package large\n".to_owned();
        for function in 0..N_FUNCTIONS {
            let next = (file + 1) % N_FILES;
            let _ = write!(text, "\nfunc Do{file}x{function}(n int) int {{\n\treturn Do{next}x{function}(n) + {function}\n}}\n");
        }
        fs::write(root.join(format!("f{file}.go")), text).expect("a file");
    }
    root
}

/// A server that is spoken to in raw lines. Killed at the end.
pub(crate) struct Wire {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Drop for Wire {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Wire {
    /// Starts a server and says nothing to it.
    fn start(command: &mut Command) -> Self {
        let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = streams.spawn().expect("the command runs");
        let (send, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { stdin: child.stdin.take(), child, lines }
    }

    /// Starts a server and begins a session.
    pub(crate) fn begin(command: &mut Command) -> Self {
        Self::begin_as(command, "test")
    }

    /// The same for a client of this name.
    fn begin_as(command: &mut Command, client: &str) -> Self {
        let mut wire = Self::start(command);
        let mut hello = initialize();
        hello["clientInfo"]["name"] = client.into();
        let reply = wire.ask("initialize", &hello);
        assert_eq!(reply["result"]["protocolVersion"], "2025-11-25");
        wire.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        wire
    }

    /// Sends a line.
    fn send(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().expect("not closed");
        stdin.write_all(line).and_then(|()| stdin.write_all(b"\n")).and_then(|()| stdin.flush()).expect("the server reads");
    }

    /// Sends a request.
    fn request(&mut self, id: &str, method: &str, params: &Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string().as_bytes());
    }

    /// The next line that the server says.
    fn next(&mut self) -> Value {
        serde_json::from_str(&self.lines.recv_timeout(PATIENCE).expect("a line")).expect("JSON")
    }

    /// Asks, and waits for the reply to this.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.request("ask", method, params);
        loop {
            let said = self.next();
            if said["id"] == "ask" {
                return said;
            }
        }
    }

    /// Calls a tool: its result.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))["result"].take()
    }

    /// What the system says of the process.
    fn status(&self, field: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("a field");
        line.trim_matches(|c: char| !c.is_ascii_digit()).parse().expect("a number")
    }
}

/// What a client of the older lifecycle says first.
fn initialize() -> Value {
    json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } })
}

/// The SDK's client, and the server that ends with it.
struct Agent<C: ClientHandler> {
    client: RunningService<RoleClient, C>,
    _server: tokio::process::Child,
}

impl<C: ClientHandler> Agent<C> {
    async fn start(client: C, command: Command, mode: ClientLifecycleMode) -> Self {
        let mut command = tokio::process::Command::from(command);
        let mut server =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn().expect("the command runs");
        let streams = (server.stdout.take().expect("a pipe"), server.stdin.take().expect("a pipe"));
        let client = client.serve_with_lifecycle(streams, mode).await.expect("a session");
        Self { client, _server: server }
    }

    /// Calls a tool.
    async fn call(&self, tool: &str, arguments: Value) -> CallToolResult {
        self.client.call_tool(asked(tool, arguments)).await.expect("a result")
    }

    /// What a tool answers: of the form that it says, and nothing beside it.
    async fn answer(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_ne!(result.is_error, Some(true), "{tool}: {:?}", result.content);
        let structured = result.structured_content.expect("an answer");
        assert!(result.content.is_empty() && structured["text"].is_string(), "{tool}");
        let tools = self.client.list_all_tools().await.expect("tools");
        let described = tools.iter().find(|described| described.name.replace('.', "_") == tool).expect("a listed tool");
        let schema = Value::Object(described.output_schema.as_ref().expect("a schema").as_ref().clone());
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let errors: Vec<String> = validator.iter_errors(&structured).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0], "{tool}");
        structured
    }

    /// Why a tool refuses.
    async fn refusal(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result.is_error, Some(true), "{tool}: {:?}", result.content);
        result.content[0].as_text().expect("text").text.clone()
    }
}

fn asked(tool: &str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("no object") };
    CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)
}

/// Runs what awaits.
fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(work)
}
