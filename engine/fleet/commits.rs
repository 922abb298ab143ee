//! What changes together in different repositories: the same author within the same hour, or the same ticket.

use crate::columns::Value::{Long, Text};
use crate::columns::Writer;
use crate::shards::Shards;
use crate::tables::OCCASIONS;
use error::Result;
use index::history::PastCommits;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use xxhash_rust::xxh3::xxh3_64;

/// The newest commits of a repository that are read.
const MAX_COMMITS: usize = 2_000;
/// The most tickets of a commit, and the most folders: a commit over more says little about each.
const MAX_TICKETS: usize = 8;
const MAX_FOLDERS: usize = 8;
/// The longest key of a ticket: a project's letters and a number.
const MAX_KEY: usize = 24;
/// Bytes of a message that are read: tickets stand at its beginning or are named in its first lines.
const MAX_MESSAGE: usize = 2_048;
/// The most places that one occasion joins: what touches more is a bulk change.
const MAX_JOINED: usize = 16;
/// How often places have to change together for that to be no accident.
const MIN_TOGETHER: u32 = 2;
const SECONDS_IN_HOUR: i64 = 3_600;
/// The kinds of occasions.
const TICKET: &str = "ticket";
const HOUR: &str = "hour";
/// A lift of one, in the thousandths in which it is given.
const THOUSAND: u64 = 1_000;

/// A folder of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot<'r> {
    /// The repository's name.
    pub repository: &'r str,
    /// A folder at its top; `.` stands for files at the top.
    pub folder: &'r str,
}

/// Folders of two repositories that change together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Together<'r> {
    /// The one, which is the first in order.
    pub one: Spot<'r>,
    /// The other.
    pub other: Spot<'r>,
    /// Occasions on which both changed.
    pub n_both: u32,
    /// Occasions on which the one did, and the other.
    pub n_each: (u32, u32),
    /// How many times as often they change together as they would by chance, in thousandths.
    pub lift: u64,
}

/// What makes changes one occasion: its key, which also says which of the two it is.
type Occasion = (u64, &'static str);

/// The occasions of a repository's newest commits, with the folders that changed. Commits that touch no file, or too many, are left out.
fn occasions(repository: &str, past: &PastCommits) -> BTreeSet<(Occasion, String)> {
    let mut found = BTreeSet::new();
    for commit in past.commits.iter().take(MAX_COMMITS).filter(|commit| !commit.bulk) {
        let top = |path: &str| path.split_once('/').map_or(".", |(folder, _)| folder).to_owned();
        let folders: BTreeSet<String> = commit.touched.iter().map(|(path, _)| top(path.as_str())).collect();
        if folders.len() > MAX_FOLDERS {
            continue;
        }
        let message = format!("{}\n{}", commit.subject, repo::beginning(&commit.body, MAX_MESSAGE));
        let hour = format!("{} {}", commit.time.div_euclid(SECONDS_IN_HOUR), commit.author);
        let mut of_commit: Vec<Occasion> =
            tickets(repository, &message).iter().map(|ticket| (xxh3_64(ticket.as_bytes()), TICKET)).collect();
        // Two commits are together once: those for a ticket by that, others by their hour.
        if of_commit.is_empty() {
            of_commit.push((xxh3_64(hour.as_bytes()), HOUR));
        }
        for occasion in of_commit {
            found.extend(folders.iter().map(|folder| (occasion, folder.clone())));
        }
    }
    found
}

/// The table of a repository's occasions.
pub(crate) fn table(repository: &str, past: &PastCommits) -> Writer {
    let mut table = Writer::new(OCCASIONS);
    for ((key, kind), folder) in occasions(repository, past) {
        table.push(&[Long(key), Text(kind), Text(&folder)]);
    }
    table
}

/// The tickets that a message names, in order: keys such as `ABC-123` in small letters, numbers such as `#123` with their repository.
fn tickets(repository: &str, message: &str) -> Vec<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '#' | '/' | '.');
    let words = message.split(|letter: char| !is_part(letter)).map(|word| word.trim_matches(['.', '/', '-', '_']));
    let found: BTreeSet<String> = words.filter_map(|word| ticket(repository, word)).collect();
    found.into_iter().take(MAX_TICKETS).collect()
}

fn ticket(repository: &str, word: &str) -> Option<String> {
    let is_number = |text: &str| !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((before, number)) = word.split_once('#') {
        let of = if before.is_empty() { repository } else { before };
        let is_name = before.is_empty() || before.contains('/');
        return (is_name && is_number(number)).then(|| format!("{}#{number}", of.to_ascii_lowercase()));
    }
    let (project, number) = word.split_once('-')?;
    let is_key = project.len() >= 2
        && project.starts_with(|first: char| first.is_ascii_uppercase())
        && project.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    // `UTF-8`, `SHA-256` and the like name no ticket.
    let is_standard = STANDARDS.contains(&project);
    (is_key && !is_standard && is_number(number) && word.len() <= MAX_KEY).then(|| word.to_ascii_lowercase())
}

/// Words in capital letters in front of a number that is no ticket's.
const STANDARDS: [&str; 14] = ["AES", "BASE", "CVE", "HTTP", "ISO", "MD", "PEP", "PR", "RC", "RFC", "RSA", "SHA", "UTF", "WIN"];

/// Which folders of different repositories of a fleet change together, the strongest first.
///
/// # Errors
///
/// [`ErrorKind::Storage`](error::ErrorKind::Storage) where the table of a shard cannot be read.
pub fn together(shards: &Shards) -> Result<Vec<Together<'_>>> {
    let mut all = Vec::new();
    for shard in shards.all() {
        let rows = shard.occasions()?;
        all.extend(
            rows.longs(0)
                .iter()
                .enumerate()
                .map(|(row, key)| (*key, Spot { repository: &shard.name, folder: rows.text(2, row) })),
        );
    }
    Ok(pairs(all))
}

/// Spots that share occasions: independent of the order in which they come.
fn pairs<'r>(mut all: Vec<(u64, Spot<'r>)>) -> Vec<Together<'r>> {
    all.sort_unstable();
    all.dedup();
    let mut n_all = 0;
    let mut n_of: FxHashMap<Spot<'r>, u32> = FxHashMap::default();
    let mut n_both: FxHashMap<(Spot<'r>, Spot<'r>), u32> = FxHashMap::default();
    for occasion in all.chunk_by(|one, other| one.0 == other.0).filter(|occasion| occasion.len() <= MAX_JOINED) {
        n_all += 1;
        for (at, (_, one)) in occasion.iter().enumerate() {
            *n_of.entry(*one).or_default() += 1;
            for (_, other) in occasion[at..].iter().filter(|(_, other)| other.repository != one.repository) {
                *n_both.entry((*one, *other)).or_default() += 1;
            }
        }
    }
    let n = |spot: &Spot<'r>| n_of.get(spot).copied().unwrap_or_default();
    let found = n_both.into_iter().filter(|(_, n_both)| *n_both >= MIN_TOGETHER).map(|((one, other), n_both)| {
        let n_each = (n(&one), n(&other));
        let by_chance = (u64::from(n_each.0) * u64::from(n_each.1)).max(1);
        Together { one, other, n_both, n_each, lift: n_all * u64::from(n_both) * THOUSAND / by_chance }
    });
    let mut found: Vec<Together<'r>> = found.filter(|together| together.lift > THOUSAND).collect();
    found.sort_by(|a, b| b.lift.cmp(&a.lift).then(b.n_both.cmp(&a.n_both)).then((a.one, a.other).cmp(&(b.one, b.other))));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use repo::{Commit, RepoPath, Touch};

    fn past(commits: &[(&str, i64, &str, &[&str])]) -> PastCommits {
        let commit = |(author, hour, subject, paths): &(&str, i64, &str, &[&str])| Commit {
            id: String::new(),
            time: hour * SECONDS_IN_HOUR + 7,
            author: (*author).to_owned(),
            subject: (*subject).to_owned(),
            body: String::new(),
            touched: paths.iter().map(|path| (RepoPath::new(path).expect("a path"), Touch::Modified)).collect(),
            n_touched: paths.len() as u32,
            bulk: false,
        };
        PastCommits::new(commits.iter().map(commit).collect())
    }

    #[test]
    fn tickets_are_keys_and_numbers_with_their_repository() {
        let message = "ABC-12: fix #7, shop/web#9 (ABC-12) and x#3, not UTF-8, SHA-256, a-1, CVE-2020-1, ABC-, #, PROJ2-5.";
        assert_eq!(tickets("shop/Api", message), ["abc-12", "proj2-5", "shop/api#7", "shop/web#9"]);
    }

    #[test]
    fn what_changes_together_is_told_with_its_lift_in_any_order() {
        let api = past(&[
            ("Ann", 10, "ABC-1 add a field", &["api/a.go", "api/b.go"]),
            ("Ann", 20, "rename", &["api/a.go"]),
            ("Bob", 30, "tidy", &["docs/a.md"]),
            ("Bob", 31, "tidy", &["README.md"]),
        ]);
        let web = past(&[
            ("Cid", 90, "abc: ABC-1", &["src/a.ts"]),
            ("Ann", 20, "rename", &["src/a.ts"]),
            ("Cid", 95, "alone", &["src/a.ts"]),
            ("Bob", 30, "tidy", &["docs/b.md"]),
        ]);
        let (api, web) = (occasions("shop/api", &api), occasions("shop/web", &web));
        let told = |all: &[(&str, &BTreeSet<(Occasion, String)>)]| {
            let spots = all
                .iter()
                .flat_map(|(repository, rows)| rows.iter().map(|((key, _), folder)| (*key, Spot { repository, folder })));
            let lines = pairs(spots.collect()).into_iter().map(|t| {
                let (one, other, (a, b)) = (t.one, t.other, t.n_each);
                let (n, lift) = (t.n_both, t.lift);
                format!("{}:{} {}:{} {n} of {a} and {b}, {lift}\n", one.repository, one.folder, other.repository, other.folder)
            });
            lines.collect::<String>()
        };
        let text = told(&[("shop/api", &api), ("shop/web", &web)]);
        // Five occasions: a ticket and four hours. Docs changed together once, which may be an accident.
        expect_test::expect![[r"
            shop/api:api shop/web:src 2 of 2 and 3, 1666
        "]]
        .assert_eq(&text);
        assert_eq!(told(&[("shop/web", &web), ("shop/api", &api)]), text);
        assert_eq!(told(&[("shop/api", &api), ("shop/api", &api)]), "", "one repository");
    }
}
