//! `activate setup`: writes the server, and the hook where it is asked for, into the settings of agents, and takes it back.
//!
//! Nothing is written before the change was shown and somebody said yes.

mod agents;
mod diff;
mod edit;
mod form;
mod jsonc;
mod place;
mod plan;
mod probe;
mod record;
mod settings;
mod tables;
mod tried;
mod world;

#[cfg(test)]
mod tests;

use super::exit::Outcome;
use super::options::RootOption;
use super::state::StateOptions;
use super::terminal::{Terminal, say, write_result};
use super::{Command, options_of};
use agents::{AGENTS, Agent, Scope};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use error::{Error, ErrorKind, Result};
use plan::Plan;
use record::Records;
use redact::Gathered;
use settings::{Settings, What};
use std::fmt::Write as _;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write as _};
pub(super) use tried::{Tried, tried};
use world::World;

pub(super) const COMMAND: Command = Command {
    name: "setup",
    about: "Set agents up: write the server into their settings, after a yes, and take it back",
    details: DETAILS,
    options: SetupOptions::augment_args,
    run: |matches, terminal| run(&options_of(matches)?, terminal),
};

/// What the server is called in the settings of agents.
const NAME: &str = "activate";

/// What agents are told, for AGENTS.md.
const RULE: &str = include_str!("rule.md");

const DETAILS: &str = "\
Without names, the agents that are there are set up: by their commands on PATH, and by what they keep in your home and in the project. The
change is shown as a diff. It is written after a yes on a terminal, or with `--yes`; else nothing is, and the exit code is 11. All other bytes
of a file stay as they are; a file that cannot be parsed, and one behind a link, is refused. What was written is kept in the state folder, so
that `--undo` gives back the very bytes; of a file that was edited since, it takes out our entry alone. Written is the path under which this
program was started. At the end the server is started as the agent starts it, and asked one question.

Examples:
    activate setup
    activate setup claude-code --hook
    activate setup codex --user --yes
    activate setup --print
    activate setup --undo";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "a flag without a value is either given or not")]
struct SetupOptions {
    /// Which agents [default: those that are there]
    #[arg(value_name = "AGENT", value_parser = names())]
    agents: Vec<String>,
    /// In your own settings, for all projects
    #[arg(long, conflicts_with = "project")]
    user: bool,
    /// In the settings of this project [default in a repository, where the agent has such]
    #[arg(long)]
    project: bool,
    /// Write the hook too, where the agent has an event for it: context for a prompt without a tool call
    #[arg(long, conflicts_with = "undo")]
    hook: bool,
    /// Print what would stand in the settings, and a rule for AGENTS.md; write nothing
    #[arg(long, conflicts_with_all = ["yes", "undo"])]
    print: bool,
    /// Write without asking
    #[arg(long)]
    yes: bool,
    /// Take back what was written
    #[arg(long)]
    undo: bool,
    #[command(flatten)]
    state: StateOptions,
    #[command(flatten)]
    root: RootOption,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(AGENTS.iter().map(|agent| PossibleValue::new(agent.name).aliases(agent.aliases.iter().copied())))
}

impl SetupOptions {
    /// The agents that are named, else those that are there.
    fn agents(&self, world: &World) -> Result<Vec<&'static Agent>> {
        let wanted: Vec<_> = self.agents.iter().filter_map(|name| Agent::named(name)).collect();
        if !wanted.is_empty() {
            return Ok(AGENTS.iter().filter(|agent| wanted.iter().any(|wanted| wanted.name == agent.name)).collect());
        }
        let found: Vec<_> = AGENTS.iter().filter(|agent| agent.is_there(world)).collect();
        if found.is_empty() {
            let names: Vec<&str> = AGENTS.iter().map(|agent| agent.name).collect();
            let message = format!("no agent was found here; name one: {}", names.join(", "));
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        Ok(found)
    }

    /// Whose settings of an agent are written.
    fn scope(&self, agent: &Agent, world: &World) -> Result<Scope> {
        if self.project && !agent.has_project() && !self.agents.is_empty() {
            let message = format!("{} has no settings of a project; leave out `--project`", agent.title);
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        let is_project = !self.user && (self.project || world.is_repository) && agent.has_project();
        Ok(if is_project { Scope::Project } else { Scope::User })
    }

    /// What is set up for an agent.
    fn kinds(&self, agent: &Agent, terminal: &Terminal) -> Vec<What> {
        if self.hook && !agent.has_hooks() {
            terminal.note(&format!("{}: it has no event in which a prompt gets context, so there is no hook", agent.name));
        }
        if self.hook && agent.has_hooks() { vec![What::Server, What::Hook] } else { vec![What::Server] }
    }
}

fn run(options: &SetupOptions, terminal: &Terminal) -> Result<Outcome> {
    let world = World::of_process(&options.root.folder()?)?;
    if options.print {
        return print(options, &world, terminal);
    }
    let records = Records::at(&options.state.folder()?);
    let (plans, refused) = plans(options, &world, &records, terminal)?;
    if !plans.is_empty() {
        show(&plans, &world, terminal)?;
        if !(options.yes || confirmed(plans.len())?) {
            terminal.note("nothing was written; a yes on a terminal or `--yes` writes it");
            return Ok(Outcome::Unanswered);
        }
    }
    carry_out(&plans, refused, &records, &world, terminal)?;
    if options.undo {
        if plans.is_empty() {
            tell(terminal, "nothing is set up here")?;
        }
        return Ok(Outcome::Answered);
    }
    try_servers(options, &world, terminal)
}

/// What is to be written, and the first refusal. What is wrong with one file keeps no other from being written.
fn plans(options: &SetupOptions, world: &World, records: &Records, terminal: &Terminal) -> Result<(Vec<Plan>, Option<Error>)> {
    let mut plans = Vec::new();
    let mut refused = None;
    let mut add = |planned: Result<Option<Plan>>| match planned {
        // In the home folder, settings of the project are those of the user too.
        Ok(Some(plan)) if plans.iter().any(|other: &Plan| other.place.path() == plan.place.path()) => {}
        Ok(plan) => plans.extend(plan),
        Err(error) => {
            if let Some(error) = refused.replace(error) {
                terminal.report(&error);
            }
        }
    };
    if options.undo {
        let named = !options.agents.is_empty();
        let agents = if named { options.agents(world)? } else { AGENTS.iter().collect() };
        let scopes = [(Scope::Project, !options.user), (Scope::User, !options.project)];
        for agent in agents {
            for scope in scopes.iter().filter(|(_, is_wanted)| *is_wanted).map(|(scope, _)| *scope) {
                for what in [What::Server, What::Hook] {
                    let settings = Settings { agent, what, world };
                    let undone =
                        settings.place(scope).and_then(|place| place.map_or(Ok(None), |place| settings.undo(&place, records)));
                    // What nobody wrote of ours is not looked into unasked.
                    add(if named { undone } else { Ok(undone.unwrap_or_else(|error| ignored(&error, terminal))) });
                }
            }
        }
        return Ok((plans, refused));
    }
    if let Some(doubt) = world.doubt() {
        terminal.note(&format!("warning: {doubt}"));
    }
    for agent in options.agents(world)? {
        let scope = options.scope(agent, world)?;
        for what in options.kinds(agent, terminal) {
            let settings = Settings { agent, what, world };
            let Some(place) = settings.place(scope)? else {
                let message = format!("the settings of {} cannot be found: HOME is no absolute path", agent.title);
                return Err(Error::new(ErrorKind::BadInput, message));
            };
            let planned = settings.set_up(&place, records);
            if let Ok(None) = planned {
                tell(terminal, &format!("nothing to do: {} has it already", world.shown(&place.path())))?;
            }
            if matches!(planned, Ok(Some(_))) && agent.is_told() {
                terminal.note(&format!(
                    "{}: one file serves all projects, and servers are started anywhere, so the entry names this project",
                    agent.name
                ));
            }
            add(planned);
        }
    }
    Ok((plans, refused))
}

fn ignored(error: &Error, terminal: &Terminal) -> Option<Plan> {
    terminal.note(&format!("warning: {error}"));
    None
}

/// Shows the changes, with the secrets of the files masked.
fn show(plans: &[Plan], world: &World, terminal: &Terminal) -> Result<()> {
    for plan in plans {
        let path = plan.place.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(old) = &plan.old {
            terminal.learn(&terminal.masker().with(Gathered::of(&name, old)));
        }
        let change = diff::unified(&world.shown(&path), plan.old.as_deref(), plan.new.as_deref());
        let safe = terminal.masker().message(&change);
        write_result(|stdout| stdout.write_all(safe.as_str().as_bytes()))?;
    }
    Ok(())
}

/// Writes what is planned, and says what was refused. A file that cannot be written keeps no other from it.
fn carry_out(plans: &[Plan], mut refused: Option<Error>, records: &Records, world: &World, terminal: &Terminal) -> Result<()> {
    for plan in plans {
        if let Err(error) = plan.carry_out(records) {
            if let Some(error) = refused.replace(error) {
                terminal.report(&error);
            }
            continue;
        }
        let done = if plan.new.is_some() { "written" } else { "removed" };
        tell(terminal, &format!("{done}: {}", world.shown(&plan.place.path())))?;
    }
    refused.map_or(Ok(()), Err)
}

fn tell(terminal: &Terminal, text: &str) -> Result<()> {
    write_result(|stdout| writeln!(stdout, "{}", terminal.line(text)))
}

/// Asks on a terminal; without one, nobody says yes.
fn confirmed(n_files: usize) -> Result<bool> {
    /// The most bytes of an answer.
    const MAX_ANSWER: u64 = 100;
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(false);
    }
    let files = if n_files == 1 { "this change".to_owned() } else { format!("these {n_files} changes") };
    let unreadable = |error| Error::new(ErrorKind::UnreadableFile, "the answer cannot be read").because(error);
    let mut stderr = io::stderr().lock();
    write!(stderr, "activate: write {files}? [y/N] ").and_then(|()| stderr.flush()).map_err(unreadable)?;
    let mut answer = String::new();
    io::stdin().lock().take(MAX_ANSWER).read_line(&mut answer).map_err(unreadable)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// Asks the servers of the agents that were set up.
fn try_servers(options: &SetupOptions, world: &World, terminal: &Terminal) -> Result<Outcome> {
    let mut outcome = Outcome::Answered;
    let mut asked = Vec::new();
    for agent in options.agents(world)? {
        let settings = Settings { agent, what: What::Server, world };
        let scope = options.scope(agent, world)?;
        let Some(place) = settings.place(scope)? else { continue };
        let tried = tried::of(&settings, scope, &place, &mut asked);
        match tried {
            Some(Tried::Answered(line)) => tell(terminal, &line)?,
            Some(Tried::Untried(line)) => terminal.note(&format!("warning: {line}")),
            Some(Tried::Failed(line)) => {
                say(&terminal.line(&format!("error: {line}")));
                outcome = Outcome::Unreachable;
            }
            None => {}
        }
    }
    Ok(outcome)
}

/// Prints what would stand in the settings, and the rule for agents.
fn print(options: &SetupOptions, world: &World, terminal: &Terminal) -> Result<Outcome> {
    let agents = options.agents(world)?;
    let mut text = String::new();
    for agent in agents {
        let scope = options.scope(agent, world)?;
        for what in options.kinds(agent, terminal) {
            let settings = Settings { agent, what, world };
            if let Some(place) = settings.place(scope)? {
                let path = world.shown(&place.path());
                let _ = writeln!(text, "{}, {path}:\n\n{}", agent.title, settings.whole());
            }
        }
    }
    text.push_str("For AGENTS.md, if you like:\n\n");
    text.push_str(RULE);
    write_result(|stdout| stdout.write_all(text.as_bytes()))?;
    Ok(Outcome::Answered)
}
