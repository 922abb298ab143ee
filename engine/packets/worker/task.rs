//! A worker's task as its planner wrote it: JSON with the few fields that a packet needs.
//!
//! Fields that are not known are kept out; what is wrong is said with line and column.

use error::{Error, ErrorKind, Result};
use redact::Masker;
use repo::RepoPath;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// The most files of a task: whoever may write more has no narrow task.
pub const MAX_FILES: usize = 500;
/// The most acceptance criteria of a task.
pub const MAX_CRITERIA: usize = 200;
/// The most characters of an id.
const MAX_ID: usize = 200;

/// A task of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its id.
    pub id: String,
    /// The files that its worker may read and write, in the order of the task.
    pub files: Vec<RepoPath>,
    /// Ids of the acceptance criteria that it must fulfil.
    pub acceptance_criteria: Vec<String>,
    /// When tests are written.
    pub tdd_mode: TddMode,
    /// How much can go wrong.
    pub risk_tier: RiskTier,
}

/// When the tests of a task are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TddMode {
    /// A failing test first, always.
    Hard,
    /// Beside the code; they pass before the task is done.
    Standard,
    /// None.
    Skip,
}

/// How much can go wrong with a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RiskTier {
    /// New files, tests, documentation.
    Low,
    /// The logic of existing code.
    Medium,
    /// Contracts, many files, dependencies.
    High,
    /// What cannot be taken back.
    Critical,
}

/// The fields as they are written.
#[derive(Deserialize)]
struct Written {
    id: Id,
    #[serde(rename = "filesModified", alias = "files_modified")]
    files: Vec<File>,
    #[serde(rename = "acceptanceCriteria", alias = "acceptance_criteria", default)]
    acceptance_criteria: Vec<Id>,
    #[serde(rename = "tddMode", alias = "tdd_mode")]
    tdd_mode: TddMode,
    #[serde(rename = "riskTier", alias = "risk_tier")]
    risk_tier: RiskTier,
}

/// While a text is read, what is known besides is not at hand: [`Task::parse`] looks again, and masks what is said of an error.
fn rules_alone() -> Masker {
    Masker::knowing_nothing()
}

struct Id(String);

struct File(RepoPath);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_plain = !text.trim().is_empty() && text.trim() == text && rules_alone().name(&text).as_str() == text;
        if is_plain && text.chars().count() <= MAX_ID {
            return Ok(Self(text));
        }
        if rules_alone().text("", &text) != text {
            return Err(D::Error::custom(SECRET_ID));
        }
        Err(D::Error::custom(format!("an id is one line of at most {MAX_ID} characters that can be shown")))
    }
}

impl<'de> Deserialize<'de> for File {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        own_path(&rules_alone(), &text)
            .map(Self)
            .map_err(|why| D::Error::custom(format!("`{}` is {why}", rules_alone().name(&text))))
    }
}

/// What is wrong with an id that others would read.
const SECRET_ID: &str = "an id holds what looks like a secret";

/// A path that a worker may own: inside the repository, none of git's, and the same when it is shown.
///
/// # Errors
///
/// Why the text is no path of the repository.
pub fn own_path(masker: &Masker, text: &str) -> std::result::Result<RepoPath, String> {
    let path = RepoPath::new(text)?;
    if path.is_git_data() {
        return Err("git's own data, which is off limits".to_owned());
    }
    if text.chars().any(char::is_control) {
        return Err("a path with control characters".to_owned());
    }
    if masker.name(text).as_str() != text {
        return Err("a path with hidden characters or a secret in it".to_owned());
    }
    Ok(path)
}

impl Task {
    /// Reads a task.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] with line and column for what is no task.
    pub fn parse(masker: &Masker, json: &str) -> Result<Self> {
        let refused = |why: String| Error::new(ErrorKind::BadInput, format!("the task cannot be used: {why}"));
        // A list would be taken for the fields in their order.
        if !json.trim_start().starts_with('{') {
            return Err(refused("expected an object at line 1 column 1".to_owned()));
        }
        let written: Written =
            serde_json::from_str(json).map_err(|error| refused(masker.line(&error.to_string()).to_string()))?;
        let ids = written.acceptance_criteria.iter().chain([&written.id]);
        if ids.into_iter().any(|id| masker.text("", &id.0) != id.0) {
            return Err(refused(SECRET_ID.to_owned()));
        }
        let files: Vec<RepoPath> = written.files.into_iter().map(|file| file.0).collect();
        for file in &files {
            let shown = |why| refused(format!("`{}` is {why}", masker.name(file.as_str())));
            own_path(masker, file.as_str()).map_err(shown)?;
        }
        if files.is_empty() {
            return Err(refused("`filesModified` names no file: a worker needs one to write".to_owned()));
        }
        if files.len() > MAX_FILES {
            return Err(refused(format!("`filesModified` names {} files; the most are {MAX_FILES}", files.len())));
        }
        if let Some(twice) = twice(&files) {
            return Err(refused(format!("`filesModified` names `{twice}` twice")));
        }
        let acceptance_criteria: Vec<String> = written.acceptance_criteria.into_iter().map(|id| id.0).collect();
        if acceptance_criteria.len() > MAX_CRITERIA {
            let n = acceptance_criteria.len();
            return Err(refused(format!("`acceptanceCriteria` names {n} ids; the most are {MAX_CRITERIA}")));
        }
        Ok(Self { id: written.id.0, files, acceptance_criteria, tdd_mode: written.tdd_mode, risk_tier: written.risk_tier })
    }

    /// Whether a path is one of its files.
    pub fn owns(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.as_str() == path)
    }
}

/// The first path that stands in a list for the second time.
pub(super) fn twice(files: &[RepoPath]) -> Option<&RepoPath> {
    let mut seen = std::collections::BTreeSet::new();
    files.iter().find(|file| !seen.insert(*file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_are_read_and_what_is_not_known_is_kept_out() {
        let camel = r#"{"id": "T02", "filesModified": ["a/b.ts"], "acceptanceCriteria": ["AC-3"], "tddMode": "hard", "riskTier": "high"}"#;
        let snake = r#"{"wave": 1, "id": "T02", "files_modified": ["a/b.ts"], "acceptance_criteria": ["AC-3"], "tdd_mode": "hard", "risk_tier": "high"}"#;
        let task = Task::parse(&Masker::knowing_nothing(), camel).unwrap();
        assert_eq!(task, Task::parse(&Masker::knowing_nothing(), snake).unwrap());
        assert_eq!((task.tdd_mode, task.risk_tier), (TddMode::Hard, RiskTier::High));
        assert!(task.owns("a/b.ts") && !task.owns("a"));
    }

    #[test]
    fn what_is_no_task_is_refused_with_its_place() {
        let task = |files: &str| {
            format!("{{\"id\": \"T\",\n \"filesModified\": {files},\n \"tddMode\": \"hard\", \"riskTier\": \"low\"}}")
        };
        for (json, says) in [
            ("[]".to_owned(), "expected an object at line 1 column 1"),
            ("{".to_owned(), "line 1 column 1"),
            (task("\"a\""), "at line 2 column 21"),
            (task("[\"../a\"]"), "`../a` is a path with `..`; give it relative to the repository root at line 2 column 26"),
            (task("[\"/etc/passwd\"]"), "is an absolute path"),
            (task("[\".git/config\"]"), "git's own data"),
            (task("[\"a\\u001b[2Jb\"]"), "control characters"),
            (task("[\"a\\u202eb\"]"), "hidden characters"),
            (task("[\"a\", \"b\", \"a\"]"), "names `a` twice"),
            (task("[]"), "names no file"),
            (task(&format!("[{}]", vec!["\"a\""; MAX_FILES + 1].join(","))), "the most are 500"),
            ("{\"id\": \"T\", \"filesModified\": [\"a\"]}".to_owned(), "missing field `tddMode` at line 1 column 35"),
            (task("[\"a\"]").replace("hard", "often"), "unknown variant `often`, expected one of `hard`, `standard`, `skip`"),
            (task("[\"a\"]").replace("low", "none"), "`low`, `medium`, `high`, `critical`"),
            (task("[\"a\"], \"files_modified\": [\"b\"]"), "duplicate field `filesModified`"),
            (task("[\"a\"]").replace("\"T\"", "\" \""), "an id is one line"),
            (
                task("[\"a\"]").replace("\"T\"", &format!("\"T-ghp_{}\"", "aB3dE6gH9j".repeat(4))),
                "an id holds what looks like a secret",
            ),
        ] {
            let error = Task::parse(&Masker::knowing_nothing(), &json).unwrap_err();
            assert!(error.kind == ErrorKind::BadInput && error.message.contains(says), "{json}: {}", error.message);
        }
    }
}
