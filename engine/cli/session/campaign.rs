//! `activate session campaign`: the goal, phases and tasks that turns serve.
//!
//! Must not order tasks: the session says what waits for what.

use super::{At, FileArgument, part};
use crate::exit::Outcome;
use clap::{ArgGroup, Args};
use error::{Error, ErrorKind, Result};
use session::{Campaign, Phase, Status, Task, store};

/// The flags that say something of a campaign that goes on.
const PARTS: [&str; 6] = ["goal", "phase", "task", "doing", "done", "requirement"];

#[derive(Debug, Args)]
#[command(override_usage = "activate session campaign [OPTIONS] <FILE>")]
#[command(group = ArgGroup::new("said").required(true).multiple(true).args(PARTS).arg("end"))]
pub(super) struct CampaignOptions {
    #[command(flatten)]
    session: FileArgument,
    /// Goal of the campaign, or with --phase that of the phase
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
    /// The current phase, which is added if there is none of that name
    #[arg(long, value_name = "NAME")]
    phase: Option<String>,
    /// A task, and the tasks that must be done before it; one with that id is replaced; can be given more than once
    #[arg(long, value_name = "ID:NAME[:after=A,B]", value_parser = task)]
    task: Vec<Task>,
    /// A task that is being done; can be given more than once
    #[arg(long, value_name = "ID")]
    doing: Vec<String>,
    /// A task that is done; can be given more than once
    #[arg(long, value_name = "ID")]
    done: Vec<String>,
    /// A requirement that the campaign fulfils; can be given more than once
    #[arg(long, value_name = "ID")]
    requirement: Vec<String>,
    /// The campaign is over: nothing of it is shown any more, and what is said next begins a new one
    #[arg(long, conflicts_with_all = PARTS)]
    end: bool,
}

pub(super) fn run(options: &CampaignOptions, at: &At<'_>) -> Result<Outcome> {
    store::update(&options.session.file, &at.masker, |session| change(&mut session.campaign, options, at))?;
    Ok(Outcome::Answered)
}

fn change(campaign: &mut Campaign, options: &CampaignOptions, at: &At<'_>) -> Result<()> {
    if options.end {
        campaign.active = false;
        return Ok(());
    }
    campaign.go_on();
    let goal = options.goal.as_deref().map(|text| at.stored(text));
    if let Some(name) = options.phase.as_deref().map(|text| at.stored(text)) {
        if !campaign.phases.iter().any(|phase| phase.name == name) {
            campaign.phases.push(Phase { name: name.clone(), goal: String::new() });
        }
        for phase in campaign.phases.iter_mut().filter(|phase| phase.name == name) {
            phase.goal = goal.clone().unwrap_or_else(|| std::mem::take(&mut phase.goal));
        }
        campaign.current_phase = Some(name);
    } else if let Some(goal) = goal {
        campaign.goal = goal;
    }
    for new in &options.task {
        match campaign.task(&new.id) {
            Some(known) => *known = Task { status: known.status, ..new.clone() },
            None => campaign.tasks.push(new.clone()),
        }
    }
    let doing = options.doing.iter().map(|id| (id, Status::Doing));
    for (id, status) in doing.chain(options.done.iter().map(|id| (id, Status::Done))) {
        let Some(task) = campaign.task(id) else { return Err(unknown(campaign, id)) };
        task.status = status;
    }
    for id in options.requirement.iter().map(|id| at.stored(id)) {
        if !campaign.requirements.contains(&id) {
            campaign.requirements.push(id);
        }
    }
    // The store says the same of the whole session; here it is known that a flag was wrong.
    campaign.order().map(drop)
}

fn unknown(campaign: &Campaign, id: &str) -> Error {
    let ids: Vec<&str> = campaign.tasks.iter().map(|task| task.id.as_str()).collect();
    let known = if ids.is_empty() { "there is none yet".to_owned() } else { format!("there are {}", ids.join(", ")) };
    Error::new(ErrorKind::BadInput, format!("there is no task `{id}`; {known}; `--task ID:NAME` adds one"))
}

/// Reads `ID:NAME[:after=A,B]`.
fn task(text: &str) -> std::result::Result<Task, String> {
    let form = || "write it as ID:NAME or ID:NAME:after=A,B".to_owned();
    let (id, rest) = text.split_once(':').ok_or_else(form)?;
    let (name, after) = rest.rsplit_once(":after=").map_or((rest, None), |(name, after)| (name, Some(after)));
    let after: Vec<String> = after.into_iter().flat_map(|after| after.split(',')).map(str::trim).map(part).collect();
    let is_id = |id: &str| !id.is_empty() && !id.contains([':', ',', ' ', '\t']);
    if name.trim().is_empty() || !std::iter::once(id).chain(after.iter().map(String::as_str)).all(is_id) {
        return Err(form());
    }
    Ok(Task { id: part(id), name: part(name), status: Status::Open, after })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_read_by_its_colons() {
        let read = |text: &str| task(text).map(|task| (task.id, task.name, task.after.join("+")));
        let of = |id: &str, name: &str, after: &str| Ok((id.to_owned(), name.to_owned(), after.to_owned()));
        assert_eq!(read("T1:move the schema"), of("T1", "move the schema", ""));
        assert_eq!(read("T2:check: twice:after=T1, T0"), of("T2", "check: twice", "T1+T0"));
        for text in ["T1", ":x", "T1:", "T 1:x", "T1:x:after=", "T1:x:after=A,,B"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
