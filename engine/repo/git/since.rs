//! What commits since another one touched, over all parents, and what is different now.
//!
//! What cannot be told whole is an error: a list with holes would clear who is not.

use super::fork::fork;
use super::history::{Before, Touched};
use super::objects::Objects;
use super::{Git, Touch, guarded, head_id, unreadable};
use crate::RepoPath;
use error::Problem;
use gix::ObjectId;
use gix::diff::tree::State;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The most commits that are looked through.
const MAX_COMMITS: usize = 100_000;

/// What was reached from a commit, as bits.
const FROM_HEAD: u8 = 1;
const FROM_BASE: u8 = 2;

/// What happened since a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Since {
    /// The id of that commit in hexadecimal.
    pub base: String,
    /// The files that each commit since touched: its id, newest first, with the files by path. Commits of two parents bring theirs.
    pub commits: Vec<(String, Vec<(RepoPath, Touch)>)>,
    /// The files that differ between that commit and the last one, by path.
    pub different: Vec<(RepoPath, Touch)>,
}

impl Git {
    /// The files that differ between the commit `base`, named as for [`Git::since`], and the last one, whichever comes from which.
    ///
    /// # Errors
    ///
    /// That there is no such commit, or that git's objects cannot be read.
    pub fn different(&self, base: &str) -> Result<Vec<(RepoPath, Touch)>, Problem> {
        let base = self.at(base)?.at.ok_or_else(|| unreadable(&format!("`{base}`"), "it is not a commit"))?;
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let Some(head) = head_id(self, &repository)? else { return Ok(Vec::new()) };
            between(&objects, Before::Tree(objects.commit(&base)?.tree), head, &format!("what is different since {base}"))
        })
    }

    /// What the commits since `base` touched: those that the last commit leads to and `base` does not. `base` is named as for
    /// [`Repo::open_at`](crate::Repo::open_at).
    ///
    /// # Errors
    ///
    /// Where there is no such commit, where the last commit does not come from it, where a commit or tree is missing, and where more files or
    /// commits are touched than are looked at.
    pub fn since(&self, base: &str) -> Result<Since, Problem> {
        let base = self.at(base)?.at.ok_or_else(|| unreadable(&format!("`{base}`"), "it is not a commit"))?;
        guarded(|| {
            let repository = self.repository.to_thread_local();
            let objects = Objects::new(&repository);
            let Some(head) = head_id(self, &repository)? else { return Ok(Since::default()) };
            let mut since = Since { base: base.to_string(), ..Since::default() };
            let newer = newer(&objects, head, base)?;
            let tree = |id: &ObjectId| Ok::<_, Problem>(Before::Tree(objects.commit(id)?.tree));
            since.different = between(&objects, tree(&base)?, head, &format!("what is different since {base}"))?;
            for id in newer {
                let parents = objects.commit(&id)?.parents;
                let before = match parents.as_slice() {
                    [] => Before::Nothing,
                    [parent] => tree(parent)?,
                    // What a merge brings is in the commits that it merges; what it adds itself is in what is different.
                    _ => continue,
                };
                since.commits.push((id.to_string(), between(&objects, before, id, &format!("commit {id}"))?));
            }
            Ok(since)
        })
    }
}

/// The files that differ between two trees.
fn between(objects: &Objects<'_>, before: Before, after: ObjectId, what: &str) -> Result<Vec<(RepoPath, Touch)>, Problem> {
    let after = objects.commit(&after)?.tree;
    let touched = Touched::between(objects, before, &after, &mut State::default());
    let touched = touched.ok_or_else(|| unreadable(what, "a tree of it is missing"))?;
    if touched.is_bulk() {
        return Err(unreadable(what, "it touches more files than are listed; name a nearer commit"));
    }
    Ok(touched.into_files())
}

/// The commits that `head` leads to and `base` does not, newest first. Fails where `head` does not come from `base`: what is different then
/// was done by others, and what was taken back cannot be seen.
fn newer(objects: &Objects<'_>, head: ObjectId, base: ObjectId) -> Result<Vec<ObjectId>, Problem> {
    let (reached, order) = reached(objects, head, base)?;
    if reached.get(&base) == Some(&(FROM_HEAD | FROM_BASE)) {
        return Ok(order);
    }
    let message = fork(objects, head, base)?.map_or_else(
        || format!("the last commit does not come from {base}, and the two have no commit in common"),
        |fork| {
            format!(
                "the last commit does not come from {base}, but both come from {fork}: name that one if the other went on by itself; \
                 else history was rewritten"
            )
        },
    );
    Err(Problem::new("git", message))
}

/// From which of two commits others were reached, as far as `head` alone leads; and these, newest first.
fn reached(objects: &Objects<'_>, head: ObjectId, base: ObjectId) -> Result<(FxHashMap<ObjectId, u8>, Vec<ObjectId>), Problem> {
    // Beyond the end of a shallow clone there is no time.
    let time = |id: &ObjectId| objects.commit(id).map_or(i64::MIN, |commit| commit.time);
    let mut reached: FxHashMap<ObjectId, u8> = FxHashMap::default();
    *reached.entry(head).or_default() |= FROM_HEAD;
    *reached.entry(base).or_default() |= FROM_BASE;
    let mut pending = BTreeSet::from([(time(&head), head), (time(&base), base)]);
    let mut order = Vec::new();
    while pending.iter().any(|(_, id)| reached.get(id) == Some(&FROM_HEAD)) {
        let Some((_, id)) = pending.pop_last() else { break };
        let from = reached.get(&id).copied().unwrap_or_default();
        let parents = match objects.commit(&id) {
            Ok(commit) => commit.parents,
            Err(problem) if from == FROM_HEAD => return Err(problem),
            Err(_) => continue,
        };
        if from == FROM_HEAD {
            order.push(id);
        }
        for parent in parents {
            let known = reached.entry(parent).or_default();
            if *known | from != *known {
                *known |= from;
                pending.insert((time(&parent), parent));
            }
        }
        if reached.len() > MAX_COMMITS {
            let why = format!("more than {MAX_COMMITS} commits lie between; name a nearer commit");
            return Err(unreadable(&format!("what happened since {base}"), why));
        }
    }
    // Where clocks went wrong, the base may lead to a commit after all.
    order.retain(|id| reached.get(id) == Some(&FROM_HEAD));
    Ok((reached, order))
}
