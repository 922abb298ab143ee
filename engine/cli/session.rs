//! `activate session`: makes, shows and changes the file that holds what an agent did, turn by turn.
//!
//! Masks what is stored.
//!
//! The file is changed through the store alone.

mod campaign;
mod note;
mod outcome;
mod show;

use super::exit::Outcome;
use super::learn::learn;
use super::options::RootOption;
use super::terminal::{Terminal, write_result};
use super::{Command, input, options_of};
use clap::{Args, Subcommand};
use error::{Error, ErrorKind, Result};
use redact::{Masker, ansi};
use repo::RepoPath;
use session::{Phase, Session, store};
use std::path::PathBuf;

pub(super) const COMMAND: Command = Command {
    name: "session",
    about: "Keep what an agent did, turn by turn, in a file that you name",
    details: DETAILS,
    options: |command| SessionCommand::augment_subcommands(command).subcommand_required(true).disable_help_subcommand(true),
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

const DETAILS: &str = "\
A session counts turns: a turn begins with its intent, and what is noted belongs to the current turn. `activate --session FILE` then shows
what still counts of it. A file is readable by you alone, its form is engine/packets/schema/session-file.schema.json, and secrets in it are
masked, also those of the repository in which it is called. Several processes may change it at the same time; one that is killed leaves it whole.

Example:
    activate session new auth.json --goal \"signed tokens\"
    activate session turn auth.json --intent \"fix ValidateToken\"
    activate session note auth.json --action \"/fix login.go\" --touched internal/auth/login.go
    activate --session auth.json --record
    activate session outcome auth.json --edited internal/auth/login.go";

/// The most characters of an intent that are stored: what is to be done stands at its beginning.
const MAX_INTENT: usize = 2_000;

#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a run has one")]
enum SessionCommand {
    /// Make a session file; one that is there stays as it is
    New(NewOptions),
    /// Say what a session holds and what of it the current turn gives a request
    Show(show::ShowOptions),
    /// Begin a turn: turns before the newest three become a line each
    Turn(TurnOptions),
    /// Note what was done, found or learnt in the current turn
    Note(note::NoteOptions),
    /// Say that a finding is resolved
    Resolve(ResolveOptions),
    /// Say what goal, phases and tasks the turns serve
    Campaign(campaign::CampaignOptions),
    /// Say which files were edited after the last packet: how each file came into the packet is counted
    Outcome(outcome::OutcomeOptions),
    /// Weigh kinds of links by how often the files that they brought were edited
    Weights(outcome::WeightsOptions),
}

/// Which session.
#[derive(Debug, Args)]
struct FileArgument {
    /// The session file
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Debug, Args)]
struct NewOptions {
    #[command(flatten)]
    session: FileArgument,
    /// Goal of a campaign that the turns serve
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
    /// A phase of the campaign; the first is the current one; can be given more than once
    #[arg(long, value_name = "NAME")]
    phase: Vec<String>,
}

#[derive(Debug, Args)]
struct TurnOptions {
    #[command(flatten)]
    session: FileArgument,
    /// What is to be done, in any words; `-` reads it from stdin
    #[arg(long, value_name = "TEXT|-", allow_hyphen_values = true)]
    intent: String,
}

#[derive(Debug, Args)]
struct ResolveOptions {
    #[command(flatten)]
    session: FileArgument,
    /// Number of the finding, as `activate session show FILE` has it; can be given more than once
    #[arg(long, value_name = "N", required = true)]
    finding: Vec<u32>,
}

fn run(command: &SessionCommand, terminal: &Terminal) -> Result<Outcome> {
    // Whatever a session holds is masked when it is stored, and when it is said.
    let said: Vec<String> = std::env::args_os().map(|text| text.to_string_lossy().into_owned()).collect();
    let said = said.iter().map(String::as_str);
    let at = &At { masker: learn(terminal, RootOption::default().open(), said), terminal };
    match command {
        SessionCommand::New(options) => new(options, at),
        SessionCommand::Show(options) => show::run(options, at),
        SessionCommand::Turn(options) => turn(options, at),
        SessionCommand::Note(options) => note::run(options, at),
        SessionCommand::Resolve(options) => resolve(options, at),
        SessionCommand::Campaign(options) => campaign::run(options, at),
        SessionCommand::Outcome(options) => outcome::record(options, at),
        SessionCommand::Weights(options) => outcome::weights(options, at),
    }
}

fn new(options: &NewOptions, at: &At<'_>) -> Result<Outcome> {
    let mut session = Session::default();
    let campaign = &mut session.campaign;
    campaign.goal = options.goal.as_deref().map(|text| at.stored(text)).unwrap_or_default();
    for name in options.phase.iter().map(|name| at.stored(name)) {
        if !campaign.phases.iter().any(|phase| phase.name == name) {
            campaign.phases.push(Phase { name, goal: String::new() });
        }
    }
    campaign.current_phase = campaign.phases.first().map(|phase| phase.name.clone());
    campaign.active = !campaign.goal.is_empty() || !campaign.phases.is_empty();
    store::create(&options.session.file, &session, &at.masker)?;
    Ok(Outcome::Answered)
}

fn turn(options: &TurnOptions, at: &At<'_>) -> Result<Outcome> {
    let intent = at.stored(&input::intent(&options.intent)?.text);
    let intent = match intent.char_indices().nth(MAX_INTENT) {
        Some((end, _)) => format!("{}… [{} more characters]", &intent[..end], intent[end..].chars().count()),
        None => intent,
    };
    let number = store::update(&options.session.file, &at.masker, |session| {
        session.begin(intent)?;
        Ok(session.turn)
    })?;
    at.say(&[format!("turn {number}")])
}

fn resolve(options: &ResolveOptions, at: &At<'_>) -> Result<Outcome> {
    store::update(&options.session.file, &at.masker, |session| {
        options.finding.iter().try_for_each(|number| session.resolve(*number))
    })?;
    Ok(Outcome::Answered)
}

/// What every command of a session has: what masks all that is stored, and whom it tells.
struct At<'t> {
    masker: Masker,
    terminal: &'t Terminal,
}

impl At<'_> {
    /// Writes lines to stdout, fit for a terminal.
    fn say(&self, lines: &[String]) -> Result<Outcome> {
        write_result(|stdout| lines.iter().try_for_each(|line| writeln!(stdout, "{}", self.terminal.line(line))))?;
        Ok(Outcome::Answered)
    }

    /// A text as it is stored.
    fn stored(&self, text: &str) -> String {
        stored(&self.masker, text)
    }

    /// The path of a file of the repository as it is stored.
    fn stored_path(&self, path: &str) -> Result<String> {
        let refused = |why: String| {
            let message = format!("`{path}` cannot be noted: {why}; give the path of a file from the root of the repository");
            Error::new(ErrorKind::BadInput, message)
        };
        let path = RepoPath::typed(path).map_err(refused)?;
        Ok(self.masker.text("", path.as_str()).into_owned())
    }
}

/// A part of a flag as it is stored; what else is known is masked when the session is written.
fn part(text: &str) -> String {
    stored(&Masker::knowing_nothing(), text)
}

/// A text as it is stored: its secrets masked, on one line.
fn stored(masker: &Masker, text: &str) -> String {
    let plain = ansi::strip(text);
    let hidden = masker.text("", &plain);
    hidden.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_stored_on_one_line_with_their_secrets_masked() {
        let token = ["ghp", "_", &"a1B2c3D4e5".repeat(4)[..36]].concat();
        assert_eq!(part(" a\n\n  b \r\nc"), "a b c");
        let masked = part(&format!("use {token}\nthen"));
        assert!(!masked.contains(&token) && masked.contains("[REDACTED:") && masked.ends_with(" then"), "{masked}");
        assert_eq!(part(&masked), masked, "what is masked stays as it is");
    }

    #[test]
    fn paths_are_those_of_the_repository() {
        let (masker, terminal) = (Masker::knowing_nothing(), &Terminal::new());
        let at = At { masker, terminal };
        assert_eq!(at.stored_path("./a/b.go").unwrap(), "a/b.go");
        assert_eq!(at.stored_path("./a//b.go").unwrap(), "a/b.go");
        for path in ["/a", "../a", "", "a\0b"] {
            assert!(at.stored_path(path).unwrap_err().message.contains("from the root of the repository"), "{path}");
        }
    }
}
