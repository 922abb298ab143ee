//! The history of a repository, from the cache as far as it is known.

use super::{Progress, Snapshot, Source};
use crate::history::PastCommits;
use error::Problem;
use rayon::prelude::*;
use redact::{KnownSecrets, by_rules};
use repo::{Commit, Git, Head, MAX_COMMITS, RepoPath};
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
    /// [`KnownSecrets::version`] of the repository's own secrets, masked too.
    values: u64,
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
    /// [`KnownSecrets::version`] of what is masked in those that were known.
    values: u64,
    /// Whether some were read now, and nobody keeps them yet.
    is_new: bool,
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
            let (facts, masks, values) = (facts.clone(), by_rules::version(), last.past_of.values);
            Some(History { facts, masks, values, head, ends, problems, past: Arc::clone(&last.past) })
        };
        let root = self.repo.root_text();
        let cached = || postcard::from_bytes::<History>(&self.cache?.blob(root, HISTORY)?).ok();
        let is_usable =
            |history: &History| history.masks == by_rules::version() && history.facts == facts && history.ends == ends;
        let known = in_memory().filter(is_usable).or_else(|| cached().filter(is_usable));
        if let Some(History { ends, problems: missing, past, values, .. }) = known.as_ref().filter(|history| history.head == *tip)
        {
            problems.extend(missing.iter().cloned());
            let settled = Some((ends.clone(), missing.clone()));
            return Past { commits: Arc::clone(past), settled, values: *values, is_new: false };
        }
        // Where an older commit is known, only what came since is read; where something is missing of it, its like is counted again.
        self.read_past(git, known.filter(|history| history.problems.is_empty()).as_ref(), problems)
    }

    /// Reads what came since `known`, or all.
    fn read_past(&self, git: &Git, known: Option<&History>, problems: &mut Vec<Problem>) -> Past {
        (self.progress)(Progress::History);
        let found = git.history_since(known.map(|history| history.head.as_str()), MAX_COMMITS);
        problems.extend(found.problems.iter().cloned());
        let mut commits = found.commits;
        hide_secrets(&mut commits);
        let mut values = 0;
        if let Some(known) = known.filter(|_| found.joins_known) {
            values = known.values;
            commits.extend(known.past.commits.iter().cloned());
            commits.truncate(MAX_COMMITS);
        }
        let settled = found.is_settled.then_some((git.ends(), found.problems));
        Past { commits: Arc::new(PastCommits::new(commits)), settled, values, is_new: true }
    }

    /// The commits with the repository's own secrets masked, which are known only when its files are; kept if they are new.
    pub(super) fn masked_past(
        &self,
        past: Past,
        head: Option<&Head>,
        values: &KnownSecrets,
        problems: &mut Vec<Problem>,
    ) -> Past {
        let Some(tip) = head.and_then(|head| head.commit.as_ref()) else { return past };
        if !past.is_new && past.values == values.version() {
            return past;
        }
        let mut past = past;
        if ![KnownSecrets::default().version(), values.version()].contains(&past.values) {
            // What other values hid is to be seen again.
            let Some(git) = self.repo.git(self.alternates).0 else { return past };
            past = self.read_past(&git, None, &mut Vec::new());
        }
        let mut commits = past.commits.commits.clone();
        let texts = commits.iter_mut().flat_map(|commit| [&mut commit.author, &mut commit.subject, &mut commit.body]);
        let n_masked = texts
            .map(|text| {
                if let Cow::Owned(masked) = values.hide(text) {
                    *text = masked;
                    1
                } else {
                    0
                }
            })
            .sum::<usize>();
        if n_masked > 0 {
            past.commits = Arc::new(PastCommits::new(commits));
        }
        past.values = values.version();
        past.is_new = false;
        let cache = self.cache.filter(|_| self.keeps);
        if let Some((cache, (ends, missing))) = cache.zip(past.settled.clone()) {
            let history = History {
                facts: env!("ACTIVATE_FACTS_HASH").to_owned(),
                masks: by_rules::version(),
                values: past.values,
                head: tip.clone(),
                ends,
                problems: missing,
                past: Arc::clone(&past.commits),
            };
            let bytes = postcard::to_allocvec(&history).unwrap_or_default();
            problems.extend(cache.write_blob(self.repo.root_text(), HISTORY, &bytes).err());
        }
        past
    }
}

/// Masks the secrets in messages and takes files whose paths hold one out of history.
fn hide_secrets(commits: &mut [Commit]) {
    let paths: BTreeSet<&RepoPath> = commits.iter().flat_map(|commit| commit.touched.iter().map(|(path, _)| path)).collect();
    let is_secret = |path: &&RepoPath| matches!(by_rules::hide(path.as_str()), Cow::Owned(_));
    let secret: BTreeSet<RepoPath> = paths.into_par_iter().filter(is_secret).cloned().collect();
    commits.par_iter_mut().for_each(|commit| {
        for text in [&mut commit.author, &mut commit.subject, &mut commit.body] {
            if let Cow::Owned(masked) = by_rules::hide(text) {
                *text = masked;
            }
        }
        commit.touched.retain(|(path, _)| !secret.contains(path));
    });
}
