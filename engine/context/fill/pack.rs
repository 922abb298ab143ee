//! Packing by worth: what is worth most per token enters first, until the next does not fit.
//!
//! The order does not depend on the room, so what enters in little room stays in more; only what stands at the border may be shown in a
//! smaller form.

use super::super::pieces::{Counter, Entry, Form, Piece};
use super::passages::GAP_TOKENS;
use super::{Draft, Group};
use crate::worth::Worth;
use redact::Safe;
use tokens::{JOINT, Tokens};

/// As many as the entries of a group may be said to be, for an upper bound of the line that says it.
const MOST: usize = 999_999;

/// Gives every entry its turn: what fails in its own turn, then what is worth most per token. Places of entries, or of groups that say that they
/// have none, in that order.
pub(super) fn order(draft: &mut Draft) -> Vec<(usize, usize)> {
    let key = |entry: &Entry| match entry.worth {
        Worth::URGENT => (0, entry.turn as u64),
        worth => (1, u64::MAX - worth.density(entry.tokens().0)),
    };
    let mut order: Vec<((u8, u64), usize, usize)> = Vec::new();
    for (of_group, group) in draft.groups.iter().enumerate() {
        // That a list has nothing is worth something too.
        if group.entries.is_empty() && group.list.is_some() {
            order.push(((1, u64::MAX - group.bare.density(group.frame_tokens().0)), of_group, 0));
        }
        for (at, entry) in group.entries.iter().enumerate() {
            order.push((key(entry), of_group, at));
        }
    }
    order.sort_unstable();
    for (turn, (_, of_group, at)) in order.iter().enumerate() {
        if let Some(entry) = draft.groups[*of_group].entries.get_mut(*at) {
            entry.turn = turn;
        }
    }
    order.into_iter().map(|(_, of_group, at)| (of_group, at)).collect()
}

/// Takes out of a draft what has no room in `granted` tokens.
pub(super) fn fit(draft: &mut Draft, granted: Tokens) {
    let order = order(draft);
    if draft.tokens() <= granted {
        return;
    }
    // All that could have no room is more than what will have none.
    let is_named = |group: &&Group| !group.title.is_empty() && !group.entries.is_empty();
    let titles: Vec<(&'static str, usize)> = draft.groups.iter().filter(is_named).map(|group| (group.title, MOST)).collect();
    let said = draft.names_left_out.map_or(0, |counter| left_out(counter, &titles).tokens().0);
    let mut room =
        Room { left: granted.0.saturating_sub(JOINT.0 + said), open: vec![false; draft.groups.len()], files: Vec::new() };
    let mut shown: Vec<Vec<bool>> = draft.groups.iter().map(|group| vec![false; group.entries.len()]).collect();
    for (of_group, at) in order {
        let group = &mut draft.groups[of_group];
        if group.entries.is_empty() {
            let Some(left) = room.left.checked_sub(group.frame_tokens().0) else { break };
            room.left = left;
            room.open[of_group] = true;
            continue;
        }
        let around = room.around(group, of_group, at);
        let entry = &mut group.entries[at];
        let is_passage = entry.block.is_some();
        // What stands at the border is cut to what has room.
        while !room.fits(entry, around) && entry.shrink().is_some() {}
        if !room.fits(entry, around) {
            break;
        }
        room.take(entry, around, of_group);
        shown[of_group][at] = true;
        if entry.is_shrunk() && is_passage {
            break;
        }
    }
    for ((group, shown), is_open) in draft.groups.iter_mut().zip(shown).zip(room.open) {
        for at in (0..shown.len()).rev().filter(|at| !shown[*at]) {
            group.cut_at(at);
        }
        if group.entries.is_empty() && !is_open {
            group.give_up();
        }
    }
    let gone = draft.groups.iter().filter(|group| group.is_gone && group.n_cut > 0 && !group.title.is_empty());
    let gone: Vec<(&'static str, usize)> = gone.map(|group| (group.title, group.n_cut + group.n_unseen)).collect();
    draft.left_out = draft.names_left_out.filter(|_| !gone.is_empty()).map(|counter| left_out(counter, &gone));
}

/// `Left out for want of room: IMPACTED FILES (6), TESTS TO RUN (2): raise the budget`.
fn left_out(counter: Counter, titles: &[(&'static str, usize)]) -> Form {
    let title = |(title, n): &(&'static str, usize)| Safe::format("{} ({})", &[&Safe::fixed(title), &Safe::number(*n as i64)]);
    let titles = Safe::join(&titles.iter().map(title).collect::<Vec<_>>(), ", ");
    let line = Safe::format("Left out for want of room: {}: raise the budget", &[&titles]);
    counter.form(vec![Piece::Line(Safe::default()), Piece::Line(line)])
}

/// A file whose passages have a header in a group, with the lines that are shown there.
type File = ((usize, Option<Safe>), Vec<(u32, u32)>);

/// What room is left, and what of it stands there already.
struct Room {
    left: u32,
    /// Whether each group has its frame.
    open: Vec<bool>,
    /// The files that stand there.
    files: Vec<File>,
}

impl Room {
    /// What must come with an entry: the frame of its group, the header of its file, the lines around it.
    fn around(&self, group: &Group, of_group: usize, at: usize) -> u32 {
        let frame = if self.open[of_group] { 0 } else { group.frame_tokens().0 };
        let entry = &group.entries[at];
        let Some(block) = &entry.block else { return frame };
        let file = self.files.iter().find(|((group, path), _)| *group == of_group && *path == entry.about.path);
        let header = if file.is_none() { block.tokens.0 } else { 0 };
        let is_shown =
            |line: u32| file.is_some_and(|(_, lines)| lines.iter().any(|(first, last)| (*first..=*last).contains(&line)));
        let openings = block.openings.iter().filter(|(line, ..)| !is_shown(*line));
        frame + header + GAP_TOKENS.0 + openings.map(|(.., tokens)| tokens.0 + GAP_TOKENS.0).sum::<u32>()
    }

    fn fits(&self, entry: &Entry, around: u32) -> bool {
        entry.tokens().0.saturating_add(around) <= self.left
    }

    fn take(&mut self, entry: &Entry, around: u32, of_group: usize) {
        self.left -= entry.tokens().0 + around;
        self.open[of_group] = true;
        let Some(block) = &entry.block else { return };
        let lines = block.openings.iter().map(|(line, ..)| (*line, *line)).chain(entry.lines());
        match self.files.iter_mut().find(|((group, path), _)| *group == of_group && *path == entry.about.path) {
            Some((_, shown)) => shown.extend(lines),
            None => self.files.push(((of_group, entry.about.path.clone()), lines.collect())),
        }
    }
}
