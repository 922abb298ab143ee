//! Which code section 3 shows: what the task means and what fails, then what stands around that.
//!
//! Must not know how many tokens there are.

use super::failing::{Failing, Part, Turn};
use super::{Entry, View};
use crate::activation::{Active, MAX_DEEP_FILES, Reason, Role};
use crate::context::excerpt::{Excerpt, Resolution, file_entry, lines_entries};
use crate::context::view::is_share;
use crate::facts::base::SymbolKind;
use crate::signals::Severity;
use activate_rules::atoms::{Energy, Millionths, NodeId};
use activate_rules::facts::Derived;
use activate_rules::links::LinkKind;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The share of the best score, in thousandths, under which nothing is shown: what is three times less than the best rarely serves the task.
pub(super) const STOP_SHARE: i64 = 300;
/// The share of the best score, in thousandths, from which code is shown with its body, and with its signature; below, one line names it.
pub(super) const WHOLE_SHARE: i64 = 600;
const SIGNATURE_SHARE: i64 = 450;
/// The most pieces of code with their bodies, those in which something fails aside, and of all.
const MAX_WHOLE: usize = 12;
const MAX_EXCERPTS: usize = 40;
/// The whole, in thousandths.
const WHOLE: i64 = 1000;

/// Code to show.
#[derive(Default)]
pub(super) struct Code {
    /// What is meant, best first.
    pub(super) target: Vec<Entry>,
    /// What stands around it, best first.
    pub(super) related: Vec<Entry>,
    /// The files they are from, best first; a file can be there twice.
    pub(super) files: Vec<NodeId>,
}

/// Where a piece of code stands, first to last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// The task names it, and no other of that name.
    Named,
    /// Something fails in it, or what fails calls it.
    Failing(Turn, Reverse<Energy>),
    /// Else the task speaks for it.
    Meant,
    /// It stands around what is meant.
    Around(Reverse<Energy>),
}

impl Place {
    fn is_target(self) -> bool {
        !matches!(self, Self::Around(_))
    }
}

/// The code that is meant and the code around it.
pub(super) fn code(view: &View<'_>) -> Code {
    let choice = Choice::new(view);
    let chosen = merged(choice.excerpts());
    let mut code = Code::default();
    let mut pieces: Vec<(Place, Entry)> = Vec::new();
    for (place, excerpt) in &chosen {
        pieces.push((*place, excerpt.entry(view)));
        code.files.push(excerpt.file);
    }
    let bare = choice.bare_lines(&chosen);
    code.files.extend(bare.iter().map(|(_, file, ..)| *file));
    if !bare.is_empty() {
        for (turn, file, severity, lines) in bare {
            let place = Place::Failing(turn, Reverse(view.best()));
            pieces.extend(lines_entries(view, file, severity, &lines).into_iter().map(|entry| (place, entry)));
        }
        pieces.sort_by_key(|(place, _)| *place);
    }
    for (place, entry) in pieces {
        if place.is_target() { &mut code.target } else { &mut code.related }.push(entry);
    }
    // A file that is meant and has no code that is, such as a document, is shown itself.
    let files = view.activation.files.iter().filter(|file| file.role == Role::Target && choice.share.is(file, STOP_SHARE));
    for file in files.take(MAX_DEEP_FILES) {
        if !code.files.contains(&file.node) {
            let is_target = !choice.is_certain || choice.is_near_best(file);
            if is_target { &mut code.target } else { &mut code.related }.push(file_entry(view, file));
            code.files.push(file.node);
        }
    }
    code
}

/// What decides which code is shown.
struct Choice<'v, 'a> {
    view: &'v View<'a>,
    share: Share<'a>,
    failing: Failing,
    /// Whether something is named or fails: then what only words speak for comes after what is linked to that and scores more.
    is_certain: bool,
}

impl<'v, 'a> Choice<'v, 'a> {
    fn new(view: &'v View<'a>) -> Self {
        let all = view.activation.symbols.iter().chain(&view.activation.files);
        let is_certain = all.into_iter().any(|active| matches!(active.reason, Reason::Named(_) | Reason::Failure(_)));
        Self { view, share: Share::new(view), failing: Failing::new(view), is_certain }
    }

    /// The pieces of code, first to last.
    fn excerpts(&self) -> Vec<(Place, Excerpt<'a>)> {
        let view = self.view;
        let shown = view.activation.symbols.iter().filter(|active| self.is_shown(active) && self.share.is(active, STOP_SHARE));
        let mut shown: Vec<(Place, &Active)> = shown.map(|active| (self.place(active), active)).collect();
        if self.is_certain {
            shown.sort_by_key(|(place, _)| *place);
        }
        let mut chosen: Vec<(Place, Excerpt<'_>)> = Vec::new();
        let mut n_whole = 0;
        for (place, active) in shown {
            if chosen.len() == MAX_EXCERPTS {
                break;
            }
            // Where something fails, what is around it is no substitute for it.
            let is_failing = matches!(active.reason, Reason::Failure(_));
            let resolution = if (n_whole < MAX_WHOLE || is_failing) && self.share.is(active, WHOLE_SHARE) {
                Resolution::Body
            } else if self.share.is(active, SIGNATURE_SHARE) {
                Resolution::Signature
            } else {
                Resolution::Line
            };
            let Some(mut excerpt) = Excerpt::new(view, active, resolution) else { continue };
            if is_failing && active.role == Role::Test {
                excerpt.add_setup(view);
            }
            // What lies in a body that is shown is shown; a type around code that is shown needs no body of its own.
            if chosen.iter().any(|(_, other)| other.resolution == Resolution::Body && other.covers(&excerpt)) {
                continue;
            }
            if resolution == Resolution::Body && chosen.iter().any(|(_, other)| excerpt.covers(other)) {
                excerpt.resolution = Resolution::Signature;
            }
            n_whole += usize::from(excerpt.resolution == Resolution::Body && !is_failing);
            chosen.push((place, excerpt));
        }
        chosen
    }

    /// Where something fails outside of all symbols and of what is shown anyway: for each file the first turn, how bad the worst is, and the lines.
    fn bare_lines(&self, chosen: &[(Place, Excerpt<'_>)]) -> Vec<(Turn, NodeId, Severity, Vec<u32>)> {
        let mut by_file: BTreeMap<NodeId, (Turn, Severity, Vec<u32>)> = BTreeMap::new();
        for (turn, file, severity, line) in &self.failing.lines {
            let is_in = |excerpt: &Excerpt<'_>| {
                let (first, last) = excerpt.lines();
                excerpt.file == *file && excerpt.resolution == Resolution::Body && first <= *line && *line <= last
            };
            if !chosen.iter().any(|(_, excerpt)| is_in(excerpt)) {
                let (_, worst, lines) = by_file.entry(*file).or_insert((*turn, *severity, Vec::new()));
                *worst = (*severity).min(*worst);
                lines.push(*line);
            }
        }
        let mut bare: Vec<_> = by_file.into_iter().map(|(file, (turn, worst, lines))| (turn, file, worst, lines)).collect();
        bare.sort_unstable();
        bare.truncate(MAX_EXCERPTS);
        bare
    }

    fn place(&self, active: &Active) -> Place {
        let score = Reverse(active.score);
        match (&active.reason, self.failing.part(active.node)) {
            (Reason::Named(_), _) if active.score >= self.share.score => Place::Named,
            (_, Some((turn, Part::Fails))) => Place::Failing(turn, score),
            (_, Some((turn, Part::Called))) if self.is_near_best(active) => Place::Failing(turn, score),
            (Reason::Failure(_), _) => Place::Failing(Failing::LAST, score),
            _ if self.is_meant(active) => Place::Meant,
            _ => Place::Around(score),
        }
    }

    /// Whether code is what the task means: that is said of it, or of its file as a whole.
    fn is_meant(&self, active: &Active) -> bool {
        let file = match active.reason {
            Reason::Link { kind: LinkKind::ContainedBy, via, .. } => Some(via),
            Reason::StandsIn(file) => Some(file),
            _ => None,
        };
        let file = file.and_then(|file| self.view.active(file)).filter(|file| file.role == Role::Target);
        match file.map(|file| &file.reason) {
            Some(Reason::Named(_)) => true,
            Some(Reason::Words(_)) => !self.is_certain || self.is_near_best(active),
            _ => active.role == Role::Target && (!self.is_certain || self.is_near_best(active)),
        }
    }

    /// Whether a score is not far below the best: about what a neighbour of the best has.
    fn is_near_best(&self, active: &Active) -> bool {
        is_share(active.score, self.share.score, WHOLE_SHARE)
    }

    /// Whether the code of a symbol is shown: tests have a list of their own unless they are meant, fail or help those that fail; modules
    /// hold what is shown itself.
    fn is_shown(&self, active: &Active) -> bool {
        let view = self.view;
        let kind = view.base.symbol(active.node).map(|symbol| symbol.kind);
        let is_helper = || matches!(self.failing.part(active.node), Some((_, Part::Helper | Part::Fails)));
        let is_wanted =
            active.role != Role::Test || matches!(active.reason, Reason::Named(_) | Reason::Failure(_)) || is_helper();
        let is_deep = match active.reason {
            Reason::StandsIn(file) => {
                let deep = view.activation.files.iter().take(MAX_DEEP_FILES);
                deep.filter(|file| file.role == Role::Target).any(|listed| listed.node == file)
            }
            _ => true,
        };
        is_wanted && is_deep && kind.is_some_and(|kind| kind != SymbolKind::Module)
    }
}

/// Compares nodes with the best of their kind, by score or by standing: either is reason enough to show code.
struct Share<'v> {
    derived: &'v Derived,
    score: Energy,
    standing: Millionths,
}

impl<'v> Share<'v> {
    fn new(view: &View<'v>) -> Self {
        let derived = &view.activation.derived;
        let standing = view.activation.symbols.iter().map(|active| derived.standing(active.node)).max();
        Self { derived, score: view.best(), standing: standing.unwrap_or_default() }
    }

    /// Whether a node has this many thousandths of the best.
    fn is(&self, active: &Active, part: i64) -> bool {
        let standing = i64::from(self.derived.standing(active.node).get());
        is_share(active.score, self.score, part) || standing * WHOLE >= i64::from(self.standing.get()) * part
    }
}

/// The excerpts, with what belongs together in one piece at the place of its best part.
fn merged(mut excerpts: Vec<(Place, Excerpt<'_>)>) -> Vec<(Place, Excerpt<'_>)> {
    let mut place = 0;
    while place < excerpts.len() {
        let (before, after) = excerpts.split_at_mut(place + 1);
        let Some((first, excerpt)) = before.last_mut() else { break };
        let next = after.iter().position(|(other, next)| other.is_target() == first.is_target() && excerpt.merge(next));
        match next {
            // What grew may touch what it did not touch before.
            Some(next) => drop(excerpts.remove(place + 1 + next)),
            None => place += 1,
        }
    }
    excerpts
}
