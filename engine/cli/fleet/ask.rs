//! `activate fleet ask`: one packet about a task, from all repositories that have to do with it.

use super::super::terminal::{line_of, write_result};
use super::super::{Command, Outcome, Terminal, options_of};
use super::opened::Opened;
use super::question::FleetOptions;
use activate_rules::weights::FleetWeights;
use clap::Args;
use context::budget::Budget;
use engine::Request;
use error::{Error, ErrorKind, Problem, Result};
use fleet::{Asked, Shard, ask};
use index::snapshot::Progress;

pub(super) const COMMAND: Command = Command {
    name: "ask",
    about: "Activate a task in all repositories: one packet, with the repository in front of each place",
    details: "\
The repositories that have the words and names of the task are asked; what is hot in them leads along links into others. With one repository the
packet is that of `activate --intent` at its commit.

Example:
    activate fleet ask --intent \"Client.Get drops the trace header\"
    activate fleet ask --intent \"rename placeOrder\" --budget 6000",
    options: AskOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

#[derive(Debug, Args)]
struct AskOptions {
    /// What is to be done
    #[arg(long, value_name = "TEXT")]
    intent: String,
    /// The most tokens of the packet
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..))]
    budget: Option<u32>,
    /// Say why a place is in the answer: REPOSITORY/path or REPOSITORY/path#Container.name
    #[arg(long, value_name = "PLACE")]
    why: Option<String>,
    #[command(flatten)]
    fleet: FleetOptions,
}

fn run(options: &AskOptions, terminal: &Terminal) -> Result<Outcome> {
    let opened = options.fleet.open(terminal)?;
    let budget = options.budget.map_or_else(Budget::default, Budget::of);
    let mut problems = Vec::new();
    let text = asked(&opened, &options.intent, &mut problems, &|_| {}, |asked, told| match &options.why {
        Some(place) => why(&opened, asked, place),
        None => packet(asked, &budget, told),
    });
    options.fleet.warn(terminal, &problems);
    let text = text?;
    write_result(|stdout| stdout.write_all(text.as_bytes()))?;
    Ok(Outcome::Answered)
}

/// What `answer` makes of what a task activates. Who takes no part is told of in `problems`, also where there is no answer.
pub(super) fn asked<T: Send>(
    opened: &Opened,
    intent: &str,
    problems: &mut Vec<Problem>,
    progress: &(dyn Fn(Progress) + Sync),
    answer: impl FnOnce(&Asked<'_>, &mut Vec<Problem>) -> Result<T> + Send,
) -> Result<T> {
    if intent.trim().is_empty() {
        return Err(Error::new(ErrorKind::BadInput, "the intent is empty: say what is to be done"));
    }
    let open = |shard: &Shard| opened.engine(shard);
    let request = Request::new(intent);
    let (fleet, weights) = (&opened.fleet, FleetWeights::default());
    let answered = opened.threads()?.install(|| {
        ask(&fleet.shards, &fleet.secrets, &open, (&request, &weights), progress, |asked| {
            problems.extend_from_slice(asked.problems());
            answer(asked, problems)
        })
    });
    problems.extend(fleet.shards.problems());
    answered
}

/// The packet.
pub(super) fn packet(asked: &Asked<'_>, budget: &Budget, problems: &mut Vec<Problem>) -> Result<String> {
    let context = asked.context(budget)?;
    problems.extend(asked.without_room(&context));
    problems.extend(context.problems);
    Ok(context.text.text)
}

/// Why a place is in the packet.
pub(super) fn why(opened: &Opened, asked: &Asked<'_>, place: &str) -> Result<String> {
    Ok(asked.why(place)?.iter().fold(String::new(), |text, line| text + &line_of(&opened.masker, line) + "\n"))
}
