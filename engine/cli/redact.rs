//! `activate redact`: masks the secrets of a text, as everything that leaves the program is masked; and the user's own rules.

use super::exit::Outcome;
use super::terminal::{Terminal, write_result};
use super::{Command, input, options_of};
use clap::Args;
use error::Result;
use redact::{KnownSecrets, Redactor, Rules, apply, by_rules};
use std::path::PathBuf;

pub(super) const COMMAND: Command = Command {
    name: "redact",
    about: "Mask the secrets of a text on stdin",
    details: DETAILS,
    options: RedactOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

const DETAILS: &str = "\
Your own rules, in the layout of Gitleaks, stand in activate/redaction.toml in your configuration folder ($XDG_CONFIG_HOME, else ~/.config); every
command adds them to the built-in ones. A repository's own rules are never read: a stranger wrote them.

Example:
    activate redact --name .env < .env";

#[derive(Debug, Args)]
struct RedactOptions {
    /// The name of the file that the text is of, which decides how some are read: `.env`, `id_rsa`, `config.json`
    #[arg(long, value_name = "FILE", default_value = "", hide_default_value = true)]
    name: String,
    /// Rules to use in the place of those in your configuration folder
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
}

fn run(options: &RedactOptions, terminal: &Terminal) -> Result<Outcome> {
    let text = input::bytes()?;
    let own = options.rules.as_ref().map(|path| input::rules(path)).transpose()?.map(|rules| with_notes(rules, terminal));
    let spans = match &own {
        Some(own) => own.find(&KnownSecrets::default(), &options.name, &text),
        None => by_rules::find(&options.name, &text),
    };
    write_result(|stdout| stdout.write_all(&apply(&text, &spans)))?;
    Ok(Outcome::Answered)
}

/// The built-in rules and these, whose notes are told.
fn with_notes(rules: Rules, terminal: &Terminal) -> Redactor {
    rules.notes().iter().for_each(|text| terminal.note(&format!("warning: {text}")));
    Redactor::with(rules)
}

/// Adds the rules of the user's configuration folder, if there are any.
pub(super) fn add_user_rules(terminal: &Terminal) -> Result<()> {
    let folder = system::UserFolder::Config.path();
    let rules = folder.map(|folder| input::rules_at(&folder.join("redaction.toml"))).transpose()?.flatten();
    rules.map_or(Ok(()), |rules| with_notes(rules, terminal).make_active())
}
