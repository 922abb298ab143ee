//! `activate ctx TOOL`: the tools of the server that work on a pack, as commands.
//!
//! Flags follow from what a tool says that it takes: what it needs stands behind its name, the rest are flags.

use super::Command;
use super::amount::number;
use super::exit::{Outcome, usage};
use super::options::RepositoryOptions;
use super::state::StateOptions;
use super::terminal::{Terminal, write_result};
use crate::mcp::{TOOLS, Tool, ToolSet, Toolbox};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use error::Result;
use serde_json::{Map, Value};

pub(super) const COMMAND: Command = Command {
    name: "ctx",
    about: "Ask the tools of the server that work on a pack: its files, searches, differences, history, failures",
    details: DETAILS,
    options: |command| {
        let tools = TOOLS.iter().filter(|tool| tool.set == ToolSet::Ctx);
        command.subcommand_required(true).arg_required_else_help(true).subcommands(tools.map(subcommand))
    },
    run,
};

const DETAILS: &str = "\
PACK_ID is the id of a packet that was made before, or its first digits: `activate --intent ... --format json` and the server's tool `context`
give it.

Example:
    activate ctx search 3f1c9a04 parseToken --scope repo";

/// What stands before the names of these tools.
const PREFIX: &str = "ctx_";

/// Where a tool works, and how its answer is written.
#[derive(Debug, Args)]
pub(super) struct ToolOptions {
    /// How the answer is written
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = PossibleValuesParser::new(["text", "json"]))]
    format: String,
    #[command(flatten)]
    state: StateOptions,
    #[command(flatten)]
    repository: RepositoryOptions,
}

/// Calls a tool and writes what it says.
pub(super) fn call(tool: &Tool, arguments: Value, options: &ToolOptions, terminal: &Terminal) -> Result<Outcome> {
    let watch = options.repository.watch();
    let toolbox = Toolbox::new(options.repository.open()?, options.state.folder()?);
    let reply = tool.call(&toolbox, arguments, &|progress| watch.tell(progress));
    watch.clear();
    terminal.learn(&toolbox.engine().masker());
    let reply = reply?;
    let text = if options.format == "json" { format!("{}\n", reply.structured) } else { reply.text().to_owned() };
    write_result(|stdout| stdout.write_all(text.as_bytes()))?;
    Ok(Outcome::Answered)
}

/// An argument of a tool, as its schema has it.
struct Argument {
    name: String,
    about: String,
    is_needed: bool,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
}

/// The arguments of a tool: those that it needs first, in their order.
fn arguments(tool: &Tool) -> Vec<Argument> {
    let schema = tool.input();
    let needed: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let fields = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut arguments: Vec<Argument> = fields
        .iter()
        .map(|(name, field)| Argument {
            name: name.clone(),
            about: field.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
            is_needed: needed.contains(&name.as_str()),
            kind: if field.get("type").is_some_and(|kind| kind == "integer") { Kind::Number } else { Kind::Text },
        })
        .collect();
    let place = |argument: &Argument| needed.iter().position(|name| *name == argument.name).unwrap_or(needed.len());
    arguments.sort_by_key(place);
    arguments
}

fn subcommand(tool: &Tool) -> clap::Command {
    let name = tool.name.strip_prefix(PREFIX).unwrap_or(tool.name);
    let mut command = ToolOptions::augment_args(clap::Command::new(name.to_owned())).about(tool.about);
    for argument in arguments(tool) {
        let arg =
            Arg::new(argument.name.clone()).help(argument.about).value_name(argument.name.to_uppercase()).action(ArgAction::Set);
        let arg = if argument.is_needed { arg.required(true) } else { arg.long(argument.name.replace('_', "-")) };
        // A text to search for may begin like a flag.
        command = command.arg(arg.allow_hyphen_values(argument.is_needed));
    }
    command
}

fn run(matches: &ArgMatches, terminal: &Terminal) -> Result<Outcome> {
    let unknown = || usage("there is no such tool");
    let (name, matches) = matches.subcommand().ok_or_else(unknown)?;
    let tool = Tool::named(&format!("{PREFIX}{name}")).ok_or_else(unknown)?;
    let mut given = Map::new();
    for argument in arguments(tool) {
        let Some(text) = matches.get_one::<String>(&argument.name) else { continue };
        let value = match (argument.kind, number(text)) {
            (Kind::Text, _) => Value::from(text.clone()),
            (Kind::Number, Some(number)) => Value::from(number),
            (Kind::Number, None) => {
                let message = format!("`--{}` takes a whole number, such as 20 or 1.5k", argument.name.replace('_', "-"));
                return Err(usage(message));
            }
        };
        given.insert(argument.name, value);
    }
    let options = ToolOptions::from_arg_matches(matches).map_err(|error| usage(error.to_string()))?;
    call(tool, Value::Object(given), &options, terminal)
}
