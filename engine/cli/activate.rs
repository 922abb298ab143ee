//! The main job: from an intent to a packet.
//!
//! Wires flags to the engine. Must not decide what an answer says.

use super::exit::Outcome;
use super::options::{RepositoryOptions, TaskOptions, activate};
use super::progress::{Stage, Watch};
use super::task_facts;
use super::terminal::{note, write_result};
use crate::context::budget::{Budget, CEILING};
use crate::context::tokens::{Tokenizer, Tokens};
use crate::engine::Engine;
use crate::error::Result;
use crate::facts::intent::Certainty;
use crate::request::{Activation, Request};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

/// How many of the first files and symbols `--why` explains.
const N_EXPLAINED: usize = 5;

/// The flags of the main job.
#[derive(Debug, Args)]
pub(super) struct ActivateOptions {
    #[command(flatten)]
    pub(super) task: TaskOptions,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Answer")]
    pub(super) format: Format,
    /// The most tokens of the packet's text
    #[arg(long, value_name = "N", default_value_t = CEILING.0, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Answer")]
    budget: u32,
    /// Who counts tokens
    #[arg(long, default_value_t, value_parser = tokenizer(), help_heading = "Answer")]
    tokenizer: Tokenizer,
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
    /// One object with the packet and all it was made from (engine/packet/schema/session.schema.json)
    Json,
    /// What the policy derived, one fact a line: intent, target, unknown, part, seed, score, tier, placed
    Facts,
}

impl ActivateOptions {
    /// The budget of the packet.
    pub(super) fn budget(&self) -> Budget {
        Budget { total: Tokens(self.budget), tokenizer: self.tokenizer }
    }
}

fn tokenizer() -> impl TypedValueParser<Value = Tokenizer> {
    PossibleValuesParser::new(["o200k", "cl100k"]).try_map(|name| name.parse::<Tokenizer>())
}

/// Answers an intent on stdout.
pub(super) fn run(options: &ActivateOptions) -> Result<Outcome> {
    let request = options.task.request(&options.repository)?;
    let watch = options.repository.watch();
    let engine = options.repository.open()?;
    answer(options, &engine, &request, &watch)
}

/// Answers a request on stdout.
pub(super) fn answer(options: &ActivateOptions, engine: &Engine, request: &Request, watch: &Watch) -> Result<Outcome> {
    let activation = activate(engine, request, watch)?;
    // The facts format shows what was derived, for which no text is needed.
    let mut sent = None;
    let (output, mut problems) = if options.format == Format::Facts {
        watch.enter(Stage::Render);
        (task_facts::written(&activation), activation.problems().to_vec())
    } else {
        watch.enter(Stage::Fill);
        let context = activation.session_context(&options.budget())?;
        watch.enter(Stage::Render);
        let output = if options.format == Format::Json { activation.packet(&context).json() } else { context.text.text };
        sent = Some(context.sent);
        (output, context.problems)
    };
    watch.clear();
    write_result(|stdout| stdout.write_all(output.as_bytes()))?;
    // What was not written was not sent.
    if let Some(sent) = sent {
        problems.extend(options.task.keep(&options.repository, &activation, request, &sent));
    }
    options.repository.warn(&problems);
    watch.finish(activation.snapshot.effort);
    if options.why {
        explain_first(&activation)?;
    }
    if activation.found.intent.certainty == Certainty::None {
        if !options.repository.quiet {
            note("warning: nothing was found for the intent; the packet says what was tried");
        }
        return Ok(Outcome::NothingFound);
    }
    Ok(Outcome::Answered)
}

/// Explains the first files and symbols on stderr.
fn explain_first(activation: &Activation<'_>) -> Result<()> {
    let base = &activation.snapshot.base;
    let found = &activation.found;
    for active in found.files.iter().take(N_EXPLAINED).chain(found.symbols.iter().take(N_EXPLAINED)) {
        let id = base.id(active.node);
        note(&format!("why {id}: {}, {}", active.score, active.tier.name()));
        for line in activation.why(&id)? {
            note(&format!("  {line}"));
        }
    }
    Ok(())
}
