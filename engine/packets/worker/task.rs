//! A worker's task as its planner wrote it: JSON with the few fields that a packet needs.
//!
//! Fields that are not known are kept out; what is wrong is said with line and column.

use error::{Error, ErrorKind, Result};
use redact::Masker;
use repo::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// The fields as they are written; [`Task::parse`] holds them against the rules.
#[derive(Deserialize)]
struct Written {
    id: String,
    #[serde(rename = "filesModified", alias = "files_modified")]
    files: Vec<String>,
    #[serde(rename = "acceptanceCriteria", alias = "acceptance_criteria", default)]
    acceptance_criteria: Vec<String>,
    #[serde(rename = "tddMode", alias = "tdd_mode")]
    tdd_mode: TddMode,
    #[serde(rename = "riskTier", alias = "risk_tier")]
    risk_tier: RiskTier,
}

/// Why an id cannot be used, if so: others read it.
fn refused_id(masker: &Masker, id: &str) -> Option<String> {
    if masker.text("", id) != id {
        return Some("`id` or `acceptanceCriteria`: an id holds what looks like a secret".to_owned());
    }
    let is_plain = !id.is_empty() && id.trim() == id && masker.name(id).as_str() == id && id.chars().count() <= MAX_ID;
    (!is_plain)
        .then(|| format!("`id` or `acceptanceCriteria`: an id is one line of at most {MAX_ID} characters that can be shown"))
}

/// A path that a worker may own: inside the repository, none of git's, and the same when it is shown.
///
/// # Errors
///
/// Why the text is not a path of the repository.
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
    /// [`ErrorKind::BadInput`] for what is not a task: with line and column where it is not JSON of this shape.
    pub fn parse(masker: &Masker, json: &str) -> Result<Self> {
        let refused = |why: String| Error::new(ErrorKind::BadInput, format!("the task cannot be used: {why}"));
        // A list would be taken for the fields in their order.
        if !json.trim_start().starts_with('{') {
            return Err(refused("expected an object at line 1 column 1".to_owned()));
        }
        let Written { id, files, acceptance_criteria, tdd_mode, risk_tier } =
            serde_json::from_str(json).map_err(|error| refused(masker.line(&error.to_string()).to_string()))?;
        if let Some(why) = acceptance_criteria.iter().chain([&id]).find_map(|id| refused_id(masker, id)) {
            return Err(refused(why));
        }
        let path = |file: String| {
            own_path(masker, &file).map_err(|why| refused(format!("`filesModified`: `{}` is {why}", masker.name(&file))))
        };
        let files: Vec<RepoPath> = files.into_iter().map(path).collect::<Result<_>>()?;
        if files.is_empty() {
            return Err(refused("`filesModified` names no file: a worker needs one to write".to_owned()));
        }
        if files.len() > MAX_FILES {
            return Err(refused(format!("`filesModified` names {} files; the most are {MAX_FILES}", files.len())));
        }
        if let Some(twice) = twice(&files) {
            return Err(refused(format!("`filesModified` names `{twice}` twice")));
        }
        if acceptance_criteria.len() > MAX_CRITERIA {
            let n = acceptance_criteria.len();
            return Err(refused(format!("`acceptanceCriteria` names {n} ids; the most are {MAX_CRITERIA}")));
        }
        Ok(Self { id, files, acceptance_criteria, tdd_mode, risk_tier })
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
    fn what_is_no_task_is_refused() {
        let task = |files: &str| {
            format!("{{\"id\": \"T\",\n \"filesModified\": {files},\n \"tddMode\": \"hard\", \"riskTier\": \"low\"}}")
        };
        for (json, says) in [
            ("[]".to_owned(), "expected an object at line 1 column 1"),
            ("{".to_owned(), "line 1 column 1"),
            (task("\"a\""), "at line 2 column 21"),
            (task("[\"../a\"]"), "`../a` is a path with `..`; give it relative to the repository root"),
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
    #[test]
    fn what_is_known_to_be_secret_is_refused_and_not_repeated() {
        let masker = Masker::knowing_nothing().with(redact::Gathered::of(".env", "DB_PASSWORD=copper-walnut-5512\n"));
        for (id, file, says) in [
            ("T-copper-walnut-5512", "a", "an id holds what looks like a secret"),
            (
                "T",
                "a/copper-walnut-5512.ts",
                "`a/[REDACTED:assigned-secret].ts` is a path with hidden characters or a secret in it",
            ),
            ("T", "../copper-walnut-5512", "`../[REDACTED:assigned-secret]` is a path with `..`"),
        ] {
            let json = format!(r#"{{"id": "{id}", "filesModified": ["{file}"], "tddMode": "hard", "riskTier": "low"}}"#);
            let error = Task::parse(&masker, &json).unwrap_err();
            assert!(error.message.contains(says) && !error.message.contains("walnut"), "{}", error.message);
        }
    }
}
