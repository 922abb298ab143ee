//! The edits made since a task began, as what the policy asks of them.

use super::change::{Change, GitData};
use super::engine::Engine;
use activate_rules::atoms::{NodeId, Thousandths};
use activate_rules::weights::QueryWeights;
use context::activation::Edits;
use error::{Problem, Result};
use index::base::FactBase;
use index::snapshot::Snapshot;
use index::text::{QueryTerm, weighted_terms};
use redact::without_masks;
use review::{ChangedFile, Diff, Patch, STAGE, Sign};
use std::sync::Arc;

/// The most words of edited lines that are looked for: the rarest.
const MAX_TERMS: usize = 48;

/// The most bytes of edited lines that are read for words.
const MAX_TEXT_BYTES: usize = 64 << 10;

/// The most files of a work tree that are compared with the last commit without being asked for: more are no edits of one task.
const MAX_FILES: usize = 200;

impl Engine {
    /// What a range of revisions changes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) for revisions that git does not have.
    pub fn patch(&self, snapshot: &Snapshot, range: &str) -> Result<Arc<Patch>> {
        let git = self.repo().git(self.alternates());
        Change::patch(self, snapshot, &git, &Diff::Range(range.to_owned()))
    }

    /// The edits that are asked for, or else what the work tree has otherwise than the last commit; none where that is nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) where what is asked for cannot be compared. What goes wrong with the work tree is a
    /// problem: nobody asked for it.
    pub(crate) fn edited(
        &self,
        snapshot: &Snapshot,
        git: &GitData,
        asked: Option<&Diff>,
        problems: &mut Vec<Problem>,
    ) -> Result<Option<Change>> {
        let found = if let Some(diff) = asked {
            Some(Change::find(self, snapshot, git, true, diff)?)
        } else {
            // Before the first commit everything is new.
            let has_commit = git.0.as_ref().and_then(|git| git.head().ok()).is_some_and(|head| head.commit.is_some());
            if !has_commit || snapshot.changes.is_empty() || snapshot.changes.len() > MAX_FILES {
                return Ok(None);
            }
            let found = Change::find(self, snapshot, git, true, &Diff::WorkTree);
            let unknown = |error: error::Error| {
                problems.push(Problem::new(STAGE, format!("what was edited so far is not known: {}", error.message)));
            };
            found.map_err(unknown).ok()
        };
        problems.extend(found.iter().flat_map(|change| change.problems.iter().cloned()));
        Ok(found)
    }
}

/// That edits were named where a change is reviewed.
pub(crate) fn review_without_edits() -> Problem {
    Problem::new(STAGE, "the task is to review a change, so the edits that were named besides are not looked at")
}

/// The edits of a change that was looked up.
pub(crate) fn edits(base: &FactBase, files: &[ChangedFile]) -> Edits {
    let sources = || files.iter().filter(|file| file.role == Thousandths::ONE.get());
    let mut edited: Vec<_> = sources().filter_map(|file| file.file).collect();
    edited.sort_unstable();
    edited.dedup();
    let mut definitions: Vec<_> = sources().flat_map(|file| &file.pieces).filter_map(|piece| piece.definition).collect();
    definitions.sort_unstable();
    definitions.dedup();
    let mut text = String::new();
    for file in sources() {
        for row in file.pieces.iter().flat_map(|piece| &piece.rows) {
            let line = match row.sign {
                Sign::Added => file.new.line(row.line),
                Sign::Removed => file.old.line(row.line),
                Sign::Kept => continue,
            };
            if text.len() + line.len() < MAX_TEXT_BYTES {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    let terms = rarest(base, &without_masks(&text), &edited);
    Edits { files: edited, definitions, terms }
}

/// The rarest words of a text that other files have than those that are edited.
fn rarest(base: &FactBase, text: &str, edited: &[NodeId]) -> Vec<QueryTerm> {
    let Ok(index) = base.text() else { return Vec::new() };
    let terms = weighted_terms(&[(text, Thousandths::ONE.get())], &QueryWeights::default());
    let elsewhere = |term: QueryTerm| {
        let n = index.n_docs_beside(&term, |doc| edited.binary_search(&NodeId(doc)).is_ok());
        (n > 0).then_some((n, term))
    };
    let mut rated: Vec<(u32, QueryTerm)> = terms.into_iter().filter_map(elsewhere).collect();
    rated.sort_by(|(n, term), (other_n, other)| n.cmp(other_n).then_with(|| term.text.cmp(&other.text)));
    rated.truncate(MAX_TERMS);
    rated.into_iter().map(|(_, term)| term).collect()
}
