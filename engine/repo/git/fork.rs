//! Where two commits parted: the best commit that both come from.
//!
//! Times of commits only say what is looked at first, so that clocks that went wrong change no answer.

use super::history::SHALLOW;
use super::objects::Objects;
use super::{Git, guarded, unreadable};
use error::Problem;
use gix::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The most commits that are looked at.
const MAX_COMMITS: usize = 100_000;

/// What leads to a commit, as bits.
const FROM_ONE: u8 = 1;
const FROM_OTHER: u8 = 2;
const COMMON: u8 = FROM_ONE | FROM_OTHER;
/// It is an ancestor of a commit in common, so that it is not where both parted.
const STALE: u8 = 4;

impl Git {
    /// The commit where two commits, given by their ids, parted: its id in hexadecimal. It is in common, and no ancestor of another one in
    /// common; the newest of several.
    ///
    /// # Errors
    ///
    /// Where they have none in common, and where the way to it is too long or commits on it are missing.
    pub fn fork(&self, one: &str, other: &str) -> Result<String, Problem> {
        let id = |id: &str| ObjectId::from_hex(id.as_bytes()).map_err(|error| unreadable("a commit", error));
        let (one, other) = (id(one)?, id(other)?);
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            fork(&objects, one, other)?.map(|id| id.to_string()).ok_or_else(|| {
                let why = if objects.are_shallow() { format!(": {SHALLOW}") } else { String::new() };
                Problem::new("git", format!("{one} and {other} have no commit in common{why}"))
            })
        })
    }
}

/// The newest of the commits in common that are not ancestors of others, as git's `merge-base` finds them.
pub(super) fn fork(objects: &Objects<'_>, one: ObjectId, other: ObjectId) -> Result<Option<ObjectId>, Problem> {
    let are_shallow = objects.are_shallow();
    let (marks, pending, common) = (FxHashMap::default(), BTreeSet::new(), FxHashSet::default());
    let mut walk = Walk { objects, marks, pending, common, n_open: 0 };
    walk.mark(one, FROM_ONE);
    walk.mark(other, FROM_OTHER);
    // Where all that is pending is stale and one candidate is left, no mark to come can change it.
    while walk.n_open > 0 || walk.common.len() > 1 {
        let Some((id, marks)) = walk.next() else { break };
        match objects.commit(&id) {
            Ok(commit) => {
                if marks == COMMON {
                    walk.common.insert(id);
                }
                let marks = if marks & COMMON == COMMON { marks | STALE } else { marks };
                commit.parents.into_iter().for_each(|parent| walk.mark(parent, marks));
            }
            // Git takes the end of a shallow clone for the first commit.
            Err(_) if marks & STALE != 0 || are_shallow && !objects.has(&id) => {}
            Err(problem) => return Err(problem),
        }
        if walk.marks.len() > MAX_COMMITS {
            if walk.n_open == 0 {
                break; // All that is in common is known; only clocks that went wrong could tell more of it stale.
            }
            let why = format!("more than {MAX_COMMITS} commits lie between; name a nearer commit");
            return Err(unreadable(&format!("where {one} and {other} parted"), why));
        }
    }
    Ok(walk.common.iter().copied().max_by_key(|id| (walk.time(id), *id)))
}

/// A walk over all parents that carries marks from commits to what they come from.
struct Walk<'w> {
    objects: &'w Objects<'w>,
    marks: FxHashMap<ObjectId, u8>,
    /// Commits whose marks their parents do not have yet, the newest last.
    pending: BTreeSet<(i64, ObjectId)>,
    /// Candidates: in common, and not known to be stale.
    common: FxHashSet<ObjectId>,
    /// How many of the pending ones are not stale.
    n_open: usize,
}

impl Walk<'_> {
    /// When a commit was made. Beyond the end of a shallow clone there is no time.
    fn time(&self, id: &ObjectId) -> i64 {
        self.objects.commit(id).map_or(i64::MIN, |commit| commit.time)
    }

    fn mark(&mut self, id: ObjectId, new: u8) {
        let known = self.marks.get(&id).copied().unwrap_or_default();
        if known | new == known {
            return;
        }
        let is_new = self.pending.insert((self.time(&id), id));
        let was_open = !is_new && known & STALE == 0;
        let is_open = (known | new) & STALE == 0;
        self.n_open = self.n_open + usize::from(is_open) - usize::from(was_open);
        if new & STALE != 0 {
            self.common.remove(&id);
        }
        self.marks.insert(id, known | new);
    }

    fn next(&mut self) -> Option<(ObjectId, u8)> {
        let (_, id) = self.pending.pop_last()?;
        let marks = self.marks.get(&id).copied().unwrap_or_default();
        self.n_open -= usize::from(marks & STALE == 0);
        Some((id, marks))
    }
}
