//! Decides what a coding agent sees: from an intent and a repository to the few thousand tokens that matter, in order, with reasons.
//!
//! The same repository and the same request give the same bytes, on any machine and with any number of threads. One flow, one direction:
//!
//! - `repo` lists the files of a folder, reads them and asks git; nothing else reads a repository.
//! - `activate-grammars` parses each file: definitions, imports, calls, tests, syntax errors.
//! - `signals` reads what compilers, linters and test runners say; `session` keeps what an agent did, turn by turn.
//! - `index` resolves names to definitions and makes one fact base; `cache` keeps it for the next run.
//! - `intent` reads the task and what fails: places that it names, and words that point to others.
//! - `review` reads a change, as a patch or from git, and looks up which definitions it changes.
//! - `context` runs the policy of `activate-rules`, by which energy spreads from those places along links, and arranges what is active in
//!   eight sections within a budget of tokens; all text goes through `redact` there.
//! - `engine` ties these together. This crate gives what an agent needs of it, and nothing else: its types are its own.
//!
//! # Example: a coder shard
//!
//! An agent asks, edits, and asks again. The [`Engine`] lives as long as the agent and reads only what changed since the last request.
//!
//! ```
//! use activate::{Budget, Engine, Options, Request};
//! # use std::fs;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("activate-example-{}", std::process::id()));
//! # fs::create_dir_all(folder.join("auth"))?;
//! # fs::write(folder.join("go.mod"), "module example.com/shop\n\ngo 1.22\n")?;
//! # fs::write(folder.join("auth/token.go"), "package auth\n\nfunc ValidateToken(raw string) bool {\n\treturn parseToken(raw) != \"\"\n}\n")?;
//! # fs::write(folder.join("auth/parse.go"), "package auth\n\nfunc parseToken(raw string) string {\n\treturn raw\n}\n")?;
//! # fs::write(folder.join("auth/token_test.go"), "package auth\n\nimport \"testing\"\n\nfunc TestValidateToken(t *testing.T) {\n\tValidateToken(\"\")\n}\n")?;
//! # let cache = folder.with_extension("cache");
//! let engine = Engine::open_with(&folder, Options::new().cache_folder(&cache))?;
//!
//! // What is to be done, and where is it?
//! let task = Request::new("fix ValidateToken");
//! let answer = engine.ask(&task)?;
//! let packet = answer.packet(&Budget::tokens(8_000))?;
//! assert!(packet.text.contains("func ValidateToken(raw string) bool"));
//! assert!(packet.text.contains("func parseToken"), "what it calls is shown too");
//!
//! // Why is the other file in it?
//! let why = answer.why("auth/parse.go")?.join("\n");
//! assert!(why.contains("calls") || why.contains("imports"), "{why}");
//!
//! // The shard edits a file, and a test fails. Only that file is read again, and what fails comes first.
//! fs::write(folder.join("auth/parse.go"), "package auth\n\nfunc parseToken(raw string) string {\n\treturn raw[7:]\n}\n")?;
//! let again = engine.ask(&task.failing_test("TestValidateToken"))?;
//! assert_eq!(again.n_files_read(), 1);
//! let packet = again.packet(&Budget::tokens(8_000))?;
//! assert!(packet.text.contains("TEST STATE: FAILING"));
//! assert!(packet.text.contains("return raw[7:]"));
//! # fs::remove_dir_all(&folder)?;
//! # fs::remove_dir_all(&cache)?;
//! # Ok(())
//! # }
//! ```
//!
//! # Example: a tester, a reviewer and a coder
//!
//! ```
//! use activate::Blackboard;
//! # fn main() -> activate::Result<()> {
//! let board = Blackboard::new();
//! std::thread::scope(|scope| {
//!     scope.spawn(|| board.tool_output("error: the build is broken\n --> src/login.rs:4:5\n"));
//!     scope.spawn(|| board.finding("[SECURITY] tokens are logged (reviewer)"));
//! });
//! let request = board.request("fix ValidateToken")?; // for `Engine::ask`: it holds both
//! # let _ = request;
//! # Ok(())
//! # }
//! ```

mod answer;
mod blackboard;
mod repository;
mod request;

pub use answer::{Active, Answer, Budget, Certainty, Packet, Tokenizer};
pub use blackboard::Blackboard;
pub use error::{Error, ErrorKind, Problem, Result};
pub use repository::{Engine, Options};
pub use request::Request;
