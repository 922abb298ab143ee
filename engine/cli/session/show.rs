//! `activate session show`: what a session holds, and what of it the current turn gives a request.
//!
//! Says the same about the same file. Must not look at a repository: what a task touches is not known here.

use super::{At, FileArgument};
use crate::exit::Outcome;
use crate::terminal::write_result;
use activate_rules::items::ItemKind;
use activate_rules::weights::Weights;
use clap::Args;
use context::state::{SessionState, TestState};
use error::Result;
use intent::failures::Failures;
use session::{Campaign, Session, store};

#[derive(Debug, Args)]
pub(super) struct ShowOptions {
    #[command(flatten)]
    session: FileArgument,
    /// Write what the current turn gives a request, as JSON (engine/packets/schema/session-state.schema.json)
    #[arg(long)]
    json: bool,
}

/// The most lines of one list; the rest is counted.
const MAX_LISTED: usize = 20;

pub(super) fn run(options: &ShowOptions, at: &At<'_>) -> Result<Outcome> {
    let session = store::read(&options.session.file)?;
    let state = SessionState::of(&session)?;
    if options.json {
        // Writing strings and numbers to memory cannot fail. What was noted before the repository gave a secret away is masked now.
        let mut value = serde_json::to_value(&state).unwrap_or_default();
        at.masker.json(&mut value, &[]);
        let state: SessionState = serde_json::from_value(value).unwrap_or_default();
        let json = serde_json::to_string_pretty(&state).unwrap_or_default() + "\n";
        write_result(|stdout| stdout.write_all(json.as_bytes()))?;
        return Ok(Outcome::Answered);
    }
    at.say(&lines(&session, &state))
}

/// The summary, a block for each thing that there is something to say about.
fn lines(session: &Session, state: &SessionState) -> Vec<String> {
    let current = session.turns.last().filter(|turn| turn.number == session.turn);
    let intent = current.map(|turn| turn.intent.as_str()).unwrap_or_default();
    let mut lines = vec![match (session.turn, intent) {
        (0, _) => "turn: none has begun".to_owned(),
        (number, "") => format!("turn {number}"),
        (number, intent) => format!("turn {number}: {intent}"),
    }];
    let not_run = session.fresh_tests().map_or(0, |run| run.not_run.len());
    let not_run = match not_run {
        0 => Vec::new(),
        1 => vec!["1 that failed before was not run".to_owned()],
        number => vec![format!("{number} that failed before were not run")],
    };
    let tests = match state.test_state {
        TestState::Passing => "passing".to_owned(),
        TestState::Failing => [vec![format!("{} failing", state.failing_tests.len())], not_run].concat().join(", "),
        TestState::Unknown if not_run.is_empty() => "not run in this turn or the one before".to_owned(),
        TestState::Unknown => not_run.concat(),
    };
    lines.push(format!("tests: {tests}; retries: {}", state.tdd_retry_count));
    list(&mut lines, None, &state.failing_tests);
    list(&mut lines, Some("diagnostics"), &state.current_diagnostics);
    let open = session.findings().filter(|finding| !finding.resolved);
    let open: Vec<String> = open.map(|finding| format!("{} {}", finding.number, finding.text)).collect();
    list(&mut lines, Some("open findings"), &open);
    list(&mut lines, Some("blocked actions"), &state.blocked_actions);
    list(&mut lines, Some("warnings"), &state.safety_warnings);
    campaign(&mut lines, &session.campaign, state);
    let turn = |turns_ago: u32| session.turn.saturating_sub(turns_ago);
    let files = state.files_touched.iter().rev().map(|file| format!("{} (turn {})", file.path, turn(file.turns_ago)));
    list(&mut lines, Some("files changed"), &files.collect::<Vec<_>>());
    let ways = session.links.iter().map(|way| format!("{}: {} of {} edited", way.link, way.edited, way.injected));
    list(&mut lines, Some("files of packets, by how they came in"), &ways.collect::<Vec<_>>());
    let history: Vec<String> = session.history_lines().into_iter().rev().collect();
    list(&mut lines, Some("earlier turns"), &history);
    entering(&mut lines, state);
    lines
}

/// A list with its number of entries, the first of them, and how many more there are; nothing where it is empty.
fn list(lines: &mut Vec<String>, name: Option<&str>, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    lines.extend(name.map(|name| format!("{name}: {}", entries.len())));
    lines.extend(entries.iter().take(MAX_LISTED).map(|entry| format!("  {entry}")));
    if entries.len() > MAX_LISTED {
        lines.push(format!("  +{} more", entries.len() - MAX_LISTED));
    }
}

fn campaign(lines: &mut Vec<String>, campaign: &Campaign, state: &SessionState) {
    if *campaign == Campaign::default() {
        return;
    }
    lines.push(format!("campaign: {}", if campaign.active { "active" } else { "over" }));
    lines.extend(campaign.current_phase.as_ref().map(|name| format!("  phase {name}")));
    lines.extend(state.campaign_goal.as_ref().map(|goal| format!("  goal {goal}")));
    let tasks = campaign.tasks.iter().map(|task| {
        let after = if task.after.is_empty() { String::new() } else { format!(" (after {})", task.after.join(", ")) };
        format!("{} {} {}{after}", task.id, task.status.word(), task.name)
    });
    list(lines, None, &tasks.collect::<Vec<_>>());
    if !state.task_dependencies.is_empty() {
        lines.push(format!("  blocked by {}", state.task_dependencies.join(", ")));
    }
    if !campaign.requirements.is_empty() {
        lines.push(format!("  fulfils {}", campaign.requirements.join(", ")));
    }
}

/// What of the session enters a packet: items by kind, as the default weights have them.
fn entering(lines: &mut Vec<String>, state: &SessionState) {
    let weights = Weights::default();
    let items = state.items(&Failures::default());
    let (mut always, mut touched, mut cold) = (Vec::new(), Vec::new(), Vec::new());
    for kind in ItemKind::ALL {
        let of_kind = || items.iter().filter(|item| item.kind == *kind);
        let is_warm = |turns| weights.items.of(*kind, turns) >= weights.warm;
        let n = |is: &dyn Fn(bool, bool) -> bool| {
            of_kind().filter(|item| is(is_warm(item.turns), item.always || kind.always_on())).count()
        };
        for (list, count) in [
            (&mut always, n(&|is_warm, is_always| is_warm && is_always)),
            (&mut touched, n(&|is_warm, is_always| is_warm && !is_always)),
            (&mut cold, n(&|is_warm, _| !is_warm)),
        ] {
            if count > 0 {
                list.push(format!("{count} {}", kind.name()));
            }
        }
    }
    lines.push("the next packet has".to_owned());
    for (when, kinds) in [("whatever the task is", always), ("what the task touches of", touched), ("no longer", cold)] {
        if !kinds.is_empty() {
            lines.push(format!("  {when}: {}", kinds.join(", ")));
        }
    }
    if items.is_empty() {
        lines.push("  nothing of what was noted".to_owned());
    }
}
