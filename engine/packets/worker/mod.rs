//! The packet of a worker: ten slots about the files of one task, and nothing else of the repository.
//!
//! Slots come from the task, from the plan's files, and where those are silent from facts; the receipt says which. Must not read a file:
//! plan and texts come from whoever may.

mod conventions;
mod criteria;
mod derived;
mod json;
mod markdown;
mod owning;
mod prose;
mod slices;
mod state;
mod validate;

pub mod access;
pub mod audit;
pub mod graph;
pub mod ledger;
pub mod plan;
pub mod receipt;
pub mod task;

pub use derived::Derived;
pub use json::Json;
pub use slices::Facts;
pub use state::{MAX_STATE_LINES, MIN_STATE_LINES, STATE_LINES};
pub use validate::{Given, against_receipt, is_worker, validate};

use error::{Error, ErrorKind, Result};
use plan::Plan;
use receipt::{SlotDraft, WorkerReceipt, redactions, source};
use redact::{Masker, Redacted, Safe};
use repo::RepoPath;
use schemars::JsonSchema;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use slices::Slicer;
use task::{RiskTier, Task, TddMode};

/// The slots, in their order.
pub const SLOTS: [&str; 10] = [
    "files",
    "filesContent",
    "architectureSlice",
    "contractsSlice",
    "dependencySymbols",
    "testsSlice",
    "scarsDigest",
    "acceptanceCriteria",
    "stateDigest",
    "boundaries",
];

/// The most bytes of all files of a packet.
const MAX_CONTENT_BYTES: usize = 16 << 20;

/// The packet of a worker.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct WorkerPacket {
    /// The files that the worker may read and write.
    #[schemars(with = "Vec<String>")]
    pub files: Vec<Safe>,
    /// What each of them holds; nothing for a file that is yet to be made.
    #[schemars(with = "std::collections::BTreeMap<String, String>")]
    pub files_content: InOrder<Safe>,
    /// The modules that own them, as `{"modules": [...]}`.
    #[schemars(with = "std::collections::BTreeMap<String, Vec<serde_json::Value>>")]
    pub architecture_slice: Json<Safe>,
    /// The contracts that overlap with them, as `{"contracts": [...]}`.
    #[schemars(with = "std::collections::BTreeMap<String, Vec<serde_json::Value>>")]
    pub contracts_slice: Json<Safe>,
    /// The symbols of files that they import and the task does not own, by path.
    #[schemars(with = "std::collections::BTreeMap<String, Vec<String>>")]
    pub dependency_symbols: InOrder<Vec<Safe>>,
    /// Their test files.
    #[schemars(with = "Vec<String>")]
    pub tests_slice: Vec<Safe>,
    /// The table of active prevention rules.
    #[schemars(with = "String")]
    pub scars_digest: Safe,
    /// The acceptance criteria of the task.
    #[schemars(with = "String")]
    pub acceptance_criteria: Safe,
    /// Where the work stands.
    #[schemars(with = "String")]
    pub state_digest: Safe,
    /// What must not change, word for word.
    #[schemars(with = "Vec<String>")]
    pub boundaries: Vec<Safe>,
    /// When tests are written.
    pub tdd_mode: TddMode,
    /// How much can go wrong.
    pub risk_tier: RiskTier,
}

/// A JSON object whose fields stay in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InOrder<T>(pub Vec<(Safe, T)>);

impl<T: Serialize> Serialize for InOrder<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.end()
    }
}

/// What a packet is made from.
pub struct Sources<'a> {
    /// Masks the secrets that are known.
    pub masker: &'a Masker,
    /// The task.
    pub task: &'a Task,
    /// The plan, as far as there is one.
    pub plan: &'a Plan,
    /// What facts say where the plan is silent.
    pub facts: &'a dyn Facts,
    /// The text of a file, masked; none where there is no such file. Fails for one that is there and cannot be read.
    pub read: &'a dyn Fn(&RepoPath) -> Result<Option<Redacted>>,
    /// The most lines of the state digest, from 40 to 150.
    pub state_lines: usize,
}

impl WorkerPacket {
    /// Makes the packet of a task, and its receipt.
    ///
    /// # Errors
    ///
    /// Those of [`Sources::read`]; [`ErrorKind::BadInput`] where the files of the task are larger than a packet may be.
    pub fn new(sources: &Sources<'_>) -> Result<(Self, WorkerReceipt)> {
        let Sources { masker, task, plan, facts, read, state_lines } = *sources;
        let [
            mut own,
            mut content,
            mut architecture,
            mut contracts,
            mut symbols,
            mut tests,
            mut scars,
            mut criteria,
            mut state,
            mut boundaries,
        ] = SLOTS.map(|slot| SlotDraft::of(masker, slot));
        let files: Vec<&str> = task.files.iter().map(RepoPath::as_str).collect();
        for file in &files {
            own.add(file, source::TASK);
        }
        let slicer = Slicer { task, plan, facts };
        let scar_lines = prose::scars(plan, &files, &mut scars);
        let criterion_lines = criteria::slot(plan, &task.acceptance_criteria, &mut criteria);
        let state_lines = state::slot(plan, task, &scar_lines, state_lines, &mut state);
        let packet = Self {
            files: files.iter().map(|file| masker.name(file)).collect(),
            files_content: contents(&task.files, read, &mut content)?,
            architecture_slice: slicer.architecture(&mut architecture),
            contracts_slice: slicer.contracts(&mut contracts),
            dependency_symbols: InOrder(slicer.dependencies(&mut symbols)),
            tests_slice: slicer.tests(&mut tests),
            acceptance_criteria: lines(masker, &prose::without_others(criterion_lines, &files, &mut criteria)),
            state_digest: lines(masker, &prose::without_others(state_lines, &files, &mut state)),
            scars_digest: lines(masker, &scar_lines),
            boundaries: prose::boundary_slot(plan, &files, &mut boundaries),
            tdd_mode: task.tdd_mode,
            risk_tier: task.risk_tier,
        };
        let slots = [own, content, architecture, contracts, symbols, tests, scars, criteria, state, boundaries]
            .map(|draft| draft.receipt)
            .into();
        let redactions = redactions(&packet.json());
        Ok((packet, WorkerReceipt::new(masker.name(&task.id), slots, redactions)))
    }

    /// One JSON object, indented, with a line feed at the end.
    pub fn json(&self) -> String {
        super::json(self)
    }
}

/// The text of each file of a task.
fn contents(
    files: &[RepoPath],
    read: &dyn Fn(&RepoPath) -> Result<Option<Redacted>>,
    receipt: &mut SlotDraft<'_>,
) -> Result<InOrder<Safe>> {
    let mut n_bytes = 0;
    let mut found = Vec::new();
    for file in files {
        let text = read(file)?;
        receipt.add(file.as_str(), if text.is_some() { source::REPOSITORY } else { source::NEW_FILE });
        let shown = text.as_ref().map(json::all).unwrap_or_default();
        n_bytes += shown.as_str().len();
        if n_bytes > MAX_CONTENT_BYTES {
            let message =
                format!("the files of the task up to `{file}` have more than {MAX_CONTENT_BYTES} bytes: split the task");
            return Err(Error::new(ErrorKind::BadInput, message));
        }
        let n_masks: u32 = redactions(shown.as_str()).values().sum();
        if n_masks > 0 {
            receipt.note(format!("`{file}` has {n_masks} masks in the place of secrets: write it in parts, not as a whole"));
        } else if text.is_some_and(|text| text.as_str() != shown.as_str()) {
            receipt.note(format!("`{file}` has line ends or hidden characters that are shown in another way"));
        }
        found.push((receipt.masker.name(file.as_str()), shown));
    }
    Ok(InOrder(found))
}

/// Lines as one text, masked once more as a whole: what stands side by side now may not have before.
fn lines(masker: &Masker, lines: &[String]) -> Safe {
    json::safe(masker, &lines.join("\n"))
}

#[cfg(test)]
mod tests;
