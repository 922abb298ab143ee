//! Whether what is set up works: the command in an agent's settings is started and asked, if it is one that we write.
//!
//! A stranger's project can name any program in its settings: nothing else is ever started.

use super::agents::{AGENTS, Scope, WORKSPACE};
use super::place::Place;
use super::probe::{PATIENCE, ask};
use super::settings::{Command, Settings, What};
use super::world::World;
use error::Result;
use std::path::Path;

/// What came of it, in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Tried {
    Answered(String),
    /// Another command stands there than we write.
    Untried(String),
    Failed(String),
}

/// Commands that were asked already, with what came back.
pub(super) type Asked = Vec<(Command, std::result::Result<String, String>)>;

/// Tries all servers that are set up for a project.
pub(in super::super) fn tried(project: &Path) -> Result<Vec<Tried>> {
    let world = World::of_process(project)?;
    let mut asked = Asked::new();
    let mut lines = Vec::new();
    for agent in &AGENTS {
        for scope in [Scope::Project, Scope::User] {
            let settings = Settings { agent, what: What::Server, world: &world };
            match settings.place(scope) {
                Ok(Some(place)) => lines.extend(of(&settings, scope, &place, &mut asked)),
                Ok(None) => {}
                Err(error) => lines.push(Tried::Untried(format!("{}: {error}", agent.title))),
            }
        }
    }
    Ok(lines)
}

/// Tries the server of an agent; nothing where there is none.
pub(super) fn of(settings: &Settings<'_>, scope: Scope, place: &Place, asked: &mut Asked) -> Option<Tried> {
    let name = format!("{}, {}", settings.agent.title, settings.world.shown(&place.path()));
    let text = match place.read() {
        Ok(text) => text?,
        Err(error) => return Some(Tried::Untried(format!("{name}: {error}"))),
    };
    let found = match settings.found(&text) {
        Ok(found) => found?,
        Err(fault) => return Some(Tried::Untried(format!("{name}, {fault}"))),
    };
    let ours = settings.command();
    if found.program != ours.program {
        let advice = format!("`activate setup {}` writes this one", settings.agent.name);
        return Some(Tried::Untried(format!(
            "{name}: it starts another program, {}, which was not tried; {advice}",
            found.program
        )));
    }
    if found.arguments != ours.arguments {
        let arguments = found.arguments.join(" ");
        return Some(Tried::Untried(format!("{name}: it has arguments of its own, `{arguments}`, and was not tried")));
    }
    let command = filled(&found, settings.world);
    let before = asked.iter().find(|(before, _)| *before == command).map(|(_, answer)| answer.clone());
    let answer = before.unwrap_or_else(|| {
        let answer = ask(&command, &settings.world.project, PATIENCE);
        asked.push((command, answer.clone()));
        answer
    });
    Some(match answer {
        Ok(line) => {
            let waits = settings.agent.waits_for(scope).map(|waits| format!("; {waits}")).unwrap_or_default();
            Tried::Answered(format!("{name}: {line}{waits}"))
        }
        Err(line) => Tried::Failed(format!("{name}: {line}")),
    })
}

/// With the project's folder in the place of the word that agents replace.
fn filled(command: &Command, world: &World) -> Command {
    let project = world.project.display().to_string();
    let arguments = command.arguments.iter().map(|argument| argument.replace(WORKSPACE, &project)).collect();
    Command { program: command.program.clone(), arguments }
}
