//! Decides what a coding agent sees: from an intent and a repository to the few thousand tokens that matter, in order, with reasons.
//!
//! The same repository and the same request give the same bytes, on any machine and with any number of threads. One flow, one direction:
//!
//! - `repo` lists the files of a folder, reads them and asks git; nothing else touches the disk of a repository.
//! - `activate-grammars` takes each file apart: definitions, imports, calls, tests, syntax errors.
//! - `signals` reads what compilers, linters and test runners say; `session` keeps what an agent did, turn by turn.
//! - `index` resolves names to definitions and makes one fact base; `cache` keeps it for the next run.
//! - `intent` reads what is to be done and what fails: places that are named, words that speak for others.
//! - `review` reads a change, as a patch or from git, and looks up which definitions it changes.
//! - `context` runs the policy of `activate-rules`, by which energy spreads from those places along links, and arranges what is active in
//!   eight sections within a budget of tokens; all text goes through `redact` there.
//! - `engine` ties these together. This crate gives out what a coder shard needs of it.
//!
//! # Example: a coder shard
//!
//! An agent asks, edits, and asks again. The [`Engine`] lives as long as the agent, can be shared between threads, and takes apart only
//! what changed since the last request.
//!
//! ```
//! use context::state::SessionState;
//! use activate::{Budget, CacheChoice, Engine, Options, Request};
//! # use std::fs;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("activate-example-{}", std::process::id()));
//! # fs::create_dir_all(folder.join("auth"))?;
//! # fs::write(folder.join("go.mod"), "module example.com/shop\n\ngo 1.22\n")?;
//! # fs::write(folder.join("auth/token.go"), "package auth\n\nfunc ValidateToken(raw string) bool {\n\treturn parseToken(raw) != \"\"\n}\n")?;
//! # fs::write(folder.join("auth/parse.go"), "package auth\n\nfunc parseToken(raw string) string {\n\treturn raw\n}\n")?;
//! # fs::write(folder.join("auth/token_test.go"), "package auth\n\nimport \"testing\"\n\nfunc TestValidateToken(t *testing.T) {\n\tValidateToken(\"\")\n}\n")?;
//! # let cache = folder.with_extension("cache");
//! let options = Options { cache: CacheChoice::Folder(cache.clone()), ..Options::default() };
//! let engine = Engine::open_with(&folder, options)?;
//!
//! // What is to be done, and where is it?
//! let request = Request::new("fix ValidateToken");
//! let activation = engine.activate(&request)?;
//! let context = activation.session_context(&Budget::default())?;
//! let prompt = &context.text.text;
//! assert!(prompt.contains("func ValidateToken(raw string) bool"));
//! assert!(prompt.contains("func parseToken"), "what it calls is shown too");
//!
//! // Why is the other file in it?
//! let why = activation.why("auth/parse.go")?.join("\n");
//! assert!(why.contains("calls") || why.contains("imports"), "{why}");
//!
//! // The shard edits a file, and a test fails. It asks again: only that file is taken apart anew, and what failed comes first.
//! fs::write(folder.join("auth/parse.go"), "package auth\n\nfunc parseToken(raw string) string {\n\treturn raw[7:]\n}\n")?;
//! let state = SessionState { failing_tests: vec!["TestValidateToken".to_owned()], ..SessionState::default() };
//! let again = engine.activate(&Request { state, ..request })?;
//! assert_eq!(again.snapshot.effort.n_extracted, 1);
//! let context = again.session_context(&Budget::default())?;
//! assert!(context.text.text.contains("TEST STATE: FAILING"));
//! assert!(context.text.text.contains("return raw[7:]"));
//! # fs::remove_dir_all(&folder)?;
//! # fs::remove_dir_all(&cache)?;
//! # Ok(())
//! # }
//! ```

pub use context::SessionContext;
pub use context::budget::Budget;
pub use context::state;
pub use engine::{Activation, CacheChoice, Engine, Options, Request, blackboard};
pub use error::{Error, ErrorKind, Problem, Result};
pub use review::{Diff, Patch};
pub use signals;
