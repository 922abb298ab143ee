//! `ctx_gitlog`: the newest commits that touched files of a pack.
//!
//! Must not read git: the snapshot holds its history.

use super::page::page;
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox};
use error::{Error, ErrorKind, Result};
use redact::{DATA_NOTICE, PacketWriter, Safe, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Commits where nobody says how many, and the most.
const COMMITS: u32 = 20;
const MAX_COMMITS: u32 = 200;
/// Files that are named of a commit.
const MAX_FILES: usize = 5;
/// Digits of a commit's id that are shown.
const SHA_DIGITS: usize = 12;

/// What `ctx_gitlog` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GitLog {
    /// The pack
    pack_id: String,
    /// Most commits, 20 if left out
    #[serde(default)]
    n: Option<u32>,
    /// `next_cursor` of the last part
    #[serde(default)]
    cursor: Option<String>,
}

/// Commits, newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct History {
    commits: Vec<CommitLine>,
    text: String,
    n_left: u32,
    next_cursor: Option<String>,
}

/// A commit.
#[derive(Debug, Serialize, JsonSchema)]
struct CommitLine {
    sha: String,
    /// When it was made, UTC
    time: String,
    /// Files of the pack that it touched, the first of them
    #[schemars(with = "Vec<String>")]
    files: Vec<Safe>,
}

impl ToolCall for GitLog {
    type Output = History;

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<History> {
        let pack = toolbox.pack(&self.pack_id)?;
        let n = self.n.unwrap_or(COMMITS);
        if !(1..=MAX_COMMITS).contains(&n) {
            return Err(Error::new(ErrorKind::BadInput, format!("`n` is {n}; give 1 to {MAX_COMMITS}")));
        }
        let snapshot = toolbox.snapshot(progress)?;
        let masker = snapshot.masker();
        let paths: BTreeSet<&str> = pack.places.iter().map(|place| place.path.as_str()).collect();
        let commits = snapshot.past.commits.iter().filter_map(|commit| {
            let files = commit.touched.iter().map(|(path, _)| path.as_str()).filter(|path| paths.contains(path));
            let files: Vec<Safe> = files.take(MAX_FILES).map(|path| masker.name(path)).collect();
            let sha = commit.id.get(..SHA_DIGITS).unwrap_or(&commit.id).to_owned();
            let time = jiff::Timestamp::from_second(commit.time).map(|time| time.to_string()).unwrap_or_default();
            let words = [&masker.name(&sha), &masker.name(&time), &masker.name(&commit.author), &masker.line(&commit.subject)];
            let line = Safe::format("{} {} {}: {}\n", &words);
            (!files.is_empty()).then_some((CommitLine { sha, time, files }, line))
        });
        let page = page(commits.take(n as usize).collect::<Vec<_>>(), self.cursor.as_deref())?;
        let mut writer = PacketWriter::new();
        writer.line(&Safe::fixed(DATA_NOTICE));
        let mut lines = Safe::default();
        page.items.iter().for_each(|(_, line)| lines.push(line));
        writer.fenced(Trust::CommitMessage, &lines);
        if page.n_left > 0 {
            writer.line(&Safe::format("{} more: ask with `next_cursor`", &[&Safe::number(page.n_left as i64)]));
        }
        if page.items.is_empty() {
            let why = if snapshot.head.is_none() {
                "there is no git history here"
            } else {
                "no commit that is known touched its files"
            };
            writer.line(&Safe::fixed(why));
        }
        let commits = page.items.into_iter().map(|(commit, _)| commit).collect();
        Ok(History { commits, n_left: page.n_left as u32, next_cursor: page.next, text: writer.finish().text })
    }
}
