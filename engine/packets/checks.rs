//! The commands that build, lint and test a repository as one JSON object with stable key order.

use context::packet::session::ProblemPacket;
use index::checks::{Check, Checks};
use redact::{Masker, Safe};
use schemars::JsonSchema;
use serde::Serialize;

/// The version of the form below.
pub const SCHEMA: &str = "activate.checks.v1";

/// The commands of a repository.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChecksPacket {
    /// Name and version of this form: `activate.checks.v1`.
    pub schema: &'static str,
    /// The commands, in the order in which they are run.
    pub checks: Vec<CheckPacket>,
    /// What was left out, and what is not known of those that were run.
    pub problems: Vec<ProblemPacket>,
    /// What came of running them, where nothing fails that is known; nothing where they were not run.
    pub ran: Option<RanPacket>,
}

/// What came of running the commands.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RanPacket {
    /// How many commands ran.
    #[serde(rename = "commands")]
    pub n_run: usize,
    /// How many of all did not run, or not to their end, or failed in words that nobody knows: 0 where nothing fails.
    #[serde(rename = "unclear")]
    pub n_unclear: usize,
    /// How many tests passed.
    #[serde(rename = "tests_passed")]
    pub n_passed: u32,
}

/// A command.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CheckPacket {
    /// What it is for: `build`, `lint` or `test`.
    pub what: &'static str,
    /// The folder to run it in, from the root of the repository; empty for the root.
    #[schemars(with = "String")]
    pub folder: Safe,
    /// The program and its arguments.
    #[schemars(with = "Vec<String>")]
    pub command: Vec<Safe>,
    /// The same for a shell at the root of the repository.
    #[schemars(with = "String")]
    pub line: Safe,
    /// The tool that must be installed for it.
    pub needs: &'static str,
    /// Why the program cannot be used on this machine; nothing where it can.
    #[schemars(with = "Option<String>")]
    pub fault: Option<Safe>,
}

impl ChecksPacket {
    /// The packet of some checks; `fault` says why the program of one cannot be used, and `ran` what came of running them.
    pub fn new(masker: &Masker, checks: &Checks, fault: impl Fn(&Check) -> Option<String>, ran: Option<RanPacket>) -> Self {
        let check = |check: &Check| CheckPacket {
            what: check.what.name(),
            folder: masker.name(&check.folder),
            command: check.command.iter().map(|word| masker.name(word)).collect(),
            line: masker.name(&check.line()),
            needs: check.needs,
            fault: fault(check).map(|fault| masker.line(&fault)),
        };
        Self {
            schema: SCHEMA,
            checks: checks.list.iter().map(check).collect(),
            problems: checks.problems.iter().map(|problem| ProblemPacket::new(masker, problem)).collect(),
            ran,
        }
    }

    /// The packet as JSON, two spaces deep, with a line feed at the end.
    pub fn json(&self) -> String {
        super::json(self)
    }
}
