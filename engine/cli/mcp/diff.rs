//! `ctx_diff`: what differs between a commit and the files as they are now, as a unified diff.
//!
//! Only masked texts are compared, and git never runs a filter.

use super::page::page;
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox};
use error::{Error, ErrorKind, Problem, Result};
use index::snapshot::{Progress, Snapshot};
use redact::{DATA_NOTICE, Gathered, LongLines, Masker, PacketWriter, Redacted, Safe, Trust};
use repo::{ChangeKind, Git, Hunk, LineRange, RepoPath, hunks};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most bytes of a file that is compared.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// The most files whose lines are compared; more are counted.
const MAX_FILES: usize = 400;
/// The most files that are looked at for lines that differ: many of those that changed may be no text.
const MAX_MOVED: usize = 4_000;
/// What is said where there are more.
const TOO_MANY: &str = "there are more changes than are compared; name a nearer commit";
/// The most lines of a diff; more are counted.
const MAX_LINES: usize = 5_000;
/// The most files that are named of those that cannot be compared.
const MAX_PROBLEMS: usize = 10;
/// Unchanged lines around changed ones, as in every diff.
const CONTEXT: u32 = 3;

/// What `ctx_diff` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Diff {
    /// The pack
    pack_id: String,
    /// A commit: HEAD (default), an id, a tag, a branch, with ~N or ^ behind it
    #[serde(default, rename = "ref")]
    reference: Option<String>,
    /// `next_cursor` of the last part
    #[serde(default)]
    cursor: Option<String>,
}

/// A unified diff.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Differing {
    /// Files that differ
    n_files: u32,
    n_left: u32,
    next_cursor: Option<String>,
    text: String,
}

/// A file that differs: where it was and where it is.
struct Moved {
    old: Option<RepoPath>,
    new: Option<RepoPath>,
}

impl ToolCall for Diff {
    type Output = Differing;

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<Differing> {
        let pack = toolbox.pack(&self.pack_id)?;
        let snapshot = toolbox.snapshot(progress)?;
        let reference = self.reference.as_deref().unwrap_or("HEAD");
        let refused = |problem: Problem| Error::new(ErrorKind::BadInput, format!("`ref`: {}", problem.message));
        let (git, problems) = toolbox.engine().repo().git(toolbox.engine().alternates());
        let git = git.ok_or_else(|| {
            let why = problems.first().map_or("there is no git history here", |problem| problem.message.as_str());
            Error::new(ErrorKind::BadInput, format!("nothing can be compared: {why}"))
        })?;
        let then = git.at(reference).map_err(refused)?;
        let mut moved = moved(&snapshot, git.different(reference).map_err(refused)?.into_iter().map(|(path, _)| path));
        let own: FxHashSet<&str> = pack.places.iter().map(|place| place.path.as_str()).collect();
        moved.sort_by_key(|moved| (!moved.paths().any(|path| own.contains(path.as_str())), moved.paths().next().cloned()));
        // What either side gives away is masked in both.
        let mut has_more = moved.len() > MAX_MOVED;
        moved.truncate(MAX_MOVED);
        let mut problems: Vec<Safe> = Vec::new();
        let old_secrets = |(n_done, file): (usize, &Moved)| {
            progress(Progress::Reading(n_done, moved.len()));
            file.gives(&then).map(|gathered| gathered.without(snapshot.masker().known()))
        };
        let given = moved.iter().enumerate().filter_map(old_secrets).fold(Gathered::default(), Gathered::joined);
        let masker = snapshot.masker().with(given);
        let mut lines = Vec::new();
        let (mut n_files, n_moved) = (0, moved.len());
        for (n_done, moved) in moved.iter().enumerate() {
            progress(Progress::Reading(n_done, n_moved));
            if n_files >= MAX_FILES || lines.len() >= MAX_LINES {
                has_more = true;
                break;
            }
            match moved.diff(toolbox, &snapshot, &masker, &then) {
                Ok(diff) if diff.is_empty() => {}
                Ok(diff) => {
                    n_files += 1;
                    lines.extend(diff);
                }
                Err(why) => problems.push(why),
            }
        }
        problems.extend(has_more.then(|| Safe::fixed(TOO_MANY)));
        let page = page(lines, self.cursor.as_deref())?;
        let n_files = n_files as u32;
        let mut writer = PacketWriter::new();
        writer.line(&Safe::format("{} files differ from {}", &[&Safe::number(n_files), &masker.name(reference)]));
        writer.line(&Safe::fixed(DATA_NOTICE));
        writer.fenced(Trust::Untracked, &Safe::join(&page.items, "\n"));
        problems.iter().take(MAX_PROBLEMS).for_each(|problem| writer.line(&Safe::format("not compared: {}", &[problem])));
        if page.n_left > 0 {
            writer.line(&Safe::format("{} more lines: ask with `next_cursor`", &[&Safe::number(page.n_left as i64)]));
        }
        Ok(Differing { n_files, n_left: page.n_left as u32, next_cursor: page.next, text: writer.finish().text })
    }
}

/// The files that can differ: what commits changed, and what the work tree has otherwise.
fn moved(snapshot: &Snapshot, touched: impl Iterator<Item = RepoPath>) -> Vec<Moved> {
    let mut moved = Vec::new();
    let mut known: FxHashSet<RepoPath> = FxHashSet::default();
    for change in &snapshot.changes {
        known.insert(change.path.clone());
        let old = match &change.kind {
            ChangeKind::Renamed { from } => {
                known.insert(from.clone());
                from.clone()
            }
            _ => change.path.clone(),
        };
        let new = (change.kind != ChangeKind::Deleted).then(|| change.path.clone());
        moved.push(Moved { old: Some(old), new });
    }
    moved.extend(touched.filter(|path| !known.contains(path)).map(|path| Moved { old: Some(path.clone()), new: Some(path) }));
    moved
}

impl Moved {
    fn paths(&self) -> impl Iterator<Item = &RepoPath> {
        self.new.iter().chain(&self.old)
    }

    /// The secrets of what it was, where that is text.
    fn gives(&self, then: &Git) -> Option<Gathered> {
        let path = self.old.as_ref()?;
        let bytes = then.file(path, MAX_FILE_BYTES).ok()??;
        (!bytes.contains(&0)).then(|| Gathered::of(path.as_str(), &String::from_utf8_lossy(&bytes)))
    }

    /// The lines that differ, with a head; none where nothing does.
    fn diff(&self, toolbox: &Toolbox, snapshot: &Snapshot, masker: &Masker, then: &Git) -> std::result::Result<Vec<Safe>, Safe> {
        let name = |path: &Option<RepoPath>| path.as_ref().map(|path| masker.name(path.as_str())).unwrap_or_default();
        let failed = |path: &Option<RepoPath>, why: &str| Safe::format("{}: {}", &[&name(path), &masker.line(why)]);
        let old = match &self.old {
            Some(path) => then.file(path, MAX_FILE_BYTES).map_err(|problem| failed(&self.old, &problem.message))?,
            None => None,
        };
        if old.as_ref().is_some_and(|bytes| bytes.contains(&0)) {
            return Err(failed(&self.old, "it is not text"));
        }
        let old = old.map(|bytes| masker.file(self.old.as_ref().map_or("", |path| path.as_str()), &bytes));
        let new = match &self.new {
            Some(path) => toolbox.engine().text_at(snapshot, masker, path),
            None => Ok(None),
        };
        let new = new.map_err(|error| failed(&self.new, &error.message))?;
        let (before, after) = (old.as_ref().map_or("", Redacted::as_str), new.as_ref().map_or("", Redacted::as_str));
        let is_moved = self.new.is_some() && self.old != self.new;
        if before == after && old.is_some() == new.is_some() && !is_moved {
            return Ok(Vec::new());
        }
        let side = |letter: &'static str, path: &Option<RepoPath>, is_there: bool| {
            if is_there { Safe::format("{}/{}", &[&Safe::fixed(letter), &name(path)]) } else { Safe::fixed("/dev/null") }
        };
        let mut lines = vec![
            Safe::format("--- {}", &[&side("a", &self.old, old.is_some())]),
            Safe::format("+++ {}", &[&side("b", &self.new, new.is_some())]),
        ];
        let texts = Texts { old: old.as_ref(), new: new.as_ref() };
        for group in groups(&hunks(before.as_bytes(), after.as_bytes())) {
            texts.write(group, &mut lines);
        }
        Ok(lines)
    }
}

/// Both sides of a file.
struct Texts<'t> {
    old: Option<&'t Redacted>,
    new: Option<&'t Redacted>,
}

impl Texts<'_> {
    /// Writes changes that stand near each other, with what stands around them.
    fn write(&self, group: &[Hunk], lines: &mut Vec<Safe>) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
        let above = CONTEXT.min(first.before.first - 1).min(first.after.first - 1);
        let n_old = self.old.map_or(0, Redacted::n_lines);
        let below = CONTEXT.min(n_old.saturating_sub(last.before.last));
        let range = |first: LineRange, last: LineRange| {
            let (from, to) = (first.first - above, last.last + below);
            let n_lines = (to + 1).saturating_sub(from);
            // Of no lines, the one before them is named.
            let from = if n_lines == 0 { from.saturating_sub(1) } else { from };
            Safe::format("{},{}", &[&Safe::number(from), &Safe::number(n_lines)])
        };
        let (old, new) = (range(first.before, last.before), range(first.after, last.after));
        lines.push(Safe::format("@@ -{} +{} @@", &[&old, &new]));
        let mut next = first.before.first - above;
        for hunk in group {
            lines.extend((next..hunk.before.first).map(|line| row(" ", self.old, line)));
            lines.extend((hunk.before.first..=hunk.before.last).map(|line| row("-", self.old, line)));
            lines.extend((hunk.after.first..=hunk.after.last).map(|line| row("+", self.new, line)));
            next = hunk.before.last + 1;
        }
        lines.extend((next..next + below).map(|line| row(" ", self.old, line)));
    }
}

/// A line of a text behind a sign.
fn row(sign: &'static str, text: Option<&Redacted>, line: u32) -> Safe {
    let code = text.map(|text| Safe::code(text, line..=line, LongLines::Cut)).unwrap_or_default();
    let code = code.lines().next().unwrap_or_default();
    Safe::format("{}{}", &[&Safe::fixed(sign), &code])
}

/// Changes that share their surroundings.
fn groups(hunks: &[Hunk]) -> Vec<&[Hunk]> {
    hunks.chunk_by(|one, other| other.before.first - one.before.last <= 2 * CONTEXT + 1).collect()
}
