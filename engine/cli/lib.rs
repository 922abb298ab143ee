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
mod process;
mod program;
mod progress;
pub mod run;
mod state;
mod temporary;
mod terminal;
mod wait;

mod activate;
mod task_facts;
mod task_options;

mod alike;
mod amount;
mod completions;
mod first;
mod help;
mod name;
mod style;
mod words;

mod cache;
mod cases;
mod check;
mod checked;
mod ctx;
mod doctor;
mod eval;
mod facts;
#[cfg(feature = "fleet")]
mod fleet;
mod hook;
mod index;
mod packet;
mod query;
mod questions;
mod read;
mod redact;
mod review;
mod rules;
mod serve;
mod session;
mod setup;
mod tune;
mod view;
mod waiting;
mod why;

use clap::{ArgAction, ArgMatches, Args as _, FromArgMatches};
use error::Result;
use exit::{INTERNAL, Outcome, code_and_advice, usage};
use std::ffi::OsString;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use terminal::{Terminal, say};

/// The command that must never stand in the way of whoever calls it: it fails without a word, with exit code 0.
const NAME_OF_HOOK: &str = "hook";

/// The commands besides the main job; the help has them in groups.
const COMMANDS: &[Command] = &[
    why::COMMAND,
    questions::CALLERS,
    questions::CALLEES,
    questions::IMPACT,
    questions::TESTS,
    questions::OUTLINE,
    questions::FIND,
    questions::CYCLES,
    questions::UNUSED,
    read::COMMAND,
    ctx::COMMAND,
    serve::COMMAND,
    setup::COMMAND,
    check::COMMAND,
    review::COMMAND,
    view::COMMAND,
    facts::COMMAND,
    query::COMMAND,
    index::COMMAND,
    session::COMMAND,
    packet::COMMAND,
    #[cfg(feature = "fleet")]
    fleet::COMMAND,
    redact::COMMAND,
    eval::COMMAND,
    tune::COMMAND,
    cache::COMMAND,
    hook::COMMAND,
    doctor::COMMAND,
    help::COMMAND,
    completions::COMMAND,
    completions::MAN,
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

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    static PLACE: Mutex<Option<String>> = Mutex::new(None);
    system::give_back_large_blocks();
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
    completions::answer(tree);
    let terminal = &Terminal::new();
    let outcome = if first::is_asked() { first::show(terminal) } else { answer(terminal) };
    match outcome {
        Ok(outcome) => outcome.exit_code(),
        Err(error) => {
            terminal.report(&error);
            code_and_advice(error.kind).0
        }
    }
}

/// Answers the command line.
fn answer(terminal: &Terminal) -> Result<Outcome> {
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    // Before flags are read: those of a command that was meant are unknown to the main job.
    let said: Vec<&str> =
        arguments.iter().skip(1).map_while(|word| word.to_str()).take_while(|word| !word.starts_with('-')).collect();
    if let Some(error) = said.first().filter(|_| !words::is_sentence(&said)).and_then(|first| words::mistaken(first, &names)) {
        return Err(error);
    }
    if arguments.iter().any(|argument| argument.to_str().and_then(|flag| flag.strip_prefix("--")) == Some(style::PLAIN)) {
        style::set_plain();
    }
    if arguments.len() == 1 {
        let message =
            "say what is to be done, such as `activate \"fix ValidateToken\"`, or ask, such as `activate callers ValidateToken`";
        return Err(usage(message));
    }
    let matches = match parser().try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        // Help and version are answers.
        Err(error) if !error.use_stderr() => return help::show(&error.render()),
        Err(error) => {
            help::refuse(&error, terminal);
            // `check the exit code`: a task that begins with the name of a command.
            let is_surplus = error.kind() == clap::error::ErrorKind::UnknownArgument;
            if is_surplus && said.len() > 2 && names.contains(&said[0]) {
                say(&format!("`{}` is a command; to mean all of it as a task, put it in quotes behind `--intent`", said[0]));
            }
            return Ok(Outcome::Misused);
        }
    };
    wait::set(matches.get_one(WAIT).copied().unwrap_or(wait::DEFAULT_SECONDS));
    terminal.runs(&called(&matches));
    // Whoever asks what is wrong is told of rules that cannot be read among other things.
    if matches.subcommand_name() != Some(doctor::COMMAND.name) {
        redact::add_user_rules(terminal)?;
    }
    match matches.subcommand() {
        None => {
            let is_escaped = arguments.iter().any(|argument| argument == "--");
            let mut options: activate::ActivateOptions = options_of(&matches)?;
            if let Some(intent) = words::intent(&matches, &names, is_escaped)? {
                options.task.say(intent);
            }
            activate::run(&options, terminal)
        }
        Some((name, matches)) => COMMANDS
            .iter()
            .find(|command| command.name == name)
            .map_or_else(|| Err(usage(format!("there is no command `{name}`"))), |command| (command.run)(matches, terminal)),
    }
}

/// The words of the command that runs.
fn called(matches: &ArgMatches) -> String {
    let mut words = Vec::new();
    let mut at = matches;
    while let Some((name, below)) = at.subcommand() {
        words.push(name);
        at = below;
    }
    words.join(" ")
}

/// Whether nothing may be said of what fails, nor shown by the exit code: agents show the one to the user, and some take the other for a veto.
fn is_silent() -> bool {
    std::env::args_os().nth(1).is_some_and(|command| command == NAME_OF_HOOK)
}

/// The command line with the words of its help.
fn parser() -> clap::Command {
    help::told(tree(), COMMANDS)
}

/// Every command with every flag, for whatever else is made of them.
fn tree() -> clap::Command {
    let root = clap::Command::new(name::NAME)
        .bin_name(name::called())
        .version(env!("CARGO_PKG_VERSION"))
        .about(help::ABOUT)
        .after_long_help(help::details())
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true)
        .disable_help_subcommand(true)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(words::argument())
        .arg(wait_flag())
        .arg(plain_flag())
        .args(help::own_flags())
        .subcommands(COMMANDS.iter().map(|command| {
            let shown = (command.options)(clap::Command::new(command.name)).about(command.about).after_help(command.details);
            alike::alike(shown.hide(help::is_hidden(command.name)))
        }));
    let root = activate::ActivateOptions::augment_args(root).about(help::ABOUT);
    root.mut_arg("intent", |intent| intent.required_unless_present(words::WORDS).conflicts_with(words::WORDS))
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

/// The flag that leaves a terminal as it is.
fn plain_flag() -> clap::Arg {
    clap::Arg::new(style::PLAIN)
        .long(style::PLAIN)
        .action(ArgAction::SetTrue)
        .help("No colour and no folding of long lines, on a terminal too")
        .global(true)
        .hide_short_help(true)
}

/// The flags of a command.
fn options_of<O: FromArgMatches>(matches: &ArgMatches) -> Result<O> {
    O::from_arg_matches(matches).map_err(|error| usage(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use error::ErrorKind;
    use exit::{EXIT_CODES, USAGE};

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
            ErrorKind::Usage,
            ErrorKind::BadInput,
            ErrorKind::NothingFound,
            ErrorKind::BudgetTooSmall,
            ErrorKind::Changed,
            ErrorKind::Storage,
        ];
        assert!(kinds.map(|kind| code_and_advice(kind).0).into_iter().all(documented));
        let outcomes = [Outcome::Answered, Outcome::NothingFound, Outcome::Refused, Outcome::Unanswered, Outcome::Unreachable]
            .map(Outcome::exit_code);
        assert!(outcomes.into_iter().chain([INTERNAL, USAGE]).all(documented));
    }
}
