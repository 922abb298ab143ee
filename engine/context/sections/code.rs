//! Which code section 3 shows: the passages that speak for the task, each with what it is worth.

use super::{Entry, View};
use crate::activation::Passage;
use crate::passage;
use crate::worth::{Worth, Worths};
use activate_rules::atoms::{NodeId, PassageCue};
use review::Review;
use std::borrow::Cow;
use std::cmp::Reverse;

/// The share of the best score, in thousandths, under which nothing is listed: what is three times less than the best rarely serves the task.
pub(super) const STOP_SHARE: i64 = 300;
/// The share of the best score, in thousandths, from which something is as sure as what is meant.
pub(super) const WHOLE_SHARE: i64 = 600;

/// The fewest lines between hunks that are shown: fewer close brackets, mostly.
const LEAST_RUN: u32 = 4;

/// What speaks for a passage beside a change: it is named, calls what changes, or has words of the task.
const TELLING: [PassageCue; 4] = [PassageCue::Named, PassageCue::Calls, PassageCue::Words, PassageCue::Fails];

/// The passages that are worth showing, file by file, each in the order of its lines; files in the order of what is to be read first. With
/// them what they and their files are worth, and how many more are worth showing than can have room.
pub(super) fn code(view: &View<'_>) -> (Vec<Entry>, Worths, usize) {
    let own: Vec<Passage>;
    let passages = if let Some(review) = view.sources.review {
        // What only stands beside a change says nothing to who reviews it.
        let told = view.activation.passages.iter().filter(|passage| passage.turn.is_some() || is_told(passage));
        own = told.flat_map(|passage| without_hunks(view, review, passage)).collect();
        &own
    } else {
        &view.activation.passages
    };
    let weights = &view.activation.weights;
    let worths = Worths::new(passages, weights);
    let least = Worths::all().part(weights.packing.least).density(1000);
    let density = |at: usize| worths.passages[at].density((passages[at].n_bytes / 3).max(1));
    let mut order: Vec<usize> = (0..passages.len()).collect();
    order.sort_by_key(|at| (passages[*at].turn.is_none(), passages[*at].turn, Reverse(density(*at)), *at));
    // Twice as many as fit, since what is worth most is not always what is next.
    let mut left = view.most.0.saturating_mul(2);
    let mut chosen: Vec<(NodeId, Entry)> = Vec::new();
    // Files in which something fails come first, then those in which the task names a place.
    let mut files: Vec<(NodeId, Reverse<u8>)> = Vec::new();
    let mut n_unseen = 0;
    for at in order {
        let passage = &passages[at];
        let is_urgent = passage.turn.is_some();
        if !is_urgent && density(at) < least {
            break;
        }
        if left == 0 {
            n_unseen += 1;
            continue;
        }
        let worth = if is_urgent { Worth::URGENT } else { worths.passages[at] };
        let Some(passage) = unpinned(view, passage) else { continue };
        let Some(entry) = passage::entry(view, &passage, worth) else { continue };
        left = left.saturating_sub(entry.tokens().0.max(1));
        let front = Reverse(if is_urgent { 2 } else { u8::from(passage.parts.iter().any(|(cue, _)| *cue == PassageCue::Named)) });
        match files.iter_mut().find(|(file, _)| *file == passage.file) {
            Some((_, known)) => *known = front.min(*known),
            None => files.push((passage.file, front)),
        }
        // The turn in which it is to be read, behind the name of the likeliest file.
        chosen.push((passage.file, entry.in_turn(chosen.len() + 1)));
    }
    files.sort_by_key(|(_, front)| *front);
    let place = |file: NodeId| files.iter().position(|(other, _)| *other == file);
    chosen.sort_by_cached_key(|(file, entry)| (place(*file), entry.about.lines));
    (chosen.into_iter().map(|(_, entry)| entry).collect(), worths, n_unseen)
}

/// Whether more speaks for a passage than where it stands.
pub(super) fn is_told(passage: &Passage) -> bool {
    passage.parts.iter().any(|(cue, _)| TELLING.contains(cue))
}

/// The runs of lines of a passage that no hunk shows: none where hunks show most of it, all of it where something fails in it.
fn without_hunks(view: &View<'_>, review: &Review, passage: &Passage) -> Vec<Passage> {
    if passage.turn.is_some() {
        return vec![passage.clone()];
    }
    if shows(view, review, passage.file, passage.lines) {
        return Vec::new();
    }
    let (mut from, last) = passage.lines;
    let changed = review.files.iter().filter(|changed| changed.file == Some(passage.file));
    let mut hunks: Vec<(u32, u32)> = changed.flat_map(|changed| &changed.pieces).map(|piece| piece.lines).collect();
    hunks.retain(|(first, end)| *first <= last && from <= *end);
    if hunks.is_empty() {
        return vec![passage.clone()];
    }
    hunks.sort_unstable();
    let mut runs = Vec::new();
    for (first, end) in hunks.into_iter().chain([(last.saturating_add(1), last.saturating_add(1))]) {
        if first >= from.saturating_add(LEAST_RUN) {
            runs.push((from, first - 1));
        }
        from = from.max(end.saturating_add(1));
    }
    let n_lines = |(first, last): (u32, u32)| last.saturating_sub(first).saturating_add(1);
    let of = |lines: (u32, u32)| {
        let n_bytes = u64::from(passage.n_bytes) * u64::from(n_lines(lines)) / u64::from(n_lines(passage.lines));
        Passage { lines, n_bytes: n_bytes as u32, best_line: passage.best_line.clamp(lines.0, lines.1), ..passage.clone() }
    };
    runs.into_iter().map(of).collect()
}

/// Whether hunks show most of these lines of a file.
fn shows(view: &View<'_>, review: &Review, file: NodeId, (first, last): (u32, u32)) -> bool {
    let changed = review.files.iter().filter(|changed| changed.file == Some(file));
    let within = |(from, to): (u32, u32)| (to.min(last) + 1).saturating_sub(from.max(first));
    let n_shown: u32 = changed.flat_map(|changed| &changed.pieces).map(|piece| within(piece.lines)).sum();
    n_shown * 1000 >= (last + 1).saturating_sub(first) * view.activation.weights.change.shown.get()
}

/// A passage without the lines that are pinned, which stand above in full; none where all of them are.
fn unpinned<'p>(view: &View<'_>, passage: &'p Passage) -> Option<Cow<'p, Passage>> {
    let (mut first, mut last) = passage.lines;
    for pin in view.sources.pins.iter().filter(|pin| pin.file == passage.file) {
        let (from, to) = pin.lines.unwrap_or((1, u32::MAX));
        if from <= first && first <= to {
            first = to.saturating_add(1);
        } else if first < from && from <= last {
            last = from - 1;
        }
    }
    if (first, last) == passage.lines {
        return Some(Cow::Borrowed(passage));
    }
    let fails = passage.fails && (first..=last).contains(&passage.best_line);
    (first <= last).then(|| Cow::Owned(Passage { lines: (first, last), fails, ..passage.clone() }))
}
