//! The lines of a file that one commit changed, and what it held.
//!
//! Must not mask anything: what it gives is for those who do.

use super::objects::{MAX_OBJECT_BYTES, Objects};
use super::{Git, guarded, head_id, unreadable};
use crate::RepoPath;
use error::Problem;
use gix::ObjectId;
use gix::objs::FindHeader as _;
use gix::objs::tree::EntryMode;
use gix_imara_diff::sources::byte_lines;
use gix_imara_diff::{Algorithm, Diff, InternedInput};
use serde::{Deserialize, Serialize};

/// Most bytes of changed lines of one commit in one file; the ranges after it are left out.
const MAX_CHANGED_BYTES: usize = 256 * 1024;

/// The lines of a file that a commit changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedLines {
    /// In ascending order, in the file as the commit left it.
    pub ranges: Vec<LineRange>,
    /// Whether ranges were left out because the change is too large.
    pub cut: bool,
}

/// Lines of a file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LineRange {
    /// The first line.
    pub first: u32,
    /// The last line. Lines that were only removed leave an empty range: `last` is the line before them, one less than `first`.
    pub last: u32,
}

/// A place where a file differs from what it was. An empty range tells the line before it by its `last`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hunk {
    /// The lines that were there.
    pub before: LineRange,
    /// The lines that stand in their place.
    pub after: LineRange,
}

impl Git {
    /// What the commit with this id, in hexadecimal, changed in `path` against its first parent: the places, and both texts.
    ///
    /// Places as `git diff` shows them. `None` where the file is not there before and after; a problem where one of both is missing or has
    /// more than `max_bytes`.
    ///
    /// # Errors
    ///
    /// That git's objects cannot be read or are larger than `max_bytes` allows to compare.
    pub fn diff(&self, commit: &str, path: &RepoPath, max_bytes: u64) -> Result<Option<FileDiff>, Problem> {
        guarded(|| {
            let id = ObjectId::from_hex(commit.as_bytes()).map_err(|error| unreadable("a commit", error))?;
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let after = objects.commit(&id)?;
            let Some(parent) = after.parents.first() else { return Ok(None) };
            let old = file_id(&objects, objects.commit(parent)?.tree, path)?;
            let new = file_id(&objects, after.tree, path)?;
            let (Some(old), Some(new)) = (old, new) else { return Ok(None) };
            let (old, new) = (objects.blob(&old, max_bytes)?, objects.blob(&new, max_bytes)?);
            Ok(Some(FileDiff { hunks: hunks(&old, &new), old, new }))
        })
    }

    /// A file of the last commit; none where it has none at that path.
    ///
    /// # Errors
    ///
    /// That git's objects cannot be read.
    pub fn file(&self, path: &RepoPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Problem> {
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let Some(head) = head_id(self, &repository)? else { return Ok(None) };
            let id = file_id(&objects, objects.commit(&head)?.tree, path)?;
            id.map(|id| objects.blob(&id, max_bytes)).transpose()
        })
    }

    /// Whether the commit has a file of more bytes at `path`. What cannot be looked at is none.
    pub fn has_larger(&self, path: &RepoPath, max_bytes: u64) -> bool {
        let size = || {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let Some(head) = head_id(self, &repository)? else { return Ok(0) };
            let id = file_id(&objects, objects.commit(&head)?.tree, path)?;
            let header = id.and_then(|id| repository.objects.try_header(&id).ok().flatten());
            Ok(header.map_or(0, |header| header.size))
        };
        guarded(size).is_ok_and(|size| size > max_bytes)
    }

    /// The lines of `path` that the commit with this id, in hexadecimal, changed against its first parent.
    ///
    /// Empty where it did not touch the file or deleted it. A problem where an object is missing or larger than 1 MiB.
    ///
    /// # Errors
    ///
    /// That git's objects cannot be read.
    pub fn changed_lines(&self, commit: &str, path: &RepoPath) -> Result<ChangedLines, Problem> {
        guarded(|| {
            let id = ObjectId::from_hex(commit.as_bytes()).map_err(|error| unreadable("a commit", error))?;
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let after = objects.commit(&id)?;
            let new = file_id(&objects, after.tree, path)?;
            let old = match after.parents.first() {
                Some(parent) => file_id(&objects, objects.commit(parent)?.tree, path)?,
                None => None,
            };
            let Some(new) = new.filter(|new| old != Some(*new)) else { return Ok(ChangedLines::default()) };
            let old = old.map_or_else(|| Ok(Vec::new()), |old| objects.blob(&old, MAX_OBJECT_BYTES))?;
            Ok(compare(&old, &objects.blob(&new, MAX_OBJECT_BYTES)?))
        })
    }
}

/// The text at `path` below a tree; none where that is a folder, a link or a submodule.
fn file_id(objects: &Objects<'_>, tree: ObjectId, path: &RepoPath) -> Result<Option<ObjectId>, Problem> {
    Ok(entry_at(objects, tree, path)?.filter(|(mode, _)| mode.is_blob()).map(|(_, id)| id))
}

/// What stands at `path` below a tree, be it a folder.
pub(super) fn entry_at(objects: &Objects<'_>, tree: ObjectId, path: &RepoPath) -> Result<Option<(EntryMode, ObjectId)>, Problem> {
    let path = path.to_bytes();
    let mut components = path.split(|byte| *byte == b'/').peekable();
    let mut buffer = Vec::new();
    let mut id = tree;
    while let Some(name) = components.next() {
        let entry = objects.tree(&id, &mut buffer)?.filter_map(Result::ok).find(|entry| entry.filename == name);
        match entry {
            Some(entry) if components.peek().is_none() => return Ok(Some((entry.mode, entry.oid.to_owned()))),
            Some(entry) if entry.mode.is_tree() => id = entry.oid.to_owned(),
            _ => break,
        }
    }
    Ok(None)
}

/// A file before and after a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff {
    /// Where it differs, in ascending order.
    pub hunks: Vec<Hunk>,
    /// What it held.
    pub old: Vec<u8>,
    /// What it holds.
    pub new: Vec<u8>,
}

/// Where two texts differ, in ascending order.
pub fn hunks(old: &[u8], new: &[u8]) -> Vec<Hunk> {
    let input = InternedInput::new(byte_lines(old), byte_lines(new));
    let lines = |range: std::ops::Range<u32>| LineRange { first: range.start + 1, last: range.end };
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    diff.hunks().map(|hunk| Hunk { before: lines(hunk.before), after: lines(hunk.after) }).collect()
}

fn compare(old: &[u8], new: &[u8]) -> ChangedLines {
    let input = InternedInput::new(byte_lines(old), byte_lines(new));
    let mut changed = ChangedLines::default();
    let mut n_bytes = 0;
    for hunk in Diff::compute(Algorithm::Histogram, &input).hunks() {
        let lines = input.after.get(hunk.after.start as usize..hunk.after.end as usize).unwrap_or_default();
        n_bytes += lines.iter().map(|line| input.interner[*line].len()).sum::<usize>();
        if n_bytes > MAX_CHANGED_BYTES {
            changed.cut = true;
            break;
        }
        changed.ranges.push(LineRange { first: hunk.after.start + 1, last: hunk.after.end });
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(old: &str, new: &str) -> Vec<(u32, u32)> {
        compare(old.as_bytes(), new.as_bytes()).ranges.iter().map(|range| (range.first, range.last)).collect()
    }

    #[test]
    fn ranges_count_from_one_in_the_new_file_and_a_removal_is_empty() {
        assert_eq!(ranges("a\nb\nc\n", "a\nB\nc\nd\n"), [(2, 2), (4, 4)]);
        assert_eq!(ranges("a\nb\nc\n", "a\nc\n"), [(2, 1)]);
        assert_eq!(ranges("", "a\nb"), [(1, 2)]);
    }

    #[test]
    fn a_change_beyond_the_limit_is_cut_and_says_so() {
        let new = format!("x\nsame\n{}", "y\n".repeat(MAX_CHANGED_BYTES));
        let changed = compare(b"a\nsame\n", new.as_bytes());
        assert_eq!((changed.ranges.len(), changed.cut), (1, true));
    }
}
