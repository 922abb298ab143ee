//! `activate fleet`: many repositories as one. Each command is a file, listed in `COMMANDS`.

mod add;
mod answer;
mod ask;
mod co_changes;
mod impact;
mod list;
mod opened;
mod options;
mod packages;
mod question;
mod serve;
mod sync;
mod tools;
mod who_owns;
mod workers;

pub(super) use serve::ServedOptions;

use super::Command;
use super::exit::{Outcome, usage};
use super::terminal::Terminal;
use clap::ArgMatches;
use error::{Error, ErrorKind, Result};

pub(super) const COMMAND: Command = Command {
    name: "fleet",
    about: "Ask about many repositories as if they were one",
    details: DETAILS,
    options: |command| {
        let below = COMMANDS
            .iter()
            .map(|command| (command.options)(clap::Command::new(command.name)).about(command.about).after_help(command.details));
        command.subcommands(below).subcommand_required(true).disable_help_subcommand(true)
    },
    run,
};

const DETAILS: &str = "\
A manifest lists the repositories of a fleet:

    [[repository]]
    name = \"shop/api\"              # how places in it are called
    url = \"https://host/shop/api\"  # or path = \"../api\"
    branch = \"main\"                # or commit = \"…\"; without both what the repository calls its own
    owners = [\"@shop/backend\"]     # where its CODEOWNERS matches nothing

`sync` reads what is new of each into a store. What has a url is fetched by git, with your credentials and settings, into the store; what has a
path is read where it is, at a commit. Nothing of a repository is run, and nothing is written into one.

Example:
    activate fleet add https://host/shop/api ../web
    activate fleet sync
    activate fleet list";

/// The commands.
const COMMANDS: &[Command] = &[
    add::ADD,
    add::REMOVE,
    sync::COMMAND,
    list::COMMAND,
    ask::COMMAND,
    impact::IMPACT,
    impact::CALLERS,
    who_owns::COMMAND,
    packages::NEEDS,
    packages::CYCLES,
    packages::UNUSED,
    co_changes::COMMAND,
];

fn run(matches: &ArgMatches, terminal: &Terminal) -> Result<Outcome> {
    let (name, below) = matches.subcommand().unwrap_or(("", matches));
    let command = COMMANDS.iter().find(|command| command.name == name);
    let run = || {
        let command = command.ok_or_else(|| usage(format!("there is no command `fleet {name}`")))?;
        (command.run)(below, terminal)
    };
    run().map_err(advised)
}

/// An error of a fleet with its advice: what is no error of the system says itself what to do.
fn advised(error: Error) -> Error {
    match error.kind {
        ErrorKind::BudgetTooSmall => error.advised("raise `--budget`"),
        ErrorKind::Usage => error,
        _ if error.source.is_some() => error,
        _ => error.advised(""),
    }
}
