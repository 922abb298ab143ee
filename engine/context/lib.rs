//! From what was activated to the text that is sent: eight sections within a hard budget.
//!
//! Must not read files, run git or know how a packet is encoded: texts come through a callback, and the result is data.

pub mod activation;
pub mod budget;
pub mod fill;
pub mod git_state;
pub mod packet;
pub mod pieces;
pub mod state;
pub mod template;

mod delta;
mod frame;
mod list;
mod passage;
mod reason;
mod sections;
mod summary;
mod trace;
mod view;
mod worth;

#[cfg(test)]
mod tests;

// The words of the policy in which a context is written.
pub use activate_rules::atoms::{Cause, Energy, NodeId, Thousandths, Tier};
pub use activate_rules::links::{Confidence, LinkKind};
pub use activate_rules::sections::Section;
pub use delta::Delta;
pub use reason::local_name;
pub use sections::affected_by;
pub use trace::{Candidate, Disposition, Limit};
pub use view::{Pin, Sources};

use budget::{Budget, Need, deal};
use error::{Error, ErrorKind, Problem, Result};
use fill::{Draft, compress};
use frame::Frame;
use index::completeness::State;
use list::List;
use pieces::{About, Counter, Entry, Form, Piece};
use rayon::prelude::*;
use redact::{Masker, PacketText, PacketWriter, Safe, Trust};
use rustc_hash::FxHashMap;
use session::Sent;
use tokens::{JOINT, Tokens};
use trace::Trace;
use view::View;

/// The most tokens of what is said of a packet that was sent before.
const MAX_DELTA: Tokens = Tokens(800);

/// What an agent is to see for a task.
#[derive(Debug, Clone)]
pub struct SessionContext {
    /// Hash of the content in 32 hexadecimal digits.
    pub pack_id: String,
    /// The sections that have content, in order.
    pub sections: Vec<SectionText>,
    /// The whole text, ready to be sent.
    pub text: PacketText,
    /// Tokens of the whole text, as the budget's tokenizer counts them.
    pub tokens: Tokens,
    /// The ceiling that held.
    pub budget: Tokens,
    /// How many of the repository's files were read, and how many there are, where an answer did not wait for all.
    pub partial: Option<(u32, u32)>,
    /// What was left out of an answer that is otherwise good.
    pub problems: Vec<Problem>,
    /// What the reader has once it was sent, as a record for a later [`Sources::since`].
    pub sent: Sent,
    /// What became of what was sent before, where that was asked for.
    pub delta: Option<Delta>,
    /// What was considered and what became of it, in the order of the text; empty unless [`Sources::traced`].
    pub candidates: Vec<Candidate>,
    /// Why each active file is active.
    reasons: FxHashMap<NodeId, Safe>,
}

impl SessionContext {
    /// Why a file is active; empty for a file that is not.
    pub fn reason(&self, file: NodeId) -> Safe {
        self.reasons.get(&file).cloned().unwrap_or_default()
    }
}

/// A section as it is shown.
#[derive(Debug, Clone)]
pub struct SectionText {
    /// Which section.
    pub section: Section,
    /// The most tokens it might have: its share, or more where others left some.
    pub budget: Tokens,
    /// The tokens it has.
    pub tokens: Tokens,
    /// What it says, in order.
    pub items: Vec<Item>,
    /// The lists among them of which it is known how complete they are.
    pub lists: Vec<ListText>,
    /// How many entries did not fit.
    pub n_cut: usize,
}

/// How complete a list is as it is shown.
#[derive(Debug, Clone)]
pub struct ListText {
    /// The kind of its items.
    pub kind: &'static str,
    /// The word.
    pub state: State,
    /// Why it is not complete.
    pub reasons: Vec<Safe>,
    /// How many of its items did not fit.
    pub n_cut: usize,
}

/// Something a section says.
#[derive(Debug, Clone)]
pub struct Item {
    /// What is known of it.
    pub about: About,
    /// Its name within the packet, as that of its [`Candidate`]; empty for a pin.
    pub key: String,
    /// Where its text comes from.
    pub trust: Trust,
    /// Its text, without fences.
    pub text: Safe,
}

/// The hash of a text, and of what rules of the user gave for it.
fn pack_id(draft: &str, view: &View<'_>) -> String {
    let derived = &view.activation.derived;
    let name = |node| view.id(node).as_str().to_owned();
    let is_reached = |node| derived.score(node).is_some() || derived.evidence(node).is_some();
    let given = view.activation.custom.written(&name, &is_reached);
    let hash = if given.is_empty() {
        xxhash_rust::xxh3::xxh3_128(draft.as_bytes())
    } else {
        xxhash_rust::xxh3::xxh3_128(format!("{draft}\n{given}").as_bytes())
    };
    format!("{hash:032x}")
}

/// Makes the session context of an activation.
///
/// # Errors
///
/// [`ErrorKind::BudgetTooSmall`] if the title, the pins and what must be said of what fails alone exceed the budget.
pub fn session_context(sources: &Sources<'_>, budget: &Budget) -> Result<SessionContext> {
    session_contexts(sources, &[], budget)
}

/// Makes one session context of the activations of several repositories for the same intent, the one that knows most first. What the reader has of
/// an earlier one, and why files are active, is known of the first.
///
/// # Errors
///
/// As [`session_context`].
pub fn session_contexts(sources: &Sources<'_>, others: &[&Sources<'_>], budget: &Budget) -> Result<SessionContext> {
    let counter = Counter(budget.tokenizer);
    let (Begun { view, mut pins, mut drafts }, begun) = rayon::join(
        || Begun::new(sources, budget),
        || others.par_iter().map(|other| Begun::new(other, budget)).collect::<Vec<_>>(),
    );
    let mut others = Vec::new();
    for other in begun {
        pins.extend(other.pins);
        drafts.iter_mut().zip(other.drafts).for_each(|(draft, below)| draft.append(below));
        others.push(other.view);
    }
    for draft in &mut drafts {
        rank(draft);
        draft.order();
    }
    // All files are read by now.
    let mut problems = sources.problems.to_vec();
    problems.extend(view.problems());
    problems.extend(others.iter().flat_map(|other| [other.sources.problems.to_vec(), other.problems()].concat()));

    delta::name_all(&mut drafts);
    let mut trace = Trace::start(sources.traced, &drafts);
    // Only a delta asks what could have been said.
    let before = sources.since.map(|since| (since, delta::known(&drafts)));
    let mut frame = Frame::new(&view, &others, &problems);
    let pinned: Tokens = pins.iter().map(|(_, form)| form.tokens()).sum();
    let said: Tokens = drafts.iter().map(|draft| draft.least).sum();
    // One joint for each part: frame above, pins, frame below.
    let least = pinned + said + frame.least() + JOINT + JOINT + JOINT;
    if least > budget.total {
        let and_said = if said > Tokens(0) { ", pins, what fails and what must not be done" } else { " and pins" };
        let message = format!("title{and_said} need {least} tokens, more than the budget of {}; give {least}", budget.total);
        return Err(Error::new(ErrorKind::BudgetTooSmall, message));
    }
    let left = budget.total.0 - least.0;
    // The frame has what the sections could use better only up to a tenth.
    let most = Tokens((budget.total.0 - pinned.0) / 10).min(Tokens(frame.least().0 + left));
    frame.fit(most.max(frame.least()));
    // What became of the last packet has what title and pins leave, up to a tenth.
    let left = left.saturating_sub(frame.tokens().0 - frame.least().0);
    let told = sources.since.map_or(Tokens(0), |_| Tokens((budget.total.0 / 10).min(MAX_DELTA.0).min(left)));
    let taken = pinned + frame.tokens() + JOINT + JOINT + JOINT + told;
    let pool = Tokens(budget.total.0.saturating_sub(taken.0));
    let mixture = sources.activation.weights.verbs.of(sources.activation.intent.verb);
    let mut grants = deal(
        pool,
        &mixture.shares,
        drafts.each_ref().map(|draft| Need { least: draft.least, all: draft.tokens(), is_found: draft.is_found }),
    );
    compress(&mut drafts, &mut grants);
    trace.stop(&drafts, Limit::Compression);
    for (draft, grant) in drafts.iter_mut().zip(&grants) {
        draft.fit(grant.granted);
    }
    trace.stop(&drafts, Limit::Section);
    grants[Section::Neighbourhood as usize].budget.0 += if pins.is_empty() { 0 } else { pinned.0 + JOINT.0 };

    let delta = before.map(|(since, before)| {
        let entries = delta::sent(&view, &drafts);
        let delta = delta::take(&view, since, &mut drafts, &before, &entries);
        frame.tell(&view, &delta, told);
        (since, entries, delta)
    });
    trace.stop(&drafts, Limit::Sent);
    let mut made = Made { frame, pins, drafts };
    // Bounds hold by construction; the finished text is counted all the same, since the cap is a promise.
    loop {
        let (writer, counts) = made.write(counter);
        let over = counts.iter().zip(&grants).position(|(count, grant)| *count > grant.budget);
        let total = counter.0.count(writer.draft());
        let is_over = over.is_some() || total > budget.total;
        if is_over && made.cut(over) {
            continue;
        }
        trace.stop(&made.drafts, Limit::Total);
        let pack_id = pack_id(writer.draft(), &view);
        let sections = made.sections(view.masker, &grants, &counts);
        let files = &sources.activation.files;
        let reasons = files.iter().map(|file| (file.node, reason::reason(&view, file))).collect();
        let text = writer.finish();
        let mut sent = Sent { pack_id: pack_id.clone(), entries: delta::sent(&view, &made.drafts) };
        let delta = delta.map(|(since, entries, delta)| {
            delta::carry(&mut sent, &entries, since, &delta);
            delta
        });
        return Ok(SessionContext {
            pack_id,
            sections,
            text,
            tokens: total,
            budget: budget.total,
            partial: sources.partial,
            problems,
            sent,
            delta,
            candidates: trace.finish(),
            reasons,
        });
    }
}

/// Why nodes are active, as short phrases; empty for those that are not.
pub fn reasons(sources: &Sources<'_>, nodes: &[NodeId]) -> Vec<Safe> {
    let view = View::new(sources, &Budget::default());
    nodes.iter().map(|node| view.active(*node).map_or_else(Safe::default, |active| reason::full_reason(&view, active))).collect()
}

/// Hot before warm, as far as a group's entries have tiers and its order is by score.
fn rank(draft: &mut Draft) {
    for group in draft.groups.iter_mut().filter(|group| !group.are_passages) {
        let is_warm = |entry: &Entry| entry.about.tier == Some(Tier::Warm);
        if group.entries.iter().all(|entry| entry.about.tier.is_some()) {
            group.entries.sort_by_key(is_warm);
        }
    }
}

/// What one repository could say.
struct Begun<'a> {
    view: View<'a>,
    pins: Vec<(About, Form)>,
    drafts: [Draft; Section::COUNT],
}

impl<'a> Begun<'a> {
    fn new(sources: &'a Sources<'a>, budget: &Budget) -> Self {
        let view = View::new(sources, budget);
        let (pins, drafts) = (sections::pins(&view), sections::drafts(&view));
        Self { view, pins, drafts }
    }
}

/// The parts of the text.
struct Made {
    frame: Frame,
    pins: Vec<(About, Form)>,
    drafts: [Draft; Section::COUNT],
}

impl Made {
    /// The text with zeros for nonces, and the tokens of each section.
    fn write(&self, counter: Counter) -> (PacketWriter, [Tokens; Section::COUNT]) {
        let mut writer = PacketWriter::new();
        for form in self.frame.above() {
            form.write(&mut writer);
        }
        let mut counts = [Tokens(0); Section::COUNT];
        for (draft, count) in self.drafts.iter().zip(&mut counts) {
            let start = writer.draft().len();
            if draft.section == Section::Neighbourhood {
                for (_, form) in &self.pins {
                    form.write(&mut writer);
                }
            }
            draft.write(&mut writer);
            *count = counter.0.count(writer.draft().get(start..).unwrap_or_default());
        }
        for form in self.frame.below() {
            form.write(&mut writer);
        }
        (writer, counts)
    }

    /// Cuts an entry of the section that is over its budget, or of the last that can be cut.
    fn cut(&mut self, section: Option<usize>) -> bool {
        let over = section.and_then(|at| self.drafts.get_mut(at));
        over.is_some_and(Draft::cut_last) || self.drafts.iter_mut().rev().any(Draft::cut_last) || self.frame.cut()
    }

    fn sections(
        &self,
        masker: &Masker,
        grants: &[budget::Grant; Section::COUNT],
        counts: &[Tokens; Section::COUNT],
    ) -> Vec<SectionText> {
        let mut sections = Vec::new();
        for ((draft, grant), tokens) in self.drafts.iter().zip(grants).zip(counts) {
            if *tokens == Tokens(0) {
                continue;
            }
            let pins = self.pins.iter().filter(|_| draft.section == Section::Neighbourhood);
            let mut items: Vec<Item> = pins.map(|(about, form)| item(about, "", form.pieces())).collect();
            items.extend(draft.entries().map(|entry| {
                let lines = entry.lines().or(entry.about.lines);
                item(&About { lines, ..entry.about.clone() }, &entry.key, entry.pieces())
            }));
            sections.push(SectionText {
                section: draft.section,
                budget: grant.budget,
                tokens: *tokens,
                items,
                lists: draft.lists().map(|(list, n_cut)| list_text(masker, list, n_cut)).collect(),
                n_cut: draft.n_cut(),
            });
        }
        sections
    }
}

fn list_text(masker: &Masker, list: &List, n_cut: usize) -> ListText {
    let completeness = list.completeness(n_cut);
    let reasons = completeness.reasons.iter().map(|reason| masker.line(reason)).collect();
    ListText { kind: list.kind, state: completeness.state, reasons, n_cut }
}

/// An entry as data: its fenced text, or its lines where it has none.
fn item(about: &About, key: &str, pieces: &[Piece]) -> Item {
    let mut fenced = pieces.iter().filter_map(|piece| match piece {
        Piece::Fenced(_, text) => Some(text),
        Piece::Line(_) => None,
    });
    let text = fenced.next().cloned().unwrap_or_else(|| {
        let lines = pieces.iter().filter_map(|piece| match piece {
            Piece::Line(line) => Some(line),
            Piece::Fenced(..) => None,
        });
        Safe::join(lines, "\n")
    });
    Item { about: about.clone(), key: key.to_owned(), trust: about.trust.unwrap_or(Trust::Trusted), text }
}
