//! `context`: the packet of a task, kept so that later calls can refer to it.

use super::page::{FRAME_CHARS, MAX_CHARS};
use super::tool_call::ToolCall;
use super::toolbox::{ProgressFn, Toolbox};
use crate::amount::number;
use engine::Request;
use error::{Error, ErrorKind, Result};
use intent::Certainty;
use packets::answer::{self, Kind, PacketSpec};
use packets::store::Packets;
use redact::Safe;
use review::Diff;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use signals::{self, Report};
use std::sync::Arc;

/// Tokens of a packet where nobody says: one that hosts take whole.
pub(crate) const BUDGET: u32 = 6_000;
/// The most tokens that can be asked for: hosts refuse answers of 25,000.
pub(crate) const MAX_BUDGET: u32 = 20_000;
/// The most bytes of an intent with its paths.
pub(crate) const MAX_INTENT_BYTES: usize = 256 << 10;
/// The most bytes of what tools wrote.
const MAX_REPORT_BYTES: u64 = 16 << 20;
/// The most problems that are told; the packet has more.
const MAX_PROBLEMS: usize = 8;
/// The intent of whoever gives failures and no words.
const FIX_WHAT_FAILS: &str = "Fix what fails";
/// The intent of whoever gives a change and no words.
const REVIEW: &str = "Review the change";

/// What `context` is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Context {
    /// What is to be done, in any words
    #[serde(default)]
    intent: String,
    /// Files it is about
    #[serde(default)]
    paths: Vec<String>,
    /// A change to review: a range such as main..HEAD, a commit, a patch, or "" for the work tree
    #[serde(default)]
    diff: Option<String>,
    /// What compilers and linters wrote, or its path
    #[serde(default)]
    diagnostics: Option<String>,
    /// What tests wrote, or its path
    #[serde(default)]
    tests: Option<String>,
    /// Most tokens, 6000 and 20,000 characters if left out
    #[serde(default, deserialize_with = "tokens")]
    #[schemars(schema_with = "number_or_text")]
    budget: Option<u32>,
    /// session, context-pack, manifest, hydrated
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    kind: Kind,
    /// `pack_id` of an earlier session packet: only what is new or changed
    #[serde(default)]
    since: Option<String>,
}

/// A packet.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Packed {
    pack_id: String,
    /// How sure: strong, weak, none
    #[schemars(with = "String")]
    certainty: Certainty,
    #[schemars(with = "Vec<String>")]
    problems: Vec<Safe>,
    text: String,
}

/// The schema of [`tokens`].
fn number_or_text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["integer", "string", "null"] })
}

/// A number of tokens, as JSON has it or as people write it: `"8k"`.
fn tokens<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Option<u32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(u32),
        Text(String),
    }
    match Option::deserialize(deserializer)? {
        None => Ok(None),
        Some(Written::Number(tokens)) => Ok(Some(tokens)),
        Some(Written::Text(text)) => {
            let refused = || D::Error::custom("give a number of tokens, such as 8000 or \"8k\"");
            number(text.trim()).map(Some).ok_or_else(refused)
        }
    }
}

impl ToolCall for Context {
    type Output = Packed;

    const IS_PACKET: bool = true;

    fn most(&self) -> usize {
        if self.budget.is_some() { usize::MAX } else { MAX_CHARS }
    }

    fn run(self, toolbox: &Toolbox, progress: ProgressFn<'_>) -> Result<Packed> {
        let wanted = PacketSpec { tokens: self.budget()?, ..PacketSpec::new(self.kind) };
        let request = self.request(toolbox)?;
        let activation = toolbox.activate(&request, progress)?;
        // Whoever names a budget gets it whole.
        let max_bytes = if self.budget.is_some() { usize::MAX } else { MAX_CHARS - FRAME_CHARS };
        let mut made = answer::fit(&activation, &wanted, max_bytes)?;
        let text = made.written().to_owned();
        let mut problems = std::mem::take(&mut made.problems);
        problems.extend(answer::keep(toolbox.state(), "context", &activation, &made));
        // The packet's text does not name it, and the next call wants the name.
        let text = match self.kind {
            Kind::Session => format!("{text}\npack_id: {}\n", made.pack_id),
            Kind::ContextPack | Kind::Manifest | Kind::Hydrated => text,
        };
        Ok(Packed {
            pack_id: made.pack_id,
            certainty: activation.found.intent.certainty,
            problems: problems.iter().take(MAX_PROBLEMS).map(|problem| activation.masker().line(&problem.to_string())).collect(),
            text,
        })
    }
}

impl Context {
    fn budget(&self) -> Result<u32> {
        match self.budget {
            None => Ok(BUDGET),
            Some(budget) if (1..=MAX_BUDGET).contains(&budget) => Ok(budget),
            Some(budget) => {
                let message = format!("`budget` is {budget}; give 1 to {MAX_BUDGET} tokens");
                Err(Error::new(ErrorKind::BadInput, message))
            }
        }
    }

    fn request(&self, toolbox: &Toolbox) -> Result<Request> {
        let mut report = Report::default();
        for (argument, text) in [("diagnostics", &self.diagnostics), ("tests", &self.tests)] {
            if let Some(text) = text {
                said(toolbox, argument, text, &mut report)?;
            }
        }
        report.should_say_something();
        let mut intent = self.intent.trim().to_owned();
        if intent.is_empty() && (report.failed().next().is_some() || !report.diagnostics.is_empty()) {
            FIX_WHAT_FAILS.clone_into(&mut intent);
        }
        if intent.is_empty() && self.diff.is_some() {
            REVIEW.clone_into(&mut intent);
        }
        for path in &self.paths {
            intent.push('\n');
            intent.push_str(super::toolbox::path("paths", path)?.as_str());
        }
        if intent.trim().is_empty() {
            let message = "say what is to be done: `intent` in any words, `paths` it is about, a `diff`, or what fails as `diagnostics` or `tests`";
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        if intent.len() > MAX_INTENT_BYTES {
            let message = format!("`intent` and `paths` have {} bytes; the most are {MAX_INTENT_BYTES}", intent.len());
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        if self.since.is_some() && self.kind != Kind::Session {
            let message = "`since` goes with packets of kind `session` alone; leave out one of the two";
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        let since = self.since.as_deref().map(|id| Packets::at(toolbox.state()).find(id)).transpose();
        let since = since.map_err(|error| error.reworded(|message| format!("`since`: {message}")))?;
        let diff = self.diff.as_deref().map(Diff::of);
        Ok(Request {
            report: Arc::new(report),
            diff,
            since,
            first: toolbox.reads_ahead() && self.kind == Kind::Session,
            ..Request::new(intent)
        })
    }
}

/// Reads what a tool wrote, or the file below the root that holds it: what is one word and does not begin as JSON or XML is a path.
fn said(toolbox: &Toolbox, argument: &str, text: &str, report: &mut Report) -> Result<()> {
    let named = |error: Error| error.reworded(|message| format!("`{argument}`: {message}"));
    let word = text.trim();
    if word.is_empty() || word.contains(char::is_whitespace) || word.starts_with(['{', '[', '<']) {
        return signals::read(text.as_bytes(), argument, None, report).map_err(named);
    }
    let path = super::toolbox::path(argument, word)?;
    let bytes = toolbox.engine().repo().read(&path, MAX_REPORT_BYTES).map_err(named)?;
    signals::read(bytes.as_slice(), argument, None, report).map_err(named)
}
