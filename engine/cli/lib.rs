//! The command line: one file a command, listed in `COMMANDS`.
//!
//! Wires flags to the engine and the engine's answers to stdout.

#![expect(clippy::disallowed_methods, reason = "a host module: clock, terminal, environment and named files")]

mod exit;

mod file;

mod input;
mod kinds;
mod learn;
pub mod mcp;
mod options;
mod pin;
mod program;
mod progress;
pub mod run;
mod state;
mod terminal;
mod wait;

mod activate;
mod task_facts;

mod cache;
mod cases;
mod check;
mod checked;
mod ctx;
mod doctor;
mod eval;
mod facts;
mod hook;
mod packet;
mod read;
mod redact;
mod relations;
mod serve;
mod session;
mod tune;
mod waiting;
mod why;

use clap::{ArgMatches, Args as _, FromArgMatches};
use error::{Error, ErrorKind, Result};
use exit::{EXIT_CODES, INTERNAL, Outcome, USAGE, code_and_advice};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use terminal::{Terminal, say};

/// The command that must never stand in the way of whoever calls it: it fails without a word, with exit code 0.
const NAME_OF_HOOK: &str = "hook";

/// The commands besides the main job, in the order of the help.
const COMMANDS: [Command; 14] = [
    why::COMMAND,
    read::COMMAND,
    ctx::COMMAND,
    serve::COMMAND,
    check::COMMAND,
    facts::COMMAND,
    session::COMMAND,
    packet::COMMAND,
    redact::COMMAND,
    eval::COMMAND,
    tune::COMMAND,
    cache::COMMAND,
    hook::COMMAND,
    doctor::COMMAND,
];

/// A command besides the main job.
struct Command {
    /// How it is called.
    name: &'static str,
    /// What it does, in one line.
    about: &'static str,
    /// What the help says below the flags.
    details: &'static str,
    /// Adds its flags.
    options: fn(clap::Command) -> clap::Command,
    /// Runs it.
    run: fn(&ArgMatches, &Terminal) -> Result<Outcome>,
}

const ABOUT: &str = "Decide what a coding agent sees: the few thousand tokens of a repository that matter for an intent";

const DETAILS: &str = "\
stdout carries the answer alone; warnings, timings and explanations go to stderr. Nothing is written into the repository
and nothing of it is executed, but by `activate check --run`.
The same files and the same flags give the same bytes, on any machine and with any number of threads.

Examples:
    activate --intent \"fix ValidateToken\" --repo .
    gh issue view 12 | activate --intent - --budget 20000
    activate --diff main..HEAD
    activate why internal/auth/login.go --intent \"fix ValidateToken\"
";

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    static PLACE: Mutex<Option<String>> = Mutex::new(None);
    // A panic's message can hold text of the repository, so only its place is kept; one that the engine survives is nobody's business.
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }));
    let code = panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
        say(&format!("internal error at {place}; nothing was changed, please report it"));
        INTERNAL
    });
    ExitCode::from(if is_silent() { Outcome::Answered.exit_code() } else { code })
}

fn run() -> u8 {
    let terminal = &Terminal::new();
    let matches = match parser().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            // Help and version are answers and go to stdout; a reader that has gone is not an error.
            if !error.use_stderr() {
                let _ = error.print();
                return Outcome::Answered.exit_code();
            }
            terminal.refuse(&error.render().to_string());
            return USAGE;
        }
    };
    wait::set(matches.get_one(WAIT).copied().unwrap_or(wait::DEFAULT_SECONDS));
    // Whoever asks what is wrong is told of rules that cannot be read among other things.
    let rules = if matches.subcommand_name() == Some(doctor::COMMAND.name) { Ok(()) } else { redact::add_user_rules(terminal) };
    let outcome = rules.and_then(|()| match matches.subcommand() {
        None => options_of(&matches).and_then(|options| activate::run(&options, terminal)),
        Some((name, matches)) => COMMANDS.iter().find(|command| command.name == name).map_or_else(
            || Err(Error::new(ErrorKind::BadInput, format!("there is no command `{name}`"))),
            |command| (command.run)(matches, terminal),
        ),
    });
    match outcome {
        Ok(outcome) => outcome.exit_code(),
        Err(error) => {
            terminal.report(&error);
            code_and_advice(error.kind).0
        }
    }
}

/// Whether nothing may be said of what fails, nor shown by the exit code: agents show the one to the user, and some take the other for a veto.
fn is_silent() -> bool {
    std::env::args_os().nth(1).is_some_and(|command| command == NAME_OF_HOOK)
}

fn parser() -> clap::Command {
    let root =
        clap::Command::new("activate")
            .version(env!("CARGO_PKG_VERSION"))
            .about(ABOUT)
            .after_help(format!("{DETAILS}\n{EXIT_CODES}"))
            .args_conflicts_with_subcommands(true)
            .subcommand_negates_reqs(true)
            .disable_help_subcommand(true)
            .arg(wait_flag())
            .subcommands(COMMANDS.iter().map(|command| {
                (command.options)(clap::Command::new(command.name)).about(command.about).after_help(command.details)
            }));
    activate::ActivateOptions::augment_args(root).about(ABOUT)
}

/// The flag that every command has.
const WAIT: &str = "wait";

fn wait_flag() -> clap::Arg {
    clap::Arg::new(WAIT)
        .long(WAIT)
        .value_name("SECONDS")
        .help("How long to wait for the next byte of a pipe or stdin; ten times as long for all of it [default: 30]")
        .value_parser(clap::value_parser!(u64).range(1..=wait::MAX_SECONDS))
        .global(true)
        .hide_short_help(true)
}

/// The flags of a command.
fn options_of<O: FromArgMatches>(matches: &ArgMatches) -> Result<O> {
    O::from_arg_matches(matches).map_err(|error| Error::new(ErrorKind::BadInput, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parser_holds_what_clap_asks_of_it() {
        parser().debug_assert();
    }

    #[test]
    fn every_exit_code_stands_in_the_help() {
        let documented = |code: u8| EXIT_CODES.lines().any(|line| line.trim_start().starts_with(&format!("{code} ")));
        let kinds = [
            ErrorKind::NoRepository,
            ErrorKind::EmptyRepository,
            ErrorKind::NoSymbols,
            ErrorKind::UnreadableFile,
            ErrorKind::BadInput,
            ErrorKind::NothingFound,
            ErrorKind::BudgetTooSmall,
            ErrorKind::Changed,
            ErrorKind::Storage,
        ];
        assert!(kinds.map(|kind| code_and_advice(kind).0).into_iter().all(documented));
        let outcomes = [Outcome::Answered, Outcome::NothingFound, Outcome::Refused].map(Outcome::exit_code);
        assert!(outcomes.into_iter().chain([INTERNAL, USAGE]).all(documented));
    }
}
