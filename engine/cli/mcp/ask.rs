//! `ask`: the daily questions about a definition, a file, words, a change or the whole repository.

use super::page::{FRAME_CHARS, MAX_CHARS};
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox};
use ::questions::{Answer, Question, ask};
use error::Result;
use redact::{DATA_NOTICE, PacketWriter, Safe, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rows where nobody says how many, and the most.
const LIMIT: u32 = 100;
const MAX_LIMIT: u32 = 1_000;

/// What `ask` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    question: Which,
    /// `file#Type.method` or an end; impact: or main..HEAD; outline: a path; find: words
    #[serde(default)]
    name: String,
    /// Most rows, else 100
    #[serde(default)]
    limit: Option<u32>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Which {
    Callers,
    Callees,
    Impact,
    Tests,
    Outline,
    Find,
    Cycles,
    Unused,
}

/// Places.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Places {
    n_left: u32,
    /// complete, incomplete, unknown
    state: &'static str,
    text: String,
}

impl ToolCall for Ask {
    type Output = Places;

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<Places> {
        let snapshot = toolbox.snapshot(progress)?;
        let name = self.name;
        let question = match self.question {
            Which::Cycles => Question::Cycles,
            Which::Unused => Question::Unused { all: false },
            Which::Callers => Question::Callers(name),
            Which::Callees => Question::Callees(name),
            Which::Impact => Question::impact(&snapshot.base, &name),
            Which::Tests => Question::Tests(name),
            Which::Outline => Question::Outline(name),
            Which::Find => Question::Find(name),
        };
        let limit = self.limit.unwrap_or(LIMIT).clamp(1, MAX_LIMIT) as usize;
        let answer = ask(toolbox.engine(), &snapshot, &question, limit)?;
        Ok(places(answer))
    }
}

/// An answer between fences, with as many rows as a reply holds beside what else is told.
fn places(mut answer: Answer) -> Places {
    // What JSON escapes takes two characters, and some lines get a heading.
    let size = |line: &str| line.chars().map(|c| if matches!(c, '"' | '\\') { 2 } else { 1 }).sum::<usize>() + 14;
    let beside = answer.commands.iter().chain(&answer.asides).chain(&answer.completeness.reasons);
    let n_beside: usize = beside.map(|line| size(line.as_str())).sum();
    let mut room = (MAX_CHARS - FRAME_CHARS).saturating_sub(n_beside);
    let fits = answer.rows.iter().take_while(|row| {
        let size = size(&row.to_string());
        let fits = size <= room;
        room = room.saturating_sub(size);
        fits
    });
    let n_rows = fits.count();
    answer.keep(n_rows);
    let mut writer = PacketWriter::new();
    let about = Safe::join(&answer.about, ", ");
    let head = Safe::fixed(answer.question);
    writer.line(&if about.is_empty() { head } else { Safe::format("{} of {}", &[&head, &about]) });
    writer.line(&Safe::fixed(DATA_NOTICE));
    writer.fenced(Trust::Untracked, &answer.lines());
    Places { n_left: answer.n_left as u32, state: answer.completeness.state, text: writer.finish().text }
}
