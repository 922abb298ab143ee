//! The questions about a fleet as tools of the server. What they answer is what the commands write.

use super::super::terminal::line_of;
use super::answer::{Answer, LIMIT, Row, n_shown};
use super::ask::{asked, packet, why};
use super::co_changes::co_changes;
use super::impact::{DEPTH, MAX_DEPTH, reached};
use super::opened::Opened;
use super::packages::{needed, unused};
use super::serve::ServedFleet;
use super::who_owns::owned;
use crate::mcp::{BUDGET, FRAME_CHARS, MAX_BUDGET, MAX_CHARS, MAX_INTENT_BYTES, ProgressFn, Tool, ToolCall, ToolSet, tool};
use context::budget::Budget;
use error::{Error, ErrorKind, Problem, Result};
use fleet::{Asked, Workers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest name of a target or repository, in bytes.
const MAX_NAME_BYTES: usize = 4_096;
/// The most targets of one call.
const MAX_TARGETS: usize = 100;
/// The most problems that are told.
const MAX_PROBLEMS: usize = 8;
/// How often a packet is made shorter.
const MAX_TRIES: u32 = 4;
/// Hundredths of the room that seems to fit that are used.
const CAUTION: usize = 95;

/// All tools of a fleet, in the order in which they are listed.
pub(super) const TOOLS: [Tool<ServedFleet>; 8] = [
    tool::<_, AskFleet>(
        "fleet_ask",
        "Context across repositories",
        "The code of all repositories that matters for a task, each place with its repository in front.",
        ToolSet::Default,
    ),
    tool::<_, Impact>(
        "fleet_impact",
        "What a change reaches",
        "What a change of a definition reaches in all repositories, by the number of uses on the way.",
        ToolSet::Default,
    ),
    tool::<_, Callers>("fleet_callers", "Who uses it", "What uses a definition, in all repositories.", ToolSet::Default),
    tool::<_, WhoOwns>(
        "fleet_who_owns",
        "Owners",
        "Who owns definitions or files, or what a change of them reaches.",
        ToolSet::Default,
    ),
    tool::<_, Needs>("fleet_needs", "Dependencies", "Which packages need which of other repositories.", ToolSet::Default),
    tool::<_, Cycles>("fleet_cycles", "Cycles", "Packages that need each other across repositories.", ToolSet::Default),
    tool::<_, Unused>(
        "fleet_unused",
        "What nobody else uses",
        "What a repository lets others use and no other repository does.",
        ToolSet::Default,
    ),
    tool::<_, CoChanges>(
        "fleet_co_changes",
        "What changes together",
        "Folders of different repositories that were changed together.",
        ToolSet::Default,
    ),
];

/// What `fleet_ask` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AskFleet {
    /// What is to be done, in any words
    intent: String,
    /// Most tokens, 6000 and 20,000 characters if left out
    #[serde(default)]
    budget: Option<u32>,
    /// A place `REPOSITORY/path#Container.name`: why it is in the packet
    #[serde(default)]
    why: Option<String>,
}

/// A packet, or reasons.
#[derive(Debug, Serialize, JsonSchema)]
struct Packed {
    text: String,
}

/// What `fleet_impact` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Impact {
    /// `PACKAGE#Symbol` as others import it, `REPOSITORY/path#Container.name`, or a file
    target: String,
    /// Most uses on the way, else 3
    #[serde(default)]
    depth: Option<u32>,
    /// Most rows, else 100
    #[serde(default)]
    limit: Option<u32>,
}

/// What `fleet_callers` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Callers {
    /// As for `fleet_impact`
    target: String,
    /// Most rows, else 100
    #[serde(default)]
    limit: Option<u32>,
}

/// What `fleet_who_owns` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WhoOwns {
    /// As for `fleet_impact`
    targets: Vec<String>,
    /// Owners of what uses them, with so many uses on the way
    #[serde(default)]
    reached: u32,
    /// Most rows, else 100
    #[serde(default)]
    limit: Option<u32>,
}

/// What `fleet_needs` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Needs {
    /// Most rows, else 100
    #[serde(default)]
    limit: Option<u32>,
}

/// What `fleet_cycles` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Cycles {
    /// Most rows, else 100
    #[serde(default)]
    limit: Option<u32>,
}

/// What `fleet_unused` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Unused {
    /// Its name in the manifest
    repository: String,
    /// Most rows, else 100
    #[serde(default)]
    limit: Option<u32>,
}

/// What `fleet_co_changes` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CoChanges {
    /// Its name in the manifest, else all
    #[serde(default)]
    repository: Option<String>,
    /// Most rows, else 100
    #[serde(default)]
    limit: Option<u32>,
}

/// Rows as lines.
#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    n_rows: u32,
    n_left: u32,
    text: String,
}

impl ToolCall<ServedFleet> for AskFleet {
    type Output = Packed;

    const IS_PACKET: bool = true;

    fn most(&self) -> usize {
        if self.budget.is_some() { usize::MAX } else { MAX_CHARS }
    }

    fn run(self, served: &ServedFleet, progress: ProgressFn<'_>) -> Result<Packed> {
        bounded("intent", &self.intent, MAX_INTENT_BYTES)?;
        if let Some(place) = &self.why {
            bounded("why", place, MAX_NAME_BYTES)?;
        }
        if let Some(budget) = self.budget.filter(|budget| !(1..=MAX_BUDGET).contains(budget)) {
            return Err(refused(&format!("`budget` is {budget}; give 1 to {MAX_BUDGET} tokens")));
        }
        let opened = served.opened()?;
        let mut problems = [&opened.fleet.problems[..], &opened.fleet.unread].concat();
        let text = asked(&opened, &self.intent, &mut problems, progress, |asked, told| match &self.why {
            Some(place) => why(&opened, asked, place).map_err(|error| of_argument("why", error)),
            None => fitting(asked, self.budget, told),
        })?;
        Ok(Packed { text: with_problems(&opened, text, &problems) })
    }
}

/// The packet; where nobody names a budget, one that a reply holds.
fn fitting(asked: &Asked<'_>, budget: Option<u32>, problems: &mut Vec<Problem>) -> Result<String> {
    let mut tokens = budget.unwrap_or(BUDGET) as usize;
    let mut told = Vec::new();
    let mut made = packet(asked, &Budget::of(tokens as u32), &mut told)?;
    for _ in 0..MAX_TRIES {
        let n_chars = written_chars(&made);
        if budget.is_some() || n_chars <= ROOM {
            break;
        }
        tokens = tokens * ROOM / n_chars * CAUTION / 100;
        // What must be in it may need more room than there is.
        let mut told_shorter = Vec::new();
        let Ok(shorter) = packet(asked, &Budget::of(tokens as u32), &mut told_shorter) else { break };
        (made, told) = (shorter, told_shorter);
    }
    problems.extend(told);
    Ok(made)
}

impl ToolCall<ServedFleet> for Impact {
    type Output = Found;

    fn run(self, served: &ServedFleet, _: ProgressFn<'_>) -> Result<Found> {
        bounded("target", &self.target, MAX_NAME_BYTES)?;
        let depth = self.depth.unwrap_or(DEPTH);
        if !(1..=MAX_DEPTH).contains(&i64::from(depth)) {
            return Err(refused(&format!("`depth` is {depth}; give 1 to {MAX_DEPTH}")));
        }
        let opened = served.opened()?;
        let limit = self.limit.map_or(LIMIT, |limit| limit as usize);
        let answer = reached(&opened, &self.target, depth, &Workers::threads(1), limit);
        Ok(found(&opened, &answer.map_err(|error| of_argument("target", error))?, self.limit))
    }
}

impl ToolCall<ServedFleet> for Callers {
    type Output = Found;

    fn run(self, served: &ServedFleet, progress: ProgressFn<'_>) -> Result<Found> {
        Impact { target: self.target, depth: Some(1), limit: self.limit }.run(served, progress)
    }
}

impl ToolCall<ServedFleet> for WhoOwns {
    type Output = Found;

    fn run(self, served: &ServedFleet, _: ProgressFn<'_>) -> Result<Found> {
        if !(1..=MAX_TARGETS).contains(&self.targets.len()) {
            return Err(refused(&format!("`targets` has {} names; give 1 to {MAX_TARGETS}", self.targets.len())));
        }
        self.targets.iter().try_for_each(|target| bounded("targets", target, MAX_NAME_BYTES))?;
        if i64::from(self.reached) > MAX_DEPTH {
            return Err(refused(&format!("`reached` is {}; give 0 to {MAX_DEPTH}", self.reached)));
        }
        let opened = served.opened()?;
        let answer = owned(&opened, &self.targets, self.reached);
        Ok(found(&opened, &answer.map_err(|error| of_argument("targets", error))?, self.limit))
    }
}

impl ToolCall<ServedFleet> for Needs {
    type Output = Found;

    fn run(self, served: &ServedFleet, _: ProgressFn<'_>) -> Result<Found> {
        let opened = served.opened()?;
        Ok(found(&opened, &needed(&opened, false)?, self.limit))
    }
}

impl ToolCall<ServedFleet> for Cycles {
    type Output = Found;

    fn run(self, served: &ServedFleet, _: ProgressFn<'_>) -> Result<Found> {
        let opened = served.opened()?;
        Ok(found(&opened, &needed(&opened, true)?, self.limit))
    }
}

impl ToolCall<ServedFleet> for Unused {
    type Output = Found;

    fn run(self, served: &ServedFleet, _: ProgressFn<'_>) -> Result<Found> {
        bounded("repository", &self.repository, MAX_NAME_BYTES)?;
        let opened = served.opened()?;
        let answer = unused(&opened, &self.repository).map_err(|error| of_argument("repository", error))?;
        Ok(found(&opened, &answer, self.limit))
    }
}

impl ToolCall<ServedFleet> for CoChanges {
    type Output = Found;

    fn run(self, served: &ServedFleet, _: ProgressFn<'_>) -> Result<Found> {
        if let Some(repository) = &self.repository {
            bounded("repository", repository, MAX_NAME_BYTES)?;
        }
        let opened = served.opened()?;
        let answer = co_changes(&opened, self.repository.as_deref()).map_err(|error| of_argument("repository", error))?;
        Ok(found(&opened, &answer, self.limit))
    }
}

/// The most characters of a text as JSON writes it.
const ROOM: usize = MAX_CHARS - FRAME_CHARS;

/// The characters of a text as JSON writes it.
fn written_chars(text: &str) -> usize {
    serde_json::to_string(text).map_or(usize::MAX, |text| text.chars().count())
}

/// What the command writes with a limit; where a reply does not hold that, with a lower one.
fn found<R: Row>(opened: &Opened, answer: &Answer<R>, limit: Option<u32>) -> Found {
    let mut limit = limit.map_or(LIMIT, |limit| limit as usize);
    let text = loop {
        let text = answer.text(&opened.masker, limit);
        let n_chars = written_chars(&text);
        let n_most = n_shown(answer.rows.len().max(answer.about.len()), limit);
        if n_chars <= ROOM || n_most <= 1 {
            break text;
        }
        limit = (n_most * ROOM / n_chars).clamp(1, n_most - 1);
    };
    let n_rows = answer.n_rows;
    let n_left = n_rows - n_shown(n_rows, limit);
    let problems = [&opened.fleet.problems[..], &opened.fleet.unread, &opened.fleet.shards.problems(), &answer.problems].concat();
    Found { n_rows: n_rows as u32, n_left: n_left as u32, text: with_problems(opened, text, &problems) }
}

/// A text with what was left out of it, as a command warns of that.
fn with_problems(opened: &Opened, mut text: String, problems: &[Problem]) -> String {
    let mut warn = |why: &str| {
        text += &line_of(&opened.masker, &format!("warning: {why}"));
        text.push('\n');
    };
    for problem in problems.iter().take(MAX_PROBLEMS) {
        warn(&problem.to_string());
    }
    if problems.len() > MAX_PROBLEMS {
        warn(&format!("and {} more", problems.len() - MAX_PROBLEMS));
    }
    text
}

fn refused(why: &str) -> Error {
    Error::new(ErrorKind::BadInput, why.to_owned())
}

/// Names the argument in what is wrong with it.
fn of_argument(name: &str, error: Error) -> Error {
    if error.kind == ErrorKind::BadInput { error.reworded(|message| format!("`{name}`: {message}")) } else { error }
}

/// Refuses a text that is empty or longer than any that means something.
fn bounded(name: &str, text: &str, most: usize) -> Result<()> {
    match text.len() {
        _ if text.trim().is_empty() => Err(refused(&format!("`{name}` is empty"))),
        n_bytes if n_bytes > most => Err(refused(&format!("`{name}` has {n_bytes} bytes; the most are {most}"))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::Served as _;
    use serde_json::json;

    /// The most bytes of all that is listed.
    const MAX_LISTED: usize = 4_096;

    #[test]
    fn what_is_listed_is_short_and_found_by_both_spellings() {
        let listed = TOOLS.iter().map(|tool| json!([tool.name, tool.title, tool.about, tool.input(), tool.output()]).to_string());
        let n_bytes = listed.map(|text| text.len()).sum::<usize>();
        assert!(n_bytes < MAX_LISTED, "{n_bytes} bytes");
        for (name, dotted) in [("fleet_ask", "fleet.ask"), ("fleet_who_owns", "fleet.who_owns")] {
            let found = [name, dotted].map(|name| ServedFleet::tool(name).map(|tool| tool.name));
            assert_eq!(found, [Some(name); 2]);
        }
    }
}
