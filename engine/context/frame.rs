//! What stands around the sections: the title, how the intent was understood, and what went wrong.

use super::delta::Delta;
use super::pieces::{Form, Piece};
use super::view::View;
use activate_rules::atoms::{NodeId, Tier};
use activate_rules::weights::Verb;
use error::Problem;
use intent::Intent;
use redact::{DATA_NOTICE, Masker, Safe};
use rustc_hash::FxHashSet;
use tokens::Tokens;

/// Characters of the intent in the title; the reader has the rest.
const MAX_TITLE: usize = 120;
/// The most lines of each sort of remark on the intent.
const MAX_REMARKS: usize = 3;
/// The most candidates that a remark lists.
const MAX_CANDIDATES: usize = 5;
/// The most entries of a kind that are listed as sent before.
const MAX_KEYS: usize = 12;
/// The most problems that are listed.
const MAX_PROBLEMS: usize = 5;

/// What stands above the sections.
pub(super) struct Frame {
    /// Title, notice, counts: always there.
    head: Form,
    /// What became of what was sent before.
    told: Vec<Form>,
    /// Remarks on the intent, most important first.
    remarks: Vec<Form>,
    /// Problems, below the sections.
    problems: Vec<Form>,
}

impl Frame {
    /// The frame of an answer about one repository, or several: what is said of the intent is what the first understood.
    pub(super) fn new(view: &View<'_>, others: &[View<'_>], problems: &[Problem]) -> Self {
        let counter = view.counter;
        let intent = &view.activation.intent;
        let mut head = vec![
            Piece::Line(Safe::format("# Session context: {}", &[&title(view.masker, intent)])),
            Piece::Line(Safe::fixed(DATA_NOTICE)),
            Piece::Line(counts(view, others)),
        ];
        head.extend(repositories(view, others).map(Piece::Line));
        if view.state.dream_mode {
            head.push(Piece::Line(Safe::fixed(
                "DREAM MODE: say what you would do, step by step and why. Do not do it: change nothing, run nothing.",
            )));
        }
        Self { head: counter.form(head), told: Vec::new(), remarks: remarks(view, others), problems: list(view, problems) }
    }

    /// An upper bound for its tokens.
    pub(super) fn tokens(&self) -> Tokens {
        self.remarks.iter().chain(&self.problems).map(Form::tokens).sum::<Tokens>() + self.head.tokens()
    }

    /// The tokens that it cannot do without.
    pub(super) fn least(&self) -> Tokens {
        self.head.tokens()
    }

    /// Leaves out problems, then remarks, until it has at most so many tokens.
    pub(super) fn fit(&mut self, most: Tokens) {
        while self.tokens() > most && (self.problems.pop().is_some() || self.remarks.pop().is_some()) {}
        // A heading alone says nothing.
        if self.problems.len() == 1 {
            self.problems.clear();
        }
    }

    /// Says what became of what was sent before, in at most so many tokens: first what is not true any more.
    pub(super) fn tell(&mut self, view: &View<'_>, delta: &Delta, most: Tokens) {
        let counter = view.counter;
        let n = |list: &[Safe]| Safe::number(list.len() as i64);
        let pieces =
            [&delta.pack_id, &n(&delta.new), &n(&delta.changed), &n(&delta.holds), &Safe::number(delta.stale.len() as i64)];
        let head = Safe::format(
            "SINCE PACKET {}: {} new and {} changed, shown below; {} still hold and are not repeated; {} are stale.",
            &pieces,
        );
        let stale = delta.stale.iter().map(|(key, why)| Safe::format("  Stale: {} ({})", &[key, why])).collect::<Vec<_>>();
        let moved = delta.moved.iter();
        let moved = moved.map(|(key, lines)| Safe::format("  Moved, else as sent: {}, now lines {}", &[key, lines]));
        let (changed, holds) = (
            by_kind(view.masker, "  Changed: {}: {}{}", &delta.changed),
            by_kind(view.masker, "  Still holds: {}: {}{}", &delta.holds),
        );
        let mut left = most.0;
        self.told = Vec::new();
        for line in std::iter::once(head).chain(stale).chain(moved).chain(changed).chain(holds) {
            let form = counter.line(line);
            let Some(rest) = left.checked_sub(form.tokens().0) else { break };
            left = rest;
            self.told.push(form);
        }
    }

    /// Leaves out the least important line that can be left out; whether there was one.
    pub(super) fn cut(&mut self) -> bool {
        self.told.pop().or_else(|| self.problems.pop()).or_else(|| self.remarks.pop()).is_some()
    }

    pub(super) fn above(&self) -> impl Iterator<Item = &Form> {
        std::iter::once(&self.head).chain(&self.told).chain(&self.remarks)
    }

    pub(super) fn below(&self) -> impl Iterator<Item = &Form> {
        self.problems.iter()
    }
}

/// The beginning of the intent's headline.
fn title(masker: &Masker, intent: &Intent) -> Safe {
    // Masked as a whole before it is cut: a cut could hide what gives a secret away.
    let safe = masker.line(&intent.headline);
    if safe.as_str().chars().count() <= MAX_TITLE {
        return safe;
    }
    let cut: String = safe.as_str().chars().take(MAX_TITLE).collect();
    Safe::format("{}…", &[&masker.line(&cut)])
}

/// The repositories that an answer is about, where there are several.
fn repositories(view: &View<'_>, others: &[View<'_>]) -> Option<Safe> {
    let names = || std::iter::once(view).chain(others).filter_map(|view| Some(view.masker.name(view.sources.repository?)));
    let names: Vec<Safe> = names().collect();
    (!names.is_empty()).then(|| Safe::format("Repositories (most likely first): {}.", &[&Safe::join(&names, ", ")]))
}

fn counts(view: &View<'_>, others: &[View<'_>]) -> Safe {
    let activation = view.activation;
    let files = || std::iter::once(view).chain(others).flat_map(|view| &view.activation.files);
    let n_hot = files().filter(|active| active.tier == Tier::Hot).count();
    let pieces = [
        &Safe::fixed(verb(activation.intent.verb)),
        &Safe::fixed(activation.intent.certainty.name()),
        &Safe::number(n_hot as i64),
        &Safe::number((files().count() - n_hot) as i64),
    ];
    let counts = Safe::format("Task: {}; certainty: {}; files: {} hot, {} warm.", &pieces);
    let Some((n_read, n_files)) = view.sources.partial else { return counts };
    let pieces = [&counts, &Safe::number(n_read), &Safe::number(n_files)];
    Safe::format("{} Partial: {} of {} files read, so lists are incomplete; `activate index` reads all.", &pieces)
}

/// Keys of entries, one line a kind, in the order in which kinds first occur.
fn by_kind(masker: &Masker, sentence: &'static str, keys: &[Safe]) -> Vec<Safe> {
    let mut kinds: Vec<(&str, Vec<Safe>, usize)> = Vec::new();
    for key in keys {
        let (kind, name) = key.as_str().split_once(' ').unwrap_or((key.as_str(), ""));
        let at = kinds.iter().position(|(known, ..)| *known == kind).unwrap_or_else(|| {
            kinds.push((kind, Vec::new(), 0));
            kinds.len() - 1
        });
        let (_, names, n_more) = &mut kinds[at];
        if names.len() < MAX_KEYS { names.push(masker.name(name)) } else { *n_more += 1 }
    }
    let line = |(kind, names, n_more): (&str, Vec<Safe>, usize)| {
        let more = if n_more > 0 { Safe::format(" and {} more", &[&Safe::number(n_more as i64)]) } else { Safe::default() };
        Safe::format(sentence, &[&masker.name(kind), &Safe::join(&names, ", "), &more])
    };
    kinds.into_iter().map(line).collect()
}

/// What the reader should know about how the intent was understood.
fn remarks(view: &View<'_>, others: &[View<'_>]) -> Vec<Form> {
    let intent = &view.activation.intent;
    let id = |node| view.id(node);
    let list = |names: Vec<Safe>, n_all: usize| {
        let more = n_all.saturating_sub(names.len());
        let more = if more > 0 { Safe::format(" and {} more", &[&Safe::number(more as i64)]) } else { Safe::default() };
        Safe::format("{}{}", &[&Safe::join(&names, ", "), &more])
    };
    let mut lines = Vec::new();
    for ambiguity in intent.ambiguous.iter().take(MAX_REMARKS) {
        let name = view.masker.name(&ambiguity.name);
        let named = |nodes: &[NodeId]| nodes.iter().take(MAX_CANDIDATES).map(|node| id(*node)).collect();
        lines.push(match ambiguity.candidates.split_first() {
            Some((first, others)) if intent.settles(ambiguity) => {
                let others = list(named(others), ambiguity.n_all - 1);
                Safe::format("Ambiguous: {} is taken for {}; it could also be {}.", &[&name, &id(*first), &others])
            }
            _ => {
                let candidates = list(named(&ambiguity.candidates), ambiguity.n_all);
                Safe::format("Ambiguous: {} could be any of {}.", &[&name, &candidates])
            }
        });
    }
    let here = match view.sources.repository {
        _ if view.sources.partial.is_some() => Safe::fixed("in the files read"),
        Some(repository) => Safe::format("in {}", &[&view.masker.name(repository)]),
        None => Safe::fixed("here"),
    };
    let intents = || others.iter().map(|other| &other.activation.intent);
    let meant = intents().flat_map(|intent| &intent.targets).map(|target| target.text.as_str());
    let ambiguous = intents().flat_map(|intent| &intent.ambiguous).map(|of| of.name.as_str());
    let elsewhere: FxHashSet<&str> = meant.chain(ambiguous).collect();
    let unknown = intent.unknown.iter().filter(|unknown| !elsewhere.contains(unknown.name.as_str()));
    for unknown in unknown.take(MAX_REMARKS) {
        let name = view.masker.name(&unknown.name);
        if unknown.nearest.is_empty() {
            lines.push(Safe::format("Unknown: nothing {} is named {}.", &[&here, &name]));
        } else {
            let names = unknown.nearest.iter().take(MAX_CANDIDATES).map(|name| view.masker.name(name)).collect();
            let nearest = list(names, unknown.nearest.len().min(MAX_CANDIDATES));
            lines.push(Safe::format("Unknown: nothing {} is named {}; the nearest names are {}.", &[&here, &name, &nearest]));
        }
    }
    lines.extend(intent.advice.iter().take(MAX_REMARKS).map(|advice| Safe::format("Advice: {}", &[&view.masker.line(advice)])));
    lines.into_iter().map(|line| view.counter.line(line)).collect()
}

fn list(view: &View<'_>, problems: &[Problem]) -> Vec<Form> {
    let counter = view.counter;
    // What became of the cache is not part of an answer, which is the same without one.
    let problems: Vec<&Problem> = problems.iter().filter(|problem| problem.stage != error::CACHE_STAGE).collect();
    if problems.is_empty() {
        return Vec::new();
    }
    let mut forms = vec![counter.heading("PROBLEMS (what this answer does not know):")];
    for problem in problems.iter().take(MAX_PROBLEMS) {
        let place = problem.path.as_ref().map_or_else(Safe::default, |path| Safe::format("{}: ", &[&view.masker.name(path)]));
        let pieces = [&view.masker.name(&problem.stage), &place, &view.masker.line(&problem.message)];
        forms.push(counter.line(Safe::format("  - {}: {}{}", &pieces)));
    }
    if problems.len() > MAX_PROBLEMS {
        let n_more = Safe::number((problems.len() - MAX_PROBLEMS) as i64);
        forms.push(counter.line(Safe::format("  +{} more problems", &[&n_more])));
    }
    forms
}

/// The verb as the packet names it.
fn verb(verb: Verb) -> &'static str {
    if verb == Verb::Other { "not said" } else { verb.name() }
}
