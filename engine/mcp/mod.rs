//! The server: tools for coding agents over the Model Context Protocol, and the same tools for commands.
//!
//! Reads nothing outside of its repository and runs nothing. Must not decide what a packet holds.

mod context;
mod diff;
mod explain;
mod failures;
mod gitlog;
mod list;
mod logs;
mod page;
mod read;
mod search;
mod stats;
mod toolbox;
mod tools;

pub use toolbox::{Telling, Toolbox};
pub use tools::{Reply, TOOLS, Tool, ToolSet};
