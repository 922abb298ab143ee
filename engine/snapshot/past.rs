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
    /// [`Git::ends`].
    ends: Vec<u8>,
    /// What is missing for good.
    problems: Vec<Problem>,
    past: Arc<PastCommits>,
}

/// The newest commits, and whether the next snapshot may rely on them.
#[derive(Clone, Default)]
pub(super) struct Past {
    pub(super) commits: Arc<PastCommits>,
    /// Where they end and what is missing for good; none where more may come.
    settled: Option<(Vec<u8>, Vec<Problem>)>,
}

const HISTORY: &str = "history";

impl Source<'_> {
    /// The newest commits; `last` is an earlier snapshot of the same process.
    pub(super) fn past(&self, git: &Git, head: &Head, last: Option<&Snapshot>, problems: &mut Vec<Problem>) -> Past {
        let Some(tip) = &head.commit else { return Past::default() };
        let (ends, facts) = (git.ends(), env!("ACTIVATE_FACTS_HASH").to_owned());
        let in_memory = || {
            let last = last?;
            let (ends, problems) = last.past_of.settled.clone()?;
            let head = last.head.as_ref()?.commit.clone()?;
            Some(History { facts: facts.clone(), masks: redact::version(), head, ends, problems, past: Arc::clone(&last.past) })
        };
        let root = self.repo.root_text();
        let cached = || postcard::from_bytes::<History>(&self.cache?.blob(root, HISTORY)?).ok();
        let is_usable = |history: &History| history.masks == redact::version() && history.facts == facts && history.ends == ends;
        let known = in_memory().filter(is_usable).or_else(|| cached().filter(is_usable));
        if let Some(History { ends, problems: missing, past, .. }) = known.as_ref().filter(|history| history.head == *tip) {
            problems.extend(missing.iter().cloned());
            return Past { commits: Arc::clone(past), settled: Some((ends.clone(), missing.clone())) };
        }
        // Where an older commit is known, only what came since is read; where something is missing of it, its like is counted anew.
        let known = known.filter(|history| history.problems.is_empty());
        (self.progress)(Progress::History);
        let found = git.history_since(known.as_ref().map(|history| history.head.as_str()), MAX_COMMITS);
        problems.extend(found.problems.iter().cloned());
        let mut commits = found.commits;
        hide_secrets(&mut commits);
        if found.joins_known {
            commits.extend(known.iter().flat_map(|history| history.past.commits.iter().cloned()));
            commits.truncate(MAX_COMMITS);
        }
        let past = Arc::new(PastCommits::new(commits));
        let settled = found.is_settled.then(|| (ends.clone(), found.problems.clone()));
        let (head, commits) = (tip.clone(), Arc::clone(&past));
        let history = History { facts, masks: redact::version(), head, ends, problems: found.problems, past };
        let cache = self.cache.filter(|_| self.keeps && settled.is_some());
        if let (Some(cache), Ok(bytes)) = (cache, postcard::to_allocvec(&history)) {
            problems.extend(cache.write_blob(root, HISTORY, &bytes).err());
        }
        Past { commits, settled }
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
