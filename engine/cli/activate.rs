//! The main job: from an intent to a packet.
//!
//! Wires flags to the engine.

use super::exit::{Outcome, usage};
use super::file;
use super::input;
use super::kinds::KindOptions;
use super::learn::{activate, activate_with};
use super::options::RepositoryOptions;
use super::progress::{Stage, Watch};
use super::style::Style;
use super::task_facts;
use super::task_options::TaskOptions;
use super::terminal::{Terminal, write_result};
use clap::{Args, ValueEnum};
use engine::Engine;
use engine::{Activation, Request};
use error::Result;
use index::snapshot::Progress;
use intent::Certainty;
use packets::answer::{self, Kind};
use std::borrow::Cow;
use std::path::PathBuf;

/// How many of the first files and symbols `--why` explains.
const N_EXPLAINED: usize = 5;

/// Of more files that nobody has read, a first look is shown while all are read: fewer are read within some five seconds (1,574 of trpc in 3 s,
/// 2026-11-21), and a look takes up to two.
const MANY_FILES: usize = 3_000;

/// The flags of the main job.
#[derive(Debug, Args)]
pub(super) struct ActivateOptions {
    #[command(flatten)]
    pub(super) task: TaskOptions,
    /// How the answer is written [default: text; JSON for manifest, hydrated and context packs]
    #[arg(long, value_enum, help_heading = "Answer")]
    format: Option<Format>,
    #[command(flatten)]
    pub(super) kind: KindOptions,
    /// Write a whole prompt: this file with the packet in the place of `{{session_context}}`; it may have 30,000 tokens beside the packet, so that
    /// prompt, packet, answer and margin stay within 128,000
    #[arg(long, value_name = "FILE", help_heading = "Answer")]
    template: Option<PathBuf>,
    /// Explain the first files and symbols on stderr: the packet stays as it is
    #[arg(long, help_heading = "Answer")]
    why: bool,
    #[command(flatten)]
    pub(super) repository: RepositoryOptions,
}

/// How the answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// The packet, ready to be put into a prompt
    Text,
    /// One object with the packet and all it was made from (engine/packets/schema/session.schema.json, context-pack.schema.json, pack.schema.json)
    Json,
    /// What the policy was given and derived, one fact a line: from `intent` and `cue_hit` to `score`, `rank_score`, `place` and `passage`
    Facts,
}

impl ActivateOptions {
    /// How the answer is written.
    pub(super) fn format(&self) -> Format {
        let default = if self.kind.wanted().kind == Kind::Session { Format::Text } else { Format::Json };
        self.format.unwrap_or(default)
    }

    /// Whether a budget is named.
    pub(super) fn has_budget(&self) -> bool {
        self.kind.budget.is_some()
    }
}

/// Answers an intent on stdout.
pub(super) fn run(options: &ActivateOptions, terminal: &Terminal) -> Result<Outcome> {
    let request = options.task.request(&options.repository, terminal)?;
    let watch = options.repository.watch();
    let engine = options.repository.open()?;
    write_answer(options, &engine, &request, &watch, terminal)
}

/// Answers a request on stdout.
pub(super) fn write_answer(
    options: &ActivateOptions,
    engine: &Engine,
    request: &Request,
    watch: &Watch,
    terminal: &Terminal,
) -> Result<Outcome> {
    let mut wanted = options.kind.wanted();
    let mut request = request.clone();
    options.kind.limit(&mut request, &mut wanted)?;
    if options.format() == Format::Facts && wanted.receipt {
        return Err(usage("`--receipt` describes a packet, and `--format facts` makes none"));
    }
    let is_text = options.format() == Format::Text && wanted.kind == Kind::Session;
    if options.template.is_some() && !is_text {
        return Err(usage("`--template` takes a session packet as text: leave out `--format` and `--packet`"));
    }
    // Nothing is read of the repository before the flags are known to be good.
    let template = options.template.as_ref().map(|path| input::template(path, wanted.tokenizer)).transpose()?;
    if options.task.records() && wanted.kind != Kind::Session {
        let message = format!("`--record` records session packets, and this asks for a {} pack", wanted.kind.name());
        return Err(usage(message));
    }
    if watch.is_shown() && !request.first && request.may_be_partial() && engine.is_new(MANY_FILES)? {
        show_first_look(engine, &request, watch, terminal);
    }
    let activation = activate(engine, &request, watch, terminal)?;
    // The facts format shows what was derived, for which no text is needed.
    let is_facts = options.format() == Format::Facts;
    let made = if is_facts {
        None
    } else {
        watch.enter(Stage::Fill);
        Some(answer::answer(&activation, &wanted)?)
    };
    watch.enter(Stage::Render);
    let output = match &made {
        None => Cow::Owned(task_facts::written(&activation)),
        Some(answer) if options.format() == Format::Json => Cow::Borrowed(&answer.json),
        Some(answer) => match &template {
            Some(template) => Cow::Owned(template.fill(&answer.text)),
            None => Cow::Borrowed(&answer.text),
        },
    };
    watch.clear();
    // A template is a prompt for somebody else, and is not styled.
    let style = if is_text && template.is_none() { Style::of_stdout() } else { Style::PLAIN };
    write_result(|stdout| stdout.write_all(style.answer(&output).as_bytes()))?;
    let mut problems = made.as_ref().map_or(activation.problems(), |answer| &answer.problems).to_vec();
    // What was not written was not sent.
    if let Some(answer) = &made {
        if let (Some(path), Some(receipt)) = (&options.kind.receipt, &answer.receipt) {
            file::replace(path, &receipt.json())?;
        }
        problems.extend(options.task.keep(&options.repository, &activation, &request, answer));
    }
    options.repository.warn(terminal, &problems);
    watch.finish(activation.snapshot.effort);
    if options.why {
        explain_first(&activation, terminal)?;
    }
    if activation.found.intent.certainty == Certainty::None {
        if !options.repository.quiet {
            terminal.note("warning: nothing was found for the intent; the packet says what was tried");
        }
        return Ok(Outcome::NothingFound);
    }
    Ok(Outcome::Answered)
}

/// Shows in the progress where the answer most likely begins, by a look at a part of the files. What was read for it is kept, where there is a
/// cache, and not read again.
fn show_first_look(engine: &Engine, request: &Request, watch: &Watch, terminal: &Terminal) {
    let tell = |progress: Progress| match progress {
        Progress::Reading(done, all) => watch.count(Stage::FirstLook, done, all),
        _ => watch.enter(Stage::FirstLook),
    };
    let first = Request { first: true, ..request.clone() };
    // What goes wrong here goes wrong in the whole answer too, which says so.
    let Ok(activation) = activate_with(engine, &first, &tell, terminal) else { return };
    if let Some(place) = best_place(&activation) {
        watch.found(&terminal.line(&place));
    }
}

/// The best file with its best definition, if it has one that is active: `auth/token.go:8 ValidateToken`.
fn best_place(activation: &Activation<'_>) -> Option<String> {
    let (base, found) = (&activation.snapshot.base, &activation.found);
    let file = found.files.first()?.node;
    let path = base.path(file);
    let mut symbols = found.symbols.iter().filter_map(|active| base.symbol(active.node));
    let best = symbols.find(|symbol| symbol.file == file);
    Some(best.map_or_else(|| path.to_owned(), |symbol| format!("{path}:{} {}", symbol.lines.0, symbol.name)))
}

/// Explains the first files and symbols on stderr.
fn explain_first(activation: &Activation<'_>, terminal: &Terminal) -> Result<()> {
    let base = &activation.snapshot.base;
    let found = &activation.found;
    for active in found.files.iter().take(N_EXPLAINED).chain(found.symbols.iter().take(N_EXPLAINED)) {
        let id = base.id(active.node);
        terminal.note(&format!("why {id}: {}, {}", active.score, active.tier.name()));
        for line in activation.why(&id)? {
            terminal.note(&format!("  {line}"));
        }
    }
    Ok(())
}
