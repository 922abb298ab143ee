//! `activate read`: the tool `read` of the server as a command.
//!
//! Must not read by itself: the tool does.

use super::Command;
use super::ctx::{ToolOptions, call};
use super::exit::Outcome;
use super::terminal::Terminal;
use crate::mcp::Tool;
use clap::Args;
use error::Result;
use serde_json::json;

pub(super) const COMMAND: Command = Command {
    name: "read",
    about: "Read lines of a file with its secrets masked, and refuse those that changed since a packet was made",
    details: DETAILS,
    options: ReadOptions::augment_args,
    run: |matches, terminal| run(&super::options_of(matches)?, terminal),
};

const DETAILS: &str = "\
Files that the repository does not list, such as those that git ignores, are not read, and no link is followed.

Example:
    activate read internal/auth/login.go --lines 10:40";

#[derive(Debug, Args)]
struct ReadOptions {
    /// Path from the root of the repository
    path: String,
    /// First and last line, from 1
    #[arg(long, value_name = "A:B")]
    lines: Option<String>,
    /// Refuse the file if it is not what it was in this packet
    #[arg(long, value_name = "PACK")]
    pack: Option<String>,
    #[command(flatten)]
    tool: ToolOptions,
}

fn run(options: &ReadOptions, terminal: &Terminal) -> Result<Outcome> {
    let arguments = json!({ "path": options.path, "lines": options.lines, "pack_id": options.pack });
    Tool::named("read").map_or(Ok(Outcome::NothingFound), |tool| call(tool, arguments, &options.tool, terminal))
}
