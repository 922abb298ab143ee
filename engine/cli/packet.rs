//! `activate packet`: makes, changes and checks packets that are handed from one agent to the next.
//!
//! Reads and writes the files that a command line names. Must not know the rules of a kind.

mod check;
mod file;
mod phase;

use super::exit::Outcome;
use super::{Command, options_of};
use crate::error::Result;
use clap::Subcommand;

pub(super) const COMMAND: Command = Command {
    name: "packet",
    about: "Make, change and check packets that are handed from one agent to the next",
    details: DETAILS,
    options: |command| PacketCommand::augment_subcommands(command).subcommand_required(true).disable_help_subcommand(true),
    run: |matches| run(&options_of(matches)?),
};

const DETAILS: &str = "\
Example:
    activate packet phase new --task task.json --subtask-id 3 --feature \"refuse empty tokens\" --out phase.md
    activate packet phase update phase.md --phase RED --status done --verified yes --files internal/auth/login_test.go
    activate packet check phase.md";

#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a run has one")]
enum PacketCommand {
    /// Say which rules of its kind a packet breaks
    Check(check::CheckOptions),
    /// Keep the packet that every phase of a task is given
    #[command(subcommand, disable_help_subcommand = true)]
    Phase(phase::PhaseCommand),
}

fn run(command: &PacketCommand) -> Result<Outcome> {
    match command {
        PacketCommand::Check(options) => check::run(options),
        PacketCommand::Phase(command) => phase::run(command),
    }
}
