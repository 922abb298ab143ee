//! A request to the engine and its answer: the façade over intent, activation and session context.

mod arranged;
mod asked;
mod explain;
mod facts;
mod git;

use super::edited::{edits, review_without_edits};
use crate::change::Change;
use crate::custom::{RuleFile, custom, described, with_rules};
use crate::engine::Engine;
use crate::pins::{add_pins, pins};
use activate_rules::atoms::{Hops, NodeId, Thousandths};
use activate_rules::weights::Weights;
use context::activation;
use context::packet::session::SessionPacket;
use context::state::{SessionItem, SessionState, add_found};
use context::{Pin, SessionContext};
use error::{Error, Problem, Result};
use facts::task_facts;
use index::base::FactBase;
use index::snapshot::{FirstLook, Progress, Snapshot};
use intent::failures::{Failures, SourceMaps};
use intent::guides::{self, FoundItem};
use rayon::prelude::*;
use redact::{Elsewhere, Gathered, Masker, Redacted, without_masks};
use relations::Task;
use repo::{Differences, RepoPath};
use review::{self, Diff, FileChange, Patch, Review};
use rustc_hash::FxHashMap;
use session::Sent;
use signals::{self, Report};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::iter;
use std::sync::{Arc, Mutex, PoisonError};

/// What is asked.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// What is to be done, in the words of whoever asks.
    pub intent: String,
    /// What compilers, linters and test runners say: see [`signals::read`].
    pub report: Arc<Report>,
    /// What is not known of what they say, and why.
    pub problems: Vec<Problem>,
    /// The folder below the root in which these ran, where their paths may be meant from; empty for the root.
    pub folder: String,
    /// What the caller knows of the session.
    pub state: SessionState,
    /// A change that is to be reviewed: what it changes is meant, whatever the intent says.
    pub diff: Option<Diff>,
    /// What was edited since the task began; what the work tree has otherwise than the last commit if none. See
    /// [`Activated::follow_on`](activation::Activated::follow_on).
    pub edits: Option<Diff>,
    /// What was sent before: only what is new or changed since is shown. See [`SessionContext::sent`].
    pub since: Option<Sent>,
    /// The numbers of the policy.
    pub weights: Weights,
    /// The most links between a seed and what it reaches; the weights' own depth if none.
    pub depth: Option<u8>,
    /// The most nodes at which words of the intent let activation start; as many as say enough if none.
    pub topk: Option<u32>,
    /// Whether an answer is wanted at once where nothing is known of a large repository: only the files that its words lead to are read, as far as
    /// it [may be partial](Request::may_be_partial). See [`Snapshot::partial`].
    pub first: bool,
    /// Code that must be shown: `path`, `path:first-last`, a pattern of paths (`docs/*.md`), or the words `PRD` and `rules`.
    pub pins: Vec<String>,
    /// Rules of the user that take part in the answer.
    pub rules: Vec<RuleFile>,
    /// Whether the rules that the engine has for every request are left out.
    pub without_user_rules: bool,
    /// Whether only scores are wanted: no file is read for what could be shown of it.
    pub only_scores: bool,
    /// What other repositories have to do with this one.
    pub linked: Vec<Linked>,
    /// Secrets of other repositories, which are masked like those of this one.
    pub elsewhere: Option<Arc<Elsewhere>>,
}

/// Something that a task reaches in another repository, and that a link leads from to this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linked {
    /// The id of what it leads to.
    pub to: String,
    /// How strongly it speaks for that.
    pub strength: Thousandths,
    /// What is said of it: `called by shop/web src/login.ts#signIn`.
    pub said: String,
}

impl Linked {
    /// Adds links to what speaks for nodes of a repository.
    fn add(linked: &[Self], base: &FactBase, custom: &mut activation::Custom) {
        for link in linked {
            let Some(node) = base.node_at(&link.to) else { continue };
            custom.evidence.push((node, link.strength, custom.rules.len() as u32));
            custom.rules.push(link.said.clone());
            custom.linked.push(link.said.clone());
        }
    }
}

impl Request {
    /// A request for `intent` with everything else as it is by default.
    pub fn new(intent: impl Into<String>) -> Self {
        Self { intent: intent.into(), ..Self::default() }
    }

    /// Whether files that nobody names may be missing in the answer: not where a change, edits, pins, rules or a packet that was sent are named.
    pub fn may_be_partial(&self) -> bool {
        let names_rules = self.rules.iter().any(|file| file.is_named);
        !names_rules && self.diff.is_none() && self.edits.is_none() && self.since.is_none() && self.pins.is_empty()
    }

    /// The paths that compilers, linters and test runners name.
    fn places(&self) -> impl Iterator<Item = &str> {
        let (diagnostics, tests) = (&self.report.diagnostics, &self.report.tests);
        let own = diagnostics.iter().filter_map(|found| found.place.as_ref());
        let of_notes = diagnostics.iter().flat_map(|found| &found.notes).filter_map(|note| note.place.as_ref());
        let of_tests = tests.iter().filter_map(|test| test.place.as_ref());
        let frames = diagnostics.iter().flat_map(|found| &found.frames).chain(tests.iter().flat_map(|test| &test.frames));
        let of_frames = frames.filter_map(|frame| frame.place.as_ref());
        own.chain(of_tests).chain(of_notes).chain(of_frames).map(|place| place.path.as_str())
    }

    /// All that is said in it and can be shown: what is masked in one of these texts is masked in the others too.
    fn texts(&self) -> Vec<Cow<'_, str>> {
        let diagnostics = self.report.diagnostics.iter();
        let diagnosed =
            diagnostics.flat_map(|found| iter::once(&found.message).chain(found.notes.iter().map(|note| &note.message)));
        let failing = self.report.tests.iter().flat_map(|test| [&test.name, &test.message]);
        let problems = self.problems.iter().map(|problem| &problem.message);
        let own = iter::once(&self.intent).chain(diagnosed).chain(failing).chain(problems);
        let own = own.chain(self.rules.iter().map(|file| &file.text));
        own.map(|text| Cow::Borrowed(text.as_str())).chain(self.state.texts().into_iter().map(Cow::Owned)).collect()
    }
}

/// What a request activated, with everything needed to show and explain it.
pub struct Activation<'e> {
    engine: &'e Engine,
    /// The repository as it was.
    pub snapshot: Arc<Snapshot>,
    /// What is active, in order, and why.
    pub found: activation::Activated,
    /// What fails, with its places in the repository.
    pub failures: Failures,
    /// Tools and hints that the repository has, whether they concern the task or not.
    pub found_items: Vec<FoundItem>,
    request: Request,
    pins: Vec<Pin>,
    /// How many of them were named; the others are of rules.
    n_named_pins: usize,
    /// The task as rules see it.
    asked: Task,
    problems: Vec<Problem>,
    /// Masks the secrets of the repository and of what tools say in all that is said of it.
    masker: Masker,
    /// Those of them that only the request gives away.
    given: Gathered,
    /// The change that is to be reviewed.
    review: Option<Review>,
    /// Texts that were shown: the next context of the same answer reads none of them again.
    texts: Mutex<FxHashMap<NodeId, Arc<Redacted>>>,
}

impl Engine {
    /// Answers a request on the repository as its files are now.
    ///
    /// # Errors
    ///
    /// What taking a snapshot gives, and [`ErrorKind::BadInput`](error::ErrorKind::BadInput) for a pin or a diff that names nothing.
    pub fn activate(&self, request: &Request) -> Result<Activation<'_>> {
        self.activate_with(request, &|_| {})
    }

    /// [`Engine::activate`], telling how far it is.
    ///
    /// # Errors
    ///
    /// As [`Engine::activate`].
    pub fn activate_with(&self, request: &Request, progress: &(dyn Fn(Progress) + Sync)) -> Result<Activation<'_>> {
        let texts = request.texts();
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).chain(request.places()).collect();
        let first =
            (request.first && request.may_be_partial()).then_some(FirstLook { texts: &texts, is_guide: &guides::is_source });
        let snapshot = self.look_for(first, None, progress).and_then(|snapshot| snapshot.defined().map(|()| snapshot));
        let snapshot = snapshot.map_err(|error| masked(&self.masker(), error))?;
        self.activate_on(&snapshot, request, progress)
    }

    /// Answers a request on a snapshot of this engine.
    ///
    /// # Errors
    ///
    /// As [`Engine::activate`].
    pub fn activate_on(
        &self,
        snapshot: &Arc<Snapshot>,
        request: &Request,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Activation<'_>> {
        let request = &*with_rules(if request.without_user_rules { &[] } else { self.rules() }, request);
        let git = self.repo().git(self.alternates());
        let mut given = self.on_threads(|| {
            let gathered = request.texts().into_par_iter().map(|text| snapshot.given_by([("", &*text)]));
            gathered.reduce(Gathered::default, Gathered::joined)
        });
        let in_intent = if request.diff.is_none() { patch_in(&snapshot.base, &request.intent) } else { None };
        let change = request.diff.as_ref().or(in_intent.as_ref());
        // Whoever asks for more than a review can be answered where nothing changed.
        let may_be_empty = !intent::asks_for_review(&request.intent);
        let change = change.map(|diff| Change::find(self, snapshot, &git, may_be_empty, diff)).transpose();
        let change = change.map_err(|error| masked(&snapshot.masker().with(given.clone()), error))?;
        if let Some(change) = &change {
            // What only the other side of the change gives away is masked like the rest.
            given = given.joined(change.secrets(snapshot));
        }
        // Whoever has a change reviewed asks about that.
        let mut problems: Vec<Problem> = Vec::new();
        let edited = if change.is_none() {
            self.on_threads(|| self.edited(snapshot, &git, request.edits.as_ref(), &mut problems))
        } else {
            problems.extend(request.edits.is_some().then(review_without_edits));
            Ok(None)
        };
        let edited = edited.map_err(|error| masked(&snapshot.masker().with(given.clone()), error))?;
        let edited = edited.map(|edited| (edited.secrets(snapshot), edited));
        // What was named is kept with the answer; of the work tree nothing is, but words to look for.
        if let Some((secrets, _)) = edited.as_ref().filter(|_| request.edits.is_some()) {
            given = given.joined(secrets.clone());
        }
        let masker = snapshot.masker().with(given.clone()).with_elsewhere(request.elsewhere.as_ref());
        let base = &snapshot.base;
        let mut pins = pins(base, &request.pins).map_err(|error| masked(&masker, error))?;
        progress(Progress::Intent);
        // Reports are large, and seldom is anything added.
        let mut report = Arc::clone(&request.report);
        if request.state.says_what_fails() {
            request.state.add_to(Arc::make_mut(&mut report));
        }
        let maps = SourceMaps::new(self.repo(), self.excluded());
        let locate = |report: &Report| Failures::locate_with(&masker, base, self.root(), &request.folder, report, &maps);
        // A secret is not a word to find anything by: whoever guesses one is not told where it stands, and what is masked has no name that an
        // answer could repeat.
        let safe_intent = masker.text("", &request.intent);
        let said = without_masks(&safe_intent);
        // What a tool wrote counts as if it had been given by itself; what has no place here is a text like others.
        let mut pasted = signals::pasted(&said);
        if locate(&pasted.report).has_place() {
            Arc::make_mut(&mut report).add(pasted.report);
        } else {
            pasted.is_read.clear();
        }
        let mut failures = locate(&report);
        if !Arc::ptr_eq(&report, &request.report) {
            // What the session knows of this repository does not make a log of another one its own.
            failures.n_strange = locate(&request.report).n_strange;
        }
        let mut diff_problems = Vec::new();
        let review = change.map(|change| {
            diff_problems.clone_from(&change.problems);
            self.on_threads(|| change.review(self, snapshot, &masker, &request.weights.change))
        });
        let changed = |review: &Review| review::targets(base, &review.files, &request.weights.change);
        let (is_read, weights, past) = (&pasted.is_read, &request.weights, &snapshot.past);
        let mut intent = match &review {
            None => intent::read_with(base, &said, is_read, &failures, weights, past),
            Some(review) => intent::read_changed(base, &said, is_read, changed(review), &failures, weights, past),
        };
        intent.headline = intent::headline(&safe_intent, &pasted.is_read);
        intent.text = safe_intent.into_owned();
        if let Some(topk) = request.topk {
            intent.keep_best(topk as usize, &request.weights);
        }
        progress(Progress::Activation);
        let mut task = task_facts(base, snapshot, &request.state, &failures);
        problems.splice(0..0, snapshot.problems.iter().cloned().chain(report.problems()));
        problems.extend(request.problems.iter().cloned());
        problems.extend(failures.strange(&request.report));
        problems.extend(maps.problems());
        problems.extend(diff_problems);
        problems.extend(request.since.as_ref().and_then(|since| stranger(base, since)));
        let likely = guides::likely(base, &intent, &failures);
        let read = |file: NodeId| Ok(self.text(snapshot, file, &masker)?.as_str().to_owned());
        let (mut found_items, lacks) = self.on_threads(|| guides::find(base, &likely, read));
        found_items.retain(|item| item.suits(&request.intent));
        problems.extend(lacks);
        if let Some((secrets, edited)) = edited {
            task.edits = self.on_threads(|| edits(base, &edited.changed(snapshot, &masker.with(secrets))));
        }
        add_found(&mut task, &found_items);
        task.always_on.extend(request.state.atoms_with_words(&failures, &intent.terms));
        let asked = described(&intent, task.failures(base));
        let given_by_rules = self.on_threads(|| custom(snapshot, &masker, &asked, &request.rules));
        let (mut of_rules, lacks) = given_by_rules.map_err(|error| masked(&masker, error))?;
        Linked::add(&request.linked, base, &mut of_rules);
        problems.extend(lacks);
        let n_named_pins = pins.len();
        add_pins(base, &of_rules, &mut pins);
        task.custom = of_rules;
        let depth = request.depth.map_or(request.weights.depth, Hops);
        let found = activation::activate(base, &snapshot.past, intent, &task, &request.weights, depth);
        mask_problems(&masker, &mut problems);
        let activation = Activation {
            engine: self,
            snapshot: Arc::clone(snapshot),
            found,
            failures,
            found_items,
            problems,
            request: request.clone(),
            pins,
            n_named_pins,
            asked,
            masker,
            given,
            review,
            texts: Mutex::default(),
        };
        Ok(if request.only_scores { activation } else { activation.completed() })
    }
}

impl Activation<'_> {
    /// The same with its passages, which those that were asked for scores alone lack.
    #[must_use]
    pub fn completed(mut self) -> Self {
        let (engine, snapshot) = (self.engine, &self.snapshot);
        let git = engine.repo().git(engine.alternates());
        // What is read for passages is what is shown of them.
        let read = |file: NodeId| {
            let text = Arc::new(engine.text(snapshot, file, &self.masker).ok()?);
            self.texts.lock().unwrap_or_else(PoisonError::into_inner).insert(file, Arc::clone(&text));
            Some(text)
        };
        let differences = Differences::new(git.0.as_ref());
        let diff = |commit: &str, path: &RepoPath| differences.of(commit, path);
        let reads = activation::Reads { texts: &read, diff: &diff, past: &snapshot.past };
        let passages = engine.on_threads(|| activation::passages(&snapshot.base, &self.found, &self.failures, &reads));
        let mut problems: Vec<Problem> = differences.problem().into_iter().collect();
        mask_problems(&self.masker, &mut problems);
        self.problems.extend(problems);
        self.found.passages = passages;
        activation::order_symbols(&self.snapshot.base, &mut self.found);
        self.request.only_scores = false;
        self
    }

    /// Whether files hold a secret that nothing but the request gives away: it is kept nowhere, so what is kept of this answer cannot be made
    /// again as it was.
    pub fn is_forgetful(&self) -> bool {
        if self.given.is_empty() {
            return false;
        }
        let given = self.given.clone().build();
        let base = &self.snapshot.base;
        let holds =
            |file| self.engine.text_if(&self.snapshot, file, |content| given.occur(content)).is_ok_and(|text| text.is_some());
        self.engine.on_threads(|| base.files().collect::<Vec<_>>().into_par_iter().any(holds))
    }

    /// Masks the secrets of the repository and of what was asked: for all that is said of this activation.
    pub fn masker(&self) -> &Masker {
        &self.masker
    }

    /// The redacted text of a file, of the content that the facts were taken from.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnreadableFile`](error::ErrorKind::UnreadableFile) where the file cannot be read.
    pub fn text(&self, file: NodeId) -> Result<Arc<Redacted>> {
        let known = || self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = known().get(&file) {
            return Ok(Arc::clone(text));
        }
        let text = self.engine.text(&self.snapshot, file, &self.masker).map_err(|error| masked(&self.masker, error))?;
        let text = Arc::new(text);
        known().insert(file, Arc::clone(&text));
        Ok(text)
    }

    /// The items of the session and of what fails, as the policy numbers them.
    pub fn items(&self) -> Vec<SessionItem> {
        self.request.state.items(&self.failures)
    }

    /// The answer as one JSON object.
    pub fn packet(&self, context: &SessionContext) -> SessionPacket {
        SessionPacket::new(&self.masker, &self.snapshot.base, &self.found, context)
    }

    /// A name of the repository as it may be shown.
    pub fn safe_name(&self, name: &str) -> String {
        self.masker.name(name).as_str().to_owned()
    }

    fn target(&self, text: &str) -> Result<NodeId> {
        Ok(self.targets(text)?[0])
    }

    /// What a target can mean, at least one: the greatest score for this request first, then in the order of paths; what has none comes last,
    /// the likeliest first.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](error::ErrorKind::BadInput) if the text means nothing here.
    pub fn targets(&self, text: &str) -> Result<Vec<NodeId>> {
        let mut nodes = intent::locate(&self.snapshot.base, text).map_err(|error| masked(&self.masker, error))?;
        nodes.sort_by_key(|node| {
            let score = self.found.derived.score(*node);
            (Reverse(score), score.map(|_| *node))
        });
        Ok(nodes)
    }

    /// The root folder of the repository.
    pub fn root(&self) -> &str {
        self.engine.root()
    }

    /// Patterns of files that are left out.
    pub fn excluded(&self) -> &[String] {
        self.engine.excluded()
    }

    /// The commit that it is about; none for the work tree.
    pub fn commit(&self) -> Option<String> {
        let head = self.snapshot.head.as_ref().filter(|_| self.engine.repo().is_at_commit())?;
        head.commit.clone()
    }

    /// What was asked.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The change that is reviewed.
    pub fn review(&self) -> Option<&Review> {
        self.review.as_ref()
    }

    /// Code that must be shown: what was named, then what rules pin.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// Those of the pins that were named.
    pub fn named_pins(&self) -> &[Pin] {
        &self.pins[..self.n_named_pins]
    }

    /// What was left out on the way, of the whole repository and of what tools said.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// An error without the secrets that whoever hears of it may not know of: those that only the request gives away.
fn masked(masker: &Masker, error: Error) -> Error {
    error.reworded(|message| masker.text("", message).into_owned())
}

/// Problems without the secrets that they name.
fn mask_problems(masker: &Masker, problems: &mut [Problem]) {
    for problem in problems {
        for text in [&mut problem.message].into_iter().chain(&mut problem.path) {
            if let Cow::Owned(safe) = masker.text("", text) {
                *text = safe;
            }
        }
    }
}

/// The patch that somebody pasted, where it changes files of this repository.
fn patch_in(base: &FactBase, intent: &str) -> Option<Diff> {
    if !intent.contains("@@ -") {
        return None;
    }
    let patch = Patch { name: "the patch in the intent".to_owned(), ..Patch::parse(intent) };
    let is_here = |path: &RepoPath| base.file_at(path.as_str()).is_some();
    let is_ours = patch.files.iter().filter_map(FileChange::path).any(is_here);
    is_ours.then(|| Diff::Patch(Arc::new(patch)))
}

/// That a packet is not of this repository, as far as its files tell.
fn stranger(base: &FactBase, since: &Sent) -> Option<Problem> {
    let mut paths = since.entries.iter().filter_map(|entry| entry.path.as_ref()).peekable();
    paths.peek()?;
    let is_here = paths.any(|path| base.file_at(path).is_some());
    let message = format!("no file of packet {} is in this repository: was it sent of another?", since.pack_id);
    (!is_here).then(|| Problem::new("since", message))
}
