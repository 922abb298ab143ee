//! `activate fleet ask`: one packet about a task, from all repositories that have to do with it.

use super::super::terminal::write_result;
use super::super::{Command, Outcome, Terminal, options_of};
use super::question::FleetOptions;
use activate_rules::weights::FleetWeights;
use clap::Args;
use context::budget::Budget;
use engine::Request;
use error::{Error, ErrorKind, Result};
use fleet::{Shard, ask};

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
    if options.intent.trim().is_empty() {
        return Err(Error::new(ErrorKind::BadInput, "the intent is empty: say what is to be done"));
    }
    let fleet = options.fleet.open(terminal)?;
    let open = |shard: &Shard| options.fleet.engine(&fleet, shard);
    let budget = options.budget.map_or_else(Budget::default, Budget::of);
    let request = Request::new(options.intent.as_str());
    ask(&fleet.shards, &fleet.secrets, &open, (&request, &FleetWeights::default()), |asked| {
        options.fleet.warn(terminal, asked.problems());
        if let Some(place) = &options.why {
            let lines = asked.why(place)?;
            write_result(|stdout| lines.iter().try_for_each(|line| writeln!(stdout, "{}", terminal.line(line))))?;
        } else {
            let context = asked.context(&budget)?;
            options.fleet.warn(terminal, &context.problems);
            write_result(|stdout| write!(stdout, "{}", context.text.text))?;
        }
        Ok(Outcome::Answered)
    })
}
