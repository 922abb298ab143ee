//! A turn: one intent, and what was done, run, found and sent for it.
//!
//! Must not know other turns: what depends on several is a rule over the session.

use super::outcome::Outcome;
use super::sent::Sent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A turn of a session. One of the newest three is whole; an older one holds only what still counts, and its line stands in the history.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Its number, from 1; 0 for what was noted before the first turn.
    pub number: u32,
    /// What was to be done, one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub intent: String,
    /// What the agent did, in order: `/fix auth.go`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 5_000))]
    pub actions: Vec<String>,
    /// What the newest run of tests said; none where tests were not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<TestRun>,
    /// What the newest build or lint said: `severity:file:line:message`, e.g. `error:internal/auth/login.go:45:undefined: ValidateToken`;
    /// none where there was none, empty where nothing was wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 5_000))]
    pub diagnostics: Option<Vec<String>>,
    /// Files that the agent changed: paths from the root of the repository, each once, in the order of their first change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 5_000))]
    pub touched: Vec<String>,
    /// What other shards did, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 5_000))]
    pub results: Vec<ShardResult>,
    /// What reviewers and testers found, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 5_000))]
    pub findings: Vec<Finding>,
    /// The newest packets that were sent, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 4))]
    pub sent: Vec<Sent>,
    /// What became of the last of them, if that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

/// What a run of tests said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestRun {
    /// How many tests passed. A run in which none passed and none failed ran nothing.
    pub n_passed: u32,
    /// The tests that failed, in the order of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 5_000))]
    pub failing: Vec<FailingTest>,
    /// Tests that failed when they last ran, and did not run now: their rows go on when they fail again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 5_000))]
    pub not_run: Vec<FailingTest>,
}

/// What a test is called. Without a name it stands for tests of its suite that a report counts and does not name; without a suite, for
/// tests of any suite of its runner.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct TestName {
    /// Who runs it: `go test`, `cargo test`. Empty where that is not known.
    pub runner: String,
    /// What it belongs to, as its runner says: a Go package, a binary of tests, a class. Empty where it does not say.
    pub suite: String,
    /// Its name: `TestName/SubTestName`.
    pub name: String,
}

/// A test that failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailingTest {
    /// Its name: `TestName/SubTestName`, e.g. `TestValidateToken/empty_token`.
    pub name: String,
    /// What it belongs to, as its runner says: a Go package, a binary of tests, a class; tests of one name in two suites are two.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub suite: String,
    /// Who runs it: `go test`, `cargo test`; empty where that is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub runner: String,
    /// In how many turns in which it ran it failed without a break, from 1: with the newest of them, and back.
    #[schemars(range(min = 1))]
    pub in_a_row: u32,
}

/// What another shard did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShardResult {
    /// Kind of the shard, e.g. `reviewer`.
    pub shard: String,
    /// Whether it did what it was asked for.
    pub success: bool,
    /// What it was asked for.
    pub task: String,
    /// What came out, one sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
}

/// What a reviewer or tester found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Its number in the session, from 1, by which it is resolved.
    pub number: u32,
    /// What was found: `[CATEGORY] text (source)`, e.g. `[SECURITY] SQL injection risk in UserQuery (reviewer)`.
    pub text: String,
    /// Whether it was resolved.
    #[serde(default, skip_serializing_if = "is_false")]
    pub resolved: bool,
}

impl From<&str> for TestName {
    fn from(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

impl TestRun {
    /// Whether any test was run.
    pub fn ran(&self) -> bool {
        self.n_passed > 0 || !self.failing.is_empty()
    }

    /// The tests that failed when they last ran.
    pub fn rows(&self) -> impl Iterator<Item = &FailingTest> {
        self.failing.iter().chain(&self.not_run)
    }
}

impl Turn {
    /// A turn in which nothing was done yet.
    pub fn new(number: u32, intent: impl Into<String>) -> Self {
        Self { number, intent: intent.into(), ..Self::default() }
    }

    /// Whether nothing is known of it.
    pub fn is_empty(&self) -> bool {
        *self == Self::new(self.number, "")
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives references")]
fn is_false(value: &bool) -> bool {
    !*value
}
