//! Runs the policy for one task, and says of each active node what it is to the task and why.
//!
//! Translates and sorts only: whatever decides a score is a rule.

use super::edits::{EditEvidence, Edits};
use super::features::{Sources, features};
use super::hidden::{add_held, would_be_active};
use super::likely::{likelihoods, settle};
use super::{Activated, Active, Custom, Reason, Role};
use activate_grammars::facts::{SymbolKind, Traits};
use activate_rules::atoms::{Cause, Change, Cue, Hops, ItemId, NodeId, Severity, Tier, Turns};
use activate_rules::columns::compare;
use activate_rules::context::{Graph, PolicyContext};
use activate_rules::facts::{Derived, Facts, run_learnt};
use activate_rules::features::{Columns, Feature, SPELLED_OUT, value};
use activate_rules::items::ItemKind;
use activate_rules::learnt::{NEXT, shares};
use activate_rules::links::{Direction, LinkAttribute, LinkKind};
use activate_rules::weights::{OwnWeights, Weights};
use activate_rules::why::{Step, best_derivation};
use index::base::{AliasRow, FactBase, FileFlags};
use index::history::{PastCommits, changed_with};
use index::text::FieldWeights;
use intent::{How, Intent, Verb};
use rustc_hash::{FxHashMap, FxHashSet};
use signals;
use std::cell::RefCell;

/// What is known of a task besides its text. Items are numbered by the caller, from 0 and below 2^30, from where on those of rules are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskFacts {
    /// Files that differ from the last commit, since so many turns.
    pub changes: Vec<(NodeId, Change, Turns)>,
    /// Files that the session itself changed, so many turns ago.
    pub touched: Vec<(NodeId, Turns)>,
    /// What tools complain about, with the innermost node at the place.
    pub diagnostics: Vec<(ItemId, Severity, NodeId)>,
    /// Tests that fail.
    pub failing_tests: Vec<(ItemId, NodeId)>,
    /// Places that stack traces of failures pass through.
    pub frames: Vec<(ItemId, NodeId)>,
    /// Definitions that frames of built code are most likely of.
    pub guesses: Vec<(ItemId, NodeId)>,
    /// Items of the session with their age.
    pub items: Vec<(ItemId, ItemKind, Turns)>,
    /// Items that the caller wants whatever the task is.
    pub always_on: Vec<ItemId>,
    /// What items are about.
    pub about: Vec<(ItemId, NodeId)>,
    /// What was edited since the task began.
    pub edits: Edits,
    /// What rules of the user give.
    pub custom: Custom,
}

impl TaskFacts {
    /// Places of what fails, each with what it is: `error`, `warning`, `note`, `test`, `frame`.
    pub fn failures(&self, base: &FactBase) -> Vec<(NodeId, &'static str)> {
        let syntax = syntax_errors(base, self).map(|(_, place)| (place, Severity::Error.name()));
        let tests = self.failing_tests.iter().map(|(_, node)| (*node, "test"));
        let frames = self.frames.iter().chain(&self.guesses).map(|(_, node)| (*node, "frame"));
        let told = self.diagnostics.iter().map(|(_, severity, node)| (*node, severity.name()));
        told.chain(syntax).chain(tests).chain(frames).collect()
    }

    /// Whether a build, a test or a program fails, at a place that is known. A file that a grammar does not understand is not enough.
    fn fails(&self) -> bool {
        let is_error = |severity: &Severity| *severity == Severity::Error;
        !self.failing_tests.is_empty()
            || !self.frames.is_empty()
            || !self.guesses.is_empty()
            || self.diagnostics.iter().any(|(_, severity, _)| is_error(severity))
    }
}

/// The first number of items that stand for syntax errors: the nth of the fact base, from 0, is the item this and n.
pub const SYNTAX_ITEMS: u32 = 1 << 31;

/// Files for which history is asked what changed with them: the likeliest ones.
const MAX_REMEMBERED: usize = 10;

/// The likeliest files, whose symbols are listed in their place though nothing but the file speaks for them.
pub const MAX_DEEP_FILES: usize = 3;

/// Symbols of one file that are listed when nothing but the file speaks for them; a hot file may have hundreds.
const MAX_FLOOR_PER_FILE: usize = 12;

/// Runs the policy over an intent, what history says and a task. `depth` is the most links between a seed and what it reaches.
pub fn activate(
    base: &FactBase,
    past: &PastCommits,
    mut intent: Intent,
    task: &TaskFacts,
    weights: &Weights,
    depth: Hops,
) -> Activated {
    let weights = weights.for_verb(intent.verb);
    let known = &intent.files[..intent.files.len().min(MAX_REMEMBERED)];
    let mut added = changed_with(base, past, known, &weights.reading.history);
    let custom = task.custom.clone().without_known_links(base);
    custom.add_links(&mut added);
    custom.add_to_intent(&mut intent);
    let added_tests = custom.tests();
    let graph = Graph { added: &added, added_tests: &added_tests, ..base.graph() };
    let policy = PolicyContext::new(graph, &weights, depth);
    let compared = RefCell::default();
    let fails = task.fails();
    let learn = |derived: &Derived| {
        // What fails was not learnt from: what leads to it by rule is surer.
        if weights.learnt == 0 || fails {
            return Vec::new();
        }
        let sources = Sources { base, past, intent: &intent, weights: &weights, added: &added, derived };
        let files = compare::<Feature, _, _, _>(&features(sources, &[]));
        let given = shares(&weights.own, &files, |file| may_move(&files, derived, file));
        compared.replace(files);
        given
    };
    let derived = run_learnt(&policy, &facts(base, &intent, task), &learn);
    let compared = compared.into_inner();
    let beside_edits = EditEvidence::new(base, past, &task.edits, &weights).map(|evidence| {
        let sources = Sources { base, past, intent: &intent, weights: &weights, added: &added, derived: &derived };
        let field_weights = FieldWeights::from(&weights.text);
        let mut files = features(sources, &evidence.candidates(&field_weights));
        evidence.add_to(&mut files, &field_weights);
        files.retain(|(file, _)| !evidence.is_edited(*file));
        compare::<Feature, _, _, _>(&files)
    });
    let beside_edits = beside_edits.unwrap_or_default();
    let follow_on = if matches!(intent.verb, Verb::Explain | Verb::Review) {
        Vec::new()
    } else {
        NEXT.order(&OwnWeights::default(), &beside_edits, |file| !derived.is_hidden(file, file))
    };
    let reader = Reader { base, policy: &policy, intent: &intent, derived: &derived, words: words(&intent) };
    let (mut files, mut symbols, mut floor) = (Vec::new(), Vec::new(), Vec::new());
    let mut n_floor: FxHashMap<NodeId, usize> = FxHashMap::default();
    let mut beyond = Vec::new();
    for active in derived.ranked().filter_map(|node| reader.active(node)) {
        if base.is_file(active.node) {
            files.push(active);
        } else if !base.is_symbol(active.node) {
            // A package from outside has no code to show.
        } else if let Reason::StandsIn(file) = active.reason {
            let n_listed = n_floor.entry(file).or_default();
            *n_listed += 1;
            if *n_listed > MAX_FLOOR_PER_FILE {
                beyond.push(active);
            } else if files.iter().take(MAX_DEEP_FILES).any(|listed: &Active| listed.node == file) {
                symbols.push(active);
            } else {
                floor.push(active);
            }
        } else {
            symbols.push(active);
        }
    }
    // What something speaks for comes before what only stands in a file that is not among the likeliest.
    symbols.append(&mut floor);
    let hidden = would_be_active(base, &derived, &weights, |node| reader.active(node));
    let n_cold = derived.n_cold as u32;
    let likelihoods = likelihoods(intent.verb, &files, &compared);
    settle(&mut intent, &derived, &files, &compared, &likelihoods, &weights);
    Activated {
        likelihoods,
        intent,
        files,
        symbols,
        hidden,
        passages: Vec::new(),
        n_left_out: beyond.len() as u32,
        beyond,
        n_cold,
        depth,
        added,
        custom,
        compared,
        beside_edits,
        follow_on,
        weights,
        fails,
        derived,
    }
}

/// Whether the place of a compared file is learnt: what the task spells out stands first by what rules say, and what is cold is not listed.
fn may_move(files: &[(NodeId, Columns)], derived: &Derived, file: NodeId) -> bool {
    let at = files.binary_search_by_key(&file, |(node, _)| *node);
    let is_spelled_out = at.is_ok_and(|at| value(&files[at].1, Feature::Certain) == SPELLED_OUT);
    derived.tier(file) != Tier::Cold && !is_spelled_out
}

/// The facts of an intent and a task.
fn facts(base: &FactBase, intent: &Intent, task: &TaskFacts) -> Facts {
    let mut facts = Facts {
        cue_hits: intent.cue_hits.iter().map(|hit| (hit.node, hit.cue, hit.strength)).collect(),
        exact: intent.targets.iter().map(|target| (target.node, target.share)).collect(),
        diagnostics: task.diagnostics.clone(),
        failing_tests: task.failing_tests.clone(),
        frames: task.frames.clone(),
        guesses: task.guesses.clone(),
        touched: task.touched.clone(),
        file_states: task.changes.clone(),
        items: task.items.clone(),
        always_on: task.always_on.clone(),
        about: task.about.clone(),
        ..Facts::default()
    };
    task.custom.add_to_facts(&mut facts);
    add_held(base, intent, &mut facts.hidden);
    for (item, place) in syntax_errors(base, task) {
        facts.diagnostics.push((item, Severity::Error, place));
        facts.items.push((item, ItemKind::Error, Turns(0)));
    }
    facts
}

/// Syntax errors that count, each with its place.
///
/// An error makes its file hot. But repositories hold broken files on purpose (fixtures of parsers and linters), and a grammar may be
/// behind its language (zod and hono have dozens of such places). So a syntax error counts only in a file that was changed.
fn syntax_errors<'b>(base: &'b FactBase, task: &TaskFacts) -> impl Iterator<Item = (ItemId, NodeId)> + 'b {
    let changed = task.changes.iter().map(|(file, ..)| *file).chain(task.touched.iter().map(|(file, _)| *file));
    let concerned: FxHashSet<NodeId> = changed.collect();
    let counts = base.diagnostics().zip(0..SYNTAX_ITEMS).filter(move |(error, _)| concerned.contains(&error.file));
    counts.map(|(error, number)| {
        let place = base.symbol_at(error.file, error.line).unwrap_or(error.file);
        (ItemId(SYNTAX_ITEMS + number), place)
    })
}

/// The words that speak for each node.
fn words(intent: &Intent) -> FxHashMap<NodeId, Vec<String>> {
    let mut words: FxHashMap<NodeId, Vec<String>> = FxHashMap::default();
    for hit in intent.cue_hits.iter().filter(|hit| hit.cue != Cue::Rule) {
        let known = words.entry(hit.node).or_default();
        known.extend(hit.words.iter().filter(|word| !known.contains(word)).cloned().collect::<Vec<_>>());
    }
    words
}

/// Reads the result of a run.
struct Reader<'r> {
    base: &'r FactBase,
    policy: &'r PolicyContext<'r>,
    intent: &'r Intent,
    derived: &'r Derived,
    words: FxHashMap<NodeId, Vec<String>>,
}

impl Reader<'_> {
    /// A ranked node with its role and reason.
    fn active(&self, node: NodeId) -> Option<Active> {
        let why = best_derivation(self.policy, self.derived, node)?;
        let (role, reason) = self.last_step(node, &why.steps)?;
        let hops = why.steps.iter().filter(|step| matches!(step, Step::Link { .. })).count();
        Some(Active { node, score: why.score, tier: why.tier, role, hops: Hops(hops as u8), reason })
    }

    /// Role and reason from the last step that leads to a node.
    fn last_step(&self, node: NodeId, steps: &[Step]) -> Option<(Role, Reason)> {
        let (last, before) = steps.split_last()?;
        Some(match *last {
            Step::Seed { cause, place, .. } => self.seed(node, cause, place),
            Step::Link { from, to, link, .. } => (self.linked(to, link.kind()), self.link(from, to, link)),
            // A boost says how much a file matters, not what it is.
            Step::Boost { .. } => self.last_step(node, before)?,
            Step::Test { subject, .. } => (Role::Test, Reason::Tests(subject)),
            // A file is to the task what the symbol in it is.
            Step::File { symbol, .. } => {
                let role = self.last_step(symbol, before).map_or(Role::Neighbour, |(role, _)| role);
                (role, Reason::Holds(symbol))
            }
            Step::Floor { file, .. } => (Role::Neighbour, Reason::StandsIn(file)),
        })
    }

    fn seed(&self, node: NodeId, cause: Cause, place: NodeId) -> (Role, Reason) {
        match cause {
            Cause::Exact if place != node => (Role::Target, Reason::Holds(place)),
            Cause::Exact => (Role::Target, Reason::Named(self.phrase(node))),
            Cause::Error | Cause::Frame => (Role::Target, Reason::Failure(signals::Severity::Error)),
            Cause::Warning => (Role::Target, Reason::Failure(signals::Severity::Warning)),
            Cause::Note => (Role::Target, Reason::Failure(signals::Severity::Note)),
            Cause::FailingTest => (Role::Test, Reason::Failure(signals::Severity::Error)),
            Cause::Touched => (Role::Target, Reason::Touched),
            Cause::Evidence => {
                let role = if self.is_test(node) { Role::Test } else { Role::Target };
                (role, Reason::Words(self.words.get(&node).cloned().unwrap_or_default()))
            }
        }
    }

    /// How the intent names a node.
    fn phrase(&self, node: NodeId) -> String {
        let target = self.intent.targets.iter().find(|target| target.node == node);
        let phrase = match target.map(|target| target.how) {
            Some(How::Alias) => return self.alias_of(node, target.map_or("", |target| &target.text)),
            Some(How::Path) => "path in the intent",
            Some(How::PathLine) => "path and line in the intent",
            Some(How::Frame) => "in the stack trace",
            Some(How::Changed) => "changed in the diff",
            Some(How::CaseInsensitive) => "named in the intent, but for case",
            Some(How::Qualified | How::Exact) | None => "named in the intent",
        };
        phrase.to_owned()
    }

    /// The alias by which the intent names a node.
    fn alias_of(&self, node: NodeId, said: &str) -> String {
        let is_said = |row: &AliasRow<'_>| row.of == node && said.contains(row.name);
        let row = self.base.aliases().filter(is_said).max_by_key(|row| row.name.len());
        let word = if row.is_some_and(|row| row.file == self.base.file_of(node)) { "exported" } else { "re-exported" };
        row.map_or_else(|| "named in the intent".to_owned(), |row| format!("named in the intent, {word} as {}", row.name))
    }

    /// What a node is that a link of this kind leads to.
    fn linked(&self, to: NodeId, kind: LinkKind) -> Role {
        match kind {
            _ if self.is_test(to) => Role::Test,
            LinkKind::Contains | LinkKind::ContainedBy => Role::Neighbour,
            _ => match kind.info().direction {
                Direction::Uses => Role::Dependency,
                Direction::UsedBy => Role::Impacted,
                Direction::Both => Role::Neighbour,
            },
        }
    }

    /// A link in the reading direction of the node it leads to.
    fn link(&self, from: NodeId, to: NodeId, link: LinkAttribute) -> Reason {
        let kind = link.kind();
        let site_line = self.base.link_line(from, kind, to);
        Reason::Link { kind: kind.reverse(), via: from, line: site_line, confidence: link.confidence() }
    }

    fn is_test(&self, node: NodeId) -> bool {
        let in_test = self.base.flags(self.base.file_of(node)).has(FileFlags::TEST);
        in_test
            || self.base.symbol(node).is_some_and(|symbol| {
                symbol.kind == SymbolKind::Test || symbol.traits.has(Traits::TEST) || symbol.traits.has(Traits::TEST_CODE)
            })
    }
}
