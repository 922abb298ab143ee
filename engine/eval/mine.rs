//! Cases from a repository's own history: commits that changed a few source files for a reason that their subject gives.
//!
//! Neither clock nor chance: the same history gives the same cases.

use super::cases::{Case, Tier};
use super::sources::{is_source, language, says_generated};
use super::subject::{first_paragraph, intent_of, is_chore, key, named, says_enough};
use error::{Error, ErrorKind, Problem, Result};
use index::base::{SymbolKind, Traits};
use index::extract::{FileRecord, MAX_TEXT_BYTES, extract};
use redact::by_rules;
use regex::Regex;
use repo::{FileDiff, Git, Hunk, LogEntry, RepoPath, Touch};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// How far back commits are looked for, in years before the newest: further where the nearer years have too few.
const YEARS: [i64; 3] = [3, 5, 8];
/// Seconds of a year.
const YEAR: i64 = 31_557_600;
/// The history is looked at further back until there are so many candidates for a case.
const CANDIDATES_A_CASE: usize = 2;
/// The most candidates whose files are read.
const MAX_CANDIDATES: usize = 600;

/// Source files that a case's commit modifies.
const GOLD: std::ops::RangeInclusive<usize> = 1..=5;
/// The most source files that it adds.
const MAX_ADDED: usize = 3;
/// Lines that it adds to gold files and takes away.
const LINES: std::ops::RangeInclusive<usize> = 3..=400;
/// Of so many cases ...
const OF: usize = 5;
/// ... so many name an identifier, where there are enough.
const NAMED: usize = 2;

/// Where the unit tests of a Rust file begin.
static UNIT_TESTS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^[ \t]*#\[cfg\((?:all\()?test\b.*\n(?:\s*#.*\n)*\s*(?:pub )?mod \w+ \{").ok());

/// A commit that may be a case.
struct Candidate {
    entry: LogEntry,
    intent: String,
    /// The gold files. What happened to them is read again for those that are taken: a history has thousands of candidates.
    gold: Vec<RepoPath>,
    n_lines: usize,
}

/// Takes `n` cases from the history of `git`, whose repository is called `repo`, oldest first; with what of the history cannot be read, and why
/// there are fewer than that.
///
/// # Errors
///
/// That git's history cannot be read.
pub fn mine(git: &Git, repo: &str, n: usize) -> Result<(Vec<Case>, Vec<Problem>)> {
    let unreadable = |problem: Problem| {
        Error::new(ErrorKind::NoRepository, format!("the history of `{repo}` cannot be read: {}", problem.message))
    };
    let repo = &by_rules::hide(repo);
    let head = git.head().map_err(unreadable)?;
    let newest = head.time.unwrap_or_default();
    let (mut candidates, mut problems) = (Vec::new(), Vec::new());
    for years in YEARS {
        (candidates, problems) = candidates_since(git, newest - years * YEAR).map_err(unreadable)?;
        if candidates.len() >= CANDIDATES_A_CASE * n {
            break;
        }
    }
    candidates.sort_by(|one, other| (one.entry.time, &one.entry.id).cmp(&(other.entry.time, &other.entry.id)));
    let candidates = pick(candidates, MAX_CANDIDATES);
    let cases: Vec<Case> = candidates.into_iter().filter_map(|candidate| candidate.case(git, repo)).collect();
    let (with_names, plain): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(|case| case.tier == Tier::Named);
    let n_named = with_names.len().min(n * NAMED / OF).max(n.saturating_sub(plain.len()));
    let mut cases = pick(with_names, n_named);
    cases.extend(pick(plain, n - n_named.min(n)));
    cases.sort_by(|one, other| (&one.date, &one.id).cmp(&(&other.date, &other.id)));
    if cases.len() < n {
        let why = git.cut_off().map(|why| format!("; {why}")).unwrap_or_default();
        let few = format!("of {n} cases that were asked for the history has {}: no other commit makes one{why}", cases.len());
        problems.push(Problem::new("cases", few));
    }
    Ok((cases, problems))
}

/// One of each of `n` equal stretches, chosen by hash; all where there are no more.
fn pick<T: Named>(rows: Vec<T>, n: usize) -> Vec<T> {
    let n_rows = rows.len();
    if n_rows <= n {
        return rows;
    }
    let chosen: BTreeSet<usize> = (0..n)
        .filter_map(|stretch| {
            let stretch = stretch * n_rows / n..(stretch + 1) * n_rows / n;
            stretch.min_by_key(|at| xxhash_rust::xxh3::xxh3_64(rows[*at].name().as_bytes()))
        })
        .collect();
    rows.into_iter().enumerate().filter(|(at, _)| chosen.contains(at)).map(|(_, row)| row).collect()
}

/// Something with a name that never changes.
trait Named {
    fn name(&self) -> &str;
}

impl Named for Candidate {
    fn name(&self) -> &str {
        &self.entry.id
    }
}

impl Named for Case {
    fn name(&self) -> &str {
        &self.id
    }
}

/// Commits whose subject says something and that change few source files, newest first; of several with the same subject the newest.
fn candidates_since(git: &Git, since: i64) -> std::result::Result<(Vec<Candidate>, Vec<Problem>), Problem> {
    let mut seen = BTreeSet::new();
    let mut candidates = Vec::new();
    let problems = git.log(since, &mut |entry| {
        if let Some(candidate) = Candidate::of(git, entry, &seen) {
            seen.insert(key(&candidate.intent));
            candidates.push(candidate);
        }
    })?;
    Ok((candidates, problems))
}

/// The modified source files, if they are few and no source file is gone or became something else.
fn gold_of(touched: &[(RepoPath, Touch)]) -> Option<Vec<RepoPath>> {
    let sources = || touched.iter().filter(|(path, _)| is_source(path.as_str()));
    let n = |wanted: Touch| sources().filter(|(_, touch)| *touch == wanted).count();
    let fits = GOLD.contains(&n(Touch::Modified)) && n(Touch::Deleted) + n(Touch::Retyped) == 0 && n(Touch::Added) <= MAX_ADDED;
    fits.then(|| sources().filter(|(_, touch)| *touch == Touch::Modified).map(|(path, _)| path.clone()).collect())
}

/// Lines that a place adds and takes away.
fn n_lines(hunk: &Hunk) -> usize {
    let n = |range: repo::LineRange| (range.last + 1).saturating_sub(range.first) as usize;
    n(hunk.before) + n(hunk.after)
}

/// What a commit did to files; none where that is not there, as in clones that fetch objects when they are needed, or where a file is so
/// large that the engine knows no more of it than its name.
fn diffs(git: &Git, commit: &str, paths: &[RepoPath]) -> Option<Vec<FileDiff>> {
    paths.iter().map(|path| git.diff(commit, path, MAX_TEXT_BYTES).ok()?).collect()
}

impl Candidate {
    /// The candidate that a commit is, unless a newer one says the same: `seen` are the keys of what those ask.
    fn of(git: &Git, entry: LogEntry, seen: &BTreeSet<String>) -> Option<Self> {
        if entry.parents.len() != 1 || is_chore(&entry.subject, &entry.author) {
            return None;
        }
        let gold = gold_of(&git.touched_by(&entry.id).ok()?)?;
        let names: Vec<String> = gold.iter().map(|path| path.as_str().to_owned()).collect();
        let is_secret = |text: &String| matches!(by_rules::hide(text), Cow::Owned(_));
        let intent = intent_of(&by_rules::hide(&entry.subject), &names);
        // What is to be found must be named.
        if !says_enough(&intent) || seen.contains(&key(&intent)) || names.iter().any(is_secret) {
            return None;
        }
        let n_lines = diffs(git, &entry.id, &gold)?.iter().flat_map(|diff| &diff.hunks).map(n_lines).sum();
        let entry = LogEntry { body: first_paragraph(&by_rules::hide(&entry.body)), ..entry };
        LINES.contains(&n_lines).then_some(Self { entry, intent, gold, n_lines })
    }

    /// The case, unless a gold file is generated, or nothing but unit tests or comments changed.
    fn case(self, git: &Git, repo: &str) -> Option<Case> {
        let mut defined = BTreeSet::new();
        let mut gold = Vec::new();
        let mut gold_symbols = Vec::new();
        let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
        let mut changes_code = false;
        for (path, diff) in self.gold.iter().zip(&diffs(git, &self.entry.id, &self.gold)?) {
            let path = path.as_str();
            let text = String::from_utf8_lossy(&diff.old);
            if text.is_empty() || says_generated(&text) {
                return None;
            }
            let language = language(path)?;
            if only_unit_tests(&text, &diff.hunks) {
                continue;
            }
            let record = extract(path, Some(&diff.old));
            defined.extend(record.facts.symbols.iter().map(|symbol| record.facts.names.get(symbol.name).to_owned()));
            gold_symbols.extend(changed_symbols(&record, &diff.hunks).into_iter().map(|name| format!("{path}#{name}")));
            changes_code |= has_code(diff);
            *languages.entry(language).or_default() += 1;
            gold.push(path.to_owned());
        }
        if !changes_code {
            return None;
        }
        let most = languages.values().max().copied();
        let language =
            self.gold.iter().find_map(|path| language(path.as_str()).filter(|name| languages.get(name).copied() == most))?;
        let named_ids = named(&self.intent, &defined);
        let Self { entry, intent, n_lines, .. } = self;
        Some(Case {
            id: format!("{repo}@{}", entry.id.get(..SHORT_ID)?),
            repo: repo.to_owned(),
            language: language.to_owned(),
            date: day(entry.time),
            parent: entry.parents.first()?.clone(),
            commit: entry.id,
            body: entry.body,
            intent,
            gold,
            gold_symbols,
            tier: if named_ids.is_empty() { Tier::Described } else { Tier::Named },
            named_ids,
            changed_lines: n_lines as u32,
        })
    }
}

/// Digits of a commit in the name of a case.
const SHORT_ID: usize = 10;

/// Whether every place lies in or after unit tests that stand in the file of what they test, as in Rust.
fn only_unit_tests(text: &str, hunks: &[Hunk]) -> bool {
    let Some(tests) = UNIT_TESTS.as_ref().and_then(|tests| tests.find(text)) else { return false };
    let first = text[..tests.start()].matches('\n').count() as u32 + 1;
    hunks.iter().all(|hunk| hunk.before.first.min(hunk.before.last.max(1)) >= first)
}

/// Whether a change is more than comments and empty lines.
fn has_code(diff: &FileDiff) -> bool {
    let is_code = |text: &[u8], range: repo::LineRange| {
        let text = String::from_utf8_lossy(text);
        let n = (range.last + 1).saturating_sub(range.first) as usize;
        let mut lines = text.lines().skip(range.first.saturating_sub(1) as usize).take(n).map(str::trim_start);
        lines.any(|line| !line.is_empty() && !["//", "/*", "*"].iter().any(|mark| line.starts_with(mark)))
    };
    diff.hunks.iter().any(|hunk| is_code(&diff.old, hunk.before) || is_code(&diff.new, hunk.after))
}

/// The names of the innermost definitions that hold changed lines, in their order. What is only added belongs to what it is put
/// into, and tests are not looked for.
fn changed_symbols(record: &FileRecord, hunks: &[Hunk]) -> Vec<String> {
    let facts = &record.facts;
    let is_wanted = |kind: SymbolKind| !matches!(kind, SymbolKind::Module | SymbolKind::Test);
    let symbols: Vec<_> = facts.symbols.iter().filter(|symbol| is_wanted(symbol.kind)).collect();
    let innermost = |first: u32, last: u32| {
        let around = symbols.iter().filter(|symbol| symbol.lines.0 <= first && last <= symbol.lines.1);
        let innermost = around.min_by_key(|symbol| (symbol.lines.1 - symbol.lines.0, symbol.bytes.0));
        innermost.filter(|symbol| !symbol.traits.has(Traits::TEST_CODE))
    };
    let mut found = BTreeSet::new();
    for hunk in hunks {
        let (first, last) = (hunk.before.first, hunk.before.last);
        if first > last {
            found.extend(innermost(last, first).map(|symbol| (symbol.bytes.0, facts.names.get(symbol.name))));
        }
        for line in first..=last {
            found.extend(innermost(line, line).map(|symbol| (symbol.bytes.0, facts.names.get(symbol.name))));
        }
    }
    let mut names: Vec<String> = Vec::new();
    for (_, name) in found {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The day of a time in seconds since 1970, as `2026-11-21`.
fn day(time: i64) -> String {
    const DAY: i64 = 86_400;
    // The days of the calendar's cycle of 400 years, counted from 1 March of the year 0.
    const FROM_YEAR_0: i64 = 719_468;
    const CYCLE: i64 = 146_097;
    let days = time.div_euclid(DAY) + FROM_YEAR_0;
    let (cycle, day) = (days.div_euclid(CYCLE), days.rem_euclid(CYCLE));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + cycle * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use Touch::{Added, Deleted, Modified, Retyped};

    #[test]
    fn days_are_those_of_the_calendar() {
        for (time, expected) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_706_832_000, "2024-02-02"),
            (-1, "1969-12-31"),
        ] {
            assert_eq!(day(time), expected);
        }
    }

    fn hunk(before: (u32, u32)) -> Hunk {
        let range = |(first, last)| repo::LineRange { first, last };
        Hunk { before: range(before), after: range((1, 0)) }
    }

    #[test]
    fn changed_lines_belong_to_the_innermost_definition() {
        let text = "package a\n\nfunc one() {\n\tx()\n}\n\ntype T struct {\n\ta int\n}\n\nfunc (t T) two() {\n\ty()\n}\n";
        let record = extract("a.go", Some(text.as_bytes()));
        let names = |before: &[(u32, u32)]| {
            changed_symbols(&record, &before.iter().map(|range| hunk(*range)).collect::<Vec<_>>()).join(" ")
        };
        assert_eq!(names(&[(4, 4)]), "one");
        assert_eq!(names(&[(8, 8), (12, 12)]), "T two");
        assert_eq!(names(&[(3, 8)]), "one T");
        // Added between two definitions, and within one.
        assert_eq!(names(&[(6, 5)]), "");
        assert_eq!(names(&[(5, 4)]), "one");
    }

    #[test]
    fn unit_tests_of_rust_are_known_by_where_they_begin() {
        let text = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n";
        assert!(only_unit_tests(text, &[hunk((5, 5))]));
        assert!(!only_unit_tests(text, &[hunk((1, 1)), hunk((5, 5))]));
        assert!(!only_unit_tests("fn a() {}\n", &[hunk((1, 1))]));
    }

    #[test]
    fn commits_that_change_few_source_files_are_candidates() {
        let gold = |touched: &[(&str, Touch)]| {
            let touched: Vec<_> = touched.iter().map(|(path, touch)| (RepoPath::new(path).expect("a path"), *touch)).collect();
            gold_of(&touched).map(|gold| gold.iter().map(|path| path.as_str().to_owned()).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(
            gold(&[("a.go", Modified), ("a_test.go", Modified), ("b.go", Added), ("d.md", Deleted)]).as_deref(),
            Some("a.go")
        );
        assert_eq!(gold(&[("a_test.go", Modified)]), None);
        for gone in [Deleted, Retyped] {
            assert_eq!(gold(&[("a.go", Modified), ("b.go", gone)]), None);
            assert_eq!(gold(&[("a.go", Modified), ("b.md", gone)]).as_deref(), Some("a.go"));
        }
        assert_eq!(gold(&[("a.go", Modified), ("b.go", Added), ("c.go", Added), ("d.go", Added), ("e.go", Added)]), None);
        let six = ["a.go", "b.go", "c.go", "d.go", "e.go", "f.go"].map(|path| (path, Modified));
        assert_eq!(gold(&six), None);
        assert!(gold(&six[..5]).is_some());
    }
}
