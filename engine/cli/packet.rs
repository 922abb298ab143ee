//! `activate packet`: makes, changes and checks packets that are handed from one agent to the next.
//!
//! Reads and writes the files that a command line names.

mod check;
mod pack;
mod phase;
mod worker;

pub(super) use pack::open_again;

use super::exit::Outcome;
use super::terminal::Terminal;
use super::{Command, options_of};
use clap::Subcommand;
use error::Result;

pub(super) const COMMAND: Command = Command {
    name: "packet",
    about: "Make, change and check packets that are handed from one agent to the next",
    details: DETAILS,
    options: |command| PacketCommand::augment_subcommands(command).subcommand_required(true).disable_help_subcommand(true),
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

const DETAILS: &str = "\
Example:
    activate packet phase new --task task.json --subtask-id 3 --feature \"refuse empty tokens\" --out phase.md
    activate packet phase update phase.md --phase RED --status done --verified yes --files internal/auth/login_test.go
    activate packet check phase.md
    activate --intent \"fix ValidateToken\" --packet manifest && activate packet expand 1c9ea93a --depth 3
    activate packet worker --task task.json --plan plan > packet.json
    activate packet permit --packet packet.json --path internal/auth/claims.go
    activate packet audit --packet packet.json --base main";

#[derive(Debug, Subcommand)]
enum PacketCommand {
    /// Say which rules of its kind a packet breaks
    Check(check::CheckOptions),
    /// Show a pack that was sent, as it was sent
    Show(pack::ShowOptions),
    /// Make a pack again with more in it, and say what changed
    Expand(pack::ExpandOptions),
    /// Make a pack again with less in it, and say what changed
    Trim(pack::TrimOptions),
    /// Make a pack again from the files as they are now, and say what changed
    Rebuild(pack::RebuildOptions),
    /// Read lines of a file of a pack, if the file is as it was
    Read(pack::ReadOptions),
    /// Keep the packet that every phase of a task is given
    #[command(subcommand, disable_help_subcommand = true)]
    Phase(phase::PhaseCommand),
    /// Make the packet of a task's worker: ten slots about its files, out of a plan and the code
    Worker(worker::WorkerOptions),
    /// Answer a worker who asks for a file beyond its packet: granted with its text, or denied with what to use instead
    Permit(worker::PermitOptions),
    /// List the files that were written and that a worker's packet does not declare
    Audit(worker::AuditOptions),
}

fn run(command: &PacketCommand, terminal: &Terminal) -> Result<Outcome> {
    match command {
        PacketCommand::Check(options) => check::run(options, terminal),
        PacketCommand::Show(options) => pack::show(options, terminal),
        PacketCommand::Expand(options) => pack::expand(options, terminal),
        PacketCommand::Trim(options) => pack::trim(options, terminal),
        PacketCommand::Rebuild(options) => pack::rebuild(options, terminal),
        PacketCommand::Read(options) => pack::read(options, terminal),
        PacketCommand::Phase(command) => phase::run(command, terminal),
        PacketCommand::Worker(options) => worker::worker(options, terminal),
        PacketCommand::Permit(options) => worker::permit(options, terminal),
        PacketCommand::Audit(options) => worker::audit(options, terminal),
    }
}
