//! Small repositories and hand-made activations.

#![expect(clippy::disallowed_methods, reason = "what is expected lies on disk")]

use crate::activation::{Activated, Active, Custom, Reads, Reason, Role, activate, passages};
use crate::budget::{Budget, CEILING, LINE_NUMBERS};
use crate::git_state::GitState;
use crate::state::{SessionState, add_found};
use crate::{Pin, SessionContext, Sources, session_context};
use activate_rules::atoms::{Change, Energy, Hops, Millionths, NodeId, Thousandths, Tier, Turns};
use activate_rules::facts::Derived;
use activate_rules::weights::{Verb, Weights};
use error::{Error, ErrorKind, Problem, Result};
use index::base::{FactBase, MemorySections};
use index::build::{FileInput, build};
use index::extract::extract;
use index::history::PastCommits;
use index::text::query_terms;
use intent::failures::Failures;
use intent::guides::{self, FoundItem};
use intent::{Ambiguity, Certainty, CueHit, FileKinds, Intent, Target, Unknown, read_with};
use redact::{Masker, Redacted};
use repo::RepoPath;
use session::Sent;
use signals::Report;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A repository in memory.
pub(super) struct Fixture {
    pub(super) base: FactBase,
    pub(super) texts: BTreeMap<String, String>,
}

impl Fixture {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let texts: BTreeMap<String, String> = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let records: Vec<_> = texts.iter().map(|(path, text)| (path, extract(path, Some(text.as_bytes())))).collect();
        let inputs: Vec<FileInput<'_>> = records
            .iter()
            .map(|(path, record)| FileInput {
                path,
                size: texts[*path].len() as u64,
                mtime_ns: 0,
                ctime_ns: 0,
                hash: xxhash_rust::xxh3::xxh3_128(texts[*path].as_bytes()),
                record,
                outline: None,
            })
            .collect();
        let sections = build(&inputs).sections;
        Self { base: FactBase::new(Arc::new(MemorySections::new(sections))), texts }
    }

    /// The corpus of that name.
    pub(super) fn auth_go() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/auth-go");
        let mut folders = vec![root.clone()];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                    files.push((name, std::fs::read_to_string(&path).unwrap()));
                }
            }
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        Self::new(&files)
    }

    pub(super) fn node(&self, id: &str) -> NodeId {
        self.base.node_at(id).unwrap_or_else(|| panic!("no node {id}"))
    }
}

/// A task in a repository.
pub(super) struct Scene<'a> {
    fixture: &'a Fixture,
    intent: String,
    active: Vec<Active>,
    pub(super) state: SessionState,
    pub(super) report: Report,
    pub(super) since: Option<Sent>,
    pub(super) git: GitState,
    pub(super) pins: Vec<Pin>,
    pub(super) problems: Vec<Problem>,
    pub(super) unreadable: bool,
    pub(super) modified: Vec<NodeId>,
    pub(super) targets: Vec<Target>,
    pub(super) ambiguous: Vec<(String, Vec<NodeId>)>,
    pub(super) unknown: Vec<(String, Vec<String>)>,
    pub(super) advice: Vec<String>,
    pub(super) cue_hits: Vec<CueHit>,
    pub(super) line_numbers: u32,
}

impl<'a> Scene<'a> {
    pub(super) fn new(fixture: &'a Fixture, intent: &str) -> Self {
        Self {
            fixture,
            intent: intent.to_owned(),
            active: Vec::new(),
            state: SessionState::default(),
            report: Report::default(),
            since: None,
            git: GitState::default(),
            pins: Vec::new(),
            problems: Vec::new(),
            unreadable: false,
            modified: Vec::new(),
            targets: Vec::new(),
            ambiguous: Vec::new(),
            unknown: Vec::new(),
            advice: Vec::new(),
            cue_hits: Vec::new(),
            line_numbers: LINE_NUMBERS,
        }
    }

    pub(super) fn add(&mut self, id: &str, score: i32, role: Role, reason: Reason) {
        let tier = if score > 30_000 { Tier::Hot } else { Tier::Warm };
        let node = self.fixture.node(id);
        self.active.push(Active { node, score: Energy(score), tier, role, hops: Hops(1), reason });
    }

    /// The activation with every item of the session placed.
    pub(super) fn activation(&self) -> Activated {
        let mut active = self.active.clone();
        active.sort_by_key(|active| (std::cmp::Reverse(active.score), active.node));
        let (files, symbols) = active.into_iter().partition(|active| self.fixture.base.is_file(active.node));
        let items = self.state.items(&self.failures());
        let mut scores: Vec<(NodeId, Energy)> = self.active.iter().map(|active| (active.node, active.score)).collect();
        scores.sort_unstable();
        scores.dedup_by_key(|(node, _)| *node);
        let exact = Weights::default().exact;
        let derived = Derived {
            rank_scores: scores.iter().map(|(node, score)| (*node, Millionths::share(*score, exact))).collect(),
            evidence: scores.clone(),
            scores,
            placed: items.iter().map(|item| (item.id, item.kind.section())).collect(),
            items: items.iter().map(|item| (item.id, Energy::points(40))).collect(),
            ..Derived::default()
        };
        let ambiguous = self.ambiguous.iter().cloned();
        let ambiguous = ambiguous.map(|(name, candidates)| Ambiguity { name, n_all: candidates.len(), candidates });
        let unknown = self.unknown.iter().cloned().map(|(name, nearest)| Unknown { name, nearest });
        let intent = Intent {
            text: self.intent.clone(),
            headline: self.intent.lines().next().unwrap_or_default().to_owned(),
            verb: Verb::Fix,
            targets: self.targets.clone(),
            cue_hits: self.cue_hits.clone(),
            wanted: FileKinds::default(),
            terms: self.fixture.base.text().map(|index| index.with_forms(query_terms(&self.intent))).unwrap_or_default(),
            files: Vec::new(),
            like: Vec::new(),
            certainty: Certainty::Strong,
            advice: self.advice.clone(),
            ambiguous: ambiguous.collect(),
            unknown: unknown.collect(),
            sure: Thousandths::new(810),
        };
        Activated {
            fails: false,
            likelihoods: Vec::new(),
            intent,
            files,
            symbols,
            hidden: Vec::new(),
            passages: Vec::new(),
            compared: Vec::new(),
            beside_edits: Vec::new(),
            follow_on: Vec::new(),
            beyond: Vec::new(),
            n_left_out: 0,
            n_cold: 7,
            depth: Hops(3),
            added: Vec::new(),
            custom: Custom::default(),
            weights: Weights::default(),
            derived,
        }
    }

    pub(super) fn try_context(&self, budget: u32) -> Result<SessionContext> {
        self.context_of(self.activation(), &[], &self.problems, budget)
    }

    /// The context of what the intent and the state really activate.
    pub(super) fn real_context(&self) -> SessionContext {
        self.real_context_within(CEILING.0).unwrap()
    }

    /// [`Scene::real_context`] with another ceiling.
    pub(super) fn real_context_within(&self, budget: u32) -> Result<SessionContext> {
        let (base, weights) = (&self.fixture.base, Weights::default());
        let failures = self.failures();
        let intent = read_with(base, &self.intent, &[], &failures, &weights, &PastCommits::default());
        let mut task = self.state.task_facts(base, &failures);
        task.changes.extend(self.modified.iter().map(|file| (*file, Change::Modified, Turns(0))));
        let text = |file: NodeId| Ok(self.text(file)?.as_str().to_owned());
        let (found, mut problems) = guides::find(base, &guides::likely(base, &intent, &failures), text);
        add_found(&mut task, &found);
        problems.extend(self.problems.iter().cloned());
        let activation = activate(base, &PastCommits::default(), intent, &task, &weights, weights.depth);
        self.context_of(activation, &found, &problems, budget)
    }

    fn text(&self, file: NodeId) -> Result<Arc<Redacted>> {
        let path = self.fixture.base.path(file);
        let text = self.fixture.texts.get(path).filter(|_| !self.unreadable);
        let text = text.ok_or_else(|| Error::new(ErrorKind::UnreadableFile, "it changed"))?;
        Ok(Arc::new(Masker::knowing_nothing().file(path, text.as_bytes())))
    }

    fn failures(&self) -> Failures {
        let mut report = self.report.clone();
        self.state.add_to(&mut report);
        Failures::locate(&Masker::knowing_nothing(), &self.fixture.base, "", "", &report)
    }

    fn context_of(
        &self,
        mut activation: Activated,
        found: &[FoundItem],
        problems: &[Problem],
        budget: u32,
    ) -> Result<SessionContext> {
        let texts = |file: NodeId| self.text(file).ok();
        let (past, diff) = (PastCommits::default(), |_: &str, _: &RepoPath| None);
        let reads = Reads { texts: &texts, diff: &diff, past: &past };
        activation.passages = passages(&self.fixture.base, &activation, &self.failures(), &reads);
        let masker = Masker::knowing_nothing();
        let sources = Sources {
            masker: &masker,
            repository: None,
            traced: false,
            base: &self.fixture.base,
            activation: &activation,
            state: &self.state,
            failures: &self.failures(),
            found,
            review: None,
            git: &self.git,
            pins: &self.pins,
            since: self.since.as_ref(),
            problems,
            partial: None,
            used_elsewhere: false,
            unseen: &[],
            read: &|file| self.text(file),
        };
        session_context(&sources, &Budget { line_numbers: self.line_numbers, ..Budget::of(budget) })
    }

    pub(super) fn context(&self, budget: u32) -> SessionContext {
        self.try_context(budget).unwrap()
    }
}

pub(super) fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
