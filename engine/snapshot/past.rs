//! The history of a repository, from the cache as far as it is known.
//!
//! Must not know files as they are now.

use super::{Progress, Snapshot, Source};
use crate::context::redact;
use crate::error::Problem;
use crate::facts::history::PastCommits;
use crate::repo::{Commit, Git, Head, MAX_COMMITS, RepoPath};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// History as it is cached: without secrets.
#[derive(Serialize, Deserialize)]
struct History {
    /// The sources that made the index of its words.
    facts: String,
    /// What was taken for a secret.
    masks: u64,
    head: String,
    past: PastCommits,
}

const HISTORY: &str = "history";

impl Source<'_> {
    /// The newest commits; `last` is an earlier snapshot of the same process.
    pub(super) fn past(&self, git: &Git, head: &Head, last: Option<&Snapshot>, problems: &mut Vec<Problem>) -> Arc<PastCommits> {
        let Some(tip) = &head.commit else { return Arc::default() };
        if let Some(last) = last
            && last.head.as_ref().is_some_and(|old| old.commit.as_ref() == Some(tip))
        {
            return Arc::clone(&last.past);
        }
        let root = self.repo.root_text();
        let cached =
            self.cache.and_then(|cache| cache.blob(root, HISTORY)).and_then(|bytes| postcard::from_bytes::<History>(&bytes).ok());
        let facts = env!("ACTIVATE_FACTS_HASH").to_owned();
        let cached = cached.filter(|history| history.masks == redact::version() && history.facts == facts);
        if let Some(history) = &cached
            && history.head == *tip
        {
            return Arc::new(cached.map(|history| history.past).unwrap_or_default());
        }
        // Where the process has seen an older commit, only what came since is read.
        let cached = cached.or_else(|| {
            let (head, past) = last.map(|last| (last.head.as_ref().and_then(|head| head.commit.clone()), &last.past))?;
            Some(History { facts: facts.clone(), masks: redact::version(), head: head?, past: past.as_ref().clone() })
        });
        (self.progress)(Progress::History);
        let found = git.history_since(cached.as_ref().map(|history| history.head.as_str()), MAX_COMMITS);
        problems.extend(found.problems.iter().cloned());
        let mut commits = found.commits;
        hide_secrets(&mut commits);
        if found.joins_known {
            commits.extend(cached.map(|history| history.past.commits).unwrap_or_default());
            commits.truncate(MAX_COMMITS);
        }
        let history = History { facts, masks: redact::version(), head: tip.clone(), past: PastCommits::new(commits) };
        if let (Some(cache), Ok(bytes)) = (self.cache.filter(|_| self.keeps), postcard::to_allocvec(&history)) {
            problems.extend(cache.write_blob(root, HISTORY, &bytes).err());
        }
        Arc::new(history.past)
    }
}

/// Masks the secrets in messages and takes files whose paths hold one out of history.
fn hide_secrets(commits: &mut [Commit]) {
    let paths: BTreeSet<&RepoPath> = commits.iter().flat_map(|commit| commit.touched.iter().map(|(path, _)| path)).collect();
    let is_secret = |path: &&RepoPath| matches!(redact::text("", path.as_str()), Cow::Owned(_));
    let secret: BTreeSet<RepoPath> = paths.into_par_iter().filter(is_secret).cloned().collect();
    commits.par_iter_mut().for_each(|commit| {
        for text in [&mut commit.author, &mut commit.subject, &mut commit.body] {
            if let Cow::Owned(masked) = redact::text("", text) {
                *text = masked;
            }
        }
        commit.touched.retain(|(path, _)| !secret.contains(path));
    });
}
