//! Cases as JSON lines: a task and what is known to be its answer.
//!
//! Must not read files: it is handed their text.

use error::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most bytes of a line: a case has one or two thousand.
const MAX_LINE_BYTES: usize = 1 << 20;

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Its name: `owner/name@commit`.
    pub id: String,
    /// The repository: `owner/name`, or a path.
    pub repo: String,
    /// The language of most gold files.
    #[serde(default)]
    pub language: String,
    /// The day of the commit.
    #[serde(default)]
    pub date: String,
    /// The commit that the intent is asked of.
    pub parent: String,
    /// The commit that did what the intent says.
    #[serde(default)]
    pub commit: String,
    /// What is to be done.
    pub intent: String,
    /// More words about it.
    #[serde(default)]
    pub body: String,
    /// The files that the commit changed: what is to be found.
    pub gold: Vec<String>,
    /// The functions and types that it changed, as `path#name`.
    #[serde(default)]
    pub gold_symbols: Vec<String>,
    /// Whether the intent names something that is defined in a gold file; that it describes, where nothing is said.
    #[serde(default)]
    pub tier: Tier,
    /// The identifiers that it names.
    #[serde(default)]
    pub named_ids: Vec<String>,
    /// The lines that were added to gold files and taken away.
    #[serde(default)]
    pub changed_lines: u32,
}

/// How much an intent gives away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// It names an identifier that a gold file defines.
    Named,
    /// It describes.
    #[default]
    Described,
}

impl Tier {
    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::Described => "described",
        }
    }
}

impl Case {
    /// What is asked.
    pub fn text(&self, with_body: bool) -> String {
        if with_body && !self.body.is_empty() { format!("{}\n{}", self.intent, self.body) } else { self.intent.clone() }
    }
}

/// Reads cases from the text of a file that is called `name`, one a line. Fields that are not known are passed over, and so are empty lines.
///
/// # Errors
///
/// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) with the line that is not a case.
pub fn read_cases(name: &str, text: &str) -> Result<Vec<Case>> {
    let mut cases: Vec<Case> = Vec::new();
    for (line, number) in text.lines().zip(1_usize..).filter(|(line, _)| !line.trim().is_empty()) {
        let refused = |why: &str| Error::new(ErrorKind::BadInput, format!("`{name}` line {number}: this is not a case: {why}"));
        if line.len() > MAX_LINE_BYTES {
            return Err(refused("it is longer than a megabyte"));
        }
        let case: Case = serde_json::from_str(line).map_err(|error| refused(&error.to_string()))?;
        if case.gold.is_empty() || case.intent.trim().is_empty() {
            return Err(refused("it has no gold files, or no intent"));
        }
        cases.push(case);
    }
    Ok(cases)
}

/// At most `limit` cases of each repository, spread evenly over their order.
pub fn spread_cases(cases: Vec<Case>, limit: usize) -> Vec<Case> {
    let mut n_of: BTreeMap<String, usize> = BTreeMap::new();
    for case in &cases {
        *n_of.entry(case.repo.clone()).or_default() += 1;
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut keep = |case: &Case| {
        let n_cases = n_of.get(&case.repo).copied().unwrap_or_default();
        let at = seen.entry(case.repo.clone()).or_default();
        *at += 1;
        n_cases <= limit || (0..limit).any(|chosen| chosen * n_cases / limit == *at - 1)
    };
    cases.into_iter().filter(|case| keep(case)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, repo: &str) -> String {
        format!(r#"{{"id":"{id}","repo":"{repo}","parent":"0","intent":"x","gold":["a.go"],"tier":"named","other":[1]}}"#)
    }

    #[test]
    fn unknown_fields_are_passed_over_and_bad_lines_are_named() {
        let cases = read_cases("f", &format!("{}\n\n{}\n", line("1", "a"), line("2", "a"))).expect("cases");
        assert_eq!(cases.iter().map(|case| case.id.as_str()).collect::<Vec<_>>(), ["1", "2"]);
        for (bad, says) in [
            (line("1", "a").replace("named", "easy"), "line 2: this is not a case: unknown variant `easy`"),
            (line("1", "a").replace(r#""a.go""#, ""), "line 2: this is not a case: it has no gold files"),
            ("{".to_owned(), "line 2: this is not a case: EOF"),
        ] {
            let error = read_cases("f", &format!("{}\n{bad}\n", line("0", "a"))).expect_err("a bad line");
            assert!(error.message.contains(says), "{error}");
        }
    }

    #[test]
    fn a_limit_spreads_over_each_repository() {
        let lines: Vec<String> = (0..7).map(|at| line(&at.to_string(), "a")).chain([line("7", "b"), line("8", "b")]).collect();
        let cases = read_cases("f", &lines.join("\n")).expect("cases");
        let ids = |limit| spread_cases(cases.clone(), limit).iter().map(|case| case.id.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!(ids(3), "0 2 4 7 8");
        assert_eq!(ids(1), "0 7");
        assert_eq!(ids(9), "0 1 2 3 4 5 6 7 8");
    }
}
