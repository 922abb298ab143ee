//! `activate packet phase update`: one step of one phase.

use super::{encoded, exact, hold, path, put, taken};
use crate::exit::Outcome;
use crate::input::{self, Source};
use crate::learn::learn;
use crate::options::RootOption;
use crate::packet::check::line;
use crate::terminal::Terminal;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use error::{Error, ErrorKind, Result};
use packets::phase::{self, MAX_LINES, MAX_TEXT, Phase, Update};

#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(in crate::packet) struct UpdateOptions {
    /// The packet, as text or JSON; `-` reads it from stdin and writes it to stdout
    #[arg(value_name = "PACKET|-")]
    packet: Source,
    /// The phase: that which goes on, or the next
    #[arg(long, value_name = "PHASE", ignore_case = true, value_parser = PossibleValuesParser::new(Phase::ALL.map(Phase::name)))]
    phase: String,
    /// How far it is, in any words; one that is over begins with `done`, `complete`, `completed`, `passed`, `approved` or `skipped`
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    status: Option<String>,
    /// Whether the orchestrator saw for itself (RED, GREEN, REFACTOR) [default with --status: no]
    #[arg(long, value_enum)]
    verified: Option<Answer>,
    /// Files that it changed, with commas between them; they are added; can be given more than once
    #[arg(long, value_name = "PATH,...", value_delimiter = ',')]
    files: Vec<String>,
    /// A file that it changed, with a comma in its name or not; can be given more than once
    #[arg(long, value_name = "PATH")]
    file: Vec<String>,
    /// The exact command that runs the tests of the feature
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    test_command: Option<String>,
    /// The file of these tests
    #[arg(long, value_name = "PATH")]
    test_file: Option<String>,
    /// What these tests are to show
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    test_intent: Option<String>,
    /// Where the packet is written, `-` for stdout [default: the file that it comes from]
    #[arg(long, value_name = "FILE|-")]
    out: Option<Source>,
    #[command(flatten)]
    root: RootOption,
}

const DETAILS: &str = "\
Phases follow each other: RED, GREEN, REFACTOR, CODE_REVIEW, ARCH_REVIEW, DOCS. A phase begins when all before it are done, REFACTOR when GREEN is
verified as well (`--phase GREEN --verified yes`), and stays as it is when the next has begun. Command, file and intent of the tests can be given
from RED on. A step that breaks a rule changes nothing; of two steps at once, one waits for the other, and both are noted.";

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Answer {
    Yes,
    No,
}

pub(super) fn run(options: &UpdateOptions, terminal: &Terminal) -> Result<Outcome> {
    let source = &options.packet;
    let refused = |message: String| Err(Error::new(ErrorKind::BadInput, format!("{source} is not changed: {message}")));
    let texts = [&options.status, &options.test_command, &options.test_file, &options.test_intent].into_iter().flatten();
    let texts = texts.chain(&options.files).chain(&options.file).map(String::as_str);
    // Before the packet is held: others need not wait for it.
    let masker = &learn(terminal, options.root.open(), texts);
    let out = options.out.as_ref().unwrap_or(source);
    let _held = hold(out)?;
    let text = input::text(source, input::MAX_PACKET_BYTES)?;
    if !phase::is_phase(&text) {
        return refused("it is not a packet of phases; `activate packet phase new` makes one".to_owned());
    }
    let read = phase::read(masker, &text);
    if let Some(first) = read.violations.first() {
        let n_more = read.violations.len() - 1;
        let more = if n_more == 0 { String::new() } else { format!(" (and {n_more} more)") };
        return refused(format!("it is broken already: {}{more}", line(first)));
    }
    let Some(packet) = read.packet.filter(|_| read.is_whole) else {
        return refused("it holds text around the packet; give the packet alone".to_owned());
    };
    let Some(phase) = Phase::named(&options.phase) else {
        return refused(format!("there is no phase `{}`", options.phase));
    };
    let files = options.files.iter().map(|path| path.trim().to_owned()).chain(options.file.iter().cloned());
    let update = Update {
        phase,
        status: options.status.as_deref().map(|text| taken(masker, text, MAX_LINES)),
        verified: options.verified.map(|answer| answer == Answer::Yes),
        files: files.map(|file| path(masker, &file)).collect(),
        test_command: options.test_command.as_deref().map(|text| exact(masker, text)),
        test_file: options.test_file.as_deref().map(|file| path(masker, file)),
        test_intent: options.test_intent.as_deref().map(|text| taken(masker, text, MAX_TEXT)),
    };
    match packet.updated(masker, &update) {
        Ok(packet) => put(out, &encoded(&packet, read.form)),
        Err(refusal) => refused(refusal.to_string()),
    }
}
