//! What the program says of itself: a first level that fits a screen, all of it by `--help`, and `activate help COMMAND`.
//!
//! Commands stand in groups. One that is in no group is shown all the same, so that none can be forgotten.

use super::Command;
use super::exit::{EXIT_CODES, Outcome, usage};
use super::name;
use super::style::Style;
use super::terminal::{Terminal, write_result};
use super::words;
use clap::{Arg, ArgAction, ArgMatches};
use error::Result;
use std::fmt::Write as _;

pub(super) const COMMAND: Command = Command {
    name: "help",
    about: "Say what a command does and which flags it takes",
    details: "",
    options: |command| {
        command
            .arg(Arg::new(NAMES).value_name("COMMAND").num_args(0..).help("The command, and one below it, as in `packet worker`"))
    },
    run: |matches, terminal| {
        // What is wrong with its words is wrong with the program's.
        terminal.runs("");
        run(matches)
    },
};

/// The id of the words of a command.
const NAMES: &str = "command";

/// What the program does.
pub(super) const ABOUT: &str =
    "Decide what a coding agent sees: the few thousand tokens of a repository that matter for an intent";

/// What the long help says below the flags.
const DETAILS: &str = "\
stdout carries the answer alone; warnings, timings and explanations go to stderr. Nothing is written into the repository,
but by `activate setup`, and nothing of it is executed, but by `activate check --run`.
The same files and the same flags give the same bytes, on any machine and with any number of threads.

Examples:
    activate \"fix ValidateToken\" --repo .
    gh issue view 12 | activate - --budget 20k
    activate --diff main..HEAD
    activate why internal/auth/login.go --intent \"fix ValidateToken\"
";

/// The commands by what they are for.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Every day", &["why", "check", "review", "view", "read", "setup", "doctor"]),
    ("Questions", &["callers", "callees", "impact", "tests", "outline", "find", "cycles", "unused", "facts", "query"]),
    ("Agents", &["serve", "hook", "session", "packet", "ctx"]),
    ("Quality", &["eval", "tune", "redact"]),
    ("Fleets", &["fleet"]),
    ("Program", &["help", "completions", "index", "cache"]),
];

/// The group of commands that are in none.
const OTHERS: &str = "Others";

/// Commands for whoever packs the program.
const HIDDEN: [&str; 1] = ["man"];

/// What the first level says of flags, each with what it says of it.
const FIRST_FLAGS: [(&str, &str); 8] = [
    ("--diff [RANGE]", "Review a change: main..HEAD, or what is not committed"),
    ("--tests FILE", "Fix what fails, from the output of tests; - for stdin"),
    ("--diagnostics FILE", "The same from a compiler or a linter"),
    ("--budget N", "The most tokens: 2000, 8k, 1.5k [default: 8k]"),
    ("--pin PATH", "Show a file first and in full; PATH:10-40 for lines"),
    ("--repo DIR", "The repository [default: the one around this folder]"),
    ("--format FORMAT", "text, json, or facts: what was derived, line by line"),
    ("--plain", "No colour and no folding on a terminal"),
];

/// What the first level says of everyday commands, where their own words are too many.
const FIRST_WORDS: [(&str, &str); 4] = [
    ("why", "Explain why a file or symbol is there, or is not"),
    ("check", "Print what builds, lints and tests; --run runs it"),
    ("read", "Read lines of a file with its secrets masked"),
    ("doctor", "Say what is wrong with a set-up"),
];

/// Columns of the first level, and of what stands on its left.
const WIDTH: usize = 80;
const LEFT: usize = 22;

/// The commands of a group that are there.
fn members<'c>(names: &'c [&str], commands: &'c [Command]) -> impl Iterator<Item = &'c Command> {
    names.iter().filter_map(|name| commands.iter().find(|command| command.name == *name))
}

/// All groups with their commands, without empty ones.
fn groups(commands: &[Command]) -> Vec<(&'static str, Vec<&Command>)> {
    let mut groups: Vec<(&str, Vec<&Command>)> =
        GROUPS.iter().map(|(group, names)| (*group, members(names, commands).collect())).collect();
    let is_known = |name| HIDDEN.contains(&name) || GROUPS.iter().any(|(_, names)| names.contains(&name));
    groups.push((OTHERS, commands.iter().filter(|command| !is_known(command.name)).collect()));
    groups.retain(|(_, commands)| !commands.is_empty());
    groups
}

/// Whether a command is shown to nobody who does not know of it.
pub(super) fn is_hidden(name: &str) -> bool {
    HIDDEN.contains(&name)
}

/// The lines of usage.
fn usage_lines() -> String {
    let name = name::called();
    format!("{name} [FLAGS] WORDS...\n       {name} COMMAND [FLAGS]")
}

/// What `-h` says.
fn first_level(commands: &[Command]) -> String {
    let mut text = format!("{ABOUT_SHORT}\n\nUsage: {}\n\n", usage_lines());
    let line = |text: &mut String, left: &str, says: &str| {
        let _ = writeln!(text, "  {left:<LEFT$}{says}");
    };
    let groups = groups(commands);
    let everyday =
        groups.first().filter(|(group, _)| *group == GROUPS[0].0).map(|(_, commands)| commands.as_slice()).unwrap_or_default();
    line(&mut text, "WORDS", "What is to be done: \"fix Context.Copy\"; - reads stdin");
    for (flag, says) in FIRST_FLAGS {
        line(&mut text, flag, says);
    }
    let _ = writeln!(text, "\nCommands:");
    for command in everyday {
        let says = FIRST_WORDS.iter().find(|(name, _)| *name == command.name).map_or(command.about, |(_, says)| says);
        line(&mut text, command.name, &shortened(says, WIDTH - LEFT - 2));
    }
    for (group, commands) in groups.iter().filter(|(group, _)| *group != GROUPS[0].0) {
        let names: Vec<&str> = commands.iter().map(|command| command.name).collect();
        for (number, names) in listed(&names, WIDTH - LEFT - 2).iter().enumerate() {
            line(&mut text, &if number == 0 { format!("{group}:") } else { String::new() }, names);
        }
    }
    let name = name::called();
    let _ = write!(text, "\n`{name} help COMMAND` explains one; `--help` lists all flags.");
    text
}

/// Names behind one another, on as many lines of so many columns as they need.
fn listed(names: &[&str], most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for name in names {
        match lines.last_mut() {
            // A comma behind it has to fit too.
            Some(line) if line.len() + name.len() + 3 <= most => {
                let _ = write!(line, ", {name}");
            }
            Some(line) => {
                line.push(',');
                lines.push((*name).to_owned());
            }
            None => lines.push((*name).to_owned()),
        }
    }
    lines
}

/// The first level's own words on the program.
const ABOUT_SHORT: &str = "Decide what a coding agent sees: the few thousand tokens that matter for a task";

/// The beginning of what a command says of itself, up to a sign or a word.
fn shortened(about: &str, most: usize) -> String {
    if about.chars().count() <= most {
        return about.to_owned();
    }
    let fits = |at: &usize| about[..*at].chars().count() <= most;
    let ends = |is_end: fn(char) -> bool| about.match_indices(is_end).map(|(at, _)| at).rfind(fits);
    let end = ends(|c| matches!(c, ':' | ';' | ',')).or_else(|| ends(|c| c == ' '));
    end.map_or(about, |end| &about[..end]).to_owned()
}

/// The beginning of what `--help` says: all commands, by group.
fn whole_beginning(commands: &[Command]) -> String {
    let mut text = format!("{ABOUT}\n\nUsage: {}", usage_lines());
    let groups = groups(commands);
    let left = groups.iter().flat_map(|(_, commands)| commands).map(|command| command.name.len()).max().unwrap_or_default();
    for (group, commands) in &groups {
        let _ = write!(text, "\n\nCommands, {}:", group.to_lowercase());
        for command in commands {
            let _ = write!(text, "\n  {:<left$}  {}", command.name, command.about);
        }
    }
    text
}

/// The program with what it says of itself: of commands the text tells, since clap has no groups of them.
pub(super) fn told(root: clap::Command, commands: &[Command]) -> clap::Command {
    root.mut_subcommands(|command| command.hide(true))
        .mut_args(|arg| arg.hide_short_help(true))
        .override_usage(usage_lines())
        .help_template("{before-help}{all-args}{after-help}")
        .before_help(first_level(commands))
        .before_long_help(whole_beginning(commands))
        .after_help("")
        .after_long_help(details())
}

/// What stands below all flags.
pub(super) fn details() -> String {
    format!("{DETAILS}\n{EXIT_CODES}")
}

/// Where flags stand that every command has: behind its own.
const LAST: usize = 900;

/// The flags that show help, of all commands, and version, of the program itself. Those of clap cannot be left out of the first level.
pub(super) fn own_flags() -> [Arg; 2] {
    [
        Arg::new("help")
            .short('h')
            .long("help")
            .action(ArgAction::Help)
            .global(true)
            .display_order(LAST)
            .help("Print help: `-h` in short, `--help` in full"),
        Arg::new("version").short('V').long("version").action(ArgAction::Version).display_order(LAST).help("Print version"),
    ]
}

/// Answers `help`.
fn run(matches: &ArgMatches) -> Result<Outcome> {
    let mut command = super::parser();
    command.build();
    let names: Vec<&str> = matches.get_many::<String>(NAMES).into_iter().flatten().map(String::as_str).collect();
    if names.is_empty() {
        return show(&command.render_help());
    }
    for name in &names {
        let Some(below) = command.find_subcommand(name) else {
            let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
            let unknown = || usage(format!("there is no command `{}`; there are {}", names.join(" "), known.join(", ")));
            return Err(words::mistaken(name, &known).filter(|_| names.len() == 1).unwrap_or_else(unknown));
        };
        command = below.clone();
    }
    show(&command.render_long_help())
}

/// Shows a help, or another answer of the parser.
pub(super) fn show(help: &clap::builder::StyledStr) -> Result<Outcome> {
    let style = Style::of_stdout();
    let text = if style.colour { help.ansi().to_string() } else { help.to_string() };
    let text = style.folded(&name::in_usage(&text, name::called()));
    write_result(|stdout| stdout.write_all(text.as_bytes()))?;
    Ok(Outcome::Answered)
}

/// Writes what is wrong with a command line.
pub(super) fn refuse(error: &clap::Error, terminal: &Terminal) {
    terminal.refuse(&name::in_usage(&error.render().to_string(), name::called()));
}

#[cfg(test)]
mod tests {
    use super::super::{COMMANDS, parser, tree};
    use super::*;

    #[test]
    fn the_first_level_fits_a_screen_and_names_every_command_and_only_flags_that_are_there() {
        let help = parser().render_help().to_string();
        assert!(help.lines().count() <= 40 && help.lines().all(|line| line.chars().count() <= WIDTH), "{help}");
        for command in COMMANDS.iter().filter(|command| !is_hidden(command.name)) {
            assert!(help.split([' ', ',', '\n']).any(|word| word == command.name), "{}: {help}", command.name);
        }
        let tree = tree();
        for (flag, _) in FIRST_FLAGS {
            let long = flag.trim_start_matches('-').split(' ').next();
            assert!(tree.get_arguments().any(|arg| arg.get_long() == long), "{flag}");
        }
        assert!(FIRST_WORDS.iter().all(|(name, _)| COMMANDS.iter().any(|command| command.name == *name)));
    }

    #[test]
    fn a_long_line_ends_at_a_sign() {
        assert_eq!(shortened("Say what a set-up has: versions, symbols", 80), "Say what a set-up has: versions, symbols");
        assert_eq!(shortened("Say what a set-up has: versions, symbols", 35), "Say what a set-up has: versions");
        assert_eq!(shortened("Say what a set-up has", 10), "Say what a");
    }
}
