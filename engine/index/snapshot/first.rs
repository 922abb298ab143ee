//! A first look: which files are read where nothing is known of a repository and an answer shall not wait for all of them.
//!
//! All files are searched for the words of the task, as a text search does; the best, what they import and what mentions their definitions are
//! taken apart. How many that are is bounded by counts and never by a clock, so that the same files give the same answer.

mod around;
mod beginnings;
mod scan;
mod spelled;

use super::records::{Kept, Reading, Seen};
use super::{Effort, GitSays, Progress, Snapshot, Source};
use crate::base::FactBase;
use crate::extract::{FileRecord, VENDOR_FOLDERS, extract_found};
use crate::history::PastCommits;
use crate::resolve::load_projects;
use crate::text::{query_terms, weighted_terms};
use activate_grammars::facts::FileFacts;
use activate_grammars::project::Manifest;
use activate_rules::weights::{HistoryWeights, QueryWeights};
use around::{Around, NameFinder};
use error::Problem;
use rayon::prelude::*;
use redact::by_rules;
use repo::{Change, FileEntry, Walk};
use rustc_hash::FxHashMap;
use scan::{Found, Words, gives_secrets};
use spelled::spelled;
use std::collections::BTreeSet;

/// In repositories of so many files or fewer all are read.
pub const FEW_FILES: usize = 600;
/// In repositories of more files, no more words of a task are looked for than these, and beside many words only a part of the files is read for
/// them and around these: whoever waits for an answer to a pasted log waits no longer than for others. It costs: for texts of some 300 words 0.59
/// of the whole answer's first ten stand among the first answer's, and 0.75 without this (six texts, kubernetes and biome, 2026-11-27).
const MANY_FILES: usize = 10_000;
const MAX_WORDS: usize = 160;
const MANY_WORDS: usize = 64;
const PART_BESIDE_MANY: usize = 2;
/// Files that are read for the task's words in them, and of these those around which others are looked for.
const MAX_BY_WORDS: usize = 192;
const MAX_CENTRES: usize = 48;
/// Files that are read because the centres import them or stand in a package with them, and because they mention what the centres define.
const MAX_IMPORTED: usize = 112;
const MAX_MENTIONING: usize = 96;
/// The best files by words that are searched for what the centres define.
const MAX_SEARCHED_AGAIN: usize = 4_096;
/// Files that are read because past commits with the task's words touched them.
const MAX_BY_HISTORY: usize = 48;
/// Commits that are followed for the task's words.
const MAX_LIKE: usize = 24;
/// Files that are read since the work tree has them otherwise than the last commit.
const MAX_CHANGED: usize = 64;
/// Files that the task spells out.
const MAX_SPELLED: usize = 64;
/// Files that are read whatever the task: manifests, guides, and those that hold secrets by their names; of each.
const MAX_SETTINGS: usize = 256;
const MAX_BYTES_OF_SETTINGS: u64 = 2 << 20;
/// Files in which those that are read are declared as modules.
const MAX_HOLDERS: usize = 256;
/// Files that are read since words for secrets stand in them with values, and their bytes.
const MAX_GIVING: usize = 96;
const MAX_BYTES_GIVING: u64 = 768 << 10;
/// A word that stands in so few files may be the guess of a secret.
const MAX_RARE: usize = 4;
/// A larger file is not searched: what is as long is written by programs.
const MAX_SEARCHED_BYTES: u64 = 1 << 20;
/// Bytes at the beginning that tell what is not text.
const HEAD_BYTES: usize = 8_000;
/// What a word in the path of a file counts beside one in its text.
const PATH_TIMES: u32 = 4;
/// Bytes of a word with what stands around it, about.
const BYTES_OF_WORD: u64 = 8;
/// The most times that a word of a file that is not read is counted.
const MAX_TIMES: u32 = 64;
/// A larger file is read only where the task spells it out or the work tree has it changed.
const MAX_READ_BYTES: u64 = 512 << 10;
/// Bytes that are read for the task's words, and around files with these.
const MAX_BYTES_BY_WORDS: u64 = 2 << 20;
const MAX_BYTES_AROUND: u64 = 1 << 20;
/// What words count in files of others.
const OF_OTHERS: f64 = 0.3;

/// What a first look is for.
#[derive(Clone, Copy)]
pub struct FirstLook<'a> {
    /// What is said of the task: the intent, what tools say, what is pinned.
    pub texts: &'a [&'a str],
    /// Whether a file holds advice or tools by its path, and is read whatever the task.
    pub is_guide: &'a (dyn Fn(&str) -> bool + Sync),
}

/// How much of a repository was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partial {
    /// Files that were read.
    pub n_read: usize,
    /// Files that there are.
    pub n_files: usize,
}

/// The files that a first look reads, and what was found out on the way.
pub(super) struct Chosen {
    /// By file, whether it is read.
    pub(super) is_chosen: Vec<bool>,
    /// By file, those that were taken apart.
    pub(super) seen: Vec<Option<Seen>>,
}

impl Chosen {
    fn none(n_files: usize) -> Self {
        Self { is_chosen: vec![false; n_files], seen: (0..n_files).map(|_| None).collect() }
    }

    /// Adds files that are not chosen yet, at most `limit`.
    fn add(&mut self, files: impl IntoIterator<Item = usize>, limit: usize) {
        let new = files.into_iter().filter(|file| !self.is_chosen[*file]);
        for file in new.take(limit).collect::<Vec<_>>() {
            self.is_chosen[file] = true;
        }
    }

    /// Adds files that are not chosen yet, at most `limit` with so many bytes together.
    fn add_within(&mut self, files: &[FileEntry], which: impl IntoIterator<Item = usize>, (limit, n_bytes): (usize, u64)) {
        let mut left = n_bytes;
        let fits = |file: &usize| {
            let rest = left.checked_sub(files[*file].size).filter(|_| files[*file].size <= MAX_READ_BYTES);
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        let new = which.into_iter().filter(|file| !self.is_chosen[*file]).filter(fits);
        for file in new.take(limit).collect::<Vec<_>>() {
            self.is_chosen[file] = true;
        }
    }
}

impl Partial {
    /// What is missing, as a phrase.
    pub(super) fn sentence(&self) -> String {
        format!("{} of {} files are not read yet", self.n_files - self.n_read, self.n_files)
    }
}

impl Source<'_> {
    /// The base of the files that a first look reads, what git says, and how much was read if that is not all.
    pub(super) fn first_base(
        &self,
        first: &FirstLook<'_>,
        walk: &Walk,
        last: Option<&Snapshot>,
        problems: &mut Vec<Problem>,
    ) -> ((FactBase, Effort, Kept), GitSays, Option<Partial>) {
        (self.progress)(Progress::Comparing);
        let files = &walk.files;
        if files.len() <= FEW_FILES {
            let reading = Reading::new(self, files, files.len());
            let seen = files.iter().map(|_| Seen::Unlooked).collect();
            let base = self.taken_apart(walk, &reading, seen, (&Kept::default(), None), problems);
            return (base, self.git_says(files, last), None);
        }
        let reading = Reading::new(self, files, MAX_BY_WORDS + MAX_IMPORTED + MAX_MENTIONING);
        let has_many_files = files.len() > MANY_FILES;
        let words = words(first.texts, if has_many_files { MAX_WORDS } else { usize::MAX });
        let search = || files.par_iter().map(|entry| self.found(&words, entry)).collect::<Vec<_>>();
        let (found, git) = rayon::join(search, || self.git_says(files, last));
        let mut found: Vec<FoundIn> = found;
        let scores = scores(&words, &found, files);
        let divisor = if has_many_files && words.len() > MANY_WORDS { PART_BESIDE_MANY } else { 1 };
        let chosen = self.choose(first, files, (&scores, &found), divisor, &reading, (&git.changes, &git.past.commits));
        self.hide_guesses(&words, files, &chosen, &mut found);
        let left_out = |entry: &FileEntry, FoundIn { in_text, n_bytes, .. }: &FoundIn| {
            let found: Vec<(&str, u32)> = words.of(in_text).into_iter().map(|(word, n)| (word, n.min(MAX_TIMES))).collect();
            let n_words = (n_bytes / BYTES_OF_WORD) as u32;
            Seen::LeftOut(Box::new(extract_found(entry.path.as_str(), &found, n_words)))
        };
        let seen = chosen.seen.into_par_iter().zip(files).zip(&found);
        let seen = seen.map(|((seen, entry), found)| seen.unwrap_or_else(|| left_out(entry, found)));
        let base = self.taken_apart(walk, &reading, seen.collect(), (&Kept::default(), None), problems);
        let partial = Partial { n_read: reading.n_read(), n_files: files.len() };
        (base, git, Some(partial).filter(|partial| partial.n_read < partial.n_files))
    }

    /// Takes back what was found of rare words where a secret stands: whoever guesses one is not told in which file it is.
    fn hide_guesses(&self, words: &Words, files: &[FileEntry], chosen: &Chosen, found: &mut [FoundIn]) {
        let mut n_with: FxHashMap<u32, usize> = FxHashMap::default();
        for word in found.iter().flat_map(|found| found.in_text.keys()) {
            *n_with.entry(*word).or_default() += 1;
        }
        let is_rare = |word: &u32| n_with.get(word).is_some_and(|n| *n <= MAX_RARE);
        found.par_iter_mut().zip(files).zip(&chosen.is_chosen).for_each(|((found, entry), is_chosen)| {
            if *is_chosen || !found.in_text.keys().any(is_rare) {
                return;
            }
            let Some(mut text) = self.searched(entry) else { return };
            for span in by_rules::find(entry.path.as_str(), &text) {
                text[span.start..span.end].fill(b' ');
            }
            found.in_text = words.find(&text);
        });
    }

    /// Chooses the files that are read; by words and around these only one in `divisor` of the most that may be. `reading` takes those apart that others are looked for around.
    fn choose(
        &self,
        first: &FirstLook<'_>,
        files: &[FileEntry],
        (scores, found): (&[f64], &[FoundIn]),
        divisor: usize,
        reading: &Reading<'_>,
        (changes, past): (&[Change], &PastCommits),
    ) -> Chosen {
        let mut chosen = Chosen::none(files.len());
        let path = |file: &usize| files[*file].path.as_str();
        let all = || 0..files.len();
        let at = |path: &str| files.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok();
        chosen.add(spelled(first.texts, files), MAX_SPELLED);
        chosen.add(changes.iter().filter_map(|change| at(change.path.as_str())), MAX_CHANGED);
        let best = best(scores);
        let is_manifest = |file: &usize| activate_grammars::is_manifest(name(path(file)));
        // Those above the likeliest files come first.
        let above: BTreeSet<&str> = best.iter().take(MAX_CENTRES).flat_map(|file| folders(path(file))).collect();
        let (near, far): (Vec<usize>, Vec<usize>) = all().partition(|file| above.contains(folder(path(file))));
        let by_nearness = || near.iter().chain(&far).copied();
        let limits = (MAX_SETTINGS, MAX_BYTES_OF_SETTINGS);
        chosen.add_within(files, by_nearness().filter(is_manifest), limits);
        chosen.add_within(files, by_nearness().filter(|file| (first.is_guide)(path(file))), limits);
        let holds_secrets = |file: &usize| super::values::may_hold_secrets(path(file));
        chosen.add_within(files, all().filter(holds_secrets), limits);
        let gives_secrets = |file: &usize| found[*file].gives_secrets;
        chosen.add_within(files, by_nearness().filter(gives_secrets), (MAX_GIVING, MAX_BYTES_GIVING));
        let manifests: Vec<usize> = all().filter(is_manifest).collect();
        chosen.take_apart(self, reading, files, &manifests);
        chosen.add_within(files, best.iter().copied(), one_in(divisor, (MAX_BY_WORDS, MAX_BYTES_BY_WORDS)));
        chosen.add_within(files, touched(first.texts, past).filter_map(at), (MAX_BY_HISTORY, MAX_BYTES_AROUND));
        let is_code = |file: &&usize| activate_grammars::language_of(path(file)).is_some();
        let centres = best.iter().filter(is_code).copied().filter(|file| chosen.is_chosen[*file]);
        let centres: Vec<usize> = centres.take(MAX_CENTRES / divisor).collect();
        chosen.take_apart(self, reading, files, &centres);
        chosen.add_around(self, files, &manifests, &centres, (scores, &best), divisor);
        let all: Vec<usize> = all().collect();
        chosen.take_apart(self, reading, files, &all);
        chosen
    }

    /// The words in the path of a file and, of one that is text and not too long, in its text.
    fn found(&self, words: &Words, entry: &FileEntry) -> FoundIn {
        let text = self.searched(entry);
        let in_text = text.as_ref().map(|text| words.find(text)).unwrap_or_default();
        let is_code = activate_grammars::language_of(entry.path.as_str()).is_some();
        let gives_secrets = !is_code && text.as_ref().is_some_and(|text| gives_secrets(text));
        let n_bytes = text.map_or(0, |text| text.len() as u64);
        FoundIn { in_path: words.find(entry.path.as_str().as_bytes()), in_text, gives_secrets, n_bytes }
    }

    /// The text of a file that is searched.
    fn searched(&self, entry: &FileEntry) -> Option<Vec<u8>> {
        let content = self.repo.read(&entry.path, MAX_SEARCHED_BYTES).ok()?;
        let is_text = memchr::memchr(0, &content[..content.len().min(HEAD_BYTES)]).is_none();
        is_text.then_some(content)
    }
}

impl Chosen {
    /// Takes files apart that are read in any case.
    fn take_apart(&mut self, source: &Source<'_>, reading: &Reading<'_>, files: &[FileEntry], which: &[usize]) {
        let new: Vec<usize> = which.iter().copied().filter(|file| self.is_chosen[*file] && self.seen[*file].is_none()).collect();
        let records = source.records();
        let find = |key| super::records::find(&records, &Kept::default(), key);
        let take = |file: &usize| Seen::Taken(Box::new(reading.record(&files[*file], &mut Seen::Unlooked, &find)));
        let taken: Vec<Seen> = new.par_iter().map(take).collect();
        for (file, seen) in new.into_iter().zip(taken) {
            self.seen[file] = Some(seen);
        }
    }

    fn record(&self, file: usize) -> Option<&FileRecord> {
        match &self.seen[file] {
            Some(Seen::Taken(taken)) => Some(&taken.1),
            _ => None,
        }
    }

    /// Adds what centres import, what mentions what they define, and the files that hold all of these in their trees of modules.
    fn add_around(
        &mut self,
        source: &Source<'_>,
        files: &[FileEntry],
        manifests: &[usize],
        centres: &[usize],
        (scores, best_files): (&[f64], &[usize]),
        divisor: usize,
    ) {
        let manifests: Vec<Manifest<'_>> = manifests
            .iter()
            .filter_map(|file| {
                let text = self.record(*file)?.manifest.as_deref()?;
                Some(Manifest { path: files[*file].path.as_str(), text })
            })
            .collect();
        let exists = |path: &str| files.binary_search_by(|entry| entry.path.as_str().cmp(path)).is_ok();
        let projects = load_projects(&manifests, &exists);
        let around = Around::new(files, &projects);
        let of_centres: Vec<(usize, &FileFacts)> =
            centres.iter().filter_map(|file| Some((*file, &self.record(*file)?.facts))).collect();
        let imported: Vec<Vec<usize>> = of_centres.par_iter().map(|(file, facts)| around.imported(*file, facts)).collect();
        let mut votes = vec![0.0; files.len()];
        for ((centre, _), imported) in of_centres.iter().zip(&imported) {
            for file in imported {
                votes[*file] += scores[*centre] + scores[*file];
            }
        }
        let names = around::names(of_centres.iter().map(|(_, facts)| *facts));
        let finder = NameFinder::new(&names);
        let is_code = |file: &&usize| activate_grammars::language_of(files[**file].path.as_str()).is_some();
        let searched: Vec<usize> = best_files.iter().filter(is_code).take(MAX_SEARCHED_AGAIN).copied().collect();
        let find = |file: &usize| source.searched(&files[*file]).map(|text| finder.find(&text)).unwrap_or_default();
        let mentioned: Vec<BTreeSet<u32>> = searched.par_iter().map(find).collect();
        let mut n_with = vec![0_u32; names.len()];
        for name in mentioned.iter().flatten() {
            n_with[*name as usize] += 1;
        }
        let rarity = |name: &u32| (files.len() as f64 / f64::from(n_with[*name as usize].max(1))).ln();
        let mut mentions = vec![0.0; files.len()];
        for (file, names) in searched.iter().zip(&mentioned) {
            mentions[*file] = names.iter().map(rarity).sum();
        }
        let (imported, mentioning) = (best(&votes), best(&mentions));
        let discovers = |path: &str| {
            activate_grammars::language_of(path).is_some_and(|(number, _)| {
                projects[number].discovers(path) || projects[number].roots().iter().any(|root| root.file == path)
            })
        };
        self.add_within(files, imported, one_in(divisor, (MAX_IMPORTED, MAX_BYTES_AROUND)));
        self.add_within(files, mentioning, one_in(divisor, (MAX_MENTIONING, MAX_BYTES_AROUND)));
        let chosen: Vec<usize> = (0..files.len()).filter(|file| self.is_chosen[*file]).collect();
        let holders: Vec<Vec<usize>> = chosen.par_iter().map(|file| around.holders(*file, &discovers)).collect();
        self.add_within(files, holders.into_iter().flatten(), (MAX_HOLDERS, MAX_BYTES_AROUND));
    }
}

/// Where words were found in a file.
struct FoundIn {
    in_path: Found,
    in_text: Found,
    /// Whether it is not code, and words for secrets stand in it with values.
    gives_secrets: bool,
    /// Bytes that were searched.
    n_bytes: u64,
}

/// The words of texts. Of more than `limit`, those that count most, and of these the longest: short ones stand in most files.
fn words(texts: &[&str], limit: usize) -> Words {
    let texts: Vec<(&str, u32)> = texts.iter().map(|text| (*text, 1_000)).collect();
    let mut terms = weighted_terms(&texts, &QueryWeights::default());
    if terms.len() > limit {
        terms.sort_by_key(|term| std::cmp::Reverse((term.weight, term.text.len())));
        terms.truncate(limit);
    }
    Words::new(terms.into_iter().map(|term| (term.text, f64::from(term.weight))))
}

/// What each file scores by the words of the task in its text and path.
fn scores(words: &Words, found: &[FoundIn], files: &[FileEntry]) -> Vec<f64> {
    let all = found.iter().map(|FoundIn { in_path, in_text, n_bytes, .. }| {
        let mut all = in_text.clone();
        for (word, n) in in_path {
            *all.entry(*word).or_default() += n * PATH_TIMES;
        }
        (all, *n_bytes)
    });
    let mut scores = words.scores(&all.collect::<Vec<_>>());
    for (score, entry) in scores.iter_mut().zip(files) {
        if entry.path.as_str().split('/').any(|folder| VENDOR_FOLDERS.contains(&folder)) {
            *score *= OF_OTHERS;
        }
    }
    scores
}

/// The files with the greatest scores first, equal ones in path order; none without a score.
fn best(scores: &[f64]) -> Vec<usize> {
    let mut files: Vec<usize> = (0..scores.len()).filter(|file| scores[*file] > 0.0).collect();
    files.sort_by(|first, second| scores[*second].total_cmp(&scores[*first]).then(first.cmp(second)));
    files
}

/// The files that commits with the words of texts touched, of the likeliest commits first.
fn touched<'a>(texts: &[&str], past: &'a PastCommits) -> impl Iterator<Item = &'a str> {
    let hits = past.messages().map(|messages| {
        let words = messages.with_forms(query_terms(&texts.join("\n")));
        past.like(&messages, &words, &HistoryWeights::default(), MAX_LIKE)
    });
    hits.unwrap_or_default().into_iter().flat_map(|hit| past.touched(hit.doc)).map(|(path, _)| path.as_str())
}

/// A part of the most files and bytes.
fn one_in(divisor: usize, (limit, n_bytes): (usize, u64)) -> (usize, u64) {
    (limit / divisor, n_bytes / divisor as u64)
}

/// The folder of a path, and all folders above it.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at]).chain([""])
}

/// The folder of a path.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The name of a file.
fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
