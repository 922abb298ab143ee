//! Flags about where to read and keep: the same in every command, so that a script can give the same ones to all.
//!
//! A command that reads or keeps nothing takes them and has no use for them. What changes an answer, as `--at` and `--exclude`, is never taken
//! without use.

use super::options::RepositoryOptions;
use super::state::StateOptions;
use clap::{Arg, Args as _};

/// Flags that a command has all of, or none: where it has one of them, it says by itself which it can take.
const TOGETHER: [&[&str]; 7] = [
    &["repo"],
    &["state", "no_state"],
    &["cache", "no_cache"],
    &["threads", "memory"],
    &["follow_alternates"],
    &["timings"],
    &["quiet"],
];

/// A command, or all below it, with the flags that every command takes. Those without use are not shown.
pub(super) fn alike(command: clap::Command) -> clap::Command {
    let of_repository = RepositoryOptions::augment_args(clap::Command::new(""));
    let of_state = StateOptions::augment_args(clap::Command::new("")).arg(no_state());
    let known: Vec<Arg> = of_repository.get_arguments().chain(of_state.get_arguments()).cloned().collect();
    with(command, &known)
}

fn with(command: clap::Command, known: &[Arg]) -> clap::Command {
    if command.has_subcommands() {
        return command.mut_subcommands(|below| with(below, known));
    }
    TOGETHER.iter().fold(command, |command, ids| {
        if command.get_arguments().any(|arg| ids.iter().any(|id| arg.get_id() == *id)) {
            return command;
        }
        let lacking = known.iter().filter(|arg| ids.iter().any(|id| arg.get_id() == *id));
        command.args(lacking.map(|arg| arg.clone().hide(true)))
    })
}

/// The flag that keeps the state folder as it is.
fn no_state() -> Arg {
    Arg::new("no_state").long("no-state").action(clap::ArgAction::SetTrue).help("Record no packet").conflicts_with("state")
}

#[cfg(test)]
mod tests {
    use super::super::tree;
    use super::*;

    /// Adds what each command without commands below it lacks of the flags.
    fn lacking(command: &clap::Command, path: &str, found: &mut Vec<String>) {
        let path = format!("{path} {}", command.get_name());
        command.get_subcommands().for_each(|below| lacking(below, &path, found));
        if command.has_subcommands() {
            return;
        }
        let has = |id: &str| command.get_arguments().any(|arg| arg.get_id() == id && arg.get_long().is_some());
        let ids = TOGETHER.iter().filter(|ids| !ids.iter().any(|id| has(id))).flat_map(|ids| ids.iter());
        found.extend(ids.map(|id| format!("{path} {id}")));
    }

    #[test]
    fn every_command_takes_them_and_those_that_mean_something_are_shown() {
        let mut found = Vec::new();
        tree().get_subcommands().for_each(|command| lacking(command, "", &mut found));
        assert_eq!(found, [""; 0]);
        let tree = tree();
        let shown = |command: &str, id: &str| {
            let command = tree.find_subcommand(command).expect("a command");
            command.get_arguments().any(|arg| arg.get_id() == id && !arg.is_hide_set())
        };
        assert_eq!(
            [("facts", "cache"), ("facts", "state"), ("redact", "cache"), ("eval", "memory")].map(|(c, id)| shown(c, id)),
            [true, false, false, true]
        );
        // What would change an answer is not taken without use.
        let redact = tree.find_subcommand("redact").expect("a command");
        assert!(!redact.get_arguments().any(|arg| ["at", "exclude"].contains(&arg.get_id().as_str())));
    }
}
