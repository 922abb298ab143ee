//! Lines that commits of the past changed whose messages have words of a task: what was changed for like reasons may be changed again.
//!
//! Lines are known again by what they hold, wherever they stand now. Must not run git: what a commit changed comes through a callback.

use super::base::FactBase;
use super::history::PastCommits;
use super::text::QueryTerm;
use activate_rules::atoms::NodeId;
use activate_rules::weights::HistoryWeights;
use rayon::prelude::*;
use repo::{FileDiff, RepoPath};
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

/// What a commit changed in a file; none where that is not known.
pub type Diff<'a> = &'a (dyn Fn(&str, &RepoPath) -> Option<FileDiff> + Sync);

/// The most commits whose lines are looked at, those with most of the words, and of each the most files.
const MAX_COMMITS: usize = 24;
const MAX_FILES: usize = 5;
/// The most lines of a file that a commit changed for that to say something of them.
const MAX_LINES: u32 = 60;
/// The fewest characters of a line that is known again: a bracket stands everywhere.
const LEAST_CHARACTERS: usize = 12;

/// How strongly each line was changed for like reasons, by file and by what the line holds, in thousandths of the likest commit's.
#[derive(Debug, Default)]
pub struct PastLines(FxHashMap<NodeId, FxHashMap<u64, u32>>);

impl PastLines {
    /// The lines of `files` that commits changed whose messages have words of a query.
    pub fn find(
        base: &FactBase,
        past: &PastCommits,
        query: &[QueryTerm],
        weights: &HistoryWeights,
        files: &[NodeId],
        diff: Diff<'_>,
    ) -> Self {
        let Some(messages) = past.messages() else { return Self::default() };
        let words = query.iter().map(|term| QueryTerm { forms: Vec::new(), ..term.clone() }).collect();
        let like = past.like(&messages, &messages.with_forms(words), weights, MAX_COMMITS);
        let best = like.first().map_or(0, |hit| hit.score).max(1);
        let wanted: FxHashSet<NodeId> = files.iter().copied().collect();
        let touched = |number: u32| {
            let here = past.touched(number).iter().filter_map(|(path, _)| Some((base.file_at(path.as_str())?, path)));
            here.filter(|(file, _)| wanted.contains(file)).take(MAX_FILES)
        };
        let pairs = like.iter().flat_map(|hit| touched(hit.doc).map(move |(file, path)| (hit, file, path)));
        let pairs: Vec<_> = pairs.collect();
        let changed: Vec<_> = pairs
            .par_iter()
            .filter_map(|(hit, file, path)| {
                let commit = past.commits.get(hit.doc as usize)?;
                let like = u64::from(hit.score.unsigned_abs()) * 1000 / u64::from(best.unsigned_abs());
                let strength = (like * like / 1000) as u32;
                Some((*file, strength, lines(&diff(&commit.id, path)?)))
            })
            .collect();
        let mut found = Self::default();
        for (file, strength, hashes) in changed {
            let known = found.0.entry(file).or_default();
            for hash in hashes {
                let best = known.entry(hash).or_default();
                *best = strength.max(*best);
            }
        }
        found
    }

    /// How strongly a line of a file was changed; none where it was not.
    pub fn of(&self, file: NodeId, line: &[u8]) -> Option<u32> {
        self.0.get(&file)?.get(&hash(line)?).copied()
    }

    /// Whether lines of a file were changed.
    pub fn has(&self, file: NodeId) -> bool {
        self.0.contains_key(&file)
    }
}

/// What the lines hold that a commit left in the places that it changed.
fn lines(diff: &FileDiff) -> Vec<u64> {
    let n_lines: u32 = diff.hunks.iter().map(|hunk| (hunk.after.last + 1).saturating_sub(hunk.after.first)).sum();
    if n_lines > MAX_LINES {
        return Vec::new();
    }
    let all: Vec<&[u8]> = diff.new.split(|byte| *byte == b'\n').collect();
    let of = |hunk: &repo::Hunk| {
        // Where lines were only taken away, those around the gap are what is left of the place.
        let (first, last) = (hunk.after.first, hunk.after.last);
        let (first, last) = if last < first { (last.max(1), first) } else { (first, last) };
        all.get(first as usize - 1..(last as usize).min(all.len())).unwrap_or_default().iter().filter_map(|line| hash(line))
    };
    diff.hunks.iter().flat_map(of).collect()
}

fn hash(line: &[u8]) -> Option<u64> {
    let line = line.trim_ascii();
    (line.len() >= LEAST_CHARACTERS).then(|| xxh3_64(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::text::query_terms;
    use repo::{Commit, Touch, hunks};

    const NOW: &str = "package p\n\nfunc Refresh(token string) {\n\tstore.Renew(token, hour)\n\treturn\n}\n\nfunc Other() { unrelated(work) }\n";

    /// The lines of the file that speak, with how strongly, after commits: each with its message and what the file held before it.
    fn said(task: &str, commits: &[(&str, &str)]) -> Vec<(usize, u32)> {
        let base = fixture::base(&format!("//- a.go\n{NOW}"));
        let path = RepoPath::new("a.go").expect("a path");
        let commit = |(number, (subject, _)): (usize, &(&str, &str))| Commit {
            id: number.to_string(),
            time: 0,
            author: String::new(),
            subject: (*subject).to_owned(),
            body: String::new(),
            touched: vec![(path.clone(), Touch::Modified)],
            n_touched: 1,
            bulk: false,
        };
        let past = PastCommits::new(commits.iter().enumerate().map(commit).collect());
        let diff = |id: &str, _: &RepoPath| {
            let (_, before) = commits.get(id.parse::<usize>().ok()?)?;
            let (old, new) = (before.as_bytes().to_vec(), NOW.as_bytes().to_vec());
            Some(FileDiff { hunks: hunks(&old, &new), old, new })
        };
        let file = base.file_at("a.go").expect("a file");
        let lines = PastLines::find(&base, &past, &query_terms(task), &HistoryWeights::default(), &[file], &diff);
        (1..).zip(NOW.lines()).filter_map(|(number, line)| Some((number, lines.of(file, line.as_bytes())?))).collect()
    }

    #[test]
    fn lines_that_like_commits_changed_are_known_again_and_the_likest_counts_most() {
        let (renew, other) = (NOW.replace("hour", "day"), NOW.replace("unrelated", "idle"));
        assert_eq!(said("renew tokens", &[("Renew tokens sooner", &renew), ("Work more", &other)]), [(4, 1000)]);
        let both = said("renew tokens at work", &[("Renew tokens sooner", &renew), ("Work more", &other)]);
        assert!(matches!(both[..], [(4, 1000), (8, less)] if less < 1000), "{both:?}");
        assert_eq!(said("paint the fence", &[("Renew tokens sooner", &renew)]), []);
    }

    #[test]
    fn around_what_was_taken_away_the_lines_that_are_left_speak_and_short_ones_never() {
        let longer = NOW.replace("\treturn\n", "\tlog.Print(token)\n\treturn\n");
        assert_eq!(said("renew tokens", &[("Renew tokens sooner", &longer)]), [(4, 1000)]);
        let whole = (0..80).map(|n| format!("var name{n} = {n}00000000\n")).collect::<Vec<_>>().concat();
        assert_eq!(said("renew tokens", &[("Renew tokens sooner", &whole)]).len(), 3);
    }
}
