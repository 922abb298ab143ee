//! Past commits, ready to be asked: which of them have words like these, and which of them touched a file.

use super::base::FactBase;
use super::text::{Field, FieldWeights, Hit, IndexBuilder, QueryTerm, Scores, TextIndex, Zone, text_facts};
use activate_rules::atoms::NodeId;
use activate_rules::links::{Confidence, LinkAttribute, LinkKind};
use activate_rules::weights::HistoryWeights;
use repo::{Commit, RepoPath, beginning};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Bytes of a commit's body that are read: what changed stands at the beginning.
const MAX_BODY: usize = 1024;

/// Most files of a commit that says something about each of them.
pub const MAX_COMMIT_FILES: usize = 30;

/// The most changed files whose partners are looked for, and the newest commits of each that are: those who change with everything do so in
/// these too.
const MAX_PARTNERED: usize = 100;
const MAX_THEIR_COMMITS: usize = 200;

/// The newest commits with an index of their messages and of the files they touched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastCommits {
    /// Newest first.
    pub commits: Vec<Commit>,
    /// The text index of the messages: documents are commits by number.
    messages: Vec<(String, Vec<u8>)>,
    /// Files that commits touched, in order.
    paths: Vec<RepoPath>,
    /// For each file where its commits start, and the end of the last.
    starts: Vec<u32>,
    /// Commits of all files by number, newest first.
    touching: Vec<u32>,
}

impl PastCommits {
    /// Commits, newest first, with their index.
    pub fn new(commits: Vec<Commit>) -> Self {
        let mut builder = IndexBuilder::default();
        let mut by_path: BTreeMap<&RepoPath, Vec<u32>> = BTreeMap::new();
        for (commit, number) in commits.iter().zip(0..) {
            let message = format!("{}\n{}", commit.subject, beginning(&commit.body, MAX_BODY));
            let subject = Zone { start: 0, end: commit.subject.len(), field: Field::Name };
            builder.add(&text_facts("", message.as_bytes(), &[subject], &[]));
            for (path, _) in &commit.touched {
                by_path.entry(path).or_default().push(number);
            }
        }
        let messages = builder.finish().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect();
        let (mut starts, mut touching) = (vec![0], Vec::new());
        for commits in by_path.values() {
            touching.extend(commits);
            starts.push(touching.len() as u32);
        }
        let paths = by_path.into_keys().cloned().collect();
        Self { commits, messages, paths, starts, touching }
    }

    /// The text index of the messages; none if it is damaged.
    pub fn messages(&self) -> Option<TextIndex<'_>> {
        let sections: Vec<(&str, &[u8])> = self.messages.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        TextIndex::open(&sections).ok()
    }

    /// The commits that touched a file, by number: 0 is the newest of all.
    pub fn touching(&self, path: &str) -> &[u32] {
        let find = || {
            let row = self.paths.binary_search_by(|other| other.as_str().cmp(path)).ok()?;
            let (start, end) = (*self.starts.get(row)?, *self.starts.get(row + 1)?);
            self.touching.get(start as usize..end as usize)
        };
        find().unwrap_or_default()
    }

    /// The files a commit touched, if they are few enough for it to say something about each.
    pub fn touched(&self, number: u32) -> &[(RepoPath, repo::Touch)] {
        let commit = self.commits.get(number as usize).filter(|commit| commit.touched.len() <= MAX_COMMIT_FILES);
        commit.map_or(&[], |commit| &commit.touched)
    }

    /// The commits whose messages have most of the words, best first, at most `limit`; those that say nothing of their files are left out.
    pub fn like(&self, messages: &TextIndex<'_>, words: &[QueryTerm], weights: &HistoryWeights, limit: usize) -> Vec<Hit> {
        let keep = |number: u32| !self.touched(number).is_empty();
        messages.search(words, &field_weights(weights), limit, keep, &mut Scores::default())
    }

    /// How long before the newest commit a commit was made, in seconds.
    pub fn age(&self, number: u32) -> u64 {
        let time = |number: usize| self.commits.get(number).map_or(0, |commit| commit.time);
        time(0).saturating_sub(time(number as usize)).max(0) as u64
    }
}

/// Who changed with each of `files`, in both directions, sorted: of the commits that touched one, which part touched the other too.
///
/// Only commits that touched several files and few enough count. Two at least must have touched both, and more of them than chance would
/// have it. What is passed on is divided as by a fan-out: by 2 where every second commit touched both.
pub fn changed_with(
    base: &FactBase,
    past: &PastCommits,
    files: &[NodeId],
    weights: &HistoryWeights,
) -> Vec<(NodeId, NodeId, LinkAttribute)> {
    let is_telling = |number: &u32| past.touched(*number).len() > 1;
    let telling = |path: &str| past.touching(path).iter().copied().filter(is_telling);
    let n_all = (0..past.commits.len() as u32).filter(is_telling).count() as u64;
    // A link has room for so much.
    let most_apart = weights.most_apart.min(u8::MAX.into());
    let mut links: BTreeMap<(NodeId, NodeId), LinkAttribute> = BTreeMap::new();
    for &file in files {
        let mut n_file: u32 = 0;
        let mut n_both: BTreeMap<&RepoPath, u32> = BTreeMap::new();
        for number in telling(base.path(file)) {
            n_file += 1;
            for (path, _) in past.touched(number) {
                *n_both.entry(path).or_default() += 1;
            }
        }
        for (path, n_both) in n_both.into_iter().filter(|(_, n_both)| *n_both >= weights.least_co_changes) {
            let Some(other) = base.file_at(path.as_str()).filter(|other| *other != file) else { continue };
            let n_other = telling(path.as_str()).count() as u32;
            // By chance n_file * n_other / n_all of them would have touched both.
            // What is rare among the commits of the file that was asked for says nothing, nor does it the other way round.
            let is_rare = n_file.div_ceil(n_both) > most_apart;
            if !is_rare && u64::from(n_both) * n_all > u64::from(weights.least_lift) * u64::from(n_file) * u64::from(n_other) {
                for (from, to, n_from) in [(file, other, n_file), (other, file, n_other)] {
                    let one_in = n_from.div_ceil(n_both);
                    if one_in <= most_apart {
                        links.insert((from, to), LinkAttribute::new(LinkKind::ChangedWith, Confidence::Exact, one_in as u8));
                    }
                }
            }
        }
    }
    links.into_iter().map(|((from, to), link)| (from, to, link)).collect()
}

/// A file that usually changes with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partner {
    /// The file.
    pub file: NodeId,
    /// The one that it changes with.
    pub with: NodeId,
    /// Of the commits that touched that one, how many touched both.
    pub n_both: u32,
    /// How many touched that one.
    pub n_all: u32,
}

/// Files that changed in at least a part of the commits of one of `files` (in thousandths), in at least so many, and did not change now: the
/// surest first, each once. As in [`changed_with`], only commits that touched several files and few enough count; the first hundred files and
/// their newest two hundred commits are looked at.
pub fn partners(
    base: &FactBase,
    past: &PastCommits,
    files: &[NodeId],
    is_changed: impl Fn(NodeId) -> bool,
    (fraction, least): (u32, u32),
) -> Vec<Partner> {
    let is_telling = |number: &u32| past.touched(*number).len() > 1;
    let mut best: BTreeMap<NodeId, Partner> = BTreeMap::new();
    for &with in files.iter().take(MAX_PARTNERED) {
        let mut n_all = 0;
        let mut n_both: BTreeMap<&RepoPath, u32> = BTreeMap::new();
        for number in past.touching(base.path(with)).iter().copied().filter(is_telling).take(MAX_THEIR_COMMITS) {
            n_all += 1;
            for (path, _) in past.touched(number) {
                *n_both.entry(path).or_default() += 1;
            }
        }
        for (path, n_both) in n_both {
            let is_usual = n_both >= least && u64::from(n_both) * 1000 >= u64::from(n_all) * u64::from(fraction);
            let Some(file) = base.file_at(path.as_str()).filter(|file| is_usual && !is_changed(*file)) else { continue };
            let partner = Partner { file, with, n_both, n_all };
            let known = best.entry(file).or_insert(partner);
            if sureness(&partner) > sureness(known) {
                *known = partner;
            }
        }
    }
    let mut partners: Vec<Partner> = best.into_values().collect();
    partners.sort_by_key(|partner| (std::cmp::Reverse(sureness(partner)), partner.file));
    partners
}

/// How sure it is that a file changes with another: the part of commits as if there were one more without it, then how many.
fn sureness(partner: &Partner) -> (u32, u32) {
    (partner.n_both.saturating_mul(1000) / (partner.n_all + 1), partner.n_both)
}

/// How words in messages count.
pub fn field_weights(weights: &HistoryWeights) -> FieldWeights {
    let mut fields = FieldWeights::default();
    fields.fields[Field::Name as usize].weight = f64::from(weights.subject) / 1000.0;
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use repo::Touch;

    /// Who changed with `a`, as `a>b 2`, in a history of one commit a line: the files it touched, and how often there is one like it.
    fn with_a(history: &str) -> String {
        let base = fixture::base("//- a.go\npackage p\n//- b.go\npackage p\n//- c.go\npackage p\n");
        let commit = |files: &str| {
            let path = |name: &str| (RepoPath::new(&format!("{name}.go")).expect("a path"), Touch::Modified);
            Commit {
                id: String::new(),
                time: 0,
                author: String::new(),
                subject: String::new(),
                body: String::new(),
                touched: files.split(' ').map(path).collect(),
                n_touched: 0,
                bulk: false,
            }
        };
        let rows = history.lines().filter_map(|line| line.split_once(" x"));
        let commits = rows.flat_map(|(files, n)| vec![commit(files); n.parse().expect("a number")]).collect();
        let name = |node| base.path(node).trim_end_matches(".go");
        let links =
            changed_with(&base, &PastCommits::new(commits), &[base.file_at("a.go").expect("a file")], &HistoryWeights::default());
        links
            .iter()
            .map(|(from, to, link)| format!("{}>{} {}", name(*from), name(*to), link.damping()))
            .collect::<Vec<_>>()
            .join(", ")
    }

    #[test]
    fn each_of_two_files_has_the_part_of_its_own_commits_and_chance_is_not_rounded() {
        let often = "a b x3\nb y x3\ny z x20";
        assert_eq!(with_a(often), "a>b 1, b>a 2");
        // What a file does alone, and what touches very many, says nothing of who changes with it.
        let many = (0..=MAX_COMMIT_FILES).map(|at| format!("b{at}")).collect::<Vec<_>>().join(" ");
        assert_eq!(with_a(&format!("{often}\nb x90\na x90\na b {many} x90\nq x900")), "a>b 1, b>a 2");
        // By chance 5 * 5 / 15 would be, 1.67, and 3 are less than twice as many.
        assert_eq!(with_a("a b x3\na y x2\nb y x2\ny z x8"), "");
        assert_eq!(with_a("a b x3\na y x2\nb y x2\ny z x10"), "a>b 2, b>a 2");
        // Rare for the file that was asked for, and for the other alone.
        assert_eq!(with_a("a b x2\na y x18\ny z x60"), "");
        assert_eq!(with_a("a b x2\nb y x18\ny z x60"), "a>b 1");
        assert_eq!(with_a("a b x1\ny z x60"), "");
    }

    #[test]
    fn partners_are_looked_for_in_the_newest_commits_of_a_file() {
        let base = fixture::base("//- a.go\npackage p\n//- b.go\npackage p\n//- c.go\npackage p\n");
        let commit = |other: &str| {
            let path = |name: &str| (RepoPath::new(name).expect("a path"), Touch::Modified);
            Commit {
                id: String::new(),
                time: 0,
                author: String::new(),
                subject: String::new(),
                body: String::new(),
                touched: vec![path("a.go"), path(other)],
                n_touched: 0,
                bulk: false,
            }
        };
        let past = PastCommits::new((0..1_000).map(|number| commit(if number < 150 { "b.go" } else { "c.go" })).collect());
        let a = base.file_at("a.go").expect("a file");
        let found = partners(&base, &past, &[a], |file| file == a, (100, 3));
        let said: Vec<(&str, u32, u32)> =
            found.iter().map(|partner| (base.path(partner.file), partner.n_both, partner.n_all)).collect();
        assert_eq!(said, [("b.go", 150, 200), ("c.go", 50, 200)]);
    }
}
