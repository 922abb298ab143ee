//! The server: tools for coding agents over the Model Context Protocol, and the same tools for commands.
//!
//! Reads nothing outside of its repository and runs nothing.

#![expect(
    clippy::disallowed_methods,
    reason = "a host module: standard streams, the end of the process, and a port of this machine"
)]

mod ask;
mod calls;
mod context;
mod diff;
mod explain;
mod failures;
mod form;
mod frames;
mod gitlog;
mod http;
mod life;
mod list;
mod logs;
mod long;
mod page;
mod progress;
mod read;
mod search;
mod served;
mod server;
mod stats;
mod stdio;
mod tool_call;
mod toolbox;
mod tools;

#[cfg(feature = "fleet")]
pub(crate) use context::{BUDGET, MAX_BUDGET, MAX_INTENT_BYTES};
#[doc(hidden)] // for those who try it with junk
pub use form::Form;
pub use frames::Frame;
pub use http::{Listening, Token};
pub use life::{Reached, serve};
#[cfg(feature = "fleet")]
pub(crate) use page::{FRAME_CHARS, MAX_CHARS};
pub use served::Served;
pub use server::Listing;
#[cfg(feature = "fleet")]
pub(crate) use tool_call::ToolCall;
pub use toolbox::{Ahead, ProgressFn, Toolbox};
#[cfg(feature = "fleet")]
pub(crate) use tools::tool;
pub use tools::{Reply, TOOLS, Tool, ToolSet};
