//! A change as data: files with hunks of lines that were kept, removed and added.
//!
//! Must not know the repository: paths are as the patch has them.

use error::Problem;
use repo::{Mode, RepoPath};
use serde::{Deserialize, Serialize};

/// The most bytes of a patch that are read: a change of a hundred thousand lines has fewer.
pub const MAX_PATCH_BYTES: usize = 16 << 20;
/// The most files of a patch.
pub(super) const MAX_FILES: usize = 400;
/// The most hunks of a patch.
pub(super) const MAX_HUNKS: usize = 5_000;
/// The most lines of all hunks of a patch.
pub(super) const MAX_LINES: usize = 200_000;
/// The most problems of a patch that are told one by one.
pub(super) const MAX_PROBLEMS: usize = 20;

/// A change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// Where it comes from, in a few words.
    pub name: String,
    /// Its files, in the order of the patch.
    pub files: Vec<FileChange>,
    /// What was left out, and why.
    pub problems: Vec<Problem>,
    /// How many parts of the change, such as files and hunks, were left out.
    #[serde(default)]
    pub n_left_out: usize,
}

/// What a patch does to one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileChange {
    /// Where the file is before; none where it is new.
    pub old: Option<RepoPath>,
    /// Where the file is after; none where it goes.
    pub new: Option<RepoPath>,
    /// Whether it is not text, so that there are no hunks.
    pub is_binary: bool,
    /// Whether its hunks are left out, as too many lines of it change or it is too large to be read.
    pub is_large: bool,
    /// What it is before and after, where that is known.
    #[serde(default)]
    pub modes: [Option<Mode>; 2],
    /// What changes, in the order of lines.
    pub hunks: Vec<Hunk>,
}

/// What of a file no line shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModeChange {
    /// It was one thing and is another.
    To(Mode, Mode),
    /// It is not a file, before and after.
    Is(Mode),
}

/// Lines of a file that change, with some around them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hunk {
    /// The first line in the old file, from 1; where it has none of it, the line before which it stands.
    pub old_first: u32,
    /// The same in the new file.
    pub new_first: u32,
    /// The lines, in order.
    pub lines: Vec<Line>,
}

/// A line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// What becomes of it.
    pub sign: Sign,
    /// What it holds, without its end.
    pub text: String,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    /// It stays.
    Kept,
    /// It goes.
    Removed,
    /// It is new.
    Added,
}

impl Patch {
    /// Reads a patch as `git diff` and `diff -u` write it, wherever it stands in a text.
    ///
    /// Reads the first 16 MiB. What cannot be read is left out and told in [`Patch::problems`]; a text without a patch gives no files.
    pub fn parse(text: &str) -> Self {
        super::parse::parse(text)
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// How many lines are added and removed.
    pub fn n_lines(&self) -> (usize, usize) {
        let count = |sign| self.files.iter().flat_map(|file| &file.hunks).map(|hunk| hunk.count(sign)).sum();
        (count(Sign::Added), count(Sign::Removed))
    }
}

impl FileChange {
    /// What changes of it that no line shows: that it may be run now, or that it is a link or a submodule.
    pub(super) fn mode_change(&self) -> Option<ModeChange> {
        let is_plain = |mode: Option<Mode>| mode.is_none_or(Mode::is_file);
        match self.modes {
            [Some(old), Some(new)] if old != new => Some(ModeChange::To(old, new)),
            [old, new] => old.filter(|_| !is_plain(old)).or(new.filter(|_| !is_plain(new))).map(ModeChange::Is),
        }
    }

    /// Where it is, or was.
    pub fn path(&self) -> Option<&RepoPath> {
        self.new.as_ref().or(self.old.as_ref())
    }
}

impl Hunk {
    fn count(&self, sign: Sign) -> usize {
        self.lines.iter().filter(|line| line.sign == sign).count()
    }

    /// The lines of the old file, or of the new one.
    pub fn side(&self, is_old: bool) -> impl Iterator<Item = &str> {
        let other = if is_old { Sign::Added } else { Sign::Removed };
        self.lines.iter().filter(move |line| line.sign != other).map(|line| line.text.as_str())
    }
}
