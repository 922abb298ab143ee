//! A change to be reviewed: what it changes, in which definitions, what it takes away that is still used, and what usually changes with it.
//!
//! - [`Patch`] is a change as lines that were removed and added: read from a text, or made by comparing two states of the repository.
//! - [`Review`] is a patch that was looked up in the files as they are: hunks with their definitions, and what follows from them.
//!
//! The texts of a review are masked, on both sides; its names and paths are not.

mod around;
pub mod compare;
mod fit;
mod hunks;
mod locate;
mod moves;
mod parse;
mod patch;
mod pieces;
mod removed;
mod renames;
mod targets;
mod uses;

#[cfg(test)]
mod tests;

pub use patch::{FileChange, Hunk, Line, MAX_PATCH_BYTES, ModeChange, Patch, Sign};
pub use pieces::{Piece, Row};
pub use removed::Removed;

pub use compare::{States, compare};
pub use locate::{Files, Placed, place};
pub use removed::{Asked, effects};
pub use targets::{files as changed_files, targets};

use activate_rules::atoms::NodeId;
use index::history::Partner;
use redact::Redacted;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The stage of problems with a change.
pub const STAGE: &str = "diff";

/// Which change is to be reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Diff {
    /// What the work tree has otherwise than the last commit, files that git does not know among it.
    WorkTree,
    /// `BASE..HEAD`, `BASE...HEAD` (since both parted), or one revision: what the work tree has otherwise.
    Range(String),
    /// A patch, whether it is applied or not.
    Patch(Arc<Patch>),
}

/// The most lines of a patch that are kept with a pack, so that it can be made again: more than anyone reviews at once.
const MAX_KEPT: usize = 20_000;

impl Diff {
    /// What a text means: nothing the work tree, several lines a patch, and one line a range.
    pub fn of(text: &str) -> Self {
        match text.trim() {
            "" => Self::WorkTree,
            range if !range.contains('\n') => Self::Range(range.to_owned()),
            _ => Self::Patch(Arc::new(Patch { name: "patch".to_owned(), ..Patch::parse(text) })),
        }
    }

    /// The same, where a patch that is too large to be kept with a pack is empty: a request that is made again says so.
    #[must_use]
    pub fn kept(self) -> Self {
        if self.can_be_kept() {
            return self;
        }
        Self::Patch(Arc::new(Patch { name: "patch too large to be kept".to_owned(), ..Patch::parse("") }))
    }

    /// Whether it is small enough to be kept with a pack.
    pub fn can_be_kept(&self) -> bool {
        match self {
            Self::WorkTree | Self::Range(_) => true,
            Self::Patch(patch) => {
                patch.files.iter().flat_map(|file| &file.hunks).map(|hunk| hunk.lines.len()).sum::<usize>() <= MAX_KEPT
            }
        }
    }
}

/// A change as it stands in the repository.
#[derive(Debug, Clone, Default)]
pub struct Review {
    /// What is compared, in a few words.
    pub name: String,
    /// The files that it changes: source first, then by how much is changed, then by path.
    pub files: Vec<ChangedFile>,
    /// Definitions that it takes away and that are used all the same.
    pub removed: Vec<Removed>,
    /// How many definitions it takes away, used or not.
    pub n_gone: usize,
    /// Files that usually change with its files and are not in it, the surest first.
    pub partners: Vec<Partner>,
}

/// A file of a change.
#[derive(Debug, Clone)]
pub struct ChangedFile {
    /// Where it is; where it was, if it is gone.
    pub path: String,
    /// Where it was, if that is another place.
    pub from: Option<String>,
    /// What happens to it.
    pub kind: ChangedKind,
    /// What of it no line shows.
    pub mode: Option<ModeChange>,
    /// The file as it is now; none if it is not there.
    pub file: Option<NodeId>,
    /// Whether it still is as it was before the change.
    pub is_old: bool,
    /// Lines that are added.
    pub n_added: u32,
    /// Lines that are removed.
    pub n_removed: u32,
    /// How much it counts against source of the program, in thousandths.
    pub role: u32,
    /// Whether something of it changes that is of no definition, so that whoever imports it may notice.
    pub is_at_large: bool,
    /// Its hunks, cut where one definition ends and another begins, in the order of lines.
    pub pieces: Vec<Piece>,
    /// The masked text before the change.
    pub old: Redacted,
    /// The masked text after the change.
    pub new: Redacted,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangedKind {
    /// It is new.
    Added,
    /// It goes.
    Deleted,
    /// Its lines change, or nothing that can be shown.
    Modified,
    /// It gets another place.
    Renamed,
    /// It is not text.
    Binary,
    /// It has more changed lines than are read.
    Large,
}

impl Review {
    /// How many lines are added and removed in all.
    pub fn n_lines(&self) -> (u32, u32) {
        let sum = |of: fn(&ChangedFile) -> u32| self.files.iter().map(of).fold(0, u32::saturating_add);
        (sum(|file| file.n_added), sum(|file| file.n_removed))
    }

    /// Whether the change touches a file.
    pub fn has(&self, file: NodeId) -> bool {
        self.files.iter().any(|changed| changed.file == Some(file))
    }
}
