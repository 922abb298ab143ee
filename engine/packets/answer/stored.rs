//! A pack as it is kept: what it says, all that was asked for it, and the places that it points at with their hashes.
//!
//! Masked before it is made. Must not read or write anything.

use super::Answer;
use super::spec::PacketSpec;
use crate::store::{Kept, Records};
use activate_rules::weights::Weights;
use context::state::SessionState;
use engine::{Activation, Request};
use error::{Error, ErrorKind, Problem, Result};
use redact::{Masker, by_rules};
use review::Diff;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use signals::{Diagnostic, Report, TestResult};
use std::path::Path;
use std::sync::Arc;

/// The name and version of the form of a record.
const SCHEMA: &str = "activate.stored-pack.v5";
/// The most diagnostics and tests that are kept of what tools said: those of the first screens of a failing build.
const MAX_SAID: usize = 500;

/// Packs as they were sent.
pub type Packs = Records<StoredPack>;

/// A pack that can be shown again, changed and read from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredPack {
    /// Its id.
    pub pack_id: String,
    /// [`by_rules::version`] when it was made: under other rules it may hold what is a secret now.
    pub masks: u64,
    /// Whether what was asked gave away a secret that files hold. It is not kept, so that nothing of the pack but the pack itself can be shown.
    pub forgetful: bool,
    /// What was asked.
    pub asked: Asked,
    /// The places that can be read from it.
    pub places: Vec<StoredPlace>,
    /// The pack as JSON, as it was sent.
    pub packet: String,
}

/// What was asked for a pack: enough to make it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The root folder of the repository.
    pub root: String,
    /// The commit that it was made of; none for the work tree.
    pub at: Option<String>,
    /// Patterns of files that were left out.
    pub exclude: Vec<String>,
    /// What is to be done.
    pub intent: String,
    /// The change that it reviews; none for a patch of more lines than are kept.
    #[serde(default)]
    pub diff: Option<Diff>,
    /// What was edited for it already; none for the work tree, and for a patch of more lines than are kept.
    #[serde(default)]
    pub edits: Option<Diff>,
    /// What must be in it.
    pub pins: Vec<String>,
    /// The names of the files of rules that were named for it. Their text is not kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// Whether the rules of the user's configuration took no part.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_user_rules: bool,
    /// The folder in which tools ran.
    pub folder: String,
    /// The most links between a seed and what it reaches.
    pub depth: Option<u8>,
    /// The most nodes at which words let activation start.
    pub topk: Option<u32>,
    /// The numbers of the policy.
    pub weights: Weights,
    /// What the caller knew of the session.
    pub state: SessionState,
    /// What compilers and linters said.
    pub diagnostics: Vec<Diagnostic>,
    /// What tests said.
    pub tests: Vec<TestResult>,
    /// The kind of pack and what it may hold.
    pub wanted: PacketSpec,
}

/// A place that a pack points at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredPlace {
    /// The name by which it is asked for, beside its path.
    pub reference: String,
    /// Repository path.
    pub path: String,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// Hash of what may be seen of the whole file, in 32 hexadecimal digits: see [`super::hash`].
    pub hash: String,
}

impl Kept for StoredPack {
    fn id(&self) -> &str {
        &self.pack_id
    }
}

impl Packs {
    /// Those in a state folder. Nothing is read or made yet.
    pub fn at(state: &Path) -> Self {
        Self::new(state, "packs", SCHEMA)
    }
}

impl StoredPack {
    /// What is kept of an answer; a problem where what was asked cannot be kept without its secrets.
    pub(super) fn new(activation: &Activation<'_>, answer: &Answer) -> std::result::Result<Self, Problem> {
        let asked = Asked::new(activation, &answer.wanted).map_err(|error| {
            let why = format!("pack {} is not kept: a mask stands where a word of ours must: {error}", answer.pack_id);
            Problem::new("session", why)
        })?;
        Ok(Self {
            pack_id: answer.pack_id.clone(),
            masks: by_rules::version(),
            forgetful: activation.is_forgetful(),
            asked,
            places: answer.places.clone(),
            packet: answer.json.clone(),
        })
    }

    /// The pack, to be made again or read from.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Changed`] where a secret would be shown that it was made without.
    pub fn repeatable(self) -> Result<Self> {
        if !self.forgetful {
            return Ok(self);
        }
        let message = format!(
            "pack {} was made with a secret in its task or its logs that files hold too; it is not kept, so the files would show it: ask for a new pack",
            self.pack_id
        );
        Err(Error::new(ErrorKind::Changed, message))
    }

    /// How many files it has places of.
    pub fn n_files(&self) -> u32 {
        super::n_files(&self.places)
    }

    /// The pack as it was sent, to be shown to somebody from whom `masker` keeps secrets.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Changed`] where it may hold a secret: other rules of redaction hold than when it was made, or the repository has a secret
    /// that it had not then.
    pub fn sent(&self, masker: &Masker) -> Result<&str> {
        let why = if self.masks != by_rules::version() {
            "was made under other rules of redaction and may hold what is a secret now"
        } else if masker.known().occur(self.packet.as_bytes()) {
            "holds what is a secret of the repository now"
        } else {
            return Ok(&self.packet);
        };
        let message = format!("pack {0} {why}: `activate packet rebuild {0}` makes it again", self.pack_id);
        Err(Error::new(ErrorKind::Changed, message))
    }
}

impl Asked {
    /// What was asked for an activation and its packet, without secrets.
    fn new(activation: &Activation<'_>, wanted: &PacketSpec) -> serde_json::Result<Self> {
        let request = activation.request();
        let at = activation.commit();
        let first = |n_all: usize| n_all.min(MAX_SAID);
        let asked = Self {
            root: activation.root().to_owned(),
            at,
            exclude: activation.excluded().to_vec(),
            intent: request.intent.clone(),
            diff: request.diff.clone().filter(Diff::can_be_kept),
            edits: request.edits.clone().map(Diff::kept),
            pins: request.pins.clone(),
            rules: request.rules.iter().filter(|file| file.is_named).map(|file| file.name.clone()).collect(),
            without_user_rules: request.without_user_rules,
            folder: request.folder.clone(),
            depth: request.depth,
            topk: request.topk,
            weights: request.weights.clone(),
            state: request.state.clone(),
            diagnostics: request.report.diagnostics[..first(request.report.diagnostics.len())].to_vec(),
            tests: request.report.tests[..first(request.report.tests.len())].to_vec(),
            wanted: wanted.clone(),
        };
        masked(activation.masker(), &asked)
    }

    /// The request that was made, to answer it again.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Changed`] where rules were named for it: they are not kept, and without them the answer would be another.
    pub fn again(&self) -> Result<Request> {
        if self.rules.is_empty() {
            return Ok(self.request());
        }
        let names: Vec<String> = self.rules.iter().map(|name| format!("`{name}`")).collect();
        let message = format!(
            "the pack was made with rules that are not kept ({}): ask anew, with its task and with `--rules`",
            names.join(", ")
        );
        Err(Error::new(ErrorKind::Changed, message))
    }

    /// The request that was made, without the rules that were named for it.
    pub fn request(&self) -> Request {
        let (diagnostics, tests) = (self.diagnostics.clone(), self.tests.clone());
        Request {
            intent: self.intent.clone(),
            diff: self.diff.clone(),
            edits: self.edits.clone(),
            report: Arc::new(Report::of(diagnostics, tests)),
            folder: self.folder.clone(),
            state: self.state.clone(),
            weights: self.weights.clone(),
            depth: self.depth,
            topk: self.topk,
            pins: self.pins.clone(),
            without_user_rules: self.without_user_rules,
            ..Request::default()
        }
    }
}

/// The same with the secrets of every text masked.
fn masked<T: Serialize + DeserializeOwned>(masker: &Masker, asked: &T) -> serde_json::Result<T> {
    let mut value = serde_json::to_value(asked)?;
    masker.json(&mut value, &[]);
    serde_json::from_value(value)
}
