//! `ctx_logs`: what tests and tools wrote, as far as a pack keeps it.
//!
//! Must not open a log: what was given when the pack was made is kept with it, masked.

use super::page::page;
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox};
use error::{Error, ErrorKind, Result};
use redact::{DATA_NOTICE, Masker, PacketWriter, Safe, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lines where nobody says how many, and the most.
const TAIL: u32 = 200;
const MAX_TAIL: u32 = 2_000;
/// Sources that are named to somebody who asks for one that does not exist.
const MAX_NAMED: usize = 10;

/// What `ctx_logs` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Logs {
    /// The pack
    pack_id: String,
    /// tests, diagnostics, a tool, a runner or a test; all if left out
    #[serde(default)]
    source: Option<String>,
    /// Last lines, 200 if left out
    #[serde(default)]
    tail: Option<u32>,
    /// `next_cursor` of the last part
    #[serde(default)]
    cursor: Option<String>,
}

/// Lines.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Written {
    n_lines: u32,
    n_left: u32,
    next_cursor: Option<String>,
    text: String,
}

/// What somebody wrote.
struct Log {
    /// Names by which it is asked for.
    sources: [String; 3],
    lines: Vec<Safe>,
}

impl ToolCall for Logs {
    type Output = Written;

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<Written> {
        let pack = toolbox.pack(&self.pack_id)?;
        let tail = self.tail.unwrap_or(TAIL);
        if !(1..=MAX_TAIL).contains(&tail) {
            return Err(Error::new(ErrorKind::BadInput, format!("`tail` is {tail}; give 1 to {MAX_TAIL}")));
        }
        // What it knows is masked.
        let snapshot = toolbox.snapshot(progress)?;
        let masker = snapshot.masker();
        let tests = pack.asked.tests.iter().map(|test| Log {
            sources: ["tests".to_owned(), test.runner.clone(), test.name.clone()],
            lines: lines(masker, &test.name, &test.message),
        });
        let diagnostics = pack.asked.diagnostics.iter().map(|diagnostic| Log {
            sources: ["diagnostics".to_owned(), diagnostic.tool.clone(), diagnostic.code.clone()],
            lines: lines(masker, &diagnostic.code, &diagnostic.message),
        });
        let logs: Vec<Log> = tests.chain(diagnostics).collect();
        let is_wanted = |log: &&Log| self.source.as_ref().is_none_or(|source| log.sources.contains(source));
        let lines: Vec<Safe> = logs.iter().filter(is_wanted).flat_map(|log| log.lines.clone()).collect();
        if lines.is_empty() && !logs.is_empty() {
            return Err(none(masker, &logs));
        }
        let from = lines.len().saturating_sub(tail as usize);
        let page = page(lines[from..].to_vec(), self.cursor.as_deref())?;
        let mut writer = PacketWriter::new();
        if logs.is_empty() {
            writer.line(&Safe::fixed("nothing that tools wrote was given when the pack was made: give `context` what they say"));
        }
        writer.line(&Safe::fixed(DATA_NOTICE));
        writer.fenced(Trust::Log, &Safe::join(&page.items, "\n"));
        if page.n_left > 0 {
            writer.line(&Safe::format("{} more lines: ask with `next_cursor`", &[&Safe::number(page.n_left as i64)]));
        }
        let n_lines = page.items.len() as u32;
        Ok(Written { n_lines, n_left: page.n_left as u32, next_cursor: page.next, text: writer.finish().text })
    }
}

/// The lines of a message below the name of who wrote it.
fn lines(masker: &Masker, name: &str, message: &str) -> Vec<Safe> {
    let head = Safe::format("== {}", &[&masker.name(name)]);
    [head].into_iter().chain(masker.message(message).lines()).collect()
}

/// That others wrote something.
fn none(masker: &Masker, logs: &[Log]) -> Error {
    let mut names: Vec<&String> = logs.iter().flat_map(|log| &log.sources).filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    let shown: Vec<Safe> = names.iter().take(MAX_NAMED).map(|name| masker.name(name)).collect();
    let message = format!("`source` wrote nothing; those that did are {}", Safe::join(&shown, ", "));
    Error::new(ErrorKind::BadInput, message)
}
