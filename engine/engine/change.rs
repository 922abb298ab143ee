//! From what is asked to be reviewed to what is known of it: compared or given, looked up in the files, masked.
//!
//! Until it is a [`Review`], a change holds its secrets.

use crate::engine::Engine;
use activate_rules::atoms::{NodeId, Thousandths};
use activate_rules::weights::ChangeWeights;
use error::{Error, ErrorKind, Problem, Result};
use index::history::partners;
use index::snapshot::Snapshot;
use redact::{Gathered, Masker};
use repo::{Git, RepoPath};
use review::{Asked, ChangedFile, Diff, Files, Patch, Placed, Review, STAGE, States, changed_files, compare, effects, place};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The git data of a repository, and what could not be used of it.
pub(crate) type GitData = (Option<Git>, Vec<Problem>);

/// A change as it stands in the files, with its secrets.
pub(crate) struct Change {
    name: String,
    files: Vec<Placed>,
    /// What was left out of it, and what of it stands nowhere.
    pub(crate) problems: Vec<Problem>,
    /// How many parts of it were left out.
    pub(crate) n_left_out: usize,
}

impl Change {
    /// The change that is asked for, looked up in the files as they are.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for revisions that git does not have, and for a change that is empty unless it `may_be_empty`.
    pub(crate) fn find(engine: &Engine, snapshot: &Snapshot, git: &GitData, may_be_empty: bool, diff: &Diff) -> Result<Self> {
        let base = &snapshot.base;
        let patch = Self::patch(engine, snapshot, git, diff)?;
        if patch.is_empty() {
            let why: Vec<String> = patch.problems.iter().map(|problem| format!("; {}", problem.message)).collect();
            let why = why.concat();
            let message = match diff {
                Diff::Patch(_) => format!("no change was found in the patch; give what `git diff` or `diff -u` writes{why}"),
                Diff::WorkTree | Diff::Range(_) => {
                    let what = if patch.n_left_out == 0 { "nothing changed" } else { "no file that could be compared changed" };
                    format!("{what} from {}; name another range, such as `main..HEAD`{why}", patch.name)
                }
            };
            if !may_be_empty {
                return Err(Error::new(ErrorKind::BadInput, message));
            }
            let problems = vec![Problem::new(STAGE, message)];
            return Ok(Self { name: patch.name.clone(), files: Vec::new(), problems, n_left_out: patch.n_left_out });
        }
        let read = |file: NodeId| engine.bytes(snapshot, file).map_err(|error| error.message);
        let is_exact = !matches!(diff, Diff::Patch(_));
        let (files, mut problems) = place(&Files { base, is_exact, read: &read }, &patch);
        problems.splice(0..0, patch.problems.iter().cloned());
        Ok(Self { name: patch.name.clone(), files, problems, n_left_out: patch.n_left_out })
    }

    /// A difference as lines that are removed and added.
    pub(crate) fn patch(engine: &Engine, snapshot: &Snapshot, git: &GitData, diff: &Diff) -> Result<Arc<Patch>> {
        let bytes = |file: NodeId| engine.bytes(snapshot, file).ok();
        let read = |path: &RepoPath, max| engine.repo().read(path, max);
        let find = |path: &RepoPath| engine.repo().find(path);
        let is_at_commit = engine.repo().is_at_commit();
        let (base, changes) = (&snapshot.base, snapshot.changes.as_slice());
        let states = States { base, changes, git, is_at_commit, bytes: &bytes, read: &read, find: &find };
        Ok(match diff {
            Diff::WorkTree => Arc::new(compare(&states, None)?),
            Diff::Range(range) => Arc::new(compare(&states, Some(range))?),
            Diff::Patch(patch) => Arc::clone(patch),
        })
    }

    /// The secrets of both sides that no file gives away.
    pub(crate) fn secrets(&self, snapshot: &Snapshot) -> Gathered {
        let of = |file: &Placed| {
            let old_name = file.from.as_deref().unwrap_or(&file.path);
            Gathered::of(old_name, &file.old).joined(Gathered::of(&file.path, &file.new))
        };
        let gathered = self.files.iter().map(of).fold(Gathered::default(), Gathered::joined);
        gathered.without(snapshot.masker().known())
    }

    /// The files that change, with their definitions. Their texts are masked.
    pub(crate) fn changed(self, snapshot: &Snapshot, masker: &Masker) -> Vec<ChangedFile> {
        changed_files(&snapshot.base, self.files, &BTreeSet::new(), masker, &ChangeWeights::default())
    }

    /// What the change does. The texts of its files are masked here; names and paths are masked where they are shown.
    pub(crate) fn review(self, engine: &Engine, snapshot: &Snapshot, masker: &Masker, weights: &ChangeWeights) -> Review {
        let base = &snapshot.base;
        let read = |file: NodeId| engine.bytes(snapshot, file).ok();
        let effects = effects(&Asked { base, read: &read }, &self.files);
        let files = changed_files(base, self.files, &effects.at_large, masker, weights);
        let mut review =
            Review { name: self.name, files, removed: effects.removed, n_gone: effects.n_gone, partners: Vec::new() };
        let is_source = |file: &&ChangedFile| file.role == Thousandths::ONE.get();
        let sources: Vec<NodeId> = review.files.iter().filter(is_source).filter_map(|file| file.file).collect();
        let least = (weights.together.get(), weights.least_together);
        review.partners = partners(base, &snapshot.past, &sources, |file| review.has(file), least);
        review
    }
}
